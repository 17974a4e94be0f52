import csv
import io
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.problems import Problem
from tournament.imports.results import ResultSeat, ResultsPreview, read_results

Line = tuple[object, object, object, object, object]
GOOD: list[Line] = [
    (1, 1, 0, "Ada Moss", 41300),
    (1, 1, 1, "Eve Ash", 34100),
    (1, 1, 2, "Jo Elm", 30900),
    (1, 1, 3, "Kay Fir", 13700),
    (2, 1, 0, "Kay Fir", 30000),
    (2, 1, 1, "Ada Moss", 30000),
    (2, 1, 2, "Eve Ash", 61200),
    (2, 1, 3, "Jo Elm", -1200),
]


def read(lines: Sequence[Line], *, delimiter: str = ",") -> ResultsPreview:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows([("round", "table", "seat", "player", "points"), *lines])
    return read_results(file.getvalue().encode(), "results.csv")


def changed(index: int, *line: object) -> list[Line]:
    return [*GOOD[:index], line, *GOOD[index + 1 :]]  # type: ignore[list-item]


def without(index: int) -> list[Line]:
    return GOOD[:index] + GOOD[index + 1 :]


def points(preview: ResultsPreview) -> list[tuple[int, int, list[tuple[int, str, int]]]]:
    return [
        (of_round.number, table.number, [(seat.seat, seat.player, seat.points) for seat in table.seats])
        for of_round in preview.rounds
        for table in of_round.tables
    ]


WANTED = [
    (1, 1, [(0, "Ada Moss", 41300), (1, "Eve Ash", 34100), (2, "Jo Elm", 30900), (3, "Kay Fir", 13700)]),
    (2, 1, [(0, "Kay Fir", 30000), (1, "Ada Moss", 30000), (2, "Eve Ash", 61200), (3, "Jo Elm", -1200)]),
]


def test_rounds_tables_and_seats():
    preview = read(GOOD)
    assert points(preview) == WANTED
    assert preview.rounds[0].tables[0].seats[1] == ResultSeat(3, 1, 1, 1, "Eve Ash", 34100)
    assert preview.players == ("Ada Moss", "Eve Ash", "Jo Elm", "Kay Fir")
    assert (preview.players_per_table, preview.problems, preview.is_sound) == (4, (), True)


@given(
    order=st.permutations(GOOD),
    delimiter=st.sampled_from(",;\t"),
    parted=st.sampled_from([",", ".", " ", "'", ""]),
    minus=st.sampled_from("-−–"),
)
def test_order_separators_and_signs_do_not_matter(order, delimiter, parted, minus):
    lines = [(*line[:4], f"{line[4]:,}".replace(",", parted).replace("-", minus)) for line in order]
    assert points(read(lines, delimiter=delimiter)) == WANTED


def test_three_players():
    lines: list[Line] = [(1, 4, 0, "Ada", 60000), (1, 4, 1, "Eve", 30000), (1, 4, 2, "Jo", 15000)]
    preview = read(lines)
    assert (preview.players_per_table, preview.is_sound, preview.rounds[0].tables[0].number) == (3, True, 4)


def test_workbook_with_german_headings_and_blank_lines(make_xlsx):
    head = ["Runde", "Tisch", "Platz", "Spieler", "Punkte", "Uma"]
    data = make_xlsx([["Frühjahrsturnier"], [], head, *([*line, 0] for line in GOOD[:4]), [], *GOOD[4:]])
    assert points(read_results(data, "ergebnisse.xlsx")) == WANTED


def test_seats_as_winds_and_from_one():
    winds: list[Line] = [(*line[:2], "ESWN"[line[2]], *line[3:]) for line in GOOD]  # type: ignore[index]
    assert (points(read(winds)), read(winds).problems) == (WANTED, ())
    from_one: list[Line] = [(*line[:2], line[2] + 1, *line[3:]) for line in GOOD]  # type: ignore[operator]
    assert (points(read(from_one)), read(from_one).problems) == (
        WANTED,
        (Problem("import.seats_from_one", {"last": 4}, "warning"),),
    )


