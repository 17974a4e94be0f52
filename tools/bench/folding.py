"""How fast entries fold to scores, from memory: the arithmetic alone."""

import statistics
import time

from scoring.game import fold
from tools.bench.games import Games, recorded_games

RUNS = 7
MIN_SECONDS = 0.3


def fold_hands_per_second(*, quick: bool = False) -> dict[str, object]:
    """Return the median of several runs."""
    games = recorded_games()
    hands = sum(len(entries) for _, entries in games)
    return {
        "fold_hands_per_second": round(statistics.median(_run(games, hands) for _ in range(1 if quick else RUNS))),
        "fold_games": "cases",
        "fold_hands": hands,
    }


def _run(games: Games, hands: int) -> float:
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < MIN_SECONDS:
        for rules, entries in games:
            fold(entries, rules)
        done += hands
    return done / (time.perf_counter() - start)
