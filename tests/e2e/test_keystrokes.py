"""How many keys a real hand takes: what a referee types at speed, spaces left out, Enter included."""

import json
import math
from pathlib import Path

from scoring.entries import from_json
from scoring.shorthand import parse, write

HANDS = 60


def keys(line: str) -> int:
    """Count the keys of a line as it is typed at speed: spaces do not matter to the desk, Enter sends."""
    return len(line.replace(" ", "")) + 1


def test_a_real_hand_takes_nine_keys_at_most_in_the_mean(cases: Path) -> None:
    games = [json.loads(line) for line in (cases / "games-4p.jsonl").read_text(encoding="utf-8").splitlines()]
    entries = [from_json(entry) for game in games for entry in game["game"]["entries"]][:HANDS]
    lines = [write(entry) for entry in entries]
    assert [parse(line.replace(" ", "")) for line in lines] == entries
    counts = sorted(keys(line) for line in lines)
    mean, high = sum(counts) / len(counts), counts[math.ceil(0.95 * len(counts)) - 1]
    figures = f"{len(counts)} hands: {mean:.2f} keys in the mean, {high} at the 95th percentile, {counts[-1]} at most"
    print(figures)  # noqa: T201 - a measured figure, shown by -s
    assert len(counts) == HANDS
    assert mean <= 9
