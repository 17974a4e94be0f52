"""The scripts of a page: each module runs once there.

A page names a module by its hashed address and an import by its plain one: a browser takes the two for two modules.
"""

import posixpath
import re
from pathlib import Path

import pytest

from bootstrap import REPO

TEMPLATES, STATIC = REPO / "templates", REPO / "static"
NAMED = re.compile(r"static '(\w+/\w+)\.js'")
IMPORTED = re.compile(r"(?:from |import |import\()\"(\.[\w./]+)\.js\"")
EXTENDED = re.compile(r'{% extends "([^"]+)" %}')
PAGES = [path for path in TEMPLATES.rglob("*.html") if NAMED.search(path.read_text(encoding="utf-8"))]


def named_by(path: Path) -> set[str]:
    """Return the modules that a page names itself, or by what it extends."""
    text = path.read_text(encoding="utf-8")
    extended = EXTENDED.search(text)
    return set(NAMED.findall(text)) | (named_by(TEMPLATES / extended[1]) if extended else set())


def imported_by(module: str) -> set[str]:
    """Return the modules that a module imports, and what those import."""
    text = (STATIC / f"{module}.js").read_text(encoding="utf-8")
    names = {posixpath.normpath(f"{module}/../{name}") for name in IMPORTED.findall(text)}
    return names.union(*(imported_by(name) for name in names))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_no_page_runs_a_module_twice(path: Path):
    named = named_by(path)
    assert named
    assert set().union(*(imported_by(name) for name in named)) & named == set()


def test_every_module_is_used():
    named = {name for path in PAGES for name in named_by(path)} | {"js/worker"}
    used = named.union(*(imported_by(name) for name in named))
    assert {path.relative_to(STATIC).with_suffix("").as_posix() for path in STATIC.glob("[!v]*/*.js")} == used
