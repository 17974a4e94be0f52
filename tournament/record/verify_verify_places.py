"""Hold the rows of an event against each other: what they point at must be of the same event, round and table.

Seals name players, rounds and tables by number, and another event has the same numbers.
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import F, Model, Q

from scoring.problems import CommandProblemType
from tournament.models.people import Disqualification, Substitution
from tournament.models.referee import Penalty, RefereeCall
from tournament.models.rounds import Seat
from tournament.record.verify_verify_record import UNREADABLE, VERIFY_UNREADABLE, Verification

VERIFY_ASTRAY = CommandProblemType("verify.astray", "{where}: {what} points at another event or round ({column}).")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A column that must lead to the same place as another one; `home` leads to the row's event."""

    model: type[Model]
    kind: str
    home: str
    column: str
    leads_to: str
    same_as: str


def _of_event(model: type[Model], kind: str, home: str, **columns: str) -> list[Pointer]:
    return [Pointer(model, kind, home, name, path, home) for name, path in columns.items()]


ROUND, TABLE = "round__event", "table__round__event"
POINTERS = (
    *_of_event(Seat, "seat", TABLE, player="player__event"),
    Pointer(Seat, "seat", TABLE, "round", "round", "table__round"),
    *_of_event(
        Penalty,
        "penalty",
        "event",
        player="player__event",
        round=ROUND,
        table=TABLE,
        substitution="substitution__event",
    ),
    Pointer(Penalty, "penalty", "event", "table", "table__round", "round"),
    *_of_event(
        Substitution, "substitution", "event", table=TABLE, player="player__event", substitute="substitute__event"
    ),
    *_of_event(Disqualification, "disqualification", "event", player="player__event"),
    *_of_event(RefereeCall, "call", "event", table=TABLE, player="player__event"),
)


def check_places(event: int, slug: str, report: Verification) -> None:
    """Name each row of an event that points at another event, or at another round than its table's."""
    for pointer in POINTERS:
        try:
            astray = _rows_of(pointer, event)
        except UNREADABLE:
            report.add(VERIFY_UNREADABLE, slug, what=pointer.kind)
            continue
        for row in astray:
            report.add(VERIFY_ASTRAY, slug, what=f"{pointer.kind} {row}", column=pointer.column)


def _rows_of(pointer: Pointer, event: int) -> list[Any]:
    """Return what names the rows astray: the place of a seat, the key of an act."""
    rows: Any = pointer.model._default_manager
    there = Q(**{f"{pointer.column}__isnull": False})
    astray = rows.filter(there, **{pointer.home: event}).exclude(**{pointer.leads_to: F(pointer.same_as)})
    if pointer.model is Seat:
        places = astray.values_list("table__round__number", "table__number", "seat").order_by("pk")
        return [f"{round_}/{table}/{seat}" for round_, table, seat in places]
    return list(astray.order_by("pk").values_list("client_id", flat=True))
