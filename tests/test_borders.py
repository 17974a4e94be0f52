"""The borders between the rooms hold, and the check that says so notices when they do not."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bootstrap import REPO
from tests.shared_fixtures import made_once, run_folder

ROOMS = ("rules", "scoring", "tournament", "web")
PURE = ("rules", "scoring", "tournament.seating.search")

CONTRACTS = {
    contract["name"]
    for contract in tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
}

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
    smuggler = pathlib.Path(place)
    before = smuggler.read_text(encoding="utf-8")
    smuggler.write_text(before + "\\n" + line + "\\n", encoding="utf-8")
    found[name] = check()
    smuggler.write_text(before, encoding="utf-8")
print(json.dumps(found))
"""
SMUGGLED = [  # a module, what it must not import, and how the names of the contracts that notice it begin
    ("rules/ruleset.py", "import scoring.game", {"four rooms"}),
    ("scoring/game.py", "import tournament", {"four rooms"}),
    ("tournament/tables/queries.py", "import web.urls", {"four rooms", "in a feature", "tournament:", "web:"}),
    ("rules/ruleset.py", "from django.utils import timezone", {"rules, scoring"}),
    ("scoring/game.py", "def late():\n    import django.db", {"rules, scoring"}),
    ("tournament/seating/search/draw.py", "from django.db import models", {"rules, scoring"}),
    ("tournament/seating/search/draw.py", "import tournament.players.models", {"rules, scoring"}),
    ("tournament/tables/queries.py", "import tournament.seating.queries", {"tournament:"}),
    ("tournament/text/numbers.py", "import tournament.pages.requests", {"in a feature", "tournament:"}),
    ("tournament/public/views.py", "import tournament.drill.views", {"tournament:", "rare features"}),
    ("tournament/penalties/queries.py", "import tournament.penalties.actions", {"in a feature"}),
    ("tournament/penalties/actions.py", "import tournament.penalties.views", {"in a feature"}),
    ("tournament/wall/models.py", "import tournament.wall.queries", {"in a feature", "models know"}),
    ("web/server/health.py", "import web.urls_desk", {"web:"}),
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
    found = broken_contracts(said[f"{place} {smuggled}"])
    assert {start for start in broken for name in found if name.startswith(start)} == broken
    assert len(found) == len(broken)


@pytest.mark.parametrize("room", PURE)
def test_a_pure_room_loads_no_django(room: str) -> None:
    command = [sys.executable, "-c", IMPORT_EVERYTHING, room]
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
