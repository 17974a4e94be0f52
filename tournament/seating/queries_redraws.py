"""The field of an event at one moment: for a redraw, and by standing for the next round."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from scoring.problems import ProblemType
from tournament.core.errors import Refused
from tournament.models.event import Event
from tournament.models.ledger import LedgerEntry, SheetRow
from tournament.models.rounds import Round, Seat
from tournament.seating.plan_1 import read_drawn
from tournament.seating.plan_wishes import read_asked
from tournament.seating.redraw_plan_by_standing import Standee, StandingField, after_cuts
from tournament.seating.redraw_plan_redraw import FieldNow, Guest, RoundNow, Stage, asked_of
from tournament.standings.columns import StandingRow
from tournament.standings.queries import Standings, list_cuts, read_standings

NEXT_ROUND_OPEN = ProblemType(
    "next.round_open", "Round {round} is not released yet: the next one is drawn from standings that all can see."
)


@dataclass(frozen=True, slots=True)
class _About:
    club: str
    country: str
    team: str


def get_standing_field(event: Event) -> StandingField:
    """Return who plays on; some twenty queries. Raises Refused while a round that is published is not released."""
    waiting = event.rounds.filter(published_at__isnull=False, released_at=None).order_by("number").first()
    if waiting:
        raise Refused(NEXT_ROUND_OPEN(round=waiting.number))
    field, standings = get_field(event), read_standings(event, with_held=True)
    played = [each for each in field.rounds if each.stage != "open"]
    about = _about(event)
    cuts = [(frozenset(cut.through), "stop" if cut.others == "stop" else "play_on") for cut in list_cuts(event)]
    return StandingField(
        number=max((each.number for each in played), default=0) + 1,
        groups=after_cuts(_order(field, standings, about), cuts),  # type: ignore[arg-type]  # of two words, both known
        reserves=tuple(
            _standee(guest.number, guest.name, about)
            for guest in field.guests
            if not guest.ranked and not guest.withdrawn
        ),
        played=tuple(each.tables for each in played),
        table_size=field.table_size,
        last=field.last,
        drawn=tuple(each.number for each in field.rounds if each.stage == "open"),
        asked=field.asked,
    )


def _order(field: FieldNow, standings: Standings, about: Mapping[int, _About]) -> list[Standee]:
    """Return the ranked players who have not left, best first."""
    gone = {guest.number for guest in field.guests if guest.withdrawn}
    return [_standee(row.number, row.name, about, row) for row in standings.rows if row.number not in gone]


def _standee(number: int, name: str, about: Mapping[int, _About], row: StandingRow | None = None) -> Standee:
    known = about[number]
    return Standee(
        number=number,
        name=name,
        rank=row.rank if row else 0,
        total=row.total if row else 0,
        group=row.group if row else 0,
        club=known.club,
        country=known.country,
        team=known.team,
    )


def _about(event: Event) -> dict[int, _About]:
    rows = event.players.values_list("number", "person__club", "person__country", "team")
    return {number: _About(club, country, team) for number, club, country, team in rows}


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
