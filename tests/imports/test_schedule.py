"""Schedules made elsewhere: every layout that people have is read, and every fault is named with its cell."""

import datetime as dt
import io
import json
from collections.abc import Callable

import pytest
from openpyxl import Workbook

from scoring.problems import Problem
from tests.imports.lists import read_schedule
from tests.imports.schedule_files import (
    BLOCKS,
    NAMES,
    NOT_READ,
    ROUNDS,
    WRITERS,
    as_csv,
    as_matrix,
    as_seats,
    as_tables,
    players,
)
from tests.table_test import tabled
from tournament.imports.files import read_sheet
from tournament.imports.schedules import SchedulePreview, understand_schedule
from tournament.tables.rows import Entrant


def read(content: str | bytes, *, name: str = "s.csv", size: int = 4, planned: int = 2, **other) -> SchedulePreview:
    data = content if isinstance(content, bytes) else content.encode()
    return read_schedule(data, name, entrants=other.get("entrants", players(8)), table_size=size, planned=planned)


def said(preview: SchedulePreview) -> list[tuple[str, str]]:
    """Return (code, where or "") of all problems."""
    return [(problem.code, str(problem.params.get("where", ""))) for problem in preview.all_problems]


def tables(*lines: str, planned: int = 1, **other) -> SchedulePreview:
    return read("Round,Table,East,South,West,North\n" + "\n".join(lines) + "\n", planned=planned, **other)


def one_round(*lines: str) -> list[tuple[str, str]]:
    return said(tables(*lines))


# ---------------------------------------------------------------- layouts


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("by_name", [False, True], ids=["numbers", "names"])
def test_every_layout_gives_the_same_rounds(write: Callable, by_name: bool):
    preview = read(as_csv(write(ROUNDS, NAMES if by_name else None)))
    assert (preview.rounds, preview.problems) == (ROUNDS, ())
    assert {row.problems for row in preview.rows} == {()}


@pytest.mark.parametrize(
    ("header", "winds"),
    [
        ("Round,Table,Seat,Player", "E S W N"),
        ("Runde,Tisch,Wind,Spieler", "Ost Süd West Nord"),
        ("Runde,Tisch,Platz,Spielername", "O S W N"),
        ("Tour,Table,Vent,Joueur", "Est Sud Ouest Nord"),
        ("Manche,Table,Siège,Nom", "E S O N"),
        ("回戦,卓,席,選手", "東 南 西 北"),
        ("Session,Table no,Start wind,Player name", "1 2 3 4"),
        ("Rnd,Tbl,Seat,Palyer", "0 1 2 3"),
        ("Rnd,Tbl,Seat,No.", "east SOUTH West north"),
    ],
)
def test_one_row_a_seat_in_the_words_of_many(header: str, winds: str):
    rows = as_seats(ROUNDS, None, winds=winds.split())
    preview = read(as_csv([header.split(","), *rows[1:]]))
    assert (preview.layout, preview.rounds, preview.problems) == ("seats", ROUNDS, ())


@pytest.mark.parametrize(
    "header",
    [
        "Round,Table,East,South,West,North",
        "Runde,Tisch,Ost,Süd,West,Nord",
        "Runde,Tisch,O,S,W,N",
        "Tour,Table,Est,Sud,Ouest,Nord",
        "Tour,Table,E,S,O,N",
        "ラウンド,卓,東,南,西,北",
        "Round,Table,Player 1,Player 2,Player 3,Player 4",
        "Round,Table,1,2,3,4",
    ],
)
def test_one_row_a_table_in_the_words_of_many(header: str):
    preview = read(as_csv([header.split(","), *as_tables(ROUNDS, None)[1:]]))
    assert (preview.layout, preview.rounds, preview.problems) == ("tables", ROUNDS, ())


