"""The version of the desk, as pyproject.toml or the installed wheel has it."""

import functools
import platform
import tomllib
from importlib import metadata
from pathlib import Path

import django

PYPROJECT = Path(__file__).resolve().parent.parent.parent / "pyproject.toml"


@functools.cache
def desk_version() -> str:
    """Return the desk's own version, such as "0.2.0"."""
    if PYPROJECT.is_file():
        return str(tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["version"])
    return metadata.version("hanchan-desk")


def full_version() -> str:
    """Return the desk's version, and those of Django and Python, in one line."""
    return f"hanchan-desk {desk_version()} (Django {django.get_version()}, Python {platform.python_version()})"
