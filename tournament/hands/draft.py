"""A hand while it is typed: read from the request, counted, judged at its table and read back in words."""

import contextlib
import dataclasses
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules.ruleset import Ruleset
from scoring.bare_han import nearest_fu
from scoring.check import may_be_riichi_tile
from scoring.entries import Draw, Entry, Nagashi, Ron, Tsumo, Win
from scoring.game import fold, play
from scoring.paid import other_readings, settle
from scoring.problems import InvalidInput, Problem, errors_of, warnings_of
from scoring.shorthand import MAX_LINE, parse, without_loser_riichi, write
from scoring.state import TableState
from scoring.win_tiles import fill_in
from tournament.core.limits import MAX_LEDGER_REASON
from tournament.hands.pad import Steps, steps_of, write_cards
from tournament.hands.plan import effect_context, names_of
from tournament.pages.requests import to_int
from tournament.pages.tables import last_line
from tournament.tables.actions import HAND_UNKNOWN, check_new_hand, unfit_problem
from tournament.tables.history import Forgotten, Plan, first_unfit, new_warnings, planned_hand
from tournament.tables.history import state_before as planned_state
from tournament.tables.queries import LoadedTable, list_dead_hands, with_dead
from tournament.tables.round_queries import get_time_limit
from tournament.text.languages import join_spaced
from tournament.text.problems import problem_text
from tournament.text.readback import Readback, read_back, value_words

REASON_NEEDED = ("entry.reason_needed", "hand.reason_needed")
# what is wrong with a hand only because it is not typed to its end yet
UNFINISHED = (
    "shorthand.empty",
    "shorthand.unreadable",
    "shorthand.han_too_many",
    "win.fu_missing",
    "win.no_winner",
    "chombo.no_offender",
    "paid.both_wanted",
    "hand.tiles_missing",
    "hand.win_not_in_hand",
    "hand_line.empty",
    "hand_line.unknown_part",
    "tiles.no_suit",
)
# of those, what the line asks for by itself
ASKED_FOR = ("shorthand.unreadable", "win.fu_missing", "win.no_winner", "chombo.no_offender")


@dataclass(slots=True)
class Draft:
    """The hand being typed: as text, as an entry where it can be read, and what is wrong with it.

    `hand` is the `seq` of the hand it replaces, None for a new one; `before` that of the hand before which it was
    forgotten, 0 for none; `void` takes the hand out; `pending` is what else changes with it. `sent` is whether it was
    sent or only previewed. `typed` is the entry before its tiles are counted and its payments read; `readings` are what
    else a payment in it may mean, with the entry of each.
    """

    line: str = ""
    reason: str = ""
    hand: int | None = None
    client_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    entry: Entry | None = None
    problems: Sequence[Problem] = ()
    meanwhile: Sequence[str] = ()
    sent: bool = False
    before: int = 0
    void: bool = False
    pending: Plan = field(default_factory=Plan)
    typed: Entry | None = None
    readings: Sequence[tuple[Win, Entry]] = ()

    @property
    def plan(self) -> Plan | None:
        """The changes to the hands of the table; None for a new hand, and where nothing can be read."""
        if self.entry is None and not self.void:
            return None
        if self.before and self.entry is not None:
            return dataclasses.replace(self.pending, forgotten=Forgotten(self.before, self.entry))
        return self.pending.changing(self.hand, self.entry) if self.hand else None

    @property
    def reason_missing(self) -> str:
        """The sentence that asks for a reason; empty where none is missing."""
        return next((problem_text(problem) for problem in self.problems if problem.code in REASON_NEEDED), "")


def read_draft(fields: Any) -> Draft:
    """Read what was typed; what cannot be read stays as text, with the problems."""
    draft = Draft(
        line=fields.get("line", "")[:MAX_LINE],
        reason=fields.get("reason", "")[:MAX_LEDGER_REASON],
        hand=to_int(fields.get("hand")) or None,
        before=to_int(fields.get("before")),
        void=fields.get("act") == "void",
        client_id=fields.get("client_id", ""),
    )
    if draft.void:
        return draft
    try:
        draft.entry = parse(draft.line)
    except InvalidInput as wrong:
        draft.problems = wrong.problems
    return draft


