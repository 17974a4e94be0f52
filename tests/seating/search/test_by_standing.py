"""Rounds by standing: what each owes whatever was played, the formats by hand, and refusals in words."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.seating.search.by_standing import (
    Carried,
    cut,
    interval_round,
    lot_round,
    progressive_round,
    ranked_round,
    snake_round,
    swiss_round,
)
from tournament.seating.search.schedule import SeatingError
from tournament.seating.search.swiss import Pairing, Ranked, Weights, rank_by_order


@st.composite
def pairings(draw: st.DrawFn) -> Pairing:
    size, tables = draw(st.sampled_from([3, 4])), draw(st.integers(1, 5))
    players = size * tables
    ranks = sorted(draw(st.lists(st.integers(1, players), min_size=players, max_size=players)))
    order = draw(st.permutations(range(10, 10 + players)))
    people = st.permutations(range(8, 12 + players))  # 8, 9 and the last two have gone or were substitutes
    played = [[seats[at : at + size] for at in range(0, players, size)] for seats in draw(st.lists(people, max_size=5))]
    apart = draw(st.lists(st.sampled_from(list(combinations(order, 2))), max_size=3))
    fixed = {order[0]: tables - 1} if draw(st.booleans()) else {}
    return Pairing(
        [Ranked(player, rank) for player, rank in zip(order, ranks, strict=True)],
        size,
        played,
        fixed=fixed,
        apart=frozenset(map(frozenset, apart)),
    )


@given(pairings(), st.integers(0, 2**32), st.sampled_from(["by_rank", "spread"]))
@settings(max_examples=8, deadline=None)
def test_everybody_sits_once_and_what_is_missed_is_said(pairing, seed, numbering):
    drawn = swiss_round(pairing, seed=seed, numbering=numbering)
    assert sorted(player for table in drawn.tables for player in table) == sorted(pairing.players)
    assert {len(table) for table in drawn.tables} == {pairing.table_size}
    for player, number in pairing.fixed.items():
        assert player in drawn.tables[number]
    together = {frozenset(pair) for table in drawn.tables for pair in combinations(table, 2)}
    said = {frozenset(missed.players) for missed in drawn.report.missed if missed.code == "round.apart"}
    assert together & set(pairing.apart) == said
    assert drawn == swiss_round(pairing, seed=seed, numbering=numbering)


@given(pairings(), st.integers(0, 100), st.integers(0, 1000))
@settings(max_examples=6, deadline=None)
def test_no_weight_of_repeats_gives_a_narrower_round_than_none_at_all(pairing, seed, repeat):
    def width(weights: Weights) -> int:
        asked = Pairing(pairing.order, pairing.table_size, pairing.played, weights=weights)
        return swiss_round(asked, seed=seed).report.rank_width

    narrowest = width(Weights(repeat=0, thrice=0))
    ranks, size = pairing.ranks, pairing.table_size
    assert narrowest == sum(ranks[at + size - 1] - ranks[at] for at in range(0, len(ranks), size))
    assert narrowest <= width(Weights(repeat=repeat))


@given(st.integers(0, 1000), st.permutations(range(8)))
@settings(max_examples=6, deadline=None)
def test_two_tables_are_drawn_as_well_as_can_be(seed, before):
    """All 35 rounds of eight players, weighed here by other means."""
    pairing = Pairing(rank_by_order(range(8)), 4, [[before[:4], before[4:]]])

    def cost(table: tuple[int, ...]) -> int:
        other = [player for player in range(8) if player not in table]
        again = sum(frozenset(pair) in pairing.meetings() for side in (table, other) for pair in combinations(side, 2))
        return table[-1] - table[0] + other[-1] - other[0] + 400 * again

    report = swiss_round(pairing, seed=seed).report
    assert report.rank_width + 400 * report.repeats == min(cost(table) for table in combinations(range(8), 4))


@given(pairings(), st.data())
@settings(max_examples=6, deadline=None)
def test_a_progressive_round_keeps_to_its_blocks(pairing, data):
    free = Pairing(pairing.order, pairing.table_size, pairing.played)
    blocks = data.draw(st.integers(1, free.tables))
    drawn = progressive_round(free, blocks=blocks, seed=1)
    each, larger = divmod(free.tables, blocks)
    block_of: dict[int, int] = {}
    begun = 0
    for block in range(blocks):
        size = (each + (block < larger)) * free.table_size
        block_of |= dict.fromkeys(free.players[begun : begun + size], block)
        begun += size
    assert all(len({block_of[player] for player in table}) == 1 for table in drawn.tables)


def test_clubs_and_forbidden_pairs_are_kept_apart():
    groups = {player: [f"club {player // 4}"] for player in range(24)}
    apart = frozenset(frozenset(pair) for pair in [(0, 5), (1, 6), (10, 15)])
    report = swiss_round(Pairing(rank_by_order(range(24)), 4, groups=groups, apart=apart), seed=4).report
    assert (report.missed, report.repeats) == ((), 0)


def test_a_club_larger_than_the_tables_is_said_to_be_crowded():
    groups = {player: ["big"] for player in range(3)}
    report = swiss_round(Pairing(rank_by_order(range(8)), 4, groups=groups), seed=4).report
    assert [(missed.code, missed.reason) for missed in report.missed] == [("round.group", "crowded")]


def seats(drawn) -> list[list[int]]:
    return [sorted(table) for table in drawn.tables]


SIXTEEN = Pairing(rank_by_order(range(1, 17)), 4)


def test_the_formats_of_finals_by_hand():
    assert seats(snake_round(SIXTEEN, seed=1)) == [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]]
    assert seats(ranked_round(SIXTEEN, seed=1)) == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]]
    assert seats(interval_round(SIXTEEN, step=3, seed=1)) == [
        [1, 4, 7, 10], [2, 5, 8, 11], [3, 6, 9, 12], [13, 14, 15, 16],
    ]  # fmt: skip
    assert seats(snake_round(Pairing(rank_by_order(range(1, 10)), 3), seed=1)) == [[1, 6, 7], [2, 5, 8], [3, 4, 9]]


def test_equal_seeds_change_places_for_the_fewest_meetings():
    snake = [(1, 8, 9, 16), (2, 7, 10, 15), (3, 6, 11, 14), (4, 5, 12, 13)]
    drawn = snake_round(Pairing(SIXTEEN.order, 4, [snake]), seed=1, equal_seeds=True)
    assert drawn.report.repeats == 0
    assert all(sorted((player - 1) // 4 for player in table) == [0, 1, 2, 3] for table in drawn.tables)
    assert snake_round(SIXTEEN, seed=1, equal_seeds=True).tables == snake_round(SIXTEEN, seed=1).tables


def test_a_lot_is_weighed_over_all_partitions():
    played = [[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]]]
    assert lot_round(Pairing(SIXTEEN.order, 4, played), seed=3, weighed=True).report.repeats == 0
    assert lot_round(SIXTEEN, seed=3).tables != lot_round(SIXTEEN, seed=4).tables


def test_a_round_report_counted_by_hand():
    played = [[[1, 2, 3], [4, 5, 6]], [[1, 2, 4], [3, 5, 6]]]
    order = [Ranked(1, 1), Ranked(2, 2), Ranked(3, 2), Ranked(4, 4), Ranked(5, 5), Ranked(6, 6)]
    report = ranked_round(Pairing(order, 3, played, fixed={6: 0}), seed=1).report
    assert (report.repeats, report.met_most, report.rank_width, report.rank_width_most) == (8, 3, 3, 2)
    assert [(each.players, each.times) for each in report.met_again][-1] == ((5, 6), 3)
    assert [(missed.code, missed.players) for missed in report.missed] == [
        ("round.thrice", (5, 6)), ("round.thrice", (1, 2)),
    ]  # fmt: skip


def test_winds_go_to_those_who_had_them_least():
    played = [[[1, 2, 3, 4]], [[2, 3, 4, 1]], [[3, 4, 1, 2]]]
    drawn = ranked_round(Pairing(rank_by_order([1, 2, 3, 4]), 4, played), seed=9)
    assert drawn.tables == ((4, 1, 2, 3),)
    assert drawn.report.winds_spread == 0


def test_a_cut_carries_whole_halved_or_cleared():
    order = [Ranked(7, 1), Ranked(8, 2), Ranked(9, 2), Ranked(6, 4)]
    points = {7: 20_001, 8: -301, 9: -301, 6: -9_000}
    halved = cut(order, points, top=2, carry="halved", others="play_on")
    assert halved.through == (Carried(7, 10_000, half_lost=True), Carried(8, -151, half_lost=True))
    assert halved.below == (Carried(9, -301), Carried(6, -9_000))
    assert (halved.stopped, halved.tied_out) == ((), (9,))
    assert [each.points for each in cut(order, points, top=2, carry="whole").through] == [20_001, -301]
    cleared = cut(order, points, top=1, carry="cleared")
    assert ([each.points for each in cleared.through], cleared.stopped, cleared.tied_out) == ([0], (8, 9, 6), ())


REFUSED = [
    (lambda: Pairing(rank_by_order(range(22)), 4), "seating.not_a_multiple"),
    (lambda: Pairing(rank_by_order([1, 2, 2, 4]), 4), "seating.order_twice"),
    (lambda: Pairing([Ranked(1, 1), Ranked(2, 3), Ranked(3, 2)], 3), "seating.order_falls"),
    (lambda: Pairing(rank_by_order(range(8)), 4, fixed={1: 2}), "seating.fixed_table_unknown"),
    (lambda: Pairing(rank_by_order(range(8)), 4, fixed=dict.fromkeys(range(5), 1)), "seating.fixed_table_full"),
    (lambda: progressive_round(SIXTEEN, blocks=5, seed=1), "seating.blocks_unfit"),
    (lambda: interval_round(SIXTEEN, step=5, seed=1), "seating.interval_unfit"),
    (lambda: cut(SIXTEEN.order, dict.fromkeys(range(1, 17), 0), top=16), "seating.cut_unfit"),
    (lambda: lot_round(Pairing(rank_by_order(range(20)), 4), seed=1, weighed=True), "seating.final_too_many"),
]


@pytest.mark.parametrize(("ask", "code"), REFUSED)
def test_what_cannot_be_is_refused_in_words(ask, code):
    with pytest.raises(SeatingError) as raised:
        ask()
    assert raised.value.problem.code == code
    assert str(raised.value).endswith(".")
