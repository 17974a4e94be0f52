"""Standings: sums, penalties, shared ranks, tie-breaks in order, missed games. By hand."""

import pytest

from scoring.standings import PlacedGame, Standing, rank_players


def games(player: str, *results: tuple[int, int] | None) -> list[PlacedGame[str]]:
    """Return a player's games: (result, place) by round, None for a missed one."""
    return [
        PlacedGame(player, number, result[0], result[1])
        for number, result in enumerate(results, start=1)
        if result is not None
    ]


def ranks(rows: list[Standing[str]]) -> list[tuple[int, str]]:
    return [(row.rank, row.player) for row in rows]


EVENT = [
    *games("an", (25_000, 1), (-5000, 3)),
    *games("bo", (-10_000, 3), (30_000, 1)),
    *games("cy", (5000, 2), (5000, 2)),
    *games("di", (-20_000, 4), (-30_000, 4)),
]


def test_the_best_sum_comes_first() -> None:
    rows = rank_players(["an", "bo", "cy", "di"], EVENT, {}, rounds=2)
    assert [(row.rank, row.player, row.total, row.shared, row.tie_break) for row in rows] == [
        (1, "an", 20_000, True, None),
        (1, "bo", 20_000, True, None),
        (3, "cy", 10_000, False, None),
        (4, "di", -50_000, False, None),
    ]


def test_a_line_has_its_results_by_round_and_counts() -> None:
    [row] = rank_players(["an"], games("an", (25_000, 1), None, (-5000, 3)), {"an": 1000}, rounds=4)
    assert row == Standing(
        rank=1,
        player="an",
        total=19_000,
        games=2,
        penalties=1000,
        results=(25_000, None, -5000, None),
        shared=False,
        tie_break=None,
    )


def test_penalties_come_off_the_total_and_off_nothing_else() -> None:
    rows = rank_players(["an", "bo", "cy", "di"], EVENT, {"an": 20_000}, rounds=2)
    assert ranks(rows) == [(1, "bo"), (2, "cy"), (3, "an"), (4, "di")]
    assert (rows[2].total, rows[2].penalties, rows[2].results) == (0, 20_000, (25_000, -5000))


def test_shared_ranks_leave_the_next_ones_out() -> None:
    even = [*games("a", (0, 2)), *games("b", (0, 2)), *games("c", (0, 2)), *games("d", (-1, 4))]
    assert ranks(rank_players(["a", "b", "c", "d"], even, {}, rounds=1)) == [(1, "a"), (1, "b"), (1, "c"), (4, "d")]


def test_tied_players_keep_the_order_in_which_they_came() -> None:
    assert ranks(rank_players(["bo", "an"], EVENT[:4], {}, rounds=2)) == [(1, "bo"), (1, "an")]


# a and b: 40,000 each with one and two first places; c and d: 10,000 each with one, best game 30,000 and 20,000
TIED = [
    *games("a", (50_000, 1), (-10_000, 3)),
    *games("b", (20_000, 1), (20_000, 1)),
    *games("c", (30_000, 1), (-20_000, 4)),
    *games("d", (20_000, 1), (-10_000, 4)),
    *games("e", (10_000, 1), (-40_000, 4)),
]


@pytest.mark.parametrize(
    ("tie_breaks", "order", "why"),
    [
        ((), [(1, "a"), (1, "b"), (3, "c"), (3, "d"), (5, "e")], [None] * 5),
        (
            ("first_places",),
            [(1, "b"), (1, "a"), (3, "c"), (3, "d"), (5, "e")],
            ["first_places", "first_places", None, None, None],
        ),
        (
            ("first_places", "best_result"),
            [(1, "b"), (1, "a"), (3, "c"), (3, "d"), (5, "e")],
            ["first_places", "first_places", "best_result", "best_result", None],
        ),
        (
            ("best_result", "first_places"),
            [(1, "a"), (1, "b"), (3, "c"), (3, "d"), (5, "e")],
            ["best_result"] * 4 + [None],
        ),
    ],
)
def test_tie_breaks_in_their_order(
    tie_breaks: tuple[str, ...], order: list[tuple[int, str]], why: list[str | None]
) -> None:
    rows = rank_players(["e", "d", "c", "b", "a"][::-1], TIED, {}, rounds=2, tie_breaks=tie_breaks)
    assert ranks(rows) == order
    assert [row.tie_break for row in rows] == why
    assert [row.shared for row in rows] == [[rank for rank, _ in order].count(row.rank) > 1 for row in rows]


def test_a_tie_that_no_criterion_broke_names_none() -> None:
    """Two of four have the same first places and best round: only the other two are parted from everybody."""
    four = [
        *games("a", (15_000, 1), (-5000, 3)),
        *games("b", (10_000, 1), (0, 2)),
        *games("c", (5000, 2), (5000, 2)),
        *games("d", (5000, 2), (5000, 2)),
    ]
    rows = rank_players(["a", "b", "c", "d"], four, {}, rounds=2, tie_breaks=("first_places", "best_result"))
    assert [(row.rank, row.player, row.tie_break) for row in rows] == [
        (1, "a", "first_places"),
        (1, "b", "first_places"),
        (1, "c", None),
        (1, "d", None),
    ]


def test_three_with_one_total_name_the_first_criterion_that_parts_them_from_any() -> None:
    three = [
        *games("a", (10_000, 1), (0, 2)),
        *games("b", (15_000, 1), (-5000, 3)),
        *games("c", (5000, 2), (5000, 2)),
    ]
    rows = rank_players(["a", "b", "c"], three, {}, rounds=2, tie_breaks=("first_places", "best_result"))
    assert [(row.rank, row.player, row.tie_break) for row in rows] == [
        (1, "b", "first_places"),
        (1, "a", "first_places"),
        (1, "c", "first_places"),
    ]


def test_penalties_count_before_a_tie_is_seen() -> None:
    rows = rank_players(["a", "b"], TIED[:4], {"b": 1000}, rounds=2, tie_breaks=("first_places",))
    assert [(row.rank, row.player, row.tie_break) for row in rows] == [(1, "a", None), (2, "b", None)]


def test_a_player_without_games_is_ranked_with_nothing() -> None:
    rows = rank_players(["z", "an"], games("an", (-5000, 3)), {}, rounds=1, tie_breaks=("first_places", "best_result"))
    assert [(row.rank, row.player, row.total, row.games, row.results) for row in rows] == [
        (1, "z", 0, 0, (None,)),
        (2, "an", -5000, 1, (-5000,)),
    ]


def test_nobody_makes_an_empty_ranking() -> None:
    assert rank_players([], [], {}, rounds=3) == []


def test_an_unknown_tie_break_is_no_silent_order() -> None:
    with pytest.raises(KeyError):
        rank_players(["an"], [], {}, rounds=1, tie_breaks=("age",))
