"""How points, places, winds, times and other numbers are written for people, on pages and on paper. Pure.

Nothing here rounds or guesses a unit. Thousands, decimals and winds are written as the language in use writes them.
"""

import datetime as dt
import functools
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import dateformat, timezone
from django.utils.formats import date_format, get_format
from django.utils.translation import get_language, gettext_noop, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from tournament.core.time_zones import distance_words
from tournament.text.languages import join_and, plural_text

MINUS = "\N{MINUS SIGN}"
NO_VALUE = "\N{EN DASH}"  # where a number or place would stand
WIND_SIGNS = ("東", "南", "西", "北")
WIND_LETTERS = ("E", "S", "W", "N")
WIND_WORDS = (gettext_noop("East"), gettext_noop("South"), gettext_noop("West"), gettext_noop("North"))
WIND_INITIALS = (
    pgettext_lazy("wind, one letter", "E"),
    pgettext_lazy("wind, one letter", "S"),
    pgettext_lazy("wind, one letter", "W"),
    pgettext_lazy("wind, one letter", "N"),
)
SIDES = ("bottom", "right", "top", "left")


def short_moment(value: dt.datetime | None) -> str:
    """Write day and time as the language in use does, without the year; nothing for None."""
    if value is None:
        return ""
    return dateformat.format(timezone.localtime(value), pgettext("a date format: day, month, time", "j M H:i"))


def short_day(value: dt.date) -> str:
    """Write a day as the language in use does, without the year: for the axis of a chart."""
    return dateformat.format(value, pgettext("a date format: day, month", "j M"))


def number_separators() -> tuple[str, str]:
    """Return what the language in use writes between thousands and before decimals; pages and paper write the same."""
    return _separators(get_language() or "en")


@functools.cache
def _separators(language: str) -> tuple[str, str]:
    if language.startswith("fr"):
        return "\N{NARROW NO-BREAK SPACE}", ","  # as typesetters have it; Django's is wide
    marks = ("THOUSAND_SEPARATOR", "DECIMAL_SEPARATOR")
    thousands, decimals = (str(get_format(mark, language, use_l10n=True)) for mark in marks)
    return thousands, decimals


def points(value: int) -> str:
    """Write points with thousands and a real minus sign.

    >>> points(30000), points(-1200), points(0)
    ('30,000', '−1,200', '0')
    """
    return f"{MINUS if value < 0 else ''}{_grouped(abs(value))}"


def _grouped(value: int) -> str:
    return f"{value:,}".replace(",", number_separators()[0])


def signed(value: int) -> str:
    """Write a change in points with its sign; no change is a bare 0.

    >>> signed(1200), signed(-800), signed(0)
    ('+1,200', '−800', '0')
    """
    return f"+{points(value)}" if value > 0 else points(value)


def p(value: int) -> str:
    """Write points as thousands (P), exact, with at least one decimal.

    >>> p(45100), p(7500), p(333), p(-30000), p(0), p(1234567)
    ('45.1', '7.5', '0.333', '−30.0', '0.0', '1,234.567')
    """
    whole, rest = divmod(abs(value), 1000)
    decimals = f"{rest:03d}".rstrip("0") or "0"
    return f"{MINUS if value < 0 else ''}{_grouped(whole)}{number_separators()[1]}{decimals}"


def signed_p(value: int) -> str:
    """Write a change or a result as thousands (P) with its sign.

    >>> signed_p(45100), signed_p(-7500), signed_p(0)
    ('+45.1', '−7.5', '0.0')
    """
    return f"+{p(value)}" if value > 0 else p(value)


def short_p(value: int) -> str:
    """Write points as thousands (P), whole ones without decimals.

    >>> short_p(30000), short_p(-7500)
    ('30', '−7.5')
    """
    return p(value).removesuffix(f"{number_separators()[1]}0")


def sign_class(value: int) -> str:
    """Name the sign of a number for the stylesheet, which colours what the sign already says.

    >>> sign_class(5), sign_class(-5), sign_class(0)
    ('is-plus', 'is-minus', 'is-zero')
    """
    if value == 0:
        return "is-zero"
    return "is-plus" if value > 0 else "is-minus"


def wind_index(wind: int | str) -> int:
    """Read a wind given as 0..3 or as its letter E, S, W, N; raise ValueError for anything else.

    >>> wind_index(1), wind_index("w"), wind_index("0")
    (1, 2, 0)
    """
    text = str(wind).upper()
    if text in WIND_LETTERS:
        return WIND_LETTERS.index(text)
    if text in {"0", "1", "2", "3"}:
        return int(text)
    raise ValueError(f"a wind is 0 to 3 or one of E, S, W, N, not {wind!r}")


def wind_sign(wind: int | str) -> str:
    """Give the sign on the tile.

    >>> [wind_sign(w) for w in range(4)]
    ['東', '南', '西', '北']
    """
    return WIND_SIGNS[wind_index(wind)]


def wind_letter(wind: int | str) -> str:
    """Give the letter.

    >>> wind_letter(3)
    'N'
    """
    return WIND_LETTERS[wind_index(wind)]


def wind_word(wind: int | str) -> str:
    """Give the word.

    >>> wind_word("S")
    'South'
    """
    return _(WIND_WORDS[wind_index(wind)])


def wind_initial(wind: int | str) -> str:
    """Give what stands beside the sign of a wind: the word's first letter, which other languages write otherwise.

    >>> wind_initial(3)
    'N'
    """
    return str(WIND_INITIALS[wind_index(wind)])


def hand_name(wind: int | str, kyoku: int) -> str:
    """Name a hand of play; `kyoku` counts from 1.

    >>> hand_name(1, 2)
    'South 2'
    """
    return _("%(wind)s %(kyoku)d") % {"wind": wind_word(wind), "kyoku": kyoku}


