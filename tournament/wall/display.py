"""The wall: the projector's page that goes through its pages, one of them alone, and what it polls.

A screen has a version of its own: it follows announcements and each step of the prize giving, which phones need not
fetch. During the prize giving only revealed places reach the template, so that nothing else is in the page's source.
"""

import datetime as dt
import functools
import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from segno import helpers

from tournament.accounts.queries import get_rights
from tournament.alllast.queries import needs_marks
from tournament.alllast.views import as_it_stands_context
from tournament.events.models import Event, Visibility
from tournament.moments.messages import yakuman_items
from tournament.moments.queries import YakumanHand, list_visible_yakuman
from tournament.open_play.queries import get_evening
from tournament.pages.addresses import hall_url, is_private, names_hall
from tournament.pages.caches import build_id, same_for_all
from tournament.pages.files import qr_code
from tournament.pages.permissions import find_open_event, for_public
from tournament.pages.public_page import LIVE, phones_url, public_context, stream_answer, version_answer, wants_stream
from tournament.pages.sign_in import client_address
from tournament.phone_signing.views import parted
from tournament.players.queries import get_club_colours, get_presence, list_players
from tournament.public.rows import how_fresh
from tournament.publication.queries import by_public_state, by_version, public_state
from tournament.record.queries import get_head
from tournament.record.views import record_address
from tournament.rounds.views import round_now
from tournament.rounds.views import wall_context as clock_context
from tournament.seasons.messages import figure_text, line_name
from tournament.seasons.queries import get_season
from tournament.sheets.queries import list_reopened
from tournament.standings.columns import cells_of, columns_for
from tournament.standings.queries import get_standings
from tournament.tables.models import Round
from tournament.tables.queries import load_tables
from tournament.tables.round_queries import ClockRow, get_clock, list_results
from tournament.text.languages import follow_wall, in_language, known_language
from tournament.text.names import alphabetical, initial
from tournament.text.numbers import who_text
from tournament.wall.models import Announcement, Wall, WallPage
from tournament.wall.queries import AT_ONCE, Prizes, PrizeStep, get_prizes, get_wall, list_announcements, wall_mark

Page = dict[str, Any]
ASKED_BY = ["HX-Request", "Cookie", "Accept-Language"]
PODIUM = 3  # places
YAKUMAN_FOR = dt.timedelta(seconds=30)  # a yakuman covers everything else
YAKUMAN_LEAST = dt.timedelta(seconds=10)  # before the next one that came meanwhile covers it
SEATS_FOR = dt.timedelta(minutes=15)  # seats stay on the wall so long after the start


@require_safe
@for_public
def display(request: HttpRequest, event: Event, page: str = "") -> HttpResponse:
    """Show the pages of the wall in turn, or one of them alone, in the event's languages.

    htmx gets the live part, or 204 where the screen shows that already. While a round is played the page has no ETag,
    because its stamp of the server's time must be fresh.
    """
    if page and page not in WallPage.values:
        raise Http404("The wall has no such page.")
    follow_wall(event.language)
    mark = wall_version(event)
    if request.headers.get("HX-Request"):
        seen = request.GET.get("seen") == mark
        response = HttpResponse(status=204) if seen else _drawn(request, event, mark, page, f"#{LIVE}")
        response["Cache-Control"] = "no-store"  # the browser caches the whole page under the same address
    else:
        own = may_see_hall_codes(request, event) and (event.club_code or get_wall(event).network)
        alone = "messages" in request.COOKIES or own
        etag = None if alone or public_state(event).playing else f'"{mark}"'
        known = get_conditional_response(request, etag) if etag else None
        response = known or _drawn(request, event, mark, page)
        if etag:
            response["ETag"] = etag
        response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ASKED_BY)
    return response


@require_safe
@for_public
def version(request: HttpRequest, event: Event) -> HttpResponse:
    """Tell a screen whether the wall has changed: 304 or an empty answer, both with the server's time, or a stream."""
    if wants_stream(request):
        return stream_answer(request, event, wall_versions)
    return same_for_all(version_answer(request, wall_version(event)))


def wall_version(event: Event) -> str:
    """Return a digest of all that the wall shows."""
    announced = ",".join(str(row.pk) for row in list_announcements(event, timezone.now()))
    yakuman = ",".join(each.mark for each, _begins in _new_yakuman(event))
    last = needs_marks(event, [None])[None]
    empty = f"{_tables_with_empty_seats(event)}"  # a table's first hand ends what the clock's page says of it
    parts = (build_id(), public_state(event).mark, wall_mark(event), announced, yakuman, last, empty)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def wall_versions(slug: str, numbers: Iterable[int | None]) -> dict[int | None, str]:
    """Return the ETag of `wall_version`; none for an event that is not public."""
    event = find_open_event(slug)
    return dict.fromkeys(numbers, f'"{wall_version(event)}"') if event else {}


