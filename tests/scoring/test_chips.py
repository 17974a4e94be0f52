"""Chips: entered or by the yaku, who pays them, and what they are worth in the result."""

import dataclasses
from typing import Any

import pytest

from rules.books import load
from scoring.alllast_ranks import Others, all_last_ranks
from scoring.check import problems
from scoring.entries import Entry, Ron, Win
from scoring.game import fold, play
from scoring.placement import finish, with_substitutes
from scoring.shorthand import parse, write
from scoring.state import TableState, opening
from scoring.win_tiles import fill_in

AMOUNTS: dict[str, Any] = {
    "chip_ippatsu": 1,
    "chip_ura": 1,
    "chip_red": 1,
    "chip_yakuman_ron": 10,
    "chip_yakuman_tsumo": 5,
}
RULES = dataclasses.replace(load("tenhou-yonma"), chip_points=2000, **AMOUNTS)
NONE = load("tenhou-yonma")


def ron(*yaku: str, han: int = 5) -> Entry:
    return Ron(loser=2, winners=(Win(seat=1, han=han, yaku=yaku),), riichi=(1,))


@pytest.mark.parametrize(
    ("entry", "chips"),
    [
        (ron("riichi", "ippatsu", "ura", "ura", "red"), (0, 4, -4, 0)),
        (ron("riichi", "tanyao", "pinfu", "dora", "dora"), (0, 0, 0, 0)),
        (parse("2r3 5"), (0, 0, 0, 0)),  # nobody said which yaku
        (parse("2r3 5 c3"), (0, 3, -3, 0)),
        (parse("2t 5 c3"), (-3, 9, -3, -3)),
        (parse("2r3 y"), (0, 10, -10, 0)),
        (parse("2t y2"), (-10, 30, -10, -10)),
        (parse("2t y c0"), (0, 0, 0, 0)),
        (parse("2r3 5 c2+4 340 c1"), (0, 2, -3, 1)),
        (parse("d12"), (0, 0, 0, 0)),
        (parse("*25000,25000,25000,25000,0 c+3,-1,-2,0"), (3, -1, -2, 0)),
        (parse("*25000,25000,25000,25000,0"), (0, 0, 0, 0)),
    ],
)
def test_the_payers_give_chips_to_the_winner(entry: Entry, chips: tuple[int, ...]) -> None:
    assert play(entry, opening(RULES), RULES).after.chips == chips
    assert play(entry, opening(NONE), NONE).after.chips == ()


def test_chips_of_several_hands_add_up_and_are_points_in_the_result() -> None:
    game = fold([parse("2r3 340 c2"), parse("1t 230 c1"), parse("d")], RULES)
    final, plain = game.final(RULES), finish(game.state._replace(chips=()), RULES)
    assert final.chips == (3, 1, -3, -1)
    assert [a - b for a, b in zip(final.results, plain.results, strict=True)] == [6000, 2000, -6000, -2000]
    assert (final.scores, final.uma) == (plain.scores, plain.uma)


def test_a_substitute_takes_his_chips_and_the_replaced_player_none() -> None:
    state = TableState((40_000, 30_000, 20_000, 10_000), chips=(3, 1, -3, -1))
    counted = with_substitutes(finish(state, RULES), {3: "before"}, RULES)
    without = with_substitutes(finish(state._replace(chips=()), RULES), {3: "before"}, RULES)
    assert [a - b for a, b in zip(counted.results, without.results, strict=True)] == [6000, 2000, -6000, 0]


def test_tiles_say_how_many_chips_a_hand_wins() -> None:
    entry = fill_in(parse("2r3 [234m067p666789s99s i u8s d1z]/2"), opening(RULES), RULES)
    assert isinstance(entry, Ron)
    assert entry.winners[0].chips == 1 + 1 + 3  # ippatsu, a red five, three nines under the indicator
    assert fill_in(parse("2r3 [234m067p666789s99s i u8s d1z] c1/2"), opening(RULES), RULES).winners[0].chips == 1  # type: ignore[attr-defined]
    assert fill_in(parse("2r3 [234m067p666789s99s i u8s d1z]/2"), opening(NONE), NONE).winners[0].chips is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line", ["2r3 340 p4 c2", "2r3 5 c2+4 340 c1", "1t y c0", "*30000,20000,25000,25000,0 c+3,-1,-2,+0"]
)
def test_chips_are_written_as_they_are_typed(line: str) -> None:
    assert write(parse(line)) == line


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("2r3 340 c2", ""),
        ("2r3 340 c99", ""),
        ("*30000,20000,25000,25000,0 c+3,-1,-2,0", ""),
        ("*30000,20000,25000,25000,0 c+3,-1,-2,1", "chips.not_zero"),
        ("*30000,20000,25000,25000,0 c+3,-3", "points.not_for_each_seat"),
    ],
)
def test_chips_that_cannot_be_are_refused(line: str, code: str) -> None:
    assert [each.code for each in problems(parse(line), opening(RULES), RULES)] == ([code] if code else [])
    assert [each.code for each in problems(parse(line), opening(NONE), NONE)] != []


def test_more_chips_than_any_table_has_are_refused() -> None:
    entry = Ron(loser=2, winners=(Win(seat=1, han=5, chips=100),))
    assert [each.code for each in problems(entry, opening(RULES), RULES)] == ["chips.too_many"]


def test_what_a_player_needs_counts_the_chips_won_so_far() -> None:
    state = TableState((26_000, 25_000, 25_000, 24_000), dealer=3, round=1, chips=(0, 0, 0, 50))
    others = Others(seats=((0, 0),) * 4, rest=())
    ranks = [None if each is None else each.rank for each in all_last_ranks(state, RULES, others)]
    plain = all_last_ranks(state._replace(chips=()), RULES, others)
    assert ranks == [2, 3, 4, 1]
    assert [None if each is None else each.rank for each in plain] == [1, 2, 3, 4]
