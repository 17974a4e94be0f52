"""Check-in, ready ticks, and the second person: what each verb does, refuses and leaves alone."""

import pytest

from tests.factories import (
    enter,
    make_account,
    make_event,
    play_round,
    round_of,
    sign,
    table_of,
    writer_of,
)
from tests.fixtures import module_event
from tournament.core.errors import DomainError
from tournament.core.models import AppendOnlyError, AuditRow
from tournament.core.now import now
from tournament.events.actions import set_second_person
from tournament.events.models import Event
from tournament.players.actions import check_in
from tournament.players.models import Player
from tournament.publication.queries import get_public_state
from tournament.rounds.actions import release_round, set_ready, start_round
from tournament.sheets.actions import confirm_sheet, reject_sheet, reopen_table
from tournament.sheets.models import SheetCheck
from tournament.tables.models import Table
from tournament.tables.queries import get_table

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


def refused(refusal: pytest.ExceptionInfo[DomainError]) -> list[tuple[str, dict[str, object]]]:
    return [(problem.code, dict(problem.params)) for problem in refusal.value.problems]


def version_of(event: Event) -> int:
    event.refresh_from_db()
    return event.version


def player_of(event: Event, number: int = 1) -> Player:
    return event.players.select_related("event").get(number=number)


made = module_event()


# ---------------------------------------------------------------- check-in


def test_a_tick_comes_and_goes_once_and_moves_nobody(event: Event):
    player, by, before = player_of(event), writer_of(event), version_of(event)
    seats = list(player.seats.values_list("table__number", "seat"))
    assert [check_in(player=player, here=True, by=by) for _ in range(2)] == [True, False]
    assert player_of(event).checked_in_at is not None
    assert [check_in(player=player, here=False, by=by) for _ in range(2)] == [True, False]
    assert player_of(event).checked_in_at is None
    assert version_of(event) == before + 2
    rows = AuditRow.objects.filter(event=event, seq__gt=before).values_list("verb", "details")
    assert list(rows)[-2:] == [("player_checked_in", '{"number":1}'), ("player_checked_out", '{"number":1}')]
    assert list(player.seats.values_list("table__number", "seat")) == seats


def test_who_has_withdrawn_is_not_checked_in(event: Event):
    event.players.filter(number=1).update(withdrawn_at=now())
    with pytest.raises(DomainError) as refusal:
        check_in(player=player_of(event), here=True, by=writer_of(event))
    assert refused(refusal) == [("check_in.withdrawn", {"name": "Akelei"})]


# ---------------------------------------------------------------- ready


def ready_tables(event: Event) -> list[int]:
    return list(round_of(event).tables.filter(ready_at__isnull=False).values_list("number", flat=True))


def test_tables_are_ticked_and_unticked():
    event = make_event(tables=3)
    by = writer_of(event)
    assert set_ready(round_=round_of(event), tables=[1, 3], ready=True, by=by)
    assert ready_tables(event) == [1, 3]
    assert not set_ready(round_=round_of(event), tables=[1], ready=True, by=by)
    assert set_ready(round_=round_of(event), tables=[1, 2], ready=False, by=by)
    assert ready_tables(event) == [3]
    rows = AuditRow.objects.filter(event=event).order_by("seq").values_list("verb", "details")
    assert list(rows)[-2:] == [
        ("tables_ready", '{"round":1,"tables":[1,3]}'),
        ("tables_not_ready", '{"round":1,"tables":[1]}'),
    ]


def test_one_wrong_number_ticks_nothing(event: Event):
    with pytest.raises(DomainError) as refusal:
        set_ready(round_=round_of(event), tables=[1, 9], ready=True, by=writer_of(event))
    assert refused(refusal) == [("ready.no_table", {"table": 9, "round": 1})]
    assert ready_tables(event) == []


def test_ticks_are_for_the_time_between_seats_and_clock():
    event = make_event(published=False)
    with pytest.raises(DomainError) as refusal:
        set_ready(round_=round_of(event), tables=[1], ready=True, by=writer_of(event))
    assert refused(refusal) == [("round.not_published", {"round": 1})]
    event = make_event()
    start_round(round_=round_of(event), by=writer_of(event))
    with pytest.raises(DomainError) as refusal:
        set_ready(round_=round_of(event), tables=[1], ready=True, by=writer_of(event))
    assert refused(refusal) == [("ready.clock_runs", {"round": 1})]


# ---------------------------------------------------------------- a second person


@pytest.fixture
def table() -> Table:
    """Return a signed table of an event that asks a second person."""
    event = make_event(tables=1, rounds=1)
    set_second_person(event=event, second_person="other_person", by=writer_of(event))
    enter(table_of(event), "1t 230")
    sign(table_of(event))
    return table_of(event)


