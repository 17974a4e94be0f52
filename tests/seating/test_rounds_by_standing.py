"""Rounds by standing and cuts: drawn from released rounds only, looked at first, done once; cuts in the standings."""

from itertools import chain
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.factories import codes_of, make_event, play_round, round_of, writer_of
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.players.actions import withdraw_player
from tournament.rounds.actions import publish_rounds
from tournament.seating.queries import get_standing_field
from tournament.seating.redraw_actions import cancel_cut, take_round
from tournament.seating.redraw_plan import CutAsked, NextAsked, RankedPlayer, StandingField, plan_next
from tournament.standings.models import Cut
from tournament.standings.queries import read_standings

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

SWISS = NextAsked("swiss", seed=5)


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Make an event of three tables and one released round; player 1 of each table has won the most."""
    event = make_event(tables=3, rounds=1)
    play_round(event, 1, "1t 3 30", "2r4 230")
    return event


def take(event: Event, asked: NextAsked, *, client_id: UUID | None = None, seen: str = "", **more: Any) -> bool:
    seen = seen or plan_next(get_standing_field(event), asked).fingerprint
    return take_round(event=event, asked=asked, seen=seen, client_id=client_id or uuid4(), by=writer_of(event), **more)


def tables(event: Event, number: int) -> list[list[int]]:
    found = round_of(event, number).tables.order_by("number")
    return [[seat.player.number for seat in table.seats.order_by("seat").select_related("player")] for table in found]


@pytest.mark.once
def test_the_next_round_is_written_and_not_published(event: Event):
    assert take(event, SWISS)
    made = round_of(event, 2)
    assert (made.state, made.drawn["by"], made.drawn["seed"]) == ("drawn", "standing", 5)
    assert sorted(chain.from_iterable(tables(event, 2))) == list(range(1, 13))
    event.refresh_from_db()
    assert event.rounds_planned == 2


@pytest.mark.once
def test_by_rank_seats_the_first_four_at_table_one(event: Event):
    order = [row.number for row in read_standings(event).rows]
    take(event, NextAsked("ranked", seed=5))
    assert [sorted(table) for table in tables(event, 2)] == [
        sorted(order[:4]), sorted(order[4:8]), sorted(order[8:])
    ]  # fmt: skip


@pytest.mark.once
def test_the_same_act_sent_twice_draws_one_round(event: Event):
    client_id, seen = uuid4(), plan_next(get_standing_field(event), SWISS).fingerprint
    assert take(event, SWISS, client_id=client_id, seen=seen)
    assert not take(event, SWISS, client_id=client_id, seen=seen)
    assert event.rounds.count() == 2


def test_a_round_that_is_not_released_is_waited_for():
    event = make_event(tables=3, rounds=1)
    with pytest.raises(DomainError) as refused:
        take(event, SWISS)
    assert codes_of(refused) == ["next.round_open"]


@pytest.mark.once
def test_what_was_looked_at_must_still_be_so(event: Event):
    seen = plan_next(get_standing_field(event), SWISS).fingerprint
    withdraw_player(player=event.players.get(number=1), reason="ill", by=writer_of(event))
    with pytest.raises(DomainError) as refused:
        take(event, NextAsked("swiss", seed=5, fill=True), seen=seen)
    assert codes_of(refused) == ["redraw.moved_on"]


def test_rounds_drawn_before_go_only_where_that_is_said():
    event = make_event(tables=3, rounds=3, published=False)
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    play_round(event, 1, "1t 3 30")
    before = tables(event, 3)
    with pytest.raises(DomainError) as refused:
        take(event, SWISS)
    assert (codes_of(refused), tables(event, 3)) == (["next.rounds_drawn"], before)
    take(event, SWISS, drop=True)
    assert list(event.rounds.values_list("number", flat=True)) == [1, 2]


@pytest.mark.once
def test_who_has_left_is_not_seated_and_substitutes_fill_the_table(event: Event):
    withdraw_player(player=event.players.get(number=1), reason="ill", by=writer_of(event))
    with pytest.raises(DomainError) as refused:
        take(event, SWISS)
    assert codes_of(refused) == ["seating.not_a_multiple"]
    take(event, NextAsked("swiss", seed=5, fill=True))
    assert sorted(chain.from_iterable(tables(event, 2))) == list(range(2, 14))
    assert event.players.get(number=13).ranked is False


@pytest.mark.once
def test_a_cut_halves_what_those_through_carry_and_the_others_stop(event: Event):
    before = {row.number: row for row in read_standings(event).rows}
    order = [row.number for row in read_standings(event).rows]
    take(event, NextAsked("snake", seed=5, cut=CutAsked(4, "halved", "stop")))
    assert [sorted(table) for table in tables(event, 2)] == [sorted(order[:4])]
    rows = read_standings(event).rows
    assert [(row.number, row.group) for row in rows[:4]] == [(number, 0) for number in order[:4]]
    for row in rows[:4]:
        assert row.total == before[row.number].total // 2
        assert [(each.points, each.of) for each in row.carried] == [(row.total, before[row.number].total)]
    assert [(row.number, row.total, row.group) for row in rows[4:]] == [
        (number, before[number].total, 1) for number in order[4:]
    ]
    assert min(row.rank for row in rows[4:]) == 5


@pytest.mark.once
def test_those_below_a_cut_play_on_at_the_tables_after(event: Event):
    order = [row.number for row in read_standings(event).rows]
    take(event, NextAsked("ranked", seed=5, cut=CutAsked(4, "cleared", "play_on")))
    drawn = tables(event, 2)
    assert (sorted(drawn[0]), sorted(drawn[1] + drawn[2])) == (sorted(order[:4]), sorted(order[4:]))


def test_a_cut_names_who_shares_the_rank_of_the_last_one_through():
    order = tuple(
        RankedPlayer(who, "", rank, 1001 - who) for who, rank in zip(range(8), (1, 2, 3, 4, 4, 6, 7, 8), strict=True)
    )
    field = StandingField(2, (order,), (), (), table_size=4, last=8)
    plan = plan_next(field, NextAsked("ranked", seed=1, cut=CutAsked(4, "halved", "play_on")))
    assert [(each.number, each.points) for each in plan.through] == [(0, 500), (1, 500), (2, 499), (3, 499)]
    assert (plan.tied_out, plan.stopped, plan.finals, len(plan.tables)) == ((4,), (), 1, 2)
    plan = plan_next(field, NextAsked("ranked", seed=1, cut=CutAsked(4, "halved", "stop")))
    assert (plan.stopped, len(plan.tables)) == ((4, 5, 6, 7), 1)
    for top in (0, 8):
        with pytest.raises(DomainError) as refused:
            plan_next(field, NextAsked("ranked", seed=1, cut=CutAsked(top, "whole", "stop")))
        assert codes_of(refused) == ["seating.cut_unfit"]


@pytest.mark.once
def test_the_round_after_keeps_to_the_cut(event: Event):
    take(event, NextAsked("ranked", seed=5, cut=CutAsked(4, "whole", "stop")))
    first = tables(event, 2)
    publish_rounds(event=event, numbers=[2], by=writer_of(event))
    play_round(event, 2, "1t 3 30")
    take(event, NextAsked("ranked", seed=6))
    assert sorted(tables(event, 3)[0]) == sorted(first[0])
    assert len(tables(event, 3)) == 1


@pytest.mark.postgresql
def test_a_cut_is_taken_back_with_a_reason_until_its_round_is_published(event: Event):
    before = read_standings(event)
    take(event, NextAsked("ranked", seed=5, cut=CutAsked(4, "halved", "stop")))
    cut, by = Cut.objects.get(), writer_of(event)
    with pytest.raises(DomainError) as refused:
        cancel_cut(cut=cut, reason="", by=by)
    assert codes_of(refused) == ["cut.reason_missing"]
    cancel_cut(cut=cut, reason="play-off first", by=by)
    assert read_standings(event) == before
    take(event, NextAsked("ranked", seed=5, cut=CutAsked(8, "halved", "stop")), drop=True)
    publish_rounds(event=event, numbers=[2], by=by)
    with pytest.raises(DomainError) as refused:
        cancel_cut(cut=Cut.objects.get(cancelled_at=None), reason="late", by=by)
    assert codes_of(refused) == ["cut.round_published"]


def test_team_mates_are_kept_apart_where_that_is_asked(event: Event):
    for player in event.players.all():
        player.team = "AB"[player.number % 2] if player.number in {1, 2, 5, 6} else ""
        player.save()
    plan = plan_next(get_standing_field(event), NextAsked("swiss", seed=5, apart=("teams",)))
    assert [missed for missed in plan.report.missed if missed.code == "round.group"] == []


@pytest.mark.parametrize("people", [13, 14, 18])
def test_those_who_fill_no_table_rest_in_turn(people: int):
    """Over as many rounds as there are people each rests as often as any other, and all others play."""
    played: tuple[Any, ...] = ()
    rests = dict.fromkeys(range(1, people + 1), 0)
    for number in range(1, people + 1):
        order = tuple(RankedPlayer(who, "", rank, 0) for rank, who in enumerate(rests, start=1))
        field = StandingField(number=number, groups=(order,), reserves=(), played=played, table_size=4, last=people)
        plan = plan_next(field, NextAsked("lot", seed=number, rest=True))
        seated = sorted(chain.from_iterable(plan.tables))
        assert sorted([*seated, *plan.resting]) == list(rests)
        assert (len(plan.resting), plan.substitutes) == (people % 4, ())
        for who in plan.resting:
            rests[who] += 1
        assert max(rests.values()) - min(rests.values()) <= 1
        played = (*played, plan.tables)
    assert set(rests.values()) == {people % 4}


@pytest.mark.once
def test_a_round_with_rests_is_written_and_counts(event: Event):
    withdraw_player(player=event.players.get(number=1), reason="ill", by=writer_of(event))
    take(event, NextAsked("swiss", seed=5, rest=True))
    assert len(list(chain.from_iterable(tables(event, 2)))) == 8
    publish_rounds(event=event, numbers=[2], by=writer_of(event))
    play_round(event, 2, "1t 3 30", "2r4 230")
    event.refresh_from_db()
    assert sorted(row.games for row in read_standings(event).rows) == [1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2]
