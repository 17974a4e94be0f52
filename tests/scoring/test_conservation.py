"""What holds for every book and any game: no point appears or vanishes, and a game is the sum of its hands.

All laws are held against the same drawn games: drawing and folding one takes longer than all that is asked of it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.entries import Chombo, Correction, Entry, from_json, to_json
from scoring.game import Game, fold, judge, play
from scoring.payments import deltas_of
from scoring.placement import finish
from scoring.problems import errors_of
from scoring.state import TableState, opening
from tests.scoring.strategies import games


@dataclass(frozen=True, slots=True)
class Drawn:
    """A game, and a place to cut it."""

    entries: list[Entry]
    cut: int
    rules: Ruleset
    game: Game


def points_in(state: TableState, rules: Ruleset) -> int:
    """Count every point of a table: with players, on the table, and lost."""
    return sum(state.scores) + state.sticks * rules.riichi_deposit + state.lost


def no_point_appears_or_vanishes(drawn: Drawn) -> None:
    rules, game = drawn.rules, drawn.game
    whole = rules.start_points * rules.players
    for hand in game.hands:
        assert points_in(hand.after, rules) == whole
        final = finish(hand.after, rules)
        assert sum(final.scores) + final.leftover == whole
        assert final.leftover >= 0


def a_prefix_folded_and_continued_is_the_whole(drawn: Drawn) -> None:
    entries, cut, rules, game = drawn.entries, drawn.cut, drawn.rules, drawn.game
    state = fold(entries[:cut], rules).state
    for entry, hand in zip(entries[cut:], game.hands[cut:], strict=True):
        again = play(entry, state, rules)
        assert again == hand
        state = again.after
    assert state == game.state


def an_entry_taken_out_and_put_back_is_the_identity(drawn: Drawn) -> None:
    entries, rules, game = drawn.entries, drawn.rules, drawn.game
    stored = [to_json(entry) for entry in entries]
    assert fold([from_json(json.loads(json.dumps(value))) for value in stored], rules) == game


def what_a_seat_gains_is_the_sum_of_its_transfers(drawn: Drawn) -> None:
    rules, game = drawn.rules, drawn.game
    for hand in game.hands:
        moved = tuple(b - a for a, b in zip(hand.before.scores, hand.after.scores, strict=True))
        assert hand.deltas == moved
        assert hand.transfers == () or hand.deltas == deltas_of(hand.transfers, rules.players)
        assert [transfer for transfer in hand.transfers if transfer.points <= 0] == []


def the_table_is_always_one_that_can_be(drawn: Drawn) -> None:
    rules, game = drawn.rules, drawn.game
    for hand in game.hands:
        before, after = hand.before, hand.after
        assert 0 <= after.dealer < rules.players
        assert after.sticks >= 0
        assert after.honba in (0, before.honba, before.honba + 1)
        passed = (after.round, after.dealer) != (before.round, before.dealer)
        step = (after.round * rules.players + after.dealer) - (before.round * rules.players + before.dealer)
        assert step == int(passed)
        if isinstance(hand.entry, Chombo | Correction):
            assert (step, after.honba, after.sticks) == (0, before.honba, before.sticks)


def no_place_is_skipped_and_none_is_out_of_order(drawn: Drawn) -> None:
    rules, game = drawn.rules, drawn.game
    final = finish(game.state, rules)
    for place, score in zip(final.places, final.scores, strict=True):
        better = sum(other > score for other in final.scores)
        equal = final.scores.count(score)
        if rules.ties == "share":
            assert place == better + 1
            assert final.places.count(place) == equal
        else:
            assert better < place <= better + equal
    if rules.ties == "seat_order":
        assert sorted(final.places) == list(range(1, rules.players + 1))
    if not rules.bust_prize:
        by_place = sorted(zip(final.places, (-uma for uma in final.uma), strict=True))
        assert [-uma for _, uma in by_place] == sorted(final.uma, reverse=True)
    assert sum(final.uma) == sum(rules.uma) + rules.oka
    assert sum(final.chips) == 0


def results_add_up_to_nothing_but_what_was_lost(drawn: Drawn) -> None:
    rules, game = drawn.rules, drawn.game
    # start x players + oka = return x players in every book, so results are a zero-sum but for lost points
    final = finish(game.state, rules)
    assert rules.start_points * rules.players + rules.oka == rules.return_points * rules.players
    assert sum(final.results) == -final.leftover


def judging_agrees_with_the_fold_about_where_it_stops(drawn: Drawn) -> None:
    entries, rules, game = drawn.entries, drawn.rules, drawn.game
    judged = judge(entries, opening(rules), rules)
    wrong = [index for index, problem in judged if errors_of([problem])]
    assert len(set(wrong)) <= 1
    if not wrong:
        assert not any(hand.before.ended for hand in game.hands if not isinstance(hand.entry, Correction))


LAWS: tuple[Callable[[Drawn], None], ...] = (
    no_point_appears_or_vanishes,
    a_prefix_folded_and_continued_is_the_whole,
    an_entry_taken_out_and_put_back_is_the_identity,
    what_a_seat_gains_is_the_sum_of_its_transfers,
    the_table_is_always_one_that_can_be,
    no_place_is_skipped_and_none_is_out_of_order,
    results_add_up_to_nothing_but_what_was_lost,
    judging_agrees_with_the_fold_about_where_it_stops,
)


@pytest.mark.parametrize("key", book_keys())
@given(data=st.data())
def test_every_law_holds_for_any_game(key: str, data: st.DataObject) -> None:
    entries, rules = data.draw(games(key)), load(key)
    drawn = Drawn(entries, data.draw(st.integers(0, len(entries))), rules, fold(entries, rules))
    for law in LAWS:
        law(drawn)
