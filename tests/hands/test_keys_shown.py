"""Every key of the hand line is shown on the hand page, and what is shown is what the notation reads."""

import re

import pytest

from scoring.entries import Entry
from scoring.shorthand import ABORTS, LIMITS, parse
from tests.factories import make_event
from tests.pages.at_desk import organiser, table_url
from tests.pages.html_reader import text, texts

pytestmark = [pytest.mark.once, pytest.mark.django_db]

# What is shown for a key → a line with it, for those that are no line by themselves; None for keys that write nothing.
SHOWN: dict[str, str | None] = {
    "2r3 340": "2r3 340", "2r3 m": "2r3 m", "2r3 5200": "2r3 5200", "2t 1300-2600": "2t 1300-2600", "=500": "1t =500",
    "2r3 340+1 5": "2r3 340+1 5", "↓": None, "2r3 [34p…]": "2r3 [34p]", "2t 230": "2t 230", "/2": "d/2",
    "/23b": "2r3 340/23b", "d13": "d13",
    "n2 d13": "n2 d13", "ak": "ak", "c2": "c2", "x2": "d x2", "y2": "1t y2", "y p1": "2t y p1",
    "5 c2": "2r3 5 c2", "e": "d1 e",
    "!5200": "2r3 340 !5200", "#…": "d #note", "=+1000,…": "=+1000,-1000,0,0 why", "Enter": None, "↑": None, "/": None,
    "Esc": None,
}  # fmt: skip
BY_RULES = {"n2 d13", "ak", "y2", "y p1", "5 c2", "e"}


def keys_of(rules: str) -> list[str]:
    """Return the keys that the hand page shows under a book."""
    event = make_event(rules, tables=1, rounds=1)
    shown = texts(organiser(event).get(table_url(event)), "dt")
    return shown[shown.index("2r3 340") :]


@pytest.mark.states("keys")
@pytest.mark.parametrize("rules", ["ema-2025", "tenhou-yonma", "sanmatsuri-2026", "kansai-sanma"])
def test_every_key_is_shown_where_the_rules_know_it(rules: str):
    keys = keys_of(rules)
    assert [key for key in SHOWN if key in keys] == keys
    assert set(SHOWN) - set(keys) <= BY_RULES
    if rules == "tenhou-yonma":
        assert set(SHOWN) - set(keys) <= {"y p1", "5 c2", "e"}
    assert ("5 c2" in keys) is (rules == "kansai-sanma")


@pytest.mark.parametrize("line", [line for line in SHOWN.values() if line and "[" not in line])
def test_what_is_shown_can_be_typed(line: str):
    assert isinstance(parse(line), Entry)


def test_every_letter_of_a_limit_and_of_an_abortive_draw_is_named():
    event = make_event("tenhou-yonma", tables=1, rounds=1)
    shown = text(organiser(event).get(table_url(event)), ".keys")
    limits = re.search(r"mangan; (.*?) haneman", shown)
    aborts = re.search(r"abortive draw: (.*?)ron", shown)
    assert limits
    assert aborts
    assert {"m", *limits[1].split()} == set(LIMITS)
    assert set(re.findall(r"(?:^|, )(\w) ", aborts[1])) == set(ABORTS)