def out_of_range(**params: int | str) -> Problem:
    return Problem("import.number_out_of_range", {"row": 9, **params})


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ((2, 1, 3, "Jo Elm", ""), Problem("import.number_missing", {"row": 9, "column": "points"})),
        ((2, 1, 3, "Jo Elm", "30.5"),
         Problem("import.number_unknown", {"row": 9, "column": "points", "given": "30.5"})),
        (("", 1, 3, "Jo Elm", 0), Problem("import.number_missing", {"row": 9, "column": "round"})),
        ((2, "A", 3, "Jo Elm", 0), Problem("import.number_unknown", {"row": 9, "column": "table", "given": "A"})),
        ((0, 1, 3, "Jo Elm", 0), out_of_range(column="round", given=0, least=1, most=1000)),
        ((2, 1, 5, "Jo Elm", 0), out_of_range(column="seat", given=5, least=0, most=4)),
        ((2, 1, 3, "Jo Elm", 1000001), out_of_range(column="points", given=1000001, least=-1000000, most=1000000)),
        ((2, 1, 3, "", 0), Problem("import.name_missing", {"row": 9})),
        ((2, 1, 3, "x" * 61, 0), Problem("import.name_too_long", {"row": 9, "letters": 61, "limit": 60})),
        ((2, 1, 3, "J\x07", 0), Problem("import.name_controls", {"row": 9, "name": "J□"})),
    ],
)  # fmt: skip
def test_a_line_that_cannot_stand(line, problem):
    preview = read(changed(7, *line))
    assert preview.problems[0] == problem
    assert not preview.is_sound


def test_every_fault_of_a_line_is_told_at_once():
    codes = [problem.code for problem in read(changed(7, "x", "", 9, "", "y")).problems]
    assert codes[:5] == [
        "import.number_unknown", "import.number_missing", "import.number_out_of_range", "import.name_missing",
        "import.number_unknown",
    ]  # fmt: skip


def test_thousands_that_became_two_cells():
    data = b"round,table,seat,player,points\n1,1,0,Ada,30,000\n"
    assert read_results(data, "r.csv").problems == (
        Problem("import.row_too_wide", {"row": 2, "cells": 6, "columns": 5}),
    )


def test_seat_missing():
    assert read(without(1)).problems == (Problem("import.seat_missing", {"row": 2, "round": 1, "table": 1, "seat": 1}),)


def test_seat_twice():
    problems = read(changed(3, 1, 1, 2, "Kay Fir", 13700)).problems
    assert problems == (
        Problem("import.seat_twice", {"row": 5, "round": 1, "table": 1, "seat": 2, "other_row": 4}),
        Problem("import.seat_missing", {"row": 2, "round": 1, "table": 1, "seat": 3}),
    )


def test_seat_unknown_at_a_table_of_this_size():
    three: list[Line] = [(1, table, seat, f"{table}{seat}", 35000) for table in (1, 2) for seat in range(3)]
    problems = read([*three, (1, 3, 0, "a", 35000), (1, 3, 1, "b", 35000), (1, 3, 3, "c", 35000)]).problems
    assert problems == (
        Problem("import.seat_missing", {"row": 8, "round": 1, "table": 3, "seat": 2}),
        Problem("import.seat_unknown", {"row": 10, "round": 1, "table": 3, "seat": 3, "usual": 3}),
    )


def test_player_twice_in_a_round():
    assert read(changed(3, 1, 1, 3, "Ada Moss", 13700)).problems == (
        Problem("import.player_twice_in_round", {"row": 5, "round": 1, "name": "Ada Moss", "other_row": 2, "table": 1}),
    )


def test_rounds_not_without_a_gap():
    later = [*GOOD[:4], *((4, *line[1:]) for line in GOOD[4:])]
    assert read(later).problems == (Problem("import.rounds_missing", {"missing": "2, 3", "last": 4}),)


