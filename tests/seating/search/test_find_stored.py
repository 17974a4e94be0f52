"""The search for stored schedules prints a line of the file, or says that it found none."""

import sys

import pytest

from scripts.find_schedules import find_matrix, main
from tournament.seating.search.annealing import SearchBudget
from tournament.seating.search.quality import Report, assess
from tournament.seating.search.rotations import DifferenceMatrix, StoredStarters, parse_matrix, parse_starters
from tournament.seating.search.schedule import Field, Rng, tables_of

pytestmark = pytest.mark.whole_run


def said(monkeypatch, capsys, words: str) -> str:
    monkeypatch.setattr(sys, "argv", ["find_stored", *words.split()])
    main()
    return str(capsys.readouterr().out).strip()


def counted(kept: StoredStarters | DifferenceMatrix, players: int, size: int) -> Report:
    return assess([tables_of(line, size) for line in kept.lines()], players, size)


@pytest.mark.parametrize(
    ("words", "size", "players", "repeats"),
    [("3 15 7", 3, 15, 0), ("3 18 5 --tabled", 3, 18, 0), ("3 9 5 --repeats 9 --steps 20000", 3, 9, 9)],
)
def test_an_entry_is_found(monkeypatch, capsys, words, size, players, repeats):
    entry = parse_starters(said(monkeypatch, capsys, words))
    report = counted(entry, players, size)
    assert report.repeats == entry.repeats <= repeats
    assert (report.tables_most == 1) is entry.tabled is ("--tabled" in words)


def test_a_matrix_is_found(monkeypatch, capsys):
    report = counted(parse_matrix(said(monkeypatch, capsys, "3 60 4 --shared 1 --steps 9000")), 60, 3)
    assert (report.repeats, report.tables_most) == (0, 1)


def test_a_matrix_that_leaves_nothing_to_wish_for_end_the_search():
    budget = SearchBudget(3600)
    matrix = find_matrix(Field(45, 3, 6), 1, 400_000, Rng(3), budget)
    assert matrix is not None
    assert counted(matrix, 45, 3).shared_least == 1
    assert budget.used < 400_000


@pytest.mark.parametrize("words", ["3 9 6", "3 9 3 --tabled", "3 9 3 --shared 1"])
def test_what_is_not_found_is_said(monkeypatch, capsys, words):
    assert said(monkeypatch, capsys, f"{words} --steps 10 --tries 1") == "# not found: more steps, or more tries"
