"""Presence: one row for every open page, gone after twenty seconds, and nothing of it in the event's record."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import make_account, make_event
from tests.fixtures import module_event
from tournament.accounts.models import Account
from tournament.accounts.queries import list_present
from tournament.archive.queries import get_event_file
from tournament.core.models import AuditRow
from tournament.core.now import clock_at
from tournament.events.models import Event
from tournament.hall.actions import OpenPage, leave_desk, tell_where
from tournament.hall.models import DeskPresence

pytestmark = pytest.mark.django_db

NOW = dt.datetime(2026, 9, 12, 9, 0, tzinfo=dt.UTC)
SEVEN = OpenPage("table", 1, 7)
TYPING = OpenPage("table", 1, 7, typing=True)


made = module_event(tables=1, rounds=1)


def tell(event: Event, by: Account, where: OpenPage = SEVEN, *, tab: str = "a", after: float = 0) -> int:
    """Say where a page is; return how many rows were written."""
    with clock_at(NOW + dt.timedelta(seconds=after)), CaptureQueriesContext(connection) as queries:
        tell_where(event=event, tab=tab, where=where, by=by)
    return sum("INSERT" in query["sql"] for query in queries.captured_queries)


def others(event: Event, viewer: Account, *, tab: str = "a", after: float = 0) -> list[tuple[str, bool, bool]]:
    found = list_present(event, viewer=viewer, tab=tab, at=NOW + dt.timedelta(seconds=after))
    return [(row.name, row.own, row.typing) for row in found]


def test_others_are_seen_and_oneself_is_not(event: Event):
    ana, ben = make_account("Ana"), make_account("Ben")
    tell(event, ana, TYPING)
    tell(event, ben)
    assert others(event, ben) == [("Ana", False, True)]
    assert others(event, ana) == [("Ben", False, False)]


def test_whoever_types_comes_first_and_ones_own_other_tab_is_said_to_be_ones_own(event: Event):
    ana, ben = make_account("Ana"), make_account("Ben")
    tell(event, ana, tab="a")
    tell(event, ana, tab="b")
    tell(event, ben, TYPING)
    assert others(event, ana, tab="b") == [("Ben", False, True), ("Ana", True, False)]


def test_twenty_seconds_without_a_word_and_they_are_gone(event: Event):
    ana, ben = make_account("Ana"), make_account("Ben")
    tell(event, ana)
    assert others(event, ben, after=20) == [("Ana", False, False)]
    assert others(event, ben, after=20.1) == []


def test_a_page_is_written_at_most_every_four_seconds_unless_something_changed(event: Event):
    ana = make_account("Ana")
    assert [tell(event, ana, after=second) for second in (0, 1, 3.9)] == [1, 0, 0]
    assert tell(event, ana, TYPING, after=3.9) == 1
    assert tell(event, ana, TYPING, after=8) == 1
    row = DeskPresence.objects.get()
    assert (row.typing, row.seen_at) == (True, NOW + dt.timedelta(seconds=8))


def test_a_page_that_closes_is_gone_at_once_and_only_it(event: Event):
    ana, ben = make_account("Ana"), make_account("Ben")
    tell(event, ana, tab="a")
    tell(event, ana, tab="b")
    leave_desk(event=event, tab="a", by=ben)
    leave_desk(event=event, tab="b", by=ana)
    assert list(DeskPresence.objects.values_list("account__display_name", "tab")) == [("Ana", "a")]


def test_old_rows_are_swept_away_when_a_page_opens(event: Event):
    ana = make_account("Ana")
    for number in range(3):
        tell(event, ana, tab=f"old{number}")
    tell(event, ana, tab="new", after=3601)
    assert list(DeskPresence.objects.values_list("tab", flat=True)) == ["new"]


def test_another_event_sees_nobody(event: Event):
    ana, ben = make_account("Ana"), make_account("Ben")
    tell(event, ana)
    assert others(make_event(tables=1, rounds=1), ben) == []


def test_it_leaves_no_trace_in_the_event(event: Event):
    ana = make_account("Ana")
    before = (event.version, AuditRow.objects.count(), get_event_file(event))
    tell(event, ana, TYPING)
    leave_desk(event=event, tab="a", by=ana)
    tell(event, ana)
    event.refresh_from_db()
    assert (event.version, AuditRow.objects.count(), get_event_file(event)) == before


def test_a_long_number_of_a_tab_is_cut_and_still_found(event: Event):
    ana = make_account("Ana")
    tell(event, ana, tab="x" * 100)
    leave_desk(event=event, tab="x" * 100, by=ana)
    assert DeskPresence.objects.count() == 0
