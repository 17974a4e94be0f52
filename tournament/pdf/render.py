"""Run WeasyPrint: page templates with their values become PDF bytes.

Loads our own static files alone, and nothing from the network: no name of a player can make this program read a file or
an address.
"""

import atexit
import base64
import importlib
import logging
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import pydyf  # type: ignore[import-untyped] # WeasyPrint's own PDF writer
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.pdf.drawings import BASE_URL, STATIC_DIR, Images, face_file
from tournament.pdf.measure import letters_without_font
from tournament.tables.rows import EventHead
from tournament.text.numbers import days_text, name_size, stamp_text

FACES_URL = f"{BASE_URL}faces/"  # tiles as images, each laid out from one file however often it is drawn
SVG = "image/svg+xml"
# Spelt out, because some systems' own tables call a stylesheet plain text.
CONTENT_TYPES = {".css": "text/css", ".ttf": "font/ttf", ".svg": SVG, ".png": "image/png"}
# Pango's font maps are not made for several threads; the pages of one process are set one document at a time.
_one_at_a_time = threading.Lock()
FONTS = ("Inter-Regular.ttf", "Inter-Bold.ttf", "BIZUDPGothic-Regular.ttf", "BIZUDPGothic-Bold.ttf")
_ALL_STYLES = ("paper", "paper-cut", "paper-hand-outs")
STYLES = {"a4": _ALL_STYLES, "letter": (*_ALL_STYLES, "paper-letter")}
# WeasyPrint's own complaint about a letter that no font has.
_NO_LETTER = re.compile(r"unsupported by fonts: .*\((U\+[0-9A-F]+)\)$", re.DOTALL)
Progress = Callable[[int, int], None]
T = TypeVar("T")
AT_ONCE = 12  # pages laid out before another print of this process may have its turn
FELT = "#1f5a44"  # the colour of ornaments where the event has none of its own
LOGO_URL = "data:image/png;base64,"  # the one picture that comes with a page itself
FORM = "form"  # the name of the first page where it is drawn under the others


@dataclass(frozen=True, slots=True)
class Leaves:
    """What is to be printed: a template, and its values in portions that are laid out one after another.

    With `form`, the first portion's first page is a form that is printed under all the pages that follow. With `fit`,
    each portion is the whole sheet in smaller letters: the first one that is a single page is printed, else the last.
    `then` are other sheets that follow in the same booklet.
    """

    page: str
    portions: Sequence[Mapping[str, Any]]
    form: bool = False
    fit: bool = False
    then: "tuple[Leaves, ...]" = ()


@dataclass(frozen=True)
class LatePortions(Sequence[Mapping[str, Any]]):
    """Portions that are made where they are printed, by an importable function without a model."""

    make: Callable[[], Sequence[Mapping[str, Any]]]

    @cached_property
    def made(self) -> Sequence[Mapping[str, Any]]:
        """What `make` returns."""
        return self.make()

    def __len__(self) -> int:
        return len(self.made)

    def __getitem__(self, at: Any) -> Any:
        return self.made[at]


@dataclass(frozen=True, slots=True)
class Printed:
    """A finished PDF, how many pages it has, and the letters that no font of this machine has, as "U+D55C U+AD6D"."""

    pdf: bytes
    pages: int
    missing: str = ""


class PaperUnavailable(RuntimeError):  # noqa: N818 - a state to be shown, as in DomainError
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


def load_all() -> None:
    """Load now what a first print would have to: WeasyPrint, fonts and stylesheets. Raises PaperUnavailable."""
    load_weasyprint()
    for name in sorted({name for names in STYLES.values() for name in names}):
        _style(name)


def static_file(url: str) -> Path:
    """Find the static file behind an address of a page; raise AddressRefused for every other address."""
    if not url.startswith(BASE_URL):
        raise AddressRefused(f"paper may only use its own static files, not {url[:200]}")
    name = unquote(urlsplit(url).path.removeprefix("/static/"))
    path = (STATIC_DIR / name).resolve()
    if not path.is_relative_to(STATIC_DIR) or path.suffix not in CONTENT_TYPES or not path.is_file():
        raise AddressRefused(f"paper has no static file {name[:200]}")
    return path


def _face(name: str) -> bytes:
    try:
        return face_file(name)
    except KeyError as unknown:
        raise AddressRefused(f"there is no tile {name[:200]}") from unknown


