"""The wall: its settings, announcements, and the prize giving.

The prize giving reads past a hold, so it is for the desk; a public page takes only `revealed` from it.
"""

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import QuerySet

from tournament.accounts.queries import account_names
from tournament.core.acts import Shown, list_acts
from tournament.core.models import AuditRow
from tournament.core.prepared import Prepared
from tournament.events.models import Event
from tournament.publication.names import without_hidden_names
from tournament.standings.columns import StandingRow
from tournament.standings.queries import Standings, get_released_standings
from tournament.wall.models import Announcement, Wall


@dataclass(frozen=True, slots=True)
class PrizeStep:
    """What one press reveals: a place with everybody who shares it."""

    place: int
    shared: bool
    rows: tuple[StandingRow, ...]


@dataclass(frozen=True, slots=True)
class Prizes:
    """A prize giving: `steps` in the order in which they are revealed, the last place first, `shown` of them so far.

    `moved` says that the results are others than those it was begun with; then nothing is revealed.
    """

    open: bool
    top: int
    shown: int
    steps: tuple[PrizeStep, ...]
    moved: bool
    mark: str = ""

    @property
    def revealed(self) -> tuple[PrizeStep, ...]:
        """The steps that everybody may see, the newest and best place first."""
        return () if self.moved or not self.open else tuple(reversed(self.steps[: self.shown]))

    @property
    def next_step(self) -> PrizeStep | None:
        """What the next press reveals; None at the end."""
        return self.steps[self.shown] if self.shown < len(self.steps) else None


def get_prizes(event: Event) -> Prizes:
    """Return the prize giving of an event as it is now."""
    wall = get_wall(event)
    standings = get_released_standings(event)
    steps = list_steps(standings.rows, wall.prizes_top) if standings.rounds else ()
    mark = mark_of(standings) if standings.rounds else ""
    return Prizes(
        open=wall.prizes_open,
        top=wall.prizes_top,
        shown=min(wall.prizes_step, len(steps)),
        steps=steps,
        moved=wall.prizes_open and wall.prizes_mark != mark,
        mark=mark,
    )


def list_steps(rows: Sequence[StandingRow], top: int) -> tuple[PrizeStep, ...]:
    """Return the places to reveal from last to first, shared ones as one; with `top` only places up to that one."""
    places = [tuple(each) for _rank, each in groupby(rows, key=lambda row: row.rank)]
    wanted = [each for each in places if not top or each[0].rank <= top]
    return tuple(PrizeStep(each[0].rank, each[0].shared, each) for each in reversed(wanted))


def mark_of(standings: Standings) -> str:
    """Return what tells these results from any others: places, players and totals of these rounds."""
    facts = (standings.rounds, [(row.rank, row.shared, row.number, row.total) for row in standings.rows])
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:20]


AT_ONCE = dt.timedelta(seconds=60)  # how long a new announcement covers everything else


@dataclass(frozen=True, slots=True)
class AnnouncementRow:
    """One announcement as the desk lists it, with who wrote it."""

    row: Announcement
    by: str
    state: str  # "now", "later", "over" or "taken_back"


_WALL = Prepared(lambda event: Wall.objects.filter(event=event))


def get_wall(event: Event) -> Wall:
    """Return the wall of an event, one of usual values where nobody has set it; one query."""
    return _WALL.first(event.pk) or Wall(event=event)


_STANDING = Prepared(lambda event: Announcement.objects.filter(event=event, taken_back_at=None))


def list_announcements(event: Event, at: dt.datetime) -> list[Announcement]:
    """List what is announced at this moment, in order, without the names of hidden players; two queries at most."""
    found = [row for row in _STANDING(event.pk) if _state(row, at) == "now"]
    say = without_hidden_names(event) if found else str
    for row in found:
        row.title, row.text = say(row.title), say(row.text)
        row.second_title, row.second_text = say(row.second_title), say(row.second_text)
    return found


def list_all_announcements(event: Event, at: dt.datetime) -> list[AnnouncementRow]:
    """List all announcements, those taken back last; two queries."""
    rows = sorted(event.announcements.all(), key=lambda row: row.taken_back_at is not None)
    names = account_names({row.written_by for row in rows})
    return [AnnouncementRow(row, names.get(row.written_by, ""), _state(row, at)) for row in rows]


@Prepared
def _ask_newest(event: int) -> QuerySet[AuditRow, Any]:
    acts = AuditRow.objects.filter(event=event, verb__in=[act.name for act in list_acts() if act.place is Shown.WALL])
    return acts.order_by("-seq").values_list("seq")[:1]


def wall_mark(event: Event) -> str:
    """Return what moves with every act on the wall and with nothing else; one small query."""
    return str(*_ask_newest.first(event.pk) or (0,))


def _state(row: Announcement, at: dt.datetime) -> str:
    if row.taken_back_at:
        return "taken_back"
    if row.shown_from > at:
        return "later"
    return "over" if row.shown_until and row.shown_until <= at else "now"
