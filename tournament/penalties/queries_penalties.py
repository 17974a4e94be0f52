"""Penalties of an event, from the register, the chombo in the ledgers and the cost of being replaced; and dead hands.

A chombo given by the catalogue is in the register and in the ledger: it is one row here, and counts as long as its hand
is a chombo. So is a replacement whose points the register has by the catalogue already. What a substitute did is the
substitute's, and costs the replaced player nothing.
"""

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from rules.foul_books import catalogue
from rules.ruleset import Ruleset
from scoring.entries import Chombo, Correction, Entry, Totals
from tournament.core.prepared import Prepared
from tournament.models.event import Event
from tournament.models.ledger import LedgerEntry
from tournament.models.people import Substitution
from tournament.models.referee import Penalty, PenaltyKind
from tournament.models.rounds import Seat
from tournament.publication.names_shown_names import name_of, shown_name
from tournament.tables.history_1 import Item, Row, resolve
from tournament.tables.queries_kept_amounts import amounts_at
from tournament.tables.queries_tables import LoadedTable, SeatGame, load_tables, names_of
from tournament.tables.rows import PenaltyRow, SeatedPlayer
from tournament.tables.table_queries import LedgerLine, Substitute
from tournament.text.numbers_figures import who_text


@dataclass(frozen=True, slots=True)
class DeadHand:
    """A player whose hand is dead now, with the row of the register that says so."""

    penalty: int
    seat: int
    name: str
    reason: str


def list_dead_hands(table: LoadedTable, *, seen: int | None = None) -> list[DeadHand]:
    """List whose hands are dead in the next hand of a table, by seat; one query, none where none is or was.

    `seen`: as it was when that `seq` was the table's newest row; now if None.
    """
    if table.beside and not table.beside.dead:
        return []
    seen = table.last_seq if seen is None else seen
    found = list(_marks(table.id, seen + 1))
    played = _last_hand(table.lines, seen) if found else 0
    dead = [DeadHand(*mark[:4]) for mark in found if (mark[4] or 0) > played]
    sitting = {seat: who_text(each.name, table.seats[seat].name) for seat, each in table.replaced.items()}
    return [dataclasses.replace(mark, name=sitting.get(mark.seat, mark.name)) for mark in dead]


def _marks(table: int, most: int) -> QuerySet[Seat, Any]:
    marks = Seat.objects.filter(
        table=table,
        player__penalties__table=table,
        player__penalties__kind=PenaltyKind.DEAD_HAND,
        player__penalties__cancelled_at=None,
        player__penalties__seq__lte=most,
    ).order_by("seat", "player__penalties__seq")
    return marks.values_list(
        "player__penalties",
        "seat",
        name_of("player__"),
        "player__penalties__reason",
        "player__penalties__seq",
    )


def with_dead(entry: Entry, dead: Sequence[DeadHand]) -> Entry:
    """Return the entry with these hands dead in it; what is no hand stays as it is."""
    seats = {mark.seat for mark in dead} - set(entry.dead)
    if not seats or not _is_hand(entry):
        return entry
    return dataclasses.replace(entry, dead=tuple(sorted({*entry.dead, *seats})))


def _is_hand(entry: Entry) -> bool:
    return not isinstance(entry, Correction | Totals)


def _last_hand(rows: Iterable[Row], seen: int) -> int:
    """Return the `seq` of the newest valid hand among the rows up to `seen`, 0 for none."""
    items = resolve(row for row in rows if row.seq <= seen)
    return max((item.seq for item in items if item.entry is not None and _is_hand(item.entry)), default=0)


Key = tuple[int, int, int]  # a table's id, the `seq` that names the hand, the player's number
Moved = Mapping[tuple[int, int], int]  # a table's id and a player's number → who has that seat if it is moved
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


def _ask_register(event: int) -> QuerySet[Penalty, Any]:
    found = Penalty.objects.filter(event=event, cancelled_at=None)
    columns = ("player__number", "round__number", "points", "kind", "table", "seq", "foul")
    return found.values_list(
        *columns, "charged_at", "substitution", "substitution__table", "substitution__cancelled_at"
    )


