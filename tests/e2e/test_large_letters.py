"""Public pages on small phones with letters of twice the size, everything unfolded.

Nothing leaves the screen or lies on other words, no word falls apart, numbers have their headings, drawings letters
that can be read.

The suite looks at the pages at one width in one language, the seed of the run decides which; the nightly run at all.
"""

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from tests.e2e.conftest import OpenTab
from tests.e2e.page_audit import WIDE
from tests.e2e.test_accessibility import in_teams
from tests.e2e.test_languages_look import LANGUAGES, choose
from tests.e2e.test_phones import SHIFTS
from tests.e2e.timeouts import expect
from tests.factories import enter_all, make_event, play_round, table_of
from tests.pages.test_audiences import SAMPLE
from tests.seasons.evenings import count_in_season
from tournament.accounts.actions import get_site_organiser
from tournament.demo.sample import load_samples
from tournament.events.models import Event
from tournament.players.models import Person
from tournament.wall.actions import begin_prizes, show_prizes

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (390, 320)
DOUBLE = {"standard": 32, "fixed": 32}
PAGES = (
    "/", "/calculator/?line=34p678m66s2p+345m+777z+d1m+wES", "/rules/", "/rules/ema-2025/", "/privacy/", "/login/",
    "/drill/", "/drill/?rules=ema-2025&seed=7&n=9&a=a&see=1",
    "/e/last/?me=1", "/e/last/rounds/1/tables/1/last/", "/e/last/rounds/1/tables/1/",
    "/e/prizes/", "/e/prizes/display/",
    "/s/cup/", "/s/cup/how/", "/s/", f"/p/{SAMPLE['uid']}/",
    *(
        f"/e/sanmatsuri-sample/{page}"
        for page in (
            "", "?pick", "?me=3", "standings/", "standings/1/", "players/3/", "players/3/against/4/",
            "rounds/", "rounds/1/", "rounds/3/", "rounds/1/tables/1/", "rules/", "rules/values/", "rules/yaku/",
            "teams/", "fouls/", "calculator/", "recap/", "record/",
        )
    ),
)  # fmt: skip
# A word is torn where its pieces have fewer than three letters on average, a Japanese one than two. One number of a row
# may stand without words: what the table is about.
LOOK = (
    f"() => {{ const found = ({WIDE})();"
    r"""
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (!text.data.trim() || !text.parentElement.checkVisibility()) continue;
        if (text.parentElement.closest(".unseen, .skip, svg, option, template, script")) continue;
        for (const word of text.data.matchAll(/\S{4,}/g)) {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top / 4))).size;
            const least = /[\u3000-\u9fff]/.test(word[0]) ? 2 : 3;
            if (lines > 1 && word[0].length / lines < least) found.push(`${word[0].slice(0, 30)} on ${lines} lines`);
        }
    }
    for (const row of document.querySelectorAll("main table tbody tr")) {
        if (getComputedStyle(row).display !== "block") continue;
        const plain = [...row.querySelectorAll("td.is-num:not(:first-child, [data-label])")];
        if (plain.filter((cell) => cell.checkVisibility()).length > 1) found.push(`no words beside ${row.innerText}`);
    }
    for (const text of document.querySelectorAll("main .chart text")) {
        const { height } = text.getBoundingClientRect();
        if (height && height < 16) found.push(`${text.textContent} is ${Math.round(height)} high`);
    }
    const stays = (node) => node && (/fixed|sticky/.test(getComputedStyle(node).position) || stays(node.parentElement));
    const lines = [];
    texts.currentNode = document.body;
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (!text.data.trim() || !text.parentElement.checkVisibility({ visibilityProperty: true })) continue;
        if (text.parentElement.getBoundingClientRect().width <= 1) continue;  // read aloud only
        if (text.parentElement.closest("svg, option, template, script") || stays(text.parentElement)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const box of range.getClientRects()) lines.push([box, text.data.trim().slice(0, 20)]);
    }
    for (const [one, word] of lines) {
        const middle = one.top + one.height / 2;
        const over = lines.find(([other, there]) => there !== word && one.left + 2 < other.right
            && other.left + 2 < one.right && other.top < middle && middle < other.bottom);
        if (over) found.push(`${word} on ${over[1]}`);
    }
    return found;
}"""
)

# a link of two lines is high enough by chance: words and names of today may take two, tomorrow's one
LOW = """(end) => [...document.querySelectorAll("main a, main summary")].filter((node) => {
    node.style.whiteSpace = "nowrap";
    return node.checkVisibility() && node.getBoundingClientRect().height < 24;
}).map((node) => `${end} ${node.textContent}`)"""


