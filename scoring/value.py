"""Base points and limits from han, fu and yakuman."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from rules.ruleset import yaku_names

if TYPE_CHECKING:  # names for the reader: the count of a hand is quick to import
    from rules.ruleset import Ruleset
    from scoring.entries import Win

LIMIT_NAMES = ("mangan", "haneman", "baiman", "sanbaiman", "yakuman")
MANGAN_HAN = 5


def base_points(win: Win, rules: Ruleset) -> int:
    """Return the base points of a hand: fu x 2^(han + 2), or its limit (E25 4.1.2, 4.2; WRC 2025 11.2).

    >>> from rules.books import load
    >>> from scoring.entries import Win
    >>> base_points(Win(seat=0, han=3, fu=40), load("ema-2025"))
    1280
    >>> [base_points(Win(seat=0, han=4, fu=30), load(key)) for key in ("ema-2025", "tenhou-yonma")]
    [2000, 1920]
    """
    if win.yakuman:
        return rules.yakuman_base * (win.yakuman if rules.yakuman_add_up else min(win.yakuman, most_of_one(rules)))
    return base_of(win.han, win.fu, rules)


def most_of_one(rules: Ruleset) -> int:
    """Return how many yakuman the dearest single yakuman is worth, at least one.

    >>> from rules.books import load
    >>> most_of_one(load("ema-2025"))
    1
    """
    worths: list[int] = [getattr(rules, name)[0] for name in yaku_names("yakuman")]
    return max(1, *worths)


@functools.lru_cache(maxsize=4096)
def base_of(han: int, fu: int, rules: Ruleset) -> int:
    """Return the base points of han and fu; from five han on `fu` is ignored."""
    limit = limit_from_han(han, rules)
    if limit:
        return limit
    mangan = limit_from_han(MANGAN_HAN, rules)
    plain = int(fu * 2 ** (han + 2))
    if rules.kiriage_mangan and plain > mangan - 100:
        return mangan
    return min(plain, mangan)


def limit_from_han(han: int, rules: Ruleset) -> int:
    """Return the base points of the limit by han alone, 0 below five han.

    >>> from rules.books import load
    >>> [limit_from_han(han, load("wrc-2025")) for han in (4, 5, 7, 11, 13)]
    [0, 2000, 3000, 6000, 8000]
    """
    return max((base for least, base in rules.limits if han >= least), default=0)


def limit_name(base: int, rules: Ruleset) -> str | None:
    """Return the limit of base points; None below mangan.

    >>> from rules.books import load
    >>> limit_name(3000, load("ema-2025")), limit_name(1920, load("ema-2025")), limit_name(16000, load("wrc-2025"))
    ('haneman', None, 'yakuman')
    """
    if base >= rules.yakuman_base:
        return "yakuman"
    names = [name for name, (_, least) in zip(LIMIT_NAMES, rules.limits, strict=False) if base >= least]
    return names[-1] if names else None


def least_han(honba: int, rules: Ruleset) -> int:
    """Return the han of yaku that a hand needs: one, or two from some honba on (sanma rule book 11).

    >>> from rules.books import load
    >>> [least_han(honba, load("sanma-rule-book")) for honba in (3, 4)], least_han(4, load("ema-2025"))
    ([1, 2], 1)
    """
    return 2 if rules.two_han_from_honba and honba >= rules.two_han_from_honba else 1


def round_up(points: int) -> int:
    """Round a payment up to the next hundred (E25 4.1.2).

    >>> round_up(1920), round_up(2000)
    (2000, 2000)
    """
    return -(-points // 100) * 100
