"""First-use set-up: what is decided on which machine, and that it is done once, or not at all and said so."""

import importlib.util
import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable
from pathlib import Path

import pytest

import bootstrap
from bootstrap import REPO, Machine, Want

DEBIAN_ROOT = Machine("linux", frozenset({"debian"}), root=True, sudo=False, brew=False, apt_get=True)
DEBIAN_SUDO = Machine("linux", frozenset({"debian"}), root=False, sudo=True, brew=False, apt_get=True)
DEBIAN_GUEST = Machine("linux", frozenset({"debian"}), root=False, sudo=False, brew=False, apt_get=True)
UBUNTU_ROOT = Machine("linux", frozenset({"ubuntu", "debian"}), root=True, sudo=False, brew=False, apt_get=True)
FEDORA_ROOT = Machine("linux", frozenset({"fedora"}), root=True, sudo=False, brew=False, apt_get=False)
MAC_WITH_BREW = Machine("darwin", frozenset(), root=False, sudo=False, brew=True, apt_get=False)
MAC_WITHOUT = Machine("darwin", frozenset(), root=False, sudo=False, brew=False, apt_get=False)
WINDOWS = Machine("win32", frozenset(), root=False, sudo=False, brew=False, apt_get=False)

PANGO = Want("Pango", "PDF sheets cannot be made", apt=("libpango-1.0-0", "libpangoft2-1.0-0"), brew=("pango",))
CHROMIUM = Want("Chromium", "tests in a browser are skipped", apt=("chromium",), snap_on_ubuntu=True)
SYSTEM = ("SYSTEMROOT", "LD_LIBRARY_PATH")  # without which Python itself does not start
INSTALL = ["apt-get", "install", "-y", "-q", "--no-install-recommends"]


@pytest.mark.parametrize(
    ("arguments", "profile"),
    [([], "run"), (["desk", "--sample"], "run"), (["test"], "dev"), (["test", "-k", "ron"], "dev"), (["bench"], "dev"),
     (["replay", "test"], "run")],
)  # fmt: skip
def test_only_tests_and_benchmarks_need_more(arguments: list[str], profile: str) -> None:
    assert bootstrap.profile_of(arguments) == profile


def test_the_stamp_changes_with_all_that_matters_and_nothing_else() -> None:
    keys = [
        bootstrap.stamp_key("run", [b"django==5\n"], (3, 11)),
        bootstrap.stamp_key("dev", [b"django==5\n"], (3, 11)),
        bootstrap.stamp_key("run", [b"django==6\n"], (3, 11)),
        bootstrap.stamp_key("run", [b"django==5\n"], (3, 12)),
        bootstrap.stamp_key("run", [b"django", b"==5\n"], (3, 11)),
    ]
    assert len(set(keys)) == 5
    assert bootstrap.stamp_key("run", [b"django==5\r\n"], (3, 11)) == keys[0]


@pytest.mark.parametrize(
    ("machine", "want", "command"),
    [
        (DEBIAN_ROOT, PANGO, [*INSTALL, "libpango-1.0-0", "libpangoft2-1.0-0"]),
        (DEBIAN_SUDO, PANGO, ["sudo", "-n", *INSTALL, "libpango-1.0-0", "libpangoft2-1.0-0"]),
        (DEBIAN_GUEST, PANGO, None),
        (UBUNTU_ROOT, PANGO, [*INSTALL, "libpango-1.0-0", "libpangoft2-1.0-0"]),
        (FEDORA_ROOT, PANGO, None),
        (MAC_WITH_BREW, PANGO, ["brew", "install", "--quiet", "pango"]),
        (MAC_WITHOUT, PANGO, None),
        (WINDOWS, PANGO, None),
        (DEBIAN_ROOT, CHROMIUM, [*INSTALL, "chromium"]),
        (UBUNTU_ROOT, CHROMIUM, None),
        (MAC_WITH_BREW, CHROMIUM, None),
    ],
)
def test_what_is_installed_where(machine: Machine, want: Want, command: list[str] | None) -> None:
    assert bootstrap.command_for(want, machine) == command


