"""How likely a hand is in a real game, as a logarithm: of two repairs with the same scores the usual one is first."""

import functools
import math
from collections.abc import Iterator

from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo, Win
from scoring.value import MANGAN_HAN

KINDS: dict[str, int] = {"abort": 13, "draw": 136, "ron": 590, "tsumo": 388}

# by players and role: whether that player had riichi
RIICHI: dict[tuple[int, str], dict[bool, int]] = {
    (3, "abort_other"): {False: 21},
    (3, "loser"): {False: 155, True: 27},
    (3, "noten"): {False: 53},
    (3, "ron_other"): {False: 151, True: 28},
    (3, "ron_winner"): {False: 60, True: 125},
    (3, "tenpai"): {False: 40, True: 27},
    (3, "tsumo_other"): {False: 189, True: 35},
    (3, "tsumo_winner"): {False: 46, True: 66},
    (4, "abort_other"): {False: 24},
    (4, "loser"): {False: 347, True: 61},
    (4, "noten"): {False: 207},
    (4, "ron_other"): {False: 749, True: 62},
    (4, "ron_winner"): {False: 242, True: 171},
    (4, "tenpai"): {False: 95, True: 82},
    (4, "tsumo_other"): {False: 749, True: 79},
    (4, "tsumo_winner"): {False: 127, True: 149},
}

# by players: how many are tenpai
TENPAI: dict[int, dict[int, int]] = {3: {1: 13, 2: 27}, 4: {0: 1, 1: 35, 2: 40, 3: 18, 4: 2}}

# by players, tsumo and winner's riichi: han, then fu
VALUES: dict[tuple[int, bool, bool], dict[int, dict[int, int]]] = {
    (3, False, False): {
        1: {30: 16, 40: 4},
        2: {30: 29, 40: 8, 50: 2},
        3: {30: 27, 40: 5, 50: 2},
        4: {30: 22, 40: 4, 60: 1},
        5: {25: 1, 30: 6, 40: 5},
        6: {30: 4, 40: 4},
        7: {30: 2, 40: 2},
        9: {30: 1},
        11: {50: 2},
    },
    (3, False, True): {
        1: {40: 4, 50: 3},
        2: {30: 3, 40: 28, 50: 4},
        3: {25: 2, 30: 8, 40: 41, 50: 4},
        4: {25: 3, 30: 14, 40: 41, 50: 2, 70: 1},
        5: {25: 4, 30: 5, 40: 28, 50: 3, 70: 1},
        6: {25: 3, 30: 7, 40: 23, 50: 5},
        7: {25: 2, 30: 4, 40: 8},
        8: {25: 3, 30: 4, 40: 3},
        9: {60: 1},
    },
    (3, True, False): {
        1: {30: 2, 40: 3},
        2: {30: 10, 40: 13, 50: 2},
        3: {30: 11, 40: 9, 50: 1},
        4: {20: 1, 30: 5, 40: 5, 60: 1},
        5: {25: 1, 30: 2, 40: 4, 60: 1},
        6: {30: 4, 40: 1},
        7: {20: 1, 30: 1, 50: 1},
        8: {40: 2, 60: 2},
        9: {50: 1},
    },
    (3, True, True): {
        2: {30: 5},
        3: {30: 9, 40: 2},
        4: {20: 6, 25: 1, 30: 19, 40: 9},
        5: {20: 5, 25: 2, 30: 23, 40: 3},
        6: {20: 2, 25: 1, 30: 23, 40: 3},
        7: {20: 4, 25: 1, 30: 4, 40: 2, 70: 2},
        8: {20: 2, 25: 2, 30: 6},
        9: {25: 3, 30: 1},
        10: {20: 1, 60: 1},
        13: {30: 2},
    },
    (4, False, False): {
        1: {30: 118, 40: 20, 50: 1},
        2: {25: 2, 30: 176, 40: 38, 50: 6, 70: 2},
        3: {25: 2, 30: 110, 40: 36, 50: 5, 60: 1},
        4: {25: 3, 30: 62, 40: 28, 50: 8, 60: 3, 70: 1},
        5: {30: 34, 40: 10, 50: 3},
        6: {30: 10, 40: 7},
        7: {25: 1, 30: 1, 40: 2},
        8: {40: 4, 50: 1},
        10: {40: 1, 50: 1},
    },
    (4, False, True): {
        1: {40: 37, 50: 1},
        2: {30: 16, 40: 81, 50: 4, 70: 1},
        3: {25: 6, 30: 38, 40: 69, 50: 6},
        4: {25: 7, 30: 61, 40: 46, 50: 6, 70: 1},
        5: {25: 4, 30: 32, 40: 24, 50: 10},
        6: {25: 3, 30: 14, 40: 6, 50: 5},
        7: {25: 4, 30: 2, 40: 3, 50: 1},
        8: {30: 2, 40: 1},
        9: {40: 1},
        10: {30: 1, 40: 1},
    },
    (4, True, False): {
        1: {30: 68, 40: 6},
        2: {20: 5, 30: 49, 40: 18, 50: 2},
        3: {20: 1, 30: 63, 40: 6, 50: 3},
        4: {20: 5, 25: 1, 30: 33, 40: 9, 50: 4},
        5: {20: 2, 25: 4, 30: 6, 40: 9, 50: 5, 60: 1},
        6: {20: 4, 30: 6, 40: 6, 50: 2},
        7: {30: 2, 50: 1, 60: 1},
        8: {30: 1, 40: 1, 50: 1},
        9: {50: 2},
    },
    (4, True, True): {
        2: {30: 15, 40: 5, 60: 1},
        3: {20: 14, 30: 34, 40: 11, 60: 1},
        4: {20: 33, 25: 5, 30: 53, 40: 11, 50: 3, 60: 1},
        5: {20: 37, 25: 6, 30: 39, 40: 6},
        6: {20: 25, 25: 1, 30: 12, 40: 4},
        7: {20: 10, 25: 3, 30: 14, 40: 2},
        8: {20: 7, 25: 1, 30: 4, 40: 3, 50: 2},
        9: {20: 1},
        11: {40: 1},
        13: {20: 1},
    },
}

