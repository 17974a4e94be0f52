"""Groups as small numbers with attribute masks, and every way to read concealed tiles as groups and a pair.

Readings are found suit by suit and kept: the same nine counts are read once. It knows no yaku, no fu and no rule.
"""

import functools
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from scoring.kept import Kept
from scoring.tiles import BITS, GREEN, HONOURS, KINDS, ONE_KIND

# a group's number: its form times KINDS, plus its lowest tile
SEQUENCE, TRIPLET, QUAD, PAIR = (form * KINDS for form in range(4))

# what is true of every tile of a group, or of the group; VALUE: a triplet of honours; TWIN: two equal sequences
SIMPLE, OUTER, ENDS, HONOUR, ALL_GREEN, MAN, PIN, SOU, RUN, SAME, VALUE, TWIN = (1 << bit for bit in range(12))
GREEN_BAMBOOS = frozenset({19, 20, 21, 23, 25})
SEQUENCES_OF_A_SUIT = 7
RANKS = 9
BITS_OF_A_SUIT = BITS * RANKS
ONE_SUIT = (*((1 << BITS_OF_A_SUIT) - 1,) * 3, (1 << BITS * (KINDS - HONOURS)) - 1)
MOST_KEPT = 50_000


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
    if form * KINDS == SEQUENCE:
        return mask | RUN
    return mask if form * KINDS == PAIR else mask | SAME | (VALUE if lowest >= HONOURS else 0)


MASKS = tuple(_mask(group) for group in range(4 * KINDS))


class Part(NamedTuple):
    """Groups read together, and what is true of them.

    `pair` is the kind of the pair among them, -1 for none. `every` holds what is true of all groups and the pair,
    `some` what is true of any. `runs` are sequences as bits, seven a suit; `sames` triplets and quads as bits, by
    kind; `twins` counts pairs of equal sequences, `triplets` triplets and quads.
    """

    groups: tuple[int, ...] = ()
    pair: int = -1
    every: int = -1
    some: int = 0
    runs: int = 0
    sames: int = 0
    twins: int = 0
    triplets: int = 0


def make_part(groups: tuple[int, ...], pair: int = -1) -> Part:
    """Put groups, and a pair if there is one, into a part."""
    every, some = (-1, 0) if pair < 0 else (MASKS[PAIR + pair],) * 2
    runs = sames = twins = triplets = 0
    single = 0  # sequences that have not met their equal yet
    for group in groups:
        every &= MASKS[group]
        some |= MASKS[group]
        if group < TRIPLET:
            run = _RUNS[group]
            if single & run:
                twins += 1
                some |= TWIN
            single ^= run
            runs |= run
        else:
            sames |= 1 << group % KINDS
            triplets += 1
    return Part(groups, pair, every, some, runs, sames, twins, triplets)


_RUNS = tuple(1 << (group // RANKS * SEQUENCES_OF_A_SUIT + group % RANKS) for group in range(KINDS))


def join(parts: Sequence[Part]) -> Part:
    """Put parts together that share no suit, or of which the last is called: equal sequences do not meet."""
    groups: tuple[int, ...] = ()
    pair, every, some, runs, sames, twins, triplets = -1, -1, 0, 0, 0, 0, 0
    for part in parts:
        its_groups, its_pair, its_every, its_some, its_runs, its_sames, its_twins, its_triplets = part
        groups += its_groups
        if its_pair >= 0:
            pair = its_pair
        every &= its_every
        some |= its_some
        runs |= its_runs
        sames |= its_sames
        twins += its_twins
        triplets += its_triplets
    return Part(groups, pair, every, some, runs, sames, twins, triplets)


def readings(packed: int, called: Part) -> Iterator[Part]:
    """Yield every reading of packed concealed tiles as groups and one pair, the called groups after them.

    A suit whose number of tiles leaves 2 when divided by 3 holds the pair; with more than one such suit there is none.

    >>> from scoring.tiles import pack, parse_tiles
    >>> len(list(readings(pack(parse_tiles("11122233355m")), make_part(()))))
    2
    """
    pairs, suits = 0, []
    for suit, kept in enumerate(_SUIT_READINGS):
        tiles = packed >> BITS_OF_A_SUIT * suit & ONE_SUIT[suit]
        if tiles:
            found = kept[tiles]
            if not found:
                return
            if found[0].pair >= 0:
                pairs += 1
            suits.append(found)
    if pairs == 1:
        yield from map(join, product(*suits, (called,)))


def suit_readings(suit: int, packed: int) -> tuple[Part, ...]:
    """Return every reading of one suit's packed tiles, with a pair where the number of tiles asks for one."""
    first = RANKS * suit
    readings = (_NUMBERS if first < HONOURS else _HONOURS)[packed]
    return tuple(
        [make_part(tuple([first + g for g in groups]), -1 if at < 0 else first + at) for groups, at in readings]
    )


def _rank_readings(packed: int, *, runs: bool) -> list[tuple[tuple[int, ...], int]]:
    """Return the same for a suit whose first tile is 0: groups, and the rank of the pair or -1."""
    counts = [packed >> BITS * rank & ONE_KIND for rank in range(RANKS)]
    rest = sum(counts) % 3
    if rest != 2:
        return [] if rest else [(groups, -1) for groups in _splits(counts, 0, runs=runs)]
    found = []
    for rank, count in enumerate(counts):
        if count >= 2:
            counts[rank] -= 2
            found += [(groups, rank) for groups in _splits(counts, 0, runs=runs)]
            counts[rank] += 2
    return found


_NUMBERS = Kept(functools.partial(_rank_readings, runs=True), most=MOST_KEPT)
_HONOURS = Kept(functools.partial(_rank_readings, runs=False), most=MOST_KEPT)
_SUIT_READINGS = tuple(Kept(functools.partial(suit_readings, suit), most=MOST_KEPT) for suit in range(4))


def _splits(counts: list[int], rank: int, *, runs: bool) -> list[tuple[int, ...]]:
    """Return every split of the counts from a rank on into sequences and triplets, the lowest tile first."""
    while rank < RANKS and not counts[rank]:
        rank += 1
    if rank == RANKS:
        return [()]
    found = []
    if counts[rank] >= 3:
        counts[rank] -= 3
        found += [(TRIPLET + rank, *rest) for rest in _splits(counts, rank, runs=runs)]
        counts[rank] += 3
    if runs and rank < SEQUENCES_OF_A_SUIT and counts[rank + 1] and counts[rank + 2]:
        for step in range(3):
            counts[rank + step] -= 1
        found += [(SEQUENCE + rank, *rest) for rest in _splits(counts, rank, runs=runs)]
        for step in range(3):
            counts[rank + step] += 1
    return found


def tiles_of(group: int) -> tuple[int, ...]:
    """Return the kinds of a group's tiles.

    >>> tiles_of(SEQUENCE + 0), tiles_of(PAIR + 31)
    ((0, 1, 2), (31, 31))
    """
    lowest = group % KINDS
    if group < TRIPLET:
        return (lowest, lowest + 1, lowest + 2)
    return (lowest,) * (3 if group < QUAD else 4 if group < PAIR else 2)
