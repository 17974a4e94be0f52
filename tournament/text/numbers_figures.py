"""How points, places, winds and times are written on paper.

Pure functions from whole points and seats to text. Nothing here rounds: every digit that a result has is printed.
"""

import datetime as dt
import functools
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.formats import date_format, get_format
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from tournament.core.time_zones import distance_words
from tournament.tables.rows import PenaltyRow

MINUS = "\N{MINUS SIGN}"
BROAD = "MWmw"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# Letters that Unicode does not split into a base letter and a mark.
PLAIN_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})


@dataclass(frozen=True, slots=True)
class Wind:
    """The wind that a seat has in the first hand, as people look for it: tile sign, letter, word.

    Letter and word are those of the language in use.
    """

    sign: str
    key: str

    @property
    def letter(self) -> str:
        """The letter beside the sign, "" where the language writes the sign itself."""
        letters = {
            "E": pgettext("wind, one letter", "E"),
            "S": pgettext("wind, one letter", "S"),
            "W": pgettext("wind, one letter", "W"),
            "N": pgettext("wind, one letter", "N"),
        }
        return "" if letters[self.key] == self.sign else letters[self.key]

    @property
    def word(self) -> str:
        """The word."""
        return {"E": _("East"), "S": _("South"), "W": _("West"), "N": _("North")}[self.key]


WINDS = (Wind("東", "E"), Wind("南", "S"), Wind("西", "W"), Wind("北", "N"))


def separators() -> tuple[str, str]:
    """Return what the language in use writes between thousands and before decimals; pages and paper write the same."""
    return _separators(get_language() or "en")


@functools.cache
def _separators(language: str) -> tuple[str, str]:
    if language.startswith("fr"):
        return "\N{NARROW NO-BREAK SPACE}", ","  # as typesetters have it; Django's is wide
    marks = ("THOUSAND_SEPARATOR", "DECIMAL_SEPARATOR")
    thousands, decimals = (str(get_format(mark, language, use_l10n=True)) for mark in marks)
    return thousands, decimals


def who_text(name: str, plays_for: str) -> str:
    """Name who did something: a substitute with the replaced player `plays_for`, "" for none.

    >>> who_text("Kay Fir", "Birk"), who_text("", "Birk"), who_text("Birk", "")
    ('Kay Fir, for Birk', 'a substitute, for Birk', 'Birk')
    """
    if not plays_for:
        return name
    if not name:
        return _("a substitute, for %(player)s") % {"player": plays_for}
    return _("%(name)s, for %(player)s") % {"name": name, "player": plays_for}


def charge_text(row: PenaltyRow) -> str:
    """Say for whom a replaced player pays and why; "" for everybody else's penalties."""
    if not row.charge_reason:
        return ""
    done_by = row.done_by or _("a substitute")
    return _("charged for what %(name)s did: %(why)s") % {"name": done_by, "why": row.charge_reason}


def out_text(disqualified: Sequence[str]) -> str:
    """Name the disqualified, "" for none."""
    said = _("Disqualified:")
    return f"{said} {listed(disqualified)}" if disqualified else ""


def kind_word(kind: str) -> str:
    """Name a kind of penalty.

    >>> kind_word("dead_hand"), kind_word("other")
    ('Dead hand', 'Note')
    """
    words = {
        "warning": _("Warning"), "points": _("Points"), "dead_hand": _("Dead hand"), "chombo": _("Chombo"),
        "other": _("Note"),
    }  # fmt: skip
    return words[kind]


def listed(words: Sequence[str]) -> str:
    """List words as in a sentence, as tournament.text.languages does on pages: commas, and an "and" before the last.

    >>> listed(["Ito", "Berg", "Sato"]), listed(["Ito"])
    ('Ito, Berg and Sato', 'Ito')
    """
    if len(words) < 2:
        return "".join(words)
    first = pgettext("between the parts of a list", ", ").join(words[:-1])
    return _("%(first)s and %(last)s") % {"first": first, "last": words[-1]}


def count_text(points: int) -> str:
    """Write a count of points with thousands separated.

    >>> count_text(120000), count_text(-1200)
    ('120,000', '−1,200')
    """
    return f"{MINUS if points < 0 else ''}{abs(points):,}".replace(",", separators()[0])


def signed_points(points: int) -> str:
    """Write a change in points with its sign.

    >>> signed_points(8000), signed_points(-1000), signed_points(0)
    ('+8,000', '−1,000', '0')
    """
    return f"{'+' if points > 0 else ''}{count_text(points)}"


def signed_thousands(points: int) -> str:
    """Write a result in thousands: a sign unless it is nought, one decimal, or as many as the points need.

    >>> signed_thousands(45100), signed_thousands(-15000), signed_thousands(0), signed_thousands(333)
    ('+45.1', '−15.0', '0.0', '+0.333')
    """
    whole, rest = divmod(abs(points), 1000)
    decimals = f"{rest:03d}".rstrip("0") or "0"
    sign = "+" if points > 0 else MINUS if points < 0 else ""
    thousands, decimal = separators()
    return f"{sign}{whole:,}".replace(",", thousands) + decimal + decimals


def rank_text(rank: int, *, shared: bool) -> str:
    """Write a rank; a shared one carries an equals sign.

    >>> rank_text(1, shared=False), rank_text(2, shared=True)
    ('1', '=2')
    """
    return f"={rank}" if shared else str(rank)


def date_text(day: dt.date) -> str:
    """Write a date in the words of the language in use, whatever the machine's locale.

    >>> date_text(dt.date(2026, 5, 9))
    '9 May 2026'
    """
    if (get_language() or "en").startswith("en"):
        return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    return date_format(day, "DATE_FORMAT")


def moment_text(moment: dt.datetime) -> str:
    """Write date and time to the minute, in the zone that the moment carries.

    >>> moment_text(dt.datetime(2026, 5, 9, 14, 5))
    '9 May 2026, 14:05'
    """
    return _("%(date)s, %(time)s") % {"date": date_text(moment.date()), "time": f"{moment:%H:%M}"}


def stamp_text(moment: dt.datetime) -> str:
    """Write date and time as `moment_text` does, with the distance of their zone from UTC: for who reads elsewhere.

    >>> stamp_text(dt.datetime(2026, 5, 9, 14, 5, tzinfo=dt.timezone(dt.timedelta(hours=2))))
    '9 May 2026, 14:05 UTC+2'
    """
    return f"{moment_text(moment)} {distance_words(moment.utcoffset() or dt.timedelta())}"


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


def set_width(text: str) -> float:
    """Estimate how wide a text is set: in columns as text_width counts them, the broadest letters half as much again.

    >>> set_width("Ann"), set_width("Mim"), set_width("東山")
    (3.0, 4.0, 4.0)
    """
    return text_width(text) + sum(text.count(letter) for letter in BROAD) / 2


def name_size(name: str) -> str:
    """Pick the stylesheet's class for a name, so that a long one is set smaller instead of pushing its column.

    >>> name_size("Ada Moss"), name_size("x" * 40), name_size("x" * 90), name_size("W" * 60)
    ('name', 'name long', 'name very-long', 'name very-long')
    """
    width = set_width(name)
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
