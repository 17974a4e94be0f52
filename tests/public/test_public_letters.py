"""Public pages need no East Asian letters: winds and the name of Japanese are drawn, so nobody reads empty boxes."""

import re
from functools import partial

import pytest
from django.test import Client
from fontTools.ttLib import TTFont

from bootstrap import REPO
from tests.factories import enter_all, make_event, play_round, table_of
from tests.pages.test_audiences import addresses
from tests.seasons.evenings import count_in_season

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

NO_PAGES = (".pdf", ".ics", ".js", ".webmanifest", "/logout/", "/login/", "/count/", "/language/", "/drill/none/")
EAST_ASIAN = re.compile("[\u2e80-\u9fff\uff00-\uffef\U0001f000-\U0001f02f]+")
# what is only read aloud, only typed against, or not text at all
UNSEEN = re.compile(
    r'<span class="unseen">[^<]*</span>|<(script|style|template)\b.*?</\1>|<option\b.*?</option>|<[^>]*>', re.DOTALL
)

IN_OWN_FONT = re.compile(r'<span lang="ja">([^<]*)</span>')  # the list of yaku, see static/rulesets/event.css


def _lacking(own_font: dict[int, str], found: re.Match[str]) -> str:
    return "".join(letter for letter in found[1] if ord(letter) not in own_font)


@pytest.mark.parametrize("language", ["en-gb", "de", "fr"])
def test_no_page_shows_a_letter_that_a_western_system_may_lack(client: Client, language: str):
    event = make_event(slug="cup", tables=1, rounds=2)
    play_round(event, 1, "2r3 340/2", "1t 230")
    enter_all(table_of(event, round_=2), "1t 230")
    event.show_needs, event.live_tables, event.live_others = True, "hands", "all"
    event.save()
    count_in_season(event)
    own_font = TTFont(REPO / "static/fonts/BIZUDPGothic-Regular-yaku.woff2").getBestCmap()
    looked, found = 0, []
    for address in [*addresses("anyone", "public"), "/e/cup/?me=1", "/e/cup/?pick"]:
        if any(part in address for part in NO_PAGES) or address.startswith("/api/"):
            continue
        page = client.get(address, headers={"Accept-Language": language})
        if page.status_code == 200 and page["Content-Type"].startswith("text/html"):
            looked += 1
            seen = IN_OWN_FONT.sub(partial(_lacking, own_font), page.content.decode())
            found += [(address, letters) for letters in EAST_ASIAN.findall(UNSEEN.sub(" ", seen))]
    assert found == []
    assert looked > 20
