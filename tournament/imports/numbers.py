"""Whole numbers as people and spreadsheets write them.

Thousands may be parted, the minus may be any dash; it never rounds and knows no fractions.
"""

import re
import unicodedata

_MINUS = str.maketrans(dict.fromkeys("−–—‒‐‑﹣－▲△", "-"))
_PLAIN = re.compile(r"[+-]?[0-9]+")
_PARTED = re.compile(r"[+-]?[0-9]{1,3}(?:([,.' ])[0-9]{3})(?:\1[0-9]{3})*")
_IN_BRACKETS = re.compile(r"\(([0-9][^()]*)\)")
_LONGEST = 15  # signs; more is no score, and int() of a million digits takes its time


def read_whole_number(text: str) -> int | None:
    """Read a whole number, None if it is not one.

    >>> [read_whole_number(text) for text in ("30,000", "30.000", "30 000", "−1,200", "(500)", "30.5")]
    [30000, 30000, 30000, -1200, -500, None]
    """
    plain = plain_number(text)
    if len(plain) > _LONGEST or not (_PLAIN.fullmatch(plain) or _PARTED.fullmatch(plain)):
        return None
    return int(re.sub(r"[,.' ]", "", plain))


def plain_number(text: str) -> str:
    """Return what may be a number with a plain minus in front and single spaces, its marks as they were.

    >>> plain_number("− 1 200"), plain_number("(500)")
    ('-1 200', '-500')
    """
    signs = unicodedata.normalize("NFKC", text.translate(_MINUS)).replace("’", "'")
    plain = " ".join(signs.split())
    bracketed = _IN_BRACKETS.fullmatch(plain)
    if bracketed:
        plain = f"-{bracketed[1]}"  # bookkeepers' minus
    return re.sub(r"^([+-]) ", r"\1", plain)
