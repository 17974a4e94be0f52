"""A hand as it was won in one reading: its groups, the place of the winning tile, what was called, who sits where.

Yaku and fu are judged on shapes alone; this knows neither.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from scoring.tiles import BITS, GREEN, HONOURS, KINDS, ONE_KIND, REDS, count_of, unpack

if TYPE_CHECKING:  # the count of a hand is quick to import
    from scoring.hand import WinningHand


Key = TypeVar("Key")
Value = TypeVar("Value")


class Memo(dict[Key, Value]):
    """A dict whose missing values are worked out from their keys; full, it begins anew.

    >>> squares = Memo(lambda number: number * number, most=2)
    >>> squares[12], dict(squares)
    (144, {12: 144})
    """

    def __init__(self, work_out: Callable[[Key], Value], *, most: int) -> None:
        super().__init__()
        self._work_out = work_out
        self._most = most

    def __missing__(self, key: Key) -> Value:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._work_out(key)
        return value


# a group's number: its form times KINDS, plus its lowest tile
SEQUENCE, TRIPLET, QUAD, PAIR = (form * KINDS for form in range(4))

# what is true of every tile of a group, or of the group; VALUE: a triplet of honours; TWIN: two equal sequences
SIMPLE, OUTER, ENDS, HONOUR, ALL_GREEN, MAN, PIN, SOU, RUN, SAME, VALUE, TWIN = (1 << bit for bit in range(12))
GREEN_BAMBOOS = frozenset({19, 20, 21, 23, 25})
SEQUENCES_OF_A_SUIT = 7
RANKS = 9
BITS_OF_A_SUIT = BITS * RANKS
ONE_SUIT = (*((1 << BITS_OF_A_SUIT) - 1,) * 3, (1 << BITS * (KINDS - HONOURS)) - 1)
MOST_MEMOS = 50_000


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


_NUMBERS = Memo(functools.partial(_rank_readings, runs=True), most=MOST_MEMOS)
_HONOURS = Memo(functools.partial(_rank_readings, runs=False), most=MOST_MEMOS)
_SUIT_READINGS = tuple(Memo(functools.partial(suit_readings, suit), most=MOST_MEMOS) for suit in range(4))


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


Form = Literal["groups", "chiitoitsu", "kokushi_musou"]
Wait = Literal["ryanmen", "kanchan", "penchan", "shanpon", "tanki", "thirteen"]
SEVEN_PAIRS = 7

# packed tiles: a mask of all kinds, of just two of each kind, of the terminals and honours
ALL_KINDS = (1 << REDS) - 1
PAIRS = sum(2 << BITS * kind for kind in range(KINDS))
ORPHAN_ONES = sum(1 << BITS * kind for kind in (0, 8, 9, 17, 18, 26, *range(HONOURS, KINDS)))
ORPHANS = ORPHAN_ONES * ONE_KIND

# the traits of a shape are what is true of every group (as in scoring.groups) and, shifted, what is true of some
SOME_SHIFT = 12
EVERY_BITS = (1 << SOME_SHIFT) - 1


class Called(NamedTuple):
    """What was called, closed quads among it: the groups as a part, whether each is open, and numbers of a kind."""

    part: Part
    opened: tuple[bool, ...]
    closed: bool
    open_triplets: int
    quads: int


class Shape(NamedTuple):
    """One reading of a hand with the winning tile in one place of it.

    `part` holds all groups, concealed ones first; `traits` what is true of every and of some of them. `opened` says of
    each whether it was called or completed by a ron; `place` is the index of the group that the winning tile completes,
    -1 for the pair; `concealed` counts triplets and quads that are not opened. `packed` are the concealed tiles.
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
    quads: int
    round_wind: int
    seat_wind: int


def shapes(hand: WinningHand, called: Called) -> list[Shape]:
    """Return every shape: each reading with each place for the winning tile, seven pairs, thirteen orphans."""
    found = []
    for part in readings(hand.concealed, called.part):
        places = _places(part, hand.win.kind, len(part.groups) - len(called.opened))
        found += [_shape(hand, part, called, place, wait) for wait, place in places.items()]
    if not hand.melds:
        found += _without_groups(hand)
    return found


def called_of(hand: WinningHand) -> Called:
    """Return what was called in a hand."""
    if not hand.melds:
        return _NOTHING_CALLED
    return _called(tuple([meld.group for meld in hand.melds]), tuple([meld.open for meld in hand.melds]))


@functools.lru_cache(maxsize=10_000)
def _called(groups: tuple[int, ...], opened: tuple[bool, ...]) -> Called:
    open_triplets = sum(group >= TRIPLET and known for group, known in zip(groups, opened, strict=True))
    return Called(make_part(groups), opened, not any(opened), open_triplets, sum(group >= QUAD for group in groups))


_NOTHING_CALLED = _called((), ())


def _shape(hand: WinningHand, part: Part, called: Called, place: int, wait: Wait) -> Shape:
    # a ron-completed triplet is open (E25 4.1.1; WRC 2025 11.5.2)
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
        called.quads,
        hand.round_wind,
        hand.seat_wind,
    )


def _places(part: Part, win: int, own: int) -> dict[Wait, int]:
    """Return the waits that the winning tile can have completed, with the index of its group; -1 is the pair."""
    waits = _WAITS[win]
    places = {waits[group]: index for index, group in enumerate(part.groups[:own]) if group in waits}
    if part.pair == win:
        places["tanki"] = -1
    return places


def _waits_on(tile: int) -> dict[int, Wait]:
    """Return the groups that a tile can complete, with the name of the wait.

    >>> _waits_on(8)
    {42: 'shanpon', 6: 'ryanmen'}
    """
    found: dict[int, Wait] = {TRIPLET + tile: "shanpon"}
    for step, lowest in enumerate((tile, tile - 1, tile - 2)):
        if SEQUENCE <= lowest < TRIPLET and MASKS[lowest]:
            found[SEQUENCE + lowest] = _wait(step, lowest % RANKS)
    return found


def _wait(step: int, rank: int) -> Wait:
    """Name the wait on the first, second or third tile of a sequence that begins at a rank, counted from 0."""
    if step == 1:
        return "kanchan"
    return "penchan" if (step, rank) in ((0, RANKS - 3), (2, 0)) else "ryanmen"


_WAITS = tuple(_waits_on(tile) for tile in range(KINDS))


def _without_groups(hand: WinningHand) -> Iterator[Shape]:
    """Yield seven pairs, all different (E25 4.2; WRC 2025 11.5.2), and thirteen orphans."""
    tiles = hand.concealed & ALL_KINDS
    if not tiles & ~PAIRS and tiles.bit_count() == SEVEN_PAIRS:
        yield _special(hand, "chiitoitsu", "tanki")
    elif not tiles & ~ORPHANS and (tiles | tiles >> 1) & ORPHAN_ONES == ORPHAN_ONES:
        yield _special(hand, "kokushi_musou", "thirteen" if count_of(tiles, hand.win.kind) == 2 else "tanki")


def _special(hand: WinningHand, form: Form, wait: Wait) -> Shape:
    pairs = make_part(tuple([PAIR + kind for kind, count in enumerate(unpack(hand.concealed)) if count]))
    part = Part(every=pairs.every, some=pairs.some)
    traits = part.every & EVERY_BITS | part.some << SOME_SHIFT
    winds = (hand.round_wind, hand.seat_wind)
    return Shape(form, part, traits, hand.concealed, (), -1, wait, True, hand.tsumo, 0, 0, *winds)
