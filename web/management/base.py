"""The base of all commands: words instead of stack traces, events by name, clean output.

Problems that only commands meet have their words here, all others in tournament.text.problems.
"""

import json
import os
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, OperationalError, ProgrammingError, connection

from scoring.problems import PROBLEM_TYPES, CommandProblemType, Problem
from tournament.core.errors import DomainError
from tournament.events.models import Event
from web.server.database_age import age_problem, older_problem

to_json_line = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def say(problem: Problem) -> str:
    """Put a problem into one sentence.

    >>> from tournament.archive.actions import ARCHIVE_EXISTS
    >>> say(ARCHIVE_EXISTS(slug="cup"))
    "There is an event 'cup' already; nothing was imported."
    """
    from tournament.text import problems  # late: it is a tenth of the start of a command

    kind = PROBLEM_TYPES.get(problem.code)
    if not isinstance(kind, CommandProblemType):
        return problems.problem_text(problem)
    shown = {key: _shown(key, value) for key, value in problem.params.items()}
    if "because" in shown:  # the problem beneath, whose parameters stand beside ours
        shown["because"] = problems.problem_text(Problem(str(shown["because"]), problem.params))
    return kind.sentence.format_map(shown)


def _shown(key: str, value: object) -> object:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:,}".replace("-", "−") if key in ("total", "wanted") and isinstance(value, int) else value


def width_of(text: str) -> int:
    """Count the columns that a text takes in a terminal.

    >>> width_of("a東é")
    4
    """
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, right: str = "") -> Iterator[str]:
    """Yield the lines of a table; `right` has an "r" for each column that is aligned to the right.

    >>> list(text_table(["name", "points"], [["東", "12"]], right=" r"))
    ['name  points', '東        12']
    """
    lines = [heads, *rows]
    widths = [max(width_of(line[column]) for line in lines) for column in range(len(heads))]
    for line in lines:
        cells = (_padded(cell, widths[at], at_right=right[at : at + 1] == "r") for at, cell in enumerate(line))
        yield "  ".join(cells).rstrip()


def _padded(text: str, width: int, *, at_right: bool) -> str:
    gap = " " * (width - width_of(text))
    return gap + text if at_right else text + gap


MAX_NAMED = 20
EVENT_ARGUMENT: dict[str, Any] = {"metavar": "EVENT", "help": "the event's address, as in /e/EVENT/"}
NOT_READABLE = 2  # exit code: nothing is said of data that was not read


class DeskCommand(BaseCommand):
    """A command that ends in words, whatever happens to it that a person can mend."""

    requires_system_checks = ()  # they load all pages: `check` does, and the tests run it
    uses_database = True
    any_database = False  # whether it also works on one that this program must not touch
    older_database = False  # whether it also works on one that waits for migrations

    def execute(self, *args: Any, **options: Any) -> Any:
        """Run the command; refusals, a missing database and a closed pipe become words or silence."""
        if hasattr(sys.stdout, "reconfigure"):  # names in any script, also into a Windows pipe
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        try:
            if self.uses_database and not connection.introspection.table_names():
                call_command("migrate", verbosity=0)  # the very first command on this machine
            if self.uses_database and not self.any_database:
                refuse_age()
                if not self.older_database and (older := older_problem()):
                    refuse([older], code=NOT_READABLE)
            return super().execute(*args, **options)
        except DomainError as refusal:
            refuse(refusal.problems, cause=refusal)
        except (OperationalError, ProgrammingError) as wrong:
            first = str(wrong).strip().splitlines()[:1]
            words = f"The database cannot be used ({''.join(first)}). `manage.py migrate` sets it up."
            raise CommandError(words) from wrong
        except DatabaseError as wrong:
            words = f"The database is damaged ({' '.join(str(wrong).split())}). `manage.py restore` puts a backup back."
            raise CommandError(words) from wrong
        except BrokenPipeError:  # the reader has seen enough: `manage.py replay … | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)

    def write_json(self, value: Any) -> None:
        """Write one JSON value as one line."""
        self.stdout.write(to_json_line(value))


def refuse_age() -> None:
    """End the command in words on a database of a newer program, or of another line of development."""
    problem = age_problem()
    if problem:
        refuse([problem], code=NOT_READABLE)


def refuse(problems: Iterable[Problem], *, cause: Exception | None = None, code: int = 1) -> NoReturn:
    """End the command with the problems in words, one a line, and with an exit code."""
    raise CommandError("\n".join(say(problem) for problem in problems), returncode=code) from cause


def event_named(slug: str) -> Event:
    """Return the event at this address; raises CommandError that lists the ones that are there."""
    found = Event.objects.filter(slug=slug).first()
    if found is None:
        known = list(Event.objects.values_list("slug", flat=True)[: MAX_NAMED + 1])
        more = ", …" if len(known) > MAX_NAMED else ""
        there = f"there are: {', '.join(known[:MAX_NAMED])}{more}" if known else "there is none yet"
        raise CommandError(f"There is no event '{slug}'; {there}.")
    return found


def read_input(name: str, *, most: int) -> bytes:
    """Read a file, or standard input for "-"; raises CommandError where it cannot be read or has more bytes."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(most + 1)
    except OSError as wrong:
        raise CommandError(f"{name} cannot be read: {wrong.strerror or wrong}.") from wrong
    if len(data) > most:
        raise CommandError(f"{name} is larger than {most // 1024**2} MB.")
    return data
