"""From a table's ledger rows, in order of `seq`, to its valid hands; and plans of corrections. Pure."""

import dataclasses
import functools
import itertools
import json
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from rules.ruleset import Ruleset
from scoring.entries import Entry, from_json
from scoring.game import Hand, fold, judge
from scoring.problems import Problem
from scoring.seat_exchange import by_seat, exchange_seats
from scoring.state import TableState, opening


class Row(Protocol):
    """A ledger row."""

    @property
    def seq(self) -> int: ...
    @property
    def payload(self) -> str: ...
    @property
    def supersedes(self) -> int | None: ...


class TimedRow(Row, Protocol):
    """A ledger row that says when it was written."""

    @property
    def at(self) -> datetime: ...


class Item(NamedTuple):
    """One hand as it is now: named by `seq`, that of its first row; `last_seq` is that of its newest row.

    `entry` is None for a void hand.
    """

    seq: int
    last_seq: int
    entry: Entry | None


def resolve(rows: Iterable[Row]) -> list[Item]:
    """Return one item for each hand, in the order of their first entry."""
    items: dict[int, Item] = {}
    for row in rows:
        root = row.seq if row.supersedes is None else row.supersedes
        items[root] = Item(root, row.seq, read_payload(row.payload))
    return list(items.values())


def standing_entries(rows: Iterable[Row]) -> list[Entry]:
    """Return the entries of valid hands, in order."""
    return entries_of(resolve(rows))


def entries_of(items: Iterable[Item]) -> list[Entry]:
    """Return the entries of the hands that are not void."""
    return [item.entry for item in items if item.entry is not None]


class WrittenRow(Row, Protocol):
    """A ledger row with the text of its moment, which the rows of one act share."""

    @property
    def written(self) -> str: ...


class Origin(NamedTuple):
    """Where the hand in a place comes from: the `seq` of its own newest row, how many it has, whether it was inserted.

    After a forgotten hand the later ones stand in the rows of the next: their own rows are those before.
    """

    seq: int
    rows: int
    inserted: bool = False


def trace_origins(rows: Iterable[WrittenRow]) -> dict[int, Origin]:
    """Return the origin of each hand by the `seq` that names it."""
    found: dict[int, Origin] = {}
    held: dict[int, str] = {}
    for _written, act in itertools.groupby(rows, key=operator.attrgetter("written")):
        lines, before, old = list(act), dict(found), dict(held)
        inserts = len({line.supersedes is None for line in lines}) == 2
        for index, line in enumerate(lines):
            place = line.seq if line.supersedes is None else line.supersedes
            held[place] = line.payload
            mine = before.get(place, Origin(0, 0))
            found[place] = Origin(line.seq, mine.rows + 1, mine.inserted)
            earlier = [seq for seq in old if old[seq] and seq < place] if inserts and index else []
            if earlier and old[earlier[-1]] == line.payload:  # moved on by a place
                found[place] = before[earlier[-1]]
                first = lines[index - 1]
                if found[first.supersedes or 0].seq == first.seq:  # not moved itself: what came in between
                    found[first.supersedes or 0] = Origin(first.seq, 1, inserted=True)
    return found


@functools.lru_cache(maxsize=20_000)
def read_payload(payload: str) -> Entry | None:
    """Parse a row's payload, None for void; cached, since entries are immutable."""
    return from_json(json.loads(payload)) if payload else None


@dataclass(frozen=True, slots=True)
class HandChange:
    """The new entry of a hand, named by the `seq` of its first row; None makes it void."""

    hand: int
    entry: Entry | None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A hand that was not entered, played just before the hand named `before`."""

    before: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Plan:
    """Changes of one act. `exchanged`: these two seats are exchanged in all hands first, then `changes` apply."""

    changes: tuple[HandChange, ...] = ()
    forgotten: Forgotten | None = None
    exchanged: tuple[int, int] | None = None

    def changing(self, hand: int, entry: Entry | None) -> "Plan":
        """Return the plan with a change of this hand added or replaced."""
        others = [change for change in self.changes if change.hand != hand]
        changes = sorted([*others, HandChange(hand, entry)], key=lambda change: change.hand)
        return dataclasses.replace(self, changes=tuple(changes))

    def without(self, hand: int) -> "Plan":
        """Return the plan without the change of a hand; 0 is the forgotten one."""
        changes = tuple(change for change in self.changes if change.hand != hand)
        return dataclasses.replace(self, changes=changes, forgotten=self.forgotten if hand else None)

    def hands(self) -> set[int]:
        """Return the hands that it names."""
        return {change.hand for change in self.changes} | ({self.forgotten.before} if self.forgotten else set())


@dataclass(frozen=True, slots=True)
class Step:
    """One hand of the table as planned: `seq` names it, 0 for the forgotten one; `number` is its place, from 1.

    `was` is the present entry, `entry` the planned one; None is void. `named`: the plan names this hand.
    """

    seq: int
    number: int
    was: Entry | None
    entry: Entry | None
    named: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a plan on one hand: before and after it, None where void or not judged.

    `before` and `after` are the scores after the hand, by the seats after an exchange; of one made void, `after` are
    those without it.
    """

    step: Step
    was: Hand | None
    becomes: Hand | None
    before: tuple[int, ...] | None
    after: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Unfit:
    """The first invalid hand of a plan, and its problems."""

    step: Step
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class RowToWrite:
    """One row to write: it supersedes `hand`, None for a new hand, with the entry of the planned hand `content`."""

    hand: int | None
    entry: Entry | None
    content: int


