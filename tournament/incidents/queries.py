"""What a change of who sits where would do: substitutes, exchanges of two players, and where a player is now."""

import dataclasses
import datetime as dt
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.ema_events import MAX_SUBSTITUTES
from scoring.placement import When
from tournament.accounts.queries import account_names
from tournament.events.models import Event
from tournament.incidents.models import Substitution
from tournament.penalties.models import Penalty, PenaltyKind
from tournament.players.models import Player
from tournament.players.queries import get_presence
from tournament.publication.names import shown_name
from tournament.standings.queries import Standings, get_desk_standings, read_standings
from tournament.tables.messages import say_since
from tournament.tables.models import Seat
from tournament.tables.queries import LoadedTable, SeatGame, TableStage, load_tables
from tournament.tables.rows import SeatedPlayer
from tournament.tables.table_queries import Substitute
from tournament.text.numbers import ordinal_place


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

    @property
    def since(self) -> str:
        """Since when, in words."""
        return say_since(self.when, self.hand)


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

    @property
    def rank(self) -> str:
        """The rank in words, as "2 → 3" if it changes."""
        before = ordinal_place(self.rank_before, self.shared_before)
        after = ordinal_place(self.rank_after, self.shared_after)
        return before if before == after else _("%(before)s → %(after)s") % {"before": before, "after": after}


@dataclass(frozen=True, slots=True)
class SubstituteEffect:
    """What a change of a table's substitutes changes; `counts` tells whether the table is in the ranking yet."""

    seats: tuple[SeatChange, ...]
    moves: tuple[RankMove, ...]
    counts: bool

    @property
    def penalised(self) -> bool:
        """Whether a penalty is taken off the total of any of them, before or after."""
        return any(change.before.penalty or change.after.penalty for change in self.seats)


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
    names = account_names(row.given_by for row in rows)
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
    """Count the players that the federation's list has: all who are ranked, and substitutes, at most three of them."""
    return event.players.filter(ranked=True).count() + min(count_substitutes(event), MAX_SUBSTITUTES)


def count_substitutes(event: Event) -> int:
    """Count who play as substitutes, known by name; those who are seated without being ranked are among them."""
    standing = Substitution.objects.filter(event=event, cancelled_at=None)
    people = set(standing.exclude(substitute=None).values_list("substitute", flat=True))
    seats = Seat.objects.filter(round__event=event, player__ranked=False)
    out = event.disqualifications.filter(cancelled_at=None).values("player")  # they are on no list
    people |= set(seats.exclude(player__in=out).values_list("player", flat=True))
    free = {name.casefold() for name in standing.exclude(name="").values_list("name", flat=True)}
    return len(people) + len(free)


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
    counts = table.signed or event.rounds.filter(number=table.round, released_at__isnull=False).exists()
    moves: tuple[RankMove, ...] = ()
    if counts or Penalty.objects.filter(table=table.id).exists():  # else nothing of the table is in the ranking
        after = read_standings(event, released_only=False, instead=[other])
        moves = rank_moves(get_desk_standings(event), after)
    return SubstituteEffect(
        seats=tuple(SeatChange(*pair) for pair in zip(table.seat_games, other.seat_games, strict=True)),
        moves=moves,
        counts=counts,
    )


def rank_moves(before: Standings, after: Standings) -> tuple[RankMove, ...]:
    """Return the lines of the ranking in which two standings of the same players differ."""
    was = {row.number: row for row in before.rows}
    pairs = ((was[row.number], row) for row in after.rows)
    return tuple(
        RankMove(new.number, new.name, old.rank, new.rank, old.shared, new.shared, old.total, new.total)
        for old, new in pairs
        if (old.rank, old.shared, old.total) != (new.rank, new.shared, new.total)
    )


def moves_without(standings: Standings, number: int) -> tuple[RankMove, ...]:
    """Return the lines that move if the player of this number is no longer ranked: totals stay, others move up."""
    gone = next((row for row in standings.rows if row.number == number), None)
    if gone is None:
        return ()
    at_rank = Counter(row.rank for row in standings.rows if row is not gone)
    after = (
        dataclasses.replace(row, rank=row.rank - (row.rank > gone.rank), shared=at_rank[row.rank] > 1)
        for row in standings.rows
        if row is not gone
    )
    return rank_moves(standings, dataclasses.replace(standings, rows=tuple(after)))


