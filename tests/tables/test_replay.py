"""Corrections as a plan: whatever is corrected in whatever order, the table is what its final hands make it."""

from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.books import load
from scoring.entries import Correction, Entry, Totals
from scoring.game import fold
from scoring.seat_exchange import exchange_seats
from scoring.shorthand import parse, write
from tests.factories import enter, last_seq, make_event, rows_of, table_of, writer_of
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError
from tournament.seating.seat_actions import HandsDo, SeatAssignment, swap_seats
from tournament.tables.actions import correct_hands
from tournament.tables.history import (
    Forgotten,
    HandChange,
    Item,
    Plan,
    first_unfit,
    new_warnings,
    plan_effects,
    resolve,
    rows_to_write,
    standing_entries,
)
from tournament.tables.models import Table

pytestmark = [pytest.mark.once, pytest.mark.whole_run]

RULES = load("ema-2025")
LINES = (
    "1t 230", "2r3 340/2", "d13/1", "4r1 5", "3t 340/3", "d", "c2", "2r1 230+3 340/23", "d x2/2", "1t y",
    "=+1000,-1000,0,0 x",
)  # fmt: skip
ENTRIES = tuple(parse(line) for line in LINES)


def items_of(*lines: str) -> list[Item]:
    """Return hands as they are first entered, "" for a void one."""
    return [Item(seq, seq, parse(line) if line else None) for seq, line in enumerate(lines, start=1)]


# ---------------------------------------------------------------- exchanging seats


@given(entry=st.sampled_from(ENTRIES), one=st.integers(0, 3), other=st.integers(0, 3))
def test_seats_exchanged_twice_are_as_they_were(entry: Entry, one: int, other: int):
    assert exchange_seats(exchange_seats(entry, one, other), one, other) == entry


@pytest.mark.parametrize(
    ("line", "exchanged"),
    [
        ("2r3 340+1 5/2", "1r3 340+2 5/1"),
        ("3t y p1", "3t y p2"),
        ("d12/1", "d21/2"),
        ("n2d13", "n1d23"),
        ("c14", "c24"),
        ("d x2", "d x1"),
        ("=+1000,-1000,0,0 x", "=-1000,+1000,0,0 x"),
        ("4t 230", "4t 230"),
    ],
)
def test_every_seat_that_an_entry_names_is_exchanged(line: str, exchanged: str):
    assert write(exchange_seats(parse(line), 0, 1)) == write(parse(exchanged))


def test_totals_and_what_was_announced_are_exchanged_too():
    totals = Totals(scores=(40_000, 30_000, 20_000, 30_000), leftover=0)
    assert exchange_seats(totals, 0, 2) == Totals(scores=(20_000, 30_000, 40_000, 30_000), leftover=0)
    said = Correction(deltas=(100, -100, 0, 0), reason="x", announced={0: 100, 3: 0})
    assert exchange_seats(said, 0, 3).announced == {3: 100, 0: 0}


# ---------------------------------------------------------------- what a plan does


def test_effects_begin_at_the_first_hand_that_changes():
    items = items_of("2r3 340", "", "d13", "1t 230")
    found = plan_effects(items, Plan((HandChange(3, parse("d1")),)), RULES)
    was = fold([parse(line) for line in ("2r3 340", "d13", "1t 230")], RULES).hands
    becomes = fold([parse(line) for line in ("2r3 340", "d1", "1t 230")], RULES).hands
    assert [(each.step.number, each.before, each.after) for each in found] == [
        (3, was[1].after.scores, becomes[1].after.scores),
        (4, was[2].after.scores, becomes[2].after.scores),
    ]


def test_effects_end_where_a_hand_fits_no_longer():
    items = items_of(*(["d13"] * 8), "1t 230")  # the dealers of East 1 and 3 and of South 1 and 3 stay
    assert first_unfit(items, Plan(), RULES) is None
    plan = Plan(tuple(HandChange(seq, parse("d")) for seq in range(1, 9)))
    unfit = first_unfit(items, plan, RULES)
    assert unfit is not None
    assert (unfit.step.number, [problem.code for problem in unfit.problems]) == (9, ["game.ended"])
    assert [each.becomes is None for each in plan_effects(items, plan, RULES)] == [False] * 8 + [True]


def test_columns_belong_to_the_players_after_an_exchange():
    items = items_of("2r3 340")
    (effect,) = plan_effects(items, Plan(exchanged=(1, 2)), RULES)
    assert (effect.before, effect.after) == ((30_000, 24_800, 35_200, 30_000), (30_000, 24_800, 35_200, 30_000))


def test_only_new_warnings_are_said():
    items = items_of("d1/2", "2r3 340")
    assert new_warnings(items, Plan((HandChange(2, parse("2r3 240")),)), RULES) == []
    (found,) = new_warnings(items, Plan((HandChange(2, parse("d1/3")),)), RULES)
    assert (found[0].number, found[1].code) == (2, "draw.riichi_noten")


