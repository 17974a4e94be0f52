"""Several winners on one discard, all four ways in which the books pay counters and deposits, and the head bump.

In the long example player 3 discards with two counters and one deposit on the table; players 4 (3 han 30) and 2 (2 han
40, with riichi) win, player 4 being first after the discarder; player 3 had riichi too. All numbers are by hand.
"""

import dataclasses
import itertools
from typing import Any

import pytest

from rules.books import load
from scoring.check import problems
from scoring.game import play
from scoring.payments import Transfer
from scoring.shorthand import parse
from tests.scoring.table import deltas, paid, played, state

LINE = "4r3 330+2 240/23"
PAYMENTS = {
    # 4: 3,900 + 600 + 2,000 of the three deposits; 2: 2,600 + 600, own deposit back; 3: both hands, both times counters
    ("each", "own_back"): (0, 3200, -1000 - 3900 - 2600 - 1200, 3900 + 600 + 2000),
    ("each", "first"): (0, -1000 + 2600 + 600, -1000 - 3900 - 2600 - 1200, 3900 + 600 + 3000),
    ("first", "own_back"): (0, 2600, -1000 - 3900 - 2600 - 600, 3900 + 600 + 2000),
    ("first", "first"): (0, -1000 + 2600, -1000 - 3900 - 2600 - 600, 3900 + 600 + 3000),
}
BOOKS = {
    "ema-2025": ("each", "own_back"),  # E25 3.4.4; 3.3.10
    "rakkii-nomi-2026": ("first", "first"),  # RK 2.3
    "tenhou-yonma": ("first", "first"),
}


@pytest.mark.parametrize(("honba", "deposits"), PAYMENTS)
def test_all_four_ways(honba: Any, deposits: Any) -> None:
    rules = dataclasses.replace(load("ema-2025"), multiple_ron_honba=honba, multiple_ron_deposits=deposits)
    hand = play(parse(LINE), state("ema-2025", honba=2, sticks=1), rules)
    assert hand.deltas == PAYMENTS[honba, deposits]
    assert hand.after.sticks == 0


@pytest.mark.parametrize("key", BOOKS)
def test_the_way_of_each_book(key: str) -> None:
    assert deltas(key, LINE, honba=2, sticks=1) == PAYMENTS[BOOKS[key]]


@pytest.mark.parametrize("key", BOOKS)
def test_the_order_in_which_winners_are_typed_does_not_matter(key: str) -> None:
    winners = ["1 m", "2 240", "4 330"]
    for one, two, three in itertools.permutations(winners):
        line = f"{one[0]}r3 {one[2:]}+{two}+{three}/124"
        assert deltas(key, line, honba=1, sticks=2) == deltas(key, "1r3 m+2 240+4 330/124", honba=1, sticks=2)


def test_three_winners_under_ema() -> None:
    # first after player 3 is 4, then 1 (East), then 2; 300 to each (E25 3.4.4), own deposits back, the rest to 4
    gains = deltas("ema-2025", "1r3 330+2 330+4 330/123", honba=1, sticks=1)
    assert gains == (5800 + 300, 3900 + 300, -1000 - 5800 - 3900 - 3900 - 900, 3900 + 300 + 2000)


@pytest.mark.states("three_winners")
def test_three_winners_under_rakkii() -> None:
    gains = deltas("rakkii-nomi-2026", "1r3 330+2 330+4 330/123", honba=1, sticks=1)
    assert gains == (-1000 + 5800, -1000 + 3900, -1000 - 5800 - 3900 - 3900 - 300, 3900 + 300 + 4000)


def test_two_winners_of_three_under_sanmatsuri() -> None:
    # 200 per counter to each (decisions), own deposits back, the other deposits to player 2, first after player 1
    gains = deltas("sanmatsuri-2026", "3r1 330+2 m/23", honba=1, sticks=2)
    assert gains == (-8000 - 3900 - 400, -1000 + 8000 + 200 + 3000, -1000 + 3900 + 200 + 1000)


def test_two_winners_of_three_under_tenhou() -> None:
    gains = deltas("tenhou-sanma", "3r1 330+2 m/23", honba=1, sticks=2)
    assert gains == (-8000 - 3900 - 200, -1000 + 8000 + 200 + 4000, -1000 + 3900)


def test_the_first_in_turn_is_counted_past_the_last_seat() -> None:
    # player 4 discards: player 1 is next, though typed last
    transfers = paid("rakkii-nomi-2026", "3r4 330+1 330", honba=1, sticks=1)
    assert Transfer(3, 0, 300, "honba") in transfers
    assert Transfer(None, 0, 1000, "deposit") in transfers


def test_the_first_winner_has_his_own_deposit_among_the_rest() -> None:
    assert paid("ema-2025", "4r3 330+2 240/4", sticks=1)[-1] == Transfer(None, 3, 2000, "deposit")
    assert [t.why for t in paid("ema-2025", "4r3 330+2 240/4")].count("returned") == 0


@pytest.mark.parametrize(
    ("line", "dealer", "honba"),
    [
        ("4r3 330+2 240", 1, 0),  # East did not win: the deal passes, counters go (E25 3.4.4)
        ("4r3 330+1 240", 0, 3),  # East is among the winners: stays, one counter more (E25 3.4.5)
        ("1r3 330+4 240", 0, 3),
        ("4r1 330+2 240", 1, 0),
    ],
)
@pytest.mark.parametrize("key", ["ema-2025", "rakkii-nomi-2026"])
def test_the_deal_after_a_multiple_ron(key: str, line: str, dealer: int, honba: int) -> None:
    after = played(key, line, honba=2).after
    assert (after.dealer, after.honba) == (dealer, honba)


def test_head_bump_refuses_a_second_winner() -> None:
    # WRC 2025 8.11: only the next in turn wins
    found = problems(parse("4r3 330+2 240"), state("wrc-2025"), load("wrc-2025"))
    assert [(p.code, p.params, p.severity) for p in found] == [("win.head_bump", {"winners": 2}, "error")]
    assert problems(parse("4r3 330"), state("wrc-2025"), load("wrc-2025")) == []


def test_three_ron_abort_where_the_rules_say_so() -> None:
    found = problems(parse("4r3 330+2 240+1 330"), state("tenhou-yonma"), load("tenhou-yonma"))
    assert [p.code for p in found] == ["win.triple_ron_aborts"]
    for key in ("ema-2025", "rakkii-nomi-2026"):
        assert problems(parse("4r3 330+2 240+1 330"), state(key), load(key)) == []
    assert problems(parse("2r1 330+3 330"), state("tenhou-sanma"), load("tenhou-sanma")) == []
