"""A copy of an event's public pages for a club's own site, as a zip or a folder written again after each change.

It has what a stranger sees: nothing held, no desk, no page of one phone. Links are relative, scripts and forms are left
out, and icons are put into each page, because a browser that opens a file from a disk may draw none of another file.
"""

import hashlib
import io
import json
import re
import tempfile
import time
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import IO, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_GET

from tournament.core.rights import Right
from tournament.core.time_zones import zone_of
from tournament.events.models import Event, Visibility
from tournament.pages.files import file_answer, print_name
from tournament.pages.permissions import DeskRequest, who_may
from tournament.pages.sign_in import CopyRequest
from tournament.pages.static_files import read_static
from tournament.text.languages import language_name, offered_language
from tournament.text.numbers import stamp_text

START: Final = "standings"  # the page that becomes index.html
# Two players' meetings are left out: 200 players in eight rounds have up to 4,800 of those pages.
PAGES: Final = frozenset(
    {"standings", "teams", "player", "recap", "rounds", "round", "table", "rules", "values", "yaku", "fouls"}
)
DRAWN: Final = frozenset({"colour", "logo", "player_card", "event_card"})  # files that the desk makes
ASSETS: Final = "files"
MADE: Final = 'id="copied"'  # the foot's element that says when a page was copied
_APART: Final = "copy"  # a query in the address keeps these pages out of the phones' cache
Attrs = list[tuple[str, str | None]]
VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
LEFT_OUT = frozenset({"script", "form", "button", "template", "dialog"})
_AROUND = frozenset({"nav", "footer"})
_LINKS_LEFT_OUT = frozenset({"manifest", "modulepreload"})
# settings of scripts, and addresses of this desk
_META_LEFT_OUT = frozenset({"htmx-config", "og:url", "og:image", "twitter:card"})
_OURS = ("data-", "hx-")  # what scripts read
_BLANK = re.compile(r"\n[ \n]*\n")
_SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.DOTALL)


def symbols_of(sprite: str) -> dict[str, str]:
    """Return the symbols of an icon sheet by id.

    >>> symbols_of('<svg><symbol id="up"><path d="M0"/></symbol></svg>')
    {'up': '<symbol id="up"><path d="M0"/></symbol>'}
    """
    return {match[1]: match[0] for match in _SYMBOL.finditer(sprite)}


