"""A whole column of points → how it is written: in points, or in thousands with or without a decimal mark.

One number alone cannot tell: 30.000 is thirty thousand, and so is 30.0. A column can.
"""

import re
from collections.abc import Iterable
from decimal import Decimal

from tournament.imports.numbers import plain_number, read_whole_number

_IN_THOUSANDS = re.compile(r"([+-]?[0-9]{1,3})(?:[.,]([0-9]{1,2}))?")


def is_in_thousands(texts: Iterable[str]) -> bool:
    """Say whether a column holds thousands: nothing in it has more than three digits before its mark, or two behind.

    A column of nothing but noughts does not say.

    >>> is_in_thousands(["34,1", "-5,3", "30"]), is_in_thousands(["30.000", "-500"]), is_in_thousands(["0", ""])
    (True, False, False)
    """
    numbers = [plain for text in texts if (plain := plain_number(text))]
    matches = [_IN_THOUSANDS.fullmatch(number) for number in numbers]
    return all(matches) and any(match and match[0].strip("+-0.,") for match in matches)


def read_points(text: str, *, thousands: bool) -> int | None:
    """Read points, None for what is no such number.

    >>> read_points("−5,3", thousands=True), read_points("30.000", thousands=False), read_points("x", thousands=True)
    (-5300, 30000, None)
    """
    if not thousands:
        return read_whole_number(text)
    match = _IN_THOUSANDS.fullmatch(plain_number(text))
    return int(Decimal(f"{match[1]}.{match[2] or 0}") * 1000) if match else None
