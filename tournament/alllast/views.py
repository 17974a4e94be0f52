"""What each player of a table needs in the last hand: for the desk, phones and paper."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from scoring.alllast import Goal, Need, Price, draw_cases, legal_prices, nearest_common
from scoring.alllast_ranks import RankGoal, RankNeed, SeatRanks
from scoring.placement import places_of
from scoring.value import base_points, limit_name
from tournament.alllast.messages import (
    any_win,
    no_way,
    say_any_ron,
    say_any_way,
    say_direct_hit,
    say_draw,
    say_draw_tie,
    say_draws,
    say_exact,
    say_han,
    say_limit,
    say_pays,
    say_ranks_base,
    say_ron,
    say_tie,
    say_tsumo,
)
from tournament.alllast.queries import RankNeeds, TableNeeds, get_needs, get_rank_needs, public_needs
from tournament.core.rights import Verb
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, for_public, who_may
from tournament.pages.public_page import follows, get_me, show
from tournament.pages.requests import load_or_404, round_or_404
from tournament.tables.round_queries import get_clock
from tournament.text.numbers import say_place, wind_word
from tournament.text.readback import hand_name, honba_and_sticks


@dataclass(frozen=True, slots=True)
class Way:
    """One way to a place: `main` is the hand that it takes, `sub` its points or han, `note` mentions a tie.

    `state` is "any" where any win or draw of that kind is enough, "none" where no one is. `winds` are of the players
    who must discard, where the screen says so.
    """

    name: str
    main: str
    sub: str
    note: str
    state: str
    winds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceWays:
    """The ways to a place or a better one; `state` is that of all ways where they have the same, else ""."""

    place: str
    ways: tuple[Way, ...]
    state: str


@dataclass(frozen=True, slots=True)
class SeatCard:
    """A player in the last hand, with the ways to each place.

    Left out are the last place and places that need the same as the better one.
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
    """Return the context of alllast/needs_table.html; `me` is the number of the player that a phone follows."""
    return {
        "round_number": needs.round,
        "table_number": needs.number,
        "hand": hand_name(needs.state),
        "honba_and_sticks": honba_and_sticks(needs.state),
        "goes_on": not needs.by_time,
        "dealer": needs.names[needs.state.dealer],
        "dealer_seat": needs.state.dealer,
        "cards": seat_cards(needs, me=me),
    }


def seat_cards(needs: TableNeeds, *, me: int | None = None, names: Sequence[str] = ()) -> list[SeatCard]:
    """Return a card for each seat, in seat order. Ways name the others by wind, or on paper by these `names`."""
    state, shown, names = needs.state, names, names or needs.names
    places = places_of(state.scores, needs.rules)
    return [
        SeatCard(
            seat=player.seat,
            number=player.seat + 1,
            name=names[player.seat],
            wind=state.wind_of(player.seat),
            score=state.scores[player.seat],
            place=say_place(places[player.seat], places.count(places[player.seat]) > 1),
            deals=player.seat == state.dealer,
            riichi=player.seat in needs.riichi,
            goals=_places(needs, goals.goals[:-1], player.seat, shown),
            mine=player.number == me,
        )
        for player, goals in zip(needs.players, needs.goals, strict=True)
    ]


def rank_context(needs: TableNeeds, ranks: RankNeeds | None) -> dict[str, Any]:
    """Return what alllast/needs_desk.html shows of the standings."""
    if ranks is None:
        return {"ranks": None}
    names = needs.names
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


def my_needs(event: Event, number: int | None) -> dict[str, Any] | None:
    """Return `needs_context` with the player's own `card`, for the phone that follows this player.

    None unless the player's table is in its last hand and the event shows it.
    """
    for needs in public_needs(event, number) if number is not None else ():
        if any(player.number == number for player in needs.players):
            context = needs_context(needs, me=number)
            return {**context, "card": next(card for card in context["cards"] if card.mine)}
    return None


def _places(needs: TableNeeds, goals: Iterable[Goal], seat: int, names: Sequence[str]) -> tuple[PlaceWays, ...]:
    """Return the places whose ways differ from those to the better one, up to the one that any result gives."""
    shown: list[PlaceWays] = []
    for goal in goals:
        ways = _ways(needs, seat, names, goal) if names else _screen_ways(needs, seat, goal)
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


def _screen_ways(needs: TableNeeds, seat: int, goal: Goal) -> tuple[Way, ...]:
    """Return the ways in few words: the nearest common hand by tsumo, by any ron, by a direct hit, and useful draws."""
    state = needs.state
    ways = [_near_way(say_tsumo(), goal.tsumo, needs, seat, None)]
    by_need: dict[Need | None, list[int]] = {}
    for loser in state.others(seat):
        by_need.setdefault(goal.ron[loser], []).append(loser)
    groups = sorted(by_need.items(), key=lambda group: _cost(group[0]))
    need, losers = groups[-1]
    if need is not None or len(groups) == 1:  # what is enough from the hardest is enough from anybody
        ways.append(_near_way(say_any_ron(), need, needs, seat, losers[0]))
    for need, losers in groups[:-1]:
        winds = tuple(state.wind_of(loser) for loser in losers)
        ways.append(replace(_near_way(say_direct_hit(), need, needs, seat, losers[0]), winds=winds))
    if len(groups) == 1 and {way.state for way in ways} == {"any"}:
        ways = [replace(ways[0], name=say_any_way())]
    drawn = _draw_way(needs, seat, [wind_word(state.wind_of(other)) for other in range(state.players)], goal)
    return tuple(ways) if drawn.state == "none" else (*ways, drawn)


