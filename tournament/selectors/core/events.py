"""Events as lists and heads show them."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, Max, Min, OuterRef, Q, QuerySet

from tournament.compiled_queries import Prepared
from tournament.models import AuditRow, Event, LedgerEntry, Player, Round
from tournament.models.event import VERSIONS_AHEAD
from tournament.selectors.core.visibility import seen_by_public

# Acts that change the wall and no phone: 500 phones need not ask again for each place of the prize giving.
WALL_VERBS = (
    "wall_pages_set",
    "wall_network_set",
    "announcement_written",
    "announcement_changed",
    "announcement_moved",
    "announcement_taken_back",
    "announcement_put_back",
    "prizes_begun",
    "prizes_shown",
    "prizes_ended",
)

# What happens at a table shows on no public page before its round is released, and then it shows in the ledger.
PRIVATE_VERBS = (
    "hand_entered",
    "hand_corrected",
    "hand_voided",
    "hands_corrected",
    "table_signed",
    "table_reopened",
    "sheet_confirmed",
    "sheet_rejected",
    "sheet_typed",
    "sheet_typed_twice",
    "sheet_decided",
    "sheet_numbers_set",
    "second_person_set",
    "player_checked_in",
    "player_checked_out",
    "tables_ready",
    "tables_not_ready",
    "referee_called",
    "call_answered",
    "devices_made",
    "device_renewed",
    "devices_revoked",
    "member_signed_out",
    "role_changed",
    "member_removed",
    "event_handed_on",
    "keep_months_set",
    "keep_months_unset",
    *WALL_VERBS,
)


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event in a list: its ranked players, its rounds, how many of them are released, and which one is played."""

    slug: str
    name: str
    date: dt.date
    place: str
    rules_title: str
    players: int
    rounds: int
    released: int
    playing: int | None


@dataclass(frozen=True, slots=True)
class PublicState:
    """How far an event has come for the public: `mark` moves with what public pages show, and with nothing else.

    `playing` says that a round has started and is not released, `nameless` that somebody is not shown by name.
    """

    mark: str
    playing: bool
    nameless: bool


def list_events() -> list[EventRow]:
    """List all events, the newest first; one query."""
    events = Event.objects.annotate(
        player_count=Count("players", filter=Q(players__ranked=True), distinct=True),
        released_count=Count("rounds", filter=Q(rounds__released_at__isnull=False), distinct=True),
        playing_round=Min("rounds__number", filter=Q(rounds__started_at__isnull=False, rounds__released_at=None)),
    )
    return [
        EventRow(
            event.slug,
            event.name,
            event.date,
            event.place,
            event.rules["title"],
            event.player_count,
            event.rounds_planned,
            event.released_count,
            event.playing_round,
        )
        for event in events.order_by("-date", "name")
    ]


def get_version(slug: str) -> int | None:
    """Return the version of an event, None where there is none; one small query."""
    return Event.objects.filter(slug=slug).aggregate(version=Max("version"))["version"]


def _ask_acts(event: int) -> QuerySet[AuditRow, Any]:
    public = Max("seq", filter=~Q(verb__in=PRIVATE_VERBS))
    by_event = AuditRow.objects.filter(event=event).order_by().values("event")
    return by_event.annotate(public=public, newest=Max("seq")).values_list("public", "newest")


def _ask_last(event: int, *rounds: int) -> QuerySet[LedgerEntry, Any]:
    released = LedgerEntry.objects.filter(table__round__event=event, table__round__number__in=rounds)
    by_event = released.order_by().values("table__round__event")
    # the sheets, too: a table that is open again is marked until it is signed
    return by_event.annotate(row=Max("pk"), sheet=Max("table__sheets__pk")).values_list("row", "sheet")


def _ask_now(event: int) -> QuerySet[Event, Any]:
    return Event.objects.filter(pk=event).values_list(
        Exists(Round.objects.filter(event=OuterRef("pk"), started_at__isnull=False, released_at=None)),
        Exists(Player.objects.filter(event=OuterRef("pk"), shown_by_name=False)),
    )


_ACTS, _LAST, _NOW = Prepared(_ask_acts), Prepared(_ask_last), Prepared(_ask_now)


def get_public_state(event: Event) -> PublicState:
    """Return how far an event has come for the public; three small queries beside `seen_by_public`.

    The event's version moves with every hand that somebody enters; phones need not ask again for those, nor for what
    happens to a round whose results are held. What is live moves a mark of its own: `Seen.live_mark`.
    """
    public, newest = _ACTS.first(event.pk) or (0, 0)
    # A restore moves the version ahead of the trail: rows written after it may bear numbers that phones know already.
    restored = round((event.version - newest) / VERSIONS_AHEAD)
    seen = seen_by_public(event)
    row, sheet = (_LAST.first(event.pk, *seen.rounds) if seen.rounds else None) or (0, 0)
    playing, nameless = _NOW(event.pk)[0]
    parts = (event.pk, public or 0, row or 0, sheet or 0, restored)
    return PublicState(".".join(str(part) for part in parts), playing, nameless)
