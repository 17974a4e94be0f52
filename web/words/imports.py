"""Words for files and backups: faults of lists and schedules, meanings of columns, acts of imports.

In sentences about schedules `where` names a cell as spreadsheets do, or a place in a JSON file.
"""

from web.words.languages import Words

START_WINDS: Words = {"E": "East", "S": "South", "W": "West", "N": "North", "5": "fifth seat"}

LAYOUT_WORDS: dict[str, str] = {
    "seats": "one row a seat",
    "tables": "one row a table",
    "matrix": "one row a player, one column a round",
    "blocks": "the tables below a line for each round",
    "json": "the output of manage.py seat",
}


SENTENCES: Words = {
    "import.points_in_thousands": "The points are written in thousands: 34.1 was read as 34,100.",
    "import.cell_is_date": (
        "The spreadsheet made a date of the {column} in row {row} ({given}). Format the column as text or number and "
        "write it again."
    ),
    "import.line_too_long": (
        "One line of this file is longer than {limit} bytes: it is not a list with one row per line. Is it the right "
        "file?"
    ),
    "import.cell_too_long": "A cell of this workbook holds more text than a list needs. Copy the list to a new file.",
    "import.hidden_worksheets": "Hidden worksheets were not read: {names}.",
    "import.penalty_signs": "Some points have a minus, others none: all of them were read as points off.",
    "import.penalty_no_reasons": "There is no column of reasons: “{reason}” goes into the register.",
    "import.penalty_cancelled": "Row {row} is left out: the penalty was cancelled.",
    "import.remarks_left_out": (
        "{count} rows carry a remark, which is left out (row {row}: {given}). Where a substitute played or somebody is "
        "not ranked, say so here afterwards."
    ),
    "import.penalty_twice": "Row {row} says the same as row {other_row}. Are they two penalties?",
    "import.reason_missing": "Row {row} has no reason: every penalty needs one.",
    "import.reason_too_long": "The reason in row {row} has {letters} letters; at most {limit} fit.",
    "import.reason_controls": "The reason in row {row} has characters that cannot be printed (shown as □): {reason}.",
    "import.no_such_round": "Row {row}: this event has no round {round}.",
    "import.file_taken_already": "This file was already imported ({file}). Take it back first to import it again.",
    "import.event_changed": "The event changed since the preview: choose the file again.",
    "import.no_such": "No such import is known.",
    "import.back_reason": "To take an import back needs a reason, which stays in the trail.",
    "import.seats_replaced": "These seats are no longer there: another draw took their place.",
    "import.too_old": "This was imported before imports could be taken back: reopen and correct its tables one by one.",
    "import.table_moved_on": "Round {round}, table {table} was changed since: correct it there.",
    "import.table_signed": "Round {round}, table {table} is signed: reopen it first.",
    "import.round_released": "Round {round} was released since, and players saw it: correct its tables one by one.",
    "results.table_size": "The file has {given} players at a table; the rules {title} want {players}.",
    "results.table_numbers": "The tables of round {round} are not numbered from 1 on without a gap: {tables}.",
    "results.table_sum": (
        "Round {round}, table {table}: the points sum to {total} and must make {wanted}; what is missing can only be "
        "riichi sticks of {deposit} that nobody won."
    ),
    "results.engine_unreadable": "This file of the Mahjong Tournament Engine cannot be read.",
    "results.engine_version": (
        "Open this file in the Mahjong Tournament Engine and save it again: version {known} is needed."
    ),
    "results.engine_unplayed": "No game of this file is finished.",
    "results.engine_penalties": "Penalties in the file were not read ({count}): give them here.",
    "results.not_seated": "Row {row}: {name} has no seat in round “{round}” of this event.",
    "results.no_such_round": "This event has no round {round}.",
    "results.no_such_table": "Round {round} of this event has no table {table}.",
    "results.other_seats": "Round {round}, table {table}: others sit there, in this order from East: {seated}.",
    "results.table_has_hands": "Round {round}, table {table}: something else is entered there already.",
    "game.no_entries": "This is not a log of a game: it needs “entries”, a list of hands.",
    "game.empty": "There is no hand in this log.",
    "game.several": "This file holds {count} games, one per line. Keep only the line of this table's game.",
    "game.other_start": "The log starts with {start} points; this event with {wanted}.",
    "game.other_rules": "The log was played by {rules}, this event by {own}: its hands were judged by the latter.",
    "game.left_out": "The log says more than its hands, which was left out: {keys}.",
    "game.not_over": "The game of this log is not over by these rules: time may have ended it.",
    "game.totals": "These are final scores, not a hand: enter them as the table's sheet.",
    "import.file_empty": "The file is empty.",
    "log.unknown": "This is not a log of Tenhou (JSON or mjlog) or mjai.",
    "log.zip_broken": "This packed file is broken. Pack it again, or import the logs one by one.",
    "log.too_many": "At most {most} logs and {megabytes} MB unpacked fit in one file.",
    "log.hand_unreadable": "Hand {number} of the log cannot be read.",
    "log.players": "{players} players in the log; {wanted} in this event.",
    "log.no_names": "The log does not name its players: import it at its table.",
    "log.unknown_names": "Not found among the players: {people}. Add a line to the aliases.",
    "log.name_twice": "Two names in the log mean the same player.",
    "log.no_table": "These players have no empty table together in a published round.",
    "log.seats_follow": "The players change seats at this table: the log says who was East.",
    "log.taken_already": "This game was already imported ({file}). Take that import back first.",
    "log.twice": "This game appears twice: see {file}.",
    "log.over": "The game is already over here, but the log goes on.",
    "log.other_hand": (
        "The log is at {log_wind} {log_kyoku}, honba {log_honba}; by these rules it is {desk_wind} {desk_kyoku}, honba "
        "{desk_honba}."
    ),
    "log.other_sticks": "The log has {log} riichi sticks on the table, these rules {desk}.",
    "log.other_scores": "After this hand the log has {log}; by these rules it is {desk}.",
    "log.alias_line": "Aliases, line {line}: “{given}” is not a name in the log and a player, with a comma between.",
    "log.aliases_too_many": "At most {most} aliases.",
    "import.file_too_big": (
        "The file is larger than {megabytes} MB. A list for one event is far smaller: save only that sheet."
    ),
    "import.unpacks_too_big": (
        "This workbook unpacks to an unreasonable size (at most {megabytes} MB is read). Copy "
        "the list into a new workbook."
    ),
    "import.sheet_too_long": (
        "A worksheet of this file goes down past row {limit}. Copy only the list into a new file."
    ),
    "import.too_many_cells": "The workbook holds more than {limit} filled cells. Copy only the list into a new file.",
    "import.too_many_rows": "There are more than {limit} rows. Is this the right file?",
    "import.too_many_columns": "Row {row} has more than {limit} columns. Is this the right file?",
    "import.macros": "Workbooks with macros are not opened. Save it as .xlsx (without macros) or as csv.",
    "import.old_workbook": "This is an old Excel file (.xls). Save it as .xlsx or as csv.",
    "import.password": "This workbook has a password or is an old Excel file. Save it without a password as .xlsx.",
    "import.other_spreadsheet": (
        "This is another program's spreadsheet (ods, xlsb, Numbers). Save it as .xlsx or as csv."
    ),
    "import.not_workbook": "This is a zip file, but not an Excel workbook.",
    "import.workbook_damaged": (
        "This workbook is damaged or cut off. Open it in a spreadsheet program and save it again as .xlsx."
    ),
    "import.not_table": "This is not a table (a PDF, a picture or a web page). Save the list as .xlsx or csv.",
    "import.not_text": (
        "This file is neither an Excel workbook nor text in a known encoding. Save it as .xlsx or as csv in UTF-8."
    ),
    "import.csv_broken": "Near row {row} a quotation mark is not closed or is in a wrong place.",
    "import.formula": "Cell {cell} holds a formula. Copy the list and paste it as values only.",
    "import.cell_error": "Cell {cell} shows the error {value}. Correct or empty it.",
    "import.encoding_guessed": (
        "The file does not say how its letters are stored; {encoding} was assumed. Check names with accents."
    ),
    "import.other_worksheets": "The worksheet “{worksheet}” was read; not read: {others}.",
    "import.no_name_column": "No column of names was found. The columns are: {columns}. Give one the heading “Name”.",
    "import.columns_missing": "These columns are missing: {missing}. The columns found are: {columns}.",
    "import.column_twice": "Column {column} was left out: another column is already read as {meaning}.",
    "import.no_rows": "There is nothing below the headings in row {row}.",
    "import.row_too_wide": (
        "Row {row} has {cells} cells under {columns} headings: a name or number with a separator "
        "in it needs quotation marks."
    ),
    "import.name_missing": "Row {row} has no name.",
    "import.name_too_long": "The name in row {row} has {letters} letters; at most {limit} fit.",
    "import.legal_name_too_long": "The legal name in row {row} has {letters} letters; at most {limit} fit.",
    "import.name_controls": "The name in row {row} has characters that cannot be printed (shown as □): {name}.",
    "import.name_garbled": "“{name}” in row {row} looks wrongly decoded. Is it “{suggestion}”?",
    "import.name_letters_lost": "“{name}” in row {row} has lost letters (�).",
    "import.name_no_letter": "“{name}” in row {row} has no letter. Is this the right column?",
    "import.name_twice": (
        "“{name}” in row {row} is already in row {other_row}. If they are two people, make the names different."
    ),
    "import.name_exists": "“{name}” in row {row} is already in this event as “{existing}”.",
    "import.name_similar": "“{name}” in row {row} is very like “{other}” in row {other_row}. Are they two people?",
    "import.name_like_existing": (
        "“{name}” in row {row} is very like “{existing}”, who is in this event. Are they two people?"
    ),
    "import.ema_number_zero_restored": (
        "EMA number {given} in row {row} has seven digits; the leading zero was put back: {number}."
    ),
    "import.ema_number_short": "EMA number “{given}” in row {row} has {digits} digits instead of 8.",
    "import.ema_number_long": "EMA number “{given}” in row {row} has {digits} digits instead of 8.",
    "import.ema_number_not_digits": "“{given}” in row {row} is not an EMA number: it needs eight digits.",
    "import.ema_number_twice": "EMA number {number} in row {row} already belongs to “{other}” in row {other_row}.",
    "import.country_missing": (
        "{count} without a country (rows {rows}). They can be imported: add the country on the player’s page before "
        "the results go to EMA."
    ),
    "import.country_unknown": "The country “{given}” in row {row} is not known and is left empty.",
    "import.country_misspelt": (
        "The country “{given}” in row {row} is not known and is left empty. Did you mean {country} ({suggestion})?"
    ),
    "import.club_too_long": "The club in row {row} has {letters} letters; at most {limit} fit.",
    "import.club_controls": "The club in row {row} has characters that cannot be printed (shown as □): {club}.",
    "import.number_missing": "Row {row} has no {column}.",
    "import.number_unknown": "“{given}” in row {row} is not a whole number ({column}).",
    "import.past_unreadable": "Row {row}: “{given}” is not {column}.",
    "import.number_out_of_range": "{given} in row {row} cannot be a {column}: it must lie between {least} and {most}.",
    "import.seats_from_one": "The file counts seats from 1 to {last}; seat 1 was read as East.",
    "import.rounds_missing": "The file goes up to round {last}, but these rounds are missing: {missing}.",
    "import.tables_missing": "Round {round} has {tables} tables; most rounds have {usual}.",
    "import.table_sizes_mixed": (
        "Round {round}, table {table} has {size} players, most tables have {usual} ({count} differ). Is a line missing?"
    ),
    "import.seat_missing": "Round {round}, table {table}: nobody sits at {seat}.",
    "import.seat_twice": "Row {row}: {seat} at round {round}, table {table} is already taken by row {other_row}.",
    "import.seat_unknown": "Row {row}: round {round}, table {table} has {usual} seats; there is no {seat}.",
    "import.player_twice_in_round": (
        "“{name}” in row {row} already plays in round {round}, at table {table} (row {other_row})."
    ),
    "import.player_two_spellings": (
        "“{name}” in row {row} and “{other}” in row {other_row} are one name in two spellings. Write it one way."
    ),
    "import.table_sum_differs": "Round {round}, table {table} adds up to {sum}; most tables to {usual}.",
    # the file
    "schedule.layout_unknown": (
        "No schedule was found in this file. It needs headings such as Round, Table, Seat, Player; or Round, Table, "
        "East, South, West, North; or one row per player and one column per round; or a line “Round 1” above the "
        "tables. "
        "The columns are: {columns}."
    ),
    "schedule.no_seats": "There is no seat in this file.",
    "schedule.too_many_seats": "There are more than {limit} seats in this file. Is it the right one?",
    "schedule.json_broken": "This is not JSON that can be read.",
    "schedule.json_shape": "This JSON is not a schedule: “rounds” must be a list of rounds of tables of players.",
    "schedule.json_player": "{where}: “{given}” is not the number of a player.",
    "schedule.players_from_zero": "The file numbers players from 0: 0 was read as player 1.",
    "schedule.tables_from_zero": "The file numbers tables from 0: 0 was read as table 1.",
    "schedule.no_winds": "The file says no winds: the first player at a table was read as East, and so on.",
    "schedule.taken_from_above": (
        "{where} is empty: the value above it was used, as in merged cells (cells filled like this: {count})."
    ),
    "schedule.row_left_out": "Row {row} was left out: nobody is seated in it.",
    # single cells
    "schedule.number_missing": "{where}: the {column} is missing.",
    "schedule.number_unknown": "{where}: “{given}” is not the number of a {column}.",
    "schedule.round_zero": "{where}: rounds are numbered from 1.",
    "schedule.wind_unknown": "{where}: “{given}” is not a wind. Write East, South, West or North, or the seat from 1.",
    "schedule.wind_missing": "{where}: the wind is missing, or unknown.",
    "schedule.wind_beyond": "{where}: there is no {start_wind} at a table of {size}.",
    "schedule.place_unknown": "{where}: “{given}” is not a seat. Write the table and the wind, as in 5E.",
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
        "{players} players do not fill tables of {size}: {spare} would be left over. Correct the list of players first."
    ),
    "schedule.rounds_missing": "The file goes up to round {last}; missing are {missing}.",
    "schedule.rounds_too_many": "{where}: the file goes up to round {rounds}; this event has {planned} rounds.",
    "schedule.rounds_too_few": "The file has {rounds} of {planned} rounds: the others stay without seats.",
    "schedule.never_seated": "Without a seat in any round ({count}): {who}.",
    "schedule.missing_in_round": "Round {round}: without a seat ({count}): {who}.",
    "schedule.refused_by_judge": "The schedule cannot be used: {why}",
    # taking it
    "schedule.more_rounds_than_planned": "The schedule has {rounds} rounds; this event has {planned}.",
    "schedule.players_changed": "The list of players changed since the preview: choose the file again.",
    "ema.sanma": "This is a game for {players}. EMA ranks riichi for four only: no list takes these results.",
    "ema.other_rules": "The event was played by the rules “{rules}”, not by EMA's own book.",
    "ema.host_missing": "The country where it was played is missing.",
    "ema.host_unknown": "“{given}” is not a country code: three letters, such as DEU or GBR.",
    "ema.place_missing": "The town is missing.",
    "ema.days": "{days} days: an event has at least one.",
    "ema.rounds": "{rounds} of {planned} rounds are counted: what is held or not released is not in the file.",
    "ema.number_missing": "No EMA number: {people}. They are listed, and the result counts for no ranking.",
    "ema.number_invalid": "{who}: “{number}” is not an EMA number, which has {digits} digits.",
    "ema.number_federation": "No federation that this desk knows gives EMA numbers that begin with {start}: {people}.",
    "ema.number_country": "{who}: number {number} is from {home}, the country given is {country}.",
    "ema.number_twice": "EMA number {number} belongs to more than one player: {people}.",
    "ema.country_missing": "No country: {people}.",
    "ema.country_unknown": "{who}: “{given}” is not a country code: three letters, such as DEU or GBR.",
    "ema.name_half": "EMA wants a first and a last name: {people}. Enter the full name with the player; here it stays"
    " as it is.",
    "ema.name_twice": "{times} players are called {who}.",
    "ema.place_gap": "Place {place} follows where place {expected} should be.",
    "ema.shared": "Place {place} is shared: {people}. EMA prints running places, and all of them get the base rank of"
    " the better one.",
    "ema.shared_unlike": "Place {place} is shared with unlike totals: {people}.",
    "ema.order": "{who} has more points than {ahead} and is ranked behind.",
    "ema.cut": "A cut took points, so that the results of the rounds do not add up to the total: {people}.",
    "ema.total": "{who}: the total is {total}; results less penalties are {wanted}.",
    "ema.games": "Not all {rounds} rounds played: {people}.",
    "ema.nobody": "There are no results yet.",
    "ema.few_players": "{count} players only: ask your federation whether that is enough for the list.",
    "ema.few_countries": "All players are from one country ({country}).",
    "ema.left_out": "Played and have no place: {people}. EMA counts up to {limit} substitutes among the players; they"
    " are not in the file.",
    "ema.disqualified": "Disqualified, and not in the file: {people}.",
    # making them
    "backup.folder_missing": (
        "The folder {folder} is not there. If it is a USB stick: is it plugged in? The other backups go on."
    ),
    "backup.same_disk": (
        "The folder {folder} is on the same disk as the desk's data: when that disk breaks both are gone. "
        "Is the USB stick plugged in?"
    ),
    "backup.no_space": (
        "There is no space left for a backup in {folder}. Make room; the desk tries again automatically."
    ),
    "backup.failed": ("{folder} cannot be used: {why}."),
    "backup.event_file": ("The file of an event after its round cannot be written to {folder}: {why}."),
    "backup.no_program": ("{program} is not on this computer; it comes with PostgreSQL's client programs."),
    "backup.program_failed": ("{program} has failed: {why}"),
    "backup.database_damaged": ("The database itself is damaged: SQLite finds faults in it. Keep the older backups."),
    "backup.chains_broken": (
        "The backup is made, but the record in it is broken in {count} places: `manage.py verify_ledger` names them. "
        "Keep the older backups."
    ),
    # putting one back
    "backup.unreadable": ("{file} cannot be read: {why}."),
    "backup.no_backup": ("{file} is not a backup of Hanchan Desk."),
    "backup.cut_short": ("{file} is cut short: its end is missing. Nothing was changed; take another backup."),
    "backup.damaged": ("{file} is damaged: it is not as it was written. Nothing was changed; take another backup."),
    "backup.newer": (
        "{file} was made by a newer Hanchan Desk than this one. Nothing was changed; update this one first."
    ),
    "backup.key_needed": ("{file} is encrypted: give its key with --key or HANCHAN_BACKUP_KEY."),
    "backup.unsealed": (
        "{file} is not sealed, and this desk has a key for its backups. Anybody who can write to the folder can have "
        "made it, with results and accounts of their own. If you know where it comes from, add --unsealed."
    ),
    "backup.wrong_key": ("{file} does not open with this key. Nothing was changed."),
    "backup.other_database": (
        "This is a backup of {given}, and this desk uses {here}. Nothing was changed; "
        "events move between them with export_event and import_event."
    ),
    "backup.desk_running": (
        "The desk is running on this database. Stop it first (Ctrl-C in its window), then try again. "
        "Nothing was changed."
    ),
    "backup.not_sound": ("The backup does not prove itself: {why} Nothing was changed."),
    "backup.none_sound": ("There is no sound backup in {folder}."),
    "backup.into_postgresql": ("--into is for SQLite; with PostgreSQL the database is the one of DATABASE_URL."),
    "clock.set_back": (
        "The clock of this computer went back: the last entry is of {latest}, which is in the future. Nothing is "
        "lost and the order of the hands holds, but the round's clock shows too much time. Set the computer's clock "
        "right."
    ),
    # the database takes nothing
    "storage.full": (
        "The disk of the desk is full: this was not written. Make room on it, then send it again; nothing else is lost."
    ),
    "storage.replaced": (
        "The database's files were moved or deleted while the desk runs: nothing more is written. Stop the desk, keep "
        "the data folder as it is, then start it again; where hands are missing, restore the newest backup."
    ),
    "storage.away": ("The database does not answer: this was not written. Wait a moment, then send it again."),
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
