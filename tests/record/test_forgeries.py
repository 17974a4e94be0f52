"""Forgeries with plain SQL: each is found and named, those with chains made again by a signed head."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command

from tests.factories import make_event, play_round, table_of, writer_of
from tests.record.forgeries import (
    OTHER,
    chain_again,
    change_uma,
    exchange_persons,
    exchange_seats,
    give_acts_to_another,
    rewrite_hand,
    sign_heads_again,
    sql,
    strip,
)
from tests.record.forgery_table import TABLE, Forgery
from tournament.accounts.actions import LINK_USED
from tournament.archive.verify import verify_all, verify_event
from tournament.core.audit import append_audit
from tournament.core.now import now
from tournament.events.models import Event
from tournament.penalties.actions import cancel_penalty, give_foul, give_penalty
from tournament.penalties.queries import Offence
from tournament.record.actions import note_all
from tournament.record.models import RecordHead
from tournament.record.queries import head_words, read_head
from tournament.record.verify import find_head
from tournament.standings.queries import read_standings
from web.management.base import say

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Make an event with a released round, a penalty that stands and one that was cancelled, and another event."""
    event = make_event(slug="cup")
    play_round(make_event(slug=OTHER), 1, "1t 230")
    play_round(event, 1, "1t 230", "2r3 340/2", "d13/1", "4r1 5")
    by = writer_of(event)
    penalties = [
        give_penalty(
            player=player, round_=event.rounds.get(number=1), points=5_000, reason="late", client_id=uuid4(), by=by
        )
        for player in event.players.order_by("number")[:2]
    ]
    cancel_penalty(penalty=penalties[1], reason="not so", by=by)
    table = table_of(event, round_=2)
    give_foul(
        player=event.players.get(number=3),
        table=table,
        offence=Offence(foul="late", minutes=4),
        client_id=uuid4(),
        by=by,
    )
    append_audit(None, LINK_USED, {}, by=str(by.uid), at=now())
    return event


@pytest.fixture
def noted(event: Event) -> Event:
    """Note outside the database how far its trails go, as each start of a desk does."""
    note_all()
    return event


def findings(event: Event | None = None) -> str:
    """Return all that is found at an event, or in the whole database, in words."""
    report = verify_event(event) if event else verify_all()
    return "\n".join(say(problem) for problem in report.problems)


def totals(event: Event) -> list[tuple[str, int]]:
    return [(row.name, row.total) for row in read_standings(Event.objects.get(pk=event.pk)).rows]


def test_an_honest_database_has_no_findings(noted: Event):
    report = verify_all()
    assert (report.problems, report.remarks) == ([], [])
    assert verify_event(noted).heads == 5  # a release, two penalties, one taken back, a foul


@pytest.mark.parametrize("forgery", TABLE.values(), ids=list(TABLE))
def test_a_forgery_is_named(noted: Event, forgery: Forgery):
    before = totals(noted)
    forgery.forge(noted)
    if forgery.again:
        chain_again(noted)
    assert forgery.named in findings()
    assert not forgery.moves or totals(noted) != before


def test_seals_that_were_taken_off_do_not_come_back_by_a_start_or_an_act(noted: Event):
    strip(noted)
    before = findings()
    call_command("migrate", verbosity=0)
    player = noted.players.get(number=1)
    give_penalty(player=player, points=1_000, reason="late", client_id=uuid4(), by=writer_of(noted))
    call_command("migrate", verbosity=0)
    after = findings()
    for words in ("cup: nothing is sealed", "is not the one that this desk noted", "cup: the signed head after act"):
        assert words in before
        assert words in after
    assert Event.objects.get(pk=noted.pk).record_salt == ""


REWRITTEN = [rewrite_hand, give_acts_to_another, exchange_seats, exchange_persons, change_uma]


@pytest.mark.parametrize("forge", REWRITTEN)
def test_a_record_made_again_is_not_the_one_that_was_signed(event: Event, forge: Callable[[Event], None]):
    known = RecordHead.objects.filter(event=event).order_by("size").first()
    assert known is not None
    forge(event)
    chain_again(event)
    found = findings(event).splitlines()
    assert {line.split(" whose ")[0] for line in found} == {"cup: the trail is not the one"}, found

    sign_heads_again(event)
    assert "a key that this desk does not know" in findings(event)
    # who has the desk's key as well is found by everybody who kept a head
    for shown in (known.root, head_words(known.root)):
        assert find_head(read_head(shown) or "", event=event) is None


def test_a_shorter_or_older_record_does_not_have_a_later_head(event: Event):
    last = RecordHead.objects.filter(event=event).order_by("size").last()
    assert last is not None
    asked = read_head(f"http://desk.local/e/cup/record/?head={last.root}") or ""
    assert find_head(asked) is not None
    sql("DELETE FROM tournament_recordhead WHERE id = %s", last.pk)
    sql("DELETE FROM tournament_auditrow WHERE event_id = %s AND seq >= %s", event.pk, last.size)
    assert find_head(asked) is None


# ---------------------------------------------------------------- damage: words, never an exception


@pytest.mark.only_on("sqlite")  # keeps a value that is not of its column's type
@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("event", "rules", "{broken"),
        ("event", "second_rules", '{"players":3}'),
        ("event", "kept_amounts", "[1,"),
        ("event", "date", "soon"),
        ("penalty", "points", "many"),
        ("penalty", "client_id", "zz"),
        ("penalty", "given_at", "x"),
        ("round", "released_at", "then"),
        ("seat", "seat", "east"),
        ("sheetrow", "totals", "[1,"),
        ("ledgerentry", "payload", '{"kind":'),
        ("ledgerentry", "payload", "[]"),
        ("auditrow", "state", "{"),
        ("auditrow", "state", "[]"),
        ("auditrow", "at", "x"),
        ("recordhead", "size", -1),
        ("recordhead", "at", "x"),
        ("recordhead", "signature", "zz"),
        ("person", "preferred_name", b"\xff\xfe"),
    ],
)
def test_whatever_is_damaged_is_named(event: Event, table: str, column: str, value: Any):
    sql("PRAGMA ignore_check_constraints = 1")
    sql(f'UPDATE "tournament_{table}" SET "{column}" = %s WHERE id = (SELECT min(id) FROM "tournament_{table}")', value)
    assert findings()
    sql("PRAGMA ignore_check_constraints = 0")
