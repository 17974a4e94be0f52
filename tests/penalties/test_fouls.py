"""Fouls given by the catalogue: one act for register and ledger, once however often sent, repeats counted, undone."""

from typing import Any
from uuid import UUID

import pytest

from scoring.entries import Chombo
from tests.factories import (
    codes_of,
    codes_when,
    correct,
    enter,
    make_event,
    play_round,
    rows_of,
    sign,
    table_of,
    void,
    writer_of,
)
from tests.fixtures import module_event
from tests.penalties.foul_acts import give, points, shown, verbs
from tournament.core.errors import DomainError, StaleTableError
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.penalties.actions import cancel_penalty, change_foul_amounts
from tournament.penalties.models import Penalty
from tournament.penalties.queries import Offence, get_current_table, get_proposal, list_penalties
from tournament.sheets.actions import reopen_table
from tournament.tables.history import standing_entries
from tournament.tables.models import LedgerEntry
from tournament.tables.queries import load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

# Rakkii: a chombo costs 20,000; rows of 12.3.6 (4) print 30P. Seats 0..3 of table 1, round 1 are players 1..4.
DEARER: dict[str, Any] = {"foul": "tenpai_early_voice", "case": "others_showed"}


made = module_event("rakkii-nomi-2026", tables=2, rounds=2)


# ---------------------------------------------------------------- what each kind writes


def test_a_warning_is_a_row_of_no_points(event: Event):
    (row,) = give(event, foul="riichi_not_said").rows
    assert (row.kind, row.points, row.foul, row.table.number, row.round.number) == (
        "warning", 0, "riichi_not_said", 1, 1,
    )  # fmt: skip
    assert (row.clause, row.given_by) == ("RK 4, WRC 2025 12.3.5 (1)", str(writer_of(event).uid))
    assert points(event) == {}


def test_a_chombo_in_the_hand_of_a_dead_hand_is_listed_beside_it(event: Event):
    give(event, foul="empty_riichi")
    enter(table_of(event), "c2")
    assert shown(event) == [(2, "dead_hand", 0, False), (2, "chombo", 20_000, False)]


def test_a_chombo_that_comes_back_after_it_was_cancelled_is_listed_beside_the_cancelled_one(event: Event):
    (row,) = give(event, foul="empty_win_shown").rows
    cancel_penalty(penalty=row, reason="it was a win", by=writer_of(event))
    correct(table_of(event), 1, "c2", reason="it was none")
    assert shown(event) == [(2, "chombo", 20_000, True), (2, "chombo", 20_000, False)]
    assert points(event) == {2: 20_000}


def test_a_chombo_is_a_hand_and_a_row_in_one_act(event: Event):
    enter(table_of(event), "1t 230")
    (row,) = give(event, foul="empty_win_shown").rows
    (_hand, chombo) = standing_entries(rows_of(table_of(event)))
    assert chombo == Chombo(offenders=(1,), note="Empty call for a win, hand shown")
    assert (row.kind, row.points, row.seq) == ("chombo", 0, 2)
    assert points(event) == {2: 20_000}
    assert shown(event) == [(2, "chombo", 20_000, False)]
    assert verbs(event)[-1] == "foul_given"
    assert verbs(event).count("hand_entered") == 1


def test_a_chombo_that_costs_another_amount_puts_the_difference_into_the_register(event: Event):
    (row,) = give(event, **DEARER).rows
    assert row.points == 10_000
    assert points(event) == {2: 30_000}
    assert shown(event) == [(2, "chombo", 30_000, False)]


def test_a_chombo_may_cost_less_than_the_ledgers(event: Event):
    (row,) = give(event, foul="empty_win_shown", points=5000, amount_reason="a beginner").rows
    assert (row.points, row.amount_reason) == (-15_000, "a beginner")
    assert points(event) == {2: 5000}


