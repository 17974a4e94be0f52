"""Every address of a relay (HANCHAN_RELAY): the public pages of what it was sent, and where it is sent.

Each address of a desk has its name here, so that templates can be drawn; one that is not in OPEN answers 404.
"""

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver

from tournament.features import list_addresses
from web import urls

OPEN = frozenset(
    {
        "events", "calculator", "count", "drill", "drill_sheet", "rule_books", "rule_book", "language", "privacy",
        "health",
        "public:phone", "public:version", "public:tell", "public:manifest", "public:worker", "public:logo",
        "public:colour", "public:photo",
        "public:standings", "public:standings_after", "public:teams", "public:player", "public:player_card",
        "public:story_card", "public:event_card", "public:race_file", "public:against", "public:recap",
        "public:records", "public:record", "public:rounds", "public:round",
        "public:table", "public:overlay", "public:overlay_board", "public:overlay_ticker", "public:last",
        "public:calculator", "public:count", "public:drill", "public:drill_sheet", "public:rules", "public:values",
        "public:yaku", "public:sheet", "public:fouls", "public:clock", "public:calendar", "public:display",
        "public:wall_version", "public:wall_page", "api:event", "api:version", "api:players", "api:standings",
        "api:prizes", "api:rounds", "api:round", "api:table",
    }
)  # fmt: skip


def nowhere(_request: HttpRequest, **_named: object) -> HttpResponse:
    """Answer 404: the desk in the hall has this page, the relay has not."""
    raise Http404("There is no such page at a relay.")


def _closed(patterns: Iterable[Any], space: str = "") -> list[URLPattern | URLResolver]:
    """Return these addresses with only the OPEN ones leading anywhere; `space` is what `reverse` puts before a name."""
    found: list[URLPattern | URLResolver] = []
    for each in patterns:
        if isinstance(each, URLResolver):
            inner = _closed(each.url_patterns, f"{space}{each.namespace}:" if each.namespace else space)
            found.append(URLResolver(each.pattern, inner, app_name=each.app_name, namespace=each.namespace))
        else:
            view = each.callback if f"{space}{each.name}" in OPEN else nowhere
            found.append(URLPattern(each.pattern, view, each.default_args, each.name))
    return found


urlpatterns = [
    *_closed(urls.urlpatterns),
    *list_addresses("relay"),
]

handler404 = urls.handler404
handler500 = urls.handler500
