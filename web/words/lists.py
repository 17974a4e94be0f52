"""The words about lists that are read, of players, results, seats: what is wrong with a row. It decides nothing."""

from web.words.languages import Words

SENTENCES: Words = {
    "import.file_empty": "The file is empty.",
    "import.file_too_big": (
        "The file is larger than {megabytes} MB. A list for one event is far smaller: save only that sheet."
    ),
    "import.unpacks_too_big": (
        "This workbook unpacks to an unreasonable size (at most {megabytes} MB is read). Copy "
        "the list into a new workbook."
    ),
    "import.sheet_too_long": (
        "A worksheet of this file goes down past row {limit}. Copy the list alone into a new file."
    ),
    "import.too_many_cells": "The workbook holds more than {limit} filled cells. Copy the list alone into a new file.",
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
    "import.csv_broken": "Near row {row} a quotation mark is not closed or stands where it cannot.",
    "import.formula": "Cell {cell} holds a formula. Copy the list and paste it as values only.",
    "import.cell_error": "Cell {cell} shows the error {value}. Mend or empty it.",
    "import.encoding_guessed": (
        "The file does not say how its letters are stored; {encoding} was assumed. Check names with accents."
    ),
    "import.other_worksheets": "The worksheet “{worksheet}” was read; left alone: {others}.",
    "import.no_name_column": "No column of names was found. The columns are: {columns}. Give one the heading “Name”.",
    "import.columns_missing": "These columns are missing: {missing}. The columns found are: {columns}.",
    "import.column_twice": "Column {column} was left out: another column was already taken for {meaning}.",
    "import.no_rows": "Nothing stands below the headings in row {row}.",
    "import.row_too_wide": (
        "Row {row} has {cells} cells under {columns} headings: a name or number with a separator "
        "in it needs quotation marks."
    ),
    "import.name_missing": "Row {row} has no name.",
    "import.name_too_long": "The name in row {row} has {letters} letters; at most {limit} fit.",
    "import.legal_name_too_long": "The legal name in row {row} has {letters} letters; at most {limit} fit.",
    "import.name_controls": "The name in row {row} holds signs that cannot be printed (shown as □): {name}.",
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
    "import.country_unknown": "The country “{given}” in row {row} is not known and is left empty.",
    "import.country_misspelt": (
        "The country “{given}” in row {row} is not known and is left empty. Did you mean {country} ({suggestion})?"
    ),
    "import.club_too_long": "The club in row {row} has {letters} letters; at most {limit} fit.",
    "import.club_controls": "The club in row {row} holds signs that cannot be printed (shown as □): {club}.",
    "import.number_missing": "Row {row} has no {column}.",
    "import.number_unknown": "“{given}” in row {row} is not a whole number ({column}).",
    "import.number_out_of_range": "{given} in row {row} cannot be a {column}: it must lie between {least} and {most}.",
    "import.seats_from_one": "The file counts seats from 1 to {last}; seat 1 was taken for East.",
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
}
