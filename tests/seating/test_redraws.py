"""Redraws after the start: what is played or published stays, a stale look is refused, and it is done once."""

import contextlib
import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.factories import enter, fresh, make_event, play_round, round_of, table_of, writer_of
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.players.actions import NewPlayer, add_late_player, return_player, withdraw_player
from tournament.players.models import Player
from tournament.rounds.actions import publish_rounds, start_round
from tournament.seating.queries import get_redraw_field
from tournament.seating.redraw_actions import redraw_rounds
from tournament.seating.redraw_plan import Fill, RedrawAsked, plan_redraw
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


def event_of(tables: int = 4, rounds: int = 4, *, played: int = 1, published: int = 2) -> Event:
    """Make an event whose first rounds are played, the next ones published, the others drawn."""
    event = make_event(tables=tables, rounds=rounds, published=False)
    if published:
        publish_rounds(event=event, numbers=range(1, published + 1), by=writer_of(event))
    for number in range(1, played + 1):
        play_round(event, number, "1t 230")
    event.refresh_from_db()
    return event


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> tuple[Event, Event, Event]:
    """Make, once for all tests, events of four tables and of five, and one of three of which nothing is published."""
    return event_of(), event_of(tables=5, rounds=5), event_of(tables=3, played=0, published=0)


@pytest.fixture
def event(made: tuple[Event, Event, Event]) -> Event:
    return fresh(made[0])


@pytest.fixture
def event_of_five(made: tuple[Event, Event, Event]) -> Event:
    return fresh(made[1])


def seats(event: Event, *rounds: int) -> list[tuple[int, int, int, int]]:
    rows = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    found = rows.values_list("round__number", "table__number", "seat", "player__number")
    return [row for row in found if not rounds or row[0] in rounds]


def asked_without(event: Event, *gone: int, fill: Fill = "put_in", published: tuple[int, ...] = ()) -> RedrawAsked:
    numbers = event.players.filter(withdrawn_at=None).values_list("number", flat=True)
    return RedrawAsked(tuple(number for number in numbers if number not in gone), fill, 7, published)


def take(event: Event, asked: RedrawAsked, *, client_id: UUID | None = None, seen: str = "", **more: Any) -> bool:
    seen = seen or plan_redraw(get_redraw_field(event), asked).fingerprint
    return redraw_rounds(
        event=event, asked=asked, seen=seen, client_id=client_id or uuid4(), by=writer_of(event), **more
    )


def test_a_substitute_takes_the_seats_and_nothing_else_changes(event: Event):
    before = seats(event)
    assert take(event, asked_without(event, 3), names=["Ida Reserve"])
    substitute = event.players.get(person__preferred_name="Ida Reserve")
    assert (substitute.number, substitute.ranked) == (17, False)
    assert event.players.get(number=3).withdrawn_at is not None
    assert seats(event) == [
        (round_, table, seat, 17 if who == 3 and round_ > 2 else who) for round_, table, seat, who in before
    ]


def test_a_nameless_substitute_gets_a_name_that_is_free(event: Event):
    add_late_player(event=event, new=NewPlayer("Substitute 1"), ranked=False, by=writer_of(event))
    withdraw_player(player=event.players.get(number=17), reason="went home", by=writer_of(event))
    take(event, asked_without(event, 3, 4))
    assert list(event.players.filter(number__gt=17).values_list("person__preferred_name", flat=True)) == [
        "Substitute 2",
        "Substitute 3",
    ]


@pytest.mark.postgresql
def test_the_rounds_left_are_drawn_anew_and_those_played_or_published_stay(event_of_five: Event):
    event = event_of_five
    before = seats(event, 1, 2)
    assert take(event, asked_without(event, 1, 2, 3, 4, fill="full"))
    assert seats(event, 1, 2) == before
    for number in (3, 4, 5):
        assert sorted(who for _, _, _, who in seats(event, number)) == list(range(5, 21))
    row = json.loads(AuditRow.objects.get(event=event, verb="rounds_redrawn").details)
    assert (row["seed"], row["rounds"], row["left"]) == (7, [3, 4, 5], [1, 2, 3, 4])
    assert row["after"].keys() == row["before"].keys()
    assert round_of(event, 3).drawn == {"by": "redraw", "seed": 7, "fill": "full"}


def test_a_published_round_moves_only_where_it_is_named_and_with_a_reason(event: Event):
    asked = asked_without(event, 3, published=(2,))
    with pytest.raises(DomainError) as refused:
        take(event, asked)
    assert [problem.code for problem in refused.value.problems] == ["redraw.reason_missing"]
    assert take(event, asked, reason="Cyan is ill")
    assert [who for _, _, _, who in seats(event, 2)].count(17) == 1
    assert round_of(event, 2).published_at is not None


