"""First-use set-up: what is decided on which machine, and that it is done once, or not at all and said so."""

import ast
import hashlib
import importlib.metadata
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
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import bootstrap
from bootstrap import REPO, Machine, Want
from tests.privileges import AS_ANY_USER

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
# Debian 12's, and the last that takes an extra for another package
OLD_PIPS = {
    "23.0.1": "236bcb61156d76c4b8a05821b988c7b8c35bf0da28a4b614e8d6ab5212c25c6f",
    "23.2.1": "7ccf472345f20d35bdc9d1841ff5f313260c2c33fe417f48c30ac46cccabf5be",
}
RUNS_HERE = {"23.0.1": sys.version_info < (3, 12), "23.2.1": True}
INSTALL = ["apt-get", "install", "-y", "-q", "--no-install-recommends"]


@pytest.mark.parametrize(
    ("arguments", "database_url", "profile"),
    [
        ([], "", "run"),
        (["desk", "--sample"], "", "run"),
        (["test"], "", "dev"),
        (["test", "-k", "ron"], "", "dev"),
        (["bench"], "postgres://here/desk", "dev"),
        (["replay", "test"], "", "run"),
        (["desk"], "postgres://here/desk", "postgresql"),
        (["desk"], "postgresql://here/desk", "postgresql"),
    ],
)
def test_only_tests_benchmarks_and_postgresql_need_more(arguments: list[str], database_url: str, profile: str) -> None:
    assert bootstrap.profile_of(arguments, database_url) == profile


def test_packages_are_counted_without_their_hashes() -> None:
    locks = [b"# made\na==1 \\\n    --hash=sha256:00==\nb[c]==2 ; python_version < '3' \\\n", b"-r first.txt\nd==3\n"]
    assert bootstrap.count_packages(locks) == 3


@pytest.mark.parametrize(
    ("words", "start"),
    [
        (
            "ERROR: No matching distribution found for zopfli==0.4.3",
            "There is no package of zopfli==0.4.3 that is ready",
        ),
        ("WARNING: Retrying (Retry(total=4))\nERROR: No matching distribution found for zopfli==0.4.3", "WARNING"),
        ("ERROR: No space left on device", "ERROR: No space left on device\npip could not install requirements.txt"),
    ],
)
def test_a_missing_wheel_is_one_sentence_and_all_else_has_the_words_of_pip(words: str, start: str) -> None:
    explained = bootstrap.explain_failure(words, "requirements.txt", "Python 3.15 on Linux x86_64")
    assert explained.startswith(start)
    assert ("Python 3.15 on Linux x86_64" in explained) == start.startswith("There")


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


def test_python_2_can_read_the_line_that_refuses_it() -> None:
    tree = ast.parse((REPO / "manage.py").read_text(encoding="ascii"))
    unknown = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.AsyncFunctionDef, ast.Await, ast.Nonlocal, ast.Starred)
    assert [node for node in ast.walk(tree) if isinstance(node, unknown)] == []
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert functions
    for function in functions:
        parts = function.args
        assert [parts.kwonlyargs, parts.posonlyargs, function.returns] == [[], [], None]
        assert [argument.annotation for argument in parts.args if argument.annotation] == []
    assert [node for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.cause] == []


def test_an_old_python_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    with pytest.raises(SystemExit) as stop:
        runpy.run_path(str(REPO / "manage.py"), run_name="__main__")
    assert stop.value.code == "Hanchan Desk needs Python 3.11 or newer; this is Python 3.9."


# ---------------------------------------------------------------- the whole of it, in a house with nothing to install


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Make a repository with our bootstrap.py, no requirements, and a manage.py that says which Python runs it."""
    for name in ("bootstrap.py", "pyproject.toml"):
        shutil.copy(REPO / name, tmp_path)
    (tmp_path / "requirements.txt").write_text("")
    (tmp_path / "requirements-postgresql.txt").write_text("")
    (tmp_path / "requirements-dev.txt").write_text("")
    (tmp_path / "weasyprint.py").write_text("")  # so that nothing is missing
    (tmp_path / "manage.py").write_text("import bootstrap, sys\nbootstrap.ensure(sys.argv[1:])\nprint(sys.prefix)\n")
    return tmp_path


def usual_python() -> str:
    """Return the Python that this one's environment was made with."""
    return getattr(sys, "_base_executable", sys.executable)


