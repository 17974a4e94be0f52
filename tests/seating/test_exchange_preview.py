"""What the page says that an exchange will change is what it changes, also where a chombo cost more than the book's."""

import pytest

from tests.factories import enter, make_event, play_round, sign, table_of
from tests.penalties.foul_acts import give
from tests.seating.test_exchange_players import exchange, totals, who
from tournament.incidents.queries import effect_of_exchange

pytestmark = pytest.mark.django_db


def test_what_a_chombo_costs_beyond_the_book_goes_with_the_seat_in_the_preview_as_well():
    event = make_event("rakkii-nomi-2026", tables=2, rounds=2)
    give(event, 2, foul="tenpai_early_voice", case="others_showed")
    play_round(event, 1, "1t 3 30", "1r3 5")
    before = totals(event)
    effect = effect_of_exchange(event, who(event, 2), who(event, 7), [1])
    exchange(event, 2, 7, 1)
    assert {move.number: move.total_after for move in effect.moves} == {
        number: total for number, total in totals(event).items() if total != before[number]
    }
    assert totals(event)[7] == before[2]


def test_what_a_round_that_is_not_released_has_come_to_is_in_the_ranks_before_and_after():
    event = make_event(tables=2, rounds=2)
    play_round(event, 1, "1t 3 30", "1r3 5")
    for number in (1, 2):
        enter(table_of(event, number, round_=2), "2t 5")
        sign(table_of(event, number, round_=2))
    before = totals(event)
    moves = effect_of_exchange(event, who(event, 2), who(event, 7), [1]).moves
    exchange(event, 2, 7, 1)
    after = totals(event)
    assert {2, 7} <= {move.number for move in moves}
    assert [(move.total_before, move.total_after) for move in moves] == [
        (before[move.number], after[move.number]) for move in moves
    ]
