"""The page of a table that is entered from its paper sheet alone, and the pile of such sheets. Words, no decisions."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring.paper_sheet import Numbers, PaperSheet, scores_of, sheet_problems, totals_of
from scoring.placement import places_of
from scoring.problems import Problem, errors_of, warnings_of
from tournament.models import Event, Round
from tournament.selectors.people.players import list_names
from tournament.selectors.tables.sheets import Typed, Waiting, get_typed_for, get_waiting, list_waiting
from tournament.selectors.tables.tables import LoadedTable, get_table, load_tables
from web.frame.similar_names import likes_of
from web.frame.table_facts import facts_of_table
from web.totals.totals_form import TypedFields, read_score, read_sheet, typed_fields
from web.words.formatting import ordinal_place, points
from web.words.problems import joined, say

KINDS = ("sheet_gap.look_like_differences", "sheet_gap.look_like_totals", "totals.plus_sign")
GAPS = ("sheet_gap.short", "sheet_gap.over")
# what explains a gap stands below it, as a question; what is wrong with one number stands for itself
OWN = ("sheet_gap.off_unit", "sheet_gap.loan_negative", "sheet_gap.leftover_odd", "points.not_for_each_seat")
REASON_NEEDED = "entry.reason_needed"


@dataclass(slots=True)
class TotalsDraft:
    """The sheet being typed, and what is wrong with it; `sent` says that somebody pressed Enter in the last field."""

    typed: TypedFields
    problems: Sequence[Problem] = ()
    between: Sequence[str] = ()
    client_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    sent: bool = False


def empty_draft(event: Event, table: LoadedTable, *, again: bool = False) -> TotalsDraft:
    """Return a draft in which nothing is typed."""
    fields = {"again": "1"} if again else {}
    return TotalsDraft(typed_fields(fields, table.rules.players, event.sheet_numbers))


# ---------------------------------------------------------------- one table


def totals_context(event: Event, table: LoadedTable, draft: TotalsDraft, *, viewer: str) -> dict[str, Any]:
    """Return what templates/totals/totals.html shows; `viewer` is the reader's uid."""
    waiting = get_waiting(table)
    mine = waiting.of(viewer) if waiting else None
    address = [event.slug, table.round, table.number]
    due = next_due(event, table.round, after=table.number, viewer=viewer)
    others = [each for each in waiting.typed if each.by != viewer] if waiting else []
    return {
        "table": table,
        "title": _("Sheet of table %(number)d") % {"number": table.number},
        "state": _state(table, event, mine, others, draft),
        "mine": mine_rows(table, mine) if mine else [],
        "mine_at": mine.at if mine else None,
        "typed_by": joined([each.name or _("somebody") for each in others]),
        "differs": differs_words(table, waiting.differs) if waiting else "",
        "retyping": bool(mine),
        "typed": draft.typed,
        "rows": _rows(table, draft, likes_of(list_names(event))),
        "focus": _focus(table, draft),
        "between": draft.between,
        "client_id": draft.client_id,
        "other_kind": _other(draft.typed.numbers),
        "start": table.rules.start_points,
        "wanted": table.rules.start_points * table.rules.players,
        "lost": table.rules.leftover_deposits == "lost",
        "next": due,
        "facts": facts_of_table(event, table),
        "action": reverse("desk:totals", args=address),
        "preview_url": reverse("desk:totals_preview", args=address),
        "decide_url": reverse("desk:decide_totals", args=address),
        "hands_url": reverse("desk:table", args=address),
        "confirm_url": reverse("desk:confirm", args=address),
        "pile_url": reverse("desk:sheets", args=address[:2]),
        "jump_url": reverse("desk:sheets", args=address[:2]),
        **said(table, draft),
    }


def counted_context(table: LoadedTable) -> dict[str, Any]:
    """Return what the page of a table says that counts by its totals: scores, places, and what stood on the paper."""
    paper = get_typed_for(table)
    lent = paper.sheet.loans if paper else ()
    return {
        "games": table.seat_games,
        "paper": paper,
        "loans": [{"name": table.seats[seat].name, "points": points(loan)} for seat, loan in enumerate(lent) if loan],
        "left": paper.sheet.leftover if paper else 0,
        "nobody_got": table.final.leftover,
    }


