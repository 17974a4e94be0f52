"""Verbs on an event as a whole: create it, change its rules, freeze them."""

import dataclasses
import datetime as dt
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from rules.ruleset import RulesetError, book_keys, diff, from_json, load
from scoring.problems import Problem, error
from tournament.models import Account, Event, Membership, Role
from tournament.refusal import Refused
from tournament.services.clock import now
from tournament.services.writing import Change, append_audit, writing

MOST_NAME = 120
MOST_ROUNDS = 30
MOST_MINUTES = 600
RESERVED_SLUGS = frozenset({"new"})


def create_event(
    *,
    name: str,
    date: dt.date,
    rules_key: str,
    rounds: int,
    minutes: int | None = None,
    place: str = "",
    slug: str = "",
    by: Account,
) -> Event:
    """Create an event with its own copy of a book; `minutes` replaces the book's. Its maker becomes its organiser.

    Raises Refused when a value cannot be, or when the address is taken.
    """
    slug = slug or slugify(f"{name} {date:%Y}") or f"event-{date:%Y-%m-%d}"
    problems = _event_problems(name, slug, rules_key, rounds, minutes)
    if problems:
        raise Refused(*problems)
    rules = load(rules_key)
    if minutes is not None:
        rules = dataclasses.replace(rules, minutes=minutes)
    with transaction.atomic():
        at = now()
        event = Event.objects.create(
            slug=slug[:60],
            name=name.strip(),
            date=date,
            place=place.strip()[:120],
            rules=rules.as_json(),
            rounds_planned=rounds,
            created_at=at,
        )
        Membership.objects.create(event=event, account=by, role=Role.ORGANISER)
        append_audit(event, "event_created", {"name": event.name, "rules": rules_key}, by=str(by.uid), at=at)
    return event


def change_rules(*, event: Event, values: dict[str, Any], reason: str, by: Account) -> None:
    """Replace fields of the event's rule set, given as plain JSON values.

    Raises Refused when the set would not be whole, when the number of players would change after seats are drawn, or
    when the rules are frozen and no reason is given.
    """
    with writing(event, "rules_changed", by=by) as change:
        before = change.event.ruleset
        try:
            after = from_json({**before.as_json(), **values}, source=event.slug)
        except RulesetError as wrong:
            raise Refused(error("rules.unusable", why=str(wrong))) from wrong
        if change.event.rules_frozen_at and not reason.strip():
            raise Refused(error("rules.frozen"))
        if after.players != before.players and change.event.rounds.exists():
            raise Refused(error("rules.players_fixed"))
        differences = diff(before, after)
        if not differences:
            change.nothing_new()
            return
        change.event.rules = after.as_json()
        change.event.save(update_fields=["rules"])
        change.details = {
            "reason": reason.strip(),
            "changes": [{"field": d.field, "before": d.here, "after": d.there} for d in differences],
        }


def freeze_rules(change: Change) -> None:
    """Freeze the event's rules within a change, if they are not frozen yet."""
    if change.event.rules_frozen_at is None:
        change.event.rules_frozen_at = change.at
        change.event.save(update_fields=["rules_frozen_at"])


def _event_problems(name: str, slug: str, rules_key: str, rounds: int, minutes: int | None) -> list[Problem]:
    found = []
    if not name.strip():
        found.append(error("event.name_missing"))
    if len(name.strip()) > MOST_NAME:
        found.append(error("event.name_too_long", most=MOST_NAME))
    if rules_key not in book_keys():
        found.append(error("event.rules_unknown", key=rules_key, known=tuple(book_keys())))
    if not 1 <= rounds <= MOST_ROUNDS:
        found.append(error("event.rounds_out_of_range", rounds=rounds, most=MOST_ROUNDS))
    if minutes is not None and not 0 <= minutes <= MOST_MINUTES:
        found.append(error("event.minutes_out_of_range", minutes=minutes, most=MOST_MINUTES))
    if slug in RESERVED_SLUGS or Event.objects.filter(slug=slug[:60]).exists():
        found.append(error("event.exists", slug=slug))
    return found