_REGISTER = Prepared(_ask_register)


def count_points_by_round(
    event: Event, tables: Iterable[LoadedTable], *, rounds: Iterable[int] | None = None, moved: Moved | None = None
) -> dict[int, dict[int | None, int]]:
    """Return the points of `count_points` by player number and round, None for those that belong to none.

    With `moved`, as if these seats were others': what the register holds against a seat goes with it.
    """
    loaded = list(tables)
    wanted = None if rounds is None else {None, *rounds}
    points: defaultdict[int, Counter[int | None]] = defaultdict(Counter)
    rows = _REGISTER(event.pk)
    plays = {table.id: {each.id for each in table.substitutes} for table in loaded}
    offences = {_key(each): each for table in loaded for each in _offences(table)}
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
    chombo = LedgerEntry.objects.filter(table__round__event=event, payload__contains=f'"{Chombo.kind}"')
    others = (Substitution.objects.filter(event=event), Penalty.objects.filter(event=event).exclude(table=None))
    found = chombo.order_by().values_list("table").union(*(rows.order_by().values_list("table") for rows in others))
    return load_tables(event, ids=[pk for (pk,) in found])


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
    offences = {_key(each): each for table in loaded.values() for each in _offences(table)}
    names = names_of([*(p.given_by for p in register), *(by for table in loaded.values() for by in _writers(table))])
    rows = [_register_row(p, names, loaded, offences) for p in register if _is_shown(p, loaded)]
    claimed = {(p.table_id, p.seq, p.player.number) for p in register if _is_chombo(p) and not p.cancelled_at}
    rows += [_ledger_row(each, names) for key, each in offences.items() if key not in claimed]
    standing = (penalty for penalty in register if not penalty.cancelled_at)
    given = [(p.foul, p.kind, p.player.number, p.round.number if p.round else None) for p in standing]
    replaced = _replacements(list(loaded.values()), given, event.ruleset)
    rows += [_replacement_row(table, game, names) for table, game in replaced]
    return sorted((row for row in rows if wanted is None or row.round in wanted), key=lambda row: row.at)


def _writers(table: LoadedTable) -> list[str]:
    return [*(line.by for line in table.lines), *(each.by for each in table.substitutes)]


def _replacements(
    tables: Sequence[LoadedTable], register: Iterable[Given], rules: Ruleset
) -> Iterator[tuple[LoadedTable, SeatGame]]:
    """Yield the seats whose player loses points for being replaced; not where the register has them by a foul."""
    lost = [(table, game) for table in tables if table.substitutes for game in table.seat_games if game.penalty]
    fouls = _fouls_that_replace(rules) if lost else ()
    given = Counter(row[2:] for row in register if row[0] in fouls and row[1] == PenaltyKind.POINTS)
    for table, game in lost:
        number = game.player.number
        known = next((place for place in ((number, table.round), (number, None)) if given[place]), None)
        if known is None:
            yield table, game
        else:
            given[known] -= 1


def _fouls_that_replace(rules: Ruleset) -> frozenset[str]:
    """Return the fouls of a book for which a substitute takes the seat."""
    penalties = catalogue(rules).penalties
    return frozenset(
        key for key, penalty in penalties.items() if any("substitute" in case.acts for case in penalty.cases)
    )


def _is_chombo(penalty: Penalty) -> bool:
    return penalty.kind == PenaltyKind.CHOMBO


def _is_shown(penalty: Penalty, loaded: Mapping[int, LoadedTable]) -> bool:
    return not _is_chombo(penalty) or penalty.table_id in loaded


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


def _offences(table: LoadedTable) -> Iterator[_Offence]:
    """Yield every player's part in the valid chombo of a table."""
    for item in table.items:
        if isinstance(item.entry, Chombo):
            line = next(line for line in table.lines if line.seq == item.last_seq)
            for seat in item.entry.offenders:
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
        kind=PenaltyKind.CHOMBO,
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
