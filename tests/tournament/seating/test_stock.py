"""Every stored schedule is counted again; a stock that lies would lie to every organiser."""

import pytest

from tournament.seating.lines import tables_of
from tournament.seating.quality import assess
from tournament.seating.stock import Entry, all_entries, parse_entry


def name_of(entry: Entry) -> str:
    cycle = entry.cycle
    return f"{cycle.table_size}x{cycle.players}x{entry.rounds}{'t' if entry.tabled else ''}"


@pytest.mark.parametrize("entry", all_entries(), ids=name_of)
def test_an_entry_is_what_it_says(entry):
    size = entry.cycle.table_size
    report = assess([tables_of(line, size) for line in entry.lines()], entry.cycle.players, size)
    assert report.repeats == entry.repeats
    assert not entry.tabled or report.tables_most == 1
    assert parse_entry(entry.as_text()) == entry


def test_no_two_entries_are_for_the_same():
    names = [name_of(entry) for entry in all_entries()]
    assert sorted(set(names)) == sorted(names)
