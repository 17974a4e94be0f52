"""Files as the world damages them: each is taken, or refused in one clear way, quickly and in little memory."""

import functools
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.imports.damaged_files import LARGE, SMALL, read_all
from tests.table_test import tabled
from tournament.imports.results import read_results
from tournament.text.problems import problem_text

pytestmark = pytest.mark.whole_run

MOST_LOOPS = 1_200  # for four importers one after the other
MAX_MEGABYTES = 300


@functools.cache
def small(name: str) -> tuple[str, bytes, str]:
    """Return name and bytes of a damaged file, and what is wrong with it; made once for all tests."""
    return SMALL[name]()


@tabled("name", SMALL)
def test_damage_is_named(name: str):
    filename, data, wanted = small(name)
    codes, *others = read_all(filename, data)
    assert codes[:1] == ([wanted] if wanted else [])
    # whatever is wrong with the file itself is wrong for all of them
    if wanted.startswith("import.") and wanted not in OF_RESULTS:
        assert [each[:1] for each in others] == [[wanted]] * 3


# what only results have, or only a list with these columns
OF_RESULTS = {
    "import.number_missing",
    "import.cell_is_date",
    "import.no_rows",
    "import.columns_missing",
    "import.row_too_wide",
}


@tabled("name", SMALL)
def test_damage_is_said_in_words(name: str):
    filename, data, _wanted = small(name)
    for problem in read_results(data, filename).problems:
        assert problem.code not in problem_text(problem)
        assert "{" not in problem_text(problem)


def test_hidden_sheets_are_named_and_not_read():
    filename, data, _wanted = SMALL["hidden sheets"]()
    assert [(each.code, each.params) for each in read_results(data, filename).problems] == [
        ("import.hidden_worksheets", {"names": "Secret"})
    ]


def check(name: str, folder: Path) -> None:
    """Read a file in a process of its own that may not take more than 300 MB beyond what it begins with."""
    filename, data, wanted = {**SMALL, **LARGE}[name]()
    path = folder / filename
    path.write_bytes(data)
    code = "import django; django.setup(); from tests.imports.damaged_files import main; main()"
    command = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    answer = json.loads(done.stdout)
    print(name, answer["loops"], "loops", answer["megabytes"], "MB")  # noqa: T201  (shown with -s)
    assert answer["codes"][0][:1] == ([wanted] if wanted else [])
    assert answer["loops"] < MOST_LOOPS
    assert answer["megabytes"] < MAX_MEGABYTES


def test_a_bomb_needs_neither_time_nor_memory(tmp_path: Path):
    check("a bomb", tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("name", LARGE)
def test_large_files_need_neither_time_nor_memory(name: str, tmp_path: Path):
    check(name, tmp_path)
