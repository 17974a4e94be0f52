"""The trail: who did what and when at an event, by person, topic, day and words."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET
from django_tables2.data import TableData

from tournament.accounts.queries import AuditFilter, AuditLine, count_audit, list_audit, list_authors
from tournament.core.acts import list_acts_of
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.lists import ListColumn, ListTable
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import MAX_QUERY_LENGTH
from tournament.players.queries import get_renumbered_until
from tournament.publication.names import list_names
from tournament.seating.actions import SEATS_DRAWN
from tournament.seating.queries import SCHEDULE_TAKEN
from tournament.text.acts import act_text
from tournament.text.names import fold, search_text

MAX_SEARCHED = 20_000  # rows that a search by words or a file reads
# what acts are about, by the features that declare them; an act of none is one of the settings
TOPICS = {
    "hands": (gettext_lazy("Hands"), {"tables"}),
    "sheets": (gettext_lazy("Sheets"), {"sheets", "phone_signing", "player_entry"}),
    "players": (gettext_lazy("Players"), {"players", "incidents", "privacy"}),
    "sign_ups": (gettext_lazy("Sign-up"), {"signup"}),
    "seats": (gettext_lazy("Seats"), {"seating"}),
    "rounds": (gettext_lazy("Rounds and clock"), {"rounds", "publication"}),
    "penalties": (gettext_lazy("Penalties and calls"), {"penalties", "calls"}),
    "imports": (gettext_lazy("Imports"), {"imports"}),
    "access": (gettext_lazy("Access"), {"accounts"}),
    "wall": (gettext_lazy("Hall screen"), {"wall"}),
}
SETTINGS = "settings"
NUMBERED = ("number", "player")  # details that are a player's number; `numbers` and `players` are lists of them


@dataclass(frozen=True, slots=True)
class Act:
    """A row of the trail, and the same in words."""

    line: AuditLine
    words: str


class Acts(TableData):
    """The wanted acts of an event, of which a page reads only its own."""

    def __init__(self, event: Event, wanted: AuditFilter) -> None:
        super().__init__(())
        self.event, self.wanted, self.oldest_first = event, wanted, False
        self.names, self.renumbered = dict(list_names(event)), get_renumbered_until(event)

    def __len__(self) -> int:
        return self._count

    @cached_property
    def _count(self) -> int:
        return count_audit(self.event, self.wanted)

    def __iter__(self) -> Iterator[Act]:
        return iter(self[:MAX_SEARCHED])

    def __getitem__(self, part: slice) -> list[Act]:
        first = part.start or 0
        lines = list_audit(
            self.event, first=first, most=part.stop - first, wanted=self.wanted, oldest_first=self.oldest_first
        )
        return [Act(line, _say(line, self.names if line.seq > self.renumbered else {})) for line in lines]

    def order_by(self, aliases: Sequence[str]) -> None:
        """Turn the order of time round; the trail has no other."""
        self.oldest_first = any(alias == "at" for alias in aliases)


class TrailTable(ListTable):
    """What was done, by whom and when."""

    title = gettext_lazy("Trail")
    at = ListColumn(gettext_lazy("When"), value=lambda act: act.line.at, sort=lambda act: act.line.seq, kind="moment")
    by = ListColumn(gettext_lazy("Who"), value=lambda act: act.line.by or _("without an account"), sort=False)
    what = ListColumn(gettext_lazy("What"), value=lambda act: act.words, sort=False, kind="sentence")

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "trail"}
        order_by = "-at"


@require_GET
@who_may(Right.CHANGE_SETTINGS)
def trail(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the acts asked for by `q`, `who`, `what`, `since` and `until`, the newest first."""
    asked = _asked(request.GET)
    acts = Acts(event, _wanted(asked))
    query = fold(asked["q"])
    found = [act for act in acts if _holds(f"{act.line.by} {act.words}", query)] if query else acts
    table = TrailTable(found, request)
    if file := table.file(event.name):
        return file
    context = {
        "table": table,
        "asked": asked,
        "people": list_authors(event),
        "topics": [*((key, label) for key, (label, _features) in TOPICS.items()), (SETTINGS, _("Settings"))],
    }
    return render(request, "settings/trail.html", desk_context(request, event, "settings", **context))


def _asked(asked: QueryDict) -> dict[str, str]:
    found = {name: asked.get(name, "")[:MAX_QUERY_LENGTH] for name in ("q", "who", "what", "since", "until")}
    for name in ("since", "until"):
        found[name] = found[name] if _day(found[name]) else ""
    return found | {"what": found["what"] if found["what"] in (*TOPICS, SETTINGS) else ""}


def _wanted(clean: dict[str, str]) -> AuditFilter:
    what, since, until = clean["what"], _day(clean["since"]), _day(clean["until"])
    features = TOPICS[what][1] if what in TOPICS else set().union(*(each for _label, each in TOPICS.values()))
    return AuditFilter(
        by=clean["who"],
        acts=list_acts_of(features) if what else (),
        is_other=what == SETTINGS,
        since=_midnight(since) if since else None,
        until=_midnight(until + dt.timedelta(days=1)) if until else None,
    )


def _day(text: str) -> dt.date | None:
    try:
        found = parse_date(text)
    except ValueError:
        return None
    return found if found and found.year < dt.MAXYEAR else None


def _midnight(day: dt.date) -> dt.datetime:
    return timezone.make_aware(dt.datetime.combine(day, dt.time()))


def _holds(said: str, query: str) -> bool:
    return all(word in search_text(said) for word in query.split())


def _say(line: AuditLine, names: dict[int, str]) -> str:
    """Say an act with the names of players beside their numbers."""
    return act_text(line.verb, {key: _named(key, value, names, line.verb) for key, value in line.details.items()})


def _named(key: str, value: Any, names: dict[int, str], verb: str) -> Any:
    if verb in COUNTED:
        return value
    if key in NUMBERED and isinstance(value, int):
        return f"{value} {names[value]}" if value in names else value
    if key in ("numbers", "players") and isinstance(value, list) and len(value) <= MAX_NAMED:
        return [f"{number} {names[number]}" if number in names else number for number in value]
    return value


MAX_NAMED = 8  # a list of more players stays one of numbers
COUNTED = (SEATS_DRAWN.name, SCHEDULE_TAKEN.name)  # whose `players` is how many
