"""Verbs that exchange two players: in each other's seats, under each other's name, by hand before a round begins.

No other player moves; a published seat only with a reason.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

from scoring.game import fold
from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_LEDGER_REASON
from tournament.core.transaction import EventChange, check_length, check_published, event_transaction, require_text
from tournament.events.models import Event
from tournament.incidents.models import Substitution
from tournament.penalties.models import Penalty, PenaltyKind
from tournament.players.models import Player
from tournament.sheets.models import SheetRow
from tournament.tables.actions import check_open, refuse_totals, write_plan
from tournament.tables.history import HandChange, Plan, standing_entries
from tournament.tables.models import LedgerEntry, Round, Seat, Table

SEATS_SWAPPED = Act(
    "seats_swapped", "changed the seats of players {players}, round {round}, table {tables}; hands {hands}: {reason}"
)
PLAYERS_SWAPPED = Act("players_swapped", "let players {players} change places in round {round}: {reason}")
PLAYERS_EXCHANGED = Act("players_exchanged", "gave players {players} each other's games of rounds {rounds}: {reason}")

SEATS_NOBODY_SEATED = ProblemType("seats.nobody_seated", "Neither of the two has a seat in round {round}.")
SEATS_ROUND_BEGUN = ProblemType(
    "seats.round_begun", "Round {round} has begun at this table: use “players in each other's seats” there."
)
SEATS_IS_SUBSTITUTE = ProblemType(
    "seats.is_substitute", "One of these two plays for somebody else in round {round}: take that substitute out first."
)
SEATS_NO_ROUND = ProblemType("seats.no_round", "Choose at least one round.")
SEATS_ONE_PLAYER = ProblemType("seats.one_player", "Choose two different players.")
SEATS_TWO_ROUNDS = ProblemType("seats.two_rounds", "These two do not play in the same round.")
SEATS_TWO_TABLES = ProblemType("seats.two_tables", "Between two tables hands stay with the seats: choose that.")
SEATS_MOVED_ON = ProblemType("seats.moved_on", "Somebody changed these seats meanwhile: check them, then choose again.")
SEATS_SUBSTITUTED = ProblemType(
    "seats.substituted",
    "One of these two is replaced at the table: take the substitute out first, then put them in again.",
)
SEATS_REASON_MISSING = ProblemType("seats.reason_missing", "Changing published seats needs a reason.")

HandsDo = Literal["stay", "follow"]
Place: TypeAlias = tuple[int, int]  # the number of a table, and a seat
# a seat that no table has: holds one of two players while the other moves, since no two may share a seat
TEMPORARY_SEAT = 30_000


@dataclass(frozen=True, slots=True)
class SeatAssignment:
    """A seat of a table and the number of its player, as the caller has seen it."""

    table: Table
    seat: int
    player: int


def swap_seats(
    *,
    one: SeatAssignment,
    other: SeatAssignment,
    hands: HandsDo,
    changes: Sequence[HandChange] = (),
    expected: Mapping[int, int],
    client_id: UUID,
    reason: str,
    by: Account,
) -> bool:
    """Exchange the seats of two players of one published round, at one table or at two; return whether they moved.

    "stay": the hands are right by seat, so only the players move, with the chombo and dead hands of these seats.
    "follow", at one table: the hands are right by name, so the two seats are exchanged in every hand, and `changes`
    replace hands that become invalid. `expected` is the last `seq` that the caller has seen, by table number. Raises
    DomainError and StaleTableError as a correction.
    """
    with event_transaction(one.table.round.event, SEATS_SWAPPED, by=by) as change:
        seats = _seats_of_two(one.table.round, one.player, other.player)
        if _is_done(seats, one, other):
            return change.mark_unchanged()
        _check(seats, one, other, hands, reason)
        ledgers = _open_ledgers(one, other, expected)
        before = _sitting_now(change, seats.values(), ledgers)
        _move(seats[one.player], seats[other.player])
        if hands == "stay":
            # chombo and dead hands follow their seats; other penalties stay with the person
            found = {
                seats[to.player].player_id: _bound_to(was.table.pk, seats[was.player].player_id)
                for was, to in ((one, other), (other, one))
            }
            for player, penalties in found.items():
                Penalty.objects.filter(pk__in=penalties).update(player=player)
        else:
            refuse_totals(change, one.table, [each.entry for each in changes])
            plan = Plan(tuple(changes), exchanged=(one.seat, other.seat))
            rows = ledgers[one.table.pk]
            rows += write_plan(change, one.table, rows, plan, client_id, reason)
        change.details = {
            "round": one.table.round.number,
            "tables": sorted({one.table.number, other.table.number}),
            "players": [one.player, other.player],
            "hands": hands,
            "reason": reason.strip(),
            "before": before,
            "after": _sitting_now(change, _seats_of_two(one.table.round, one.player, other.player).values(), ledgers),
        }
    return True


def swap_players(
    *, round_: Round, one: int, other: int, seen: Mapping[int, Place | None], reason: str = "", by: Account
) -> bool:
    """Exchange two players in a round without hands, one perhaps without a seat; return whether they moved.

    `seen` is where the caller saw each of the two, by player number. Raises DomainError once a hand is written at one
    of the tables, and for a published round without a reason.
    """
    with event_transaction(round_.event, PLAYERS_SWAPPED, by=by) as change:
        current = change.event.rounds.get(pk=round_.pk)
        seats = _seats_of_two(current, one, other)
        places = {who: _seat_details(seats.get(who)) for who in (one, other)}
        if places != seen and places == {one: seen.get(other), other: seen.get(one)}:
            return change.mark_unchanged()
        _check_swap(current, places, seen, seats.values(), reason)
        _check_seatless(current, seats, one, other)
        if len(seats) == 2:
            _move(seats[one], seats[other])
        else:
            (seat,) = seats.values()
            seat.player = change.event.players.get(number=other if one in seats else one)
            seat.save(update_fields=["player"])
        change.details = {
            "round": current.number,
            "players": [one, other],
            "reason": reason.strip()[:MAX_LEDGER_REASON],
        }
    return True


def exchange_players(
    *,
    event: Event,
    one: int,
    other: int,
    seen: Mapping[int, tuple[Place | None, Place | None]],
    reason: str,
    by: Account,
) -> bool:
    """Give two players each other's games: each played under the other's name. Returns whether anything moved.

    `seen` is where the caller saw the one and the other, by number of each published round concerned; one of the two
    may have no seat in it. Hands, sheets, results, chombo and dead hands stay with their seats, also at signed tables
    and in released rounds. Raises DomainError for a stale `seen`, where neither has a seat or one is substituted, and
    without a reason.
    """
    with event_transaction(event, PLAYERS_EXCHANGED, by=by) as change:
        rounds = {row.number: row for row in change.event.rounds.filter(number__in=list(seen))}
        seats = {number: _seats_of_two(row, one, other) for number, row in rounds.items()}
        places = {number: (_seat_details(two.get(one)), _seat_details(two.get(other))) for number, two in seats.items()}
        if places and places != seen and places == {number: two[::-1] for number, two in seen.items()}:
            return change.mark_unchanged()
        _check_exchange(rounds.values(), one, other, reason)
        if places != seen:
            raise DomainError(SEATS_MOVED_ON())
        for number, two in sorted(seats.items()):
            if not two:
                raise DomainError(SEATS_NOBODY_SEATED(round=number))
            if any(_has_substitute(seat.table_id, seat.player.number) for seat in two.values()):
                raise DomainError(SEATS_SUBSTITUTED())
            _check_seatless(rounds[number], two, one, other)
            _exchange(two, *(change.event.players.get(number=each) for each in (one, other)))
        change.details = {
            "rounds": sorted(seats),
            "players": [one, other],
            "reason": reason.strip()[:MAX_LEDGER_REASON],
        }
    return True


def _check_exchange(rounds: Collection[Round], one: int, other: int, reason: str) -> None:
    if one == other:
        raise DomainError(SEATS_ONE_PLAYER())
    if not rounds:
        raise DomainError(SEATS_NO_ROUND())
    for row in rounds:
        check_published(row)
    require_text(reason, SEATS_REASON_MISSING)


def _check_seatless(round_: Round, seats: Mapping[int, Seat], *players: int) -> None:
    """Raise DomainError for a player without a seat who substitutes in the round: they would get a second seat."""
    without = [number for number in players if number not in seats]
    plays = Substitution.objects.filter(table__round=round_, substitute__number__in=without, cancelled_at=None)
    if plays.exists():
        raise DomainError(SEATS_IS_SUBSTITUTE(round=round_.number))


def _exchange(seats: Mapping[int, Seat], one: Player, other: Player) -> None:
    """Exchange two players in one round's seats, with the penalties that stay with these seats."""
    bound = {seat.pk: _bound_to(seat.table_id, seat.player_id) for seat in seats.values()}
    if len(seats) == 2:
        _move(seats[one.number], seats[other.number])
    for who, seat in seats.items():
        instead = other if who == one.number else one
        if len(seats) == 1:
            seat.player = instead
            seat.save(update_fields=["player"])
        Penalty.objects.filter(pk__in=bound[seat.pk]).update(player=instead)


