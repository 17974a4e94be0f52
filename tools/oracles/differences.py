"""Where we differ from an oracle on purpose: each difference with its reason, a hand that shows it, what it excuses.

An excuse foretells what the oracle says; whatever else it says is a disagreement. No engine is asked here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

from tools.oracles.answer import Answer, agree
from tools.oracles.tiles136 import kinds

Oracle = Literal["mahjong", "riichienv"]
Hand = Mapping[str, Any]

YAKUMAN_HAN = 13
PLAIN: Hand = MappingProxyType(
    {
        "tsumo": True, "melds": [], "round_wind": "E", "seat_wind": "S", "riichi": 0, "ippatsu": False,
        "rinshan": False, "chankan": False, "haitei": False, "houtei": False, "first_turn": False, "dora": "9p",
        "ura": "", "kita": 0, "honba": 0,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One deliberate difference: `example` is a hand for four players; of it we say `ours`, and the oracle `theirs`."""

    oracle: Oracle
    name: str
    reason: str
    example: Hand
    ours: Answer
    theirs: Answer
    excuses: Callable[[Hand, Answer, Answer], bool]


def win_copies(hand: Hand) -> int:
    """Count the tiles of the winning one's kind in the concealed part, itself among them."""
    [(win, _)] = kinds(hand["win"])
    return [kind for kind, _ in kinds(hand["tiles"])].count(win)


_DOUBLES: Mapping[str, Callable[[Hand], bool]] = {
    "daisuushii": lambda _hand: True,
    "suuankou": lambda hand: win_copies(hand) == 2,
    "kokushi_musou": lambda hand: win_copies(hand) == 2 or (hand["first_turn"] and hand["seat_wind"] == "E"),
    "chuuren_poutou": lambda hand: win_copies(hand) in (2, 4),
}


def _double(name: str, holds: Callable[[Hand], bool] = lambda _hand: True) -> Callable[[Hand, Answer, Answer], bool]:
    """Excuse that the oracle counts a yakuman twice, alone or beside others that it counts twice."""

    def excuses(hand: Hand, ours: Answer, theirs: Answer) -> bool:
        doubled = [each for each in ours.yaku if each in _DOUBLES and _DOUBLES[each](hand)]
        number = ours.yakuman + len(doubled)
        more = (ours.value or 0) * len(doubled) // max(ours.yakuman, 1)
        foretold = replace(ours, yakuman=number, han=YAKUMAN_HAN * number, total=(ours.total or 0) + more)
        return name in doubled and holds(hand) and agree(foretold, theirs)

    return excuses


def _counted_instead(_hand: Hand, ours: Answer, theirs: Answer) -> bool:
    """Excuse that the oracle reads four concealed triplets as sequences and counts thirteen han or more."""
    counted = theirs.yakuman == 0 and theirs.han >= YAKUMAN_HAN and "iipeikou" in theirs.yaku
    return ours.yaku == ("suuankou",) and counted and theirs.total == ours.total


def _example(**changed: Any) -> Hand:
    return {**PLAIN, **changed}


def _yakuman(name: str, number: int, *more: str, value: int = 32000) -> Answer:
    yaku = tuple(sorted((name, *more)))
    return Answer(YAKUMAN_HAN * number, None, number, yaku, None, None, value * number)


_NOT_DOUBLE = "Tenhou manual: yakuman add up, none is double; the oracle follows another server"

DIFFERENCES = (
    Difference(
        "riichienv", "four concealed triplets on the pair", _NOT_DOUBLE,
        _example(tiles="111444m888p333s44z", win="4z", tsumo=False),
        _yakuman("suuankou", 1), _yakuman("suuankou", 2), _double("suuankou"),
    ),
    Difference(
        "riichienv", "thirteen waits", _NOT_DOUBLE,
        _example(tiles="19m19p19s12345677z", win="7z"),
        _yakuman("kokushi_musou", 1), _yakuman("kokushi_musou", 2),
        _double("kokushi_musou", lambda hand: win_copies(hand) == 2),
    ),
    Difference(
        "riichienv", "thirteen orphans dealt", f"{_NOT_DOUBLE}; any tile that is dealt can be the winning one to it",
        _example(tiles="19m19p19s12345677z", win="1z", seat_wind="E", first_turn=True),
        _yakuman("kokushi_musou", 2, "tenhou", value=48000), _yakuman("kokushi_musou", 3, "tenhou", value=48000),
        _double("kokushi_musou", lambda hand: win_copies(hand) == 1),
    ),
    Difference(
        "riichienv", "nine gates on nine waits", _NOT_DOUBLE,
        _example(tiles="11123455678999s", win="5s"),
        _yakuman("chuuren_poutou", 1), _yakuman("chuuren_poutou", 2), _double("chuuren_poutou"),
    ),
    Difference(
        "riichienv", "big four winds", _NOT_DOUBLE,
        _example(
            tiles="222333444z55m", win="5m", tsumo=False, dora="9s",
            melds=[{"kind": "pon", "tiles": "111z", "from": "left"}],
        ),
        _yakuman("daisuushii", 1), _yakuman("daisuushii", 2), _double("daisuushii"),
    ),
    Difference(
        "riichienv", "a counted yakuman before a real one",
        "the reading that pays most is taken, and a counted yakuman (decisions: from 13 han) pays as a real one does; "
        "then we name the real one, as the server does, while the oracle takes the reading with more han",
        _example(tiles="33444666777888m", win="6m", dora="236m4p3z"),
        _yakuman("suuankou", 1),
        Answer(17, 30, 0, ("chinitsu", "iipeikou", "menzen_tsumo", "tanyao"), None, None, 32000),
        _counted_instead,
    ),
)  # fmt: skip


def excuse(oracle: Oracle, hand: Hand, ours: Answer | None, theirs: Answer | None) -> Difference | None:
    """Return the difference that explains why an oracle says something else, None where none does."""
    if ours is None or theirs is None:
        return None
    fitting = (each for each in DIFFERENCES if each.oracle == oracle and each.excuses(hand, ours, theirs))
    return next(fitting, None)
