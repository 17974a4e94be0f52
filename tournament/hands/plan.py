"""A correction of several hands for pages: its effect on each later hand, and the plan as JSON in a hidden field."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from scoring.check import UNPLAYABLE, problems
from scoring.entries import from_json, to_json
from scoring.game import Hand
from scoring.problems import InvalidInput, ProblemType
from scoring.seat_exchange import by_seat
from scoring.shorthand import write
from scoring.state import opening
from scoring.strict_json import Reader, parse
from tournament.pages.tables import last_line
from tournament.tables.actions import unfit_problem
from tournament.tables.history import (
    Effect,
    Forgotten,
    HandChange,
    Plan,
    Step,
    Unfit,
    changed_hands,
    first_unfit,
    new_warnings,
    plan_effects,
)
from tournament.tables.messages import short_names_at
from tournament.tables.queries import LoadedTable
from tournament.text.problems import problem_text
from tournament.text.readback import CORRECTION_REASONS, hand_name, honba_and_sticks, read_back

PLAN_UNREADABLE = ProblemType(
    "plan.unreadable", "The changes can no longer be read: start again from the list of hands."
)

COMPLETE = frozenset(CORRECTION_REASONS)  # problems whose sentence needs no other one beside it


@dataclass(frozen=True, slots=True)
class EffectRow:
    """A hand from the first changed one on; `is_open` where an unfit hand before it leaves its outcome unknown."""

    effect: Effect
    name: str
    was_name: str
    is_unfit: bool
    is_open: bool

    @property
    def is_new(self) -> bool:
        """Whether the hand was not played before."""
        return self.effect.was is None and self.effect.becomes is not None

    @property
    def scores(self) -> list[tuple[int | None, int | None]]:
        """The score before and after the correction, by seat."""
        before, after = self.effect.before, self.effect.after
        unknown = (None,) * len(after or before or ())
        return list(zip(before or unknown, after or unknown, strict=True))


@dataclass(frozen=True, slots=True)
class ChangedHand:
    """A hand that a plan changes, in words; `seq` is 0 for a forgotten hand, `was` empty where nothing was played."""

    seq: int
    number: int
    was: str
    becomes: str


@dataclass(frozen=True, slots=True)
class UnfitHand:
    """The first hand that no longer fits: why in words, and the line to type it from."""

    seq: int
    number: int
    words: list[str]
    line: str


def effect_context(table: LoadedTable, plan: Plan) -> dict[str, Any]:
    """Return what hands/effect.html shows of a plan: a row for each hand from the first changed one on."""
    effects, unfit = plan_effects(table.items, plan, table.rules), first_unfit(table.items, plan, table.rules)
    names, was = names_of(table, plan), by_seat(table.state.scores, plan.exchanged)
    after = [effect.after for effect in effects if effect.after is not None]
    return {
        "players": names,
        "rows": [_row(effect, unfit.step.number if unfit else None) for effect in effects],
        # by how much each player's score changes in the end
        "differences": [new - old for old, new in zip(was, after[-1], strict=True)] if after and not unfit else (),
        "warnings": []
        if unfit
        else [
            _("Hand %(number)d: %(what)s") % {"number": step.number, "what": problem_text(problem, names)}
            for step, problem in new_warnings(table.items, plan, table.rules)
        ],
    }


def names_of(table: LoadedTable, plan: Plan) -> list[str]:
    """Return the players by seat, after an exchange of two."""
    order = by_seat(range(len(table.seats)), plan.exchanged)
    names = short_names_at(table)
    return [names[seat] for seat in order]


def plan_context(table: LoadedTable, plan: Plan) -> dict[str, Any]:
    """Return what hands/plan.html shows: the changed hands, the first that no longer fits, the effect."""
    unfit = first_unfit(table.items, plan, table.rules)
    effects = {effect.step.seq: effect for effect in plan_effects(table.items, plan, table.rules)}
    names = names_of(table, plan)
    return {
        "plan_json": write_plan_json(plan),
        "changes": [_change(table, step, effects.get(step.seq), names) for step in changed_hands(table.items, plan)],
        "unfit": _unfit(table, unfit, names) if unfit else None,
        "effect": effect_context(table, plan),
    }


def write_plan_json(plan: Plan) -> str:
    """Write a plan as the hidden field of a page carries it."""
    changes = [
        {"hand": change.hand, "entry": to_json(change.entry) if change.entry else None} for change in plan.changes
    ]
    forgotten = {"before": plan.forgotten.before, "entry": to_json(plan.forgotten.entry)} if plan.forgotten else None
    return json.dumps({"changes": changes, "forgotten": forgotten}, separators=(",", ":"))


def read_plan(fields: Any, table: LoadedTable) -> Plan:
    """Read the plan and the exchanged seats that a page sends back; raises InvalidInput."""
    plan = read_plan_json(fields.get("plan", ""), table)
    given = fields.get("exchanged", "").split(",")
    seats = [int(text) for text in given if text.isascii() and text.isdigit() and len(text) == 1][:2]
    if len(seats) == 2 and len(set(seats)) == 2 and max(seats) < len(table.seats):
        plan = replace(plan, exchanged=(seats[0], seats[1]))
    return plan


def read_plan_json(text: str, table: LoadedTable) -> Plan:
    """Read the plan that a page of this table sends back, empty for no text; raises InvalidInput.

    The text is untrusted: its hands must exist and name seats of the table. Whether they fit is judged later.
    """
    if not text:
        return Plan()
    try:
        plan = _read_plan(parse(text))
    except InvalidInput as wrong:
        raise InvalidInput([PLAN_UNREADABLE()]) from wrong
    entries = [*(change.entry for change in plan.changes), plan.forgotten.entry if plan.forgotten else None]
    start, rules = opening(table.rules), table.rules
    # an entry cannot be played here that names seats that the table lacks, or that nobody wins
    codes = {problem.code for entry in entries if entry for problem in problems(entry, start, rules)}
    if not plan.hands() <= {item.seq for item in table.items} or codes & set(UNPLAYABLE):
        raise InvalidInput([PLAN_UNREADABLE()])
    return plan


def _read_plan(value: object) -> Plan:
    reader = Reader(value, "plan")
    changes = [_read_change(child) for child in (reader.value("changes", Reader.check_children) or ())]
    forgotten = reader.value("forgotten", Reader.check_object, default=None)
    reader.finish()
    if len({change.hand for change in changes}) < len(changes):
        reader.add(PLAN_UNREADABLE())
    if reader.problems:
        raise InvalidInput(reader.problems)
    return Plan(tuple(changes), _read_forgotten(forgotten) if forgotten else None)


def _read_change(reader: Reader) -> HandChange:
    hand, value = reader.value("hand", Reader.check_count), reader.value("entry", Reader.check_object, default=None)
    reader.finish()
    if reader.problems or not hand:
        raise InvalidInput(reader.problems)
    return HandChange(hand, from_json(value) if value is not None else None)


def _read_forgotten(value: object) -> Forgotten:
    reader = Reader(value, "forgotten")
    before, entry = reader.value("before", Reader.check_count), reader.value("entry", Reader.check_object)
    reader.finish()
    if reader.problems or not before:
        raise InvalidInput(reader.problems)
    return Forgotten(before, from_json(entry))


# ---------------------------------------------------------------- rows


def _row(effect: Effect, unfit: int | None) -> EffectRow:
    named, number = effect.becomes or effect.was, effect.step.number
    was = _named(effect.was) if effect.was and effect.becomes else ""
    name = _named(named) if named else ""
    is_open = unfit is not None and number > unfit
    return EffectRow(effect, name, was if was != name else "", is_unfit=number == unfit, is_open=is_open)


def _named(hand: Hand) -> str:
    return " · ".join(part for part in (hand_name(hand.before), honba_and_sticks(hand.before)) if part)


def _change(table: LoadedTable, step: Step, effect: Effect | None, names: Sequence[str]) -> ChangedHand:
    old = short_names_at(table, step.seq or None)
    was = read_back(effect.was, old, table.rules).say if effect and effect.was else ""
    if step.entry is None:
        return ChangedHand(step.seq, step.number, was, _("Made void"))
    becomes = effect.becomes if effect else None
    words = read_back(becomes, names, table.rules).say if becomes else write(step.entry)
    return ChangedHand(step.seq, step.number, was, words)


def _unfit(table: LoadedTable, unfit: Unfit, names: Sequence[str]) -> UnfitHand:
    problem, step = unfit.problems[0], unfit.step
    words = [problem_text(each, names) for each in unfit.problems]
    if not step.named:
        why = problem_text(unfit_problem(step.number, problem), names)
        words = [why, *([] if problem.code in COMPLETE else words)]
    line = (write(step.entry) if step.entry else "") or last_line(table, step.seq)
    return UnfitHand(step.seq, step.number, words, line)
