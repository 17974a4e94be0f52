"""How good our draws are and how long they take: all rows of the field's benchmark, then beside other ways to draw.

Every schedule, ours or not, is counted by `quality.assess`, which shares no code with any search. Alone,
`python -m tools.bench.seating` prints the rows as a table.
"""

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tools.bench.rivals import bred_schedule, shuffled_schedule
from tools.bench.seating_rows import Row, every_row
from tournament.seating.search.draw import draw_schedule
from tournament.seating.search.quality import assess
from tournament.seating.search.schedule import Seats

SEED = 2026
QUICK = 24  # of the rows, every so many
BESIDE = ((4, 40, 8), (4, 24, 7), (4, 60, 10), (3, 27, 10))
QUICK_BESIDE = ((4, 16, 4),)


@dataclass(frozen=True, slots=True)
class Reached:
    """What a row came to: repeats, and seconds of one core."""

    row: Row
    repeats: int
    seconds: float


def measure_rows(*, quick: bool = False) -> list[Reached]:
    """Draw every row (or a few of them) with the default time limit, and count each again."""
    return [_measure(row) for row in list(every_row())[:: QUICK if quick else 1]]


def seating_rows(*, quick: bool = False) -> dict[str, object]:
    """Return how many rows were drawn and reach the best known, the seconds of the median and of the slowest."""
    reached = measure_rows(quick=quick)
    seconds = [each.seconds for each in reached]
    return {
        "seating_rows": len(reached),
        "seating_rows_at_best": sum(each.repeats <= each.row.best for each in reached),
        "seating_median_s": round(statistics.median(seconds), 4),
        "seating_worst_s": round(max(seconds), 3),
        "seating_rows_above_best": [
            {"players": row.players, "table_size": row.table_size, "rounds": row.rounds, "best": row.best, "repeats": w}
            for row, w in ((each.row, each.repeats) for each in reached)
            if w > row.best
        ],
    }


def seating_beside(*, quick: bool = False) -> dict[str, object]:
    """Return repeats and seconds of ours, of the best of 1,000 shuffles and of a genetic search, from the same seed."""
    return {
        "seating_beside": {
            f"{players}x{rounds}, tables of {size}": _beside(size, players, rounds)
            for size, players, rounds in (QUICK_BESIDE if quick else BESIDE)
        }
    }


def _beside(size: int, players: int, rounds: int) -> dict[str, dict[str, float]]:
    ways: dict[str, Callable[[], Seats]] = {
        "ours": lambda: draw_schedule(players=players, table_size=size, rounds=rounds, seed=SEED).rounds,
        "shuffled": lambda: shuffled_schedule(players, size, rounds, SEED),
        "bred": lambda: bred_schedule(players, size, rounds, SEED),
    }
    return {name: _time(draw, players, size) for name, draw in ways.items()}


def _time(draw: Callable[[], Seats], players: int, size: int) -> dict[str, float]:
    start = time.process_time()
    rounds = draw()
    seconds = time.process_time() - start
    return {"repeats": assess(rounds, players, size).repeats, "seconds": round(seconds, 2)}


def _measure(row: Row) -> Reached:
    start = time.process_time()
    schedule = draw_schedule(players=row.players, table_size=row.table_size, rounds=row.rounds, seed=SEED)
    seconds = time.process_time() - start
    return Reached(row, assess(schedule.rounds, row.players, row.table_size).repeats, seconds)


def lines_of(reached: Sequence[Reached]) -> list[str]:
    """Return the table as text."""
    head = f"{'seats':>5} {'players':>7} {'rounds':>6} {'best':>5} {'reached':>7} {'seconds':>8}"
    return [
        head,
        *(
            f"{each.row.table_size:>5} {each.row.players:>7} {each.row.rounds:>6} {each.row.best:>5} "
            f"{each.repeats:>7} {each.seconds:>8.3f}{'' if each.repeats <= each.row.best else '  above the best'}"
            for each in reached
        ),
    ]


def main() -> int:
    """Print the rows, then what stands beside them."""
    quick = "--quick" in sys.argv[1:]
    sys.stdout.write("\n".join(lines_of(measure_rows(quick=quick))) + "\n")
    for size, players, rounds in QUICK_BESIDE if quick else BESIDE:
        for name, figures in _beside(size, players, rounds).items():
            said = f"{players} x {rounds}, tables of {size}, {name}: {figures['repeats']} repeats"
            sys.stdout.write(f"{said}, {figures['seconds']} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
