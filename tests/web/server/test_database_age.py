"""A database of a newer program, or of another line of development, is refused in words and left as it is."""

import json
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from web.management.commands import desk
from web.management.commands.doctor import examine
from web.server.database_age import known_migrations
from web.server.health import _seen_current

pytestmark = [pytest.mark.django_db, pytest.mark.once]

APPLIED = MigrationRecorder.Migration.objects


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    _seen_current.clear()
    yield
    _seen_current.clear()


def newer() -> str:
    APPLIED.create(app="tournament", name="9999_of_tomorrow")
    return "used by a newer program: it has had 9999_of_tomorrow"


def renumbered() -> str:
    last = known_migrations()[-1]
    APPLIED.filter(app="tournament", name=last).update(name="0002_numbered_otherwise")
    return "another line of development: it has had 0002_numbered_otherwise"


def half_way() -> str:
    name = known_migrations()[-2]
    APPLIED.filter(app="tournament", name=name).delete()
    return "another line of development"


@pytest.mark.parametrize("make", [newer, renumbered, half_way])
def test_every_start_is_refused_in_words(client: Client, make: object):
    assert callable(make)
    said = make()
    before = sorted(APPLIED.values_list("app", "name"))
    with pytest.raises(CommandError, match=said):
        desk.Command().prepare(sample=False)
    for command in ("migrate", "verify_ledger", "backup"):
        with pytest.raises(CommandError, match=said):
            call_command(command, verbosity=0)
    answer = client.get("/health/")
    assert (answer.status_code, json.loads(answer.content)["failing"]) == (503, ["migrations"])
    (words,) = [found.words for found in examine() if found.organ == "database"]
    assert said in words
    assert sorted(APPLIED.values_list("app", "name")) == before


def test_todays_database_is_taken(client: Client):
    assert client.get("/health/").status_code == 200
