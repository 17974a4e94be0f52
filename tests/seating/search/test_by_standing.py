"""Rounds by standing: what each owes whatever was played, the formats by hand, and refusals in words."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.seating.search.by_standing import (
    Pairing,
    Ranked,
    RoundReport,
    count_round,
    interval_round,
    lot_round,
    progressive_round,
    rank_by_order,
    ranked_round,
    snake_round,
    swiss_round,
)
from tournament.seating.search.schedule import SeatingError


def swiss_report(pairing: Pairing, seed: int) -> RoundReport:
    return count_round(swiss_round(pairing, seed=seed), pairing)


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
    assert sorted(player for table in drawn for player in table) == sorted(pairing.players)
    assert {len(table) for table in drawn} == {pairing.table_size}
    for player, number in pairing.fixed.items():
        assert player in drawn[number]
    together = {frozenset(pair) for table in drawn for pair in combinations(table, 2)}
    said = {frozenset(missed.players) for missed in count_round(drawn, pairing).missed if missed.code == "round.apart"}
    assert together & set(pairing.apart) == said
    assert drawn == swiss_round(pairing, seed=seed, numbering=numbering)


@given(pairings(), st.integers(0, 100))
@settings(max_examples=6, deadline=None)
def test_where_nobody_has_met_no_round_is_narrower(pairing, seed):
    def width(played) -> int:
        return swiss_report(Pairing(pairing.order, pairing.table_size, played), seed).rank_width

    narrowest = width(())
    ranks, size = pairing.ranks, pairing.table_size
    assert narrowest == sum(ranks[at + size - 1] - ranks[at] for at in range(0, len(ranks), size))
    assert narrowest <= width(pairing.played)


@given(st.integers(0, 1000), st.permutations(range(8)))
@settings(max_examples=6, deadline=None)
def test_two_tables_are_drawn_as_well_as_can_be(seed, before):
    """All 35 rounds of eight players, weighed here by other means."""
    pairing = Pairing(rank_by_order(range(8)), 4, [[before[:4], before[4:]]])

    def cost(table: tuple[int, ...]) -> int:
        other = [player for player in range(8) if player not in table]
        again = sum(frozenset(pair) in pairing.meetings() for side in (table, other) for pair in combinations(side, 2))
        return table[-1] - table[0] + other[-1] - other[0] + 400 * again

    report = swiss_report(pairing, seed)
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
    assert all(len({block_of[player] for player in table}) == 1 for table in drawn)


def test_clubs_and_forbidden_pairs_are_kept_apart():
    groups = {player: [f"club {player // 4}"] for player in range(24)}
    apart = frozenset(frozenset(pair) for pair in [(0, 5), (1, 6), (10, 15)])
    report = swiss_report(Pairing(rank_by_order(range(24)), 4, groups=groups, apart=apart), 4)
    assert (report.missed, report.repeats) == ((), 0)


def test_a_club_larger_than_the_tables_is_said_to_be_crowded():
    groups = {player: ["big"] for player in range(3)}
    report = swiss_report(Pairing(rank_by_order(range(8)), 4, groups=groups), 4)
    assert [(missed.code, missed.reason) for missed in report.missed] == [("round.group", "crowded")]


def seats(drawn) -> list[list[int]]:
    return [sorted(table) for table in drawn]


SIXTEEN = Pairing(rank_by_order(range(1, 17)), 4)


def test_the_formats_of_finals_by_hand():
    assert seats(snake_round(SIXTEEN, seed=1)) == [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]]
    assert seats(ranked_round(SIXTEEN, seed=1)) == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]]
    assert seats(interval_round(SIXTEEN, step=3, seed=1)) == [
        [1, 4, 7, 10], [2, 5, 8, 11], [3, 6, 9, 12], [13, 14, 15, 16],
    ]  # fmt: skip
    assert seats(snake_round(Pairing(rank_by_order(range(1, 10)), 3), seed=1)) == [[1, 6, 7], [2, 5, 8], [3, 4, 9]]


def test_the_seed_decides_a_lot():
    assert lot_round(SIXTEEN, seed=3) == lot_round(SIXTEEN, seed=3) != lot_round(SIXTEEN, seed=4)


def test_a_round_report_counted_by_hand():
    played = [[[1, 2, 3], [4, 5, 6]], [[1, 2, 4], [3, 5, 6]]]
    order = [Ranked(1, 1), Ranked(2, 2), Ranked(3, 2), Ranked(4, 4), Ranked(5, 5), Ranked(6, 6)]
    pairing = Pairing(order, 3, played, fixed={6: 0})
    report = count_round(ranked_round(pairing, seed=1), pairing)
    assert (report.repeats, report.met_most, report.rank_width, report.rank_width_most) == (8, 3, 3, 2)
    assert [(each.players, each.times) for each in report.met_again][-1] == ((5, 6), 3)
    assert [(missed.code, missed.players) for missed in report.missed] == [
        ("round.thrice", (5, 6)), ("round.thrice", (1, 2)),
    ]  # fmt: skip


def test_winds_go_to_those_who_had_them_least():
    played = [[[1, 2, 3, 4]], [[2, 3, 4, 1]], [[3, 4, 1, 2]]]
    pairing = Pairing(rank_by_order([1, 2, 3, 4]), 4, played)
    drawn = ranked_round(pairing, seed=9)
    assert drawn == ((4, 1, 2, 3),)
    assert count_round(drawn, pairing).winds_spread == 0


REFUSED = [
    (lambda: Pairing(rank_by_order(range(22)), 4), "seating.not_a_multiple"),
    (lambda: Pairing(rank_by_order([1, 2, 2, 4]), 4), "seating.order_twice"),
    (lambda: Pairing([Ranked(1, 1), Ranked(2, 3), Ranked(3, 2)], 3), "seating.order_falls"),
    (lambda: Pairing(rank_by_order(range(8)), 4, fixed={1: 2}), "seating.fixed_table_unknown"),
    (lambda: Pairing(rank_by_order(range(8)), 4, fixed=dict.fromkeys(range(5), 1)), "seating.fixed_table_full"),
    (lambda: progressive_round(SIXTEEN, blocks=5, seed=1), "seating.blocks_unfit"),
    (lambda: interval_round(SIXTEEN, step=5, seed=1), "seating.interval_unfit"),
]


@pytest.mark.parametrize(("ask", "code"), REFUSED)
def test_what_cannot_be_is_refused_in_words(ask, code):
    with pytest.raises(SeatingError) as raised:
        ask()
    assert raised.value.problem.code == code
    assert str(raised.value).endswith(".")
