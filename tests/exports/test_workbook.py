import dataclasses
import datetime as dt
import io
import zipfile
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from scoring.player_stats import Moment, PlayerStats
from scoring.standings import Carried
from tests.imports.lists import read_players
from tournament.exports.files import results_sheets
from tournament.pages.spreadsheets import make_book
from tournament.standings.columns import StandingRow
from tournament.tables.rows import EventHead, GameRow, PenaltyRow, ResultRound, ResultTable, StatisticRow

pytestmark = pytest.mark.whole_run
ZONE = dt.timezone(dt.timedelta(hours=2))
HEAD = EventHead(
    name="Spring Open 2026",
    slug="spring-open",
    date=dt.date(2026, 5, 9),
    ruleset_title="EMA Riichi 2025",
    players_per_table=4,
    rounds=2,
    start_points=30000,
    minutes=90,
    extra_hands=1,
    deposit=1000,
    printed_at=dt.datetime(2026, 5, 9, 18, 30, tzinfo=ZONE),
)
STANDINGS = (
    StandingRow(1, False, 1, "Ada Moss", 26300, 2, 0, (26300, None), None, None, 0, (), "04160092", "AUT", "-Graz"),
    StandingRow(2, True, 2, "東海林 さくら", 9100, 1, 0, (9100,)),
    StandingRow(2, True, 3, '=HYPERLINK("x")', 9100, 1, 20000, (29100,)),
    StandingRow(4, False, 4, "Kay Fir", -31300, 1, 0, (-31300, 333)),
)  # fmt: skip
GAMES = (
    GameRow(0, "Ada Moss", 41300, 1, False, 15000, 26300),
    GameRow(1, "東海林 さくら", 34100, 2, False, 5000, 9100),
    GameRow(2, '=HYPERLINK("x")', 30900, 3, True, -5000, -4100),
    GameRow(3, "Kay Fir", 13700, 3, True, -15000, -31300),
)  # fmt: skip
ROUNDS = (
    ResultRound(1, (ResultTable(1, GAMES), ResultTable(2, GAMES[:1], leftover=1))),
    ResultRound(2, (ResultTable(1, tuple(reversed(GAMES))),)),
)
PENALTIES = (
    PenaltyRow(
        dt.datetime(2026, 5, 9, 12, 5, 7, tzinfo=dt.UTC), 1, "Kay Fir", 8000, "late sheet", "7.5", "Referee", 2,
        "chombo",
    ),
    PenaltyRow(dt.datetime(2026, 5, 9, 13, 0, tzinfo=dt.UTC), None, "Ada Moss", 1000, "@late", "", "Referee"),
    PenaltyRow(
        dt.datetime(2026, 5, 9, 13, 1, tzinfo=dt.UTC), 1, "Kay Fir", 2000, "sheet", "", "Referee", cancelled=True,
        cancel_reason="the tram",
    ),
)  # fmt: skip
HANDS = (
    [1, 1, 1, "East 1", 0, 0, "Ada Moss wins by tsumo", "5 han, mangan, 4,000 all", None, 12000, -4000, -4000, -4000,
     42000, 26000, 26000, 26000, None],
    [1, 1, 2, "East 1", 1, 0, "Draw, nobody tenpai", None, "Riichi: Kay Fir", 0, 0, 0, -1000, 42000, 26000, 26000,
     25000, "=corrected"],
)  # fmt: skip
STATS = PlayerStats(
    games=2, hands=20, ron_wins=3, tsumo_wins=1, win_points=23300, deal_ins=2, deal_in_points=7700, tenpai=3, noten=1,
    nagashi=0, riichi=4, riichi_won=2, dealer_turns=2, dealer_hands=6, chombo=0, sources=(), best=Moment(0, 0, 12000),
    worst=None, longest=None,
)  # fmt: skip
STATISTICS = (StatisticRow("Ada Moss", 2, (1, 0, 1, 0), STATS),)


def results_workbook(head: EventHead, *rows: Any, **more: Any) -> bytes:
    return make_book(results_sheets(head, *rows, **more), head.printed_at)


@pytest.fixture(scope="module")
def book() -> Workbook:
    made = results_workbook(HEAD, STANDINGS, ROUNDS, hands=HANDS, penalties=PENALTIES, statistics=STATISTICS)
    return reopen(made)


def reopen(data: bytes) -> Workbook:
    return load_workbook(io.BytesIO(data))


def table(book: Workbook, sheet: str) -> list[list[object]]:
    return [[cell.value for cell in row] for row in book[sheet].iter_rows(min_row=3)]


