"""What every test of a command gets: a way to run it as a program would, and nothing cached from the test before."""

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

Run = Callable[..., str]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command with bytes on its standard input and returns what it printed."""

    def inner(*arguments: str, given: bytes = b"") -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        out, err = io.StringIO(), io.StringIO()
        call_command(*arguments, stdout=out, stderr=err)
        return out.getvalue()

    return inner


@pytest.fixture
def run_lines(run: Run) -> Callable[..., list[Any]]:
    """Return a function that sends JSON Lines (values, or bytes as they are) to a command and reads its answers."""

    def inner(command: str, *lines: object) -> list[Any]:
        given = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
        return [json.loads(line) for line in run(command, given=given).splitlines()]

    return inner
