"""Double yakuman by their wait: the two oracles count them as we do under rules that have them."""

import dataclasses
from typing import Any

import pytest

from rules.books import load
from tools.oracles import mahjong_oracle
from tools.oracles.compare import ORACLES
from tools.oracles.differences import PLAIN
from tools.oracles.ours import answer_of

RULES = dataclasses.replace(
    load("tenhou-yonma"),
    kokushi_juusanmen=(2, 0),
    junsei_chuuren=(2, 0),
    suuankou_tanki=(2, 0),
    daisuushii=(2, 2),
)
HANDS: list[tuple[dict[str, Any], int]] = [
    ({"tiles": "19m19p19s12345677z", "win": "7z"}, 2),
    ({"tiles": "19m19p19s12345677z", "win": "1z"}, 1),
    ({"tiles": "11123455678999s", "win": "5s"}, 2),
    ({"tiles": "11123455678999s", "win": "4s"}, 1),
    ({"tiles": "11112345678999s", "win": "1s"}, 2),
    ({"tiles": "111m333p555s22277z", "win": "7z"}, 2),
    ({"tiles": "111m333p555s22277z", "win": "7z", "tsumo": False}, 2),
    ({"tiles": "111m333p555s22277z", "win": "2z"}, 1),
    ({"tiles": "11122233344455z", "win": "5z"}, 5),
    ({"tiles": "11122233344455z", "win": "1z"}, 4),
]


@pytest.mark.parametrize(("change", "number"), HANDS)
def test_double_yakuman_are_those_of_the_oracles(change: dict[str, Any], number: int) -> None:
    hand = {**PLAIN, **change}
    ours = answer_of(hand, RULES)
    assert ours is not None
    cost = mahjong_oracle.question_of(hand, 4, doubles=True).ask().cost
    assert cost is not None
    assert (ours.yakuman, ours.total) == (number, cost["total"])
    if "riichienv" not in ORACLES:
        pytest.skip("riichienv is not installed: there is no wheel of it for this system")
    other = ORACLES["riichienv"].answer_of(hand, 4)
    assert other is not None
    assert (other.yakuman, other.total) == (ours.yakuman, ours.total)
