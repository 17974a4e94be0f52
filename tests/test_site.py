"""The site of docs/: built without a warning, with each page in its menu, and pages that the program writes."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from bootstrap import REPO
from scripts import build_site
from web.management.commands import desk

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site, beside that of an older version; a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "0.0.9").mkdir()
    (folder / "0.0.9" / "index.html").write_text("old")
    build_site.build(folder)
    return folder


class Words(HTMLParser):
    """Gathers the words of a page."""

    def __init__(self, page: Path) -> None:
        """Read the whole page."""
        super().__init__()
        self.found: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_data(self, data: str) -> None:
        """Keep what stands between two tags."""
        self.found += data.split()


def text_of(page: Path) -> str:
    """Return the words of a page, without its tags."""
    return " ".join(Words(page).found)


def test_each_page_of_docs_is_a_page_of_the_site_and_found_by_search(site: Path) -> None:
    ours = site / build_site.VERSION
    pages = [path.relative_to(REPO / "docs").with_suffix("") for path in (REPO / "docs").rglob("*.md")]
    lacking = [str(page) for page in pages if not (ours / page / "index.html").exists() and page.name != "index"]
    assert lacking == []
    index = (ours / "searchindex.js").read_text(encoding="utf-8")
    assert [page for page in pages if f'"{page.as_posix()}"' not in index] == []


def test_the_newest_version_comes_first_and_an_older_one_stays(site: Path) -> None:
    assert (site / "versions.json").read_text() == f'["{build_site.VERSION}", "0.0.9"]'
    assert f"{build_site.VERSION}/" in (site / "index.html").read_text()


def test_the_program_writes_the_reference(site: Path) -> None:
    reference = site / build_site.VERSION / "reference"
    assert f"{desk.Command.help.split('.')[0]}" in text_of(reference / "commands" / "index.html")
    assert "HANCHAN_DATA" in text_of(reference / "variables" / "index.html")
    assert "GET /api/v1/events/{slug}/" in text_of(reference / "api" / "index.html")
    assert "return_points" in text_of(reference / "rule-fields" / "index.html")
    assert "S0: Honba Payments" in text_of(reference / "rules" / "sanmatsuri-2026" / "index.html")
