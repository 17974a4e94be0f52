"""The verbs that exchange two players: in each other's seats, under each other's name, by hand before a round begins.

No draw is ever made anew by them, and no other player moves; a published seat only with a reason.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

from scoring.game import fold
from scoring.problems import error
from tournament.history import standing_entries
from tournament.models import (
    Account,
    Event,
    LedgerEntry,
    Penalty,
    PenaltyKind,
    Player,
    Round,
    Seat,
    SheetRow,
    Substitution,
    Table,
)
from tournament.refusal import Refused
from tournament.replay import HandChange, Plan
from tournament.services.core.writing import Change, writing
from tournament.services.tables.corrections import write_plan
from tournament.services.tables.hands import MOST_REASON, check_open, refuse_totals

HandsDo = Literal["stay", "follow"]
Place: TypeAlias = tuple[int, int]  # the number of a table, and a seat
# a seat that no table has: where one of two players stands while the other moves, since no two may share a seat
ON_THE_WAY = 30_000


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sits where, as the caller has seen it: a seat of a table, and the player's number in the event."""

    table: Table
    seat: int
    player: int


def swap_seats(
    *,
    one: Sitting,
    other: Sitting,
    hands: HandsDo,
    changes: Sequence[HandChange] = (),
    expected: Mapping[int, int],
    client_id: UUID,
    reason: str,
    by: Account,
) -> bool:
    """Let two players of one published round change seats, at one table or at two.

    "stay": what was entered is right by seat, so only the names move, and with them the chombo and dead hands that the
    register holds against these seats. "follow", at one table: what was entered is right by name, so the two seats are
    exchanged in every hand, and `changes` are what hands become that fit no longer. `expected` is the last `seq` that
    the caller has seen, by number of the table. Returns whether anything moved: seats that are changed already stay.
    Raises Refused and Stale as a correction does.
    """
    with writing(one.table.round.event, "seats_swapped", by=by) as change:
        seats = _seats(one, other)
        if _is_done(seats, one, other):
            change.nothing_new()
            return False
        _check(seats, one, other, hands, reason)
        ledgers = _open_ledgers(one, other, expected)
        before = _sitting_now(change, seats.values(), ledgers)
        _move(seats[one.player], seats[other.player])
        if hands == "stay":
            _move_register(one, other, seats)
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
            "after": _sitting_now(change, _seats(one, other).values(), ledgers),
        }
    return True


def swap_players(
    *, round_: Round, one: int, other: int, seen: Mapping[int, Place | None], reason: str = "", by: Account
) -> bool:
    """Let two players change places in a round without hands; one may have no seat in it. The same again is back.

    `seen` is where the caller saw each of the two, by player number. Returns whether anything moved: places that are
    changed already stay. Raises Refused once a hand is written at one of the tables, and for a published round without
    a reason.
    """
    with writing(round_.event, "players_swapped", by=by) as change:
        current = change.event.rounds.get(pk=round_.pk)
        seats = _seats_of_two(current, one, other)
        places = {who: _place_of(seats.get(who)) for who in (one, other)}
        if places != seen and places == {one: seen.get(other), other: seen.get(one)}:
            change.nothing_new()
            return False
        _check_swap(current, places, seen, seats.values(), reason)
        _check_seatless(current, seats, one, other)
        if len(seats) == 2:
            _move(seats[one], seats[other])
        else:
            (seat,) = seats.values()
            seat.player = change.event.players.get(number=other if one in seats else one)
            seat.save(update_fields=["player"])
        change.details = {"round": current.number, "players": [one, other], "reason": reason.strip()[:MOST_REASON]}
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
    """Give two players each other's games: the right people played, and stood under each other's name.

    `seen` is where the caller saw the one and the other, by number of each published round that is meant; one of the
    two may have no seat in it. Hands, sheets and results stay with their seats, and so do chombo and dead hands;
    signed tables and released rounds, too, are put right. The same again is back. Returns whether anything moved.
    Raises Refused where somebody sits elsewhere by now, neither has a seat, one is replaced there, and without a
    reason.
    """
    with writing(event, "players_exchanged", by=by) as change:
        rounds = {row.number: row for row in change.event.rounds.filter(number__in=list(seen))}
        seats = {number: _seats_of_two(row, one, other) for number, row in rounds.items()}
        places = {number: (_place_of(two.get(one)), _place_of(two.get(other))) for number, two in seats.items()}
        if places and places != seen and places == {number: two[::-1] for number, two in seen.items()}:
            change.nothing_new()
            return False
        _check_exchange(rounds.values(), one, other, reason)
        if places != seen:
            raise Refused(error("seats.moved_on"))
        for number, two in sorted(seats.items()):
            _check_two(number, two.values())
            _check_seatless(rounds[number], two, one, other)
            _exchange(two, *(change.event.players.get(number=each) for each in (one, other)))
        change.details = {"rounds": sorted(seats), "players": [one, other], "reason": reason.strip()[:MOST_REASON]}
    return True