def said(table: LoadedTable, draft: TotalsDraft) -> dict[str, Any]:
    """Return the context of totals/totals_said.html while a sheet is typed: the sum, the gap and its likely causes.

    What is merely not typed yet is no error until it is sent.
    """
    sheet, unread = read_sheet(draft.typed)
    problems = list(draft.problems) if draft.sent else [*unread, *(sheet_problems(sheet, table.rules) if sheet else ())]
    names = [player.name for player in table.seats]
    kinds = [problem for problem in problems if problem.code in KINDS]
    own = [p for p in errors_of(problems) if p.code in OWN or not p.code.startswith("sheet_gap.")]
    causes = [p for p in errors_of(problems) if p.code.startswith("sheet_gap.") and p.code not in (*OWN, *GAPS, *KINDS)]
    wrong = bool(errors_of([p for p in problems if p.code != REASON_NEEDED]))
    return {
        "kind_words": [say(problem, names) for problem in kinds],
        "gap_words": next((say(problem, names) for problem in problems if problem.code in GAPS), ""),
        "causes": [say(problem, names) for problem in causes],
        "errors": [say(p, names) for p in own if p.code not in (*KINDS, REASON_NEEDED)],
        "warnings": [say(problem, names) for problem in warnings_of(problems)],
        "reason_missing": say_reason(problems),
        "whole": sheet is not None,
        "left_to_type": len(draft.typed.missing),
        "so_far": _so_far(draft.typed),
        "readback": _readback(table, sheet) if sheet and not wrong else [],
        "other_kind": _other(draft.typed.numbers),
    }


def say_reason(problems: Iterable[Problem]) -> str:
    """Say that a reason is missing, where that is what is wrong; empty otherwise."""
    return next((say(problem) for problem in problems if problem.code == REASON_NEEDED), "")


def differs_words(table: LoadedTable, differs: Sequence[int]) -> str:
    """Name the seats in which two people read a sheet differently, without any number; empty where they do not."""
    seats = [_("%(name)s (seat %(seat)d)") % {"name": table.seats[s].name, "seat": s + 1} for s in differs if s >= 0]
    return joined([*seats, *([_("the deposits left")] if -1 in differs else [])])


def counted_words(table: LoadedTable) -> str:
    """Read a table back that counts now: who has how much, and at which place."""
    each = [
        f"{game.player.name} {points(game.score)}"
        + (f" ({ordinal_place(game.place, game.shared)})" if game.place else "")
        for game in table.seat_games
    ]
    return _("Table %(number)d: %(scores)s.") % {"number": table.number, "scores": " · ".join(each)}


def mine_rows(table: LoadedTable, typed: Typed) -> list[dict[str, Any]]:
    """Return what one person typed, seat by seat."""
    sheet, scores = typed.sheet, scores_of(typed.sheet, table.rules)
    return [
        {
            "seat": player.seat,
            "name": player.name,
            "count": sheet.counts[player.seat],
            "loan": sheet.loans[player.seat],
            "score": scores[player.seat],
        }
        for player in table.seats
    ]


def decide_context(event: Event, table: LoadedTable, waiting: Waiting) -> dict[str, Any]:
    """Return both readings of a sheet beside each other, for an organiser who decides."""
    address = [event.slug, table.round, table.number]
    readings = [mine_rows(table, typed) for typed in waiting.typed]
    return {
        "table": table,
        "waiting": waiting,
        "lefts": [typed.sheet.leftover for typed in waiting.typed],
        "left_differs": -1 in waiting.differs,
        "rows": [
            {
                "player": player,
                "readings": [reading[player.seat] for reading in readings],
                "differs": player.seat in waiting.differs,
            }
            for player in table.seats
        ],
        "differs": differs_words(table, waiting.differs),
        "client_id": str(uuid.uuid4()),
        "back": reverse("desk:totals", args=address),
    }


# ---------------------------------------------------------------- the pile


def pile_context(event: Event, round_: Round, *, after: int, viewer: str) -> dict[str, Any]:
    """Return what templates/totals/totals_pile.html shows: which sheets are due, which wait, and which comes next."""
    tables = load_tables(event, rounds=[round_.number])
    waiting = _waiting(event, round_.number, tables)
    due = [table.number for table in tables if _is_due(table, waiting.get(table.number), viewer)]
    return {
        "round": round_,
        "tables": [_pile_row(event, table, waiting.get(table.number), viewer) for table in tables],
        "due": len(due),
        "in": sum(table.signed for table in tables),
        "all": len(tables),
        "next": _following(due, after),
        "after": after,
        "jump_url": reverse("desk:sheets", args=[event.slug, round_.number]),
    }


