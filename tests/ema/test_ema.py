"""The federation's workbook, the ranking site's csv, and the check that names each fault in them."""

import csv
import dataclasses
import datetime as dt
import io
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from scoring.problems import Problem
from tests.ema.ema_reader import ReadEvent, ReadLine, read_ema
from tests.table_test import tabled
from tournament.ema.files import EmaEvent, EmaPlayer, check_ema, ema_workbook, ranking_csv, split_name
from tournament.pages.csv_files import escape_formula

pytestmark = pytest.mark.whole_run

MADE = dt.datetime(2026, 9, 13, 18, 30, tzinfo=dt.UTC)
EVENT = EmaEvent(
    name="=Spring Open", place="Graz", country="AUT", day=dt.date(2026, 9, 12), last=dt.date(2026, 9, 13),
    days=2, halves=5, listed=16, rounds=2,
    planned=2, rules="ema-2025",
)  # fmt: skip
COUNTRIES = ("AUT", "DEU", "FRA", "NLD")
STARTS = {"AUT": "01", "DEU": "05", "FRA": "04", "NLD": "08"}


def player(place: int) -> EmaPlayer:
    country = COUNTRIES[place % 4]
    return EmaPlayer(
        position=place,
        name=f"Player{place} MOSS{place}",
        first_name=f"Player{place}",
        last_name=f"MOSS{place}",
        ema_number=f"{STARTS[country]}0000{place:02d}",
        country=country,
        score=40_000 - 5_000 * place,
        results=(60_000 - 5_000 * place, -20_000 + (1_000 if place == 3 else 0)),
        penalties=1_000 if place == 3 else 0,
    )


PLAYERS = tuple(player(place) for place in range(1, 17))


def test_a_reader_of_the_layout_gets_everything_back():
    read = read_ema(ema_workbook(EVENT, PLAYERS, MADE))
    assert read == ReadEvent(
        name="=Spring Open", country="AUT", town="Graz", weight=Decimal("2.5"), rules="riichi",
        date="12-13 Sept. 2026", days=2,
        lines=tuple(
            ReadLine(each.position, each.first_name, each.last_name, each.ema_number, each.score, True, each.country)
            for each in PLAYERS
        ),
    )  # fmt: skip


def test_row_1_is_the_heading_and_the_event_stands_in_row_3_alone():
    sheet = load_workbook(io.BytesIO(ema_workbook(EVENT, PLAYERS, MADE))).worksheets[0]
    assert [cell.value for cell in sheet[1]] == [
        "Tournament", "Players", "Position", "First name", "Last name", "EMA number", "Table points", "Score",
        "EMA member", "Country", None, "Host country", "Place", "MERS weight", None, "Rules", "Date", "Days",
    ]  # fmt: skip
    outer = [[sheet[f"{letter}{row}"].value for row in (2, 4, 17)] for letter in "ABLMNPQR"]
    assert outer == [[None] * 3] * 8
    assert {sheet[f"{letter}{row}"].value for letter in "GKO" for row in range(2, 18)} == {None}
    assert (sheet.freeze_panes, sheet.auto_filter.ref, sheet.print_title_rows) == ("F2", "C1:J17", "$1:$1")


def test_numbers_are_numbers_and_what_looks_like_one_stays_text():
    sheet = load_workbook(io.BytesIO(ema_workbook(EVENT, PLAYERS, MADE))).worksheets[0]
    assert [sheet[at].data_type for at in ("C2", "F2", "H2", "I2", "B3", "N3", "R3")] == list("nsnbnnn")
    assert (sheet["F2"].value, sheet["F2"].number_format, sheet["H2"].number_format) == (
        "05000001", "@", "#,##0;-#,##0",
    )  # fmt: skip
    assert (sheet["A3"].value, sheet["A3"].data_type, sheet["A3"].quotePrefix) == ("=Spring Open", "s", True)


def test_who_has_no_number_is_listed_and_no_member():
    guest = dataclasses.replace(PLAYERS[0], ema_number="", country="")
    assert read_ema(ema_workbook(EVENT, [guest], MADE)).lines == (
        ReadLine(1, "Player1", "MOSS1", "", 35_000, False, ""),
    )  # fmt: skip


def test_the_ranking_sites_csv():
    odd = dataclasses.replace(PLAYERS[1], first_name="=1+1", last_name="Fir, Kay", ema_number="", country="")
    data = ranking_csv([PLAYERS[0], odd])
    assert data.startswith(b"\xef\xbb\xbf")
    assert list(csv.reader(io.StringIO(data.decode("utf-8-sig")))) == [
        ["position", "ema_id", "last_name", "first_name", "nationality", "points", "mahjong"],
        ["1", "05000001", "MOSS1", "Player1", "DE", "0", "35000"],
        ["2", "", "Fir, Kay", "'=1+1", "", "0", "30000"],
    ]


@given(st.text(max_size=8))
def test_no_text_of_a_csv_begins_like_a_formula(text: str):
    assert not escape_formula(text).startswith((*"=+-@＝＋－＠", "\t", "\r", "\n"))
    assert escape_formula(text).removeprefix("'") == text.removeprefix("'")


@given(st.lists(st.from_regex(r"[A-Za-zÀ-ÿ東]{1,6}", fullmatch=True), max_size=5))
def test_no_word_of_a_name_is_lost(words: list[str]):
    assert sorted(" ".join(split_name(" ".join(words))).split()) == sorted(words)


# ---------------------------------------------------------------- the check


def changed(place: int, **values: object) -> tuple[EmaPlayer, ...]:
    return tuple(
        dataclasses.replace(each, **values) if each.position == place else each  # type: ignore[arg-type]
        for each in PLAYERS
    )


