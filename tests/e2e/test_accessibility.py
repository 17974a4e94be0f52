"""Public pages before axe, the engine of most accessibility checkers: no violation, in the light and in the dark.

What it can't see (is the order sensible, are the words clear) is for people; what it finds is certain. The suite looks
at each page of a phone in the light or in the dark, the seed of the run decides which; the nightly run at both, and at
those of a laptop.
"""

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from django.utils import timezone

from tests.e2e.conftest import OpenTab
from tests.pages.test_audiences import addresses
from tests.seasons.evenings import count_in_season
from tests.sign_ups import TERMS, come
from tournament.accounts.actions import get_site_organiser
from tournament.demo.sample import SLUGS, load_samples
from tournament.events.models import Event
from tournament.signup.settings import TEXTS, set_sign_up_page
from tournament.wall.actions import begin_prizes, show_prizes

if TYPE_CHECKING:
    from playwright.sync_api import Page

Scheme = Literal["light", "dark"]
AXE = Path(__file__).resolve().parents[1] / "vendor" / "axe-core-4.14.1" / "axe.min.js"
# what colours have to do with is asked again in the other scheme; the rest of a page is the same there
RUN = """async (rules) => {
    if (!window.axe) window.wakeAxe();
    const only = rules.length ? { runOnly: { type: "rule", values: rules } } : {};
    const late = new Promise((_, fail) => setTimeout(fail, 60_000, new Error("axe has not come to an end")));
    const { violations } = await Promise.race([axe.run(document, { ...only, resultTypes: ["violations"] }), late]);
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
}"""
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
COLOURS = ["color-contrast", "link-in-text-block"]
NO_PAGES = (
    "/logout/", ".ics", "/version/", "/language/", ".webmanifest", ".js", "/count/", "/health/", "/metrics/", ".pdf",
    ".png", ".gif", ".webp", ".css", "/tell/", ".csv", ".json",
)  # fmt: skip


def pages(slug: str) -> list[str]:
    """List the public pages of an event and of none, from the addresses that there are."""
    found = [url for url in addresses("anyone", "public") if not url.startswith("/api/")]
    return [url.replace("/e/cup/", f"/e/{slug}/") for url in found if not any(part in url for part in NO_PAGES)]


def bring_axe(page: "Page") -> None:
    """Have axe in each page that the tab opens, sent to the browser once; `violations` wakes it."""
    page.add_init_script(f"window.wakeAxe = () => {{ {AXE.read_text(encoding='utf-8')} }}")


def violations(page: "Page", rules: list[str]) -> list[str]:
    found: list[Any] = page.evaluate(RUN, rules)
    return [str(each) for each in found]


DESK = (
    "players/", "results/", "penalties/", "settings/trail/", "imports/", "devices/", "members/", "wall/",
    "wall/prizes/",
)  # fmt: skip


@pytest.fixture
def sample(live_server: object) -> Event:
    """Return a sample event in mid-play whose phones may see all that an event may show."""
    return in_teams(load_samples(now=timezone.now(), only=SLUGS[:1])[0])


def in_teams(event: Event) -> Event:
    """Put half of the players into a team, open sign-up, and count it in a season: the pages of each show something."""
    count_in_season(event)
    event.players.filter(number__lte=12).update(team="Kranich und Kiefer")
    tomorrow = timezone.now() + dt.timedelta(days=1)
    texts = {key: {"en-gb": "One\n\n- two\n- three"} for key in TEXTS}
    terms = dict(TERMS, closes_at=tomorrow, texts=texts)
    set_sign_up_page(event=event, terms=terms, by=get_site_organiser())
    come(event, "Ada", show_name=True)
    return event


@pytest.mark.slow
@pytest.mark.parametrize(
    ("phone", "schemes"), [(True, 1), *(pytest.param(phone, 2, marks=pytest.mark.nightly) for phone in (True, False))]
)
def test_no_public_page_has_a_violation(
    open_tab: OpenTab, sample: Event, phone: bool, schemes: int, pytestconfig: pytest.Config
):
    seed = pytestconfig.getoption("randomly_seed", 0)
    page = open_tab(phone=phone)
    bring_axe(page)
    found = []
    for turn, address in enumerate(pages(sample.slug), start=seed):
        first, second = SCHEMES if turn % 2 else SCHEMES[::-1]
        page.emulate_media(color_scheme=first, reduced_motion="reduce")
        page.goto(address)
        found += [f"{address}, {first}: {what}" for what in violations(page, [])]
        if schemes == 2:
            page.emulate_media(color_scheme=second)
            found += [f"{address}, {second}: {what}" for what in violations(page, COLOURS)]
    assert "\n".join(found) == "", f"seed {seed}"


@pytest.mark.slow
def test_no_list_of_the_desk_and_no_page_of_the_announcer_has_a_violation(open_tab: OpenTab, sample: Event):
    organiser = get_site_organiser()
    begin_prizes(event=sample, top=0, by=organiser)
    show_prizes(event=sample, step=2, by=organiser)
    page = open_tab(organiser)
    bring_axe(page)
    found = []
    for address in ("/desk/backups/", *(f"/desk/{sample.slug}/{each}" for each in DESK)):
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        found += [f"{address}, light: {what}" for what in violations(page, [])]
        page.emulate_media(color_scheme="dark")
        found += [f"{address}, dark: {what}" for what in violations(page, COLOURS)]
    assert "\n".join(found) == ""
