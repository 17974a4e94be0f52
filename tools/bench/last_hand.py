"""How long it takes to say what every player of a table needs in its last hand: random tables of every rule set."""

import statistics
import time
from random import Random

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.alllast import all_last
from scoring.state import TableState

TABLES = 100  # a rule set


def alllast_ms(*, quick: bool = False) -> dict[str, object]:
    """Return the median and the worst table, in milliseconds of this process's own time.

    `alllast_first_ms` is the slowest of the first tables, one a rule set, which find nothing worked out yet.
    """
    first, taken = list[float](), list[float]()
    for rules, chance in _sets():
        first.append(_run(rules, chance))
        taken += [_run(rules, chance) for _ in range(3 if quick else TABLES)]
    return {
        "alllast_ms": round(statistics.median(taken), 2),
        "alllast_worst_ms": round(max(taken), 2),
        "alllast_first_ms": round(max(first), 2),
        "alllast_tables": len(taken),
    }


def _sets() -> list[tuple[Ruleset, Random]]:
    return [(load(key), Random(f"last hand {key}")) for key in book_keys()]


def _run(rules: Ruleset, chance: Random) -> float:
    scores = [rules.start_points + chance.randrange(-250, 250) * 100 for _ in range(rules.players - 1)]
    scores.append(rules.start_points * rules.players - sum(scores))
    state = TableState(tuple(scores), dealer=rules.players - 1, round=rules.rounds - 1, honba=chance.randrange(3))
    riichi = [seat for seat in range(rules.players) if chance.random() < 0.2]
    start = time.process_time()
    all_last(state, rules, riichi=riichi)
    return (time.process_time() - start) * 1000
