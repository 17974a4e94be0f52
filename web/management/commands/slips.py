"""`manage.py slips`: Read games whose entries do not give the paper's scores; print the likely slips.

It reads standard input and uses no database.
"""

from typing import Any

from scoring.check import POINTS_NOT_FOR_EACH_SEAT, UNPLAYABLE, problems
from scoring.entries import Entry, to_json
from scoring.slips.search import Slip, find_slips
from scoring.state import opening
from scoring.strict_json import ENTRY_MISSING_KEY, ENTRY_WRONG_TYPE
from web.management.json_lines import Found, GameLine, LineRefused, LinesCommand, read_game

BESIDE = frozenset({"scores"})


def answer_slips(line: dict[str, Any]) -> dict[str, Any]:
    """Find the slips of one game; raises LineRefused with what is wrong with the line."""
    game = read_game(line, beside=BESIDE)
    scores = line.get("scores")
    found: list[Found] = [(at, each) for at, entry in enumerate(game.entries) for each in _unplayable(entry, game)]
    found += [(None, each) for each in _wrong_scores(scores, game)]
    if found:
        raise LineRefused(found)
    return {"slips": [slip_json(slip) for slip in find_slips(game.entries, game.rules, scores, start=game.start)]}


def slip_json(slip: Slip) -> dict[str, Any]:
    """Return one slip as the contract has it."""
    entries = [to_json(entry) for entry in slip.entries]
    return {"kind": slip.kind, "at": slip.at, "entries": entries, "scores": list(slip.scores)}


def _unplayable(entry: Entry, game: GameLine) -> list[Any]:
    """Return what keeps an entry from being played at all: seats that are not at the table, a win of nobody."""
    return [each for each in problems(entry, opening(game.rules, game.start), game.rules) if each.code in UNPLAYABLE]


def _wrong_scores(scores: Any, game: GameLine) -> list[Any]:
    if scores is None and any(entry.announced for entry in game.entries):
        return []
    if scores is None:
        return [ENTRY_MISSING_KEY(key="scores")]
    if type(scores) is not list or any(type(score) is not int for score in scores):
        return [ENTRY_WRONG_TYPE(key="scores", wanted="a list of whole numbers")]
    if len(scores) != game.rules.players:
        return [POINTS_NOT_FOR_EACH_SEAT(given=len(scores), players=game.rules.players)]
    return []


class Command(LinesCommand):
    """Games that do not fit in, likely slips out."""

    help = """Reads one game a line from standard input, writes one answer a line; needs no database. In: {"id",
    "rules": KEY, "start" (points; else the rule set's), "entries": [ENTRY...], "scores": [as the paper says after the
    last entry, before leftover riichi sticks are given out]}. Where an entry has "announced", "scores" may be left out.
    Out: {"id", "ok", "slips": [{"kind", "at": index of the entry, "entries": [ENTRY... as they would be then],
    "scores"}...]}, best first, at most ten; empty where the entries give the scores, or nothing explains them. A hand
    that the rules refuse is a slip to find, not a bad line. A bad line gets {"id", "ok": false, "problems": [{"code",
    "message", "params", "at"}]} and stops no other line."""
    answer = staticmethod(answer_slips)
