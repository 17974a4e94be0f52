"""Changing the rules of an event in a browser: before play, then during it, and what a player's phone shows of it."""

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.patience import expect
from tests.factories import play_round, writer_of
from tests.fixtures import live_event
from tournament.events.models import Event

MANGAN = "1r2 430"  # 4 han 30 fu: a mangan where the rules round up


event = live_event(slug="cup", tables=1, rounds=2)


# without scripts it is the form that tests/rulesets/test_rules.py sends
@pytest.mark.follows("rules.md")
@pytest.mark.parametrize(
    "scripts", [True, pytest.param(False, marks=pytest.mark.nightly)], ids=["with scripts", "without"]
)
def test_rules_change_before_play_and_during_it(open_tab: OpenTab, event: Event, scripts: bool) -> None:
    desk = open_tab(writer_of(event), scripts=scripts)
    phone = open_tab(phone=True, scripts=scripts)

    # before play: two fields that do not go together, then one that does
    desk.goto("/desk/cup/settings/rule-set/")
    desk.get_by_role("link", name="Change the rules").click()
    desk.get_by_label("Minutes from the start to the signal").fill("60")
    desk.get_by_label("Points each player starts with").fill("25,000")
    desk.get_by_role("button", name="Change the rules").click()
    expect(desk.get_by_text("Nothing was saved. Please check:")).to_be_visible()
    expect(desk.locator("#rule-oka .error")).to_contain_text("Must be 20000")
    expect(desk.locator("#rule-start_points .error")).to_contain_text("This does not go with")
    expect(desk.get_by_label("Minutes from the start to the signal")).to_have_value("60")
    desk.get_by_label("Points each player starts with").fill("30,000")
    desk.get_by_role("button", name="Change the rules").click()
    expect(desk.get_by_text("The rules of this event are changed.")).to_be_visible()
    expect(desk.get_by_role("heading", name="1 rule differs from EMA 2025")).to_be_visible()

    phone.goto("/e/cup/")
    phone.get_by_role("link", name="Rules of this event").click()
    expect(phone.get_by_role("heading", name="Changed from EMA 2025: 1 rule")).to_be_visible()
    expect(phone.get_by_role("heading", name="Changed during the event")).to_have_count(0)

    # during play: a reason, and a look at what it does to a released round
    play_round(event, 1, MANGAN)
    desk.get_by_role("link", name="Change the rules").click()
    kiriage = desk.locator("#rule-kiriage_mangan input")
    kiriage.uncheck()
    desk.get_by_role("button", name="Change the rules").click()
    expect(desk.locator(".rule-save .error")).to_have_text("This field is required.")
    expect(kiriage).not_to_be_checked()
    desk.get_by_label("Reason").fill("The hall plays without rounding up")
    desk.get_by_role("button", name="Change the rules").click()
    effects = desk.locator(".rule-effects")
    expect(effects).to_contain_text("1 table would be scored differently")
    expect(effects).to_contain_text("42,000 to 41,600")
    effects.get_by_role("button", name="Change the rules anyway").click()
    expect(desk.get_by_text("The rules of this event are changed.")).to_be_visible()

    phone.reload()
    changes = phone.locator(".rule-changes")
    expect(changes).to_contain_text("The hall plays without rounding up")
    expect(changes).to_contain_text("4 han 30 fu and 3 han 60 fu count as mangan: no instead of yes")
