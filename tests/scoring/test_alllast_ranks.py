"""All-last for ranks: every value entered and ranked again, and states worked out by hand."""

import itertools
import random

import pytest

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.alllast_ranks import (
    Chance,
    LastTable,
    Others,
    RankNeed,
    Standing,
    all_last_ranks,
    first_place_chances,
)
from scoring.entries import Draw, Entry
from scoring.game import play
from scoring.placement import finish, with_substitutes
from scoring.state import TableState
from tests.scoring.test_alllast import SUBSETS, every_entry, gain_of, random_state

STATES = 6  # a book


def rank_after(after: TableState, rules: Ruleset, others: Others, seat: int) -> tuple[int, bool]:
    """Rank a seat by sorting everybody."""
    results = with_substitutes(finish(after, rules), others.replaced, rules).results
    table: list[Standing | None] = [
        own and (own[0], own[1] + result) for own, result in zip(others.seats, results, strict=True)
    ]
    mine = table[seat]
    assert mine is not None
    everybody = sorted(((group, -total) for group, total in [*others.rest, *[each for each in table if each]]))
    key = (mine[0], -mine[1])
    return everybody.index(key) + 1, everybody.count(key) > 1


def check_need(need: RankNeed | None, ends: dict[int, tuple[int, bool]], wanted: int, gain: int | None) -> None:
    """Assert that a need says what each value does; `ends` are the ranks by what the winner gains."""
    doing = {each for each, (rank, _) in ends.items() if rank <= wanted}
    assert (need is None) == (not doing)
    if need is None or gain is None:
        return
    above = {each for each in ends if each >= gain}
    assert gain in doing
    assert need.shared == (ends[gain] == (wanted, True))
    if need.alone:
        assert (gain, max(ends) in doing) == (min(doing), False)
        return
    assert above <= doing
    lower = {each for each in ends if each < gain}
    assert not lower or max(lower) not in doing
    assert need.below == bool(lower & doing)


@pytest.mark.parametrize("key", book_keys())
def test_every_value_entered_and_ranked_again(key: str):
    rules, chance = load(key), random.Random(f"ranks {key}")
    for _ in range(STATES):
        table = random_state(rules, chance)
        seat, loser = chance.sample(range(rules.players), 2)
        totals = [chance.randrange(-400, 400) * 100 for _ in range(rules.players + 12)]
        everybody = [(int(chance.random() < 0.3), total) for total in totals]
        others = Others(tuple(everybody[: rules.players]), tuple(everybody[rules.players :]))
        found = all_last_ranks(table, rules, others)[seat]
        assert found is not None
        least = 2 if rules.two_han_from_honba and table.honba >= rules.two_han_from_honba else 1
        reached = {found.rank}
        for off in (None, loser):
            ends = {}
            for entry in every_entry(rules, seat, off, least, ()):
                hand = play(entry, table, rules)
                ends[hand.deltas[seat]] = rank_after(hand.after, rules, others, seat)
            reached |= {rank for rank, _ in ends.values()}
            for goal in found.goals:
                need = goal.tsumo if off is None else goal.ron[off]
                check_need(need, ends, goal.rank, need and gain_of(need.price, table, rules, seat, off, ()))
        draws = {
            tenpai: rank_after(play(Draw(tenpai=tenpai), table, rules).after, rules, others, seat)
            for tenpai in SUBSETS[rules.players]
        }
        for goal in found.goals:
            assert set(goal.draw) == {tenpai for tenpai, (rank, _) in draws.items() if rank <= goal.rank}
            assert set(goal.draw_tied) == {tenpai for tenpai in goal.draw if draws[tenpai] == (goal.rank, True)}
        assert found.best <= min(reached | {rank for rank, _ in draws.values()})


