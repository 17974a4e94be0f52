"""Whatever people enter, correct, void, give, cancel and sign in whatever order: the standings are what stands.

The model here is a list of entries for each table, folded and summed by hand; it shares nothing with the queries.
"""

from dataclasses import dataclass, field, replace
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.ruleset import Ruleset
from scoring.entries import Chombo, Entry
from scoring.game import fold
from scoring.shorthand import parse
from tests.factories import correct, enter, make_event, round_of, rows_of, sign, table_of, void, writer_of
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.penalties.actions import cancel_penalty, give_foul, give_penalty
from tournament.penalties.queries import Offence
from tournament.rounds.actions import release_round
from tournament.standings.queries import read_standings
from tournament.tables.models import Table

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

LINES = {
    3: ("1t 230", "2r3 340/2", "d13/1", "1r2 5", "3t 340/3", "d", "c2", "c13", "1r2 y", "2r1 230+3 340/23"),
    4: ("1t 230", "2r3 340/2", "d13/1", "4r1 5", "3t 340/3", "d", "c2", "c14", "1r2 y", "2r1 230+3 340/23"),
}
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("enter"), st.integers(0, 3), st.integers(0, 9)),
        st.tuples(st.just("correct"), st.integers(0, 3), st.integers(0, 9)),
        st.tuples(st.just("void"), st.integers(0, 3), st.integers(0, 9)),
        st.tuples(st.just("penalty"), st.integers(1, 6), st.integers(0, 3)),
        st.tuples(st.just("foul"), st.integers(0, 15), st.integers(0, 4)),
        st.tuples(st.just("cancel"), st.integers(0, 5), st.integers(0, 1)),
    ),
    min_size=1,
    max_size=25,
)


FOULS = (
    Offence(foul="noten_riichi"),
    Offence(foul="noten_riichi", points=25_000, amount_reason="twice told"),
    Offence(foul="riichi_then_call", case="taken_back"),
    Offence(foul="report_sheet"),
    Offence(foul="riichi_not_said"),
)
BEYOND = (0, 5000, 0, 2000, 0)  # what each costs that its table's ledger does not count


@dataclass
class Given:
    """A row that ought to be in the register; `hand` is a table with a place in its hands, for a chombo of a seat."""

    number: int
    points: int
    round: int | None
    stands: bool = True
    hand: tuple[int, int] | None = None
    seat: int = 0
    dead: bool = False


@dataclass
class Model:
    """What ought to be: by table the hands in order (None: void), and the register in the order of giving."""

    hands: dict[int, list[Entry | None]] = field(default_factory=dict)
    penalties: list[Given] = field(default_factory=list)

    def dead_at(self, at: int) -> tuple[int, ...]:
        """Return the seats whose next hand at a table is dead: no hand stands since they were marked."""
        hands = self.hands.get(at, [])
        marks = [row for row in self.penalties if row.dead and row.stands and row.hand and row.hand[0] == at]
        return tuple(sorted({row.seat for row in marks if row.hand and not any(hands[row.hand[1] :])}))

    def is_chombo(self, row: Given) -> bool:
        """Whether the hand of a row stands as a chombo of its player."""
        if row.hand is None:
            return False
        entry = self.hands[row.hand[0]][row.hand[1]]
        return isinstance(entry, Chombo) and row.seat in entry.offenders


