"""The hand page put together: seats, the hand being typed, the hands of the table, the sheet. It words and never decides."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.entries import Entry
from scoring.game import fold
from scoring.placement import places_of
from scoring.problems import Problem, errors_of, warnings_of
from scoring.shorthand import write
from tournament.history import read_payload
from tournament.models import Event
from tournament.selectors.tables import HandRow, LoadedTable, list_hands
from tournament.services.hands import judge_change
from web.readback import ABORT_WORDS, Readback, counters, hand_name, read_back
from web.wording import say

REASON_NEEDED = ("entry.reason_needed", "hand.reason_needed")


@dataclass(slots=True)
class Draft:
    """The hand being typed: as text, as an entry where it can be read, and what is wrong with it.

    `hand` is the `seq` of the hand that it would replace, None for a new one.
    """

    line: str = ""
    reason: str = ""
    hand: int | None = None
    client_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    entry: Entry | None = None
    problems: Sequence[Problem] = ()
    between: Sequence[str] = ()
    form: Any = None


def page_context(event: Event, table: LoadedTable, draft: Draft, *, new_seq: int = 0) -> dict[str, Any]:
    """Return all that the hand page shows of a table; `new_seq` is the hand just entered."""
    rows = list_hands(table)
    address = [event.slug, table.round, table.number]
    return {
        "table": table,
        "title": _("Table %(number)d") % {"number": table.number},
        "now": hand_name(table.state),
        "counters": counters(table.state),
        "seats": seat_cards(table),
        "hands": [_hand_item(event, table, row, new_seq) for row in reversed(rows)],
        "replaced": next((row for row in rows if row.seq == draft.hand), None),
        "draft": draft,
        "action": reverse("desk:table", args=address),
        "preview_url": reverse("desk:preview", args=address),
        "sign_url": reverse("desk:sign", args=address),
        "reopen_url": reverse("desk:reopen", args=address),
        "neighbours": (table.number - 1, table.number + 1),
        "han_choices": [(str(han), str(han)) for han in range(1, 14)] + [("y1", _("yakuman")), ("y2", _("2 yakuman"))],
        "fu_choices": [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110],
        "aborts": [(name, ABORT_WORDS.get(name, name)) for name in table.rules.abortive_draws],
        "sheet": sheet_facts(table),
        **understood(table, draft),
    }


def understood(table: LoadedTable, draft: Draft) -> dict[str, Any]:
    """Return what templates/ui/understood.html shows of a draft."""
    names = [player.name for player in table.seats]
    shown = [problem for problem in draft.problems if problem.code not in REASON_NEEDED]
    errors, warnings = errors_of(shown), warnings_of(shown)
    quiet = [problem for problem in errors if problem.code != "shorthand.empty"]
    back = None if quiet or draft.entry is None else _read_draft(table, draft)
    return {
        "say": back.say if back else "",
        "pays": back.seats if back else (),
        "payments": back.pays if back else (),
        "errors": [say(problem, names) for problem in quiet],
        "warnings": [say(problem, names) for problem in warnings],
        "reason": draft.reason,
        "reason_needed": any(problem.code == "hand.reason_needed" for problem in draft.problems),
    }


def judge_draft(table: LoadedTable, draft: Draft) -> list[Problem]:
    """List what is wrong with a draft at this table now."""
    return judge_change(table.items, draft.entry, draft.hand, table.rules) if draft.entry else []


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
    written = [line.payload for line in table.lines if seq in (line.seq, line.supersedes) and line.payload]
    if seq not in {item.seq for item in table.items} or not written:
        return None
    entry = read_payload(written[-1])
    return Draft(line=write(entry) if entry else "", hand=seq, entry=entry)


def sheet_facts(table: LoadedTable) -> dict[str, Any]:
    """Return what the sheet panel shows: the sum, the deposits left, and each player's final score as it stands."""
    state, final = table.state, table.final
    pot = state.sticks * table.rules.riichi_deposit
    return {
        "wanted": table.rules.start_points * table.rules.players,
        "sum": sum(state.scores),
        "leftover": pot,
        "hands": len(table.game.hands),
        "ended": state.ended,
        "rows": [
            {
                "seat": player.seat,
                "number": player.seat + 1,
                "name": player.name,
                "score": final.scores[player.seat],
                "place": final.places[player.seat],
                "tied": final.places.count(final.places[player.seat]) > 1,
                "uma": final.uma[player.seat],
                "result": final.results[player.seat],
            }
            for player in table.seats
        ],
    }


def between_words(table: LoadedTable, since: int) -> list[str]:
    """Say what was entered at the table after a row that somebody had seen."""
    newer = [row for row in list_hands(table) if any(line.seq > since and row.seq in (line.seq, line.supersedes) for line in table.lines)]
    names = [player.name for player in table.seats]
    words = []
    for row in newer:
        what = read_back(row.hand, names, table.rules).say if row.hand else _("made void")
        words.append(f"{row.number}. {what} ({row.by})")
    return words


def _read_draft(table: LoadedTable, draft: Draft) -> Readback | None:
    """Fold the table with the draft in its place and read the draft's hand back."""
    names = [player.name for player in table.seats]
    items = [(item.seq, draft.entry if item.seq == draft.hand else item.entry) for item in table.items]
    if draft.hand is None:
        items.append((0, draft.entry))
    standing = [(seq, entry) for seq, entry in items if entry is not None]
    index = next((at for at, (seq, _entry) in enumerate(standing) if seq == (draft.hand or 0)), None)
    if index is None:
        return None
    return read_back(fold([entry for _seq, entry in standing], table.rules).hands[index], names, table.rules)


def _hand_item(event: Event, table: LoadedTable, row: HandRow, new_seq: int) -> dict[str, Any]:
    """Return one hand as templates/ui/hand_row.html lists it."""
    address = reverse("desk:table", args=[event.slug, table.round, table.number])
    names = [player.name for player in table.seats]
    acts = {} if table.signed else {"correct_url": f"{address}?correct={row.seq}", "void_url": f"{address}?void={row.seq}"}
    if row.hand is None:
        acts.pop("void_url", None)
        return {"name": f"{row.number}", "what": _("Void"), "note": row.reason, "void": True, "by": row.by, "seats": [], **acts}
    back = read_back(row.hand, names, table.rules)
    notes = [back.riichi, row.hand.entry.note, _corrected(row), row.reason]
    return {
        "number": row.number,
        "name": back.name,
        "counters": back.counters,
        "what": back.what,
        "value": back.value,
        "note": " · ".join(note for note in notes if note),
        "pays": back.pays,
        "seats": back.seats,
        "void": False,
        "new": row.seq == new_seq,
        "by": row.by,
        "at": row.at,
        **acts,
    }


def _corrected(row: HandRow) -> str:
    return _("corrected") if row.rows > 1 else ""
