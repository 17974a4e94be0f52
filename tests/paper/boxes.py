"""Where each piece of text of a laid-out page stands: what leaves its page, its box or its column, or overlaps.

It reads WeasyPrint's boxes as they were laid out, turned ones as they are turned; it never looks at a PDF.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

SLACK = 1.0  # a CSS pixel, a quarter of a millimetre


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle on a page, in CSS pixels from its upper left corner."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: "Rect", slack: float = SLACK) -> bool:
        """Whether another lies within it."""
        wide = self.left - slack <= other.left and other.right <= self.right + slack
        return wide and self.top - slack <= other.top and other.bottom <= self.bottom + slack

    def overlaps(self, other: "Rect") -> bool:
        """Whether another lies on it by more than the slack, both ways."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        return wide > SLACK and min(self.bottom, other.bottom) - max(self.top, other.top) > SLACK

    def turned(self, quarters: int, around: "Rect") -> "Rect":
        """Turn it clockwise by so many quarters around the middle of another."""
        x, y = (around.left + around.right) / 2, (around.top + around.bottom) / 2
        left, top, right, bottom = self.left - x, self.top - y, self.right - x, self.bottom - y
        for _ in range(quarters % 4):
            left, top, right, bottom = -bottom, left, -top, right
        return Rect(left + x, top + y, right + x, bottom + y)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text: its box, the letters in it, and the boxes around it that cut off what leaves them.

    `letters` is the middle half of the line: a line's box is taller than what stands in it.
    """

    text: str
    box: Rect
    letters: Rect
    windows: tuple[Rect, ...] = ()
    cell: Rect | None = None


def pieces_of(page: Any) -> list[Piece]:
    """Give every piece of text of a laid-out page."""
    return list(_below(page._page_box, (), None))


def leaving_page(page: Any) -> list[str]:
    """Give the texts that leave the page."""
    paper = Rect(0, 0, page.width, page.height)
    return [piece.text for piece in pieces_of(page) if not paper.holds(piece.box, 0)]


def cut_off(page: Any) -> list[str]:
    """Give the texts of which something is hidden, because a box around them is too small."""
    return [piece.text for piece in pieces_of(page) if not all(rect.holds(piece.letters) for rect in piece.windows)]


def leaving_column(page: Any) -> list[str]:
    """Give the texts that stick out of their table cell sideways."""
    return [
        piece.text
        for piece in pieces_of(page)
        if piece.cell and not replace(piece.cell, top=piece.box.top, bottom=piece.box.bottom).holds(piece.box)
    ]


def overlapping(pages: Iterable[Any]) -> list[tuple[str, str]]:
    """Give the pairs of texts that lie on each other, in the order of letters, the pages laid one over another."""
    pieces = sorted((piece for page in pages for piece in pieces_of(page)), key=lambda piece: piece.letters.top)
    found = []
    for at, one in enumerate(pieces):
        for other in pieces[at + 1 :]:
            if other.letters.top >= one.letters.bottom:
                break
            if one.letters.overlaps(other.letters):
                found.append((min(one.text, other.text), max(one.text, other.text)))
    return found


def _below(box: Any, windows: tuple[Rect, ...], cell: Rect | None) -> Iterator[Piece]:
    name = type(box).__name__
    if name == "TextBox":
        if box.text.strip():
            quarter = box.height / 4
            rect = Rect(box.position_x, box.position_y, box.position_x + box.width, box.position_y + box.height)
            letters = replace(rect, top=rect.top + quarter, bottom=rect.bottom - quarter)
            yield Piece(box.text, rect, letters, windows, cell)
        return
    if name == "TableCellBox":
        cell = _border(box)
    if name != "PageBox" and box.style["overflow"] != "visible":
        windows = (*windows, _border(box))
    inside = (
        piece
        for child in getattr(box, "children", ())
        for piece in _below(getattr(child, "_box", child), windows, cell)
    )
    quarters = _quarters(box)
    yield from (_turn(piece, quarters, _border(box)) for piece in inside) if quarters else inside


def _border(box: Any) -> Rect:
    left, top = box.border_box_x(), box.border_box_y()
    return Rect(left, top, left + box.border_width(), top + box.border_height())


def _quarters(box: Any) -> int:
    turns = [part for part in box.style["transform"] or () if part != "none"]
    if not turns:
        return 0
    ((name, angle),) = turns
    if name != "rotate":
        raise ValueError(f"a sheet may turn text, not {name} it")
    quarters = round(angle * 2 / 3.141592653589793)
    if abs(quarters * 3.141592653589793 / 2 - angle) > 1e-6:
        raise ValueError("a sheet turns text by quarters")
    return quarters


def _turn(piece: Piece, quarters: int, around: Rect) -> Piece:
    # windows and cells stand within what is turned, and only the text's own place on the page matters from here on
    box, letters = piece.box.turned(quarters, around), piece.letters.turned(quarters, around)
    return replace(
        piece,
        box=box,
        letters=letters,
        windows=tuple(each.turned(quarters, around) for each in piece.windows),
        cell=piece.cell.turned(quarters, around) if piece.cell else None,
    )