def test_sheets_in_order(book):
    assert book.sheetnames == ["Standings", "By round", "By table", "Hands", "Penalties", "Statistics"]


def test_standings_cell_by_cell(book):
    assert table(book, "Standings") == [
        ["Place", "Name", "EMA number", "Country", "Club", "Total", "Games", "Penalties", "Round 1", "Round 2"],
        [1, "Ada Moss", "04160092", "AUT", "-Graz", 26300, 2, 0, 26300, None],
        [2, "東海林 さくら", None, None, None, 9100, 1, 0, 9100, None],
        [2, '=HYPERLINK("x")', None, None, None, 9100, 1, 20000, 29100, None],
        [4, "Kay Fir", None, None, None, -31300, 1, 0, -31300, 333],
    ]


def test_without_penalties_their_sheet_has_headings_alone():
    book = reopen(results_workbook(HEAD, STANDINGS, ROUNDS))
    assert table(book, "Penalties") == [
        ["Given at", "Round", "Table", "Name", "Kind", "Points", "Reason", "Clause", "Given by", "Cancelled"]
    ]


def test_people_with_one_name_each_have_their_own_number():
    twins = [
        dataclasses.replace(STANDINGS[0], number=number, ema_number=ema_number)
        for number, ema_number in ((1, "04160092"), (2, "05160092"))
    ]
    book = reopen(results_workbook(HEAD, twins, ()))
    assert [row[:3] for row in table(book, "Standings")[1:]] == [
        [1, "Ada Moss", "04160092"], [1, "Ada Moss", "05160092"],
    ]  # fmt: skip


def test_what_a_cut_left_is_told_in_a_column_of_its_own():
    through = dataclasses.replace(STANDINGS[0], carried=(Carried(1, 13150, 26300),))
    book = reopen(results_workbook(HEAD, [through, STANDINGS[1]], ()))
    assert [row[-1] for row in table(book, "Standings")] == ["Carried", "13,150 of 26,300 after round 1", None]


def test_by_round_best_first(book):
    assert table(book, "By round") == [
        ["Round", "Name", "Table", "Seat", "Points", "Place", "Uma", "Result"],
        [1, "Ada Moss", 1, "East", 41300, 1, 15000, 26300],
        [1, "Ada Moss", 2, "East", 41300, 1, 15000, 26300],
        [1, "東海林 さくら", 1, "South", 34100, 2, 5000, 9100],
        [1, '=HYPERLINK("x")', 1, "West", 30900, 3, -5000, -4100],
        [1, "Kay Fir", 1, "North", 13700, 3, -15000, -31300],
        [2, "Ada Moss", 1, "East", 41300, 1, 15000, 26300],
        [2, "東海林 さくら", 1, "South", 34100, 2, 5000, 9100],
        [2, '=HYPERLINK("x")', 1, "West", 30900, 3, -5000, -4100],
        [2, "Kay Fir", 1, "North", 13700, 3, -15000, -31300],
    ]


def test_by_table_in_seat_order(book):
    full = ["Ada Moss", 41300, "東海林 さくら", 34100, '=HYPERLINK("x")', 30900, "Kay Fir", 13700]
    assert table(book, "By table") == [
        [
            *("Round", "Table", "East", "Points E", "South", "Points S"),
            *("West", "Points W", "North", "Points N", "Leftover"),
        ],
        [1, 1, *full, 0],
        [1, 2, *full[:2], *[None] * 6, 1],
        [2, 1, *full, 0],
    ]


def test_three_players_have_three_seats():
    book = reopen(results_workbook(dataclasses.replace(HEAD, players_per_table=3), (), ()))
    assert table(book, "By table") == [
        ["Round", "Table", "East", "Points E", "South", "Points S", "West", "Points W", "Leftover"]
    ]


def test_penalties_in_the_events_own_time(book):
    assert table(book, "Penalties")[1:] == [
        [dt.datetime.fromisoformat("2026-05-09T14:05:07"), 1, 2, "Kay Fir", "Chombo", 8000, "late sheet", "7.5",
         "Referee", None],
        [dt.datetime.fromisoformat("2026-05-09T15:00"), None, None, "Ada Moss", "Points", 1000, "@late", None,
         "Referee", None],
        [dt.datetime.fromisoformat("2026-05-09T15:01"), 1, None, "Kay Fir", "Points", None, "sheet", None, "Referee",
         "2,000 points: the tram"],
    ]  # fmt: skip


