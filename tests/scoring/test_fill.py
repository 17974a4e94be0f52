"""Tiles typed in a line: counted at the table's state, filled into the entry, written back."""

from typing import Any

import pytest

from rules.books import load
from scoring.check import problems
from scoring.entries import Draw, Ron, Tsumo, Win, from_json, to_json
from scoring.problems import InvalidInput
from scoring.shorthand import parse, write
from scoring.win_tiles import fill_in
from tests.scoring.table import state

RAKKII, SAN = "rakkii-nomi-2026", "sanmatsuri-2026"


def filled(line: str, key: str = RAKKII, **changes: Any) -> Win:
    entry = fill_in(parse(line), state(key, **changes), load(key))
    assert isinstance(entry, Ron | Tsumo)
    return entry.winners[0]


def test_tiles_become_han_fu_and_yaku() -> None:
    win = filled("2r3 [340m567p66234s 777z]")
    assert (win.seat, win.han, win.fu, win.yaku) == (1, 2, 30, ("chun",))


@pytest.mark.parametrize(
    ("line", "changes", "yaku"),
    [
        ("1r3 [234m567p66234s 111z]", {}, ("seat_wind", "round_wind")),
        ("2r3 [234m567p66234s 222z]", {}, ("seat_wind",)),
        ("2r3 [234m567p66234s 222z]", {"dealer": 1, "round": 1}, ("round_wind",)),
        ("1t [234m567p66345789s]/1", {}, ("riichi", "menzen_tsumo", "pinfu")),
        ("1t [234m567p66345789s rr]/1", {}, ("double_riichi", "menzen_tsumo", "pinfu")),
    ],
)
def test_winds_riichi_and_tsumo_are_the_tables(line: str, changes: dict[str, Any], yaku: tuple[str, ...]) -> None:
    assert filled(line, **changes).yaku == yaku


def test_counters_are_the_tables_and_move_no_value() -> None:
    win = filled("2r3 [340m567p66234s 777z]", honba=3)
    assert (win.han, win.hand["honba"] if win.hand else None) == (2, 3)


def test_a_yakuman_is_a_number_and_the_melds_say_who_is_liable() -> None:
    win = filled("2t [234m99p 555z< 666z^ 777z>]")
    assert (win.yakuman, win.han, win.pao, win.yaku) == (1, 0, 2, ("daisangen",))


def test_a_kita_is_dora_with_three_players() -> None:
    assert filled("2r1 [234567p66234s 777z k2]", SAN).han == 3


def test_two_winners_are_counted_each_for_himself() -> None:
    entry = fill_in(parse("3r1 [234m567p66234s 777z]+4 340"), state(RAKKII), load(RAKKII))
    assert isinstance(entry, Ron)
    assert [(win.seat, win.han, win.fu, win.hand is None) for win in entry.winners] == [
        (2, 1, 30, False),
        (3, 3, 40, True),
    ]


def test_what_has_a_value_or_no_winner_stays_as_it_is() -> None:
    for entry in (Draw(tenpai=(1,)), parse("2r3 340"), parse("1t y")):
        assert fill_in(entry, state(RAKKII), load(RAKKII)) == entry


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("2r3 [234m567p66234s 777z]/2", "hand.not_together"),  # riichi and an open hand
        ("2r3 [234m567p6234s 777z]", "hand.tiles_missing"),
        ("2r3 [234m568p66234s 777z]", "hand.not_winning"),
        ("2r3 [234m555p66234s 555p]", "hand.five_copies"),
        ("2r3 [234m567p99234s 222s]", "hand.no_yaku"),
    ],
)
def test_tiles_that_do_not_win_are_refused_with_their_cause(line: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        filled(line)
    assert [problem.code for problem in refused.value.problems] == [code]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("2r3 []", "hand_line.empty"),
        ("2r3 [123m 77z]", "hand_line.unknown_part"),
        ("2r3 [123]", "tiles.no_suit"),
        ("2r3 [123m", "shorthand.unreadable"),
        ("2r3 123m]", "shorthand.unreadable"),
        ("2r3 [[123m]]", "shorthand.unreadable"),
        ("d[123m]", "shorthand.unreadable"),
    ],
)
def test_a_line_with_tiles_that_cannot_be_read_says_so(line: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(line)
    assert [problem.code for problem in refused.value.problems] == [code]


@pytest.mark.parametrize(
    "line",
    [
        "2r3 [340m567p66234s 777z]",
        "2r3 [340m567p66234s 777z d1m]/4 #with a note [not tiles]",
        "1t [234m567p345789s66s rr u3m]/1",
        "2t [234m99p 555z< 666z^ 777z>] p3",
        "3r1 [234m567p66234s 777z]+4 340",
    ],
)
def test_a_counted_line_is_written_as_tiles_and_read_back_the_same(line: str) -> None:
    rules, table = load(RAKKII), state(RAKKII)
    entry = fill_in(parse(line), table, rules)
    again = fill_in(parse(write(entry)), table, rules)
    assert again == entry
    assert from_json(to_json(entry)) == entry
    assert problems(entry, table, rules) == []
