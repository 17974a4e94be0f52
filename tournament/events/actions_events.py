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
from scoring.problems import Problem, ProblemType
from tournament.core.acts import Act, Group
from tournament.core.errors import Refused
from tournament.core.limits import MOST_REASON, MOST_TITLE
from tournament.core.now import now
from tournament.core.sealed_rows import KINDS
from tournament.core.time_zones import MOST_ZONE, desk_time_zone, find_time_zone
from tournament.core.transaction import Change, append_audit, check_length, whole_state, writing
from tournament.models.access import Account, Membership, Role
from tournament.models.event import Event, Visibility
from tournament.models.ledger import SheetRow
from tournament.models.referee import Penalty
from tournament.models.rule_sets import RuleSetVersion
from tournament.rulesets.queries_rule_sets import EVENT_RULES_UNKNOWN
from tournament.rulesets.queries_rules import RuleEffects, effects_of, rules_mark
from tournament.tables.queries_kept_amounts import AMOUNTS, amounts_of
from tournament.text.names_1 import clean_text

EVENT_NAME_MISSING = ProblemType("event.name_missing", "The event needs a name.")
EVENT_NAME_TOO_LONG = ProblemType("event.name_too_long", "The name is too long: at most {most} letters.")
EVENT_PLACE_TOO_LONG = ProblemType("event.place_too_long", "The place is too long: at most {most} letters.")
EVENT_VISIBILITY_UNKNOWN = ProblemType(
    "event.visibility_unknown", "Choose the visibility: draft, anyone with the link, or public."
)
EVENT_TIME_ZONE_UNKNOWN = ProblemType(
    "event.time_zone_unknown", "No time zone is called {zone}. Choose one of the list, such as Europe/Berlin."
)
EVENT_ROUNDS_OUT_OF_RANGE = ProblemType(
    "event.rounds_out_of_range", "{rounds} rounds is not possible; 1 to {most} are."
)
EVENT_MINUTES_OUT_OF_RANGE = ProblemType(
    "event.minutes_out_of_range", "{minutes} is not possible; 0 (no limit) to {most} are."
)
EVENT_EXISTS = ProblemType("event.exists", "There is an event at the address '{slug}' already.")
RULES_UNUSABLE = ProblemType("rules.unusable", "The rules cannot be used like this: {why}")
RULES_CONTRADICTION = ProblemType("rules.contradiction", "The rules cannot be used like this: {rule}: {why}.")
RULES_MOVED_ON = ProblemType(
    "rules.moved_on", "The rules were changed by somebody else meanwhile: check them, then send again."
)
RULES_UNCONFIRMED = ProblemType(
    "rules.unconfirmed", "What is entered would be scored differently under these rules: check it, then confirm."
)
RULES_FROZEN = ProblemType("rules.frozen", "Play has begun: changing a rule needs a reason, which players can read.")
RULES_PLAYERS_FIXED = ProblemType(
    "rules.players_fixed", "Seats are drawn: the number of players at a table can no longer change."
)

EVENT_CREATED = Act("event_created", "made the event")
RULES_CHANGED = Act(
    "rules_changed",
    "changed rules: {changes} ({reason})",
    groups=Group.RULES,
    without_reason="changed rules: {changes}",
)

MOST_ROUNDS = 30
MOST_MINUTES = 600
RESERVED_SLUGS = frozenset({"new", "backups", "rule-sets", "ema-list"})
_CONTRADICTION = re.compile(r".*?: key '\w+': ", re.DOTALL)


def create_event(
    *,
    name: str,
    date: dt.date,
    rules_key: str | RuleSetVersion,
    rounds: int,
    minutes: int | None = None,
    place: str = "",
    visibility: str = Visibility.PUBLIC,
    ema_certified: bool = False,
    slug: str = "",
    time_zone: str = "",
    by: Account,
) -> Event:
    """Create an event, owned by its maker, with its own copy of a book or of a version of a rule set of the site.

    `minutes` replaces those of the rules. Without a `time_zone` it has the desk's.

    Raises Refused for an invalid value and for an address that is taken.
    """
    slug = slug or slug_of(name, date)
    key = rules_key.rule_set.key if isinstance(rules_key, RuleSetVersion) else rules_key
    problems = [*event_problems(name, place, rounds), *slug_problems(slug), *_choice_problems(minutes, visibility)]
    if isinstance(rules_key, str) and key not in book_keys():
        problems.append(EVENT_RULES_UNKNOWN(key=key, known=tuple(book_keys())))
    if problems:
        raise Refused(*problems)
    with transaction.atomic():
        at = now()
        event = Event.objects.create(
            slug=slug[:60],
            name=clean_text(name),
            date=date,
            place=clean_text(place),
            visibility=visibility,
            rounds_planned=rounds,
            ema_certified=ema_certified,
            time_zone=named_time_zone(time_zone, desk_time_zone()),
            created_at=at,
            **_rules_of(rules_key, minutes),
        )
        Membership.objects.create(event=event, account=by, role=Role.OWNER)
        details = {"name": event.name, "rules": key}
        append_audit(event, EVENT_CREATED, details, by=str(by.uid), at=at, state=whole_state(event))
    return event


def _rules_of(source: str | RuleSetVersion, minutes: int | None) -> dict[str, Any]:
    """Return the fields of an event that hold its copy of the rules and say where it comes from."""
    if isinstance(source, RuleSetVersion):
        rules, origin = source.ruleset, {"rule_set_uid": source.rule_set.uid, "rule_set_version": source.number}
    else:
        rules, origin = load(source), {}
    if minutes is not None:
        rules = dataclasses.replace(rules, minutes=minutes)
    return {"rules": rules.as_json(), **origin}


