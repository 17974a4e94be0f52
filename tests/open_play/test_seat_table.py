"""Open play: a table is a round, released by its signature; who cannot sit down is refused in words."""

from uuid import uuid4

import pytest

from tests.factories import fresh, make_account, make_event, writer_of
from tests.open_play.evening import SCORES, finish, make_evening, players_of, sit_down
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError
from tournament.events.actions import Publication, copy_event, set_play, set_publication
from tournament.events.models import Hold, Play
from tournament.open_play.actions import seat_table, take_table_back
from tournament.players.actions import NewPlayer, add_players, check_in
from tournament.seating.actions import draw_seats
from tournament.sheets.actions import confirm_sheet, reopen_table, sign_table
from tournament.standings.queries import read_standings

pytestmark = pytest.mark.django_db


def codes(refused):
    return {problem.code for problem in refused.value.problems}


def test_each_table_is_a_round_that_keeps_its_number_in_the_hall():
    event = make_evening()
    first, second = sit_down(event, 1, 2, 3, 4, at=7), sit_down(event, 5, 6, 7, 8)
    assert [(table.round.number, table.number, table.round.state) for table in (first, second)] == [
        (1, 7, "running"),
        (2, 1, "running"),
    ]
    assert fresh(event).rules_frozen_at


def test_a_signature_releases_the_table_and_the_standings_move():
    event = make_evening()
    first, second = sit_down(event, 1, 2, 3, 4), sit_down(event, 5, 6, 7, 8)
    finish(second)
    states = list(event.rounds.order_by("number").values_list("released_at", flat=True))
    assert states[0] is None
    assert states[1] is not None
    finish(first)
    table = sit_down(event, 9, 1, 5, 2)
    finish(table, SCORES)
    games = {row.number: row.games for row in read_standings(fresh(event), with_held=True).rows}
    assert games == {1: 2, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 1, 9: 1}
    assert not verify_event(fresh(event)).problems


def test_who_has_no_game_tonight_has_no_place():
    event = make_evening(9, here=8)
    finish(sit_down(event, 1, 2, 3, 4))
    assert [row.number for row in read_standings(fresh(event), with_held=True).rows] == [1, 2, 3, 4]


def test_a_second_person_releases_the_table_by_the_confirmation():
    event = make_evening()
    event.second_person = "other_person"
    event.save()
    table = sit_down(event, 1, 2, 3, 4)
    finish(table)
    table.round.refresh_from_db()
    assert table.round.released_at is None
    confirm_sheet(table=table, sheet=1, by=make_account("Second"))
    table.round.refresh_from_db()
    assert table.round.released_at


def test_a_reopened_table_counts_again_when_it_is_signed():
    event = make_evening()
    table = sit_down(event, 1, 2, 3, 4)
    finish(table)
    reopen_table(table=table, reason="a slip", by=writer_of(event))
    row = table.ledger.get()
    sign_table(table=table, totals=SCORES, leftover=0, expected_seq=row.seq, here=True, by=writer_of(event))
    assert {row.games for row in read_standings(fresh(event), with_held=True).rows if row.number < 5} == {1}


def test_sent_twice_makes_one_table_and_other_players_are_refused():
    event, client_id = make_evening(), uuid4()
    once = sit_down(event, 1, 2, 3, 4, client_id=client_id)
    version = fresh(event).version
    assert sit_down(event, 1, 2, 3, 4, client_id=client_id).pk == once.pk
    finish(once)
    assert sit_down(event, 1, 2, 3, 4, client_id=client_id).pk == once.pk
    assert event.rounds.count() == 1
    with pytest.raises(DomainError) as refused:
        sit_down(event, 5, 6, 7, 8, client_id=client_id)
    assert codes(refused) == {"form.sent_already"}
    assert fresh(event).version > version


def test_a_request_whose_table_was_undone_seats_nobody_again():
    event, client_id = make_evening(), uuid4()
    take_table_back(table=sit_down(event, 1, 2, 3, 4, client_id=client_id), by=writer_of(event))
    for numbers in ((1, 2, 3, 4), (5, 6, 7, 8)):
        with pytest.raises(DomainError) as refused:
            sit_down(event, *numbers, client_id=client_id)
        assert codes(refused) == {"form.stale"}
    assert event.rounds.count() == 0
    assert sit_down(event, 1, 2, 3, 4).round.number == 1


@pytest.mark.parametrize(
    ("numbers", "at", "code"),
    [
        ((1, 5, 6, 7), None, "open.plays"),
        ((5, 6, 7, 9), None, "open.not_here"),
        ((5, 6, 7, 8), 1, "open.table_used"),
        ((5, 6, 7, 8), 1000, "open.table_range"),
        ((5, 6, 7, 8), -1, "open.table_range"),
        ((5, 6, 7), None, "open.seats"),
        ((5, 6, 7, 7), None, "open.seats"),
    ],
)
def test_who_cannot_sit_down_is_refused(numbers, at, code):
    event = make_evening(here=8)
    sit_down(event, 1, 2, 3, 4, at=1)
    with pytest.raises(DomainError) as refused:
        sit_down(event, *numbers, at=at)
    assert codes(refused) == {code}
    assert event.rounds.count() == 1


def test_a_player_of_another_event_is_refused():
    event, other = make_evening(), make_evening(slug="wednesday")
    with pytest.raises(DomainError) as refused:
        seat_table(
            event=event,
            seats=[*players_of(event, 1, 2, 3), *players_of(other, 4)],
            hall_table=None,
            client_id=uuid4(),
            by=writer_of(event),
        )
    assert codes(refused) == {"open.stranger"}


def test_an_event_in_rounds_seats_nobody_so_and_an_open_one_draws_nothing():
    event = make_event(tables=1)
    with pytest.raises(DomainError) as refused:
        sit_down(event, 1, 2, 3, 4)
    assert codes(refused) == {"open.rounds"}
    with pytest.raises(DomainError) as refused:
        set_play(event=event, play=Play.OPEN, by=writer_of(event))
    assert codes(refused) == {"event.play_fixed"}
    evening = make_evening(8)
    with pytest.raises(DomainError) as refused:
        draw_seats(event=evening, seed=1, by=writer_of(evening))
    assert codes(refused) == {"draw.open"}
    with pytest.raises(DomainError) as refused:
        set_publication(event=evening, publication=Publication(hold=Hold.LAST), by=writer_of(evening))
    assert codes(refused) == {"event.open_hold"}


def test_somebody_new_comes_when_tables_play_and_who_leaves_is_not_withdrawn():
    event = make_evening(8)
    sit_down(event, 1, 2, 3, 4)
    (new,) = add_players(event=event, players=[NewPlayer("Ysop")], by=writer_of(event))
    check_in(player=new, here=True, by=writer_of(event))
    sit_down(event, 9, 5, 6, 7)
    (leaves,) = players_of(event, 8)
    check_in(player=leaves, here=False, by=writer_of(event))
    assert not players_of(event, 8)[0].withdrawn_at


def test_a_copy_of_an_open_evening_is_open_and_empty():
    event = make_evening()
    finish(sit_down(event, 1, 2, 3, 4))
    finish(sit_down(event, 1, 2, 3, 4))
    made = copy_event(
        event=fresh(event),
        name="Next Tuesday",
        date=event.date,
        place="",
        rounds=event.rounds_planned,
        visibility="public",
        roles=False,
        by=make_account(),
    )
    assert (made.play, made.rounds_planned, made.rounds.count()) == ("open", 1, 0)
