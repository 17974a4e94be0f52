"""Swiss rounds over simulated events: fewer meetings again than a plain greedy, and hardly wider."""

import pytest

from tests.bench.swiss import allowing_greedy, measure, ours


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rounds", "most", "seeds"), [(40, 8, 0, 3), (200, 10, 1, 1)])
def test_hardly_anybody_meets_again_and_tables_stay_narrow(players, rounds, most, seeds):
    """All hundred seeds: `python -m tests.bench.swiss 100`; its figures stand in decision 14."""
    drawn, plain = (measure(players, rounds, range(seeds), draw) for draw in (ours, allowing_greedy))
    assert drawn.repeats_most <= most
    assert drawn.met_most <= 2
    assert drawn.winds_spread <= 3
    assert plain.repeats_most > 10
    assert drawn.spread <= plain.spread * 1.2
