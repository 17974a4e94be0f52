"""The manifest and the service worker that let an event's public pages be installed on a phone and open offline."""

import functools
import hashlib
import json
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.models.event import Event
from tournament.pages.permissions_gateways import for_public
from tournament.pages.static_files import read_static

WORKER = "js/worker.js"
# static files that public pages load
FILES = (
    "css/phone.css",
    "icons/sprite.svg",
    "icons/favicon.svg",
    "js/clock.js",
    "js/live.js",
    "js/pick.js",
    "js/poll.js",
    "js/record.js",
    "js/record_proof.js",
    "js/sort.js",
    "js/tell.js",
)
GROUND, FELT = "#f1eee4", "#143c30"
SHORT = 12  # letters under an icon


@require_safe
@for_public
def manifest(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the web app manifest of the event's pages."""
    home = reverse("public:phone", args=[event.slug])
    icons = [
        {"src": static("icons/desk-192.png"), "sizes": "192x192", "type": "image/png"},
        {"src": static("icons/desk-512.png"), "sizes": "512x512", "type": "image/png"},
        {"src": static("icons/desk-bleed-512.png"), "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
        {"src": static("icons/favicon.svg"), "sizes": "any", "type": "image/svg+xml"},
    ]
    facts = {
        "id": home,
        "name": event.name,
        "short_name": short_name(event.name),
        "description": _("%(name)s: seating, results and standings") % {"name": event.name},
        "lang": get_language(),
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": FELT,
        "icons": icons,
    }
    return _answer(request, json.dumps(facts, ensure_ascii=False), "application/manifest+json")


@require_safe
@for_public
def worker(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the worker that caches this event's pages; its cache name has a digest, so that a change replaces it.

    It is the same in every language: a browser takes any other text for a new worker, and installs it.
    """
    home = reverse("public:phone", args=[event.slug])
    text, version = worker_text()
    words = {code: words_in(code) for code, _name in settings.LANGUAGES}
    facts = {"event": home, "name": f"{home} {version}", "files": [static(name) for name in FILES], "words": words}
    return _answer(request, f"const KEPT = {json.dumps(facts, ensure_ascii=False)};\n{text}", "text/javascript")


def words_in(code: str) -> dict[str, str]:
    """Return the words of the page that the worker makes where there is no network."""
    with override(code):
        return {
            "head": _("No network"),
            "text": _("This page is not saved on this phone. These are:"),
            "again": _("Try again"),
        }


def short_name(name: str) -> str:
    """Shorten a name to fit under an icon, by whole words if it has several.

    >>> short_name("Elbe Cup 2026"), short_name("Frühlingsturnier der Riichifreunde"), short_name("Cup")
    ('Elbe Cup', 'Frühlingstu…', 'Cup')
    """
    if len(name) <= SHORT:
        return name
    whole = name[: SHORT + 1].rpartition(" ")[0].rstrip(" ,:·-")
    return whole or name[: SHORT - 1] + "…"


@functools.lru_cache(maxsize=1)
def worker_text() -> tuple[str, str]:
    """Return the worker's text, and a digest of it and of every file that it caches."""
    paths = [Path(finders.find(name) or "") for name in (WORKER, *FILES)]
    contents = [read_static(path) for path in paths]
    return contents[0].decode(), hashlib.sha256(b"\0".join(contents)).hexdigest()[:12]


def _answer(request: HttpRequest, text: str, kind: str) -> HttpResponse:
    etag = f'"{hashlib.sha256(text.encode()).hexdigest()[:20]}"'
    answer = get_conditional_response(request, etag) or HttpResponse(text, content_type=f"{kind}; charset=utf-8")
    answer["ETag"] = etag
    answer["Cache-Control"] = "no-cache"
    return answer
