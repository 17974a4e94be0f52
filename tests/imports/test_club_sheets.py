"""The layouts of clubs' own sheets: a column or a row for each player, results after uma or without it, days, totals.

And what damages a sheet: each damaged one is read or refused in words.
"""

import datetime as dt
import random
from collections import defaultdict
from collections.abc import Sequence

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from rules.books import load
from rules.ruleset import Ruleset
from scoring.game import fold
from scoring.problems import InvalidInput
from tests.factories import make_account
from tests.imports.test_old_seasons import DAY, Rows, figures, workbook
from tests.pages.at_desk import client_of
from tournament.events.models import Event
from tournament.imports.actions import settled_entry
from tournament.imports.files import read_days
from tournament.imports.old_seasons import MAX_BYTES, OldSeason, import_old_season, read_old_season
from tournament.seasons.models import Season

WRC, EMA, M_LEAGUE = load("wrc-2025"), load("ema-2025"), load("m-league")
A, B, C, D, E, F = "Ana Berg", "みく", "Cyan Lund", "Dora Vik", "E", "Finn Ost"
# WRC 2025: 30,000 to begin with, uma 15, 5, -5, -15; scores 40, 33, 27, 20
RESULT = (25, 8, -8, -25)


def read(
    rows: Rows, *, rules: Ruleset = WRC, before_uma: bool = False, more: dict[str, Rows] | None = None
) -> OldSeason:
    sheets = {"Games": rows, **(more or {})}
    return read_old_season(workbook(**sheets), "club.xlsx", day=DAY, rules=rules, before_uma=before_uma)


def games_of(old: OldSeason) -> list[tuple[str, list[dict[str, int]]]]:
    """Return the scores of each game by evening."""
    return [
        (
            str(evening.day),
            [
                {seat.player: seat.points for seat in table.seats}
                for round_ in evening.preview.rounds
                for table in round_.tables
            ],
        )
        for evening in old.evenings
    ]


def codes(old: OldSeason) -> list[str]:
    return [problem.code for problem in old.errors]


GAMES = [
    ("2024-01-02", [{A: 40_000, B: 33_000, C: 27_000, D: 20_000}, {A: 40_000, C: 33_000, D: 27_000, E: 20_000}]),
    ("2024-01-09", [{A: 20_000, B: 27_000, E: 40_000, F: 33_000}]),
]
HEAD = ["Date", A, B, C, D, E, F]
COLUMNS: Rows = [
    ["2024-01-02", *RESULT],
    ["", 25, None, 8, -8, -25],
    ["2024-01-09", -25, -8, None, "", 25, 8],
]
TOTALS = (25, 0, 0, -33, 0, 8)
EMPTY_TITLE: Rows = [["Club ladder 2024"], []]


@pytest.mark.parametrize(
    "rows",
    [
        [HEAD, *COLUMNS],
        [*EMPTY_TITLE, HEAD, *COLUMNS],
        [HEAD, *COLUMNS, ["Total", *TOTALS]],
        [HEAD, *COLUMNS, ["合計", *TOTALS]],
        [HEAD, *COLUMNS, ["", *TOTALS]],
        [HEAD, *COLUMNS[:2], ["小計", 50, 8, 0, -33, -25], HEAD, COLUMNS[2], ["計", *TOTALS]],
        [[*HEAD, "Sum", "Notes"], *([*row, *[""] * (7 - len(row)), 0, "at Dora’s"] for row in COLUMNS)],
        [["No", *HEAD], *([number, *row] for number, row in enumerate(COLUMNS, start=1))],
        [HEAD, *([row[0], *("-" if cell in {None, ""} else cell for cell in row[1:])] for row in COLUMNS)],
        [HEAD, *([row[0], *(str(cell or "").replace("-", "▲") for cell in row[1:])] for row in COLUMNS)],
        [HEAD, *([row[0], *(f"{cell},0" if isinstance(cell, int) else cell for cell in row[1:])] for row in COLUMNS)],
        [HEAD, *([row[0], *(cell * 1000 if isinstance(cell, int) else cell for cell in row[1:])] for row in COLUMNS)],
        [HEAD, ["2024-01-02", 25, 8, -8, -25, 0, 0], ["", 25, 0, 8, -8, -25, 0], ["2024-01-09", -25, -8, 0, 0, 25, 8]],
        [["日付", *HEAD[1:]], ["2024年1月2日", *RESULT], COLUMNS[1], ["2024年1月9日", *COLUMNS[2][1:]]],
        [HEAD, [dt.date(2024, 1, 2), *RESULT], COLUMNS[1], [dt.date(2024, 1, 9), *COLUMNS[2][1:]]],
    ],
    ids=[
        "plain", "title above", "total", "total in Japanese", "sums without a name", "parts and headings again",
        "check and notes", "numbered", "a dash for nobody", "triangles", "decimal commas", "whole points",
        "noughts for nobody", "days in Japanese", "days of a spreadsheet",
    ],
)  # fmt: skip
def test_a_column_for_each_player_with_results_after_uma(rows: Rows):
    old = read(rows)
    assert (codes(old), old.differences, games_of(old)) == ([], (), GAMES)


