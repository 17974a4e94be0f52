"""The wall put together: each page with its headings in both languages and its rows. It words and never decides.

Of the places it shows what the public may see, and during the prize giving what is revealed; nothing else is handed to
a template, so that nothing else can stand in a page's source.
"""

import datetime as dt
import functools
import ipaddress
from collections.abc import Callable
from typing import Any

import segno
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from segno import helpers

from tournament.models import Announcement, Event, Round, Wall, WallPage
from tournament.selectors.core.public import by_public_state
from tournament.selectors.public.standings import get_standings
from tournament.selectors.public.wall import AT_ONCE, Prizes, PrizeStep, get_prizes, get_wall, list_announcements
from tournament.selectors.rounds.clock import ClockRow, get_clock
from tournament.selectors.rounds.rounds import SeatResult, TableResult, list_results
from tournament.selectors.tables.sheets import list_reopened
from web.public.public_rows import how_fresh
from web.rounds.clock_page import wall_context as clock_context
from web.words.alphabet import alphabetical, initial
from web.words.languages import said_in

Page = dict[str, Any]
SEATS_FOR = dt.timedelta(minutes=15)  # how long after the start seats are still shown: then whoever plays has found one


def wall_context(request: HttpRequest, event: Event, only: str = "") -> dict[str, Any]:
    """Return what wall/display.html shows: the pages that have something to show, in order; `only` is one of them.

    During the prize giving that is the one page, whatever was asked for, beside an announcement at once.
    """
    wall, now = get_wall(event), timezone.now()
    round_ = _round_now(event)
    clock = get_clock(round_) if round_ else None
    context = {
        "round": round_,
        "clock": clock,
        "running": bool(clock and clock.started_at),
        "only": only,
    }
    announced = [_announcement(event, row) for row in list_announcements(event, now)]
    if wall.prizes_open:
        pages = [_prize_page(event, get_prizes(event)), *(each for each in announced if each["at_once"])]
        return {**context, "running": False, "pages": pages}
    makers: dict[str, Callable[[], list[Page]]] = {
        WallPage.CLOCK: lambda: _clock_page(event, round_, clock),
        WallPage.NAMES: lambda: _while_wanted(_names_page(event, round_), clock, only),
        WallPage.TABLES: lambda: _while_wanted(_tables_page(event, round_), clock, only),
        WallPage.STANDINGS: lambda: _standings_page(event),
        WallPage.ANNOUNCEMENTS: lambda: announced,
        WallPage.CODES: lambda: [codes_page(request, event, wall)],
    }
    if only:
        wanted: list[dict[str, Any]] = [{"page": only, "seconds": _seconds_of(wall, only)}]
    else:
        wanted = [each for each in wall.pages if each["page"] in makers]
    pages = [
        {**page, "seconds": each["seconds"], "digit": digit}
        for digit, each in enumerate(wanted, start=1)
        for page in makers[each["page"]]()
    ]
    if WallPage.ANNOUNCEMENTS not in [each["page"] for each in wanted]:  # what is said at once is said on every screen
        pages += [each for each in announced if each["at_once"]]
    return {**context, "pages": pages or [_welcome_page(event)]}


def codes_page(request: HttpRequest, event: Event, wall: Wall) -> Page:
    """Return the page of codes: the hall's network where it has one, then the event's own page."""
    address = hall_url(request, reverse("public:phone", args=[event.slug]))
    network = ""
    if wall.network:
        security = "WPA" if wall.network_password else None
        network = helpers.make_wifi_data(wall.network, wall.network_password or None, security)
    return {
        "key": WallPage.CODES,
        "page": WallPage.CODES,
        **_headings(event, lambda: _("On your phone")),
        "network": wall.network,
        "password": wall.network_password,
        "network_svg": _code(network) if network else "",
        "event_svg": _code(address),
        "address": address,
        "join": _headings(event, lambda: _("First join this network")),
        "open": _headings(event, lambda: _("Then open this page") if wall.network else _("Open this page")),
    }


def hall_url(request: HttpRequest, path: str) -> str:
    """Return an address that phones can open, also where the screen was opened on the desk's own machine."""
    host = request.get_host()
    name, _colon, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    name, port = (name, port) if name and port.isdigit() else (host, "")
    if not _is_loopback(name):
        return request.build_absolute_uri(path)
    from web.server.hall import hall_address

    found = hall_address()
    if found is None:
        return request.build_absolute_uri(path)
    return f"{request.scheme}://{found}{f':{port}' if port else ''}{path}"