def start(house: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Start the house's manage.py with next to nothing in the environment and no apt-get on the PATH."""
    command = [usual_python(), str(house / "manage.py"), "desk"]
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
    command = [usual_python(), str(house / "manage.py"), "desk"]
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
    assert first.stderr.startswith(f"{making}Installing the 0 packages of requirements.txt")

    second = start(house)
    assert (second.stdout.split(), second.stderr, second.returncode) == ([venv], "", 0)
    if made != "with our pip":  # a copy without its record, which pip cannot take away
        left = {name.name for name in Path(house, ".venv").glob("**/site-packages/*")}
        assert not left & {"pip", "setuptools", "pkg_resources"}

    (house / "requirements.txt").write_text("no-such-package-of-the-desk==1\n")
    third = start(house, PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)
    assert (third.stdout, third.returncode) == ("", 1)
    counted, sentence = third.stderr.splitlines()
    assert counted.startswith("Installing the 1 packages of requirements.txt")
    assert sentence.startswith("There is no package of no-such-package-of-the-desk==1 that is ready for Python")
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


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("part", [".", ".venv"])
def test_a_folder_that_cannot_be_written_to_is_a_sentence(tmp_path: Path, part: str) -> None:
    closed = tmp_path
    for name in ("bootstrap.py", *bootstrap.REQUIREMENTS["dev"]):
        shutil.copy(REPO / name, closed)
    (closed / "manage.py").write_text("import bootstrap, sys\nbootstrap.ensure(sys.argv[1:])\n")
    if part == ".venv":
        (closed / ".venv").mkdir()
        (closed / ".venv" / "pyvenv.cfg").touch()
        (closed / ".venv").chmod(0o555)
    closed.chmod(0o555)
    command = [usual_python(), str(closed / "manage.py"), "desk"]
    environment = {"PATH": "/usr/bin:/bin", **{name: os.environ[name] for name in SYSTEM if name in os.environ}}
    done = subprocess.run([*AS_ANY_USER, *command], env=environment, capture_output=True, text=True, check=False)
    closed.chmod(0o755)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{closed / '.venv'} cannot be written to (Permission denied). Start this")
    assert len(done.stderr.splitlines()) == 1


# ---------------------------------------------------------------- a package with an extra is released again


def make_wheel(folder: Path, name: str, version: str, requires: str = "") -> str:
    """Write a wheel of nothing; return its line for a lock, with its hash."""
    info = f"{name}-{version}.dist-info"
    needs = f"Provides-Extra: part\n{f'Requires-Dist: {requires}' if requires else ''}\n"
    files = {
        f"{name}.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "".join(f"{file},,\n" for file in (f"{name}.py", f"{info}/METADATA", f"{info}/WHEEL")),
    }
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as packed:
        for file, text in files.items():
            packed.writestr(file, text)
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


def required_extras() -> set[tuple[str, str]]:
    """Return each package that an installed one requires with an extra, and the extra."""
    found: set[tuple[str, str]] = set()
    for package in importlib.metadata.distributions():
        for line in package.requires or []:
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                found |= {(canonicalize_name(needed.name), extra) for extra in needed.extras}
    return found


def locked_extras() -> set[tuple[str, str]]:
    """Return each package with each extra that the lock names."""
    text = "".join((REPO / name).read_text(encoding="utf-8") for name in bootstrap.REQUIREMENTS["dev"])
    named = re.findall(r"(?m)^([a-z0-9-]+)\[([a-z0-9,-]+)\]==", text)
    return {(name, extra) for name, extras in named for extra in extras.split(",")}


def test_the_lock_names_each_extra_that_a_package_requires() -> None:
    assert required_extras() >= {("fonttools", "woff"), ("coverage", "toml")}
    assert required_extras() - locked_extras() == set()


def test_the_lock_is_complete() -> None:
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("No broken requirements found.", 0)


def unpack_pip(house: Path, version: str) -> None:
    """Make the house's .venv with this version of pip, fetched once and then kept in var/."""
    kept = REPO / "var" / "pips"
    wheel = kept / f"pip-{version}-py3-none-any.whl"
    if not wheel.exists():
        line = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(kept), f"pip=={version}"]
        if subprocess.run(line, capture_output=True, check=False).returncode:
            pytest.skip(f"pip {version} could not be fetched: the network is away")
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() == OLD_PIPS[version]
    venv.EnvBuilder(symlinks=os.name == "posix").create(house / ".venv")
    place = sysconfig.get_path("purelib", vars={"base": str(house / ".venv"), "platbase": str(house / ".venv")})
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(place)


@pytest.mark.slow
@pytest.mark.parametrize("pip", [*(pip for pip in OLD_PIPS if RUNS_HERE[pip]), "pinned"])
def test_a_newer_release_of_a_package_with_an_extra_changes_nothing(house: Path, tmp_path: Path, pip: str) -> None:
    if pip == "pinned":
        make_venv_with_our_pip(house)
    else:
        unpack_pip(house, pip)
    index = tmp_path / "index"
    index.mkdir()
    lock = make_wheel(index, "page", "1.0", requires="letters[part]>=1")
    lock += make_wheel(index, "letters", "1.0")  # without the extra's name, as a lock that strips extras has it
    make_wheel(index, "letters", "1.1")  # released today
    (house / "requirements.txt").write_text(lock)
    done = start(house, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(index), PIP_CONFIG_FILE=os.devnull)
    assert (done.stdout.split(), done.returncode) == ([str(house / ".venv")], 0), done.stderr
    installed = {path.name for path in (house / ".venv").glob("**/site-packages/*.dist-info")}
    assert {"page-1.0.dist-info", "letters-1.0.dist-info"} <= installed


def test_it_can_be_told_to_keep_out(house: Path) -> None:
    left_alone = start(house, HANCHAN_NO_BOOTSTRAP="1")
    assert (left_alone.stdout.split(), left_alone.stderr) == ([sys.base_prefix], "")
    assert not (house / ".venv").exists()


@pytest.mark.skipif(os.name != "posix", reason="not on Windows: no interpreter is replaced under its environment")
def test_an_environment_whose_python_went_is_begun_anew(house: Path) -> None:
    (house / ".venv" / "bin").mkdir(parents=True)
    (house / ".venv" / "bin" / "python").symlink_to(house / "removed-with-the-last-upgrade")
    assert first_words(house) == f"First use: making {house / '.venv'}\n"


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="not on Windows: no interpreter is replaced under its environment")
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


@pytest.mark.skipif(os.name != "posix", reason="not on Windows: the stand-in is a shell script")
def test_an_environment_that_is_none_is_not_tried_for_ever(house: Path) -> None:
    python = house / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    stuck = start(house)
    words = "does not start properly. Remove that folder, then run the same command again."
    assert (stuck.stdout, stuck.stderr, stuck.returncode) == ("", f"The Python in {house / '.venv'} {words}\n", 1)