def of_event(**values: object) -> EmaEvent:
    return dataclasses.replace(EVENT, **values)  # type: ignore[arg-type]


SEEDED: dict[str, tuple[EmaEvent, tuple[EmaPlayer, ...], tuple[str, ...], list[Problem]]] = {
    "nothing": (EVENT, PLAYERS, (), []),
    "no number": (
        EVENT, changed(4, ema_number=""), (),
        [Problem("ema.number_missing", {"people": ("Player4 MOSS4",)}, "warning")],
    ),
    "a nought eaten": (
        EVENT, changed(4, ema_number="1000004"), (),
        [Problem("ema.number_invalid", {"who": "Player4 MOSS4", "number": "1000004", "digits": 8})],
    ),
    "a letter": (
        EVENT, changed(4, ema_number="0100000O"), (),
        [Problem("ema.number_invalid", {"who": "Player4 MOSS4", "number": "0100000O", "digits": 8})],
    ),
    "an unknown federation": (
        EVENT, changed(4, ema_number="99000004"), (),
        [Problem("ema.number_federation", {"start": "99", "people": ("Player4 MOSS4",)}, "warning")],
    ),
    "one number twice": (
        EVENT, changed(8, ema_number="01000004"), (),
        [Problem("ema.number_twice", {"number": "01000004", "people": ("Player4 MOSS4", "Player8 MOSS8")})],
    ),
    "another federation": (
        EVENT, changed(4, ema_number="05000004"), (),
        [Problem("ema.number_country",
            {"who": "Player4 MOSS4", "number": "05000004", "home": "DEU", "country": "AUT"}, "warning",
        )],
    ),
    "no country": (EVENT, changed(4, country=""), (), [Problem("ema.country_missing", {"people": ("Player4 MOSS4",)})]),
    "no such country": (
        EVENT, changed(4, country="GER", ema_number=""), (),
        [
            Problem("ema.country_unknown", {"who": "Player4 MOSS4", "given": "GER"}),
            Problem("ema.number_missing", {"people": ("Player4 MOSS4",)}, "warning"),
        ],
    ),
    "half a name": (EVENT, changed(4, first_name=""), (), [Problem("ema.name_half", {"people": ("Player4 MOSS4",)})]),
    "two of one name": (
        EVENT, changed(4, first_name="Player5", last_name="moss5"), (),
        [Problem("ema.name_twice", {"who": "Player5 Moss5", "times": 2}, "warning")],
    ),
    "a total not explained": (
        EVENT, changed(3, penalties=0), (),
        [Problem("ema.total", {"who": "Player3 MOSS3", "total": 25_000, "wanted": 26_000})],
    ),
    "a cut": (
        EVENT, changed(3, penalties=0, cut=True), (), [Problem("ema.cut", {"people": ("Player3 MOSS3",)}, "warning")],
    ),
    "a tie": (
        EVENT, changed(6, position=5, score=15_000, results=(35_000, -20_000)), (),
        [Problem("ema.shared", {"place": 5, "people": ("Player5 MOSS5", "Player6 MOSS6")}, "warning")],
    ),
    "unlike totals share a place": (
        EVENT, changed(6, position=5), (),
        [
            Problem("ema.shared_unlike", {"place": 5, "people": ("Player5 MOSS5", "Player6 MOSS6")}),
            Problem("ema.shared", {"place": 5, "people": ("Player5 MOSS5", "Player6 MOSS6")}, "warning"),
        ],
    ),
    "a place left out": (
        EVENT, changed(16, position=17), (), [Problem("ema.place_gap", {"place": 17, "expected": 16})],
    ),
    "the order is wrong": (
        EVENT, changed(6, score=25_001, results=(45_001, -20_000)), (),
        [Problem("ema.order", {"who": "Player6 MOSS6", "ahead": "Player5 MOSS5"})],
    ),
    "a game is missing": (
        EVENT, changed(4, results=(20_000, None)), (),
        [Problem("ema.games", {"rounds": 2, "people": ("Player4 MOSS4",)}, "warning")],
    ),
    "a guest": (EVENT, PLAYERS, ("Yew",), [Problem("ema.left_out", {"people": ("Yew",), "limit": 3}, "warning")]),
    "few players": (EVENT, PLAYERS[:15], (), [Problem("ema.few_players", {"count": 15}, "warning")]),
    "one country": (
        EVENT,
        tuple(dataclasses.replace(each, country="AUT", ema_number=f"01{each.ema_number[2:]}") for each in PLAYERS), (),
        [Problem("ema.few_countries", {"country": "AUT"}, "warning")],
    ),
    "nobody": (EVENT, (), (), [Problem("ema.nobody", {})]),
    "sanma": (of_event(table_size=3), PLAYERS, (), [Problem("ema.sanma", {"players": 3})]),
    "other rules": (
        of_event(rules="wrc-2025"), PLAYERS, (), [Problem("ema.other_rules", {"rules": "wrc-2025"}, "warning")],
    ),
    "no town": (of_event(place=""), PLAYERS, (), [Problem("ema.place_missing", {})]),
    "no host": (of_event(country=""), PLAYERS, (), [Problem("ema.host_missing", {})]),
    "an unknown host": (of_event(country="Styria"), PLAYERS, (), [Problem("ema.host_unknown", {"given": "Styria"})]),
    "a round is held": (
        of_event(planned=3), PLAYERS, (), [Problem("ema.rounds", {"rounds": 2, "planned": 3}, "warning")],
    ),
}  # fmt: skip


@tabled("fault", SEEDED)
def test_the_check_finds_each_fault_and_nothing_else(fault: str):
    event, players, left_out, expected = SEEDED[fault]
    found = check_ema(event, players, left_out=left_out)
    assert found == expected
