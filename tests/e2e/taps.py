"""A person at the picker of tiles, on a phone: what it takes to enter a hand is counted in taps."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Fingers:
    """A person at the picker, whose taps are counted."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.taps = 0

    def tap(self, name: str) -> None:
        """Tap a button by its name."""
        self.page.get_by_role("button", name=name, exact=True).tap()
        self.taps += 1

    def at(self, selector: str) -> None:
        """Tap what is there, greyed or not."""
        self.page.locator(selector).tap(force=True)
        self.taps += 1

    def tiles(self, text: str) -> None:
        """Tap tiles of the palette, written as in "34p6s"."""
        for digits, suit in re.findall(r"(\d+)([mpsz])", text):
            for digit in digits:
                self.at(f'[data-tap="{digit}{suit}"]')
