"""Lines of the documents as a person types them, one after the other in one process: to start it takes longer.

The shell reads each line as it stands; what it makes of it is given to manage.py, which runs as the program that it is.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bootstrap import REPO
from tests.shared_fixtures import program_environment

# what a line gives to Python
ARGUMENTS = """python3() { printf '%s\\n' "$@"; }
"""
# Each line ends as its process would: with its exit code, and with no connection open.
IN_TURN = """
import contextlib, io, json, runpy, sys
ended = []
for line in json.loads(sys.argv[1]):
    code = None
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
    sys.argv = line
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_path(line[0], run_name="__main__")
        except SystemExit as end:
            code = end.code
            if isinstance(code, str):
                print(code, file=err)
    said = {name: file.buffer.getvalue().decode() for name, file in (("out", out), ("err", err))}
    ended.append({"code": 1 if isinstance(code, str) else code or 0, **said})
    from django.db import connections
    connections.close_all()
print(json.dumps(ended))
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a line ended, and what it said."""

    code: int
    out: str
    err: str


def type_lines(lines: list[str], data: Path, **environment: str) -> list[Ended]:
    """Run lines that begin with `python3 manage.py` on this data directory, whatever becomes of one of them."""
    return run_in_turn([_read_by_shell(line, data, environment) for line in lines], data, **environment)


def run_in_turn(commands: list[list[str]], data: Path, **environment: str) -> list[Ended]:
    """Run commands of manage.py, each with its arguments, on this data directory."""
    command = [sys.executable, "-c", IN_TURN, json.dumps([["manage.py", *each] for each in commands])]
    given = program_environment(data, PYTHONPATH=str(REPO), **environment)
    done = subprocess.run(command, cwd=REPO, env=given, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return [Ended(**ended) for ended in json.loads(done.stdout)]


def _read_by_shell(line: str, data: Path, environment: dict[str, str]) -> list[str]:
    """Have the shell read a line, and return what it gives to manage.py."""
    given = program_environment(data, **environment)
    read = subprocess.run(ARGUMENTS + line, shell=True, cwd=REPO, env=given, capture_output=True, text=True, check=True)
    program, *arguments = read.stdout.splitlines()
    assert program == "manage.py", line
    return arguments