def _seats_of_two(round_: Round, one: int, other: int) -> dict[int, Seat]:
    """Return the seats that two players have in a round, by number."""
    found = Seat.objects.filter(round=round_, player__number__in=[one, other]).select_related("player", "table")
    return {seat.player.number: seat for seat in found}


def _seat_details(seat: Seat | None) -> Place | None:
    return (seat.table.number, seat.seat) if seat else None


def _check_swap(
    round_: Round,
    places: Mapping[int, Place | None],
    seen: Mapping[int, Place | None],
    seats: Collection[Seat],
    reason: str,
) -> None:
    if len(places) < 2:
        raise DomainError(SEATS_ONE_PLAYER())
    if not seats:
        raise DomainError(SEATS_NOBODY_SEATED(round=round_.number))
    if places != seen:
        raise DomainError(SEATS_MOVED_ON())
    tables = [seat.table_id for seat in seats]
    hands = LedgerEntry.objects.filter(table__in=tables).exists() or SheetRow.objects.filter(table__in=tables).exists()
    if hands or round_.released_at:
        raise DomainError(SEATS_ROUND_BEGUN(round=round_.number))
    if any(_has_substitute(seat.table_id, seat.player.number) for seat in seats):
        raise DomainError(SEATS_SUBSTITUTED())
    if round_.published_at:
        require_text(reason, SEATS_REASON_MISSING)