def _check_exchange(rounds: Collection[Round], one: int, other: int, reason: str) -> None:
    if one == other:
        raise Refused(error("seats.one_player"))
    if not rounds:
        raise Refused(error("seats.no_round"))
    for row in rounds:
        if row.published_at is None:
            raise Refused(error("round.not_published", round=row.number))
    if not reason.strip():
        raise Refused(error("seats.reason_missing"))


def _check_two(number: int, seats: Collection[Seat]) -> None:
    if not seats:
        raise Refused(error("seats.nobody_seated", round=number))
    if any(_has_substitute(seat.table_id, seat.player.number) for seat in seats):
        raise Refused(error("seats.substituted"))


def _check_seatless(round_: Round, seats: Mapping[int, Seat], *players: int) -> None:
    """Refuse who has no seat in a round but plays somebody else's: a seat of their own would be the second."""
    without = [number for number in players if number not in seats]
    plays = Substitution.objects.filter(table__round=round_, substitute__number__in=without, cancelled_at=None)
    if plays.exists():
        raise Refused(error("seats.is_substitute", round=round_.number))


def _exchange(seats: Mapping[int, Seat], one: Player, other: Player) -> None:
    """Exchange who sits in one round's seats of two players, with what the register holds against these seats."""
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


def _place_of(seat: Seat | None) -> Place | None:
    return (seat.table.number, seat.seat) if seat else None


def _check_swap(
    round_: Round,
    places: Mapping[int, Place | None],
    seen: Mapping[int, Place | None],
    seats: Collection[Seat],
    reason: str,
) -> None:
    if len(places) < 2:
        raise Refused(error("seats.one_player"))
    if not seats:
        raise Refused(error("seats.nobody_seated", round=round_.number))
    if places != seen:
        raise Refused(error("seats.moved_on"))
    tables = [seat.table_id for seat in seats]
    hands = LedgerEntry.objects.filter(table__in=tables).exists() or SheetRow.objects.filter(table__in=tables).exists()
    if hands or round_.released_at:
        raise Refused(error("seats.round_begun", round=round_.number))
    if Substitution.objects.filter(
        table__in=tables, player__in=[s.player_id for s in seats], cancelled_at=None
    ).exists():
        raise Refused(error("seats.substituted"))
    if round_.published_at and not reason.strip():
        raise Refused(error("seats.reason_missing"))


def _seats(one: Sitting, other: Sitting) -> dict[int, Seat]:
    """Return the seat of each of the two players in this round, by number."""
    return _seats_of_two(one.table.round, one.player, other.player)


def _is_done(seats: Mapping[int, Seat], one: Sitting, other: Sitting) -> bool:
    """Tell whether the two have changed seats already: the same act sent twice must not change them back."""
    two = one.player != other.player
    return two and _sits(seats.get(one.player), other) and _sits(seats.get(other.player), one)


