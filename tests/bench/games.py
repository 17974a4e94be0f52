"""Games to measure with: the shared cases where they are, else made up from a seed."""

import json
import os
from pathlib import Path
from random import Random

from rules.books import load
from rules.ruleset import Ruleset
from scoring.entries import Entry, from_json
from tournament.services.sample_hands import made_up_game

REPO = Path(__file__).resolve().parents[2]
MADE_UP = 80

Games = list[tuple[Ruleset, list[Entry]]]


def find_games() -> tuple[str, Games]:
    """Return where the games come from, and each with its rules."""
    folder = Path(os.environ.get("HANCHAN_CASES") or REPO.parent / "shared" / "cases")
    paths = [folder / "games-4p.jsonl", folder / "games-3p-engine.jsonl"]
    if all(path.is_file() for path in paths):
        lines = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
        return "cases", [(load(line["rules"]), [from_json(each) for each in line["game"]["entries"]]) for line in lines]
    chance = Random(2026)
    books = [load(key) for key in ("ema-2025", "sanmatsuri-2026")]
    return "made up", [(book, made_up_game(book, chance)) for book in books for _ in range(MADE_UP)]


def game_of(rules: Ruleset, chance: Random, hands: int) -> list[Entry]:
    """Make up a game of just so many hands."""
    while True:
        entries = made_up_game(rules, chance, most=hands)
        if len(entries) == hands:
            return entries
