"""The files that an event has taken, with the way to undo each; and what the pages of all imports share."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from scoring.problems import Problem
from tournament.accounts.queries import names_of
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.events.models import Event
from tournament.imports.actions import undo_import, undo_problems
from tournament.imports.files import Sheet
from tournament.imports.listing import Column, Grade, RowVerdict, Source
from tournament.imports.players import Mended
from tournament.imports.queries import ImportRow, get_import, list_imports
from tournament.pages.forms import FileForm
from tournament.pages.hooks import find_address
from tournament.pages.lists import ListColumn, ListTable, acts_column
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.sign_in import reauthenticate
from tournament.players.models import Person
from tournament.seating.actions import PlayerIds
from tournament.text.languages import Words, counted
from tournament.text.problems import COLUMN_WORDS, say

LAYOUT_WORDS: dict[str, str] = {
    "seats": "one row a seat",
    "tables": "one row a table",
    "matrix": "one row a player, one column a round",
    "blocks": "the tables below a line for each round",
    "json": "the output of manage.py seat",
}
KIND_WORDS: Words = {
    "players": "Players",
    "seats": "Seats",
    "results": "Results",
    "penalties": "Penalties",
    "game": "Game",
}

MOST_NAMES = 40


@dataclass(frozen=True, slots=True)
class Taken:
    """A file that was taken, in words."""

    row: ImportRow
    kind: str
    taken: str
    by: str


class ImportsTable(ListTable):
    """The files that were taken."""

    title = gettext_lazy("Imports")
    file_name = ListColumn(gettext_lazy("File"), value=lambda each: each.row.filename)
    kind = ListColumn(gettext_lazy("Kind"), value=lambda each: each.kind, on_screen=False)
    taken = ListColumn(gettext_lazy("What it brought"), value=lambda each: each.taken)
    by = ListColumn(gettext_lazy("By"), value=lambda each: each.by)
    at = ListColumn(gettext_lazy("When"), value=lambda each: each.row.at, sort=lambda each: each.row.seq, kind="moment")
    acts = acts_column("imports/imports.html#acts")

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "is-stack"}
        order_by = "-at"


@require_GET
@who_may(Verb.IMPORT)
def imports(request: DeskRequest, event: Event) -> HttpResponse:
    """List the files that were taken, newest first, and the ways to bring more."""
    rows = list_imports(event)
    names = names_of({row.by for row in rows})
    taken = [Taken(row, _(KIND_WORDS[row.kind]), say_taken(row), names.get(row.by, "")) for row in rows]
    table = ImportsTable(taken, request)
    if file := table.file(event.name):
        return file
    ways = [
        (_("Players"), "desk:players"),
        (_("Seats"), "desk:import_seats"),
        (_("Results"), "desk:import_results"),
        (_("Penalties"), "desk:import_penalties"),
        (_("Online games"), "desk:import_games"),
    ]
    links = [(word, address) for word, name in ways if (address := find_address(name, event.slug))]
    context = desk_context(request, event, "settings", table=table, links=links)
    return render(request, "imports/imports.html", context)


@require_http_methods(["GET", "POST"])
@who_may(Verb.IMPORT)
@reauthenticate()
def take_back(request: DeskRequest, event: Event, import_id: int) -> HttpResponse:
    """Say what would be taken back, ask why, then do it."""
    row = get_import(event, import_id)
    if row is None:
        raise Http404("There is no such import.")
    if row.taken_back:
        messages.info(request, _("This was taken back already."))
        return redirect("desk:imports", event.slug)
    problems = undo_problems(event, row)
    errors: list[str] = []
    if request.method == "POST":
        try:
            undo_import(event=event, seq=import_id, reason=request.POST.get("reason", ""), by=request.user)
            messages.success(request, _("What came from %(file)s is taken back.") % {"file": row.filename})
            return redirect("desk:imports", event.slug)
        except Refused as refused:
            errors = [say(problem) for problem in refused.problems]
    context = {
        "row": row,
        "title": _("Take back: %(taken)s?") % {"taken": say_taken(row)},
        "lines": say_taken_back(event, row),
        "problems": [say(problem) for problem in problems],
        "errors": errors,
    }
    page = desk_context(request, event, "settings", **context)
    return render(request, "imports/import_back.html", page, status=422 if errors else 200)


def say_taken(row: ImportRow) -> str:
    """Say what an import brought, in short."""
    details = row.details
    if row.kind == "players":
        count = len(details["numbers"])
        return counted("%(count)d player", "%(count)d players", count)
    if row.kind == "penalties":
        count = len(details["penalties"])
        return counted("%(count)d penalty", "%(count)d penalties", count)
    if row.kind == "seats":
        count = details["rounds"]
        return counted("the seats of %(count)d round", "the seats of %(count)d rounds", count)
    if row.kind == "game":
        place = {"round": details["round"], "table": details["table"], "hands": details["hands"]}
        return _("%(hands)d hands of round %(round)d, table %(table)d") % place
    count = len(details.get("tables", []))
    return counted("the results of %(count)d table", "the results of %(count)d tables", count)


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
        return [_("All seats are removed; the list of players opens again.")]
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
        lines.append(_("Players and seats stay: a corrected file with the same seats can be imported afterwards."))
    return lines


SALT = "list-import"
PREVIEW_LIFE = 3600  # seconds
MOST_ROWS = 300  # that a page shows; a file may have thousands
_COLUMN = re.compile(r"column-([0-9]{1,3})")
_MENDED = re.compile(r"(leave|name)-([0-9]{1,5})")


class ResultsFileForm(FileForm):
    """Results, of all rounds that the file names or of one alone."""

    only = forms.TypedChoiceField(label=gettext_lazy("Rounds"), coerce=int, empty_value=None, required=False)

    def __init__(self, rounds: Sequence[int], *args: Any) -> None:
        super().__init__(*args)
        choices = [("", gettext_lazy("as the file says")), *((number, str(number)) for number in rounds)]
        self.fields["only"].choices = choices  # type: ignore[attr-defined]


class ScheduleForm(FileForm):
    """A schedule as a file, or pasted."""

    file = forms.FileField(
        label=gettext_lazy("Schedule"),
        help_text=gettext_lazy("xlsx or csv, or the output of manage.py seat --json"),
        required=False,
    )


class LogForm(forms.Form):
    """The log of one game."""

    file = forms.FileField(
        label=gettext_lazy("Log of the game"),
        help_text=gettext_lazy("JSON: an object with “entries”; or a log of Tenhou or mjai"),
    )


class OnlineGamesForm(forms.Form):
    """Logs of games that were played online, and who is who in them."""

    file = forms.FileField(
        label=gettext_lazy("Logs"),
        help_text=gettext_lazy("A zip of logs, or one log: Tenhou as JSON or mjlog, or mjai. No names are kept."),
    )
    aliases = forms.CharField(
        label=gettext_lazy("Aliases"),
        help_text=gettext_lazy("One line for each player: the name in the log, a comma, the name or number here."),
        widget=forms.Textarea(attrs={"rows": 5}),
        required=False,
        max_length=60_000,
    )
    sign = forms.BooleanField(
        label=gettext_lazy("Sign the sheet of each game that is over"), required=False, initial=True
    )


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
    """Return a look in words, as templates/imports/import_look.html shows it."""
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
