"""The readers that need no database, each with sound seeds: lines, tiles, entries, books, JSON Lines, files of lists.

A reader may refuse in its own way (InvalidInput, RulesetError); anything else that it raises is a fault.
"""

import contextlib
import io
import json
import tempfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from rules.books import BOOKS, book_keys, from_json, load, load_book, read_book
from rules.ruleset import RulesetError
from scoring import shorthand
from scoring.entries import from_json as entry_from_json
from scoring.entries import to_json
from scoring.game import judge
from scoring.hand_line import write_hand_line
from scoring.problems import InvalidInput
from scoring.state import opening
from scoring.strict_json import parse as parse_json
from scoring.tiles import parse_tiles
from tests.conftest import DATA
from tests.imports.damaged_files import ENTRANTS, TEXT, good
from tests.imports.lists import read_penalties, read_players, read_schedule
from tests.imports.schedule_files import BLOCKS, players
from tests.online_logs.online_writers import mjai, mjlog, simulated, tenhou
from tools.fuzz.hunt import Target
from tools.fuzz.mutation import mutate_bytes, mutate_json, mutate_text, mutate_workbook
from tournament.calculator.views import answer_line
from tournament.imports.results import read_results
from tournament.online_logs.games import judge_online_game, read_game_log, read_online_game
from tournament.text.names import fold, matches
from web.management.commands.alllast import answer_all_last
from web.management.commands.replay import replay
from web.management.commands.score import score
from web.management.commands.season import season
from web.management.commands.slips import answer_slips
from web.management.json_lines import answer_lines

