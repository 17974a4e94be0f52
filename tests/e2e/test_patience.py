"""What tests expect of pages: waited for over and over, given up when it can't come, and everywhere the same way."""

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e import timeouts
from tests.e2e.conftest import OpenTab
from tests.e2e.contexts import within
from tests.e2e.timeouts import PATIENCE, expect

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_what_comes_after_several_looks_is_waited_for(page: "Page", monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(timeouts, "AT_ONCE", 20)
    page.set_content("<p>waits</p>")
    page.evaluate("setTimeout(() => { document.querySelector('p').textContent = 'came' }, 150)")
    expect(page.locator("p")).to_have_text("came")
    expect(page.locator("p")).not_to_have_text("waits")


def test_what_never_comes_fails(page: "Page"):
    page.set_content("<p>waits</p>")
    with pytest.raises(AssertionError, match="came"):
        expect(page.locator("p")).to_have_text("came", timeout=50)
    with pytest.raises(AssertionError):
        expect(page.locator("p")).not_to_be_visible(timeout=50)


def test_two_where_one_is_meant_fail_without_waiting(page: "Page"):
    page.set_content("<p>one</p><p>two</p>")
    with pytest.raises(AssertionError, match="strict mode violation"):
        expect(page.locator("p")).to_have_text("one")


def test_no_test_looks_at_pages_twice_a_second_only():
    files = sorted(Path(__file__).parent.glob("*.py"))
    seldom = [path.name for path in files if re.search(r"import (\w+, )*expect\b(?! as)", _of_playwright(path))]
    assert len(files) > 30
    assert seldom == []


def _of_playwright(path: Path) -> str:
    """Return the lines of a module that import something of playwright's."""
    return "\n".join(re.findall(r"^ *from playwright.*$", path.read_text(encoding="utf-8"), re.MULTILINE))


def test_a_tab_that_answers_nothing_is_not_waited_for_for_ever(open_tab: OpenTab) -> None:
    with pytest.raises(TimeoutError):
        within(open_tab().context, asyncio.sleep(PATIENCE), 0.01)
