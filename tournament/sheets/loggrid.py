"""The ruled lines of the hand-by-hand log, as one drawing.

Sixteen empty rows as table cells would make up nine tenths of a page's boxes and of the time that it takes to set;
as one path they cost nothing. Lengths are whole tenths of a millimetre.
"""

from dataclasses import dataclass

WIDTH = 1860
LINE_HEIGHT = 66
LINES = 16
GROUP = 4
COLUMNS = (
    ("", 70),
    ("Hand", 140),
    ("Honba", 120),
    ("Winner", 140),
    ("Loser", 140),
    ("Han", 100),
    ("Fu", 100),
    ("Riichi", 170),
    ("Sticks left", 130),
)


@dataclass(frozen=True, slots=True)
class LogGrid:
    """What the template draws: headed columns with widths in mm, and the two paths in a box of `box` tenths of mm."""

    columns: tuple[tuple[str, str], ...]
    seat_width: str
    box: str
    thin: str
    thick: str
    numbers: range


def log_grid(seats: int) -> LogGrid:
    """Rule the log for a number of seats, whose running totals share the width that the named columns leave."""
    edges = [0]
    for _, width in COLUMNS:
        edges.append(edges[-1] + width)
    seat_width = (WIDTH - edges[-1]) // seats
    edges += [edges[-1] + seat_width * n for n in range(1, seats)] + [WIDTH]
    height = LINE_HEIGHT * LINES
    down = "".join(f"M{x} 0V{height}" for x in edges)
    across = [f"M0 {LINE_HEIGHT * n}H{WIDTH}" for n in range(LINES + 1)]
    return LogGrid(
        columns=tuple((title, _mm(width)) for title, width in COLUMNS),
        seat_width=_mm(seat_width),
        box=f"0 0 {WIDTH} {height}",
        thin=down + "".join(across),
        thick="".join(across[GROUP:LINES:GROUP]),
        numbers=range(1, LINES + 1),
    )


def _mm(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10}mm"
