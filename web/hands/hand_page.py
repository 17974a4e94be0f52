"""The hand page put together: seats, the hand being typed, the hands of the table, the sheet. Words, no decisions."""

import dataclasses
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.entries import Entry
from scoring.game import fold
from scoring.paid import SeveralReadings, settle
from scoring.placement import places_of
from scoring.problems import InvalidInput, Problem, error, errors_of, warnings_of
from scoring.shorthand import parse, write
from scoring.state import TableState
from scoring.win_tiles import fill_in
from tournament.models import Event
from tournament.replay import Forgotten, Plan, first_unfit, hand_of, new_warnings
from tournament.replay import state_before as planned_state
from tournament.selectors.draws.seating import count_tables
from tournament.selectors.public.needs import is_last_hand
from tournament.selectors.rounds.clock import get_time_limit
from tournament.selectors.tables.penalties import list_dead_hands, with_dead
from tournament.selectors.tables.sheets import get_signed_before
from tournament.selectors.tables.tables import LoadedTable, list_hands
from tournament.services.tables.corrections import no_longer_fits
from tournament.services.tables.hands import judge_change
from web.frame.hand_rows import hand_items, last_line
from web.frame.table_facts import facts_of_table
from web.hands.between_page import stamp_of
from web.hands.correction_page import effect_context, names_of
from web.hands.hand_fields import Fields, Written, write_fields
from web.hands.hand_form import form_context
from web.penalties.penalty_page import penalty_bar
from web.rounds.call_page import call_bar
from web.rounds.clock_page import time_bar
from web.words.paid import value_words
from web.words.problems import say
from web.words.readback import Readback, counters, hand_name, read_back

REASON_NEEDED = ("entry.reason_needed", "hand.reason_needed")
# what is wrong with a hand only because it is not typed to its end yet
UNFINISHED = (
    "shorthand.empty",
    "shorthand.unreadable",
    "win.fu_missing",
    "win.no_winner",
    "chombo.no_offender",
    "form.kind_missing",
    "form.loser_missing",
    "form.han_missing",
    "paid.several",
    "paid.both_wanted",
    "hand.tiles_missing",
    "hand.win_not_in_hand",
    "hand_line.empty",
    "hand_line.unknown_part",
    "tiles.no_suit",
)


@dataclass(slots=True)
class Draft:
    """The hand being typed: as text, as an entry where it can be read, and what is wrong with it.

    `hand` is the `seq` of the hand that it would replace, None for a new one; `before` that of the hand before which it
    was forgotten, 0 for none; `void` says that it takes the hand out; `pending` is what else is to change with it.
    `form` is what was submitted by the form. `sent` says that somebody pressed Enter on it. `typed` is the entry as it
    stands in the line, tiles not counted and payments not read yet; `readings` are what a payment in it may mean.
    """

    line: str = ""
    reason: str = ""
    hand: int | None = None
    client_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    entry: Entry | None = None
    problems: Sequence[Problem] = ()
    between: Sequence[str] = ()
    form: Fields | None = None
    sent: bool = False
    before: int = 0
    void: bool = False
    pending: Plan = field(default_factory=Plan)
    typed: Entry | None = None
    readings: SeveralReadings | None = None

    @property
    def plan(self) -> Plan | None:
        """What would change of the hands that are there; None for a new hand, and where nothing can be read."""
        if self.entry is None and not self.void:
            return None
        if self.before and self.entry is not None:
            return dataclasses.replace(self.pending, forgotten=Forgotten(self.before, self.entry))
        return self.pending.changing(self.hand, self.entry) if self.hand else None

    @property
    def reason_missing(self) -> str:
        """Why it was refused where nothing but a reason is missing; empty otherwise."""
        return next((say(problem) for problem in self.problems if problem.code in REASON_NEEDED), "")


def page_context(event: Event, table: LoadedTable, draft: Draft, *, new_seq: int = 0) -> dict[str, Any]:
    """Return all that the hand page shows of a table; `new_seq` is the hand just entered. Two queries."""
    rows = list_hands(table)
    address = [event.slug, table.round, table.number]
    last = count_tables(event, table.round)
    bars = {**call_bar(event, table), **time_bar(event, table)}
    return {
        "table": table,
        "title": _("Table %(number)d") % {"number": table.number},
        "now": hand_name(table.state),
        "counters": counters(table.state),
        "seats": seat_cards(table),
        "hands": hand_items(event, table, rows, new_seq),
        "replaced": next((row for row in rows if row.seq == (draft.before or draft.hand)), None),
        "draft": draft,
        "action": reverse("desk:table", args=address),
        "preview_url": reverse("desk:preview", args=address),
        "sign_url": reverse("desk:sign", args=address),
        "reopen_url": reverse("desk:reopen", args=address),
        "confirm_url": reverse("desk:confirm", args=address),
        "previous": table.number - 1 if table.number > 1 else None,
        "next": table.number + 1 if table.number < last else None,
        "sheet": sheet_context(table),
        "by_form": form_context(table, draft.form or Written(draft.entry)),
        "counting": counting_context(event, table, draft),
        **penalty_bar(event, table),
        **bars,
        "stamp": stamp_of(table, bars),
        "last_hand": is_last_hand(table, bars["clock"]),
        "facts": facts_of_table(event, table),
        "between_url": reverse("desk:between", args=address),
        **understood(table, draft),
    }


