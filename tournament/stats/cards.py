"""The pictures that are shared of a player or an event: a PNG of some 40 kB, drawn with Pillow.

They show what the pages show, under the same rights: hidden names, held results and drafts stay hidden. Each is drawn
once for a public state and language; an address that asks for too many new ones waits. A player's are the cards of the
recap in stats/cards.html, each in three shapes. The race is a moving picture, drawn by a process of its own.
"""

import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, get_args
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.tiles import parse_tiles, write_tile
from tournament.events.models import Event, Photo
from tournament.pages.caches import build_id
from tournament.pages.charts import Race, Runner, race
from tournament.pages.files import get_picture
from tournament.pages.permissions import for_anyone, for_public
from tournament.pages.priority import yield_priority
from tournament.pages.sign_in import SPAN, may_draw
from tournament.pdf.printers import BrokenOff, printers
from tournament.people.models import KnownPerson
from tournament.public.queries import get_story
from tournament.public.rows import how_fresh, is_final
from tournament.publication.queries import keep, names_key
from tournament.seasons.careers import Career
from tournament.seasons.person import find_career
from tournament.standings.columns import StandingRow
from tournament.standings.queries import Standings, get_rank_history, get_standings
from tournament.stats.messages import deal_ins_text, say_hand, say_led, say_names
from tournament.stats.queries import HandStory, get_hand_story, get_recap
from tournament.stats.rows import EventCard, Kind, PlayerCard, RaceCard, Shape
from tournament.tables.messages import say_nameless
from tournament.text.hands import yaku_of
from tournament.text.languages import join_and, plural_text
from tournament.text.numbers import ordinal_place, say_place, signed, signed_p
from tournament.text.readback import value_words

BEST = 3
MAX_EVENTS = 20  # the last ones of a person, on the line of a card
VARY = ["Cookie", "Accept-Language"]
SHAPES: Final[tuple[Shape, ...]] = get_args(Shape)
RACERS, LEGS = 12, 16  # players and rounds of the moving race at most
RACES_KEPT = 16
_one_race = threading.Lock()  # so that the other process of printing is left for the desk


class TooManyError(Exception):
    """An address asked for too many new pictures."""


@require_safe
@for_public
def player_card(
    request: HttpRequest, event: Event, number: int, kind: str = "result", shape: str = "wide"
) -> HttpResponse:
    """Answer with a card of a player's recap as a picture."""
    from tournament.stats.card_picture import draw_player  # Pillow and the fonts: no other page needs them

    drawn = next((each for each in SHAPES if each == shape), None)
    if drawn is None:
        raise Http404("There is no such shape.")

    def draw() -> bytes:
        card = next((each for each in list_cards(event, number) if each.kind == kind), None)
        if card is None:
            raise Http404("There is no such card.")
        return draw_player(card, drawn)

    return _picture(request, event, f"player-{number}-{kind}-{shape}", draw)


@require_safe
@for_anyone
def person_card(request: HttpRequest, uid: UUID, shape: str) -> HttpResponse:
    """Answer with a picture of who agreed to a page: events, games, their mean, placements and the best hand."""
    from tournament.stats.card_picture import draw_player

    career = find_career(uid)
    drawn = next((each for each in SHAPES if each == shape), None)
    if drawn is None or isinstance(career, KnownPerson):
        raise Http404("There is no such picture.")
    card = _career_card(career)
    answer = _answer(
        request, f"card person {uid} {shape} {get_language()} {card!r}", None, lambda: draw_player(card, drawn)
    )
    answer["X-Robots-Tag"] = "noindex"
    return answer


def _career_card(career: Career) -> PlayerCard:
    from tournament.stats.card_picture import is_writable

    means = [round(mean / 10) * 10 for mean, _half in career.means]
    first = max(len(means) - MAX_EVENTS, 0)
    event, best = career.hands[0] if career.hands else (None, None)
    games = plural_text("%(count)d game", "%(count)d games", len(career.places))
    events = plural_text("%(count)d event", "%(count)d events", len(career.played))
    return PlayerCard(
        "result",
        "Hanchan Desk",
        "",
        career.name if is_writable(career.name) else "",
        "",
        signed_p(means[-1]) if means else "",
        about=f"{events} · {games}",
        beside=_("mean"),
        sign=(means[-1] > 0) - (means[-1] < 0) if means else 0,
        values=tuple(means[first:]),
        ticks=tuple(str(at) for at in range(first + 1, len(means) + 1)),
        placements=tuple((say_place(place), count) for place, count in enumerate(career.counts, start=1)),
        best=_("Best hand %(points)s") % {"points": signed(best.value)} if best else "",
        where=event.name if event else "",
        tiles=_tiles_of(best.win.hand if best else None),
    )


