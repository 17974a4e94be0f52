"""Verbs on the rule sets of the site: save a version, delete a set, give an event a newer version."""

import dataclasses
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.text import slugify

from rules.books import Book, book_keys, load_book
from rules.writing import citation_cell, recited
from scoring.problems import ProblemType
from tournament.core.acts import Act, Group
from tournament.core.errors import FORM_STALE, Refused
from tournament.core.limits import MOST_REASON, MOST_TITLE
from tournament.core.now import now
from tournament.core.transaction import append_audit, check_length, hold_trail, writing
from tournament.events.actions_events import RULES_MOVED_ON, RULES_UNUSABLE, replace_rules, whole
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.rule_sets import RuleSet, RuleSetVersion
from tournament.rulesets.queries_rule_sets import get_newer_version, list_events_with, rules_with

RULE_SET_SAVED = Act("rule_set_saved", "saved version {version} of the rule set {title}")
RULE_SET_DELETED = Act("rule_set_deleted", "deleted the rule set {key}")
RULE_SET_TAKEN = Act(
    "rule_set_taken",
    "took version {version} of {title}: {changes} ({reason})",
    groups=Group.RULES,
    without_reason="took version {version} of {title}: {changes}",
)

RULES_TITLE_MISSING = ProblemType("rules.title_missing", "A rule set needs a name.")
RULES_SET_IN_USE = ProblemType(
    "rules.set_in_use", "Events have this rule set: {events}. It stays as long as they are here."
)

RESERVED_KEYS = ("new", "file")  # parts of addresses
MOST_TEXT = 2000  # characters of a source or a clause


def changed_book(book: Book, *, title: str, values: Mapping[str, Any], why: str) -> Book:
    """Return rules based on a book, with a title and values given as plain JSON; `why` is the source of new values.

    Raises Refused with every contradiction.
    """
    rules = dataclasses.replace(whole(book.ruleset, values), title=title.strip())
    base = load_book(rules.key) if rules.key in book_keys() else None
    return recited(book, rules, base, why)


def save_rule_set(
    *, rule_set: RuleSet | None, book: Book, note: str = "", seen: int = 0, client_id: UUID, by: Account
) -> RuleSetVersion | None:
    """Save a book as a new rule set of the site, or as the next version of one; return None if that changes nothing.

    `seen` is the number of the version that the caller has seen. Raises Refused for a text that is missing or too
    long, and for a stale `seen`.
    """
    _check_texts(book, note)
    with transaction.atomic():
        hold_trail(None)
        known = RuleSetVersion.objects.filter(client_id=client_id).select_related("rule_set").first()
        if known and _same(known.book, book):
            return known
        if known:  # the page came back from the browser's history and was changed
            raise Refused(FORM_STALE())
        newest = rule_set.versions.last() if rule_set else None
        if newest and seen != newest.number:
            raise Refused(RULES_MOVED_ON())
        if newest and _same(newest.book, book):
            return None
        return _add_version(rule_set or _add_set(book, client_id), newest, book, note.strip(), client_id, by)


def _same(newest: Book, book: Book) -> bool:
    """Tell whether a version says the same as a book; the keys are not compared, the basis is."""
    alike = (newest.source, newest.extends, dict(newest.citations)) == (book.source, book.extends, dict(book.citations))
    return alike and newest.ruleset == dataclasses.replace(book.ruleset, key=newest.ruleset.key)


def _add_set(book: Book, uid: UUID) -> RuleSet:
    taken = {*RESERVED_KEYS, *book_keys(), *RuleSet.objects.values_list("key", flat=True)}
    stem = slugify(book.ruleset.title)[:50] or "rules"
    keys = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(taken) + 2))
    return RuleSet.objects.create(uid=uid, key=next(key for key in keys if key not in taken), created_at=now())


def _add_version(
    rule_set: RuleSet, newest: RuleSetVersion | None, book: Book, note: str, client_id: UUID, by: Account
) -> RuleSetVersion:
    number, at = (newest.number if newest else 0) + 1, now()
    rules = dataclasses.replace(book.ruleset, key=book.extends or rule_set.key)
    cited = {name: citation_cell(each) for name, each in book.citations.items()}
    version = RuleSetVersion.objects.create(
        rule_set=rule_set, number=number, rules=rules.as_json(), source=book.source, citations=cited, note=note,
        client_id=client_id, by=str(by.uid), at=at,
    )  # fmt: skip
    details = {"key": rule_set.key, "title": rules.title, "version": number, "note": note}
    append_audit(None, RULE_SET_SAVED, details, by=version.by, at=at)
    return version


def _check_texts(book: Book, note: str) -> None:
    title = book.ruleset.title.strip()
    if not title:
        raise Refused(RULES_TITLE_MISSING())
    check_length("title", title, MOST_TITLE)
    check_length("note", note, MOST_REASON)
    for text in (
        title,
        book.source,
        *(text for cited in book.citations.values() for text in (cited.text, cited.reading)),
    ):
        check_length("source", text, MOST_TEXT)
        if "\0" in text:
            raise Refused(RULES_UNUSABLE(why="a text holds a zero byte"))


def delete_rule_set(*, rule_set: RuleSet, by: Account) -> bool:
    """Delete a rule set with all its versions; return False if it is gone. Raises Refused while an event has it."""
    with transaction.atomic():
        hold_trail(None)
        found = RuleSet.objects.filter(pk=rule_set.pk).first()
        if found is None:
            return False
        events = list_events_with(found)
        if events:
            raise Refused(RULES_SET_IN_USE(events=tuple(event.name for event in events)))
        found.delete()
        append_audit(None, RULE_SET_DELETED, {"key": found.key}, by=str(by.uid), at=now())
    return True


def take_newer_version(
    *,
    event: Event,
    number: int,
    reason: str,
    seen: str = "",
    confirmed: str = "",
    given: bool = False,
    by: Account,
) -> bool:
    """Give an event the newest version of its rule set, whose number the caller has seen; False if it has that one.

    What was changed for the event alone stays, unless the new version changes it, too. See change_rules for `seen`,
    `confirmed`, `given` and what is refused.
    """
    with writing(event, RULE_SET_TAKEN, by=by) as change:
        newer = get_newer_version(change.event)
        if newer is None and change.event.rule_set_version == number:
            change.nothing_new()
            return False
        if newer is None or newer.number != number:
            raise Refused(RULES_MOVED_ON())
        after = whole(rules_with(change.event, newer), {})  # the two together may contradict each other
        replace_rules(change, after, reason=reason.strip(), seen=seen, confirmed=confirmed, given=given)
        change.details |= {"title": after.title, "version": number}
        change.event.rule_set_version = number
        change.event.save(update_fields=["rule_set_version"])
    return True
