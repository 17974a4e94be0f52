"""What the public may see of an event, and when; and answers cached for as long as nothing of it changes.

`decide_public_view` is the one decision, from plain values; `get_public_view` reads those values. Every public page,
file, feed and API answer uses `get_public_view`, or a selector that does. The desk sees all.

The event's version moves with every hand, its public state with what is published, started, released or announced.

Drawn pages are kept here, too: after a release each of 500 phones wants its own, which takes 0.6 ms instead of 3.4.
Without that no new part came to 300 phones in time (docs/developer/load.md, "Own parts, taken away").
"""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from django.core.cache.backends.locmem import LocMemCache
from django.db.models import Case, Exists, Max, OuterRef, Q, QuerySet, Subquery, Value, When

from tournament.core.acts import Act, Seals, Shown, list_acts
from tournament.core.models import AuditRow
from tournament.core.prepared import Prepared
from tournament.events.models import VERSIONS_AHEAD, Event, Hold, LiveOthers, LiveTables
from tournament.players.models import Player
from tournament.publication.names import names_mark
from tournament.sheets.models import SheetRow
from tournament.tables.models import LedgerEntry, Round, Seat, Table

ROUNDS_HIDDEN = Act("rounds_hidden", "took the results of rounds {rounds} out of the public pages")
ROUND_RELEASED = Act("round_released", "released round {round}", Seals.RELEASE, Shown.PUBLIC)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PublicState:
    """How far an event has come for the public: `mark` moves with what public pages show, and with nothing else.

    `playing` says that a round has started and is not released, `nameless` that somebody is not shown by name.
    """

    mark: str
    playing: bool
    nameless: bool


@dataclass(frozen=True, slots=True)
class Publication:
    """What an event is set to show; `last` is the number of its last round. See the columns of `Event`."""

    live_tables: str
    live_others: str
    hold: str
    shown_through: int
    last: int


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round by its number: whether its seats are public, and whether it is released."""

    number: int
    published: bool
    released: bool


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table with hands, or signed; `mark` moves with each of its rows. `players` are the numbers of its players."""

    round: int
    number: int
    players: frozenset[int]
    signed: bool
    mark: str = ""

    @property
    def moved(self) -> str:
        """The table with its mark."""
        return f"{self.round}/{self.number}:{self.mark}"


@dataclass(frozen=True, slots=True)
class PublicView:
    """What the public may see now.

    `rounds` are those whose results and hands are public, in order. `held` says why released rounds (`held_rounds`) are
    not among them: "before_last" or "last", "" where nothing is held. `live` are tables of rounds that are not released
    whole and may be looked at, as far as `live_for` says; with `own_only` each phone sees its own player's first.
    `playing` are the rounds whose tables are among them from their first hand on.
    """

    rounds: tuple[int, ...]
    held: str = ""
    held_rounds: tuple[int, ...] = ()
    live: tuple[LiveTable, ...] = ()
    own_only: bool = False
    playing: frozenset[int] = frozenset()

    def shows(self, round_: int) -> bool:
        """Tell whether the results and hands of a round are public."""
        return round_ in self.rounds

    def live_for(self, follows: int | None) -> tuple[LiveTable, ...]:
        """Return the live tables for a phone that follows the player of this number; None follows nobody.

        With `own_only` that is the player's own table until it is signed, then every one; without a player, or without
        a table of the player's, none. The wall and the API follow nobody.
        """
        if not self.own_only:
            return self.live
        own = {table.round: table for table in self.live if follows in table.players}
        return tuple(each for each in self.live if (mine := own.get(each.round)) and (mine.signed or mine is each))

    def live_table(self, round_: int, number: int, follows: int | None) -> LiveTable | None:
        """Return a table if it may be looked at live by a phone that follows this player, None if not."""
        found = (table for table in self.live_for(follows) if (table.round, table.number) == (round_, number))
        return next(found, None)

    def live_mark(self, follows: int | None) -> str:
        """Return what moves with everything live that a phone may see, "" where that is nothing."""
        return self.live_marks([follows])[follows]

    def live_marks(self, numbers: Iterable[int | None]) -> dict[int | None, str]:
        """Return `live_mark` by the number of a player: for a hall, which follows hundreds, in one pass."""
        if not self.own_only:
            return dict.fromkeys(numbers, " ".join(table.moved for table in self.live))
        wanted, own = frozenset(numbers), defaultdict[int | None, dict[int, LiveTable]](dict)
        for table in self.live:
            for number in table.players & wanted:
                own[number][table.round] = table
        shown = {table.round for tables in own.values() for table in tables.values() if table.signed}
        of_round = {at: " ".join(table.moved for table in self.live if table.round == at) for at in shown}
        return {
            number: " ".join(of_round[at] if table.signed else table.moved for at, table in own.get(number, {}).items())
            for number in wanted
        }


