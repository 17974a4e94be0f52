"""What an organiser would pick instead of our draws, written from descriptions of what those programs do.

Shuffling: of a thousand random rounds the one with the fewest meetings again, those of the last round worst of all.
Breeding: each round by a genetic search that knows only the rounds before it. Neither line nor number is taken from
anybody's program. They know no bound, no winds and no tables.
"""

from itertools import combinations
from random import Random

Round = list[list[int]]
Met = list[list[int]]  # how often each two have met

SHUFFLES = 1000
JUST_MET = 10  # what meeting again in the very next round costs more

GENERATIONS = 300  # of breeding, for each round, unless nobody meets again before that
PARENTS = 20
CHILDREN = 8  # of each parent


def shuffled_schedule(players: int, size: int, rounds: int, seed: int) -> list[Round]:
    """Draw round after round, each the best of a thousand by chance."""
    chance, met, schedule = Random(seed), _nobody_met(players), list[Round]()
    just: set[tuple[int, int]] = set()
    for _ in range(rounds):
        tries = (_by_chance(players, size, chance) for _ in range(SHUFFLES))
        best = min(tries, key=lambda drawn: _cost(drawn, met) + JUST_MET * len(just & set(_pairs(drawn))))
        _play(best, met)
        just = set(_pairs(best))
        schedule.append(best)
    return schedule


def bred_schedule(players: int, size: int, rounds: int, seed: int) -> list[Round]:
    """Draw round after round, each bred from the best of its generation by swaps at tables where people meet again."""
    chance, met, schedule = Random(seed), _nobody_met(players), list[Round]()
    for _ in range(rounds):
        alive = sorted((_by_chance(players, size, chance) for _ in range(PARENTS)), key=lambda drawn: _cost(drawn, met))
        for _ in range(GENERATIONS):
            if not _cost(alive[0], met):
                break
            young = [_child(parent, met, chance) for parent in alive for _ in range(CHILDREN)]
            alive = sorted([*alive, *young], key=lambda drawn: _cost(drawn, met))[:PARENTS]
        _play(alive[0], met)
        schedule.append(alive[0])
    return schedule


def _child(parent: Round, met: Met, chance: Random) -> Round:
    """Swap somebody from a table where people meet again, if there is one, with somebody else, once or twice."""
    child = [list(table) for table in parent]
    bad = [table for table in child if _table_cost(table, met)] or child
    for _ in range(chance.choice((1, 1, 2))):
        table, other = chance.choice(bad), chance.choice(child)
        mine, theirs = chance.randrange(len(table)), chance.randrange(len(other))
        table[mine], other[theirs] = other[theirs], table[mine]
    return child


def _by_chance(players: int, size: int, chance: Random) -> Round:
    order = list(range(players))
    chance.shuffle(order)
    return [order[at : at + size] for at in range(0, players, size)]


def _nobody_met(players: int) -> Met:
    return [[0] * players for _ in range(players)]


def _pairs(drawn: Round) -> list[tuple[int, int]]:
    return [pair for table in drawn for pair in combinations(sorted(table), 2)]


def _table_cost(table: list[int], met: Met) -> int:
    return sum([met[one][other] ** 2 for one, other in combinations(table, 2)])


def _cost(drawn: Round, met: Met) -> int:
    return sum([_table_cost(table, met) for table in drawn])


def _play(drawn: Round, met: Met) -> None:
    for one, other in _pairs(drawn):
        met[one][other] += 1
        met[other][one] += 1
