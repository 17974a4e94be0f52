"""Penalties of an event, what they cost now or under other rules, and the event's foul catalogue with its proposals.

A chombo given by the catalogue is in the register and in the ledger: it is one row here, and counts as long as its hand
is a chombo. So is a replacement whose points the register has by the catalogue already. What a substitute did is the
substitute's, and costs the replaced player nothing.
"""

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from rules.foul_books import catalogue
from rules.fouls import TAKES, Act, Case, Catalogue, Foul, FoulError, amounts, foul_of, of_lateness, with_amounts
from rules.fouls import Penalty as BookPenalty
from rules.ruleset import Ruleset
from scoring.entries import Chombo
from scoring.problems import ProblemType, printable_excerpt
from tournament.accounts.queries import account_names
from tournament.core.errors import DomainError
from tournament.core.prepared import Prepared
from tournament.events.models import Event
from tournament.incidents.models import Substitution
from tournament.penalties.models import Penalty, PenaltyKind
from tournament.players.models import Player
from tournament.publication.names import shown_name
from tournament.tables.history import Item
from tournament.tables.models import LedgerEntry, Table
from tournament.tables.queries import LoadedTable, SeatGame, amounts_at, load_tables
from tournament.tables.rows import PenaltyRow, SeatedPlayer
from tournament.tables.table_queries import LedgerLine, Substitute

Key = tuple[int, int, int]  # a table's id, the `seq` that names the hand, the player's number
Moved = Mapping[tuple[int, int], int]  # a table's id and a player's number → who has that seat if it is moved
RegisterRow = Sequence[Any]  # the columns of `_ask_register` after the event
Given = tuple[str, str, int, int | None]  # of a row of the register: foul, kind, player's number, round, if any


@dataclass(frozen=True, slots=True)
class _Offence:
    """One player's part in a valid chombo of a ledger; with a `substitute` it is the substitute's."""

    table: LoadedTable
    player: SeatedPlayer
    item: Item
    line: LedgerLine
    substitute: Substitute | None

    @property
    def cost(self) -> int:
        """What it costs the player, in points."""
        return self.table.chombo_cost(self.item, self.player.seat)


def count_points(event: Event, tables: Iterable[LoadedTable], *, rounds: Iterable[int] | None = None) -> dict[int, int]:
    """Sum the penalties of each player number: the register, and these tables' chombo and replacements.

    With `rounds`, a penalty of another round does not count yet; one without a round always does.
    """
    found = count_points_by_round(event, tables, rounds=rounds)
    return {number: sum(points.values()) for number, points in found.items()}


@Prepared
def _ask_register(*events: int) -> QuerySet[Penalty, Any]:
    found = Penalty.objects.filter(event__in=events, cancelled_at=None)
    columns = ("event", "player__number", "round__number", "points", "kind", "table", "seq", "foul")
    return found.values_list(
        *columns, "charged_at", "substitution", "substitution__table", "substitution__cancelled_at"
    )


def read_registers(events: Iterable[int]) -> dict[int, list[RegisterRow]]:
    """Return what stands in the register of each event, as `count_points_by_round` counts it; one query."""
    found: dict[int, list[RegisterRow]] = {event: [] for event in events}
    for event, *row in (_ask_register if len(found) == 1 else _ask_register.make)(*found):
        found[event].append(row)
    return found


def count_points_by_round(
    event: Event,
    tables: Iterable[LoadedTable],
    *,
    rounds: Iterable[int] | None = None,
    moved: Moved | None = None,
    register: Sequence[RegisterRow] | None = None,
) -> dict[int, dict[int | None, int]]:
    """Return the points of `count_points` by player number and round, None for those that belong to none.

    With `moved`, as if these seats were others': what the register holds against a seat goes with it. The `register` is
    read where it is not given.
    """
    loaded = list(tables)
    wanted = None if rounds is None else {None, *rounds}
    points: defaultdict[int, Counter[int | None]] = defaultdict(Counter)
    rows = [row for _event, *row in _ask_register(event.pk)] if register is None else register
    plays = {table.id: {each.id for each in table.substitutes} for table in loaded}
    offences = {_key(each): each for each in _offences(loaded)}
    for held, round_, amount, kind, table, seq, _foul, *_offender in rows:
        bound = kind in (PenaltyKind.CHOMBO, PenaltyKind.DEAD_HAND)
        number = (moved or {}).get((table or 0, held), held) if bound else held
        offence = offences.get((table or 0, seq or 0, number)) if kind == PenaltyKind.CHOMBO else None
        counts = kind != PenaltyKind.CHOMBO or offence is not None
        pays = _pays(plays, *_offender)
        if counts and pays and (wanted is None or round_ in wanted):
            points[number][round_] += amount
        if offence:
            del offences[_key(offence)]
            if pays:
                points[number][offence.table.round] += offence.cost
    for each in offences.values():
        if each.substitute is None:
            points[each.player.number][each.table.round] += each.cost
    given = [(foul, kind, number, round_) for number, round_, _points, kind, _table, _seq, foul, *_offender in rows]
    for at, game in _replacements(loaded, given, event.ruleset):
        points[game.player.number][at.round] += game.penalty
    return {number: dict(by_round) for number, by_round in points.items()}


