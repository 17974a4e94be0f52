"""Tables with all that hangs on them, loaded in a constant number of queries and folded on demand.

A chombo and a replacement cost what they cost when they were given, unless a change of the rules was to apply to them.
"""

import dataclasses
import functools
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Literal, NamedTuple

from django.db.models import QuerySet

from rules.ruleset import Ruleset
from scoring.entries import Chombo, Correction, Entry, Totals, Win
from scoring.game import Game, Hand, fold
from scoring.placement import Counted, Final, with_substitutes
from scoring.player_stats import (
    HeadToHead,
    Part,
    PlayerStats,
    has_hands,
    head_to_head,
    is_played,
    part_stats,
    value_of,
    winners_of,
)
from scoring.records import yakuman_wins
from scoring.state import TableState
from tournament.accounts.queries import account_names
from tournament.core.redactions import redact, redact_json
from tournament.events.models import Event
from tournament.penalties.models import PenaltyKind
from tournament.publication.names import name_of
from tournament.publication.queries import by_public_state, by_public_states, get_public_view
from tournament.tables.history import Item, Origin, Row, TimedRow, entries_of, read_payload, resolve, trace_origins
from tournament.tables.models import Seat, Table
from tournament.tables.rows import SeatedPlayer
from tournament.tables.table_queries import (
    ALL,
    OF_ROUNDS,
    TABLE,
    ChosenTables,
    ExtraRows,
    LedgerLine,
    SheetCheckLine,
    SheetLine,
    Substitute,
    ask_all,
    ask_tables,
    fill_up,
    read_extra_rows,
    read_ledgers,
    read_seats,
    read_sheets,
    substitutes_of,
)
from tournament.text.numbers import who_text

TableStage = Literal["waiting", "playing", "over", "signed"]


class SeatGame(NamedTuple):
    """A seat's game as the ranking counts it, in points; `place` is None where the player was replaced.

    `penalty` is what the player loses beside the result because of that; `taken` the place that the substitute took.
    `chips` are those won or lost, None where no chips are played.
    """

    player: SeatedPlayer
    substitute: Substitute | None
    score: int
    place: int | None
    shared: bool
    uma: int
    result: int
    penalty: int
    taken: int | None
    chips: int | None = None


class Results:
    """What a table's ledger comes to under its rules: hands, final and statistics, each worked out once."""

    def __init__(self, lines: Iterable[Row], rules: Ruleset) -> None:
        """Read the hands; nothing is scored yet."""
        self.items = resolve(lines)
        self.rules = rules
        self._stats: dict[tuple[int, int, int | None], PlayerStats] = {}
        self._met: dict[tuple[int, int, range], HeadToHead] = {}

    @functools.cached_property
    def game(self) -> Game:
        """The fold of the hands that stand."""
        return fold(entries_of(self.items), self.rules)

    def with_hand(self, line: Row) -> "Results":
        """Return what it comes to with the row of one more hand."""
        added = Results((), self.rules)
        added.items = [*self.items, *resolve([line])]
        added.game = fold(entries_of(added.items[-1:]), self.rules, after=self.game)
        return added

    @functools.cached_property
    def final(self) -> Final:
        """The game scored as if it ended now."""
        return self.game.final(self.rules)

    @functools.cached_property
    def chombo(self) -> list[tuple[Item, Sequence[int]]]:
        """The chombo that stand, with the seats of their offenders."""
        return [(item, item.entry.offenders) for item in self.items if isinstance(item.entry, Chombo)]

    @functools.cached_property
    def win_points(self) -> tuple[int, ...]:
        """The points of each win, without honba and riichi sticks; none of a game without hands."""
        hands = [hand for hand in self.game.hands if is_played(hand.entry)] if has_hands(self.game) else []
        return tuple(value_of(hand, seat) for hand in hands for seat in winners_of(hand.entry))

    @functools.cached_property
    def yakuman(self) -> tuple[tuple[int, Win], ...]:
        """The yakuman that were won, counted ones too, each with the index of its hand."""
        hands = enumerate(self.game.hands)
        return tuple((index, win) for index, hand in hands for win in yakuman_wins(hand, self.rules))

    def stats_of(self, seat: int, first: int = 0, last: int | None = None) -> PlayerStats:
        """Return the statistics of a seat's hands from index `first` up to `last`, None for the end."""
        key = (seat, first, last)
        if key not in self._stats:
            self._stats[key] = part_stats(Part(self.game, *key), self.rules)
        return self._stats[key]

    def head_to_head_of(self, one: int, other: int, hands: range) -> HeadToHead | None:
        """Return the head-to-head of two seats in these hands; None for a game that is known by its totals alone."""
        key = (one, other, hands)
        if key not in self._met and has_hands(self.game):
            self._met[key] = head_to_head(self.game, *key)
        return self._met.get(key)