RULES = ("ema-2025", "sanmatsuri-2026", "tenhou-yonma", "mcgill-sanma")
SEASONS = [
    {
        "rule": {"unit": unit, "measure": measure, "gather": "mean", "best": 2, "least": 1},
        "carried": {"Ada": "1/2"},
        "events": [{"name": "First", "weight": "3/4", "games": [{"Ada": 3, "Bo": "-2.5"}, {"Bo": 1, "Cy": 0}]}],
    }
    for unit in ("game", "evening")
    for measure in ("points", "base_rank")
]
LINES = (
    *("2r3 340/2", "1t 230", "d13", "d", "2r3 340 4r3 1y", "1t y p2", "n2 d13", "c4", "2r3 m/12 =8000", "4t 5+"),
    *("2r3 123m406p789s11z+5p w1z/2", "1t 222m333p444s55z w5z y:tanyao", "corr +1000 -1000 0 0 late", "x kyuushu"),
)  # fmt: skip
HAND = {
    "id": "a", "tiles": "123m406p789s1123z", "win": "1z", "tsumo": False, "melds": [], "round_wind": "E",
    "seat_wind": "S", "riichi": 1, "ippatsu": False, "dora": "3p", "ura": "1m", "kita": 0, "honba": 1,
}  # fmt: skip
OPEN_HAND = HAND | {
    "id": "b", "tiles": "234m55p", "win": "5p", "riichi": 0, "ura": "",
    "melds": [{"kind": "pon", "tiles": "777z", "from": "left"}, {"kind": "ankan", "tiles": "1111s", "from": None},
              {"kind": "chi", "tiles": "406p", "from": "left"}],
}  # fmt: skip
ENTRIES: tuple[dict[str, Any], ...] = (
    {"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 3, "fu": 40, "yaku": ["riichi"]}], "riichi": [1]},
    {"kind": "ron", "loser": 0, "winners": [{"seat": 1, "han": 1, "fu": 30}, {"seat": 2, "yakuman": 1, "pao": 0}]},
    {"kind": "tsumo", "winners": [{"seat": 0, "han": 2, "fu": 30, "hand": HAND}], "announced": {"0": 3000, "1": -1000}},
    {"kind": "draw", "tenpai": [0, 2], "riichi": [2], "note": "late"},
    {"kind": "nagashi", "winners": [{"seat": 1}], "tenpai": []},
    {"kind": "abort", "reason": "suufon_renda"},
    {"kind": "chombo", "offenders": [2]},
    {"kind": "correction", "deltas": [1000, -1000, 0, 0], "reason": "miscounted"},
)
GAME = {"id": "g", "rules": "ema-2025", "start": 30000, "entries": list(ENTRIES), "ended": True}
LISTS = (
    *(TEXT, "\n".join(BLOCKS.values()), *BLOCKS.values()),
    "Name;EMA;Country;Club\nMoss, Ada;12345678;NL;Oak\nBirk;;DEU;\n山田;00000001;Japan;雀荘\n",
    "Player,Points,Round,Reason\nAkelei,-1000,1,late\nBirk (2),2.000,,phone\n",
    "Round,Table,East,South,West,North\n1,1,1,2,3,4\n1,2,5,6,7,8\n",
)  # fmt: skip


def all_readers() -> list[Target]:
    """Return every target of this module; the recorded hands and games are among the seeds."""
    hands, games = [HAND, OPEN_HAND, *_seeds("hands", "hand")], [GAME, *_seeds("games", "game", "rules")]
    entries = [*ENTRIES, *(entry for game in games for entry in game["entries"])]
    lines = [*LINES, *(shorthand.write(entry_from_json(entry)) for entry in entries[len(ENTRIES) :])]
    hand_lines = [write_hand_line(hand) for hand in hands]
    tiles = [hand["tiles"] for hand in hands]
    return [
        Target("shorthand", _texts(lines), _shorthand),
        Target("hand line", _texts(hand_lines), _hand_line),
        Target("tiles", _texts(tiles), _refusing(parse_tiles)),
        Target("json text", _texts([json.dumps(each) for each in (*entries, *games)]), _refusing(parse_json)),
        Target("entries", _values(entries), _entry),
        Target("score lines", _values(hands), _lines_of(lambda line: score(line, load(RULES[len(line) % 4])))),
        Target("replay lines", _values(games), _lines_of(replay)),
        Target("alllast lines", _values(games), _lines_of(answer_all_last)),
        Target("slips lines", _values([{**game, "scores": [30_000] * 4} for game in games]), _lines_of(answer_slips)),
        Target("season lines", _values(SEASONS), _lines_of(season)),
        Target("book TOML", _texts([path.read_text(encoding="utf-8") for path in sorted(BOOKS.glob("*.toml"))]), _book),
        Target("book JSON", _values([load(key).as_json() for key in book_keys()]), _rules),
        Target("search", _texts(["ada", "Müller", "山田 太郎", "12", "O'Neil", "İpek"]), _search),
        Target("list of players", _files, lambda case: read_players(*case, existing=["Ada Moss"])),
        Target("results", _files, lambda case: read_results(*case)),
        Target("penalties", _files, lambda case: read_penalties(*case, entrants=ENTRANTS, rounds=[1])),
        Target("schedule", _schedules, lambda case: read_schedule(*case, entrants=players(8), table_size=4, planned=2)),
        Target("game log", _logs(games), lambda case: read_game_log(case, "a.json", rules=load(RULES[0]))),
        Target("online game", _online_logs(), _refusing(_online_game)),
    ]


def _seeds(what: str, key: str, *kept: str) -> list[dict[str, Any]]:
    """Return the first 60 of tests/data, for four players and for three."""
    found = []
    for name in ("4p", "3p"):
        with (DATA / f"{what}-{name}.jsonl").open(encoding="utf-8") as lines:
            read = [json.loads(line) for line in islice(lines, 60)]
        found += [line[key] | {name: line[name] for name in kept} for line in read]
    return found


# ---------------------------------------------------------------- how cases are made


def _texts(seeds: Sequence[str]) -> Callable[[Random], str]:
    return lambda chance: mutate_text(chance.choice(seeds), seeds, chance)


def _values(seeds: Sequence[Any]) -> Callable[[Random], Any]:
    return lambda chance: mutate_json(chance.choice(seeds), chance)


def _logs(games: Sequence[Any]) -> Callable[[Random], bytes]:
    def make(chance: Random) -> bytes:
        text = json.dumps(mutate_json(chance.choice(games), chance))
        return text.encode() if chance.random() < 0.6 else mutate_bytes(text.encode(), (), chance)

    return make


def _online_logs() -> Callable[[Random], bytes]:
    """Return a maker of damaged logs: the first two hands of a game, in each format."""
    game = simulated()[0]
    ends = [at for at, event in enumerate(game) if event["type"] == "end_kyoku"]
    short = game[: ends[1] + 1]
    whole = (mjai(short), tenhou(short), mjlog(short))

    def make(chance: Random) -> bytes:
        if chance.random() < 0.5:
            return json.dumps(mutate_json(chance.choice([short, json.loads(whole[1])]), chance)).encode()
        return mutate_bytes(chance.choice(whole), (), chance)

    return make


def _online_game(data: bytes) -> None:
    preview = judge_online_game(read_online_game(data), "log", load("tenhou-yonma"))
    assert preview.hands or preview.problems


def _files(chance: Random) -> tuple[bytes, str]:
    name = chance.choice(("a.csv", "a.xlsx", "a.xls", "a.txt", "", "a.json"))
    if chance.random() < 0.15:
        return mutate_workbook(_workbook(), chance), name
    text = mutate_text(chance.choice(LISTS), LISTS, chance)
    codec = chance.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "cp932"))
    data = text.encode(codec, "replace")
    return (data if chance.random() < 0.7 else mutate_bytes(data, (), chance)), name