def _pays(
    plays: Mapping[int, Collection[int]], charged: Any, substitution: int | None, table: int | None, cancelled: Any
) -> bool:
    """Tell whether a row falls on the player: the player's own, charged to the player, or of a substitute taken out.

    `plays` are the substitutes of the tables that count, as they are looked at.
    """
    if substitution is None or charged:
        return True
    playing = plays.get(table or 0)
    return bool(cancelled) if playing is None else substitution not in playing


def load_fined_tables(event: Event) -> list[LoadedTable]:
    """Load the tables that `list_penalties` has to see: with a chombo, a substitute or a row of the register."""
    register = Penalty.objects.filter(event=event).exclude(table=None).order_by().values_list("table")
    return load_tables(event, ids=[pk for (pk,) in _ask_fined([event.pk]).union(register)])


def list_fined_tables(events: Collection[int]) -> set[int]:
    """Return the tables of these events with a chombo or a substitute, cancelled ones among them; one query."""
    return {pk for (pk,) in _ask_fined(events)}


def _ask_fined(events: Collection[int]) -> QuerySet[Any, Any]:
    chombo = LedgerEntry.objects.filter(table__round__event__in=events, payload__contains=f'"{Chombo.kind}"')
    replaced = Substitution.objects.filter(event__in=events)
    return chombo.order_by().values_list("table").union(replaced.order_by().values_list("table"))


def list_penalties(
    event: Event, tables: Iterable[LoadedTable], *, rounds: Iterable[int] | None = None
) -> list[PenaltyRow]:
    """List register, chombo and replacements by time; with `rounds`, only what belongs to them or to none.

    A chombo, and what being replaced costs, show where their table is among `tables`; two queries.
    """
    wanted = None if rounds is None else {None, *rounds}
    whose = ("player__person", "round", "table", "substitution__substitute__person")
    register = list(Penalty.objects.filter(event=event).select_related(*whose))
    loaded = {table.id: table for table in tables}
    offences = {_key(each): each for each in _offences(loaded.values())}
    by_hand = (each.line.by for each in offences.values())
    replaced_by = (each.by for table in loaded.values() for each in table.substitutes)
    names = account_names([*(p.given_by for p in register), *by_hand, *replaced_by])
    shown = (p for p in register if not _is_chombo(p) or p.table_id in loaded)
    rows = [_register_row(p, names, loaded, offences) for p in shown]
    claimed = {(p.table_id, p.seq, p.player.number) for p in register if _is_chombo(p) and not p.cancelled_at}
    rows += [_ledger_row(each, names) for key, each in offences.items() if key not in claimed]
    standing = (penalty for penalty in register if not penalty.cancelled_at)
    given = [(p.foul, p.kind, p.player.number, p.round.number if p.round else None) for p in standing]
    replaced = _replacements(list(loaded.values()), given, event.ruleset)
    rows += [_replacement_row(table, game, names) for table, game in replaced]
    return sorted((row for row in rows if wanted is None or row.round in wanted), key=lambda row: row.at)


def list_table_penalties(event: Event, table: LoadedTable) -> list[PenaltyRow]:
    """List what the register has of a table, or of its players in its round; two queries, none for nothing."""
    if table.beside and not table.beside.penalties:
        return []
    numbers = table.player_numbers()
    rows = [row for row in list_penalties(event, [table], rounds=[table.round]) if row.id and not row.cancelled]
    return [
        row
        for row in rows
        if row.round == table.round
        and (row.table == table.number or (row.table is None and row.seat_number in numbers))
    ]


def _replacements(
    tables: Sequence[LoadedTable], register: Iterable[Given], rules: Ruleset
) -> Iterator[tuple[LoadedTable, SeatGame]]:
    """Yield the seats whose player loses points for being replaced; not where the register has them by a foul."""
    lost = [(table, game) for table in tables if table.substitutes for game in table.seat_games if game.penalty]
    books = catalogue(rules).penalties if lost else {}
    fouls = {key for key, book in books.items() if any("substitute" in case.acts for case in book.cases)}
    given = Counter(row[2:] for row in register if row[0] in fouls and row[1] == PenaltyKind.POINTS)
    for table, game in lost:
        number = game.player.number
        known = next((place for place in ((number, table.round), (number, None)) if given[place]), None)
        if known is None:
            yield table, game
        else:
            given[known] -= 1


