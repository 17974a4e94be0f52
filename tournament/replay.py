"""Corrections as a plan: hands changed, one put in that was forgotten, two seats exchanged; judged as a whole.

Pure: it takes the hands of a table and never asks a database. Pages show a plan before it is saved, services write it.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rules.ruleset import Ruleset
from scoring.entries import Entry
from scoring.game import Hand, fold, judge
from scoring.problems import Problem
from scoring.state import TableState, opening
from tournament.history import Item


@dataclass(frozen=True, slots=True)
class HandChange:
    """What a hand, named by the `seq` of its first row, is to be; None makes it void."""

    hand: int
    entry: Entry | None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A hand that nobody entered, played just before the hand named `before`."""

    before: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Plan:
    """Changes that are one act.

    `exchanged`: the hands were entered by name and these two seats are exchanged in all of them; the changes are what
    the hands are to be after that.
    """

    changes: tuple[HandChange, ...] = ()
    forgotten: Forgotten | None = None
    exchanged: tuple[int, int] | None = None

    def changing(self, hand: int, entry: Entry | None) -> "Plan":
        """Return the plan with one more hand changed, or changed otherwise."""
        others = [change for change in self.changes if change.hand != hand]
        changes = sorted([*others, HandChange(hand, entry)], key=lambda change: change.hand)
        return dataclasses.replace(self, changes=tuple(changes))

    def without(self, hand: int) -> "Plan":
        """Return the plan with a hand left as it is; 0 is the forgotten one."""
        changes = tuple(change for change in self.changes if change.hand != hand)
        return dataclasses.replace(self, changes=changes, forgotten=self.forgotten if hand else None)

    def hands(self) -> set[int]:
        """Return the hands that it names."""
        return {change.hand for change in self.changes} | ({self.forgotten.before} if self.forgotten else set())


@dataclass(frozen=True, slots=True)
class Step:
    """One hand of the table as planned: `seq` names it, 0 for the forgotten one; `number` is its place, from 1.

    `was` is the entry as it stands now, `entry` as it is to be; None is void. `named`: the plan changes just this one.
    """

    seq: int
    number: int
    was: Entry | None
    entry: Entry | None
    named: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """What a plan does to one hand: as it was played and as it will be, None where it is void or cannot be judged.

    `before` and `after` are the scores after the hand, by the seats after an exchange.
    """

    step: Step
    was: Hand | None
    becomes: Hand | None
    before: tuple[int, ...] | None
    after: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Unfit:
    """The first hand of a plan that may not stand, and what is wrong with it."""

    step: Step
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class RowToWrite:
    """One row of the ledger: `hand` is what it supersedes, None for a new hand; `content` whose entry it holds now."""

    hand: int | None
    entry: Entry | None
    content: int


def steps_of(items: Sequence[Item], plan: Plan) -> list[Step]:
    """List all hands of a table as planned, void ones included, in the order in which they were played."""
    changes = {change.hand: change.entry for change in plan.changes}
    steps: list[Step] = []
    for item in items:
        if plan.forgotten and plan.forgotten.before == item.seq:
            steps.append(Step(0, len(steps) + 1, None, plan.forgotten.entry, named=True))
        named = item.seq in changes
        entry = changes[item.seq] if named else _exchanged(item.entry, plan)
        steps.append(Step(item.seq, len(steps) + 1, item.entry, entry, named))
    return steps


def first_unfit(items: Sequence[Item], plan: Plan, rules: Ruleset) -> Unfit | None:
    """Return the first hand that may not stand under a plan; None where all may."""
    standing = [step for step in steps_of(items, plan) if step.entry is not None]
    found = [(at, problem) for at, problem in _judged(standing, rules) if problem.severity == "error"]
    if not found:
        return None
    return Unfit(standing[found[0][0]], tuple(problem for _at, problem in found))


def new_warnings(items: Sequence[Item], plan: Plan, rules: Ruleset) -> list[tuple[Step, Problem]]:
    """List the warnings that a plan brings, each with its hand: those of named hands, and new ones of any other."""
    now = [item for item in items if item.entry is not None]
    had = {
        (now[at].seq, problem.code)
        for at, problem in judge([each.entry for each in now if each.entry], opening(rules), rules)
    }
    standing = [step for step in steps_of(items, plan) if step.entry is not None]
    warned = [(standing[at], problem) for at, problem in _judged(standing, rules) if problem.severity == "warning"]
    return [(step, problem) for step, problem in warned if step.named or (step.seq, problem.code) not in had]


def effects_of(items: Sequence[Item], plan: Plan, rules: Ruleset) -> list[Effect]:
    """List what a plan does to every hand from the first that it changes on, as far as hands may stand."""
    steps = steps_of(items, plan)
    was = _played({item.seq: item.entry for item in items}, rules)
    becomes = _played({step.seq: step.entry for step in _judged_steps(items, plan, rules)}, rules)
    first = next((at for at, step in enumerate(steps) if step.was != step.entry), len(steps))
    return [_effect(step, was.get(step.seq), becomes.get(step.seq), plan) for step in steps[first:]]


