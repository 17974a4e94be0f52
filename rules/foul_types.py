"""The shapes of a catalogue of fouls: what happened, the ways it can turn out, and what the table must do then.

Values alone: nothing here reads a file, finds a foul or gives a penalty.
"""

import dataclasses
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

# What the table must do now. A case may ask for several, in this order:
# nothing, legal   play on: not penalised, or allowed outright
# fix              put right what can be put right
# warning          a warning, recorded so that a repeat is known
# void_call        the call does not count
# deposit_back     the riichi deposit of this declaration goes back
# dead_hand        no call and no win in this hand, noten at a draw
# redeal           deal again, nobody pays
# chombo           deal again, and the points come off the tournament total
# points           the points come off the tournament total, play goes on
# substitute       a substitute takes the seat
# referee          the referee decides (beside `points`: on giving them, and within `points` to `most`)
# disqualification
Act = Literal[
    "nothing",
    "legal",
    "fix",
    "warning",
    "void_call",
    "deposit_back",
    "dead_hand",
    "redeal",
    "chombo",
    "points",
    "substitute",
    "referee",
    "disqualification",
]
ACTS: tuple[Act, ...] = typing.get_args(Act)
TAKES: frozenset[Act] = frozenset({"chombo", "points"})  # the acts that take points


class FoulError(ValueError):
    """A catalogue or an amount that cannot be used; the text names the file or catalogue, the key and what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Foul:
    """What happened, in words. `row` is its place in the source's table, 0 where that has no such row."""

    key: str
    section: int
    section_title: str
    row: int
    what: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """What a case comes to from the `times`-th time in the event on; `points` is 0 unless it costs some."""

    acts: tuple[Act, ...]
    points: int
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One way a foul can turn out, and what the table must do then.

    `points` are taken from each offender, or from each player of the table; where `per` is "minute" they are for one
    minute, up to `units` of them. `most` above 0: the referee chooses from `points` to `most`. `event_chombo`: the book
    prints no amount and `points` is what a chombo costs in the event. `key` and `when` may be empty.
    """

    key: str = ""
    when: str = ""
    acts: tuple[Act, ...]
    points: int = 0
    most: int = 0
    per: Literal["once", "minute"] = "once"
    units: int = 0
    each_player: bool = False
    event_chombo: bool = False
    repeated: Repeat | None = None

    def amount(self, units: int = 1) -> int:
        """Return the points for so many units (minutes begun); units do not matter where they are taken once."""
        return self.points * units if self.per == "minute" else self.points

    def at(self, time: int) -> "Case":
        """Return the case as it is the `time`-th time, from 1, that the same offender does it in the event."""
        if self.repeated is None or time < self.repeated.times:
            return self
        return dataclasses.replace(self, acts=self.repeated.acts, points=self.repeated.points, event_chombo=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """What a book makes of a foul. `ours`: the reason where the reading is ours, else empty.

    `bracketed`: the source has it in brackets, as derived from the rule of the clause and no rule of its own.
    """

    cases: tuple[Case, ...]
    clause: str
    note: str = ""
    ours: str = ""
    bracketed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """Every foul of a book in its order, with its penalty; empty for a book that names no fouls.

    `official` holds the penalties that the book's source prints beside its own, those of the catalogue `beside`.
    """

    key: str
    title: str = ""
    source: str = ""
    beside: str = ""
    fouls: tuple[Foul, ...] = ()
    penalties: Mapping[str, Penalty] = field(default_factory=dict)
    official: Mapping[str, Penalty] = field(default_factory=dict)

    def differs(self, key: str) -> bool:
        """Tell whether the official column says something else: other acts or another amount; remarks do not count."""
        return key in self.official and _said(self.penalties[key]) != _said(self.official[key])

    def differs_by_chombo(self, key: str) -> bool:
        """Tell whether both columns say the same chombo without an amount, and it costs something else here."""
        if key not in self.official or self.differs(key):
            return False
        return _costs(self.penalties[key]) != _costs(self.official[key])


def _said(penalty: Penalty) -> list[Case]:
    """Return what a column prints: an amount that it leaves out is 0, conditions in words do not count."""
    return [dataclasses.replace(case, points=0 if case.event_chombo else case.points) for case in _costs(penalty)]


def _costs(penalty: Penalty) -> list[Case]:
    return [dataclasses.replace(case, key="", when="") for case in penalty.cases]
