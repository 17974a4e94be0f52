"""The words about check-in, ready ticks, a second person's word on a sheet, and referee calls; what tables wait for.

It decides nothing. What a round still lacks is said in clauses, whole ones for every language, that make one sentence.
"""

from collections.abc import Callable, Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from web.words.languages import Words

SENTENCES: Words = {
    "check_in.withdrawn": "{name} has withdrawn from this event and is not checked in.",
    "ready.clock_runs": "The clock of round {round} is running: ready ticks are for the time before it.",
    "ready.no_table": "There is no table {table} in round {round}.",
    "confirm.off": "This event asks no second person: a signed sheet counts at once.",
    "confirm.moved_on": "The sheet of table {table} is another one by now: look at it again.",
    "confirm.same_person": "Table {table} was signed by yourself: another person confirms it.",
    "confirm.done_already": "The sheet of table {table} is confirmed already: reopen the table instead.",
    "confirm.reason_missing": "Sending a sheet back needs a reason.",
    "round.sheets_unconfirmed": "Round {round} cannot be released: not confirmed are the sheets of tables {tables}.",
    "event.second_person_unknown": "Choose whether another person confirms sheets.",
    "call.ruling_missing": "A clause or minutes need the ruling beside them.",
    "call.minutes_out_of_range": "{minutes} minutes cannot be given: 0 to {most}.",
    "call.minutes_not_a_number": "'{value}' is not a number of minutes.",
}

VERBS: Words = {
    "player_checked_in": "checked player {number} in",
    "player_checked_out": "took the check-in of player {number} back",
    "tables_ready": "ticked as ready in round {round}: tables {tables}",
    "tables_not_ready": "took the ready ticks back in round {round}: tables {tables}",
    "second_person_set": "set who confirms signed sheets: {second_person}",
    "sheet_confirmed": "confirmed the sheet of round {round}, table {table}",
    "sheet_rejected": "sent the sheet of round {round}, table {table} back: {reason}",
    "referee_called": "called a referee to round {round}, table {table}",
    "call_answered": "came to the call of round {round}, table {table}",
    "call_closed": "closed the call of round {round}, table {table} ({ruling})",
}
SECOND_PERSON_WORDS: Words = {
    "off": "nobody else",
    "other_person": "another person",
    "blind": "another person, typing blind",
}

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