def _drawn(request: HttpRequest, event: Event, mark: str, page: str, part: str = "") -> HttpResponse:
    context = public_context(
        event,
        "",
        version=mark,
        version_url=reverse("public:wall_version", args=[event.slug]),
        seen=mark,
        server_now=str(int(timezone.now().timestamp() * 1000)),
        csrf_token="",  # nothing is posted from a public page, so it needs no cookie
        **wall_context(request, event, page),
    )
    return render(request, f"wall/display.html{part}", context)


def wall_context(request: HttpRequest, event: Event, only: str = "") -> dict[str, Any]:
    """Return the context of wall/display.html: the pages that have content, in order, or `only` one of them.

    During the prize giving its page comes alone, with urgent announcements.
    """
    wall, now = get_wall(event), timezone.now()
    round_ = round_now(event)
    clock = get_clock(round_) if round_ else None
    context = {
        "round": round_,
        "clock": clock,
        "running": bool(clock and clock.started_at),
        "only": only,
        "second_language": known_language(event.second_language),
    }
    announced = [_announcement(event, row) for row in list_announcements(event, now)]
    if wall.prizes_open:
        pages = [_prize_page(event, get_prizes(event)), *(each for each in announced if each["at_once"])]
        return {**context, "running": False, "pages": pages}
    makers: dict[str, Callable[[], list[Page]]] = {
        WallPage.CLOCK: lambda: _clock_page(event, round_, clock),
        WallPage.NAMES: lambda: _while_wanted(_names_page(event, round_), clock, only),
        WallPage.TABLES: lambda: _while_wanted(_tables_page(event, round_), clock, only),
        WallPage.STANDINGS: lambda: [
            *_standings_page(request, event),
            *_last_page(event),
            *(_season_pages(event) if event.is_open else ()),
        ],
        WallPage.ANNOUNCEMENTS: lambda: announced,
        WallPage.CODES: lambda: [codes_page(request, event, wall, own=may_see_hall_codes(request, event))],
    }
    if event.is_open:
        makers |= {WallPage.NAMES: lambda: _waiting_page(event), WallPage.TABLES: lambda: _playing_page(event)}
    if only:
        seconds = next((int(each["seconds"]) for each in wall.pages if each["page"] == only), 12)
        wanted: list[dict[str, Any]] = [{"page": only, "seconds": seconds}]
    else:
        wanted = [each for each in wall.pages if each["page"] in makers]
    pages = [
        {**page, "seconds": each["seconds"], "digit": digit}
        for digit, each in enumerate(wanted, start=1)
        for page in makers[each["page"]]()
    ]
    if WallPage.ANNOUNCEMENTS not in [each["page"] for each in wanted]:  # urgent ones come on every screen
        pages += [each for each in announced if each["at_once"]]
    pages = pages or [_page(event, "welcome", lambda: _empty_title(event, only, round_), seconds=60)]
    return {**context, "pages": [*_yakuman_pages(event), *pages]}  # the last page alone covers those before


def _new_yakuman(event: Event) -> list[tuple[YakumanHand, dt.datetime]]:
    """Return the yakuman that cover the wall now or next, the oldest first, and when each begins to."""
    found: list[tuple[YakumanHand, dt.datetime]] = []
    for each in reversed(list_visible_yakuman(event, None)):
        found.append((each, max(each.at, found[-1][1] + YAKUMAN_LEAST) if found else each.at))
    return [(each, begins) for each, begins in found if begins + YAKUMAN_FOR > timezone.now()]


def _yakuman_pages(event: Event) -> list[Page]:
    """Return a page for each new yakuman: alone, one after the other."""
    new, pages = _new_yakuman(event), list[Page]()
    for (each, begins), item in zip(new, yakuman_items(event, (each for each, _begins in new)), strict=True):
        until = begins + YAKUMAN_FOR
        content = {"item": item, "alone_from": begins, "alone_until": until, "until": until, "seconds": 15}
        pages.append(_page(event, "yakuman", lambda: _("Yakuman"), **content) | {"key": f"yakuman-{each.key}"})
    return pages


def _empty_title(event: Event, only: str, round_: Round | None) -> str:
    """Return what stands where the pages that were asked for have no content."""
    match only:
        case WallPage.CLOCK:
            return _("No round is being played")
        case WallPage.STANDINGS:
            return _("No results yet")
        case WallPage.ANNOUNCEMENTS:
            return _("No announcements")
    return event.name if round_ else _("Seats are not published yet")


