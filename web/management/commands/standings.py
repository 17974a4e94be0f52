"""`manage.py standings EVENT`: the ranking of the released rounds, as public pages, files and API show it.

Results that the event holds back are left out, so that its output can be published; `--all` counts them.

It reads and never writes.
"""

from typing import Any

from django.core.management.base import CommandParser

from tournament.selectors.public.standings import Standings, get_released_standings, get_standings
from web.api.standings_json import standings_json
from web.management.base import DeskCommand, event_named
from web.management.text_table import text_table
from web.words.formatting import ordinal_place, p, signed_p

HELP = """Prints the ranking of an event's released rounds, best first, as public pages, files and API show it: rounds
whose results are held back are left out, unless --all is given. With --json one object: {"event", "rows":
[{"rank", "player", "total", "games", "penalties", "results": [points by round, null without a game], "tie_break"}...]},
all in points; tied players share the better rank. Without it a table in thousands."""


class Command(DeskCommand):
    """The ranking of an event."""

    help = HELP

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the event and the form of the output."""
        parser.add_argument("event", metavar="EVENT", help="the event's address, as in /e/EVENT/")
        parser.add_argument("--all", action="store_true", help="count released rounds whose results are held back, too")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the standings."""
        event = event_named(options["event"])
        standings = get_released_standings(event) if options["all"] else get_standings(event)
        if options["json"]:
            self.write_json(standings_json(event, standings))
            return
        self.stdout.write(f"{event.name}, after {len(standings.rounds)} of {event.rounds_planned} rounds\n\n")
        for line in readable(standings):
            self.stdout.write(line)


def readable(standings: Standings) -> list[str]:
    """Return the ranking as the lines of a table, points in thousands."""
    heads = ["rank", "player", "total", *(f"R{number}" for number in standings.rounds), "penalties", "tie-break"]
    rows = [
        [
            ordinal_place(row.rank, row.shared),
            row.name,
            signed_p(row.total),
            *(_result(row.results[number - 1]) for number in standings.rounds),
            p(-row.penalties) if row.penalties else "",
            (row.tie_break or "").replace("_", " "),
        ]
        for row in standings.rows
    ]
    return list(text_table(heads, rows, right="r r" + "r" * (len(standings.rounds) + 1)))


def _result(points: int | None) -> str:
    return "" if points is None else signed_p(points)
