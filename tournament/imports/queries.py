"""Files that an event has imported, newest first, from the audit trail."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from tournament.core.acts import Act, Group
from tournament.core.redactions import redact_value
from tournament.events.models import Event
from tournament.imports.results import Seating
from tournament.seating.queries import SCHEDULE_TAKEN, list_entrants
from tournament.tables.models import Seat

PLAYERS_IMPORTED = Act("players_imported", "imported players {numbers} from the file {file}")
RESULTS_IMPORTED = Act("results_imported", "imported results from the file {file}")
RESULTS_TAKEN = Act("results_taken", "imported results of tables from the file {file}")
PENALTIES_IMPORTED = Act("penalties_imported", "imported penalties from the file {file}")
GAME_IMPORTED = Act("game_imported", "imported {hands} hands of round {round}, table {table} from the file {file}")
IMPORT_TAKEN_BACK = Act(
    "import_taken_back", "took back what came from the file {file}: {reason}", groups=Group.RENUMBERING
)

ImportKind = Literal["players", "seats", "results", "penalties", "game"]

KINDS: Mapping[str, ImportKind] = {
    PLAYERS_IMPORTED.name: "players",
    SCHEDULE_TAKEN.name: "seats",
    RESULTS_IMPORTED.name: "results",  # with the seats
    RESULTS_TAKEN.name: "results",  # at seats that were there
    PENALTIES_IMPORTED.name: "penalties",
    GAME_IMPORTED.name: "game",
}


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One file that was taken: `seq` is that of its audit row, by which it is taken back; `details` are that row's."""

    seq: int
    kind: ImportKind
    details: Mapping[str, Any]
    by: str
    at: datetime
    taken_back: bool

    @property
    def filename(self) -> str:
        return str(self.details.get("file", ""))

    @property
    def digest(self) -> str:
        return str(self.details.get("digest", ""))


def list_imports(event: Event) -> list[ImportRow]:
    """List the files that an event has taken, newest first; one query."""
    rows = list(event.audit.filter(verb__in=[*KINDS, IMPORT_TAKEN_BACK.name]).order_by("-seq"))
    back = {json.loads(row.details)["import"] for row in rows if row.verb == IMPORT_TAKEN_BACK.name}
    return [
        ImportRow(
            row.seq, KINDS[row.verb], redact_value(event, json.loads(row.details)), row.by, row.at, row.seq in back
        )
        for row in rows
        if row.verb in KINDS
    ]


def get_import(event: Event, seq: int) -> ImportRow | None:
    """Return one file that an event has taken; None for no such."""
    return next((row for row in list_imports(event) if row.seq == seq), None)


def get_seating(event: Event, *, only: int | None = None) -> Seating | None:
    """Return who sits where in published rounds; None for an event without rounds. `only` names one round."""
    if not event.rounds.exists():
        return None
    seats = Seat.objects.filter(round__event=event, round__published_at__isnull=False)
    rows = seats.values_list("round__number", "player__number", "table__number", "seat")
    return Seating(
        list_entrants(event), {(round_, player): (table, seat) for round_, player, table, seat in rows}, only
    )
