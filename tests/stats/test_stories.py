"""Stories as the public may see them: whose hands they are, what counts, how often the database is asked."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.player_stats import HeadToHead
from tests.factories import (
    correct,
    enter,
    enter_all,
    fresh,
    make_event,
    play_round,
    round_of,
    set_ranked,
    sign,
    table_of,
    void,
    writer_of,
)
from tests.fixtures import module_event
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.penalties.actions import give_penalty
from tournament.players.actions import NewPlayer, add_late_player
from tournament.rounds.actions import release_round
from tournament.standings.queries import get_rank_history, read_rank_histories, read_standings
from tournament.stats.queries import (
    HandAt,
    Opponent,
    get_hand_story,
    get_meeting,
    get_records,
    read_records,
)

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

HANDS = ("1t 230", "c2", "2r3 340/2", "d13/1")  # in the last hand player 1's riichi stick stays on the table


def replace(event: Event, number: int, replacement: Replacement, *, table: int = 1, round_: int = 1) -> None:
    put_substitute_in(
        table=table_of(event, table, round_=round_),
        player=event.players.get(number=number),
        replacement=replacement,
        client_id=uuid4(),
        by=writer_of(event),
    )
    event.refresh_from_db()


# ---------------------------------------------------------------- queries


READERS: dict[str, tuple[Callable[[Event], Any], int]] = {
    "read_ways": (read_rank_histories, 12),
    "get_hand_story": (lambda event: get_hand_story(event, 1), 9),
    "read_records": (read_records, 9),
    "get_meeting": (lambda event: get_meeting(event, 1, 2), 10),
}


made = module_event(tables=1, rounds=2)


made_of_a_round = module_event(tables=1, rounds=1)


@pytest.fixture
def event_of_a_round(made_of_a_round: Event) -> Event:
    return fresh(made_of_a_round)


@pytest.mark.once
@pytest.mark.parametrize(("tables", "rounds"), [(1, 1), (3, 3)])
def test_the_number_of_queries_is_the_same_whatever_the_size(tables: int, rounds: int):
    event = make_event(tables=tables, rounds=rounds)
    for number in range(1, rounds + 1):
        play_round(event, number, *HANDS)
    replace(event, 3, Replacement(when="during", hand=2, name="Kay Fir", reason="felt ill"))
    asked = {}
    for name, (read, _wanted) in READERS.items():
        cache.clear()
        again = fresh(event)  # which has looked nothing up yet
        with CaptureQueriesContext(connection) as queries:
            read(again)
        asked[name] = [query["sql"] for query in queries.captured_queries]
    wrong = [name for name, (_read, wanted) in READERS.items() if len(asked[name]) != wanted]
    assert {name: (len(asked[name]), asked[name]) for name in wrong} == {}


@pytest.mark.parametrize(
    "read",
    [
        lambda event: get_rank_history(event, 1),
        lambda event: get_hand_story(event, 1),
        get_records,
    ],
)
def test_a_story_is_worked_out_once_until_the_public_sees_something_new(event: Event, read: Callable[[Event], Any]):
    play_round(event, 1, *HANDS)
    before = read(event)
    with CaptureQueriesContext(connection) as queries:
        assert read(event) == before
    assert len(queries) == 0
    play_round(event, 2, "1t 230")
    assert read(event) != before


# ---------------------------------------------------------------- the way through the ranking


@pytest.mark.once
def test_the_last_step_is_the_place_in_the_standings():
    event = make_event(tables=2, rounds=3)
    play_round(event, 1, *HANDS)
    play_round(event, 2, "2r4 m", "d")
    for number, round_ in ((1, None), (2, 1), (5, 2)):
        give_penalty(
            player=event.players.get(number=number),
            points=3000,
            reason="late",
            client_id=uuid4(),
            round_=round_of(event, round_) if round_ else None,
            by=writer_of(event),
        )
    replace(event, 6, Replacement(when="before", reason="ill"), table=2)
    ways, standings = read_rank_histories(event), read_standings(event)
    assert {
        number: (way.steps[-1].rank, way.steps[-1].shared, way.steps[-1].total) for number, way in ways.items()
    } == {row.number: (row.rank, row.shared, row.total) for row in standings.rows}
    assert {number: tuple(step.result for step in way.steps) for number, way in ways.items()} == {
        row.number: row.results for row in standings.rows
    }
    before = {number: way.steps[0].rank - way.steps[1].rank for number, way in ways.items()}
    assert before == {row.number: row.moved for row in standings.rows}
    assert {way.players for way in ways.values()} == {8}


def test_before_the_first_release_there_is_no_way(event: Event):
    enter_all(table_of(event), *HANDS)
    assert read_rank_histories(event) == {}
    assert get_rank_history(event, 1) is None


def test_who_is_not_ranked_has_no_way(event: Event):
    set_ranked(player=event.players.get(number=4), ranked=False, reason="house player", by=writer_of(event))
    play_round(event, 1, *HANDS)
    assert get_rank_history(event, 4) is None
    assert get_rank_history(event, 1).players == 3


# ---------------------------------------------------------------- one player's hands


def test_a_players_hands_are_told_with_where_they_were_played(event: Event):
    play_round(event, 1, *HANDS)
    told = get_hand_story(event, 2)
    assert told is not None
    state = told.best.state
    assert told.best == HandAt(1, 1, 3, state, ((2, "Birk"),), 5500)  # 5,200 and a honba
    assert (state.round_wind, state.kyoku, state.honba) == ("E", 1, 1)
    assert (told.story.hands, told.story.wins, told.story.chombo, told.whole) == (3, 1, 1, True)
    assert (told.totals_only, told.replaced, told.unsure) == (0, (), ())
    assert told.met == (Opponent(1, "Akelei", 1), Opponent(3, "Cyan", 1), Opponent(4, "Distel", 1))


def test_nothing_of_a_round_is_told_before_its_release(event: Event):
    play_round(event, 1, "1t 230")
    before = (read_rank_histories(event), get_hand_story(event, 1), read_records(event), get_meeting(event, 1, 2))
    enter_all(table_of(event, round_=2), "2r3 y", "d13/1")
    sign(table_of(event, round_=2))
    event.refresh_from_db()
    assert (
        read_rank_histories(event),
        get_hand_story(event, 1),
        read_records(event),
        get_meeting(event, 1, 2),
    ) == before
    release_round(round_=round_of(event, 2), by=writer_of(event))
    event.refresh_from_db()
    assert read_records(event) != before[2]


def test_a_corrected_hand_counts_as_corrected_and_a_void_one_does_not(event_of_a_round: Event):
    event = event_of_a_round
    table = table_of(event)
    enter_all(table, "1t 230", "2r3 y", "2r3 340/2")
    correct(table, 1, "1t 130")
    void(table, 2)
    sign(table)
    release_round(round_=round_of(event), by=writer_of(event))
    told, records = get_hand_story(event, 1), read_records(event)
    assert (told.story.hands, told.story.win_points, told.best.figure) == (2, 1500, 1500)
    largest = records.rows[0]
    assert (largest.kind, largest.figure) == ("largest_hand", 5200)
    assert largest.found[0].number == 2  # the second of those that stand


def test_a_game_of_final_scores_alone_is_counted_and_tells_nothing(event_of_a_round: Event):
    event = event_of_a_round
    play_round(event, 1, "*30000,42000,18000,30000,0")
    told = get_hand_story(event, 1)
    assert (told.story.hands, told.story.sources[0], told.totals_only) == (0, (0, 0), 1)
    assert len(told.met) == 3
    records = read_records(event)
    assert (records.rows, records.tables, records.totals_only) == ((), 0, 1)


def test_who_has_no_released_game_has_no_story(event: Event):
    assert get_hand_story(event, 1) is None
    assert get_hand_story(event, 99) is None
    assert read_records(event).rows == ()


# ---------------------------------------------------------------- substitutes


def test_hands_after_a_substitute_came_in_are_the_substitutes():
    event, name = make_event(tables=1, rounds=1), "Zora"
    add_late_player(event=event, new=NewPlayer(name), ranked=False, by=writer_of(event))
    enter_all(table_of(event), *HANDS)
    replace(event, 2, Replacement(when="during", hand=3, name=name, reason="felt ill"))
    sign(table_of(event))
    release_round(round_=round_of(event), by=writer_of(event))
    event.refresh_from_db()
    player, substitute = get_hand_story(event, 2), get_hand_story(event, 5)
    assert (player.story.hands, player.story.wins, player.story.chombo) == (1, 0, 1)
    assert (player.replaced, player.unsure, player.whole) == ((1,), (), False)
    assert (substitute.story.hands, substitute.story.wins, substitute.best.who) == (2, 1, ((5, name),))
    assert [met.number for met in substitute.met] == [1, 3, 4]
    largest = read_records(event).rows[0]
    assert (largest.kind, largest.found[0].who) == ("largest_hand", ((5, name),))


def test_a_substitute_from_the_beginning_has_the_whole_game(event_of_a_round: Event):
    event = event_of_a_round
    enter_all(table_of(event), *HANDS)
    replace(event, 2, Replacement(when="before", name="Kay Fir", reason="ill"))
    sign(table_of(event))
    release_round(round_=round_of(event), by=writer_of(event))
    told = get_hand_story(event, 2)
    assert (told.story.hands, told.replaced, told.met) == (0, (1,), ())
    assert read_records(event).rows[0].found[0].who == ((None, "Kay Fir"),)
    assert get_meeting(event, 1, 2).tables == ()


def test_hands_are_nobodys_where_nobody_knows_from_which_a_substitute_played(event_of_a_round: Event):
    event = event_of_a_round
    enter_all(table_of(event), *HANDS)
    replace(event, 2, Replacement(when="during", reason="ill"))
    sign(table_of(event))
    release_round(round_=round_of(event), by=writer_of(event))
    told = get_hand_story(event, 2)
    assert (told.story.hands, told.replaced, told.unsure) == (0, (), (1,))


# ---------------------------------------------------------------- two who met


def test_two_who_met_have_their_tables_and_what_went_between_them(event: Event):
    play_round(event, 1, *HANDS)
    play_round(event, 2, "*30000,42000,18000,30000,0")
    meeting = get_meeting(event, 2, 3)
    assert meeting.names == ("Birk", "Cyan")
    first, second = meeting.tables
    assert (first.round, first.table, first.ahead) == (1, 1, 1)
    assert first.told == HeadToHead(hands=3, ron_by_one=1, to_one=5500, to_other=750)
    assert first.scores == (30000 - 1000 + 5500 - 1500, 30000 - 1000 - 5500 + 1500)
    # one seat further on: Birk has the first seat in round 2, Cyan the second
    assert (second.scores, second.places, second.ahead, second.told) == ((30000, 42000), (2, 1), -1, None)
    assert meeting.total == HeadToHead(hands=3, ron_by_one=1, to_one=5500, to_other=750)
    assert (meeting.count_ahead(1), meeting.count_ahead(-1)) == (1, 1)


def test_two_who_never_met_and_nobody():
    event = make_event(tables=2, rounds=1)
    play_round(event, 1, "1t 230")
    assert get_meeting(event, 1, 5).tables == ()
    assert get_meeting(event, 1, 1) is None
    assert get_meeting(event, 1, 99) is None


@pytest.mark.postgresql
def test_equal_scores_put_nobody_ahead(event_of_a_round: Event):
    event = event_of_a_round
    play_round(event, 1, "d")
    assert get_meeting(event, 1, 2).tables[0].ahead == 0


def test_a_table_that_one_left_is_shared_and_nobody_was_ahead(event_of_a_round: Event):
    event = event_of_a_round
    table = table_of(event)
    enter_all(table, *HANDS)
    replace(event, 2, Replacement(when="during", hand=3, name="Kay Fir", reason="felt ill"))
    enter(table, "2r3 130")
    sign(table)
    release_round(round_=round_of(event), by=writer_of(event))
    shared = get_meeting(event, 2, 3).tables[0]
    assert (shared.ahead, shared.told) == (None, HeadToHead(hands=1))
