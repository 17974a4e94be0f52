"""The penalties of an event: the register, and the chombo that stand in the tables' ledgers."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from scoring.entries import Chombo
from tournament.models import Event, Penalty
from tournament.selectors.tables import LoadedTable, names_of


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """One penalty: `id` is None for a chombo, which is cancelled at its table. Points are what is taken off, ≥ 0."""

    id: int | None
    number: int
    name: str
    round: int | None
    table: int | None
    points: int
    reason: str
    clause: str
    by: str
    at: datetime
    cancelled: bool
    cancel_reason: str


def count_points(event: Event, tables: Iterable[LoadedTable], *, rounds: Iterable[int] | None = None) -> dict[int, int]:
    """Sum the penalties of each player number: the register and these tables' chombo.

    With `rounds`, a penalty of another round does not count yet; one without a round always does.
    """
    register = Penalty.objects.filter(event=event, cancelled_at=None)
    wanted = None if rounds is None else {None, *rounds}
    points: Counter[int] = Counter()
    for number, round_, amount in register.values_list("player__number", "round__number", "points"):
        if wanted is None or round_ in wanted:
            points[number] += amount
    for table in tables:
        for player, chombo in zip(table.seats, table.game.chombo_counts(), strict=True):
            points[player.number] += chombo * table.rules.chombo_points
    return dict(points)


def list_penalties(
    event: Event, tables: Iterable[LoadedTable], *, rounds: Iterable[int] | None = None
) -> list[PenaltyRow]:
    """List register and chombo by time; with `rounds`, only what belongs to them or to none."""
    wanted = None if rounds is None else {None, *rounds}
    register = list(Penalty.objects.filter(event=event).select_related("player__person", "round"))
    loaded = list(tables)
    names = names_of([*(p.given_by for p in register), *(line.by for table in loaded for line in table.lines)])
    rows = [_register_row(penalty, names) for penalty in register]
    rows += [row for table in loaded for row in _chombo_rows(table, names)]
    return sorted((row for row in rows if wanted is None or row.round in wanted), key=lambda row: row.at)


def _register_row(penalty: Penalty, names: dict[str, str]) -> PenaltyRow:
    return PenaltyRow(
        id=penalty.pk,
        number=penalty.player.number,
        name=penalty.player.person.preferred_name,
        round=penalty.round.number if penalty.round else None,
        table=None,
        points=penalty.points,
        reason=penalty.reason,
        clause=penalty.clause,
        by=names.get(penalty.given_by, ""),
        at=penalty.given_at,
        cancelled=penalty.cancelled_at is not None,
        cancel_reason=penalty.cancel_reason,
    )


def _chombo_rows(table: LoadedTable, names: dict[str, str]) -> Iterable[PenaltyRow]:
    lines = {line.seq: line for line in table.lines}
    for item in table.items:
        if isinstance(item.entry, Chombo):
            line = lines[item.last_seq]
            for seat in item.entry.offenders:
                player = table.seats[seat]
                yield PenaltyRow(
                    id=None,
                    number=player.number,
                    name=player.name,
                    round=table.round,
                    table=table.number,
                    points=table.rules.chombo_points,
                    reason=item.entry.note or line.reason,
                    clause="",
                    by=names.get(line.by, ""),
                    at=line.at,
                    cancelled=False,
                    cancel_reason="",
                )
