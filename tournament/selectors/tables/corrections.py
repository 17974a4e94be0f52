"""What is being corrected in public: tables of public rounds that are open again. It counts nothing itself."""

from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from tournament.models import Event, SheetRow, Table
from tournament.selectors.core.cached import by_version
from tournament.selectors.core.visibility import seen_by_public


@dataclass(frozen=True, slots=True)
class ReopenedTable:
    """A table of a released round that is not signed now: its hands are being corrected."""

    round: int
    table: int


def list_reopened(event: Event) -> tuple[ReopenedTable, ...]:
    """List the tables of rounds that the public may see which are open again; one query for each version of the event.

    The standings count such a table as it stands, and say so: nobody's points vanish while a hand is put right.
    """
    return by_version(event, "reopened", lambda: _reopened(event))


def _reopened(event: Event) -> tuple[ReopenedTable, ...]:
    last = SheetRow.objects.filter(table=OuterRef("pk")).order_by("-seq").values("signed")[:1]
    found = Table.objects.filter(round__event=event, round__number__in=seen_by_public(event).rounds).annotate(
        is_signed=Subquery(last)
    )
    rows = found.exclude(is_signed=True).order_by("round__number", "number").values_list("round__number", "number")
    return tuple(ReopenedTable(round_, number) for round_, number in rows)


def get_signed_before(table: int) -> SheetRow | None:
    """Return what a table was last signed with, however it stands now; one query."""
    return SheetRow.objects.filter(table=table, signed=True).order_by("-seq").first()
