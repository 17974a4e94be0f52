"""Verbs on an event as a whole: create it, change its rules, freeze them."""

import dataclasses
import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from rules.books import book_keys, from_json, load
from rules.consistency import contradictions
from rules.ruleset import Ruleset, RulesetError, diff
from scoring.problems import Problem, error
from tournament.models import Account, Event, Language, Membership, Role, SecondPerson, SheetRow
from tournament.refusal import Refused
from tournament.selectors.tables.rules import RuleEffects, effects_of, rules_mark
from tournament.services.core.clock import now
from tournament.services.core.writing import Change, append_audit, writing

MOST_NAME = 120
MOST_ROUNDS = 30
MOST_MINUTES = 600
MOST_REASON = 300
RESERVED_SLUGS = frozenset({"new", "backups"})
_CONTRADICTION = re.compile(r".*?: key '\w+': ", re.DOTALL)


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
    """Create an event with its own copy of a book; `minutes` replaces the book's. Its maker becomes its owner.

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
        Membership.objects.create(event=event, account=by, role=Role.OWNER)
        append_audit(event, "event_created", {"name": event.name, "rules": rules_key}, by=str(by.uid), at=at)
    return event


class Unconfirmed(Refused):
    """A change of rules that would change what hands have made; nothing was written. `effects` say what."""

    def __init__(self, effects: RuleEffects) -> None:
        super().__init__(error("rules.unconfirmed"))
        self.effects = effects


def change_rules(
    *, event: Event, values: Mapping[str, Any], reason: str, seen: str = "", confirmed: str = "", by: Account
) -> bool:
    """Replace fields of the event's rule set, given as plain JSON values; return whether that changed anything.

    `seen` is the mark of the rules that the caller has seen (`rules_mark`), `confirmed` the mark of the effects that
    were agreed to. Signed tables whose sheets no longer agree are reopened. Raises Refused when the set would not be
    whole, when somebody else has changed it, when an entered hand could not stand, when the number of players would
    change after seats are drawn, and when play has begun and no reason is given; Unconfirmed when scores would change.
    """
    with writing(event, "rules_changed", by=by) as change:
        before = change.event.ruleset
        after = _whole(before, values)
        differences = diff(before, after)
        if not differences:
            change.nothing_new()
            return False
        if seen and seen != rules_mark(before):
            raise Refused(error("rules.moved_on"))
        _check_when(change.event, before, after, reason.strip())
        effects = effects_of(change.event, after)
        if effects.refused:
            raise Refused(*effects.refused)
        if effects.mark != confirmed and effects.tables:
            raise Unconfirmed(effects)
        change.event.rules = after.as_json()
        change.event.save(update_fields=["rules"])
        change.details = {
            "reason": reason.strip(),
            "changes": [{"field": d.field, "before": d.here, "after": d.there} for d in differences],
            **_reopen(effects, reason.strip(), change),
        }
    return True


def _whole(before: Ruleset, values: Mapping[str, Any]) -> Ruleset:
    """Return the rule set with these values; raises Refused with every contradiction, or with what cannot be read."""
    plain = {**before.as_json(), **values}
    try:
        return from_json(plain)
    except RulesetError as wrong:
        if _CONTRADICTION.match(str(wrong)):  # all values are of their types: name every contradiction, not the first
            found = contradictions(Ruleset(**{name: _tuples(value) for name, value in plain.items()}))
            raise Refused(*(error("rules.contradiction", rule=name, why=why) for name, why in found)) from wrong
        raise Refused(error("rules.unusable", why=str(wrong))) from wrong


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value


def _check_when(event: Event, before: Ruleset, after: Ruleset, reason: str) -> None:
    if event.rules_frozen_at and not reason:
        raise Refused(error("rules.frozen"))
    if len(reason) > MOST_REASON:
        raise Refused(error("entry.text_too_long", key="reason", most=MOST_REASON))
    if after.players != before.players and event.rounds.exists():
        raise Refused(error("rules.players_fixed"))


def _reopen(effects: RuleEffects, reason: str, change: Change) -> dict[str, Any]:
    """Reopen the signed tables whose sheets no longer agree; return what the audit row says of them."""
    tables = [effect for effect in effects.tables if effect.reopens]
    for effect in tables:
        last = SheetRow.objects.filter(table=effect.table_id).latest("seq")
        SheetRow.objects.create(
            table_id=effect.table_id,
            seq=last.seq + 1,
            signed=False,
            ledger_hash=last.ledger_hash,
            reason=reason,
            by=change.by,
            at=change.at,
        )
    return {"reopened": [f"{effect.round}/{effect.table}" for effect in tables]} if tables else {}


def set_second_person(*, event: Event, second_person: str, by: Account) -> bool:
    """Say whether another person must confirm signed sheets, as a value of SecondPerson; return whether that is new."""
    with writing(event, "second_person_set", by=by) as change:
        if second_person not in SecondPerson.values:
            raise Refused(error("event.second_person_unknown"))
        if change.event.second_person == second_person:
            change.nothing_new()
            return False
        change.event.second_person = second_person
        change.event.save(update_fields=["second_person"])
        change.details = {"second_person": second_person}
    event.second_person = second_person
    return True


def set_languages(*, event: Event, language: str, second_language: str, by: Account) -> bool:
    """Set the event's language and the second one of its wall ("" for none); return whether that is new."""
    with writing(event, "languages_set", by=by) as change:
        if language not in Language.values or second_language not in {"", *Language.values}:
            raise Refused(error("event.language_unknown"))
        second = "" if second_language == language else second_language
        if (change.event.language, change.event.second_language) == (language, second):
            change.nothing_new()
            return False
        change.event.language, change.event.second_language = language, second
        change.event.save(update_fields=["language", "second_language"])
        change.details = {"language": language, "second_language": second}
    event.language, event.second_language = language, second
    return True


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
