"""Every single repair of a game's entries: what somebody may have meant instead, and how usual such a slip is.

It proposes; `search` keeps those that fit. Hands that were forgotten are in `forgotten`.
"""

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import Any

from rules.ruleset import Ruleset
from scoring.entries import Abort, Chombo, Draw, Entry, Ron, Tsumo, Win
from scoring.payments import payment_at
from scoring.seat_exchange import exchange_seats
from scoring.slips import likely
from scoring.value import MANGAN_HAN, base_of

# How often each kind of slip is made, of one another; within a kind each place is as likely as any other. A riichi is
# forgotten more often than one is written that nobody made.
KINDS = {
    "digit": 1.0,
    "neighbour": 1.0,
    "value": 0.2,
    "discarder": 1.0,
    "winner": 1.0,
    "dealer": 0.6,
    "riichi_missed": 4.0,
    "riichi_doubled": 1.0,
    "riichi_seat": 0.3,
    "tsumo_as_ron": 1.0,
    "ron_as_tsumo": 1.0,
    "tenpai": 1.0,
    "exchanged": 1.0,
    "forgotten": 1.0,
    "twice": 1.0,
    "order": 0.1,
    "liability": 0.2,
}
PLAIN = Abort | Draw | Ron | Tsumo  # the hands that a slip is looked for in


@dataclass(frozen=True, slots=True)
class Edit:
    """`entries[at : at + cut]` were meant to be `new`; `weight` is the logarithm of how usual the slip is."""

    kind: str
    at: int
    cut: int
    new: tuple[Entry, ...]
    weight: float = field(compare=False, default=0.0)


def edits(entries: Sequence[Entry], rules: Ruleset) -> Iterator[Edit]:
    """Yield every single repair but forgotten hands."""
    counts = _Counts(entries, rules.players)
    for at, entry in enumerate(entries):
        for kind, other, share in _meant(entry, rules):
            yield Edit(kind, at, 1, (other,), counts.weight(kind, share))
        yield from _taken_out(entries, at, counts)
        if at and isinstance(entry, PLAIN) and entries[at - 1] != entry:
            yield Edit("order", at - 1, 2, (entry, entries[at - 1]), counts.weight("order", 1))
    pairs = list(combinations(range(rules.players), 2))
    for pair in pairs if entries else ():
        new = tuple(_with_seats(entry, *pair) for entry in entries)
        yield Edit("exchanged", 0, len(entries), new, math.log(0.5 / len(pairs)))


class _Counts:
    """How many places a game has for each kind of slip."""

    def __init__(self, entries: Sequence[Entry], players: int) -> None:
        by_ron, by_tsumo, draws = (sum(isinstance(each, kind) for each in entries) for kind in (Ron, Tsumo, Draw))
        riichi = sum(len(each.riichi) for each in entries)
        self.hands = len(entries)
        wins = by_ron + by_tsumo
        self.places = {
            **dict.fromkeys(("digit", "neighbour", "value", "winner", "liability"), wins),
            "discarder": by_ron,
            "riichi_missed": riichi + 1,
            "riichi_doubled": players * self.hands - riichi + 1,
            "riichi_seat": riichi,
            "tsumo_as_ron": by_tsumo + 1,
            "ron_as_tsumo": by_ron + 1,
            "tenpai": draws,
        }

    def weight(self, kind: str, share: float) -> float:
        """Return the logarithm of one slip of a kind that has this share among those of its place."""
        return math.log(KINDS[kind] * share / max(self.places.get(kind, self.hands), 1))


def _taken_out(entries: Sequence[Entry], at: int, counts: _Counts) -> Iterator[Edit]:
    """Yield a hand entered twice, once more or one that nobody played, and one that moved the dealer alone."""
    entry = entries[at]
    if not isinstance(entry, PLAIN | Chombo):
        return
    same = [other for other in range(len(entries)) if other != at and _same(entries[other], entry)]
    if same and at - 1 not in same and at + 1 in same:
        return  # the later of the two goes
    share = 1.0 if at - 1 in same else 0.05 if same else 0.01
    yield Edit("twice", at, 1, (), counts.weight("twice", share))
    if moves_nothing(entry, None):
        yield Edit("dealer", at, 1, (), counts.weight("dealer", 0.2))


def _same(one: Entry, other: Entry) -> bool:
    return type(one) is type(other) and replace(one, announced=None, note="") == replace(other, announced=None, note="")


def moves_nothing(entry: Entry, players: int | None) -> bool:
    """Return whether a hand pays nobody: it only moves the dealer or the honba."""
    if entry.riichi:
        return False
    return isinstance(entry, Abort) or (isinstance(entry, Draw) and len(entry.tenpai) in (0, players or 4))


Meant = tuple[str, Entry, float]