def test_worked_by_hand_with_uma():
    """EMA: 30,000 each, so 0 and no uma; the dealer's mangan tsumo makes +12,000 and 15,000 of uma."""
    rules = load("ema-2025")
    state = TableState((30000,) * 4, dealer=3, round=1)
    others = Others(((0, 0),) * 4, ((0, 26_900), (0, 27_000), (0, 50_000)))
    found = all_last_ranks(state, rules, others)[3]
    assert found is not None
    # as it stands all four share first place, with nothing: behind the three others
    assert (found.rank, found.best) == (4, 1)
    second = next(goal for goal in found.goals if goal.rank == 2)
    assert second.tsumo is not None
    # 12,000 + 15,000 = 27,000 would share it with one of them
    assert (second.tsumo.price.as_json()["pays"], second.tsumo.shared) == ([4000], True)


def test_who_is_not_ranked_or_was_replaced_has_no_goals():
    state = TableState((30000,) * 4, dealer=3, round=1)
    others = Others((None, (0, 0), (0, 0), (0, 0)), (), {1: "before"})
    found = all_last_ranks(state, load("ema-2025"), others)
    assert [each and each.seat for each in found] == [None, None, 2, 3]


def ends_of(table: LastTable) -> set[tuple[Standing, ...]]:
    """Return the standings of the seats after each hand that can be entered."""
    state, rules = table.state, table.rules
    least = 2 if rules.two_han_from_honba and state.honba >= rules.two_han_from_honba else 1
    entries: list[Entry] = [Draw(tenpai=tenpai) for tenpai in SUBSETS[rules.players]]
    for seat, loser in itertools.product(range(rules.players), (None, *range(rules.players))):
        if loser != seat:
            entries += every_entry(rules, seat, loser, least, ())
    found = set()
    for entry in entries:
        results = with_substitutes(finish(play(entry, state, rules).after, rules), table.replaced, rules).results
        found.add(tuple((own[0], own[1] + gain) for own, gain in zip(table.seats, results, strict=True) if own))
    return found


@pytest.mark.parametrize("key", ["ema-2025", "wrc-2025", "sanmatsuri-2026"])
def test_who_can_win_is_what_every_end_of_every_table_says(key: str):
    rules, chance = load(key), random.Random(f"winners {key}")
    seen: set[tuple[bool, bool]] = set()
    for spread in (60, 250, 900):
        states = [random_state(rules, chance) for _ in range(2)]
        near = [[(0, chance.randrange(-spread, spread) * 100) for _ in range(rules.players)] for _ in range(2)]
        near[1][0] = (1, 90_000)  # below the cut: never first, however many points
        tables = [LastTable(state, rules, tuple(own)) for state, own in zip(states, near, strict=True)]
        rest = [(0, chance.randrange(-spread, 2 * spread) * 100) for _ in range(3)]
        firsts: list[set[tuple[int, int]]] = []  # who is first after each end of all: (table or 2 for the rest, seat)
        for one, other in itertools.product(*map(ends_of, tables)):
            everybody = {(at, seat): key for at, keys in enumerate((one, other, rest)) for seat, key in enumerate(keys)}
            best = min((group, -total) for group, total in everybody.values())
            firsts.append({who for who, (group, total) in everybody.items() if (group, -total) == best})
        by_table, of_rest = first_place_chances(tables, rest)
        for at, chances in enumerate([*by_table, of_rest]):
            for seat, found in enumerate(chances):
                who = (at, seat)
                assert found == Chance(any(who in each for each in firsts), all(who in each for each in firsts))
                seen.add(found)
    assert {(False, False), (True, False)} <= seen


def test_a_winner_who_is_certain_and_an_unranked_one_who_is_not():
    rules = load("ema-2025")
    state = TableState((30_000,) * 4, dealer=3, round=1)
    table = LastTable(state, rules, ((0, 500_000), (0, 0), None, (0, 0)))
    [chances], [rest] = first_place_chances([table], [(0, 100_000)])
    assert chances == (Chance(possible=True, certain=True), *[Chance(possible=False, certain=False)] * 3)
    assert rest == Chance(possible=False, certain=False)
    assert first_place_chances([], [(0, 5), (1, 9)])[1] == [Chance(possible=True, certain=True), (False, False)]
