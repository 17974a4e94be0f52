"""What a draw gives: the rounds, and the report that says how good they are.

Plain frozen data; never searches and never counts.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

Table: TypeAlias = tuple[int, ...]  # players in seat order, first East first
Round: TypeAlias = tuple[Table, ...]  # tables in the order of their numbers
Rounds: TypeAlias = tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of a schedule, each counted from the bare rounds.

    Pairs: `repeats` is the sum over pairs of m(m - 1)/2 where m is how often they meet, `repeats_bound` what no
    schedule can go below, `met_most` the largest m; `pairs_never_met`, `pairs_met_again` (m >= 2) and
    `pairs_met_thrice` (m >= 3) count pairs; `shared_opponents_least` is the fewest opponents in common of two who never
    meet and `shared_opponents_deviation` the standard deviation of that number (both None if all meet). Winds:
    `winds_spread` is the largest minus smallest count of one starting wind for one player, `winds_bound` the least
    possible, `winds_in_blocks` whether each block of table_size rounds gives nobody one wind twice. Tables:
    `tables_spread` is the largest minus smallest count of one table for one player and `tables_most` that largest
    count; those with a fixed table are left out of both and of `tables_kept`, how often someone keeps a table for the
    next round. `tables_least` and `tables_kept_least` are what the last two must be with
    so few repeats, and `tables_note` the code of the reason, "" if nothing forces anybody to a table again.
    """

    repeats: int
    repeats_bound: int
    met_most: int
    pairs_never_met: int
    pairs_met_again: int
    pairs_met_thrice: int
    shared_opponents_least: int | None
    shared_opponents_deviation: float | None
    winds_spread: int
    winds_bound: int
    winds_in_blocks: bool
    tables_spread: int
    tables_most: int
    tables_kept: int
    tables_least: int
    tables_kept_least: int
    tables_note: str
    method: str = "given"
    cut_short: bool = False
    seconds: float = field(default=0.0, compare=False)

    @property
    def is_least(self) -> bool:
        """Whether no schedule has fewer repeats: the proof is that the bound is met."""
        return self.repeats == self.repeats_bound

    def as_json(self) -> dict[str, int | float | str]:
        """Return the figures that the `seat` command promises."""
        return {
            "repeats": self.repeats,
            "repeats_bound": self.repeats_bound,
            "met_most": self.met_most,
            "winds_spread": self.winds_spread,
            "tables_spread": self.tables_spread,
            "method": self.method,
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True)
class Schedule:
    """Rounds of tables of players, numbered from 0, with their seed and report."""

    players: int
    table_size: int
    seed: int
    rounds: Rounds
    report: Report

    def as_json(self) -> dict[str, object]:
        """Return the object that the `seat` command promises."""
        return {
            "players": self.players,
            "table_size": self.table_size,
            "seed": self.seed,
            "rounds": [[list(table) for table in tables] for tables in self.rounds],
            "report": self.report.as_json(),
        }
