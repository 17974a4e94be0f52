"""Referee calls and complaints: all of an event, those open in a round, and the rulings at players' tables."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from scoring.game import fold
from scoring.state import TableState
from tournament.accounts.queries import account_names
from tournament.calls.models import CallKind, RefereeCall
from tournament.core.prepared import Prepared
from tournament.events.models import Event
from tournament.players.models import Player
from tournament.players.queries import Presence, get_presence
from tournament.tables.queries import LoadedTable, load_tables
from tournament.tables.rows import SeatedPlayer
from tournament.text.numbers import who_text

STORED = ("question", "ruling", "clause", "minutes")  # what a referee writes down


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call or complaint. `hand` counts from 1 among the hands that stand, `state` is the table's as it began.

    A complaint about the whole game has neither, and `complained_by` its player's name, "" for somebody else. `people`
    are the players at the table, in seat order, `missing` those of an open call who are not here.
    """

    id: int
    complaint: bool
    complained_by: str
    round: int
    table: int
    people: tuple[str, ...]
    missing: tuple[str, ...]
    hand: int | None
    state: TableState | None
    question: str
    called_by: str
    called_at: dt.datetime
    answered_by: str
    answered_at: dt.datetime | None
    ruling: str
    clause: str
    minutes: int
    closed_by: str
    closed_at: dt.datetime | None

    @property
    def waited(self) -> int | None:
        """How many seconds the table waited; None while it still does."""
        return int((self.answered_at - self.called_at).total_seconds()) if self.answered_at else None


def get_open_call(table: LoadedTable) -> RefereeCall | None:
    """Return the call that is open at a table that was loaded alone; a query where there is one."""
    if not table.alone[1].call:
        return None
    calls = RefereeCall.objects.filter(table=table.id, kind=CallKind.CALL, closed_at=None)
    return calls.order_by("called_at").first()


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call that is not closed, at a table of a round."""

    id: int
    table: int
    called_at: dt.datetime
    answered: bool


@dataclass(frozen=True, slots=True)
class RulingRow:
    """What a referee ruled at a table, as everybody may read it: without any name."""

    round: int
    table: int
    question: str
    ruling: str
    clause: str
    minutes: int


def list_calls(event: Event) -> list[CallRow]:
    """List the calls and complaints of an event: the open ones first, the oldest on top, then the closed, newest first.

    Eight queries.
    """
    calls = list(event.calls.select_related("player__person").order_by("called_at", "pk"))
    tables = {table.id: table for table in load_tables(event, ids={call.table_id for call in calls})}
    names = account_names(uid for call in calls for uid in (call.called_by, call.answered_by, call.closed_by))
    presence = get_presence(event)
    rows = [_row(call, tables[call.table_id], names, presence) for call in calls]
    return [row for row in rows if not row.closed_at] + [row for row in reversed(rows) if row.closed_at]


def count_open_calls(event: Event) -> int:
    """Count the calls of an event that are not closed, no complaints; one query."""
    return RefereeCall.objects.filter(event=event, kind=CallKind.CALL, closed_at=None).count()


@Prepared
def _ask_open(event: int, round_: int) -> QuerySet[RefereeCall, Any]:
    asked = RefereeCall.objects.filter(event=event, kind=CallKind.CALL, closed_at=None)
    found = asked.filter(table__round__number=round_).order_by("-called_at")
    return found.values_list("pk", "table__number", "called_at", "answered_at")


def list_open_calls(event: Event, round_: int) -> dict[int, OpenCall]:
    """Return the open calls of a round by the number of the table; one query."""
    rows = _ask_open(event.pk, round_)
    return {table: OpenCall(pk, table, called, answered is not None) for pk, table, called, answered in rows}


def list_rulings(players: Iterable[Player]) -> defaultdict[int, list[RulingRow]]:
    """Return what was ruled at the tables of each of these players, in order, by the player's key; one query."""
    asked = RefereeCall.objects.filter(kind=CallKind.CALL, closed_at__isnull=False).exclude(ruling="")
    calls = asked.filter(table__seats__player__in=players)
    columns = ("table__round__number", "table__number", "question", "ruling", "clause", "minutes")
    found: defaultdict[int, list[RulingRow]] = defaultdict(list)
    for player, *row in calls.order_by("called_at", "pk").values_list("table__seats__player", *columns):
        found[player].append(RulingRow(*row))
    return found


def _who(table: LoadedTable, player: SeatedPlayer, seq: int | None) -> str:
    substitute = table.sitting(player.seat, seq if seq is not None and seq <= table.last_seq else None)
    return who_text(substitute.name, player.name) if substitute else player.name


def _row(call: RefereeCall, table: LoadedTable, names: dict[str, str], presence: Presence) -> CallRow:
    hand, state = _hand(call.seq, table)
    missing = [] if call.closed_at or call.kind == CallKind.COMPLAINT else presence.missing_at(table)
    same: dict[str, Any] = {name: getattr(call, name) for name in (*STORED, "called_at", "answered_at", "closed_at")}
    same |= {name: names.get(getattr(call, name), "") for name in ("called_by", "answered_by", "closed_by")}
    return CallRow(
        id=call.pk,
        complaint=call.kind == CallKind.COMPLAINT,
        complained_by=call.player.person.preferred_name if call.player else "",
        round=table.round,
        table=table.number,
        people=tuple(_who(table, player, call.seq) for player in table.seats),
        missing=tuple(each.name for each in missing),
        hand=hand,
        state=state,
        **same,
    )


def _hand(seq: int | None, table: LoadedTable) -> tuple[int | None, TableState | None]:
    if seq is None:
        return None, None
    before = [item.entry for item in table.items if item.entry is not None and item.seq < seq]
    return len(before) + 1, fold(before, table.rules).state