@pytest.mark.once
@pytest.mark.parametrize("begin", ["hand", "clock"])
def test_a_round_that_has_begun_never_moves(event: Event, begin: str):
    if begin == "hand":
        enter(table_of(event, round_=2), "1t 230")
    else:
        start_round(round_=round_of(event, 2), by=writer_of(event))
    before = seats(event, 1, 2)
    take(event, asked_without(event, 3, published=(1, 2)), reason="ill")
    assert seats(event, 1, 2) == before


def test_what_was_looked_at_must_still_be_so(event: Event):
    asked = asked_without(event, 3)
    seen = plan_redraw(get_redraw_field(event), asked).fingerprint
    publish_rounds(event=event, numbers=[3], by=writer_of(event))
    before = seats(event)
    with pytest.raises(DomainError) as refused:
        take(event, asked, seen=seen)
    assert [problem.code for problem in refused.value.problems] == ["redraw.moved_on"]
    assert (seats(event), event.players.count()) == (before, 16)


def test_the_same_act_sent_twice_is_done_once(event: Event):
    asked, client_id = asked_without(event, 3), uuid4()
    seen = plan_redraw(get_redraw_field(event), asked).fingerprint
    assert take(event, asked, client_id=client_id, seen=seen)
    after, version = seats(event), Event.objects.get(pk=event.pk).version
    assert not take(event, asked, client_id=client_id, seen=seen)
    assert (seats(event), Event.objects.get(pk=event.pk).version) == (after, version)


def test_who_returns_takes_the_seats_of_the_substitute_again(event: Event):
    before = seats(event)
    take(event, asked_without(event, 3), names=["Ida Reserve"])
    asked = RedrawAsked(tuple(range(1, 17)), "put_in", 7)
    take(event, asked)
    assert seats(event) == before
    gone = Player.objects.filter(event=event, withdrawn_at__isnull=False)
    assert [player.person.preferred_name for player in gone] == ["Ida Reserve"]


@pytest.mark.once
def test_players_who_fill_no_table_rest_in_turn_or_have_substitutes(event_of_five: Event):
    event = event_of_five
    plan = plan_redraw(get_redraw_field(event), asked_without(event, 3, fill="rests"))
    assert [len(resting) for resting in plan.resting.values()] == [3, 3, 3]
    assert len({who for resting in plan.resting.values() for who in resting}) == 9
    plan = plan_redraw(get_redraw_field(event), asked_without(event, 3, fill="substitutes"))
    assert plan.substitutes == (21,)


def test_nothing_left_is_said():
    event = event_of(rounds=2, played=1, published=2)
    with pytest.raises(DomainError) as refused:
        plan_redraw(get_redraw_field(event), asked_without(event, 3))
    assert [problem.code for problem in refused.value.problems] == ["redraw.nothing_left"]


@pytest.mark.once
def test_a_substitute_at_a_table_is_not_lost(event: Event):
    table = table_of(event, round_=2)
    player = table.seats.select_related("player__event").get(seat=0).player
    replacement = Replacement(when="before", reason="ill")
    put_substitute_in(table=table, player=player, replacement=replacement, client_id=uuid4(), by=writer_of(event))
    with pytest.raises(DomainError) as refused:
        take(event, asked_without(event, 9, fill="rests", published=(2,)), reason="ill")
    assert [problem.code for problem in refused.value.problems] == ["redraw.substitute_in_round"]


def test_leaving_and_returning_move_no_seat_and_want_a_reason(event: Event):
    before, player, by = seats(event), event.players.get(number=3), writer_of(event)
    with pytest.raises(DomainError):
        withdraw_player(player=player, reason=" ", by=by)
    withdraw_player(player=player, reason="ill", by=by)
    withdraw_player(player=player, reason="twice", by=by)
    return_player(player=player, reason="better", by=by)
    assert seats(event) == before
    verbs = AuditRow.objects.filter(event=event).order_by("-seq").values_list("verb", flat=True)
    assert list(verbs[:2]) == ["player_returned", "player_withdrawn"]


@pytest.mark.once
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    gone=st.sets(st.integers(1, 12), min_size=1, max_size=4),
    fill=st.sampled_from(["put_in", "full", "substitutes", "rests"]),
    begun=st.integers(0, 2),
    published=st.integers(0, 3),
)
def test_no_redraw_touches_a_begun_or_published_round(
    db: None, made: tuple[Event, Event, Event], gone: set[int], fill: Fill, begun: int, published: int
):
    published = max(begun, published)
    with transaction.atomic():  # the same event for every example
        event = fresh(made[2])
        if published:
            publish_rounds(event=event, numbers=range(1, published + 1), by=writer_of(event))
        for number in range(1, begun + 1):
            start_round(round_=round_of(event, number), by=writer_of(event))
        before = [row for row in seats(event) if row[0] <= published]
        with contextlib.suppress(DomainError):
            take(event, asked_without(event, *gone, fill=fill))
        assert [row for row in seats(event) if row[0] <= published] == before
        transaction.set_rollback(True)
