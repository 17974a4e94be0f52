"""`manage.py seat`: Print a schedule for tables of three or four with its quality report, without any event.

Reads arguments, writes a result; the drawing itself is in `tournament.seating`.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.core.management.base import CommandError, CommandParser

from tournament.seating.search.draw import (
    TIME_LIMIT,
    UnevenDraw,
    UnevenOption,
    UnevenSeating,
    draw_uneven,
    option_for,
    options_for,
)
from tournament.seating.search.quality import Report
from tournament.seating.search.schedule import SeatingError
from web.management.base import DeskCommand


def fixed_table(text: str) -> tuple[int, int]:
    """Read PLAYER:TABLE, both numbered from 0.

    >>> fixed_table("5:2")
    (5, 2)
    """
    player, colon, table = text.partition(":")
    if not (colon and player.isdecimal() and table.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not PLAYER:TABLE, two numbers from 0 with a colon between")
    return int(player), int(table)


def gather_fixed(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return the table of each player; raises CommandError for a player with two."""
    fixed: dict[int, int] = {}
    for player, table in pairs:
        if fixed.setdefault(player, table) != table:
            raise CommandError(f"Player {player} cannot keep both table {fixed[player]} and table {table}.")
    return fixed


class Command(DeskCommand):
    """Draw a schedule and print it."""

    uses_database = False
    help = (
        "Draws who sits where in every round, and says how good the schedule is. Players and tables count from 0; "
        "at each table the first East comes first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, required=True, help="how many players")
        parser.add_argument("--table-size", type=int, required=True, help="players at a table: 3 or 4")
        parser.add_argument("--rounds", type=int, required=True, help="how many rounds")
        parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same schedule (default 0)")
        parser.add_argument(
            "--time-limit", type=float, default=TIME_LIMIT, help=f"seconds that it may take (default {TIME_LIMIT:g})"
        )
        parser.add_argument(
            "--fixed-table",
            type=fixed_table,
            nargs="+",
            action="extend",
            default=[],
            metavar="PLAYER:TABLE",
            help="a player who keeps one table in every round, both numbered from 0; may be given again",
        )
        parser.add_argument(
            "--way",
            type=UnevenSeating,
            choices=[way for way in UnevenSeating if way != UnevenSeating.FULL],
            help="how to seat players who do not fill the tables (default: substitutes, numbered after the players)",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object on one line")

    def handle(self, *_args: object, **options: Any) -> None:
        size, seed = (options["players"], options["table_size"], options["rounds"]), options["seed"]
        try:
            option = option_for(options["way"], *size) if options["way"] else options_for(*size)[0]
            drawn = draw_uneven(
                option,
                seed=seed,
                time_limit=options["time_limit"],
                fixed_tables=gather_fixed(options["fixed_table"]),
            )
        except SeatingError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.write_json(drawn.as_json(option, seed))
        else:
            self.stdout.write("\n".join(lines_of(drawn, option, seed)))


def lines_of(drawn: UnevenDraw, option: UnevenOption, seed: int) -> Iterator[str]:
    """Yield the schedule as text: a block for each round, a line for each table, then the report in words."""
    winds = ("East", "South", "West", "North")[: max(option.sizes)]
    width = max(len("South"), len(str(option.players + option.substitutes - 1)))
    for number, (tables, resting) in enumerate(zip(drawn.rounds, drawn.resting, strict=True), start=1):
        yield f"Round {number}"
        yield _row("table", winds, width)
        yield from (_row(str(table), players, width) for table, players in enumerate(tables))
        if resting:
            yield _row("rest", resting, width)
        yield ""
    if drawn.substitutes:
        yield f"Substitutes: {', '.join(map(str, drawn.substitutes))}."
    yield from report_lines(drawn.report, seed)


def _row(head: str, cells: Sequence[object], width: int) -> str:
    return f"{head:>7}  " + "  ".join(f"{cell!s:>{width}}" for cell in cells)


def report_lines(report: Report, seed: int) -> Iterator[str]:
    """Yield the report in words."""
    proof = (
        "proven least"
        if report.repeats == report.repeats_least
        else f"no schedule has fewer than {report.repeats_least}"
    )
    yield f"Repeated meetings: {report.repeats} ({proof}); the most that two players meet: {report.met_most}."
    yield f"Winds: the counts of one player differ by {report.winds_spread} at most (possible: {report.winds_least})."
    yield f"Tables: the most that a player without a fixed table comes to one table: {report.tables_most}."
    yield f"Made by: {report.method}, seed {seed}, {report.seconds:.2f} s. Players and tables count from 0."
