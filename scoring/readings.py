"""Groups as small numbers, what is true of them as facts, and every way to read concealed tiles as groups and a pair.

Hot path: readings are found suit by suit and memoised, so equal tiles of a suit are read once. Knows no rules.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import TypeVar

from scoring.tiles import (
    ALL_KINDS,
    BITS,
    GREEN,
    HONOURS,
    KAN,
    KINDS,
    ONE_KIND,
    OPEN,
    PAIR,
    SEQUENCE,
    TRIPLET,
)

Key = TypeVar("Key")
Value = TypeVar("Value")


class Memo(dict[Key, Value]):
    """A dict that computes missing values from their keys; cleared when full. Faster than lru_cache.

    >>> squares = Memo(lambda number: number * number, most=2)
    >>> squares[12], dict(squares)
    (144, {12: 144})
    """

    def __init__(self, compute: Callable[[Key], Value], *, most: int) -> None:
        super().__init__()
        self._compute = compute
        self._most = most

    def __missing__(self, key: Key) -> Value:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._compute(key)
        return value


RANKS = 9
SEQUENCES_OF_A_SUIT = 7
BITS_OF_A_SUIT = BITS * RANKS
ONE_SUIT = (1 << BITS_OF_A_SUIT) - 1
ONE_SEQUENCE = 0o111  # packed, from its lowest tile
GREEN_BAMBOOS = frozenset({19, 20, 21, 23, 25})
MOST_MEMOS = 50_000

# The facts of groups are bits of one number, joined by `|`. Traits first: attributes that some group has (of every tile,
# or of the group; VALUE: a triplet of honours; TWIN: two equal sequences), and again those that some group lacks.
SIMPLE, OUTER, ENDS, HONOUR, ALL_GREEN, MAN, PIN, SOU, RUN, SAME, VALUE, TWIN = (1 << bit for bit in range(12))
EVERY_ATTRIBUTE = (1 << 12) - 1
LACKED = 12
TRAITS = EVERY_ATTRIBUTE << LACKED | EVERY_ATTRIBUTE
# Then a bit for each sequence, two for each suit's pairs of equal sequences, one for each triplet or kan and each pair.
RUNS = LACKED + 12
TWINS = RUNS + 3 * SEQUENCES_OF_A_SUIT
SAMES = TWINS + 3 * 2
PAIRS = SAMES + KINDS

Groups = tuple[int, ...]
Part = tuple[Groups, int]  # groups read together, and their facts


def bit_of(group: int) -> int:
    """Return the bit of facts that says that a group is there.

    >>> bit_of(TRIPLET + 4) == bit_of(KAN + OPEN + 4) == 1 << SAMES + 4
    True
    """
    form, lowest = divmod(group % OPEN, KINDS)
    if form * KINDS == SEQUENCE:
        return 1 << RUNS + lowest // RANKS * SEQUENCES_OF_A_SUIT + lowest % RANKS
    return 1 << (PAIRS if form * KINDS == PAIR else SAMES) + lowest


def tiles_of(group: int) -> tuple[int, ...]:
    """Return the kinds of a group's tiles.

    >>> tiles_of(SEQUENCE + 0), tiles_of(PAIR + 31)
    ((0, 1, 2), (31, 31))
    """
    form, lowest = divmod(group % OPEN, KINDS)
    if form * KINDS == SEQUENCE:
        return (lowest, lowest + 1, lowest + 2)
    return (lowest,) * (2 if form * KINDS == PAIR else 4 if form * KINDS == KAN else 3)


def _attributes(group: int) -> int:
    form, lowest = divmod(group % OPEN, KINDS)
    tiles = tiles_of(group)
    ends = [tile >= HONOURS or tile % RANKS in (0, 8) for tile in tiles]
    mask = HONOUR if lowest >= HONOURS else (MAN, PIN, SOU)[lowest // RANKS]
    mask |= OUTER if any(ends) else SIMPLE
    mask |= ENDS if all(ends) else 0
    mask |= ALL_GREEN if all(tile == GREEN or tile in GREEN_BAMBOOS for tile in tiles) else 0
    if form * KINDS == SEQUENCE:
        return mask | RUN
    return mask if form * KINDS == PAIR else mask | SAME | (VALUE if lowest >= HONOURS else 0)


def is_group(group: int) -> bool:
    """Return whether a number is that of a group: there are no sequences of honours or across suits.

    >>> is_group(SEQUENCE + 6), is_group(SEQUENCE + 7), is_group(TRIPLET + 7)
    (True, False, True)
    """
    form, lowest = divmod(group % OPEN, KINDS)
    return form * KINDS != SEQUENCE or (lowest < HONOURS and lowest % RANKS < SEQUENCES_OF_A_SUIT)


def _facts(group: int) -> int:
    has = _attributes(group)
    return has | (EVERY_ATTRIBUTE & ~has) << LACKED | bit_of(group)


_FACTS = tuple(_facts(group) if is_group(group) else 0 for group in range(2 * OPEN))


def facts_of(groups: Iterable[int]) -> int:
    """Return the facts of groups, but for equal sequences: only a suit's readings have them."""
    facts = 0
    for group in groups:
        facts |= _FACTS[group]
    return facts