@require_safe
@for_public
def race_file(request: HttpRequest, event: Event, shape: str) -> HttpResponse:
    """Answer with the race of the best as a moving picture."""
    drawn = next((each for each in SHAPES if each == shape), None)
    card = race_card(event)
    if drawn is None or card is None:
        raise Http404("There is no such picture.")
    what = hashlib.sha256(f"{card} {shape}".encode()).hexdigest()

    def draw() -> bytes:
        from tournament.stats.card_picture import draw_race  # Pillow and the fonts: no other page needs them

        with yield_priority(), _one_race:
            return printers.run(partial(draw_race, card, drawn))

    # Kept in one of a few places whatever it shows: some are a megabyte.
    place = f"race {int(what, 16) % RACES_KEPT}"
    try:
        return _picture(request, event, what, draw, "image/gif", place)
    except BrokenOff:
        words = _("The picture cannot be made now. Try again in a minute.")
        answer = HttpResponse(words, content_type="text/plain; charset=utf-8", status=503)
        answer["Retry-After"], answer["Cache-Control"] = str(SPAN), "no-store"
        return answer


@require_safe
@for_public
def event_card(request: HttpRequest, event: Event) -> HttpResponse:
    """Answer with an event's card as a picture."""
    from tournament.stats.card_picture import draw_event

    return _picture(request, event, "event", lambda: draw_event(event_facts(event)))


def list_cards(event: Event, number: int) -> list[PlayerCard]:
    """Return the cards of a player's recap, the result first; raises Http404."""
    story = get_story(event, number)
    if story is None:
        raise Http404("There is no such player.")
    standings = get_standings(event)
    way, told = get_rank_history(event, number), get_hand_story(event, number)

    def card(kind: Kind, title: str, figure: str, **more: Any) -> PlayerCard:
        name = _writable(story.name, number)
        return PlayerCard(kind, event.name, _fresh(event, standings), name, title, figure, **more)

    row = next((row for row in standings.rows if row.number == number), None) if standings.rounds else None
    steps = way.steps if way else ()
    ticks = tuple(f"R{step.round}" for step in steps)
    cards = [
        card(
            "result",
            "",
            say_place(row.rank, row.shared) if row else "",
            about=" · ".join(part for part in (story.club, story.country) if part),
            beside=_of(len(standings.rows)) if row else "",
            second=signed_p(row.total) if row else "",
            sign=(row.total > 0) - (row.total < 0) if row else 0,
            values=tuple(step.total for step in steps),
            ticks=ticks,
            placements=_placements(event, number),
            best=_best(event, told),
            where=capfirst(say_hand(told.best)) if told and told.best else "",
            medal=row.rank if row and row.rank <= BEST and is_final(event, standings) else 0,
            tiles=_tiles(told),
        )
    ]
    if told and told.best:
        yaku, figure = _yaku(event, told), signed(told.best.figure)
        yakuman = bool(told.best_win and told.best_win.yakuman)
        first, second = (yaku, figure) if yakuman else (figure, yaku)
        where = capfirst(say_hand(told.best))
        cards.append(
            card("hand", _("Best hand"), first, second=second, where=where, tiles=_tiles(told), medal=int(yakuman))
        )
    if told and told.feeders:
        names = say_names([_writable(each.name, each.number) for each in told.feeders])
        cards.append(card("deal-ins", _("Most deal-ins came from"), names, second=deal_ins_text(told.feeders[0])))
    if told and told.lead.hands:
        figure, second = say_led(told.lead)
        cards.append(card("lead", _("Alone in the lead at the table"), figure, second=second))
    if len(steps) > 1:
        cards.append(
            card(
                "places",
                _("Place after each round"),
                say_place(steps[-1].rank, steps[-1].shared),
                beside=_of(len(standings.rows)),
                values=tuple(-step.rank for step in steps),
                ticks=ticks,
                texts=tuple(str(step.rank) for step in steps),
            )
        )
    return cards


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
        photo=get_picture(event, Photo),
    )


def get_race(event: Event, rows: Sequence[StandingRow]) -> Race | None:
    """Return the race of these rows; None before the second round."""
    ways = [(row, way) for row in rows if (way := get_rank_history(event, row.number))]
    if not ways or len(ways[0][1].steps) < 2:
        return None
    runners = [
        Runner(
            row.number,
            row.name,
            [step.rank for step in way.steps],
            [ordinal_place(step.rank, step.shared) for step in way.steps],
            [step.total for step in way.steps],
            [signed_p(step.total) for step in way.steps],
        )
        for row, way in ways
    ]
    return race(runners, [f"R{step.round}" for step in ways[0][1].steps])


