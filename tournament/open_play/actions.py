"""Actions of an open event: seat a table, take it back, release it with its signature."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Max, ProtectedError

from scoring.problems import Problem, ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals, Shown
from tournament.core.errors import FORM_SENT_ALREADY, FORM_STALE, DomainError
from tournament.core.sealed_rows import Sealed, round_row
from tournament.core.transaction import EventChange, event_transaction, row_id, table_details
from tournament.events.models import Event
from tournament.players.models import Player
from tournament.publication.names import shown_name
from tournament.rounds.actions import release_round
from tournament.sheets.actions import last_sheet
from tournament.sheets.models import SheetCheck
from tournament.tables.actions import freeze_rules
from tournament.tables.models import Round, Seat, Table

TABLE_TAKEN_BACK = Act("table_taken_back", "took table {table} back before its first hand, round {round}")
TABLE_SEATED = Act(
    "table_seated", "seated players {players} at table {table}, round {round}", Seals.WRITTEN, Shown.PUBLIC
)

OPEN_ROUNDS = ProblemType("open.rounds", "This event is played in rounds: seats are drawn for all tables of a round.")
OPEN_SEATS = ProblemType("open.seats", "A table has {size} different players; {count} are chosen.")
OPEN_SEATS_EITHER = ProblemType(
    "open.seats_either", "A table has {size} or {other} different players; {count} are chosen."
)
OPEN_STRANGER = ProblemType("open.stranger", "Somebody who was chosen is no player of this event: load the page again.")
OPEN_NOT_HERE = ProblemType("open.not_here", "{name} is not here: check the player in first.")
OPEN_PLAYS = ProblemType("open.plays", "{name} still plays at table {table}.")
OPEN_BEGUN = ProblemType("open.begun", "Something is entered at table {table} already: it can no longer be undone.")
OPEN_TABLE_USED = ProblemType("open.table_used", "Table {table} is still played at: choose another table.")
OPEN_TABLE_RANGE = ProblemType("open.table_range", "Table {table} is not possible; 1 to {most} are.")
OPEN_FULL = ProblemType("open.full", "An open event has at most {most} tables. Create an event for the next evening.")

MOST_ROUNDS = 500
MOST_TABLES = 999


def seat_table(
    *, event: Event, seats: Sequence[Player], hall_table: int | None, client_id: UUID, by: Account | None
) -> Table:
    """Seat players at a table of the hall as a round of its own, in seat order, and start its clock.

    Without a `hall_table` it gets the first that is free. Nobody (None) is who sits there, by a code of the event. A
    known `client_id` changes nothing and returns its table. Raises DomainError for an event in rounds, for who is not
    here or plays, for a table in use, and for the same `client_id` with other players or after its table was undone.
    """
    with event_transaction(event, TABLE_SEATED, by=by) as change:
        chosen = [player.pk for player in seats]
        seated = Table.objects.filter(round__event=event, round__drawn__client_id=str(client_id))
        if known := seated.select_related("round__event").first():
            if [seat.player_id for seat in known.seats.all()] != chosen:
                raise DomainError(FORM_SENT_ALREADY())
            change.mark_unchanged()
            return known
        if change.is_duplicate(client_id):  # its table was undone since
            raise DomainError(FORM_STALE())
        number = _next_round(change.event)
        used = _tables_in_use(change.event)
        players = _check_players(change.event, chosen, used)
        table_number = hall_table or next(free for free in range(1, MOST_TABLES + 1) if free not in used.values())
        if not 1 <= table_number <= MOST_TABLES:
            raise DomainError(OPEN_TABLE_RANGE(table=table_number, most=MOST_TABLES))
        if table_number in used.values():
            raise DomainError(OPEN_TABLE_USED(table=table_number))
        table = _write_table(change, number, table_number, players, client_id)
        change.details = {"round": number, "table": table_number, "players": [player.number for player in players]}
    return table


def seat_tables(
    *, event: Event, tables: Sequence[tuple[Sequence[Player], int | None]], client_id: UUID, by: Account | None
) -> list[Table]:
    """Seat several tables of players and hall table, all or none; see `seat_table`."""
    with transaction.atomic():
        return [
            seat_table(event=event, seats=seats, hall_table=at, client_id=row_id(client_id, number), by=by)
            for number, (seats, at) in enumerate(tables)
        ]


def take_table_back(*, table: Table, by: Account) -> None:
    """Delete a table of an open event at which nothing happened yet: its players wait again.

    Raises DomainError once a hand, a sheet, a call or anything else is noted there.
    """
    with event_transaction(table.round.event, TABLE_TAKEN_BACK, by=by) as change:
        round_ = change.event.rounds.filter(pk=table.round_id).first()
        if round_ is None:
            change.mark_unchanged()
            return
        change.details = table_details(table)
        if not change.event.is_open or round_.released_at or table.typed_sheets.exists():
            raise DomainError(OPEN_BEGUN(table=table.number))
        try:
            round_.delete()
        except ProtectedError as wrong:
            raise DomainError(OPEN_BEGUN(table=table.number)) from wrong


def _next_round(event: Event) -> int:
    """Return the number of the next round; raises DomainError where no table can be added."""
    if not event.is_open:
        raise DomainError(OPEN_ROUNDS())
    if event.rounds.count() >= MOST_ROUNDS:
        raise DomainError(OPEN_FULL(most=MOST_ROUNDS))
    # no count: a table that was taken back leaves a gap, and its number may be in the trail
    return int(event.rounds.aggregate(last=Max("number"))["last"] or 0) + 1


def _tables_in_use(event: Event) -> dict[int, int]:
    """Return the hall's table at which each player plays now, by primary key of the player."""
    playing = Seat.objects.filter(round__event=event, round__released_at=None)
    return dict(playing.values_list("player", "table__number"))


