"""The wheel: built, unpacked where no checkout is, and started as an installed program."""

import re
import subprocess
import sys
import zipfile
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

import bootstrap
from bootstrap import REPO
from scripts.build_bundle import build_wheel
from tests.shared_fixtures import program_environment

# the first page, pages of an event and of its desk, and a sheet on paper
PAGES = (
    "/", "/rules/ema-2025/", "/e/cup/", "/e/cup/standings/", "/e/cup/rounds/1/", "/e/cup/worker.js", "/desk/cup/",
    "/desk/cup/rounds/1/tables/1/", "/desk/cup/rounds/1/tables/1/call-slip.pdf",
)  # fmt: skip
ASK = f"""
import sys, web
from django.test import Client
sys.path.append({str(REPO)!r})  # after the program's own place
from tests.factories import make_event, writer_of
print(web.__file__)
reader = Client(SERVER_NAME="localhost")
reader.force_login(writer_of(make_event(slug="cup")), backend="django.contrib.auth.backends.ModelBackend")
for page in {PAGES}:
    print(reader.get(page).status_code, page)
"""
PACKAGES = ("rules", "scoring", "tournament", "web", "templates", "static", "locale", "requirements.txt")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into a folder of its own: a wheel of Python files is what its zip holds."""
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(build_wheel(folder)) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


def run(site: Path, data: Path, *arguments: str) -> str:
    environment = program_environment(data, PYTHONPATH=str(site), PYTHONIOENCODING="utf-8")
    line = [sys.executable, "-m", "hanchan_desk", *arguments]
    done = subprocess.run(line, cwd=data, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_the_wheel_has_all_that_the_program_reads_and_no_test(site: Path) -> None:
    tracked = subprocess.check_output(["git", "ls-files", *PACKAGES], cwd=REPO, text=True).split()
    app = site / "hanchan_desk" / "app"
    assert [name for name in tracked if not (app / name).exists()] == []
    assert not (app / "tests").exists()


def test_the_wheel_asks_for_the_pinned_packages_and_for_the_driver_as_an_extra(site: Path) -> None:
    (folder,) = site.glob("*.dist-info")
    required = PathDistribution(folder).requires or []
    assert [line for line in required if "==" not in line] == []
    of_extra = {line.split("==")[0] for line in required if 'extra == "postgresql"' in line.replace("'", '"')}
    assert of_extra == {"psycopg[binary]", "psycopg-binary"}
    assert len(required) == sum(
        bootstrap.count_packages([(REPO / name).read_bytes()]) for name in bootstrap.REQUIREMENTS["postgresql"]
    )


def test_an_installed_desk_lists_its_own_commands_first_and_makes_no_data_for_that(site: Path, tmp_path: Path) -> None:
    lines = run(site, tmp_path, "--help").splitlines()
    ours = lines[lines.index("Commands of the desk:") : lines.index("Commands of Django, which the desk is built on:")]
    named = {line.split()[0] for line in ours if line.startswith("  ") and line[2] != " "}
    commands = {path.stem for path in (REPO / "web" / "management" / "commands").glob("[a-z]*.py")}
    assert named == commands
    assert list(tmp_path.iterdir()) == []


def test_the_readme_names_the_wheel_as_it_is_called(site: Path) -> None:
    (wheel,) = site.parent.glob("*.whl")
    (named,) = re.findall(r"pipx install (\S+\.whl)", (REPO / "README.md").read_text(encoding="utf-8"))
    assert wheel.match(named)


def test_an_installed_desk_makes_its_data_where_it_is_told_and_answers(site: Path, tmp_path: Path) -> None:
    run(site, tmp_path, "desk", "--prepare")
    assert {"db.sqlite3", "static"} <= {path.name for path in tmp_path.iterdir()}
    origin, *answers = run(site, tmp_path, "shell", "--verbosity", "0", "--command", ASK).splitlines()
    assert origin.startswith(str(site))
    assert answers == [f"200 {page}" for page in PAGES]