def race_card(event: Event) -> RaceCard | None:
    """Return what the moving race says: the best, over so many rounds at most; None before the second round."""
    standings = get_standings(event)
    found = get_race(event, standings.rows[:RACERS]) if standings.rounds else None
    if found is None:
        return None
    last = len(found.ticks) - 1
    rounds = sorted({round(step * last / (LEGS - 1)) for step in range(LEGS)}) if last >= LEGS else range(last + 1)
    runners = [
        Runner(
            each.number,
            _writable(each.name, each.number),
            [each.places[at] for at in rounds],
            [each.place_texts[at] for at in rounds],
            [each.totals[at] for at in rounds],
            [each.texts[at] for at in rounds],
        )
        for each in found.runners
    ]
    ticks = tuple(found.ticks[at] for at in rounds)
    return RaceCard(event.name, _("The race"), _fresh(event, standings), ticks, tuple(runners))


def _picture(
    request: HttpRequest, event: Event, what: str, draw: Callable[[], bytes], kind: str = "image/png", place: str = ""
) -> HttpResponse:
    key = f"card {event.pk} {what} {get_language()} {names_key(event)}"
    return _answer(request, key, event, draw, kind, place)


def _answer(
    request: HttpRequest,
    key: str,
    event: Event | None,
    draw: Callable[[], bytes],
    kind: str = "image/png",
    place: str = "",
) -> HttpResponse:
    """Answer with a picture that is kept under its key, or in a `place` that other pictures may take."""
    key = f"{key} {build_id()}"
    etag = f'"{hashlib.sha256(key.encode()).hexdigest()[:20]}"'

    def make() -> bytes:
        if not may_draw(request, event):
            raise TooManyError
        return draw()

    response = get_conditional_response(request, etag)
    if response is None:
        try:
            made = keep(place, make, mark=key) if place else keep(key, make)
            response = HttpResponse(made, content_type=kind)
        except TooManyError:
            return HttpResponse(status=429, headers={"Retry-After": str(SPAN), "Cache-Control": "no-store"})
    response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, VARY)
    return response


def _fresh(event: Event, standings: Standings) -> str:
    """Say after which round; what else the pages say of it has no room."""
    return how_fresh(event, standings).partition(" · ")[0] if standings.rounds else ""


def _of(count: int) -> str:
    return _("of %(count)s") % {"count": count}


def _placements(event: Event, number: int) -> tuple[tuple[str, int], ...]:
    counts = get_recap(event).placements.get(number, ())
    return tuple((say_place(place), count) for place, count in enumerate(counts, start=1))


def _writable(name: str, number: int | None) -> str:
    """Return a name that the fonts can write, else the stand-in with the number."""
    from tournament.stats.card_picture import is_writable

    return name if number is None or is_writable(name) else say_nameless().format(number=number)


def _best(event: Event, told: HandStory | None) -> str:
    """Say what the best hand brought; a yakuman by its name."""
    if told is None or told.best is None:
        return ""
    figure = signed(told.best.figure)
    if told.best_win is None or not told.best_win.yakuman:
        return _("Best hand %(points)s") % {"points": figure}
    return f"{_yaku(event, told)} {figure}"


def _yaku(event: Event, told: HandStory) -> str:
    """Name the yaku of the best hand, else its value, as far as that was entered."""
    win, state = told.best_win, told.best.state if told.best else None
    if win is None:
        return ""
    rules = event.rules_for(len(state.scores)) if state else event.ruleset
    name = join_and([str(each["name"]) for each in yaku_of(win, rules)]) or value_words(win)
    return f"{name[:1].upper()}{name[1:]}"


def _tiles(told: HandStory | None) -> tuple[str, ...]:
    """Return the tiles of the best hand, called ones after the others, the winning tile last."""
    return _tiles_of(told.best_win.hand if told and told.best_win else None)


def _tiles_of(hand: Mapping[str, Any] | None) -> tuple[str, ...]:
    if not hand:
        return ()
    win = parse_tiles(str(hand["win"]))[0]
    held = sorted(parse_tiles(str(hand["tiles"])))
    if win in held:
        held.remove(win)
    called = [tile for meld in hand.get("melds") or () for tile in sorted(parse_tiles(str(meld["tiles"])))]
    return tuple(write_tile(tile) for tile in (*held, *called, win))