def _sits(seat: Seat | None, where: Sitting) -> bool:
    return seat is not None and (seat.table_id, seat.seat) == (where.table.pk, where.seat)


def _check(seats: Mapping[int, Seat], one: Sitting, other: Sitting, hands: HandsDo, reason: str) -> None:
    if one.player == other.player:
        raise Refused(error("seats.one_player"))
    if one.table.round_id != other.table.round_id:
        raise Refused(error("seats.two_rounds"))
    if not (_sits(seats.get(one.player), one) and _sits(seats.get(other.player), other)):
        raise Refused(error("seats.moved_on"))
    if hands == "follow" and one.table.pk != other.table.pk:
        raise Refused(error("seats.two_tables"))
    if one.table.pk != other.table.pk and _is_replaced(one, other):
        raise Refused(error("seats.substituted"))
    if not reason.strip():
        raise Refused(error("seats.reason_missing"))
    if len(reason.strip()) > MOST_REASON:
        raise Refused(error("entry.text_too_long", key="reason", most=MOST_REASON))


def _is_replaced(*both: Sitting) -> bool:
    """Tell whether somebody plays for one of the two: a substitute belongs to a table, and could not go along."""
    return any(_has_substitute(each.table.pk, each.player) for each in both)


def _has_substitute(table: int, player: int) -> bool:
    return Substitution.objects.filter(table=table, player__number=player, cancelled_at=None).exists()


def _open_ledgers(one: Sitting, other: Sitting, expected: Mapping[int, int]) -> dict[int, list[LedgerEntry]]:
    """Return the rows of each table, by id; raises Refused where one is signed, Stale where it has moved on."""
    ledgers = {}
    for table in {one.table.pk: one.table, other.table.pk: other.table}.values():
        ledgers[table.pk] = list(table.ledger.order_by("seq"))
        check_open(table, ledgers[table.pk], expected.get(table.number, -1))
    return ledgers


def _move(first: Seat, second: Seat) -> None:
    """Exchange the places of two players row by row: no moment has two in one seat, and nobody has two seats."""
    here, there = (first.table_id, first.seat), (second.table_id, second.seat)
    rows = Seat.objects
    rows.filter(pk=first.pk).update(seat=ON_THE_WAY)
    rows.filter(pk=second.pk).update(table_id=here[0], seat=here[1])
    rows.filter(pk=first.pk).update(table_id=there[0], seat=there[1])


def _move_register(one: Sitting, other: Sitting, seats: Mapping[int, Seat]) -> None:
    """Let chombo and dead hands follow the seats that they were given to; all else was given to a person, and stays."""
    found = {
        seats[to.player].player_id: _bound_to(was.table.pk, seats[was.player].player_id)
        for was, to in ((one, other), (other, one))
    }
    for player, penalties in found.items():
        Penalty.objects.filter(pk__in=penalties).update(player=player)


def _bound_to(table: int, player: int) -> list[int]:
    """Return what the register holds against a player's seat at a table: chombo and dead hands, by id."""
    bound = Penalty.objects.filter(kind__in=(PenaltyKind.CHOMBO, PenaltyKind.DEAD_HAND), cancelled_at=None)
    return list(bound.filter(table=table, player=player).values_list("pk", flat=True))


def _sitting_now(
    change: Change, seats: Iterable[Seat], ledgers: Mapping[int, Sequence[LedgerEntry]]
) -> list[dict[str, int]]:
    """Return where the two sit and what they have, as the audit row says it."""
    rules = change.event.ruleset
    scores = {table: fold(standing_entries(rows), rules).state.scores for table, rows in ledgers.items()}
    return [
        {
            "player": seat.player.number,
            "table": seat.table.number,
            "seat": seat.seat,
            "score": scores[seat.table_id][seat.seat],
        }
        for seat in sorted(seats, key=lambda each: each.player.number)
    ]
