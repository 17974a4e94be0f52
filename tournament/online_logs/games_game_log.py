"""Read the log of one game, JSON or a line of JSON Lines in the contract's format, and check each of its entries.

Nothing is stored.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules.ruleset import Ruleset
from scoring.entries import Entry, Totals, from_json
from scoring.game import Hand, fold, judge
from scoring.problems import InvalidInput, Problem, ProblemType, shown
from scoring.state import opening
from scoring.strict_json import ENTRY_LIST_TOO_LONG, MOST_ITEMS, parse
from tournament.imports.files_encoding import decode_text
from tournament.imports.files_sheet import IMPORT_FILE_EMPTY, IMPORT_FILE_TOO_BIG

GAME_NO_ENTRIES = ProblemType("game.no_entries", "This is not a log of a game: it needs “entries”, a list of hands.")
GAME_EMPTY = ProblemType("game.empty", "There is no hand in this log.")
GAME_SEVERAL = ProblemType(
    "game.several", "This file holds {count} games, one per line. Keep only the line of this table's game."
)
GAME_OTHER_START = ProblemType("game.other_start", "The log starts with {start} points; this event with {wanted}.")
GAME_OTHER_RULES = ProblemType(
    "game.other_rules", "The log was played by {rules}, this event by {own}: its hands were judged by the latter."
)
GAME_LEFT_OUT = ProblemType("game.left_out", "The log says more than its hands, which was left out: {keys}.")
GAME_NOT_OVER = ProblemType("game.not_over", "The game of this log is not over by these rules: time may have ended it.")
GAME_TOTALS = ProblemType("game.totals", "These are final scores, not a hand: enter them as the table's sheet.")

_KEYS = frozenset({"id", "rules", "start", "entries", "ended", "expected"})
_BYTES_LIMIT = 1024 * 1024


@dataclass(frozen=True, slots=True)
class LoggedHand:
    """One entry of a log: its place from 1, what it says, the hand that it makes (None from the first error on)."""

    number: int
    entry: Entry | None
    text: str
    hand: Hand | None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class GamePreview:
    """A log as understood; `problems` concern the file, each hand carries its own. `ended`: the game is over."""

    filename: str
    hands: tuple[LoggedHand, ...]
    problems: tuple[Problem, ...]
    scores: tuple[int, ...] = ()
    ended: bool = False

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        return self.problems + tuple(problem for hand in self.hands for problem in hand.problems)

    @property
    def is_sound(self) -> bool:
        """Say whether the game can be taken as it is."""
        return bool(self.hands) and all(problem.severity != "error" for problem in self.all_problems)

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(hand.entry for hand in self.hands if hand.entry is not None)


def read_game_log(data: bytes, filename: str, *, rules: Ruleset) -> GamePreview:
    """Read one game to be played by these rules. Raises nothing: what is wrong is in the preview."""
    try:
        values, problems = _read(data, rules)
    except InvalidInput as refusal:
        return GamePreview(filename, (), refusal.problems)
    return _judge(filename, values, problems, rules)


def _read(data: bytes, rules: Ruleset) -> tuple[list[Any], list[Problem]]:
    """Return the log's entries and what is said of the file; raises InvalidInput for what is no log of one game."""
    if not data.strip():
        raise InvalidInput([IMPORT_FILE_EMPTY()])
    if len(data) > _BYTES_LIMIT:
        raise InvalidInput([IMPORT_FILE_TOO_BIG(megabytes=_BYTES_LIMIT // 1024**2)])
    value = _one_value(decode_text(data).text)
    if isinstance(value, list):
        value = {"entries": value}
    if not isinstance(value, dict) or not isinstance(value.get("entries"), list):
        raise InvalidInput([GAME_NO_ENTRIES()])
    if not value["entries"]:
        raise InvalidInput([GAME_EMPTY()])
    if len(value["entries"]) > MOST_ITEMS:
        raise InvalidInput([ENTRY_LIST_TOO_LONG(key="entries", most=MOST_ITEMS)])
    return value["entries"], _judge_about(value, rules)


def _one_value(text: str) -> Any:
    """Return the one JSON value of a file, which may stand on one line of its own or over many."""
    try:
        return parse(text, most=_BYTES_LIMIT)
    except InvalidInput as whole:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > 1 and all(line.lstrip().startswith("{") for line in lines):
            raise InvalidInput([GAME_SEVERAL(count=len(lines))]) from whole
        raise


def _judge_about(value: dict[str, Any], rules: Ruleset) -> list[Problem]:
    """Compare what a log says of its game with the event's rules."""
    found: list[Problem] = []
    if value.get("start") not in (None, rules.start_points):
        found.append(GAME_OTHER_START(start=shown(str(value["start"])), wanted=rules.start_points))
    if value.get("rules") not in (None, rules.key):
        found.append(GAME_OTHER_RULES.warning(rules=shown(str(value["rules"])), own=rules.key))
    strange = [shown(str(key)) for key in value if key not in _KEYS]
    if strange:
        found.append(GAME_LEFT_OUT.warning(keys=tuple(strange[:10])))
    return found


def _judge(filename: str, values: Sequence[Any], problems: list[Problem], rules: Ruleset) -> GamePreview:
    read: list[tuple[Entry | None, tuple[Problem, ...]]] = [_entry(value) for value in values]
    whole = [entry for entry, _ in read]
    # hands behind one that cannot be read would be judged at a state that never was
    sound = [entry for entry in whole[: whole.index(None) if None in whole else len(whole)] if entry is not None]
    found = judge(sound, opening(rules), rules)
    wrong = next((index for index, problem in found if problem.severity == "error"), len(sound))
    game = fold(sound[:wrong], rules)
    hands = tuple(
        LoggedHand(
            index + 1,
            entry,
            shown(json.dumps(values[index], ensure_ascii=False), 300),
            game.hands[index] if index < wrong else None,
            (*faults, *(problem for at, problem in found if at == index)),
        )
        for index, (entry, faults) in enumerate(read)
    )
    said = tuple(problems) if game.state.ended else (*problems, GAME_NOT_OVER.warning())
    return GamePreview(filename, hands, said, tuple(game.state.scores), game.state.ended)


def _entry(value: Any) -> tuple[Entry | None, tuple[Problem, ...]]:
    try:
        entry = from_json(value)
    except InvalidInput as wrong:
        return None, wrong.problems
    return (None, (GAME_TOTALS(),)) if isinstance(entry, Totals) else (entry, ())