def _is_chombo(penalty: Penalty) -> bool:
    return penalty.kind == PenaltyKind.CHOMBO


def _register_row(
    penalty: Penalty, names: Mapping[str, str], loaded: Mapping[int, LoadedTable], offences: Mapping[Key, _Offence]
) -> PenaltyRow:
    points, cancel_reason, cancelled = penalty.points, penalty.cancel_reason, penalty.cancelled_at is not None
    if _is_chombo(penalty):
        table = loaded[penalty.table_id or 0]
        points += amounts_at(table.rules, table.kept, penalty.given_at).chombo_points
        if not cancelled and (table.id, penalty.seq, penalty.player.number) not in offences:
            cancelled, cancel_reason = True, _why_gone(table, penalty.seq)
    return PenaltyRow(
        id=penalty.pk,
        **_whose(penalty),
        round=penalty.round.number if penalty.round else None,
        table=penalty.table.number if penalty.table else None,
        kind=penalty.kind,
        foul=penalty.foul,
        points=points,
        reason=penalty.reason,
        amount_reason=penalty.amount_reason,
        clause=penalty.clause,
        by=names.get(penalty.given_by, ""),
        at=penalty.given_at,
        cancelled=cancelled,
        cancel_reason=cancel_reason,
    )


def _whose(penalty: Penalty) -> dict[str, Any]:
    """Return under whom a row of the register is listed."""
    player, substitution = penalty.player, penalty.substitution
    own = {"number": player.number, "name": shown_name(player), "seat_number": player.number, "hand": penalty.seq}
    if substitution is None or substitution.cancelled_at:
        return own
    name = shown_name(substitution.substitute) if substitution.substitute else substitution.name
    if penalty.charged_at:
        return {**own, "done_by": name, "charge_reason": penalty.charge_reason}
    number = substitution.substitute.number if substitution.substitute else 0
    return {**own, "number": number, "name": name, "plays_for": own["name"]}


def _why_gone(table: LoadedTable, seq: int | None) -> str:
    """Return why a chombo's hand was corrected or made void at its table."""
    last = next((item.last_seq for item in table.items if item.seq == seq), None)
    return next((line.reason for line in table.lines if line.seq == last), "")


def _key(each: _Offence) -> Key:
    return each.table.id, each.item.seq, each.player.number


def _offences(tables: Iterable[LoadedTable]) -> Iterator[_Offence]:
    """Yield every player's part in the valid chombo of some tables."""
    for table, item, offenders in ((each, *chombo) for each in tables for chombo in each.results.chombo):
        line = next(line for line in table.lines if line.seq == item.last_seq)
        for seat in offenders:
            substitute = table.sitting(seat, item.seq)
            answers = substitute if substitute and substitute.answers else None
            yield _Offence(table, table.seats[seat], item, line, answers)


def _ledger_row(each: _Offence, names: Mapping[str, str]) -> PenaltyRow:
    substitute = each.substitute
    return PenaltyRow(
        number=substitute.person if substitute else each.player.number,
        name=substitute.name if substitute else each.player.name,
        plays_for=each.player.name if substitute else "",
        seat_number=each.player.number,
        hand=each.item.seq,
        round=each.table.round,
        table=each.table.number,
        kind=PenaltyKind.CHOMBO.value,  # the process that prints has no models
        points=each.cost,
        reason=(each.item.entry.note if each.item.entry else "") or each.line.reason,
        clause="",
        by=names.get(each.line.by, ""),
        at=each.line.at,
    )


def _replacement_row(table: LoadedTable, game: SeatGame, names: Mapping[str, str]) -> PenaltyRow:
    substitute = table.replaced[game.player.seat]
    return PenaltyRow(
        number=game.player.number,
        name=game.player.name,
        round=table.round,
        table=table.number,
        points=game.penalty,
        reason=substitute.reason,
        clause="",
        by=names.get(substitute.by, ""),
        at=substitute.at,
        replaced=True,
    )


@dataclass(frozen=True, slots=True)
class GivenPenalty:
    """A penalty that stands: whose, why, and its points now and under other rules.

    `id` is its row in the register, 0 for a chombo that was only typed as a hand and for a replacement; `stored` are
    the points of that row then.
    """

    id: int
    number: int
    name: str
    round: int | None
    table: int | None
    reason: str
    before: int
    after: int
    stored: int = 0

    @property
    def changes(self) -> bool:
        """Whether it would cost another amount."""
        return self.before != self.after


