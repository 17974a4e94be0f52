"""Explain a count as data: the reading taken, the readings set aside, the payment, who is liable."""

import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

from rules.ruleset import Ruleset
from scoring.count import Count, count_order, counts
from scoring.fu import FuItem
from scoring.hand import WinningHand
from scoring.payments import Liability, Payment, liabilities, payment_of
from scoring.readings import tiles_of
from scoring.tiles import KINDS, OPEN, PAIR, Tile, write_tiles


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


@dataclass(frozen=True, slots=True)
class SetAside:
    """A reading that was not taken, with its count and payment."""

    reading: Reading
    count: Count
    payment: Payment


@dataclass(frozen=True, slots=True)
class Explanation:
    """A count with its reasons: `raw_fu` before rounding, `aside` best first, `liable` as the melds show."""

    count: Count
    reading: Reading
    raw_fu: int
    payment: Payment
    aside: tuple[SetAside, ...]
    liable: tuple[Liability, ...]


def explain(hand: WinningHand, rules: Ruleset) -> Explanation:
    """Count a hand with the reasons. Raises InvalidInput as `count`."""
    taken, *others = sorted(counts(hand, rules), key=count_order, reverse=True)
    names = {name for name, _ in taken.yaku} if hand.melds else set()
    return Explanation(
        count=taken,
        reading=reading_of(taken, hand),
        raw_fu=sum([item.fu for item in taken.fu_items]),
        payment=payment_of(taken.base, hand, rules),
        aside=tuple([SetAside(reading_of(each, hand), each, payment_of(each.base, hand, rules)) for each in others]),
        liable=tuple(liabilities(hand, names, rules)) if hand.melds else (),
    )


def reading_of(counted: Count, hand: WinningHand) -> Reading:
    """Return the reading of a count: concealed groups, the pair, then the melds with their red fives."""
    shape = counted.shape
    if shape.form != "groups":
        return Reading(shape.form, (), shape.wait)
    own = [group % OPEN for group in shape.groups[: len(shape.groups) - len(hand.melds)]] + [PAIR + shape.pair]
    groups = [_own_group(group, completed=False) for group in own]
    place = len(own) - 1 - own[::-1].index(shape.completed)
    groups[place] = _own_group(shape.completed, completed=True)
    melds = [_meld(meld.group, meld.tiles, meld.open) for meld in hand.melds]
    return Reading(shape.form, (*groups, *melds), shape.wait)


@functools.cache
def _own_group(group: int, *, completed: bool) -> GroupRead:
    return GroupRead(_kind(group), kinds_text(tiles_of(group)), called=False, completed=completed)


@functools.lru_cache(maxsize=10_000)
def _meld(group: int, tiles: tuple[Tile, ...], called: bool) -> GroupRead:
    return GroupRead(_kind(group), write_tiles(tiles), called, completed=False)


def _kind(group: int) -> str:
    return ("sequence", "triplet", "quad", "pair")[group % OPEN // KINDS]


def kinds_text(kinds: tuple[int, ...]) -> str:
    """Write tile kinds in notation.

    >>> kinds_text((0, 1, 2))
    '123m'
    """
    return write_tiles(Tile(kind) for kind in kinds)


def score_json(explained: Explanation, hand: WinningHand, rules: Ruleset) -> dict[str, Any]:
    """Return the contract's answer to a hand with the reasons; only `total` includes honba."""
    counted = explained.count
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
        "groups": [each._asdict() for each in reading.groups],
        "fu_tiles": [kinds_text(item.tiles) for item in items],
    }


def _aside_json(aside: SetAside) -> dict[str, Any]:
    return {
        "han": aside.count.han,
        "fu": aside.count.fu,
        "yakuman": aside.count.yakuman,
        "yaku": [list(line) for line in aside.count.yaku],
        "value": aside.payment.value,
        "reading": reading_json(aside.reading, aside.count.fu_items),
    }
