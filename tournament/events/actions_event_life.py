"""Verbs on an event as its members know it: what it is called, who finds it, put it away, copy it as a template."""

import datetime as dt
import functools
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction

from scoring.problems import ProblemType
from tournament.core.acts import Act
from tournament.core.errors import Refused
from tournament.core.now import now
from tournament.core.time_zones import same_hour, zone_of
from tournament.core.transaction import Change, append_audit, whole_state, writing
from tournament.events.actions_events import (
    EVENT_VISIBILITY_UNKNOWN,
    event_problems,
    named_time_zone,
    slug_of,
    slug_problems,
)
from tournament.events.actions_settings import MOST_DAYS, in_utc
from tournament.models.access import Account, Membership, Role
from tournament.models.event import Event, Logo, Visibility
from tournament.models.sign_up import SignUpPage
from tournament.models.wall import Announcement, Wall
from tournament.publication.queries import read_seen

EVENT_ROUNDS_DRAWN = ProblemType("event.rounds_drawn", "{drawn} rounds are drawn already: there cannot be fewer.")
EVENT_ROUNDS_HELD = ProblemType(
    "event.rounds_held", "Results are held back: show them first, then change the number of rounds."
)
EVENT_DATE_FAR = ProblemType(
    "event.date_far", "This date is more than a year from the timetable: change the timetable first."
)

EVENT_CHANGED = Act("event_changed", "changed the event ({changed})")
VISIBILITY_SET = Act("visibility_set", "set the visibility of the event: {visibility}")
EVENT_ARCHIVED = Act("event_archived", "archived the event")
EVENT_UNARCHIVED = Act("event_unarchived", "restored the event from the archive")
EVENT_COPIED = Act("event_copied", "made the event from the template {template}")

# what belongs to one event and not to the next: a template leaves it out, and takes every other column
OF_ONE_EVENT = frozenset(
    {"id", "slug", "name", "date", "place", "visibility", "archived_at", "rules_frozen_at", "rounds_planned", "seed",
     "wishes", "drawn", "timetable", "shown_through", "version", "created_at", "kept_amounts", "record_salt",
     "observer_report", "redactions", "other_address"}
)  # fmt: skip


def set_details(
    *, event: Event, name: str, date: dt.date, place: str, rounds: int, time_zone: str = "", by: Account
) -> bool:
    """Change what an event is called, when and where it is, and its rounds; its address stays.

    In another time zone ("" for the same one) the typed times keep their hours. What is public stays public where a
    round is held. Raises Refused for an invalid value, for fewer rounds than are drawn, for a date far from the
    timetable, and for other rounds while results are held.
    """
    with writing(event, EVENT_CHANGED, by=by) as change:
        current = change.event
        wanted: dict[str, Any] = {
            "name": " ".join(name.split()), "date": date, "place": " ".join(place.split()), "rounds_planned": rounds,
            "time_zone": named_time_zone(time_zone, current.time_zone),
        }  # fmt: skip
        changed = {key: value for key, value in wanted.items() if getattr(current, key) != value}
        if not changed:
            change.nothing_new()
            return False
        problems = event_problems(name, place, rounds)
        drawn = current.rounds.count()
        if rounds < drawn:
            problems.append(EVENT_ROUNDS_DRAWN(drawn=drawn))
        starts = [dt.datetime.fromisoformat(start) for start in current.timetable if start]
        if any(abs((start.date() - date).days) > MOST_DAYS for start in starts):
            problems.append(EVENT_DATE_FAR())
        seen = read_seen(current)
        if "rounds_planned" in changed and seen.held:
            problems.append(EVENT_ROUNDS_HELD())
        if problems:
            raise Refused(*problems)
        change.details = {"changed": {**changed, **({"date": date.isoformat()} if "date" in changed else {})}}
        if "time_zone" in changed:
            changed["timetable"] = change.details["starts"] = _keep_hours(change, changed["time_zone"])
        shown = max(seen.rounds, default=0)
        return change.set_event(**changed, shown_through=max(shown, current.shown_through))


