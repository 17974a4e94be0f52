"""How numbers, places and winds are written for people.

Pure functions from whole points and small integers to text; the template tags only register them.
Nothing here rounds or guesses a unit. Thousands, decimals and winds are written as the language in use writes them.
"""

from datetime import datetime, timedelta

from django.utils import dateformat, timezone
from django.utils.translation import get_language, gettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from tournament.text.languages import counted
from tournament.text.numbers_figures import separators

MINUS = "\N{MINUS SIGN}"
WIND_SIGNS = ("東", "南", "西", "北")
WIND_LETTERS = ("E", "S", "W", "N")
WIND_WORDS = (gettext_lazy("East"), gettext_lazy("South"), gettext_lazy("West"), gettext_lazy("North"))
WIND_INITIALS = (
    pgettext_lazy("wind, one letter", "E"),
    pgettext_lazy("wind, one letter", "S"),
    pgettext_lazy("wind, one letter", "W"),
    pgettext_lazy("wind, one letter", "N"),
)
SIDES = ("bottom", "right", "top", "left")


def short_moment(value: datetime | None) -> str:
    """Write day and time as the language in use does, without the year; nothing for None."""
    if value is None:
        return ""
    return dateformat.format(timezone.localtime(value), pgettext("a date format: day, month, time", "j M H:i"))


def points(value: int) -> str:
    """Write points with thousands and a real minus sign.

    >>> points(30000), points(-1200), points(0)
    ('30,000', '−1,200', '0')
    """
    return f"{MINUS if value < 0 else ''}{_grouped(abs(value))}"


def _grouped(value: int) -> str:
    return f"{value:,}".replace(",", separators()[0])


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
    return f"{MINUS if value < 0 else ''}{_grouped(whole)}{separators()[1]}{decimals}"


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
    return p(value).removesuffix(f"{separators()[1]}0")


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
    return str(WIND_WORDS[wind_index(wind)])


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
    """Say a place: "10th", in other languages with their word for it.

    >>> say_place(1), say_place(2, tied=True), say_place(12), say_place(23), say_place(111)
    ('1st', '=2nd', '12th', '23rd', '111th')
    """
    written = ordinal_place(place, tied)
    if not (get_language() or "en").startswith("en"):
        return _("Place %(place)s") % {"place": written}
    teen = place % 100 in (11, 12, 13)
    return written + ("th" if teen else ENGLISH_ORDINALS.get(place % 10, "th"))


def minutes_text(minutes: int) -> str:
    """Write so many minutes.

    >>> minutes_text(1), minutes_text(75)
    ('1 minute', '75 minutes')
    """
    return counted("%(count)d minute", "%(count)d minutes", minutes)


def seconds_text(seconds: int) -> str:
    """Write so many seconds.

    >>> seconds_text(1), seconds_text(90)
    ('1 second', '90 seconds')
    """
    return counted("%(count)d second", "%(count)d seconds", seconds)


def wait_text(seconds: int) -> str:
    """Write how long somebody has to wait: rather too long than too short.

    >>> wait_text(1), wait_text(59), wait_text(60), wait_text(61)
    ('1 second', '59 seconds', '1 minute', '2 minutes')
    """
    return seconds_text(seconds) if seconds < 60 else minutes_text(-(-seconds // 60))


LONG_CLOCK = 100  # minutes


def clock_time(left: timedelta) -> str:
    """Write the time left on a clock as static/js/clock.js does: begun seconds count, hours from 100 minutes on.

    >>> [clock_time(timedelta(seconds=s)) for s in (0, 59.2, 754, 4500, 6000)]
    ['0:00', '1:00', '12:34', '75:00', '1:40:00']
    """
    seconds = -(-left // timedelta(seconds=1))
    minutes = seconds // 60
    if minutes < LONG_CLOCK:
        return f"{minutes}:{seconds % 60:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{seconds % 60:02}"


def minutes_left(ends_at: datetime, now: datetime) -> int:
    """Count whole minutes until the end, begun minutes included; 0 when time is up.

    >>> end = datetime(2030, 5, 4, 14, 0)
    >>> [minutes_left(end, end - timedelta(seconds=s)) for s in (61, 60, 1, 0, -30)]
    [2, 1, 1, 0, 0]
    """
    return max(0, -((now - ends_at) // timedelta(minutes=1)))