# The key is the ledger itself, so nothing can be stale: a release folds the tables of its own round, a correction one
# table. Only signed tables: those that are played have another ledger after each hand. 1,000 players fill it in 16
# rounds, with some 40 kB a table.
signed_results = functools.lru_cache(maxsize=4_096)(Results)


AMOUNTS = ("chombo_points", "replaced_points")  # those that no row of the register holds


@dataclass(frozen=True, slots=True)
class Amounts:
    """What a chombo and a replacement cost that were given until then, in points."""

    until: datetime
    chombo_points: int
    replaced_points: int

    def as_json(self) -> dict[str, Any]:
        """Return it as an event keeps it."""
        return {"until": self.until.isoformat(), **{name: getattr(self, name) for name in AMOUNTS}}


@dataclass(frozen=True)
class LoadedTable:
    """One table of one round with its seats, ledger and last sheet; what follows from them is worked out when asked.

    `check` is what a second person said of the sheet that was signed last. `kept` are the amounts of penalties
    from before a change of the rules. A table that was loaded alone has its `row`, with its round and event, what is
    `beside` its hands, and the `version` of the event before it was read.
    """

    id: int
    round: int
    number: int
    rules: Ruleset
    seats: tuple[SeatedPlayer, ...]
    lines: tuple[LedgerLine, ...]
    sheet: SheetLine | None
    substitutes: tuple[Substitute, ...] = ()
    ready_at: datetime | None = None
    check: SheetCheckLine | None = None
    kept: tuple[Amounts, ...] = ()
    row: Table | None = dataclasses.field(default=None, compare=False, repr=False)
    beside: ExtraRows | None = dataclasses.field(default=None, compare=False, repr=False)
    version: int = dataclasses.field(default=-1, compare=False, repr=False)

    @property
    def alone(self) -> tuple[Table, ExtraRows]:
        """The row of a table that was loaded alone, and what is beside its hands."""
        if self.row is None or self.beside is None:
            raise LookupError("This table was loaded with others.")
        return self.row, self.beside

    @property
    def last_seq(self) -> int:
        """The `seq` of the newest row, 0 for none: what a writer must have seen."""
        return self.lines[-1].seq if self.lines else 0

    @property
    def signed(self) -> bool:
        """Whether the table is signed now."""
        return bool(self.sheet and self.sheet.signed)

    @property
    def confirmed(self) -> bool:
        """Whether the table is signed and another person has confirmed just that sheet."""
        return self.signed and bool(self.check and self.check.confirmed)

    @property
    def sent_back(self) -> bool:
        """Whether the table is open because another person rejected its sheet."""
        return bool(self.sheet) and not self.signed and bool(self.check and not self.check.confirmed)

    @functools.cached_property
    def results(self) -> Results:
        """What the ledger comes to; shared by all who read a signed table."""
        return signed_results(self.lines, self.rules) if self.signed else Results(self.lines, self.rules)

    @property
    def items(self) -> list[Item]:
        """The hands of the table, void ones included."""
        return self.results.items

    @property
    def game(self) -> Game:
        """The fold of the hands that stand."""
        return self.results.game

    @property
    def state(self) -> TableState:
        """The state of the table now."""
        return self.game.state

    @property
    def final(self) -> Final:
        """The game scored as if it ended now; `seat_games` has it by player."""
        return self.results.final

    @property
    def played(self) -> bool:
        """Whether anything but chombo is entered: those move no points, and its sheet alone may still make the game."""
        return not all(isinstance(hand.entry, Chombo) for hand in self.game.hands)

    @property
    def is_empty(self) -> bool:
        """Whether no valid hand is entered and no sheet signed."""
        return not self.signed and all(item.entry is None for item in self.items)

    @property
    def totals_seq(self) -> int:
        """The `seq` that names the entry of a table that is known by its totals alone, 0 where there is none."""
        return next((item.seq for item in self.items if isinstance(item.entry, Totals)), 0)

    @property
    def replaced(self) -> dict[int, Substitute]:
        """The substitutes who play now, by seat."""
        if not self.substitutes:
            return {}
        seats = {player.number: player.seat for player in self.seats}
        return {seats[each.number]: each for each in self.substitutes if each.number in seats}

    def sitting(self, seat: int, seq: int | None = None) -> Substitute | None:
        """Return the substitute who plays a seat now, or played the hand of this `seq`; None for the player.

        Where it is not known at which hand the substitute came in, what was entered earlier was the player's.
        """
        substitute = self.replaced.get(seat)
        if substitute is None or seq is None or substitute.when == "before":
            return substitute
        if substitute.seq is not None:
            return substitute if seq >= substitute.seq else None
        return next((substitute for line in self.lines if line.seq == seq and line.at >= substitute.at), None)

    @functools.cached_property
    def counted(self) -> Counted:
        """`final` as the ranking counts it, substitutes considered; each at the cost that it had when it was given."""
        replaced, when = self.replaced, {seat: each.when for seat, each in self.replaced.items()}
        found = with_substitutes(self.final, when, self.rules)
        for seat, each in replaced.items() if self.kept else ():
            points = amounts_at(self.rules, self.kept, each.at).replaced_points
            other = with_substitutes(self.final, when, dataclasses.replace(self.rules, replaced_points=points))
            pairs: Iterable[tuple[tuple[Any, ...], tuple[Any, ...]]] = zip(found, other, strict=True)
            found = Counted(*((*mine[:seat], theirs[seat], *mine[seat + 1 :]) for mine, theirs in pairs))
        return found

    def chombo_cost(self, item: Item, seat: int) -> int:
        """Return what a chombo of a hand costs one of its offenders, in points: what it cost when it was given."""
        if not self.kept:
            return self.rules.chombo_points
        return amounts_at(self.rules, self.kept, offended_at(self.lines, item, seat)).chombo_points

    @functools.cached_property
    def seat_games(self) -> tuple[SeatGame, ...]:
        """The counted game of every seat, in seat order: what every page, file and sheet shows."""
        final, counted, replaced = self.final, self.counted, self.replaced
        games = [
            SeatGame(
                player=player,
                substitute=replaced.get(player.seat),
                score=final.scores[player.seat],
                place=counted.places[player.seat],
                shared=bool(counted.places[player.seat]) and counted.places.count(counted.places[player.seat]) > 1,
                uma=counted.uma[player.seat],
                result=counted.results[player.seat],
                penalty=counted.penalties[player.seat],
                taken=counted.taken[player.seat],
                chips=final.chips[player.seat] if final.chips else None,
            )
            for player in self.seats
        ]
        return tuple(games)

    def first_hand_of(self, substitute: Substitute) -> int | None:
        """Return which of the hands that stand a substitute played first, from 1; None where that is not known."""
        if substitute.seq is None or self.totals_seq:
            return None
        return 1 + sum(item.entry is not None and item.seq < substitute.seq for item in self.items)

    @property
    def stage(self) -> TableStage:
        """How far the table has come."""
        if self.signed:
            return "signed"
        if self.state.ended:
            return "over"
        return "playing" if self.game.hands else "waiting"

    @functools.cached_property
    def origins(self) -> dict[int, Origin]:
        """Where the hand in each place comes from, by `seq`."""
        return trace_origins(self.lines)

    @functools.cached_property
    def warned(self) -> frozenset[int]:
        """The hands that stand as they were entered against a warning, by `seq`; a correction has its own reason."""
        reasons = {line.seq for line in self.lines if line.reason}
        if not reasons:
            return frozenset()
        own = {item.seq: self.origins[item.seq] for item in self.items if item.entry}
        return frozenset(seq for seq, row in own.items() if row.rows == 1 and not row.inserted and row.seq in reasons)

    def with_row(self, line: LedgerLine, hash_: str) -> "LoadedTable":
        """Return the table with one more ledger row."""
        beside = dataclasses.replace(self.beside, last_hash=hash_) if self.beside else None
        added = dataclasses.replace(self, lines=(*self.lines, line), beside=beside)
        if line.supersedes is None:
            vars(added)["results"] = self.results.with_hand(line)
        return added

    def player_numbers(self) -> tuple[int, ...]:
        """List the numbers of the players in seat order."""
        return tuple(player.number for player in self.seats)


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand of a table as pages list it.

    `hand` is what was played, None where it is void; `seq` names it in corrections, `number` counts from 1. `rows` are
    its own, with `reason`: a hand that an inserted one moved on has those from before.
    """

    number: int
    seq: int
    entry: Entry | None
    hand: Hand | None
    rows: int
    reason: str
    by: str
    at: datetime
    inserted: bool = False


def load_tables(
    event: Event, *, rounds: Iterable[int] | None = None, table: int | None = None, ids: Iterable[int] | None = None
) -> list[LoadedTable]:
    """Load the tables of an event: all, or those of some rounds, with one number, or with some ids; five queries."""
    if table is None and ids is None:
        wanted = None if rounds is None else sorted(set(rounds))
        tables = ALL(event.pk) if wanted is None else OF_ROUNDS(event.pk, *fill_up(wanted)) if wanted else []
        in_rounds = ChosenTables(sorted({round_ for _pk, round_, *_ in tables}), event.pk)
        return _join_rows(event, tables, _read_rows(tables, in_rounds))
    found = ask_all(event.pk)
    if rounds is not None:
        found = found.filter(round__number__in=list(rounds))
    if table is not None:
        found = found.filter(number=table)
    if ids is not None:
        found = found.filter(pk__in=list(ids))
    tables = list(found)
    return _join_rows(event, tables, _read_rows(tables))


def get_table(event: Event, round_: int, number: int, *, row: Table | None = None) -> LoadedTable | None:
    """Load one table of one round, or None where there is none; `row` is its row where it was read with the event.

    Three queries: the row, its hands where they are not kept, its seats; one more for sheets, for substitutes.
    """
    version, row = event.version, row or TABLE.first(event.pk, round_, number)
    if row is None:
        return None
    row.round.event = event
    beside = read_extra_rows(row)
    chosen = ChosenTables([row.pk])
    sheets = read_sheets(chosen) if beside.sheets else {}
    substitutes = substitutes_of(chosen) if beside.substitutes else {}
    place = (row.pk, row.round.number, row.number, row.ready_at, beside.last_hash)
    [loaded] = _join_rows(event, [place], _read_rows([place], chosen, sheets, substitutes))
    return dataclasses.replace(loaded, row=row, beside=beside, version=version)


# a table's id, round, number, when it was ready, and the hash of its newest ledger row
Place = tuple[int, int, int, datetime | None, str | None]


def load_tables_of(events: Mapping[int, Event], ids: Collection[int]) -> dict[int, list[LoadedTable]]:
    """Load these tables of several events, by the event's number; five queries however many there are."""
    found: defaultdict[int, list[Place]] = defaultdict(list)
    for event, *place in ask_tables(Table.objects.filter(pk__in=ids), "round__event") if ids else ():
        found[event].append(tuple(place))
    rows = _read_rows(list(chain.from_iterable(found.values())))
    return {event: _join_rows(events[event], tables, rows) for event, tables in found.items()}


