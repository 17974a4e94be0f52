"""Points as people type them, to whole points. What could be meant in two ways is not read at all."""

import re

POINTS_OF_P = 1000
MOST_DIGITS = 7

_SEPARATORS = r"[ ,.'’\u00a0\u202f]"
_PLAIN = re.compile(rf"(?P<sign>[-+]?)(?P<number>[0-9]{{1,3}}(?:{_SEPARATORS}[0-9]{{3}})+|[0-9]{{1,{MOST_DIGITS}}})")
_P = re.compile(r"(?P<whole>[0-9]{1,4})(?:[.,](?P<rest>[0-9]{1,3}))?\s*[pP]")


def read_points(text: str) -> int | None:
    """Read 30000, 30,000, 30 000, −1.200 or +500 as points; None for anything else.

    >>> [read_points(text) for text in ("30,000", "−1.200", "+500", "30.0", "1,2345", "")]
    [30000, -1200, 500, None, None, None]
    """
    match = _PLAIN.fullmatch(text.strip().replace("−", "-"))
    if not match:
        return None
    digits = re.sub(_SEPARATORS, "", match["number"])
    return int(match["sign"] + digits) if len(digits) <= MOST_DIGITS else None


def read_amount(text: str) -> int | None:
    """Read points, or thousands of them as 20P and 2.5P; None for anything else and for what is below zero.

    >>> [read_amount(text) for text in ("20P", "2.5p", "20,000", "2.5", "-1000")]
    [20000, 2500, 20000, None, None]
    """
    match = _P.fullmatch(text.strip())
    if match:
        return int(match["whole"]) * POINTS_OF_P + int((match["rest"] or "0").ljust(3, "0"))
    points = read_points(text)
    return None if points is None or points < 0 else points
