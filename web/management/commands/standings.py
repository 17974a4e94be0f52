"""`manage.py standings EVENT`: Print the ranking of the released rounds, as public pages, files and API show it.

Results that the event holds back are left out, so that its output can be published; `--all` counts them.

It reads and never writes.
"""

from typing import Any

from django.core.management.base import CommandParser

from tournament.api.answers import standings_json
from tournament.standings.columns import Column, Value, columns_for
from tournament.standings.queries import Standings, get_released_standings, get_standings
from tournament.text.numbers import Place, ordinal_place, p, signed_p
from web.management.base import EVENT_ARGUMENT, DeskCommand, event_named, text_table


class Command(DeskCommand):
    """The ranking of an event."""

    help = """Prints the ranking of an event's released rounds, best first, as public pages, files and API show it:
    rounds whose results are held back are left out, unless --all is given. With --json one object: {"event", "rows":
    [{"rank", "player", "total", "games", "penalties", "results": [points by round, null without a game],
    "tie_break"}...]}, all in points; tied players share the better rank. Without it a table in thousands."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the event and the form of the output."""
        parser.add_argument("event", **EVENT_ARGUMENT)
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
    columns = columns_for("text", standings.rows, standings.rounds)
    heads = [f"R{column.round}" if column.round else column.key.replace("_", "-") for column in columns]
    rows = [[_text(column, column.cell(row)) for column in columns] for row in standings.rows]
    right = "".join(" " if column.kind == "text" else "r" for column in columns)
    return list(text_table(heads, rows, right=right))


def _text(column: Column, value: Value) -> str:
    if isinstance(value, Place):
        return ordinal_place(value.number, value.shared)
    if isinstance(value, int):
        if column.kind == "penalty":
            return p(-value) if value else ""
        return signed_p(value) if column.kind == "result" else str(value)
    return (value or "").replace("_", " ") if column.key == "tie_break" else value or ""