@pytest.mark.parametrize(
    ("machine", "want", "how"),
    [
        (DEBIAN_GUEST, PANGO, "sudo apt-get install libpango-1.0-0 libpangoft2-1.0-0"),
        (FEDORA_ROOT, PANGO, bootstrap.PANGO_ELSEWHERE["linux"]),
        (MAC_WITHOUT, PANGO, bootstrap.PANGO_ELSEWHERE["darwin"]),
        (WINDOWS, PANGO, bootstrap.PANGO_ELSEWHERE["win32"]),
        (UBUNTU_ROOT, CHROMIUM, "install Chromium and put its programs on the PATH"),
    ],
)
def test_what_a_person_is_told(machine: Machine, want: Want, how: str) -> None:
    line = bootstrap.advice(want, machine)
    assert line == f"{want.name} is not here, so {want.without}; to change that: {how}"
    assert "\n" not in line


def wanted(profile: str, *, libraries: Iterable[str], programs: Iterable[str], pdf: bool, platform: str) -> list[str]:
    """Return the names of what a machine with just these libraries and programs lacks."""
    wants = bootstrap.wants_of(
        profile,
        loads=set(libraries).__contains__,
        finds=lambda names: set(names) & set(programs),
        weasyprint=pdf,
        platform=platform,
    )
    return [want.name for want in wants]


@pytest.mark.parametrize(
    ("profile", "libraries", "programs", "pdf", "platform", "names"),
    [
        ("run", bootstrap.PANGO, (), True, "linux", []),
        ("run", (), (), False, "linux", ["Pango"]),
        ("run", list(bootstrap.PANGO)[:2], (), True, "linux", ["HarfBuzz's subsetter"]),
        ("run", (), (), True, "win32", []),
        ("run", (), (), False, "win32", ["Pango"]),
        (
            "dev",
            bootstrap.PANGO,
            (),
            True,
            "linux",
            ["Chromium", "Chromium's headless shell", "libatomic (for Playwright)", "PostgreSQL"],
        ),
        (
            "dev",
            [*bootstrap.PANGO, "libatomic.so.1"],
            ("chromium", "initdb"),
            True,
            "linux",
            ["Chromium's headless shell"],
        ),
        ("dev", [*bootstrap.PANGO, "libatomic.so.1"], ("chromium-headless-shell", "initdb"), True, "linux", []),
        ("dev", (), ("google-chrome",), True, "darwin", ["PostgreSQL"]),
    ],
)
def test_what_is_missing(
    profile: str, libraries: Iterable[str], programs: Iterable[str], pdf: bool, platform: str, names: list[str]
) -> None:
    assert wanted(profile, libraries=libraries, programs=programs, pdf=pdf, platform=platform) == names


@pytest.mark.parametrize(("platform", "path"), [("linux", "bin/python"), ("win32", "Scripts/python.exe")])
def test_where_the_interpreter_is(platform: str, path: str) -> None:
    assert bootstrap.venv_python(Path("x"), platform) == Path("x") / path


def test_an_old_python_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    with pytest.raises(SystemExit) as stop:
        runpy.run_path(str(REPO / "manage.py"), run_name="__main__")
    assert stop.value.code == "Hanchan Desk needs Python 3.11 or newer; this is Python 3.9."


