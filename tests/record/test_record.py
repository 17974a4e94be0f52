"""*Check this result*: heads on pages and in the API, a head that somebody has, and the file for a stranger."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from tests.factories import make_event, play_round, writer_of
from tests.pages.html_reader import texts
from tests.record.forgeries import chain_again, put, rewrite_hand
from tournament.core.heads import is_consistent
from tournament.events.actions import Publication, set_publication
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.privacy.actions import set_names_shown
from tournament.record.queries import get_proof, head_words, list_heads

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Make an event with a released round, a running one, a hidden name and a penalty."""
    event = make_event(slug="cup", rounds=3)
    play_round(event, 1, "1t 230", "2r3 340/2")
    by = writer_of(event)
    player = event.players.get(number=1)
    give_penalty(player=player, points=5_000, reason="a secret reason", client_id=uuid4(), by=by)
    give_penalty(player=player, points=0, reason="only a warning", client_id=uuid4(), by=by)
    set_names_shown(event=event, numbers=[2], shown=False, by=by)
    return event


def read(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_pages_and_the_api_show_the_newest_head(client: Client, event: Event):
    head = list_heads(event)[0]
    assert len(head.words.split()) == 8
    for address in ("/e/cup/", "/e/cup/standings/", "/e/cup/record/"):
        assert f'data-root="{head.root}" data-words="{head.words}"' in read(client, address)
    for address in ("/e/cup/", "/e/cup/standings/", "/e/cup/display/standings/"):
        page = client.get(address)
        assert head.words not in " ".join(texts(page, "main"))
        assert "Check this result" in " ".join(texts(page, "main"))
    answer = json.loads(read(client, "/api/v1/events/cup/record"))
    assert (answer["head"]["root"], answer["head"]["words"], answer["consistency"]) == (head.root, head.words, [])


def test_the_api_proves_that_the_record_was_continued(client: Client, event: Event):
    newest, *_between, first = list_heads(event)
    assert first.round == 1
    answer = json.loads(read(client, f"/api/v1/events/cup/record?from={first.size}"))
    assert is_consistent(first.size, newest.size, first.root, newest.root, answer["consistency"])
    for odd in ("0", "-1", "x", "99999", "9" * 40, "²"):
        assert json.loads(read(client, f"/api/v1/events/cup/record?from={odd}"))["consistency"] == []


@pytest.mark.follows("after/check.md")
@pytest.mark.parametrize(
    "form", [lambda root: root, head_words, lambda root: f"http://192.168.1.7/e/cup/record/?head={root}"]
)
def test_a_head_that_somebody_has_is_found(client: Client, event: Event, form: Any):
    first = list_heads(event)[-1]
    page = client.get("/e/cup/record/", {"head": form(first.root)}).content.decode()
    assert "it was signed when round 1 was released" in page
    assert f"{event.audit.count() - first.size} actions were recorded since" in page


def test_a_head_of_another_record_is_not(client: Client, event: Event):
    assert "This is not part of this event’s record" in read(client, f"/e/cup/record/?head={'0' * 64}")
    assert "neither eight words" in read(client, "/e/cup/record/?head=seven+words+and+a+half")
    first = list_heads(event)[-1]
    rewrite_hand(event)
    chain_again(event)
    assert "This is not part of this event’s record" in read(client, f"/e/cup/record/?head={first.root}")


def test_an_event_without_a_release_has_nothing_to_check(client: Client):
    make_event(slug="unplayed")
    assert "Nothing is signed yet" in read(client, "/e/unplayed/record/")
    assert json.loads(read(client, "/api/v1/events/unplayed/record")) == {
        "event": "unplayed",
        "head": None,
        "consistency": [],
    }
    assert "data-record" not in read(client, "/e/unplayed/standings/")


# ---------------------------------------------------------------- the file


def verified(file: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Run the verifier as a stranger does: without this project."""
    script = settings.BASE_DIR / "scripts" / "verify_record.py"
    line = [sys.executable, "-I", "-S", str(script), str(file), *more]
    return subprocess.run(line, cwd=file.parent, capture_output=True, encoding="utf-8", check=False)


def row_of(proof: Any, key: str) -> Any:
    return next(row for row in proof["rows"] if row["key"] == key)


def keys_in(proof: str) -> set[str]:
    return {row["key"] for row in json.loads(proof)["rows"]}


@pytest.mark.follows("after/check.md")
def test_a_stranger_verifies_the_event_by_its_file(client: Client, event: Event, tmp_path: Path):
    file, head = tmp_path / "cup.json", list_heads(event)[-1]
    file.write_text(read(client, "/e/cup/record/proof.json"), encoding="utf-8")
    done = verified(file, head.root)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "rows hold" in done.stdout
    wanted = {
        "rules",
        "event",
        "name 1",
        "player 2",
        "round 1",
        "seats 1/1",
        "hand 1/1/1",
        "sheet 1/2/1",
        "standings 1",
    }
    assert wanted <= keys_in(get_proof(event))
    assert "is in no state" in verified(file, "0" * 64).stdout


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda p: p["rows"][0].update(content="x"), "is not what the acts left"),
        (
            lambda p: next(r for r in p["rows"] if r["key"] == "standings 1")["content"][0].__setitem__(2, 1),
            "standings 1",
        ),
        (lambda p: p["acts"].pop(2), "act 3 is missing"),
        (lambda p: p["acts"][3].update(private="0" * 64), "the root after act"),
        (lambda p: p["heads"][0].update(at="2026-09-12T10:00:00.000000Z"), "the signature after act"),
        (lambda p: p["heads"][0].update(public_key="00" * 32), "signature"),
    ],
)
def test_a_forged_file_is_named(event: Event, tmp_path: Path, change: Any, said: str):
    proof = json.loads(get_proof(event))
    change(proof)
    file = tmp_path / "cup.json"
    file.write_text(json.dumps(proof), encoding="utf-8")
    done = verified(file)
    assert done.returncode == 1
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.postgresql
def test_the_file_tells_nothing_that_pages_do_not(event: Event):
    hidden = event.players.get(number=2).person
    put(hidden, legal_name="Hidden Legal Name")
    proof, keys = get_proof(event), keys_in(get_proof(event))
    for secret in (hidden.preferred_name, "Hidden Legal Name", "a secret reason", "only a warning", event.record_salt):
        assert secret not in proof
    assert {str(each.by) for each in event.audit.all()} & set(proof.split('"')) == set()
    assert "name 2" not in keys
    assert not any(" note" in key or key.startswith("person") for key in keys)
    assert sum(key.startswith("penalty") for key in keys) == 1  # not the warning
    unpublished = event.rounds.filter(published_at=None).values_list("number", flat=True)
    assert not any(key.startswith(f"seats {number}/") for key in keys for number in unpublished)
    assert not any(key.startswith(("hand 2", "sheet 2")) for key in keys)


def test_results_that_are_held_back_are_not_in_the_file(event: Event):
    set_publication(event=event, publication=Publication(hold="last"), by=writer_of(event))
    play_round(event, 2, "1t 230")
    play_round(event, 3, "2t 230")
    keys = keys_in(get_proof(event))
    assert not keys & {"standings 3", "hand 3/1/1", "sheet 3/1/1"}
    assert "standings 2" in keys
