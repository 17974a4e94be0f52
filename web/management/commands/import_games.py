"""`manage.py import_games EVENT FILE…`: Import games that were played online; each is entered or refused."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from scoring.problems import InvalidInput, errors_of
from tournament.accounts.actions import get_command_line
from tournament.core.errors import DomainError
from tournament.core.limits import BYTES_LIMIT
from tournament.events.models import Event
from tournament.online_logs.actions import take_online_game, take_open_game
from tournament.online_logs.games import list_logs
from tournament.online_logs.queries import FoundGame, find_games, read_aliases
from tournament.tables.models import Table
from tournament.text.problems import problem_json
from web.management.base import EVENT_ARGUMENT, DeskCommand, event_named, read_input, say
from web.management.json_lines import Found


class Command(DeskCommand):
    """Games from logs."""

    help = """Takes in games of Tenhou (JSON of tenhou.net/6, mjlog) or mjai, a log a file or many in a zip. A
    game is entered at the first empty table of a published round where just its players sit, or in an open
    event at a table of its own; names in a log mean a player of that name or online name, or whom a line of the
    aliases says. Each hand is judged by the event's rules; a game that does not fit is refused whole, as is one
    that was taken already. Prints a line of JSON for each game: {"file", "ok", "round", "table", "hands",
    "scores", "signed"} or {"file", "ok": false, "problems"}, where "at" is the index of the hand in the log."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the event, the files and who is who."""
        parser.add_argument("event", **EVENT_ARGUMENT)
        parser.add_argument("files", metavar="FILE", nargs="+", help="a log, or a zip of logs")
        parser.add_argument("--aliases", metavar="FILE", help="lines with a name of the logs, a comma, and the player")
        parser.add_argument("--sign", action="store_true", help="sign the sheet of each game that is over")
        parser.add_argument("--dry-run", action="store_true", help="say what would be entered, and enter nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Enter one game after another."""
        event = event_named(options["event"])
        try:
            text = read_input(options["aliases"], most=2**20).decode() if options["aliases"] else ""
            aliases = read_aliases(text)
            logs = [log for name in options["files"] for log in list_logs(_data(name), Path(name).name)]
        except InvalidInput as refused:
            raise CommandError(" ".join(say(problem) for problem in refused.problems)) from refused
        except UnicodeDecodeError as wrong:
            raise CommandError(f"{options['aliases']} is no text in UTF-8.") from wrong
        for game in find_games(event, logs, aliases):
            self.write_json(self._take(event, game, sign=options["sign"], only_look=options["dry_run"]))

    def _take(self, event: Event, game: FoundGame, *, sign: bool, only_look: bool) -> dict[str, Any]:
        """Enter one game; return what is said of it."""
        file, preview, table = game.source.filename, game.preview, game.table
        if not game.is_sound:
            whole = [*errors_of(game.problems), *errors_of(preview.problems)]
            in_hands = [(hand.number - 1, each) for hand in preview.hands for each in errors_of(hand.problems)]
            return _refusal(file, [*((None, each) for each in whole), *in_hands])
        facts: dict[str, Any] = {
            "players": game.players,
            "entries": preview.entries,
            "source": game.source,
            "sign": sign,
        }
        place = {"round": table.round if table else None, "table": table.number if table else None}
        try:
            if table and not only_look:
                there = Table.objects.select_related("round__event").get(pk=table.id, round__event=event)
                take_online_game(table=there, **facts, by=get_command_line())
            elif not only_look:
                made = take_open_game(event=event, **facts, by=get_command_line())
                place = {"round": made.round.number, "table": made.number}
        except DomainError as refused:
            return _refusal(file, [(None, each) for each in refused.problems])
        said = {"file": file, "ok": True, **place, "hands": len(preview.hands)}
        return said | {"scores": list(preview.scores), "signed": sign and preview.ended}


def _data(name: str) -> bytes:
    return read_input(name, most=BYTES_LIMIT)


def _refusal(file: str, found: Iterable[Found]) -> dict[str, Any]:
    return {"file": file, "ok": False, "problems": [problem_json(each, at=at) for at, each in found]}
