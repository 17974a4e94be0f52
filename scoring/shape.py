"""Shapes of a winning hand: groups as small numbers with attribute masks, every way to read concealed tiles as groups
and a pair, and every place for the winning tile.

Hot path: readings are found suit by suit and memoised, so equal counts of a suit are read once. Knows no rules.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from scoring.tiles import BITS, GREEN, HONOURS, KAN, KINDS, ONE_KIND, PAIR, REDS, SEQUENCE, TRIPLET, count_of, unpack

if TYPE_CHECKING:  # the count of a hand is quick to import
    from scoring.hand import WinningHand


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


# attributes of every tile of a group, or of the group; VALUE: a triplet of honours; TWIN: two equal sequences
SIMPLE, OUTER, ENDS, HONOUR, ALL_GREEN, MAN, PIN, SOU, RUN, SAME, VALUE, TWIN = (1 << bit for bit in range(12))
GREEN_BAMBOOS = frozenset({19, 20, 21, 23, 25})
SEQUENCES_OF_A_SUIT = 7
RANKS = 9
BITS_OF_A_SUIT = BITS * RANKS
ONE_SUIT = (*((1 << BITS_OF_A_SUIT) - 1,) * 3, (1 << BITS * (KINDS - HONOURS)) - 1)
MOST_MEMOS = 50_000


def _mask(group: int) -> int:
    """Return the attributes of a group; 0 for an impossible number."""
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
    """Groups read together with their attributes.

    `pair` is the kind of the pair, -1 for none. `every` are the attributes of all groups and the pair, `some` those of
    any. `runs` are sequences as bits, seven per suit; `sames` triplets and kan as bits by kind; `twins` counts pairs of
    equal sequences, `triplets` triplets and kan.
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
    """Return the part of these groups and a pair, if any."""
    every, some = (-1, 0) if pair < 0 else (MASKS[PAIR + pair],) * 2
    runs = sames = twins = triplets = 0
    single = 0  # sequences without an equal so far
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
    """Join parts that share no suit, the last maybe called: finds no twins across parts."""
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
    """Yield every reading of packed concealed tiles as groups and one pair, then the called groups.

    The suit whose number of tiles is 2 modulo 3 holds the pair; with several such suits there is no reading.

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
    """Return every reading of one suit's packed tiles, with a pair if the number of tiles is 2 modulo 3."""
    first = RANKS * suit
    readings = (_NUMBERS if first < HONOURS else _HONOURS)[packed]
    return tuple(
        [make_part(tuple([first + g for g in groups]), -1 if at < 0 else first + at) for groups, at in readings]
    )


def _rank_readings(packed: int, *, runs: bool) -> list[tuple[tuple[int, ...], int]]:
    """Return the readings of a suit by rank: groups, and the rank of the pair or -1."""
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


_NUMBERS = Memo(functools.partial(_rank_readings, runs=True), most=MOST_MEMOS)
_HONOURS = Memo(functools.partial(_rank_readings, runs=False), most=MOST_MEMOS)
_SUIT_READINGS = tuple(Memo(functools.partial(suit_readings, suit), most=MOST_MEMOS) for suit in range(4))


def _splits(counts: list[int], rank: int, *, runs: bool) -> list[tuple[int, ...]]:
    """Return every split of the counts from `rank` on into sequences and triplets, lowest tile first."""
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
    return (lowest,) * (3 if group < KAN else 4 if group < PAIR else 2)


Form = Literal["groups", "chiitoitsu", "kokushi_musou"]
Wait = Literal["ryanmen", "kanchan", "penchan", "shanpon", "tanki", "thirteen"]
SEVEN_PAIRS = 7

# packed tiles: masks of all kinds, of two of each kind, of terminals and honours
ALL_KINDS = (1 << REDS) - 1
PAIRS = sum(2 << BITS * kind for kind in range(KINDS))
ORPHAN_ONES = sum(1 << BITS * kind for kind in (0, 8, 9, 17, 18, 26, *range(HONOURS, KINDS)))
ORPHANS = ORPHAN_ONES * ONE_KIND

# the traits of a shape: attributes of every group and, shifted, attributes of some group
SOME_SHIFT = 12
EVERY_BITS = (1 << SOME_SHIFT) - 1


class Called(NamedTuple):
    """The melds, ankan included: their groups as a part, whether each is open, and counts."""

    part: Part
    opened: tuple[bool, ...]
    closed: bool
    open_triplets: int
    kans: int


