"""Plain text as people type it, in blocks: paragraphs, and lists of lines that begin with a sign or a number.

No markup: what a line holds is shown as it is, and templates escape it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["p", "ul", "ol"]

_ITEM = re.compile(r"\s*(?:(?P<sign>[-*•‣–・])\s+|(?P<number>\d{1,3})[.)]\s+)(?P<text>\S.*)")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph with its lines, or a list with its items; a numbered one begins with `start`."""

    kind: Kind
    lines: tuple[str, ...]
    start: int = 1


def blocks_of(text: str) -> list[Block]:
    r"""Read a text; an empty line ends a paragraph, a line of another kind begins a block of its own.

    >>> [(block.kind, block.lines) for block in blocks_of("Be on time.\n- no phones\n- no food\n\n3. last")]
    [('p', ('Be on time.',)), ('ul', ('no phones', 'no food')), ('ol', ('last',))]
    """
    return list(_blocks(text.splitlines()))


def _blocks(lines: list[str]) -> Iterator[Block]:
    kind: Kind | None = None
    held: list[str] = []
    start = 1
    for line in [*lines, ""]:
        now, text, number = _read(line)
        if held and now != kind:
            yield Block(kind or "p", tuple(held), start)
            held = []
        if text:
            start = start if held else number
            kind = now
            held.append(text)


def _read(line: str) -> tuple[Kind | None, str, int]:
    """Return a line's kind, None for an empty one, its text, and its number where it has one."""
    found = _ITEM.fullmatch(line)
    if found is None:
        return ("p" if line.strip() else None), line.strip(), 1
    return ("ol" if found["number"] else "ul"), found["text"].strip(), int(found["number"] or 1)