def counting_context(event: Event, table: LoadedTable, draft: Draft) -> dict[str, Any]:
    """Return what static/js/count_dialog.js needs: names, winds and counters as the draft's hand begins."""
    state = state_before(table, draft.hand)
    address = [event.slug, table.round, table.number]
    return {
        "count_url": reverse("desk:count", args=address),
        "slip_url": reverse("desk:call_slip", args=address),
        "round": state.round_wind,
        "winds": "".join(state.wind_of(player.seat) for player in table.seats),
        "honba": state.honba,
        "names": json.dumps([player.name for player in table.seats]),
        "words": json.dumps(
            {
                "round": _("{wind} round"),
                "seat": _("{wind} seat"),
                "counters": _("Counters: {count}"),
                "no_hand": _("No whole hand yet"),
            }
        ),
    }


def state_before(table: LoadedTable, hand: int | None) -> TableState:
    """Return the state in which a hand begins, named by its `seq`; of the next hand for None."""
    return table.state if hand is None else _state_up_to(table, hand)


def _state_up_to(table: LoadedTable, seq: int) -> TableState:
    return fold([item.entry for item in table.items if item.entry and item.seq < seq], table.rules).state


def _state_of(table: LoadedTable, draft: Draft, seen: int) -> TableState:
    """Return the state in which the draft's hand begins, other changes of its plan counted."""
    hand = draft.before or draft.hand
    return planned_state(table.items, draft.pending, hand, table.rules) if hand else _state_up_to(table, seen + 1)


def understood(table: LoadedTable, draft: Draft) -> dict[str, Any]:
    """Return what templates/ui/understood.html shows of a draft: `draft.problems` in words.

    What is merely unfinished is a hint until it is sent. The caller has judged.
    """
    plan = draft.plan
    names = names_of(table, draft.pending)
    shown = [problem for problem in draft.problems if problem.code not in REASON_NEEDED]
    errors = errors_of(shown)
    early = [] if draft.sent else [problem for problem in errors if _unfinished(problem)]
    own = [problem for problem in errors if problem.code != "hand.no_longer_fits"]
    back = None if own else read_draft_back(table, draft, names)
    warnings, late = warnings_of(shown) if not errors else [], "late" if draft.hand or draft.before else ""
    return {
        "line": draft.line,
        "say": back.say if back else "",
        "pays": back.seats if back else (),
        "lines": back.pays if back else (),
        "hint": _hint(early[0], names) if early else "",
        "errors": [say(problem, names) for problem in errors if problem not in early],
        "warnings": [say(problem, names) for problem in warnings],
        "ask_reason": "warning" if warnings else late,
        "late": late,
        "reason": draft.reason,
        "reason_missing": draft.reason_missing,
        "choices": _choices(draft),
        "in_step": _in_step(draft),
        "effect": effect_context(table, plan) if plan and not own and _is_there(table, plan) else None,
        "breaks": bool(errors) and not own,
    }


def judge_draft(table: LoadedTable, draft: Draft) -> list[Problem]:
    """List what is wrong with a draft at this table now."""
    plan = draft.plan
    if plan is None:
        if draft.entry is None:
            return []
        time = get_time_limit(table.id, table.number, table.lines, timezone.now())
        return judge_change(table.items, draft.entry, None, table.rules, time)
    if not _is_there(table, plan):
        return [error("hand.unknown", hand=draft.hand or draft.before)]
    unfit, mine = first_unfit(table.items, plan, table.rules), 0 if draft.before else draft.hand
    if unfit:
        found = unfit.problems if unfit.step.seq == mine else [no_longer_fits(unfit.step.number, unfit.problems[0])]
        return errors_of(found)
    return [problem for step, problem in new_warnings(table.items, plan, table.rules) if step.seq == mine]


def _is_there(table: LoadedTable, plan: Plan) -> bool:
    return plan.hands() <= {item.seq for item in table.items}


def count_draft(table: LoadedTable, draft: Draft, seen: int) -> None:
    """Count the tiles and read the payments that a draft gives, at the state before its hand.

    `seen` is the last `seq` that its page showed. What is wrong with them is kept in the draft.
    """
    if draft.entry is None:
        return
    if draft.hand is None and not draft.before:
        draft.entry = with_dead(draft.entry, list_dead_hands(table, seen=seen))
    draft.typed = draft.entry
    state = _state_of(table, draft, seen)
    try:
        draft.entry = settle(fill_in(draft.entry, state, table.rules), state, table.rules)
    except InvalidInput as wrong:
        draft.entry, draft.problems = None, wrong.problems
        draft.readings = wrong if isinstance(wrong, SeveralReadings) else None