def draft_of_hand(table: LoadedTable, seq: int) -> Draft | None:
    """Return a draft that replaces a hand, filled with its last entry; None for an unknown hand."""
    line = last_line(table, seq) if seq in {item.seq for item in table.items} else ""
    return Draft(line=line, hand=seq, entry=parse(line)) if line else None


def state_before(table: LoadedTable, hand: int | None) -> TableState:
    """Return the state in which a hand begins, given its `seq`; None for the next hand."""
    return table.state if hand is None else _state_up_to(table, hand)


def count_draft(table: LoadedTable, draft: Draft, seen: int) -> None:
    """Count the draft's tiles and read its payments at the state before its hand; problems go into the draft.

    `seen` is the last `seq` that its page showed.
    """
    if draft.entry is None:
        return
    if draft.hand is None and not draft.before:
        draft.entry = with_dead(draft.entry, list_dead_hands(table, seen=seen))
    hand = draft.before or draft.hand
    state = planned_state(table.items, draft.pending, hand, table.rules) if hand else _state_up_to(table, seen + 1)
    count_at(draft, state, table.rules)


def count_at(draft: Draft, state: TableState, rules: Ruleset) -> None:
    """Count the draft's tiles and read its payments at a state; problems go into the draft."""
    draft.typed = draft.entry
    if draft.entry is None:
        return
    try:
        counted = fill_in(draft.entry, state, rules)
        draft.entry, draft.readings = settle(counted, state, rules), other_readings(counted, state, rules)
    except InvalidInput as wrong:
        draft.entry, draft.problems = None, wrong.problems


def judge_draft(table: LoadedTable, draft: Draft) -> list[Problem]:
    """List what is wrong with a draft at this table now."""
    plan = draft.plan
    if plan is None:
        if draft.entry is None:
            return []
        time = get_time_limit(table, timezone.now())
        return check_new_hand(table, draft.entry, time)
    if not _is_there(table, plan):
        return [HAND_UNKNOWN(hand=draft.hand or draft.before)]
    unfit, mine = first_unfit(table.items, plan, table.rules), 0 if draft.before else draft.hand
    if unfit:
        found = unfit.problems if unfit.step.seq == mine else [unfit_problem(unfit.step.number, unfit.problems[0])]
        return errors_of(found)
    return [problem for step, problem in new_warnings(table.items, plan, table.rules) if step.seq == mine]


def preview_context(table: LoadedTable, draft: Draft) -> dict[str, Any]:
    """Return what hands/table.html#preview shows of a judged draft.

    Problems of a hand that is merely unfinished are a hint until it is sent.
    """
    plan = draft.plan
    names = names_of(table, draft.pending)
    shown = [problem for problem in draft.problems if problem.code not in REASON_NEEDED]
    errors = errors_of(shown)
    steps = steps_of(draft.line, names, table.rules) if draft.line else None
    early = [] if draft.sent else [problem for problem in errors if _unfinished(problem)]
    own = [problem for problem in errors if problem.code != "hand.no_longer_fits"]
    back = None if own else read_draft_back(table, draft, names)
    warnings, late = warnings_of(shown) if not errors else [], "late" if draft.hand or draft.before else ""
    meant = _meant(draft, table)
    closed = _closed_choices(draft, warnings)
    return {
        "line": draft.line,
        "say": back.say if back else "",
        "pays": back.seats if back else (),
        "lines": back.pays if back else (),
        "hint": _hint(early[0], names, steps) if early else "",
        "steps": steps,
        "errors": [problem_text(problem, names) for problem in errors if problem not in early],
        "warnings": [problem_text(problem, names) for problem in warnings],
        "ask_reason": "warning" if [each for each in warnings if each.code != "nagashi.closed_hand"] else late,
        "late": late,
        "reason": draft.reason,
        "reason_missing": draft.reason_missing,
        "meant": meant,
        "closed": closed,
        "others": [(value_words(win), write(entry)) for win, entry in draft.readings],
        "in_cards": write_cards(draft.typed or draft.entry, draft.line),
        "riichi_tile": None if errors else _riichi_tile(draft, table, names),
        "effect": effect_context(table, plan) if plan and not own and _is_there(table, plan) else None,
        "breaks": bool(errors) and not own,
    }


