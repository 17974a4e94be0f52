"""Two players in each other's seats: names or hands follow, with a reason, and nobody else moves."""

import json
from uuid import uuid4

import pytest

from scoring.shorthand import write
from tests.factories import (
    codes_of,
    enter,
    enter_all,
    last_seq,
    make_event,
    play_round,
    rows_of,
    sign,
    table_of,
    writer_of,
)
from tests.fixtures import module_event
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError, StaleTableError
from tournament.events.models import Event
from tournament.penalties.actions import give_foul, give_penalty
from tournament.penalties.models import Penalty
from tournament.penalties.queries import Offence, count_points, list_penalties
from tournament.seating.seat_actions import HandsDo, SeatAssignment, swap_seats
from tournament.sheets.actions import reopen_table
from tournament.standings.queries import read_standings
from tournament.tables.history import HandChange, standing_entries
from tournament.tables.models import Seat, Table
from tournament.tables.queries import get_table, list_dead_hands, load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

FIVE = ("2r3 340/2", "1t 230", "d13/1", "4r1 5", "1r2 240")


made = module_event(slug="cup", tables=2, rounds=2)


@pytest.fixture
def table(event: Event) -> Table:
    enter_all(table_of(event), *FIVE)
    return table_of(event)


def sitting(table: Table, seat: int) -> SeatAssignment:
    return SeatAssignment(table, seat, table.seats.get(seat=seat).player.number)


def swap(
    one: SeatAssignment, other: SeatAssignment, hands: HandsDo = "stay", *, reason: str = "names read out wrongly",
    expected: dict[int, int] | None = None, changes: tuple[HandChange, ...] = (),
) -> bool:  # fmt: skip
    seen = {each.table.number: last_seq(each.table) for each in (one, other)}
    return swap_seats(
        one=one, other=other, hands=hands, changes=changes, expected=seen if expected is None else expected,
        client_id=uuid4(), reason=reason, by=writer_of(one.table.round.event),
    )  # fmt: skip


def seated(event: Event) -> dict[tuple[int, int, int], int]:
    rows = Seat.objects.filter(round__event=event)
    return {row[:3]: row[3] for row in rows.values_list("round__number", "table__number", "seat", "player__number")}


def lines_of(table: Table) -> list[str]:
    return [write(entry) for entry in standing_entries(rows_of(table))]


# ---------------------------------------------------------------- stay


def test_the_hands_stay_and_the_names_change(event: Event, table: Table):
    before, ledger = seated(event), rows_of(table)
    event.refresh_from_db()
    version = event.version
    assert swap(sitting(table, 0), sitting(table, 2))
    assert seated(event) == {**before, (1, 1, 0): 3, (1, 1, 2): 1}
    assert rows_of(table) == ledger
    event.refresh_from_db()
    assert event.version == version + 1
    row = event.audit.latest("seq")
    assert (row.verb, json.loads(row.details)) == (
        "seats_swapped",
        {
            "round": 1, "tables": [1], "players": [1, 3], "hands": "stay", "reason": "names read out wrongly",
            "before": [where(1, 0, 26_800), where(3, 2, 25_800)],
            "after": [where(1, 2, 25_800), where(3, 0, 26_800)],
        },
    )  # fmt: skip
    assert verify_event(event).problems == []


def where(player: int, seat: int, score: int) -> dict[str, int]:
    return {"player": player, "table": 1, "seat": seat, "score": score}


def test_two_tables_of_a_round(event: Event, table: Table):
    other = table_of(event, 2)
    enter(other, "1t 230")
    before = seated(event)
    assert swap(sitting(table, 3), sitting(other, 1))
    assert seated(event) == {**before, (1, 1, 3): 6, (1, 2, 1): 4}
    assert lines_of(table) == list(FIVE)


def test_what_was_sent_twice_does_not_change_them_back(event: Event, table: Table):
    one, other = sitting(table, 0), sitting(table, 2)
    assert swap(one, other)
    after, audits = seated(event), event.audit.count()
    assert not swap(one, other)
    assert (seated(event), event.audit.count()) == (after, audits)


def test_twice_is_as_it_was(event: Event, table: Table):
    before = seated(event)
    for _ in range(2):
        swap(sitting(table, 1), sitting(table, 3))
    assert seated(event) == before


def test_chombo_and_dead_hand_go_with_the_hands_and_all_else_stays_with_the_person(event: Event, table: Table):
    """The referee saw who sat there; the desk had the name wrong. A lateness was the person's own."""
    by, birk, distel = writer_of(event), event.players.get(number=2), event.players.get(number=4)
    give_foul(player=birk, table=table, offence=Offence(foul="noten_riichi"), client_id=uuid4(), expected_seq=5, by=by)
    dead = Offence(foul="riichi_then_call", case="taken_back")
    give_foul(player=birk, table=table, offence=dead, client_id=uuid4(), expected_seq=6, by=by)
    give_penalty(player=birk, points=3000, reason="late", client_id=uuid4(), by=by)
    assert totals(event) == {2: -23_000}
    swap(sitting(table, 1), sitting(table, 3))
    rows = list_penalties(event, load_tables(event))
    assert sorted((row.kind, row.number, row.points, row.cancelled) for row in rows) == [
        ("chombo", 4, 20_000, False), ("dead_hand", 4, 0, False), ("points", 2, 3000, False),
    ]  # fmt: skip
    assert totals(event) == {2: -3000, 4: -20_000}
    loaded = get_table(event, 1, 1)
    assert loaded is not None
    assert [hand.name for hand in list_dead_hands(loaded)] == [distel.person.preferred_name]
    swap(sitting(table, 1), sitting(table, 3))
    assert totals(event) == {2: -23_000}