def codes_page(request: HttpRequest, event: Event, wall: Wall, *, own: bool) -> Page:
    """Return the page of QR codes: the event's page, and with the hall's `own` its network and where players type."""
    address = phones_url(request, event, reverse("public:phone", args=[event.slug]))
    name, password = (wall.network, wall.network_password) if own else ("", "")
    network = helpers.make_wifi_data(name, password or None, "WPA" if password else None) if name else ""
    return _page(
        event,
        WallPage.CODES,
        lambda: _("On your phone"),
        network=name,
        password=password,
        network_svg=_code(network) if network else "",
        event_svg=_code(address),
        address=address,
        club=_club_code(request, event) if event.club_code and own else None,
        join=_headings(event, lambda: _("First join this network")),
        open=_headings(event, lambda: _("Then open this page") if name else _("Open this page")),
    )


def may_see_hall_codes(request: HttpRequest, event: Event) -> bool:
    """Tell whether a reader may see the network's code, with its password, and the club's: the desk and the hall may.

    The page around them is open to everybody, on a server to the Internet.
    """
    is_in_hall = names_hall(request) and is_private(client_address(request))
    return is_in_hall or get_rights(request.user, event).role is not None


def _club_code(request: HttpRequest, event: Event) -> dict[str, Any]:
    address = hall_url(request, reverse("public:play", args=[event.slug, event.club_code]))
    words = _headings(event, lambda: _("Type your results"))
    return {**words, "code": parted(event.club_code), "address": address, "svg": _code(address)}


_code = functools.lru_cache(maxsize=100)(qr_code)


def _headings(event: Event, say: Callable[[], str]) -> dict[str, str]:
    """Return a heading in the event's language and, where it differs, in its second one."""
    title, second = say(), in_language(event.second_language, say)
    return {"title": title, "second": "" if second == title else second}


def _page(event: Event, key: str, title: Callable[[], str], **content: Any) -> Page:
    return {"key": key, "page": key, **_headings(event, title), **content}


def _clock_page(event: Event, round_: Round | None, clock: ClockRow | None) -> list[Page]:
    if round_ is None or clock is None:
        return []
    words = clock_context(clock, event.second_language) | {"empty": _tables_with_empty_seats(event)}
    return [_page(event, WallPage.CLOCK, lambda: _("Round %(number)d") % {"number": round_.number}, **words)]


def _tables_with_empty_seats(event: Event) -> list[int]:
    """Return the tables of the round, without a hand yet, at which somebody is not here: the screen names nobody."""

    def read() -> list[int]:
        presence = get_presence(event)
        round_ = round_now(event) if presence.absent else None
        tables = load_tables(event, rounds=[round_.number]) if round_ else []
        return [each.number for each in tables if presence.missing_at(each) and not each.game.hands]

    return by_version(event, "empty-seats", read)


def _list_page(event: Event, key: str, title: Callable[[], str], rows: Callable[[], Any], **content: Any) -> Page:
    """Return a page whose list is drawn once for a public state."""
    name = f"wall {key} {get_language()}"
    drawn = by_public_state(event, name, lambda: render_to_string("wall/list.html", {"page": key, "rows": rows()}))
    return _page(event, key, title, drawn=drawn, **content)


def _tables_page(event: Event, round_: Round | None) -> list[Page]:
    if round_ is None:
        return []

    def rows() -> list[dict[str, Any]]:
        return [
            {
                "number": table.number,
                "seats": [
                    {
                        "wind": seat.player.seat,
                        "name": who_text(seat.substitute.name, seat.player.name)
                        if seat.substitute
                        else seat.player.name,
                    }
                    for seat in table.seats
                ],
            }
            for table in list_results(event, round_)
        ]

    words = {"number": round_.number}
    return [_list_page(event, WallPage.TABLES, lambda: _("Round %(number)d: seats by table") % words, rows)]


def _playing_page(event: Event) -> list[Page]:
    """Return the tables of an open event that are played at."""
    tables = [
        {
            "number": table.number,
            "seats": [{"wind": wind, "name": name} for wind, (_number, name) in enumerate(table.players)],
        }
        for table in get_evening(event, timezone.now()).playing
    ]
    return [_drawn_page(event, WallPage.TABLES, WallPage.TABLES, lambda: _("Tables tonight"), tables)] if tables else []


def _waiting_page(event: Event) -> list[Page]:
    """Return who waits for a table of an open event, from the longest on."""
    waiting = [] if settings.RELAY else get_evening(event, timezone.now()).waiting
    return [_drawn_page(event, "waiting", WallPage.NAMES, lambda: _("Waiting"), waiting)] if waiting else []