@dataclass(frozen=True, slots=True)
class CurrentSeat:
    """A player's seat in a published round: how far the table has come, its hands, and who plays instead."""

    table_id: int
    round: int
    table: int
    seat: int
    stage: TableStage
    hands: int
    released: bool
    substitute: Substitute | None

    @property
    def place(self) -> tuple[int, int]:
        """Table and seat, as the verbs take them."""
        return self.table, self.seat

    @property
    def is_ahead(self) -> bool:
        """Whether nothing is written there yet."""
        return self.stage == "waiting" and not self.released


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """One player with the seats of all published rounds, in their order; `here` is None as long as nobody is ticked."""

    number: int
    name: str
    ranked: bool
    withdrawn: bool
    here: bool | None
    seats: tuple[CurrentSeat, ...]

    @property
    def now(self) -> CurrentSeat | None:
        """The seat that the player has now: the first in a round that is not released and not signed at the table."""
        return next((seat for seat in self.seats if not seat.released and seat.stage != "signed"), None)

    @property
    def ahead(self) -> tuple[CurrentSeat, ...]:
        """The seats at which nothing is written yet."""
        return tuple(seat for seat in self.seats if seat.is_ahead)

    def in_round(self, number: int) -> CurrentSeat | None:
        """Return the seat in a round, None where the player rests."""
        return next((seat for seat in self.seats if seat.round == number), None)


@dataclass(frozen=True, slots=True)
class ExchangedRound:
    """What two players have in one round now: their places and results in points, None where one has no seat."""

    round: int
    one: CurrentSeat | None
    other: CurrentSeat | None
    one_result: int | None
    other_result: int | None


@dataclass(frozen=True, slots=True)
class ExchangeEffect:
    """What an exchange of two players changes; `staying` counts the penalties that stay with each of the two."""

    rounds: tuple[ExchangedRound, ...]
    moves: tuple[RankMove, ...]
    staying: tuple[int, int]


def get_whereabouts(event: Event, number: int) -> Whereabouts | None:
    """Return where a player is; a constant number of queries."""
    player = event.players.filter(number=number).select_related("person").first()
    if player is None:
        return None
    released = dict(event.rounds.filter(published_at__isnull=False).values_list("number", "released_at"))
    mine = Seat.objects.filter(player=player, round__number__in=list(released)).values_list("table_id", flat=True)
    seats = (_seat(table, player, released=bool(released[table.round])) for table in load_tables(event, ids=mine))
    return Whereabouts(
        player.number,
        shown_name(player),
        player.ranked,
        player.withdrawn_at is not None,
        True if player.checked_in_at else False if number in get_presence(event).absent else None,
        tuple(seats),
    )


def effect_of_exchange(event: Event, one: Whereabouts, other: Whereabouts, rounds: Collection[int]) -> ExchangeEffect:
    """Return what would change if two players had each other's games of these rounds."""
    ids = {seat.table_id for who in (one, other) for seat in who.seats if seat.round in rounds}
    tables = {table.id: table for table in load_tables(event, ids=ids)}
    named = {each.number: each for each in (one, other)}
    before = read_standings(event, released_only=False)
    after = read_standings(event, released_only=False, instead=[_exchanged(table, named) for table in tables.values()])
    both = [(number, one.in_round(number), other.in_round(number)) for number in sorted(rounds)]
    return ExchangeEffect(
        rounds=tuple(ExchangedRound(*row, *(_result(seat, tables) for seat in row[1:])) for row in both),
        moves=rank_moves(before, after),
        staying=(_staying(event, one.number), _staying(event, other.number)),
    )


def _seat(table: LoadedTable, player: Player, *, released: bool) -> CurrentSeat:
    mine = next(each for each in table.seats if each.number == player.number)
    return CurrentSeat(
        table.id,
        table.round,
        table.number,
        mine.seat,
        table.stage,
        len(table.game.hands),
        released,
        table.replaced.get(mine.seat),
    )


def _exchanged(table: LoadedTable, two: Mapping[int, Whereabouts]) -> LoadedTable:
    """Return a table at which the two have changed names."""

    def renamed(seat: SeatedPlayer) -> SeatedPlayer:
        new = next((each for each in two.values() if seat.number in two and each.number != seat.number), None)
        return SeatedPlayer(seat.seat, new.number, new.name, new.ranked) if new else seat

    return dataclasses.replace(table, seats=tuple(renamed(seat) for seat in table.seats))


def _result(seat: CurrentSeat | None, tables: Mapping[int, LoadedTable]) -> int | None:
    if seat is None or seat.stage == "waiting":
        return None
    return tables[seat.table_id].seat_games[seat.seat].result


def _staying(event: Event, number: int) -> int:
    """Count the penalties that were given to a person, and not to a seat."""
    bound = (PenaltyKind.CHOMBO, PenaltyKind.DEAD_HAND)
    given = Penalty.objects.filter(event=event, player__number=number, cancelled_at=None)
    return given.exclude(kind__in=bound).count()
