"""A schedule from a file becomes seats: all or nothing, never over published ones, and the trail says from which."""

import json

import pytest

from tests.factories import DAY, codes_of, make_account, name_of, writer_of
from tournament.accounts.models import Account
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players, remove_player
from tournament.rounds.actions import publish_rounds
from tournament.seating.actions import draw_seats, take_schedule
from tournament.seating.queries import list_entrants
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db]

NUMBERS = [[[1, 2, 3, 4], [5, 6, 7, 8]], [[5, 1, 8, 2], [6, 3, 7, 4]]]
DIGEST = "ab" * 32


@pytest.fixture
def by() -> Account:
    return make_account()


@pytest.fixture
def event(by: Account) -> Event:
    event = create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=2, slug="cup", by=by)
    add_players(event=event, players=[NewPlayer(name_of(index)) for index in range(8)], by=by)
    return event


def keys(event: Event, numbers=NUMBERS) -> list[list[list[int]]]:
    known = dict(event.players.values_list("number", "pk"))
    return [[[known[number] for number in table] for table in tables] for tables in numbers]


def take(event: Event, rounds: list[list[list[int]]] | None = None) -> bool:
    rounds = keys(event) if rounds is None else rounds
    return take_schedule(event=event, rounds=rounds, digest=DIGEST, filename="seats.csv", by=writer_of(event))


def seats_of(event: Event) -> list[tuple[int, int, int, int]]:
    found = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    return list(found.values_list("round__number", "table__number", "seat", "player__number"))


def test_the_seats_are_those_of_the_file(event: Event):
    assert take(event)
    assert seats_of(event) == [
        (round_, table, seat, player)
        for round_, tables in enumerate(NUMBERS, start=1)
        for table, players in enumerate(tables, start=1)
        for seat, player in enumerate(players)
    ]
    event.refresh_from_db()
    assert event.seed is None
    row = AuditRow.objects.get(verb="schedule_taken")
    assert json.loads(row.details) == {
        "file": "seats.csv", "digest": DIGEST, "rounds": 2, "players": 8, "repeats": 4, "repeats_bound": 4,
        "met_most": 2, "winds_spread": 2, "tables_spread": 2,
    }  # fmt: skip


def test_the_same_schedule_again_changes_nothing(event: Event):
    take(event)
    event.refresh_from_db()
    before = (event.version, list(event.rounds.values_list("pk", flat=True)))
    assert not take(event)
    event.refresh_from_db()
    assert (event.version, list(event.rounds.values_list("pk", flat=True))) == before


def test_a_draw_gives_way_and_a_draw_takes_its_place(event: Event, by: Account):
    draw_seats(event=event, seed=5, by=by)
    drawn = seats_of(event)
    assert take(event)
    event.refresh_from_db()
    assert (event.seed, event.rounds.count()) == (None, 2)
    draw_seats(event=event, seed=5, by=by)
    event.refresh_from_db()
    assert (event.seed, seats_of(event)) == (5, drawn)


def test_published_seats_do_not_move(event: Event, by: Account):
    draw_seats(event=event, seed=5, by=by)
    publish_rounds(event=event, numbers=[1], by=by)
    before = seats_of(event)
    with pytest.raises(DomainError) as refusal:
        take(event)
    assert (codes_of(refusal), seats_of(event)) == (["draw.already_published"], before)


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        ([[[1, 2, 3, 4], [5, 6, 7, 1]]], "schedule.players_changed"),
        ([[[1, 2, 3, 4], [5, 6, 7, 8]], [[1, 2, 3, 4], [5, 6, 7, 1]]], "schedule.refused_by_judge"),
        ([[[1, 2, 3, 4]], [[5, 6, 7, 8]]], "schedule.refused_by_judge"),
        ([[[1, 2, 3], [4, 5, 6, 7, 8]]], "schedule.refused_by_judge"),
        ([*NUMBERS, NUMBERS[0]], "schedule.more_rounds_than_planned"),
        ([], "schedule.players_changed"),
    ],
)
def test_what_is_sent_is_not_believed(event: Event, numbers, code: str):
    version = event.version
    with pytest.raises(DomainError) as refusal:
        take(event, keys(event, numbers))
    assert codes_of(refusal) == [code]
    event.refresh_from_db()
    assert (event.version, event.rounds.count()) == (version, 0)


def test_a_list_that_changed_since_the_look_is_refused(event: Event, by: Account):
    looked_at = keys(event)
    remove_player(player=event.players.get(number=3), by=by)
    add_players(event=event, players=[NewPlayer("Zora")], by=by)
    with pytest.raises(DomainError) as refusal:
        take(event, looked_at)
    assert codes_of(refusal) == ["schedule.players_changed"]


def test_entrants_are_the_list_with_those_who_left(event: Event, django_assert_num_queries):
    player = event.players.get(number=2)
    player.withdrawn_at = event.created_at
    player.save()
    with django_assert_num_queries(1):
        found = list_entrants(event)
    assert [(one.number, one.name, one.left) for one in found][:3] == [
        (1, "Akelei", False), (2, "Birk", True), (3, "Cyan", False),
    ]  # fmt: skip