@cache
def static_files_only() -> Any:
    """Make the fetcher that WeasyPrint gets: it answers as static_file does, whatever the scheme of an address."""
    urls = importlib.import_module("weasyprint.urls")

    class StaticFilesOnly(urls.URLFetcher):  # type: ignore[misc,name-defined]
        def fetch(self, url: str, _headers: dict[str, str] | None = None) -> Any:
            if url.startswith(FACES_URL):
                return urls.URLFetcherResponse(url, _face(url.removeprefix(FACES_URL)), {"Content-Type": SVG})
            if url.startswith(LOGO_URL):
                return urls.URLFetcherResponse(
                    url, base64.b64decode(url[len(LOGO_URL) :]), {"Content-Type": "image/png"}
                )
            path = static_file(url)
            return urls.URLFetcherResponse(url, path.read_bytes(), {"Content-Type": CONTENT_TYPES[path.suffix]})

    return StaticFilesOnly()


def page_values(head: EventHead) -> dict[str, Any]:
    """Give the texts that stand on every page of every sheet."""
    return {
        "event": head.name,
        "event_size": name_size(head.name).replace("name", "event"),
        "date": days_text(head.date, head.last_date),
        "ruleset": head.ruleset_title,
        "clock": _clock(head),
        "printed": stamp_text(head.printed_at),
        "paper": head.paper,
        "page_of": _page_of(),
        "colour": head.colour or FELT,
        "accent": head.colour,
        "logo": f"{LOGO_URL}{base64.b64encode(head.logo).decode()}" if head.logo else "",
    }


def _page_of() -> tuple[str, str, str]:
    """Give what is before, between and after the numbers that the setter counts, in the words of `_page_of.html`."""
    said = _("page %(page)s of %(last_page)s") % {"page": "\0", "last_page": "\0"}
    before, between, after = said.split("\0")
    return before, between, after


def _clock(head: EventHead) -> str:
    """Say how long a round takes: minutes, and the hands that follow the signal."""
    if not head.minutes:
        return _("no time limit")
    minutes = ngettext("%(count)s minute", "%(count)s minutes", head.minutes) % {"count": head.minutes}
    if not head.extra_hands:
        return minutes
    hands = ngettext("%(count)s hand", "%(count)s hands", head.extra_hands) % {"count": head.extra_hands}
    return _("%(minutes)s + %(hands)s") % {"minutes": minutes, "hands": hands}


def render_document(page: str, values: Mapping[str, Any], head: EventHead) -> Any:
    """Lay one page template out; gives WeasyPrint's document, whose `pages` can be counted and measured.

    `page` is a template's name in templates/pdf without its suffix. Raises PaperUnavailable.
    """
    return _set(_page_text(page, values, head), head.paper)


def _page_text(page: str, values: Mapping[str, Any], head: EventHead) -> str:
    return render_to_string(f"pdf/{page}.html", {**page_values(head), **values})


def _set(text: str, paper: str) -> Any:
    weasyprint = load_weasyprint()
    with _one_at_a_time:
        styles = [_style(name) for name in STYLES[paper]]
        html = weasyprint.HTML(string=text, base_url=BASE_URL, url_fetcher=static_files_only())
        return html.render(font_config=_fonts(), stylesheets=styles, cache=Images())


def print_leaves(leaves: Leaves, head: EventHead, progress: Progress | None = None) -> Printed:
    """Print portion by portion into one PDF; `progress` is called after each step with how many of how many are done.

    Where a letter is in no font of this machine, every page says so at its foot. Raises as render_document does, and
    ValueError where there is no page.
    """
    sheets = (leaves, *leaves.then)
    texts = _texts(sheets, head)
    missing = _missing(set[str]().union(*chain(*texts)))
    return _print(sheets, _texts(sheets, head, missing) if missing else texts, head, missing, progress)


def _texts(sheets: Sequence[Leaves], head: EventHead, missing: str = "") -> list[list[str]]:
    return [[_page_text(each.page, {**part, "missing": missing}, head) for part in each.portions] for each in sheets]


def _missing(letters: set[str]) -> str:
    """Name the letters that no font of this machine has, by setting those alone that are in none of ours."""
    odd = "".join(sorted(letters_without_font(letters)))
    if not odd:
        return ""
    document = _set(f"<p>{escape(odd)}</p>", "a4")
    with _one_at_a_time, _letters_missing() as heard:
        document.write_pdf()
    return " ".join(sorted(set(heard)))


def _print(
    sheets: Sequence[Leaves], texts: Sequence[Sequence[str]], head: EventHead, missing: str, progress: Progress | None
) -> Printed:
    steps = sum(map(len, texts)) + 1
    pages: list[Any] = []
    forms: list[tuple[int, int]] = []
    first: Any = None
    done = 0
    for sheet, portions in zip(sheets, texts, strict=True):
        start = len(pages)
        for document in _lay_out(portions, head.paper, fit=sheet.fit):
            first = first or document
            pages += document.pages
            done += 1
            if progress:
                progress(done, steps)
        if len(pages) == start:
            raise ValueError(f"there is nothing to print on {sheet.page}")
        forms += [(start, len(pages))] if sheet.form else []
    finisher = underlay_forms(forms) if forms else None
    with _one_at_a_time, _letters_missing():
        pdf = bytes(first.copy(pages).write_pdf(finisher=finisher))
    if progress:
        progress(steps, steps)
    return Printed(pdf, len(pages) - len(forms), missing)