def test_table_missing_in_one_round():
    second: list[Line] = [(1, 2, seat, f"Guest {seat}", 30000) for seat in range(4)]
    third: list[Line] = [(3, table, *line[2:]) for table, lines in ((1, GOOD[:4]), (2, second)) for line in lines]
    assert read([*GOOD, *second, *third]).problems == (
        Problem("import.tables_missing", {"round": 2, "tables": 1, "usual": 2}, "warning"),
    )


def test_sizes_mixed():
    second: list[Line] = [(1, 2, seat, f"Guest {seat}", 35000) for seat in range(3)]
    preview = read([*second, *GOOD])
    assert [p for p in preview.problems if p.severity == "error"] == [
        Problem("import.table_sizes_mixed", {"usual": 4, "count": 1, "round": 1, "table": 2, "size": 3, "row": 2})
    ]


def test_one_player_in_two_spellings():
    problems = read(changed(7, 2, 1, 3, "ELM, Jo", -1200)).problems
    assert problems == (
        Problem("import.player_two_spellings", {"row": 9, "name": "Jo ELM", "other": "Jo Elm", "other_row": 4}),
    )
    problems = read(changed(7, 2, 1, 3, "Joo Elm", -1200)).problems
    assert problems == (
        Problem("import.name_similar", {"row": 9, "name": "Joo Elm", "other": "Jo Elm", "other_row": 4}, "warning"),
    )


def test_sum_that_differs():
    third: list[Line] = [(3, *line[1:]) for line in GOOD[:4]]
    lines = [*GOOD, *third[:3], (3, 1, 3, "Kay Fir", 13600)]
    assert read(lines).problems == (
        Problem("import.table_sum_differs", {"round": 3, "table": 1, "sum": 119900, "usual": 120000}, "warning"),
    )


def test_columns_missing():
    preview = read_results(b"round,table,who,points\n1,1,Ada,3\n", "r.csv")
    assert preview.problems == (
        Problem(
            "import.columns_missing",
            {"missing": "seat, player", "columns": "A “round”, B “table”, C “who”, D “points”"},
        ),
    )
    assert (preview.rounds, preview.is_sound) == ((), False)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "import.file_empty"),
        (b"round,table,seat,player,points\n", "import.no_rows"),
        (b"PK\x03\x04", "import.workbook_damaged"),
    ],
)
def test_nothing_to_read(data, code):
    preview = read_results(data, "r.csv")
    assert ([problem.code for problem in preview.problems], preview.is_sound) == ([code], False)


@pytest.mark.parametrize(("event", "rounds", "tables", "players"), [("event-01", 5, 5, 20), ("event-07", 8, 6, 24)])
def test_shared_events(cases, event, rounds, tables, players):
    preview = read_results((cases / "events" / f"{event}.csv").read_bytes(), f"{event}.csv")
    assert preview.problems == ()
    assert [len(of_round.tables) for of_round in preview.rounds] == [tables] * rounds
    assert (len(preview.players), preview.players_per_table) == (players, 4)
    assert {sum(seat.points for seat in table.seats) for of_round in preview.rounds for table in of_round.tables} == {
        120000
    }


def test_points_under_headings_that_are_not_known_are_no_players():
    """A row a game, its points in columns of no known wind: nobody is called "Alpha"."""
    preview = read_results(b"A,B,C,D,Alpha,Beta,Gamma,Delta\nAda,Bo,Cy,Di,40000,30000,30000,20000\n", "r.csv")
    assert ([problem.code for problem in preview.problems], preview.rounds) == (["import.columns_missing"], ())


