"""Explain a count as data: the reading taken, the readings set aside, the payment, who is liable."""

import functools
from typing import Any, NamedTuple

from rules.ruleset import Ruleset
from scoring.count import Count, counts
from scoring.fu import FuItem
from scoring.hand import WinningHand
from scoring.payments import Liability, Payment, liabilities, payment_of
from scoring.readings import Memo, tiles_of
from scoring.tiles import KINDS, OPEN, PAIR, Tile, write_tiles

MAX_MEMOS = 10_000


class GroupRead(NamedTuple):
    """A group or the pair of a reading; `completed`: by the winning tile."""

    kind: str
    tiles: str
    called: bool
    completed: bool


class Reading(NamedTuple):
    """One way to read the tiles: `form` is groups, chiitoitsu or kokushi_musou; `wait` names the wait."""

    form: str
    groups: tuple[GroupRead, ...]
    wait: str


class SetAside(NamedTuple):
    """A reading that was not taken, with its count and payment."""

    counted: Count
    reading: Reading
    payment: Payment


class Explanation(NamedTuple):
    """A count with its reasons: the readings set `aside`, best first, and who is `liable` as the melds show."""

    counted: Count
    reading: Reading
    payment: Payment
    aside: tuple[SetAside, ...]
    liable: tuple[Liability, ...]


def explain(hand: WinningHand, rules: Ruleset) -> Explanation:
    """Count a hand with the reasons. Raises InvalidInput as `count`."""
    taken, *others = counts(hand, rules)
    names = {name for name, _ in taken.yaku} if hand.melds and (taken.yakuman or hand.rinshan) else ()
    return Explanation(
        taken,
        reading_of(taken, hand),
        payment_of(taken.base, hand, rules),
        aside=tuple([SetAside(each, reading_of(each, hand), payment_of(each.base, hand, rules)) for each in others]),
        liable=tuple(liabilities(hand, names, rules)) if names else (),
    )


def reading_of(counted: Count, hand: WinningHand) -> Reading:
    """Return the reading of a count: concealed groups, the pair, then the melds with their red fives."""
    shape = counted.shape
    if shape.form != "groups":
        return Reading(shape.form, (), shape.wait)
    melds = len(shape.groups) - len(hand.melds)
    own = (*shape.groups[:melds], PAIR + shape.pair)
    groups = [_OWN[group] for group in own]
    last = len(own) - 1 - own[::-1].index(shape.completed)  # of two equal groups the last
    groups[last] = _COMPLETED[shape.completed]
    groups += [_MELDS[group, meld.tiles] for group, meld in zip(shape.groups[melds:], hand.melds, strict=True)]
    return Reading(shape.form, tuple(groups), shape.wait)


def _own_group(group: int, *, completed: bool) -> GroupRead:
    return GroupRead(_kind(group), kinds_text(tiles_of(group)), called=False, completed=completed)


def _meld(meld: tuple[int, tuple[Tile, ...]]) -> GroupRead:
    group, tiles = meld
    return GroupRead(_kind(group), write_tiles(tiles), called=group >= OPEN, completed=False)


def _kind(group: int) -> str:
    return ("sequence", "triplet", "quad", "pair")[group % OPEN // KINDS]


_OWN = Memo(functools.partial(_own_group, completed=False), most=MAX_MEMOS)
_COMPLETED = Memo(functools.partial(_own_group, completed=True), most=MAX_MEMOS)
_MELDS = Memo(_meld, most=MAX_MEMOS)
_AS_JSON: Memo[GroupRead, dict[str, Any]] = Memo(GroupRead._asdict, most=MAX_MEMOS)  # answers share them


@functools.lru_cache(maxsize=MAX_MEMOS)
def kinds_text(kinds: tuple[int, ...]) -> str:
    """Write tile kinds in notation.

    >>> kinds_text((0, 1, 2))
    '123m'
    """
    return write_tiles(Tile(kind) for kind in kinds)


def score_json(explained: Explanation, hand: WinningHand, rules: Ruleset) -> dict[str, Any]:
    """Return the contract's answer to a hand with the reasons; only `total` includes honba."""
    counted = explained.counted
    return {
        "han": counted.han,
        "fu": counted.fu,
        "yakuman": counted.yakuman,
        "limit": counted.limit,
        "yaku": [list(line) for line in counted.yaku],
        "dora": counted.dora._asdict(),
        "fu_items": [[item.why, item.fu] for item in counted.fu_items],
        "base": counted.base,
        "payment": explained.payment.as_json(),
        "value": explained.payment.value,
        "total": explained.payment.total(hand.honba, rules),
        "reading": reading_json(explained.reading, counted.fu_items),
        "set_aside": [_aside_json(each) for each in explained.aside],
        "pao": [{"yakuman": each.yakuman, "from": each.source} for each in explained.liable],
    }


def reading_json(reading: Reading, items: list[FuItem]) -> dict[str, Any]:
    """Return the JSON of a reading: form, wait, groups, and the tiles of each fu item."""
    return {
        "form": reading.form,
        "wait": reading.wait,
        "groups": [_AS_JSON[each] for each in reading.groups],
        "fu_tiles": [kinds_text(item.tiles) for item in items],
    }


def _aside_json(aside: SetAside) -> dict[str, Any]:
    return {
        "han": aside.counted.han,
        "fu": aside.counted.fu,
        "yakuman": aside.counted.yakuman,
        "yaku": [list(line) for line in aside.counted.yaku],
        "value": aside.payment.value,
        "reading": reading_json(aside.reading, aside.counted.fu_items),
    }
