"""How likely a hand is in a real game, as a logarithm: of two repairs with the same scores the usual one is first."""

import functools
import math
from collections.abc import Iterator

from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo, Win
from scoring.value import MANGAN_HAN

KINDS: dict[str, int] = {
    "abort": 13,
    "draw": 136,
    "ron": 590,
    "tsumo": 388,
}

# players, role, whether that player had riichi
RIICHI: dict[tuple[int, str, bool], int] = {
    (3, "abort_other", False): 21,
    (3, "loser", False): 155,
    (3, "loser", True): 27,
    (3, "noten", False): 53,
    (3, "ron_other", False): 151,
    (3, "ron_other", True): 28,
    (3, "ron_winner", False): 60,
    (3, "ron_winner", True): 125,
    (3, "tenpai", False): 40,
    (3, "tenpai", True): 27,
    (3, "tsumo_other", False): 189,
    (3, "tsumo_other", True): 35,
    (3, "tsumo_winner", False): 46,
    (3, "tsumo_winner", True): 66,
    (4, "abort_other", False): 24,
    (4, "loser", False): 347,
    (4, "loser", True): 61,
    (4, "noten", False): 207,
    (4, "ron_other", False): 749,
    (4, "ron_other", True): 62,
    (4, "ron_winner", False): 242,
    (4, "ron_winner", True): 171,
    (4, "tenpai", False): 95,
    (4, "tenpai", True): 82,
    (4, "tsumo_other", False): 749,
    (4, "tsumo_other", True): 79,
    (4, "tsumo_winner", False): 127,
    (4, "tsumo_winner", True): 149,
}

# players, how many are tenpai
TENPAI: dict[tuple[int, int], int] = {
    (3, 1): 13,
    (3, 2): 27,
    (4, 0): 1,
    (4, 1): 35,
    (4, 2): 40,
    (4, 3): 18,
    (4, 4): 2,
}