def test_a_forgotten_hand_pushes_contents_on_and_void_places_stay():
    items = items_of("2r3 340", "", "d13", "1t 230")
    rows = rows_to_write(items, Plan(forgotten=Forgotten(3, parse("d"))))
    assert [(row.hand, write(row.entry) if row.entry else "", row.content) for row in rows] == [
        (3, "d", 0), (4, "d13", 3), (None, "1t 230", 4),
    ]  # fmt: skip
    rows = rows_to_write(items, Plan((HandChange(4, None),), Forgotten(3, parse("d"))))
    assert [(row.hand, write(row.entry) if row.entry else "") for row in rows] == [(3, "d"), (4, "d13")]


# ---------------------------------------------------------------- properties, through the verbs

HANDS, CHOSEN = st.integers(0, 9), st.integers(-1, 9)
CHANGES = st.lists(st.tuples(HANDS, CHOSEN), min_size=1, max_size=3)
SWAPS = st.tuples(st.sampled_from(["stay", "follow"]), st.integers(0, 3), st.integers(1, 3))
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("correct"), CHANGES),
        st.tuples(st.just("forgotten"), st.tuples(HANDS, HANDS)),
        st.tuples(st.just("swap"), SWAPS),
    ),
    max_size=6,
)


class Model:
    """What ought to be: a list of hands in the order in which they were played, None for void."""

    def __init__(self, table: Table) -> None:
        self.table, self.hands = table, [item.entry for item in resolve(rows_of(table))]

    def act(self, verb: str, what: object) -> None:
        before = list(self.hands)
        try:
            getattr(self, verb)(*what if isinstance(what, tuple) else (what,))
        except DomainError:
            self.hands = before  # nothing may have been written

    def correct(self, changes: list[tuple[int, int]]) -> None:
        chosen = {at % len(self.hands): None if which < 0 else ENTRIES[which] for at, which in changes}
        self.write([HandChange(at + 1, entry) for at, entry in self.named(chosen)], None)
        for at, entry in chosen.items():
            self.hands[at] = entry

    def forgotten(self, at: int, which: int) -> None:
        place = at % len(self.hands)
        ((hand, _),) = self.named({place: None})
        self.write([], Forgotten(hand + 1, ENTRIES[which]))
        standing = [index for index, entry in enumerate(self.hands) if entry is not None and index >= place]
        contents: list[Entry | None] = [ENTRIES[which], *(self.hands[index] for index in standing)]
        for index, entry in zip(standing, contents, strict=False):
            self.hands[index] = entry
        self.hands += contents[len(standing) :]

    def swap(self, how: HandsDo, seat: int, step: int) -> None:
        other = (seat + step) % 4
        sitting = [SeatAssignment(self.table, each, self.number(each)) for each in (seat, other)]
        seen = {self.table.number: last_seq(self.table)}
        swap_seats(
            one=sitting[0], other=sitting[1], hands=how, expected=seen, client_id=uuid4(), reason="x",
            by=writer_of(self.table.round.event),
        )  # fmt: skip
        if how == "follow":
            self.hands = [entry and exchange_seats(entry, seat, other) for entry in self.hands]

    def number(self, seat: int) -> int:
        return self.table.seats.get(seat=seat).player.number

    def named(self, chosen: dict[int, Entry | None]) -> list[tuple[int, Entry | None]]:
        """Name hands by their `seq` − 1: corrections stand between the rows of the hands."""
        roots = [item.seq - 1 for item in resolve(rows_of(self.table))]
        return [(roots[at], entry) for at, entry in chosen.items()]

    def write(self, changes: list[HandChange], forgotten: Forgotten | None) -> None:
        correct_hands(
            table=self.table, changes=changes, forgotten=forgotten, client_id=uuid4(),
            expected_seq=last_seq(self.table), reason="x", by=writer_of(self.table.round.event),
        )  # fmt: skip


@pytest.mark.once
@pytest.mark.django_db
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=st.lists(st.integers(0, 8), min_size=1, max_size=7), acts=ACTS)
def test_the_table_is_what_its_final_hands_make_it(first: list[int], acts: list[tuple[str, object]]):
    event = make_event(tables=1, rounds=1)
    table = table_of(event)
    for which in first:
        enter(table, ENTRIES[which], reason="so it was")
    model = Model(table)
    for verb, what in acts:
        model.act(verb, what)
    fresh = [entry for entry in model.hands if entry is not None]
    assert standing_entries(rows_of(table)) == fresh
    assert fold(standing_entries(rows_of(table)), RULES) == fold(fresh, RULES)
    assert verify_event(event).problems == []


@pytest.mark.django_db
@settings(max_examples=7, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    first=st.lists(st.integers(0, 8), max_size=6),
    how=st.sampled_from(["stay", "follow"]),
    seat=st.integers(0, 3),
    step=st.integers(1, 3),
)
def test_a_swap_made_twice_is_the_identity(first: list[int], how: HandsDo, seat: int, step: int):
    table = table_of(make_event(tables=1, rounds=1))
    for which in first:
        enter(table, ENTRIES[which], reason="so it was")
    seats, hands = list(table.seats.values_list("seat", "player")), standing_entries(rows_of(table))
    model = Model(table)
    model.act("swap", (how, seat, step))
    moved = list(table.seats.values_list("seat", "player")) != seats
    model.act("swap", (how, seat, step))
    assert moved or how == "follow"  # a hand may not survive another dealer; then nothing moves
    if moved:
        assert (list(table.seats.values_list("seat", "player")), standing_entries(rows_of(table))) == (seats, hands)
