"""What the desk knows of an event for EMA: facts to judge its demands by, and facts for the observer's report."""

import datetime as dt
from collections import Counter
from dataclasses import dataclass

from django.utils import timezone

from rules.ema_events import EventFacts, Session, late_rounds
from tournament.core.time_zones import zone_of
from tournament.ema.queries_ema import list_answers
from tournament.incidents.queries import count_substitutes
from tournament.models.access import Role
from tournament.models.event import Event, Visibility
from tournament.models.referee import CallKind
from tournament.signup.queries import get_shown_page
from tournament.tables.round_queries_clock import list_round_times

REFEREES = (Role.REFEREE, Role.HEAD_REFEREE)
ENGLISH = "en"


def get_ema_facts(event: Event, *, today: dt.date) -> EventFacts:
    """Return what EMA's demands are judged by, without the errors of the results file. Nine queries."""
    texts = event.house_rules
    return EventFacts(
        book=event.ruleset.key,
        table_size=event.ruleset.players,
        date=event.date,
        today=today,
        minutes=event.ruleset.minutes,
        sessions=_sessions(event),
        players=event.players.filter(withdrawn_at=None, ranked=True).count(),
        substitutes=count_substitutes(event),
        referees=event.memberships.filter(role__in=REFEREES).count(),
        public=event.visibility != Visibility.DRAFT,
        english=any(code.startswith(ENGLISH) for code in texts) if texts else None,
        certified=event.ema_certified,
        hold=event.hold,
        observer=bool(event.observer_report.get("observer")),
        answers={key: each.answer == "yes" for key, each in list_answers(event).items()},
        told=_told(event),
    )


def _told(event: Event) -> set[str]:
    """Return the demands that the event's page meets by what it tells."""
    page = get_shown_page(event)
    if page is None or event.visibility == Visibility.DRAFT:
        return set()
    told = {key for key in ("fee", "prizes", "referees") if any(page.texts.get(key, {}).values())}
    return {f"page_{key}" for key in told | ({"fee"} if page.fee else set())}


def _sessions(event: Event) -> list[Session]:
    """Return the rounds, drawn or only planned, in order, in the event's time zone."""
    zone = zone_of(event)
    released = dict(event.rounds.values_list("number", "released_at"))
    return [
        Session(each.planned and timezone.localtime(each.planned, zone), each.started_at, released.get(each.number))
        for each in list_round_times(event)
    ]


@dataclass(frozen=True, slots=True)
class ObserverFacts:
    """What the observer's report takes from the event, beside its name, place, dates and weight.

    `countries` are players by ISO code, "" for unknown, most first. `days` are the numbers of rounds on each day.
    `clocked` counts rounds with a clock of the desk, `late` those shown after the next one began.
    `open_complaints` have no ruling.
    """

    countries: tuple[tuple[str, int], ...]
    days: tuple[int, ...]
    minutes: int
    players: int
    substitutes: int
    referees: int
    complaints: int
    open_complaints: int
    rounds: int
    clocked: int
    late: int


def get_observer_facts(event: Event) -> ObserverFacts:
    """Return what a report says of an event; eleven queries."""
    facts = get_ema_facts(event, today=event.date)
    counted = Counter(event.players.filter(ranked=True).values_list("person__country", flat=True))
    complaints = list(event.calls.filter(kind=CallKind.COMPLAINT).values_list("closed_at", flat=True))
    return ObserverFacts(
        countries=tuple(sorted(counted.items(), key=lambda each: (-each[1], each[0]))),
        days=tuple(map(len, facts.days.values())) or (len(facts.sessions),),
        minutes=facts.minutes,
        players=facts.players,
        substitutes=facts.substitutes,
        referees=facts.referees,
        complaints=len(complaints),
        open_complaints=complaints.count(None),
        rounds=len(facts.sessions),
        clocked=sum(each.started is not None for each in facts.sessions),
        late=len(late_rounds(facts.sessions)),
    )
