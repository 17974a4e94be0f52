"""A page that has gone on by steps, hand by hand, is as one that is opened then."""

from typing import TYPE_CHECKING
from uuid import uuid4

from tests.e2e import desk_hands as desk
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import AT_ONCE, expect
from tests.factories import WHOLE_GAME, table_of, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event
from tournament.penalties.actions import give_foul
from tournament.penalties.queries import Offence

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request, Route

# the dealer is tenpai and stays, also in the last hand; with the one after it the game is over
HANDS = ("d13/3", *WHOLE_GAME[:-1], "4t 230", WHOLE_GAME[-1])
# what differs from one opening to the next: ids, the facts for offline work, the clock, the mark of the row just sent
GONE = "script, input[type=hidden]:not([name=expected_seq]), [data-under], #time-state"
SHOWN = """(gone) => {
  const page = document.getElementById("table-page").cloneNode(true);
  for (const each of page.querySelectorAll(gone)) each.remove();
  for (const row of page.querySelectorAll("tr")) row.className = "";
  for (const each of page.querySelectorAll("*")) { // one that is hidden, shown and hidden has them in another order
    const has = [...each.attributes].map(({ name, value }) => [name, value]).sort();
    for (const [name] of has) each.removeAttribute(name);
    for (const [name, value] of has) each.setAttribute(name, value);
  }
  return page.outerHTML.replace(/>\\s+/g, ">").replace(/\\s+</g, "<").replaceAll("<", "\\n<");
}"""
NOTHING_TYPED = "What the desk understood is read back here before it is sent."
# enters the hand when htmx says an event of its preview; `told`: what is said below the line right after
ENTER_WHEN = """(name) => {
  delete window.told;
  const enter = ({ target }) => {
    if (target.id !== "line") return;
    removeEventListener(name, enter, { capture: true });
    target.form.requestSubmit();
    setTimeout(() => { window.told = [document.getElementById("understood").textContent.trim()]; });
  };
  addEventListener(name, enter, { capture: true });
}"""
# `told`: about which line htmx would ask next
TELL_ASKED = """() => {
  delete window.told;
  document.addEventListener("htmx:beforeRequest", ({ target, detail }) => {
    if (target.id === "line") window.told = [detail.requestConfig.formData.get("line")];
  });
}"""
ENTER = """(text) => {
  const line = document.getElementById("line");
  line.value = text;
  line.dispatchEvent(new Event("input", { bubbles: true }));
  line.form.requestSubmit();
}"""


event = live_event(tables=1, rounds=1)


def test_a_page_goes_on_by_steps(open_tab: OpenTab, event: Event) -> None:
    """From the first hand to the end of a game that is undone, each hand leaves a page as one that is opened then."""
    event.phone_signing = True
    event.save()
    page = open_tab(writer_of(event))
    page.goto(f"/desk/{event.slug}/rounds/1/tables/1/")
    for seq, line in enumerate(HANDS, start=1):
        goes_on(page, line, seq=seq)
    expect(page.get_by_label("Akelei")).to_be_focused()  # the first total is next
    page.get_by_role("link", name="Void").first.click()
    page.get_by_role("button", name="Void hand").click()
    expect(desk.line(page)).to_be_focused()
    goes_on(page, HANDS[-1], seq=len(HANDS) + 2)


def test_a_step_takes_the_mark_of_a_dead_hand_away(open_tab: OpenTab, event: Event) -> None:
    by, birk = writer_of(event), event.players.get(number=2)
    dead = Offence(foul="empty_win_voice")
    give_foul(player=birk, table=table_of(event), offence=dead, client_id=uuid4(), expected_seq=0, by=by)
    page = open_tab(by)
    page.goto(f"/desk/{event.slug}/rounds/1/tables/1/")
    expect(page.get_by_text("Applied to the next hand automatically.")).to_be_visible()
    goes_on(page, "3r1 230", seq=1)


def goes_on(page: "Page", line: str, *, seq: int) -> None:
    """Enter a hand that is answered with a step, and compare with a page that is opened then."""
    with page.expect_response(lambda answer: is_post(answer.request)) as answer:
        enter(page, line, seq=seq)
    assert "table-step" in answer.value.json()["page"]
    expect(page.locator("#outbox[data-waiting='0']")).to_have_count(1)
    opened = page.context.new_page()
    opened.goto(page.url)
    assert shown(page) == shown(opened)
    opened.close()


def test_an_answer_about_a_hand_that_is_sent_is_not_shown(open_tab: OpenTab, event: Event) -> None:
    """A preview that is answered when its hand is entered, or then has no answer, says nothing of the next hand."""
    page = open_tab(writer_of(event))
    page.goto(f"/desk/{event.slug}/rounds/1/tables/1/")
    enter(page, "2t 230", seq=1)
    for seq, then in ((2, "htmx:beforeOnLoad"), (3, "htmx:sendError")):
        if then == "htmx:sendError":
            page.route("**/preview/**", lambda route: route.abort())
        page.evaluate(ENTER_WHEN, then)
        page.fill("#line", "3t 230")
        assert told(page) == NOTHING_TYPED
        expect(page.locator(f"#table-page[data-seq='{seq}']")).to_have_count(1)
        expect(desk.understood(page)).to_have_text(NOTHING_TYPED, timeout=AT_ONCE)


def test_nothing_is_asked_about_an_empty_line(open_tab: OpenTab, event: Event) -> None:
    """A key asks after a moment: by then the hand may be on its way, and the line empty."""
    page = open_tab(writer_of(event))
    page.goto(f"/desk/{event.slug}/rounds/1/tables/1/")
    held: list[Route] = []
    page.route("**/tables/1/", lambda route: held.append(route) if is_post(route.request) else route.continue_())
    for seq in (1, 2):
        page.evaluate(TELL_ASKED)
        with page.expect_request(is_post):
            page.evaluate(ENTER, "d")
        assert told(page) == ""
        expect(desk.understood(page)).to_have_text(NOTHING_TYPED, timeout=AT_ONCE)
        held.pop().continue_()
        expect(page.locator(f"#table-page[data-seq='{seq}']")).to_have_count(1)
        expect(desk.understood(page)).to_have_text(NOTHING_TYPED, timeout=AT_ONCE)
    page.fill("#line", "d")  # the same line again is asked about
    expect(desk.understood(page).locator(".understood-say:not(.is-hint)")).to_be_visible()


def enter(page: "Page", line: str, *, seq: int) -> None:
    """Enter a hand and wait until the page shows it."""
    page.fill("#line", line)
    page.press("#line", "Enter")
    expect(page.locator(f"#table-page[data-seq='{seq}']")).to_have_count(1)


def is_post(request: "Request") -> bool:
    """Whether it sends something."""
    return request.method == "POST" and request.url.endswith("/tables/1/")


def told(page: "Page") -> str:
    """Return what the scripts above have told, when they have."""
    (text,) = page.wait_for_function("() => window.told", polling=20).json_value()
    return str(text)


def shown(page: "Page") -> list[str]:
    """Return the table of a page whose line is empty or gone, as lines of HTML."""
    expect(page.locator(".understood-say.is-hint, .is-due > .stack > #table-line")).to_be_visible()
    return str(page.evaluate(SHOWN, GONE)).splitlines()
