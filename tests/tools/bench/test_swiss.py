"""Swiss rounds over simulated events: hardly anybody meets again, and tables hardly wider than a plain greedy's."""

import pytest

from tools.bench.swiss import careless_greedy, measure, ours, whole_greedy

EVENTS = [(40, 8, 0), (200, 10, 1)]  # players, rounds, the most repeats


def check(players: int, rounds: int, most: int, seeds: range) -> None:
    drawn, plain = (measure(players, rounds, seeds, draw) for draw in (ours, whole_greedy))
    assert drawn.repeats_most <= most
    assert drawn.met_most <= 2
    assert drawn.winds_spread <= 3
    assert drawn.spread <= plain.spread * 1.1
    assert plain.repeats_mean > 5


def test_an_event_has_hardly_a_repeat_and_narrow_tables():
    check(*EVENTS[0], range(1))


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(("players", "rounds", "most"), EVENTS)
def test_a_hundred_events_have_hardly_a_repeat_and_narrow_tables(players, rounds, most):
    """What `python -m tools.bench.swiss 100` prints; its figures stand in decision 14."""
    check(players, rounds, most, range(100))


def test_the_whole_greedy_spares_repeats_and_pays_with_width():
    """Or it were no yardstick: others measured about 10 to 17 repeats where the careless one has 36."""
    whole, careless = (measure(40, 8, range(3), draw) for draw in (whole_greedy, careless_greedy))
    assert 5 < whole.repeats_mean < careless.repeats_mean / 2
    assert careless.spread < whole.spread
