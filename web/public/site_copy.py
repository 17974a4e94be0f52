"""The public pages of an event as files for a club's own site: found by their links, drawn by the pages' own views.

What is in it is what a stranger sees: nothing held, no desk, no page of one phone. It writes nothing but the archive.
"""

import time
import zipfile
import zlib
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import IO, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, QueryDict
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from tournament.models import Event
from tournament.sheets.figures import moment_text
from web.public.site_page import PageRewriter, symbols_of
from web.server.static_storage import read_static
from web.words.languages import language_name

START: Final = "standings"  # the page that stands as index.html
# Two players' meetings are left out: 200 players in eight rounds have up to 4,800 of those pages.
PAGES: Final = frozenset({"standings", "teams", "player", "records", "rounds", "round", "table", "rules", "fouls"})
ASSETS: Final = "files"
_APART: Final = "copy"  # a question in the address: what is drawn for a file is kept for no phone


@dataclass(frozen=True, slots=True)
class SiteCopy:
    """What was written: pages and bytes before packing."""

    pages: int
    size: int


def write_site(event: Event, languages: Sequence[str], file: IO[bytes]) -> SiteCopy:
    """Write a zip of all public pages; the first language stands at the top, others in folders of their names."""
    made = timezone.localtime()
    moment = made.timetuple()[:6]
    pages = size = 0
    assets: dict[str, str] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for language in languages:
            crawl = _Crawl(event, language, tuple(languages), assets)
            for name, page in crawl.pages():
                archive.writestr(_entry(name, moment), page)
                pages, size = pages + 1, size + len(page)
                time.sleep(0)  # let a hand that was just sent go first
        for name, source in sorted(assets.items()):
            archive.writestr(_entry(name, moment), _asset(source))
    return SiteCopy(pages, size)


def file_name(path: str) -> str:
    """Return the file of a page by what stands below the event's address.

    >>> file_name("standings/"), file_name("rounds/1/tables/2/")
    ('index.html', 'rounds/1/tables/2.html')
    """
    return "index.html" if path == f"{START}/" else f"{path.rstrip('/')}.html"


@dataclass
class _Crawl:
    """One language's pages, from the standings along their links."""

    event: Event
    language: str
    languages: tuple[str, ...]
    assets: dict[str, str]
    ahead: deque[tuple[str, bytes]] = field(default_factory=deque)
    known: dict[str, bool] = field(default_factory=dict)

    def pages(self) -> Iterator[tuple[str, bytes]]:
        """Yield each page's file name and content."""
        self.root = reverse("public:phone", args=[self.event.slug])
        self._is_page(f"{START}/")
        while self.ahead:
            path, drawn = self.ahead.popleft()
            page = self._rewritten(path, zlib.decompress(drawn).decode())
            yield self._folder() + file_name(path), page.encode()

    def _drawn(self, path: str) -> bytes | None:
        """Draw a page as a stranger sees it, packed; None where there is none."""
        address = self.root + path
        try:
            match = resolve(address)
        except Resolver404:
            return None
        public = getattr(match.func, "audience", "") == "public"
        if not public or match.namespace != "public" or match.url_name not in PAGES:
            return None
        with override(self.language):
            try:
                answer = match.func(_stranger(address, self.language), **match.kwargs)
            except Http404:
                return None
        return zlib.compress(answer.content, 1) if answer.status_code == 200 else None

    def _rewritten(self, path: str, page: str) -> str:
        name = self._folder() + file_name(path)
        up = "../" * name.count("/")
        with override(self.language):
            note = _("Copy of %(when)s") % {"when": moment_text(timezone.localtime())}

        def link(address: str) -> str:
            return self._link(address, up)

        def asset(address: str) -> str:
            return self._asset(address, up)

        return PageRewriter(link, asset, _symbols, note=note, languages=self._others(path, up)).rewrite(page)

    def _link(self, address: str, up: str) -> str:
        """Return where a link leads in the copy, "" where its page is not in it."""
        parts = urlsplit(address)
        if parts.query and parts.query != _APART:
            return ""
        path = parts.path.removeprefix(self.root)
        if path == parts.path or not path or not self._is_page(path):  # the page of one phone is not in the copy
            return ""
        target = up + self._folder() + file_name(path)
        return f"{target}#{parts.fragment}" if parts.fragment else target

    def _is_page(self, path: str) -> bool:
        """Tell whether a page is in the copy; one that is met for the first time is drawn, or a link would hang."""
        if path not in self.known:
            drawn = self._drawn(path)
            self.known[path] = drawn is not None
            if drawn is not None:
                self.ahead.append((path, drawn))
        return self.known[path]

    def _asset(self, address: str, up: str) -> str:
        if not address.startswith(settings.STATIC_URL):
            return address
        name = address.removeprefix(settings.STATIC_URL)
        stored = f"{ASSETS}/{name}"
        self.assets[stored] = name
        return up + stored

    def _folder(self) -> str:
        return "" if self.language == self.languages[0] else f"{self.language}/"

    def _others(self, path: str, up: str) -> str:
        """Return the links to the same page in the other languages, "" where there are none."""
        if len(self.languages) < 2:
            return ""
        links = []
        for code in self.languages:
            folder = "" if code == self.languages[0] else f"{code}/"
            here = ' aria-current="true"' if code == self.language else ""
            target = escape(f"{up}{folder}{file_name(path)}")
            name = escape(language_name(code))
            links.append(f'<a href="{target}" lang="{code}" hreflang="{code}"{here}>{name}</a>')
        return f'<nav class="languages no-print">{"".join(links)}</nav>'


def _stranger(address: str, language: str) -> HttpRequest:
    """Return a request of somebody who has just come by and reads this language."""
    request = HttpRequest()
    request.method = "GET"
    request.path = request.path_info = address
    request.META = {"SERVER_NAME": "localhost", "SERVER_PORT": "80", "QUERY_STRING": _APART}
    request.GET = QueryDict(_APART)
    request.COOKIES = {settings.LANGUAGE_COOKIE_NAME: language}
    request.user = AnonymousUser()
    request.LANGUAGE_CODE = language
    return request


@cache
def _symbols(sheet: str) -> Mapping[str, str]:
    name = sheet.removeprefix(settings.STATIC_URL)
    return symbols_of(_asset(name).decode()) if name != sheet else {}


def _asset(name: str) -> bytes:
    """Return the content of a file of the program, whether it is served from the source or from what was collected."""
    found = finders.find(name)
    if isinstance(found, str):
        return read_static(Path(found))
    with staticfiles_storage.open(name) as file:
        return file.read()


def _entry(name: str, moment: Sequence[int]) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, (moment[0], moment[1], moment[2], moment[3], moment[4], moment[5]))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
