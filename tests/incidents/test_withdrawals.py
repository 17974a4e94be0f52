"""Somebody leaves for good, or comes back: the note and the seats in one act, and each undoes the other."""

from uuid import uuid4

import pytest

from tests.factories import enter, make_event, table_of, writer_of
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, come_back, leave
from tournament.incidents.models import Substitution
from tournament.players.models import Player
from tournament.tables.models import Seat

pytestmark = pytest.mark.django_db


def go(event: Event, number: int, *, reason: str = "went home", name: str = "Ida", seats: bool = True) -> Player:
    player = event.players.select_related("event").get(number=number)
    table = Seat.objects.get(player=player, round__number=1).table
    leave(
        player=player,
        reason=reason,
        table=table_of(event, table.number) if seats else None,
        replacement=Replacement(when="before", reason=reason, name=name, later=True) if seats else None,
        client_id=uuid4(),
        by=writer_of(event),
    )
    return player


def standing(event: Event) -> list[tuple[int, int, str]]:
    rows = Substitution.objects.filter(event=event, cancelled_at=None)
    return list(rows.order_by("table__round__number").values_list("table__round__number", "player__number", "name"))


def test_who_leaves_is_replaced_at_every_published_table_and_no_seat_moves():
    event = make_event(tables=2, rounds=3)
    before = list(Seat.objects.values_list("table", "seat", "player"))
    player = go(event, 3)
    player.refresh_from_db()
    assert player.withdrawn_at
    assert standing(event) == [(1, 3, "Ida"), (2, 3, "Ida"), (3, 3, "Ida")]
    assert list(Seat.objects.values_list("table", "seat", "player")) == before


def test_what_is_refused_at_the_table_is_not_noted_either():
    event = make_event(tables=2, rounds=1)
    with pytest.raises(DomainError) as refusal:
        go(event, 3, name="Akelei")
    assert [problem.code for problem in refusal.value.problems] == ["substitute.ranked_player"]
    assert not event.players.filter(withdrawn_at__isnull=False).exists()


def test_the_seats_can_be_left_for_later():
    event = make_event(tables=2, rounds=1)
    go(event, 3, seats=False)
    assert (standing(event), event.players.filter(withdrawn_at__isnull=False).count()) == ([], 1)


def test_who_is_back_plays_the_games_that_have_not_begun():
    event = make_event(tables=2, rounds=2)
    player = go(event, 3)
    rows = list(Substitution.objects.filter(event=event).select_related("event", "table__round").order_by("pk"))
    enter(table_of(event, 1), "1t 3 30")
    with pytest.raises(DomainError) as refusal:
        come_back(player=player, reason="found the hall", substitutions=rows, by=writer_of(event))
    assert [problem.code for problem in refusal.value.problems] == ["substitute.game_begun"]
    come_back(player=player, reason="found the hall", substitutions=rows[1:], by=writer_of(event))
    player.refresh_from_db()
    assert (player.withdrawn_at, standing(event)) == (None, [(1, 3, "Ida")])


def test_nobody_elses_substitute_is_taken_out():
    event = make_event(tables=2, rounds=1)
    go(event, 3)
    with pytest.raises(DomainError) as refusal:
        come_back(
            player=event.players.get(number=4),
            reason="x",
            substitutions=list(Substitution.objects.select_related("event", "table__round")),
            by=writer_of(event),
        )
    assert [problem.code for problem in refusal.value.problems] == ["substitute.not_theirs"]
