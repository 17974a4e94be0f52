"""Liability (pao) as the melds show it: who fed the last called set of a yakuman for which the book makes him liable.

It needs to know from whom each set was called; it decides no payment.
"""

from dataclasses import dataclass

from rules.ruleset import LiableYakuman, Ruleset
from scoring.hand import Meld, MeldSource, WinningHand
from scoring.tiles import EAST, HONOURS, WHITE

DRAGONS = frozenset(range(WHITE, WHITE + 3))
WINDS = frozenset(range(EAST, WHITE))
SETS_SHOWN = {"daisangen": 3, "daisuushii": 4, "suukantsu": 4}
STEPS = {"right": 1, "across": 2, "left": -1}


@dataclass(frozen=True, slots=True)
class Liability:
    """Somebody is liable: for which yakuman, and where he sits as the winner sees it."""

    yakuman: LiableYakuman
    source: MeldSource

    def seat(self, winner: int, players: int) -> int:
        """Return the liable seat.

        >>> Liability("daisangen", "left").seat(0, 3)
        2
        """
        return (winner + STEPS[self.source]) % players


def liabilities(hand: WinningHand, yaku: set[str], rules: Ruleset) -> list[Liability]:
    """List who is liable for which yakuman of a hand (E25 3.3.7; WRC 2025 9.1.1).

    All sets of the yakuman must be melds, and the last of them called: a closed quad shows a set and feeds none. Melds
    stand in the order in which they were made.
    """
    found = []
    for yakuman in rules.pao:
        last = _last_set(hand, yakuman) if yakuman in yaku else None
        if last is not None and last.source is not None and last.open:
            found.append(Liability(yakuman, last.source))
    return found


def _last_set(hand: WinningHand, yakuman: LiableYakuman) -> Meld | None:
    """Return the meld that completed what everybody could see; None where it was not all to be seen."""
    sets = [meld for meld in hand.melds if _belongs(meld, yakuman)]
    if len(sets) < SETS_SHOWN[yakuman]:
        return None
    if yakuman == "suukantsu" and sets[-1].kind != "daiminkan":
        return None  # an added quad was made by the winner himself
    return sets[-1]


def _belongs(meld: Meld, yakuman: LiableYakuman) -> bool:
    kind = meld.tiles[0].kind
    if yakuman == "suukantsu":
        return meld.quad
    return kind >= HONOURS and kind in (DRAGONS if yakuman == "daisangen" else WINDS)