def test_each_player_of_the_table_pays_for_a_wrong_report_sheet(event: Event):
    given = give(event, 3, foul="report_sheet")
    assert [(row.player.number, row.points) for row in given.rows] == [(3, 2000), (1, 2000), (2, 2000), (4, 2000)]
    assert points(event) == dict.fromkeys((1, 2, 3, 4), 2000)
    assert verbs(event).count("foul_given") == 1


@pytest.mark.parametrize(
    ("minutes", "foul", "paid", "acts"),
    [
        (1, "late", 1000, ("points",)),
        (10, "late", 10_000, ("points",)),
        (11, "late_over", 30_000, ("points", "substitute")),
    ],
)
def test_late_by_minutes_computes_itself_and_beyond_ten_a_replacement_is_due(
    event: Event, minutes: int, foul: str, paid: int, acts: tuple[str, ...]
):
    proposal = get_proposal(event, event.players.get(number=2), Offence(foul="late", minutes=minutes))
    assert proposal.case.acts == acts
    (row,) = give(event, foul="late", minutes=minutes).rows
    assert (row.foul, row.points) == (foul, paid)


@pytest.mark.states("late_over")
def test_ema_wants_a_substitute_and_no_points_beyond_ten_minutes():
    event = make_event("ema-2025", tables=1, rounds=1)
    proposal = get_proposal(event, event.players.get(number=2), Offence(foul="late", minutes=11))
    assert (proposal.case.acts, proposal.points, proposal.kind) == (("substitute",), 0, "other")


# ---------------------------------------------------------------- repeats


def test_the_second_false_tenpai_of_the_event_costs_5p(event: Event):
    first = give(event, foul="false_tenpai").rows[0]
    second = give(event, foul="false_tenpai").rows[0]
    other = give(event, 3, foul="false_tenpai").rows[0]
    assert [(row.kind, row.points) for row in (first, second, other)] == [
        ("warning", 0), ("points", 5000), ("warning", 0),
    ]  # fmt: skip
    assert points(event) == {2: 5000}


def test_a_cancelled_warning_is_no_first_time(event: Event):
    first = give(event, foul="false_tenpai").rows[0]
    cancel_penalty(penalty=first, reason="misheard", by=writer_of(event))
    assert give(event, foul="false_tenpai").rows[0].points == 0


@pytest.mark.states("repeats")
def test_a_repeat_counts_over_rounds_and_not_over_events(event: Event):
    give(event, at=None, foul="false_tenpai")
    other = make_event("rakkii-nomi-2026", tables=1, rounds=1)
    assert give(other, foul="false_tenpai").rows[0].points == 0
    assert give(event, foul="false_tenpai").rows[0].points == 5000


@pytest.mark.states("repeats_apart")
def test_another_case_of_a_foul_is_no_repeat():
    event = make_event("wrc-2025", tables=1, rounds=1)
    give(event, foul="tiles_revealed", case="some")
    assert give(event, foul="tiles_revealed", case="few").rows[0].points == 0
    assert give(event, foul="tiles_revealed", case="few").rows[0].points == 5000


# ---------------------------------------------------------------- amounts


def test_another_amount_needs_a_reason_which_is_kept(event: Event):
    assert codes_when(lambda: give(event, foul="all_last_sheet", points=4000)) == ["foul.amount_reason_missing"]
    row = give(event, foul="all_last_sheet", points=4000, amount_reason="half of it was mine").rows[0]
    assert (row.points, row.amount_reason) == (4000, "half of it was mine")


def test_an_amount_within_the_books_span_needs_none():
    event = make_event("ema-2025", tables=1, rounds=1)
    assert give(event, foul="obstruction", case="first", points=12_000).rows[0].points == 12_000
    with pytest.raises(DomainError) as refusal:
        give(event, foul="obstruction", case="first", points=12_001)
    assert codes_of(refusal) == ["foul.amount_reason_missing"]


@pytest.mark.parametrize("wanted", [-1, 100_001])
def test_an_amount_beyond_all_books_is_refused(event: Event, wanted: int):
    with pytest.raises(DomainError) as refusal:
        give(event, foul="all_last_sheet", points=wanted, amount_reason="because")
    assert codes_of(refusal) == ["penalty.points_out_of_range"]


