"""What is new in a season for readers elsewhere: the public results of its public events."""

import datetime as dt
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.core.models import AuditRow
from tournament.events.actions import RESULTS_SHOWN
from tournament.events.models import Event, Visibility
from tournament.pages.calendars import one_line
from tournament.people.queries import human_key
from tournament.players.models import Person
from tournament.publication.queries import get_public_view
from tournament.seasons.messages import figure_text, line_name
from tournament.seasons.models import Season
from tournament.seasons.queries import SeasonLine, SeasonView, count_event
from tournament.tables.models import Round
from tournament.text.languages import join_commas

TOP = 10  # lines of the table that a message has


@dataclass(frozen=True, slots=True)
class EventNews:
    """The public results of an event after a round; `first` names who leads, or has won where it is `over`.

    `at` is when they became public.
    """

    event: Event
    round: int
    over: bool
    first: tuple[str, ...]
    at: dt.datetime

    def __str__(self) -> str:
        """Say it in a line."""
        name = one_line(self.event.name)
        facts = {"event": name, "names": join_commas(self.first), "round": self.round}
        if self.over:
            return _("%(event)s: won by %(names)s") % facts if self.first else name
        said = _("%(event)s, after round %(round)d: first %(names)s") if self.first else _("%(event)s, round %(round)d")
        return said % facts


def list_news(season: Season, view: SeasonView) -> list[EventNews]:
    """List the events with public results, the newest first; unlisted events and drafts are never among them.

    Five queries while nothing changes.
    """
    events = [row.event for row in season.events.filter(event__visibility=Visibility.PUBLIC).select_related("event")]
    shown = {event.pk: get_public_view(event).rounds for event in events}
    released = _released(events)
    unveiled = dict(
        AuditRow.objects.filter(event__in=events, verb=RESULTS_SHOWN.name).order_by("seq").values_list("event", "at")
    )
    best = {event.pk: [pk for pk, rank in count_event(event).ranks.items() if rank == 1] for event in events}
    people = [pk for each in best.values() for pk in each]
    known = dict(Person.objects.filter(pk__in=people).values_list("pk", "known"))
    names = {line.row.person: line_name(line) for line in view.lines}
    news = []
    for event in events:
        rounds = shown[event.pk]
        moments = [released[event.pk, number] for number in rounds if (event.pk, number) in released]
        if not moments:
            continue
        first = [names.get(human_key(pk, known.get(pk))) for pk in best[event.pk]]
        moments += [unveiled[event.pk]] if event.pk in unveiled else []
        drawn = max(number for pk, number in released if pk == event.pk)
        over = len(rounds) >= max(event.rounds_planned, drawn)
        news.append(EventNews(event, max(rounds), over, tuple(sorted(filter(None, first))), max(moments)))
    return sorted(news, key=lambda each: (each.at, each.event.date), reverse=True)


def _released(events: list[Event]) -> dict[tuple[int, int], dt.datetime]:
    """Return of each round of these events when it was released, the beginning of time for one that is not."""
    rows = Round.objects.filter(event__in=events).values_list("event", "number", "released_at")
    never = dt.datetime.min.replace(tzinfo=dt.UTC)
    return {(event, number): at or never for event, number, at in rows}


def say_line(view: SeasonView, line: SeasonLine) -> str:
    """Say a line of the table: place, name, figure."""
    return f"{line.row.rank}. {one_line(line_name(line))} {figure_text(view.rule, line.row.figure)}"


def say_leaders(view: SeasonView) -> str:
    """Say who leads the season, "" while nobody has a rank."""
    leaders = [say_line(view, line) for line in view.ranked if line.row.rank == 1]
    return _("Season: %(lines)s") % {"lines": join_commas(leaders)} if leaders else ""