# players, tsumo, winner's riichi, han, fu
VALUES: dict[tuple[int, bool, bool, int, int], int] = {
    (3, False, False, 1, 30): 16,
    (3, False, False, 1, 40): 4,
    (3, False, False, 2, 30): 29,
    (3, False, False, 2, 40): 8,
    (3, False, False, 2, 50): 2,
    (3, False, False, 3, 30): 27,
    (3, False, False, 3, 40): 5,
    (3, False, False, 3, 50): 2,
    (3, False, False, 4, 30): 22,
    (3, False, False, 4, 40): 4,
    (3, False, False, 4, 60): 1,
    (3, False, False, 5, 25): 1,
    (3, False, False, 5, 30): 6,
    (3, False, False, 5, 40): 5,
    (3, False, False, 6, 30): 4,
    (3, False, False, 6, 40): 4,
    (3, False, False, 7, 30): 2,
    (3, False, False, 7, 40): 2,
    (3, False, False, 9, 30): 1,
    (3, False, False, 11, 50): 2,
    (3, False, True, 1, 40): 4,
    (3, False, True, 1, 50): 3,
    (3, False, True, 2, 30): 3,
    (3, False, True, 2, 40): 28,
    (3, False, True, 2, 50): 4,
    (3, False, True, 3, 25): 2,
    (3, False, True, 3, 30): 8,
    (3, False, True, 3, 40): 41,
    (3, False, True, 3, 50): 4,
    (3, False, True, 4, 25): 3,
    (3, False, True, 4, 30): 14,
    (3, False, True, 4, 40): 41,
    (3, False, True, 4, 50): 2,
    (3, False, True, 4, 70): 1,
    (3, False, True, 5, 25): 4,
    (3, False, True, 5, 30): 5,
    (3, False, True, 5, 40): 28,
    (3, False, True, 5, 50): 3,
    (3, False, True, 5, 70): 1,
    (3, False, True, 6, 25): 3,
    (3, False, True, 6, 30): 7,
    (3, False, True, 6, 40): 23,
    (3, False, True, 6, 50): 5,
    (3, False, True, 7, 25): 2,
    (3, False, True, 7, 30): 4,
    (3, False, True, 7, 40): 8,
    (3, False, True, 8, 25): 3,
    (3, False, True, 8, 30): 4,
    (3, False, True, 8, 40): 3,
    (3, False, True, 9, 60): 1,
    (3, True, False, 1, 30): 2,
    (3, True, False, 1, 40): 3,
    (3, True, False, 2, 30): 10,
    (3, True, False, 2, 40): 13,
    (3, True, False, 2, 50): 2,
    (3, True, False, 3, 30): 11,
    (3, True, False, 3, 40): 9,
    (3, True, False, 3, 50): 1,
    (3, True, False, 4, 20): 1,
    (3, True, False, 4, 30): 5,
    (3, True, False, 4, 40): 5,
    (3, True, False, 4, 60): 1,
    (3, True, False, 5, 25): 1,
    (3, True, False, 5, 30): 2,
    (3, True, False, 5, 40): 4,
    (3, True, False, 5, 60): 1,
    (3, True, False, 6, 30): 4,
    (3, True, False, 6, 40): 1,
    (3, True, False, 7, 20): 1,
    (3, True, False, 7, 30): 1,
    (3, True, False, 7, 50): 1,
    (3, True, False, 8, 40): 2,
    (3, True, False, 8, 60): 2,
    (3, True, False, 9, 50): 1,
    (3, True, True, 2, 30): 5,
    (3, True, True, 3, 30): 9,
    (3, True, True, 3, 40): 2,
    (3, True, True, 4, 20): 6,
    (3, True, True, 4, 25): 1,
    (3, True, True, 4, 30): 19,
    (3, True, True, 4, 40): 9,
    (3, True, True, 5, 20): 5,
    (3, True, True, 5, 25): 2,
    (3, True, True, 5, 30): 23,
    (3, True, True, 5, 40): 3,
    (3, True, True, 6, 20): 2,
    (3, True, True, 6, 25): 1,
    (3, True, True, 6, 30): 23,
    (3, True, True, 6, 40): 3,
    (3, True, True, 7, 20): 4,
    (3, True, True, 7, 25): 1,
    (3, True, True, 7, 30): 4,
    (3, True, True, 7, 40): 2,
    (3, True, True, 7, 70): 2,
    (3, True, True, 8, 20): 2,
    (3, True, True, 8, 25): 2,
    (3, True, True, 8, 30): 6,
    (3, True, True, 9, 25): 3,
    (3, True, True, 9, 30): 1,
    (3, True, True, 10, 20): 1,
    (3, True, True, 10, 60): 1,
    (3, True, True, 13, 30): 2,
    (4, False, False, 1, 30): 118,
    (4, False, False, 1, 40): 20,
    (4, False, False, 1, 50): 1,
    (4, False, False, 2, 25): 2,
    (4, False, False, 2, 30): 176,
    (4, False, False, 2, 40): 38,
    (4, False, False, 2, 50): 6,
    (4, False, False, 2, 70): 2,
    (4, False, False, 3, 25): 2,
    (4, False, False, 3, 30): 110,
    (4, False, False, 3, 40): 36,
    (4, False, False, 3, 50): 5,
    (4, False, False, 3, 60): 1,
    (4, False, False, 4, 25): 3,
    (4, False, False, 4, 30): 62,
    (4, False, False, 4, 40): 28,
    (4, False, False, 4, 50): 8,
    (4, False, False, 4, 60): 3,
    (4, False, False, 4, 70): 1,
    (4, False, False, 5, 30): 34,
    (4, False, False, 5, 40): 10,
    (4, False, False, 5, 50): 3,
    (4, False, False, 6, 30): 10,
    (4, False, False, 6, 40): 7,
    (4, False, False, 7, 25): 1,
    (4, False, False, 7, 30): 1,
    (4, False, False, 7, 40): 2,
    (4, False, False, 8, 40): 4,
    (4, False, False, 8, 50): 1,
    (4, False, False, 10, 40): 1,
    (4, False, False, 10, 50): 1,
    (4, False, True, 1, 40): 37,
    (4, False, True, 1, 50): 1,
    (4, False, True, 2, 30): 16,
    (4, False, True, 2, 40): 81,
    (4, False, True, 2, 50): 4,
    (4, False, True, 2, 70): 1,
    (4, False, True, 3, 25): 6,
    (4, False, True, 3, 30): 38,
    (4, False, True, 3, 40): 69,
    (4, False, True, 3, 50): 6,
    (4, False, True, 4, 25): 7,
    (4, False, True, 4, 30): 61,
    (4, False, True, 4, 40): 46,
    (4, False, True, 4, 50): 6,
    (4, False, True, 4, 70): 1,
    (4, False, True, 5, 25): 4,
    (4, False, True, 5, 30): 32,
    (4, False, True, 5, 40): 24,
    (4, False, True, 5, 50): 10,
    (4, False, True, 6, 25): 3,
    (4, False, True, 6, 30): 14,
    (4, False, True, 6, 40): 6,
    (4, False, True, 6, 50): 5,
    (4, False, True, 7, 25): 4,
    (4, False, True, 7, 30): 2,
    (4, False, True, 7, 40): 3,
    (4, False, True, 7, 50): 1,
    (4, False, True, 8, 30): 2,
    (4, False, True, 8, 40): 1,
    (4, False, True, 9, 40): 1,
    (4, False, True, 10, 30): 1,
    (4, False, True, 10, 40): 1,
    (4, True, False, 1, 30): 68,
    (4, True, False, 1, 40): 6,
    (4, True, False, 2, 20): 5,
    (4, True, False, 2, 30): 49,
    (4, True, False, 2, 40): 18,
    (4, True, False, 2, 50): 2,
    (4, True, False, 3, 20): 1,
    (4, True, False, 3, 30): 63,
    (4, True, False, 3, 40): 6,
    (4, True, False, 3, 50): 3,
    (4, True, False, 4, 20): 5,
    (4, True, False, 4, 25): 1,
    (4, True, False, 4, 30): 33,
    (4, True, False, 4, 40): 9,
    (4, True, False, 4, 50): 4,
    (4, True, False, 5, 20): 2,
    (4, True, False, 5, 25): 4,
    (4, True, False, 5, 30): 6,
    (4, True, False, 5, 40): 9,
    (4, True, False, 5, 50): 5,
    (4, True, False, 5, 60): 1,
    (4, True, False, 6, 20): 4,
    (4, True, False, 6, 30): 6,
    (4, True, False, 6, 40): 6,
    (4, True, False, 6, 50): 2,
    (4, True, False, 7, 30): 2,
    (4, True, False, 7, 50): 1,
    (4, True, False, 7, 60): 1,
    (4, True, False, 8, 30): 1,
    (4, True, False, 8, 40): 1,
    (4, True, False, 8, 50): 1,
    (4, True, False, 9, 50): 2,
    (4, True, True, 2, 30): 15,
    (4, True, True, 2, 40): 5,
    (4, True, True, 2, 60): 1,
    (4, True, True, 3, 20): 14,
    (4, True, True, 3, 30): 34,
    (4, True, True, 3, 40): 11,
    (4, True, True, 3, 60): 1,
    (4, True, True, 4, 20): 33,
    (4, True, True, 4, 25): 5,
    (4, True, True, 4, 30): 53,
    (4, True, True, 4, 40): 11,
    (4, True, True, 4, 50): 3,
    (4, True, True, 4, 60): 1,
    (4, True, True, 5, 20): 37,
    (4, True, True, 5, 25): 6,
    (4, True, True, 5, 30): 39,
    (4, True, True, 5, 40): 6,
    (4, True, True, 6, 20): 25,
    (4, True, True, 6, 25): 1,
    (4, True, True, 6, 30): 12,
    (4, True, True, 6, 40): 4,
    (4, True, True, 7, 20): 10,
    (4, True, True, 7, 25): 3,
    (4, True, True, 7, 30): 14,
    (4, True, True, 7, 40): 2,
    (4, True, True, 8, 20): 7,
    (4, True, True, 8, 25): 1,
    (4, True, True, 8, 30): 4,
    (4, True, True, 8, 40): 3,
    (4, True, True, 8, 50): 2,
    (4, True, True, 9, 20): 1,
    (4, True, True, 11, 40): 1,
    (4, True, True, 13, 20): 1,
}

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
