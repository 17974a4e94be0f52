"""The event's foul catalogue, and the penalty that a foul asks for now: its case, its repetition, its amount."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from rules.foul_books import catalogue
from rules.fouls import TAKES, Act, Case, Catalogue, Foul, FoulError, amounts, foul_of, of_lateness, with_amounts
from rules.fouls import Penalty as BookPenalty
from rules.ruleset import Ruleset
from scoring.problems import ProblemType, shown
from tournament.core.errors import Refused
from tournament.models.event import Event
from tournament.models.people import Player, Substitution
from tournament.models.referee import Penalty, PenaltyKind
from tournament.models.rounds import Table
from tournament.tables.queries_tables import LoadedTable, load_tables

FOUL_UNKNOWN = ProblemType("foul.unknown", "The event's catalogue has no foul “{foul}”.")
FOUL_CASE_UNKNOWN = ProblemType("foul.case_unknown", "Say which case of the foul it is: “{case}” is none of “{foul}”.")
FOUL_MINUTES_MISSING = ProblemType("foul.minutes_missing", "Say by how many minutes the player is late: 1 to {most}.")
FOUL_DECISION_UNKNOWN = ProblemType(
    "foul.decision_unknown", "“{decision}” is not a ruling that a referee can give here."
)

MOST_MINUTES = 999
LATE = "late"
DECISIONS: tuple[Act, ...] = ("warning", "points", "dead_hand", "chombo")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offence:
    """What somebody did, by the catalogue's keys, and what the referee makes of it.

    `minutes` are those begun, of being late. `points` change the amount, with `amount_reason`; None leaves it.
    `decision` is one of DECISIONS where the book leaves it to the referee; empty: it is only noted. `charge` is why the
    replaced player pays for what the substitute did; empty: nobody pays for somebody else.
    """

    foul: str
    case: str = ""
    minutes: int = 0
    points: int | None = None
    amount_reason: str = ""
    note: str = ""
    decision: str = ""
    charge: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What the catalogue asks for now: the case as it is the `time`-th time, and points for each who pays.

    `points` up to `most` need no reason. `ledger` of them are what a chombo costs in the table's ledger. `is_free`: the
    book leaves the amount to the referee. `offender` is the substitute who did it, None for the player.
    """

    foul: Foul
    penalty: BookPenalty
    case: Case
    time: int
    minutes: int
    kind: PenaltyKind
    points: int
    most: int
    ledger: int
    is_free: bool
    offender: Substitution | None = None


def get_catalogue(event: Event, rules: Ruleset | None = None) -> Catalogue:
    """Return the fouls of the event's rule set, or of another, with the event's own amounts; empty without a list."""
    read = catalogue(rules or event.ruleset)
    known = amounts(read)
    # amounts of a book that the event has left since are still stored
    return with_amounts(read, {key: points for key, points in event.foul_amounts.items() if key in known})


def get_proposal(event: Event, player: Player, offence: Offence, *, table: int | None = None) -> Proposal:
    """Return what an offence comes to for a player now; three queries at most.

    At a `table`, by its id, where the player is replaced, it is the substitute's offence; not where it is the reason
    for the replacement. Raises Refused for a foul or case that the catalogue does not have, and for being late by no
    minutes.
    """
    fouls = get_catalogue(event)
    foul, penalty, case = _find(fouls, offence)
    offender = None if table is None or _replaces(foul, case) else find_substitution(player, table=table)
    time = 1 + count_times(event, player, foul.key, case.key, offender=offender)
    case = case.at(time)
    is_free = "referee" in case.acts and not case.points
    case = _decided(case, offence, event.ruleset.chombo_points)
    points = case.amount(offence.minutes or 1)
    return Proposal(
        foul=foul,
        penalty=penalty,
        case=case,
        time=time,
        minutes=offence.minutes if case.per == "minute" or foul.key == "late_over" else 0,
        kind=kind_of(case),
        points=points,
        most=max(points, case.most),
        ledger=event.ruleset.chombo_points if "chombo" in case.acts else 0,
        is_free=is_free,
        offender=offender,
    )


