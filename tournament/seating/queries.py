"""The draw of an event and its drafts, the players to be seated, and the field for a redraw or a round by standing."""

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, QuerySet

from scoring.problems import Problem, ProblemType
from tournament.core.acts import Act
from tournament.core.errors import DomainError
from tournament.core.prepared import Prepared
from tournament.events.models import Event
from tournament.publication.names import name_of
from tournament.seating.models import DraftState, DrawDraft
from tournament.seating.plan import (
    PLAIN,
    DrawOriginData,
    DrawReport,
    DrawWishes,
    Entrant,
    Plan,
    read_asked,
    read_drawn,
    report_from_json,
    report_on,
)
from tournament.seating.redraw_plan import (
    FieldNow,
    RankedPlayer,
    RedrawPlayer,
    RoundNow,
    Stage,
    StandingField,
    after_cuts,
)
from tournament.seating.search.draw import UnevenSeating
from tournament.sheets.models import SheetRow
from tournament.standings.queries import list_cuts, read_standings
from tournament.tables.models import LedgerEntry, Round, Seat, Table
from tournament.tables.rows import DrawOrigin, RoundRow, SeatedPlayer, TableRow
from tournament.tables.rows import Entrant as ListedPlayer

SILENCE: Final = dt.timedelta(seconds=30)  # a search writes twice a second; one that is silent so long has died

Rounds = tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A draft. `state` is a DraftState or "interrupted"; `stale` says that it was made for another field.

    `best` pairs the key of a wish with how often the best so far misses it; `rounds` and `resting` are in player
    numbers, empty until the search is over, as `report` is None.
    """

    id: int
    seed: int
    way: str
    asked: DrawWishes
    state: str
    share: int
    best: tuple[tuple[str, int], ...]
    stop_asked: bool
    problem: Problem | None
    rounds: Rounds
    resting: tuple[tuple[int, ...], ...]
    substitutes: int
    report: DrawReport | None
    cut_short: bool
    stale: bool
    taken: bool
    made_at: dt.datetime

    @property
    def searching(self) -> bool:
        return self.state == DraftState.SEARCHING

    @property
    def done(self) -> bool:
        return self.report is not None


def get_field(event: Event, *, seed: int = 0, asked: DrawWishes = PLAIN, way: str = UnevenSeating.FULL.value) -> Plan:
    """Return the plan of a draw without a look at whether it can be: only its field is sure; one query.

    Substitutes that an unpublished draw brought are left out: they go when it goes.
    """
    drawn = read_drawn(event.drawn)
    brought = drawn.substitutes if drawn else ()
    rows = event.players.exclude(number__in=brought).order_by("number")
    people = list(rows.values_list("number", "person__club", "person__country", "withdrawn_at"))
    entrants = tuple(Entrant(number, club, country) for number, club, country, gone in people if gone is None)
    return Plan(
        entrants=entrants,
        table_size=event.ruleset.players,
        rounds=event.rounds_planned,
        last=max((number for number, *_ in people), default=0),
        seed=seed,
        way=str(way),
        asked=asked,
    )


def is_alive(draft: DrawDraft, at: dt.datetime) -> bool:
    """Tell whether a search has reported lately."""
    return at - draft.seen_at <= SILENCE


def list_drafts(event: Event, *, fingerprint: str, at: dt.datetime) -> list[DraftRow]:
    """List the drafts of an event, the oldest first; one query. `fingerprint` is that of its field as it is now."""
    return [_row(draft, fingerprint, at) for draft in event.drafts.all()]


def _row(draft: DrawDraft, fingerprint: str, at: dt.datetime) -> DraftRow:
    dead = draft.state == DraftState.SEARCHING and not is_alive(draft, at)
    return DraftRow(
        id=draft.pk,
        seed=draft.seed,
        way=draft.way,
        asked=read_asked(draft.asked),
        state="interrupted" if dead else str(draft.state),
        share=draft.share,
        best=tuple((str(key), int(missed)) for key, missed in draft.best),
        stop_asked=draft.stop_asked,
        problem=_problem(draft.problem) if draft.problem else None,
        rounds=tuple(tuple(tuple(table) for table in tables) for tables in draft.rounds),
        resting=tuple(tuple(numbers) for numbers in draft.resting),
        substitutes=draft.substitutes,
        report=report_from_json(draft.report) if draft.report else None,
        cut_short=bool(draft.report.get("cut_short")),
        stale=draft.fingerprint != fingerprint,
        taken=draft.taken_at is not None,
        made_at=draft.made_at,
    )


def _problem(value: dict[str, Any]) -> Problem:
    params = {key: tuple(each) if isinstance(each, list) else each for key, each in value["params"].items()}
    return Problem(value["code"], params)


@dataclass(frozen=True, slots=True)
class Draw:
    """All rounds drawn; `drawn` says what from, None for seats made elsewhere or by an earlier desk."""

    seed: int | None
    rounds: tuple[RoundRow, ...]
    drawn: DrawOriginData | None

    @property
    def numbers(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The rounds as tables of player numbers in seat order."""
        return tuple(
            tuple(tuple(player.number for player in table.seats) for table in row.tables) for row in self.rounds
        )