def read_draft_back(table: LoadedTable, draft: Draft, names: Sequence[str]) -> Readback | None:
    """Fold the table with the draft in its place and read the draft's hand back; None where there is none."""
    if draft.entry is None:
        return None
    plan = draft.plan
    if plan is None:
        return read_back(play(draft.entry, table.state, table.rules), names, table.rules)
    hand = planned_hand(table.items, plan, 0 if draft.before else draft.hand or 0, table.rules)
    return read_back(hand, names, table.rules) if hand else None


def _state_up_to(table: LoadedTable, seq: int) -> TableState:
    if seq > table.last_seq:
        return table.state
    return fold([item.entry for item in table.items if item.entry and item.seq < seq], table.rules).state


def _is_there(table: LoadedTable, plan: Plan) -> bool:
    return plan.hands() <= {item.seq for item in table.items}


def _meant(draft: Draft, table: LoadedTable) -> list[tuple[str, str]]:
    """Return the nearest hands that there are, to choose from, where none has what was typed: words and line."""
    lines: list[str] = []
    for problem in draft.problems:
        if problem.code == "shorthand.han_too_many":
            head, typed, tail = draft.line.rpartition(str(problem.params["value"]))
            meant = problem.params["meant"]
            lines += [f"{head}{text}{tail}" for text in meant if typed] if isinstance(meant, tuple) else []
        elif problem.code == "win.fu_impossible" and isinstance(draft.entry, Ron | Tsumo):
            lines += [write(entry) for entry in nearest_fu(draft.entry, table.rules)]
    found = []
    for line in dict.fromkeys(lines):
        with contextlib.suppress(InvalidInput):  # two numbers can be wrong in one line
            entry = parse(line)
            values = join_spaced(value_words(win) for win in getattr(entry, "winners", ()))
            found.append((values, line))
    return found


def _closed_choices(draft: Draft, warnings: Sequence[Problem]) -> list[tuple[str, str]]:
    """Return yes and no where a nagashi mangan asks whether the hand was closed: words and line; no is a draw."""
    entry = draft.entry
    if not isinstance(entry, Nagashi) or all(each.code != "nagashi.closed_hand" for each in warnings):
        return []
    draw = Draw(tenpai=entry.tenpai, riichi=entry.riichi, dead=entry.dead, note=entry.note)
    yes, no = pgettext("was the hand closed", "yes, closed"), pgettext("was the hand closed", "no: a draw")
    return [(yes, write(dataclasses.replace(entry, closed=True))), (no, write(draw))]


def _riichi_tile(draft: Draft, table: LoadedTable, names: Sequence[str]) -> dict[str, str] | None:
    """Return what is offered where a ron may be on the discarder's riichi tile: the name, the hand without it."""
    if not isinstance(draft.entry, Ron) or not may_be_riichi_tile(draft.entry, table.rules):
        return None
    back = without_loser_riichi(draft.entry)
    return {"name": names[draft.entry.loser], "line": write(back)} if back else None


def _hint(problem: Problem, names: Sequence[str], steps: Steps | None) -> str:
    """Say what is still missing while the hand is typed; nothing where the line says so by itself."""
    if (steps and steps.wrong) or problem.code == "shorthand.empty":
        return ""
    if problem.code in ASKED_FOR and steps and steps.ask:
        return steps.ask
    if problem.code == "shorthand.unreadable":
        return _("“%(part)s” cannot be read yet.") % {"part": problem.params["part"]}
    return problem_text(problem, names)


def _unfinished(problem: Problem) -> bool:
    none_ticked = problem.code == "win.tsumo_has_one_winner" and not problem.params.get("winners")
    return problem.code in UNFINISHED or none_ticked
