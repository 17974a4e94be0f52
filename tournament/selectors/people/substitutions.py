"""Substitutes as the desk lists them, and what putting one in or taking one out would change, before it is done.

It looks and writes nothing.
"""

import dataclasses
import datetime as dt
from dataclasses import dataclass

from scoring.placement import When
from tournament.models import Event, Seat, Substitution
from tournament.selectors.core.shown_names import shown_name
from tournament.selectors.public.standings import Standings, read_standings
from tournament.selectors.tables.tables import LoadedTable, SeatGame, Substitute, load_tables, names_of

MOST_LISTED = 3  # substitutes who count as listed players for the federation (MERS book)


@dataclass(frozen=True, slots=True)
class SubstitutionRow:
    """One act of the register: see Substitution. `hand` is the first of the substitute's where it is known."""

    id: int
    round: int
    table: int
    number: int
    player: str
    name: str
    when: When
    hand: int | None
    reason: str
    by: str
    at: dt.datetime
    cancelled: bool
    cancel_reason: str


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A seat's counted game before and after."""

    before: SeatGame
    after: SeatGame


@dataclass(frozen=True, slots=True)
class RankMove:
    """A line of the ranking that changes: rank, whether it is shared, and total, before and after."""

    number: int
    name: str
    rank_before: int
    rank_after: int
    shared_before: bool
    shared_after: bool
    total_before: int
    total_after: int


@dataclass(frozen=True, slots=True)
class SubstituteEffect:
    """What a change of a table's substitutes changes; `counts` tells whether the table is in the ranking yet."""

    seats: tuple[SeatChange, ...]
    moves: tuple[RankMove, ...]
    counts: bool


def list_substitutions(event: Event, table: LoadedTable | None = None) -> list[SubstitutionRow]:
    """List the substitutes of an event or of one table, the newest first; a constant number of queries."""
    found = Substitution.objects.filter(event=event)
    if table is not None:
        found = found.filter(table=table.id)
    rows = list(
        found.select_related("player__person", "substitute__person", "table__round").order_by("-given_at", "-pk")
    )
    wanted = {row.table_id for row in rows}
    tables = {table.id: table} if table else {each.id: each for each in load_tables(event, ids=wanted)}
    names = names_of(row.given_by for row in rows)
    return [_row(row, tables[row.table_id], names) for row in rows]


def effect_with(event: Event, table: LoadedTable, number: int, when: When) -> SubstituteEffect:
    """Return what would change if a player of a table were replaced."""
    new = Substitute(number, "", when, None, "", "", dt.datetime.now(dt.UTC))
    others = tuple(each for each in table.substitutes if each.number != number)
    return _effect(event, table, (*others, new))


def effect_without(event: Event, table: LoadedTable, number: int) -> SubstituteEffect:
    """Return what would change if the substitute for a player of a table were taken out."""
    return _effect(event, table, tuple(each for each in table.substitutes if each.number != number))


def count_listed(event: Event) -> int:
    """Count the players that the federation's list has: all who are ranked, and substitutes, at most three of them.

    A substitute is known by name; those who are seated without being ranked are among them.
    """
    standing = Substitution.objects.filter(event=event, cancelled_at=None)
    people = set(standing.exclude(substitute=None).values_list("substitute", flat=True))
    people |= set(Seat.objects.filter(round__event=event, player__ranked=False).values_list("player", flat=True))
    free = {name.casefold() for name in standing.exclude(name="").values_list("name", flat=True)}
    return event.players.filter(ranked=True).count() + min(len(people) + len(free), MOST_LISTED)


def _row(row: Substitution, table: LoadedTable, names: dict[str, str]) -> SubstitutionRow:
    name = shown_name(row.substitute) if row.substitute else row.name
    when: When = "before" if row.when == "before" else "during"
    as_read = Substitute(row.player.number, name, when, row.seq, row.reason, row.given_by, row.given_at)
    return SubstitutionRow(
        id=row.pk,
        round=row.table.round.number,
        table=row.table.number,
        number=row.player.number,
        player=shown_name(row.player),
        name=name,
        when=when,
        hand=table.first_hand_of(as_read),
        reason=row.reason,
        by=names.get(row.given_by, ""),
        at=row.given_at,
        cancelled=row.cancelled_at is not None,
        cancel_reason=row.cancel_reason,
    )


def _effect(event: Event, table: LoadedTable, substitutes: tuple[Substitute, ...]) -> SubstituteEffect:
    other = dataclasses.replace(table, substitutes=substitutes)
    before = read_standings(event, released_only=False)
    after = read_standings(event, released_only=False, instead=[other])
    return SubstituteEffect(
        seats=tuple(SeatChange(*pair) for pair in zip(table.seat_games, other.seat_games, strict=True)),
        moves=rank_moves(before, after),
        counts=table.signed or _is_released(event, table),
    )


def _is_released(event: Event, table: LoadedTable) -> bool:
    return event.rounds.filter(number=table.round, released_at__isnull=False).exists()


def rank_moves(before: Standings, after: Standings) -> tuple[RankMove, ...]:
    """Return the lines of the ranking in which two standings of the same players differ."""
    was = {row.number: row for row in before.rows}
    pairs = ((was[row.number], row) for row in after.rows)
    return tuple(
        RankMove(new.number, new.name, old.rank, new.rank, old.shared, new.shared, old.total, new.total)
        for old, new in pairs
        if (old.rank, old.shared, old.total) != (new.rank, new.shared, new.total)
    )
