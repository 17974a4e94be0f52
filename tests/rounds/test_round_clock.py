"""The clock of a round: paused, resumed, stopped and put back; minutes for single tables; the hand beyond it."""

import dataclasses
import datetime as dt
import json
from uuid import uuid4

import pytest

from scoring.shorthand import parse
from tests.factories import (
    correct,
    enter,
    last_seq,
    make_event,
    play_round,
    round_of,
    table_of,
    void,
    writer_of,
)
from tournament.calls.actions import call_referee, close_call
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.core.now import clock_at
from tournament.events.actions import set_clock_options
from tournament.events.models import Event
from tournament.penalties.actions import give_foul
from tournament.penalties.queries import Offence
from tournament.rounds.actions import (
    cancel_time,
    give_time,
    pause_clock,
    put_clock_back,
    resume_clock,
    start_round,
    stop_clock,
)
from tournament.rounds.models import TableTime
from tournament.rulesets.actions import change_rules
from tournament.tables.actions import HandRequest, correct_hands, write_hand
from tournament.tables.history import Forgotten
from tournament.tables.queries import get_table
from tournament.tables.round_queries import ClockRow, get_clock, hands_in_time, list_clocks

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

TEN = dt.datetime(2026, 9, 12, 10, tzinfo=dt.UTC)