# ---------------------------------------------------------------- the whole of it, in a house with nothing to install


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Make a repository with our bootstrap.py, no requirements, and a manage.py that says which Python runs it."""
    shutil.copy(REPO / "bootstrap.py", tmp_path)
    (tmp_path / "requirements.txt").write_text("")
    (tmp_path / "requirements-dev.txt").write_text("")
    (tmp_path / "weasyprint.py").write_text("")  # so that nothing is missing
    (tmp_path / "manage.py").write_text("import bootstrap, sys\nbootstrap.ensure(sys.argv[1:])\nprint(sys.prefix)\n")
    return tmp_path


def start(house: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Start the house's manage.py with next to nothing in the environment and no apt-get on the PATH."""
    command = [getattr(sys, "_base_executable", sys.executable), str(house / "manage.py"), "desk"]
    system = {name: os.environ[name] for name in SYSTEM if name in os.environ}
    return subprocess.run(
        command,
        cwd=house,
        env={**system, "PATH": str(house), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def first_words(house: Path) -> str:
    """Start the house's manage.py, and end it with all that it started as soon as it has said a line."""
    command = [getattr(sys, "_base_executable", sys.executable), str(house / "manage.py"), "desk"]
    environment = {"PATH": str(house), **{name: os.environ[name] for name in SYSTEM if name in os.environ}}
    with subprocess.Popen(
        command, cwd=house, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        os.killpg(process.pid, signal.SIGKILL)
    return said


def make_venv_with_our_pip(house: Path) -> None:
    """Make the house's .venv with the pip that is here already: to have one installed takes most of such a test."""
    venv.EnvBuilder(symlinks=os.name == "posix").create(house / ".venv")
    place = sysconfig.get_path("purelib", vars={"base": str(house / ".venv"), "platbase": str(house / ".venv")})
    pip = importlib.util.find_spec("pip")
    assert pip is not None
    assert pip.origin is not None
    shutil.copytree(Path(pip.origin).parent, Path(place, "pip"))


@pytest.mark.slow
@pytest.mark.parametrize("made", [pytest.param("by the first start", marks=pytest.mark.nightly), "with our pip"])
def test_the_second_start_does_nothing_and_a_changed_list_is_installed(house: Path, made: str) -> None:
    venv = str(house / ".venv")
    making = f"First use: making {venv}\n"
    if made == "with our pip":  # that it is made, and said so, is seen at the end; with a pip in every fresh checkout
        make_venv_with_our_pip(house)
        making = ""

    first = start(house)
    assert (first.stdout.split(), first.returncode) == ([venv], 0), first.stderr
    assert first.stderr.startswith(f"{making}Installing the packages of requirements.txt")

    second = start(house)
    assert (second.stdout.split(), second.stderr, second.returncode) == ([venv], "", 0)
    if made != "with our pip":  # a copy without its record, which pip cannot take away
        left = {name.name for name in Path(house, ".venv").glob("**/site-packages/*")}
        assert not left & {"pip", "setuptools", "pkg_resources"}

    (house / "requirements.txt").write_text("no-such-package-of-the-desk==1\n")
    third = start(house, PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)
    assert (third.stdout, third.returncode) == ("", 1)
    assert "pip could not install requirements.txt; its words are above." in third.stderr
    assert "Traceback" not in third.stderr
    assert not (house / ".venv" / "hanchan-desk.json").exists()

    (house / "requirements.txt").write_text("")
    fourth = start(house)
    assert (fourth.stdout.split(), fourth.returncode) == ([venv], 0)
    assert "First use" not in fourth.stderr
    assert start(house).stderr == ""

    if os.name == "posix":  # on Windows an interpreter is not replaced under its environment
        config = house / ".venv" / "pyvenv.cfg"
        config.write_text(re.sub(r"(?m)^version = .*$", "version = 3.10.9", config.read_text()))
        assert first_words(house) == f"First use: making {venv}\n"


def test_it_can_be_told_to_keep_out(house: Path) -> None:
    left_alone = start(house, HANCHAN_NO_BOOTSTRAP="1")
    assert (left_alone.stdout.split(), left_alone.stderr) == ([sys.base_prefix], "")
    assert not (house / ".venv").exists()


@pytest.mark.skipif(os.name != "posix", reason="on Windows an interpreter is not replaced under its environment")
def test_an_environment_whose_python_went_is_begun_anew(house: Path) -> None:
    (house / ".venv" / "bin").mkdir(parents=True)
    (house / ".venv" / "bin" / "python").symlink_to(house / "removed-with-the-last-upgrade")
    assert first_words(house) == f"First use: making {house / '.venv'}\n"


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="on Windows an interpreter is not replaced under its environment")
def test_an_environment_whose_python_went_or_was_replaced_is_made_anew(house: Path) -> None:
    venv = house / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(house / "removed-with-the-last-upgrade")
    assert start(house).stdout.split() == [str(venv)]

    config = venv / "pyvenv.cfg"
    config.write_text(re.sub(r"(?m)^version = .*$", "version = 3.10.9", config.read_text()))
    (venv / "of-the-old-one").touch()
    replaced = start(house)
    assert (replaced.stdout.split(), replaced.stderr.splitlines()[0]) == ([str(venv)], f"First use: making {venv}")
    assert not (venv / "of-the-old-one").exists()


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
def test_an_environment_that_is_none_is_not_tried_for_ever(house: Path) -> None:
    python = house / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    stuck = start(house)
    words = "does not start properly. Remove that folder, then run the same command again."
    assert (stuck.stdout, stuck.stderr, stuck.returncode) == ("", f"The Python in {house / '.venv'} {words}\n", 1)
