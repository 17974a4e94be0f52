"""Verbs on the rule sets of the site: save a version, delete a set, give an event a newer version."""

import dataclasses
import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.text import slugify

from rules.books import Book, book_keys, from_json, load_book
from rules.consistency import contradictions
from rules.ruleset import Ruleset, RulesetError, diff
from rules.writing import citation_cell, recited
from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Group
from tournament.core.audit import append_audit, lock_audit_trail
from tournament.core.errors import FORM_STALE, DomainError
from tournament.core.limits import MAX_REASON, MAX_TITLE
from tournament.core.now import now
from tournament.core.transaction import EventChange, check_length, event_transaction
from tournament.events.actions import (
    EVENT_SECOND_SIZE,
    RULES_CHANGED,
    RULES_CONTRADICTION,
    RULES_FROZEN,
    RULES_MOVED_ON,
    RULES_PLAYERS_FIXED,
    RULES_UNCONFIRMED,
    RULES_UNUSABLE,
)
from tournament.events.models import Event
from tournament.penalties.models import Penalty
from tournament.rulesets.models import RuleSet, RuleSetVersion
from tournament.rulesets.queries import (
    RuleEffects,
    effects_of,
    get_newer_version,
    list_events_with,
    rules_mark,
    rules_with,
)
from tournament.sheets.models import SheetRow
from tournament.tables.queries import AMOUNTS, current_amounts

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
MAX_TEXT = 2000  # characters of a source or a clause


def changed_book(book: Book, *, title: str, values: Mapping[str, Any], why: str) -> Book:
    """Return rules based on a book, with a title and values given as plain JSON; `why` is the source of new values.

    Raises DomainError with every contradiction.
    """
    rules = dataclasses.replace(checked_ruleset(book.ruleset, values), title=title.strip())
    base = load_book(rules.key) if rules.key in book_keys() else None
    return recited(book, rules, base, why)


def save_rule_set(
    *, rule_set: RuleSet | None, book: Book, note: str = "", seen: int = 0, client_id: UUID, by: Account
) -> RuleSetVersion | None:
    """Save a book as a new rule set of the site, or as the next version of one; return None if that changes nothing.

    `seen` is the number of the version that the caller has seen. Raises DomainError for a text that is missing or too
    long, and for a stale `seen`.
    """
    _check_texts(book, note)
    with transaction.atomic():
        lock_audit_trail(None)
        known = RuleSetVersion.objects.filter(client_id=client_id).select_related("rule_set").first()
        if known and _same(known.book, book):
            return known
        if known:  # the page came back from the browser's history and was changed
            raise DomainError(FORM_STALE())
        newest = rule_set.versions.last() if rule_set else None
        if newest and seen != newest.number:
            raise DomainError(RULES_MOVED_ON())
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
        raise DomainError(RULES_TITLE_MISSING())
    check_length("title", title, MAX_TITLE)
    check_length("note", note, MAX_REASON)
    for text in (
        title,
        book.source,
        *(text for cited in book.citations.values() for text in (cited.text, cited.reading)),
    ):
        check_length("source", text, MAX_TEXT)
        if "\0" in text:
            raise DomainError(RULES_UNUSABLE(why="a text holds a zero byte"))


def delete_rule_set(*, rule_set: RuleSet, by: Account) -> bool:
    """Delete a rule set with all its versions; return False if it is gone. Raises DomainError while an event has it."""
    with transaction.atomic():
        lock_audit_trail(None)
        found = RuleSet.objects.filter(pk=rule_set.pk).first()
        if found is None:
            return False
        events = list_events_with(found)
        if events:
            raise DomainError(RULES_SET_IN_USE(events=tuple(event.name for event in events)))
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
    with event_transaction(event, RULE_SET_TAKEN, by=by) as change:
        newer = get_newer_version(change.event)
        if newer is None and change.event.rule_set_version == number:
            return change.mark_unchanged()
        if newer is None or newer.number != number:
            raise DomainError(RULES_MOVED_ON())
        after = checked_ruleset(rules_with(change.event, newer), {})  # the two together may contradict each other
        replace_rules(change, after, reason=reason.strip(), seen=seen, confirmed=confirmed, given=given)
        change.details |= {"title": after.title, "version": number}
        change.event.rule_set_version = number
        change.event.save(update_fields=["rule_set_version"])
    return True


_CONTRADICTION = re.compile(r".*?: key '\w+': ", re.DOTALL)


class ConfirmationRequiredError(DomainError):
    """A change of rules that would change scores, as `effects` say; nothing was written.

    `with_given`: the same if penalties that were given change, too.
    """

    def __init__(self, effects: RuleEffects, with_given: RuleEffects) -> None:
        super().__init__(RULES_UNCONFIRMED())
        self.effects, self.with_given = effects, with_given