@pytest.fixture
def sample(live_server: Any) -> Event:
    """Return the sample event in mid-play; others are in their last hand, which all may see, or have given prizes."""
    last = make_event(slug="last", rounds=1, by=get_site_organiser())
    for number in (1, 2):
        lines = ("2r1 330", "3r2 330", "4r3 m", "1r4 240", "2r1 230", "3t 330", "2r3 340")
        enter_all(table_of(last, number), *lines)
    Person.objects.filter(players__event=last, players__number=2).update(preferred_name="Kwabena Osei-Adomako")
    Event.objects.filter(pk=last.pk).update(show_needs=True, live_tables="hands", live_others="all")
    prizes = make_event(slug="prizes", tables=1, rounds=1, by=get_site_organiser())
    play_round(prizes, 1, "1t 230", "2r3 340/2", "d13/1")
    begin_prizes(event=prizes, top=0, by=get_site_organiser())
    show_prizes(event=prizes, step=4, by=get_site_organiser())
    event = in_teams(load_samples(now=timezone.now(), only=["sanmatsuri-sample"])[0])
    count_in_season(event)
    return event


def look(page: "Page", width: int, language: str) -> list[str]:
    """Return what is wrong on all pages at a width, in the language of the tab."""
    page.set_viewport_size({"width": width, "height": 844})
    found = []
    for address in PAGES:
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")
        found += [f"{language} {width} {address}: {what}" for what in page.evaluate(LOOK)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_no_word_falls_apart_and_nothing_leaves_the_screen(
    open_tab: OpenTab, sample: Event, whole: bool, pytestconfig: pytest.Config
) -> None:
    seed = pytestconfig.getoption("randomly_seed", 0)
    page = open_tab(phone=True)
    every = list(product(LANGUAGES.items(), WIDTHS))
    found = []
    for (language, name), width in every if whole else [every[seed % len(every)]]:
        choose(page, language, name)
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": DOUBLE})
        found += look(page, width, language)
    assert found == [], f"seed {seed}"


def test_placements_keep_their_digits_in_one_line_and_the_ticker_fades_at_its_ends(
    open_tab: OpenTab, sample: Event
) -> None:
    page = open_tab(phone=True)
    choose(page, "de", LANGUAGES["de"])
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": DOUBLE})
    page.set_viewport_size({"width": 320, "height": 844})
    page.goto("/e/sanmatsuri-sample/standings/")
    lines = page.locator(".placed-count").evaluate_all("all => all.map((one) => one.getClientRects().length)")
    assert lines == [1] * 24  # none where it is not shown
    page.goto("/e/sanmatsuri-sample/overlay/ticker/")
    mask = page.locator(".overlay-window").evaluate("(node) => getComputedStyle(node).maskImage")
    assert mask.startswith("linear-gradient(")


# between the words of the tabs, and from them to the edges of the screen
TAB_GAPS = """() => {
    const edges = [...document.querySelectorAll(".public-tabs a")].map((tab) => {
        const range = document.createRange();
        range.selectNodeContents(tab);
        return range.getBoundingClientRect();
    });
    return [...edges, { left: innerWidth }].map((box, at) => box.left - (at ? edges[at - 1].right : 0));
}"""


def test_the_words_of_the_tabs_stay_apart(open_tab: OpenTab, sample: Event) -> None:
    page = open_tab(phone=True)
    close = []
    for language, name in LANGUAGES.items():
        choose(page, language, name)
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": DOUBLE})
        page.set_viewport_size({"width": 320, "height": 844})
        for end in ("", "standings/", "rounds/", "players/3/"):
            page.goto(f"/e/sanmatsuri-sample/{end}")
            close += [(language, end, gap) for gap in page.evaluate(TAB_GAPS) if gap < 4]
    assert close == []


def test_the_words_of_the_desks_bar_and_the_names_of_its_pile_stay_apart(open_tab: OpenTab, sample: Event) -> None:
    page = open_tab(get_site_organiser(), phone=True)
    page.set_viewport_size({"width": 320, "height": 844})
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": DOUBLE})
    sample.players.exclude(number=11).update(checked_in_at=timezone.now())
    wide = []
    for language in LANGUAGES:
        Event.objects.update(language=language)  # which a desk speaks
        page.goto(f"/desk/{sample.slug}/rounds/3/totals/")
        expect(page.locator("html")).to_have_attribute("lang", language)
        words = page.locator(".bar .tabs a, .bar .bar-state, .bar .bar-who, .pile-names, .pile-missing")
        assert words.count() == 10 + 8 + 1
        over = words.evaluate_all(
            "all => all.filter((one) => one.scrollWidth > one.clientWidth"
            " || one.getBoundingClientRect().right > innerWidth).map((one) => one.innerText)"
        )
        torn = [each for each in page.evaluate(LOOK) if " on " in each]
        wide += [(language, each) for each in over + torn]
    assert wide == []
    page.goto(f"/desk/{sample.slug}/")
    widths = page.locator(".steps > li").evaluate_all("all => all.map((one) => one.offsetWidth)")
    assert min(widths) > 180  # one below another: narrower ones tear their words


def test_phones_show_the_desks_tabs_and_the_marks_of_its_day(open_tab: OpenTab, sample: Event) -> None:
    page = open_tab(get_site_organiser(), phone=True)
    found = []
    for language, width in product(LANGUAGES, WIDTHS):
        Event.objects.update(language=language)
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(f"/desk/{sample.slug}/")
        tabs = page.locator(".bar .tabs a")
        wide = tabs.evaluate_all(
            "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"
        )
        marks = page.locator(".steps .icon").evaluate_all("all => all.map((one) => one.getBoundingClientRect().width)")
        assert len(marks) == 7
        found += [(language, width, each) for each in (*wide, *(mark for mark in marks if mark < 12))]
    assert found == []


def test_the_announcer_reads_whole_names_on_a_phone(open_tab: OpenTab, sample: Event) -> None:
    Person.objects.filter(players__event__slug="prizes").update(preferred_name="Zbigniew Wiśniowiecki")
    Event.objects.update(language="de")  # whose medals are the widest
    page = open_tab(get_site_organiser(), phone=True)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/desk/prizes/wall/prizes/")
    lines = page.locator(".announcer-step .big").evaluate_all(
        "all => all.map((one) => { const name = document.createRange(); name.selectNodeContents(one);"
        " name.setStart(one.firstChild, 9); return name.getClientRects().length; })"
    )
    assert set(lines) == {1}


@pytest.mark.parametrize(("phone", "least"), [(True, 340), (False, 300)])
def test_what_is_wrong_with_a_notation_has_its_own_line(open_tab: OpenTab, phone: bool, least: int) -> None:
    page = open_tab(phone=phone)
    page.goto("/calculator/?line=123m+456p+789s+11z+23p+1p")
    wrong = page.locator("[data-line-wrong] .note")
    expect(wrong).to_be_visible()
    box, rules = wrong.bounding_box(), page.locator("[data-rules]").bounding_box()
    assert box is not None
    assert rules is not None
    assert (box["width"] >= least, rules["height"] < 60) == (True, True)


def test_the_tick_that_shows_rounds_is_never_seen(open_tab: OpenTab, sample: Event) -> None:
    page = open_tab(phone=True)
    page.goto("/e/sanmatsuri-sample/standings/")
    label, before = page.get_by_text("Show rounds"), page.locator(".standings").bounding_box()
    at = label.bounding_box()
    assert at is not None
    page.mouse.move(at["x"] + 9, at["y"] + 9)
    page.mouse.down()
    box = page.locator("#every-round").bounding_box()
    assert box is not None
    assert (box["width"] <= 1, page.locator(".standings").bounding_box()) == (True, before)
    page.mouse.up()
    expect(page.locator(".standings .round").first).to_be_visible()


@pytest.mark.parametrize("address", ["/e/sanmatsuri-sample/calculator/", "/e/sanmatsuri-sample/rounds/3/"])
def test_what_scripts_add_moves_nothing(open_tab: OpenTab, sample: Event, address: str) -> None:
    page = open_tab(phone=True)
    page.add_init_script(SHIFTS)
    page.goto(address)
    page.wait_for_load_state("load")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("window.shifted") < 0.02


def test_wide_screens_sort_the_standings(open_tab: OpenTab, sample: Event) -> None:
    page = open_tab()
    page.goto("/e/sanmatsuri-sample/standings/")
    names = page.locator(".standings tbody .who a")
    ranking = names.all_inner_texts()
    totals = page.locator(".standings tbody .total")
    page.get_by_role("button", name="Player").click()
    assert names.first.inner_text() == "Anselm Vorderbrück"
    page.get_by_role("button", name="R1").click()
    rounds = [
        float(text.replace("\N{MINUS SIGN}", "-")) for text in page.locator(".round:nth-child(10)").all_inner_texts()
    ]
    assert rounds == sorted(rounds, reverse=True)
    expect(page.locator("th[aria-sort=descending]")).to_have_text("R1")
    page.get_by_role("button", name="R1").click()
    page.get_by_role("button", name="R1").click()
    assert names.all_inner_texts() == ranking
    assert totals.first.inner_text().startswith("+")


def test_every_link_is_high_enough(open_tab: OpenTab, sample: Event) -> None:
    page = open_tab(phone=True)
    low = []
    for end in ("", "?me=3", "standings/", "recap/", "teams/", "players/3/against/4/", "rounds/1/tables/1/"):
        page.goto(f"/e/sanmatsuri-sample/{end}")
        low += page.evaluate(LOW, end)
    assert low == []