def totals(event: Event) -> dict[int, int]:
    """Return what penalties give each player, those of table 1 counted."""
    counted = count_points(event, load_tables(event, rounds=[1], table=1))
    return {number: -points for number, points in counted.items() if points}


# ---------------------------------------------------------------- follow


def test_the_hands_follow_and_are_worked_out_anew(event: Event, table: Table):
    """What was typed as player 1 was player 3 all along, sitting third: dealer, winds and payments change."""
    before = seated(event)
    assert swap(sitting(table, 0), sitting(table, 2), "follow", reason="seats read backwards")
    assert seated(event) == {**before, (1, 1, 0): 3, (1, 1, 2): 1}
    assert lines_of(table) == ["2r1 340/2", "3t 230", "d31/3", "4r3 5", "3r2 240"]
    assert {row.reason for row in rows_of(table)[5:]} == {"seats read backwards"}
    assert verify_event(event).problems == []


@pytest.mark.postgresql
def test_a_chombo_follows_its_player(event: Event, table: Table):
    birk = event.players.get(number=2)
    give_foul(
        player=birk, table=table, offence=Offence(foul="noten_riichi"), client_id=uuid4(), expected_seq=5,
        by=writer_of(event),
    )  # fmt: skip
    swap(sitting(table, 1), sitting(table, 3), "follow")
    assert totals(event) == {2: -20_000}
    assert Penalty.objects.get().player == birk


def test_following_twice_is_as_it_was(event: Event, table: Table):
    before = seated(event)
    for _ in range(2):
        swap(sitting(table, 0), sitting(table, 1), "follow")
    assert (lines_of(table), seated(event)) == (list(FIVE), before)


def test_a_hand_that_does_not_survive_the_exchange_is_named_and_corrected_in_the_same_act(event: Event):
    """Eight hands, the last a dealer's win: with another dealer the game is over one hand earlier."""
    table = table_of(event)
    enter_all(table, "1t 230", *(["d"] * 7), "2r1 340")
    with pytest.raises(DomainError) as refusal:
        swap(sitting(table, 0), sitting(table, 1), "follow")
    assert [(each.code, each.params) for each in refusal.value.problems] == [
        ("hand.no_longer_fits", {"hand": 9, "because": "game.ended"})
    ]
    assert (len(rows_of(table)), seated(event)[1, 1, 0]) == (9, 1)
    swap(sitting(table, 0), sitting(table, 1), "follow", changes=(HandChange(9, None),))
    assert lines_of(table) == ["2t 230", *(["d"] * 7)]
    assert verify_event(event).problems == []


# ---------------------------------------------------------------- refused


def test_what_is_refused(event: Event, table: Table):
    other, next_round = table_of(event, 2), table_of(event, round_=2)
    one, two = sitting(table, 0), sitting(table, 2)
    for wrong, codes in (
        (lambda: swap(one, two, reason=" "), ["seats.reason_missing"]),
        (lambda: swap(one, two, reason="x" * 501), ["entry.text_too_long"]),
        (lambda: swap(one, one), ["seats.one_player"]),
        (lambda: swap(one, sitting(other, 0), "follow"), ["seats.two_tables"]),
        (lambda: swap(one, SeatAssignment(next_round, 3, 5)), ["seats.two_rounds"]),
        (lambda: swap(one, SeatAssignment(table, 2, 4)), ["seats.moved_on"]),
        (lambda: swap(one, SeatAssignment(table, 1, 3)), ["seats.moved_on"]),
    ):
        with pytest.raises(DomainError) as refusal:
            wrong()
        assert codes_of(refusal) == codes
    with pytest.raises(StaleTableError) as stale:
        swap(one, two, expected={1: 4})
    assert [row.seq for row in stale.value.between] == [5]
    assert not event.audit.filter(verb="seats_swapped").exists()


def test_seats_that_are_not_published_are_no_business_of_this_act():
    event = make_event(published=False)
    table = table_of(event)
    with pytest.raises(DomainError) as refusal:
        swap(sitting(table, 0), sitting(table, 1))
    assert codes_of(refusal) == ["round.not_published"]


@pytest.mark.once
def test_a_signed_table_is_reopened_first_also_after_its_release(event: Event):
    play_round(event, 1, *FIVE)
    table, other = table_of(event), table_of(event, 2)
    results = {row.number: row.total for row in read_standings(event).rows}
    for with_whom in (sitting(table, 2), sitting(other, 2)):
        with pytest.raises(DomainError) as refusal:
            swap(sitting(table, 0), with_whom)
        assert codes_of(refusal) == ["table.signed"]
    reopen_table(table=table, reason="wrong names", by=writer_of(event))
    with pytest.raises(DomainError) as refusal:
        swap(sitting(table, 0), sitting(other, 2))
    assert [each.params for each in refusal.value.problems] == [{"table": 2}]
    swap(sitting(table, 0), sitting(table, 2))
    sign(table)
    event.refresh_from_db()
    now = {row.number: row.total for row in read_standings(event).rows}
    assert now == {**results, 1: results[3], 3: results[1]}
    assert verify_event(event).problems == []
