"""What every desk page has: the palette under keys and fingers, and tables as wide as needed."""

import itertools

from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import play_round, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event

event = live_event(tables=2, rounds=1)


def test_it_opens_by_key_finds_by_letters_and_goes(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    page.goto(f"/desk/{event.slug}/rounds/1/tables/1/")
    found = page.locator("#palette-list [role=option]")
    page.locator("#line").fill("2r3 3.")
    expect(page.locator("#palette")).to_be_hidden()  # a full stop in a field is one
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Table, player, page or action")).to_be_focused()
    page.keyboard.type("gin")
    expect(found).to_have_text(["7 GinsterTable 2", "Table 2Efeu · Farn · Ginster · Hasel2 Enter"])
    expect(found.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/2/")
    page.locator("h1").first.click()
    page.keyboard.press(".")
    page.keyboard.type("enter totals")
    expect(found.first).to_contain_text("Alt e")  # an act of this page with its shortcut
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).to_be_hidden()


def test_it_works_for_fingers_and_without_a_network(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event), phone=True)
    page.goto(f"/desk/{event.slug}/")
    page.get_by_role("button", name="Go to").tap()
    expect(page.locator("#palette-list [role=option]")).to_have_count(12)
    page.get_by_role("button", name="Close").tap()
    page.context.set_offline(True)
    page.get_by_role("button", name="Go to").tap()
    page.get_by_role("combobox").fill("zzz")
    expect(page.locator("[data-palette-none]")).to_have_text("Nothing found.")
    page.get_by_role("combobox").fill("table 2")
    row = page.locator("#palette-list [role=option]").first
    expect(row).to_contain_text("Table 2")
    box = row.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    page.context.set_offline(False)
    row.tap()
    page.wait_for_url("**/tables/2/")


def test_a_name_stays_near_its_numbers_on_wide_screens(open_tab: OpenTab, event: Event) -> None:
    play_round(event, 1, "2r3 340")
    page = open_tab(writer_of(event))
    page.goto(f"/desk/{event.slug}/results/")
    for width in (1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        name = page.locator(".final-list .who a").first.bounding_box()
        number = page.locator(".final-list .at-total .num").nth(0).bounding_box()
        assert name is not None
        assert number is not None
        assert number["x"] - (name["x"] + name["width"]) < 500


# the window hears what the document has heard: the page stays, as while the desk is at work
HOLD = """() => {
    window.addEventListener("click", (event) => event.preventDefault(), { once: true });
}"""


def test_the_desk_says_that_it_is_at_work_until_a_file_is_there(open_tab: OpenTab, event: Event) -> None:
    play_round(event, 1, "1t 230")
    page = open_tab(writer_of(event))
    page.goto(f"/desk/{event.slug}/results/")
    page.evaluate(HOLD)
    link = page.get_by_role("link", name="Results as xlsx")
    link.click()
    work = page.locator("[data-busy]")
    expect(work).to_have_text("At work: Results as xlsx")
    expect(link).to_have_attribute("aria-busy", "true")
    page.evaluate("(address) => fetch(address)", link.get_attribute("href"))
    expect(work).to_have_text("")
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def test_a_message_moves_nothing_and_is_closed(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    page.goto(f"/desk/{event.slug}/settings/for-players/")
    before = page.locator("h1").bounding_box()
    page.get_by_role("button", name="Save").click()
    message = page.locator(".messages .message")
    expect(message).to_have_text("Note Nothing was changed.")
    expect(page.get_by_role("status").filter(has=page.locator(".message"))).to_be_visible()
    page.wait_for_load_state("load")  # until its styles are there, nothing has its place
    assert page.locator("h1").bounding_box() == before
    message.get_by_role("button", name="Close").click()
    expect(message).to_have_count(0)


def test_what_to_do_when_something_went_wrong_is_in_words_in_a_bar_of_one_row(open_tab: OpenTab, event: Event) -> None:
    page = open_tab(writer_of(event))
    for language, width in itertools.product(("en", "de", "fr", "ja"), (1280, 1440, 1920)):
        Event.objects.filter(pk=event.pk).update(language=language, name="Hamburg Riichi Open 2026")
        page.set_viewport_size({"width": width, "height": 600})
        page.goto(f"/desk/{event.slug}/")
        heights = page.eval_on_selector_all(".bar, .bar .tabs a", "all => all.map(each => each.offsetHeight)")
        assert max(heights) == heights[0] <= 48, (language, width)
        assert page.locator(".mark span").evaluate("name => name.scrollWidth <= name.clientWidth"), (language, width)
        words = page.locator(".bar-act span").first.bounding_box()
        assert words
        assert words["width"] > 50, (language, width)
