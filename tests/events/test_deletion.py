"""A deletion takes an event with all that it has and nothing else; the append-only tables stay strict."""

import json

import pytest
from django.db import DatabaseError, connection, transaction

from tests.archive.archive_acts import full_event
from tests.factories import make_event, play_round, writer_of
from tournament.archive.verify import verify_all
from tournament.core.models import AuditRow
from tournament.events.actions import delete_event
from tournament.events.models import Event
from tournament.players.models import Person
from tournament.tables.models import LedgerEntry

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


def test_a_full_event_goes_with_all_that_it_has_and_the_tables_stay_append_only():
    event, other = full_event(), make_event(slug="other", tables=1, rounds=1)
    play_round(other, 1, "1t 230")
    others = Person.objects.filter(players__event=other).count()
    delete_event(event=event, name=" cup ", reason="a trial", by=writer_of(event))
    assert [each.slug for each in Event.objects.all()] == ["other"]
    assert Person.objects.count() == others
    last = AuditRow.objects.filter(event=None).latest("seq")
    assert (last.verb, json.loads(last.details)["reason"]) == ("event_deleted", "a trial")
    assert not verify_all().problems
    for rows in (LedgerEntry.objects.all(), AuditRow.objects.all()):
        with pytest.raises(DatabaseError), transaction.atomic():
            rows._raw_delete(connection.alias)
