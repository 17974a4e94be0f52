"""What a page shows: the texts of its elements by class, with white space as a reader sees it; nothing hidden."""

from html.parser import HTMLParser
from typing import Any

BLOCKS = frozenset({"dd", "div", "dt", "h1", "h2", "h3", "li", "p", "small", "summary", "td", "th", "tr"})
VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "use", "wbr"})


class _Texts(HTMLParser):
    """Collects the text of every element that wants it; elements may lie in one another."""

    def __init__(self, wanted: str) -> None:
        super().__init__()
        self.wanted = wanted
        self.open: list[list[str] | None] = []
        self.shut = 0  # how many elements we are in from the outermost that nobody sees
        self.found: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._part(tag)
        if tag in VOID:
            return
        values = dict(attrs)
        unseen = "hidden" in values or tag == "template" or (tag == "dialog" and "open" not in values)
        self.shut += bool(self.shut) or unseen
        names = {tag, *(f".{name}" for name in (values.get("class") or "").split()), f"#{values.get('id')}"}
        mine: list[str] | None = [] if self.wanted in names and not self.shut else None
        if mine is not None:
            self.found.append(mine)
        self.open.append(mine)

    def handle_endtag(self, tag: str) -> None:
        self._part(tag)
        if tag not in VOID and self.open:
            self.open.pop()
            self.shut -= bool(self.shut)

    def _part(self, tag: str) -> None:
        """Part what stands in blocks of its own, however the source is spaced."""
        if tag in BLOCKS:
            self.handle_data(" ")

    def handle_data(self, data: str) -> None:
        for texts in self.open:
            if texts is not None:
                texts.append(data)


def texts(response: Any, wanted: str) -> list[str]:
    """List the texts of the elements with this tag, ".class" or "#id", in order."""
    parser = _Texts(wanted)
    parser.feed(response.content.decode())
    return [" ".join("".join(parts).split()) for parts in parser.found]


def text(response: Any, wanted: str) -> str:
    """Return the text of the one element with this tag, ".class" or "#id"."""
    (only,) = texts(response, wanted)
    return only
