"""The zip for a hall without the Internet: what its start scripts say where no Python of its own is found."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bootstrap import REPO, supported_pythons
from scripts.build_bundle import OF_ONE_PYTHON, START, fill_in

PYTHONS = supported_pythons()


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """Make the folder of an unpacked zip without wheels, beside a PATH of the few programs that its script needs."""
    for name in ("sh", "dirname", "uname", "rm"):
        program = shutil.which(name)
        assert program
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).symlink_to(program)
    (tmp_path / "start.sh").write_text(fill_in((START / "start.sh").read_text()))
    return tmp_path


def make_python(bundle: Path, name: str, version: str) -> None:
    """Put a Python of this version on the PATH, as far as the script asks it."""
    path = bundle / "bin" / name
    path.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo "Python {version}" && exit\n'
        f'[ "$1" = -c ] && case "{" ".join(PYTHONS)}" in *{version}*) exit 0;; *) exit 1;; esac\n'
        f'echo "$@" >> "{bundle}/asked"; exit 1\n'
    )
    path.chmod(0o755)


def start(bundle: Path) -> tuple[int, list[str]]:
    done = subprocess.run(
        ["sh", str(bundle / "start.sh")],
        env={"PATH": str(bundle / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


@pytest.mark.skipif(os.name != "posix", reason="start.bat is for Windows")
@pytest.mark.parametrize(("version", "there"), [("3.9", "Python 3.9"), ("3.15", "Python 3.15"), ("", "no Python")])
def test_another_python_gets_a_sentence_that_names_the_right_ones(bundle: Path, version: str, there: str) -> None:
    if version:
        make_python(bundle, "python3", version)
    code, lines = start(bundle)
    assert code == 1
    assert lines[0].startswith(f"This zip is for Python {PYTHONS[0]} to {PYTHONS[-1]} on ")
    assert lines[0].endswith(f"; here is {there}.")
    assert not (bundle / "asked").exists()


@pytest.mark.skipif(os.name != "posix", reason="start.bat is for Windows")
def test_a_right_python_is_found_behind_a_wrong_one(bundle: Path) -> None:
    make_python(bundle, "python3", "3.15")
    make_python(bundle, f"python{PYTHONS[-1]}", PYTHONS[-1])
    start(bundle)
    assert (bundle / "asked").read_text() == "-m venv desk\n"


def test_no_place_is_left_empty_in_a_file_of_the_zip() -> None:
    assert [path.name for path in START.iterdir() if re.search("@[A-Z]+@", fill_in(path.read_text()))] == []
    assert (START / "start.command").read_bytes() == (START / "start.sh").read_bytes()


def test_a_package_of_one_python_alone_is_in_the_zip_for_all() -> None:
    lock = (REPO / "requirements.txt").read_text(encoding="utf-8")
    assert "python_full_version" in lock
    assert "python_full_version" not in OF_ONE_PYTHON.sub("", lock)