@pytest.mark.parametrize("turned", [False, True])
def test_scores_in_the_columns_are_taken_as_they_are(turned: bool):
    rows: Rows = [["", A, B, C, D], ["1", 40_000, 33_000, 27_000, 20_000], ["2", 20_000, 27_000, 33_000, 40_000]]
    old = read(list(zip(*rows, strict=True)) if turned else rows)
    assert [list(game.values()) for game in games_of(old)[0][1]] == [list(row[1:]) for row in rows[1:]]


def test_a_sheet_an_evening_with_a_row_for_each_player_has_its_own_totals():
    evening: Rows = [
        ["Name", "Game 1", "Game 2", "Total", "Average", "1st"],
        [A, "+25", "+25", "+50", "25.0", 2],
        [B, 8, "--", 8, 8, 0],
        [C, -8, 8, 0, 0, 0],
        [D, -25, -8, -33, -16.5, 0],
        [E, "–", -25, -24, -25, 0],
    ]
    old = read(evening, more={"day_2024_01_09": [["Name", 1, 2], *(row[:3] for row in evening[1:])]})
    assert (codes(old), games_of(old)) == ([], [(day, GAMES[0][1]) for day in ("2024-01-02", "2024-01-09")])
    assert [(each.code, each.params["name"]) for each in old.differences] == [("old_season.total_differs", E)]


def test_a_worksheet_of_a_day_that_is_no_evening_stops_the_file():
    old = read([HEAD, *COLUMNS], more={"day_2024_01_16": [[A, B, C, D], [25, 8, -8]], "Rules": [["of", "the", "club"]]})
    assert codes(old) == ["old_season.day_left_out"]


def test_a_table_of_standings_is_no_evening():
    rows: Rows = [["Name", "Games", "Top", "Last", "Total"], *([name, 9, 3, 2, 10.5] for name in (A, B, C, D))]
    assert codes(read(rows)) == ["old_season.no_results"]


@pytest.mark.parametrize(
    "rules", [WRC, EMA, M_LEAGUE, load("saikouisen-classic"), load("jpml-a"), load("tenhou-yonma")]
)
def test_any_results_after_uma_are_turned_back_into_scores_that_give_them(rules: Ruleset):
    dice = random.Random(41)
    for _ in range(60):
        cuts = [dice.randrange(-100, 500) * 100 for _ in range(rules.players - 1)]
        if dice.random() < 0.3:
            cuts[1] = cuts[0]
        scores = [*cuts, rules.start_points * rules.players - sum(cuts)]
        names = [A, B, C, D]
        table = read([names, scores], rules=rules).evenings[0].preview.rounds[0].tables[0]
        results = fold([settled_entry(table, rules)], rules).final(rules).results
        again = read([names, [f"{each:+d}" for each in results]], rules=rules)
        assert codes(again) == []
        found = again.evenings[0].preview.rounds[0].tables[0]
        assert fold([settled_entry(found, rules)], rules).final(rules).results == tuple(
            dict(zip(names, results, strict=True))[seat.player] for seat in found.seats
        )


def test_results_that_no_scores_give_are_refused_and_come_in_without_uma():
    rows: Rows = [[A, B, C, D], [6, -43, -4, 41], [25, 8, -8, -25]]
    old = read(rows)
    assert [(each.code, each.params["count"], each.params["round"]) for each in old.errors] == [
        ("old_season.not_after_uma", 1, 1)
    ]
    assert games_of(read(rows, before_uma=True))[0][1] == [
        {A: 36_000, B: -13_000, C: 26_000, D: 71_000}, {A: 55_000, B: 38_000, C: 22_000, D: 5_000}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([["2024-01-02", 25, 8, -8]], "import.table_sizes_mixed"),
        ([["2024-01-02", 25, 8]], "import.game_size"),
        ([["2024-01-02", 25, 8, -8, -24, -1]], "import.game_size"),
        ([["2024-01-02", 25, 8, -8, "x25"]], "import.number_unknown"),
        ([["2024-01-02", 25, 8, -8, -25.1]], "results.table_sum"),
        ([["last week", *RESULT]], "old_season.day_unknown"),
        ([["1/2/24", *RESULT]], "old_season.day_unknown"),
        ([["2024-01-10", "see below"]], ""),
    ],
)
def test_one_wrong_row_among_good_ones_stops_the_file_in_words(rows: Rows, code: str):
    found = codes(read([HEAD, *COLUMNS, COLUMNS[2], *rows]))
    assert (code in found) if code else found


