"""How points, places, winds and times are written on paper.

Pure functions from whole points and seats to text. Nothing here rounds: every digit that a result has is printed.
"""

import datetime as dt
import unicodedata
from dataclasses import dataclass

MINUS = "\N{MINUS SIGN}"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# Letters that Unicode does not split into a base letter and a mark.
PLAIN_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})


@dataclass(frozen=True, slots=True)
class Wind:
    """The wind that a seat has in the first hand, as people look for it: tile sign, letter, word."""

    sign: str
    letter: str
    word: str


KIND_WORDS = {
    "warning": "Warning", "points": "Points", "dead_hand": "Dead hand", "chombo": "Chombo", "other": "Note",
}  # fmt: skip
WINDS = (Wind("東", "E", "East"), Wind("南", "S", "South"), Wind("西", "W", "West"), Wind("北", "N", "North"))


def count_text(points: int) -> str:
    """Write a count of points with thousands separated.

    >>> count_text(120000), count_text(-1200)
    ('120,000', '−1,200')
    """
    return f"{MINUS if points < 0 else ''}{abs(points):,}"


def signed_thousands(points: int) -> str:
    """Write a result in thousands: a sign unless it is nought, one decimal, or as many as the points need.

    >>> signed_thousands(45100), signed_thousands(-15000), signed_thousands(0), signed_thousands(333)
    ('+45.1', '−15.0', '0.0', '+0.333')
    """
    whole, rest = divmod(abs(points), 1000)
    decimals = f"{rest:03d}".rstrip("0") or "0"
    sign = "+" if points > 0 else MINUS if points < 0 else ""
    return f"{sign}{whole:,}.{decimals}"


def rank_text(rank: int, *, shared: bool) -> str:
    """Write a rank; a shared one carries an equals sign.

    >>> rank_text(1, shared=False), rank_text(2, shared=True)
    ('1', '=2')
    """
    return f"={rank}" if shared else str(rank)


def date_text(day: dt.date) -> str:
    """Write a date in the same words on every machine, whatever its locale.

    >>> date_text(dt.date(2026, 5, 9))
    '9 May 2026'
    """
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def moment_text(moment: dt.datetime) -> str:
    """Write date and time to the minute, in the zone that the moment carries.

    >>> moment_text(dt.datetime(2026, 5, 9, 14, 5))
    '9 May 2026, 14:05'
    """
    return f"{date_text(moment.date())}, {moment:%H:%M}"


def text_width(text: str) -> int:
    """Count the columns that a text takes: two for a full-width East Asian letter, none for a combining mark.

    >>> text_width("Ann"), text_width("東山"), text_width("é")
    (3, 4, 1)
    """
    composed = unicodedata.normalize("NFC", text)
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in composed
    )


def name_size(name: str) -> str:
    """Pick the stylesheet's class for a name, so that a long one is set smaller instead of pushing its column.

    >>> name_size("Ada Moss"), name_size("x" * 40), name_size("x" * 90)
    ('name', 'name long', 'name very-long')
    """
    width = text_width(name)
    if width <= 24:
        return "name"
    return "name long" if width <= 60 else "name very-long"


def name_order(name: str) -> tuple[str, str]:
    """Give the key by which a person looks a name up: case and accents aside, then the name itself.

    >>> sorted(["Zed", "Łucja", "lotte", "Ōta", "Oz"], key=name_order)
    ['lotte', 'Łucja', 'Ōta', 'Oz', 'Zed']
    """
    split = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(letter for letter in split if not unicodedata.combining(letter))
    return plain.translate(PLAIN_LETTERS), name
