"""Rules that ask for something of the whole wait: what each tile that completes the hand would be worth.

Sanma rule book 9.3, 11, and the notes of 12 on iipeikou, ittsu and chanta.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scoring.problems import InvalidInput, ProblemType
from scoring.tiles import HONOURS, KINDS, WHITE, Tile, count_of, write_tile
from scoring.value import least_han

if TYPE_CHECKING:  # the count of a hand is quick to import
    from rules.ruleset import Ruleset
    from scoring.count import Count
    from scoring.hand import WinningHand

HAND_WAIT_WITHOUT_YAKU = ProblemType(
    "hand.wait_without_yaku",
    "For a ron each tile of the wait must give a yaku under these rules; with the {tile} none counts.",
)
HAND_WAIT_WITHOUT_TWO_HAN = ProblemType(
    "hand.wait_without_two_han",
    "With {honba} honba each tile of the wait must give two han of yaku; with the {tile} there are fewer.",
)

COPIES = 4
MORE_THAN = {"iipeikou": "ryanpeikou"}  # a yaku and the one that is counted instead of it
DRAGONS = ("haku", "hatsu", "chun")

Counts = Callable[["WinningHand", "Ruleset"], Sequence["Count"]]
Wait = dict[int, Sequence["Count"]]  # the counts of the hand with each tile that completes it; none without a yaku


def lost_by_wait(hand: WinningHand, rules: Ruleset, counts: Counts) -> frozenset[str]:
    """Return the yaku that do not count because another tile of the wait does not give them.

    Raises InvalidInput if a tile of the wait gives fewer han of yaku than each of them must.
    """
    least = least_han(hand.honba, rules)
    two_han = rules.two_han_whole_wait and least > 1 and not (hand.tsumo and hand.closed)
    if hand.tsumo and not two_han:
        return frozenset()
    wait = _wait(hand, rules, counts)
    names = () if hand.tsumo else rules.whole_wait_yaku
    lost = frozenset(name for name in names if not all(_gives(name, found) for found in wait.values()))
    if _most(wait[hand.win.kind]) < least:
        return lost  # the hand has too few yaku, whatever its wait: `counts` says so
    for kind, found in sorted(wait.items(), key=lambda each: _most(each[1])):
        tile = write_tile(Tile(kind))
        if rules.ron_on_whole_wait and not hand.tsumo and not _most(found, lost | _made_by_ron(kind, hand)):
            raise InvalidInput([HAND_WAIT_WITHOUT_YAKU(tile=tile)])
        if two_han and _most(found, lost) < least:
            raise InvalidInput([HAND_WAIT_WITHOUT_TWO_HAN(tile=tile, honba=hand.honba)])
    return lost


def _wait(hand: WinningHand, rules: Ruleset, counts: Counts) -> Wait:
    """Count the hand with each tile that completes it; a tile of which it holds four completes nothing."""
    rest = list(hand.tiles)
    rest.remove(hand.win)
    wait: Wait = {}
    for kind in range(KINDS):
        if count_of(hand.own, kind) - (kind == hand.win.kind) == COPIES or (rules.players == 3 and 0 < kind < 8):
            continue
        other = dataclasses.replace(hand, tiles=(*rest, Tile(kind)), win=Tile(kind))
        try:
            wait[kind] = counts(other, _of_one_tile(rules))
        except InvalidInput as wrong:
            if wrong.problems[0].code != "hand.not_winning":
                wait[kind] = ()
    return wait


@functools.lru_cache(maxsize=64)
def _of_one_tile(rules: Ruleset) -> Ruleset:
    """Return the rules without those of the whole wait."""
    return dataclasses.replace(
        rules, two_han_from_honba=0, two_han_whole_wait=False, ron_on_whole_wait=False, whole_wait_yaku=()
    )


def _gives(name: str, found: Sequence[Count]) -> bool:
    """Return whether a reading has a yaku, or is a yakuman."""
    wanted = {name, MORE_THAN.get(name)}
    return any(counted.yakuman or wanted & {each for each, _ in counted.yaku} for counted in found)


def _most(found: Sequence[Count], lost: frozenset[str] = frozenset()) -> int:
    """Return the most han of yaku of a reading, without those that are lost."""
    return max((sum(han for name, han in counted.yaku if name not in lost) for counted in found), default=0)


def _made_by_ron(kind: int, hand: WinningHand) -> frozenset[str]:
    """Return the yaku of a triplet of winds or dragons that a ron completes (sanma rule book 9.3: not of these)."""
    if kind < HONOURS or count_of(hand.concealed, kind) - (kind == hand.win.kind) != 2:
        return frozenset()
    if kind >= WHITE:
        return frozenset({DRAGONS[kind - WHITE]})
    winds = ((hand.seat_wind, "seat_wind"), (hand.round_wind, "round_wind"))
    return frozenset(name for wind, name in winds if wind == kind)