MOST = 2400  # 400 players in the languages of a hall, twice over

_kept: OrderedDict[str, tuple[object, Any]] = OrderedDict()
_making: dict[str, threading.Lock] = {}
_door = threading.Lock()


def keep(key: str, make: Callable[[], T], *, mark: object = "") -> T:
    """Return what is kept in this process under a key, made now where nothing is or it was made for another mark.

    After a release all phones ask at once: one makes it, the others that want the same wait for that one. Readers share
    what is kept: nobody may change it.
    """
    found, known = _find(key, mark)
    if known:
        return found
    with _door:
        making = _making.setdefault(key, threading.Lock())
    with making:
        found, known = _find(key, mark)
        if known:
            return found
        try:
            made = make()
            with _door:
                _kept[key] = mark, made
                while len(_kept) > MOST:
                    _kept.popitem(last=False)
        finally:
            with _door:
                _making.pop(key, None)
        return made


def keep_all(wanted: Mapping[int, tuple[str, str]], make: Callable[[list[int]], Mapping[int, T]]) -> dict[int, T]:
    """Return what is kept for each of these keys and marks; `make` makes all that is not, at once."""
    kept = {number: _find(*each) for number, each in wanted.items()}
    found = {number: value for number, (value, known) in kept.items() if known}
    if missing := [number for number in wanted if number not in found]:
        made = make(missing)
        for number in missing:
            key, mark = wanted[number]
            found[number] = keep(key, partial(made.__getitem__, number), mark=mark)
    return found


def _find(key: str, mark: object) -> tuple[Any, bool]:
    """Return what is kept, and whether anything is."""
    with _door:
        if key not in _kept or _kept[key][0] != mark:
            return None, False
        _kept.move_to_end(key)
        return _kept[key][1], True


class PageCache(LocMemCache):
    """Django's cache of a process; who empties it forgets what `keep` has made, too."""

    def clear(self) -> None:
        """Empty both."""
        super().clear()
        with _door:
            _kept.clear()


def by_version(event: Event, name: str, make: Callable[[], T]) -> T:
    """Return what `make` returns for this version of the event; of the newest version that was asked for it is kept."""
    key, mark = _of_version(event, name)
    return keep(key, make, mark=mark)


def _of_version(event: Event, name: str) -> tuple[str, str]:
    return f"event {event.id} {name}", str(event.version)


def by_public_state(event: Event, name: str, make: Callable[[], T]) -> T:
    """Return what `make` returns for this public state; `make` must read nothing else.

    Nothing live belongs in it: that differs from phone to phone, and moves with every hand.
    """
    key, mark = _of_state(event, name, public_state(event))
    return keep(key, make, mark=mark)


def _of_state(event: Event, name: str, state: PublicState) -> tuple[str, str]:
    return f"public {event.id} {name} {names_mark() if state.nameless else ''}", state.mark


def by_public_states(
    events: Iterable[Event], name: str, make: Callable[[list[Event]], Mapping[int, T]]
) -> dict[int, T]:
    """Return `by_public_state` of several events; `make` makes what is not kept for all of them at once."""
    by_number = {event.pk: event for event in events}
    states = list_public_states(by_number.values())
    wanted = {pk: _of_state(event, name, states[pk]) for pk, event in by_number.items()}
    return keep_all(wanted, lambda missing: make([by_number[pk] for pk in missing]))


def public_state(event: Event) -> PublicState:
    """Return the public state of the event, cached by version."""
    return by_version(event, "public-state", lambda: get_public_state(event))


def list_public_states(events: Iterable[Event]) -> dict[int, PublicState]:
    """Return the public state of each event, and keep what the public sees of it; five queries at most."""
    by_number = {event.pk: event for event in events}
    wanted = {pk: _of_version(event, "public-state") for pk, event in by_number.items()}
    return keep_all(wanted, lambda missing: _read_states({pk: by_number[pk] for pk in missing}))


def names_key(event: Event) -> str:
    """Return a cache key for public answers that hold names: the public state, and who reads the names."""
    state = public_state(event)
    return f"{state.mark}:{names_mark()}" if state.nameless else state.mark


