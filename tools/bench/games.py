"""Games to measure with: recorded ones, and made-up ones of a given length."""

import json
from pathlib import Path
from random import Random

from rules.books import load
from rules.ruleset import Ruleset
from scoring.entries import Entry, from_json
from tournament.demo.sample import random_game

DATA = Path(__file__).resolve().parents[2] / "tests" / "data"

Games = list[tuple[Ruleset, list[Entry]]]


def recorded_games() -> Games:
    """Return 120 games of tests/data, each with its rules."""
    paths = [DATA / name for name in ("games-4p.jsonl", "games-3p-engine.jsonl")]
    lines = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return [(load(line["rules"]), [from_json(each) for each in line["game"]["entries"]]) for line in lines]


def game_of(rules: Ruleset, chance: Random, hands: int) -> list[Entry]:
    """Make up a game of just so many hands."""
    while True:
        entries = random_game(rules, chance, most=hands)
        if len(entries) == hands:
            return entries
