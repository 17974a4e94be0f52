"""What every page of an import shows: columns with what they were taken for, verdicts row by row, what is taken back.

It words what readers and verbs found, and decides nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.problems import Problem
from tournament.imports.columns import Column, Grade
from tournament.imports.listing import RowVerdict
from tournament.models import Event, Person
from tournament.selectors.files.imports import ImportRow
from web.words.problems import COLUMN_WORDS, say

MOST_ROWS = 300  # that a page shows; a file may have thousands
MOST_NAMES = 40


@dataclass(frozen=True, slots=True)
class Look:
    """A file as understood, on its way to a page: its columns and rows, what is wrong with it, how much it brings."""

    columns: Sequence[Column]
    rows: Sequence[RowVerdict]
    problems: Sequence[Problem]
    sound: bool
    lead: str = ""
    more: dict[str, Any] = field(default_factory=dict)


def said(problems: Sequence[Problem], severity: str) -> list[str]:
    """Say those problems that are errors, or warnings."""
    return [say(problem) for problem in problems if problem.severity == severity]


def row_item(row: RowVerdict) -> dict[str, Any]:
    """Return one row with its verdict as templates/files/import_rows.html lists it."""
    return {
        "name": row.name,
        "text": row.text,
        "errors": said(row.problems, "error"),
        "warnings": said(row.problems, "warning"),
    }


def rows_context(rows: Sequence[RowVerdict]) -> dict[str, Any]:
    """Return the rows with a verdict that is not good, and all of them, as many as a page shows."""
    wrong = [row for row in rows if row.problems]
    return {
        "wrong": [row_item(row) for row in wrong[:MOST_ROWS]],
        "wrong_more": max(0, len(wrong) - MOST_ROWS),
        "rows": [row_item(row) for row in rows[:MOST_ROWS]],
        "rows_count": len(rows),
        "rows_more": max(0, len(rows) - MOST_ROWS),
    }


def look_context(look: Look, meanings: Sequence[str]) -> dict[str, Any]:
    """Return a look in words, as templates/files/import_look.html shows it."""
    found = (*look.problems, *(problem for row in look.rows for problem in row.problems))
    return {
        "lead": look.lead,
        "columns": column_items(look.columns, meanings),
        "file_errors": said(look.problems, "error"),
        "file_warnings": said(look.problems, "warning"),
        "errors": sum(problem.severity == "error" for problem in found),
        "sound": look.sound,
        **rows_context(look.rows),
        "drafts": [],
        "wrong_rows": 0,
        **look.more,
    }


def column_items(columns: Sequence[Column], meanings: Sequence[str]) -> list[dict[str, Any]]:
    """Return each column with what it was taken for, whether that was a guess, and what else it may be."""
    return [
        {
            "index": column.index,
            "letter": column.letter,
            "heading": column.heading,
            "meaning": column.meaning if column.used else "",
            "guessed": column.used and column.grade < Grade.KNOWN,
            "choices": [(meaning, str(_(COLUMN_WORDS[meaning]))) for meaning in meanings],
        }
        for column in columns
    ]


def say_taken(row: ImportRow) -> str:
    """Say what an import brought, in short."""
    details = row.details
    if row.kind == "players":
        count = len(details["numbers"])
        return ngettext("%(count)d player", "%(count)d players", count) % {"count": count}
    if row.kind == "penalties":
        count = len(details["penalties"])
        return ngettext("%(count)d penalty", "%(count)d penalties", count) % {"count": count}
    if row.kind == "seats":
        count = details["rounds"]
        return ngettext("the seats of %(count)d round", "the seats of %(count)d rounds", count) % {"count": count}
    if row.kind == "game":
        place = {"round": details["round"], "table": details["table"], "hands": details["hands"]}
        return _("%(hands)d hands of round %(round)d, table %(table)d") % place
    count = len(details.get("tables", []))
    return ngettext("the results of %(count)d table", "the results of %(count)d tables", count) % {"count": count}


def say_taken_back(event: Event, row: ImportRow) -> list[str]:
    """Say line by line what taking an import back does, and what it leaves."""
    if row.kind == "players":
        people = Person.objects.filter(players__event=event, players__number__in=row.details["numbers"])
        names = list(people.order_by("players__number").values_list("preferred_name", flat=True))
        more = [_("and %(count)d more") % {"count": len(names) - MOST_NAMES}] if len(names) > MOST_NAMES else []
        return [
            _("These players are taken out of the list: %(names)s") % {"names": ", ".join(names[:MOST_NAMES] + more)}
        ]
    if row.kind == "seats":
        return [_("All seats are taken away; the list of players opens again.")]
    if row.kind == "penalties":
        return [
            _("Each of its penalties is cancelled; the rows stay in the register, crossed out."),
            _("Those that somebody cancelled already stay as they are."),
        ]
    if row.kind == "game":
        return [_("Every hand of it is made void; the table is empty again."), _("The ledger keeps what was entered.")]
    lines = [_("Its tables are reopened and their scores made void; the ledger keeps what was entered.")]
    if row.details.get("released"):
        rounds = ", ".join(map(str, row.details["released"]))
        lines.append(_("The results of rounds %(rounds)s are no longer public.") % {"rounds": rounds})
        lines.append(_("Players and seats stay: a mended file with the same seats can be taken afterwards."))
    return lines
