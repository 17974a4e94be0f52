"""How likely a hand is in a real game, as a logarithm: of two repairs with the same scores the usual one is first."""

import functools
import math
from collections.abc import Iterator

from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo, Win
from scoring.slips.rates import KINDS, RIICHI, TENPAI, VALUES
from scoring.value import MANGAN_HAN

RARE = math.log(0.002)  # what no recorded game has
YAKUMAN = math.log(0.002)
UNSEEN = 0.15  # added to each count
SANE_HAN = 13


def of_hand(entry: Entry, players: int) -> float:
    """Return the logarithm of how likely a hand is."""
    made = sum(_riichi_of(players, _role(entry, seat), seat in entry.riichi) for seat in range(players))
    return _kind(entry) + _who(entry, players) + made


def values(players: int, *, tsumo: bool, riichi: bool) -> dict[tuple[int, int], float]:
    """Return (han, fu) → logarithm of its frequency among the wins of this form."""
    return _values(players, tsumo, riichi)


@functools.cache
def _values(players: int, tsumo: bool, riichi: bool) -> dict[tuple[int, int], float]:
    """Mix the counts of this form with those of all forms, so that a rare value is not an impossible one."""
    counts: dict[tuple[int, int], float] = {}
    for (seats, by_tsumo, closed, han, fu), count in VALUES.items():
        if by_tsumo != tsumo:
            continue
        same = (seats == players, closed == riichi)
        weight = 1.0 if all(same) else 0.1 if same[1] else 0.03
        counts[han, fu] = counts.get((han, fu), UNSEEN) + weight * count
    for han in range(1, SANE_HAN + 1):
        for fu in (30, 40, 50) if han < MANGAN_HAN else (30,):
            counts.setdefault((han, fu), UNSEEN)
    if riichi and tsumo:  # riichi and menzen tsumo
        counts = {(han, fu): count for (han, fu), count in counts.items() if han > 1}
    total = sum(counts.values())
    return {value: math.log(count / total) for value, count in counts.items()}


def of_value(win: Win, players: int, *, tsumo: bool, riichi: bool) -> float:
    """Return how likely a win's value is; above mangan fu says little and may be missing."""
    if win.yakuman:
        return YAKUMAN * win.yakuman
    table = _values(players, tsumo, riichi)
    if win.han >= MANGAN_HAN:
        return table.get((win.han, win.fu or 30), table.get((win.han, 30), RARE) - 1)
    return table.get((win.han, win.fu), RARE)


def _kind(entry: Entry) -> float:
    if isinstance(entry, Chombo | Correction | Totals | Nagashi):
        return RARE
    return math.log(KINDS[entry.kind] / sum(KINDS.values()))


def _who(entry: Entry, players: int) -> float:
    if isinstance(entry, Ron | Tsumo):
        tsumo = isinstance(entry, Tsumo)
        found = sum(of_value(win, players, tsumo=tsumo, riichi=win.seat in entry.riichi) for win in entry.winners)
        found -= len(entry.winners) * math.log(players)
        return found if tsumo else found - math.log(players - 1) + (len(entry.winners) - 1) * math.log(0.03)
    if isinstance(entry, Draw):
        return _tenpai(len(entry.tenpai), players)
    return -math.log(6) if isinstance(entry, Abort) else 0.0


@functools.cache
def _tenpai(count: int, players: int) -> float:
    total = sum(each for (seats, _), each in TENPAI.items() if seats == players) + players
    return math.log((TENPAI.get((players, count), 0) + 1) / total / math.comb(players, min(count, players)))


@functools.cache
def _riichi_of(players: int, role: str, riichi: bool) -> float:
    """Mix the counts of this number of players with those of the others."""
    counts = {
        each: sum(RIICHI.get((seats, role, each), 0) * (1.0 if seats == players else 0.1) for seats in (3, 4))
        for each in (False, True)
    }
    share = (counts[True] + 0.5) / (sum(counts.values()) + 1)
    return math.log(share if riichi else 1 - share)


def _role(entry: Entry, seat: int) -> str:
    if seat in winners_of(entry):
        return f"{entry.kind}_winner"
    if isinstance(entry, Ron) and seat == entry.loser:
        return "loser"
    if isinstance(entry, Draw | Nagashi):
        return "tenpai" if seat in entry.tenpai else "noten"
    return f"{entry.kind}_other"


def winners_of(entry: Entry) -> tuple[int, ...]:
    """Return the seats that win a hand."""
    wins: tuple[Win | int, ...] = getattr(entry, "winners", ())
    return tuple(win if isinstance(win, int) else win.seat for win in wins)


def all_lists(players: int) -> Iterator[tuple[int, ...]]:
    """Yield every list of seats, the empty one first."""
    for mask in range(1 << players):
        yield tuple(seat for seat in range(players) if mask >> seat & 1)
