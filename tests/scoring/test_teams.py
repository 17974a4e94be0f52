"""Team standings by hand: the best m of n, shared ranks, short teams, and what is refused."""

import pytest

from scoring.teams import Team, rank_teams, rank_teams_by_round

KAN, PON, CHI = Team("Kan", ("a", "b", "c")), Team("Pon", ("d", "e", "f")), Team("Chi", ("g",))
TOTALS = {"a": 30_000, "b": -5_000, "c": 10_000, "d": 20_000, "e": 20_000, "f": -60_000, "g": 90_000}

TABLE = [
    (1, [(1, "Chi", 90_000, 0), (2, "Kan", 30_000, 0), (3, "Pon", 20_000, 0)]),
    (2, [(1, "Kan", 40_000, 0), (1, "Pon", 40_000, 0), (3, "Chi", 90_000, 1)]),
    (3, [(1, "Kan", 35_000, 0), (2, "Pon", -20_000, 0), (3, "Chi", 90_000, 2)]),
]


@pytest.mark.parametrize(("best", "lines"), TABLE)
def test_the_best_so_many_count(best, lines):
    ranking = rank_teams([KAN, PON, CHI], TOTALS, best=best)
    assert [(line.rank, line.team, line.total, line.missing) for line in ranking] == lines
    assert [line.shared for line in ranking] == [best == 2, best == 2, False]


def test_who_counts_is_said_and_a_member_without_a_game_does_not():
    first, second = rank_teams([Team("Kan", ("a", "b", "x")), PON], TOTALS, best=2)
    assert (first.team, first.counted) == ("Pon", ("d", "e"))
    assert (second.counted, second.missing) == (("a", "b"), 0)


def test_the_best_of_each_round_with_a_substitute_and_all_penalties():
    teams = [Team("Kan", ("a", "b", "substitute")), Team("Pon", ("c", "d"))]
    results: dict[str, list[int | None]] = {
        "a": [40, None, None],
        "b": [-10, 5, None],
        "substitute": [None, 15],
        "c": [1, 2],
        "d": [3, -4],
    }
    first, second = rank_teams_by_round(teams, results, {"b": 20}, best=1)
    assert (first.team, first.total, first.counted) == ("Kan", 35, ("a", "substitute"))
    assert (second.team, second.total, second.missing) == ("Pon", 5, 0)


@pytest.mark.parametrize(
    ("teams", "best", "words"),
    [
        ([KAN], 0, "At least one member of a team must count, not 0."),
        ([KAN, Team("Ron", ("b",))], 2, "Player b is in Kan and in Ron."),
    ],
)
def test_what_makes_no_team_is_refused(teams, best, words):
    with pytest.raises(ValueError, match=words):
        rank_teams(teams, TOTALS, best=best)
