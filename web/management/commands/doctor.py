"""`manage.py doctor`: looks at the machine before an event and says in words what is to be mended.

It changes nothing.
"""

import sys
from typing import Any

from django.core.management.base import CommandParser

from web.management.base import DeskCommand
from web.server.doctor import examine

HELP = """Looks at what an event depends on: free space, database, ledger, clock, network address, fonts and paper,
backups, browser. Prints a line for each finding, or with --json one JSON line each: {"organ", "level": "ok", "warning"
or "fault", "words"}. Changes nothing, and asks nobody on the Internet. Exits with 1 when there is a fault."""
SIGNS = {"ok": "ok     ", "warning": "look   ", "fault": "MEND   "}


class Command(DeskCommand):
    """Better before the first round than in it."""

    help = HELP

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the form of the answer."""
        parser.add_argument("--json", action="store_true", help="one JSON line for each finding")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Look, and tell each finding as soon as it is known."""
        faults = 0
        styles = {"ok": self.style.SUCCESS, "warning": self.style.WARNING, "fault": self.style.ERROR}
        for finding in examine():
            faults += finding.level == "fault"
            if options["json"]:
                self.write_json({"organ": finding.organ, "level": finding.level, "words": finding.words})
            else:
                self.stdout.write(f"{styles[finding.level](SIGNS[finding.level])}{finding.organ:<10}{finding.words}")
        if faults:
            sys.exit(1)
