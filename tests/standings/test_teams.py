"""Teams of an event: their lines over the rounds, by the count of their table, and what the public sees of them."""

import re
from collections.abc import Sequence
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import fresh, make_event, play_round, round_of, set_team, writer_of
from tests.open_play.evening import finish, make_evening, sit_down
from tournament.events.actions import Publication, set_publication, set_team_best
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.privacy.actions import set_names_shown
from tournament.standings.queries import (
    get_standings,
    get_standings_after,
    list_team_totals,
    rank_event_teams,
)

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def in_teams(event: Event, *teams: Sequence[int]) -> Event:
    """Put the players with these numbers into Team 1, Team 2 …"""
    for number, members in enumerate(teams, start=1):
        for player in event.players.filter(number__in=members):
            set_team(player=player, team=f"Team {number}", by=writer_of(event))
    return fresh(event)


def batched(numbers: range) -> list[range]:
    return [numbers[at : at + 4] for at in range(0, len(numbers), 4)]


def give(event: Event, number: int, points: int, *, round_: int) -> None:
    give_penalty(
        player=event.players.get(number=number), points=points, reason="late", client_id=uuid4(),
        round_=round_of(event, round_), by=writer_of(event),
    )  # fmt: skip


def hold(event: Event) -> None:
    set_publication(event=event, publication=Publication(hold="last"), by=writer_of(event))


def page_of(event: Event) -> str:
    return Client().get(f"/e/{event.slug}/teams/").content.decode()


def test_the_teams_of_an_open_event_are_ranked_before_everybody_has_played():
    event = in_teams(make_evening(6), (1, 2, 5), (3, 4), (6,))
    finish(sit_down(event, 1, 2, 3, 4))
    page = Client().get("/e/tuesday/teams/")
    assert page.status_code == 200
    assert "Team 3" in page.content.decode()


@pytest.mark.parametrize("best", [0, 1, 2])
def test_each_point_of_a_line_is_what_the_table_of_teams_then_was(best: int):
    event = in_teams(make_event(tables=2, rounds=3), (1, 5, 2), (3, 4, 6))
    set_team_best(event=event, best=best, by=writer_of(event))
    for number, hands in enumerate((("2r1 330", "3t 340"), ("1t 230",), ("4r3 m",)), start=1):
        play_round(event, number, *hands)
    give(event, 3, 20_000, round_=2)
    ranking = rank_event_teams(fresh(event), get_standings(fresh(event)))
    lines = dict(zip((row.team for row in ranking.rows), list_team_totals(fresh(event), ranking), strict=True))
    assert ranking.rounds == (1, 2, 3)
    for at, last in enumerate(ranking.rounds):
        then = rank_event_teams(fresh(event), get_standings_after(fresh(event), last))
        assert {team: line[at] for team, line in lines.items()} == {row.team: row.total for row in then.rows}


def test_a_line_begins_when_a_member_has_played():
    event = in_teams(make_evening(8), (1, 2), (5, 6))
    finish(sit_down(event, 1, 2, 3, 4))
    finish(sit_down(event, 5, 6, 7, 8))
    ranking = rank_event_teams(fresh(event), get_standings(fresh(event)))
    lines = dict(zip((row.team for row in ranking.rows), list_team_totals(fresh(event), ranking), strict=True))
    assert lines["Team 2"][0] is None
    assert None not in lines["Team 1"]


def test_the_page_draws_public_rounds_alone():
    event = in_teams(make_event(tables=2, rounds=3), (1, 5, 2), (3, 4, 6))
    play_round(event, 1, "2r1 330")
    assert "chart-hit" not in page_of(event)
    play_round(event, 2, "1t 230")
    page = page_of(event)
    assert page.count('<rect class="chart-hit') == 2 * 2  # on a phone, and with room
    (rows,) = re.findall(r"<tbody>(?:<tr>(?:(?!</tbody>).)*R1.*?)</tbody>", page)
    hold(event)
    play_round(event, 3, "4r3 m")
    assert rows in page_of(event)
    assert "R3" not in page_of(event)


def test_a_hidden_member_is_a_number_beside_the_chart():
    event = in_teams(make_event(tables=1, rounds=2), (1, 2), (3, 4))
    for number in (1, 2):
        play_round(event, number, "2r1 330")
    assert event.players.get(number=3).person.preferred_name in page_of(event)
    set_names_shown(event=event, numbers=[3], shown=False, by=writer_of(event))
    assert event.players.get(number=3).person.preferred_name not in page_of(event)


@pytest.mark.parametrize(("tables", "rounds"), [(2, 2), (4, 4)])
def test_the_page_asks_the_same_number_of_questions_whatever_the_size(tables: int, rounds: int):
    event = in_teams(make_event(tables=tables, rounds=rounds), *batched(range(1, tables * 4 + 1)))
    for number in range(1, rounds + 1):
        play_round(event, number, "2r1 330")
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        page_of(event)
    assert len(queries) == 21
