"""What this desk notes outside its database: written with heads, never ahead of it, and accepted with a reason."""

import json
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import LazySettings
from django.db import transaction

from tests.conftest import triggers_asleep
from tests.factories import enter, make_account, make_event, play_round, table_of, writer_of
from tests.record.forgeries import put, sign_heads_again, sql
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.archive.verify import verify_all, verify_event
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.core.sealed_marks import NAME, SITE, Mark, change_marks, read_marks
from tournament.core.signing_key import EVERY, TRUSTED, sign, trust, trusted_keys
from tournament.events.actions import create_event, delete_event, delete_rows
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.record.actions import accept_record, note_all
from tournament.record.models import RecordHead
from tournament.record.verify import signed_until

pytestmark = pytest.mark.django_db
Committing = Callable[..., AbstractContextManager[Any]]


@pytest.fixture
def data(settings: LazySettings, tmp_path: Path) -> Path:
    """Give the desk a data directory of its own."""
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def released(data: Path, django_capture_on_commit_callbacks: Committing) -> Event:
    """Make an event with a released round, whose act is committed."""
    with django_capture_on_commit_callbacks(execute=True):
        event = make_event(slug="cup")
        play_round(event, 1, "1t 230")
    return event


def codes() -> list[str]:
    return [problem.code for problem in verify_all().problems]


def penalise(event: Event) -> None:
    by = writer_of(event)
    give_penalty(player=event.players.get(number=1), points=1_000, reason="late", client_id=uuid4(), by=by)


def last_hash(event: Event) -> str:
    return str(AuditRow.objects.filter(event=event).order_by("-seq").values_list("hash", flat=True)[0])


def test_a_head_is_noted_when_it_is_committed_and_a_hand_is_not(
    data: Path, released: Event, django_capture_on_commit_callbacks: Committing
):
    first = read_marks(data)["cup"]
    assert first == Mark(released.audit.count(), last_hash(released), (released.audit.count(),))
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        enter(table_of(released, round_=2), "1t 230")
    assert (callbacks, read_marks(data)["cup"]) == ([], first)
    with django_capture_on_commit_callbacks(execute=True):
        penalise(released)
    size = released.audit.count()
    assert read_marks(data)["cup"] == Mark(size, last_hash(released), (first.acts, size))
    assert codes() == []


def test_an_act_that_is_rolled_back_is_not_noted(
    data: Path, released: Event, django_capture_on_commit_callbacks: Committing
):
    before = (data / NAME).read_bytes()
    with django_capture_on_commit_callbacks(execute=True) as callbacks, transaction.atomic():
        penalise(released)
        transaction.set_rollback(True)
    assert callbacks == []
    assert (data / NAME).read_bytes() == before


def test_a_file_that_cannot_be_written_hinders_no_release(
    data: Path, django_capture_on_commit_callbacks: Committing, caplog: pytest.LogCaptureFixture
):
    (data / f"{NAME}.lock").mkdir()
    with django_capture_on_commit_callbacks(execute=True):
        event = make_event(slug="cup")
        play_round(event, 1, "1t 230")
    assert event.heads.count() == 1
    assert (data / NAME).exists() is False
    assert "on_commit" in caplog.text


def test_a_deleted_event_is_noted_as_deleted_and_its_address_is_free(
    data: Path, released: Event, django_capture_on_commit_callbacks: Committing
):
    before = read_marks(data)["cup"]
    with django_capture_on_commit_callbacks(execute=True):
        delete_event(event=released, name="Cup", reason="a trial", by=writer_of(released))
    after = read_marks(data)
    assert (after["cup"].acts, bool(after["cup"].deleted)) == (before.acts, True)
    assert after[SITE].acts == AuditRow.objects.filter(event=None).count()
    assert codes() == []
    by = make_account()
    again = create_event(name="Cup", date=released.date, rules_key="ema-2025", rounds=1, slug="cup", by=by)
    assert codes() == []
    note_all()
    assert read_marks(data)["cup"] == Mark(1, last_hash(again))


def test_workers_who_note_at_once_lose_nothing(data: Path):
    sign("makes the key")

    def note(worker: int) -> None:
        for number in range(10):
            change_marks(data, lambda marks, name=f"{worker}-{number}": {**marks, name: Mark(1, "0" * 64)})  # type: ignore[misc]

    threads = [threading.Thread(target=note, args=[worker]) for worker in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read_marks(data)) == 60
    assert sorted(path.name for path in data.iterdir()) == ["record.key", NAME, f"{NAME}.lock"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"sealed":{"trails":{}}}', b"[" * 5_000])