def _keep_hours(change: Change, time_zone: str) -> list[str]:
    """Let what was typed show the same hours in another zone: the end of sign-up, and announcements that are to come.

    Return the new timetable.
    """
    event = change.event
    move = functools.partial(same_hour, before=zone_of(event), after=ZoneInfo(time_zone))
    for page in SignUpPage.objects.filter(event=event, closes_at__isnull=False):
        page.closes_at = page.closes_at and move(page.closes_at)
        page.save(update_fields=["closes_at"])
    for row in Announcement.objects.filter(event=event, shown_from__gt=change.at):
        row.shown_from, row.shown_until = move(row.shown_from), row.shown_until and move(row.shown_until)
        row.save(update_fields=["shown_from", "shown_until"])
    return [start and in_utc(move(dt.datetime.fromisoformat(start))) for start in event.timetable]


def set_visibility(*, event: Event, visibility: str, by: Account) -> bool:
    """Set who finds an event, a value of Visibility."""
    with writing(event, VISIBILITY_SET, by=by) as change:
        if visibility not in Visibility.values:
            raise Refused(EVENT_VISIBILITY_UNKNOWN())
        return change.set_event(visibility=visibility)


def set_archived(*, event: Event, archived: bool, by: Account) -> bool:
    """Put an event away in the list of events, or take it out again; return whether that was new."""
    with writing(event, EVENT_ARCHIVED if archived else EVENT_UNARCHIVED, by=by) as change:
        if bool(change.event.archived_at) == archived:
            change.nothing_new()
            return False
        change.details = {"archived": archived}
        return change.set_event(archived_at=change.at if archived else None)


def copy_event(
    *,
    event: Event,
    name: str,
    date: dt.date,
    place: str,
    rounds: int,
    visibility: str,
    time_zone: str = "",
    roles: bool,
    by: Account,
) -> Event:
    """Create an event with the rules and settings of another, owned by its maker; with `roles` its people, too.

    Players, seats and results stay behind; the time zone stays where no other is named. Another owner becomes an
    organiser. Raises Refused as `create_event`.
    """
    slug = slug_of(name, date)
    problems = [*event_problems(name, place, rounds), *slug_problems(slug)]
    if visibility not in Visibility.values:
        problems.append(EVENT_VISIBILITY_UNKNOWN())
    if problems:
        raise Refused(*problems)
    columns = Event._meta.concrete_fields
    fields = {field.attname for field in columns} - OF_ONE_EVENT
    with transaction.atomic():
        at = now()
        made = Event.objects.create(
            **{field: getattr(event, field) for field in fields}
            | {"time_zone": named_time_zone(time_zone, event.time_zone)},
            slug=slug[:60],
            name=" ".join(name.split()),
            date=date,
            place=" ".join(place.split()),
            visibility=visibility,
            rounds_planned=rounds,
            created_at=at,
        )
        wall = Wall.objects.filter(event=event).first()
        if wall:
            Wall.objects.create(event=made, pages=wall.pages)
        logo = Logo.objects.filter(event=event).first()
        if logo:
            Logo.objects.create(event=made, png=logo.png)
        Membership.objects.create(event=made, account=by, role=Role.OWNER)
        if roles:
            _copy_roles(event, made, by)
        details = {"name": made.name, "rules": made.ruleset.key, "template": event.name}
        append_audit(made, EVENT_COPIED, details, by=str(by.uid), at=at, state=whole_state(made))
    return made


def _copy_roles(event: Event, made: Event, by: Account) -> None:
    people = event.memberships.exclude(role=Role.TABLE_DEVICE).exclude(account=by)
    for each in people:
        role = Role.ORGANISER if each.role == Role.OWNER else each.role
        Membership.objects.create(event=made, account=each.account, role=role)
