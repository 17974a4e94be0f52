"""The site of docs/: built without a warning, with each page in its menu, and pages that the program writes."""

import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from bootstrap import REPO
from scripts import build_site
from web.management.commands import desk

pytestmark = pytest.mark.slow
MENU = re.compile(r"```\{toctree\}\n:hidden:\n\n(.*?)```", re.DOTALL)


def text_of(page: Path) -> str:
    """Return the words of a page, without its tags."""
    return " ".join(BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").get_text(" ").split())


SAID = {
    "commands": desk.Command.help.split(".")[0],
    "variables": "HANCHAN_DATA",
    "api": "GET /api/v1/events/{slug}/",
    "rule-fields": "return_points",
    "rules/sanmatsuri-2026": "S0: Honba Payments",
}


@pytest.mark.once
def test_each_page_of_the_program_says_what_the_program_says_of_itself(tmp_path: Path) -> None:
    pages = build_site.gather(tmp_path / "docs")
    for page, text in SAID.items():
        assert text in (pages / "reference" / f"{page}.md").read_text(encoding="utf-8"), page
    in_menus = {
        (page.parent / entry.removesuffix(".md")).resolve()
        for page in pages.rglob("*.md")
        for menu in MENU.findall(page.read_text(encoding="utf-8"))
        for entry in re.findall(r"([^\s<>]+)>?$", menu, re.MULTILINE)
    }
    assert {page.resolve().with_suffix("") for page in pages.rglob("*.md")} - in_menus == {pages.resolve() / "index"}


@pytest.mark.nightly
def test_the_site_is_built_without_a_warning_has_each_page_and_finds_it(tmp_path: Path) -> None:
    (tmp_path / "0.0.9").mkdir()
    (tmp_path / "0.0.9" / "index.html").write_text("of an older version")
    build_site.build(tmp_path)
    site = tmp_path / build_site.VERSION
    pages = [path.relative_to(REPO / "docs").with_suffix("") for path in (REPO / "docs").rglob("*.md")]
    lacking = [str(page) for page in pages if not (site / page / "index.html").exists() and page.name != "index"]
    assert lacking == []
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert [page for page in pages if f'"{page.as_posix()}"' not in index] == []
    found = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))
    by_text = {
        found["docnames"][page] for at in found["terms"].values() for page in (at if isinstance(at, list) else [at])
    }
    assert "organiser/before/first-event" in by_text
    assert [page for page in by_text if page.startswith(build_site.UNSEARCHED)] == []
    for page, text in SAID.items():
        assert text in text_of(site / "reference" / page / "index.html"), page
    assert (tmp_path / "versions.json").read_text() == f'["{build_site.VERSION}", "0.0.9"]'
    assert f"{build_site.VERSION}/" in (tmp_path / "index.html").read_text()