def decide_public_view(plan: Publication, rounds: Sequence[RoundState], tables: Sequence[LiveTable] = ()) -> PublicView:
    """Decide what the public sees of these rounds and tables.

    A held round, and each later one, is public up to `shown_through` only, and nothing of it is live: hands would tell
    what the hold keeps back.

    >>> plan = Publication("nothing", "own", "last", shown_through=0, last=2)
    >>> decide_public_view(plan, [RoundState(1, True, True), RoundState(2, True, True)])
    PublicView(rounds=(1,), held='last', held_rounds=(2,), live=(), own_only=True, playing=frozenset())
    """
    held_from = first_held_round(plan)
    released = sorted(each.number for each in rounds if each.released)
    held = tuple(number for number in released if number >= held_from)
    playing = {each.number for each in rounds if each.published and not each.released and each.number < held_from}
    live = tuple(table for table in tables if table.round in playing and _is_live(plan, table))
    return PublicView(
        rounds=tuple(number for number in released if number < held_from),
        held=plan.hold if held else "",
        held_rounds=held,
        live=live,
        own_only=plan.live_others == LiveOthers.OWN,
        playing=frozenset(playing if plan.live_tables == LiveTables.HANDS else ()),
    )


def first_held_round(plan: Publication) -> int:
    """Return the first round that is held as soon as it is released; one that there is not, where nothing is held."""
    first = {Hold.BEFORE_LAST: plan.last - 1, Hold.LAST: plan.last}.get(Hold(plan.hold), 0)
    return first if plan.shown_through < first else plan.last + 1


def would_hold(event: Event, round_: int) -> bool:
    """Tell whether the results of a round are held once it is released, as the event is set now; one query."""
    drawn = event.rounds.order_by("-number").values_list("number", flat=True).first() or 0
    plan = get_publication(event, drawn)
    return first_held_round(plan) <= round_ <= plan.last


def get_public_view(event: Event) -> PublicView:
    """Return what the public may see of an event now, asked of the database once a version."""
    return by_version(event, "seen", lambda: read_public_view(event))


_ROUNDS = Prepared(lambda event: Round.objects.filter(event=event).values_list("number", "published_at", "released_at"))


def read_public_view(event: Event) -> PublicView:
    """Read what the public may see now; one query, three where live tables are on and a round is played."""
    rows = [
        RoundState(number, published is not None, released is not None)
        for number, published, released in _ROUNDS(event.pk)
    ]
    open_rounds = [row.number for row in rows if row.published and not row.released]
    tables = _tables(event, open_rounds) if open_rounds and event.live_tables != LiveTables.NOTHING else ()
    return _decide(event, rows, tables)


def list_public_rounds(events: Collection[Event]) -> dict[int, tuple[int, ...]]:
    """Return by event the rounds whose results are public, in order; one query for all events."""
    by_number = {event.pk: event for event in events}
    return {pk: _decide(by_number[pk], rounds).rounds for pk, rounds in _read_rounds(by_number).items()}


def _read_rounds(events: Iterable[int]) -> dict[int, list[RoundState]]:
    found: dict[int, list[RoundState]] = {event: [] for event in events}
    # as numbers, which Django need not convert
    published, released = (
        Case(When(**{f"{name}__isnull": False}, then=Value(1)), default=Value(0))
        for name in ("published_at", "released_at")
    )
    for event, *row in Round.objects.filter(event__in=found).values_list("event", "number", published, released):
        found[event].append(RoundState(row[0], bool(row[1]), bool(row[2])))
    return found


def _decide(event: Event, rounds: Sequence[RoundState], tables: Sequence[LiveTable] = ()) -> PublicView:
    return decide_public_view(get_publication(event, max((row.number for row in rounds), default=0)), rounds, tables)


def get_publication(event: Event, drawn: int = 0) -> Publication:
    """Return what an event is set to show, with the number of the last round that is `drawn`."""
    last = max(event.rounds_planned, drawn)
    return Publication(event.live_tables, event.live_others, event.hold, event.shown_through, last)


def _is_live(plan: Publication, table: LiveTable) -> bool:
    if plan.live_tables == LiveTables.HANDS:
        return True
    return plan.live_tables == LiveTables.SIGNED and table.signed


def _newest(rows: QuerySet[Any, Any], column: str) -> Subquery:
    """Return a column of the newest of a table's rows: found by the index, however many there are."""
    return Subquery(rows.filter(table=OuterRef("pk")).order_by("-seq").values(column)[:1])


def _ask_live(event: int, *rounds: int) -> QuerySet[Table, Any]:
    found = Table.objects.filter(round__event=event, round__number__in=rounds).annotate(
        newest=_newest(LedgerEntry.objects.all(), "pk"),
        sheet=_newest(SheetRow.objects.all(), "pk"),
        is_signed=_newest(SheetRow.objects.all(), "signed"),
    )
    columns = ("pk", "round__number", "number", "newest", "sheet", "is_signed")
    return found.order_by("round__number", "number").values_list(*columns)


def _ask_seated(event: int, *rounds: int) -> QuerySet[Seat, Any]:
    seats = Seat.objects.filter(table__round__event=event, table__round__number__in=rounds)
    return seats.values_list("table", "player__number")