def _lay_out(texts: Sequence[str], paper: str, *, fit: bool) -> Iterator[Any]:
    if fit and texts:
        yield _fitting(texts, lambda text: _set(text, paper))
    else:
        yield from (_set(text, paper) for text in texts)


def _fitting(portions: Sequence[T], lay_out: Callable[[T], Any]) -> Any:
    """Lay out the first of ever smaller portions that is a single page, or the last; few are tried to find it."""
    first, last, found = 0, len(portions) - 1, None
    while first < last:
        middle = (first + last) // 2
        document = lay_out(portions[middle])
        if len(document.pages) == 1:
            last, found = middle, document
        else:
            first = middle + 1
    return found or lay_out(portions[first])


@contextmanager
def _letters_missing() -> Iterator[list[str]]:
    """Gather the code points of letters that WeasyPrint finds in no font."""
    heard: list[str] = []

    def listen(record: logging.LogRecord) -> bool:
        found = _NO_LETTER.search(record.getMessage())
        if found:
            heard.append(found[1])
        return not found  # said once on the sheet instead of a hundred times in the log

    logger = logging.getLogger("weasyprint")
    logger.addFilter(listen)
    try:
        yield heard
    finally:
        logger.removeFilter(listen)


@cache
def _fonts() -> Any:
    """Return the fonts of all documents, loaded once: most of the time of a short document went into them."""
    gone = [name for name in FONTS if not (STATIC_DIR / "fonts" / name).is_file()]
    if gone:
        raise PaperUnavailable(
            f"PDF sheets need the program's own fonts, and these are not in static/fonts: {', '.join(gone)}. "
            "Install the program again."
        )
    atexit.register(_forget)
    return importlib.import_module("weasyprint.text.fonts").FontConfiguration()


@cache
def _style(name: str) -> Any:
    """Read one of our stylesheets, once for all documents."""
    address = f"{BASE_URL}paper/{name}.css"
    return load_weasyprint().CSS(url=address, url_fetcher=static_files_only(), font_config=_fonts())


def _forget() -> None:
    """Let go of the fonts while what they clean up with is still there."""
    _style.cache_clear()
    _fonts.cache_clear()


def portions_of(
    values: Mapping[str, Any], sheets: Sequence[Any], at_once: int = AT_ONCE
) -> tuple[Mapping[str, Any], ...]:
    """Split the `sheets` of a template's values into portions; only the first one brings the form.

    >>> [(part["form"], part["sheets"]) for part in portions_of({}, "abc", 2)]
    [(True, 'ab'), (False, 'c')]
    """
    starts = range(0, len(sheets), at_once)
    return tuple({**values, "form": not start, "sheets": sheets[start : start + at_once]} for start in starts)


def underlay_forms(sheets: Sequence[tuple[int, int]]) -> Callable[[Any, Any], None]:
    """Return a `finisher` for WeasyPrint's write_pdf: in each run of pages the first becomes a form under the others.

    `sheets` are the runs, (first page, page after the last), in order. A run has at least two pages of one size.
    """

    def finish(_document: Any, pdf: Any) -> None:
        for start, stop in reversed(sheets):  # from the end: a form's own page goes
            _underlay_first_page(pdf, start, stop)

    return finish


def _underlay_first_page(pdf: Any, start: int, stop: int) -> None:
    first, *rest = [pdf.objects[number] for number in pdf.pages["Kids"][::3][start:stop]]
    if not rest:
        raise ValueError(f"a form needs at least one page to lie under, this sheet has {stop - start}")
    form = _object_at(pdf, first["Contents"])
    form.extra |= {"Type": "/XObject", "Subtype": "/Form", "BBox": first["MediaBox"], "Resources": first["Resources"]}
    # a second dictionary, because the form's own resources must not lead back to the form
    shared = _object_at(pdf, first["Resources"])
    objects = pydyf.Dictionary({**shared["XObject"], FORM: form.reference})
    resources = pydyf.Dictionary({**shared, "XObject": objects})
    draw = pydyf.Stream([b"q", f"/{FORM} Do".encode(), b"Q"])
    pdf.add_object(resources)
    pdf.add_object(draw)
    for page in rest:
        page["Resources"] = resources.reference
        page["Contents"] = b"[" + draw.reference + b" " + page["Contents"] + b"]"
    del pdf.pages["Kids"][3 * start : 3 * start + 3]
    pdf.pages["Count"] -= 1


def _object_at(pdf: Any, reference: bytes) -> Any:
    return pdf.objects[int(reference.split()[0])]