@tabled(
    "cell",
    [
        *("{t}{e}", "{t} {e}", "{e}{t}", "{t}-{n}", "{t}/{n}", "{t} {j}", "{j}{t}", "{t}卓{j}"),
        *("Table {t}, {long}", "T{t} ({e})", "Tisch {t}: {e}", "{long} {t}"),
    ],
)
def test_a_place_in_one_cell(cell: str):
    preview = read(as_csv(as_matrix(ROUNDS, None, cell=cell), delimiter=";"))
    assert (preview.layout, preview.rounds, preview.problems) == ("matrix", ROUNDS, ())


@pytest.mark.parametrize(
    "heading", ["Round {n}", "R{n}", "{n}. Runde", "Manche {n}", "第{n}回戦", "{n}", "{n}回戦", "Hanchan {n}"]
)
def test_columns_of_rounds_in_the_words_of_many(heading: str):
    rows = as_matrix(ROUNDS, NAMES)
    header = ["Player", *(heading.format(n=number) for number in (1, 2))]
    assert read(as_csv([header, *rows[1:]])).rounds == ROUNDS


@pytest.mark.parametrize("text", BLOCKS.values(), ids=BLOCKS)
def test_blocks_of_rounds(text: str):
    preview = read(text)
    assert (preview.layout, preview.rounds, preview.problems) == ("blocks", ROUNDS, ())


@pytest.mark.parametrize("text", NOT_READ.values(), ids=NOT_READ)
def test_a_layout_that_is_not_read_is_refused_in_words(text: str):
    preview = read(text)
    assert (preview.layout, preview.rounds) == (None, ())
    assert [problem.code for problem in preview.problems] == ["schedule.layout_unknown"]


def test_headings_in_another_order_further_down_are_followed():
    text = (
        "Round,Table,East,South,West,North\n1,1,1,2,3,4\n1,2,5,6,7,8\nRound,Table,N,W,S,E\n2,1,2,8,1,5\n2,2,4,7,3,6\n"
    )
    assert read(text).rounds == ROUNDS


def test_three_at_a_table():
    rounds = (((1, 2, 3), (4, 5, 6)),)
    for write in WRITERS.values():
        preview = read(as_csv(write(rounds, None)), size=3, planned=1, entrants=players(6))
        assert (preview.rounds, preview.problems) == (rounds, ())


def test_what_the_seat_command_prints():
    rounds = [[[player - 1 for player in table] for table in row] for row in ROUNDS]
    preview = read(json.dumps({"players": 8, "rounds": rounds, "report": {"seconds": 0.5}}), name="s.json")
    assert (preview.layout, preview.rounds, preview.problems) == ("tables", ROUNDS, ())


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("{", [("schedule.json_broken", "")]),
        ('{"rounds": 3}', [("schedule.json_shape", "")]),
        ('{"rounds": [[[0, 1, 2, "x"], [4, 5, 6, 7]]]}', [("schedule.json_shape", "")]),
        ('{"rounds": [[[0, 1, 2, 9], [4, 5, 6, 7]]]}', [
            ("schedule.never_seated", ""), ("schedule.no_such_number", "F2"),
        ]),
    ],
)  # fmt: skip
def test_json_that_is_none_or_wrong(text: str, problems: list[tuple[str, str]]):
    assert said(read(text, name="s.json", planned=1)) == problems


# ---------------------------------------------------------------- workbooks as they come


def test_merged_rounds_titles_and_a_second_sheet():
    book = Workbook()
    book.worksheets[0].append(["Welcome"])
    sheet = book.create_sheet("Seats")
    sheet["A1"] = "Spring Cup"
    sheet.merge_cells("A1:F1")
    sheet.append(["Runde", "Tisch", "Ost", "Süd", "West", "Nord"])
    for round_, drawn in enumerate(ROUNDS, start=1):
        for table, seated in enumerate(drawn, start=1):
            sheet.append([round_ if table == 1 else None, table, *seated])
    sheet.merge_cells("A3:A4")
    sheet.merge_cells("A5:A6")
    file = io.BytesIO()
    book.save(file)
    preview = read(file.getvalue(), name="seats.xlsx")
    assert preview.rounds == ROUNDS
    assert preview.problems == (
        Problem("import.other_worksheets", {"worksheet": "Seats", "others": "Sheet"}, "warning"),
        Problem("schedule.taken_from_above", {"where": "A4", "count": 2}, "warning"),
    )


