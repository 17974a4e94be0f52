"""What a page shows: the texts of its elements by class, with white space as a reader sees it; nothing hidden.

A page is read once, by the plain grammar that our templates write, for it is asked for one thing after the other.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from io import BytesIO
from typing import Any

from PIL import Image
from pypdf import PdfReader

BLOCKS = frozenset({"dd", "div", "dt", "h1", "h2", "h3", "li", "p", "small", "summary", "td", "th", "tr"})
VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "use", "wbr"})
PARTS = re.compile(
    r"<!--.*?-->|<![^>]*>"
    r"|<(?P<raw>script|style)\b(?P<raw_attrs>[^>]*)>(?P<raw_text>.*?)</(?P=raw)>"
    r"|</(?P<end>[a-zA-Z][\w-]*)\s*>"
    r"""|<(?P<tag>[a-zA-Z][\w-]*)(?P<attrs>(?:[^>"']|"[^"]*"|'[^']*')*)>"""
    r"|(?P<text>[^<]+|<)",
    re.DOTALL,
)
ATTRIBUTE = re.compile(r"""([^\s"'=/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"']+))?""")
NAMED = re.compile(r'(?<!\S)(class|id)="([^"]*)"')
MARKS = {"class": ".", "id": "#"}


@dataclass(slots=True)
class _Element:
    """An element that is seen: the names it can be asked for by, and its share of the page's texts."""

    names: frozenset[str]
    start: int
    end: int | None = None


@dataclass(slots=True)
class _Page:
    texts: list[str]
    elements: list[_Element]
    open: list[_Element | None]
    shut: int = 0  # how many elements we are in from the outermost that nobody sees

    def begin(self, tag: str, attrs: str) -> None:
        self._part(tag)
        if tag in VOID:
            return
        unseen = tag == "template"
        if "hidden" in attrs or tag == "dialog":
            given = {name.lower() for name, _value in ATTRIBUTE.findall(attrs)}
            unseen = unseen or "hidden" in given or (tag == "dialog" and "open" not in given)
        self.shut += bool(self.shut) or unseen
        element = None
        if not self.shut:
            names = {tag, *(f"{MARKS[kind]}{name}" for kind, said in NAMED.findall(attrs) for name in said.split())}
            element = _Element(frozenset(names), len(self.texts))
            self.elements.append(element)
        self.open.append(element)

    def finish(self, tag: str) -> None:
        self._part(tag)
        if tag not in VOID and self.open:
            ended = self.open.pop()
            self.shut -= bool(self.shut)
            if ended:
                ended.end = len(self.texts)

    def _part(self, tag: str) -> None:
        """Part what stands in blocks of its own, however the source is spaced."""
        if tag in BLOCKS:
            self.texts.append(" ")


@lru_cache(maxsize=4)
def _read(content: bytes) -> _Page:
    page = _Page([], [], [])
    for part in PARTS.finditer(content.decode()):
        if part["text"]:
            page.texts.append(unescape(part["text"]))
        elif part["tag"]:
            page.begin(part["tag"].lower(), part["attrs"])
            if part["attrs"].endswith("/"):
                page.finish(part["tag"].lower())
        elif part["end"]:
            page.finish(part["end"].lower())
        elif part["raw"]:
            page.begin(part["raw"], part["raw_attrs"])
            page.texts.append(part["raw_text"])
            page.finish(part["raw"])
    return page


def texts(response: Any, wanted: str) -> list[str]:
    """List the texts of the elements with this tag, ".class" or "#id", in order."""
    page = _read(response.content)
    found = [element for element in page.elements if wanted in element.names]
    return [" ".join("".join(page.texts[element.start : element.end]).split()) for element in found]


def text(response: Any, wanted: str) -> str:
    """Return the text of the one element with this tag, ".class" or "#id"."""
    (only,) = texts(response, wanted)
    return only


def source_of(answer: Any) -> str:
    """Return what an answer holds as text."""
    return text_of(b"".join(answer.streaming_content) if answer.streaming else answer.content)


def text_of(body: bytes) -> str:
    """Return what a file holds as text: of a PDF or a picture its words, for its bytes may look like anything."""
    if body.startswith(b"%PDF-"):
        return "\n".join(page.extract_text() for page in PdfReader(BytesIO(body)).pages)
    if body.startswith(b"\x89PNG"):
        with Image.open(BytesIO(body)) as picture:
            return str(picture.info["Description"])
    return str(body.decode(errors="replace"))