class PageRewriter(HTMLParser):
    """A parser that rewrites a page for the copy.

    `link` returns the new address of a link, "" for one that is not in the copy; `asset` that of a file; `symbols` the
    icons of a sheet. `note` goes into the footer, `languages` (HTML) are the links to the page in other languages.
    """

    def __init__(
        self,
        link: Callable[[str], str],
        asset: Callable[[str], str],
        symbols: Callable[[str], Mapping[str, str]],
        *,
        note: str,
        languages: str,
    ) -> None:
        """Set up an empty page."""
        super().__init__(convert_charrefs=False)
        self.link, self.asset, self.symbols = link, asset, symbols
        self.note, self.languages = note, languages
        self.out: list[str] = []
        self.skipped: list[str] = []  # open elements, from the outermost one left out
        self.spans: list[str] = []  # the end tag of each open <a>
        self.used: dict[str, str] = {}  # symbols by their id in the page
        self.around: list[str] = []  # open <nav> and <footer>

    def rewrite(self, page: str) -> str:
        """Return the rewritten page."""
        self.feed(page)
        self.close()
        drawn = "".join(self.used.values())
        size = 'width="0" height="0" style="position:absolute" aria-hidden="true"'
        store = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawn}</svg>' if drawn else ""
        return _BLANK.sub("\n", "".join(self.out).lstrip()).replace("</body>", f"{store}</body>", 1)

    def handle_decl(self, decl: str) -> None:
        """Keep the doctype."""
        self.out.append(f"<!{decl}>")

    def handle_starttag(self, tag: str, attrs: Attrs) -> None:
        """Keep an element with new addresses, or leave it out with its content."""
        values = dict(attrs)
        if self.skipped or self._is_left_out(tag, values):
            if tag not in VOID:
                self.skipped.append(tag)
            return
        if tag == "a":
            target = self._target(values.get("href") or "")
            if target:
                self._open("a", [(name, target if name == "href" else value) for name, value in attrs])
            else:  # its page is not in the copy
                self._open(
                    "span", [(name, value) for name, value in attrs if name not in ("href", "rel", "aria-current")]
                )
            self.spans.append("</a>" if target else "</span>")
            return
        if tag in _AROUND:
            self.around.append(tag)
        if tag == "use":
            attrs = [(name, self._symbol(value or "") if name == "href" else value) for name, value in attrs]
        self._open(tag, [(name, self._moved(name, value)) for name, value in attrs])

    def handle_startendtag(self, tag: str, attrs: Attrs) -> None:
        """Keep an element without content."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close an element that was kept."""
        if self.skipped:
            if tag in self.skipped:
                while self.skipped.pop() != tag:
                    pass
            return
        if tag == "a":
            self.out.append(self.spans.pop() if self.spans else "")
        elif tag not in VOID:
            if self.around and tag == self.around[-1]:
                self.around.pop()
            self.out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Keep text."""
        self._text(data)

    def handle_entityref(self, name: str) -> None:
        """Keep a named character reference."""
        self._text(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Keep a numeric character reference."""
        self._text(f"&#{name};")

    def _text(self, text: str) -> None:
        if not self.skipped:
            self.out.append(text)

    def _is_left_out(self, tag: str, values: Mapping[str, str | None]) -> bool:
        classes = (values.get("class") or "").split()
        if tag == "link":
            return values.get("rel") in _LINKS_LEFT_OUT
        if tag == "nav" and "languages" in classes:
            self.out.append(self.languages)
            return True
        if tag == "meta":
            return values.get("name") in _META_LEFT_OUT or values.get("property") in _META_LEFT_OUT
        if tag == "a" and not self._target(values.get("href") or ""):
            return bool(self.around) or "button" in classes  # a button without a page would do nothing
        if "data-as-of" in values:
            self.out.append(f"<span {MADE}>{escape(self.note)}</span>")
            return True
        return tag in LEFT_OUT

    def _target(self, address: str) -> str:
        return address if address.startswith(("#", "https://", "http://", "mailto:")) else self.link(address)

    def _open(self, tag: str, attrs: Attrs) -> None:
        kept = [(name, value) for name, value in attrs if not name.startswith(_OURS)]
        written = "".join(f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in kept)
        self.out.append(f"<{tag}{written}>")

    def _moved(self, name: str, value: str | None) -> str | None:
        if value is None or name not in ("href", "src") or value.startswith("#"):
            return value
        return self.asset(value)

    def _symbol(self, address: str) -> str:
        """Put an icon into the page and return its address there."""
        sheet, _, name = address.partition("#")
        drawn = self.symbols(sheet).get(name)
        if drawn is None:
            return address
        own = f"drawn-{name}"  # the page itself may use the name as an id
        self.used[own] = drawn.replace(f'id="{name}"', f'id="{own}"', 1)
        return f"#{own}"


@dataclass(frozen=True, slots=True)
class SiteCopy:
    """The size of a copy: pages, and bytes before packing."""

    pages: int
    size: int


def copy_languages(event: Event, *, every: bool) -> list[str]:
    """Return the languages of a copy: the event's, and after it `every` other one that is offered."""
    first = offered_language(event.language)
    return [first, *(code for code, _name in settings.LANGUAGES if every and code != first)]


def write_site(event: Event, languages: Sequence[str], file: IO[bytes]) -> SiteCopy:
    """Write a zip of all public pages; the first language at the top, the others in folders of their names."""
    made = timezone.localtime()
    moment = made.timetuple()[:6]
    pages = size = 0
    assets: dict[str, str] = {}
    made_files: dict[str, bytes] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for language in languages:
            crawl = _Crawl(event, language, tuple(languages), assets, made_files)
            for name, page in crawl.pages():
                archive.writestr(_entry(name, moment), page)
                pages, size = pages + 1, size + len(page)
                time.sleep(0)  # let a hand that was just sent go first
        for name, source in sorted(assets.items()):
            archive.writestr(_entry(name, moment), _asset(source))
        for name, content in sorted(made_files.items()):
            archive.writestr(_entry(name, moment), content)
    return SiteCopy(pages, size)


def file_name(path: str) -> str:
    """Return the file of a page by its path below the event's address.

    >>> file_name("standings/"), file_name("rounds/1/tables/2/")
    ('index.html', 'rounds/1/tables/2.html')
    """
    return "index.html" if path == f"{START}/" else f"{path.rstrip('/')}.html"


