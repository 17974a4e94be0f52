"""`move_desk`: a whole desk from SQLite to a real PostgreSQL, every byte of every event, and nothing by halves."""

import dataclasses
import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from bootstrap import REPO
from rules.books import load_book
from tests.conftest import triggers_asleep
from tests.factories import make_account, make_event
from tournament.accounts.models import Account
from tournament.archive.actions import take_site
from tournament.archive.queries import get_site_file
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.rulesets.actions import save_rule_set
from tournament.rulesets.models import RuleSet

STANDINGS = """
from django.core.management import call_command
for slug in ("sanmatsuri-sample", "rakkii-nomi-sample"):
    call_command("standings", slug, "--json")
"""
SAMPLES = f"""
from django.core.management import call_command
from django.utils import timezone
from tournament.accounts.models import Account
from tournament.demo.sample import load_samples
call_command("migrate", verbosity=0)
load_samples(now=timezone.now())
account = Account(username="elke", display_name="Elke", is_superuser=True)
account.set_password("long enough to be one")
account.save()
{STANDINGS}
"""
LOOK = f"""
from django.contrib.auth import authenticate
from django.test import RequestFactory
{STANDINGS}
call_command("verify_ledger")
found = authenticate(RequestFactory().post("/login/"), username="elke", password="long enough to be one")
print(found.display_name, found.is_superuser)
"""
Manage = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def manage(tmp_path: Path) -> Manage:
    def run(*arguments: str, url: str = "") -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        environment = {**kept, "HANCHAN_DATA": str(tmp_path), "HANCHAN_NO_BOOTSTRAP": "1"}
        line = [sys.executable, str(REPO / "manage.py"), *arguments]
        environment |= {"DATABASE_URL": url} if url else {}
        return subprocess.run(line, cwd=REPO, env=environment, capture_output=True, text=True, check=False)

    return run


@pytest.fixture
def empty() -> Iterator[str]:
    """Make an empty database on the server that the tests run on, and yield its address."""
    server = os.environ["DATABASE_URL"]
    name = f"moved_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
        yield f"{server.rpartition('/')[0]}/{name}"
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@pytest.mark.slow  # two databases, filled and read by commands as a person types them
@pytest.mark.database
@pytest.mark.only_on("postgresql")
def test_a_whole_desk_moves_to_postgresql(manage: Manage, empty: str, tmp_path: Path):
    if migrated := os.environ.get("HANCHAN_TEST_MIGRATED"):
        shutil.copy(migrated, tmp_path / "db.sqlite3")
    before = manage("shell", "-v0", "-c", SAMPLES)
    assert before.returncode == 0, before.stderr
    assert all(len(json.loads(line)["rows"]) > 8 for line in before.stdout.splitlines())

    moved = manage("move_desk", "--to", empty)
    assert (moved.returncode, moved.stderr) == (0, "")
    assert "all chains and sheets hold." in moved.stdout
    *standings, verified, signed_in = manage("shell", "-v0", "-c", LOOK, url=empty).stdout.splitlines()
    assert standings == before.stdout.splitlines()
    assert (json.loads(verified)["ok"], json.loads(verified)["events"], signed_in) == (True, 2, "Elke True")

    again = manage("move_desk", "--to", empty)
    assert again.returncode == 1
    assert "The new database is not empty" in again.stderr
    assert "Traceback" not in again.stderr


@pytest.mark.django_db
def test_what_is_beside_the_events_comes_out_and_in_as_it_was():
    account = make_account("Elke", superuser=True)
    account.set_password("x")
    rules = load_book("ema-2025")
    for seen in range(2):
        minutes = dataclasses.replace(rules.ruleset, minutes=60 + seen)
        save_rule_set(
            rule_set=RuleSet.objects.first(), book=dataclasses.replace(rules, ruleset=minutes), seen=seen,
            client_id=uuid4(), by=account,
        )  # fmt: skip
    file = get_site_file()
    with triggers_asleep():
        AuditRow.objects.all()._raw_delete("default")
    Account.objects.all().delete()
    RuleSet.objects.all().delete()
    assert take_site(data=file.encode()) == 1
    assert get_site_file() == file


@pytest.mark.django_db
def test_nothing_is_taken_into_a_database_that_is_not_empty_nor_from_a_damaged_file():
    file = get_site_file()
    damaged = json.dumps({**json.loads(file), "checksum": "0" * 64})
    with pytest.raises(DomainError) as refused:
        take_site(data=damaged.encode())
    assert refused.value.problems[0].code == "archive.checksum"
    make_event()
    with pytest.raises(DomainError) as refused:
        take_site(data=file.encode())
    assert (refused.value.problems[0].code, Event.objects.count()) == ("archive.not_empty", 1)
