"""`manage.py bench`: Run the benchmarks of tools/bench, on a database of their own; print one JSON object.

The organiser's data is neither read nor written.
"""

import os
import subprocess
import sys
import tempfile
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from web.management.base import DeskCommand

# what would lead the benchmarks to another database, or change what they measure
FOREIGN = ("DATABASE_URL", "HANCHAN_DEBUG", "HANCHAN_HTTPS", "HANCHAN_HOSTS", "HANCHAN_TZ", "DJANGO_SETTINGS_MODULE")

HELP = """Measures and prints one JSON object: "fold_hands_per_second" (recorded games from memory),
"standings_cold_ms" (200 tables of 12 hands from the database, nothing cached, median),
"post_hand_ms" and "post_hand_p99_ms" (one hand from POST to answer through Django, into a SQLite file), and
"busy_loop_per_second", what a fixed loop did in one second; "busy_loop_beside" has it for each figure, so that runs on
other machines can be compared. "value_hands_per_second" counts made hands, "value_ratio_to_mahjong" compares with that
library; "value_line_us" is all that `score` does for a hand, from JSON to JSON, "value_line_ratio_to_mahjong" compares
it with the library's count alone. "seating_rows" of the field's benchmark of seatings are drawn, of which
"seating_rows_at_best" have as few
repeats as anybody reached, in "seating_median_s" and "seating_worst_s"; "seating_beside" compares with the best of
1,000 shuffles and with a genetic search. It runs on a temporary database and takes about a minute."""


class Command(DeskCommand):
    """How fast it is here."""

    help = HELP
    uses_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Take how thorough to be."""
        parser.add_argument("--quick", action="store_true", help="measure once instead of many times: rough figures")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the benchmarks in a process with a data directory of its own."""
        with tempfile.TemporaryDirectory(prefix="hanchan-bench-") as data:
            kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
            done = subprocess.run(
                [sys.executable, "-m", "tools.bench", *(["--quick"] if options["quick"] else [])],
                cwd=settings.BASE_DIR,
                env={**kept, "HANCHAN_DATA": data},
                capture_output=True,
                text=True,
                encoding="utf-8",
                check=False,
            )
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no reason was given"])[-1]
            raise CommandError(f"The benchmarks did not run to their end: {last}")
        self.stdout.write(done.stdout, ending="")
