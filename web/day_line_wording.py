"""The words about check-in, ready ticks, a second person's word on a sheet, and referee calls. It decides nothing."""

from web.languages import Words

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
SECOND_PERSON_WORDS: dict[str, str] = {
    "off": "nobody",
    "other_person": "another person",
    "blind": "another person, typing blind",
}