def plan_steps(items: Sequence[Item], plan: Plan) -> list[Step]:
    """List all hands of a table as planned, void ones included, in the order of play."""
    changes = {change.hand: change.entry for change in plan.changes}
    steps: list[Step] = []
    for item in items:
        if plan.forgotten and plan.forgotten.before == item.seq:
            steps.append(Step(0, len(steps) + 1, None, plan.forgotten.entry, named=True))
        named = item.seq in changes
        entry = changes[item.seq] if named else item.entry
        if not named and entry and plan.exchanged:
            entry = exchange_seats(entry, *plan.exchanged)
        steps.append(Step(item.seq, len(steps) + 1, item.entry, entry, named))
    return steps


def first_unfit(items: Sequence[Item], plan: Plan, rules: Ruleset) -> Unfit | None:
    """Return the first invalid hand under a plan, or None."""
    standing = [step for step in plan_steps(items, plan) if step.entry is not None]
    found = [(at, problem) for at, problem in _judged(standing, rules) if problem.severity == "error"]
    if not found:
        return None
    return Unfit(standing[found[0][0]], tuple(problem for _at, problem in found))


def new_warnings(items: Sequence[Item], plan: Plan, rules: Ruleset) -> list[tuple[Step, Problem]]:
    """List the warnings of a plan with their hands: all of named hands, new ones of any other."""
    now = [item for item in items if item.entry is not None]
    had = {
        (now[at].seq, problem.code)
        for at, problem in judge([each.entry for each in now if each.entry], opening(rules), rules)
    }
    standing = [step for step in plan_steps(items, plan) if step.entry is not None]
    warned = [(standing[at], problem) for at, problem in _judged(standing, rules) if problem.severity == "warning"]
    return [(step, problem) for step, problem in warned if step.named or (step.seq, problem.code) not in had]


def plan_effects(items: Sequence[Item], plan: Plan, rules: Ruleset) -> list[Effect]:
    """List the effects of a plan on every hand from the first changed one, up to the first invalid one."""
    steps = plan_steps(items, plan)
    was = _played({item.seq: item.entry for item in items}, rules)
    becomes = _played({step.seq: step.entry for step in _judged_steps(items, plan, rules)}, rules)
    first = next((at for at, step in enumerate(steps) if step.was != step.entry), len(steps))
    effects: list[Effect] = []
    earlier = (becomes[step.seq].after.scores for step in reversed(steps[:first]) if step.seq in becomes)
    scores = next(earlier, opening(rules).scores)
    for step in steps[first:]:
        effect = _effect(step, was.get(step.seq), becomes.get(step.seq), plan)
        if step.entry is None and effect.before:  # void: the scores are those after the hand before
            effect = dataclasses.replace(effect, after=scores)
        scores = effect.after or scores
        effects.append(effect)
    return effects


def state_before(items: Sequence[Item], plan: Plan, hand: int, rules: Ruleset) -> TableState:
    """Return the state in which a hand begins under a plan; 0 is the forgotten hand."""
    earlier = []
    for step in plan_steps(items, plan):
        if step.seq == hand:
            break
        earlier.append(step)
    return fold([step.entry for step in earlier if step.entry is not None], rules).state


def planned_hand(items: Sequence[Item], plan: Plan, hand: int, rules: Ruleset) -> Hand | None:
    """Return a hand as played under a plan, 0 for the forgotten one; None where void or not judged."""
    return _played({step.seq: step.entry for step in _judged_steps(items, plan, rules)}, rules).get(hand)


def _judged_steps(items: Sequence[Item], plan: Plan, rules: Ruleset) -> list[Step]:
    """Return the hands before the first invalid one, or all."""
    steps, unfit = plan_steps(items, plan), first_unfit(items, plan, rules)
    return steps[: unfit.step.number - 1] if unfit else steps


def rows_to_write(items: Sequence[Item], plan: Plan) -> list[RowToWrite]:
    """List the rows that carry out a plan, in order.

    A hand is named by its first row, and none can be inserted between two: after a forgotten hand every entry moves
    into the next hand's place, and the last one becomes a new hand.
    """
    steps = plan_steps(items, plan)
    at = next((index for index, step in enumerate(steps) if step.seq == 0), len(steps))
    rows = [RowToWrite(step.seq, step.entry, step.seq) for step in steps[:at] if _is_written(step)]
    places = [step for step in steps[at:] if step.seq and (step.was is not None or step.entry is not None)]
    contents = [step for step in steps[at:] if step.entry is not None]
    for place, content in zip(places, contents, strict=False):
        if content.entry != place.was or _is_written(content):
            rows.append(RowToWrite(place.seq, content.entry, content.seq))
    rows += [RowToWrite(place.seq, None, place.seq) for place in places[len(contents) :] if place.was is not None]
    return rows + [RowToWrite(None, content.entry, content.seq) for content in contents[len(places) :]]


def _is_written(step: Step) -> bool:
    """Tell whether a hand gets a row: a named one does, even unchanged."""
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
    return (step for step in plan_steps(items, plan) if step.named)