def test_the_events_own_amounts_are_proposed_and_audited(event: Event):
    by = writer_of(event)
    assert change_foul_amounts(event=event, values={"all_last_sheet": 4000, "late": 1000}, by=by)
    assert event.foul_amounts == {"all_last_sheet": 4000}
    assert give(event, foul="all_last_sheet").rows[0].points == 4000
    row = AuditRow.objects.get(verb="foul_amounts_changed")
    assert row.details == ('{"amounts":[{"after":4000,"before":8000,"field":"all_last_sheet"}],"reason":""}')
    assert not change_foul_amounts(event=event, values={"all_last_sheet": 4000}, by=by)
    assert change_foul_amounts(event=event, values={"all_last_sheet": 8000}, by=by)
    assert event.foul_amounts == {}


def test_the_amount_of_a_chombo_may_be_the_events_own(event: Event):
    change_foul_amounts(event=event, values={"empty_win_shown": 25_000}, by=writer_of(event))
    assert give(event, foul="empty_win_shown").rows[0].points == 5000
    assert points(event) == {2: 25_000}


def test_once_play_has_begun_amounts_change_with_a_reason(event: Event):
    enter(table_of(event), "1t 230")
    event.refresh_from_db()
    with pytest.raises(DomainError) as refusal:
        change_foul_amounts(event=event, values={"late": 500}, by=writer_of(event))
    assert codes_of(refusal) == ["foul.amounts_reason_missing"]
    assert change_foul_amounts(event=event, values={"late": 500}, reason="the trams", by=writer_of(event))


@pytest.mark.parametrize(
    ("values", "code"),
    [({"nonsense": 1}, "foul.amounts_unusable"), ({"late": -1}, "penalty.points_out_of_range")],
)
def test_amounts_that_cannot_be_are_refused(event: Event, values: dict[str, int], code: str):
    assert codes_when(lambda: change_foul_amounts(event=event, values=values, by=writer_of(event))) == [code]


# ---------------------------------------------------------------- sent twice, refused


@pytest.mark.postgresql
@pytest.mark.parametrize("foul", ["riichi_not_said", "empty_win_shown", "report_sheet", "empty_riichi"])
def test_the_same_act_sent_twice_is_given_once(event: Event, foul: str):
    given = [give(event, foul=foul, client_id=UUID(int=7), expected_seq=0) for _ in range(2)]
    assert [each.repeated for each in given] == [False, True]
    assert [row.pk for row in given[0].rows] == [row.pk for row in given[1].rows]
    assert Penalty.objects.count() == len(given[0].rows)
    assert LedgerEntry.objects.count() == (foul == "empty_win_shown")
    assert verbs(event).count("foul_given") == 1


@pytest.mark.once
@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"foul": "nonsense"}, "foul.unknown"),
        ({"foul": "tsumo_after_discard"}, "foul.case_unknown"),
        ({"foul": "late"}, "foul.minutes_missing"),
        ({"foul": "late", "minutes": 1000}, "foul.minutes_missing"),
        ({"foul": "empty_riichi", "at": None}, "foul.table_missing"),
        ({"foul": "empty_win_shown", "at": None}, "foul.table_missing"),
        ({"foul": "report_sheet", "at": None}, "foul.table_missing"),
        ({"foul": "empty_win_shown", "at": 2}, "foul.not_at_table"),
    ],
)
def test_what_cannot_be_given_is_refused_and_nothing_is_written(event: Event, told: dict[str, Any], code: str):
    before = event.audit.count()
    assert codes_when(lambda: give(event, **told)) == [code]
    assert (Penalty.objects.count(), LedgerEntry.objects.count(), event.audit.count()) == (0, 0, before)


def test_a_rule_set_without_a_catalogue_gives_none():
    event = make_event(tables=1, rounds=1)
    event.rules = {**event.rules, "key": "house"}
    event.save()
    assert codes_when(lambda: give(event, foul="empty_win_shown")) == ["foul.unknown"]


