"""Several hands changed in one act: judged as a whole, one row each, never twice; a forgotten hand put in."""

import json
from uuid import UUID, uuid4

import pytest

from scoring.entries import Draw
from scoring.game import fold
from scoring.shorthand import parse, write
from tests.factories import (
    codes_when,
    enter,
    enter_all,
    last_seq,
    play_round,
    rows_of,
    sign,
    table_of,
    void,
    writer_of,
)
from tests.fixtures import module_event
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError, StaleTableError
from tournament.events.models import Event
from tournament.penalties.actions import give_foul
from tournament.penalties.models import Penalty, PenaltyKind
from tournament.penalties.queries import Offence
from tournament.sheets.actions import reopen_table
from tournament.sheets.queries import ReopenedTable, list_reopened
from tournament.standings.queries import read_standings
from tournament.tables.actions import Corrected, correct_hands
from tournament.tables.history import Forgotten, HandChange, resolve, standing_entries
from tournament.tables.models import Table

pytestmark = [pytest.mark.once, pytest.mark.django_db]

# East 1 to the end of South 4; the eighth is the last dealer but one's
NINE = ("2r3 340", "3r4 340", "4r1 340", "1r2 340", "2r3 340", "3r4 340", "4r1 340", "4t 230", "1r4 340")


made = module_event(slug="cup", tables=2, rounds=1)


@pytest.fixture
def table(event: Event) -> Table:
    enter_all(table_of(event), *NINE)
    return table_of(event)


def change(
    table: Table,
    *changes: tuple[int, str | None],
    forgotten: tuple[int, str] | None = None,
    reason: str = "misheard",
    client_id: UUID | None = None,
    expected_seq: int | None = None,
) -> Corrected:
    return correct_hands(
        table=table,
        changes=[HandChange(hand, None if line is None else parse(line)) for hand, line in changes],
        forgotten=Forgotten(forgotten[0], parse(forgotten[1])) if forgotten else None,
        client_id=client_id or uuid4(),
        expected_seq=last_seq(table) if expected_seq is None else expected_seq,
        reason=reason,
        by=writer_of(table.round.event),
    )


def lines_of(table: Table) -> list[str]:
    return [write(entry) for entry in standing_entries(rows_of(table))]


def scores_of(table: Table) -> list[int]:
    return list(fold(standing_entries(rows_of(table)), table.round.event.ruleset).state.scores)


# ---------------------------------------------------------------- several at once


def test_two_hands_that_fit_only_together_are_changed_in_one_act(event: Event, table: Table):
    """South 4 was won by the dealer, so that there was no ninth hand: neither correction stands alone."""
    before = scores_of(table)
    with pytest.raises(DomainError) as refusal:
        change(table, (8, "1t 230"))
    assert [(each.code, each.params) for each in refusal.value.problems] == [
        ("hand.no_longer_fits", {"hand": 9, "because": "game.ended"})
    ]
    assert len(rows_of(table)) == 9
    audits = event.audit.count()
    done = change(table, (8, "1t 230"), (9, None), reason=" misread by the desk ")

    assert not done.repeated
    assert [(row.seq, row.supersedes, row.payload == "", row.reason) for row in done.rows] == [
        (10, 8, False, "misread by the desk"),
        (11, 9, True, "misread by the desk"),
    ]
    assert lines_of(table) == [*NINE[:7], "1t 230"]
    trail = list(event.audit.order_by("seq"))[audits:]
    assert [row.verb for row in trail] == ["hand_corrected", "hand_voided", "hands_corrected"]
    assert json.loads(trail[-1].details) == {
        "round": 1, "table": 1, "reason": "misread by the desk", "seqs": [10, 11],
        "before": before, "after": scores_of(table),
    }  # fmt: skip
    assert verify_event(event).problems == []


def test_one_version_for_one_act(event: Event, table: Table):
    event.refresh_from_db()
    version = event.version
    change(table, (1, "2r3 240"), (2, "d"), (3, "d"))
    event.refresh_from_db()
    assert event.version == version + 1


def test_an_act_sent_twice_is_carried_out_once(event: Event, table: Table):
    first = change(table, (8, "1t 230"), (9, None), client_id=UUID(int=5))
    audits = event.audit.count()
    again = change(table, (1, "d"), client_id=UUID(int=5), expected_seq=9)
    assert again.repeated
    assert [row.seq for row in again.rows] == [row.seq for row in first.rows] == [10, 11]
    assert (event.audit.count(), len(rows_of(table))) == (audits, 11)
    other = table_of(event, 2)
    assert codes_when(lambda: change(other, client_id=UUID(int=5))) == ["entry.client_id_used"]


@pytest.mark.once
@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ([(12, "d")], ["hand.unknown"]),
        ([(3, "2r2 340")], ["win.winner_is_discarder"]),
        ([(3, "5t 230")], ["seat.not_at_table"]),
        ([(8, "1t 230"), (9, "2r3 340")], ["game.ended"]),
    ],
)
def test_what_may_not_stand_is_refused_whole(table: Table, changes: list[tuple[int, str]], codes: list[str]):
    assert codes_when(lambda: change(table, (1, "d"), *changes)) == codes
    assert len(rows_of(table)) == 9