def test_who_signed_cannot_confirm_and_another_can_once(table: Table):
    event, other = table.round.event, make_account("Second")
    with pytest.raises(DomainError) as refusal:
        confirm_sheet(table=table, sheet=1, by=writer_of(event))
    assert refused(refusal) == [("confirm.same_person", {"table": 1})]
    before = version_of(event)
    for _ in range(2):
        confirm_sheet(table=table, sheet=1, by=other)
    assert version_of(event) == before + 1
    (check,) = SheetCheck.objects.all()
    assert (check.confirmed, check.reason, check.by) == (True, "", str(other.uid))
    loaded = get_table(event, 1, 1)
    assert loaded is not None
    assert (loaded.stage, loaded.confirmed, loaded.sent_back) == ("signed", True, False)


def test_what_a_second_person_said_stays(table: Table):
    confirm_sheet(table=table, sheet=1, by=make_account())
    check = SheetCheck.objects.get()
    check.confirmed = False
    with pytest.raises(AppendOnlyError):
        check.save()


def test_a_rejected_sheet_opens_its_table_and_wants_a_signature_again(table: Table):
    event, other = table.round.event, make_account("Second")
    with pytest.raises(DomainError) as refusal:
        reject_sheet(table=table, sheet=1, reason="  ", by=other)
    assert refused(refusal) == [("confirm.reason_missing", {})]
    reject_sheet(table=table, sheet=1, reason="2 and 3 are swapped", by=other)
    loaded = get_table(event, 1, 1)
    assert loaded is not None
    assert (loaded.stage, loaded.confirmed, loaded.sent_back) == ("playing", False, True)
    sign(table)
    loaded = get_table(event, 1, 1)
    assert loaded is not None
    assert (loaded.stage, loaded.confirmed, loaded.sent_back) == ("signed", False, False)
    assert [(sheet.seq, sheet.signed, sheet.reason) for sheet in table.sheets.all()] == [
        (1, True, ""), (2, False, "2 and 3 are swapped"), (3, True, ""),
    ]  # fmt: skip


def test_only_the_sheet_that_was_looked_at_is_confirmed_or_rejected(table: Table):
    by, other = writer_of(table.round.event), make_account("Second")
    reopen_table(table=table, reason="a hand was forgotten", by=by)
    sign(table)
    for act in (
        lambda: confirm_sheet(table=table, sheet=1, by=other),
        lambda: reject_sheet(table=table, sheet=1, reason="wrong", by=other),
    ):
        with pytest.raises(DomainError) as refusal:
            act()
        assert refused(refusal) == [("confirm.moved_on", {"table": 1})]
    confirm_sheet(table=table, sheet=3, by=other)
    with pytest.raises(DomainError) as refusal:
        reject_sheet(table=table, sheet=3, reason="wrong", by=other)
    assert refused(refusal) == [("confirm.done_already", {"table": 1})]


def test_a_round_waits_for_every_confirmation(table: Table):
    event = table.round.event
    with pytest.raises(DomainError) as refusal:
        release_round(round_=round_of(event), by=writer_of(event))
    assert refused(refusal) == [("round.sheets_unconfirmed", {"tables": (1,), "round": 1})]
    confirm_sheet(table=table, sheet=1, by=make_account())
    release_round(round_=round_of(event), by=writer_of(event))
    assert round_of(event).state == "released"


def test_one_person_alone_runs_an_event_that_asks_nobody():
    event = make_event(tables=1, rounds=1)
    play_round(event, 1, "1t 230")
    assert round_of(event).state == "released"
    with pytest.raises(DomainError) as refusal:
        confirm_sheet(table=table_of(event), sheet=1, by=make_account())
    assert refused(refusal) == [("confirm.off", {})]


def test_the_setting_is_one_of_two_and_is_written_once(event: Event):
    by, before = writer_of(event), version_of(event)
    told = [set_second_person(event=event, second_person="other_person", by=by) for _ in range(2)]
    assert (told, event.confirms, version_of(event)) == ([True, False], True, before + 1)
    with pytest.raises(DomainError) as refusal:
        set_second_person(event=event, second_person="nobody", by=by)
    assert refused(refusal) == [("event.second_person_unknown", {})]


def test_phones_ask_nothing_new_for_what_is_on_none_of_their_pages(table: Table):
    event, by = table.round.event, writer_of(table.round.event)
    before = get_public_state(event).mark
    check_in(player=player_of(event), here=True, by=by)
    set_ready(round_=round_of(event), tables=[1], ready=True, by=by)
    confirm_sheet(table=table, sheet=1, by=make_account())
    assert get_public_state(event).mark == before
