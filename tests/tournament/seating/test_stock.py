"""Every stored schedule is counted again; a stock that lies would lie to every organiser."""

from tests.tabled import tabled
from tournament.seating.field import Field
from tournament.seating.lines import tables_of
from tournament.seating.quality import assess
from tournament.seating.stock import STOCK, Entry, all_entries, all_jumps, jumps_for, parse_entry, parse_jumps


def name_of(entry: Entry) -> str:
    cycle = entry.cycle
    return f"{cycle.table_size}x{cycle.players}x{entry.rounds}{'t' if entry.tabled else ''}"


@tabled("entry", all_entries())
def test_an_entry_is_what_it_says(entry):
    size = entry.cycle.table_size
    report = assess([tables_of(line, size) for line in entry.lines()], entry.cycle.players, size)
    assert report.repeats == entry.repeats
    assert not entry.tabled or report.tables_most == 1
    assert parse_entry(entry.as_text()) == entry


def test_no_two_entries_are_for_the_same():
    names = [name_of(entry) for entry in all_entries()]
    assert sorted(set(names)) == sorted(names)


SIZES = sorted({(kept.table_size, kept.players) for kept in all_jumps()})


@tabled("size, players", SIZES)
def test_jumps_bring_nobody_together_twice_nor_to_a_table_twice(size, players):
    for kept in all_jumps():
        if (kept.table_size, kept.players) == (size, players):
            report = assess([tables_of(line, size) for line in kept.lines()], players, size)
            assert (report.repeats, report.tables_most) == (0, 1)
            assert report.shared_opponents_least
            assert parse_jumps(kept.as_text()) == kept
            assert jumps_for(Field(players, size, kept.rounds)) is kept


def test_no_two_jumps_are_for_the_same_and_the_stock_stays_small():
    names = [(kept.table_size, kept.players, kept.rounds) for kept in all_jumps()]
    assert sorted(set(names)) == sorted(names)
    assert jumps_for(Field(100, 4, 60)) is None
    assert STOCK.stat().st_size < 200_000