@pytest.mark.parametrize("foul", ["empty_riichi", "empty_win_shown"])
def test_who_has_not_seen_the_newest_hand_is_told_what_came_between(event: Event, foul: str):
    enter(table_of(event), "1t 230")
    with pytest.raises(StaleTableError) as refusal:
        give(event, foul=foul, expected_seq=0)
    assert [row.seq for row in refusal.value.between] == [1]
    assert Penalty.objects.count() == 0


@pytest.mark.parametrize("foul", ["empty_riichi", "empty_win_shown"])
def test_a_signed_table_has_no_hand_to_lose(event: Event, foul: str):
    enter(table_of(event), "1t 230")
    sign(table_of(event))
    assert codes_when(lambda: give(event, foul=foul)) == ["table.signed"]
    assert give(event, foul="report_sheet").rows[0].points == 2000


def test_a_number_of_another_event_gives_nothing(event: Event):
    give(event, foul="riichi_not_said", client_id=UUID(int=7))
    with pytest.raises(DomainError) as refusal:
        give(make_event("rakkii-nomi-2026"), foul="riichi_not_said", client_id=UUID(int=7))
    assert codes_of(refusal) == ["entry.client_id_used"]


# ---------------------------------------------------------------- undone


def test_cancelling_a_chombo_takes_its_hand_out_in_the_same_act(event: Event):
    enter(table_of(event), "1t 230")
    row = give(event, **DEARER).rows[0]
    enter(table_of(event), "2t 230")
    cancel_penalty(penalty=row, reason="the table was wrong", by=writer_of(event))
    assert points(event) == {}
    assert shown(event) == [(2, "chombo", 30_000, True)]
    assert [entry.kind for entry in standing_entries(rows_of(table_of(event)))] == ["tsumo", "tsumo"]
    assert verbs(event).count("hand_voided") == 0
    assert AuditRow.objects.get(verb="penalty_cancelled").details.count("30000") == 1


def test_cancelling_leaves_others_who_share_the_chombo(event: Event):
    row = give(event, foul="empty_win_shown").rows[0]
    correct(table_of(event), 1, "c23")
    cancel_penalty(penalty=row, reason="only 3", by=writer_of(event))
    assert points(event) == {3: 20_000}
    assert standing_entries(rows_of(table_of(event))) == [Chombo(offenders=(2,))]


@pytest.mark.postgresql
def test_cancelling_a_chombo_of_a_signed_table_waits_until_it_is_reopened(event: Event):
    row = give(event, foul="empty_win_shown").rows[0]
    sign(table_of(event))
    assert codes_when(lambda: cancel_penalty(penalty=row, reason="wrong", by=writer_of(event))) == ["table.signed"]
    reopen_table(table=table_of(event), reason="wrong", by=writer_of(event))
    cancel_penalty(penalty=row, reason="wrong", by=writer_of(event))
    assert points(event) == {}


def test_a_chombo_corrected_at_its_table_counts_no_more_and_its_row_says_why(event: Event):
    give(event, **DEARER)
    void(table_of(event), 1, reason="no foul after all")
    assert points(event) == {}
    (row,) = list_penalties(event, load_tables(event))
    assert (row.cancelled, row.cancel_reason) == (True, "no foul after all")
    correct(table_of(event), 1, "c2")
    assert points(event) == {2: 30_000}


# ---------------------------------------------------------------- where a player sits


def test_the_current_table_is_that_of_the_first_round_not_released(event: Event):
    player = event.players.get(number=2)
    found = get_current_table(event, player)
    assert found is not None
    assert (found.round, found.number) == (1, 1)
    play_round(event, 1, "1t 230")
    later = get_current_table(event, player)
    assert later is not None
    assert (later.round, later.number) == (2, 1)
    play_round(event, 2, "1t 230")
    assert get_current_table(event, player) is None
