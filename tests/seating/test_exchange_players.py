"""Two people who played under each other's name: each gets the other's games, and the same again is the identity."""

from uuid import uuid4

import pytest

from tests.factories import enter, enter_all, fresh, make_event, play_round, round_of, sign, table_of, writer_of
from tests.fixtures import module_event
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.incidents.queries import Whereabouts, effect_of_exchange, get_whereabouts
from tournament.penalties.actions import give_foul
from tournament.penalties.queries import Offence
from tournament.players.models import Player
from tournament.seating.seat_actions import Place, exchange_players
from tournament.standings.queries import get_standings, read_standings
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]
Seen = dict[int, tuple[Place | None, Place | None]]


def places(event: Event, one: int, other: int, *rounds: int) -> Seen:
    rows = Seat.objects.filter(round__event=event)
    found = {
        (round_, who): (table, seat)
        for round_, who, table, seat in rows.values_list("round__number", "player__number", "table__number", "seat")
    }
    return {each: (found.get((each, one)), found.get((each, other))) for each in rounds}


def exchange(event: Event, one: int, other: int, *rounds: int, seen: Seen | None = None, reason: str = "Ana") -> bool:
    seen = places(event, one, other, *rounds) if seen is None else seen
    return exchange_players(event=event, one=one, other=other, seen=seen, reason=reason, by=writer_of(event))


def who(event: Event, number: int) -> Whereabouts:
    found = get_whereabouts(event, number)
    assert found
    return found


def totals(event: Event) -> dict[int, int]:
    return {row.number: row.total for row in read_standings(event, released_only=False).rows}


def played() -> Event:
    """Return an event whose first round is released: seat 1 of every table won, and chombo stand at table 1."""
    event = make_event(tables=2, rounds=2)
    enter(table_of(event, 1), "c2")
    play_round(event, 1, "1t 3 30", "1r3 5")
    return event


made = module_event(tables=2, rounds=2)


made_of_a_round = module_event(tables=2, rounds=1)


@pytest.fixture
def event_of_a_round(made_of_a_round: Event) -> Event:
    return fresh(made_of_a_round)


@pytest.fixture(scope="module")
def made_and_played(rows_of_module: None) -> Event:
    return played()


@pytest.fixture
def event_played(made_and_played: Event) -> Event:
    return fresh(made_and_played)


@pytest.mark.once
def test_each_has_the_games_of_the_other_also_after_the_release_and_the_same_again_is_back(event_played: Event):
    event = event_played
    before, seats = totals(event), places(event, 2, 7, 1, 2)
    assert before[2] != before[7]
    assert exchange(event, 2, 7, 1)
    assert totals(event) == before | {2: before[7], 7: before[2]}
    assert places(event, 2, 7, 1, 2) == seats | {1: seats[1][::-1]}
    assert [row.total for row in get_standings(event).rows if row.number == 2] == [before[7]]
    assert exchange(event, 2, 7, 1)
    assert (totals(event), places(event, 2, 7, 1, 2)) == (before, seats)


def test_what_was_looked_at_is_what_comes(event_played: Event):
    event = event_played
    effect = effect_of_exchange(event, who(event, 2), who(event, 7), [1, 2])
    exchange(event, 2, 7, 1, 2)
    now = totals(event)
    assert {move.number: move.total_after for move in effect.moves} == {2: now[2], 7: now[7]}
    assert [(row.round, row.one_result is None) for row in effect.rounds] == [(1, False), (2, True)]


def test_several_rounds_go_in_one_act_and_every_table_still_verifies(event: Event):
    play_round(event, 1, "1t 3 30")
    play_round(event, 2, "2t 3 30")
    before = totals(event)
    assert exchange(event, 1, 6, 1, 2)
    assert totals(event) == before | {1: before[6], 6: before[1]}
    assert verify_event(event).problems == []


def test_who_has_no_seat_takes_the_others(event_of_a_round: Event):
    event = event_of_a_round
    Seat.objects.filter(player__number=8).delete()
    assert exchange(event, 3, 8, 1)
    assert places(event, 3, 8, 1) == {1: (None, (1, 2))}
    assert exchange(event, 3, 8, 1)
    assert places(event, 3, 8, 1) == {1: ((1, 2), None)}


def test_a_chombo_of_the_register_goes_with_the_seat_and_a_lateness_stays_with_the_person(event_of_a_round: Event):
    event = event_of_a_round
    player = event.players.get(number=2)
    for offence in (Offence(foul="noten_riichi"), Offence(foul="late", minutes=3)):
        give_foul(table=table_of(event), player=player, offence=offence, client_id=uuid4(), by=writer_of(event))
    for number in (1, 2):
        enter(table_of(event, number), "1t 3 30")
        sign(table_of(event, number))
    effect = effect_of_exchange(event, who(event, 2), who(event, 7), [1])
    assert effect.staying == (1, 0)
    exchange(event, 2, 7, 1)
    penalties = {row.number: row.penalties for row in read_standings(event, released_only=False).rows}
    assert (penalties[2], penalties[7]) == (3_000, 20_000)


@pytest.mark.parametrize(
    ("one", "other", "rounds", "reason", "code"),
    [
        (2, 2, [1], "x", "seats.one_player"),
        (2, 7, [], "x", "seats.no_round"),
        (2, 7, [1], " ", "seats.reason_missing"),
        (2, 7, [2], "x", "round.not_published"),
    ],
)
def test_what_cannot_be_is_refused(event: Event, one: int, other: int, rounds: list[int], reason: str, code: str):
    event.rounds.filter(number=2).update(published_at=None)
    before = places(event, 2, 7, 1, 2)
    with pytest.raises(DomainError) as refusal:
        exchange(event, one, other, *rounds, reason=reason)
    assert [problem.code for problem in refusal.value.problems] == [code]
    assert places(event, 2, 7, 1, 2) == before


def test_a_page_that_is_too_old_changes_nothing_and_one_sent_twice_changes_once(event_of_a_round: Event):
    event = event_of_a_round
    seen = places(event, 2, 7, 1)
    assert exchange(event, 2, 7, 1, seen=seen)
    after = places(event, 2, 7, 1)
    assert not exchange(event, 2, 7, 1, seen=seen)
    assert places(event, 2, 7, 1) == after
    with pytest.raises(DomainError) as refusal:
        exchange(event, 2, 7, 1, seen={1: ((2, 0), (1, 3))})
    assert [problem.code for problem in refusal.value.problems] == ["seats.moved_on"]


def test_a_substitute_belongs_to_the_table_and_is_taken_out_first(event_of_a_round: Event):
    event = event_of_a_round
    player: Player = event.players.get(number=7)
    put_substitute_in(
        table=table_of(event, 2),
        player=player,
        replacement=Replacement(when="before", reason="ill"),
        client_id=uuid4(),
        by=writer_of(event),
    )
    with pytest.raises(DomainError) as refusal:
        exchange(event, 2, 7, 1)
    assert [problem.code for problem in refusal.value.problems] == ["seats.substituted"]


def test_where_a_player_is_counts_only_open_seats_as_now(event: Event):
    enter_all(table_of(event, 1), "1t 3 30")
    now = who(event, 2).now
    assert now
    assert (now.round, now.table, now.stage, now.hands) == (1, 1, "playing", 1)
    for number in (1, 2):
        if number == 2:
            enter(table_of(event, number), "1t 3 30")
        sign(table_of(event, number))
    later = who(event, 2).now
    assert later
    assert (later.round, later.stage, round_of(event, 1).state) == (2, "waiting", "published")
