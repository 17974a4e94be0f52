"""Codes for phones on paper: an address as black squares, drawn as one path of short strokes, a row after another.

It knows no address of its own and checks none.
"""

import functools

import segno
from django.utils.safestring import SafeString, mark_safe

QUIET = 2  # squares left white around a code: half of what the norm wants, the paper around it is white
MASK = 2  # trying all eight takes ten times as long, and every reader reads every one of them


@functools.lru_cache(maxsize=500)  # of a hall's tables, some 2 kB each: they stand on sheets of several kinds
def code_svg(address: str) -> SafeString:
    """Draw an address as a code; raises segno's DataOverflowError past some 2,300 letters."""
    rows = [list(row) for row in segno.make(address, error="m", micro=False, mask=MASK).matrix_iter(border=QUIET)]
    runs = "".join(_runs(row, y) for y, row in enumerate(rows))
    size = len(rows)
    # numbers alone: the address itself does not stand in the markup
    return mark_safe(  # noqa: S308
        f'<svg class="code" viewBox="0 0 {size} {size}"><path fill="none" stroke="#000" d="{runs}"/></svg>'
    )


def _runs(row: list[int], y: int) -> str:
    """Draw the dark squares of a row, one stroke for those that touch."""
    found, start = [], None
    for x, dark in enumerate([*row, 0]):
        if dark and start is None:
            start = x
        if not dark and start is not None:
            found.append(f"M{start} {y}.5h{x - start}")
            start = None
    return "".join(found)
