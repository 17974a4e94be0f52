"""Words for a round under way: the clock, check-in and ready ticks, second persons, referee calls."""

from collections.abc import Callable, Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournament.text.languages import Words, plural_text
from tournament.text.rules import say_value

# what tables do, with their numbers, by how many they are
_NAMED: Final[Mapping[str, Callable[[int], str]]] = {
    "not_ready": lambda n: ngettext("table %(tables)s is not ready", "tables %(tables)s are not ready", n),
    "waiting": lambda n: ngettext("table %(tables)s has no hand yet", "tables %(tables)s have no hand yet", n),
    "playing": lambda n: ngettext("table %(tables)s still plays", "tables %(tables)s still play", n),
    "over": lambda n: ngettext("table %(tables)s waits for its sheet", "tables %(tables)s wait for their sheets", n),
    "second": lambda n: ngettext(
        "table %(tables)s waits for the second entry", "tables %(tables)s wait for the second entry", n
    ),
    "differs": lambda n: ngettext(
        "table %(tables)s has two entries that differ", "tables %(tables)s have two entries that differ", n
    ),
    "back": lambda n: ngettext("table %(tables)s was sent back", "tables %(tables)s were sent back", n),
    "unconfirmed": lambda n: ngettext(
        "%(count)d sheet not confirmed: %(tables)s", "%(count)d sheets not confirmed: %(tables)s", n
    ),
    "called": lambda n: ngettext(
        "a referee is called to table %(tables)s", "a referee is called to tables %(tables)s", n
    ),
}
# the same of so many tables that no sentence could name them
_COUNTED: Words = {
    "not_ready": "%(count)d tables are not ready",
    "waiting": "%(count)d tables have no hand yet",
    "playing": "%(count)d tables still play",
    "over": "%(count)d tables wait for their sheets",
    "second": "%(count)d tables wait for the second entry",
    "differs": "%(count)d tables have two entries that differ",
    "back": "%(count)d tables were sent back",
    "unconfirmed": "%(count)d sheets are not confirmed",
    "called": "a referee is called to %(count)d tables",
}


def say_tables(what: str, count: int, named: str) -> str:
    """Say what so many tables do, as a clause; `named` are their numbers as words, "" where they are too many.

    >>> say_tables("playing", 2, "1 and 3"), say_tables("back", 20, "")
    ('tables 1 and 3 still play', '20 tables were sent back')
    """
    template = _NAMED[what](count) if named else _(_COUNTED[what])
    return template % {"count": count, "tables": named}


def say_left(hands: int | None) -> str:
    """Say what a table may still play once its time is up; nothing before.

    >>> [say_left(hands) for hands in (None, 3, 2, 1, 0)]
    ['', 'time is up: this hand and 2 more', 'time is up: this hand and one more', 'last hand', 'no further hand']
    """
    if hands is None:
        return ""
    if hands == 0:
        return _("no further hand")
    if hands == 1:
        return _("last hand")
    more = hands - 1
    return plural_text("time is up: this hand and one more", "time is up: this hand and %(count)d more", more)


def say_left_shortly(hands: int) -> str:
    """Say the same where there is little room; colour and icon say that time is up.

    >>> [say_left_shortly(hands) for hands in (3, 2, 1, 0)]
    ['this hand + 2', 'this hand + 1', 'last hand', 'no further hand']
    """
    return _("this hand + %(count)d") % {"count": hands - 1} if hands > 1 else say_left(hands)


def say_up(hands: int) -> str:
    """Say what everybody does now that the time is up.

    >>> [say_up(hands) for hands in (0, 1, 2)]
    ['Finish the hand', 'Finish the hand and play one more', 'Finish the hand and play 2 more']
    """
    if hands == 0:
        return _("Finish the hand")
    return plural_text("Finish the hand and play one more", "Finish the hand and play %(count)d more", hands)


def say_extra_hands(hands: int) -> str:
    """Say what is played after the signal.

    >>> [say_extra_hands(hands) for hands in (0, 2)]
    ['then the hand in play is the last', 'then finish the hand and play 2 more']
    """
    if hands == 0:
        return _("then the hand in play is the last")
    return plural_text("then finish the hand and play one more", "then finish the hand and play %(count)d more", hands)


def say_hand_begins(begins: str) -> str:
    """Say when a hand begins, which settles whether it was in play at the signal.

    >>> say_hand_begins("deal")
    'The next hand begins: with the next deal'
    """
    return _("The next hand begins: %(when)s") % {"when": say_value("next_hand_begins", begins)}


def say_minutes_left(minutes: int) -> str:
    """Say that so many minutes are left, as the clock says it at its signals.

    >>> say_minutes_left(15), say_minutes_left(1), say_minutes_left(0)
    ('15 minutes left', '1 minute left', 'Time')
    """
    if minutes == 0:
        return pgettext("the signal", "Time")
    return plural_text("%(count)d minute left", "%(count)d minutes left", minutes)