def test_a_file_of_any_shape_is_a_finding_and_is_not_written_over(data: Path, released: Event, content: bytes):
    (data / NAME).write_bytes(content)
    assert codes() == ["verify.outside_unreadable"]
    with pytest.raises(ValueError, match="cannot be read"):
        note_all()
    assert (data / NAME).read_bytes() == content


def test_a_file_that_somebody_wrote_with_another_key_is_a_finding(data: Path, released: Event):
    file = json.loads((data / NAME).read_text())
    file["sealed"]["trails"]["cup"]["acts"] = 1
    (data / NAME).write_text(json.dumps(file))
    assert codes() == ["verify.outside_unreadable"]
    (data / "record.key").write_text(Ed25519PrivateKey.generate().private_bytes_raw().hex())
    assert "verify.outside_unreadable" in codes()


# ---------------------------------------------------------------- accepted by a person


def test_what_is_gone_is_accepted_with_a_reason_on_the_trail(
    data: Path, released: Event, django_capture_on_commit_callbacks: Committing
):
    play_round(make_event(slug="other"), 1, "1t 230")
    note_all()
    with triggers_asleep():
        delete_rows(released)
    sql("DELETE FROM tournament_auditrow WHERE event_id IS NULL")
    assert codes() == ["verify.outside_gone"]
    with pytest.raises(DomainError):
        accept_record(reason=" ", by=make_account())
    with django_capture_on_commit_callbacks(execute=True):
        found = accept_record(reason="the other desk deleted it", by=make_account())
    assert [problem.code for problem in found] == ["verify.outside_gone"]
    row = AuditRow.objects.filter(event=None).latest("seq")
    assert (row.verb, json.loads(row.details)["found"]) == ("record_accepted", ["cup"])
    assert codes() == []
    assert accept_record(reason="again", by=make_account()) == []
    assert read_marks(data)["cup"].deleted


def test_an_upgrade_that_was_cut_short_is_sealed_by_a_person(
    data: Path, released: Event, django_capture_on_commit_callbacks: Committing
):
    (data / NAME).unlink()
    sql("DELETE FROM tournament_recordhead")
    sql("UPDATE tournament_auditrow SET state = ''")
    put(released, record_salt="")
    assert "verify.unsealed" in codes()
    with django_capture_on_commit_callbacks(execute=True):
        accept_record(reason="the power went", by=make_account())
    assert "verify.unsealed" not in codes()
    assert read_marks(data)["cup"].heads == (released.audit.count(),)


# ---------------------------------------------------------------- keys of other desks


def theirs(event: Event, slug: str, settings: LazySettings, tmp_path: Path) -> bytes:
    """Return an event's file as another desk wrote it, with its own key."""
    home, settings.DATA_DIR = settings.DATA_DIR, tmp_path / "theirs"
    settings.DATA_DIR.mkdir()
    other = make_event(slug=slug)
    play_round(other, 1, "1t 230")
    text = get_event_file(other)
    with triggers_asleep():
        delete_rows(other)
    settings.DATA_DIR = home
    return text.encode()


def test_a_key_that_came_with_an_event_signs_that_event_as_far_as_it_did(
    data: Path, released: Event, settings: LazySettings, tmp_path: Path
):
    file = theirs(released, "club", settings, tmp_path)
    club = import_event(data=file, by=make_account())
    assert codes() == []
    foreign = club.heads.get().public_key
    assert trusted_keys().bound == {(foreign, "club"): club.heads.get().size}

    # and no more of it, nor any other event
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex((tmp_path / "theirs" / "record.key").read_text()))
    for event, fault in ((club, []), (released, ["verify.head_key"])):
        head = RecordHead.objects.filter(event=event).select_related("event").get()
        head.public_key = foreign
        put(head, public_key=foreign, signature=key.sign(head.statement.encode()).hex())
        assert [problem.code for problem in verify_event(event).problems] == fault
    trust(data, {(foreign, "cup"): 3})
    assert [problem.code for problem in verify_event(released).problems] == ["verify.head_key"]
    trust(data, {(foreign, "cup"): 300})
    assert codes() == []


def test_keys_of_an_older_program_are_bound_to_what_they_have_signed(data: Path, released: Event):
    sign_heads_again(released)
    head = released.heads.get()
    (data / TRUSTED).write_text(f"{head.public_key}\n{'0' * 64}\n", encoding="ascii")
    assert codes() == []
    note_all()
    assert trusted_keys().bound == signed_until() == {(head.public_key, "cup"): head.size}
    assert trusted_keys().older == frozenset()
    assert codes() == []
    trust(data, {("1" * 64, EVERY): 0})
    assert trusted_keys().may_sign("1" * 64, "any", 1_000)
    assert not trusted_keys().may_sign(head.public_key, "cup", head.size + 1)
