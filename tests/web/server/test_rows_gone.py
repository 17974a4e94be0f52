"""A row that somebody deletes between the view that found it and the action that changes it: words, nothing written."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import Model
from django.test import Client

from scoring.seasons import TeamRule
from tests.factories import make_account
from tests.pages.at_desk import client_of
from tests.seasons.evenings import play_evening
from tournament.accounts.models import Account
from tournament.core.models import AuditRow
from tournament.league.actions import ask_line_ups, make_team_code, save_team, set_team_rule
from tournament.league.models import LineUp, SeasonTeam
from tournament.people.actions import link_people
from tournament.players.models import Person
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NAMES = ("Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik")
WORDS = "Somebody deleted this in the meantime: nothing was written."


@contextmanager
def deleted_meanwhile(row: Model, column: str = "") -> Iterator[list[str]]:
    """Delete a row as the first transaction begins after it was read, by `column`; yields what began it."""
    name, done, read = row._meta.db_table, list[str](), list[str]()

    def meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        if f'FROM "{name}"' in sql and (not column or f'"{name}"."{column}" = ' in sql):
            read.append(sql)
        if read and not done and sql.startswith("SAVEPOINT"):
            done.append(sql)
            type(row)._default_manager.filter(pk=row.pk).delete()
        return execute(sql, *rest)

    with connection.execute_wrapper(meanwhile):
        yield done


@pytest.fixture
def by() -> Account:
    return make_account("Owner", superuser=True)


@pytest.fixture
def season(by: Account) -> Season:
    evening = play_evening(1, NAMES)
    found = create_season(facts=SeasonFacts("Winter", READY_MADE["sum"]), by=by)
    set_season_events(season=found, events=[CountedEvent(evening.pk)], by=by)
    set_team_rule(season=found, rule=TeamRule(), by=by)
    for name in NAMES:
        save_team(season=found, number=None, name=f"Team {name}", members=[-person(name).pk], by=by)
    ask_line_ups(event=evening, game=1, table=1, teams=list(found.teams.all()), by=by)
    return found


def person(name: str) -> Person:
    return Person.objects.get(preferred_name=name)


def send(client: Client, row: Model, address: str, sent: dict[str, str], column: str = "") -> None:
    before = AuditRow.objects.count()
    with deleted_meanwhile(row, column) as done:
        answer = client.post(address, sent)
    assert done
    assert (answer.status_code, WORDS in answer.content.decode()) == (404, True)
    assert AuditRow.objects.count() == before


def test_a_line_up_that_is_gone(season: Season, by: Account):
    row = LineUp.objects.select_related("team").first()
    assert row
    code = make_team_code(team=row.team, client_id=uuid4(), by=by)
    send(Client(), row, f"/s/{season.slug}/line-ups/{code}/", {"line_up": str(row.pk), "member": "1"}, "id")


@pytest.mark.parametrize("act", ["code", "team"])
def test_a_team_that_is_gone(season: Season, by: Account, act: str):
    LineUp.objects.all().delete()
    team = season.teams.get(number=2)
    sent = {"act": act, "team": "2", "client_id": str(uuid4()), "name": "New", "members": "", "points": ""}
    send(client_of(by), team, f"/desk/seasons/{season.slug}/teams/", sent)
    assert SeasonTeam.objects.count() == 3


def test_a_team_that_is_deleted_twice_is_on_the_trail_once(season: Season, by: Account):
    LineUp.objects.all().delete()
    sent = {"act": "delete", "team": "2", "sure": "1"}
    before = AuditRow.objects.count()
    with deleted_meanwhile(season.teams.get(number=2)) as done:
        client_of(by).post(f"/desk/seasons/{season.slug}/teams/", sent)
    assert done
    assert AuditRow.objects.count() == before


def test_a_season_that_is_gone(season: Season, by: Account):
    sent = {"name": "Other", "ready": "sum", "unit": "game", "measure": "points", "gather": "sum", "least": "1"}
    address = f"/desk/seasons/{season.slug}/"
    LineUp.objects.all().delete()
    send(client_of(by), season, address, {**sent, "visibility": "public"})


def test_a_person_who_is_gone(season: Season, by: Account):
    people = [person(NAMES[0]).pk, Person.objects.create(preferred_name="Ana Berg").pk]
    known = link_people(people=people, by=by)
    assert known
    send(client_of(by), known, f"/desk/people/{known.uid}/", {"agreed": "yes"})
