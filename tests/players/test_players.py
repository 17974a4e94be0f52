"""Everybody's way through an event, read at once, is what each one's is read alone."""

import uuid

import pytest

from tests.factories import enter, make_event, play_round, round_of, sign, table_of, writer_of
from tournament.calls.actions import call_referee, close_call
from tournament.penalties.actions import cancel_penalty, give_penalty
from tournament.public.queries import get_story, list_stories
from tournament.rounds.actions import publish_rounds, start_round

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


@pytest.mark.once
@pytest.mark.parametrize("tables", [1, 3])
def test_all_stories_are_those_of_each_player(tables: int, django_assert_num_queries):
    event = make_event("rakkii-nomi-2026", tables=tables, rounds=4, published=False)
    publish_rounds(event=event, numbers=[1, 2, 3], by=writer_of(event))
    play_round(event, 1, "2r3 340/2", "c2")
    play_round(event, 2, "1t 230")
    start_round(round_=round_of(event, 3), by=writer_of(event))
    enter(table_of(event, round_=3), "1t 230")
    sign(table_of(event, round_=3))
    for number, reason in ((1, "late"), (2, "in error"), (2, "late")):
        give_penalty(
            player=event.players.get(number=number),
            points=1000,
            reason=reason,
            client_id=uuid.uuid4(),
            round_=round_of(event, 1),
            by=writer_of(event),
        )
    cancel_penalty(penalty=event.penalties.get(reason="in error"), reason="not so", by=writer_of(event))
    call = call_referee(
        table=table_of(event, round_=1), client_id=uuid.uuid4(), question="Dead hand?", by=writer_of(event)
    )
    close_call(call=call, ruling="It stands.", by=writer_of(event))
    event.refresh_from_db()
    with django_assert_num_queries(22):
        found = list_stories(event)
    assert found == {player.number: get_story(event, player.number) for player in event.players.all()}
    assert len(found) == 4 * tables
    mine = found[1]
    assert [len(each) for each in (mine.penalties, mine.games, mine.ahead, mine.rulings)] == [1, 2, 1, 1]
