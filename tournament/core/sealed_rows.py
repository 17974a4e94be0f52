"""What the acts of an event seal: the rows that move a standing, each as plain values under a key, and its digest.

A key is a kind with a place ("seats 2/5", "penalty" with its client id). What may be read in public stands under a key
of its own, beside a private one ("note"), so that one can be opened without the other. Typed texts that forgetting a
person rewrites are left out.
"""

import hmac
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournament.core.hash_chain import checksum, moment
from tournament.core.prepared import Prepared
from tournament.events.models import Event
from tournament.incidents.models import Disqualification, Substitution
from tournament.penalties.models import Penalty
from tournament.players.models import Player
from tournament.sheets.models import SheetCheck, SheetRow
from tournament.standings.models import Cut
from tournament.tables.models import LedgerEntry, Round, Seat, Table

NOTE = " note"


@dataclass(frozen=True, slots=True)
class Sealed:
    """A row's content as plain values; `salt` is its own, for what must be erasable."""

    content: Any
    salt: str = ""


Rows = dict[str, Sealed]
Found = Iterable[tuple[str, Sealed]]


def read_sealed_rows(event: int) -> Rows:
    """Return all rows of an event that move a standing, but the hands; a constant number of queries."""
    return {key: row for kind in KINDS.values() for key, row in kind(event)}


def row_digests(salt: str, rows: Mapping[str, Sealed]) -> dict[str, str]:
    """Return the digest of each row, under an event's salt."""
    return {key: digest(opening(salt, key, row), key, row.content) for key, row in rows.items()}


def keys_of_person(number: int) -> list[str]:
    """Return the keys of what is a person's own: the same at every event where they play."""
    return [f"name {number}", f"person {number}"]


def opening(salt: str, key: str, row: Sealed) -> str:
    """Return the salt of a row's digest; who knows it, the key and the content can check the digest."""
    return hmac.digest(salt.encode(), f"{row.salt}{key}".encode(), "sha256").hex()


def digest(opened: str, key: str, content: Any) -> str:
    """Return the SHA-256 over a row's opening, key and content."""
    return checksum([opened, key, content])


def hand_rows(place: str, row: LedgerEntry) -> Found:
    """Yield what a ledger row seals: the hand as the public reads it, and the row's hash, which covers all of it."""
    entry = json.loads(row.payload) if row.payload else None
    if entry is not None:
        entry.pop("note", None)
    yield f"hand {place}/{row.seq}", Sealed({"entry": entry, "supersedes": row.supersedes})
    yield f"hand{NOTE} {place}/{row.seq}", Sealed(row.hash)


def sheet_rows(place: str, row: SheetRow) -> Found:
    """Yield what a signature seals."""
    yield (
        f"sheet {place}/{row.seq}",
        Sealed({"signed": row.signed, "totals": row.totals, "leftover": row.leftover}),
    )
    private = {"ledger_hash": row.ledger_hash, "reason": row.reason, "by": row.by, "at": moment(row.at)}
    yield f"sheet{NOTE} {place}/{row.seq}", Sealed(private)


def check_rows(place: str, row: SheetCheck) -> Found:
    """Yield what a second person's check of a sheet seals; `place` is the sheet's."""
    content = {"confirmed": row.confirmed, "reason": row.reason, "by": row.by, "at": moment(row.at)}
    yield f"check {place}", Sealed(content)


def round_row(row: Round) -> tuple[str, Sealed]:
    """Return what the moments of a round seal, with its key."""
    return f"round {row.number}", Sealed({name: _plain(getattr(row, name)) for name in _MOMENTS})


def read_sealed_hands(event: int) -> Found:
    """Yield what all ledger rows of an event seal."""
    for row in LedgerEntry.objects.filter(table__round__event=event).select_related("table__round"):
        yield from hand_rows(f"{row.table.round.number}/{row.table.number}", row)


# ---------------------------------------------------------------- kinds

RULES = ("rules", "rules_frozen_at", "foul_amounts", "kept_amounts", "rounds_planned", "team_best")
EVENT = ("slug", "name", "date", "place")
SHOWN = ("visibility", "live_tables", "live_others", "hold", "shown_through")
# kinds that older seals lack: their rows count from the first act on that changed them
LATER = ("shown", "disqualification shown")


class _Facts:
    """Reads columns of an event's rows, as dictionaries; `where` names the column that is the event."""

    def __init__(self, model: type[Any], columns: Iterable[str], where: str = "event") -> None:
        """Store what is read."""
        self.columns = tuple(columns)
        self._rows = Prepared(lambda event: model.objects.filter(**{where: event}).values_list(*self.columns))

    def __call__(self, event: int) -> list[dict[str, Any]]:
        """Return the rows of an event."""
        return [dict(zip(self.columns, row, strict=True)) for row in self._rows(event)]


