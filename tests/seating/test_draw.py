"""Rounds: drawn from a seed, published for good, started, and released only when every table is signed."""

import pytest

from tests.factories import (
    DAY,
    codes_of,
    enter,
    make_account,
    make_event,
    name_of,
    round_of,
    sign,
    table_of,
    writer_of,
)
from tournament.accounts.models import Account
from tournament.core.errors import DomainError
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players
from tournament.rounds.actions import publish_rounds, release_round, start_round
from tournament.seating.actions import discard_draw, draw_seats
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db]


@pytest.fixture
def by() -> Account:
    return make_account()


@pytest.fixture
def event(by: Account) -> Event:
    """Return an event of eight players and two rounds without a draw."""
    event = create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=2, by=by)
    add_players(event=event, players=[NewPlayer(name_of(index)) for index in range(8)], by=by)
    return event


def seats_of(event: Event) -> list[tuple[int, int, int, int]]:
    found = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    return list(found.values_list("round__number", "table__number", "seat", "player__number"))


def test_a_draw_seats_everybody_once_a_round(event: Event, by: Account):
    draw_seats(event=event, seed=5, by=by)
    seats = seats_of(event)
    assert [(table, seat) for round_, table, seat, _ in seats if round_ == 2] == [
        (1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1), (2, 2), (2, 3),
    ]  # fmt: skip
    for number in (1, 2):
        assert sorted(player for round_, _, _, player in seats if round_ == number) == list(range(1, 9))
    event.refresh_from_db()
    assert event.seed == 5


def test_players_that_fill_no_tables_are_refused_and_nothing_is_lost(event: Event, by: Account):
    add_players(event=event, players=[NewPlayer("Ninth")], by=by)
    version = event.version
    with pytest.raises(DomainError) as refusal:
        draw_seats(event=event, seed=1, by=by)
    assert codes_of(refusal)[0].startswith("seating.")
    event.refresh_from_db()
    assert (event.version, event.rounds.count(), event.players.count()) == (version, 0, 9)


def test_a_draw_can_be_thrown_away_until_it_is_published(event: Event, by: Account):
    draw_seats(event=event, seed=1, by=by)
    discard_draw(event=event, by=by)
    assert (event.rounds.count(), seats_of(event)) == (0, [])
    version = event.version
    discard_draw(event=event, by=by)
    assert event.version == version
    draw_seats(event=event, seed=1, by=by)
    publish_rounds(event=event, numbers=[1], by=by)
    for attempt in (lambda: draw_seats(event=event, seed=2, by=by), lambda: discard_draw(event=event, by=by)):
        with pytest.raises(DomainError) as refusal:
            attempt()
        assert codes_of(refusal) == ["draw.already_published"]


def test_publishing_twice_is_publishing_once(event: Event, by: Account):
    draw_seats(event=event, seed=1, by=by)
    publish_rounds(event=event, numbers=[1, 2], by=by)
    moments = list(event.rounds.values_list("published_at", flat=True))
    version = event.version
    publish_rounds(event=event, numbers=[1, 2, 7], by=by)
    assert list(event.rounds.values_list("published_at", flat=True)) == moments
    assert event.version == version


def test_a_round_starts_once_and_only_when_its_seats_are_public(event: Event, by: Account):
    draw_seats(event=event, seed=1, by=by)
    with pytest.raises(DomainError) as refusal:
        start_round(round_=round_of(event), by=by)
    assert codes_of(refusal) == ["round.not_published"]
    publish_rounds(event=event, numbers=[1], by=by)
    start_round(round_=round_of(event), by=by)
    started = round_of(event)
    start_round(round_=started, by=by)
    assert (round_of(event).started_at, round_of(event).state) == (started.started_at, "running")
    event.refresh_from_db()
    assert event.rules_frozen_at == started.started_at
    assert list(event.audit.values_list("verb", flat=True)).count("round_started") == 1


def test_a_round_is_released_only_when_every_table_is_signed():
    event = make_event()
    by = writer_of(event)
    for number in (1, 2):
        enter(table_of(event, number), "1t 230")
    sign(table_of(event, 2))
    with pytest.raises(DomainError) as refusal:
        release_round(round_=round_of(event), by=by)
    assert codes_of(refusal) == ["round.tables_missing"]
    assert refusal.value.problems[0].params == {"tables": (1,), "round": 1}
    sign(table_of(event, 1))
    release_round(round_=round_of(event), by=by)
    released = round_of(event)
    assert released.state == "released"
    release_round(round_=released, by=by)
    assert round_of(event).released_at == released.released_at
    assert list(event.audit.values_list("verb", flat=True)).count("round_released") == 1
