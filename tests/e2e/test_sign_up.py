"""Sign-up in a browser, on a phone without scripts: come, wait, cancel, move up, check in; the desk makes players."""

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail
from django.utils import timezone

from tests.e2e.conftest import OpenTab
from tests.e2e.patience import expect
from tests.factories import writer_of
from tests.sign_ups import event_with
from tournament.events.models import Event
from tournament.signup.letter_sender import send_waiting
from tournament.signup.models import EmaPlayer

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def event(live_server: Any, settings: Any) -> Event:
    settings.MAIL, settings.DEFAULT_FROM_EMAIL = True, "desk@example.org"
    EmaPlayer.objects.create(number="04020001", name="Ada Moss", country="DEU", club="Felt Club")
    return event_with(places=1, site=live_server.url, self_check_in=True)


def follow_letter(page: "Page", to: str) -> None:
    """Open the link of the newest letter to somebody."""
    send_waiting()
    body = next(str(each.body) for each in reversed(mail.outbox) if each.to == [to])
    found = re.search(r"\S+/e/cup/sign-up/\S+", body)
    assert found is not None
    page.goto(found[0])


def come(page: "Page", to: str) -> None:
    page.goto("/e/cup/")
    page.get_by_role("link", name="About the event").first.click()
    page.locator("a.is-main").click()
    page.get_by_label("Email").fill(to)
    page.get_by_role("button", name="Send me the link").click()
    expect(page.get_by_role("status")).to_contain_text("A letter is on its way.")
    follow_letter(page, to)


@pytest.mark.follows("before/sign-up.md")
def test_one_cancels_and_the_next_one_plays(open_tab: OpenTab, event: Event) -> None:
    ada = open_tab(phone=True, scripts=False)
    come(ada, "ada@example.org")
    ada.get_by_label("EMA number").fill("0402 0001")
    ada.get_by_role("button", name="Fill in by number").click()
    expect(ada.get_by_label("Name", exact=True)).to_have_value("Ada Moss")
    ada.get_by_role("button", name="Sign up").click()
    expect(ada.get_by_role("heading", name="You have a place.")).to_be_visible()

    ben = open_tab(phone=True, scripts=False)
    come(ben, "ben@example.org")
    ben.get_by_label("Name", exact=True).fill("Ben")
    ben.get_by_role("button", name="Sign up").click()
    expect(ben.get_by_role("heading", name="Number 1 on the waiting list")).to_be_visible()

    ada.get_by_role("button", name="Cancel my sign-up").click()
    ada.get_by_role("button", name="Cancel my sign-up").first.click()
    expect(ada.get_by_role("heading", name="Your sign-up is cancelled.")).to_be_visible()
    follow_letter(ben, "ben@example.org")
    ben.get_by_role("button", name="Accept the place").click()
    expect(ben.get_by_role("heading", name="You have a place.")).to_be_visible()

    desk = open_tab(writer_of(event))
    desk.goto("/desk/cup/sign-ups/")
    desk.get_by_role("button", name="Make a player of 1 sign-up").click()
    desk.get_by_role("button", name="Make players").click()
    expect(desk.get_by_role("link", name="Ben")).to_be_visible()
    Event.objects.update(date=timezone.localdate())
    ben.reload()
    ben.get_by_role("button", name="I am here").click()
    expect(ben.get_by_text("You are checked in.")).to_be_visible()
