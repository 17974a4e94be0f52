"""Make, change and delete seasons, and say which events count in them; on the trail of the site."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, get_args

from django.db import transaction
from django.db.models import F
from django.utils.text import slugify

from scoring.problems import Problem, ProblemType
from scoring.seasons import Gather, Measure, Unit, read_number
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.audit import append_audit, lock_audit_trail
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_TITLE
from tournament.core.now import now
from tournament.events.models import Event, Visibility
from tournament.people.actions import give_lasting_ids
from tournament.seasons.models import MAX_WEIGHT_TEXT, Season, SeasonEvent
from tournament.seasons.queries import DeclaredRule, list_head_starts, read_head_starts, rule_json
from tournament.text.names import clean_text

SEASON_CREATED = Act("season_created", "created the season {season}", Seals.OWN)
SEASON_CHANGED = Act("season_changed", "changed {fields} of the season {season}", Seals.OWN)
SEASON_EVENTS_SET = Act("season_events_set", "chose the events of the season {season}", Seals.OWN)
SEASON_DELETED = Act("season_deleted", "deleted the season {season}", Seals.OWN)

SEASON_NAME_MISSING = ProblemType("season.name_missing", "A season needs a name of at most {most} letters.")
SEASON_RULE_UNKNOWN = ProblemType("season.rule_unknown", "This rule is not known here.")
SEASON_WEIGHT = ProblemType(
    "season.weight", "A weight is a number from 0 to 100 or a fraction, such as 1, 0.5 or 1/2: '{text}' is not one."
)
SEASON_PHASE = ProblemType("season.phase", "The phase of an event is a whole number from 1 to {most}.")
SEASON_CARRIED = ProblemType(
    "season.carried", "Line {line} of the head starts is no name with points, such as “Ana Berg 12.5”."
)
SEASON_CARRIED_UNKNOWN = ProblemType(
    "season.carried_unknown", "{name} is not known in this season, or is several people: link them first."
)
SEASON_CARRIED_TWICE = ProblemType(
    "season.carried_twice", "Line {line} of the head starts is the second one of {name}: keep one of them."
)

MAX_LEAST = 999  # games, and values that count
MAX_WEIGHT = 100
MAX_PHASE = 20


@dataclass(frozen=True, slots=True)
class SeasonFacts:
    """What is said of a season: see the columns of `Season`; `closed` makes its first the champion.

    `carried` are head starts by the key of a human being (`people.queries.human_key`).
    """

    name: str
    rule: DeclaredRule
    carried: Mapping[int, str] | None = None
    visibility: str = Visibility.PUBLIC
    closed: bool = False


@dataclass(frozen=True, slots=True)
class CountedEvent:
    """An event that counts in a season, with its weight as text and its phase."""

    event: int
    weight: str = "1"
    phase: int = 1


def create_season(*, facts: SeasonFacts, by: Account) -> Season:
    """Create a season without events; its address is its name. Raises DomainError for an invalid value."""
    columns = _columns(facts)
    with transaction.atomic():
        lock_audit_trail(None)
        columns["carried"] = _by_lasting_id(facts.carried or {})
        taken = set(Season.objects.values_list("slug", flat=True))
        stem = slugify(facts.name)[:50] or "season"
        slugs = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(taken) + 2))
        slug = next(slug for slug in slugs if slug not in taken)
        at = now()
        season = Season.objects.create(slug=slug, created_at=at, closed_at=at if facts.closed else None, **columns)
        _append(SEASON_CREATED, season, {}, by, at)
    return season


def change_season(*, season: Season, facts: SeasonFacts, by: Account) -> bool:
    """Replace what is said of a season; return whether anything is new. Raises DomainError for an invalid value."""
    columns = _columns(facts)
    with transaction.atomic():
        lock_audit_trail(None)
        current = Season.objects.select_for_update().get(pk=season.pk)
        carried, sums = facts.carried or {}, read_head_starts(current)
        same = {key for key, points in carried.items() if sums.get(key) == Fraction(points)}
        columns["carried"] = _by_lasting_id({key: carried[key] for key in carried.keys() - same})
        for key, parts in list_head_starts(current).items():  # undoing a merge parts those of one person again
            columns["carried"] |= parts if key in same else {}
        fields = [name for name, value in columns.items() if getattr(current, name) != value]
        if bool(current.closed_at) != facts.closed:
            columns["closed_at"] = now() if facts.closed else None
            fields.append("closed" if facts.closed else "open")
        if not fields:
            return False
        Season.objects.filter(pk=season.pk).update(**columns)
        _append(SEASON_CHANGED, current, {"fields": fields}, by, now())
    season.refresh_from_db()
    return True


def set_season_events(*, season: Season, events: Sequence[CountedEvent], by: Account) -> bool:
    """Replace the events of a season; return whether anything is new.

    Raises DomainError for an invalid weight or phase.
    """
    problems = [SEASON_WEIGHT(text=each.weight[:20]) for each in events if _weight(each.weight) is None]
    if not all(1 <= each.phase <= MAX_PHASE for each in events):
        problems.append(SEASON_PHASE(most=MAX_PHASE))
    if problems:
        raise DomainError(*problems)
    wanted = {each.event: (str(_weight(each.weight)), each.phase) for each in events}
    with transaction.atomic():
        lock_audit_trail(None)
        Season.objects.select_for_update().get(pk=season.pk)
        here = set(Event.objects.filter(pk__in=wanted).values_list("pk", flat=True))
        stored = {row.event_id: (row.weight, row.phase) for row in season.events.all()}
        new = {event: said for event, said in wanted.items() if event in here}
        if stored == new:
            return False
        season.events.all().delete()
        SeasonEvent.objects.bulk_create(
            SeasonEvent(season=season, event_id=event, weight=weight, phase=phase)
            for event, (weight, phase) in new.items()
        )
        _raise_versions(new.keys() - stored.keys())
        _append(SEASON_EVENTS_SET, season, {"events": len(new)}, by, now())
    return True


def join_seasons(*, event: Event, template: Event, by: Account) -> int:
    """Let an event count in the open seasons in which another one does, with its weight and phase; return how many."""
    with transaction.atomic():
        lock_audit_trail(None)
        rows = list(template.seasons.filter(season__closed_at=None).select_related("season"))
        for row in rows:
            SeasonEvent.objects.get_or_create(
                season=row.season, event=event, defaults={"weight": row.weight, "phase": row.phase}
            )
            _append(SEASON_EVENTS_SET, row.season, {"events": row.season.events.count()}, by, now())
        _raise_versions([event.pk] if rows else [])
    return len(rows)


def _raise_versions(events: Iterable[int]) -> None:
    """Let the pages of events that are new in a season be drawn again: they say that an event counts in none."""
    Event.objects.filter(pk__in=list(events)).update(version=F("version") + 1)


def delete_season(*, season: Season, by: Account) -> None:
    """Delete a season; its events stay as they are."""
    with transaction.atomic():
        lock_audit_trail(None)
        if Season.objects.filter(pk=season.pk).exists():
            _append(SEASON_DELETED, season, {}, by, now())
            season.delete()


def read_carried(text: str, names: Mapping[str, Collection[int]]) -> dict[int, str]:
    """Read head starts, a line a person: the name, then points as P; `names` gives the keys by folded name.

    Raises DomainError with each line that cannot be read.
    """
    found: dict[int, str] = {}
    problems: list[Problem] = []
    for number, line in enumerate(filter(None, map(str.strip, text.splitlines())), start=1):
        name, _gap, figure = line.rpartition(" ")
        points = read_thousands(figure)
        keys = names.get(clean_text(name).casefold(), ())
        if not name or points is None:
            problems.append(SEASON_CARRIED(line=number))
        elif len(keys) != 1:
            problems.append(SEASON_CARRIED_UNKNOWN(name=clean_text(name)[:60]))
        elif (key := min(keys)) in found:
            problems.append(SEASON_CARRIED_TWICE(line=number, name=clean_text(name)[:60]))
        else:
            found[key] = str(points)
    if problems:
        raise DomainError(*problems)
    return found


def read_thousands(text: str) -> Fraction | None:
    """Return the points that a text gives in thousands (P), exact; None for any other text.

    >>> str(read_thousands("−12,5")), str(read_thousands("100")), read_thousands("x")
    ('-12500', '100000', None)
    """
    number = read_number(text.replace(",", ".").replace("−", "-"))
    return None if number is None else Fraction(number) * 1000


def _weight(text: str) -> Fraction | None:
    number = read_number(text.strip().replace(",", "."))
    fits = number is not None and 0 <= number <= MAX_WEIGHT and len(str(number)) <= MAX_WEIGHT_TEXT
    return Fraction(number) if number is not None and fits else None


def _columns(facts: SeasonFacts) -> dict[str, Any]:
    name, rule = clean_text(facts.name), facts.rule.counts
    problems: list[Problem] = []
    if not name or len(name) > MAX_TITLE:
        problems.append(SEASON_NAME_MISSING(most=MAX_TITLE))
    known = rule.unit in get_args(Unit) and rule.measure in get_args(Measure) and rule.gather in get_args(Gather)
    counts = 0 <= rule.least <= MAX_LEAST and (rule.best is None or 1 <= rule.best <= MAX_LEAST)
    if not known or not counts or facts.visibility not in Visibility.values:
        problems.append(SEASON_RULE_UNKNOWN())
    if problems:
        raise DomainError(*problems)
    return {"name": name, "rule": rule_json(facts.rule), "visibility": facts.visibility}


def _by_lasting_id(carried: Mapping[int, str]) -> dict[str, str]:
    uids = give_lasting_ids(carried)
    return {str(uids[key]): points for key, points in carried.items() if key in uids}


def _append(act: Act, season: Season, details: dict[str, Any], by: Account, at: dt.datetime) -> None:
    append_audit(None, act, {"season": season.slug, **details}, by=str(by.uid), at=at)