def _meant(entry: Entry, rules: Ruleset) -> Iterator[Meant]:
    """Yield what one hand may have been meant to be: the kind of slip, the hand, its share of such slips."""
    players = rules.players
    if not isinstance(entry, PLAIN):
        return
    yield from _riichi(entry, players)
    if isinstance(entry, Draw | Abort):
        yield from _draws(entry, rules)
        yield from _exchanged(entry, players)
        return
    for index, win in enumerate(entry.winners):
        for kind, other, share in _values(entry, win, rules):
            yield kind, _with_win(entry, index, other), share
        yield from _winners(entry, index, players)
    if isinstance(entry, Ron):
        yield from _rons(entry, players)
    else:
        for loser in _others(entry.winners[0].seat, players):
            yield "ron_as_tsumo", Ron(loser=loser, winners=_untold(entry), **_common(entry)), 1.0
    yield from _exchanged(entry, players)


def _riichi(entry: Entry, players: int) -> Iterator[Meant]:
    made = entry.riichi
    for seat in range(players):
        if seat not in made:
            yield "riichi_missed", replace(entry, riichi=tuple(sorted((*made, seat)))), 1.0
            continue
        at = made.index(seat)
        less = made[:at] + made[at + 1 :]
        yield "riichi_doubled", replace(entry, riichi=less), 20.0 if seat in less else 1.0
        for other in _others(seat, players):
            if other not in made:
                yield "riichi_seat", replace(entry, riichi=tuple(sorted((*less, other)))), 1 / (players - 1)


def _draws(entry: Draw | Abort, rules: Ruleset) -> Iterator[Meant]:
    common = _common(entry)
    if isinstance(entry, Abort):
        for tenpai in ((), tuple(range(rules.players))):
            yield "dealer", Draw(tenpai=tenpai, **common), 0.1
        return
    if moves_nothing(entry, rules.players) and rules.abortive_draws:
        yield "dealer", Abort(reason=rules.abortive_draws[0], **common), 0.1
    for tenpai in likely.all_lists(rules.players):
        off = len(set(tenpai) ^ set(entry.tenpai))
        if not off:
            continue
        if {len(tenpai), len(entry.tenpai)} == {0, rules.players}:
            yield "dealer", replace(entry, tenpai=tenpai), 0.5
        share = {1: 0.6 / rules.players, 2: 0.3 / math.comb(rules.players, 2)}.get(off, 0.02)
        yield "tenpai", replace(entry, tenpai=tenpai), share


def _rons(entry: Ron, players: int) -> Iterator[Meant]:
    seats = likely.winners_of(entry)
    for loser in _others(entry.loser, players):
        if loser not in seats:
            yield "discarder", replace(entry, loser=loser), 1 / max(players - 1 - len(seats), 1)
    if len(seats) == 1:
        yield "tsumo_as_ron", Tsumo(winners=_untold(entry), **_common(entry)), 1 / (players - 1)
        other = replace(entry, loser=seats[0], winners=(replace(entry.winners[0], seat=entry.loser, hand=None),))
        yield "exchanged", other, 0.3
        return
    for index in range(len(seats)):
        yield "winner", replace(entry, winners=entry.winners[:index] + entry.winners[index + 1 :]), 0.02


def _winners(entry: Ron | Tsumo, index: int, players: int) -> Iterator[Meant]:
    """Yield the hand with another winner; a riichi of the wrong winner may go along."""
    seat, taken = entry.winners[index].seat, {*likely.winners_of(entry), getattr(entry, "loser", -1)}
    for other in _others(seat, players):
        if other in taken:
            continue
        win = replace(entry.winners[index], seat=other, hand=None)
        meant = _with_win(entry, index, win)
        share = 1 / max(players - len(taken - {-1}), 1)
        yield "winner", meant, share
        if (seat in entry.riichi) != (other in entry.riichi):
            riichi = tuple(sorted({seat: other, other: seat}.get(each, each) for each in entry.riichi))
            yield "winner", replace(meant, riichi=riichi), 0.3 * share


def _with_seats(entry: Entry, one: int, other: int) -> Entry:
    """Return a hand with two seats exchanged; what the table announced stays, tiles no longer hold."""
    meant = exchange_seats(entry, one, other)
    changed: dict[str, Any] = {"announced": entry.announced, "riichi": tuple(sorted(meant.riichi))}
    if isinstance(meant, Ron | Tsumo):
        changed["winners"] = tuple(replace(win, hand=None) for win in meant.winners)
    if isinstance(meant, Draw):
        changed["tenpai"] = tuple(sorted(meant.tenpai))
    return replace(meant, **changed)


def _exchanged(entry: Entry, players: int) -> Iterator[Meant]:
    for one, other in combinations(range(players), 2):
        meant = _with_seats(entry, one, other)
        if meant != entry:
            named = {one, other} == {getattr(entry, "loser", -1), *likely.winners_of(entry)}
            yield "exchanged", meant, 0.3 if named else 0.04


