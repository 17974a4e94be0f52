"""Pages in four languages, players' on a phone and the desk's on a laptop: no text is cut off or leaves its box.

The suite looks at each page in one language or two, the seed of the run decides in which; the nightly run in all.
"""

from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tournament.accounts.actions import get_site_organiser
from tournament.demo.sample import load_samples
from tournament.events.models import Event

if TYPE_CHECKING:
    from playwright.sync_api import Page

LANGUAGES = {"en-gb": "English", "ja": "日本語", "de": "Deutsch", "fr": "Français"}
PAGES = (
    "/", "/calculator/?line=34p678m66s2p+345m+777z+d1m+wES", "/rules/", "/rules/ema-2025/", "/login/",
    "/drill/", "/drill/?rules=ema-2025&seed=7&n=9&a=a&see=1", "/drill/?rules=ema-2025&seed=7&n=9&a=aa&see=1",
    *(
        f"/e/sanmatsuri-sample/{page}"
        for page in (
            "?pick", "?me=3", "standings/", "recap/", "players/3/", "rounds/", "rounds/1/", "rounds/3/",
            "rounds/1/tables/1/", "rules/", "rules/values/", "rules/yaku/", "teams/", "fouls/",
        )
    ),
)  # fmt: skip
# where referees are all day long, in the languages with the longest words
DESK_LANGUAGES = ("de", "fr")
DESK_PAGES = (
    "", "check-in/", "rounds/3/tables/4/", "rounds/3/tables/8/totals/", "settings/",
    "penalties/give/?round=3&table=5&player=1&section=5", "wall/",
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
        if (!text.data.trim() || !box.checkVisibility()) continue;
        if (box.closest(".unseen, .bar-act > span, .skip, svg, option, template, script")) continue;
        const inline = (node) => getComputedStyle(node).display.startsWith("inline") && node.localName !== "button";
        while (inline(box)) box = box.parentElement;
        const style = getComputedStyle(box);
        if (style.textOverflow === "ellipsis" || ["auto", "scroll"].includes(style.overflowX)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const [words, room] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
        const edge = box.closest(".swipe") ? room.right : root.clientWidth;  // cards wait beside the screen
        if (words.right > Math.min(room.right, edge) + 1 || words.left < room.left - 1) {
            found.push(`${box.localName}.${box.className}: ${text.data.trim().slice(0, 40)}`);
        }
    }
    return found;
}"""


def choose(tab: "Page", language: str, name: str) -> None:
    """Choose a language as a reader does, at the foot of a page; the browser asks for English by itself."""
    tab.goto("/login/")
    link = tab.get_by_role("link", name=name, exact=True)
    if language != "en-gb":
        link.click()
    expect(tab.locator("html")).to_have_attribute("lang", language)


def look(tab: "Page", address: str, language: str) -> list[str]:
    """Return what is wrong with a page in a language."""
    tab.goto(address)
    return [f"{language} {address}: {what}" for what in tab.evaluate(LOOK, language)]


@pytest.mark.slow
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_no_page_cuts_words_off_in_any_language(open_tab: OpenTab, whole: bool, pytestconfig: pytest.Config) -> None:
    seed = pytestconfig.getoption("randomly_seed", 0)
    (event,) = load_samples(now=timezone.now(), only=["sanmatsuri-sample"])
    found: list[str] = []
    phone = open_tab(phone=True)
    for turn, (language, name) in enumerate(LANGUAGES.items(), start=seed):
        choose(phone, language, name)
        for address in PAGES if whole else PAGES[turn % 3 :: 3]:
            found += look(phone, address, language)
    desk = open_tab(get_site_organiser())
    for turn, language in enumerate(DESK_LANGUAGES, start=seed):
        Event.objects.update(language=language)
        for end in DESK_PAGES if whole else DESK_PAGES[turn % 2 :: 2]:
            found += look(desk, f"/desk/{event.slug}/{end}", language)
    assert found == [], f"seed {seed}"