def at(minutes: float) -> dt.datetime:
    return TEN + dt.timedelta(minutes=minutes)


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Make an EMA event of two tables whose first round started at ten."""
    event = make_event(tables=2, rounds=2)
    with clock_at(TEN):
        start_round(round_=round_of(event), by=writer_of(event))
    return event


def clock(event: Event) -> ClockRow:
    return get_clock(round_of(event))


def pause(event: Event, since: float, until: float | None = None) -> None:
    with clock_at(at(since)):
        pause_clock(round_=round_of(event), reason="fire alarm", by=writer_of(event))
    if until is not None:
        with clock_at(at(until)):
            resume_clock(round_=round_of(event), by=writer_of(event))


def give(event: Event, table: int = 1, minutes: int = 5, reason: str = "a tile fell") -> TableTime:
    return give_time(
        table=table_of(event, table), minutes=minutes, reason=reason, client_id=uuid4(), by=writer_of(event)
    )


def trail(event: Event) -> list[tuple[str, dict[str, object]]]:
    rows = AuditRow.objects.filter(event=event).order_by("seq")
    return [(row.verb, json.loads(row.details)) for row in rows if "clock" in row.verb or "time" in row.verb]


# ---------------------------------------------------------------- pauses


def test_a_pause_stops_the_clock_and_its_time_comes_back(event: Event):
    assert clock(event).ends_at == at(75)
    pause(event, 20)
    stood = clock(event)
    assert (stood.ends_at, stood.paused_at, stood.pause_reason) == (None, at(20), "fire alarm")
    assert stood.left_paused == dt.timedelta(minutes=55)
    with clock_at(at(32)):
        resume_clock(round_=round_of(event), by=writer_of(event))
    assert (clock(event).ends_at, clock(event).paused_at, clock(event).left_paused) == (at(87), None, None)
    assert trail(event) == [
        ("clock_paused", {"round": 1, "reason": "fire alarm"}),
        ("clock_resumed", {"round": 1}),
    ]


def test_twice_the_same_changes_nothing(event: Event):
    pause(event, 20)
    pause(event, 25, 30)
    with clock_at(at(40)):
        resume_clock(round_=round_of(event), by=writer_of(event))
    assert clock(event).ends_at == at(85)
    assert [verb for verb, _details in trail(event)] == ["clock_paused", "clock_resumed"]


def test_a_round_has_a_clock_of_its_own(event: Event):
    pause(event, 20)
    clocks = list_clocks(event, list(event.rounds.all()))
    assert [clocks[number].started_at for number in (1, 2)] == [TEN, None]
    assert [clocks[number].paused_at for number in (1, 2)] == [at(20), None]
    with clock_at(at(30)):
        start_round(round_=round_of(event, 2), by=writer_of(event))
        pause_clock(round_=round_of(event, 2), reason="fire alarm", by=writer_of(event))
    clocks = list_clocks(event, list(event.rounds.all()))
    assert [clocks[number].paused_at for number in (1, 2)] == [at(20), at(30)]


# ---------------------------------------------------------------- a start taken back


def test_a_clock_started_by_mistake_is_stopped_and_started_anew(event: Event):
    pause(event, 2, 3)
    with clock_at(at(4)):
        stop_clock(round_=round_of(event), reason="too early", by=writer_of(event))
    stopped = clock(event)
    assert (stopped.started_at, stopped.ends_at, stopped.taken_back) == (None, None, TEN)
    assert round_of(event).state == "published"
    with clock_at(at(10)):
        start_round(round_=round_of(event), by=writer_of(event))
    assert (clock(event).ends_at, clock(event).taken_back, clock(event).pauses) == (at(85), None, ())
    assert trail(event)[2:] == [("clock_stopped", {"round": 1, "reason": "too early"})]


def test_a_clock_that_was_stopped_is_put_back_with_its_pauses(event: Event):
    pause(event, 2, 3)
    pause(event, 5)
    with clock_at(at(6)):
        stop_clock(round_=round_of(event), reason="by mistake", by=writer_of(event))
    put_clock_back(round_=round_of(event), by=writer_of(event))
    assert (clock(event).started_at, clock(event).paused_at, clock(event).taken_back) == (TEN, at(5), None)
    with clock_at(at(8)):
        resume_clock(round_=round_of(event), by=writer_of(event))
    assert clock(event).ends_at == at(79)
    put_clock_back(round_=round_of(event), by=writer_of(event))
    assert trail(event)[-2:] == [("clock_put_back", {"round": 1}), ("clock_resumed", {"round": 1})]


# ---------------------------------------------------------------- minutes for one table


def test_minutes_move_the_signal_of_their_table_alone(event: Event):
    given = give(event, table=2)
    give(event, table=2, minutes=2)
    now = clock(event)
    assert (now.ends_at, now.ends_at_of(1), now.ends_at_of(2)) == (at(75), at(75), at(82))
    assert (now.extra_of(2), now.tables()) == (7, (2,))
    cancel_time(time=given, reason="wrong table", by=writer_of(event))
    cancel_time(time=given, reason="once more", by=writer_of(event))
    assert clock(event).ends_at_of(2) == at(77)
    assert trail(event) == [
        ("table_time_given", {"round": 1, "table": 2, "minutes": 5, "reason": "a tile fell"}),
        ("table_time_given", {"round": 1, "table": 2, "minutes": 2, "reason": "a tile fell"}),
        ("table_time_taken_back", {"round": 1, "table": 2, "minutes": 5, "reason": "wrong table"}),
    ]


def test_a_rulings_minutes_count_as_well(event: Event):
    call = call_referee(table=table_of(event, 2), client_id=uuid4(), by=writer_of(event))
    close_call(call=call, ruling="Dead hand.", minutes=3, by=writer_of(event))
    give(event, table=2, minutes=4)
    assert clock(event).ends_at_of(2) == at(82)
    assert [(each.id is None, each.minutes, each.reason) for each in clock(event).extras] == [
        (False, 4, "a tile fell"),
        (True, 3, "Dead hand."),
    ]


def test_minutes_sent_twice_count_once(event: Event):
    client_id = uuid4()
    common = {"table": table_of(event), "minutes": 5, "reason": "x", "client_id": client_id, "by": writer_of(event)}
    assert give_time(**common) == give_time(**common)  # type: ignore[arg-type]
    assert clock(event).ends_at_of(1) == at(80)


def test_minutes_without_a_limit_make_none(event: Event):
    change_rules(event=event, values={"minutes": 0}, reason="no limit", by=writer_of(event))
    give(event)
    assert clock(event).ends_at_of(1) is None


# ---------------------------------------------------------------- refusals


def refused(act: object) -> list[str]:
    with pytest.raises(DomainError) as wrong:
        act()  # type: ignore[operator]
    return [problem.code for problem in wrong.value.problems]


def test_what_cannot_be_is_refused(event: Event):
    first, second, by = round_of(event), round_of(event, 2), writer_of(event)
    version = Event.objects.get(pk=event.pk).version
    assert refused(lambda: pause_clock(round_=first, reason=" ", by=by)) == ["clock.reason_missing"]
    assert refused(lambda: stop_clock(round_=first, reason="", by=by)) == ["clock.reason_missing"]
    assert refused(lambda: pause_clock(round_=second, reason="x", by=by)) == ["clock.not_started"]
    assert refused(lambda: resume_clock(round_=second, by=by)) == ["clock.not_started"]
    assert refused(lambda: put_clock_back(round_=second, by=by)) == ["clock.not_stopped"]
    assert refused(lambda: give(event, reason="")) == ["clock.reason_missing"]
    assert refused(lambda: give(event, reason="x" * 301)) == ["entry.text_too_long"]
    assert refused(lambda: give(event, minutes=0)) == ["clock.minutes_out_of_range"]
    assert refused(lambda: give(event, minutes=121)) == ["clock.minutes_out_of_range"]
    assert Event.objects.get(pk=event.pk).version == version


def test_a_released_round_has_no_clock_to_change(event: Event):
    play_round(event, 1, "1t 230")
    first, by = round_of(event), writer_of(event)
    assert refused(lambda: pause_clock(round_=first, reason="x", by=by)) == ["clock.released"]
    assert refused(lambda: stop_clock(round_=first, reason="x", by=by)) == ["clock.released"]
    assert refused(lambda: give(event)) == ["clock.released"]


def test_a_table_without_public_seats_gets_no_minutes():
    assert refused(lambda: give(make_event(published=False))) == ["round.not_published"]


# ---------------------------------------------------------------- what the clock says


def test_an_event_says_what_its_clock_says(event: Event):
    assert (clock(event).sound, clock(event).signals) == (True, (15, 5, 0))
    assert set_clock_options(event=event, sound=False, signals=[10, 10, 30], by=writer_of(event))
    assert not set_clock_options(event=event, sound=False, signals=[30, 10, 0], by=writer_of(event))
    assert (clock(event).sound, clock(event).signals) == (False, (30, 10, 0))
    assert trail(event) == [("clock_options_set", {"sound": "off", "signals": [30, 10, 0]})]


def test_signals_that_cannot_be_are_refused(event: Event):
    by = writer_of(event)
    many = [1, 2, 3, 4, 5]
    assert refused(lambda: set_clock_options(event=event, sound=True, signals=many, by=by)) == [
        "clock.too_many_signals"
    ]
    assert refused(lambda: set_clock_options(event=event, sound=True, signals=[-1], by=by)) == [
        "clock.signal_out_of_range"
    ]


# ---------------------------------------------------------------- hands beyond the clock


def enter_at(event: Event, minutes: float, line: str = "d", *, table: int = 1, reason: str = "") -> None:
    with clock_at(at(minutes)):
        enter(table_of(event, table), line, reason=reason)


def test_a_hand_beyond_the_clock_wants_a_reason(event: Event):
    for minutes in (10, 70, 78, 85):
        enter_at(event, minutes)
    assert refused(lambda: enter_at(event, 90)) == ["time.over", "entry.reason_needed"]
    enter_at(event, 90, reason="it was dealt before the signal")
    assert last_seq(table_of(event)) == 5


def test_a_foul_beyond_the_clock_is_given_all_the_same(event: Event):
    for minutes in (78, 85):
        enter_at(event, minutes)
    table = table_of(event)
    player = event.players.get(number=table.seats.get(seat=1).player.number)
    with clock_at(at(90)):
        give_foul(
            player=player,
            table=table,
            offence=Offence(foul="noten_riichi"),
            client_id=uuid4(),
            expected_seq=2,
            by=writer_of(event),
        )
    assert last_seq(table) == 3


def test_a_void_hand_gives_its_place_back_and_a_correction_needs_none(event: Event):
    for minutes in (78, 85):
        enter_at(event, minutes)
    with clock_at(at(90)):
        correct(table_of(event), 2, "1t 230")
        void(table_of(event), 1)
    enter_at(event, 91)
    assert refused(lambda: enter_at(event, 92)) == ["time.over", "entry.reason_needed"]


def test_extra_minutes_and_pauses_move_what_may_be_played(event: Event):
    for minutes in (78, 85):
        enter_at(event, minutes)
    give(event, minutes=12)
    enter_at(event, 90)
    enter_at(event, 91)
    assert refused(lambda: enter_at(event, 92)) == ["time.over", "entry.reason_needed"]
    for minutes in (78, 85):
        enter_at(event, minutes, table=2)
    assert refused(lambda: enter_at(event, 92, table=2)) == ["time.over", "entry.reason_needed"]


def test_nothing_is_over_while_the_clock_stands_still(event: Event):
    pause(event, 60)
    for minutes in (78, 85, 90, 95):
        enter_at(event, minutes)
    assert last_seq(table_of(event)) == 4


def test_a_forgotten_hand_takes_none_of_those_after_the_signal(event: Event):
    for minutes in (10, 70, 78):
        enter_at(event, minutes)
    table = table_of(event)
    with clock_at(at(80)):
        correct_hands(
            table=table,
            changes=(),
            forgotten=Forgotten(2, parse("1t 230")),
            client_id=uuid4(),
            expected_seq=3,
            reason="forgotten",
            by=writer_of(event),
        )
    loaded = get_table(event, 1, 1)
    assert loaded is not None
    assert [moment for _entry, moment in hands_in_time(loaded.lines)] == [at(10), at(70), at(78), at(78)]


def test_what_is_sent_again_is_answered_though_time_is_over(event: Event):
    for minutes in (78, 85):
        enter_at(event, minutes)
    client_id, table = uuid4(), table_of(event)
    request, by = HandRequest(table, parse("d"), client_id, 2), writer_of(event)
    with clock_at(at(90)):
        write_hand(dataclasses.replace(request, reason="dealt before"), by=by)
        assert write_hand(request, by=by).repeated