def test_an_act_wants_a_reason_and_what_its_writer_has_seen(table: Table):
    assert codes_when(lambda: change(table, (9, "d"), reason="  ")) == ["hand.reason_needed"]
    assert codes_when(lambda: change(table, (9, "d"), reason="x" * 501)) == ["entry.text_too_long"]
    with pytest.raises(StaleTableError) as stale:
        change(table, (9, "d"), expected_seq=8)
    assert [row.seq for row in stale.value.between] == [9]
    sign(table)
    assert codes_when(lambda: change(table, (9, "d"))) == ["table.signed"]
    assert len(rows_of(table)) == 9


def test_a_correction_of_one_hand_leaves_before_and_after_in_the_trail(event: Event):
    enter_all(table_of(event), "2r3 340", "d13")
    void(table_of(event), 1)
    details = json.loads(event.audit.latest("seq").details)
    assert (details["before"], details["after"]) == (
        [31_500, 33_700, 26_300, 28_500], [31_500, 28_500, 31_500, 28_500],
    )  # fmt: skip


# ---------------------------------------------------------------- a forgotten hand


def test_a_forgotten_hand_is_put_in_and_all_behind_it_move_on(event: Event):
    table = table_of(event)
    enter_all(table, *NINE[:5], "d13")
    void(table, 5)
    done = change(table, forgotten=(4, "d2"), reason="hand 4 was forgotten")
    assert lines_of(table) == [*NINE[:3], "d2", NINE[3], "d13"]
    # the void place keeps its place; the last content is a new hand
    assert [(row.supersedes, row.payload == "") for row in done.rows] == [(4, False), (6, False), (None, False)]
    assert [item.entry is None for item in resolve(rows_of(table))] == [False] * 4 + [True] + [False] * 2
    assert verify_event(event).problems == []


def test_a_forgotten_hand_and_a_later_correction_are_one_act(event: Event, table: Table):
    with pytest.raises(DomainError) as refusal:
        change(table, forgotten=(8, "1t 230"))
    assert [each.params for each in refusal.value.problems] == [{"hand": 9, "because": "game.ended"}]
    change(table, (8, None), (9, None), forgotten=(8, "1t 230"))
    assert lines_of(table) == [*NINE[:7], "1t 230"]
    assert verify_event(event).problems == []


@pytest.mark.postgresql
def test_chombo_and_dead_hands_of_the_register_move_on_with_their_hand(event: Event):
    table, by = table_of(event), writer_of(event)
    enter(table, "2r3 340")
    akelei, birk = (event.players.get(number=number) for number in (1, 2))
    give_foul(player=birk, table=table, offence=Offence(foul="noten_riichi"), client_id=uuid4(), expected_seq=1, by=by)
    enter(table, "d13")
    given = Penalty.objects.create(
        event=event, player=akelei, round=table.round, table=table, seq=4, client_id=uuid4(),
        kind=PenaltyKind.DEAD_HAND, points=0, reason="open", given_by=str(by.uid), given_at=event.created_at,
    )  # fmt: skip
    before = {row.number: row.penalties for row in read_standings(event).rows}
    change(table, forgotten=(2, "d"))
    chombo = Penalty.objects.get(kind=PenaltyKind.CHOMBO)
    assert [type(item.entry).__name__ for item in resolve(rows_of(table))] == ["Ron", "Draw", "Chombo", "Draw"]
    assert chombo.seq == 3
    assert {row.number: row.penalties for row in read_standings(event).rows} == before
    given.refresh_from_db()
    assert given.seq == last_seq(table) + 1
    enter(table, Draw(tenpai=(1,)))
    assert [entry.dead for entry in standing_entries(rows_of(table))] == [(), (), (), (), (0,)]


def test_a_dead_hand_follows_the_very_hand_that_it_was_given_before(event: Event):
    table, by = table_of(event), writer_of(event)
    akelei = event.players.get(number=1)
    Penalty.objects.create(
        event=event, player=akelei, round=table.round, table=table, seq=1, client_id=uuid4(),
        kind=PenaltyKind.DEAD_HAND, points=0, reason="open", given_by=str(by.uid), given_at=event.created_at,
    )  # fmt: skip
    enter_all(table, "d", "d13")
    assert [entry.dead for entry in standing_entries(rows_of(table))] == [(0,), ()]
    change(table, forgotten=(1, "d2"))
    assert [entry.dead for entry in standing_entries(rows_of(table))] == [(), (0,), ()]
    assert Penalty.objects.get().seq == 2


# ---------------------------------------------------------------- in public


def test_a_released_table_that_is_open_again_is_named_and_counts_as_it_stands(event: Event):
    play_round(event, 1, "2r3 340")
    before = [(row.number, row.total) for row in read_standings(event).rows]
    assert list_reopened(event) == ()
    table = table_of(event, 2)
    reopen_table(table=table, reason="hand 1 was misread", by=writer_of(event))
    event.refresh_from_db()
    assert list_reopened(event) == (ReopenedTable(1, 2),)
    assert [(row.number, row.total) for row in read_standings(event).rows] == before
    change(table, (1, "2r3 240"))
    event.refresh_from_db()
    now = {row.number: row.results for row in read_standings(event).rows}
    assert now[6] == (17_600,)  # Farn: 32,600 and 15,000 uma
    sign(table)
    event.refresh_from_db()
    assert list_reopened(event) == ()
    signed = json.loads(event.audit.latest("seq").details)
    assert (signed["before"]["totals"], signed["totals"]) == (
        [30_000, 35_200, 24_800, 30_000], [30_000, 32_600, 27_400, 30_000],
    )  # fmt: skip