def _is_done(seats: Mapping[int, Seat], one: SeatAssignment, other: SeatAssignment) -> bool:
    """Tell whether the two have changed seats already: a repeated request must not change them back."""
    two = one.player != other.player
    return two and _sits(seats.get(one.player), other) and _sits(seats.get(other.player), one)


def _sits(seat: Seat | None, where: SeatAssignment) -> bool:
    return seat is not None and (seat.table_id, seat.seat) == (where.table.pk, where.seat)


def _check(seats: Mapping[int, Seat], one: SeatAssignment, other: SeatAssignment, hands: HandsDo, reason: str) -> None:
    if one.player == other.player:
        raise DomainError(SEATS_ONE_PLAYER())
    if one.table.round_id != other.table.round_id:
        raise DomainError(SEATS_TWO_ROUNDS())
    if not (_sits(seats.get(one.player), one) and _sits(seats.get(other.player), other)):
        raise DomainError(SEATS_MOVED_ON())
    if hands == "follow" and one.table.pk != other.table.pk:
        raise DomainError(SEATS_TWO_TABLES())
    # a substitute belongs to a table, and could not move along
    if one.table.pk != other.table.pk and any(_has_substitute(each.table.pk, each.player) for each in (one, other)):
        raise DomainError(SEATS_SUBSTITUTED())
    require_text(reason, SEATS_REASON_MISSING)
    check_length("reason", reason, MAX_LEDGER_REASON)


def _has_substitute(table: int, player: int) -> bool:
    return Substitution.objects.filter(table=table, player__number=player, cancelled_at=None).exists()


def _open_ledgers(
    one: SeatAssignment, other: SeatAssignment, expected: Mapping[int, int]
) -> dict[int, list[LedgerEntry]]:
    """Return the rows of each table, by id.

    Raises DomainError for a signed one, StaleTableError for one that has moved on.
    """
    ledgers = {}
    for table in {one.table.pk: one.table, other.table.pk: other.table}.values():
        ledgers[table.pk] = list(table.ledger.order_by("seq"))
        check_open(table, ledgers[table.pk], expected.get(table.number, -1))
    return ledgers


def _move(first: Seat, second: Seat) -> None:
    """Exchange the seats of two players row by row: never two in one seat, nor one with two seats."""
    here, there = (first.table_id, first.seat), (second.table_id, second.seat)
    rows = Seat.objects
    rows.filter(pk=first.pk).update(seat=TEMPORARY_SEAT)
    rows.filter(pk=second.pk).update(table_id=here[0], seat=here[1])
    rows.filter(pk=first.pk).update(table_id=there[0], seat=there[1])


def _bound_to(table: int, player: int) -> list[int]:
    """Return the penalties bound to a player's seat at a table: chombo and dead hands, by id."""
    bound = Penalty.objects.filter(kind__in=(PenaltyKind.CHOMBO, PenaltyKind.DEAD_HAND), cancelled_at=None)
    return list(bound.filter(table=table, player=player).values_list("pk", flat=True))


def _sitting_now(
    change: EventChange, seats: Iterable[Seat], ledgers: Mapping[int, Sequence[LedgerEntry]]
) -> list[dict[str, int]]:
    """Return the seats and scores of the two for the audit row."""
    scores = {
        table: fold(standing_entries(rows), Table(pk=table).rules_in(change.event)).state.scores
        for table, rows in ledgers.items()
    }
    return [
        {
            "player": seat.player.number,
            "table": seat.table.number,
            "seat": seat.seat,
            "score": scores[seat.table_id][seat.seat],
        }
        for seat in sorted(seats, key=lambda each: each.player.number)
    ]
