"""The organisers' first page, followed in a browser from an empty desk to results."""

import re

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.first_event import HANDS, NAMES, PAGE, SCORES, SHEET, SLUG, follow_steps
from tests.e2e.timeouts import expect
from tests.factories import make_account

COUNT_CLICKS = """addEventListener("click", ({ detail }) => {
  if (detail) localStorage.setItem("clicks", 1 + Number(localStorage.getItem("clicks")));
}, true)"""  # a label's click on its field and Enter on a button have the detail 0


@pytest.mark.slow
@pytest.mark.follows("before/first-event.md")
def test_the_first_event_is_played_as_its_page_describes_it(open_tab: OpenTab):
    text = PAGE.read_text(encoding="utf-8")
    page = open_tab(make_account("Organiser", superuser=True))
    page.add_init_script(COUNT_CLICKS)
    page.goto("/")
    assert list(follow_steps(page)) == re.findall(r"^## \d+\. (.+)$", text, re.MULTILINE)
    clicks = page.evaluate("Number(localStorage.getItem('clicks'))")
    assert f"{clicks} clicks" in text
    for typed in (*HANDS, *map(str, SCORES), *SHEET):
        assert typed in text
    assert NAMES.replace(", ", "\n") in text
    leader = page.get_by_role("row").filter(has_text="+26.2")
    expect(leader).to_have_count(1)
    page.goto(f"/e/{SLUG}/")
    expect(page.get_by_text("+26.2").first).to_be_visible()  # and the public sees the same
