"""Contexts of the browser, which tests use one after the other: to begin one takes as much as to load a page.

Each has an empty page that no test sees. While that is open, the browser keeps the process of the context's pages. What
a test leaves is taken away before the next one comes, pages in the browser's cache, too: the next event of that name
may have come as far, and would be answered with them.
"""

import asyncio
import contextlib
import re
from collections import defaultdict
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, ConsoleMessage, Page, WebError

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
# The browser logs as errors an answer of 4xx, which is often just what a test is after; a question that was still open
# when its page was left; and a look at a line that was typed on meanwhile.
NO_COMPLAINT = re.compile(
    "Failed to load resource|Response Status Error Code 401|htmx:(afterRequest|sendError|sendAbort)"
)
# Of a page that is still loading when its network is taken away, a script's own request and the service worker's file.
OF_CLOSING = re.compile("Failed to fetch|An unknown error occurred when fetching the script")
STUCK = 20.0  # seconds; once in some thousand tabs Chromium answers nothing any more, and playwright waits for ever
CLOCK = "'__pwClock' in globalThis"  # playwright's own, which nobody can take out of a context again


def within(context: "BrowserContext", doing: Coroutine[Any, Any, None], seconds: float = STUCK) -> None:
    """Do what a method of playwright does that has no time limit, within one; raises TimeoutError."""
    context._sync(asyncio.wait_for(doing, seconds))


@dataclass(eq=False)
class Kept:
    """A context with its empty page, and what scripts and the content policy complained of in its tabs."""

    context: "BrowserContext"
    empty: "Page"
    wire: "CDPSession"
    complaints: list[str] = field(default_factory=list)
    closing: bool = False
    stuck: bool = False

    def note(self, message: "ConsoleMessage") -> None:
        """Keep what the console says, if it is a complaint."""
        if message.type == "error" and not NO_COMPLAINT.match(message.text):
            self.add_complaint(message.text)

    def note_error(self, error: "WebError") -> None:
        """Keep an error that no script caught."""
        self.add_complaint(str(error.error))

    def add_complaint(self, text: str) -> None:
        """Add what the tests must not see, but for what comes of closing a tab."""
        if not (self.closing and OF_CLOSING.search(text)):
            self.complaints.append(text)

    def close_tabs(self) -> None:
        """Close what a test opened, without network: the answer to a tab's last word may come in the next test."""
        self.closing = True
        try:
            within(self.context, self.context._impl_obj.set_offline(offline=True))
        except TimeoutError:
            self.stuck = True
            return
        for page in self.context.pages:
            if page is not self.empty:
                page.close()

    def is_cleared(self, origin: str) -> bool:
        """Take away what a test has left at this address; return whether nothing is left of it."""
        if self.stuck:
            return False
        self.context.set_offline(False)
        self.closing = False
        self.context.clear_cookies()
        self.wire.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        self.wire.send("Network.clearBrowserCache")
        return not self.empty.evaluate(CLOCK)


class Shelf:
    """All contexts that no test has just now, by their kind."""

    def __init__(self, browser: "Browser", origin: str) -> None:
        """Begin with none."""
        self.browser, self.origin = browser, origin
        self._kept: defaultdict[tuple[bool, bool], list[Kept]] = defaultdict(list)

    def take(self, *, phone: bool, scripts: bool) -> Kept:
        """Return a context in which nothing is, of a phone or a laptop, with scripts or without."""
        kept = self._kept[phone, scripts]
        return kept.pop() if kept else self._make(phone=phone, scripts=scripts)

    def put_back(self, kept: Kept, *, phone: bool, scripts: bool) -> None:
        """Put a context back whose tabs are closed, if the next test can have it."""
        if kept.is_cleared(self.origin):
            kept.complaints.clear()
            self._kept[phone, scripts].append(kept)
        else:
            with contextlib.suppress(TimeoutError):
                within(kept.context, kept.context._impl_obj.close(reason=None))

    def _make(self, *, phone: bool, scripts: bool) -> Kept:
        context = self.browser.new_context(
            **(PHONE if phone else LAPTOP),
            base_url=self.origin,
            java_script_enabled=scripts,
            locale="en-GB",
            timezone_id="Europe/London",
        )
        empty = context.new_page()
        kept = Kept(context, empty, context.new_cdp_session(empty))
        context.on("console", kept.note)
        context.on("weberror", kept.note_error)
        return kept
