"""The overlay: one table for a stream, over the picture of a camera, with what the public may see."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.models import Event
from tournament.selectors.core.public import seen_by_public
from tournament.selectors.rounds.clock import get_clock
from tournament.selectors.rounds.rounds import get_round
from tournament.selectors.tables.tables import LoadedTable, get_table
from web.frame.public_page import show
from web.gateways import for_public
from web.words.languages import follow_wall

SIZES = ("75", "100", "125", "150", "200")  # per cent
EDGES = ("bottom", "top")


@require_safe
@for_public
def overlay(request: HttpRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show one table on a transparent page, placed by `?at=top`, `?size=150` and `?ground=light`.

    Scores are there where the public may see the table live, or once the round is public.
    """
    follow_wall(event.language)

    def make() -> dict[str, Any]:
        found = get_round(event, round_number)
        loaded = get_table(event, round_number, table_number) if found and found.published_at else None
        if found is None or loaded is None:
            raise Http404("There is no such page yet.")
        seen = seen_by_public(event)
        shown = seen.shows(round_number) or seen.live_table(round_number, table_number, None) is not None
        return {
            "round": found,
            "table": loaded,
            "shown": shown,
            "seats": _seats(loaded, shown=shown),
            "clock": get_clock(found),
            "at": _one_of(request, "at", EDGES),
            "size": _one_of(request, "size", ("100", *SIZES)),
            "ground": _one_of(request, "ground", ("dark", "light")),
        }

    return show(request, event, "wall/overlay.html", make, tab="", clock=True, live=True)


def _seats(table: LoadedTable, *, shown: bool) -> list[dict[str, Any]]:
    """Return the seats with the wind of this hand, and with score and last change where they may be `shown`."""
    state = table.state
    last = table.game.hands[-1].deltas if shown and table.game.hands else ()
    scores = table.final.scores if table.signed else state.scores
    return [
        {
            "name": table.replaced[player.seat].name if player.seat in table.replaced else player.name,
            "wind": state.wind_of(player.seat) if shown else player.seat,
            "dealer": shown and player.seat == state.dealer,
            "score": scores[player.seat] if shown else None,
            "change": last[player.seat] if last and not table.signed else 0,
        }
        for player in table.seats
    ]


def _one_of(request: HttpRequest, name: str, known: tuple[str, ...]) -> str:
    """Return a value of the query, the first known one where it is missing or unknown."""
    wanted = request.GET.get(name, "")
    return wanted if wanted in known else known[0]
