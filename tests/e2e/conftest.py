"""Tabs for tests that play the desk in a browser: each in a context of its own, signed in or not, laptop or phone.

A test fails after it has ended if a script or the content policy complained in any of its tabs.
"""

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from django.test import Client

from tests.e2e.own_desk import OwnDesk, prepare
from tests.e2e.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

    from tournament.models import Account

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
# The browser logs as errors an answer of 4xx, which is often just what a test is after; a question that was still open
# when its page was left; and a look at a line that was typed on meanwhile.
NO_COMPLAINT = re.compile(
    "Failed to load resource|Response Status Error Code 401|htmx:(afterRequest|sendError|sendAbort)"
)


class OpenTab(Protocol):
    """Opens a tab; `by` is signed in there."""

    def __call__(self, by: "Account | None" = None, *, phone: bool = False, scripts: bool = True) -> "Page": ...


@pytest.fixture
def open_tab(chromium: "Browser", live_server: Any) -> Iterator[OpenTab]:
    """Return a function that opens tabs, whose addresses begin at the server's root."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def note(message: "ConsoleMessage") -> None:
        if message.type == "error" and not NO_COMPLAINT.match(message.text):
            complaints.append(message.text)

    def open_one(by: "Account | None" = None, *, phone: bool = False, scripts: bool = True) -> "Page":
        context = chromium.new_context(
            **(PHONE if phone else LAPTOP),
            base_url=live_server.url,
            java_script_enabled=scripts,
            locale="en-GB",
            timezone_id="Europe/London",
        )
        contexts.append(context)
        context.on("console", note)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        if by is not None:
            context.add_cookies([{"name": "sessionid", "value": session_of(by), "url": live_server.url}])
        tab = context.new_page()
        tab.set_default_timeout(PATIENCE)
        return tab

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []


class StartDesk(Protocol):
    """Starts a desk of the tests' own, with the events "cup" and "hall"."""

    def __call__(self) -> OwnDesk: ...


@pytest.fixture(scope="module")
def start_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartDesk]:
    """Return a function that starts a desk, which is killed after the module's tests if it still runs."""
    room = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        room = room.parent  # of all workers of this run
    started: list[OwnDesk] = []

    def start() -> OwnDesk:
        desk = OwnDesk.copy_of(prepare(room), tmp_path_factory.mktemp("desk") / "data")
        started.append(desk)
        desk.start()
        return desk

    yield start
    for desk in started:
        if desk.process is not None:
            desk.kill()


def session_of(account: "Account") -> str:
    """Sign an account in and return the key of its session."""
    client = Client()
    client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    return client.cookies["sessionid"].value
