"""People over events and seasons as one file, for a desk that moves into another database.

Rows of people are named by event and number: their own numbers change with the database.
"""

import json
from typing import Any

from django.db import transaction
from django.utils.dateparse import parse_datetime

from tournament.archive.event_file import ARCHIVE_CHECKSUM
from tournament.core.errors import DomainError
from tournament.core.hash_chain import canonical
from tournament.events.models import Event
from tournament.league.models import LineUp, SeasonTeam
from tournament.people.models import Alias, KnownPerson, Namesakes
from tournament.people.queries import find_people, places_of
from tournament.players.models import Person
from tournament.seasons.models import PostState, Season, SeasonEvent
from tournament.seasons.reach_actions import add_posts

SEASON = [field.attname for field in Season._meta.concrete_fields if not field.primary_key]
TEAM = ("number", "name", "points", "last_phase", "code_hash")
MOMENTS = ("created_at", "closed_at")


def get_people_file() -> str:
    """Return all links of people, their other names, and the seasons, as one line of canonical JSON."""
    known = list(KnownPerson.objects.select_related("merged_into").prefetch_related("aliases", "people").order_by("pk"))
    pairs = list(Namesakes.objects.order_by("pk"))
    rows = {row for each in known for row in each.people.all()}
    rows |= set(Person.objects.filter(pk__in=[pk for pair in pairs for pk in (pair.one_id, pair.other_id)]))
    places = places_of(rows)
    content = {
        "people": [
            {
                "uid": str(each.uid),
                "merged_into": str(each.merged_into.uid) if each.merged_into else None,
                "agreed_at": each.agreed_at.isoformat() if each.agreed_at else None,
                "aliases": [[alias.kind, alias.key, alias.text] for alias in each.aliases.all()],
                "rows": sorted(places[row.pk] for row in each.people.all() if row.pk in places),
            }
            for each in known
        ],
        "namesakes": sorted(
            sorted((places[pair.one_id], places[pair.other_id]))
            for pair in pairs
            if pair.one_id in places and pair.other_id in places
        ),
        "seasons": [_season(season) for season in Season.objects.order_by("pk").prefetch_related("events__event")],
    }
    return canonical(content) + "\n"


def _season(season: Season) -> dict[str, Any]:
    columns = {name: getattr(season, name) for name in SEASON}
    columns |= {name: columns[name].isoformat() if columns[name] else None for name in MOMENTS}
    events = [[row.event.slug, row.weight, row.phase] for row in season.events.all()]
    return {**columns, "events": events, "teams": [_team(team) for team in season.teams.all()]}


def _team(team: SeasonTeam) -> dict[str, Any]:
    rows: Any = team.line_ups.values_list("event__slug", "game", "table", "seat", "member__uid")
    members = sorted(str(uid) for uid in team.members.values_list("uid", flat=True))
    line_ups = [[*place, str(uid) if uid else None] for *place, uid in rows]
    return {**{name: getattr(team, name) for name in TEAM}, "members": members, "line_ups": line_ups}


def take_people(*, data: bytes) -> int:
    """Take what `get_people_file` wrote into a database that has the events; return how many people are known.

    Raises DomainError where the same file does not come out again.
    """
    content: dict[str, Any] = json.loads(data)
    with transaction.atomic():
        here = find_people({place for each in content["people"] for place in each["rows"]})
        made = {
            each["uid"]: KnownPerson.objects.create(uid=each["uid"], agreed_at=_moment(each["agreed_at"]))
            for each in content["people"]
        }
        for each in content["people"]:
            known = made[each["uid"]]
            if each["merged_into"]:
                KnownPerson.objects.filter(pk=known.pk).update(merged_into=made[each["merged_into"]])
            Person.objects.filter(pk__in=[here[place].pk for place in each["rows"]]).update(known=known)
            Alias.objects.bulk_create(
                Alias(known=known, kind=kind, key=key, text=text) for kind, key, text in each["aliases"]
            )
        apart = find_people({place for pair in content["namesakes"] for place in pair})
        for pair in content["namesakes"]:
            one, other = sorted(apart[place].pk for place in pair)
            Namesakes.objects.create(one_id=one, other_id=other)
        events = dict(Event.objects.values_list("slug", "pk"))
        for facts in content["seasons"]:
            moments = {name: _moment(facts[name]) for name in MOMENTS}
            season = Season.objects.create(**{name: facts[name] for name in SEASON} | moments)
            SeasonEvent.objects.bulk_create(
                SeasonEvent(season=season, event_id=events[slug], weight=weight, phase=phase)
                for slug, weight, phase in facts["events"]
            )
            if season.reach.get("hook"):
                add_posts(season, PostState.KNOWN)  # the other desk has sent what is released
            for each in facts["teams"]:
                team = SeasonTeam.objects.create(season=season, **{name: each[name] for name in TEAM})
                team.members.set([made[uid] for uid in each["members"]])
                LineUp.objects.bulk_create(
                    LineUp(team=team, event_id=events[slug], game=game, table=table, seat=seat, member=made.get(uid))
                    for slug, game, table, seat, uid in each["line_ups"]
                )
        if get_people_file().encode() != data:
            raise DomainError(ARCHIVE_CHECKSUM())
    return len(made)


def _moment(text: str | None) -> Any:
    return parse_datetime(text) if text else None