def test_a_place_that_excel_made_a_date_of(make_xlsx):
    rows = as_matrix(ROUNDS, NAMES, cell="{t}-{n}")
    rows[2][1] = dt.datetime(2026, 1, 2)  # noqa: DTZ001  (a spreadsheet's dates have no zone)
    preview = read(make_xlsx(rows), name="s.xlsx")
    assert ("schedule.cell_date", "B3") in said(preview)
    assert preview.rounds == ()


def test_formulas_are_refused(make_xlsx):
    preview = read(make_xlsx([["Round", "Table", "E", "S", "W", "N"], [1, 1, "=1+1", 2, 3, 4]]), name="s.xlsx")
    assert preview.problems == (Problem("import.formula", {"cell": "C2"}),)


# ---------------------------------------------------------------- who is meant


@pytest.mark.parametrize(
    "text", ["1", "No. 1", "#1", "Player 1", "1.0", "Ada Moss", "ada moss", "MOSS Ada", "1 Ada Moss", "Ada Moss (1)"]
)
def test_ways_to_write_a_player(text: str):
    assert tables(f"1,1,{text},2,3,4", "1,2,5,6,7,8").rounds == (((1, 2, 3, 4), (5, 6, 7, 8)),)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Ada Mos", Problem("schedule.name_like", {"where": "C2", "name": "Ada Mos", "suggestion": "Ada Moss (1)"})),
        ("Zora Quint", Problem("schedule.no_such_name", {"where": "C2", "name": "Zora Quint"})),
        ("31", Problem("schedule.no_such_number", {"where": "C2", "given": 31, "last": 8})),
        ("7 Ada Moss", Problem("schedule.number_of_another", {"where": "C2", "given": 7, "who": "Ada Moss (1)"})),
    ],
)
def test_somebody_who_is_not_there(text: str, problem):
    preview = tables(f"1,1,{text},2,3,4", "1,2,5,6,7,8")
    assert preview.rows[0].problems == (problem,)
    assert preview.rounds == ()


def test_a_number_beside_a_name_must_be_theirs():
    rows = as_matrix(ROUNDS, NAMES, numbered=True)
    assert read(as_csv(rows)).rounds == ROUNDS
    rows[1][0], rows[2][0] = rows[2][0], rows[1][0]
    assert said(read(as_csv(rows)))[0] == ("schedule.number_of_another", "C2")


def test_a_name_that_may_be_two_people():
    entrants = [*players(7), Entrant(8, "Moss Ada")]
    exact = tables("1,1,Ada Moss,2,3,4", "1,2,5,6,7,Moss Ada", entrants=entrants)
    either = tables("1,1,Ada  MÖSS,2,3,4", "1,2,5,6,7,8", entrants=entrants)
    assert exact.rounds == (((1, 2, 3, 4), (5, 6, 7, 8)),)
    assert either.rows[0].problems == (
        Problem("schedule.name_of_several", {"where": "C2", "name": "Ada MÖSS", "numbers": (1, 8)}),
    )


def test_who_has_left_is_not_seated():
    entrants = [*players(8), Entrant(9, "Zora", left=True)]
    assert tables("1,1,1,2,3,4", "1,2,5,6,7,8", entrants=entrants).is_sound
    assert said(tables("1,1,1,2,3,4", "1,2,5,6,7,Zora", entrants=entrants)) == [
        ("schedule.never_seated", ""), ("schedule.player_left", "F3"),
    ]  # fmt: skip


