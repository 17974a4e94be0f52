"""The database's own rules: as the migrations make them, and each change of one named."""

import pytest
from django.db import connection

from tests.conftest import triggers_asleep
from tests.factories import make_event, play_round
from tournament.archive.verify import verify_all
from tournament.events.models import Event
from tournament.record.schema import read_schema, stored_schema
from web.management.base import say

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event(slug="cup")
    play_round(event, 1, "1t 230")
    return event


def test_the_stored_rules_are_those_that_the_migrations_make():
    assert read_schema() == stored_schema(), "run scripts/write_database_schema.py"
    assert len(stored_schema()) > 60


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("DROP INDEX one_cut_after_a_round", "lacks what the migrations make: index one_cut_after_a_round"),
        (
            "ALTER TABLE tournament_penalty ADD COLUMN more integer",
            "table tournament_penalty is not as",
        ),
        ("CREATE TABLE tournament_more (id integer)", "beside what the migrations make: table tournament_more"),
        ("CREATE VIEW tournament_more AS SELECT 1 AS id", "beside what the migrations make: view tournament_more"),
        (
            "CREATE UNIQUE INDEX tournament_more ON tournament_penalty (reason)",
            "beside what the migrations make: index tournament_more",
        ),
    ],
)
def test_a_changed_rule_is_named(event: Event, statement: str, named: str):
    execute(statement)
    assert [problem.code[:13] for problem in verify_all().problems] == ["verify.schema"]
    assert named in say(verify_all().problems[0])


@pytest.mark.parametrize("weaker", ['("event_id", "after_round") WHERE "cancelled_at" IS NULL AND "event_id" < 0'])
def test_an_index_that_forbids_less_under_the_same_name_is_named(event: Event, weaker: str):
    execute("DROP INDEX one_cut_after_a_round")
    execute(f"CREATE UNIQUE INDEX one_cut_after_a_round ON tournament_cut {weaker}")
    assert [say(problem) for problem in verify_all().problems] == [
        "The database's index one_cut_after_a_round is not as the migrations make it."
    ]


def test_an_index_that_only_makes_a_query_faster_is_no_fault(event: Event):
    execute("CREATE INDEX tournament_more ON tournament_penalty (reason)")
    assert verify_all().problems == []


@pytest.mark.only_on("sqlite")  # PostgreSQL has identifiers of their own kind
@pytest.mark.parametrize("form", ["upper({0})", "substr({0}, 1, 8) || '-' || substr({0}, 9)", "CAST({0} AS BLOB)"])
def test_an_identifier_of_another_text_is_named(event: Event, form: str):
    with triggers_asleep():
        execute(f"UPDATE tournament_ledgerentry SET client_id = {form.format('client_id')} WHERE seq = 1")
    found = [problem for problem in verify_all().problems if problem.code == "verify.identifier"]
    assert {str(problem.params["what"]) for problem in found} == {"tournament_ledgerentry.client_id"}