class Shape(NamedTuple):
    """One reading of a hand with one place for the winning tile.

    `part` has all groups, concealed ones first; `traits` their attributes. `opened` by group: called or completed by a
    ron. `place` is the index of the group that the winning tile completes, -1 for the pair. `concealed` counts triplets
    and kan that are not opened. `packed` are the concealed tiles, `win` is the kind of the winning tile.
    """

    form: Form
    part: Part
    traits: int
    packed: int
    opened: tuple[bool, ...]
    place: int
    wait: Wait
    closed: bool
    tsumo: bool
    concealed: int
    kans: int
    round_wind: int
    seat_wind: int
    win: int


def shapes(hand: WinningHand, called: Called) -> list[Shape]:
    """Return every shape: each reading with each place for the winning tile, chiitoitsu, kokushi musou."""
    found = []
    for part in readings(hand.concealed, called.part):
        places = _places(part, hand.win.kind, len(part.groups) - len(called.opened))
        found += [_shape(hand, part, called, place, wait) for wait, place in places.items()]
    if not hand.melds:
        found += _without_groups(hand)
    return found


def called_of(hand: WinningHand) -> Called:
    """Return the melds of a hand."""
    if not hand.melds:
        return _NOTHING_CALLED
    return _called(tuple([meld.group for meld in hand.melds]), tuple([meld.open for meld in hand.melds]))


@functools.lru_cache(maxsize=10_000)
def _called(groups: tuple[int, ...], opened: tuple[bool, ...]) -> Called:
    open_triplets = sum(group >= TRIPLET and known for group, known in zip(groups, opened, strict=True))
    return Called(make_part(groups), opened, not any(opened), open_triplets, sum(group >= KAN for group in groups))


_NOTHING_CALLED = _called((), ())


def _shape(hand: WinningHand, part: Part, called: Called, place: int, wait: Wait) -> Shape:
    # a triplet completed by a ron is open (E25 4.1.1; WRC 2025 11.5.2)
    ronned = wait == "shanpon" and not hand.tsumo
    own = [False] * (len(part.groups) - len(called.opened))
    if ronned:
        own[place] = True
    return Shape(
        "groups",
        part,
        part.every & EVERY_BITS | part.some << SOME_SHIFT,
        hand.concealed,
        (*own, *called.opened),
        place,
        wait,
        called.closed,
        hand.tsumo,
        part.triplets - called.open_triplets - ronned,
        called.kans,
        hand.round_wind,
        hand.seat_wind,
        hand.win.kind,
    )


def _places(part: Part, win: int, own: int) -> dict[Wait, int]:
    """Return each wait that the winning tile can complete with the index of its group, -1 for the pair."""
    waits = _WAITS[win]
    places = {waits[group]: index for index, group in enumerate(part.groups[:own]) if group in waits}
    if part.pair == win:
        places["tanki"] = -1
    return places


def _waits_on(tile: int) -> dict[int, Wait]:
    """Return the groups that a tile can complete, each with its wait.

    >>> _waits_on(8)
    {42: 'shanpon', 6: 'ryanmen'}
    """
    found: dict[int, Wait] = {TRIPLET + tile: "shanpon"}
    for step, lowest in enumerate((tile, tile - 1, tile - 2)):
        if SEQUENCE <= lowest < TRIPLET and MASKS[lowest]:
            found[SEQUENCE + lowest] = _wait(step, lowest % RANKS)
    return found


def _wait(step: int, rank: int) -> Wait:
    """Return the wait on tile `step` (0 to 2) of a sequence that begins at `rank`, from 0."""
    if step == 1:
        return "kanchan"
    return "penchan" if (step, rank) in ((0, RANKS - 3), (2, 0)) else "ryanmen"


_WAITS = tuple(_waits_on(tile) for tile in range(KINDS))


def _without_groups(hand: WinningHand) -> Iterator[Shape]:
    """Yield chiitoitsu, all pairs different (E25 4.2; WRC 2025 11.5.2), or kokushi musou."""
    tiles = hand.concealed & ALL_KINDS
    if not tiles & ~PAIRS and tiles.bit_count() == SEVEN_PAIRS:
        yield _special(hand, "chiitoitsu", "tanki")
    elif not tiles & ~ORPHANS and (tiles | tiles >> 1) & ORPHAN_ONES == ORPHAN_ONES:
        yield _special(hand, "kokushi_musou", "thirteen" if count_of(tiles, hand.win.kind) == 2 else "tanki")


def _special(hand: WinningHand, form: Form, wait: Wait) -> Shape:
    pairs = make_part(tuple([PAIR + kind for kind, count in enumerate(unpack(hand.concealed)) if count]))
    part = Part(every=pairs.every, some=pairs.some)
    traits = part.every & EVERY_BITS | part.some << SOME_SHIFT
    last = (hand.round_wind, hand.seat_wind, hand.win.kind)
    return Shape(form, part, traits, hand.concealed, (), -1, wait, True, hand.tsumo, 0, 0, *last)