def state_before(items: Sequence[Item], plan: Plan, hand: int, rules: Ruleset) -> TableState:
    """Return the state in which a hand begins under a plan; 0 is the forgotten hand."""
    earlier = []
    for step in steps_of(items, plan):
        if step.seq == hand:
            break
        earlier.append(step)
    return fold([step.entry for step in earlier if step.entry is not None], rules).state


def hand_of(items: Sequence[Item], plan: Plan, hand: int, rules: Ruleset) -> Hand | None:
    """Return a hand as it is played under a plan, 0 for the forgotten one; None where it is void or not judged."""
    return _played({step.seq: step.entry for step in _judged_steps(items, plan, rules)}, rules).get(hand)


def _judged_steps(items: Sequence[Item], plan: Plan, rules: Ruleset) -> list[Step]:
    """Return the hands before the first that may not stand; all where all may."""
    steps, unfit = steps_of(items, plan), first_unfit(items, plan, rules)
    return steps[: unfit.step.number - 1] if unfit else steps


def rows_to_write(items: Sequence[Item], plan: Plan) -> list[RowToWrite]:
    """List the rows that make a plan true, in order.

    A hand is named by its row for good, and none can be put between two: with a forgotten hand all contents behind it
    move on by one, each into the next hand's place, and the last one is a new hand.
    """
    steps = steps_of(items, plan)
    at = next((index for index, step in enumerate(steps) if step.seq == 0), len(steps))
    rows = [RowToWrite(step.seq, step.entry, step.seq) for step in steps[:at] if _is_written(step)]
    places = [step for step in steps[at:] if step.seq and (step.was is not None or step.entry is not None)]
    contents = [step for step in steps[at:] if step.entry is not None]
    for place, content in zip(places, contents, strict=False):
        if content.entry != place.was or _is_written(content):
            rows.append(RowToWrite(place.seq, content.entry, content.seq))
    rows += [RowToWrite(place.seq, None, place.seq) for place in places[len(contents) :] if place.was is not None]
    return rows + [RowToWrite(None, content.entry, content.seq) for content in contents[len(places) :]]


def exchange_seats(entry: Entry, one: int, other: int) -> Entry:
    """Return an entry with two seats exchanged wherever it names one; done twice it is as it was."""
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(entry):
        value = getattr(entry, field.name)
        match field.name:
            case "riichi" | "dead" | "tenpai" | "offenders":
                changed[field.name] = tuple(_other(seat, one, other) for seat in value)
            case "loser":
                changed[field.name] = _other(value, one, other)
            case "announced" if value is not None:
                changed[field.name] = {_other(seat, one, other): points for seat, points in value.items()}
            case "deltas" | "scores":
                changed[field.name] = by_seat(value, (one, other))
            case "winners":
                changed[field.name] = tuple(_winner(win, one, other) for win in value)
    return dataclasses.replace(entry, **changed)


def by_seat(values: Sequence[int], exchanged: tuple[int, int] | None) -> tuple[int, ...]:
    """Return a value for each seat with two seats exchanged."""
    if exchanged is None or max(exchanged) >= len(values):
        return tuple(values)
    return tuple(values[_other(seat, *exchanged)] for seat in range(len(values)))


def _winner(win: Any, one: int, other: int) -> Any:
    if isinstance(win, int):
        return _other(win, one, other)
    pao = None if win.pao is None else _other(win.pao, one, other)
    return dataclasses.replace(win, seat=_other(win.seat, one, other), pao=pao)


def _other(seat: int, one: int, other: int) -> int:
    return {one: other, other: one}.get(seat, seat)


def _exchanged(entry: Entry | None, plan: Plan) -> Entry | None:
    return exchange_seats(entry, *plan.exchanged) if entry and plan.exchanged else entry


def _is_written(step: Step) -> bool:
    """Tell whether a hand gets a row: what is named does, also where it says the same again."""
    return step.named or step.entry != step.was


def _judged(standing: Sequence[Step], rules: Ruleset) -> list[tuple[int, Problem]]:
    return judge([step.entry for step in standing if step.entry is not None], opening(rules), rules)


def _played(entries: dict[int, Entry | None], rules: Ruleset) -> dict[int, Hand]:
    standing = {seq: entry for seq, entry in entries.items() if entry is not None}
    return dict(zip(standing, fold(standing.values(), rules).hands, strict=True))


def _effect(step: Step, was: Hand | None, becomes: Hand | None, plan: Plan) -> Effect:
    before = by_seat(was.after.scores, plan.exchanged) if was else None
    return Effect(step, was, becomes, before, becomes.after.scores if becomes else None)


def changed_hands(items: Sequence[Item], plan: Plan) -> Iterator[Step]:
    """Yield the hands that a plan names, in order."""
    return (step for step in steps_of(items, plan) if step.named)