RARE = math.log(0.002)  # what no recorded game has
YAKUMAN = math.log(0.002)
UNSEEN = 0.15  # added to each count
SANE_HAN = 13


def of_hand(entry: Entry, players: int) -> float:
    """Return the logarithm of how likely a hand is."""
    made = sum(_riichi_of(players, role_of(entry, seat), seat in entry.riichi) for seat in range(players))
    return _kind(entry) + _who(entry, players) + made


def values(players: int, *, tsumo: bool, riichi: bool) -> dict[tuple[int, int], float]:
    """Return (han, fu) → logarithm of its frequency among the wins of this form."""
    return _values(players, tsumo, riichi)


@functools.cache
def _values(players: int, tsumo: bool, riichi: bool) -> dict[tuple[int, int], float]:
    """Mix the counts of this form with those of all forms, so that a rare value is not an impossible one."""
    counts: dict[tuple[int, int], float] = {}
    for (seats, by_tsumo, closed), by_han in VALUES.items():
        if by_tsumo != tsumo:
            continue
        same = (seats == players, closed == riichi)
        weight = 1.0 if all(same) else 0.1 if same[1] else 0.03
        for han, fu, count in ((han, fu, count) for han, by_fu in by_han.items() for fu, count in by_fu.items()):
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
    total = sum(TENPAI[players].values()) + players
    return math.log((TENPAI[players].get(count, 0) + 1) / total / math.comb(players, min(count, players)))


@functools.cache
def _riichi_of(players: int, role: str, riichi: bool) -> float:
    """Mix the counts of this number of players with those of the others."""
    counts = {
        each: sum(RIICHI.get((seats, role), {}).get(each, 0) * (1.0 if seats == players else 0.1) for seats in (3, 4))
        for each in (False, True)
    }
    share = (counts[True] + 0.5) / (sum(counts.values()) + 1)
    return math.log(share if riichi else 1 - share)


def role_of(entry: Entry, seat: int) -> str:
    """Return what a seat did in a hand, by which riichi are counted."""
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