def _choices(draft: Draft) -> list[dict[str, Any]]:
    """Return what a payment may mean, to choose from: each as a line, and as fields of the form."""
    found = draft.readings
    return [
        {"say": value_words(win), "line": write(entry), "fields": json.dumps(write_fields(entry))}
        for win, entry in (zip(found.wins, found.entries, strict=True) if found else ())
    ]


def _in_step(draft: Draft) -> dict[str, Any]:
    """Return the hand as a line and as fields of the form, for the one to follow the other; nothing if unreadable."""
    entry = draft.entry or draft.typed
    if entry is None or not getattr(entry, "winners", True):  # a form without a winner is no line yet
        return {}
    return {"line": write(entry), "fields": json.dumps(write_fields(entry)), "by_form": draft.form is not None}


def seat_cards(table: LoadedTable) -> list[dict[str, Any]]:
    """Return the players at the table with wind, score and place now."""
    state, scores = table.state, table.final.scores if table.signed else table.state.scores
    places = places_of(scores, table.rules)
    return [
        {
            "number": player.seat + 1,
            "name": player.name,
            "wind": state.wind_of(player.seat),
            "score": scores[player.seat],
            "place": places[player.seat] if table.game.hands else None,
            "tied": places.count(places[player.seat]) > 1,
            "dealer": player.seat == state.dealer and not (state.ended or table.signed),
        }
        for player in table.seats
    ]


def draft_of(table: LoadedTable, seq: int) -> Draft | None:
    """Return a draft that replaces a hand, filled with the hand as it was last entered; None where there is none."""
    line = last_line(table, seq) if seq in {item.seq for item in table.items} else ""
    return Draft(line=line, hand=seq, entry=parse(line)) if line else None


def sheet_context(table: LoadedTable, typed: Fields | None = None) -> dict[str, Any]:
    """Return what the sheet panel shows: the sum, the deposits left, each player's score, and what was typed."""
    state = table.state
    rows = [
        {
            "seat": game.player.seat,
            "number": game.player.seat + 1,
            "name": game.player.name,
            "score": game.score,
            "place": game.place,
            "tied": game.shared,
            "result": game.result,
            "replaced": game.substitute is not None,
            "typed": typed.get(f"total-{game.player.seat}", "")[:20] if typed else "",
        }
        for game in table.seat_games
    ]
    return {
        "wanted": table.rules.start_points * table.rules.players,
        "sum": sum(state.scores),
        "leftover": state.sticks * table.rules.riichi_deposit,
        "hands": len(table.game.hands),
        "ended": state.ended,
        "signed_at": table.sheet.at if table.sheet and table.signed else None,
        "rows": sorted(rows, key=lambda row: row["place"] or len(rows) + 1) if table.signed else rows,
        "typed_leftover": typed.get("leftover", "")[:20] if typed else "",
        "signed_before": _signed_before(table),
    }


def _signed_before(table: LoadedTable) -> list[dict[str, Any]]:
    """Return what a table was signed with before it was reopened, beside what its hands make now; by seat."""
    if table.sheet is None or table.signed:
        return []
    before = get_signed_before(table.id)
    totals = before.totals if before else ()
    return [
        {
            "name": player.name,
            "number": player.seat + 1,
            "was": was,
            "now": table.final.scores[player.seat],
            "difference": table.final.scores[player.seat] - was,
        }
        for player, was in zip(table.seats, totals, strict=False)
    ]


def _hint(problem: Problem, names: Sequence[str]) -> str:
    """Say what is still missing, as long as it is being typed."""
    if problem.code == "shorthand.empty":
        return ""
    if problem.code == "shorthand.unreadable":
        return _("“%(part)s” cannot be read yet.") % {"part": problem.params["part"]}
    return say(problem, names)


def _unfinished(problem: Problem) -> bool:
    none_ticked = problem.code == "win.tsumo_has_one_winner" and not problem.params.get("winners")
    return problem.code in UNFINISHED or none_ticked


def read_draft_back(table: LoadedTable, draft: Draft, names: Sequence[str]) -> Readback | None:
    """Fold the table with the draft in its place and read the draft's hand back; None where there is none."""
    if draft.entry is None:
        return None
    plan = draft.plan
    if plan is None:
        return read_back(fold([*_standing(table), draft.entry], table.rules).hands[-1], names, table.rules)
    hand = hand_of(table.items, plan, 0 if draft.before else draft.hand or 0, table.rules)
    return read_back(hand, names, table.rules) if hand else None


def _standing(table: LoadedTable) -> list[Entry]:
    return [item.entry for item in table.items if item.entry is not None]
