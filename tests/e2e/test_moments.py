"""A yakuman comes over the page once on each device, and without a movement where motion is not wanted."""

import pytest

from scoring.entries import Tsumo, Win
from scoring.hand_line import read_hand_line
from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import enter, round_of, table_of, writer_of
from tests.fixtures import live_event
from tournament.events.actions import Publication, set_publication
from tournament.events.models import Event
from tournament.players.models import Person
from tournament.rounds.actions import start_round

MOVES = "node => getComputedStyle(node).animationName"  # also once the half second that it takes is over

event = live_event(slug="cup", tables=1, rounds=1)


@pytest.fixture
def yakuman(event: Event) -> Event:
    """Return an event with a yakuman that everybody may see."""
    set_publication(event=event, publication=Publication(live_tables="hands", live_others="all"), by=writer_of(event))
    start_round(round_=round_of(event), by=writer_of(event))
    hand = read_hand_line("19m19p19s12345677z t wes")
    enter(table_of(event), Tsumo(winners=(Win(seat=1, yakuman=1, yaku=("kokushi_musou",), hand=hand),)))
    return event


@pytest.mark.usefixtures("yakuman")
def test_a_moment_comes_once_on_each_device_and_can_be_closed(open_tab: OpenTab):
    first, second = open_tab(phone=True), open_tab()
    for device in (first, second):
        device.goto("/e/cup/")
        moment = device.locator("body > .moment")
        expect(moment).to_contain_text("Kokushi")
        assert moment.evaluate(MOVES) == "moment-come"
        moment.get_by_role("button", name="Close").click()
        expect(moment).to_have_count(0)
        device.reload()
        expect(device.locator("template[data-moment]")).to_have_count(1)
        expect(moment).to_have_count(0)


@pytest.mark.usefixtures("yakuman")
def test_a_moment_that_is_corrected_changes_while_it_is_shown(open_tab: OpenTab):
    page = open_tab(phone=True)
    page.goto("/e/cup/")
    moment = page.locator("body > .moment")
    expect(moment).to_contain_text("Kokushi")
    page.evaluate(
        """() => {  // as the live part comes with a correction
          const template = document.querySelector("template[data-moment]");
          template.innerHTML = template.innerHTML.replace(/Kokushi[^<]*/, "Suuankou");
          document.dispatchEvent(new Event("live-swapped"));
        }"""
    )
    expect(moment).to_contain_text("Suuankou")
    expect(moment).to_have_count(1)


@pytest.mark.usefixtures("yakuman")
def test_a_moment_does_not_move_where_motion_is_not_wanted(open_tab: OpenTab):
    page = open_tab(phone=True)
    page.emulate_media(reduced_motion="reduce")
    page.goto("/e/cup/")
    moment = page.locator("body > .moment")
    expect(moment).to_be_visible()
    assert moment.evaluate(MOVES) == "none"


def test_a_moment_is_no_higher_than_a_small_phone_with_large_letters(open_tab: OpenTab, yakuman: Event):
    Person.objects.filter(players__event=yakuman).update(preferred_name="Kwabena Osei-Adomako")
    page = open_tab(phone=True)
    page.emulate_media(reduced_motion="reduce")  # it passes through the screen while it comes
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto("/rules/")
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 32}})
    page.goto("/e/cup/")
    close = page.locator("body > .moment").get_by_role("button", name="Close")
    expect(close).to_be_in_viewport(ratio=1)
    lines = """one => {
      one.textContent = "Suuankou, Daisangen";
      const words = document.createRange();
      words.selectNodeContents(one);
      return words.getClientRects().length;
    }"""
    assert page.locator("body > .moment .moment-title").evaluate(lines) == 2