def test_numbers_from_zero_are_understood_and_said():
    preview = tables("1,0,0,1,2,3", "1,1,4,5,6,7")
    assert preview.rounds == (((1, 2, 3, 4), (5, 6, 7, 8)),)
    assert said(preview) == [("schedule.players_from_zero", ""), ("schedule.tables_from_zero", "")]


# ---------------------------------------------------------------- faults among seats


@pytest.mark.parametrize(
    ("lines", "problems"),
    [
        (("1,1,1,2,3,4", "1,2,5,6,7,1"), [("schedule.never_seated", ""), ("schedule.player_twice", "F3")]),
        (("1,1,1,2,3,", "1,2,5,6,7,8"), [("schedule.never_seated", ""), ("schedule.players_at_table", "C2")]),
        (("1,1,1,2,3,4", "1,3,5,6,7,8"), [("schedule.table_gap", "")]),
        (("1,1,1,2,3,4",), [("schedule.tables_wrong_number", ""), ("schedule.never_seated", "")]),
        (("1,1,1,2,3,4", "1,1,5,6,7,8"), [
            ("schedule.tables_wrong_number", ""), *[("schedule.seat_twice", f"{column}3") for column in "CDEF"],
        ]),
        (("2,1,1,2,3,4", "2,2,5,6,7,8"), [("schedule.rounds_missing", ""), ("schedule.rounds_too_many", "C2")]),
        (("0,1,1,2,3,4", "0,2,5,6,7,8"), [
            ("schedule.round_zero", "C2"), ("schedule.round_zero", "C3"),
        ]),
        (("1,A,1,2,3,4", "1,2,5,6,7,8"), [
            ("schedule.table_gap", ""), ("schedule.never_seated", ""), ("schedule.number_unknown", "B2"),
        ]),
        (("1,1,,,,", "1,2,5,6,7,8"), [
            ("schedule.table_gap", ""), ("schedule.never_seated", ""), ("schedule.table_empty", "B2"),
        ]),
    ],
)  # fmt: skip
def test_faults_are_named_with_their_cell(lines: tuple[str, ...], problems: list[tuple[str, str]]):
    assert one_round(*lines) == problems


def test_a_player_missing_in_one_round_is_named_with_it():
    preview = tables("1,1,1,2,3,4", "1,2,5,6,7,8", "2,1,1,3,5,7", "2,2,2,4,6,", planned=2)
    assert preview.problems == (Problem("schedule.missing_in_round", {"round": 2, "count": 1, "who": ("Hasel (8)",)}),)


def test_a_misspelt_player_is_not_said_to_be_missing_as_well():
    assert one_round("1,1,Ada Mos,2,3,4", "1,2,5,6,7,8") == [("schedule.name_like", "C2")]


@pytest.mark.parametrize(
    ("winds", "problems"),
    [
        ("E S W Q", [("schedule.wind_unknown", "C5"), ("schedule.wind_unknown", "C9")]),
        ("E S W W", [("schedule.seat_twice", "D5"), ("schedule.seat_twice", "D9")]),
        ("E S W 5", [("schedule.wind_unknown", "C5"), ("schedule.wind_unknown", "C9")]),
    ],
)
def test_winds_that_cannot_be(winds: str, problems: list[tuple[str, str]]):
    found = said(read(as_csv(as_seats(ROUNDS[:1], NAMES, winds=winds.split())), planned=1))
    assert [problem for problem in found if problem[1] and "players_at_table" not in problem[0]] == problems


def test_a_north_at_a_table_of_three():
    preview = tables("1,1,1,2,,3", "1,2,4,5,6,", size=3, entrants=players(6))
    assert said(preview) == [("schedule.wind_beyond", "F2")]


def test_tables_of_another_size_are_said_once():
    preview = tables("1,1,1,2,3,4", "1,2,5,6,7,8", "1,3,9,10,11,12", size=3, entrants=players(12))
    assert [code for code, _ in said(preview)] == ["schedule.tables_wrong_number", "schedule.table_size"]


