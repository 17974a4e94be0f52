"""What can come next in a line: every real hand can be typed key by key, every offered key can be gone on with."""

import json
import re
from pathlib import Path

import pytest

from rules.books import load
from scoring.entries import from_json
from scoring.next_keys import next_keys
from scoring.shorthand import whole_pattern, write
from tests.table_test import tabled

EMA = load("ema-2025")
SANMA = load("tenhou-sanma")


def beginnings(cases: Path) -> list[tuple[str, str]]:
    """Return rule set and line of each different hand of the recorded games."""
    lines = (cases / "games-4p.jsonl").read_text(encoding="utf-8").splitlines()
    games = [json.loads(line) for line in lines]
    found = {(game["rules"], write(from_json(entry))) for game in games for entry in game["game"]["entries"]}
    return sorted(found)


def test_every_beginning_of_a_real_hand_can_go_on(cases: Path) -> None:
    hands = beginnings(cases)
    assert len(hands) > 300
    for rules, line in hands[::7]:
        for end in range(len(line) + 1):
            assert next_keys(line[:end], load(rules)).fits == end, line[:end]


@pytest.mark.parametrize(
    "line", ["", "2", "2r", "2r3", "2r3 3", "2r3 34", "2r3 340", "2r3 340+", "d1", "c", "n2", "2t y p"]
)
def test_every_key_that_is_offered_can_be_gone_on_with(line: str) -> None:
    found = next_keys(line, EMA)
    assert found.keys
    for key in found.keys:
        assert next_keys(line + key.text, EMA).fits == len(line + key.text)


@tabled(
    "line, fits, place",
    [
        ("2q", 1, "winner"),
        ("/42r3", 0, "start"),
        ("2r3q", 3, "value"),
        ("2r5", 2, "discarder"),
        ("6", 0, "start"),
        ("2r3 340/5", 8, "riichi"),
        ("d13q", 3, "tenpai"),
        ("2r3 340 !5", 10, "end"),
        ("2r3 340 #any words, 9q", 22, "other"),
        ("=+1000,-1000,0,0 why", 20, "other"),
        ("2t 1300-26", 10, "other"),
    ],
)
def test_a_line_fits_as_far_as_it_can_be_read(line: str, fits: int, place: str) -> None:
    assert next_keys(line, EMA)[:2] == (fits, place)


def test_keys_follow_the_rules() -> None:
    assert [key.text for key in next_keys("", SANMA).keys if key.text.isdecimal()] == ["1", "2", "3"]
    assert "a" in {key.text for key in next_keys("", load("tenhou-yonma")).keys}
    assert next_keys("a", load("ema-2025"))[:2] == (0, "start")  # played by no book: not asked which
    assert next_keys("aw", load("mcgill-sanma"))[:2] == (1, "abort")
    assert {key.what for key in next_keys("a", load("tenhou-yonma")).keys} == set(load("tenhou-yonma").abortive_draws)


def test_a_ghost_never_completes_a_hand_that_could_be_sent(cases: Path) -> None:
    whole = re.compile(whole_pattern())
    for rules, line in beginnings(cases)[::5]:
        for end in range(1, len(line) + 1):
            beginning = line[:end]
            assert not (next_keys(beginning, load(rules)).ghost and whole.fullmatch(beginning.replace(" ", "")))


def test_the_pattern_of_a_whole_hand_takes_every_real_one(cases: Path) -> None:
    pattern = re.compile(whole_pattern())
    assert [line for _rules, line in beginnings(cases) if not pattern.fullmatch(line.replace(" ", ""))] == []
    for line in ("", "6", "2", "2r", "2r3", "2r33", "2r334", "c", "n", "q", "d5x", "340"):
        assert not pattern.fullmatch(line)
