"""A league of teams against what M-League published, company leagues' head starts, and points counted by hand.

M-League, 2018: regular season, what was carried and the final table, mskj-star.com/mleague-result. 2019: the regular
season, m-league.jp, news of 9 March 2020; carried into the semi-finals, alfanoblog.com/2020/03/21/3402/; into the
finals, times.abema.tv/articles/-/7048423, 31 March 2020. 2020: mleaguewatch.com/2021/05/08 and /09. Read 29 November
2026. Company league: www.cc-ma.jp/rule/, article 2.
"""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.seasons import LeagueTeam, SeasonEvent, TeamRule, team_table
from tests.scoring.test_seasons import games

HALF = TeamRule("half", least=10, most=45)
CARRIED = [
    (281_700, 140_900), (184_600, 92_300), (39_200, 19_600), (-8_700, -4_300),  # 2018
    (495_500, 247_800), (273_900, 137_000), (195_000, 97_500), (48_400, 24_200), (-80_100, -40_000),
    (-202_300, -101_100), (284_700, 142_400), (172_000, 86_000),  # 2019
    (654_700, 327_400), (536_900, 268_500), (294_500, 147_300),  # 2020
]  # fmt: skip


def league(*phases: Sequence[int], rule: TeamRule = HALF, last: dict[int, int] | None = None) -> list[tuple[int, ...]]:
    """Rank teams of one member each, by the points of each phase: rank, team, figure."""
    played = [[SeasonEvent([dict(enumerate(points))])] for points in phases]
    teams = {number: LeagueTeam([number], [], (last or {}).get(number)) for number in range(len(phases[0]))}
    return [(row.rank, row.team, int(row.figure)) for row in team_table(played, teams, rule)]


@pytest.mark.parametrize(("points", "carried"), CARRIED)
def test_m_league_carries_half_to_the_tenth_half_a_tenth_up(points: int, carried: int):
    assert league([points], [0]) == [(1, 0, carried)]


def test_the_season_of_2018_ends_as_published():
    """Of the final the totals alone are published: the points made in it are what they add to what was carried."""
    regular = [281_700, 184_600, 39_200, -8_700, -99_200, -170_100, -227_500]
    final = [83_000 - 140_900, -147_000 - 92_300, -282_000 - 19_600, 594_500 + 4_300]
    assert sum(final) == 0
    assert league(regular, final, last={4: 1, 5: 1, 6: 1}) == [
        (1, 3, 594_500), (2, 0, 83_000), (3, 1, -147_000), (4, 2, -282_000),
        (5, 4, -99_200), (6, 5, -170_100), (7, 6, -227_500),
    ]  # fmt: skip


def test_a_company_league_gives_head_starts_by_rank_and_nothing_else():
    rule = TeamRule("head_start")
    before, final = [5_000, 90_000, -20_000, 10_000, -85_000], [10_000, -60_000, 40_000, 10_000]
    assert league(before, final, rule=rule, last={4: 1}) == [
        (1, 3, 80_000), (2, 1, 60_000), (3, 0, 40_000), (3, 2, 40_000), (5, 4, -85_000),
    ]  # fmt: skip


def test_equal_teams_share_their_head_starts():
    rule = TeamRule("head_start")
    assert league([7, 7, 5, 4], [0], rule=rule) == [(1, 0, 95_000), (1, 1, 95_000), (3, 2, 30_000), (4, 3, 0)]


def test_points_of_the_team_alone_are_no_members_and_halve_with_their_phase():
    teams = {1: LeagueTeam("ab", [(1, -20_000), (2, -1_000), (1, -10_000)]), 2: LeagueTeam("c")}
    phases = [[SeasonEvent([{"a": 50_000, "c": -50_000}])], [SeasonEvent([{"b": 9_000, "c": -9_000}, {"a": 1}], 2)]]
    first, _second = team_table(phases, teams, HALF)
    assert (first.figure, first.carried) == (10_000 - 1_000 + 18_002, 10_000)
    assert [tuple(row) for row in first.members] == [("a", 2, 1, 50_002), ("b", 1, 0, 18_000)]


@given(st.lists(games, min_size=1, max_size=8), st.integers(-9, 9))
def test_without_a_cut_a_team_has_what_its_members_have_and_its_own(played: list[dict[str, Fraction]], own: int):
    teams = {1: LeagueTeam("abc", [(1, own)]), 2: LeagueTeam("defg")}
    rows = {row.team: row for row in team_table([[SeasonEvent(played)]], teams, TeamRule())}
    assert rows[1].figure + rows[2].figure == own + sum(sum(game.values()) for game in played)
    assert sum(member.games for row in rows.values() for member in row.members) == sum(map(len, played))
    assert rows[1].figure == own + sum(member.points for member in rows[1].members)


def test_figures_after_each_event_end_with_the_table_and_have_a_gap_where_a_team_plays_no_more():
    teams = {1: LeagueTeam("a", [(1, -1_000)]), 2: LeagueTeam("b", [], 1)}
    phases = [[SeasonEvent([{"a": 5_000, "b": 9_000}]), SeasonEvent([{"a": 2_000}])], [SeasonEvent([{"a": 500}], 2)]]
    rows = {row.team: row for row in team_table(phases, teams, HALF)}
    assert rows[1].after == (4_000, 6_000, 3_000 + 1_000)
    assert rows[1].figure == rows[1].after[-1]
    assert rows[2].after == (9_000, 9_000, None)