def test_without_winds_the_order_of_the_file_seats():
    rows = [[row[0], row[1], row[3]] for row in as_seats(ROUNDS, None)]
    preview = read(as_csv(rows))
    assert (preview.rounds, said(preview)) == (ROUNDS, [("schedule.no_winds", "")])
    rows = as_seats(ROUNDS, None)
    rows[2][2] = ""
    assert said(read(as_csv(rows))) == [("schedule.wind_missing", "D3")]


def test_fewer_rounds_than_planned_is_only_a_warning():
    preview = tables("1,1,1,2,3,4", "1,2,5,6,7,8", planned=3)
    assert (preview.is_sound, preview.problems) == (
        True,
        (Problem("schedule.rounds_too_few", {"rounds": 1, "planned": 3}, "warning"),),
    )


def test_players_who_fill_no_tables():
    assert "schedule.players_do_not_fill" in [code for code, _ in said(tables("1,1,1,2,3,4", entrants=players(6)))]


def test_a_place_that_cannot_be_read():
    rows = as_matrix(ROUNDS, NAMES)
    rows[1][1] = "somewhere"
    assert ("schedule.place_unknown", "B2") in said(read(as_csv(rows)))


def test_a_sheet_that_is_no_schedule_is_told_what_one_looks_like():
    preview = read("Shoe,Size\n1,2\n")
    assert preview.problems == (Problem("schedule.layout_unknown", {"columns": "A “Shoe”, B “Size”"}),)


def test_a_note_between_the_rows_is_left_out_and_said():
    preview = tables("1,1,1,2,3,4", "lunch,,,,,", "1,2,5,6,7,8")
    assert (preview.is_sound, said(preview)) == (True, [("schedule.row_left_out", "")])


# ---------------------------------------------------------------- figures


def test_the_figures_are_counted_by_the_judge():
    preview = tables("1,1,1,2,3,4", "1,2,5,6,7,8", "2,1,1,2,5,6", "2,2,3,4,7,8", planned=2)
    assert preview.report is not None
    assert (preview.report.repeats, preview.report.repeats_least, preview.report.winds_spread) == (4, 4, 2)
    assert [(pair.players, pair.rounds) for pair in preview.again] == [
        ((1, 2), (1, 2)), ((3, 4), (1, 2)), ((5, 6), (1, 2)), ((7, 8), (1, 2)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("head", "chosen", "layout"),
    [
        ("Phase,Ort,A,B,C,D", ("round", "table", "wind0", "wind1", "wind2", "wind3"), "tables"),
        ("Round,Table,North,West,South,East", ("round", "table", "wind0", "wind1", "wind2", "wind3"), "tables"),
    ],
)
def test_columns_chosen_by_hand_win_over_the_headings(head: str, chosen: tuple[str, ...], layout: str):
    sheet = read_sheet(f"{head}\n1,1,1,2,3,4\n1,2,5,6,7,8\n".encode(), "s.csv")
    preview = understand_schedule(
        sheet, "s.csv", entrants=players(8), table_size=4, planned=1, chosen=dict(enumerate(chosen))
    )
    assert (preview.layout, preview.rounds) == (layout, (((1, 2, 3, 4), (5, 6, 7, 8)),))
    assert tuple(column.meaning for column in preview.columns) == chosen


def test_columns_that_are_not_enough_make_no_schedule():
    sheet = read_sheet(b"Round,Table,Seat,Player\n1,1,E,1\n", "s.csv")
    preview = understand_schedule(
        sheet, "s.csv", entrants=players(4), table_size=4, planned=1, chosen={0: "round", 3: "player"}
    )
    assert [problem.code for problem in preview.problems] == ["schedule.layout_unknown"]
    assert [column.meaning for column in preview.columns] == ["round", "", "", "player"]
