"""Groups as small numbers with attribute masks, and every way to read concealed tiles as groups and a pair.

Readings are found suit by suit and kept: the same nine counts are read once. It knows no yaku, no fu and no rule.
"""

import functools
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from scoring.tiles import GREEN, HONOURS, KINDS, WHITE

# a group's number: its form times KINDS, plus its lowest tile
SEQUENCE, TRIPLET, QUAD, PAIR = (form * KINDS for form in range(4))

# what is true of every tile of a group, or of the group
SIMPLE, OUTER, ENDS, HONOUR, ALL_GREEN, MAN, PIN, SOU, RUN, SAME = (1 << bit for bit in range(10))
SUITS_MASK = MAN | PIN | SOU
GREEN_BAMBOOS = frozenset({19, 20, 21, 23, 25})
SEQUENCES_OF_A_SUIT = 7
RANKS = 9


def _mask(group: int) -> int:
    """Return what is true of a group; 0 for a number that is none."""
    form, lowest = divmod(group, KINDS)
    tiles = [lowest, lowest + 1, lowest + 2] if form == 0 else [lowest]
    if form == 0 and (lowest >= HONOURS or lowest % RANKS >= SEQUENCES_OF_A_SUIT):
        return 0
    ends = [tile >= HONOURS or tile % RANKS in (0, 8) for tile in tiles]
    mask = HONOUR if lowest >= HONOURS else (MAN, PIN, SOU)[lowest // RANKS]
    mask |= OUTER if any(ends) else SIMPLE
    mask |= ENDS if all(ends) else 0
    mask |= ALL_GREEN if all(tile == GREEN or tile in GREEN_BAMBOOS for tile in tiles) else 0
    return mask | {SEQUENCE: RUN, PAIR: 0}.get(form * KINDS, SAME)


MASKS = tuple(_mask(group) for group in range(4 * KINDS))


class Part(NamedTuple):
    """Groups read together, and what is true of them.

    `pair` is the kind of the pair among them, -1 for none. `every` holds what is true of all groups and the pair, `some`
    what is true of any. `runs` are sequences as bits, seven a suit; `sames` triplets and quads as bits, by kind; `twins`
    counts pairs of equal sequences, `triplets` triplets and quads.
    """

    groups: tuple[int, ...] = ()
    pair: int = -1
    every: int = -1
    some: int = 0
    runs: int = 0
    sames: int = 0
    twins: int = 0
    triplets: int = 0


def make_part(groups: Sequence[int], pair: int = -1) -> Part:
    """Put groups, and a pair if there is one, into a part."""
    masks = [MASKS[group] for group in groups] + ([MASKS[PAIR + pair]] if pair >= 0 else [])
    runs = [1 << (group // RANKS * SEQUENCES_OF_A_SUIT + group % RANKS) for group in groups if group < TRIPLET]
    return Part(
        groups=tuple(groups),
        pair=pair,
        every=functools.reduce(lambda one, other: one & other, masks, -1),
        some=functools.reduce(lambda one, other: one | other, masks, 0),
        runs=functools.reduce(lambda one, other: one | other, runs, 0),
        sames=sum(1 << group % KINDS for group in groups if group >= TRIPLET),
        twins=sum(runs.count(run) // 2 for run in set(runs)),
        triplets=sum(group >= TRIPLET for group in groups),
    )


called_part = functools.lru_cache(maxsize=10_000)(make_part)


def join(one: Part, other: Part) -> Part:
    """Put two parts together that share no suit, or of which one is called: equal sequences do not meet."""
    if not other.groups and other.pair < 0:
        return one
    return Part(
        one.groups + other.groups,
        max(one.pair, other.pair),
        one.every & other.every,
        one.some | other.some,
        one.runs | other.runs,
        one.sames | other.sames,
        one.twins + other.twins,
        one.triplets + other.triplets,
    )


def readings(counts: Sequence[int]) -> Iterator[Part]:
    """Yield every reading of 34 tile counts as groups and one pair.

    A suit whose number of tiles leaves 2 when divided by 3 holds the pair; with more than one such suit there is none.

    >>> from scoring.hand import counts_of
    >>> from scoring.tiles import parse_tiles
    >>> len(list(readings(counts_of(parse_tiles("11122233355m")))))
    2
    """
    key = tuple(counts)
    suits = [suit_readings(first, key[first : first + RANKS]) for first in (0, 9, 18, 27) if any(key[first : first + 9])]
    for parts in product(*suits):
        joined = parts[0]
        pairs = joined.pair >= 0
        for part in parts[1:]:
            pairs += part.pair >= 0
            joined = join(joined, part)
        if pairs == 1:
            yield joined


@functools.lru_cache(maxsize=100_000)
def suit_readings(first: int, counts: tuple[int, ...]) -> tuple[Part, ...]:
    """Return every reading of one suit's counts, with a pair where the number of tiles asks for one."""
    tiles = sum(counts)
    if tiles % 3 == 1:
        return ()
    if tiles % 3 == 0:
        return tuple(make_part(groups) for groups in _splits(first, list(counts)))
    found = []
    for rank, count in enumerate(counts):
        if count >= 2:
            rest = list(counts)
            rest[rank] -= 2
            found += [make_part(groups, first + rank) for groups in _splits(first, rest)]
    return tuple(found)


def _splits(first: int, counts: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield every split of a suit's counts into sequences and triplets, taking the lowest tile first."""
    rank = next((rank for rank, count in enumerate(counts) if count), None)
    if rank is None:
        yield ()
        return
    if counts[rank] >= 3:
        for rest in _splits(first, _less(counts, (rank, rank, rank))):
            yield (TRIPLET + first + rank, *rest)
    if first < HONOURS and rank < SEQUENCES_OF_A_SUIT and counts[rank + 1] and counts[rank + 2]:
        for rest in _splits(first, _less(counts, (rank, rank + 1, rank + 2))):
            yield (SEQUENCE + first + rank, *rest)


def _less(counts: list[int], ranks: Sequence[int]) -> list[int]:
    rest = list(counts)
    for rank in ranks:
        rest[rank] -= 1
    return rest


def tiles_of(group: int) -> tuple[int, ...]:
    """Return the kinds of a group's tiles.

    >>> tiles_of(SEQUENCE + 0), tiles_of(PAIR + WHITE)
    ((0, 1, 2), (31, 31))
    """
    lowest = group % KINDS
    if group < TRIPLET:
        return (lowest, lowest + 1, lowest + 2)
    return (lowest,) * (3 if group < QUAD else 4 if group < PAIR else 2)