def test_what_is_noted_of_each_evening_is_said_once():
    noted = [(where, each.code) for where, each in read([HEAD, *COLUMNS]).problems]
    assert len(noted) == len({code for _where, code in noted}) == 4
    assert {where for where, _code in noted} == {""}


def test_two_columns_of_one_name_are_refused():
    rows: Rows = [[A, B, C, D, A], [*RESULT, ""], ["", *RESULT]]
    assert "import.name_over_two_columns" in codes(read(rows))


def test_days_are_read_in_the_one_order_in_which_all_are_possible():
    days = ["24-09-27", "24-06-21", "23-12-01"]
    assert [str(day) for day in read_days(days).values()] == ["2024-09-27", "2024-06-21", "2023-12-01"]
    assert [str(day) for day in read_days(["9/13/2024", "9/6/2024"]).values()] == ["2024-09-13", "2024-09-06"]
    assert set(read_days(["31.1.23", "1.2.23", "2.3.23"]).values()) != {None}
    assert read_days(["1/2/03"]) == {"1/2/03": None}


@pytest.mark.django_db
def test_a_season_of_columns_has_the_sums_of_its_columns():
    old = read([HEAD, *COLUMNS, ["Total", *TOTALS]])
    season = import_old_season(name="Ladder", old=old, rules=WRC, by=make_account("Owner", superuser=True))
    assert figures(season) == {name: 1000 * total for name, total in zip(HEAD[1:], TOTALS, strict=True)}


@pytest.mark.django_db
def test_the_page_asks_whether_uma_is_in_the_results_and_keeps_the_answer():
    client = client_of(make_account("Owner", superuser=True))
    file = SimpleUploadedFile("club.xlsx", workbook(Games=[[A, B, C, D], [6, -43, -4, 41]]))
    fields = {"name": "Ladder", "rules_key": "wrc-2025", "day": "2024-01-02", "file": file}
    assert "without uma?" in client.post("/desk/seasons/from/file/", fields).content.decode()
    file.seek(0)
    seen = client.post("/desk/seasons/from/file/", fields | {"before_uma": "on"})
    packed = seen.content.decode().split('name="packed" value="')[1].split('"')[0]
    client.post("/desk/seasons/from/file/", {"packed": packed, "group": "0"})
    assert figures(Season.objects.get()) == {D: 56_000, A: 11_000, C: -9_000, B: -58_000}


WORDS: Sequence[object] = (
    "=cmd|' /C calc'!A0",
    "x",
    "",
    None,
    "Total",
    "1e9",
    10**12,
    -0.05,
    "2024-13-45",
    "\u202e9",
    True,
)


@pytest.mark.django_db
def test_two_thousand_damaged_sheets_are_read_or_refused_in_words():
    """Every name of the file is in an evening, or there is an error."""
    dice = random.Random(2026)
    seen: dict[str, int] = defaultdict(int)
    for number in range(2_000):
        rows = [list(row) for row in ([HEAD, *COLUMNS, *COLUMNS, ["Total", *TOTALS]])]
        for _ in range(dice.randrange(1, 5)):
            row = dice.choice(rows)
            at = dice.randrange(len(row))
            match dice.randrange(5):
                case 0:
                    row.pop(at)
                    row.append(0)
                case 1:
                    row.insert(at, dice.choice(WORDS))
                case 2:
                    rows.remove(row) if len(rows) > 1 else None
                case 3:
                    rows.append(list(row))
                case _:
                    row[at] = dice.choice(WORDS)
        text = "\n".join(";".join("" if cell is None else str(cell) for cell in row) for row in rows).encode()
        data = text if number % 20 else workbook(Games=rows)[: dice.choice((None, 900))]
        try:
            old = read_old_season(data, "club.csv", day=DAY, rules=WRC)
        except InvalidInput as wrong:
            seen["refused"] += bool(wrong.problems)
            continue
        seen["wrong" if old.errors else "read"] += 1
        if not old.errors:
            for _day, games in games_of(old):
                assert all(sum(game.values()) == 120_000 and len(game) == 4 for game in games)
    assert sum(seen.values()) == 2_000
    assert min(seen.values()) > 20, seen
    assert Event.objects.count() == 0


def test_the_size_is_checked_before_any_work():
    for data in (b"a;b;c\n" * MAX_BYTES, (";".join(HEAD) + "\n" + "x;25;8;-8;-25\n" * 1_000_000).encode()):
        with pytest.raises(InvalidInput, match=r"import\.file_too_big"):
            read_old_season(data, "club.csv", day=DAY, rules=WRC)
    with pytest.raises(InvalidInput, match=r"import\.too_many_rows"):
        read_old_season((";".join(HEAD) + "\n" + "x;25;8;-8;-25\n" * 6_000).encode(), "club.csv", day=DAY, rules=WRC)