def get_draw(event: Event) -> Draw:
    """Return the draw of an event; two queries."""
    states = {row.pk: row for row in event.rounds.all()}
    found = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    grouped: dict[int, dict[int, list[SeatedPlayer]]] = {pk: {} for pk in states}
    for round_, table, seat, number, name in found.values_list(
        "round_id", "table__number", "seat", "player__number", name_of("player__")
    ):
        grouped[round_].setdefault(table, []).append(SeatedPlayer(seat, number, name))
    rounds = tuple(
        RoundRow(
            states[pk].number,
            tuple(TableRow(number, tuple(seats)) for number, seats in tables.items()),
            states[pk].state,
        )
        for pk, tables in grouped.items()
    )
    return Draw(event.seed, rounds, read_drawn(event.drawn))


def get_origin(event: Event, round_: Round) -> tuple[int | None, DrawOrigin | None]:
    """Return the seed of a round and what else its seats were drawn from; without a query.

    The seed is None where the seats were not drawn by this program, the rest where nothing but the seed is known: a
    draw without wishes by an earlier desk.
    """
    if round_.drawn:
        seed = round_.drawn.get("seed")
        return (seed if isinstance(seed, int) else None), DrawOrigin(by=str(round_.drawn.get("by", "draw")))
    drawn = read_drawn(event.drawn)
    if drawn is None:
        return event.seed, None
    return event.seed, DrawOrigin(
        players=drawn.players,
        substitutes=len(drawn.substitutes),
        wishes=bool(drawn.asked.used),
        rests=drawn.way == UnevenSeating.RESTS,
        ended_early=drawn.cut_short,
    )


def _ask_count(event: int, round_: int) -> QuerySet[Table, Any]:
    found = Table.objects.filter(round__event=event, round__number=round_).order_by().values("round")
    return found.annotate(count=Count("pk")).values_list("count")


_COUNT = Prepared(_ask_count)


def count_tables(event: Event, round_: int) -> int:
    """Count the tables of a round; one query."""
    (count,) = _COUNT.first(event.pk, round_) or (0,)
    return int(count)


def count_draw(draw: Draw, *, table_size: int, entrants: Sequence[Entrant]) -> DrawReport | None:
    """Count the quality of a draw from its seats, None where nobody has one; without a query."""
    if not any(row.tables for row in draw.rounds):
        return None
    asked = draw.drawn.asked if draw.drawn else PLAIN
    brought = draw.drawn.substitutes if draw.drawn else ()
    return report_on(draw.numbers, table_size, asked=asked, entrants=entrants, substitutes=brought)


