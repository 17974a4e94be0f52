"""The stick set of a seat: point sticks that add up to the starting points, with enough small ones to pay with."""

FIVES = 2  # sticks of 5,000
MIN_THOUSANDS = 5000  # in sticks of 1,000 and below: riichi, and change
MAX_HALVES = 5  # sticks of 500
SMALL_FROM = 8000  # with so much in small sticks, 3,000 of it are in sticks of 500 and 100


def stick_set(points: int, *, five_hundreds: bool = True) -> dict[int, int] | None:
    """Return how many sticks of each kind a seat gets; None where points are no multiple of 100.

    For 30,000 it is the set of Rakkii Nomi (RK 2.5). Sets without sticks of 500 have ten of 100 instead.

    >>> stick_set(30000)
    {10000: 1, 5000: 2, 1000: 7, 500: 5, 100: 5}
    >>> stick_set(25000, five_hundreds=False)
    {10000: 1, 5000: 2, 1000: 4, 100: 10}
    """
    if points < 0 or points % 100:
        return None
    fives = min(FIVES, max(0, points - MIN_THOUSANDS) // 5000)
    tens = max(0, points - MIN_THOUSANDS - 5000 * fives) // 10_000
    rest = points - 5000 * fives - 10_000 * tens
    small = 3000 if five_hundreds and rest >= SMALL_FROM else 1000
    thousands = max(0, rest - small) // 1000
    rest -= 1000 * thousands
    large = {10_000: tens, 5000: fives, 1000: thousands}
    if not five_hundreds:
        return large | {100: rest // 100}
    halves = min(MAX_HALVES, max(0, rest - 500) // 500)
    return large | {500: halves, 100: (rest - 500 * halves) // 100}
