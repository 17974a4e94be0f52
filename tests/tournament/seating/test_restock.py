"""The workshop finds what it is asked for, in the words of the stock, and says so where it does not."""

import sys

import pytest

from tournament.seating.chance import Chance
from tournament.seating.effort import Effort
from tournament.seating.field import Field
from tournament.seating.jumping import find_jumps
from tournament.seating.lines import tables_of
from tournament.seating.quality import assess
from tournament.seating.restock import main
from tournament.seating.schedule import Report
from tournament.seating.stock import Entry, Jumps, parse_entry, parse_jumps


def said(monkeypatch, capsys, words: str) -> str:
    monkeypatch.setattr(sys, "argv", ["restock", *words.split()])
    main()
    return str(capsys.readouterr().out).strip()


def counted(kept: Entry | Jumps, players: int, size: int) -> Report:
    return assess([tables_of(line, size) for line in kept.lines()], players, size)


@pytest.mark.parametrize(
    ("words", "size", "players", "repeats"),
    [("3 15 7", 3, 15, 0), ("3 18 5 --tabled", 3, 18, 0), ("3 9 5 --repeats 9 --steps 20000", 3, 9, 9)],
)
def test_an_entry_is_found(monkeypatch, capsys, words, size, players, repeats):
    entry = parse_entry(said(monkeypatch, capsys, words))
    report = counted(entry, players, size)
    assert report.repeats == entry.repeats <= repeats
    assert (report.tables_most == 1) is entry.tabled is ("--tabled" in words)


def test_jumps_are_found(monkeypatch, capsys):
    report = counted(parse_jumps(said(monkeypatch, capsys, "3 60 4 --shared 1 --steps 9000")), 60, 3)
    assert (report.repeats, report.tables_most) == (0, 1)


def test_jumps_that_leave_nothing_to_wish_for_end_the_search():
    effort = Effort(3600)
    jumps = find_jumps(Field(45, 3, 6), 1, 400_000, Chance(3), effort)
    assert jumps is not None
    assert counted(jumps, 45, 3).shared_opponents_least == 1
    assert effort.used < 400_000


@pytest.mark.parametrize("words", ["3 9 6", "3 9 3 --tabled", "3 9 3 --shared 1"])
def test_what_is_not_found_is_said(monkeypatch, capsys, words):
    assert said(monkeypatch, capsys, f"{words} --steps 10 --tries 1") == "# not found: more steps, or more tries"
