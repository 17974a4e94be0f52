"""Whether the database is one that this program can use: not a newer program's, nor of another line of development."""

from pathlib import Path

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from scoring.problems import CommandProblemType, Problem
from tournament import migrations

DATABASE_NEWER = CommandProblemType(
    "database.newer",
    "The database was used by a newer program: it has had {names}, which this program does not know. Start that "
    "program, or restore a backup from before. Nothing was changed.",
)
DATABASE_OLDER = CommandProblemType(
    "database.older",
    "The database is older than this program: migrations wait ({count}). Start the desk or run `manage.py "
    "migrate`: both make a backup first. Nothing was checked or changed.",
)
DATABASE_OTHER_LINE = CommandProblemType(
    "database.other_line",
    "The database is of another line of development: it has had {names}, which is not in the order of this "
    "program's migrations. Export its events with the program that made it, and import them here. Nothing was "
    "changed.",
)

APP = "tournament"


def known_migrations() -> list[str]:
    """Return the names of this program's migrations, in order: they are linear."""
    return sorted(path.stem for path in Path(migrations.__path__[0]).glob("[0-9]*.py"))


def applied_migrations() -> set[str]:
    """Return the names of the migrations that the database has had, none for an empty one; raises DatabaseError."""
    if MigrationRecorder.Migration._meta.db_table not in connection.introspection.table_names():
        return set()
    return set(MigrationRecorder.Migration.objects.filter(app=APP).values_list("name", flat=True))


def age_problem() -> Problem | None:
    """Return why this program must not touch the database, None where it may; raises DatabaseError."""
    return judge_applied(applied_migrations(), known_migrations())


def older_problem() -> Problem | None:
    """Return the problem that the database waits for migrations, so that its rows cannot be read; None for none."""
    applied = applied_migrations()
    waiting = [name for name in known_migrations() if name not in applied]
    return DATABASE_OLDER(count=len(waiting)) if applied and waiting else None


def judge_applied(applied: set[str], known: list[str]) -> Problem | None:
    """Judge the migrations that a database has had.

    >>> judge_applied({"0001_a"}, ["0001_a", "0002_b"])
    >>> judge_applied({"0001_a", "0002_b", "0003_c"}, ["0001_a", "0002_b"]).code
    'database.newer'
    >>> judge_applied({"0001_a", "0002_c"}, ["0001_a", "0002_b"]).code
    'database.other_line'
    """
    unknown = sorted(applied - set(known))
    if unknown and applied.issuperset(known):
        return DATABASE_NEWER(names=", ".join(unknown))
    if unknown or set(known[: len(applied)]) != applied:
        return DATABASE_OTHER_LINE(names=", ".join(unknown or sorted(applied)[-1:]))
    return None
