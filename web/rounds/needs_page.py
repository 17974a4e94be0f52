"""What each player of a table needs in the last hand, put together for the desk, the phones and paper.

Words come from `needs_wording`, ways from the selectors: this lays them out and works nothing out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.alllast import Goal, Need, Price, draw_cases
from scoring.alllast_ranks import RankGoal, RankNeed, SeatRanks
from scoring.placement import places_of
from scoring.value import base_points, limit_name
from tournament.models import Event
from tournament.selectors.public.needs import RankNeeds, TableNeeds, public_needs
from tournament.sheets.alllast import FilledSheet, NeedPlace, NeedSeat
from tournament.sheets.figures import text_width
from web.words.formatting import ordinal_place
from web.words.needs import (
    any_win,
    no_way,
    say_draw,
    say_draw_tie,
    say_draws,
    say_han,
    say_limit,
    say_pays,
    say_ranks_base,
    say_ron,
    say_tie,
    say_tsumo,
)
from web.words.readback import counters, hand_name

PAPER_NAME = 18  # columns of a name within a line of the sheet


@dataclass(frozen=True, slots=True)
class Way:
    """One way to a place by its name: `main` is the hand that it takes, `sub` what it costs or is made of.

    `note` tells of a tie. `state` is "any" where whatever comes of that kind does, "none" where nothing does.
    """

    name: str
    main: str
    sub: str
    note: str
    state: str


@dataclass(frozen=True, slots=True)
class PlaceWays:
    """A place as it is written, and the ways to it or to a better one.

    `state` is "any" where every way does whatever comes, "none" where none does.
    """

    place: str
    ways: tuple[Way, ...]
    state: str


@dataclass(frozen=True, slots=True)
class SeatCard:
    """A player in the last hand: who, where, with how many points, at which place, and the ways to the places.

    The last place is not among them, nor is one that asks the same as the better one.
    """

    seat: int
    number: int
    name: str
    wind: str
    score: int
    place: str
    deals: bool
    riichi: bool
    goals: tuple[PlaceWays, ...]
    mine: bool = False


def needs_context(needs: TableNeeds, *, me: int | None = None) -> dict[str, Any]:
    """Return what templates/ui/needs.html shows of a table; `me` is the number of the player that a phone follows."""
    return {
        "round_number": needs.round,
        "table_number": needs.number,
        "hand": hand_name(needs.state),
        "counters": counters(needs.state),
        "goes_on": not needs.by_time,
        "dealer": _names(needs)[needs.state.dealer],
        "cards": seat_cards(needs, me=me),
    }


def seat_cards(needs: TableNeeds, *, me: int | None = None, names: Sequence[str] = ()) -> list[SeatCard]:
    """Return a card for each seat, in seat order; `names` are those to use instead of the players'."""
    state, names = needs.state, names or _names(needs)
    places = places_of(state.scores, needs.rules)
    return [
        SeatCard(
            seat=player.seat,
            number=player.seat + 1,
            name=names[player.seat],
            wind=state.wind_of(player.seat),
            score=state.scores[player.seat],
            place=ordinal_place(places[player.seat], places.count(places[player.seat]) > 1),
            deals=player.seat == state.dealer,
            riichi=player.seat in needs.riichi,
            goals=_places(needs, goals.goals[:-1], player.seat, names),
            mine=player.number == me,
        )
        for player, goals in zip(needs.players, needs.goals, strict=True)
    ]


def rank_context(needs: TableNeeds, ranks: RankNeeds | None) -> dict[str, Any]:
    """Return what templates/paper/needs_desk.html shows of the standings; nothing where they are not told."""
    if ranks is None:
        return {"ranks": None}
    names = _names(needs)
    return {
        "ranks": [
            {
                "name": names[each.seat],
                "wind": needs.state.wind_of(each.seat),
                "rank": each.rank,
                "best": each.best,
                "goals": _ranks(needs, each, names),
            }
            for each in ranks.seats
            if each is not None
        ],
        "ranks_base": say_ranks_base(ranks.playing, ranks.unknown),
        "ranks_unknown": bool(ranks.unknown),
    }


def my_needs(event: Event, number: int | None) -> dict[str, Any]:
    """Return what templates/public/needs_card.html shows on the phone that follows this player: `needs`, or None.

    `needs` has `card` and what `needs_context` gives; it is there while the player's table is in its last hand and the
    event shows it.
    """
    mine = [
        each
        for each in public_needs(event, number)
        if number is not None and any(player.number == number for player in each.players)
    ]
    if not mine:
        return {"needs": None}
    context = needs_context(mine[0], me=number)
    return {"needs": {**context, "card": next(card for card in context["cards"] if card.mine)}}


