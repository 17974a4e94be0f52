"""Read logs of games, ours or of Tenhou or mjai, one file or many in a zip, and judge them by an event's rules.

A hand counts only if these rules make of it what the log says. Stores nothing.
"""

import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from rules.ruleset import Ruleset
from scoring.check import problems
from scoring.entries import Entry, Totals, from_json, to_json
from scoring.game import Hand, fold, judge, play
from scoring.problems import InvalidInput, Problem, ProblemType, errors_of, printable_excerpt
from scoring.state import TableState, opening
from scoring.strict_json import ENTRY_LIST_TOO_LONG, MAX_ITEMS, parse
from scoring.win_tiles import fill_in
from tournament.imports.files import IMPORT_FILE_EMPTY, IMPORT_FILE_TOO_BIG, decode_text
from tournament.online_logs.readers import LogError, OnlineGame, OnlineHand, read_mjai, read_mjlog, read_tenhou

LOG_UNKNOWN = ProblemType("log.unknown", "This is not a log of Tenhou (JSON or mjlog) or mjai.")
LOG_ZIP_BROKEN = ProblemType(
    "log.zip_broken", "This packed file is broken. Pack it again, or import the logs one by one."
)
LOG_TOO_MANY = ProblemType("log.too_many", "At most {most} logs and {megabytes} MB unpacked fit in one file.")
LOG_HAND_UNREADABLE = ProblemType("log.hand_unreadable", "Hand {number} of the log cannot be read.")
LOG_HIDDEN = ProblemType(
    "log.hidden", "The log hides tiles: it is what one player saw. Import the log of the whole game."
)
LOG_UNFINISHED = ProblemType("log.unfinished", "No hand of this log is finished: it breaks off in its first hand.")
LOG_MID_GAME = ProblemType(
    "log.mid_game", "The log begins at {start_wind} {kyoku}, honba {honba}. Import the log of the whole game."
)
LOG_PLAYERS = ProblemType("log.players", "{players} players in the log; {wanted} in this event.")
LOG_OVER = ProblemType("log.over", "The game is already over here, but the log goes on.")
LOG_OTHER_HAND = ProblemType(
    "log.other_hand",
    "The log is at {log_wind} {log_kyoku}, honba {log_honba}; by these rules it is {desk_wind} {desk_kyoku}, "
    "honba {desk_honba}.",
)
LOG_OTHER_STICKS = ProblemType("log.other_sticks", "The log has {log} riichi sticks on the table, these rules {desk}.")
LOG_OTHER_SCORES = ProblemType("log.other_scores", "After this hand the log has {log}; by these rules it is {desk}.")

MAX_BYTES = 4 * 1024 * 1024  # of one log, unpacked
MAX_LOGS = 500
MAX_UNPACKED = 64 * 1024 * 1024
ADDRESS = "#json="  # a game of tenhou.net/6 as one address


