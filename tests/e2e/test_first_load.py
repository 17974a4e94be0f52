"""What a phone loads of each public page before it is whole: packed, and only what the page uses."""

import gzip
from posixpath import normpath
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.utils import timezone

from bootstrap import REPO
from tests.e2e.conftest import OpenTab
from tests.e2e.test_accessibility import in_teams, pages
from tests.e2e.test_phones import SHIFTS
from tests.factories import WHOLE_GAME, enter_all, make_event, table_of
from tournament.accounts.actions import get_site_organiser
from tournament.demo.sample import load_samples
from tournament.events.models import Event
from tournament.pages.static_files import IMPORT, STYLE, STYLES
from tournament.phone_signing.actions import make_seat_codes, set_phone_signing
from tournament.signup.models import SignUp
from tournament.signup.queries import sign_up_token

if TYPE_CHECKING:
    from playwright.sync_api import Page

STYLES_IN = (REPO / "static" / STYLE).parent
MOST = 45_000  # bytes
MAX_SHIFT = 0.02  # of the layout while a page loads
SCREENS = ("display/", "overlay/")  # of a hall and of a stream, not of phones
FULLER = (
    "/drill/?rules=ema-2025&seed=7&n=9&a=a&see=1", "/calculator/?line=34p678m66s2p+345m+777z+d1m+wES",
    "/e/last/?me=1", "/e/last/rounds/1/tables/1/last/", "/e/sanmatsuri-sample/?pick", "/e/sanmatsuri-sample/?me=3",
    "/e/sanmatsuri-sample/calculator/?line=34p678m66s2p+345m+777z+d1m+wES", "/e/sanmatsuri-sample/rounds/3/",
    "/e/sanmatsuri-sample/players/3/against/4/",
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
    return in_teams(load_samples(now=timezone.now(), only=["sanmatsuri-sample"])[0])


def phone_pages(slug: str) -> list[str]:
    """List every public page of a phone, by the addresses that there are, and fuller forms of some."""
    own = [f"/e/{slug}/sign-up/{sign_up_token(each)}/" for each in SignUp.objects.all()]
    return [*(url for url in pages(slug) if not any(screen in url for screen in SCREENS)), *FULLER, *own]


def parts(style: str) -> list[str]:
    """List the stylesheets that one is made of."""
    return [name.decode() for name in IMPORT.findall((REPO / "static" / style).read_bytes())]


@pytest.fixture
def sign_page() -> str:
    """Return the page of a finished game that a player signs."""
    event = make_event(slug="signed", rounds=1, by=get_site_organiser())
    set_phone_signing(event=event, allowed=True, by=get_site_organiser())
    enter_all(table_of(event), *WHOLE_GAME)
    made = make_seat_codes(table=table_of(event), client_id=uuid4(), by=get_site_organiser())
    return f"/e/signed/sign/{made[0].code}/"


def weights(page: "Page", known: dict[str, int]) -> dict[str, int]:
    """Return the packed size of each file that a page loaded, by its address; `known` keeps those of other pages.

    The font is left aside: only a system without Japanese letters fetches it, and this one may be such a system. So is
    the stream, which asked for as a file is the page once more.
    """
    aside = (".woff2", "?stream")
    loaded = {each.partition("#")[0] for each in page.evaluate(LOADED) if not each.endswith(aside)}
    for address in loaded - known.keys():
        body = page.request.get(address).body()
        known[address] = len(body) if address.endswith(PACKED) else len(gzip.compress(body, 6))
    return {address: known[address] for address in loaded}


@pytest.mark.slow
def test_a_first_load_is_small_and_its_stylesheet_is_all_that_a_page_needs(
    open_tab: OpenTab, sample: Event, sign_page: str
) -> None:
    page = open_tab(phone=True)
    heavy, unstyled, moved = {}, set(), {}
    known: dict[str, int] = {}
    page.add_init_script(SHIFTS)
    for address in (*phone_pages(sample.slug), sign_page):
        page.goto(address, wait_until="load")
        moved[address] = page.evaluate("window.shifted")
        files = weights(page, known)
        if sum(files.values()) > MOST:
            heavy[address] = (sum(files.values()), sorted(files.items(), key=lambda each: -each[1]))
        loaded = {part for style in STYLES for part in parts(style) if any(style in file for file in files)}
        loaded |= {
            part for part in parts(STYLE) if any(file.endswith(normpath(f"/static/css/{part}")) for file in files)
        }
        unstyled |= {
            f"{address} {what}"
            for part in parts(STYLE)
            if part not in loaded
            for what in page.evaluate(STYLED, [part, (STYLES_IN / part).read_text(encoding="utf-8")])
        }
    assert (heavy, unstyled) == ({}, set())
    assert {address: by for address, by in moved.items() if by > MAX_SHIFT} == {}
