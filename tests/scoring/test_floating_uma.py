"""Uma by the number of players above the return points."""

import dataclasses

import pytest

from rules.books import load
from scoring.placement import finish, players_above, with_substitutes
from scoring.state import TableState

ROWS = ((12_000, -1000, -3000, -8000), (8000, 4000, -4000, -8000), (8000, 3000, 1000, -12_000))
RULES = dataclasses.replace(load("ema-2025"), floating_uma=ROWS, uma=(0, 0, 0, 0))


@pytest.mark.parametrize(
    ("scores", "uma"),
    [
        ((60_000, 25_000, 20_000, 15_000), (12_000, -1000, -3000, -8000)),
        ((15_000, 40_000, 45_000, 20_000), (-8000, 4000, 8000, -4000)),
        ((45_000, 35_000, 31_000, 9000), (8000, 3000, 1000, -12_000)),
        ((30_000, 30_000, 30_000, 30_000), (0, 0, 0, 0)),
        ((40_000, 30_000, 30_000, 20_000), (12_000, -2000, -2000, -8000)),  # exactly the return points are not above
        ((35_000, 35_000, 30_000, 20_000), (6000, 6000, -4000, -8000)),
    ],
)
def test_the_uma_goes_by_the_players_above(scores: tuple[int, ...], uma: tuple[int, ...]) -> None:
    assert finish(TableState(scores), RULES).uma == uma
    assert sum(finish(TableState(scores), RULES).results) == 0


def test_exactly_the_return_points_may_count_as_above() -> None:
    rules = dataclasses.replace(RULES, float_at_return=True)
    assert players_above((40_000, 30_000, 30_000, 20_000), rules) == 3
    assert finish(TableState((40_000, 30_000, 30_000, 20_000)), rules).uma == (8000, 2000, 2000, -12_000)
    assert finish(TableState((30_000,) * 4), rules).uma == (0, 0, 0, 0)


def test_a_substitute_who_takes_no_place_is_not_counted_among_those_above() -> None:
    final = finish(TableState((45_000, 35_000, 25_000, 15_000)), RULES)
    assert with_substitutes(final, {0: "during"}, RULES).uma == (-15_000, 12_000, -1000, -3000)
