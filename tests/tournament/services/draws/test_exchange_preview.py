"""What the page says that an exchange will change is what it changes, also where a chombo cost more than the book's."""

import pytest

from tests.factories import make_event, play_round
from tests.tournament.services.draws.test_exchange_players import exchange, totals, who
from tests.tournament.services.tables.foul_acts import give
from tournament.selectors.people.incidents import effect_of_exchange

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
