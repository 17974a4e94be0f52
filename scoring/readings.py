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
    WHITE,
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
MAX_MEMOS = 50_000

# The facts of groups are bits of one number, so that `|` joins them. Traits come first: attributes that some group has,
# TWIN if two sequences are equal, and attributes of tiles that some group lacks.
SIMPLE, OUTER, ENDS, HONOUR, ALL_GREEN, MAN, PIN, SOU, RUN, SAME, QUAD, WIND, DRAGON, TWIN = (1 << n for n in range(14))
OF_TILES = SIMPLE | OUTER | ENDS | HONOUR | ALL_GREEN
LACKED = 14
TRAITS = OF_TILES << LACKED | (1 << LACKED) - 1
# Then a bit for each sequence, two for each suit's pairs of equal sequences, one for each triplet or kan and each pair.
RUNS = LACKED + OF_TILES.bit_length()
TWINS = RUNS + 3 * SEQUENCES_OF_A_SUIT
SAMES = TWINS + 3 * 2
PAIRS = SAMES + KINDS

Groups = tuple[int, ...]
Part = tuple[Groups, int]  # groups read together, and their facts


def _form(group: int) -> tuple[int, int]:
    """Return the form of a group, open or not, and its lowest tile."""
    lowest = group % KINDS
    return group % OPEN - lowest, lowest


def bit_of(group: int) -> int:
    """Return the bit of facts that says that a group is there.

    >>> bit_of(TRIPLET + 4) == bit_of(KAN + OPEN + 4) == 1 << SAMES + 4
    True
    """
    form, lowest = _form(group)
    if form == SEQUENCE:
        return 1 << RUNS + lowest // RANKS * SEQUENCES_OF_A_SUIT + lowest % RANKS
    return 1 << (PAIRS if form == PAIR else SAMES) + lowest


def tiles_of(group: int) -> tuple[int, ...]:
    """Return the kinds of a group's tiles.

    >>> tiles_of(SEQUENCE + 0), tiles_of(PAIR + 31)
    ((0, 1, 2), (31, 31))
    """
    form, lowest = _form(group)
    if form == SEQUENCE:
        return (lowest, lowest + 1, lowest + 2)
    return (lowest,) * (2 if form == PAIR else 4 if form == KAN else 3)


def _attributes(group: int) -> int:
    form, lowest = _form(group)
    tiles = tiles_of(group)
    ends = [tile >= HONOURS or tile % RANKS in (0, 8) for tile in tiles]
    mask = HONOUR if lowest >= HONOURS else (MAN, PIN, SOU)[lowest // RANKS]
    mask |= OUTER if any(ends) else SIMPLE
    mask |= ENDS if all(ends) else 0
    mask |= ALL_GREEN if all(tile == GREEN or tile in GREEN_BAMBOOS for tile in tiles) else 0
    if form == SEQUENCE:
        return mask | RUN
    if form == PAIR:
        return mask
    value = 0 if lowest < HONOURS else WIND if lowest < WHITE else DRAGON
    return mask | SAME | value | (QUAD if form == KAN else 0)


def is_group(group: int) -> bool:
    """Return whether a number is that of a group: there are no sequences of honours or across suits.

    >>> is_group(SEQUENCE + 6), is_group(SEQUENCE + 7), is_group(TRIPLET + 7)
    (True, False, True)
    """
    form, lowest = _form(group)
    return form != SEQUENCE or (lowest < HONOURS and lowest % RANKS < SEQUENCES_OF_A_SUIT)


def _facts(group: int) -> int:
    has = _attributes(group)
    return has | (OF_TILES & ~has) << LACKED | bit_of(group)


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
        facts = facts_of(groups)
        for group in pair:
            facts |= _FACTS[first + group]
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
    return [(groups, (PAIR + rank,)) for rank in pairs for groups in _splits(packed - (2 << BITS * rank), runs=runs)]


_NUMBERS = Memo(functools.partial(_rank_readings, runs=True), most=MAX_MEMOS)
_HONOURS = Memo(functools.partial(_rank_readings, runs=False), most=MAX_MEMOS)
_SUIT_READINGS = tuple(Memo(functools.partial(_suit_readings, suit), most=MAX_MEMOS) for suit in range(4))


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
    if runs and rank < SEQUENCES_OF_A_SUIT and rest >> BITS & ONE_KIND >= count <= rest >> 2 * BITS & ONE_KIND:
        sequences = (SEQUENCE + rank,) * count
        left = packed - (count * ONE_SEQUENCE << BITS * rank)
        found += [sequences + others for others in _splits(left, runs=runs)]
    return found
