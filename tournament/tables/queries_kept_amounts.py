"""What a chombo and a replacement cost when they were given; a change of the rules keeps that unless asked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from rules.ruleset import Ruleset
from scoring.entries import Chombo
from tournament.tables.history_1 import Item, TimedRow, read_payload

EVER = datetime.max.replace(tzinfo=UTC)
AMOUNTS = ("chombo_points", "replaced_points")  # those that no row of the register holds


@dataclass(frozen=True, slots=True)
class Amounts:
    """What a chombo and a replacement cost that were given until then, in points."""

    until: datetime
    chombo_points: int
    replaced_points: int

    def as_json(self) -> dict[str, Any]:
        """Return it as an event keeps it."""
        return {"until": self.until.isoformat(), **{name: getattr(self, name) for name in AMOUNTS}}


def amounts_of(rules: Ruleset, until: datetime = EVER) -> Amounts:
    """Return what the rules state now."""
    return Amounts(until, rules.chombo_points, rules.replaced_points)


def read_kept(kept: Iterable[Mapping[str, Any]]) -> tuple[Amounts, ...]:
    """Return the amounts that an event has kept, oldest first."""
    return tuple(Amounts(datetime.fromisoformat(one["until"]), *(one[name] for name in AMOUNTS)) for one in kept)


def amounts_at(rules: Ruleset, kept: Iterable[Amounts], at: datetime) -> Amounts:
    """Return what holds for a penalty that was given at a moment.

    >>> from rules.books import load
    >>> noon = datetime(2026, 9, 12, 12, tzinfo=UTC)
    >>> kept = [Amounts(noon, 10_000, 0)]
    >>> [amounts_at(load("ema-2025"), kept, noon.replace(hour=hour)).chombo_points for hour in (11, 12, 13)]
    [10000, 10000, 20000]
    """
    return next((each for each in kept if at <= each.until), amounts_of(rules))


def offended_at(rows: Iterable[TimedRow], item: Item, seat: int) -> datetime:
    """Return since when a hand has been a chombo of a seat."""
    own = [row for row in rows if item.seq in (row.seq, row.supersedes)]
    since = own[-1].at
    for row in reversed(own):
        entry = read_payload(row.payload)
        if not isinstance(entry, Chombo) or seat not in entry.offenders:
            break
        since = row.at
    return since
