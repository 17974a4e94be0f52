"""The log of a game: whatever is in the file, it is a game, or is refused in one way that names what is wrong."""

import json
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from rules.books import load
from scoring.problems import errors_of
from tests.table_test import tabled
from tournament.online_logs.games import GamePreview, read_game_log
from tournament.text.problems import problem_text

RULES = load("wrc-2025")
RON = {"kind": "ron", "loser": 3, "winners": [{"seat": 0, "han": 3, "fu": 30}], "note": "häufig"}
DRAW = {"kind": "draw", "tenpai": [1, 2]}
GAME = {"rules": "wrc-2025", "entries": [RON, DRAW]}
TEXT = json.dumps(GAME, ensure_ascii=False)


def read(data: bytes, name: str = "log.json") -> GamePreview:
    return read_game_log(data, name, rules=RULES)


DAMAGED: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (TEXT.encode, ""),
    "one line of several": (lambda: json.dumps(GAME, indent=1).encode(), ""),
    "a mark": (lambda: TEXT.encode("utf-8-sig"), ""),
    "utf-16": (lambda: TEXT.encode("utf-16"), ""),
    "cp1252": (lambda: TEXT.encode("cp1252"), ""),
    "a list alone": (lambda: json.dumps(GAME["entries"]).encode(), ""),
    "empty": (lambda: b" \r\n", "import.file_empty"),
    "noise": (lambda: bytes(range(256)) * 20, "import.not_text"),
    "a workbook": (lambda: b"PK\x03\x04" + bytes(600), "import.not_text"),
    "cut off": (TEXT[:-20].encode, "json.not_json"),
    "a list of results": (lambda: b"round,table,seat,player,points\n1,1,0,Ada,30000\n", "json.not_json"),
    "not a number": (lambda: TEXT.replace("30", "NaN").encode(), "json.not_a_number"),
    "a fraction": (lambda: TEXT.replace("30", "30.5").encode(), "json.float"),
    "a huge number": (lambda: TEXT.replace("30", "9" * 5000).encode(), "json.number_too_large"),
    "a key twice": (lambda: TEXT.replace('"fu"', '"han"').encode(), "json.duplicate_key"),
    "deep": (lambda: b'{"entries":' + b"[" * 400 + b"]" * 400 + b"}", "json.too_deep"),
    "very deep": (lambda: b"[" * 200_000, "json.too_deep"),
    "no hands": (lambda: b'{"entries": []}', "game.empty"),
    "no list": (lambda: b'{"entries": {}}', "game.no_entries"),
    "a number": (lambda: b"7", "game.no_entries"),
    "two games": (f"{TEXT}\n{TEXT}\n".encode, "game.several"),
    "201 hands": (lambda: json.dumps([DRAW] * 201).encode(), "entry.list_too_long"),
    "2 MB": (lambda: TEXT.encode() + b" " * (2 * 1024 * 1024), "import.file_too_big"),
    "final scores": (lambda: b'[{"kind": "totals", "scores": [30000, 30000, 30000, 30000]}]', "game.totals"),
    "another start": (lambda: TEXT.replace("{", '{"start": 25000, ', 1).encode(), "game.other_start"),
    "an impossible hand": (lambda: TEXT.replace('"loser": 3', '"loser": 0').encode(), "win.winner_is_discarder"),
}


@tabled("damage", DAMAGED)
def test_damage_is_named_in_words(damage: str):
    make, wanted = DAMAGED[damage]
    preview = read(make())
    assert [problem.code for problem in errors_of(preview.all_problems)][:1] == ([wanted] if wanted else [])
    assert preview.is_sound is not bool(wanted)
    for problem in preview.all_problems:
        assert problem.code not in problem_text(problem)


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_answered(data: bytes):
    preview = read(data)
    assert preview.is_sound is False
    assert errors_of(preview.all_problems)


@given(st.integers(0, len(TEXT.encode()) - 1), st.integers(0, 255))
def test_a_byte_that_was_changed_never_stops_the_reader(at: int, byte: int):
    data = bytearray(TEXT.encode())
    data[at] = byte
    preview = read(bytes(data))
    assert preview.is_sound is not bool(errors_of(preview.all_problems))
    assert len(preview.entries) <= 2