def paper_sheet(needs: TableNeeds) -> FilledSheet:
    """Return the filled all-last sheet of a table; names in its ways are cut, those beside the scores are whole."""
    said = [part for part in (counters(needs.state),) if part]
    names = _names(needs)
    return FilledSheet(
        round=needs.round,
        table=needs.number,
        hand=hand_name(needs.state),
        about=" · ".join(said),
        sticks=needs.state.sticks,
        seats=tuple(
            NeedSeat(
                name=names[card.seat],
                score=card.score,
                place=card.place,
                deals=card.deals,
                needs=tuple(
                    NeedPlace(
                        goal.place, tuple((way.name, way.main, way.sub, way.note) for way in goal.ways), goal.state
                    )
                    for goal in card.goals
                ),
            )
            for card in seat_cards(needs, names=_cut(names))
        ),
    )


def _cut(names: Sequence[str]) -> list[str]:
    """Cut names to what a line of paper holds; with the seat's number where two would read the same."""
    cut = [_cut_one(name) for name in names]
    return [name if cut.count(name) == 1 else f"{seat + 1} {name}" for seat, name in enumerate(cut)]


def _cut_one(name: str) -> str:
    if text_width(name) <= PAPER_NAME:
        return name
    most = next(length for length in range(len(name), 0, -1) if text_width(name[:length]) < PAPER_NAME)
    return f"{name[:most].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def _names(needs: TableNeeds) -> list[str]:
    """Return who plays each seat: a substitute with a name instead of the player."""
    return [needs.replaced.get(player.seat) or player.name for player in needs.players]


def _places(needs: TableNeeds, goals: Iterable[Goal], seat: int, names: Sequence[str]) -> tuple[PlaceWays, ...]:
    """Return the ways to each place that differ from those to the better one, up to the place that anything gives."""
    shown: list[PlaceWays] = []
    for goal in goals:
        ways = _ways(needs, seat, names, goal)
        if shown and shown[-1].ways == ways:
            continue
        shown.append(PlaceWays(str(goal.place), ways, _state_of(ways)))
        if shown[-1].state == "any":
            break
    return tuple(shown)


def _ranks(needs: TableNeeds, ranks: SeatRanks, names: Sequence[str]) -> tuple[PlaceWays, ...]:
    shown: list[PlaceWays] = []
    for goal in ranks.goals:
        ways = _ways(needs, ranks.seat, names, goal)
        if not shown or shown[-1].ways != ways:
            shown.append(PlaceWays(str(goal.rank), ways, _state_of(ways)))
    return tuple(shown)


def _state_of(ways: Iterable[Way]) -> str:
    states = {way.state for way in ways}
    return states.pop() if len(states) == 1 else ""


def _ways(needs: TableNeeds, seat: int, names: Sequence[str], goal: Goal | RankGoal) -> tuple[Way, ...]:
    """Return the ways in words: tsumo, ron from each with those whose discard asks the same together, draw."""
    ways = [_way(say_tsumo(), goal.tsumo, needs, seat)]
    ron: Mapping[int, Need | RankNeed | None] = goal.ron
    by_need: dict[Need | RankNeed | None, list[int]] = {}
    for loser in needs.state.others(seat):
        by_need.setdefault(ron[loser], []).append(loser)
    for need, losers in by_need.items():
        name = say_ron([names[loser] for loser in losers], needs.state.players - 1)
        ways.append(_way(name, need, needs, seat))
    cases = draw_cases(goal.draw, needs.state.players, needs.riichi)
    state = "none" if not cases else "any" if cases[0] == ((), ()) else ""
    note = ""
    if goal.draw_tied:
        tied = draw_cases(goal.draw_tied, needs.state.players, needs.riichi)
        note = say_draw_tie("" if goal.draw_tied == goal.draw else say_draws(tied, seat, names))
    ways.append(Way(say_draw(), say_draws(cases, seat, names), "", note, "" if note else state))
    return tuple(ways)


def _way(name: str, need: Need | RankNeed | None, needs: TableNeeds, seat: int) -> Way:
    if need is None:
        return Way(name, no_way(), "", "", "none")
    note = _note(need, needs, seat)
    if need.least and not note:
        return Way(name, any_win(), "", "", "any")
    main, sub = _hand(need.price, needs, seat)
    return Way(name, main, sub, note, "")


def _hand(price: Price, needs: TableNeeds, seat: int) -> tuple[str, str]:
    """Return a hand's name and what explains it: the limit with its points, else the points with han and fu."""
    limit = say_limit(limit_name(base_points(price.win(seat), needs.rules), needs.rules))
    return (limit, say_pays(price)) if limit else (say_pays(price), say_han(price))


def _note(need: Need | RankNeed, needs: TableNeeds, seat: int) -> str:
    if isinstance(need, Need):
        return say_tie(_hand(need.clear, needs, seat)[0] if need.clear else "") if need.tied else ""
    said = [_("shared")] if need.shared else []
    said += [_("some cheaper hand does, too")] if need.below else []
    said += [_("some dearer hand does not")] if need.alone else []
    return "; ".join(said)