def _check_players(event: Event, chosen: Sequence[int], used: dict[int, int]) -> list[Player]:
    """Return the players in seat order as they are now; raises DomainError unless all can sit down."""
    if len(chosen) not in event.rulesets or len(chosen) != len(set(chosen)):
        size, *other = sorted(event.rulesets)
        count = len(set(chosen))
        raise DomainError(
            OPEN_SEATS_EITHER(size=size, other=other[0], count=count) if other else OPEN_SEATS(size=size, count=count)
        )
    found = event.players.select_related("person").in_bulk(chosen)
    if len(found) != len(chosen):
        raise DomainError(OPEN_STRANGER())
    players = [found[key] for key in chosen]
    problems: list[Problem] = []
    for player in players:
        name = shown_name(player)  # a phone reads it, too
        if player.pk in used:
            problems.append(OPEN_PLAYS(name=name, table=used[player.pk]))
        elif player.withdrawn_at or not player.checked_in_at:
            problems.append(OPEN_NOT_HERE(name=name))
    if problems:
        raise DomainError(*problems)
    return players


def _write_table(
    change: EventChange, number: int, table_number: int, players: Sequence[Player], client_id: UUID
) -> Table:
    freeze_rules(change)
    event, drawn = change.event, {"by": "open", "client_id": str(client_id)}
    round_ = Round.objects.create(event=event, number=number, published_at=change.at, started_at=change.at, drawn=drawn)
    table = Table.objects.create(round=round_, number=table_number)
    Seat.objects.bulk_create(
        Seat(round=round_, table=table, seat=seat, player=player) for seat, player in enumerate(players)
    )
    event.rounds_planned = max(event.rounds_planned, number)
    event.save(update_fields=["rounds_planned"])
    change.seal_rules()
    seats = [[seat, player.number] for seat, player in enumerate(players)]
    change.seal([round_row(round_), (f"seats {number}/{table_number}", Sealed(seats))])
    return table


def release_signed(table: Table, by: Account | None) -> None:
    """Release the round of a table of an open event, once its sheet is signed and, where the event asks, confirmed."""
    event = table.round.event
    last = last_sheet(table) if event.is_open else None
    if last is None or not last.signed:
        return
    if event.confirms and not SheetCheck.objects.filter(sheet=last, confirmed=True).exists():
        return
    release_round(round_=table.round, by=by)