class _Rows(NamedTuple):
    """What hangs on some tables, by the table's number."""

    seats: Mapping[int, list[SeatedPlayer]]
    lines: dict[int, tuple[LedgerLine, ...]]
    sheets: dict[int, list[SheetLine]]
    substitutes: Mapping[int, list[Substitute]]


def _read_rows(
    tables: list[Place],
    chosen: ChosenTables | None = None,
    sheets: dict[int, list[SheetLine]] | None = None,
    substitutes: Mapping[int, list[Substitute]] | None = None,
) -> _Rows:
    """Read what hangs on some tables, but for what was read of it; `chosen` says where they are all of some rounds."""
    chosen = chosen or ChosenTables([pk for pk, *_ in tables])
    sheets = read_sheets(chosen) if sheets is None else sheets
    lines = read_ledgers({pk: newest for pk, *_place, newest in tables})
    return _Rows(read_seats(chosen), lines, sheets, substitutes_of(chosen) if substitutes is None else substitutes)


def _join_rows(event: Event, tables: list[Place], rows: _Rows) -> list[LoadedTable]:
    """Join tables of an event with their rows."""
    kept = read_kept(event.kept_amounts)
    # a second rule set never changes once a table has it, so no amounts of it are kept
    rulesets = event.rulesets
    own = next(iter(rulesets))
    if event.redactions:
        _redact(event, [pk for pk, *_ in tables], rows)
    return [
        LoadedTable(
            id=pk,
            round=round_,
            number=number,
            rules=rulesets[len(rows.seats[pk])],
            seats=tuple(rows.seats[pk]),
            lines=rows.lines[pk],
            sheet=rows.sheets[pk][-1] if pk in rows.sheets else None,
            substitutes=tuple(rows.substitutes.get(pk, ())),
            ready_at=ready_at,
            check=next((row.check for row in reversed(rows.sheets.get(pk, ())) if row.signed), None),
            kept=kept if rulesets[len(rows.seats[pk])].players == own else (),
        )
        for pk, round_, number, ready_at, _newest in tables
    ]


