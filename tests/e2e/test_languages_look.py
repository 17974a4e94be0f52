"""Pages in four languages, players' on a phone and the desk's on a laptop: no text is cut off or leaves its box."""

from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from tests.e2e.conftest import OpenTab
from tests.factories import make_event, play_round
from tournament.models import Event
from tournament.services.access import get_site_organiser
from tournament.services.sample import load_samples

if TYPE_CHECKING:
    from playwright.sync_api import Page

LANGUAGES = ("en-gb", "ja", "de", "fr")
PAGES = (
    "/", "/calculator/?line=34p678m66s2p+345m+777z+d1m+wES", "/rules/", "/rules/ema-2025/", "/login/",
    *(
        f"/e/sanmatsuri-sample/{page}"
        for page in (
            "?pick", "?me=3", "standings/", "records/", "players/3/", "rounds/", "rounds/1/", "rounds/3/",
            "rounds/1/tables/1/", "rules/", "teams/", "fouls/",
        )
    ),
)  # fmt: skip
# where referees are all day long, in the languages with the longest words
DESK_LANGUAGES = ("de", "fr")
DESK_PAGES = (
    "", "check-in/", "rounds/3/tables/4/", "rounds/3/tables/8/totals/", "settings/",
    "penalties/give/?round=3&table=5&player=1&section=5",
)  # fmt: skip
# Every word against the box it stands in: what is wider is cut off or lies over its neighbour. Left out is what is only
# read aloud, and what is shortened with an ellipsis on purpose.
LOOK = """(language) => {
    const found = [];
    const root = document.documentElement;
    if (root.lang !== language) found.push(`in ${root.lang}`);
    if (root.scrollWidth > root.clientWidth) found.push(`${root.scrollWidth} wide on ${root.clientWidth}`);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode;
        let box = text.parentElement;
        if (!text.data.trim() || box.closest(".unseen, .skip, svg, option, template, script")) continue;
        if (!box.checkVisibility()) continue;
        const inline = (node) => getComputedStyle(node).display.startsWith("inline") && node.localName !== "button";
        while (inline(box)) box = box.parentElement;
        const style = getComputedStyle(box);
        if (style.textOverflow === "ellipsis" || ["auto", "scroll"].includes(style.overflowX)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const [words, room] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
        if (words.right > Math.min(room.right, root.clientWidth) + 1 || words.left < room.left - 1) {
            found.push(`${box.localName}.${box.className}: ${text.data.trim().slice(0, 40)}`);
        }
    }
    return found;
}"""


def look(tab: "Page", address: str, language: str) -> list[str]:
    """Return what is wrong with a page in a language."""
    tab.goto(address)
    return [f"{language} {address}: {what}" for what in tab.evaluate(LOOK, language)]


@pytest.mark.slow
def test_no_page_cuts_words_off_in_any_language(open_tab: OpenTab) -> None:
    load_samples(now=timezone.now(), only=["sanmatsuri-sample"])
    tab = open_tab(phone=True)
    found: list[str] = []
    for language in LANGUAGES:
        tab.goto(f"/language/{language}/?next=/rules/")
        for address in PAGES:
            found += look(tab, address, language)
    assert found == []


@pytest.mark.slow
def test_no_page_of_the_desk_cuts_words_off(open_tab: OpenTab) -> None:
    (event,) = load_samples(now=timezone.now(), only=["sanmatsuri-sample"])
    tab = open_tab(get_site_organiser())
    found: list[str] = []
    for language in DESK_LANGUAGES:
        Event.objects.update(language=language)
        for end in DESK_PAGES:
            found += look(tab, f"/desk/{event.slug}/{end}", language)
    assert found == []


def test_a_reader_chooses_at_the_foot_of_a_page(open_tab: OpenTab) -> None:
    play_round(make_event(slug="cup"), 1, "1t 230")
    tab = open_tab(phone=True, scripts=False)
    tab.goto("/e/cup/standings/")
    tab.get_by_role("link", name="Deutsch").click()
    tab.wait_for_url("**/standings/")
    assert tab.locator("h1").inner_text() == "Rangliste"
    tab.goto("/")
    assert tab.locator("h1").inner_text() == "Turniere"
