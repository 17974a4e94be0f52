"""`manage.py verify_ledger`: walks every hash chain, refolds every table, compares with signed sheets.

It changes nothing.
"""

import sys
from typing import Any

from django.core.management.base import CommandParser

from tournament.selectors.files.verify import verify_all, verify_event
from web.management.base import DeskCommand, event_named
from web.management.words import say
from web.words.problem_json import problem_json

HELP = """Walks every hash chain (each table's ledger, each event's audit trail, the site's own), refolds every table,
checks that corrections name hands that are there, and compares signed sheets and the audit trail with the entries.
Prints one JSON line for each finding, {"code", "message", "params": {"where", "row"...}}, and one at the end: {"ok",
"events", "tables", "entries", "sheets", "audit_rows", "findings"}. Exits with 1 when something is wrong."""


class Command(DeskCommand):
    """Nothing was changed behind the desk's back."""

    help = HELP

    def add_arguments(self, parser: CommandParser) -> None:
        """Take an event."""
        parser.add_argument("event", nargs="?", metavar="EVENT", help="only this event; without it everything")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Walk, and say what is wrong."""
        report = verify_event(event_named(options["event"])) if options["event"] else verify_all()
        for problem in report.problems:
            self.write_json({"code": problem.code, "message": say(problem), "params": problem_json(problem)["params"]})
        self.write_json(
            {
                "ok": not report.problems,
                "events": report.events,
                "tables": report.tables,
                "entries": report.entries,
                "sheets": report.sheets,
                "audit_rows": report.audit_rows,
                "findings": len(report.problems),
            }
        )
        if report.problems:
            sys.exit(1)