@dataclass
class _Crawl:
    """The pages of one language, found from the standings along their links."""

    event: Event
    language: str
    languages: tuple[str, ...]
    assets: dict[str, str]
    made_files: dict[str, bytes]
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
        """Draw a page as a stranger sees it, packed; None where it is not in the copy."""
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
            note = _("Copy of %(when)s") % {"when": stamp_text(timezone.localtime(timezone=zone_of(self.event)))}

        def link(address: str) -> str:
            return self._link(address, up)

        def asset(address: str) -> str:
            return self._asset(address, up)

        return PageRewriter(link, asset, _symbols, note=note, languages=self._others(path, up)).rewrite(page)

    def _link(self, address: str, up: str) -> str:
        """Return the address of a link in the copy, "" where its page is not in it."""
        if made := self._made(address, up):
            return made
        parts = urlsplit(address)
        if parts.query and parts.query != _APART:
            return ""
        path = parts.path.removeprefix(self.root)
        if path == parts.path or not path or not self._is_page(path):  # the page of one phone is not in the copy
            return ""
        target = up + self._folder() + file_name(path)
        return f"{target}#{parts.fragment}" if parts.fragment else target

    def _is_page(self, path: str) -> bool:
        """Return whether a page is in the copy; a new one is drawn at once, so that no link leads to a missing file."""
        if path not in self.known:
            drawn = self._drawn(path)
            self.known[path] = drawn is not None
            if drawn is not None:
                self.ahead.append((path, drawn))
        return self.known[path]

    def _asset(self, address: str, up: str) -> str:
        if not address.startswith(settings.STATIC_URL):
            return self._made(address, up) or address
        name = address.removeprefix(settings.STATIC_URL)
        stored = f"{ASSETS}/{name}"
        self.assets[stored] = name
        return up + stored

    def _made(self, address: str, up: str) -> str:
        """Return the address of a file that the desk makes, "" of another; all languages share one of each."""
        path = urlsplit(address).path
        name = path.removeprefix(self.root)
        if name == path or not name.endswith((".png", ".css")):
            return ""
        if name not in self.made_files:
            try:
                match = resolve(path)
                if match.namespace != "public" or match.url_name not in DRAWN:
                    return ""
                with override(self.languages[0]):
                    self.made_files[name] = bytes(
                        match.func(_stranger(path, self.languages[0]), **match.kwargs).content
                    )
            except (Resolver404, Http404):
                return ""
            time.sleep(0)
        return up + name

    def _folder(self) -> str:
        return "" if self.language == self.languages[0] else f"{self.language}/"

    def _others(self, path: str, up: str) -> str:
        """Return the links to the same page in each language, "" for one language."""
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
    """Return the request of a reader of this language without account, session or player."""
    request = CopyRequest()
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
    """Return the content of a static file, from the source or as collected."""
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


LIST = ".hanchan-files.json"  # in the folder: what was written, with digests
WHEN = re.compile(rf"<span {MADE}>[^<]*</span>".encode())  # moves with each copy


def publish(event: Event, folder: Path, languages: list[str]) -> int:
    """Bring a folder to what is public now, nothing of a draft; return how many files changed. Raises OSError."""
    _make_folder(folder)
    known, found, changed = _read_list(folder), dict[str, str](), 0
    with tempfile.TemporaryFile() as file:
        write_site(event, languages if event.visibility != Visibility.DRAFT else [], file)
        with zipfile.ZipFile(file) as copy:
            for name in copy.namelist():
                content = copy.read(name)
                found[name] = hashlib.sha256(WHEN.sub(b"", content) if name.endswith(".html") else content).hexdigest()
                if known.get(name) != found[name] or not (folder / name).exists():
                    _write(folder / name, content)
                    changed += 1
    for name in known.keys() - found.keys():
        (folder / name).unlink(missing_ok=True)
        changed += 1
    if changed:
        _write(folder / LIST, json.dumps(found, sort_keys=True).encode())
    return changed


def _read_list(folder: Path) -> dict[str, str]:
    """Return what an earlier run wrote; nothing where the list is not ours or names files elsewhere."""
    try:
        known = json.loads((folder / LIST).read_bytes())
    except (OSError, ValueError):
        return {}
    inside = isinstance(known, dict) and all(
        (folder / name).resolve().is_relative_to(folder.resolve()) for name in known
    )
    return known if inside else {}


def _write(path: Path, content: bytes) -> None:
    """Write a file that a web server may read, whole or not at all."""
    _make_folder(path.parent)
    draft = path.with_name(f".{path.name}.new")
    draft.write_bytes(content)
    draft.chmod(0o644)
    draft.replace(path)


def _make_folder(folder: Path) -> None:
    if not folder.exists():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)  # the desk's own files are for their owner alone; these are for everybody


@require_GET
@who_may(Right.EXPORT)
def site_zip(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the public pages as files: in the event's language, with `?languages=all` in every one."""
    file = io.BytesIO()
    write_site(event, copy_languages(event, every=request.GET.get("languages") == "all"), file)
    return file_answer(file.getvalue(), "application/zip", print_name(event, "site", timezone.localtime(), "zip"))
