"""A hand as it was won in one reading: its groups, the place of the winning tile, what was called, who sits where.

Yaku and fu are judged on shapes alone; this knows neither.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from scoring.groups import MASKS, PAIR, QUAD, RANKS, SEQUENCE, TRIPLET, Part, make_part, readings
from scoring.tiles import BITS, HONOURS, KINDS, ONE_KIND, REDS, count_of, unpack

if TYPE_CHECKING:  # names for the reader: the count of a hand is quick to import
    from scoring.hand import WinningHand

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
