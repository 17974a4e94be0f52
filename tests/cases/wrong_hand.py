"""How a wrong hand is written down in a test: the row and clause of the shared list, the hand, and what is to be said.

Nothing is judged here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.hand_line import read_hand_line

EMA, WRC, RAK, SAN = "ema-2025", "wrc-2025", "rakkii-nomi-2026", "sanmatsuri-2026"
T4, BOOK = "tenhou-yonma", "sanma-rule-book"

# tiles that win: 1 han 30 fu, open; closed and without a yaku by ron, 40 fu; open and without a yaku
CHUN, CLOSED, OPEN = "123567p78s99m6s 777z", "123567p44478s99m6s", "123567p78s99m6s 444s"


@dataclass(frozen=True, slots=True)
class Wrong:
    """One wrong hand: `row` is "3.1" for the first clause of row 3; `said` the code of each problem and its values.

    A code in brackets is of a warning. `before` are the hands that were played before it, as they are typed.
    """

    row: str
    rules: str
    said: Mapping[str, str]
    line: str = ""
    entry: Mapping[str, Any] | None = None
    before: str = ""

    @property
    def hands_before(self) -> list[str]:
        """The hands played before it."""
        return self.before.split("|") if self.before else []

    @property
    def warned(self) -> bool:
        """Whether it is a warning alone, which stops nothing once there is a reason."""
        return all(code.startswith("(") for code in self.said)

    @property
    def codes(self) -> list[str]:
        """The codes without brackets."""
        return [code.strip("()") for code in self.said]


def hand(line: str) -> dict[str, Any]:
    """Return tiles as they are sent, given as a hand line."""
    return read_hand_line(line)


def one(value: str, yaku: str | None = None, *, seat: int = 1, **more: Any) -> dict[str, Any]:
    """Return a winner: `3/40` is han and fu, `y2` two yakuman; yaku by name."""
    han, _, fu = value.partition("/")
    worth = {"yakuman": int(value[1:])} if value[0] == "y" else {"han": int(han), **({"fu": int(fu)} if fu else {})}
    return {"seat": seat, **worth, **({} if yaku is None else {"yaku": yaku.split()}), **more}


def ron(value: str, yaku: str | None = None, *, riichi: Sequence[int] = (), **more: Any) -> dict[str, Any]:
    """Return a ron of player 2 off player 3, unless told otherwise."""
    return {"kind": "ron", "loser": 2, "winners": [one(value, yaku, **more)], "riichi": list(riichi)}


def tsumo(value: str, yaku: str | None = None, *, riichi: Sequence[int] = (), **more: Any) -> dict[str, Any]:
    """Return a tsumo of player 2, unless told otherwise."""
    return {"kind": "tsumo", "winners": [one(value, yaku, **more)], "riichi": list(riichi)}