def readings(packed: int) -> Iterator[tuple[Groups, int, int]]:
    """Yield every reading of packed concealed tiles: the groups, the kind of the one pair, and the facts of all.

    >>> from scoring.tiles import pack, parse_tiles
    >>> [(groups, pair) for groups, pair, _ in readings(pack(parse_tiles("11122233355m")))]
    [((34, 35, 36), 4), ((0, 0, 0), 4)]
    """
    suits, rest = [], packed & ALL_KINDS
    for kept in _SUIT_READINGS:
        if tiles := rest & ONE_SUIT:
            suits.append(kept[tiles])
        rest >>= BITS_OF_A_SUIT
    for parts in product(*suits):
        groups: Groups = ()
        facts = 0
        for its_groups, its_facts in parts:
            groups += its_groups
            facts |= its_facts
        pairs = facts >> PAIRS
        if pairs.bit_count() == 1:
            yield groups, pairs.bit_length() - 1, facts


def _suit_readings(suit: int, packed: int) -> list[Part]:
    """Return every reading of one suit's packed tiles, with a pair if the number of tiles is 2 modulo 3."""
    first, found = RANKS * suit, []
    for by_rank, pair in (_NUMBERS if first < HONOURS else _HONOURS)[packed]:
        groups = tuple([first + group for group in by_rank])
        facts = facts_of(groups) | facts_of([first + group for group in pair])
        if len(set(groups)) < len(groups):
            twins = sum([groups.count(group) // 2 for group in set(groups)])
            facts |= TWIN | (1 << twins) - 1 << TWINS + 2 * suit
        found.append((groups, facts))
    return found


def _rank_readings(packed: int, *, runs: bool) -> list[tuple[Groups, Groups]]:
    """Return the readings of a suit as groups and pairs, one or none, all by rank."""
    counts = [packed >> BITS * rank & ONE_KIND for rank in range(RANKS)]
    rest = sum(counts) % 3
    if rest != 2:
        return [] if rest else [(groups, ()) for groups in _splits(packed, runs=runs)]
    # ranks of a sequence or a triplet add up to a multiple of three: the pair makes up for what is over
    over = sum(map(operator.mul, counts, range(RANKS)))
    pairs = [rank for rank, count in enumerate(counts) if count >= 2 and (over - 2 * rank) % 3 == 0]
    return [
        (groups, (PAIR + rank,)) for rank in pairs for groups in _splits(packed - (2 << BITS * rank), runs=runs)
    ]


_NUMBERS = Memo(functools.partial(_rank_readings, runs=True), most=MOST_MEMOS)
_HONOURS = Memo(functools.partial(_rank_readings, runs=False), most=MOST_MEMOS)
_SUIT_READINGS = tuple(Memo(functools.partial(_suit_readings, suit), most=MOST_MEMOS) for suit in range(4))


def _splits(packed: int, *, runs: bool) -> list[Groups]:
    """Return every split of a suit's packed tiles into sequences and triplets, each once, lowest tile first."""
    if not packed:
        return [()]
    rank = ((packed & -packed).bit_length() - 1) // BITS
    rest = packed >> BITS * rank
    count = rest & ONE_KIND
    found = []
    if count >= 3:
        found += [(TRIPLET + rank, *others) for others in _splits(packed - (3 << BITS * rank), runs=runs)]
    if runs and rank < SEQUENCES_OF_A_SUIT and min(rest >> BITS & ONE_KIND, rest >> 2 * BITS & ONE_KIND) >= count:
        sequences = (SEQUENCE + rank,) * count
        left = packed - (count * ONE_SEQUENCE << BITS * rank)
        found += [sequences + others for others in _splits(left, runs=runs)]
    return found