def _redact(event: Event, tables: Iterable[int], rows: _Rows) -> None:
    """Replace texts that name a person whose data was deleted, here and never in the database."""
    for pk in tables:
        rows.lines[pk] = tuple(
            row._replace(payload=redact_json(event, row.payload), reason=redact(event, row.reason))
            for row in rows.lines[pk]
        )
        for at, sheet in enumerate(rows.sheets.get(pk, ())):
            check = sheet.check and sheet.check._replace(reason=redact(event, sheet.check.reason))
            rows.sheets[pk][at] = sheet._replace(reason=redact(event, sheet.reason), check=check)


def list_public_tables(event: Event) -> list[LoadedTable]:
    """Return the tables of the rounds that the public may see, loaded once for all who read them; five queries."""
    return by_public_state(event, "tables", lambda: load_tables(event, rounds=get_public_view(event).rounds))


EVENTS_AT_ONCE = 100  # whose tables are prepared together: what is kept for more of them would drive their own out


def prepare_public_tables(events: Iterable[Event]) -> None:
    """Keep the public tables of several events, and their states, for those that are asked for one by one next."""

    def load(missing: list[Event]) -> dict[int, list[LoadedTable]]:
        rounds = {event.pk: get_public_view(event).rounds for event in missing}
        found = Table.objects.filter(round__event__in=rounds).values_list("pk", "round__event", "round__number")
        loaded = load_tables_of(
            {event.pk: event for event in missing}, [pk for pk, *at in found if at[1] in rounds[at[0]]]
        )
        return {pk: loaded.get(pk, []) for pk in rounds}

    by_public_states(events, "tables", load)


