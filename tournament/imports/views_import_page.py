"""What the pages of all imports share: the form of a file, what a page carries from look to yes, verdicts in words.

The server keeps no upload: a page carries the sheet, signed; what is confirmed is understood and judged again.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.core import signing
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.problems import Problem
from tournament.imports.files_sheet import Sheet
from tournament.imports.listing import RowVerdict, Source
from tournament.imports.listing_columns import Column, Grade
from tournament.imports.players import Mended
from tournament.pages.forms_file_form import FileForm
from tournament.seating.actions_schedules import PlayerIds
from tournament.text.problems_1 import COLUMN_WORDS, say

SALT = "list-import"
PREVIEW_LIFE = 3600  # seconds
MOST_ROWS = 300  # that a page shows; a file may have thousands
_COLUMN = re.compile(r"column-([0-9]{1,3})")
_MENDED = re.compile(r"(leave|name)-([0-9]{1,5})")


class ResultsFileForm(FileForm):
    """Results, of all rounds that the file names or of one alone."""

    only = forms.TypedChoiceField(label=_("Rounds"), coerce=int, empty_value=None, required=False)

    def __init__(self, rounds: Sequence[int], *args: Any) -> None:
        super().__init__(*args)
        choices = [("", _("as the file says")), *((number, str(number)) for number in rounds)]
        self.fields["only"].choices = choices  # type: ignore[attr-defined]


class ScheduleForm(FileForm):
    """A schedule as a file, or pasted."""

    file = forms.FileField(
        label=_("Schedule"), help_text=_("xlsx or csv, or the output of manage.py seat --json"), required=False
    )


class LogForm(forms.Form):
    """The log of one game."""

    file = forms.FileField(
        label=_("Log of the game"), help_text=_("JSON: an object with “entries”; or a log of Tenhou or mjai")
    )


class OnlineGamesForm(forms.Form):
    """Logs of games that were played online, and who is who in them."""

    file = forms.FileField(
        label=_("Logs"), help_text=_("A zip of logs, or one log: Tenhou as JSON or mjlog, or mjai. No names are kept.")
    )
    aliases = forms.CharField(
        label=_("Aliases"),
        help_text=_("One line for each player: the name in the log, a comma, the name or number here."),
        widget=forms.Textarea(attrs={"rows": 5}),
        required=False,
        max_length=60_000,
    )
    sign = forms.BooleanField(label=_("Sign the sheet of each game that is over"), required=False, initial=True)


@dataclass(frozen=True, slots=True)
class Carried:
    """What a page carries: the sheet, where it came from, and the one round that it is about, if it is.

    Of a schedule the confirmation carries no sheet: it carries the seats that were shown.
    """

    sheet: Sheet | None
    source: Source
    only: int | None = None
    seats: PlayerIds = ()
    mended: Mended = field(default_factory=Mended)  # sent with each look, not carried


def pack(carried: Carried, slug: str, kind: str) -> str:
    """Sign what a page carries for one event and one kind of list."""
    packed = {
        "event": slug,
        "kind": kind,
        "file": carried.source.filename,
        "digest": carried.source.digest,
        "only": carried.only,
        "sheet": carried.sheet.as_json() if carried.sheet else None,
        "seats": carried.seats,
    }
    return signing.dumps(packed, salt=SALT, compress=True)


def unpack(text: str, slug: str, kind: str) -> Carried | None:
    """Return what a page carried; None where it is older than an hour, changed, or of another event or kind."""
    try:
        packed: dict[str, Any] = signing.loads(text, salt=SALT, max_age=PREVIEW_LIFE)
    except signing.BadSignature:
        return None
    if (packed.get("event"), packed.get("kind")) != (slug, kind):
        return None
    sheet = Sheet.from_json(packed["sheet"]) if packed["sheet"] else None
    return Carried(sheet, Source(packed["file"], packed["digest"]), packed["only"], packed["seats"])


def read_chosen(data: Mapping[str, Any], meanings: Sequence[str]) -> dict[int, str] | None:
    """Return what somebody chose for the columns, None where nobody was asked; strange values count as "not used"."""
    found = {int(match[1]): str(data[name]) for name in data if (match := _COLUMN.fullmatch(name))}
    return {index: meaning if meaning in meanings else "" for index, meaning in found.items()} or None


def read_mended(data: Mapping[str, Any]) -> Mended:
    """Return what somebody changed in a list of players: `leave-ROW`, and `name-ROW` where it is not empty."""
    found = [
        (match[1], int(match[2]), " ".join(str(data[name]).split()))
        for name in data
        if (match := _MENDED.fullmatch(name))
    ]
    names = {row: text for kind, row, text in found if kind == "name" and text}
    return Mended(frozenset(row for kind, row, _text in found if kind == "leave"), names)


def mark_of(mended: Mended) -> str:
    """Return a short mark of what was changed, by which a page knows what it has shown; "" for nothing."""
    said_ = f"{sorted(mended.left_out)}{sorted(mended.names.items())}"
    return hashlib.sha256(said_.encode()).hexdigest()[:16] if mended != Mended() else ""


@dataclass(frozen=True, slots=True)
class Look:
    """A file as understood, on its way to a page: its columns and rows, what is wrong with it, how much it brings."""

    columns: Sequence[Column]
    rows: Sequence[RowVerdict]
    problems: Sequence[Problem]
    sound: bool
    lead: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)


def said(problems: Sequence[Problem], severity: str) -> list[str]:
    """Say those problems that are errors, or warnings."""
    return [say(problem) for problem in problems if problem.severity == severity]


@dataclass(frozen=True, slots=True)
class Row:
    """One row with its verdict in words."""

    name: str | int
    text: str
    errors: Sequence[str]
    warnings: Sequence[str]


def _row(row: RowVerdict) -> Row:
    return Row(row.name, row.text, said(row.problems, "error"), said(row.problems, "warning"))


def look_context(look: Look, meanings: Sequence[str]) -> dict[str, Any]:
    """Return a look in words, as templates/files/import_look.html shows it."""
    wrong = [row for row in look.rows if row.problems]
    found = (*look.problems, *(problem for row in look.rows for problem in row.problems))
    return {
        "lead": look.lead,
        "columns": [(column, column.used and column.grade < Grade.KNOWN) for column in look.columns],
        "choices": [(meaning, gettext(COLUMN_WORDS[meaning])) for meaning in meanings],
        "file_errors": said(look.problems, "error"),
        "file_warnings": said(look.problems, "warning"),
        "errors": sum(problem.severity == "error" for problem in found),
        "sound": look.sound,
        "wrong": [_row(row) for row in wrong[:MOST_ROWS]],
        "wrong_more": max(0, len(wrong) - MOST_ROWS),
        "rows": [_row(row) for row in look.rows[:MOST_ROWS]],
        "rows_count": len(look.rows),
        "rows_more": max(0, len(look.rows) - MOST_ROWS),
        "drafts": [],
        "wrong_rows": 0,
        **look.more,
    }
