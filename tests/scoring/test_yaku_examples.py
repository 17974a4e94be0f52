"""The hand drawn beside a yaku has it, and is worth what the list of yaku says, by every book that plays it."""

import pytest

from rules.books import book_keys, load
from rules.consistency import BY_WAIT
from rules.ruleset import yaku_names
from scoring.count import COUNTED_YAKUMAN_HAN, count
from scoring.hand import hand_problems
from scoring.yaku import EXAMPLES

NOT_IN_THE_SET = {"sanshoku_doujun"}  # of three suits, of which one has its ends alone with three players
OF_NO_TILES = {
    "riichi", "double_riichi", "ippatsu", "menzen_tsumo", "rinshan", "chankan", "haitei", "houtei", "renhou", "tenhou",
    "chiihou", "paarenchan", *BY_WAIT,
}  # fmt: skip


@pytest.mark.states("examples")
@pytest.mark.parametrize("key", book_keys())
def test_an_example_has_its_yaku(key: str) -> None:
    rules = load(key)
    for name, example in EXAMPLES.items():
        closed, opened = getattr(rules, name)
        hand = example.hand()
        if hand_problems(hand, rules):
            assert (rules.players, name) in {(3, each) for each in NOT_IN_THE_SET}
        elif closed:
            counted = count(hand, rules)
            worth = (closed if hand.closed else opened) * (COUNTED_YAKUMAN_HAN if counted.yakuman else 1)
            assert (name, worth) in counted.yaku


def test_every_yaku_of_tiles_has_an_example() -> None:
    assert set(EXAMPLES) == set(yaku_names("yaku", "yakuman")) - OF_NO_TILES
