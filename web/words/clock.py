"""The words about the clock: what a table may still play, what kept an act from being done, the acts of the trail.

It words what others have worked out and reads nothing.
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from web.words.languages import Words

SENTENCES: Words = {
    "time.over": (
        "Time is up and no further hand may be played: after the signal the hand in play ends, extra hands: "
        "{extra_hands}. If this one still counts, say why."
    ),
    "clock.not_started": "The clock of round {round} does not run.",
    "clock.not_stopped": "The clock of round {round} was not stopped: there is nothing to put back.",
    "clock.released": "Round {round} is released: its clock does not matter any more.",
    "clock.reason_missing": "To pause or stop the clock, or to change a table's minutes, needs a reason.",
    "clock.minutes_out_of_range": "{minutes} minutes is not possible; 1 to {most} are.",
    "clock.table_unknown": "There is no such table in this round.",
    "clock.too_many_signals": "That is too much: the clock says something at most {most} times, the end among them.",
    "clock.signal_out_of_range": "The clock can say something 0 to {most} minutes before the end.",
    "timetable.too_many": "There are {rounds} rounds; more cannot have a start.",
    "timetable.far": "Round {round} on {date}: that is more than a year from the event's date.",
    "timetable.backwards": "Round {round} would start before round {before} or together with it.",
    "clock.signals_unreadable": "Write the minutes as numbers with spaces between them, such as 15 5 0.",
}

VERBS: Words = {
    "clock_paused": "paused the clock of round {round}: {reason}",
    "clock_resumed": "let the clock of round {round} go on",
    "clock_stopped": "stopped the clock of round {round} as if it had never started: {reason}",
    "clock_put_back": "put the stopped clock of round {round} back",
    "table_time_given": "gave round {round}, table {table} {minutes} more minutes: {reason}",
    "table_time_taken_back": "took {minutes} minutes of round {round}, table {table} back: {reason}",
    "timetable_set": "set when the rounds start: {starts}",
    "clock_options_set": "set the clock's sound {sound}, and that it speaks at {signals} minutes",
}


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
    return ngettext("time is up: this hand and one more", "time is up: this hand and %(count)d more", more) % {
        "count": more
    }


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
    return ngettext("Finish the hand and play one more", "Finish the hand and play %(count)d more", hands) % {
        "count": hands
    }


def say_extra_hands(hands: int) -> str:
    """Say what is played after the signal.

    >>> [say_extra_hands(hands) for hands in (0, 2)]
    ['then the hand in play is the last', 'then finish the hand and play 2 more']
    """
    if hands == 0:
        return _("then the hand in play is the last")
    return ngettext("then finish the hand and play one more", "then finish the hand and play %(count)d more", hands) % {
        "count": hands
    }


def say_minutes_left(minutes: int) -> str:
    """Say that so many minutes are left, as the clock says it at its signals.

    >>> say_minutes_left(15), say_minutes_left(1), say_minutes_left(0)
    ('15 minutes left', '1 minute left', 'Time')
    """
    if minutes == 0:
        return pgettext("the signal", "Time")
    return ngettext("%(count)d minute left", "%(count)d minutes left", minutes) % {"count": minutes}