def next_due(event: Event, round_: int, *, after: int, viewer: str) -> int | None:
    """Return the next table, behind `after` or from the front, that waits for a sheet which this person may type."""
    tables = load_tables(event, rounds=[round_])
    waiting = _waiting(event, round_, tables)
    due = [
        table.number for table in tables if table.number != after and _is_due(table, waiting.get(table.number), viewer)
    ]
    return _following(due, after)


def _waiting(event: Event, round_: int, tables: Sequence[LoadedTable]) -> dict[int, Waiting]:
    open_ = {table.number: table.player_numbers() for table in tables if not table.played and not table.signed}
    return list_waiting(event, round_, open_)


def _is_due(table: LoadedTable, waiting: Waiting | None, viewer: str) -> bool:
    """Whether a person has a sheet to type here: nothing is entered, and what they typed does not wait for another."""
    if table.signed or table.played:
        return False
    return waiting is None or waiting.of(viewer) is None or bool(waiting.differs)


def _following(due: Sequence[int], after: int) -> int | None:
    return next((number for number in due if number > after), due[0] if due else None)


def _pile_row(event: Event, table: LoadedTable, waiting: Waiting | None, viewer: str) -> dict[str, Any]:
    state, words = _pile_state(event, table, waiting, viewer)
    return {
        "number": table.number,
        "names": " · ".join(player.name for player in table.seats),
        "state": state,
        "state_word": words,
        "url": reverse("desk:totals", args=[event.slug, table.round, table.number]),
    }


def _pile_state(event: Event, table: LoadedTable, waiting: Waiting | None, viewer: str) -> tuple[str, str]:
    if table.signed:
        words = _("confirmed") if table.confirmed else _("to confirm")
        return ("signed", words if event.confirms else _("signed"))
    if table.played:
        return ("playing", _("has hands"))
    if waiting and waiting.differs:
        return ("trouble", _("two entries differ"))
    if waiting and waiting.of(viewer):
        return ("sheet", _("waits for another person"))
    return ("sheet", _("second entry is due")) if waiting else ("waiting", _("sheet due"))


# ---------------------------------------------------------------- parts


def _state(table: LoadedTable, event: Event, mine: Typed | None, others: Sequence[Typed], draft: TotalsDraft) -> str:
    """Name what the page is for now: hands, counted, reopened, unpublished, kept, or a form."""
    if table.played:
        return ("counted" if table.signed else "reopened") if table.totals_seq else "hands"
    if mine and not others and event.types_twice and not draft.typed.again:
        return "kept"
    return "form"


def _rows(table: LoadedTable, draft: TotalsDraft, likes: Mapping[int, str]) -> list[dict[str, Any]]:
    return [
        {
            "seat": player.seat,
            "focus": f"count-{player.seat}",
            "name": player.name,
            "like": likes.get(player.number, ""),
            "count": draft.typed.counts[player.seat],
            "loan": draft.typed.loans[player.seat],
        }
        for player in table.seats
    ]


def _focus(table: LoadedTable, draft: TotalsDraft) -> str:
    """Name the field that is to be typed next: the reason, the one that is wrong, or the first that is empty."""
    if any(problem.code == REASON_NEEDED for problem in draft.problems):
        return "reason"
    wrong = [problem.params.get("seat") for problem in draft.problems if "seat" in problem.params]
    seat = next((each for each in [*draft.typed.missing, *wrong] if isinstance(each, int)), 0)
    return f"count-{seat if seat < table.rules.players else 0}"


def _so_far(typed: TypedFields) -> int:
    """Return the sum of what is typed and can be read, loans taken off."""
    counts = (read_score(text) or 0 for text in typed.counts)
    loans = (read_score(text) or 0 for text in typed.loans)
    return sum(counts) - sum(loans)


def _readback(table: LoadedTable, sheet: PaperSheet) -> list[dict[str, Any]]:
    """Return who ends with how much and at which place, as it would count."""
    rules: Ruleset = table.rules
    final = totals_of(sheet, rules)
    places = places_of(final.scores, rules)
    return [
        {
            "name": player.name,
            "seat": player.seat,
            "score": final.scores[player.seat],
            "place": places[player.seat],
            "tied": places.count(places[player.seat]) > 1,
        }
        for player in table.seats
    ]


def _other(numbers: Numbers) -> Numbers:
    return "totals" if numbers == "differences" else "differences"


def fresh_table(event: Event, table: LoadedTable) -> LoadedTable:
    """Return a table as it is now."""
    return get_table(event, table.round, table.number) or table
