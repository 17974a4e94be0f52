"""Tabs for tests that play the desk in a browser: each in a context of its own, signed in or not, laptop or phone.

A test fails after it has ended if a script or the content policy complained in any of its tabs.
"""

import os
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.http import HttpResponse

from bootstrap import REPO
from tests.e2e.contexts import Kept, Shelf
from tests.e2e.own_desk import OwnDesk, prepare
from tests.e2e.timeouts import PATIENCE
from tests.pages.at_desk import session_of
from tournament.pages.static_files import STYLES, read_static

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from playwright.sync_api import Browser, Page

    from tournament.accounts.models import Account


class OpenTab(Protocol):
    """Opens a tab; `by` is signed in there."""

    def __call__(self, by: "Account | None" = None, *, phone: bool = False, scripts: bool = True) -> "Page": ...


@pytest.fixture(scope="session", autouse=True)
def _static_files_are_kept() -> Iterator[None]:
    """Serve static files as a desk does: the stylesheet joined, all for browsers to keep."""
    serve = StaticFilesHandler.serve
    joined = {f"{settings.STATIC_URL}{style}": read_static(REPO / "static" / style) for style in STYLES}

    def serve_to_keep(self: StaticFilesHandler, request: "HttpRequest") -> "HttpResponseBase":
        style = joined.get(request.path)
        answer = HttpResponse(style, content_type="text/css") if style else serve(self, request)
        answer["Cache-Control"] = "max-age=315360000, public, immutable"
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesHandler, "serve", serve_to_keep)
        yield


@pytest.fixture(scope="session")
def shelf(chromium: "Browser", live_server: Any) -> Shelf:
    """Return the contexts of this worker's browser."""
    return Shelf(chromium, live_server.url)


TABS = pytest.StashKey[list["Page"]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say of a failure where its tabs were: who waited in vain was often led to another page."""
    if call.when == "call" and call.excinfo is not None:
        for tab in item.stash.get(TABS, []):
            call.excinfo.value.add_note(f"A tab was at {tab.url}")
    return (yield)


@pytest.fixture
def open_tab(shelf: Shelf, live_server: Any, request: pytest.FixtureRequest) -> Iterator[OpenTab]:
    """Return a function that opens tabs, whose addresses begin at the server's root."""
    taken: list[tuple[Kept, dict[str, bool]]] = []
    tabs = request.node.stash[TABS] = []

    def open_one(by: "Account | None" = None, *, phone: bool = False, scripts: bool = True) -> "Page":
        kept = shelf.take(phone=phone, scripts=scripts)
        taken.append((kept, {"phone": phone, "scripts": scripts}))
        if by is not None:
            kept.context.add_cookies([{"name": "sessionid", "value": session_of(by), "url": live_server.url}])
        tab = kept.context.new_page()
        tab.set_default_timeout(PATIENCE)
        tabs.append(tab)
        return tab

    yield open_one
    for kept, _kind in taken:
        kept.close_tabs()
    complaints = [complaint for kept, _kind in taken for complaint in kept.complaints]
    for kept, kind in taken:
        shelf.put_back(kept, **kind)
    assert complaints == []


class StartDesk(Protocol):
    """Starts a desk of the tests' own, with the events "cup", "hall" and "room"."""

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
