"""Games with substitutes, by hand: EMA 7.3 with four players and adapted to three, WRC 12.3.9."""

import pytest

from rules.books import load
from scoring.placement import Counted, When, finish, with_substitutes
from scoring.state import TableState
from tests.table_test import tabled

EMA, SAN, WRC, RAKKII = "ema-2025", "sanmatsuri-2026", "wrc-2025", "rakkii-nomi-2026"
FOUR = (45_000, 35_000, 25_000, 15_000)
ROWS: list[tuple[str, tuple[int, ...], dict[int, When], tuple[int, ...], tuple[int, ...]]] = [
    # the substitute is first from the beginning: the others have +5, -5, -15 (E25 7.3)
    (EMA, FOUR, {0: "before"}, (-30_000, 10_000, -10_000, -30_000), (0, 0, 0, 0)),
    (EMA, FOUR, {3: "before"}, (30_000, 10_000, -10_000, -30_000), (0, 0, 0, 0)),
    # he came in during the game: the others have +15, +5, -5 by their own order
    (EMA, FOUR, {0: "during"}, (-30_000, 20_000, 0, -20_000), (0, 0, 0, 0)),
    (EMA, FOUR, {3: "during"}, (30_000, 10_000, -10_000, -30_000), (0, 0, 0, 0)),
    (EMA, FOUR, {1: "during"}, (30_000, -30_000, 0, -20_000), (0, 0, 0, 0)),
    # equal others share
    (EMA, (45_000, 25_000, 25_000, 25_000), {0: "during"}, (-30_000, 0, 0, 0), (0, 0, 0, 0)),
    (EMA, (20_000, 40_000, 40_000, 20_000), {3: "during"}, (-15_000, 20_000, 20_000, -30_000), (0, 0, 0, 0)),
    # two of them: those of one table who came in late are left out, 45 and 25 are first and second: +15, +5
    (EMA, FOUR, {1: "during", 3: "during"}, (30_000, -30_000, 0, -30_000), (0, 0, 0, 0)),
    # two from the beginning keep their places, second and fourth: the others are first and third, +15, -5
    (EMA, FOUR, {1: "before", 3: "before"}, (30_000, -30_000, -10_000, -30_000), (0, 0, 0, 0)),
    # one of each: seat 0 is left out, and of the three that stay seat 1 is first: the others +5, -5
    (EMA, FOUR, {0: "during", 1: "before"}, (-30_000, -30_000, 0, -20_000), (0, 0, 0, 0)),
    # all but one: the last of them has +15
    (EMA, FOUR, {0: "during", 1: "during", 2: "during"}, (-30_000, -30_000, -30_000, 0), (0, 0, 0, 0)),
    # three players: before, their own places' uma; during, +15,000 and 0
    (SAN, (50_000, 30_000, 10_000), {0: "before"}, (-30_000, 0, -35_000), (0, 0, 0)),
    (SAN, (50_000, 30_000, 10_000), {0: "during"}, (-30_000, 15_000, -20_000), (0, 0, 0)),
    (SAN, (50_000, 30_000, 10_000), {2: "during"}, (35_000, 0, -30_000), (0, 0, 0)),
    (SAN, (30_000, 30_000, 30_000), {1: "during"}, (7500, -30_000, 7500), (0, 0, 0)),
    (SAN, (50_000, 30_000, 10_000), {0: "during", 2: "during"}, (-30_000, 15_000, -30_000), (0, 0, 0)),
    # scored as any and not ranked; the replaced player has nothing and a penalty
    (WRC, FOUR, {0: "before"}, (0, 10_000, -10_000, -30_000), (30_000, 0, 0, 0)),
    (WRC, FOUR, {0: "during"}, (0, 10_000, -10_000, -30_000), (30_000, 0, 0, 0)),
    (WRC, FOUR, {0: "during", 3: "before"}, (0, 10_000, -10_000, 0), (30_000, 0, 0, 30_000)),
    (RAKKII, FOUR, {2: "during"}, (30_000, 10_000, 0, -30_000), (0, 0, 30_000, 0)),
]


@pytest.mark.states("substitutes")
@tabled("key, scores, replaced, results, penalties", ROWS)
def test_a_game_with_substitutes(
    key: str, scores: tuple[int, ...], replaced: dict[int, When], results: tuple[int, ...], penalties: tuple[int, ...]
) -> None:
    rules = load(key)
    counted = with_substitutes(finish(TableState(scores), rules), replaced, rules)
    assert (counted.results, counted.penalties) == (results, penalties)
    assert [seat for seat, place in enumerate(counted.places) if place is None] == sorted(replaced)


@pytest.mark.parametrize("key", [EMA, SAN, WRC, RAKKII])
def test_a_game_without_substitutes_is_as_it_was(key: str) -> None:
    rules = load(key)
    final = finish(TableState((40_000, *[25_000] * (rules.players - 1)), sticks=1), rules)
    nothing = (0,) * rules.players
    assert with_substitutes(final, {}, rules) == Counted(final.results, final.places, final.uma, nothing, final.places)


def test_places_and_uma_of_the_others() -> None:
    rules = load(EMA)
    final = finish(TableState(FOUR), rules)
    before, during = with_substitutes(final, {0: "before"}, rules), with_substitutes(final, {0: "during"}, rules)
    assert (before.places, before.uma) == ((None, 2, 3, 4), (-15_000, 5000, -5000, -15_000))
    assert (during.places, during.uma) == ((None, 1, 2, 3), (-15_000, 15_000, 5000, -5000))


def test_the_place_that_a_substitute_takes() -> None:
    # from the beginning under EMA, whenever under WRC; two at an EMA table: of the three that take one, seat 1 is first
    cases: list[tuple[str, When]] = [(EMA, "before"), (EMA, "during"), (WRC, "before"), (WRC, "during")]
    finals = {key: finish(TableState(FOUR), load(key)) for key in (EMA, WRC)}
    taken = [with_substitutes(finals[key], {0: when}, load(key)).taken[0] for key, when in cases]
    assert taken == [1, None, 1, 1]
    both = with_substitutes(finish(TableState(FOUR), load(EMA)), {0: "during", 1: "before"}, load(EMA))
    assert (both.taken, both.places) == ((None, 1, 2, 3), (None, None, 2, 3))
