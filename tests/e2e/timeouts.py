"""How long a test waits for what it expects of a page, and how often it looks meanwhile.

Playwright looks at what it may wait long for only every half second. Most of what a test waits for comes sooner than
that: so here it may wait two seconds, during which it looks ten times a second, and is asked again until time is up.
"""

import time
from typing import TYPE_CHECKING, Any, cast, overload

from playwright.sync_api import expect as expect_once

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from playwright.sync_api._generated import LocatorAssertions, PageAssertions

PATIENCE = 30_000  # milliseconds; nothing here takes a tenth of it on a quiet machine
AT_ONCE = 2_400  # from 2,500 on it looks every half second


class Patient:
    """What is expected of a page or a part of it, by the names and with the arguments that playwright gives them."""

    def __init__(self, actual: "Page | Locator") -> None:
        """Take what is looked at."""
        self._assertions = expect_once(actual)

    def __getattr__(self, name: str) -> Any:
        """Return the assertion of that name, which waits until it holds or its time is up."""
        look = getattr(self._assertions, name)

        def wait(*args: Any, timeout: float = PATIENCE, **options: Any) -> None:
            __tracebackhide__ = True
            until = time.monotonic() + timeout / 1000
            while True:
                this_time = max(1.0, min(AT_ONCE, (until - time.monotonic()) * 1000))
                try:
                    look(*args, timeout=this_time, **options)
                except AssertionError as error:
                    # two elements where one is meant never become one; a look that a navigation ends is looked again
                    if time.monotonic() >= until or "strict mode violation" in str(error):
                        raise
                else:
                    return

        return wait


@overload
def expect(actual: "Locator") -> "LocatorAssertions": ...
@overload
def expect(actual: "Page") -> "PageAssertions": ...
def expect(actual: "Page | Locator") -> "LocatorAssertions | PageAssertions":
    """Return what can be expected of a page or a part of it."""
    return cast("LocatorAssertions", Patient(actual))