_KEPT: list[bytes] = []


def _workbook() -> bytes:
    if not _KEPT:
        _KEPT.append(good())
    return _KEPT[0]


def _schedules(chance: Random) -> tuple[bytes, str]:
    if chance.random() < 0.7:
        return _files(chance)
    drawn: dict[str, Any] = {"rounds": [[[0, 1, 2, 3], [4, 5, 6, 7]], [[4, 0, 7, 1], [5, 2, 6, 3]]]}
    return json.dumps(mutate_json(drawn, chance)).encode("utf-8", "replace"), "a.json"


# ---------------------------------------------------------------- how they are read


def _refusing(read: Callable[[Any], object]) -> Callable[[Any], None]:
    def call(case: Any) -> None:
        with contextlib.suppress(InvalidInput):
            read(case)

    return call


def _shorthand(line: str) -> None:
    with contextlib.suppress(InvalidInput):
        entry = shorthand.parse(line)
        if shorthand.parse(shorthand.write(entry)) != entry:
            raise AssertionError("what is written for a line is read as something else")


def _hand_line(line: str) -> None:
    for key in RULES[:2]:
        answer_line(line, load_book(key))


def _entry(value: Any) -> None:
    with contextlib.suppress(InvalidInput):
        entry = entry_from_json(value)
        if entry_from_json(to_json(entry)) != entry:
            raise AssertionError("an entry comes back from JSON as something else")
        for key in RULES[:2]:
            judge([entry, entry], opening(load(key)), load(key))


def _lines_of(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Any], None]:
    def call(value: Any) -> None:
        line = json.dumps(value).encode()
        answers = [json.dumps(each) for each in answer_lines(io.BytesIO(line + b'\n{"id": "next"}\n'), answer)]
        if len(answers) != 1 + bool(line.strip()):
            raise AssertionError("not one answer for each line")

    return call


def _book(text: str) -> None:
    with tempfile.TemporaryDirectory(prefix="hanchan-fuzz-") as folder:
        path = Path(folder) / "a-book.toml"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        with contextlib.suppress(RulesetError):
            read_book(path)


def _rules(value: Any) -> None:
    with contextlib.suppress(RulesetError):
        from_json(value)


def _search(text: str) -> None:
    fold(text)
    matches(text, "Ada Moss", 12)
    matches("ada", text, 12)
