"""Rule sets of the site with versions and events, and changes of an event's rules with their effects."""

import dataclasses
import datetime as dt
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from rules.books import book_keys, load
from rules.ruleset import Ruleset, diff
from scoring.game import judge
from scoring.paper_sheet import reconcile
from scoring.problems import Problem, ProblemType
from scoring.state import opening
from tournament.core.acts import Group, list_act_names
from tournament.core.hash_chain import canonical
from tournament.core.redactions import redact_value
from tournament.events.models import Event
from tournament.penalties.queries import GivenPenalty, list_given
from tournament.rulesets.models import RuleSet, RuleSetVersion
from tournament.tables.queries import LoadedTable, TableStage, current_amounts, load_tables


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


RULES_HAND_REFUSED = ProblemType(
    "rules.hand_refused",
    "Round {at_round}, table {at_table}: hand {at_hand} would not be valid under these rules. Correct it first.",
)

PRICES = ("chombo_points", "late_points", "replaced_points")  # the rules that price penalties
MARK = 16  # hexadecimal digits of a mark: enough to tell two versions of one event apart


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that was changed, with its plain values before and after."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One change of the rules, as the audit trail has it.

    `given` says what became of penalties given before, `announced` that its reason was asked for to be published though
    play had not begun: older desks never published such a reason.
    """

    at: dt.datetime
    reason: str
    changes: tuple[FieldChange, ...]
    given: Literal["", "kept", "changed"] = ""
    announced: bool = False


@dataclass(frozen=True, slots=True)
class SeatStanding:
    """What one seat has of a game: its score, and its result after uma, before penalties, in points."""

    score: int
    result: int


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """What a change does to one player at a table."""

    number: int
    name: str
    before: SeatStanding
    after: SeatStanding


@dataclass(frozen=True, slots=True)
class NextHand:
    """The hand that a table is at: round and dealer from 0, honba, riichi sticks; `ended` where none follows."""

    round: int
    dealer: int
    honba: int
    sticks: int
    ended: bool


@dataclass(frozen=True, slots=True)
class TableEffect:
    """A table whose scores, results or next hand would be others.

    `reopens` says that its signed sheet would no longer agree with its hands.
    """

    table_id: int
    round: int
    table: int
    stage: TableStage
    reopens: bool
    seats: tuple[SeatEffect, ...]
    before: NextHand
    after: NextHand


@dataclass(frozen=True, slots=True)
class RuleEffects:
    """What a change of rules would do: hands that could not stand, else the tables that would change.

    `given` are the penalties that stand, where the rules that price them change. `mark` tells one such answer from
    another; it is empty where nothing that was entered would change and no penalty could.
    """

    refused: tuple[Problem, ...]
    tables: tuple[TableEffect, ...]
    mark: str
    given: tuple[GivenPenalty, ...] = ()


def rules_mark(rules: Ruleset) -> str:
    """Return a fingerprint of a rule set: what a writer must have seen."""
    return _mark(rules.as_json())


def list_rule_changes(event: Event) -> list[RuleChange]:
    """List the changes of the rules, the newest first; before play has begun those that are announced. One query."""
    rows = event.audit.filter(verb__in=list_act_names(Group.RULES)).order_by("-seq")
    begun = event.rules_frozen_at
    changes = (
        _rule_change(at, redact_value(event, json.loads(details))) for at, details in rows.values_list("at", "details")
    )
    return [each for each in changes if each.announced or (begun and each.at >= begun)]


def effects_of(event: Event, rules: Ruleset, *, given: bool = False) -> RuleEffects:
    """Replay all tables of an event under other rules and return what would change.

    `given`: penalties that were given change, too; else they keep their amounts. Five queries, and four more where an
    amount changes.
    """
    loaded = [table for table in load_tables(event) if table.rules == event.ruleset]  # not by a second rule set
    tables = [table for table in loaded if table.lines]
    refused = tuple(problem for table in tables for problem in _refused(table, rules))
    if refused:
        return RuleEffects(refused, (), "")
    changed = tuple(effect for table in tables for effect in _effect(table, rules, given=given))
    priced = any(getattr(event.ruleset, name) != getattr(rules, name) for name in PRICES)
    penalties = tuple(list_given(event, loaded, rules)) if priced else ()
    seen = [dataclasses.asdict(each) for each in changed]
    seen += [dataclasses.asdict(each) for each in penalties if each.changes]
    return RuleEffects((), changed, _mark([given, *seen]) if seen else "", penalties)


def _mark(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:MARK]


def _rule_change(at: dt.datetime, details: dict[str, Any]) -> RuleChange:
    changes = tuple(FieldChange(one["field"], one["before"], one["after"]) for one in details.get("changes", ()))
    given: Literal["", "kept", "changed"] = "changed" if "given" in details else "kept" if "kept" in details else ""
    return RuleChange(at, str(details.get("reason", "")), changes, given, "announced" in details)


def _refused(table: LoadedTable, rules: Ruleset) -> Iterator[Problem]:
    """Yield the first hand of a table that is valid under its own rules and invalid under these."""
    wrong = _first_error(table, rules)
    if wrong is None or _first_error(table, table.rules) is not None:
        return
    index, problem = wrong
    number = [at for at, item in enumerate(table.items, start=1) if item.entry is not None][index]
    place = {"at_round": table.round, "at_table": table.number, "at_hand": number}
    yield Problem(RULES_HAND_REFUSED.code, {**place, **problem.params, "because": problem.code})


def _first_error(table: LoadedTable, rules: Ruleset) -> tuple[int, Problem] | None:
    entries = (item.entry for item in table.items if item.entry is not None)
    found = judge(entries, opening(rules), rules)
    return next(((index, problem) for index, problem in found if problem.severity == "error"), None)


def _effect(table: LoadedTable, rules: Ruleset, *, given: bool) -> Iterator[TableEffect]:
    other = dataclasses.replace(table, rules=rules, kept=() if given else (*table.kept, current_amounts(table.rules)))
    seats = tuple(
        SeatEffect(player.number, player.name, was, will)
        for player, was, will in zip(table.seats, _standings(table), _standings(other), strict=True)
    )
    before, after = _next_hand(table), _next_hand(other)
    moves = before != after and not table.signed  # no hand follows at a signed table
    if moves or any(seat.before != seat.after for seat in seats):
        yield TableEffect(
            table.id, table.round, table.number, table.stage, _parts_from_sheet(other), seats, before, after
        )


def _standings(table: LoadedTable) -> list[SeatStanding]:
    return [SeatStanding(game.score, game.result) for game in table.seat_games]


def _next_hand(table: LoadedTable) -> NextHand:
    state = table.state
    return NextHand(state.round, state.dealer, state.honba, state.sticks, state.ended)


def _parts_from_sheet(table: LoadedTable) -> bool:
    sheet = table.sheet
    return bool(sheet and sheet.signed and reconcile(table.game, sheet.totals, sheet.leftover, table.rules))
