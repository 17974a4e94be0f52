"""An event's players and rounds at one moment, as a redraw and a round by standing see them. It plans nothing."""

from collections import defaultdict

from tournament.draws.plan import read_drawn
from tournament.draws.redraw import FieldNow, Guest, RoundNow, Stage, asked_of
from tournament.draws.wishes import read_asked
from tournament.models import Event, LedgerEntry, Round, Seat, SheetRow


def get_field(event: Event) -> FieldNow:
    """Return the field of an event; six queries."""
    rounds = list(event.rounds.order_by("number"))
    written = _written(event)
    seats: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    found = Seat.objects.filter(round__event=event).order_by("table__number", "seat")
    for round_, table, player in found.values_list("round_id", "table__number", "player__number"):
        seats[round_][table].append(player)
    return FieldNow(
        guests=_guests(event),
        rounds=tuple(
            RoundNow(row.number, _stage(row, begun=row.pk in written), _tables(seats[row.pk])) for row in rounds
        ),
        table_size=event.ruleset.players,
        asked=asked_of(read_drawn(event.drawn), read_asked(event.wishes)),
    )


def _guests(event: Event) -> tuple[Guest, ...]:
    columns = ("number", "person__preferred_name", "person__club", "person__country", "ranked", "withdrawn_at")
    rows = event.players.order_by("number").values_list(*columns)
    return tuple(
        Guest(number, name, club, country, ranked, gone is not None)
        for number, name, club, country, ranked, gone in rows
    )


def _written(event: Event) -> set[int]:
    """Return the ids of the rounds in which something is written: a hand or a sheet."""
    hands = LedgerEntry.objects.filter(table__round__event=event).values_list("table__round_id", flat=True)
    sheets = SheetRow.objects.filter(table__round__event=event).values_list("table__round_id", flat=True)
    return {*hands.distinct().order_by(), *sheets.distinct().order_by()}


def _stage(row: Round, *, begun: bool) -> Stage:
    if begun or row.started_at or row.released_at:
        return "begun"
    return "published" if row.published_at else "open"


def _tables(by_number: dict[int, list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(by_number.get(number, ())) for number in range(1, max(by_number, default=0) + 1))
