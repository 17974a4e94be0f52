"""The hand page put together: seats, the hand being typed, the hands of the table, the sheet. Words, no decisions."""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.entries import Entry
from scoring.fill import fill_in
from scoring.game import fold
from scoring.placement import places_of
from scoring.problems import InvalidInput, Problem, errors_of, warnings_of
from scoring.shorthand import parse
from scoring.state import TableState
from tournament.models import Event
from tournament.selectors.dead_hands import list_dead_hands, with_dead
from tournament.selectors.seating import count_tables
from tournament.selectors.tables import LoadedTable, list_hands
from tournament.services.hands import judge_change
from web.forms.hand import Fields, Written
from web.hand_form import form_context
from web.hand_rows import hand_items, last_line
from web.penalty_page import penalty_bar
from web.readback import Readback, counters, hand_name, read_back
from web.wording import say

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
    "hand.tiles_missing",
    "hand.win_not_in_hand",
    "hand_line.empty",
    "hand_line.unknown_part",
    "tiles.no_suit",
)


@dataclass(slots=True)
class Draft:
    """The hand being typed: as text, as an entry where it can be read, and what is wrong with it.

    `hand` is the `seq` of the hand that it would replace, None for a new one; `form` is what was submitted by the
    form. `sent` says that somebody pressed Enter on it.
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

    @property
    def reason_missing(self) -> str:
        """Why it was refused where nothing but a reason is missing; empty otherwise."""
        return next((say(problem) for problem in self.problems if problem.code in REASON_NEEDED), "")


def page_context(event: Event, table: LoadedTable, draft: Draft, *, new_seq: int = 0) -> dict[str, Any]:
    """Return all that the hand page shows of a table; `new_seq` is the hand just entered. Two queries."""
    rows = list_hands(table)
    address = [event.slug, table.round, table.number]
    last = count_tables(event, table.round)
    return {
        "table": table,
        "title": _("Table %(number)d") % {"number": table.number},
        "now": hand_name(table.state),
        "counters": counters(table.state),
        "seats": seat_cards(table),
        "hands": hand_items(event, table, rows, new_seq),
        "replaced": next((row for row in rows if row.seq == draft.hand), None),
        "draft": draft,
        "action": reverse("desk:table", args=address),
        "preview_url": reverse("desk:preview", args=address),
        "sign_url": reverse("desk:sign", args=address),
        "reopen_url": reverse("desk:reopen", args=address),
        "previous": table.number - 1 if table.number > 1 else None,
        "next": table.number + 1 if table.number < last else None,
        "sheet": sheet_context(table),
        "by_form": form_context(table, draft.form or Written(draft.entry)),
        "counting": counting_context(event, table, draft),
        **penalty_bar(event, table),
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


def understood(table: LoadedTable, draft: Draft) -> dict[str, Any]:
    """Return what templates/ui/understood.html shows of a draft: `draft.problems` in words.

    What is merely unfinished is a hint until it is sent. The caller has judged.
    """
    names = [player.name for player in table.seats]
    shown = [problem for problem in draft.problems if problem.code not in REASON_NEEDED]
    errors = errors_of(shown)
    early = [] if draft.sent else [problem for problem in errors if _unfinished(problem)]
    back = None if errors else read_draft_back(table, draft, names)
    warnings, late = warnings_of(shown) if not errors else [], "late" if draft.hand else ""
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
    }


def judge_draft(table: LoadedTable, draft: Draft) -> list[Problem]:
    """List what is wrong with a draft at this table now."""
    return judge_change(table.items, draft.entry, draft.hand, table.rules) if draft.entry else []


def count_draft(table: LoadedTable, draft: Draft, seen: int) -> None:
    """Count the tiles that a draft gives, at the state before its hand; `seen` is the last `seq` that its page showed.

    What is wrong with them is kept in the draft.
    """
    if draft.entry is None:
        return
    if draft.hand is None:
        draft.entry = with_dead(draft.entry, list_dead_hands(table, seen=seen))
    try:
        draft.entry = fill_in(draft.entry, _state_up_to(table, draft.hand or seen + 1), table.rules)
    except InvalidInput as wrong:
        draft.entry, draft.problems = None, wrong.problems


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
    state, final = table.state, table.final
    rows = [
        {
            "seat": player.seat,
            "number": player.seat + 1,
            "name": player.name,
            "score": final.scores[player.seat],
            "place": final.places[player.seat],
            "tied": final.places.count(final.places[player.seat]) > 1,
            "result": final.results[player.seat],
            "typed": typed.get(f"total-{player.seat}", "")[:20] if typed else "",
        }
        for player in table.seats
    ]
    return {
        "wanted": table.rules.start_points * table.rules.players,
        "sum": sum(state.scores),
        "leftover": state.sticks * table.rules.riichi_deposit,
        "hands": len(table.game.hands),
        "ended": state.ended,
        "signed_at": table.sheet.at if table.sheet and table.signed else None,
        "rows": sorted(rows, key=lambda row: row["place"]) if table.signed else rows,
        "typed_leftover": typed.get("leftover", "")[:20] if typed else "",
    }


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
    items = [(item.seq, draft.entry if item.seq == draft.hand else item.entry) for item in table.items]
    if draft.hand is None:
        items.append((0, draft.entry))
    standing = [(seq, entry) for seq, entry in items if entry is not None]
    index = next((at for at, (seq, _entry) in enumerate(standing) if seq == (draft.hand or 0)), None)
    if index is None:
        return None
    return read_back(fold([entry for _seq, entry in standing], table.rules).hands[index], names, table.rules)
