"""Shapes of a winning hand: every reading of its tiles with every place for the winning tile, and those without groups.

Hot path. Knows no rules.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from scoring.readings import RANKS, Groups, Memo, bit_of, facts_of, is_group, readings
from scoring.tiles import ALL_KINDS, BITS, HONOURS, KINDS, ONE_KIND, OPEN, PAIR, SEQUENCE, TRIPLET, count_of

if TYPE_CHECKING:  # the count of a hand is quick to import
    from scoring.hand import WinningHand

Form = Literal["groups", "chiitoitsu", "kokushi_musou"]
Wait = Literal["ryanmen", "kanchan", "penchan", "shanpon", "tanki", "thirteen"]
Place = tuple[Wait, int]  # a wait, and the group or pair that the winning tile completes
SEVEN_PAIRS = 7
MAX_MEMOS = 100

# packed tiles: masks of two of each kind, of terminals and honours
PAIRS = sum(2 << BITS * kind for kind in range(KINDS))
ORPHAN_ONES = sum(1 << BITS * kind for kind in (0, 8, 9, 17, 18, 26, *range(HONOURS, KINDS)))
ORPHANS = ORPHAN_ONES * ONE_KIND


class Shape(NamedTuple):
    """One reading of a hand with one place for the winning tile.

    `groups` are concealed ones first, OPEN if called or completed by a ron; `pair` is the kind of the one pair, or -1.
    `facts` are those of all groups and pairs. `completed` is the group or pair with the winning tile. `closed` tells
    whether no meld was called.
    """

    form: Form
    groups: Groups
    pair: int
    facts: int
    wait: Wait
    completed: int
    closed: bool
    hand: WinningHand


def shapes(hand: WinningHand) -> list[Shape]:
    """Return every shape: each reading with each place for the winning tile, chiitoitsu, kokushi musou."""
    found, closed = [], hand.closed
    melds = tuple([meld.group for meld in hand.melds]) if hand.melds else ()
    called = facts_of(melds) if melds else 0
    around, places = _AROUND[hand.win.kind], (_BY_TSUMO if hand.tsumo else _BY_RON)[hand.win.kind]
    for own, pair, facts in readings(hand.concealed):
        for wait, completed in places[facts & around]:
            groups = own if completed < OPEN else _opened(own, completed)
            found.append(Shape("groups", groups + melds, pair, facts | called, wait, completed, closed, hand))
    if not melds:
        found += _without_groups(hand)
    return found


def _opened(groups: Groups, triplet: int) -> Groups:
    return tuple([triplet if group == triplet - OPEN else group for group in groups])


def _waits_on(tile: int) -> dict[int, Wait]:
    """Return the groups that a tile can complete, in the order of readings, each with its wait.

    >>> _waits_on(8)
    {6: 'ryanmen', 42: 'shanpon', 110: 'tanki'}
    """
    found: dict[int, Wait] = {}
    for step in (2, 1, 0):
        if step == 0:  # a triplet is read before a sequence from the same tile
            found[TRIPLET + tile] = "shanpon"
        if tile >= step and is_group(SEQUENCE + tile - step):
            found[SEQUENCE + tile - step] = _wait(step, (tile - step) % RANKS)
    return found | {PAIR + tile: "tanki"}


def _wait(step: int, rank: int) -> Wait:
    """Return the wait on tile `step` (0 to 2) of a sequence that begins at `rank`, from 0."""
    if step == 1:
        return "kanchan"
    return "penchan" if (step, rank) in ((0, RANKS - 3), (2, 0)) else "ryanmen"


def _places(tile: int, tsumo: bool, facts: int) -> list[Place]:
    """Return each wait that a tile can complete among groups with these facts, and of equal waits the highest group.

    A triplet completed by a ron is open (E25 4.1.1; WRC 2025 11.5.2).
    """
    places = {wait: group for group, wait in _waits_on(tile).items() if facts & bit_of(group)}
    if "shanpon" in places and not tsumo:
        places["shanpon"] += OPEN
    return list(places.items())


_AROUND = tuple(sum(map(bit_of, _waits_on(tile))) for tile in range(KINDS))  # facts that say what a tile can complete
_BY_RON, _BY_TSUMO = (
    [Memo(functools.partial(_places, tile, tsumo), most=MAX_MEMOS) for tile in range(KINDS)] for tsumo in (False, True)
)


def _without_groups(hand: WinningHand) -> Iterator[Shape]:
    """Yield chiitoitsu, all pairs different (E25 4.2; WRC 2025 11.5.2), or kokushi musou."""
    tiles = hand.concealed & ALL_KINDS
    if not tiles & ~PAIRS and tiles.bit_count() == SEVEN_PAIRS:
        yield _special(hand, "chiitoitsu", "tanki")
    elif not tiles & ~ORPHANS and (tiles | tiles >> 1) & ORPHAN_ONES == ORPHAN_ONES:
        yield _special(hand, "kokushi_musou", "thirteen" if count_of(tiles, hand.win.kind) == 2 else "tanki")


def _special(hand: WinningHand, form: Form, wait: Wait) -> Shape:
    facts = facts_of([PAIR + kind for kind, _ in hand.tiles])
    return Shape(form, (), -1, facts, wait, PAIR + hand.win.kind, True, hand)
