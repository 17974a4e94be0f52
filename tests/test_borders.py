"""The borders between the rooms hold, and the check that says so notices when they do not."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bootstrap import REPO
from tests.ready import made_once, run_folder

ROOMS = ("rules", "scoring", "tournament", "web")
PURE = ("rules", "scoring", "tournament.seating")

FOUR_ROOMS = "Four rooms: each knows only those to its left"
NO_DJANGO = "rules, scoring and seating are pure: no Django"
SEATING = "seating knows only its own numbers"
WRITE_AND_READ = "services write, selectors read, models know neither"
SERVICES = "services: a task knows only the tasks below it"
SELECTORS = "selectors: a task knows only the tasks below it"
WEB = "web: a task knows only the tasks below it"
CONTRACTS = {FOUR_ROOMS, NO_DJANGO, SEATING, WRITE_AND_READ, SERVICES, SELECTORS, WEB}

IMPORT_EVERYTHING = """
import importlib, pkgutil, sys
room = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
    if not module.name.endswith(".apps"):
        importlib.import_module(module.name)
print(sorted(name for name in sys.modules if name.split(".")[0] == "django"))
"""


# Checks a tree as it is, then with each of the smuggled imports alone; prints what each check says.
CHECK = """
import contextlib, io, json, pathlib, sys
from importlinter import cli
def check():
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = cli.lint_imports(no_cache=True)
    return code, said.getvalue()
found = {"nothing": check()}
for name, (place, line) in json.loads(sys.argv[1]).items():
    smuggler = pathlib.Path(place, "smuggler.py")
    smuggler.write_text(line + "\\n", encoding="utf-8")
    found[name] = check()
    smuggler.unlink()
print(json.dumps(found))
"""
SMUGGLED = [
    ("rules", "import scoring.game", {FOUR_ROOMS}),
    ("scoring", "import tournament", {FOUR_ROOMS}),
    ("tournament", "import web.urls", {FOUR_ROOMS}),
    ("rules", "from django.utils import timezone", {NO_DJANGO}),
    ("scoring", "def late():\n    import django.db", {NO_DJANGO}),
    ("tournament/seating", "from django.db import models", {NO_DJANGO}),
    ("tournament/seating", "import tournament.models", {NO_DJANGO, SEATING}),
    ("tournament/selectors", "import tournament.services", {WRITE_AND_READ}),
    ("tournament/models", "import tournament.selectors", {WRITE_AND_READ}),
    ("tournament/services/tables", "import tournament.seating.actions", {SERVICES}),
    ("tournament/services/people", "import tournament.tables.actions", {SERVICES}),
    ("tournament/selectors/core", "import tournament.tables.queries", {SELECTORS}),
    ("web/rounds", "import tournament.hands.views", {WEB}),
    ("web/words", "import tournament.pages.permissions", {WEB}),
]


def check_all(folder: Path) -> None:
    """Copy the rooms to where they may be broken, and write down what is said of each smuggled import."""
    tree = folder / "house"
    for room in ROOMS:
        shutil.copytree(REPO / room, tree / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPO / "pyproject.toml", tree)
    smuggled = {f"{place} {line}": (place, line) for place, line, _broken in SMUGGLED}
    environment = {**os.environ, "PYTHONPATH": str(tree), "COLUMNS": "200", "NO_COLOR": "1"}
    command = [sys.executable, "-c", CHECK, json.dumps(smuggled)]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (folder / "said.json").write_text(done.stdout, encoding="utf-8")


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """Return what the checks said, each with its exit status."""
    room = made_once(run_folder(tmp_path_factory), "borders", check_all)
    found: dict[str, tuple[int, str]] = json.loads((room / "said.json").read_text("utf-8"))
    return found


def broken_contracts(said: tuple[int, str]) -> set[str]:
    """Return the names of the contracts that do not hold."""
    code, text = said
    verdicts = re.findall(r"^(.+) (KEPT|BROKEN)\b", text, re.MULTILINE)
    assert {name for name, _verdict in verdicts} == CONTRACTS, text
    broken = {name for name, verdict in verdicts if verdict == "BROKEN"}
    assert code == (1 if broken else 0)
    return broken


def test_the_borders_hold(said: dict[str, tuple[int, str]]) -> None:
    assert broken_contracts(said["nothing"]) == set()


@pytest.mark.parametrize(("place", "smuggled", "broken"), SMUGGLED)
def test_a_smuggled_import_is_noticed(
    said: dict[str, tuple[int, str]], place: str, smuggled: str, broken: set[str]
) -> None:
    assert broken_contracts(said[f"{place} {smuggled}"]) == broken


@pytest.mark.parametrize("room", PURE)
def test_a_pure_room_loads_no_django(room: str) -> None:
    command = [sys.executable, "-c", IMPORT_EVERYTHING, room]
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
