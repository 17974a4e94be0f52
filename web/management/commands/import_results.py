"""`manage.py import_results EVENT results.csv`: Import a played event from its results, completely or not at all."""

import argparse
import datetime as dt
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from rules.books import load
from rules.ruleset import Ruleset, RulesetError
from tournament.accounts.actions import get_command_line
from tournament.core.limits import BYTES_LIMIT
from tournament.events.models import Event
from tournament.imports.actions import import_results, own_rules
from tournament.imports.old_seasons import import_old_season, read_old_season
from tournament.imports.results import read_results
from web.management.base import EVENT_ARGUMENT, DeskCommand, read_input, say
from web.management.json_lines import NAMED, own_version

# the book for a table size where --rules says nothing
USUAL = {3: "sanmatsuri-2026", 4: "ema-2025"}


class Command(DeskCommand):
    """A played event from one file."""

    help = """Takes in the results of a played event from a file with the columns round, table, seat, player, points, or
    with one row a game: East, South, West, North and the points of each (csv or xlsx; seat 0 is the first East; points
    are final points of a game). The event is made if there is none, its name being EVENT; players are made by name;
    every table is entered as final scores and signed, every round released. Points that are missing from a table's sum
    are riichi sticks that nobody won, if they can be: the book gives them to the first place or to nobody. Any other
    gap is refused. The same file twice changes nothing. Prints one JSON object: {"event", "changed", "players",
    "rounds", "tables"}. With --season the file is a whole season called EVENT: an event for each worksheet or day, and
    the season of them; totals in the file that its games do not give are listed and stop the import unless
    --differences is given. It prints {"season", "events", "people", "differences"}."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the event, the file and the rules that it was played by."""
        parser.add_argument("event", **EVENT_ARGUMENT)
        parser.add_argument("file", metavar="results.csv", help='the results; "-" for standard input')
        parser.add_argument(
            "--rules",
            metavar="KEY",
            help=f"{NAMED}; without it {USUAL[4]} for tables of four, {USUAL[3]} of three",
        )
        parser.add_argument(
            "--start", metavar="N", type=int, help="points each player starts with and that are subtracted at the end"
        )
        parser.add_argument(
            "--uma", metavar="A,B,...", type=_points, help="uma by place, in points: 15000,5000,-5000,-15000"
        )
        parser.add_argument(
            "--append",
            action="store_true",
            help="add the file's rounds behind those of the event; rounds that it has must be the same in the file",
        )
        parser.add_argument("--date", metavar="YYYY-MM-DD", type=_day, help="the day of a new event; without it today")

        parser.add_argument("--season", action="store_true", help="the file is a season: an event for each evening")
        parser.add_argument(
            "--before-uma", action="store_true", help="points of a season that add up to 0 have no uma yet"
        )
        parser.add_argument("--differences", action="store_true", help="import a season though totals differ")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Import, and say what came in."""
        name = options["file"]
        if options["season"]:
            self._season(name, options)
            return
        preview = read_results(
            read_input(name, most=BYTES_LIMIT + 1),
            Path(name).name if name != "-" else "results.csv",
            start=_start(options),
        )
        for problem in preview.problems:
            if problem.severity == "warning":
                self.stderr.write(f"Note: {say(problem)}", self.style.WARNING)
        event = Event.objects.filter(slug=options["event"]).first()
        asked = any(options[name] is not None for name in ("rules", "start", "uma"))
        imported = import_results(
            slug=options["event"],
            preview=preview,
            rules=_rules(event, preview.players_per_table, options) if asked or event is None else None,
            version=own_version(options["rules"]) if options["rules"] else None,
            date=options["date"] or timezone.localdate(),
            append=options["append"],
            by=get_command_line(),
        )
        for problem in imported.notes:
            self.stderr.write(f"Note: {say(problem)}", self.style.WARNING)
        self.write_json(
            {
                "event": imported.event.slug,
                "changed": imported.changed,
                "players": len(preview.players),
                "rounds": len(preview.rounds),
                "tables": sum(len(round_.tables) for round_ in preview.rounds),
            }
        )

    def _season(self, file: str, options: dict[str, Any]) -> None:
        """Import a season. Raises CommandError where totals differ, with each in words."""
        rules = _rules(None, 4, options)
        version = own_version(options["rules"]) if options["rules"] else None
        data, day = read_input(file, most=BYTES_LIMIT + 1), options["date"] or timezone.localdate()
        old = read_old_season(data, Path(file).name, day=day, rules=rules, before_uma=options["before_uma"])
        for where, problem in old.problems:
            self.stderr.write(f"{where or file}: {say(problem)}")
        differences = [say(problem) for problem in old.differences]
        if differences and not options["differences"]:
            raise CommandError("\n".join([*differences, "Nothing was imported: see --differences."]))
        season = import_old_season(
            name=options["event"], old=old, rules=rules, version=version, by=get_command_line()
        )  # fmt: skip
        events = list(season.events.values_list("event__slug", flat=True))
        said = {"season": season.slug, "events": events, "people": len(old.names), "differences": differences}
        self.write_json(said)


def _start(options: dict[str, Any]) -> int:
    """Return the points that players start with, for a file that has only differences from them."""
    event = Event.objects.filter(slug=options["event"]).first()
    if options["start"] is not None:
        return int(options["start"])
    version = own_version(options["rules"]) if options["rules"] else None
    if event and not options["rules"]:
        return event.ruleset.start_points
    try:
        return (version.ruleset if version else load(options["rules"] or USUAL[4])).start_points
    except RulesetError as wrong:
        raise CommandError(f"{wrong}.") from wrong


def _rules(event: Event | None, size: int, options: dict[str, Any]) -> Ruleset:
    """Return the rules that were asked for, else those of the event, else the usual ones for tables of a size."""
    key, start, uma = options["rules"], options["start"], options["uma"]
    changes: dict[str, Any] = {} if start is None else {"start_points": start, "return_points": start, "oka": 0}
    if uma is not None:
        changes["uma"] = uma
    try:
        version = own_version(key) if key else None
        usual = USUAL.get(size, USUAL[4])
        book = event.ruleset if event and key is None else version.ruleset if version else load(key or usual)
        return own_rules(book, changes, source="the rules as asked for")
    except RulesetError as wrong:
        raise CommandError(f"{wrong}.") from wrong


def _points(text: str) -> list[int]:
    try:
        return [int(part) for part in text.replace("−", "-").split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a list of whole numbers like 15000,5000,-5000,-15000"
        ) from None


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a date like 2026-09-12") from None
