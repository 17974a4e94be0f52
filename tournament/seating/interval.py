"""Interval rounds: ranks a fixed step apart at a table, so that strong and weak meet everywhere. Searches nothing."""

from tournament.seating.chance import Chance
from tournament.seating.errors import SeatingError
from tournament.seating.numbered import Numbering, finish
from tournament.seating.pairing import Pairing
from tournament.seating.round_report import DrawnRound


def interval_round(pairing: Pairing, *, step: int, seed: int, numbering: Numbering = "by_rank") -> DrawnRound:
    """Return tables of ranks `step` apart: with 5 and tables of four 1-6-11-16, 2-7-12-17 … and from 21 on the same.

    The tables left over at the end, fewer than `step`, are as far apart as they are many. Raises SeatingError if
    the step is not 1 to the number of tables; 1 gives 1-2-3-4, the number of tables spreads everybody evenly.
    """
    if not 1 <= step <= pairing.tables:
        raise SeatingError("seating.interval_unfit", {"step": step, "tables": pairing.tables})
    size, tables = pairing.table_size, list[list[int]]()
    for begun in range(0, pairing.tables, step):
        apart = min(step, pairing.tables - begun)
        first = begun * size
        tables += [[first + at + apart * seat for seat in range(size)] for at in range(apart)]
    return finish(pairing, tables, Chance(seed), method="interval", numbering=numbering, searched=False)
