"""What a correction does, put together for pages: each later hand as it was and as it becomes, and what fits no longer.

A plan that is not saved yet travels in the page as JSON; what comes back is read strictly. Words, no decisions.
"""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from scoring.check import problems
from scoring.entries import Entry, from_json, to_json
from scoring.game import Hand
from scoring.problems import InvalidInput, error
from scoring.shorthand import write
from scoring.state import opening
from scoring.strict_json import Reader, parse
from tournament.replay import (
    Effect,
    Forgotten,
    HandChange,
    Plan,
    Step,
    Unfit,
    by_seat,
    changed_hands,
    effects_of,
    first_unfit,
    new_warnings,
)
from tournament.selectors.tables.tables import LoadedTable
from tournament.services.tables.hands import no_longer_fits
from web.frame.hand_rows import last_line
from web.words.correction import BECAUSE
from web.words.problems import say
from web.words.readback import counters, hand_name, read_back

STRANGE = frozenset(
    {"seat.not_at_table", "points.not_for_each_seat", "win.no_winner", "win.tsumo_has_one_winner"}
)  # what the fold cannot play
SAID_WHOLLY = frozenset(BECAUSE)  # why a hand fits no longer, in words that need no other sentence


def effect_context(table: LoadedTable, plan: Plan) -> dict[str, Any]:
    """Return what hands/table_effect.html shows of a plan: a row for each hand from the first changed one on."""
    effects, unfit = effects_of(table.items, plan, table.rules), first_unfit(table.items, plan, table.rules)
    whole = [effect for effect in effects if effect.after is not None]
    ends = _end(table, plan, whole[-1].after) if whole and not unfit else ()
    return {
        "players": names_of(table, plan),
        "rows": [_row(effect, unfit) for effect in effects],
        "ends": ends,
        "moves": any(each["difference"] for each in ends),
        "warnings": [] if unfit else _warnings(table, plan),
        "columns": len(table.seats),
    }


def names_of(table: LoadedTable, plan: Plan) -> list[str]:
    """Return the players by seat, after an exchange of two."""
    order = by_seat(range(len(table.seats)), plan.exchanged)
    return [table.seats[seat].name for seat in order]


def plan_context(table: LoadedTable, plan: Plan) -> dict[str, Any]:
    """Return what hands/table_replay.html shows: what is changed, the first hand that fits no longer, the effect."""
    unfit = first_unfit(table.items, plan, table.rules)
    effects = {effect.step.seq: effect for effect in effects_of(table.items, plan, table.rules)}
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


def read_plan_json(text: str, table: LoadedTable) -> Plan:
    """Read a plan as a page of this table sends it back, empty for no text; raises InvalidInput for what is none.

    It is read like a stranger's: its hands must be there and name seats of the table; whether they fit is judged anew.
    """
    if not text:
        return Plan()
    try:
        plan = _read_plan(parse(text))
    except InvalidInput as wrong:
        raise InvalidInput([error("plan.unreadable")]) from wrong
    entries = [*(change.entry for change in plan.changes), plan.forgotten.entry if plan.forgotten else None]
    if not plan.hands() <= {item.seq for item in table.items} or any(map(partial(_is_strange, table), entries)):
        raise InvalidInput([error("plan.unreadable")])
    return plan


def _read_plan(value: object) -> Plan:
    reader = Reader(value, "plan")
    changes = [_read_change(child) for child in reader.children("changes")]
    forgotten = reader.mapping("forgotten", default=None)
    reader.finish()
    if len({change.hand for change in changes}) < len(changes):
        reader.add(error("plan.unreadable"))
    if reader.problems:
        raise InvalidInput(reader.problems)
    return Plan(tuple(changes), _read_forgotten(forgotten) if forgotten else None)


def _is_strange(table: LoadedTable, entry: Entry | None) -> bool:
    """Tell whether an entry could not even be played here: it names seats that the table has not, or nobody wins."""
    found = problems(entry, opening(table.rules), table.rules) if entry else []
    return any(problem.code in STRANGE for problem in found)