def seat_wind(seat: int, dealer: int, seats: int) -> int:
    """Derive the wind 0..seats-1 of a seat from the dealer's seat.

    >>> seat_wind(0, dealer=2, seats=3), seat_wind(2, dealer=2, seats=3)
    (1, 0)
    """
    return (seat - dealer) % seats


def side(seat: int, viewer: int) -> str:
    """Name the side of a square table where a seat is, seen from above with the viewer at the bottom.

    The table has four sides however many play: with three, the side after the last seat is empty.

    >>> [side(s, viewer=0) for s in range(4)]
    ['bottom', 'right', 'top', 'left']
    >>> side(0, viewer=2)
    'top'
    """
    return SIDES[(seat - viewer) % len(SIDES)]


def ordinal_place(place: int, tied: bool = False) -> str:
    """Write a place; a shared one carries an equals sign.

    >>> ordinal_place(1), ordinal_place(2, tied=True)
    ('1', '=2')
    """
    return f"={place}" if tied else str(place)


ENGLISH_ORDINALS = {1: "st", 2: "nd", 3: "rd"}


def say_place(place: int, tied: bool = False) -> str:
    """Say a place: "10th", "10e" in French, in other languages with their word for it.

    >>> say_place(1), say_place(2, tied=True), say_place(12), say_place(23), say_place(111)
    ('1st', '=2nd', '12th', '23rd', '111th')
    """
    written = ordinal_place(place, tied)
    language = (get_language() or "en")[:2]
    if language == "fr":
        return written + ("er" if place == 1 else "e")
    if language != "en":
        return _("Place %(place)s") % {"place": written}
    teen = place % 100 in (11, 12, 13)
    return written + ("th" if teen else ENGLISH_ORDINALS.get(place % 10, "th"))


def minutes_text(minutes: int) -> str:
    """Write so many minutes.

    >>> minutes_text(1), minutes_text(75)
    ('1 minute', '75 minutes')
    """
    return plural_text("%(count)d minute", "%(count)d minutes", minutes)


def seconds_text(seconds: int) -> str:
    """Write so many seconds.

    >>> seconds_text(1), seconds_text(90)
    ('1 second', '90 seconds')
    """
    return plural_text("%(count)d second", "%(count)d seconds", seconds)


def wait_text(seconds: int) -> str:
    """Write how long somebody has to wait: rather too long than too short.

    >>> wait_text(1), wait_text(59), wait_text(60), wait_text(61)
    ('1 second', '59 seconds', '1 minute', '2 minutes')
    """
    return seconds_text(seconds) if seconds < 60 else minutes_text(-(-seconds // 60))


LONG_CLOCK = 100  # minutes


def clock_time(left: dt.timedelta) -> str:
    """Write the time left on a clock as static/js/clock.js does: begun seconds count, hours from 100 minutes on.

    >>> [clock_time(dt.timedelta(seconds=s)) for s in (0, 59.2, 754, 4500, 6000)]
    ['0:00', '1:00', '12:34', '75:00', '1:40:00']
    """
    seconds = -(-left // dt.timedelta(seconds=1))
    minutes = seconds // 60
    if minutes < LONG_CLOCK:
        return f"{minutes}:{seconds % 60:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{seconds % 60:02}"


def minutes_left(ends_at: dt.datetime, now: dt.datetime) -> int:
    """Count whole minutes until the end, begun minutes included; 0 when time is up.

    >>> end = dt.datetime(2030, 5, 4, 14, 0)
    >>> [minutes_left(end, end - dt.timedelta(seconds=s)) for s in (61, 60, 1, 0, -30)]
    [2, 1, 1, 0, 0]
    """
    return max(0, -((now - ends_at) // dt.timedelta(minutes=1)))


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
        initial = wind_initial(self.key)
        return "" if initial == self.sign else initial

    @property
    def word(self) -> str:
        """The word."""
        return wind_word(self.key)


WINDS = tuple(map(Wind, WIND_SIGNS, WIND_LETTERS))


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


def out_text(disqualified: Sequence[str]) -> str:
    """Name the disqualified, "" for none."""
    said = _("Disqualified:")
    return f"{said} {join_and(disqualified)}" if disqualified else ""


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def date_text(day: dt.date) -> str:
    """Write a date in the words of the language in use, whatever the machine's locale.

    >>> date_text(dt.date(2026, 5, 9))
    '9 May 2026'
    """
    if (get_language() or "en").startswith("en"):
        return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    return date_format(day, "DATE_FORMAT")


def days_text(first: dt.date, last: dt.date | None) -> str:
    """Write the first and the last day of something, one of them where they are the same.

    >>> days_text(dt.date(2026, 5, 9), dt.date(2026, 5, 10)), days_text(dt.date(2026, 5, 9), None)
    ('9 May 2026 – 10 May 2026', '9 May 2026')
    """
    return " – ".join(date_text(day) for day in dict.fromkeys((first, last or first)))


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


BROAD = "MWmw"


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


# Letters that Unicode does not split into a base letter and a mark.
PLAIN_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})


def name_order(name: str) -> tuple[str, str]:
    """Give the key by which a person looks a name up: case and accents aside, then the name itself.

    >>> sorted(["Zed", "Łucja", "lotte", "Ōta", "Oz"], key=name_order)
    ['lotte', 'Łucja', 'Ōta', 'Oz', 'Zed']
    """
    split = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(letter for letter in split if not unicodedata.combining(letter))
    return plain.translate(PLAIN_LETTERS), name


@dataclass(frozen=True, slots=True)
class Place:
    """A rank that may be shared."""

    number: int
    shared: bool
