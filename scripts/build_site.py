"""Build the site of docs/: `python scripts/build_site.py [FOLDER]`, for any web server; dist/site if none is named.

Each version has a folder of its own, so that the pages of an older desk stay; the start of the site leads to the newest
one. Pages that say what the program knows itself (commands, variables, API, rules) are written by the program.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPO))

from scripts.site_reference import write_reference  # noqa: E402

VERSION = str(tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
LINK = re.compile(r"\]\(([^)#\s]+\.md)(?:#[^)]*)?\)")
# the parts of the site in the order of its menu: folder, what the menu calls it
PARTS = {
    "players": "Players",
    "organiser": "Run an event",
    "operate": "Operate a desk",
    "reference": "Reference",
    "rules": "Rule sets",
    "schema": "Files of other programs",
    "developer": "Developers",
    "decisions": "Decisions",
}
# parts whose texts the search leaves out: it is for people who run an event
UNSEARCHED = ("developer", "decisions")
# what pages link to that Sphinx takes from elsewhere: the link as written, as the site has it
ELSEWHERE = {
    "../../tests/data/statements.toml": "statements.toml",
    "../../tests/data/sentences.toml": "sentences.toml",
    "../decisions)": "../decisions/README.md)",
    "../../CONTRIBUTING.md": "../CONTRIBUTING.md",
}
AT_THE_ROOT = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
LEADS_ON = """<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={version}/">
<title>Hanchan Desk</title>
<a href="{version}/">Hanchan Desk {version}</a>
"""


def main() -> None:
    """Build the site into the folder that is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=REPO / "dist" / "site")
    folder: Path = parser.parse_args().folder
    build(folder)
    print(f"{folder / VERSION / 'index.html'}")


def build(folder: Path) -> None:
    """Write this version's pages below `folder`, the list of versions, and a start page that leads to the newest."""
    with tempfile.TemporaryDirectory() as made:
        pages = gather(Path(made) / "docs")
        shutil.rmtree(folder / VERSION, ignore_errors=True)
        run_sphinx(pages, folder / VERSION)
    versions = sorted((path.parent.name for path in folder.glob("*/index.html")), key=_by_number, reverse=True)
    (folder / "versions.json").write_text(json.dumps(versions), encoding="utf-8")
    (folder / "index.html").write_text(LEADS_ON.format(version=versions[0]), encoding="utf-8")


def run_sphinx(pages: Path, to: Path, builder: str = "dirhtml") -> None:
    """Write gathered pages; raises CalledProcessError for a warning. The builder "dummy" only looks for warnings."""
    sphinx = [sys.executable, "-m", "sphinx", "-q", "-b", builder, "--fail-on-warning", "--keep-going"]
    subprocess.run([*sphinx, str(pages), str(to)], check=True)


def _by_number(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def gather(pages: Path) -> Path:
    """Copy docs/ to `pages`, with what Sphinx needs beside it: the pages of the program, and menus."""
    shutil.copytree(REPO / "docs", pages)
    for name in ("pyproject.toml", "LICENSE", *AT_THE_ROOT):
        shutil.copy(REPO / name, pages / name)
    for name in ("statements.toml", "sentences.toml"):
        shutil.copy(REPO / "tests" / "data" / name, pages / "rules")
    shutil.copy(REPO / "static" / "icons" / "favicon.svg", pages)
    write_reference(pages / "reference")
    _list_decisions(pages / "decisions")
    for page in pages.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        for written, ours in ELSEWHERE.items():
            text = text.replace(f"]({written}", f"]({ours}")
        if page.name in AT_THE_ROOT:
            text = text.replace("](docs/", "](")
        page.write_text(text, encoding="utf-8")
    for part in PARTS:
        _add_menu(start_of(pages / part), within(pages / part))
    starts = {title: start_of(pages / part).relative_to(pages).with_suffix("") for part, title in PARTS.items()}
    _add_menu(pages / "index.md", [*(f"{title} <{start}>" for title, start in starts.items()), *AT_THE_ROOT])
    for page in (page for part in UNSEARCHED for page in (pages / part).rglob("*.md")):
        page.write_text(f"---\nnosearch: true\n---\n{page.read_text(encoding='utf-8')}", encoding="utf-8")
    return pages


def _list_decisions(folder: Path) -> None:
    """Write the page that lists all decisions, by number."""
    lines = [f"- [{title_of(page)}]({page.name})" for page in sorted(folder.glob("*.md"))]
    text = "# Decisions\n\nWhy the program is made as it is, one page per decision.\n\n" + "\n".join(lines) + "\n"
    (folder / "README.md").write_text(text, encoding="utf-8")


def title_of(page: Path) -> str:
    """Return a page's first heading."""
    return page.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")


def start_of(folder: Path) -> Path:
    """Return the page that a part begins with."""
    readme = folder / "README.md"
    return readme if readme.exists() else folder / "index.md"


def within(folder: Path) -> list[str]:
    """Return a part's pages for its menu: folder by folder, in the order of its start's links."""
    start = start_of(folder)
    named = [link for link in LINK.findall(start.read_text(encoding="utf-8")) if not link.startswith("..")]
    others = sorted(page.relative_to(folder).as_posix() for page in folder.rglob("*.md"))
    pages = [name for name in dict.fromkeys([*named, *others]) if name != start.name]
    folders = list(dict.fromkeys(Path(name).parent for name in pages))
    return [name.removesuffix(".md") for name in sorted(pages, key=lambda name: folders.index(Path(name).parent))]


def _add_menu(page: Path, entries: list[str]) -> None:
    """Give a page its part of the menu, which it does not show itself."""
    with page.open("a", encoding="utf-8") as text:
        text.writelines(_menu(entries))


def _menu(entries: list[str]) -> Iterator[str]:
    yield "\n```{toctree}\n:hidden:\n\n"
    yield from (f"{entry}\n" for entry in entries)
    yield "```\n"


if __name__ == "__main__":
    main()
