"""What the desk knows of an event for EMA, and the organiser's answers, of which the last of each counts."""

import datetime as dt
import json
from collections import Counter
from dataclasses import dataclass

from django.utils import timezone

from rules.ema_events import EventFacts, Session, late_rounds
from tournament.accounts.models import Role
from tournament.calls.models import CallKind
from tournament.core.acts import Act, Seals
from tournament.core.models import AuditRow
from tournament.core.time_zones import zone_of
from tournament.ema.files import EmaPlayer, split_name
from tournament.events.models import Event, Visibility
from tournament.incidents.queries import count_substitutes
from tournament.players.queries import list_players
from tournament.signup.queries import get_shown_page
from tournament.standings.queries import Standings
from tournament.tables.round_queries import list_round_times

EMA_ANSWERED = Act("ema_answered", "answered what EMA asks, “{requirement}”: {answer}", Seals.OWN)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, "yes" or "no", with the account that gave it and when."""

    answer: str
    by: str
    at: dt.datetime


def list_answers(event: Event) -> dict[str, Answer]:
    """Return the answers that stand, by the key of the demand; one query."""
    found = {}
    for row in AuditRow.objects.filter(event=event, verb=EMA_ANSWERED.name).order_by("seq"):
        said = json.loads(row.details)
        found[said["requirement"]] = Answer(said["answer"], row.by, row.at)
    return {key: each for key, each in found.items() if each.answer != "open"}


REFEREES = (Role.REFEREE, Role.HEAD_REFEREE)
ENGLISH = "en"


def get_ema_facts(event: Event, *, today: dt.date) -> EventFacts:
    """Return what EMA's demands are judged by, without the errors of the results file. Nine queries."""
    texts = event.house_rules
    return EventFacts(
        book=event.ruleset.key,
        table_size=min(event.rulesets),
        date=event.date,
        today=today,
        minutes=event.ruleset.minutes,
        sessions=_sessions(event),
        players=event.players.filter(withdrawn_at=None, ranked=True).count(),
        substitutes=count_substitutes(event),
        referees=len(event.rota) or event.memberships.filter(role__in=REFEREES).count(),
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
    set_here = {"fee": page.fee, "prizes": event.prizes.get("rows")}
    return {f"page_{key}" for key in told | {key for key, value in set_here.items() if value}}


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
        days=tuple(map(len, facts.days.values())) or tuple(event.day_rounds) or (len(facts.sessions),),
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


def list_ema_players(event: Event, standings: Standings) -> list[EmaPlayer]:
    """Return the federation's lines in the order of the standings, shared places by the better number; one query.

    The full name counts where one was given, else the one that the player is called by.
    """
    people = {row.number: row for row in list_players(event)}
    return [
        EmaPlayer(
            row.rank,
            row.name,
            *split_name(people[row.number].legal_name or row.name),
            ema_number=people[row.number].ema_number,
            country=people[row.number].country,
            score=row.total,
            results=tuple(row.results[number - 1] for number in standings.rounds),
            penalties=row.penalties,
            cut=any(each.points != each.of for each in row.carried),
            group=row.group,
        )
        for row in standings.rows
    ]
