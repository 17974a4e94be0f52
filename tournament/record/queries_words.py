"""A head as eight words, 88 of its 256 bits. Pure.

`words.txt` is the English list of BIP 39 (MIT licence): 2,048 words, told apart by their first four letters.
"""

import functools
import re
from pathlib import Path

COUNT = 8
BITS = 11
_START = 4
_HEAD = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


@functools.cache
def _known() -> tuple[str, ...]:
    return tuple(Path(__file__).with_name("words.txt").read_text(encoding="ascii").split())


def words_of(head: str) -> str:
    """Return the eight words of a head.

    >>> words_of("0" * 64)
    'abandon abandon abandon abandon abandon abandon abandon abandon'
    """
    bits = int(head, 16) >> (256 - COUNT * BITS)
    places = [bits >> BITS * (COUNT - 1 - place) & 2**BITS - 1 for place in range(COUNT)]
    return " ".join(_known()[place] for place in places)


def read_head(text: str) -> str | None:
    """Return a head that somebody gave as eight words or 64 hexadecimal digits, in one form; None for anything else.

    An address that ends in the digits will do, as a QR code holds it, and the first four letters of each word.

    >>> read_head(" Abandon aban,abandon abandon abandon abandon abandon ABAN ")
    'abandon abandon abandon abandon abandon abandon abandon abandon'
    """
    digits = _HEAD.findall(text.lower())
    if digits:
        return str(digits[-1])
    starts = [word[:_START] for word in re.findall("[a-z]+", text.lower())]
    by_start = {word[:_START]: word for word in _known()}
    if len(starts) != COUNT or any(start not in by_start for start in starts):
        return None
    return " ".join(by_start[start] for start in starts)


def is_head(head: str, asked: str) -> bool:
    """Tell whether a head is the one that `read_head` has read."""
    return asked in (head, words_of(head))