def list_entrants(event: Event) -> list[ListedPlayer]:
    """List the players that a schedule has to seat, and those who have left, by number; one query.

    Substitutes that an unpublished draw brought are left out: they go when it goes.
    """
    drawn = read_drawn(event.drawn)
    rows = event.players.exclude(number__in=drawn.substitutes if drawn else ()).order_by("number")
    return [
        ListedPlayer(number, name, left is not None)
        for number, name, left in rows.values_list("number", "person__preferred_name", "withdrawn_at")
    ]


def get_player_ids(event: Event) -> dict[int, int]:
    """Return the primary key of each player by number; one query."""
    return dict(event.players.values_list("number", "pk"))


NEXT_ROUND_OPEN = ProblemType(
    "next.round_open", "Round {round} is not released yet: the next one is drawn from standings that all can see."
)


DRAW_OPEN = ProblemType("draw.open", "This event is open: its players are seated table by table.")


def check_in_rounds(event: Event) -> None:
    """Raise DomainError for an open event, whose tables are seated one by one."""
    if event.is_open:
        raise DomainError(DRAW_OPEN())


def get_standing_field(event: Event) -> StandingField:
    """Return who plays on; some twenty queries.

    Raises DomainError for an open event, and while a round that is published is not released.
    """
    check_in_rounds(event)
    waiting = event.rounds.filter(published_at__isnull=False, released_at=None).order_by("number").first()
    if waiting:
        raise DomainError(NEXT_ROUND_OPEN(round=waiting.number))
    field, standings = get_redraw_field(event), read_standings(event, with_held=True)
    played = [each for each in field.rounds if each.stage != "open"]
    guests = {guest.number: guest for guest in field.guests}
    order = [
        _standee(guests[row.number], row.rank, row.total, row.group)
        for row in standings.rows
        if not guests[row.number].withdrawn
    ]
    cuts = [(frozenset(cut.through), "stop" if cut.others == "stop" else "play_on") for cut in list_cuts(event)]
    return StandingField(
        number=max((each.number for each in played), default=0) + 1,
        groups=after_cuts(order, cuts),  # type: ignore[arg-type]  # of two words, both known
        reserves=tuple(_standee(guest) for guest in field.guests if not guest.ranked and not guest.withdrawn),
        played=tuple(each.tables for each in played),
        table_size=field.table_size,
        last=field.last,
        drawn=tuple(each.number for each in field.rounds if each.stage == "open"),
        asked=field.asked,
    )


def _standee(guest: RedrawPlayer, rank: int = 0, total: int = 0, group: int = 0) -> RankedPlayer:
    return RankedPlayer(guest.number, guest.name, rank, total, group, guest.club, guest.country, guest.team)


def get_redraw_field(event: Event) -> FieldNow:
    """Return the field of an event; six queries."""
    written, drawn = _written(event), read_drawn(event.drawn)
    columns = ("number", "person__preferred_name", "person__club", "person__country", "ranked", "withdrawn_at", "team")
    people = event.players.order_by("number").values_list(*columns)
    seats: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    found = Seat.objects.filter(round__event=event).order_by("table__number", "seat")
    for round_, table, player in found.values_list("round_id", "table__number", "player__number"):
        seats[round_][table].append(player)
    return FieldNow(
        guests=tuple(
            RedrawPlayer(number, name, club, country, ranked, gone is not None, team)
            for number, name, club, country, ranked, gone, team in people
        ),
        rounds=tuple(
            RoundNow(
                row.number,
                _stage(row, begun=row.pk in written),
                tuple(tuple(seats[row.pk].get(number, ())) for number in range(1, max(seats[row.pk], default=0) + 1)),
            )
            for row in event.rounds.order_by("number")
        ),
        table_size=event.ruleset.players,
        asked=drawn.asked if drawn else read_asked(event.wishes),
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


SCHEDULE_REFUSED_BY_JUDGE = ProblemType("schedule.refused_by_judge", "The schedule cannot be used: {why}")
SCHEDULE_TAKEN = Act(
    "schedule_taken", "imported seats for {players} players in {rounds} rounds from a file, {repeats} repeat meetings"
)
