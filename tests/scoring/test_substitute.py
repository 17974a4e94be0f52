"""Games with a substitute, by hand: EMA 7.3 with four players and adapted to three, WRC 12.3.9."""

import pytest

from rules.ruleset import load
from scoring.placement import finish
from scoring.state import TableState
from scoring.substitute import When, with_substitute

EMA, SAN, WRC, RAKKII = "ema-2025", "sanmatsuri-2026", "wrc-2025", "rakkii-nomi-2026"
FOUR = (45_000, 35_000, 25_000, 15_000)
ROWS: list[tuple[str, tuple[int, ...], int, When, tuple[int, ...], int]] = [
    # the substitute is first from the beginning: the others have +5, -5, -15 (E25 7.3)
    (EMA, FOUR, 0, "before", (-30_000, 10_000, -10_000, -30_000), 0),
    (EMA, FOUR, 3, "before", (30_000, 10_000, -10_000, -30_000), 0),
    # he came in during the game: the others have +15, +5, -5 by their own order
    (EMA, FOUR, 0, "during", (-30_000, 20_000, 0, -20_000), 0),
    (EMA, FOUR, 3, "during", (30_000, 10_000, -10_000, -30_000), 0),
    (EMA, FOUR, 1, "during", (30_000, -30_000, 0, -20_000), 0),
    # equal others share
    (EMA, (45_000, 25_000, 25_000, 25_000), 0, "during", (-30_000, 0, 0, 0), 0),
    (EMA, (20_000, 40_000, 40_000, 20_000), 3, "during", (-15_000, 20_000, 20_000, -30_000), 0),
    # three players: before, their own places' uma; during, +15,000 and 0
    (SAN, (50_000, 30_000, 10_000), 0, "before", (-30_000, 0, -35_000), 0),
    (SAN, (50_000, 30_000, 10_000), 0, "during", (-30_000, 15_000, -20_000), 0),
    (SAN, (50_000, 30_000, 10_000), 2, "during", (35_000, 0, -30_000), 0),
    (SAN, (30_000, 30_000, 30_000), 1, "during", (7500, -30_000, 7500), 0),
    # scored as any and not ranked; the replaced player has nothing and a penalty
    (WRC, FOUR, 0, "before", (0, 10_000, -10_000, -30_000), 30_000),
    (WRC, FOUR, 0, "during", (0, 10_000, -10_000, -30_000), 30_000),
    (RAKKII, FOUR, 2, "during", (30_000, 10_000, 0, -30_000), 30_000),
]


@pytest.mark.parametrize(("key", "scores", "seat", "when", "results", "penalty"), ROWS)
def test_a_game_with_a_substitute(
    key: str, scores: tuple[int, ...], seat: int, when: When, results: tuple[int, ...], penalty: int
) -> None:
    rules = load(key)
    replaced = with_substitute(finish(TableState(scores), rules), seat, when, rules)
    assert (replaced.results, replaced.penalty) == (results, penalty)
    assert replaced.places[seat] is None
    assert None not in replaced.places[:seat] + replaced.places[seat + 1 :]
