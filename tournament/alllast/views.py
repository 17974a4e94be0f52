"""What each player of a table needs in the last hand: for the desk, phones and paper."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from scoring.alllast import Goal, Need, Price, draw_cases, legal_prices, nearest_common
from scoring.alllast_ranks import RankGoal, RankNeed
from scoring.placement import places_of
from scoring.value import base_points, limit_name
from tournament.alllast.messages import (
    NeedOption,
    PlaceWays,
    SeatCard,
    any_draw,
    any_ron_text,
    any_win,
    direct_hit_text,
    draw_text,
    draw_tie_text,
    draws_text,
    han_text,
    limit_text,
    pays_text,
    ranks_base_text,
    some_draws,
    tie_text,
    tsumo_text,
)
from tournament.alllast.queries import (
    RankNeeds,
    TableNeeds,
    get_needs,
    get_rank_needs,
    public_as_it_stands,
    public_needs,
)
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, for_public, who_may
from tournament.pages.public_page import follows, get_me, show
from tournament.pages.requests import load_or_404, round_or_404
from tournament.publication.names import list_names
from tournament.publication.queries import PublicView
from tournament.tables.round_queries import get_clock
from tournament.text.languages import join_spaced
from tournament.text.numbers import say_place
from tournament.text.readback import hand_name, honba_and_sticks


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


def seat_cards(needs: TableNeeds, *, me: int | None = None) -> list[SeatCard]:
    """Return a card for each seat, in seat order; phones, overlays and paper show these."""
    state, names = needs.state, needs.names
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
            goals=_places(needs, player.seat, [(goal.place, goal) for goal in goals.goals[:-1]]),
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
                "goals": _places(needs, each.seat, [(goal.rank, goal) for goal in each.goals]),
            }
            for each in ranks.seats
            if each is not None
        ],
        "ranks_base": ranks_base_text(ranks.playing, ranks.unknown),
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


def as_it_stands_context(event: Event, follows: int | None) -> dict[str, Any] | None:
    """Return who can still win as alllast/as_it_stands.html shows it to a phone; None where it may not see that."""
    found = public_as_it_stands(event, follows)
    if found is None:
        return None
    names = dict(list_names(event))
    return {
        "rows": [
            {
                "name": names.get(row.number, ""),
                "mine": row.number == follows,
                "table": row.table,
                "total": row.total,
                "place": say_place(row.rank, row.shared),
                "leads": row.rank == 1,
                "certain": row.certain,
                "ways": _place_ways(found.tables[row.table], row.seat, 1, row.goal) if row.table and row.goal else None,
            }
            for row in found.rows
        ],
        "base": ranks_base_text(found.playing, ()) if found.playing else "",
    }


def _places(needs: TableNeeds, seat: int, goals: Iterable[tuple[int, Goal | RankGoal]]) -> tuple[PlaceWays, ...]:
    """Return the places whose ways differ from those to the better one, up to the one that any result gives."""
    shown: list[PlaceWays] = []
    for place, goal in goals:
        ways = _place_ways(needs, seat, place, goal)
        if shown and (shown[-1].lines, shown[-1].state) == (ways.lines, ways.state):
            continue
        shown.append(ways)
        if ways.state == "any":
            break
    return tuple(shown)


def _place_ways(needs: TableNeeds, seat: int, place: int, goal: Goal | RankGoal) -> PlaceWays:
    """Return the nearest common hands: by tsumo, by any ron, by the easiest direct hit; and draws that say themselves.

    A way that leads nowhere is left out.
    """
    state = needs.state
    tsumo = _way(needs, seat, tsumo_text(), goal.tsumo, None)
    ron: Mapping[int, Need | RankNeed | None] = goal.ron
    by_way: dict[NeedOption, list[int]] = {}
    for loser in sorted(state.others(seat), key=lambda other: _cost(ron[other])):
        by_way.setdefault(_way(needs, seat, any_ron_text(), ron[loser], loser), []).append(loser)
    hit, *_, hardest = [*by_way] * 2
    # what is enough from the hardest is enough from anybody, unless a dearer hand fails from somebody
    several = len(by_way) > 1
    rons = (
        [hardest] if not (several and any(isinstance(need, RankNeed) and need.alone for need in ron.values())) else []
    )
    if several:
        rons += [replace(hit, name=direct_hit_text([state.wind_of(loser) for loser in by_way[hit]]))]
    draw = _draw_way(needs, seat, goal)
    states = {way.state for way in (tsumo, *rons, draw)}
    first, second = [tsumo], rons
    if tsumo.state == "any" and {way.state for way in rons} == {"any"}:
        first, second = [replace(tsumo, name="")], []
    lines = [[way for way in line if way.state != "none" and way.main] for line in ([*first, draw], second)]
    if not any(lines) and draw.state != "none":
        lines[0] = [replace(draw, main=some_draws())]
    return PlaceWays(str(place), tuple(tuple(line) for line in lines if line), states.pop() if len(states) == 1 else "")


def _cost(need: Need | RankNeed | None) -> tuple[int, int, int]:
    if need is None:
        return (2, 0, 0)
    clear = need.clear if isinstance(need, Need) else None
    return (1, need.price.payment.value, clear.payment.value if clear else 0)


def _way(needs: TableNeeds, seat: int, name: str, need: Need | RankNeed | None, loser: int | None) -> NeedOption:
    """Return a way with the nearest common hand that does; a rarer one that costs less may do as well."""
    if need is None:
        return NeedOption(name, "", state="none")
    prices = legal_prices(seat, needs.state, needs.rules, tsumo=loser is None, riichi=seat in needs.riichi)
    price, notes = need.price, []
    if isinstance(need, Need):
        price = nearest_common(need.price, prices)
        if need.tied and (need.clear is None or price.payment.value < need.clear.payment.value):
            notes += [tie_text(_hand(nearest_common(need.clear, prices), needs, seat)[0] if need.clear else "")]
    else:
        price = need.price if need.alone or need.shared else nearest_common(need.price, prices)
        notes += [tie_text("")] if need.shared else []
        notes += [_("some cheaper hand does, too")] if need.below else []
        notes += [_("some dearer hand does not")] if need.alone else []
    if need.least and not notes:
        return NeedOption(name, any_win(), state="any")
    main, sub = _hand(price, needs, seat)
    return NeedOption(name, main, sub, join_spaced(notes))


def _draw_way(needs: TableNeeds, seat: int, goal: Goal | RankGoal) -> NeedOption:
    """Return the draws that do, without words where these could not be read at a glance."""
    cases = draw_cases(goal.draw, needs.state.players, needs.riichi)
    note = draw_tie_text(always=goal.draw_tied == goal.draw) if goal.draw_tied else ""
    if not cases:
        return NeedOption("", "", state="none")
    if cases[0] == ((), ()):
        return NeedOption("", any_draw(), note=note, state="" if note else "any")
    winds = [needs.state.wind_of(other) for other in range(needs.state.players)]
    return NeedOption(draw_text(), draws_text(cases, seat, winds), note=note)


def _hand(price: Price, needs: TableNeeds, seat: int) -> tuple[str, str]:
    """Return a hand in two texts: limit and points, else points and han with fu."""
    limit = limit_text(limit_name(base_points(price.win(seat), needs.rules), needs.rules))
    return (limit, pays_text(price)) if limit else (pays_text(price), han_text(price))


@require_GET
@who_may(Right.SEE_DESK)
def last(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show what each player of a table needs; `?riichi=S` for each seat with a riichi stick in this hand."""
    table, round_ = load_or_404(event, round_number, table_number, request.row), round_or_404(event, round_number)
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

    return show(request, event, "alllast/needs.html", make, tab="rounds", clock=True, live=PublicView.live_mark)
