"""Verbs on rounds: draw seats, publish them, start a round, release it. Published seats never move by themselves."""

from collections.abc import Sequence

from scoring.problems import Problem, error
from tournament.models import Account, Event, Player, Round, Seat, Table
from tournament.refusal import Refused
from tournament.seating.chance import shuffle_players
from tournament.seating.draw import draw_schedule
from tournament.seating.errors import SeatingError
from tournament.seating.schedule import Schedule
from tournament.services.events import freeze_rules
from tournament.services.sheets import is_confirmed
from tournament.services.writing import writing

MOST_SEED = 2_147_483_647


def draw_seats(*, event: Event, seed: int, by: Account) -> None:
    """Draw all rounds of an event anew; the same seed and the same list of players give the same draw.

    The seed also draws who gets which number of the schedule. Raises Refused once a round is published, and when the
    players cannot be seated.
    """
    if not 0 <= seed <= MOST_SEED:
        raise Refused(error("draw.seed_out_of_range", most=MOST_SEED))
    players = _players(event)
    # the search may take seconds: it runs before the transaction, so that it holds up nobody who is entering hands
    schedule = _schedule(event, len(players), seed)
    with writing(event, "seats_drawn", by=by) as change:
        if change.event.rounds.filter(published_at__isnull=False).exists():
            raise Refused(error("draw.already_published"))
        if _players(change.event) != players:
            raise Refused(error("draw.players_changed"))
        change.event.rounds.all().delete()
        change.event.seed = seed
        change.event.save(update_fields=["seed"])
        _seat(change.event, schedule.rounds, shuffle_players(players, seed))
        change.details = {"seed": seed, "repeats": schedule.report.repeats, "players": len(players)}


def discard_draw(*, event: Event, by: Account) -> None:
    """Throw an unpublished draw away, so that the list of players opens again."""
    with writing(event, "draw_discarded", by=by) as change:
        if change.event.rounds.filter(published_at__isnull=False).exists():
            raise Refused(error("draw.already_published"))
        if not change.event.rounds.exists():
            change.nothing_new()
        change.event.rounds.all().delete()
        change.event.seed = None
        change.event.save(update_fields=["seed"])


def seat_rounds(event: Event, rounds: Sequence[Sequence[Sequence[Player]]]) -> list[Round]:
    """Write rounds of tables of players in seat order, within a change; the rounds follow those that are there."""
    first = event.rounds.count() + 1
    made = Round.objects.bulk_create([Round(event=event, number=first + index) for index in range(len(rounds))])
    tables = Table.objects.bulk_create(
        Table(round=round_, number=number)
        for round_, drawn in zip(made, rounds, strict=True)
        for number in range(1, len(drawn) + 1)
    )
    seated = (table for drawn in rounds for table in drawn)
    Seat.objects.bulk_create(
        Seat(round=table.round, table=table, seat=seat, player=player)
        for table, players in zip(tables, seated, strict=True)
        for seat, player in enumerate(players)
    )
    return made


def publish_rounds(*, event: Event, numbers: Sequence[int], by: Account) -> None:
    """Make the seats of these rounds public, for good."""
    with writing(event, "seats_published", by=by) as change:
        rounds = list(change.event.rounds.filter(number__in=numbers, published_at=None))
        if not rounds:
            change.nothing_new()
        for round_ in rounds:
            round_.published_at = change.at
            round_.save(update_fields=["published_at"])
        change.details = {"rounds": [round_.number for round_ in rounds]}


def start_round(*, round_: Round, by: Account) -> None:
    """Start the clock of a published round; the rules are frozen from the first start on."""
    with writing(round_.event, "round_started", by=by) as change:
        current = Round.objects.get(pk=round_.pk)
        if current.published_at is None:
            raise Refused(error("round.not_published", round=current.number))
        change.details = {"round": current.number}
        if current.started_at:
            change.nothing_new()
            return
        freeze_rules(change)
        current.started_at, current.start_taken_back = change.at, None
        current.save(update_fields=["started_at", "start_taken_back"])


def release_round(*, round_: Round, by: Account) -> None:
    """Make the results of a round public, all tables at once; every table must be signed.

    Where the event asks a second person, every sheet must be confirmed as well. Raises Refused with what is missing.
    """
    with writing(round_.event, "round_released", by=by) as change:
        current = Round.objects.get(pk=round_.pk)
        change.details = {"round": current.number}
        if current.released_at:
            change.nothing_new()
            return
        missing = tuple(table.number for table in current.tables.order_by("number") if not _is_signed(table))
        if missing:
            raise Refused(error("round.tables_missing", tables=missing, round=current.number))
        if change.event.confirms:
            unconfirmed = tuple(table.number for table in current.tables.order_by("number") if not is_confirmed(table))
            if unconfirmed:
                raise Refused(error("round.sheets_unconfirmed", tables=unconfirmed, round=current.number))
        current.released_at = change.at
        current.save(update_fields=["released_at"])


def _players(event: Event) -> list[Player]:
    return list(event.players.filter(withdrawn_at=None).order_by("number"))


def _schedule(event: Event, players: int, seed: int) -> Schedule:
    rules = event.ruleset
    try:
        return draw_schedule(players=players, table_size=rules.players, rounds=event.rounds_planned, seed=seed)
    except SeatingError as wrong:
        raise Refused(Problem(wrong.code, {key: _whole(value) for key, value in wrong.params.items()})) from wrong


def _whole(value: float | str) -> int | str:
    return str(value) if isinstance(value, float) else value


def _is_signed(table: Table) -> bool:
    last = table.sheets.order_by("-seq").first()
    return bool(last and last.signed)


def _seat(event: Event, rounds: Sequence[Sequence[Sequence[int]]], players: Sequence[Player]) -> None:
    seat_rounds(event, [[[players[number] for number in table] for table in round_] for round_ in rounds])