def test_hands_in_order_with_changes_and_points_by_seat(book):
    assert table(book, "Hands") == [
        ["Round", "Table", "Number", "Hand", "Honba", "Riichi sticks", "What happened", "Value", "Riichi", "Change E",
         "Change S", "Change W", "Change N", "Points E", "Points S", "Points W", "Points N", "Remark"],
        *HANDS,
    ]  # fmt: skip
    assert bool(book["Hands"]["R5"].quotePrefix)


def test_statistics_are_whole_numbers(book):
    assert table(book, "Statistics") == [
        ["Name", "Games", "Place 1", "Place 2", "Place 3", "Place 4", "Hands", "Wins by ron", "Wins by tsumo",
         "Points won", "Deal-ins", "Points dealt in", "Riichi", "Riichi won", "Tenpai at a draw", "Noten at a draw",
         "Hands as dealer", "Chombo", "Best hand"],
        ["Ada Moss", 2, 1, 0, 1, 0, 20, 3, 1, 23300, 2, 7700, 4, 2, 3, 1, 6, 0, 12000],
    ]  # fmt: skip


def test_titles_say_what_this_is(book):
    sheet = book["Standings"]
    assert sheet["A1"].value == "Spring Open 2026"
    assert sheet["A2"].value == (
        "9 May 2026 · EMA Riichi 2025 · results in points after uma; total = results − penalties · "
        "made 9 May 2026, 18:30 UTC+2"
    )


def test_numbers_have_formats_and_shared_places_show(book):
    sheet = book["Standings"]
    assert [sheet.cell(row, 1).number_format for row in range(4, 8)] == ["0", '"="0', '"="0', "0"]
    assert {sheet.cell(row, 6).number_format for row in range(4, 8)} == {'"+"#,##0;"−"#,##0;0'}
    assert sheet["C4"].number_format == "@"
    assert [book["By round"].cell(row, 6).number_format for row in range(4, 9)] == ["0", "0", "0", '"="0', '"="0']


def test_head_is_frozen_filtered_and_wide_enough(book):
    assert [(sheet.freeze_panes, sheet.auto_filter.ref) for sheet in book] == [
        ("C4", "A3:J7"), ("C4", "A3:H12"), ("C4", "A3:K6"), ("E4", "A3:R5"), ("A4", "A3:J6"), ("B4", "A3:S4"),
    ]  # fmt: skip
    assert book["Standings"].column_dimensions["B"].width == 18  # the formula's 15 letters and air
    assert {sheet.print_title_rows for sheet in book} == {"$3:$3"}


def test_a_wide_sheet_prints_over_pages_side_by_side(book):
    assert [(sheet.title, sheet.page_setup.fitToWidth, sheet.print_title_cols) for sheet in book] == [
        ("Standings", 1, "$A:$B"), ("By round", 1, "$A:$B"), ("By table", 1, "$A:$B"), ("Hands", 2, "$A:$D"),
        ("Penalties", 1, None), ("Statistics", 2, "$A:$A"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "=", "#N/A", "01234567", "1e5", "=A\x07"]
)
def test_text_stays_text(text):
    rows = (StandingRow(1, False, 5, text, 0, 0, 0, ()),)
    cell = reopen(results_workbook(HEAD, rows, ()))["Standings"]["B4"]
    assert (cell.value, cell.data_type) == (text.replace("\x07", "\ufffd").replace("\r", "\n"), "s")
    assert bool(cell.quotePrefix) is text.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_no_formula_anywhere_in_the_file():
    with zipfile.ZipFile(io.BytesIO(results_workbook(HEAD, STANDINGS, ROUNDS, penalties=PENALTIES))) as parts:
        assert [name for name in parts.namelist() if b"<f>" in parts.read(name) or b"<f " in parts.read(name)] == []


def test_same_rows_same_bytes():
    first = results_workbook(HEAD, STANDINGS, ROUNDS, penalties=PENALTIES)
    assert results_workbook(HEAD, STANDINGS, ROUNDS, penalties=PENALTIES) == first
    assert reopen(first).properties.modified == dt.datetime.fromisoformat("2026-05-09T16:30")
    assert results_workbook(dataclasses.replace(HEAD, name="Other"), STANDINGS, ROUNDS) != first


def test_empty_event():
    book = reopen(results_workbook(HEAD, (), ()))
    assert [len(table(book, name)) for name in book.sheetnames] == [1, 1, 1, 1, 1, 1]


def test_standings_can_be_read_as_a_list_of_players():
    preview = read_players(results_workbook(HEAD, STANDINGS[:2], ()), "results.xlsx")
    assert [(draft.preferred_name, draft.ema_number, draft.country) for draft in preview.drafts] == [
        ("Ada Moss", "04160092", "AUT"),
        ("東海林 さくら", "", ""),
    ]
