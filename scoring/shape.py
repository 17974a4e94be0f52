"""A hand as it was won in one reading: its groups, the place that the winning tile takes, what was called, who sits where.

Yaku and fu are judged on shapes alone; this knows neither.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from scoring.groups import PAIR, QUAD, RANKS, TRIPLET, Part, called_part, join, make_part, readings
from scoring.hand import WinningHand, counts_of
from scoring.tiles import HONOURS, KINDS

Form = Literal["groups", "chiitoitsu", "kokushi_musou"]
Wait = Literal["ryanmen", "kanchan", "penchan", "shanpon", "tanki", "thirteen"]
ORPHANS = (0, 8, 9, 17, 18, 26, *range(HONOURS, KINDS))
SEVEN_PAIRS = 7


class Shape(NamedTuple):
    """One reading of a hand with the winning tile in one place of it.

    The first eight are those of a Part: concealed groups first, melds after them. `opened` says of each group whether it
    was called or completed by a ron; `place` is the index of the group that the winning tile completes, -1 for the pair;
    `concealed` counts triplets and quads that are not opened, `quads` quads. `counts` are the concealed tiles by kind.
    """

    groups: tuple[int, ...]
    pair: int
    every: int
    some: int
    runs: int
    sames: int
    twins: int
    triplets: int
    form: Form
    counts: Sequence[int]
    opened: tuple[bool, ...]
    place: int
    wait: Wait
    closed: bool
    tsumo: bool
    concealed: int
    quads: int
    round_wind: int
    seat_wind: int


def shapes(hand: WinningHand) -> list[Shape]:
    """Return every shape of a hand: each reading with each place for the winning tile, seven pairs, thirteen orphans."""
    counts = counts_of(hand.tiles)
    found = [
        _shape(hand, counts, part, place, wait)
        for part in readings(counts)
        for wait, place in _places(part, hand.win.kind)
    ]
    if not hand.melds:
        found += _without_groups(hand, counts)
    return found


def _shape(hand: WinningHand, counts: Sequence[int], part: Part, place: int, wait: Wait) -> Shape:
    melds = called_part(tuple(meld.group for meld in hand.melds)) if hand.melds else _NO_MELDS
    opened = [*(False for _ in part.groups), *(meld.open for meld in hand.melds)]
    closed = True not in opened
    if wait == "shanpon" and not hand.tsumo:
        opened[place] = True  # a ron-completed triplet is open (E25 4.1.1; WRC 2025 11.5.2)
    whole = join(part, melds)
    concealed = sum(group >= TRIPLET and not known for group, known in zip(whole.groups, opened, strict=True))
    quads = sum(group >= QUAD for group in melds.groups)
    winds = (hand.round_wind, hand.seat_wind)
    return Shape(*whole, "groups", counts, tuple(opened), place, wait, closed, hand.tsumo, concealed, quads, *winds)


_NO_MELDS = make_part(())


def _places(part: Part, win: int) -> Iterator[tuple[Wait, int]]:
    """Yield each kind of wait that the winning tile can have completed, with the index of its group; -1 is the pair."""
    seen = set()
    if part.pair == win:
        yield "tanki", -1
    for index, group in enumerate(part.groups):
        wait = _wait(group, win)
        if wait and wait not in seen:
            seen.add(wait)
            yield wait, index


def _wait(group: int, win: int) -> Wait | None:
    """Name the wait on which a tile completes a group; None where the tile is not in it.

    >>> [_wait(0, tile) for tile in (0, 1, 2, 3)], _wait(6, 6)
    (['ryanmen', 'kanchan', 'penchan', None], 'penchan')
    """
    if group >= TRIPLET:
        return "shanpon" if group - TRIPLET == win else None
    step = win - group
    if step == 1:
        return "kanchan"
    if step not in (0, 2):
        return None
    return "penchan" if group % RANKS == (6 if step == 0 else 0) else "ryanmen"


def _without_groups(hand: WinningHand, counts: Sequence[int]) -> Iterator[Shape]:
    """Yield seven pairs, all different (E25 4.2; WRC 2025 11.5.2), and thirteen orphans."""
    if counts.count(2) == SEVEN_PAIRS:
        yield _special(hand, counts, "chiitoitsu", "tanki")
    elif all(counts[kind] for kind in ORPHANS):
        yield _special(hand, counts, "kokushi_musou", "thirteen" if counts[hand.win.kind] == 2 else "tanki")


def _special(hand: WinningHand, counts: Sequence[int], form: Form, wait: Wait) -> Shape:
    every, some = make_part([PAIR + kind for kind, count in enumerate(counts) if count])[2:4]
    facts = (form, counts, (), -1, wait, True, hand.tsumo, 0, 0, hand.round_wind, hand.seat_wind)
    return Shape((), -1, every, some, 0, 0, 0, 0, *facts)
