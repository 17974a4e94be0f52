"""Random winning hands for the drill: like those of a table, from a given random number generator.

Each is built from groups, has a yaku and is possible under the rules. What a hand is worth is left to `count`.
"""

import contextlib
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from rules.ruleset import Ruleset
from scoring.count import counts
from scoring.hand import FLAGS, Meld, MeldSource, WinningHand, hand_problems
from scoring.problems import InvalidInput
from scoring.tiles import EAST, HONOURS, KINDS, NORTH, RED_FIVE, SUITS, WHITE, Tile

COPIES = 4
SIMPLES = tuple(kind for kind in range(HONOURS) if 0 < kind % 9 < 8)
ENDS = tuple(kind for kind in range(HONOURS) if kind % 9 in (0, 8))
LETTERS = tuple(range(HONOURS, KINDS))
EVERY = tuple(range(KINDS))


class Plan(NamedTuple):
    """The kinds a hand is made of and the share of its groups that are sequences; `value` has a triplet of honours."""

    weight: int
    kinds: Sequence[int] = EVERY
    runs: float = 0.75
    value: bool = False
    pairs: bool = False


PLANS = (
    Plan(8),
    Plan(30, range(HONOURS), 1.0),
    Plan(8, SIMPLES, 0.75),
    Plan(9, value=True),
    Plan(3, runs=0.1),
    Plan(2, (*ENDS, *LETTERS), 0.0),
    Plan(1, pairs=True),
    *(Plan(1, (*range(first, first + 9), *LETTERS), 0.6, value=True) for first in (0, 9, 18)),
)


class _NoTileError(Exception):
    """The set has too few of a tile."""


class _Wall:
    """The tiles left of a set, red fives among them."""

    def __init__(self, chance: Random, rules: Ruleset) -> None:
        self.chance = chance
        self._left = {kind: [Tile(kind)] * COPIES for kind in EVERY if rules.players == 4 or not 0 < kind < 8}
        for five in rules.red_fives:
            kind = SUITS.index(five[1]) * 9 + RED_FIVE
            self._left[kind] = [*self._left[kind][1:], Tile(kind, red=True)]
        for tiles in self._left.values():
            chance.shuffle(tiles)
        self.kinds = tuple(self._left)

    def take(self, kind: int, copies: int = 1) -> list[Tile]:
        """Take tiles of a kind out of the set."""
        left = self._left.get(kind, [])
        if len(left) < copies:
            raise _NoTileError
        self._left[kind] = left[copies:]
        return left[:copies]


def winning_hands(rules: Ruleset, chance: Random) -> Iterator[WinningHand]:
    """Yield winning hands without end."""
    weights = [plan.weight for plan in PLANS]
    while True:
        [plan] = chance.choices(PLANS, weights)
        with contextlib.suppress(_NoTileError, InvalidInput):
            hand = _hand(plan, _Wall(chance, rules), rules)
            if not hand_problems(hand, rules) and counts(hand, rules):
                yield hand


def _hand(plan: Plan, wall: _Wall, rules: Ruleset) -> WinningHand:
    chance = wall.chance
    winds = range(EAST, EAST + rules.players)
    round_wind, seat_wind = EAST + chance.randrange(max(rules.rounds, 1)), chance.choice(winds)
    concealed, melds = _tiles(plan, wall, rules, (round_wind, seat_wind))
    kita = chance.choice((0, 0, 1, 1, 2)) if rules.kita else 0
    wall.take(NORTH, kita)
    closed = all(meld.kind == "ankan" for meld in melds)
    conditions = _conditions(chance, closed=closed, kan=any(meld.kan for meld in melds))
    conditions["ippatsu"] &= any(rules.ippatsu)
    kans = sum(meld.kan for meld in melds)
    return WinningHand(
        tiles=tuple(sorted(concealed)),
        win=chance.choice(concealed),
        melds=tuple(melds),
        round_wind=round_wind,
        seat_wind=seat_wind,
        kita=kita,
        dora=_indicators(wall, 1 + kans * (rules.kan_dora != "none")),
        ura=_indicators(wall, 1 + kans * rules.kan_ura) if conditions["riichi"] and rules.ura_dora else (),
        **conditions,
    )


def _tiles(plan: Plan, wall: _Wall, rules: Ruleset, winds: tuple[int, int]) -> tuple[list[Tile], list[Meld]]:
    """Draw the concealed tiles, with the winning one, and the melds."""
    chance, concealed, melds = wall.chance, list[Tile](), list[Meld]()
    if plan.pairs:
        return [tile for kind in chance.sample(wall.kinds, 7) for tile in wall.take(kind, 2)], []
    called = chance.choice((0.0, 0.0, 0.0, 0.4, 0.7))
    for number in range(4):
        honour = plan.value and number == 0
        is_run = not honour and chance.random() < plan.runs
        first = chance.choice((*winds, *range(WHITE, KINDS))) if honour else chance.choice(plan.kinds)
        meld = _group(wall, rules, first, is_run=is_run, is_open=chance.random() < called)
        if meld.kind in ("chi", "pon") and not meld.source:
            concealed += meld.tiles
        else:
            melds.append(meld)
    return [*concealed, *wall.take(chance.choice(plan.kinds), 2)], melds


def _group(wall: _Wall, rules: Ruleset, first: int, *, is_run: bool, is_open: bool) -> Meld:
    """Draw one group; without a source and with three tiles it is concealed."""
    if is_run:
        if first >= HONOURS or first % 9 > 6:
            raise _NoTileError
        tiles = tuple(tile for kind in range(first, first + 3) for tile in wall.take(kind))
        return Meld("chi", tiles, "left" if is_open and rules.chii else None)
    sides: tuple[MeldSource, ...] = ("left", "right") if rules.players == 3 else ("left", "across", "right")
    source = wall.chance.choice(sides) if is_open else None
    if wall.chance.random() < 0.1:
        return Meld("daiminkan" if source else "ankan", tuple(wall.take(first, COPIES)), source)
    return Meld("pon", tuple(wall.take(first, 3)), source)


def _conditions(chance: Random, *, closed: bool, kan: bool) -> dict[str, Any]:
    flags: dict[str, Any] = dict.fromkeys(FLAGS, False)
    flags |= {"tsumo": chance.random() < 0.4, "riichi": int(closed and chance.random() < 0.45)}
    if flags["tsumo"] and kan and chance.random() < 0.3:
        flags["rinshan"] = True
    elif flags["riichi"] and not kan and chance.random() < 0.15:
        flags["ippatsu"] = True
    elif chance.random() < 0.04:
        flags["haitei" if flags["tsumo"] else "houtei"] = True
    return flags


def _indicators(wall: _Wall, count: int) -> tuple[Tile, ...]:
    return tuple(wall.take(wall.chance.choice(wall.kinds))[0] for _ in range(count))
