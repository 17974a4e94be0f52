"""Every stored schedule is counted again: a wrong one would spoil every draw of its size."""

import pytest

from tests.table_test import tabled
from tournament.seating.search.quality import assess
from tournament.seating.search.rotations import (
    STORED,
    StoredStarters,
    all_matrices,
    all_starters,
    matrix_as_text,
    matrix_for,
    parse_matrix,
    parse_starters,
)
from tournament.seating.search.schedule import Field, tables_of

pytestmark = pytest.mark.whole_run


def name_of(entry: StoredStarters) -> str:
    cycle = entry.cycle
    return f"{cycle.table_size}x{cycle.players}x{entry.rounds}{'t' if entry.tabled else ''}"


@tabled("entry", all_starters())
def test_an_entry_is_what_it_says(entry):
    size = entry.cycle.table_size
    report = assess([tables_of(line, size) for line in entry.lines()], entry.cycle.players, size)
    assert report.repeats == entry.repeats
    assert not entry.tabled or report.tables_most == 1
    assert parse_starters(entry.as_text()) == entry


def test_no_two_entries_are_for_the_same():
    names = [name_of(entry) for entry in all_starters()]
    assert sorted(set(names)) == sorted(names)


SIZES = sorted({(kept.table_size, kept.players) for kept in all_matrices()})


@tabled("size, players", SIZES)
def test_a_matrix_brings_nobody_together_twice_nor_to_a_table_twice(size, players):
    for kept in all_matrices():
        if (kept.table_size, kept.players) == (size, players):
            report = assess([tables_of(line, size) for line in kept.lines()], players, size)
            assert (report.repeats, report.tables_most) == (0, 1)
            assert report.shared_least
            assert parse_matrix(matrix_as_text(kept)) == kept
            assert matrix_for(Field(players, size, kept.rounds)) is kept


def test_no_two_matrices_are_for_the_same_and_the_file_stays_small():
    names = [(kept.table_size, kept.players, kept.rounds) for kept in all_matrices()]
    assert sorted(set(names)) == sorted(names)
    assert matrix_for(Field(100, 4, 60)) is None
    assert STORED.stat().st_size < 200_000
