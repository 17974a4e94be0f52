"""The words about a schedule made elsewhere: what is wrong with a file, and what was done with it.

It words what others have decided. `where` names a cell as spreadsheets do, or a place in a JSON file.
"""

from web.words.languages import Words

SENTENCES: Words = {
    # the file
    "schedule.layout_unknown": (
        "No schedule was found in this file. It needs headings such as Round, Table, Seat, Player; or Round, Table, "
        "East, South, West, North; or a row a player and a column a round; or a line “Round 1” above the tables. "
        "The columns are: {columns}."
    ),
    "schedule.no_seats": "There is no seat in this file.",
    "schedule.too_many_seats": "There are more than {limit} seats in this file. Is it the right one?",
    "schedule.json_broken": "This is not JSON that can be read.",
    "schedule.json_shape": "This JSON is no schedule: “rounds” must be a list of rounds of tables of players.",
    "schedule.json_player": "{where}: “{given}” is not the number of a player.",
    "schedule.players_from_zero": "The file numbers players from 0: 0 was taken for player 1.",
    "schedule.tables_from_zero": "The file numbers tables from 0: 0 was taken for table 1.",
    "schedule.no_winds": "The file says no winds: who stands first at a table was taken for East, and so on.",
    "schedule.taken_from_above": (
        "{where} is empty: what stands above it was taken, as in merged cells (cells filled like this: {count})."
    ),
    "schedule.row_left_out": "Row {row} was left out: nobody is seated in it.",
    # single cells
    "schedule.number_missing": "{where}: the {column} is missing.",
    "schedule.number_unknown": "{where}: “{given}” is not the number of a {column}.",
    "schedule.round_zero": "{where}: rounds are numbered from 1.",
    "schedule.wind_unknown": "{where}: “{given}” is no wind. Write East, South, West or North, or the seat from 1.",
    "schedule.wind_missing": "{where}: the wind is missing, or unknown.",
    "schedule.wind_beyond": "{where}: there is no {start_wind} at a table of {size}.",
    "schedule.place_unknown": "{where}: “{given}” is no place. Write the table and the wind, as in 5E.",
    "schedule.cell_date": (
        "{where}: the spreadsheet made a date or an hour of this ({given}). Format the column as text and write it "
        "again, as in 5E."
    ),
    "schedule.nobody": "{where}: nobody is named here.",
    "schedule.table_empty": "{where}: nobody sits at this table.",
    # who is meant
    "schedule.no_such_number": "{where}: there is no player {given}; the list goes up to {last}.",
    "schedule.no_such_name": "{where}: there is no “{name}” in this event.",
    "schedule.name_like": "{where}: there is no “{name}” in this event. Did you mean {suggestion}?",
    "schedule.name_of_several": "{where}: “{name}” may be each of the players {numbers}. Write the number.",
    "schedule.number_of_another": "{where}: {who} does not have number {given}. Is it the name or the number?",
    "schedule.player_left": "{where}: {who} has left the event.",
    # seats among each other
    "schedule.player_twice": "{where}: {who} sits in round {round} already, at table {table} ({first}).",
    "schedule.seat_twice": "{where}: {start_wind} at table {table} in round {round} is taken already ({first}).",
    "schedule.players_at_table": "{where}: round {round}, table {table} has {found} of {size} players.",
    "schedule.table_size": "The tables in this file have {found} players; this event plays with {size}.",
    "schedule.table_gap": "Round {round}: the tables go up to {last}; missing are {missing}.",
    "schedule.tables_wrong_number": "Round {round} has {found} tables; the players of this event fill {needed}.",
    "schedule.players_do_not_fill": (
        "{players} players do not fill tables of {size}: {spare} would be left over. Mend the list of players first."
    ),
    "schedule.rounds_missing": "The file goes up to round {last}; missing are {missing}.",
    "schedule.rounds_too_many": "{where}: the file goes up to round {rounds}; this event has {planned} rounds.",
    "schedule.rounds_too_few": "The file has {rounds} of {planned} rounds: the others stay without seats.",
    "schedule.never_seated": "Without a seat in any round ({count}): {who}.",
    "schedule.missing_in_round": "Round {round}: without a seat ({count}): {who}.",
    "schedule.refused_by_judge": "The schedule cannot be used: {why}",
    # taking it
    "schedule.more_rounds_than_planned": "The schedule has {rounds} rounds; this event has {planned}.",
    "schedule.players_changed": "The list of players changed since the file was looked at: choose the file again.",
}

VERBS: Words = {
    "schedule_taken": "took seats for {players} players in {rounds} rounds from a file, {repeats} repeat meetings",
}

START_WINDS: Words = {"E": "East", "S": "South", "W": "West", "N": "North", "5": "fifth seat"}

LAYOUT_WORDS: dict[str, str] = {
    "seats": "one row a seat",
    "tables": "one row a table",
    "matrix": "one row a player, one column a round",
    "blocks": "the tables below a line for each round",
    "json": "the output of manage.py seat",
}