def test_games_that_are_still_to_be_played_are_left_out():
    lines = ["No,E,S,W,N,Scr-E,Scr-S,Scr-W,Scr-N", "1,Ada,Bo,Cy,Di,40000,30000,30000,20000", "2,Bo,Ada,Di,Cy", "3"]
    lines.append("4,Cy,Di,Ada,Bo,10000,30000,30000,50000")
    preview = read_results("\n".join(lines).encode(), "r.csv")
    assert [(problem.code, problem.params.get("row")) for problem in preview.problems] == [
        ("import.games_unplayed", 3), ("import.games_numbered", None),
    ]  # fmt: skip
    assert [table[2][0] for table in points(preview)] == [(0, "Ada", 40000), (0, "Cy", 10000)]


def test_columns_of_results_beside_the_points_of_each_wind_are_not_taken_for_them():
    lines = ["East,South,West,North,Points E,Points S,Points W,Points N,Points,Points,Points,Points"]
    lines.append("Ada,Bo,Cy,Di,40000,30000,30000,20000,25,0,0,-25")
    preview = read_results("\n".join(lines).encode(), "r.csv")
    assert points(preview)[0][2] == [(0, "Ada", 40000), (1, "Bo", 30000), (2, "Cy", 30000), (3, "Di", 20000)]


@pytest.mark.parametrize(
    "head",
    [
        "Round,Table,East,Points,South,Points,West,Points,North,Points",
        "Runde,Tisch,O,Punkte,S,Punkte,W,Punkte,N,Punkte",
        "回戦,卓,1位,点,2位,点,3位,点,4位,点",
    ],
)
def test_each_name_above_a_column_of_its_points(head: str):
    games = "1,2,Ada,40.0,Bo,30.0,Cy,30.0,Di,20.0\n1,1,Eve,25,Fay,25,Gil,35,Hal,35\n"
    preview = read_results(f"{head}\n{games}".encode(), "r.csv")
    assert points(preview) == [
        (1, 1, [(0, "Eve", 25000), (1, "Fay", 25000), (2, "Gil", 35000), (3, "Hal", 35000)]),
        (1, 2, [(0, "Ada", 40000), (1, "Bo", 30000), (2, "Cy", 30000), (3, "Di", 20000)]),
    ]


FORMS = [
    (("East", "South", "West", "North"), "Points {}"),
    (("E", "S", "W", "N"), "Scr-{}"),
    (("Ost", "Süd", "West", "Nord"), "Punkte {}"),
    (("東", "南", "西", "北"), "{}点"),
    (("Player 1", "Player 2", "Player 3", "Player 4"), "{} score"),
    (("1st", "2nd", "3rd", "4th"), "Score {}"),
    (("O", "S", "W", "N"), "Punkte"),  # each behind its name
]


@given(
    form=st.sampled_from(FORMS),
    size=st.sampled_from([3, 4]),
    scores=st.lists(st.lists(st.integers(-300, 900), min_size=4, max_size=4), min_size=1, max_size=6),
    paired=st.booleans(),
    data=st.data(),
)
def test_a_row_a_game_says_the_same_as_a_row_a_seat(form, size, scores, paired, data):
    winds, head = form[0][:size], form[1]
    heads = [head.format(wind) for wind in winds]
    people = [[f"{name} {table % 2}" for name in ("Ada", "Bo", "Cy", "Di")] for table in range(len(scores))]
    seated = [data.draw(st.permutations(each[:size])) for each in people]
    games = [
        (table // 2 + 1, table % 2 + 1, seated[table], [100 * each for each in line[:size]])
        for table, line in enumerate(scores)
    ]
    pairs = paired or "{}" not in head

    def cells(names: Sequence[object], values: Sequence[object]) -> list[object]:
        return [each for pair in zip(names, values, strict=True) for each in pair] if pairs else [*names, *values]

    rows = [["Round", "Table", *cells(winds, heads)], *([a, b, *cells(names, line)] for a, b, names, line in games)]
    order = [rows[0], *data.draw(st.permutations(rows[1:]))]
    by_game = read_results("\n".join(";".join(map(str, row)) for row in order).encode(), "r.csv")
    by_seat = read([(a, b, at, name, line[at]) for a, b, names, line in games for at, name in enumerate(names)])
    assert points(by_game) == points(by_seat)
