"""A search for a draw with wishes in a browser: its progress comes by itself, and it is stopped early."""

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import DAY, make_account, name_of
from tournament.events.actions import create_event
from tournament.players.actions import NewPlayer, add_players
from tournament.seating.models import DrawDraft

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_long_search_shows_how_far_it_is_and_is_stopped_by_hand(open_tab: OpenTab) -> None:
    by = make_account("Organiser")
    event = create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=12, slug="cup", by=by)
    add_players(
        event=event, players=[NewPlayer(name_of(index), club=f"Club {index % 5}") for index in range(32)], by=by
    )
    page = open_tab(by)
    page.goto("/desk/cup/seating/")
    page.locator("#wishes > details > summary").click()
    page.locator("#clubs").select_option("always")
    page.get_by_role("button", name="Find a draw").click()
    expect(page.locator("progress")).to_be_visible()
    expect(page.locator("progress")).not_to_have_attribute("value", "0")
    page.get_by_role("button", name="Good enough, stop here").click()
    expect(page.get_by_role("button", name="Use draw A")).to_be_visible()
    expect(page.locator(".draft")).to_contain_text("ended early")
    assert DrawDraft.objects.get().state == "stopped"
