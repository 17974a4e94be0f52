"""`manage.py --help` and `--version`: the desk's own commands first, each with a line, and the desk's own version.

Loads no settings, which would make a data folder.
"""

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import django.core.management

REPO = Path(__file__).resolve().parent.parent.parent
FOLDERS = [REPO / app / "management" / "commands" for app in ("web", "tests")]  # a wheel has no tests
HELP = ("--help", "-h", "help")
WIDTH = 100


def describe_commands() -> Iterator[tuple[str, str]]:
    """Yield the name of each command of the desk, and the first sentence of its module."""
    for file in sorted((file for folder in FOLDERS for file in folder.glob("[a-z]*.py")), key=lambda file: file.stem):
        text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        sentence = re.split(r"(?<=[.!?])\s", " ".join(text.split()), maxsplit=1)[0]
        yield file.stem, re.sub(r"^`[^`]*`: ", "", sentence)


def write_overview(program: str) -> str:
    """Return what `--help` prints."""
    lines = [f"usage: {program} COMMAND [options]", f"       {program} COMMAND --help", "", "Commands of the desk:", ""]
    ours = dict(describe_commands())
    for name, sentence in ours.items():
        indent = " " * 20
        lines += textwrap.wrap(f"  {name:<18}{sentence}", WIDTH, subsequent_indent=indent, break_on_hyphens=False)
    folder = str(Path(django.core.management.__file__).parent)
    others = sorted(set(django.core.management.find_commands(folder)) - set(ours))
    lines += ["", "Commands of Django, which the desk is built on:", ""]
    lines += textwrap.wrap(", ".join(others), WIDTH, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)


def print_overview(arguments: Sequence[str]) -> bool:
    """Print the overview or the version if these arguments of the process ask for it; return whether they did."""
    from tournament.core.version import full_version

    asked = list(arguments[1:])
    program = Path(arguments[0]).name
    if asked in (["--version"], ["version"]):
        print(full_version())  # noqa: T201 - no command is loaded that has a stream
    elif not asked or (len(asked) == 1 and asked[0] in HELP):
        print(write_overview("hanchan-desk" if program.startswith("hanchan") else f"python3 {program}"))  # noqa: T201
    else:
        return False
    return True