def _read_change(reader: Reader) -> HandChange:
    hand, value = reader.seat("hand"), reader.mapping("entry", default=None)
    reader.finish()
    if reader.problems or not hand:
        raise InvalidInput(reader.problems)
    return HandChange(hand, from_json(value) if value is not None else None)


def _read_forgotten(value: object) -> Forgotten:
    reader = Reader(value, "forgotten")
    before, entry = reader.seat("before"), reader.mapping("entry")
    reader.finish()
    if reader.problems or not before:
        raise InvalidInput(reader.problems)
    return Forgotten(before, from_json(entry))


# ---------------------------------------------------------------- rows


def _row(effect: Effect, unfit: Unfit | None) -> dict[str, Any]:
    named = effect.becomes or effect.was
    was = _named(effect.was) if effect.was and effect.becomes else ""
    name = _named(named) if named else ""
    return {
        "number": effect.step.number,
        "name": name,
        "was_name": was if was != name else "",
        "changed": effect.step.named,
        "is_void": effect.step.entry is None,
        "is_new": effect.was is None and effect.becomes is not None,
        "is_unfit": unfit is not None and unfit.step.number == effect.step.number,
        "is_open": unfit is not None and effect.step.number > unfit.step.number,
        "seats": _seats(effect),
    }


def _seats(effect: Effect) -> list[dict[str, Any]]:
    known = effect.after or effect.before or ()
    was, becomes = effect.before or (None,) * len(known), effect.after or (None,) * len(known)
    return [
        {"was": old, "becomes": new, "same": old == new, "number": seat + 1}
        for seat, (old, new) in enumerate(zip(was, becomes, strict=True))
    ]


def _end(table: LoadedTable, plan: Plan, after: Sequence[int] | None) -> list[dict[str, Any]]:
    """Return each player's score before and after all of it; `after` are the scores of the last hand that stands."""
    was = by_seat(table.state.scores, plan.exchanged)
    return [
        {"was": old, "becomes": new, "difference": new - old, "number": seat + 1}
        for seat, (old, new) in enumerate(zip(was, after or was, strict=True))
    ]


def _named(hand: Hand) -> str:
    return " · ".join(part for part in (hand_name(hand.before), counters(hand.before)) if part)


def _warnings(table: LoadedTable, plan: Plan) -> list[str]:
    names = names_of(table, plan)
    return [
        _("Hand %(number)d: %(what)s") % {"number": step.number, "what": say(problem, names)}
        for step, problem in new_warnings(table.items, plan, table.rules)
    ]


def _change(table: LoadedTable, step: Step, effect: Effect | None, names: Sequence[str]) -> dict[str, Any]:
    old = [player.name for player in table.seats]
    becomes = effect.becomes if effect else None
    said = read_back(becomes, names, table.rules).say if becomes else _line(step.entry)
    return {
        "hand": step.seq,
        "number": step.number,
        "forgotten": step.seq == 0,
        "was": read_back(effect.was, old, table.rules).say if effect and effect.was else "",
        "becomes": said if step.entry is not None else _("made void"),
    }


def _line(entry: Entry | None) -> str:
    return write(entry) if entry else ""


def _unfit(table: LoadedTable, unfit: Unfit, names: Sequence[str]) -> dict[str, Any]:
    problem = unfit.problems[0]
    fits_no_more = say(no_longer_fits(unfit.step.number, problem), names)
    more = [] if problem.code in SAID_WHOLLY else [say(each, names) for each in unfit.problems]
    return {
        "hand": unfit.step.seq,
        "number": unfit.step.number,
        "named": unfit.step.named,
        "words": [say(each, names) for each in unfit.problems] if unfit.step.named else [fits_no_more, *more],
        "line": _line(unfit.step.entry) or last_line(table, unfit.step.seq),
    }