_LIVE, _SEATED = Prepared(_ask_live), Prepared(_ask_seated)


def _tables(event: Event, rounds: Sequence[int]) -> list[LiveTable]:
    """Read the tables of these rounds that have a hand or a sheet; two queries."""
    seated: defaultdict[int, set[int]] = defaultdict(set)
    for table, number in _SEATED(event.pk, *rounds):
        seated[table].add(number)
    return [
        LiveTable(round_, number, frozenset(seated[pk]), bool(signed), f"{newest or 0}.{sheet or 0}")
        for pk, round_, number, newest, sheet, signed in _LIVE(event.pk, *rounds)
        if newest or sheet
    ]


def _ask_acts(*events: int) -> QuerySet[AuditRow, Any]:
    hidden = Q(verb__in=[act.name for act in list_acts() if act.place is not Shown.PUBLIC])
    for act in list_acts():
        if act.shown_where:
            hidden |= Q(verb=act.name) & ~Q(details__regex=act.shown_where)
    public = Max("seq", filter=~hidden)
    by_event = AuditRow.objects.filter(event__in=events).order_by().values("event")
    return by_event.annotate(public=public, newest=Max("seq")).values_list("event", "public", "newest")


def _ask_last(event: int, *rounds: int) -> QuerySet[Table, Any]:
    found = _newest_rows(Table.objects.filter(round__event=event, round__number__in=rounds), "round__event")
    return found.values_list("row", "sheet")


def _newest_rows(tables: QuerySet[Table, Table], *by: str) -> QuerySet[Any, Any]:
    found: QuerySet[Any, Any] = tables.annotate(
        # the sheets, too: a table that is open again is marked until it is signed
        newest=_newest(LedgerEntry.objects.all(), "pk"),
        newest_sheet=_newest(SheetRow.objects.all(), "pk"),
    )
    return found.order_by().values(*by).annotate(row=Max("newest"), sheet=Max("newest_sheet"))


def _ask_now(*events: int) -> QuerySet[Event, Any]:
    return Event.objects.filter(pk__in=events).values_list(
        "pk",
        Exists(Round.objects.filter(event=OuterRef("pk"), started_at__isnull=False, released_at=None)),
        Exists(Player.objects.filter(event=OuterRef("pk"), shown_by_name=False)),
    )


_ACTS, _LAST, _NOW = Prepared(_ask_acts), Prepared(_ask_last), Prepared(_ask_now)


def get_public_state(event: Event) -> PublicState:
    """Return how far an event has come for the public; three small queries beside `get_public_view`.

    The event's version moves with every hand that somebody enters; phones need not ask again for those, nor for what
    happens to a round whose results are held. What is live moves a mark of its own: `PublicView.live_mark`.
    """
    acts, seen = _ACTS.first(event.pk), get_public_view(event)
    last = (_LAST.first(event.pk, *seen.rounds) if seen.rounds else None) or (0, 0)
    return _join_state(event, seen, acts, last, _NOW(event.pk)[0])


def _read_states(events: Mapping[int, Event]) -> dict[int, PublicState]:
    """Read `get_public_state` of several events."""
    acts = {row[0]: row for row in _ask_acts(*events)}
    rounds = _read_rounds(events)
    seen = {
        pk: get_public_view(event)  # with live tables, of those in play
        if any(each.published and not each.released for each in rounds[pk])
        else by_version(event, "seen", partial(_decide, event, rounds[pk]))
        for pk, event in events.items()
    }
    tables = Table.objects.filter(round__event__in=events, round__released_at__isnull=False)
    last: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for row in _newest_rows(tables, "round__event", "round__number"):
        if row["round__number"] in seen[row["round__event"]].rounds:
            last[row["round__event"]].append((row["row"] or 0, row["sheet"] or 0))
    newest = {pk: tuple(map(max, zip(*rows, strict=True))) for pk, rows in last.items()}
    now = {row[0]: row for row in _ask_now(*events)}
    return {
        pk: _join_state(event, seen[pk], acts.get(pk), newest.get(pk, (0, 0)), now[pk]) for pk, event in events.items()
    }


def _join_state(event: Event, seen: PublicView, acts: Any, last: Any, now: Any) -> PublicState:
    _event, public, newest = acts or (0, 0, 0)
    # A restore moves the version ahead of the trail: rows written after it may bear numbers that phones know already.
    restored = round((event.version - newest) / VERSIONS_AHEAD)
    row, sheet = last
    _event, playing, nameless = now
    # the rounds, too: who read the event before a release may come here after it
    parts = (event.pk, public or 0, row or 0, sheet or 0, restored, len(seen.rounds))
    return PublicState(".".join(str(part) for part in parts), playing, nameless)
