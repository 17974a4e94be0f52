"""What an event gives a season: with penalties, chombo and substitutes it is what the event's own standings have."""

from uuid import uuid4

import pytest

from tests.factories import make_event, play_round, writer_of
from tests.seasons.evenings import count_in_season
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.seasons.models import Season
from tournament.seasons.queries import get_season_view
from tournament.standings.queries import get_standings

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def totals_in_season(event: Event) -> dict[str, int]:
    return {line.name: int(line.row.figure) for line in get_season_view(Season.objects.get()).lines}


def test_a_penalty_and_a_chombo_take_points_off_in_a_season_as_in_the_event():
    event = make_event(slug="cup", rounds=2)
    play_round(event, 1, "1t 230", "c2")
    first, second = event.players.get(number=1), event.players.get(number=2)
    by = writer_of(event)
    rounds = {each.number: each for each in event.rounds.all()}
    give_penalty(player=first, points=5_000, reason="late", client_id=uuid4(), round_=rounds[1], by=by)
    give_penalty(player=second, points=1_000, reason="talk", client_id=uuid4(), by=by)
    play_round(event, 2, "1t 230")
    event.refresh_from_db()
    count_in_season(event)
    rows = get_standings(event).rows
    assert {5_000, 20_000, 21_000} <= {row.penalties for row in rows}
    assert totals_in_season(event) == {row.name: row.total for row in rows}
