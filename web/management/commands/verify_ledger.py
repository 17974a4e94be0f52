"""`manage.py verify_ledger`: Walk every hash chain, refold every table, and compare with signed sheets.

It changes nothing.
"""

import json
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from scoring.problems import CommandProblemType, Problem
from tournament.accounts.actions import get_command_line
from tournament.archive.verify import verify_all, verify_event
from tournament.core.errors import DomainError
from tournament.core.signing_key import EVERY, trust
from tournament.events.models import Event
from tournament.record.actions import accept_record
from tournament.record.queries import read_head
from tournament.record.verify import Verification, find_head, signed_until
from tournament.text.problems import problem_json
from web.management.base import DeskCommand, event_named, say

VERIFY_AGAINST = CommandProblemType(
    "verify.against",
    "The head that was given is in no record here: rows were rewritten, cut off, or put back to an older state "
    "after it was shown.",
    ("where",),
)
VERIFY_AGAINST_UNREADABLE = CommandProblemType(
    "verify.against_unreadable", "A head is eight words, or 64 hexadecimal digits, or a file with them."
)


class Command(DeskCommand):
    """Nothing was changed behind the desk's back."""

    help = """Walks every hash chain (each table's ledger, each event's audit trail, the site's own), holds every row
    that moves a standing against what the chained acts left, every trail against its signed heads and against
    record.sealed, which this desk keeps beside the database, and refolds every table. Prints one JSON line for each
    finding, {"code", "message", "params": {"where", "row"...}}, the same with "remark": true for what is no fault (an
    old hand that today's judge would refuse; acts from before they were sealed), and one at the end: {"ok", "events",
    "tables", "entries", "sheets", "audit_rows", "heads", "keys", "findings", "remarks"}. With --against HEAD also
    {"against": {"event", "acts", "since"}}, or a finding if no record here has that head. Exits with 1 when something
    is wrong, and with 2 when the database cannot be read yet: it waits for migrations."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take an event, a head and a key."""
        parser.add_argument("event", nargs="?", metavar="EVENT", help="only this event; without it everything")
        parser.add_argument("--against", metavar="HEAD", help="eight words, 64 hexadecimal digits, or a file with them")
        parser.add_argument(
            "--trust",
            metavar="KEY",
            help="first note another desk's public key: for EVENT until now, or for every event",
        )
        parser.add_argument(
            "--any-key", action="store_true", help="judge the database by itself: not by keys, nor by record.sealed"
        )
        parser.add_argument(
            "--accept", metavar="REASON", help="note the record as it is now as the right one, on the site's trail, too"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Walk, and say what is wrong."""
        event = event_named(options["event"]) if options["event"] else None
        if options["trust"]:
            _trust(options["trust"].strip().lower(), event)
        if options["accept"] is not None:
            for problem in accept_record(reason=options["accept"], by=get_command_line()):
                self._tell(problem, remark=True)
        report = verify_event(event) if event else verify_all(outside=not options["any_key"])
        if options["any_key"]:
            report.problems = [problem for problem in report.problems if problem.code != "verify.head_key"]
        if options["against"]:
            self._hold_against(options["against"], event, report)
        for problem in report.problems:
            self._tell(problem)
        for problem in report.remarks:
            self._tell(problem, remark=True)
        self.write_json(
            {
                "ok": not report.problems,
                "events": report.events,
                "tables": report.tables,
                "entries": report.entries,
                "sheets": report.sheets,
                "audit_rows": report.audit_rows,
                "heads": report.heads,
                "keys": sorted(report.keys),
                "findings": len(report.problems),
                "remarks": len(report.remarks),
            }
        )
        if report.problems:
            sys.exit(1)

    def _tell(self, problem: Problem, **more: bool) -> None:
        said = {"code": problem.code, "message": say(problem), "params": problem_json(problem)["params"]}
        self.write_json(said | more)

    def _hold_against(self, given: str, event: Event | None, report: Verification) -> None:
        asked = _read(given)
        if asked is None:
            raise DomainError(VERIFY_AGAINST_UNREADABLE())
        known = find_head(asked, event=event)
        if known is None:
            report.add(VERIFY_AGAINST, event.slug if event else "")
        else:
            self.write_json({"against": {"event": known.event, "acts": known.size, "since": known.since}})


def _trust(key: str, event: Event | None) -> None:
    """Note a key for what it has signed of an event until now, or for every event."""
    place = (key, event.slug) if event else (key, EVERY)
    trust(settings.DATA_DIR, {place: signed_until().get(place, 0)})


def _read(given: str) -> str | None:
    """Read a head: words, digits, an address, or a file with one of these or a proof of an event."""
    try:
        text = Path(given).read_text(encoding="utf-8") if len(given) < 4096 and Path(given).is_file() else given
        proof = json.loads(text) if text.lstrip().startswith("{") else {}
        return read_head(str(proof.get("root", text)))
    except (OSError, ValueError, AttributeError):
        return None