def unpack_logs(data: bytes, filename: str) -> list[tuple[str, bytes]]:
    """Return the logs of an upload as (name, content): those of a zip by name, or the one file.

    Raises InvalidInput for a zip that is broken, too large or empty.
    """
    if not data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return [(filename, data)]
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            inside = sorted(
                (each for each in archive.infolist() if not each.is_dir() and "__MACOSX" not in each.filename),
                key=lambda each: each.filename,
            )
            if len(inside) > MAX_LOGS or sum(each.file_size for each in inside) > MAX_UNPACKED:
                raise InvalidInput([LOG_TOO_MANY(most=MAX_LOGS, megabytes=MAX_UNPACKED // 1024**2)])
            logs = [(PurePosixPath(each.filename).name, _read_member(archive, each)) for each in inside]
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError) as wrong:
        raise InvalidInput([LOG_ZIP_BROKEN()]) from wrong
    if not logs:
        raise InvalidInput([IMPORT_FILE_EMPTY()])
    return logs


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    with archive.open(member) as file:
        return file.read(min(member.file_size, MAX_BYTES) + 1)


def read_online_game(data: bytes) -> OnlineGame:
    """Read one log, of any known format. Raises InvalidInput with what is wrong with it."""
    text = decode_text(_unzipped(data)).text.strip()
    if not text:
        raise InvalidInput([IMPORT_FILE_EMPTY()])
    try:
        game = _read_log(text)
    except LogError as wrong:
        said = LOG_HIDDEN() if wrong.hidden else LOG_HAND_UNREADABLE(number=max(wrong.hand, 1))
        raise InvalidInput([said]) from wrong
    if not game.hands:
        raise InvalidInput([LOG_UNFINISHED() if game.begun else GAME_EMPTY()])
    players = len(game.hands[0].before)
    for number, hand in enumerate(game.hands, start=1):
        if not players == len(hand.before) == len(hand.after):
            raise InvalidInput([LOG_HAND_UNREADABLE(number=number)])
    if len(game.hands) > MAX_ITEMS:
        raise InvalidInput([ENTRY_LIST_TOO_LONG(key="log", most=MAX_ITEMS)])
    return game


def _unzipped(data: bytes) -> bytes:
    if data.startswith(b"\x1f\x8b"):
        try:
            with gzip.open(io.BytesIO(data)) as file:
                data = file.read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error) as wrong:
            raise InvalidInput([LOG_ZIP_BROKEN()]) from wrong
    if len(data) > MAX_BYTES:
        raise InvalidInput([IMPORT_FILE_TOO_BIG(megabytes=MAX_BYTES // 1024**2)])
    return data


def _read_log(text: str) -> OnlineGame:
    """Tell the format by its first signs, and read it."""
    if text.startswith("<"):
        try:
            return read_mjlog(fromstring(text))
        except (ParseError, DefusedXmlException, ValueError) as wrong:
            raise InvalidInput([LOG_UNKNOWN()]) from wrong
    if text.startswith("http") and ADDRESS in text:
        text = unquote(text.partition(ADDRESS)[2])
    lines = text.splitlines()
    value = _json(lines[0] if len(lines) > 1 and '"type"' in lines[0] else text)
    if isinstance(value, dict) and "type" in value:
        return read_mjai([_json(line) for line in lines if line.strip()])
    if isinstance(value, list) and value and isinstance(value[0], dict) and "type" in value[0]:
        return read_mjai(value)
    if isinstance(value, dict) and "log" in value and "name" in value:
        return read_tenhou(value)
    raise InvalidInput([LOG_UNKNOWN()])


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise InvalidInput([LOG_UNKNOWN()]) from wrong


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


# ---------------------------------------------------------------- judged by the event's rules


def judge_online_game(game: OnlineGame, filename: str, rules: Ruleset) -> GamePreview:
    """Play the hands of a log by these rules and compare each with what the log says. Raises nothing."""
    state, hands = opening(rules), list[LoggedHand]()
    before = game.hands[0].before
    if len(before) != rules.players:
        return GamePreview(filename, (), (LOG_PLAYERS(players=len(before), wanted=rules.players),))
    wind, kyoku, honba, sticks = game.hands[0].place
    if (wind, kyoku, honba, sticks) != (state.round_wind, state.kyoku, state.honba, state.sticks):
        return GamePreview(filename, (), (LOG_MID_GAME(start_wind=wind, kyoku=kyoku, honba=honba),))
    if before != state.scores:
        return GamePreview(filename, (), (GAME_OTHER_START(start=before[0], wanted=rules.start_points),))
    wrong = False
    for number, said in enumerate(game.hands, start=1):
        if wrong:
            hands.append(LoggedHand(number, None, _text(said.entry), None))
            continue
        entry, played, found = _judge_hand(said, state, rules)
        wrong = played is None
        hands.append(LoggedHand(number, entry, _text(entry), played, tuple(found)))
        state = played.after if played else state
    over = () if state.ended or wrong else (GAME_NOT_OVER.warning(),)
    return GamePreview(filename, tuple(hands), over, tuple(state.scores), state.ended)


def _judge_hand(said: OnlineHand, state: TableState, rules: Ruleset) -> tuple[Entry, Hand | None, list[Problem]]:
    here = (state.round_wind, state.kyoku, state.honba, state.sticks)
    if state.ended or said.place != here:
        return said.entry, None, [_elsewhere(said, state)]
    try:
        entry = fill_in(said.entry, state, rules)
    except InvalidInput as refused:
        return said.entry, None, list(refused.problems)
    found = problems(entry, state, rules)
    if errors_of(found):
        return entry, None, found
    played = play(entry, state, rules)
    if played.after.scores != said.after and not _is_left(said, played, rules):
        return entry, None, [*found, LOG_OTHER_SCORES(log=said.after, desk=played.after.scores)]
    return entry, played, found


def _is_left(said: OnlineHand, played: Hand, rules: Ruleset) -> bool:
    """Whether the scores differ by the sticks that a log already gives to the first of a game that is over."""
    pot = played.after.sticks * rules.riichi_deposit
    gaps = sorted(log - desk for log, desk in zip(said.after, played.after.scores, strict=True))
    return played.after.ended and pot > 0 and gaps[-1] == pot and not any(gaps[:-1])


def _elsewhere(said: OnlineHand, state: TableState) -> Problem:
    """Say that the log is at another hand than these rules."""
    if state.ended:
        return LOG_OVER()
    wind, kyoku, honba, sticks = said.place
    if (state.round_wind, state.kyoku, state.honba) == (wind, kyoku, honba):
        return LOG_OTHER_STICKS(log=sticks, desk=state.sticks)
    return LOG_OTHER_HAND(
        log_wind=wind,
        log_kyoku=kyoku,
        log_honba=honba,
        desk_wind=state.round_wind,
        desk_kyoku=state.kyoku,
        desk_honba=state.honba,
    )


def _text(entry: Entry) -> str:
    return printable_excerpt(json.dumps(to_json(entry), ensure_ascii=False), 300)


# ---------------------------------------------------------------- logs in our own format


def list_logs(data: bytes, filename: str) -> Iterator[tuple[str, OnlineGame | tuple[Problem, ...]]]:
    """Yield each log of an upload by its name: the game, or what is wrong with it. Raises InvalidInput as unpacking."""
    for name, content in unpack_logs(data, filename):
        try:
            yield name, read_online_game(content)
        except InvalidInput as refused:
            yield name, tuple(refused.problems)


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


def read_game_log(data: bytes, filename: str, *, rules: Ruleset) -> GamePreview:
    """Read one game to be played by these rules. Raises nothing: what is wrong is in the preview."""
    try:
        values, problems = _read_entries(data, rules)
    except InvalidInput as refusal:
        return GamePreview(filename, (), refusal.problems)
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
            printable_excerpt(json.dumps(values[index], ensure_ascii=False), 300),
            game.hands[index] if index < wrong else None,
            (*faults, *(problem for at, problem in found if at == index)),
        )
        for index, (entry, faults) in enumerate(read)
    )
    said = tuple(problems) if game.state.ended else (*problems, GAME_NOT_OVER.warning())
    return GamePreview(filename, hands, said, tuple(game.state.scores), game.state.ended)


def _read_entries(data: bytes, rules: Ruleset) -> tuple[list[Any], list[Problem]]:
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
    if len(value["entries"]) > MAX_ITEMS:
        raise InvalidInput([ENTRY_LIST_TOO_LONG(key="entries", most=MAX_ITEMS)])
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
        found.append(GAME_OTHER_START(start=printable_excerpt(str(value["start"])), wanted=rules.start_points))
    if value.get("rules") not in (None, rules.key):
        found.append(GAME_OTHER_RULES.warning(rules=printable_excerpt(str(value["rules"])), own=rules.key))
    strange = [printable_excerpt(str(key)) for key in value if key not in _KEYS]
    if strange:
        found.append(GAME_LEFT_OUT.warning(keys=tuple(strange[:10])))
    return found


def _entry(value: Any) -> tuple[Entry | None, tuple[Problem, ...]]:
    try:
        entry = from_json(value)
    except InvalidInput as wrong:
        return None, wrong.problems
    return (None, (GAME_TOTALS(),)) if isinstance(entry, Totals) else (entry, ())