@dataclass
class Hall:
    """The event under test, and the model beside it."""

    event: Event
    tables: list[Table]
    model: Model
    lines: tuple[str, ...]

    def act(self, verb: str, first: int, second: int) -> None:
        if verb == "penalty":
            self.penalise(first, second)
        elif verb == "foul":
            self.foul(first, second)
        elif verb == "cancel":
            self.cancel(first)
        else:
            self.write(verb, first, second)

    def write(self, verb: str, at: int, which: int) -> None:
        table, hands = self.tables[at], self.model.hands.setdefault(at, [])
        entry = parse(self.lines[which])
        roots = [row.seq for row in rows_of(table) if row.supersedes is None]
        place = which % len(roots) if roots else 0
        try:
            if verb == "enter":
                dead = self.model.dead_at(at)
                enter(table, entry, reason="so it was")
                hands.append(replace(entry, dead=dead))
            elif roots:
                if verb == "correct":
                    correct(table, roots[place], entry)
                else:
                    void(table, roots[place])
                hands[place] = entry if verb == "correct" else None
        except DomainError:
            pass  # the model stays as it was, and so must the desk

    def penalise(self, number: int, round_: int) -> None:
        player = self.event.players.get(number=number)
        of_round = round_of(self.event, round_) if round_ in (1, 2) else None
        give_penalty(
            player=player,
            points=1000 * number,
            reason="x",
            client_id=uuid4(),
            round_=of_round,
            by=writer_of(self.event),
        )
        self.model.penalties.append(Given(number, 1000 * number, of_round.number if of_round else None))

    def foul(self, where: int, which: int) -> None:
        at, seat = where % 4, where // 4 % self.event.ruleset.players
        table, hands = self.tables[at], self.model.hands.setdefault(at, [])
        numbers = dict(table.seats.values_list("seat", "player__number"))
        offence, dead = FOULS[which], self.model.dead_at(at)
        try:
            give_foul(
                player=self.event.players.get(number=numbers[seat]),
                table=table,
                offence=offence,
                client_id=uuid4(),
                expected_seq=len(rows_of(table)),
                by=writer_of(self.event),
            )
        except DomainError:
            return  # the game is over: the model stays as it was, and so must the desk
        offenders = [seat, *(other for other in numbers if other != seat)] if which == 3 else [seat]
        place = (at, len(hands)) if which < 3 else None
        for offender in offenders:
            row = Given(
                numbers[offender], BEYOND[which], table.round.number, hand=place, seat=offender, dead=which == 2
            )
            self.model.penalties.append(row)
        if which < 2:
            hands.append(Chombo(offenders=(seat,), dead=dead))

    def cancel(self, which: int) -> None:
        given = list(self.event.penalties.order_by("given_at", "pk"))
        if which >= len(given) or not self.model.penalties[which].stands:
            return
        row = self.model.penalties[which]
        cancel_penalty(penalty=given[which], reason="x", by=writer_of(self.event))
        row.stands = False
        if row.hand is None:
            return
        hands, place = self.model.hands[row.hand[0]], row.hand[1]
        hand = hands[place] if place < len(hands) else None
        if not row.dead and isinstance(hand, Chombo) and row.seat in hand.offenders:
            others = tuple(seat for seat in hand.offenders if seat != row.seat)
            hands[place] = replace(hand, offenders=others) if others else None

    def finish(self) -> None:
        """Sign all tables and release the first round; an empty table gets one hand."""
        for at, table in enumerate(self.tables):
            if not [hand for hand in self.model.hands.get(at, []) if hand]:
                self.write("enter", at, 5)
            sign(table)
        release_round(round_=round_of(self.event, 1), by=writer_of(self.event))
        self.event.refresh_from_db()

    def wanted(self) -> dict[int, int]:
        """Return the total of each player, summed by hand: released games, chombo, and penalties that count."""
        rules, totals = self.event.ruleset, dict.fromkeys(self.event.players.values_list("number", flat=True), 0)
        for at, table in enumerate(self.tables):
            if table.round.number != 1:
                continue
            entries = [hand for hand in self.model.hands[at] if hand]
            for seat, result in enumerate(results_of(entries, rules)):
                totals[table.seats.get(seat=seat).player.number] += result
        for row in self.model.penalties:
            counts = row.hand is None or row.dead or self.model.is_chombo(row)
            if row.stands and row.round in (None, 1) and counts:
                totals[row.number] -= row.points
        return totals


def results_of(entries: list[Entry], rules: Ruleset) -> list[int]:
    results = list(fold(entries, rules).final(rules).results)
    for entry in entries:
        if isinstance(entry, Chombo):
            for seat in entry.offenders:
                results[seat] -= rules.chombo_points
    return results


@pytest.mark.parametrize("key", [pytest.param("ema-2025", marks=pytest.mark.once), "sanmatsuri-2026"])
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=ACTS)
def test_standings_are_what_stands_in_ledger_and_register(key: str, acts: list[tuple[str, int, int]]):
    event = make_event(key, tables=2, rounds=2)
    tables = [table_of(event, number, round_=round_) for round_ in (1, 2) for number in (1, 2)]
    hall = Hall(event, tables, Model(), LINES[event.ruleset.players])
    for act in acts:
        hall.act(*act)
    hall.finish()

    wanted = hall.wanted()
    rows = read_standings(event).rows
    assert {row.number: row.total for row in rows} == wanted
    assert [row.total for row in rows] == sorted(wanted.values(), reverse=True)
    better = {number: sum(other > total for other in wanted.values()) + 1 for number, total in wanted.items()}
    assert {row.number: row.rank for row in rows} == better
    report = verify_event(event)
    assert report.problems == []
    assert report.entries == sum(len(rows_of(table)) for table in tables)
