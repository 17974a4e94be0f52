"""Paper sheets: scores, and each likely mistake found by its gap; only the sum is an error."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.books import load
from rules.ruleset import Ruleset
from scoring.check import problems
from scoring.paper_sheet import PaperSheet, differing_seats, gap_of, scores_of, sheet_problems, totals_of
from scoring.placement import finish
from scoring.problems import Problem, errors_of
from scoring.state import TableState, opening
from tests.table_test import tabled

EMA, WRC, SANMA = load("ema-2025"), load("wrc-2025"), load("sanmatsuri-2026")


def sheet(
    *counts: int, loans: dict[int, int] | None = None, leftover: int = 0, differences: bool = False
) -> PaperSheet:
    lent = tuple((loans or {}).get(seat, 0) for seat in range(len(counts)))
    return PaperSheet(counts, lent, leftover, "differences" if differences else "totals")


def said(paper: PaperSheet, rules: Ruleset = EMA) -> list[tuple[str, dict[str, Any]]]:
    found = [
        (problem.code.removeprefix("sheet_gap."), dict(problem.params)) for problem in sheet_problems(paper, rules)
    ]
    return [(code, params) for code, params in found if code not in ("short", "over")]


def codes(paper: PaperSheet, rules: Ruleset = EMA) -> list[str]:
    return [problem.code.removeprefix("sheet_gap.") for problem in sheet_problems(paper, rules)]


# ---------------------------------------------------------------- what counts


def test_counts_and_differences_are_one_thing_written_twice():
    counts = sheet(45_200, 30_000, 28_000, 16_800)
    differences = sheet(15_200, 0, -2_000, -13_200, differences=True)
    assert (codes(counts), codes(differences)) == ([], [])
    assert totals_of(counts, EMA) == totals_of(differences, EMA)
    assert differing_seats(counts, differences, EMA) == ()


def test_a_loan_is_taken_off_the_count():
    paper = sheet(60_000, 50_000, 30_000, 10_000, loans={3: 30_000})
    assert (codes(paper), scores_of(paper, EMA)) == ([], (60_000, 50_000, 30_000, -20_000))


@pytest.mark.parametrize(
    ("rules", "scores", "lost"),
    [(EMA, (42_000, 30_000, 28_000, 20_000), 0), (WRC, (41_000, 30_000, 28_000, 20_000), 1_000)],
    ids=["first", "lost"],
)
def test_deposits_left_go_where_the_book_sends_them(rules: Ruleset, scores: tuple[int, ...], lost: int):
    entry = totals_of(sheet(41_000, 30_000, 28_000, 20_000, leftover=1_000), rules)
    assert (entry.scores, entry.leftover) == (scores, lost)
    assert problems(entry, opening(rules), rules) == []


def test_three_tied_winners_share_and_a_point_is_lost():
    paper = sheet(35_000, 35_000, 35_000, 14_000, leftover=1_000)
    entry = totals_of(paper, EMA)
    assert (codes(paper), entry.scores, entry.leftover) == ([], (35_333, 35_333, 35_333, 14_000), 1)
    given_out = sheet(35_333, 35_333, 35_333, 14_000)
    assert (codes(given_out), totals_of(given_out, EMA)) == ([], entry)


def test_scores_off_the_hundred_are_refused_where_no_share_explains_them():
    assert said(sheet(45_250, 30_000, 28_000, 16_750)) == [
        ("off_unit", {"seat": 0, "typed": 45_250, "unit": 100}),
        ("off_unit", {"seat": 3, "typed": 16_750, "unit": 100}),
    ]
    assert "off_unit" in codes(sheet(35_333, 35_333, 35_333, 14_001), WRC)
    odd = replace(EMA, start_points=30_050)
    assert codes(sheet(30_050, 30_150, 29_950, 30_050), odd) == []


def test_far_scores_want_a_reason_and_stop_nothing():
    paper = sheet(100_100, 30_000, -10_100, 0)
    assert [(p.code, p.severity, p.params["seat"]) for p in sheet_problems(paper, EMA)] == [
        ("sheet_gap.far", "warning", 0)
    ]
    assert codes(sheet(100_000, 30_000, -10_000, 0)) == []
    assert codes(sheet(61_000, 40_000, -11_000), SANMA) == []


# ---------------------------------------------------------------- gaps and what explains them


@tabled(
    "paper, wanted",
    [
        (sheet(44_200, 30_000, 28_000, 16_800), ("deposit", {})),
        (sheet(42_200, 30_000, 28_000, 16_800), ("deposits", {"count": 3})),
        (sheet(45_200, 30_000, 28_000, 46_800), ("loan_forgotten", {"points": 30_000})),
        (sheet(25_200, 30_000, 28_000, 16_800), ("sticks_forgotten", {"points": 20_000})),
        (
            sheet(75_200, 0, 28_000, 16_800, loans={1: 30_000}),
            ("loan_twice", {"seat": 1, "loan": 30_000}),
        ),
        (sheet(45_200, 30_000, 28_000, 16_800, leftover=1_000), ("given_out", {"leftover": 1_000})),
        (
            sheet(52_200, 30_000, 48_000, 16_800),
            ("digits_swapped", {"seat": 0, "typed": 52_200, "meant": 25_200, "gap": 27_000}),
        ),
        (sheet(56_600, 38_400, 28_400, 3_400), ("sign_lost", {"seat": 3, "typed": 3_400})),
        (
            sheet(4_520, 30_000, 28_000, 16_800),
            ("zero_missing", {"seat": 0, "typed": 4_520, "meant": 45_200}),
        ),
        (
            sheet(452_000, 30_000, 28_000, 16_800),
            ("zero_too_many", {"seat": 0, "typed": 452_000, "meant": 45_200}),
        ),
        (
            sheet(45_200, 30_000, 28_000, -13_200),
            ("difference_among_totals", {"seat": 3, "typed": -13_200}),
        ),
        (
            sheet(45_200, 0, -2_000, -13_200, differences=True),
            ("total_among_differences", {"seat": 0, "typed": 45_200}),
        ),
        (sheet(15_200, 0, -2_000, 13_200, differences=True), ("sign_lost", {"seat": 3, "typed": 13_200})),
    ],
)
def test_a_slip_is_named(paper: PaperSheet, wanted: tuple[str, dict[str, Any]]):
    assert wanted in said(paper)


def test_the_gap_itself_comes_first():
    first = sheet_problems(sheet(44_200, 30_000, 28_000, 16_800), EMA)[0]
    assert (first.code, first.params) == ("sheet_gap.short", {"gap": 1_000, "total": 119_000, "wanted": 120_000})


def test_the_other_kind_of_numbers_is_asked_for_and_never_guessed():
    assert said(sheet(15_200, 0, -2_000, -13_200)) == [("look_like_differences", {"total": 0})]
    assert said(sheet(15_200, 0, -2_000, -14_200), WRC) == [("look_like_differences", {"total": -1_000})]
    assert said(sheet(45_200, 30_000, 28_000, 16_800, differences=True)) == [("look_like_totals", {"total": 120_000})]
    assert said(sheet(1_000, -4_000, 3_000), SANMA) == [("look_like_differences", {"total": 0})]


def test_fields_that_cannot_be_stop_before_the_sum():
    assert said(sheet(45_200, 30_000, 28_000, 16_800, loans={2: -1_000}, leftover=500)) == [
        ("loan_negative", {"seat": 2}),
        ("leftover_odd", {"leftover": 500, "deposit": 1_000}),
    ]
    assert sheet_problems(sheet(1, 2, 3), EMA) == [Problem("points.not_for_each_seat", {"given": 3, "players": 4})]
    for uneven in (PaperSheet((30_000,) * 4, (0,) * 3), PaperSheet((30_000,) * 3, (0,) * 4)):
        assert [problem.code for problem in sheet_problems(uneven, EMA)] == ["points.not_for_each_seat"]


# ---------------------------------------------------------------- for any sheet


@st.composite
def right_sheets(draw: st.DrawFn) -> tuple[Ruleset, PaperSheet]:
    """Return sheets that sum, in either kind of numbers, with loans and deposits."""
    rules = draw(st.sampled_from([EMA, WRC, SANMA]))
    moved = [draw(st.integers(-900, 900)) * 100 for _ in range(rules.players - 1)]
    leftover = draw(st.integers(0, 4)) * 1_000
    scores = [rules.start_points + points for points in moved]
    scores.append(rules.start_points * rules.players - leftover - sum(scores))
    loans = [draw(st.sampled_from([0, 0, 0, 10_000, 30_000])) for _ in scores]
    differences = draw(st.booleans())
    base = rules.start_points if differences else 0
    counts = [score + loan - base for score, loan in zip(scores, loans, strict=True)]
    return rules, PaperSheet(tuple(counts), tuple(loans), leftover, "differences" if differences else "totals")


@given(right_sheets())
def test_a_sheet_that_sums_is_an_entry_that_may_stand(given_: tuple[Ruleset, PaperSheet]):
    rules, paper = given_
    assert errors_of(sheet_problems(paper, rules)) == []
    entry = totals_of(paper, rules)
    assert problems(entry, opening(rules), rules) == []
    played = finish(TableState(scores_of(paper, rules), sticks=paper.leftover // rules.riichi_deposit), rules)
    assert (entry.scores, entry.leftover) == (played.scores, played.leftover)


@given(right_sheets(), st.integers(-500, 500).filter(bool), st.integers(0, 2))
def test_one_wrong_number_never_passes(given_: tuple[Ruleset, PaperSheet], off: int, seat: int):
    rules, paper = given_
    counts = list(paper.counts)
    counts[seat] += off * 100
    wrong = replace(paper, counts=tuple(counts))
    assert gap_of(wrong, rules) == off * 100
    assert errors_of(sheet_problems(wrong, rules)) != []
    assert differing_seats(paper, wrong, rules) == (seat,)


@given(right_sheets(), st.integers(0, 2))
def test_two_neighbouring_digits_swapped_are_found(given_: tuple[Ruleset, PaperSheet], seat: int):
    rules, paper = given_
    digits = str(abs(paper.counts[seat]))
    if len(digits) < 3 or digits[0] == digits[1] or digits[1] == "0":
        return
    swapped = int(digits[1] + digits[0] + digits[2:]) * (-1 if paper.counts[seat] < 0 else 1)
    counts = list(paper.counts)
    counts[seat] = swapped
    found = sheet_problems(replace(paper, counts=tuple(counts)), rules)
    named = {(p.code, p.params.get("seat"), p.params.get("meant")) for p in found}
    other_kind = any(p.code.startswith("sheet_gap.look_like") for p in found)
    causes = [p for p in found if p.severity == "error"][1:]
    assert other_kind or len(causes) == 3 or ("sheet_gap.digits_swapped", seat, paper.counts[seat]) in named


def test_three_tied_winners_share_two_deposits_and_two_points_are_lost():
    paper = sheet(35_666, 35_666, 35_666, 13_000)
    assert (codes(paper), totals_of(paper, EMA).leftover) == ([], 2)


def test_points_that_no_division_drops_are_crumbs():
    paper = sheet(35_333, 35_333, 35_333, 13_999)  # thirds of one deposit drop one point, not two
    assert said(paper) == [("crumbs", {"points": 2}), ("off_unit", {"seat": 3, "typed": 13_999, "unit": 100})]
