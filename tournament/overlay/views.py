"""What a stream shows over its picture: a table, a round's tables, or the standings, as the public may see them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_safe

from scoring.placement import places_of
from tournament.alllast.messages import NeedOption, PlaceWays
from tournament.alllast.queries import public_needs
from tournament.alllast.views import as_it_stands_context, seat_cards
from tournament.core.rights import Right
from tournament.events.models import Event, LiveOthers, LiveTables
from tournament.events.pictures import is_colour, letters_on
from tournament.moments.messages import yakuman_items
from tournament.moments.queries import YakumanHand, list_visible_yakuman
from tournament.pages.permissions import DeskRequest, current_round, desk_context, for_public, who_may
from tournament.pages.public_page import show
from tournament.players.queries import get_club_colours
from tournament.privacy.queries import list_not_filmed
from tournament.publication.queries import PublicView, get_public_view
from tournament.standings.queries import get_standings
from tournament.tables.models import Round
from tournament.tables.queries import LoadedTable, get_table, load_tables
from tournament.tables.round_queries import get_clock, get_round
from tournament.text.languages import follow_wall

SIZES = ("75", "100", "125", "150", "200")  # per cent
EDGES = ("bottom", "top", "top-left", "top-right", "bottom-left", "bottom-right")
# A streaming program adds its user's styles to the page (OBS: "Custom CSS"). Scripts stay as strict as everywhere.
_styled: Callable[..., Any] = csp_replace({"style-src": [SELF, UNSAFE_INLINE]})


@require_safe
@_styled
@for_public
def overlay(request: HttpRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show one table on a transparent page, placed by `?at=top-left`, `?size=150`, `?ground=light`, `?colour=1f5a44`.

    Scores are there where the public may see the table live, or once the round is public; what the last hand needs
    where the event shows it to everybody.
    """
    follow_wall(event.language)

    def make() -> dict[str, Any]:
        found = _published(event, round_number)
        loaded = get_table(event, round_number, table_number)
        if loaded is None:
            raise Http404("There is no such page yet.")
        shown, final = _shown(event, loaded)
        return {
            "round": found,
            "table": loaded,
            "shown": shown,
            "final": final,
            "seats": _seats(loaded, shown=shown, final=final, needs=_needs(event, loaded) if shown else {}),
            "clock": get_clock(found),
            "moments": yakuman_items(event, _yakuman_at(event, loaded)) if shown else [],
            **_looks(request),
        }

    return show(request, event, "overlay/overlay.html", make, tab="", clock=True, live=PublicView.live_mark)


@require_safe
@_styled
@for_public
def board(request: HttpRequest, event: Event, round_number: int) -> HttpResponse:
    """Show all tables of a round with names, and with scores where the public may see them."""
    follow_wall(event.language)

    def make() -> dict[str, Any]:
        found = _published(event, round_number)
        tables = [
            {"number": each.number, "final": final, "seats": _seats(each, shown=shown, final=final, needs={})}
            for each in load_tables(event, rounds=[round_number])
            for shown, final in (_shown(event, each),)
        ]
        return {"round": found, "tables": tables, "clock": get_clock(found), **_looks(request)}

    return show(request, event, "overlay/overlay_board.html", make, tab="", clock=True, live=PublicView.live_mark)