def _values(entry: Ron | Tsumo, win: Win, rules: Ruleset) -> Iterator[tuple[str, Win, float]]:
    """Yield the win with each other value: a digit lost or doubled, the next row or column, any other."""
    tsumo, players = isinstance(entry, Tsumo), rules.players
    table = likely.values(players, tsumo=tsumo, riichi=win.seat in entry.riichi)
    if win.pao is not None:
        yield "liability", replace(win, pao=None), 0.5
    plain = replace(win, yaku=None, hand=None)
    known = 0.05 if win.hand is not None else 1.0
    for han, fu in _near(win, table):
        meant = replace(plain, han=han, fu=fu, yakuman=0)
        kind, share = _slip_of(meant, win, rules, tsumo=tsumo)
        yield kind, meant, share * known
    if not win.yakuman:
        yield "value", replace(plain, han=0, fu=0, yakuman=1), 0.01 * known
    elif rules.pao:
        liable = [seat for seat in _others(win.seat, players) if seat not in (win.pao, getattr(entry, "loser", -1))]
        yield from (("liability", replace(win, pao=seat), 0.2) for seat in liable)


def _near(win: Win, table: dict[tuple[int, int], float]) -> Iterator[tuple[int, int]]:
    """Yield the values that a win may have: those of real games, and the next ones; above mangan with the fu typed."""
    found = {(han, fu) for han, fu in table if han < MANGAN_HAN}
    found |= {(han, fu) for han in range(MANGAN_HAN, likely.SANE_HAN + 1) for fu in {win.fu or 30}}
    if not win.yakuman:
        found |= {(win.han + 1, win.fu or 30), (win.han, win.fu + 10)}
        if win.han > 1:
            found.add((win.han - 1, win.fu or 30))
        if win.fu > 30:
            found.add((win.han, win.fu - 10))
    yield from sorted(found - {(win.han, win.fu)})


def _slip_of(meant: Win, typed: Win, rules: Ruleset, *, tsumo: bool) -> tuple[str, float]:
    if not typed.yakuman and is_digit_slip((meant.han, meant.fu), (typed.han, typed.fu)):
        return "digit", 0.5
    if not typed.yakuman and is_neighbour((meant.han, meant.fu), (typed.han, typed.fu)):
        return "neighbour", 0.28
    if is_points_slip(_points(meant, rules, tsumo=tsumo), _points(typed, rules, tsumo=tsumo)):
        return "digit", 0.2
    return "value", 0.02


@functools.lru_cache(maxsize=8192)
def is_digit_slip(meant: tuple[int, int], typed: tuple[int, int]) -> bool:
    """Return whether a digit of han and fu was lost or doubled.

    >>> is_digit_slip((3, 40), (34, 0)), is_digit_slip((1, 30), (11, 30)), is_digit_slip((3, 40), (3, 30))
    (True, True, False)
    """
    (han, fu), (typed_han, typed_fu) = meant, typed
    if han == typed_han or fu == typed_fu:
        pair = (han, typed_han) if fu == typed_fu else (fu, typed_fu)
        if _slips_to(*map(str, pair)):
            return True
    return _slips_to(f"{han}{fu or ''}", f"{typed_han}{typed_fu or ''}")


def is_neighbour(meant: tuple[int, int], typed: tuple[int, int]) -> bool:
    """Return whether one value is in the next row or column of the other: one han, or one step of fu."""
    (han, fu), (typed_han, typed_fu) = meant, typed
    if abs(han - typed_han) == 1:
        return fu == typed_fu or not typed_fu or typed_han >= MANGAN_HAN
    return han == typed_han and (abs(fu - typed_fu) == 10 or sorted((fu, typed_fu)) in ([20, 25], [25, 30]))


def is_points_slip(meant: str, typed: str) -> bool:
    """Return whether a digit of a payment was lost or doubled.

    >>> is_points_slip("12000", "1200"), is_points_slip("3900", "2000")
    (True, False)
    """
    return _slips_to(meant, typed)


def _slips_to(meant: str, typed: str) -> bool:
    """Return whether a text becomes another by one digit lost or doubled."""
    if len(meant) == len(typed) + 1:
        return any(meant[:at] + meant[at + 1 :] == typed for at in range(len(meant)))
    return len(typed) == len(meant) + 1 and any(
        meant[:at] + meant[at] + meant[at:] == typed for at in range(len(meant))
    )


def _points(win: Win, rules: Ruleset, *, tsumo: bool) -> str:
    base = rules.yakuman_base * win.yakuman or base_of(win.han, win.fu, rules)
    return str(payment_at(base, rules, tsumo=tsumo, deals=False).value)


def _with_win(entry: Ron | Tsumo, index: int, win: Win) -> Ron | Tsumo:
    return replace(entry, winners=(*entry.winners[:index], win, *entry.winners[index + 1 :]))


def _untold(entry: Ron | Tsumo) -> tuple[Win, ...]:
    """Return the winners without tiles and yaku, which were counted for the other way to win."""
    return tuple(replace(win, hand=None, yaku=None) for win in entry.winners)


def _common(entry: Entry) -> dict[str, Any]:
    return {field.name: getattr(entry, field.name) for field in fields(Entry)}


def _others(seat: int, players: int) -> list[int]:
    return [other for other in range(players) if other != seat]
