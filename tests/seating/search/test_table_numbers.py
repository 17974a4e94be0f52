"""Table numbers: whole tables move, kept ones do not, and visits to one table get more even."""

from collections import Counter
from math import comb

from tournament.seating.search.annealing import SearchBudget
from tournament.seating.search.placing import number_tables, renumber_tables
from tournament.seating.search.schedule import Rng, tables_of

NO_CLOCK = 3600.0


def random_rounds(seed: int, sizes: tuple[int, ...], rounds: int) -> list[list[list[int]]]:
    rng = Rng(seed)
    made = []
    for _ in range(rounds):
        people = rng.shuffled(range(sum(sizes)))
        made.append([[people.pop() for _ in range(size)] for size in sizes])
    return made


def visits_again(rounds: list[list[list[int]]]) -> int:
    visits = Counter((player, at) for tables in rounds for at, table in enumerate(tables) for player in table)
    return sum(comb(times, 2) for times in visits.values())


def test_numbering_moves_whole_tables_and_keeps_fixed_ones():
    rng = Rng(11)
    begun = [rng.shuffled(range(24)) for _ in range(6)]
    numbered = number_tables(begun, 4, {2}, 30_000, Rng(1), SearchBudget(NO_CLOCK))
    for before, after in zip(begun, numbered, strict=True):
        assert sorted(map(tuple, tables_of(before, 4))) == sorted(map(tuple, tables_of(after, 4)))
        assert tables_of(before, 4)[2] == tables_of(after, 4)[2]


def test_tables_are_numbered_by_what_was_played_and_kept_where_somebody_is_pinned():
    rounds = random_rounds(5, (4, 4, 4, 3, 3), 6)
    pinned = {rounds[at][1][0] for at in range(2, 6)}
    numbered = renumber_tables(rounds[2:], rounds[:2], pinned, {}, 8000, Rng(1), SearchBudget(NO_CLOCK))
    assert [sorted(map(sorted, tables)) for tables in numbered] == [
        sorted(map(sorted, tables)) for tables in rounds[2:]
    ]
    assert [list(map(len, tables)) for tables in numbered] == [[4, 4, 4, 3, 3]] * 4
    assert [tables[1] for tables in numbered] == [tables[1] for tables in rounds[2:]]
    assert visits_again([*rounds[:2], *numbered]) < visits_again(rounds)


def test_numbering_stops_where_visits_are_as_even_as_can_be_beside_fixed_tables():
    """A player who sat at the fixed table has fewer visits to share among the others."""
    rng = Rng(3)
    begun = [rng.shuffled(range(24)) for _ in range(2)]
    budget = SearchBudget(NO_CLOCK)
    numbered = number_tables(begun, 3, {2}, 400_000, Rng(1), budget)
    visits = Counter((player, place // 3) for line in numbered for place, player in enumerate(line) if place // 3 != 2)
    assert max(visits.values()) == 1
    assert budget.used < 400_000
