"""The desk without scripts: every page of it can be read; a whole table is played in test_hand_page.py."""

from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import enter_all, table_of, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event

PAGES = (
    "", "check-in/", "players/", "players/1/", "seating/", "seating/import/", "penalties/", "calls/", "substitutes/",
    "penalties/give/?round=1&table=1", "rounds/1/clock/", "paper/", "results/", "settings/", "settings/rules/",
    "rounds/1/tables/1/", "rounds/1/tables/1/seats/", "rounds/1/tables/1/substitutes/",
)  # fmt: skip


event = live_event(tables=2, rounds=1)


def test_every_page_of_the_desk_can_be_read(open_tab: OpenTab, event: Event) -> None:
    enter_all(table_of(event), "1t 230")
    page = open_tab(writer_of(event), scripts=False)
    page.goto(f"/desk/{event.slug}/")
    tabs = page.locator(".bar .tabs a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert len(tabs) > 5
    addresses = dict.fromkeys([*tabs, *(f"/desk/{event.slug}/{page_}" for page_ in PAGES)])
    for address in addresses:
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert len(page.locator("main").inner_text()) > 40, address