_EVENT = _Facts(Event, (*RULES, "second_rules", *EVENT, *SHOWN), where="pk")
_PRIVATE, _OWN = ("legal_name", "ema_number", "country", "club"), ("ranked", "team", "withdrawn_at")
_PLAYERS = _Facts(Player, ("number", *_OWN, *(f"person__{name}" for name in ("preferred_name", "salt", *_PRIVATE))))
_MOMENTS = ("published_at", "started_at", "released_at")
_ROUNDS = Prepared(lambda event: Round.objects.filter(event=event))
_TABLES = Prepared(lambda event: Table.objects.filter(round__event=event).values_list("pk", "round__number", "number"))
_SEATS = Prepared(
    lambda event: (
        Seat.objects.filter(table__round__event=event).order_by("seat").values_list("table", "seat", "player__number")
    )
)
_SHEETS = Prepared(
    lambda event: SheetRow.objects.filter(table__round__event=event).select_related("table__round", "checked")
)


def _event(event: int) -> Found:
    (facts,) = _EVENT(event)
    second = {"second_rules": facts["second_rules"]} if facts["second_rules"] else {}
    yield "rules", Sealed({name: _plain(facts[name]) for name in RULES} | second)
    yield "event", Sealed({name: _plain(facts[name]) for name in EVENT})
    yield "shown", Sealed({name: _plain(facts[name]) for name in SHOWN})


def _players(event: int) -> Found:
    for row in _PLAYERS(event):
        number, salt = row["number"], row["person__salt"]
        yield f"player {number}", Sealed({name: _plain(row[name]) for name in _OWN})
        yield f"name {number}", Sealed(row["person__preferred_name"], salt)
        yield f"person {number}", Sealed({name: row[f"person__{name}"] for name in _PRIVATE}, salt)


def _rounds(event: int) -> Found:
    for row in _ROUNDS(event):
        yield round_row(row)


def _seats(event: int) -> Found:
    seated: dict[int, list[list[int]]] = defaultdict(list)
    for table, seat, player in _SEATS(event):
        seated[table].append([seat, player])
    for table, round_, number in _TABLES(event):
        yield f"seats {round_}/{number}", Sealed(seated[table])


def _sheets(event: int) -> Found:
    for row in _SHEETS(event):
        place = f"{row.table.round.number}/{row.table.number}"
        yield from sheet_rows(place, row)
        if hasattr(row, "checked"):
            yield from check_rows(f"{place}/{row.seq}", row.checked)


def _acts(kind: str, model: type[Any], public: str, private: str, shown: str = "") -> Callable[[int], Found]:
    """Make the reader of an act that may be cancelled; `public`, `private` and `shown` are columns.

    `shown` says what the public reads of it.
    """
    also = {"client_id", "cancelled_at", "cancelled_by", *shown.split()}
    facts = _Facts(model, {*public.split(), *private.split(), *also})

    def read(event: int) -> Found:
        for row in facts(event):
            content = {name: _plain(row[name]) for name in public.split()}
            yield f"{kind} {row['client_id']}", Sealed({**content, "cancelled": row["cancelled_at"] is not None})
            names = [*private.split(), "cancelled_at", "cancelled_by"]
            yield f"{kind}{NOTE} {row['client_id']}", Sealed({name: _plain(row[name]) for name in names})
            if shown:
                yield f"{kind} shown {row['client_id']}", Sealed(_plain(row[shown]))

    return read


def _plain(value: Any) -> Any:
    """Return a column's value as JSON has it, a moment in the form of the chains."""
    if isinstance(value, datetime):
        return moment(value)
    return value if isinstance(value, str | int | dict | list | None) else str(value)


KINDS: dict[str, Callable[[int], Found]] = {
    "event": _event,
    "player": _players,
    "round": _rounds,
    "seats": _seats,
    "sheet": _sheets,
    "penalty": _acts(
        "penalty",
        Penalty,
        "player__number round__number table__number seq kind points substitution__client_id charged_at",
        "foul case minutes clause given_by given_at charged_by",
    ),
    "substitution": _acts(
        "substitution",
        Substitution,
        "table__round__number table__number player__number substitute__number when seq answers",
        "given_by given_at",
    ),
    "disqualification": _acts(
        "disqualification",
        Disqualification,
        "player__number after_round was_ranked was_withdrawn",
        "clause given_by given_at",
        shown="shown",
    ),
    "cut": _acts("cut", Cut, "after_round through carry others", "made_by made_at"),
}


def changes(before: Mapping[str, str], after: Mapping[str, str], also: Iterable[str] = ()) -> dict[str, str | None]:
    """Return the digests that an act has changed, None for a row that is gone; `also` are keys to seal in any case.

    >>> changes({"a": "1", "b": "2"}, {"b": "3", "c": "4"})
    {'a': None, 'b': '3', 'c': '4'}
    """
    named = {key for key in {*before, *after} if before.get(key) != after.get(key)} | set(also)
    return {key: after.get(key) for key in sorted(named)}
