"""`standings`: the ranking as everywhere else, for programs and for people."""

import json

import pytest
from django.core.management.base import CommandError

from tests.factories import enter, make_event, play_round, rename_player, table_of, writer_of
from tests.web.commands.conftest import Run
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db]


@pytest.fixture
def event() -> Event:
    """Return an event of one table: its first round is released, its second is being played."""
    event = make_event("sanmatsuri-2026", tables=1, rounds=2, slug="cup")
    play_round(event, 1, "1t 340", "c2")
    enter(table_of(event, 1, round_=2), "1t 5")
    rename_player(player=event.players.get(number=3), name="桜井", by=writer_of(event))
    event.refresh_from_db()
    return event


def test_the_ranking_has_the_form_of_the_contract(event: Event, run: Run):
    assert json.loads(run("standings", "cup", "--json")) == {
        "event": "cup",
        "rows": [
            {"rank": 1, "player": "Akelei", "total": 20200, "games": 1, "penalties": 0, "results": [20200],
             "tie_break": None},
            {"rank": 2, "player": "桜井", "total": -10100, "games": 1, "penalties": 0, "results": [-10100],
             "tie_break": None},
            {"rank": 3, "player": "Birk", "total": -30100, "games": 1, "penalties": 20000, "results": [-10100],
             "tie_break": None},
        ],
    }  # fmt: skip


def test_the_output_is_one_line_in_readable_letters(event: Event, run: Run):
    assert run("standings", "cup", "--json").count("\n") == 1
    assert "桜井" in run("standings", "cup", "--json")


def test_a_person_gets_a_table_whose_columns_stand_in_line(event: Event, run: Run):
    assert run("standings", "cup").splitlines() == [
        "Cup, after 1 of 2 rounds",
        "",
        "rank  player  total     R1  penalties  tie-break",
        "   1  Akelei  +20.2  +20.2",
        "   2  桜井    −10.1  −10.1",
        "   3  Birk    −30.1  −10.1      −20.0",
    ]


def test_an_event_that_is_not_there_is_answered_with_those_that_are(event: Event, run: Run):
    with pytest.raises(CommandError, match=r"There is no event 'mug'; there are: cup\."):
        run("standings", "mug", "--json")


@pytest.mark.postgresql
def test_without_any_event_that_is_said(run: Run):
    with pytest.raises(CommandError, match=r"There is no event 'mug'; there is none yet\."):
        run("standings", "mug")
