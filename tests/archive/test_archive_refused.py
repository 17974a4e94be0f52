"""A file of an event that is refused: nothing is left behind, and words say why."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.archive.archive_acts import full_event, written_file
from tests.factories import codes_of, make_account
from tournament.accounts.models import Account
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.calls.models import RefereeCall
from tournament.core.errors import DomainError
from tournament.core.hash_chain import checksum
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.incidents.models import Disqualification, Substitution
from tournament.penalties.models import Penalty
from tournament.players.models import Person
from tournament.rounds.models import TableTime
from tournament.sheets.models import TypedSheet
from tournament.standings.models import Cut
from tournament.tables.models import LedgerEntry
from tournament.wall.models import Announcement

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


def changed(file: str, change: Callable[[Any], object], *, sealed: bool = True) -> bytes:
    """Return the file with a change in its content, with a checksum that fits if it is sealed again."""
    made = json.loads(file)
    change(made["content"])
    if sealed:
        made["checksum"] = checksum(made["content"])
    return json.dumps(made).encode()


@pytest.fixture
def file() -> str:
    return written_file()


def refused(data: bytes) -> list[str]:
    """Return the codes with which a file is refused, and see that nothing was left behind."""
    before = [model.objects.count() for model in (Event, Person, Account, LedgerEntry, AuditRow)]
    with pytest.raises(DomainError) as refusal:
        import_event(data=data, by=Account.objects.first() or make_account("Desk"))
    after = [model.objects.count() for model in (Event, Person, LedgerEntry, AuditRow)]
    assert after == [before[0], before[1], before[3], before[4]]
    return codes_of(refusal)


@pytest.mark.once
@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (b"", ["archive.not_json"]),
        (b"\xff\xfe\x00", ["archive.not_text"]),
        (b"PK\x03\x04 a spreadsheet", ["archive.not_json"]),
        (b"[1, 2]", ["archive.not_event"]),
        (b"{}", ["archive.not_event"]),
        (b'{"format": "hanchan-desk-event", "version": NaN}', ["archive.not_event"]),
        (b'{"format": "hanchan-desk-event", "version": 1.5}', ["archive.not_event"]),
        (b'{"format": "hanchan-desk-event", "version": 2}', ["archive.version"]),
        (b'{"format": "hanchan-desk-event", "version": true}', ["archive.version"]),
        (b'{"format": "hanchan-desk-event", "version": 1, "checksum": "", "content": {}}', ["archive.checksum"]),
        (b'{"format": "hanchan-desk-event", "version": 1, "version": 1}', ["archive.not_event"]),
        (b"[" * 100_000, ["archive.not_event"]),
        (b"9" * 10_001, ["archive.not_event"]),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_no_event_file_is_refused(data: bytes, codes: list[str]):
    assert refused(data) == codes


@pytest.mark.once
def test_a_file_that_was_cut_off_is_refused(file: str):
    assert refused(file[:-20].encode()) == ["archive.not_json"]


@pytest.mark.once
def test_one_changed_letter_anywhere_is_refused(file: str):
    assert refused(file.replace("Akelei", "Akelej").encode()) == ["archive.checksum"]


def test_an_event_that_is_here_already_is_refused_and_its_entries_under_another_address():
    file = get_event_file(full_event())
    assert refused(file.encode()) == ["archive.exists"]
    data = changed(file, lambda content: content["event"].update(slug="other"))
    kept = (LedgerEntry, Penalty, Substitution, Disqualification, Cut, RefereeCall, TableTime, TypedSheet, Announcement)
    count = sum(rows.objects.count() for rows in kept)
    with pytest.raises(DomainError) as refusal:
        import_event(data=data, by=make_account())
    assert [(p.code, p.params) for p in refusal.value.problems] == [("archive.known_entries", {"count": count})]


def ledger_row(content: Any) -> Any:
    return content["rounds"][0]["tables"][1]["ledger"][1]


# the trail, its heads, three tables, and the event itself are not what was sealed
OTHER_SLUG = ["verify.previous_hash", "verify.head_signature", *["verify.previous_hash"] * 3, "verify.changed"]


@pytest.mark.once
@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (lambda c: ledger_row(c).update(payload=ledger_row(c)["payload"].replace("40", "30")),
         ["verify.hash", "verify.sheet_differs"]),
        (lambda c: ledger_row(c).update(previous_hash="0" * 64), ["verify.previous_hash"]),
        (lambda c: c["audit"][2].update(verb="nothing"), ["verify.hash"]),
        (lambda c: c["rounds"][0]["tables"][0]["sheets"][0].update(leftover=3000), ["verify.sheet_differs"]),
        (lambda c: c["rounds"][0]["tables"][0]["seats"].pop(), ["verify.seats"]),
        (lambda c: c["event"]["rules"].pop("uma"), ["verify.rules_unusable"]),
        (lambda c: c["event"].update(slug="cup2"), OTHER_SLUG),
        (lambda c: c["event"].pop("place"), ["archive.form"]),
        (lambda c: c["event"].update(secret=1), ["archive.form"]),
        (lambda c: c["event"].update(date="12.9.2026"), ["archive.form"]),
        (lambda c: c["event"].update(seed=10**30), ["archive.form"]),
        (lambda c: c["players"][0].update(preferred_name="a\0b"), ["archive.form"]),
        (lambda c: c["players"].append(7), ["archive.form"]),
        (lambda c: c.update(players={}), ["archive.form"]),
        (lambda c: ledger_row(c).update(at="2026-09-12 10:00"), ["archive.form"]),
        (lambda c: ledger_row(c).update(client_id="7"), ["archive.form"]),
        (lambda c: ledger_row(c).update(seq=True), ["archive.form"]),
        (lambda c: c["players"][0].update(preferred_name="x" * 61), ["archive.contradiction"]),
        (lambda c: c["players"][1].update(number=1), ["archive.contradiction"]),
        (lambda c: c["rounds"][0]["tables"][0]["seats"][0].update(player=99), ["archive.contradiction"]),
        (lambda c: c["memberships"][0].update(role="king"), ["archive.contradiction"]),
        (lambda c: c["event"].update(slug="no address"), ["archive.contradiction"]),
        (lambda c: c["substitutions"][0].update(player=8), ["verify.substitute_seat"]),
        (lambda c: c["substitutions"][0].update(table=9), ["archive.contradiction"]),
        (lambda c: c["substitutions"][0].update(when="after"), ["archive.contradiction"]),
        (lambda c: c["substitutions"][0].update(substitute=8), ["archive.contradiction"]),
        (lambda c: c["players"][0].update(ranked=1), ["archive.form"]),
    ],
)  # fmt: skip
def test_a_file_that_does_not_hold_together_is_refused_whole(
    file: str, change: Callable[[Any], object], codes: list[str]
):
    assert refused(changed(file, change))[: len(codes)] == codes


def test_a_refused_file_can_be_followed_by_the_right_one(file: str):
    refused(changed(file, lambda content: content["players"].pop(), sealed=False))
    assert import_event(data=file.encode(), by=make_account("Desk")).slug == "cup"