@require_safe
@_styled
@for_public
def ticker(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the public standings as one moving line, and in the last hands of an event who can still win."""
    follow_wall(event.language)

    def make() -> dict[str, Any]:
        standings, stands = get_standings(event), as_it_stands_context(event, None)
        rows = standings.rows if standings.rounds and not stands else ()
        clubs = get_club_colours(event) if rows else {}
        return {
            "after": max(standings.rounds, default=0),
            "rows": [(row, clubs.get(row.number)) for row in rows],
            "clubs": clubs,
            "stands": stands,
            "seconds": max(20, 3 * len(rows), 8 * len(stands["rows"]) if stands else 0),
            **_looks(request),
        }

    # of what is live it moves with who can win alone, which is in the marks that features add
    return show(request, event, "overlay/overlay_ticker.html", make, tab="", live=lambda _seen, _follows: "")


def _published(event: Event, number: int) -> Round:
    found = get_round(event, number)
    if found is None or not found.published_at:
        raise Http404("There is no such page yet.")
    return found


def _shown(event: Event, table: LoadedTable) -> tuple[bool, bool]:
    """Tell whether everybody may see the scores of a table, and whether those are final.

    Of a public round they are, also while a table is corrected: they count.
    """
    seen = get_public_view(event)
    public = seen.shows(table.round)
    shown = public or seen.live_table(table.round, table.number, None) is not None
    return shown, public or (shown and table.signed)


def _seats(table: LoadedTable, *, shown: bool, final: bool, needs: dict[int, PlaceWays]) -> list[dict[str, Any]]:
    """Return the seats with the wind of this hand; place, score and last hand where they may be `shown`.

    `final` ones are as the results have them: who is replaced may have no place. `needs` are by seat.
    """
    state = table.state
    hand = table.game.hands[-1] if shown and table.game.hands and not final else None
    scores = table.final.scores if final else state.scores
    places = table.counted.places if final else places_of(scores, table.rules)
    return [
        {
            "seat": player.seat,
            "name": substitute.name if substitute else player.name,
            "wind": state.wind_of(player.seat) if shown else player.seat,
            "dealer": shown and player.seat == state.dealer,
            "score": scores[player.seat] if shown else None,
            "place": (places[player.seat] or None) if shown else None,
            "change": hand.deltas[player.seat] if hand else 0,
            "riichi": hand is not None and player.seat in getattr(hand.entry, "riichi", ()),
            "need": needs.get(player.seat),
        }
        for player in table.seats
        for substitute in (table.replaced.get(player.seat),)
    ]


def _yakuman_at(event: Event, table: LoadedTable) -> list[YakumanHand]:
    found = list_visible_yakuman(event, None)
    return [each for each in found if (each.round, each.table) == (table.round, table.number)]


def _needs(event: Event, table: LoadedTable) -> dict[int, PlaceWays]:
    """Return by seat what the last hand has to bring for the best place that it can bring, in two short lines."""
    found = (each for each in public_needs(event, None) if (each.round, each.number) == (table.round, table.number))
    needs = next(found, None)
    cards = seat_cards(needs) if needs else []
    best = {card.seat: goal for card in cards for goal in [goal for goal in card.goals if goal.state != "none"][:1]}
    return {seat: replace(goal, lines=_brief(goal.lines)) for seat, goal in best.items()}


def _brief(lines: Sequence[Sequence[NeedOption]]) -> tuple[tuple[NeedOption, ...], ...]:
    """Return one way a line: by tsumo, then by the easiest ron, with nothing else that a tie leaves open."""
    ways = [line[-1] if at else line[0] for at, line in enumerate(lines)]
    return tuple((replace(way, note=way.note.partition(";")[0]),) for way in ways)


def _looks(request: HttpRequest) -> dict[str, Any]:
    """Return what the address chooses: edge or corner, size, ground and colour."""
    asked = f"#{request.GET.get('colour', '').lower()}"
    colour = asked if is_colour(asked) else ""  # the event's own comes with its stylesheet
    return {
        "at": _one_of(request, "at", EDGES),
        "size": _one_of(request, "size", ("100", *SIZES)),
        "ground": _one_of(request, "ground", ("dark", "light")),
        "theme": {"colour": colour, "letters": letters_on(colour)} if colour else None,
    }


def _one_of(request: HttpRequest, name: str, known: tuple[str, ...]) -> str:
    """Return a value of the query, the first known one where it is missing or unknown."""
    wanted = request.GET.get(name, "")
    return wanted if wanted in known else known[0]


@require_GET
@who_may(Right.CHANGE_SETTINGS)
def stream(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the addresses of the tables of the round that is played, for a streaming program."""
    now = current_round(event)
    rounds = event.rounds.filter(released_at=None) if event.is_open else event.rounds.filter(pk=now.pk if now else 0)
    shown = rounds.filter(published_at__isnull=False).order_by("tables__number")
    context = {
        "stream_round": now.number if now else None,
        "not_filmed": list_not_filmed(event, now) if now else [],
        "live": event.live_tables == LiveTables.HANDS and event.live_others == LiveOthers.ALL,
        "tables": [
            (number, request.build_absolute_uri(reverse("public:overlay", args=[event.slug, round_, number])))
            for round_, number in shown.values_list("number", "tables__number")
            if number
        ],
        "board_url": request.build_absolute_uri(reverse("public:overlay_board", args=[event.slug, now.number]))
        if now
        else "",
        "ticker_url": request.build_absolute_uri(reverse("public:overlay_ticker", args=[event.slug])),
    }
    return render(request, "overlay/stream.html", desk_context(request, event, "settings", **context))
