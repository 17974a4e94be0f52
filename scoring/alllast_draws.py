"""Which draws do, said shortly: sets of tenpai seats to conditions on single seats.

It knows sets alone; what a draw pays and who wants which is `alllast`.
"""

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple


class DrawCase(NamedTuple):
    """Every draw in which these seats are tenpai and these are noten; the other seats do not matter."""

    tenpai: tuple[int, ...]
    noten: tuple[int, ...]


def draw_cases(draws: Iterable[tuple[int, ...]], players: int, riichi: tuple[int, ...] = ()) -> tuple[DrawCase, ...]:
    """Say a list of draws in as few cases as a short search finds: together they hold just these draws.

    Seats with riichi are tenpai at every draw and never named. No draw makes no case; every draw one without seats.

    >>> draw_cases([(1,), (0, 1), (1, 2), (0, 1, 2)], players=3)
    (DrawCase(tenpai=(1,), noten=()),)
    >>> draw_cases([(1,)], players=3), draw_cases([], players=3)
    ((DrawCase(tenpai=(1,), noten=(0, 2)),), ())
    """
    wanted = {frozenset(draw) for draw in draws}
    free = [seat for seat in range(players) if seat not in riichi]
    whole = [(case, held) for case, held in _cases(free, frozenset(riichi)) if held <= wanted]
    found: list[DrawCase] = []
    while wanted:
        # the case that says most that is not said yet; of equal ones that with the fewest seats
        case, held = max(whole, key=lambda each: (len(each[1] & wanted), -len(each[0].tenpai) - len(each[0].noten)))
        found.append(case)
        wanted -= held
    return tuple(found)


def _cases(free: list[int], riichi: frozenset[int]) -> Iterable[tuple[DrawCase, frozenset[frozenset[int]]]]:
    """Yield each case that can be said of these seats, with the draws that it holds."""
    draws = [
        riichi | {seat for seat, shown in zip(free, tenpai, strict=True) if shown}
        for tenpai in product((False, True), repeat=len(free))
    ]
    for said in product((True, False, None), repeat=len(free)):
        seats = list(zip(free, said, strict=True))
        case = DrawCase(tuple(s for s, is_so in seats if is_so), tuple(s for s, is_so in seats if is_so is False))
        yield case, frozenset(d for d in draws if d.issuperset(case.tenpai) and d.isdisjoint(case.noten))
