"""What a phone loads of each public page before it is whole: packed, and only what the page uses."""

import gzip
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from bootstrap import REPO
from tests.e2e.conftest import OpenTab
from tests.e2e.test_phones import SHIFTS
from tests.factories import enter_all, make_event, table_of
from tests.sign_ups import come, event_with
from tournament.models import Event, SignUp
from tournament.selectors.signup.sign_ups import token_of
from tournament.services.access.access import get_site_organiser
from tournament.services.files.sample import load_samples
from web.server.static_files import IMPORT, STYLE, STYLE_OF_PHONES

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST = 45_000  # bytes
MOST_SHIFT = 0.02  # of the layout while a page loads
PAGES = (
    "/e/cup/about/", "/e/cup/sign-up/",
    "/", "/drill/", "/e/last/?me=1", "/e/last/rounds/1/tables/1/last/",
    *(
        f"/e/sanmatsuri-sample/{page}"
        for page in (
            "", "?pick", "?me=3", "standings/", "standings/1/", "records/", "recap/", "players/3/",
            "players/3/against/4/", "rounds/", "rounds/1/", "rounds/3/", "rounds/1/tables/1/", "rules/",
            "rules/values/", "rules/yaku/", "teams/", "fouls/",
        )
    ),
)  # fmt: skip
# tiles and a script that asks the desk: the calculator has 69 kB, a question of the drill 52, the record 48
LARGER = (
    "/e/sanmatsuri-sample/record/",
    "/calculator/?line=34p678m66s2p+345m+777z+d1m+wES", "/drill/?rules=ema-2025&seed=7&n=9&a=a&see=1",
)  # fmt: skip
PACKED = ("png", "jpg")  # as they are
LOADED = """() => [location.href, ...performance.getEntriesByType("resource").map((each) => each.name)]"""
# What other stylesheets say of elements of this page: states of a pointer and pseudo-elements left aside.
STYLED = r"""([part, text]) => {
    const STATES = /::?(hover|focus-visible|focus|active|before|after|backdrop|placeholder)/g;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const rules = (list) => [...list].flatMap((rule) => rule.selectorText ? [rule] : rules(rule.cssRules || []));
    const plain = (selector) => selector.replace(STATES, "");
    return rules(sheet.cssRules).filter((rule) => document.querySelector(plain(rule.selectorText) || "*"))
        .map((rule) => `${part}: ${rule.selectorText}`);
}"""


@pytest.fixture
def sample(live_server: Any) -> Event:
    """Return the sample event in mid-play; beside it an event is in its last hand, which all may look at."""
    last = make_event(slug="last", rounds=1, by=get_site_organiser())
    enter_all(table_of(last), "2r1 330", "3r2 330", "4r3 m", "1r4 240", "2r1 230", "3t 330", "2r3 340")
    Event.objects.filter(pk=last.pk).update(show_needs=True, live_tables="hands", live_others="all")
    come(event_with(texts={"about": {"en-gb": "One\n\n- two"}}), "Ada")
    return load_samples(now=timezone.now(), only=["sanmatsuri-sample"])[0]


def weights(page: "Page") -> dict[str, int]:
    """Return the packed size of each file that a page loaded, by its address.

    The font is left aside: only a system without Japanese letters fetches it, and this one may be such a system.
    """
    found = {}
    for address in {each.partition("#")[0] for each in page.evaluate(LOADED) if not each.endswith(".woff2")}:
        body = page.request.get(address).body()
        found[address] = len(body) if address.endswith(PACKED) else len(gzip.compress(body, 6))
    return found


@pytest.mark.slow
def test_a_first_load_is_small_and_its_stylesheet_is_all_that_a_page_needs(open_tab: OpenTab, sample: Event) -> None:
    folder = (REPO / "static" / STYLE).parent
    whole, ours = (set(IMPORT.findall((REPO / "static" / path).read_bytes())) for path in (STYLE, STYLE_OF_PHONES))
    rest = [(name.decode(), (folder / name.decode()).read_text(encoding="utf-8")) for name in sorted(whole - ours)]
    page = open_tab(phone=True)
    pages = (*PAGES, f"/e/cup/sign-up/{token_of(SignUp.objects.get())}/")
    heavy, unstyled, moved = {}, set(), {}
    page.add_init_script(SHIFTS)
    for address in (*pages, *LARGER):
        page.goto(address, wait_until="load")
        moved[address] = page.evaluate("window.shifted")
        files = weights(page)
        if sum(files.values()) > MOST and address in pages:
            heavy[address] = (sum(files.values()), sorted(files.items(), key=lambda each: -each[1]))
        unstyled |= {f"{address} {what}" for part in rest for what in page.evaluate(STYLED, list(part))}
    assert (heavy, unstyled) == ({}, set())
    assert {address: by for address, by in moved.items() if by > MOST_SHIFT} == {}
