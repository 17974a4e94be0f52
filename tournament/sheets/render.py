"""The one place where WeasyPrint is loaded and run: page templates with their values become PDF bytes.

Never fetches anything but our own static files, and never touches the network: what a player is called can
therefore make this program read neither a file nor an address.
"""

import importlib
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.sheets.figures import date_text, moment_text, name_size
from tournament.sheets.rows import EventHead
from tournament.sheets.underlay import underlay_first_page

STATIC_DIR = Path(__file__).resolve().parents[2] / "static"
# An origin that cannot exist (RFC 2606), so that even a fetcher gone wrong would reach nobody.
BASE_URL = "https://paper.invalid/static/"
# Spelt out, because some systems' own tables call a stylesheet plain text.
CONTENT_TYPES = {".css": "text/css", ".ttf": "font/ttf", ".svg": "image/svg+xml", ".png": "image/png"}
# Pango's font maps are not made for several threads; the pages of one process are set one document at a time.
_one_at_a_time = threading.Lock()


class PaperUnavailable(RuntimeError):  # noqa: N818 - a state to be told, as in Refused
    """PDF cannot be made on this machine; its text says in one sentence what to install."""


class AddressRefused(ValueError):  # noqa: N818 - the same
    """A page asked for something that is not one of our own static files."""


def install_hint(platform: str) -> str:
    """Say in one sentence what makes PDF work on a platform (as in sys.platform)."""
    if platform == "darwin":
        return "PDF sheets need Pango: run `brew install pango`, then start again."
    if platform == "win32":
        return (
            "PDF sheets need Pango: install MSYS2 from msys2.org, run `pacman -S mingw-w64-x86_64-pango` in its shell, "
            "then start again."
        )
    return (
        "PDF sheets need Pango: run `sudo apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0` "
        "(or your distribution's Pango and HarfBuzz packages), then start again."
    )


@cache
def load_weasyprint() -> Any:
    """Import WeasyPrint on first use; raise PaperUnavailable if it or Pango is not there."""
    try:
        return importlib.import_module("weasyprint")
    except (ImportError, OSError) as error:
        raise PaperUnavailable(install_hint(sys.platform)) from error


def static_file(url: str) -> Path:
    """Find the static file behind an address of a page; raise AddressRefused for every other address."""
    if not url.startswith(BASE_URL):
        raise AddressRefused(f"paper may only use its own static files, not {url[:200]}")
    name = unquote(urlsplit(url).path.removeprefix("/static/"))
    path = (STATIC_DIR / name).resolve()
    if not path.is_relative_to(STATIC_DIR) or path.suffix not in CONTENT_TYPES or not path.is_file():
        raise AddressRefused(f"paper has no static file {name[:200]}")
    return path


@cache
def static_files_only() -> Any:
    """Make the fetcher that WeasyPrint gets: it answers as static_file does, whatever the scheme of an address."""
    urls = importlib.import_module("weasyprint.urls")

    class StaticFilesOnly(urls.URLFetcher):  # type: ignore[misc,name-defined]
        def fetch(self, url: str, _headers: dict[str, str] | None = None) -> Any:
            path = static_file(url)
            return urls.URLFetcherResponse(url, path.read_bytes(), {"Content-Type": CONTENT_TYPES[path.suffix]})

    return StaticFilesOnly()


def page_values(head: EventHead) -> dict[str, str]:
    """Give the texts that stand on every page of every sheet."""
    return {
        "event": head.name,
        "event_size": name_size(head.name).replace("name", "event"),
        "date": date_text(head.date),
        "ruleset": head.ruleset_title,
        "clock": _clock(head),
        "printed": moment_text(head.printed_at),
    }


def _clock(head: EventHead) -> str:
    """Say how long a round takes: minutes, and the hands that follow the signal."""
    if not head.minutes:
        return _("no time limit")
    minutes = ngettext("%(count)s minute", "%(count)s minutes", head.minutes) % {"count": head.minutes}
    if not head.extra_hands:
        return minutes
    hands = ngettext("%(count)s hand", "%(count)s hands", head.extra_hands) % {"count": head.extra_hands}
    return _("%(minutes)s + %(hands)s") % {"minutes": minutes, "hands": hands}


def render_document(page: str, values: dict[str, Any], head: EventHead) -> Any:
    """Lay one page template out; gives WeasyPrint's document, whose `pages` can be counted and measured.

    `page` is a template's name in templates/pdf without its suffix. Raises PaperUnavailable.
    """
    weasyprint = load_weasyprint()
    text = render_to_string(f"pdf/{page}.html", {**page_values(head), **values})
    with _one_at_a_time:
        return weasyprint.HTML(string=text, base_url=BASE_URL, url_fetcher=static_files_only()).render()


def render_pdf(page: str, values: dict[str, Any], head: EventHead) -> bytes:
    """Make one page template into a PDF; arguments and raises as in render_document."""
    document = render_document(page, values, head)
    with _one_at_a_time:
        return bytes(document.write_pdf())


def render_forms(page: str, values: dict[str, Any], head: EventHead) -> bytes:
    """Make a template whose first page is a form into a PDF of its other pages, each on top of that form.

    Arguments and raises as in render_document.
    """
    document = render_document(page, values, head)
    with _one_at_a_time:
        return bytes(document.write_pdf(finisher=underlay_first_page))
