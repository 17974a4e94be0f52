"""The fouls of EMA 2025 against the list that we work from, read here by other means, and what SanMatsuri adds."""

import dataclasses
import re
from collections import Counter
from pathlib import Path

import pytest

from rules.foul_books import catalogue
from rules.fouls import Case
from tests.conftest import absent

# ---------------------------------------------------------------- EMA


@pytest.fixture(scope="module")
def ema_page(cases: Path) -> str:
    path = cases.parent / "rules" / "ema-2025-and-sanma.md"
    if not path.is_file():
        absent(f"the page on EMA 2025 is not at {path}")
    return path.read_text(encoding="utf-8")


def ema_table(page: str, head: str) -> list[list[str]]:
    """Return the cells of the table below a headline, without the table's own head."""
    part = page[page.index(f"### {head} ") :]
    lines = part[: part.index("\n### ", 4)].splitlines()
    return [[cell.strip(" *") for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")][1:]


MINOR = {"nothing", "referee"}  # 6.1.1: nothing, and when repeated the referee
EMA_PHRASES: dict[str, set[str]] = {
    "none": {"nothing"},
    "re-deal": {"redeal"},
    "minor": MINOR,
    "chombo": {"chombo"},
    "dead hand": {"dead_hand"},
    "stick back": {"deposit_back"},
    "lowest-scoring tile": {"nothing"},
    "referee's choice": {"referee", "points"},
    "disqualification": {"disqualification"},
}
# Rows whose words say more or less than their phrases: what is done, and why.
EMA_ROWS = {
    5: ({"fix", "referee"}, "a minor error that is put right"),
    23: ({"nothing", "dead_hand"}, "a dead hand only when repeated"),
    26: ({"dead_hand", "chombo"}, "void means that there is no win"),
    29: ({"points"}, "an amount alone"),
    30: ({"points"}, "an amount alone"),
    32: (MINOR, "serious cases are another row, the summary's dead hand is said in the note"),
    33: ({"referee", "points", "disqualification"}, "amounts to choose from"),
}
# Rows that are several fouls, and fouls of which the book speaks elsewhere.
EMA_SEVERAL = {15: 3}
EMA_BESIDE = {
    "riichi_no_tile": ({"void_call", "deposit_back"}, "E25 6.6"),
    "tenpai_out_of_order": ({"nothing"}, "E25 3.4.2"),
    "false_noten": ({"legal"}, "E25 3.4.2"),
    "cheating": ({"disqualification"}, "E25 6.12"),
    "late": ({"points"}, "E25 7.2"),
    "late_over": ({"substitute"}, "E25 7.3"),
}


def ema_numbers(text: str) -> set[int]:
    return {int(number.replace(",", "")) for number in re.findall(r"\d+,\d{3}", text)}


def acts_of(cases: tuple[Case, ...]) -> set[str]:
    repeats = (act for case in cases if case.repeated for act in case.repeated.acts)
    return {act for case in cases for act in case.acts} | set(repeats)


def points_of(cases: tuple[Case, ...]) -> set[int]:
    return {points for case in cases for points in (case.points, case.most) if points}


def chombo_of_ema(page: str) -> int:
    (row,) = [cells for cells in ema_table(page, "2.1") if cells[0] == "chombo"]
    return int(re.findall(r"-(\d+),000", row[1])[0]) * 1000


def test_the_list_of_ema_has_all_rows_and_no_other(ema_page: str) -> None:
    fouls = catalogue("ema-2025").fouls
    numbers = Counter({row: EMA_SEVERAL.get(row, 1) for row in range(1, len(ema_table(ema_page, "2.2")) + 1)})
    assert sum(numbers.values()) == 36
    assert Counter(foul.row for foul in fouls if foul.row) == numbers
    assert {foul.key for foul in fouls if not foul.row} == set(EMA_BESIDE)


@pytest.mark.parametrize("key", EMA_BESIDE)
def test_fouls_beside_the_list_of_ema(key: str) -> None:
    penalty = catalogue("ema-2025").penalties[key]
    assert (acts_of(penalty.cases), penalty.clause) == EMA_BESIDE[key]


def test_every_penalty_of_ema_is_that_of_the_list(ema_page: str) -> None:
    fouls, chombo = catalogue("ema-2025"), chombo_of_ema(ema_page)
    for number, (error, penalty, clause) in enumerate(ema_table(ema_page, "2.2"), start=1):
        phrases = {act for phrase, acts in EMA_PHRASES.items() if phrase in penalty for act in acts}
        acts = EMA_ROWS.get(number, (phrases, ""))[0]
        points = ema_numbers(penalty) | ({chombo} if "chombo" in acts else set())
        for key in (foul.key for foul in fouls.fouls if foul.row == number):
            found = fouls.penalties[key]
            assert (error, acts_of(found.cases), points_of(found.cases)) == (error, acts, points)
            chapters = [part for part in clause.split(", ") if not part.startswith("p.")]
            extra = {"E25", "6.1.1"} | ({"3.3.14"} if key == "noten_riichi" else set())
            assert set(re.findall(r"E25|[\d.]+", found.clause)) - extra == set(chapters)


def case_table(key: str, foul: str) -> list[tuple[tuple[str, ...], int, int]]:
    return [(case.acts, case.points, case.most) for case in catalogue(key).penalties[foul].cases]


# Fouls that turn out in several ways, worked by hand from E25 6.2 to 6.12.
EMA_CASES: dict[str, list[tuple[tuple[str, ...], int, int]]] = {
    "shown_before_start": [(("nothing",), 0, 0), (("redeal",), 0, 0)],
    "shown_many": [(("chombo",), 20_000, 0), (("redeal",), 0, 0)],
    "drawn_tile_mixed_in": [(("nothing",), 0, 0), (("dead_hand",), 0, 0)],
    "win_call_changed": [(("dead_hand",), 0, 0), (("chombo",), 20_000, 0)],
    "tsumo_after_discard": [(("dead_hand",), 0, 0), (("chombo",), 20_000, 0)],
    "riichi_then_call": [(("dead_hand",), 0, 0), (("chombo",), 20_000, 0)],
    "obstruction": [
        (("points", "referee"), 8_000, 12_000),
        (("points", "referee"), 12_000, 48_000),
        (("disqualification",), 0, 0),
    ],
}


@pytest.mark.parametrize("foul", EMA_CASES)
def test_the_cases_of_ema(foul: str) -> None:
    assert case_table("ema-2025", foul) == EMA_CASES[foul]


def test_ema_has_no_other_fouls_with_several_cases() -> None:
    penalties = catalogue("ema-2025").penalties
    assert {key for key, penalty in penalties.items() if len(penalty.cases) > 1} == set(EMA_CASES)


def test_being_late_at_ema_is_what_the_page_says(ema_page: str) -> None:
    rows = {cells[0]: cells[1:] for cells in ema_table(ema_page, "2.3")}
    fouls = catalogue("ema-2025")
    (late,), (over,) = fouls.penalties["late"].cases, fouls.penalties["late_over"].cases
    assert (ema_numbers(rows["late up to 10 min"][0]), late.per, late.units) == ({late.points}, "minute", 10)
    assert rows["late over 10 min"][0].startswith("substitute plays the session; no lateness penalty")
    assert (over.acts, over.points) == (("substitute",), 0)
    clauses = [fouls.penalties[key].clause for key in ("late", "late_over")]
    assert clauses == [f"E25 {rows[name][1]}" for name in ("late up to 10 min", "late over 10 min")]


# ---------------------------------------------------------------- sanma


def test_sanmatsuri_takes_over_all_of_ema() -> None:
    sanma, ema = catalogue("sanmatsuri-2026"), catalogue("ema-2025")
    assert sanma.fouls[: len(ema.fouls)] == ema.fouls
    for key, penalty in ema.penalties.items():
        assert dataclasses.replace(sanma.penalties[key], note=penalty.note) == penalty
        assert sanma.penalties[key].note.startswith(penalty.note)


def test_the_notes_of_sanma() -> None:
    sanma, ema = catalogue("sanmatsuri-2026"), catalogue("ema-2025")
    noted = {key for key, penalty in ema.penalties.items() if sanma.penalties[key].note != penalty.note}
    assert noted == {
        "wrong_tile_count",
        "draw_wrong_place",
        "draw_dead_wall",
        "empty_call",
        "riichi_then_call",
        "late_over",
    }


# What S0 forbids without a price, and the false tenpai that no book of this event prices: never points by itself.
SANMA = {
    "kita_after_pon": ({"referee"}, "S0: North Winds"),
    "kita_in_riichi": ({"referee"}, "S0: North Winds"),
    "kita_no_tile": ({"referee"}, "S0: North Winds"),
    "chii_called": (MINOR, "S0: Calls; E25 6.5.2, 6.1.1"),
    "false_tenpai": (MINOR, "E25 6.1.1"),
}


def test_what_no_source_prices_costs_nothing_by_itself_and_says_so() -> None:
    sanma, ema = catalogue("sanmatsuri-2026"), catalogue("ema-2025")
    own = {foul.key: sanma.penalties[foul.key] for foul in sanma.fouls[len(ema.fouls) :]}
    assert {key: (acts_of(penalty.cases), penalty.clause) for key, penalty in own.items()} == SANMA
    assert [key for key, penalty in own.items() if not penalty.ours or points_of(penalty.cases)] == []
