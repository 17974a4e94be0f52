"""The penalties of an event: the register, the chombo that stand in the tables' ledgers, and what being replaced costs.

A chombo that was given by the catalogue stands in both, and is one row here; it counts as long as its hand is one. So
is a replacement whose points the register has by the catalogue already.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from rules.foul_books import catalogue
from rules.ruleset import Ruleset
from scoring.entries import Chombo
from tournament.compiled_queries import Prepared
from tournament.history import Item
from tournament.models import Event, Penalty, PenaltyKind
from tournament.selectors.core.shown_names import shown_name
from tournament.selectors.tables.tables import LedgerLine, LoadedTable, SeatedPlayer, SeatGame, names_of

Key = tuple[int, int, int]  # a table's id, the `seq` that names the hand, the player's number
Moved = Mapping[tuple[int, int], int]  # a table's id and a player's number → who has that seat if it is moved
Given = tuple[str, str, int, int | None]  # of a row of the register: foul, kind, player's number, round, if any


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """One act. Points are what is taken off in all, ≥ 0.

    `id` is None for what has no row in the register: a chombo that was typed as a hand, which is corrected at its
    table, and what being replaced costs (`replaced`), which goes with the substitute.
    """

    id: int | None
    number: int
    name: str
    round: int | None
    table: int | None
    kind: PenaltyKind
    foul: str
    points: int
    reason: str
    amount_reason: str
    clause: str
    by: str
    at: datetime
    cancelled: bool
    cancel_reason: str
    replaced: bool = False


@dataclass(frozen=True, slots=True)
class _Offence:
    """One player's part in a chombo that stands in a ledger."""

    table: LoadedTable
    player: SeatedPlayer
    item: Item
    line: LedgerLine


def count_points(event: Event, tables: Iterable[LoadedTable], *, rounds: Iterable[int] | None = None) -> dict[int, int]:
    """Sum the penalties of each player number: the register, and these tables' chombo and replacements.

    With `rounds`, a penalty of another round does not count yet; one without a round always does.
    """
    found = count_points_by_round(event, tables, rounds=rounds)
    return {number: sum(points.values()) for number, points in found.items()}


def _ask_register(event: int) -> QuerySet[Penalty, Any]:
    found = Penalty.objects.filter(event=event, cancelled_at=None)
    return found.values_list("player__number", "round__number", "points", "kind", "table", "seq", "foul")


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
    standing = _chombo_keys(loaded) if any(row[3] == PenaltyKind.CHOMBO for row in rows) else set()
    for held, round_, amount, kind, table, seq, _foul in rows:
        bound = kind in (PenaltyKind.CHOMBO, PenaltyKind.DEAD_HAND)
        number = (moved or {}).get((table or 0, held), held) if bound else held
        counts = kind != PenaltyKind.CHOMBO or (table, seq, number) in standing
        if counts and (wanted is None or round_ in wanted):
            points[number][round_] += amount
    for each in loaded:
        for player, chombo in zip(each.seats, each.game.chombo_counts(), strict=True):
            points[player.number][each.round] += chombo * each.rules.chombo_points
    given = [(foul, kind, number, round_) for number, round_, _points, kind, _table, _seq, foul in rows]
    for at, game in _replacements(loaded, given, event.ruleset):
        points[game.player.number][at.round] += game.penalty
    return {number: dict(by_round) for number, by_round in points.items()}


def list_penalties(
    event: Event, tables: Iterable[LoadedTable], *, rounds: Iterable[int] | None = None
) -> list[PenaltyRow]:
    """List register, chombo and replacements by time; with `rounds`, only what belongs to them or to none.

    A chombo, and what being replaced costs, show where their table is among `tables`; two queries.
    """
    wanted = None if rounds is None else {None, *rounds}
    register = list(Penalty.objects.filter(event=event).select_related("player__person", "round", "table"))
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
    penalties = catalogue(rules.key, chombo_points=rules.chombo_points).penalties
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
        points += table.rules.chombo_points
        if not cancelled and (table.id, penalty.seq, penalty.player.number) not in offences:
            cancelled, cancel_reason = True, _why_gone(table, penalty.seq)
    return PenaltyRow(
        id=penalty.pk,
        number=penalty.player.number,
        name=shown_name(penalty.player),
        round=penalty.round.number if penalty.round else None,
        table=penalty.table.number if penalty.table else None,
        kind=PenaltyKind(penalty.kind),
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


def _why_gone(table: LoadedTable, seq: int | None) -> str:
    """Return why a chombo's hand was corrected or made void at its table."""
    last = next((item.last_seq for item in table.items if item.seq == seq), None)
    return next((line.reason for line in table.lines if line.seq == last), "")


def _chombo_keys(tables: Iterable[LoadedTable]) -> set[Key]:
    return {_key(each) for table in tables for each in _offences(table)}


def _key(each: _Offence) -> Key:
    return each.table.id, each.item.seq, each.player.number


def _offences(table: LoadedTable) -> Iterator[_Offence]:
    """Yield every player's part in a chombo that stands at a table."""
    lines = {line.seq: line for line in table.lines}
    for item in table.items:
        if isinstance(item.entry, Chombo):
            for seat in item.entry.offenders:
                yield _Offence(table, table.seats[seat], item, lines[item.last_seq])


def _ledger_row(each: _Offence, names: Mapping[str, str]) -> PenaltyRow:
    return PenaltyRow(
        id=None,
        number=each.player.number,
        name=each.player.name,
        round=each.table.round,
        table=each.table.number,
        kind=PenaltyKind.CHOMBO,
        foul="",
        points=each.table.rules.chombo_points,
        reason=(each.item.entry.note if each.item.entry else "") or each.line.reason,
        amount_reason="",
        clause="",
        by=names.get(each.line.by, ""),
        at=each.line.at,
        cancelled=False,
        cancel_reason="",
    )


def _replacement_row(table: LoadedTable, game: SeatGame, names: Mapping[str, str]) -> PenaltyRow:
    substitute = table.replaced[game.player.seat]
    return PenaltyRow(
        id=None,
        number=game.player.number,
        name=game.player.name,
        round=table.round,
        table=table.number,
        kind=PenaltyKind.POINTS,
        foul="",
        points=game.penalty,
        reason=substitute.reason,
        amount_reason="",
        clause="",
        by=names.get(substitute.by, ""),
        at=substitute.at,
        cancelled=False,
        cancel_reason="",
        replaced=True,
    )