def _is_loopback(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


@functools.lru_cache(maxsize=100)  # each turn of each wall shows the same ones
def _code(content: str) -> SafeString:
    return mark_safe(segno.make(content, error="m", micro=False).svg_inline(omitsize=True))  # noqa: S308 - segno's own


def _headings(event: Event, say: Callable[[], str]) -> dict[str, str]:
    """Say a heading in the event's language and in its second one."""
    title, second = say(), said_in(event.second_language, say)
    return {"title": title, "second": "" if second == title else second}


def _seconds_of(wall: Wall, page: str) -> int:
    return next((int(each["seconds"]) for each in wall.pages if each["page"] == page), 12)


def _round_now(event: Event) -> Round | None:
    """Return the first public round that is not released."""
    found = event.rounds.filter(published_at__isnull=False, released_at=None).first()
    if found:
        found.event = event
    return found


def _clock_page(event: Event, round_: Round | None, clock: ClockRow | None) -> list[Page]:
    if round_ is None or clock is None:
        return []
    head = _headings(event, lambda: _("Round %(number)d") % {"number": round_.number})
    return [{"key": WallPage.CLOCK, "page": WallPage.CLOCK, **head, **clock_context(clock, event.second_language)}]


def _tables_page(event: Event, round_: Round | None) -> list[Page]:
    if round_ is None:
        return []
    head = _headings(event, lambda: _("Round %(number)d: seats by table") % {"number": round_.number})
    tables = [
        {
            "number": table.number,
            "seats": [{"wind": seat.player.seat, "name": _sits(seat)} for seat in table.seats],
        }
        for table in _seats(event, round_)
    ]
    return [{"key": WallPage.TABLES, "page": WallPage.TABLES, **head, "tables": tables}]


def _names_page(event: Event, round_: Round | None) -> list[Page]:
    if round_ is None:
        return []
    head = _headings(event, lambda: _("Round %(number)d: your table and wind") % {"number": round_.number})
    rows: list[dict[str, Any]] = [
        {"name": name, "initial": initial(name), "table": table.number, "wind": seat.player.seat}
        for table in _seats(event, round_)
        for seat in table.seats
        for name in _called(seat)
    ]
    rows.sort(key=lambda row: (alphabetical(row["name"]), row["table"]))
    return [{"key": WallPage.NAMES, "page": WallPage.NAMES, **head, "rows": rows}]


def _while_wanted(pages: list[Page], clock: ClockRow | None, only: str) -> list[Page]:
    """Leave seats out some time after the start, so that the other pages come round sooner; never where asked for."""
    if only or clock is None or clock.started_at is None:
        return pages
    until = clock.started_at + SEATS_FOR
    return [{**page, "until": until} for page in pages] if timezone.now() < until else []


def _seats(event: Event, round_: Round) -> list[TableResult]:
    return by_public_state(event, f"wall-seats-{round_.number}", lambda: list_results(event, round_))


def _sits(seat: SeatResult) -> str:
    """Name who sits there: the player, or who plays for the player."""
    if seat.substitute is None:
        return seat.player.name
    if not seat.substitute.name:
        return _("a substitute, for %(player)s") % {"player": seat.player.name}
    return _("%(name)s, for %(player)s") % {"name": seat.substitute.name, "player": seat.player.name}


def _called(seat: SeatResult) -> list[str]:
    """List the names under which somebody looks for this seat: the substitute's where there is one."""
    return [seat.substitute.name] if seat.substitute and seat.substitute.name else [seat.player.name]


def _standings_page(event: Event) -> list[Page]:
    standings = get_standings(event)
    if not standings.rounds:
        return []
    head = _headings(event, lambda: _("Standings"))
    fresh = how_fresh(event, standings, list_reopened(event))
    page = {"key": WallPage.STANDINGS, "page": WallPage.STANDINGS, "fresh": fresh, "rows": standings.rows}
    return [{**page, **head}]


def _announcement(event: Event, row: Announcement) -> Page:
    until: dt.datetime | None = row.shown_until
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
        "until": until,
        "seconds": 15,
    }


def _prize_page(event: Event, prizes: Prizes) -> Page:
    """Return the page of the prize giving: the newest place large, those before it small; of others nothing at all."""
    revealed = [_step(each) for each in prizes.revealed]
    return {
        "key": "prizes",
        "page": "prizes",
        **_headings(event, lambda: _("Prize giving")),
        "newest": revealed[0] if revealed else None,
        "before": revealed[1:],
        "seconds": 60,
    }


def _step(step: PrizeStep) -> dict[str, Any]:
    return {
        "place": step.place,
        "shared": step.shared,
        "rows": [{"name": row.name, "total": row.total} for row in step.rows],
    }


def _welcome_page(event: Event) -> Page:
    head = _headings(event, lambda: _("Seats are not published yet"))
    return {"key": "welcome", "page": "welcome", **head, "seconds": 60}
