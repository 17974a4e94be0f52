"""A page that has gone on by steps, hand by hand, is as one that is opened then."""

from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.patience import expect
from tests.factories import make_event, writer_of
from tournament.models import Event

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response

HANDS = ("2r3 340/2", "2t 230", "d13/3", "4r1 5")
# what differs from one opening to the next: ids, the facts for offline work, the clock, the mark of the row just sent
GONE = "script, input[type=hidden]:not([name=expected_seq]), [data-under], #time-state"
SHOWN = """(gone) => {
  const page = document.getElementById("table-page").cloneNode(true);
  for (const each of page.querySelectorAll(gone)) each.remove();
  for (const row of page.querySelectorAll("tr")) row.className = "";
  return page.outerHTML.replace(/>\\s+/g, ">").replace(/\\s+</g, "<");
}"""


@pytest.fixture
def event(live_server) -> Event:
    return make_event(tables=1, rounds=1)


def test_a_page_goes_on_by_steps(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    page.goto(f"/desk/{event.slug}/rounds/1/tables/1/")
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer) if answer.request.method == "POST" else None)
    for number, line in enumerate(HANDS, start=1):
        page.fill("#line", line)
        page.press("#line", "Enter")
        expect(page.locator(f"#table-page[data-seq='{number}']")).to_have_count(1)
    expect(page.locator("#outbox[data-waiting='0']")).to_have_count(1)
    gone_on = shown(page)
    sent = [answer.json()["page"] for answer in answers if answer.url.endswith("/tables/1/")]
    assert ["table-step" in html for html in sent] == [False, True, True, True]
    page.reload()
    assert gone_on == shown(page)


def shown(page: "Page") -> str:
    """Return the table of a page whose line is empty, as HTML."""
    expect(page.locator(".understood-say.is-hint")).to_be_visible()
    expect(page.locator(".htmx-request")).to_have_count(0)  # a preview of the line as it was
    return str(page.evaluate(SHOWN, GONE))
