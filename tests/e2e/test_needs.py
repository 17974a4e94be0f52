"""The last hand in the browser: it comes to the phone of a player at the table by itself, moves on, and goes."""

import pytest

from tests.alllast.test_needs_paper import LONG, TO_SOUTH_4
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import enter, enter_all, make_event, table_of
from tournament.events.models import Event, LiveOthers
from tournament.players.models import Person

WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def event() -> Event:
    """Return an event that shows what players need; its first table is one hand before its last."""
    event = make_event(slug="cup", rounds=1)
    enter_all(table_of(event), *TO_SOUTH_4[:-1])
    Event.objects.filter(pk=event.pk).update(show_needs=True, live_others=LiveOthers.OWN)
    Person.objects.filter(pk=event.players.get(number=2).person_id).update(preferred_name=LONG)
    return event


def test_the_phone_learns_what_its_player_needs_and_when_the_hand_is_over(open_tab: OpenTab, event: Event, settings):
    settings.PHONE_POLL_SECONDS = 0.5
    page = open_tab(phone=True)
    page.goto("/e/cup/?me=1")
    needs = page.get_by_role("heading", name="What I need")
    expect(needs).to_have_count(0)
    enter(table_of(event), TO_SOUTH_4[-1])
    expect(needs).to_be_visible()
    page.get_by_role("link", name="What the others need").click()
    expect(page.get_by_role("heading", name="Last hand, table 1")).to_be_visible()
    assert page.evaluate(WIDE) == 0
    enter(table_of(event), "1r2 230")
    expect(page.get_by_role("heading", name="This hand is over")).to_be_visible()