def list_hands(table: LoadedTable, names: Mapping[str, str] | None = None) -> list[HandRow]:
    """List all hands of a table in order, void ones among them; one query for the names of who wrote, if not given."""
    lines = {line.seq: line for line in table.lines}
    names = account_names(line.by for line in table.lines) if names is None else names
    played = iter(table.game.hands)
    rows = []
    for number, item in enumerate(table.items, start=1):
        line = lines[item.last_seq]
        hand = None if item.entry is None else next(played)
        writer = names.get(line.by, "")
        own = table.origins[item.seq]
        reason = lines[own.seq].reason
        rows.append(HandRow(number, item.seq, item.entry, hand, own.rows, reason, writer, line.at, own.inserted))
    return rows


EVER = datetime.max.replace(tzinfo=UTC)


def current_amounts(rules: Ruleset, until: datetime = EVER) -> Amounts:
    """Return what the rules state now."""
    return Amounts(until, rules.chombo_points, rules.replaced_points)


def read_kept(kept: Iterable[Mapping[str, Any]]) -> tuple[Amounts, ...]:
    """Return the amounts that an event has kept, oldest first."""
    return tuple(Amounts(datetime.fromisoformat(one["until"]), *(one[name] for name in AMOUNTS)) for one in kept)


def amounts_at(rules: Ruleset, kept: Iterable[Amounts], at: datetime) -> Amounts:
    """Return what holds for a penalty that was given at a moment.

    >>> from rules.books import load
    >>> noon = datetime(2026, 9, 12, 12, tzinfo=UTC)
    >>> kept = [Amounts(noon, 10_000, 0)]
    >>> [amounts_at(load("ema-2025"), kept, noon.replace(hour=hour)).chombo_points for hour in (11, 12, 13)]
    [10000, 10000, 20000]
    """
    return next((each for each in kept if at <= each.until), current_amounts(rules))


def offended_at(rows: Iterable[TimedRow], item: Item, seat: int) -> datetime:
    """Return since when a hand has been a chombo of a seat."""
    own = [row for row in rows if item.seq in (row.seq, row.supersedes)]
    since = own[-1].at
    for row in reversed(own):
        entry = read_payload(row.payload)
        if not isinstance(entry, Chombo) or seat not in entry.offenders:
            break
        since = row.at
    return since


@dataclass(frozen=True, slots=True)
class DeadHand:
    """A player whose hand is dead now, with the row of the register that says so."""

    penalty: int
    seat: int
    name: str
    reason: str


def list_dead_hands(table: LoadedTable, *, seen: int | None = None) -> list[DeadHand]:
    """List whose hands are dead in the next hand of a table, by seat; one query, none where none is or no hand follows.

    `seen`: as it was when that `seq` was the table's newest row; now if None.
    """
    if (table.beside and not table.beside.dead) or (seen is None and (table.signed or table.state.ended)):
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