def _replaces(foul: Foul, case: Case) -> bool:
    """Tell whether an offence can be why somebody is replaced: it is the player's own then."""
    return foul.key == LATE or "substitute" in case.acts


def find_substitution(player: Player, **where: Any) -> Substitution | None:
    """Return the substitute who plays for a player at a `table` or in a `table__round`, None for nobody."""
    found = Substitution.objects.filter(player=player, cancelled_at=None, **where)
    return found.select_related("substitute__person", "player__person").first()


def count_times(event: Event, player: Player, foul: str, case: str, *, offender: Substitution | None = None) -> int:
    """Count how often a player, or the substitute `offender`, has done it in the event; not what is cancelled."""
    found = Penalty.objects.filter(event=event, foul=foul, case=case, cancelled_at=None)
    if offender is None:
        own = Q(substitution=None) | Q(substitution__cancelled_at__isnull=False)
        return found.filter(Q(own, player=player) | Q(substitution__substitute=player)).count()
    if offender.substitute_id:
        who = offender.substitute_id
        return found.filter(Q(substitution__substitute=who) | Q(player=who, substitution=None)).count()
    same = Q(substitution__name__iexact=offender.name) if offender.name else Q(substitution=offender)
    return found.filter(same, substitution__cancelled_at=None).count()


def get_current_table(event: Event, player: Player) -> LoadedTable | None:
    """Load the table where a player sits now, as a substitute too: in the first public round that is not released."""
    own = Q(seats__player=player) | Q(substitutions__substitute=player, substitutions__cancelled_at=None)
    tables = Table.objects.filter(own, round__event=event, round__published_at__isnull=False, round__released_at=None)
    table = tables.order_by("round__number").values_list("pk", flat=True).first()
    return load_tables(event, ids=[table])[0] if table else None


def is_open(case: Case) -> bool:
    """Tell whether the book leaves it to the referee what a case comes to, and not its amount alone."""
    return "referee" in case.acts and not TAKES & set(case.acts)


def kind_of(case: Case) -> PenaltyKind:
    """Return the kind of penalty for the gravest act of a case."""
    for act, kind in (
        ("chombo", PenaltyKind.CHOMBO),
        ("dead_hand", PenaltyKind.DEAD_HAND),
        ("points", PenaltyKind.POINTS),
        ("warning", PenaltyKind.WARNING),
    ):
        if act in case.acts:
            return kind
    return PenaltyKind.OTHER


def _decided(case: Case, offence: Offence, chombo_points: int) -> Case:
    """Return a case as the referee decides it; an amount alone is a decision for points."""
    decision = offence.decision or ("points" if offence.points and is_open(case) else "")
    if not decision:
        return case
    if decision not in DECISIONS or not is_open(case):
        raise Refused(FOUL_DECISION_UNKNOWN(decision=shown(decision)))
    points = chombo_points if decision == "chombo" else 0
    return dataclasses.replace(case, acts=(decision,), points=points, most=0)


def _find(fouls: Catalogue, offence: Offence) -> tuple[Foul, BookPenalty, Case]:
    if offence.foul == LATE:
        return _late(fouls, offence.minutes)
    try:
        foul, penalty = foul_of(fouls, offence.foul)
    except FoulError as wrong:
        raise Refused(FOUL_UNKNOWN(foul=shown(offence.foul))) from wrong
    case = next((case for case in penalty.cases if case.key == offence.case), None)
    if case is None:
        raise Refused(FOUL_CASE_UNKNOWN(foul=shown(offence.foul), case=shown(offence.case)))
    return foul, penalty, case


def _late(fouls: Catalogue, minutes: int) -> tuple[Foul, BookPenalty, Case]:
    found = of_lateness(fouls, minutes) if minutes <= MOST_MINUTES else None
    if found is None:
        raise Refused(FOUL_MINUTES_MISSING(most=MOST_MINUTES))
    foul, case = found
    return foul, fouls.penalties[foul.key], case
