"""Each page for organisers that has numbered steps is followed by tests, which are marked with it."""

import re

from bootstrap import REPO

PAGES = REPO / "docs" / "organiser"


def test_each_page_of_numbered_steps_is_followed_by_a_test() -> None:
    pages = {page.relative_to(PAGES).as_posix(): page.read_text(encoding="utf-8") for page in PAGES.rglob("*.md")}
    marks = [
        mark
        for file in (REPO / "tests").rglob("test_*.py")
        for mark in re.findall(r"^ *@pytest\.mark\.follows\(([^)]+)\)", file.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    followed = {page for mark in marks for page in re.findall(r'"([^"]+)"', mark)}
    assert sorted(followed - set(pages)) == []
    assert {page for page, text in pages.items() if re.search(r"^1\. ", text, re.MULTILINE)} - followed == set()
