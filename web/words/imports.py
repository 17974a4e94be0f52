"""The words about files that are taken: what is wrong with one, what columns mean, what was done and taken back.

It words what others have decided.
"""

from web.words.languages import Words

SENTENCES: Words = {
    "import.points_in_thousands": "The points are written in thousands: 34.1 was taken for 34,100.",
    "import.cell_is_date": (
        "The spreadsheet made a date of the {column} in row {row} ({given}). Format the column as text or number and "
        "write it again."
    ),
    "import.line_too_long": (
        "One line of this file is longer than {limit} bytes: it is no list with one row a line. Is it the right file?"
    ),
    "import.cell_too_long": "A cell of this workbook holds more text than a list needs. Copy the list to a new file.",
    "import.hidden_worksheets": "Hidden worksheets were left alone: {names}.",
    "import.penalty_signs": "Some points have a minus, others none: all of them were taken for points off.",
    "import.penalty_no_reasons": "There is no column of reasons: “{reason}” will stand in the register.",
    "import.penalty_cancelled": "Row {row} is left out: the penalty was cancelled.",
    "import.remarks_left_out": (
        "{count} rows carry a remark, which is left out (row {row}: {given}). Where a substitute played or somebody is "
        "not ranked, say so here afterwards."
    ),
    "import.penalty_twice": "Row {row} says the same as row {other_row}. Are they two penalties?",
    "import.reason_missing": "Row {row} has no reason: every penalty needs one.",
    "import.reason_too_long": "The reason in row {row} has {letters} letters; at most {limit} fit.",
    "import.reason_controls": "The reason in row {row} holds signs that cannot be printed (shown as □): {reason}.",
    "import.no_such_round": "Row {row}: this event has no round {round}.",
    "import.file_taken_already": "This very file was taken already ({file}). Take it back first to take it again.",
    "import.event_changed": "The event changed since the file was looked at: choose the file again.",
    "import.no_such": "No such import is known.",
    "import.back_reason": "To take an import back needs a reason, which stays in the trail.",
    "import.seats_replaced": "These seats are no longer there: another draw took their place.",
    "import.too_old": "This was taken before imports could be taken back: reopen and correct its tables one by one.",
    "import.table_moved_on": "Round {round}, table {table} was changed since: correct it there.",
    "import.table_signed": "Round {round}, table {table} is signed: reopen it first.",
    "import.round_released": "Round {round} was released since, and players saw it: correct its tables one by one.",
    "results.table_size": "The file has {given} players at a table; the rules {title} want {players}.",
    "results.table_numbers": "The tables of round {round} are not numbered from 1 on without a gap: {tables}.",
    "results.table_sum": (
        "Round {round}, table {table}: the points sum to {total} and must make {wanted}; what is missing can only be "
        "deposits of {deposit} that nobody got."
    ),
    "results.not_seated": "Row {row}: {name} has no seat in round “{round}” of this event.",
    "results.no_such_round": "This event has no round {round}.",
    "results.no_such_table": "Round {round} of this event has no table {table}.",
    "results.other_seats": "Round {round}, table {table}: others sit there, in this order from East: {seated}.",
    "results.table_has_hands": "Round {round}, table {table}: something else is entered there already.",
    "game.no_entries": "This is no log of a game: it needs “entries”, a list of hands.",
    "game.empty": "There is no hand in this log.",
    "game.several": "This file holds {count} games, one a line. Keep the line of this table's game alone.",
    "game.other_start": "The log starts with {start} points; this event with {wanted}.",
    "game.other_rules": "The log was played by {rules}, this event by {own}: its hands were judged by the latter.",
    "game.left_out": "The log says more than its hands, which was left out: {keys}.",
    "game.not_over": "The game of this log is not over by these rules: time may have ended it.",
    "game.totals": "This is no hand but final scores: enter them as the table's sheet.",
}

VERBS: Words = {
    "players_imported": "took players {numbers} from the file {file}",
    "results_imported": "imported results from the file {file}",
    "results_taken": "took results of tables from the file {file}",
    "penalties_imported": "took penalties from the file {file}",
    "game_imported": "took {hands} hands of round {round}, table {table} from the file {file}",
    "import_taken_back": "took back what came from the file {file}: {reason}",
    "rounds_hidden": "took the results of rounds {rounds} out of the public pages",
}

COLUMNS: Words = {
    "round": "round",
    "table": "table",
    "seat": "seat",
    "player": "player",
    "points": "points",
    "reason": "reason",
    "clause": "rule",
    "cancelled": "cancelled",
    "number": "player's number",
    "wind0": "player in East",
    "wind1": "player in South",
    "wind2": "player in West",
    "wind3": "player in North",
}

KIND_WORDS: Words = {
    "players": "Players",
    "seats": "Seats",
    "results": "Results",
    "penalties": "Penalties",
    "game": "Game",
}