def change_rules(
    *,
    event: Event,
    values: Mapping[str, Any],
    reason: str,
    seen: str = "",
    confirmed: str = "",
    given: bool = False,
    by: Account,
) -> bool:
    """Replace fields of the event's rule set, given as plain JSON values; return whether that changed anything.

    `seen` is the mark of the rules that the caller has seen (`rules_mark`), `confirmed` that of the effects agreed to.
    `given`: penalties that were given before take the new amounts; else they keep theirs. Signed tables whose sheets no
    longer agree are reopened. Raises DomainError for an inconsistent set, a stale `seen`, an entered hand that would
    become invalid, another number of players after seats are drawn, and without a reason once play has begun;
    ConfirmationRequiredError when scores would change, or penalties given could.
    """
    with event_transaction(event, RULES_CHANGED, by=by) as change:
        after = checked_ruleset(change.event.ruleset, values)
        if not diff(change.event.ruleset, after):
            return change.mark_unchanged()
        replace_rules(change, after, reason=reason.strip(), seen=seen, confirmed=confirmed, given=given)
    return True


def replace_rules(
    change: EventChange, after: Ruleset, *, reason: str, seen: str, confirmed: str, given: bool = False
) -> None:
    """Replace the event's rules within a change; see change_rules."""
    before = change.event.ruleset
    if seen and seen != rules_mark(before):
        raise DomainError(RULES_MOVED_ON())
    if change.event.rules_frozen_at and not reason:
        raise DomainError(RULES_FROZEN())
    check_length("reason", reason, MAX_REASON)
    if after.players != before.players and change.event.rounds.exists():
        raise DomainError(RULES_PLAYERS_FIXED())
    if after.players == change.event.second_rules.get("players"):
        raise DomainError(EVENT_SECOND_SIZE(players=after.players))
    effects = effects_of(change.event, after, given=given)
    if effects.refused:
        raise DomainError(*effects.refused)
    if effects.mark != confirmed and effects.mark:
        raise ConfirmationRequiredError(effects_of(change.event, after), effects_of(change.event, after, given=True))
    change.event.rules = after.as_json()
    change.event.kept_amounts = _amounts_to_keep(change, before, after, given=given)
    change.event.save(update_fields=["rules", "kept_amounts"])
    change.details = {
        "reason": reason,
        "changes": [{"field": d.field, "before": d.here, "after": d.there} for d in diff(before, after)],
        **({"announced": True} if reason and not change.event.rules_frozen_at else {}),
        **_penalties(effects, given=given),
        **_reopen(effects, reason, change),
    }


def _amounts_to_keep(change: EventChange, before: Ruleset, after: Ruleset, *, given: bool) -> list[dict[str, Any]]:
    """Return the amounts to keep: none where given penalties change, else also those that have held until now."""
    kept: list[dict[str, Any]] = change.event.kept_amounts
    if given:
        return []
    if change.event.rules_frozen_at is None or all(getattr(before, name) == getattr(after, name) for name in AMOUNTS):
        return kept
    return [*kept, current_amounts(before, change.at).as_json()]


def _penalties(effects: RuleEffects, *, given: bool) -> dict[str, Any]:
    """Give the register the amounts of penalties that change; return their part of the audit row."""
    changed = [each for each in effects.given if each.changes]
    if not changed:
        return {}
    if not given:
        return {"kept": [{"player": each.number, "points": each.before} for each in changed]}
    for each in effects.given:  # also of those that cost the same: a part of a chombo's points is the ledger's
        Penalty.objects.filter(pk=each.id).exclude(points=each.stored).update(points=each.stored)
    return {"given": [{"player": each.number, "before": each.before, "after": each.after} for each in changed]}


def checked_ruleset(before: Ruleset, values: Mapping[str, Any]) -> Ruleset:
    """Return the rule set with these values; raises DomainError with every contradiction, or an unreadable value."""
    plain = {**before.as_json(), **values}
    try:
        return from_json(plain)
    except RulesetError as wrong:
        if _CONTRADICTION.match(str(wrong)):  # all values are of their types: name every contradiction, not the first
            found = contradictions(Ruleset(**{name: _tuples(value) for name, value in plain.items()}))
            raise DomainError(*(RULES_CONTRADICTION(rule=name, why=why) for name, why in found)) from wrong
        raise DomainError(RULES_UNUSABLE(why=str(wrong))) from wrong


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value


def _reopen(effects: RuleEffects, reason: str, change: EventChange) -> dict[str, Any]:
    """Reopen the signed tables whose sheets no longer agree; return their part of the audit row."""
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
