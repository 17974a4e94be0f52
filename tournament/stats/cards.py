"""The pictures that are shared of a player or an event: 1200 by 630 pixels, a PNG of some 40 kB, drawn with Pillow.

They show what the pages show, under the same rights: hidden names, held results and drafts stay hidden. Each is drawn
once for a public state and language; an address that asks for too many new ones waits.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.tiles import parse_tiles, write_tile
from tournament.events.models import Event
from tournament.pages.caches import build_id
from tournament.pages.permissions import for_public
from tournament.pages.sign_in import SPAN, may_draw
from tournament.public.queries import PlayerStory, get_story
from tournament.public.rows import how_fresh, is_final
from tournament.publication.queries import keep, names_key
from tournament.standings.queries import Standings, get_standings
from tournament.stats.messages import say_hand
from tournament.stats.queries import HandStory, get_hand_story, get_rank_history, get_recap
from tournament.tables.messages import say_nameless
from tournament.text.hands import yaku_of
from tournament.text.languages import join_and
from tournament.text.numbers import say_place, signed, signed_p
from tournament.text.readback import value_words

BEST = 3
VARY = ["Cookie", "Accept-Language"]


@dataclass(frozen=True, slots=True)
class EventCard:
    """What is drawn of an event: its name, where and when, and the best so far as (place, name, total).

    `bars` are their places with totals as parts of the largest, 0 for one below nought.
    """

    event: str
    about: str
    fresh: str
    best: tuple[tuple[str, str, str], ...] = ()
    bars: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """What is drawn of a player; texts in the reader's language, "" for none.

    `totals` are points by round, `placements` how often each place was taken, `tiles` those of the best hand, the
    winning tile last; `medal` is the place on the podium once the event is over, 0 for none.
    """

    event: str
    fresh: str
    name: str
    about: str
    place: str
    of: str
    total: str
    sign: int
    totals: tuple[int, ...] = ()
    ticks: tuple[str, ...] = ()
    placements: tuple[tuple[str, int], ...] = ()
    best: str = ""
    tiles: tuple[str, ...] = ()
    where: str = ""
    medal: int = 0


class TooManyError(Exception):
    """An address asked for too many new pictures."""


@require_safe
@for_public
def player_card(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Answer with a player's card as a picture."""
    from tournament.stats.card_picture import draw_player  # Pillow and the fonts: no other page needs them

    return _picture(request, event, f"player-{number}", lambda: draw_player(player_facts(event, number)))


@require_safe
@for_public
def event_card(request: HttpRequest, event: Event) -> HttpResponse:
    """Answer with an event's card as a picture."""
    from tournament.stats.card_picture import draw_event

    return _picture(request, event, "event", lambda: draw_event(event_facts(event)))


def player_facts(event: Event, number: int) -> PlayerCard:
    """Return what a player's card says; raises Http404."""
    story = get_story(event, number)
    if story is None:
        raise Http404("There is no such player.")
    standings = get_standings(event)
    row = next((row for row in standings.rows if row.number == number), None) if standings.rounds else None
    way, told = get_rank_history(event, number), get_hand_story(event, number)
    counts = get_recap(event).placements.get(number, ())
    steps = way.steps if way else ()
    return PlayerCard(
        event=event.name,
        fresh=_fresh(event, standings),
        name=_name(story),
        about=" · ".join(part for part in (story.club, story.country) if part),
        place=say_place(row.rank, row.shared) if row else "",
        of=_("of %(count)s") % {"count": len(standings.rows)} if row else "",
        total=signed_p(row.total) if row else "",
        sign=(row.total > 0) - (row.total < 0) if row else 0,
        totals=tuple(step.total for step in steps),
        ticks=tuple(f"R{step.round}" for step in steps),
        placements=tuple((say_place(place), count) for place, count in enumerate(counts, start=1)),
        best=_best(event, told),
        where=say_hand(told.best) if told and told.best else "",
        medal=row.rank if row and row.rank <= BEST and is_final(event, standings) else 0,
        tiles=_tiles(told),
    )


def event_facts(event: Event) -> EventCard:
    """Return what an event's card says."""
    standings = get_standings(event)
    rows = standings.rows[:BEST] if standings.rounds else ()
    most = max([1, *(row.total for row in rows)])
    return EventCard(
        event=event.name,
        about=" · ".join(part for part in (event.place, date_format(event.date)) if part),
        fresh=_fresh(event, standings),
        best=tuple((say_place(row.rank, row.shared), row.name, signed_p(row.total)) for row in rows),
        bars=tuple((row.rank, max(0, row.total) / most) for row in rows),
    )


def _picture(request: HttpRequest, event: Event, what: str, draw: Callable[[], bytes]) -> HttpResponse:
    key = f"card {event.pk} {what} {get_language()} {names_key(event)} {build_id()}"
    etag = f'"{hashlib.sha256(key.encode()).hexdigest()[:20]}"'

    def make() -> bytes:
        if not may_draw(request, event):
            raise TooManyError
        return draw()

    response = get_conditional_response(request, etag)
    if response is None:
        try:
            response = HttpResponse(keep(key, make), content_type="image/png")
        except TooManyError:
            return HttpResponse(status=429, headers={"Retry-After": str(SPAN), "Cache-Control": "no-store"})
    response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, VARY)
    return response


def _fresh(event: Event, standings: Standings) -> str:
    """Say after which round; what else the pages say of it has no room."""
    return how_fresh(event, standings).partition(" · ")[0] if standings.rounds else ""


def _name(story: PlayerStory) -> str:
    """Return a name that the fonts can write, else the stand-in with the number."""
    from tournament.stats.card_picture import is_writable

    return story.name if is_writable(story.name) else say_nameless().format(number=story.number)


def _best(event: Event, told: HandStory | None) -> str:
    """Say what the best hand brought; a yakuman by its name."""
    if told is None or told.best is None:
        return ""
    win, figure = told.best_win, signed(told.best.figure)
    if win is None or not win.yakuman:
        return _("Best hand %(points)s") % {"points": figure}
    name = join_and([str(each["name"]) for each in yaku_of(win, event.ruleset)]) or value_words(win)
    return f"{name[:1].upper()}{name[1:]} {figure}"


def _tiles(told: HandStory | None) -> tuple[str, ...]:
    """Return the tiles of the best hand, called ones after the others, the winning tile last."""
    hand = told.best_win.hand if told and told.best_win else None
    if not hand:
        return ()
    win = parse_tiles(str(hand["win"]))[0]
    held = sorted(parse_tiles(str(hand["tiles"])))
    if win in held:
        held.remove(win)
    called = [tile for meld in hand.get("melds") or () for tile in sorted(parse_tiles(str(meld["tiles"])))]
    return tuple(write_tile(tile) for tile in (*held, *called, win))