def list_given(event: Event, tables: Sequence[LoadedTable], rules: Ruleset) -> list[GivenPenalty]:
    """List the penalties that stand with their points under other rules; three queries and one for names."""
    register = {row.pk: row for row in Penalty.objects.filter(event=event, cancelled_at=None)}
    now, then = get_catalogue(event), get_catalogue(event, rules)
    rows = [row for row in list_penalties(event, tables) if not row.cancelled]
    found = []
    for row in rows:
        stored = register.get(row.id or 0)
        if stored is None:
            after = rules.replaced_points if row.replaced else rules.chombo_points
        else:
            after = _of_register(row.points, stored, now, then, rules)
        ledger = rules.chombo_points if row.kind == PenaltyKind.CHOMBO else 0
        place = (row.number, row.name, row.round, row.table, row.reason)
        found.append(GivenPenalty(row.id or 0, *place, before=row.points, after=after, stored=after - ledger))
    # seats whose result is what being replaced costs (E25 7.3); elsewhere it is a penalty of the list
    for table in tables:
        for seat, each in table.replaced.items() if table.rules.substitute == "ema" else ():
            player, points = table.seats[seat], amounts_at(table.rules, table.kept, each.at).replaced_points
            place = (player.number, player.name, table.round, table.number, each.reason)
            found.append(GivenPenalty(0, *place, before=points, after=rules.replaced_points))
    return found


def _of_register(points: int, stored: Penalty, now: Catalogue, then: Catalogue, rules: Ruleset) -> int:
    """Return what a penalty of the register would cost: what the rules take for its foul, else what it costs now."""
    case, other = _case(now, stored), _case(then, stored)
    if stored.amount_reason or case is None:
        return points
    if stored.kind == PenaltyKind.CHOMBO and "chombo" not in case.acts:
        return rules.chombo_points  # as the referee decided
    if (
        other is None
        or "points" not in dict(other.taken)
        or stored.kind not in (PenaltyKind.CHOMBO, PenaltyKind.POINTS)
    ):
        return points
    if case.per == "minute":
        return other.amount(stored.minutes) if stored.minutes else points
    return other.points


def _case(fouls: Catalogue, stored: Penalty) -> Case | None:
    penalty = fouls.penalties.get(stored.foul)
    return next((case for case in penalty.cases if case.key == stored.case), None) if penalty else None


FOUL_UNKNOWN = ProblemType("foul.unknown", "The event's catalogue has no foul “{foul}”.")
FOUL_CASE_UNKNOWN = ProblemType("foul.case_unknown", "Say which case of the foul it is: “{case}” is none of “{foul}”.")
FOUL_MINUTES_MISSING = ProblemType("foul.minutes_missing", "Say by how many minutes the player is late: 1 to {most}.")
FOUL_DECISION_UNKNOWN = ProblemType(
    "foul.decision_unknown", "“{decision}” is not a ruling that a referee can give here."
)

MAX_MINUTES = 999
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
    for the replacement. Raises DomainError for a foul or case that the catalogue does not have, and for being late by
    no minutes.
    """
    fouls = get_catalogue(event)
    foul, penalty, case = _find(fouls, offence)
    # what somebody is replaced for is the player's own
    is_own = table is None or foul.key == LATE or "substitute" in case.acts
    offender = None if is_own else find_substitution(player, table=table)
    time = 1 + count_times(event, player, foul.key, case.key, offender=offender)
    case = case.at(time)
    is_free = "referee" in case.acts and not case.points
    chombo_points = (Table(pk=table).rules_in(event) if table else event.ruleset).chombo_points
    case = _decided(case, offence, chombo_points)
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
        ledger=chombo_points if "chombo" in case.acts else 0,
        is_free=is_free,
        offender=offender,
    )


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
        raise DomainError(FOUL_DECISION_UNKNOWN(decision=printable_excerpt(decision)))
    points = chombo_points if decision == "chombo" else 0
    return dataclasses.replace(case, acts=(decision,), points=points, most=0)


def _find(fouls: Catalogue, offence: Offence) -> tuple[Foul, BookPenalty, Case]:
    if offence.foul == LATE:
        late = of_lateness(fouls, offence.minutes) if offence.minutes <= MAX_MINUTES else None
        if late is None:
            raise DomainError(FOUL_MINUTES_MISSING(most=MAX_MINUTES))
        return late[0], fouls.penalties[late[0].key], late[1]
    try:
        foul, penalty = foul_of(fouls, offence.foul)
    except FoulError as wrong:
        raise DomainError(FOUL_UNKNOWN(foul=printable_excerpt(offence.foul))) from wrong
    case = next((case for case in penalty.cases if case.key == offence.case), None)
    if case is None:
        raise DomainError(FOUL_CASE_UNKNOWN(foul=printable_excerpt(offence.foul), case=printable_excerpt(offence.case)))
    return foul, penalty, case
