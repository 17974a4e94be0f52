"""Rule sets of the site: the list of them, their versions, the events that have them, and a newer version for one."""

import dataclasses
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from rules.books import book_keys, load
from rules.ruleset import Ruleset, diff
from scoring.problems import ProblemType
from tournament.models.event import Event
from tournament.models.rule_sets import RuleSet, RuleSetVersion

EVENT_RULES_UNKNOWN = ProblemType("event.rules_unknown", "There is no rule set '{key}'; there are {known}.")


@dataclass(frozen=True, slots=True)
class OwnSet:
    """A rule set of the site in its newest version, with the number of events that have any of its versions."""

    key: str
    newest: RuleSetVersion
    events: int


@dataclass(frozen=True, slots=True)
class Basis:
    """The book that rules are based on, by its title, and the number of rules in which they differ from it."""

    title: str
    changes: int


def list_rule_sets() -> list[OwnSet]:
    """List the rule sets of the site by title; three queries."""
    versions = RuleSetVersion.objects.order_by("-number").select_related("rule_set")
    sets = RuleSet.objects.prefetch_related(Prefetch("versions", versions, to_attr="latest_first"))
    used = list(Event.objects.exclude(rule_set_uid=None).values_list("rule_set_uid", flat=True))
    found = [OwnSet(each.key, each.latest_first[0], used.count(each.uid)) for each in sets]
    return sorted(found, key=lambda own: (own.newest.rules["title"].casefold(), own.key))


def get_version(key: str, number: int | None = None) -> RuleSetVersion | None:
    """Return a version of the rule set with this key, the newest without a number; None if there is none."""
    versions = RuleSetVersion.objects.filter(rule_set__key=key).select_related("rule_set")
    return (versions if number is None else versions.filter(number=number)).last()


def list_events_with(rule_set: RuleSet) -> list[Event]:
    """List the events that have a version of a rule set, the newest first."""
    return list(Event.objects.filter(rule_set_uid=rule_set.uid))


def get_version_of(event: Event) -> RuleSetVersion | None:
    """Return the version that an event has; None for a book, and for a set that is not at this site."""
    if event.rule_set_uid is None:
        return None
    return _versions(event.rule_set_uid).filter(number=event.rule_set_version).first()


def get_newer_version(event: Event) -> RuleSetVersion | None:
    """Return the newest version of an event's rule set if the event has an older one."""
    if event.rule_set_uid is None:
        return None
    return _versions(event.rule_set_uid).filter(number__gt=event.rule_set_version).last()


def _versions(uid: UUID) -> QuerySet[RuleSetVersion]:
    return RuleSetVersion.objects.filter(rule_set__uid=uid).select_related("rule_set")


def basis_of(rules: Ruleset) -> Basis | None:
    """Return what rules are based on; None where no book here has their key."""
    if rules.key not in book_keys():
        return None
    book = load(rules.key)
    return Basis(book.title, len(diff(book, rules)))


def rules_with(event: Event, newer: RuleSetVersion) -> Ruleset:
    """Return an event's rules with what a newer version changes; what was changed for the event alone stays."""
    held, rules = get_version_of(event), newer.ruleset
    if held is None:
        return rules
    own = {each.field: getattr(event.ruleset, each.field) for each in diff(held.ruleset, event.ruleset)}
    moved = {each.field for each in diff(held.ruleset, rules)}
    return dataclasses.replace(rules, **{name: value for name, value in own.items() if name not in moved})
