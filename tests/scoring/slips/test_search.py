"""Slips by kind: what was typed, what the paper says, and the repair that comes first."""

import random

import pytest

from rules.books import load
from scoring.entries import Entry
from scoring.game import fold
from scoring.shorthand import parse, write
from scoring.slips.edits import KINDS
from scoring.slips.search import find_slips
from tests.table_test import tabled
from tools.bench.slips import KINDS as SEEDED
from tools.bench.slips import measure, recorded
from tournament.text.hands import SLIPS

pytestmark = pytest.mark.whole_run

EMA, T4, SAN = "ema-2025", "tenhou-yonma", "sanmatsuri-2026"
PLAYED = "2r3 340/2 · d13/1 · 3t 230 · 1r4 340/1 · d24 · 4r2 130/3 · 2r1 330/2"


def hands(lines: str) -> list[Entry]:
    return [parse(line) for line in lines.split(" · ")]


def changed(at: int, line: str, played: str = PLAYED) -> str:
    lines = played.split(" · ")
    return " · ".join([*lines[:at], *([line] if line else []), *lines[at + 1 :]])


# book, the hands as played, the hands as typed, the kind that comes first and its hand
ROWS: list[tuple[str, str, str, str, int]] = [
    (EMA, PLAYED, changed(5, "4r2 1130/3"), "digit", 5),
    (EMA, PLAYED, changed(0, "2r3 330/2"), "neighbour", 0),
    (EMA, PLAYED, changed(3, "1r3 340/1"), "discarder", 3),
    (EMA, PLAYED, changed(5, "1r2 130/3"), "winner", 5),
    (EMA, PLAYED, changed(5, "4r2 130"), "riichi_missed", 5),
    (EMA, PLAYED, changed(2, "3r2 230"), "tsumo_as_ron", 2),
    (EMA, PLAYED, changed(3, "1t 340/1"), "ron_as_tsumo", 3),
    (EMA, PLAYED, changed(4, "d2"), "tenpai", 4),
    (EMA, PLAYED, changed(3, "4r1 340/1"), "exchanged", 3),
    (EMA, PLAYED, changed(3, ""), "forgotten", 3),
    (EMA, PLAYED, changed(3, "1r4 340/1 · 1r4 340/1"), "twice", 4),
    (EMA, PLAYED, changed(3, "d · 1r4 340/1"), "dealer", 3),
    (EMA, "2r1 y p3 · d1", "2r1 y · d1", "liability", 0),
    (SAN, "2r3 340/2 · d13/1 · 3t 330", "2r1 340/2 · d13/1 · 3t 330", "discarder", 0),
]


@tabled("key, played, typed, kind, at", ROWS)
def test_the_slip_comes_first(key: str, played: str, typed: str, kind: str, at: int) -> None:
    rules = load(key)
    scores = fold(hands(played), rules).state.scores
    first = find_slips(hands(typed), rules, scores)[0]
    assert (first.kind, first.at) == (kind, at)
    assert " · ".join(write(entry) for entry in first.entries) == played
    assert first.scores == scores


def test_right_games_have_no_slips_whatever_was_announced() -> None:
    for game in recorded():
        scores = fold(game.entries, game.rules, start=game.start).state.scores
        assert find_slips(game.entries, game.rules, scores, start=game.start) == []


def test_what_the_table_announced_finds_the_hand_without_any_total() -> None:
    said = hands("2r3 340 · 3r1 330 !2000 · d")
    first = find_slips(said, load(T4), None)[0]
    assert (first.kind, first.at, write(first.entries[1])) == ("neighbour", 1, "3r1 230 !2000")
    out_of_step = find_slips(hands("2r3 340 · 2r3 330 !3900"), load(T4), None)
    assert {slip.at for slip in out_of_step} == {0, 1}
    assert find_slips(hands("2r3 340 · 2r3 330 !5800"), load(T4), None) == []


def test_two_slips_are_found_where_one_does_not_do() -> None:
    rules = load(EMA)
    scores = fold(hands(PLAYED), rules).state.scores
    typed = hands(changed(6, "2t 330/2", changed(4, "d23", changed(0, "2r4 330/2"))))
    assert find_slips(typed, rules, scores) == []
    typed = hands(changed(4, "d23", changed(0, "2r4 340/2")))
    best = find_slips(typed, rules, scores)
    assert best
    assert len(best[0].edits) == 2
    assert best[0].entries == tuple(hands(PLAYED))
    assert all(slip.scores == scores for slip in best)


def test_scores_that_no_hands_give_have_no_slips() -> None:
    assert find_slips(hands(PLAYED), load(EMA), (30_050, 29_950, 30_000, 30_000)) == []
    assert find_slips([parse("*30000,42000,18000,30000")], load(EMA), (30_000,) * 4) == []


def test_every_kind_has_its_words() -> None:
    assert sorted(SLIPS) == sorted(KINDS)


@pytest.mark.parametrize(("each", "sample"), [(1, 8), pytest.param(4, 30, marks=pytest.mark.nightly)])
def test_seeded_slips_are_found_again(each: int, sample: int) -> None:
    """The short form of `python -m tools.bench.slips`."""
    games = random.Random(3).sample(recorded(), sample)
    rows = measure(each, games, seed_number=3)
    assert set(SEEDED) < set(rows)
    assert rows["mean"]["announced_first"] >= 80
    assert rows["mean"]["announced_three"] >= 92
    assert rows["mean"]["totals_first"] >= 70
    assert rows["mean"]["totals_three"] >= 85
    assert rows["right games"]["false_alarms"] == 0
    assert rows["folds"]["median"] < 500  # 200 to 270 seen