def _choice_problems(minutes: int | None, visibility: str) -> list[Problem]:
    found = []
    if minutes is not None and not 0 <= minutes <= MOST_MINUTES:
        found.append(EVENT_MINUTES_OUT_OF_RANGE(minutes=minutes, most=MOST_MINUTES))
    if visibility not in Visibility.values:
        found.append(EVENT_VISIBILITY_UNKNOWN())
    return found


class Unconfirmed(Refused):
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
    longer agree are reopened. Raises Refused for an inconsistent set, a stale `seen`, an entered hand that would become
    invalid, another number of players after seats are drawn, and without a reason once play has begun; Unconfirmed when
    scores would change, or penalties given could.
    """
    with writing(event, RULES_CHANGED, by=by) as change:
        after = whole(change.event.ruleset, values)
        if not diff(change.event.ruleset, after):
            change.nothing_new()
            return False
        replace_rules(change, after, reason=reason.strip(), seen=seen, confirmed=confirmed, given=given)
    return True


def replace_rules(
    change: Change, after: Ruleset, *, reason: str, seen: str, confirmed: str, given: bool = False
) -> None:
    """Replace the event's rules within a change; see change_rules."""
    before = change.event.ruleset
    if seen and seen != rules_mark(before):
        raise Refused(RULES_MOVED_ON())
    _check_when(change.event, before, after, reason)
    effects = effects_of(change.event, after, given=given)
    if effects.refused:
        raise Refused(*effects.refused)
    if effects.mark != confirmed and effects.mark:
        raise Unconfirmed(effects_of(change.event, after), effects_of(change.event, after, given=True))
    change.event.rules = after.as_json()
    change.event.kept_amounts = _kept(change, before, after, given=given)
    change.event.save(update_fields=["rules", "kept_amounts"])
    change.details = {
        "reason": reason,
        "changes": [{"field": d.field, "before": d.here, "after": d.there} for d in diff(before, after)],
        **_penalties(effects, given=given),
        **_reopen(effects, reason, change),
    }


def _kept(change: Change, before: Ruleset, after: Ruleset, *, given: bool) -> list[dict[str, Any]]:
    """Return the amounts to keep: none where given penalties change, else also those that have held until now."""
    kept: list[dict[str, Any]] = change.event.kept_amounts
    if given:
        return []
    if change.event.rules_frozen_at is None or all(getattr(before, name) == getattr(after, name) for name in AMOUNTS):
        return kept
    return [*kept, amounts_of(before, change.at).as_json()]


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


def whole(before: Ruleset, values: Mapping[str, Any]) -> Ruleset:
    """Return the rule set with these values; raises Refused with every contradiction, or an unreadable value."""
    plain = {**before.as_json(), **values}
    try:
        return from_json(plain)
    except RulesetError as wrong:
        if _CONTRADICTION.match(str(wrong)):  # all values are of their types: name every contradiction, not the first
            found = contradictions(Ruleset(**{name: _tuples(value) for name, value in plain.items()}))
            raise Refused(*(RULES_CONTRADICTION(rule=name, why=why) for name, why in found)) from wrong
        raise Refused(RULES_UNUSABLE(why=str(wrong))) from wrong


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value


def _check_when(event: Event, before: Ruleset, after: Ruleset, reason: str) -> None:
    if event.rules_frozen_at and not reason:
        raise Refused(RULES_FROZEN())
    check_length("reason", reason, MOST_REASON)
    if after.players != before.players and event.rounds.exists():
        raise Refused(RULES_PLAYERS_FIXED())


def _reopen(effects: RuleEffects, reason: str, change: Change) -> dict[str, Any]:
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


def freeze_rules(change: Change) -> None:
    """Freeze the event's rules within a change, if they are not frozen yet."""
    if change.event.rules_frozen_at is None:
        change.event.rules_frozen_at = change.at
        change.event.save(update_fields=["rules_frozen_at"])
        change.seal(row for row in KINDS["event"](change.event.pk) if row[0] == "rules")


def slug_of(name: str, date: dt.date) -> str:
    """Return the address of a new event: its name, with the year where the name does not say it.

    >>> slug_of("Spring Cup", dt.date(2026, 5, 9)), slug_of("Spring 2026", dt.date(2026, 5, 9))
    ('spring-cup-2026', 'spring-2026')
    """
    words, year = slugify(name), f"{date:%Y}"
    return words if year in words.split("-") else f"{words}-{year}".strip("-")


def event_problems(name: str, place: str, rounds: int) -> list[Problem]:
    """List what is wrong with what an event is called and how long it is."""
    found = []
    if not name.strip():
        found.append(EVENT_NAME_MISSING())
    if len(name.strip()) > MOST_TITLE:
        found.append(EVENT_NAME_TOO_LONG(most=MOST_TITLE))
    if len(place.strip()) > MOST_TITLE:
        found.append(EVENT_PLACE_TOO_LONG(most=MOST_TITLE))
    if not 1 <= rounds <= MOST_ROUNDS:
        found.append(EVENT_ROUNDS_OUT_OF_RANGE(rounds=rounds, most=MOST_ROUNDS))
    return found


def named_time_zone(text: str, known: str) -> str:
    """Return the name of the zone that somebody typed, `known` for no other one; raises Refused for an unknown one."""
    if text.strip() in ("", known):
        return known
    found = find_time_zone(text)
    if found is None:
        raise Refused(EVENT_TIME_ZONE_UNKNOWN(zone=text.strip()[:MOST_ZONE]))
    return found


def slug_problems(slug: str) -> list[Problem]:
    """Tell that an address is taken."""
    taken = slug in RESERVED_SLUGS or Event.objects.filter(slug=slug[:60]).exists()
    return [EVENT_EXISTS(slug=slug)] if taken else []