def _season_pages(event: Event) -> list[Page]:
    """Return the table of each season of an event that everybody may see."""
    pages = []
    for slug in event.seasons.exclude(season__visibility=Visibility.DRAFT).values_list("season__slug", flat=True):
        view = get_season(slug)
        if view and view.ranked:
            rows = [(line, line_name(line), figure_text(view.rule, line.row.figure)) for line in view.ranked]
            page = _drawn_page(event, "season", WallPage.STANDINGS, lambda: view.season.name, rows)  # noqa: B023
            pages.append(page | {"key": f"season-{slug}"})
    return pages


def _drawn_page(event: Event, kind: str, page: str, title: Callable[[], str], rows: Any) -> Page:
    """Return a page with a list that changes with more than the public state."""
    drawn = render_to_string("wall/list.html", {"page": kind, "rows": rows})
    return _page(event, page, title, drawn=drawn) | {"key": kind}


def _names_page(event: Event, round_: Round | None) -> list[Page]:
    if round_ is None:
        return []

    def rows() -> list[dict[str, Any]]:
        found = [
            {"name": name, "initial": initial(name), "table": table.number, "wind": seat.player.seat}
            for table in list_results(event, round_)
            for seat in table.seats
            for name in (seat.substitute.name if seat.substitute and seat.substitute.name else seat.player.name,)
        ]
        return sorted(found, key=lambda row: (alphabetical(str(row["name"])), row["table"]))

    words = {"number": round_.number}
    return [_list_page(event, WallPage.NAMES, lambda: _("Round %(number)d: your table and wind") % words, rows)]


def _while_wanted(pages: list[Page], clock: ClockRow | None, only: str) -> list[Page]:
    """Leave seats out some time after the start, except on the page that shows them alone."""
    if only or clock is None or clock.started_at is None:
        return pages
    until = clock.started_at + SEATS_FOR
    return [{**page, "until": until} for page in pages] if timezone.now() < until else []


def _standings_page(request: HttpRequest, event: Event) -> list[Page]:
    standings = get_standings(event)
    if not standings.rounds:
        return []
    columns, clubs = columns_for("wall", standings.rows), get_club_colours(event)
    fresh = how_fresh(event, standings, list_reopened(event))
    head = get_head(event)
    code = _code(phones_url(request, event, record_address(event, head))) if head else ""
    return [
        _list_page(
            event,
            WallPage.STANDINGS,
            lambda: _("Standings"),
            lambda: [(clubs.get(row.number), cells_of(row, columns)) for row in standings.rows],
            clubs=clubs,
            fresh=fresh,
            code=code,
        )
    ]


def _last_page(event: Event) -> list[Page]:
    """Return who can still win, in the last hands of the last round."""
    stands = as_it_stands_context(event, None)
    return [_page(event, "stands", lambda: _("Who can still win"), stands=stands)] if stands else []


def _announcement(event: Event, row: Announcement) -> Page:
    return {
        "key": f"announcement-{row.pk}",
        "page": WallPage.ANNOUNCEMENTS,
        "title": row.title,
        "second": "",
        "text": row.text,
        "second_title": row.second_title if event.second_language else "",
        "second_text": row.second_text if event.second_language else "",
        "at_once": row.at_once,
        "alone_from": row.shown_from if row.at_once else None,
        "alone_until": row.shown_from + AT_ONCE if row.at_once else None,
        "until": row.shown_until,
        "seconds": 15,
    }


def _prize_page(event: Event, prizes: Prizes) -> Page:
    """Return the page of the prize giving: the newest place and those before it, no place that is not revealed.

    From the third place on there is a `podium` of three steps; those not revealed have no rows.
    """
    steps = prize_steps(event, prizes.revealed)
    best = [step for step in steps if step["place"] <= PODIUM]
    podium = [
        next((step for step in best if step["place"] == rank), {"place": rank, "rows": []})
        for rank in range(1, PODIUM + 1)
    ]
    content = {
        "newest": steps[0] if steps else None,
        "podium": podium if best else [],
        "before": steps[len(best) :] if best else steps[1:],
        "seconds": 60,
    }
    return _page(event, "prizes", lambda: _("Prize giving"), **content)


def prize_steps(event: Event, steps: Sequence[PrizeStep]) -> list[dict[str, Any]]:
    """Return places with who has them: number, name, total, club and country."""
    people = {person.number: person for person in list_players(event)} if steps else {}
    return [
        {
            "place": step.place,
            "shared": step.shared,
            "rows": [
                {
                    "number": row.number,
                    "name": row.name,
                    "total": row.total,
                    "about": "\u00a0· ".join(filter(None, (people[row.number].club, people[row.number].country))),
                }
                for row in step.rows
            ],
        }
        for step in steps
    ]