def _cost(need: Need | None) -> tuple[int, int, int]:
    if need is None:
        return (2, 0, 0)
    return (1, need.price.payment.value, need.clear.payment.value if need.clear else 0)


def _near_way(name: str, need: Need | None, needs: TableNeeds, seat: int, loser: int | None) -> Way:
    """Return a way with the nearest common hand, and in its note the cheapest one where that is a rare one."""
    way = _way(name, need, needs, seat)
    if need is None or way.state:
        return way
    prices = legal_prices(seat, needs.state, needs.rules, tsumo=loser is None, riichi=seat in needs.riichi)
    common = nearest_common(need.price, prices)
    if common == need.price:
        return way
    main, sub = _hand(common, needs, seat)
    exact = say_exact(say_pays(need.price), tie=need.tied)
    if need.tied and (need.clear is None or common.payment.value < need.clear.payment.value):
        return Way(name, main, sub, way.note, "")
    return Way(name, main, sub, exact, "")


def _ways(needs: TableNeeds, seat: int, names: Sequence[str], goal: Goal | RankGoal) -> tuple[Way, ...]:
    """Return the ways in words: tsumo, ron from each loser (grouped where the need is the same), draw."""
    ways = [_way(say_tsumo(), goal.tsumo, needs, seat)]
    ron: Mapping[int, Need | RankNeed | None] = goal.ron
    by_need: dict[Need | RankNeed | None, list[int]] = {}
    for loser in needs.state.others(seat):
        by_need.setdefault(ron[loser], []).append(loser)
    for need, losers in by_need.items():
        name = say_ron([names[loser] for loser in losers], needs.state.players - 1)
        ways.append(_way(name, need, needs, seat))
    return (*ways, _draw_way(needs, seat, names, goal))


def _draw_way(needs: TableNeeds, seat: int, names: Sequence[str], goal: Goal | RankGoal) -> Way:
    cases = draw_cases(goal.draw, needs.state.players, needs.riichi)
    state = "none" if not cases else "any" if cases[0] == ((), ()) else ""
    note = ""
    if goal.draw_tied:
        tied = draw_cases(goal.draw_tied, needs.state.players, needs.riichi)
        note = say_draw_tie("" if goal.draw_tied == goal.draw else say_draws(tied, seat, names))
    return Way(say_draw(), say_draws(cases, seat, names), "", note, "" if note else state)


def _way(name: str, need: Need | RankNeed | None, needs: TableNeeds, seat: int) -> Way:
    if need is None:
        return Way(name, no_way(), "", "", "none")
    note = _note(need, needs, seat)
    if need.least and not note:
        return Way(name, any_win(), "", "", "any")
    main, sub = _hand(need.price, needs, seat)
    return Way(name, main, sub, note, "")


def _hand(price: Price, needs: TableNeeds, seat: int) -> tuple[str, str]:
    """Return a hand in two texts: limit and points, else points and han with fu."""
    limit = say_limit(limit_name(base_points(price.win(seat), needs.rules), needs.rules))
    return (limit, say_pays(price)) if limit else (say_pays(price), say_han(price))


def _note(need: Need | RankNeed, needs: TableNeeds, seat: int) -> str:
    if isinstance(need, Need):
        return say_tie(_hand(need.clear, needs, seat)[0] if need.clear else "") if need.tied else ""
    said = [say_tie("")] if need.shared else []
    said += [_("some cheaper hand does, too")] if need.below else []
    said += [_("some dearer hand does not")] if need.alone else []
    return "; ".join(said)


@require_GET
@who_may(Verb.SEE_DESK)
def last(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show what each player of a table needs; `?riichi=S` for each seat with a riichi stick in this hand."""
    table, round_ = load_or_404(event, round_number, table_number), round_or_404(event, round_number)
    asked = request.GET.getlist("riichi")
    riichi = tuple(player.seat for player in table.seats if str(player.seat) in asked)
    needs = get_needs(table, get_clock(round_), riichi=riichi)
    context: dict[str, Any] = {"table": table, "needs": None, "hand": hand_name(table.state)}
    if needs:
        context |= {"needs": needs_context(needs), **rank_context(needs, get_rank_needs(event, table, riichi=riichi))}
    return render(request, "alllast/needs_desk.html", desk_context(request, event, "desk", **context))


@require_safe
@for_public
def public_last(request: HttpRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show what each player of a table needs, where the event shows it to this phone.

    An open page whose hand is over, or hidden, says so when it fetches its live part.
    """
    address = (round_number, table_number)
    found = (each for each in public_needs(event, follows(request, event)) if (each.round, each.number) == address)
    needs = next(found, None)
    if needs is None and not request.headers.get("HX-Request"):
        raise Http404("There is no such page now.")

    def make() -> dict[str, Any]:
        me = get_me(request, event)
        return {"needs": needs_context(needs, me=me.number if me else None) if needs else None, "me": me}

    return show(request, event, "alllast/needs.html", make, tab="rounds", clock=True, live=True)
