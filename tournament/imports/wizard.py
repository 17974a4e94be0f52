"""The steps of an import: choose a file or paste cells, preview what it brings and correct any cell, confirm.

A page carries what was read, signed, with the corrections; nothing is stored before it is confirmed, and only what the
page has shown is written. A kind of file declares its columns, its checks and its action in a subclass of `Wizard`.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from scoring.problems import InvalidInput, Problem
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.imports.files import Sheet, SheetRow, cell_at
from tournament.imports.listing import Chosen, Column, Grade, ListKind, Preview, Source, make_source
from tournament.pages.forms import FileForm
from tournament.pages.permissions import DeskRequest, desk_context
from tournament.pages.requests import flash_problems
from tournament.text.problems import COLUMN_WORDS, problem_text

SALT = "list-import"
PREVIEW_LIFE = 3600  # seconds
MAX_ROWS = 300  # that a page shows; a file may have thousands
MAX_FIELDS = 1_500  # fields for cells on one page: a request may have 5,000
_COLUMN = re.compile(r"column-([0-9]{1,3})")
_CELL = re.compile(r"cell-([0-9]{1,5})-([0-9]{1,3})")
_LEFT_OUT = re.compile(r"leave-([0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class SignedPreview:
    """What a page carries: the sheet with its corrections, its source, the one round that it is about, if it is.

    `shown` is the mark of what the page shows; without the rows `left_out`, which each request names.
    """

    sheet: Sheet
    source: Source
    only: int | None = None
    shown: str = ""
    left_out: frozenset[int] = frozenset()

    @property
    def kept(self) -> Sheet:
        """Return the sheet without the rows that are left out."""
        return replace(self.sheet, rows=tuple(row for row in self.sheet.rows if row.number not in self.left_out))


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that can be corrected: the name of its field, its column in words, its text."""

    name: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its number or name, its text in the file and what it brings, with its verdict in words."""

    name: str | int
    text: str
    errors: Sequence[str]
    warnings: Sequence[str]
    brings: str = ""
    cells: Sequence[Cell] = field(default=())
    left_out: bool = False


class Wizard:
    """The import of one kind of file into an event."""

    name: ClassVar[str]
    tab: ClassVar[str]
    title: ClassVar[str | Promise]
    submit: ClassVar[str | Promise]
    address: ClassVar[str]
    home: ClassVar[str]  # the page before the import, and after it
    after: ClassVar[str] = ""  # where a refusal leads, if not home
    form: ClassVar[type[FileForm]] = FileForm

    def __init__(self, request: DeskRequest, event: Event) -> None:
        self.request, self.event = request, event

    # what a kind declares

    def list_kind(self, only: int | None) -> ListKind:
        """Return the columns that a list may have; `only` is the one round that it is about."""
        raise NotImplementedError

    def read(self, data: bytes, filename: str, only: int | None) -> Sheet:
        """Read the sheet of a file. Raises InvalidInput with what is wrong."""
        return self.list_kind(only).read(data, filename)

    def understand(self, carried: SignedPreview, chosen: Chosen | None) -> Preview:
        """Return what the kept rows bring, with everything that is wrong."""
        raise NotImplementedError

    def brings(self, preview: Any) -> object:
        """Return what would be written, for the mark of what was shown."""
        return preview.brings

    def lead(self, preview: Any) -> Sequence[str]:
        """Say how much a file brings, behind its name."""
        raise NotImplementedError

    def row_texts(self, preview: Any) -> Mapping[int, str]:
        """Say what single rows bring, by row number."""
        raise NotImplementedError

    def take(self, preview: Any, carried: SignedPreview) -> str:
        """Write what was confirmed and say what was done. Raises DomainError."""
        raise NotImplementedError

    def make_form(self, *data: Any) -> FileForm:
        """Return the form that asks for a file."""
        return self.form(*data)

    def file_context(self) -> Mapping[str, Any]:
        """Return more context of the page that asks for a file, and of the preview."""
        return {}

    def preview_context(self, _preview: Any) -> Mapping[str, Any]:
        """Return more context of the preview."""
        return {}

    # the steps

    def run(self) -> HttpResponse:
        """Ask for a file, show what was understood of it, show it again as corrected, or write it."""
        post = self.request.POST
        if self.request.method == "GET":
            return self._ask(self.make_form())
        for name in ("confirmed", "sheet"):
            if name in post:
                carried = self._unpack(post[name])
                if carried is None:
                    messages.error(self.request, _("The preview is too old: choose the file again."))
                    return redirect(self.after or self.home, self.event.slug)
                return self._settle(carried)
        form = self.make_form(post, self.request.FILES)
        if not form.is_valid():
            return self._ask(form, status=422)
        data, filename = form.content()
        only = form.cleaned_data.get("only")
        try:
            carried = SignedPreview(self.read(data, filename, only), make_source(data, filename), only)
        except InvalidInput as refusal:
            return self._show(Preview(filename, None, problems=refusal.problems), None)
        return self._show(self.understand(carried, None), carried)

    def _settle(self, carried: SignedPreview) -> HttpResponse:
        """Show a file again as it is corrected, or write it if just this was shown."""
        post, meanings = self.request.POST, self._meanings(carried.only)
        found = {int(match[1]): str(post[name]) for name in post if (match := _COLUMN.fullmatch(name))}
        chosen = {index: meaning if meaning in meanings else "" for index, meaning in found.items()} or None
        preview = self.understand(carried, chosen)
        looks = post.get("act") == "look" or "open" in post
        if looks or not preview.is_sound or _mark(self.brings(preview)) != carried.shown:
            return self._show(preview, carried, status=200 if looks or preview.is_sound else 422)
        try:
            messages.success(self.request, self.take(preview, carried))
        except DomainError as refused:
            flash_problems(self.request, refused)
            return redirect(self.after or self.home, self.event.slug)
        return redirect(self.home, self.event.slug)

    def _meanings(self, only: int | None) -> list[str]:
        """Return what columns can be chosen to mean."""
        return [meaning for meaning in self.list_kind(only).vocabulary.meanings if meaning in COLUMN_WORDS]

    def _ask(self, form: forms.Form, *, status: int = 200) -> HttpResponse:
        return self._render("imports/import_file.html", {"form": form, **self.file_context()}, status=status)

    def _show(self, preview: Preview, carried: SignedPreview | None, *, status: int = 200) -> HttpResponse:
        most = MAX_ROWS + (len(carried.left_out) if carried else 0)
        rows = self._rows(preview, carried) if carried else []
        meanings = self._meanings(carried.only) if carried else []
        lead = [preview.filename, *(self.lead(preview) if carried else ())]
        context = {
            "lead": " · ".join(lead),
            "sound": preview.is_sound,
            "file_errors": problem_texts(preview.problems, "error"),
            "file_warnings": problem_texts(preview.problems, "warning"),
            "errors": sum(problem.severity == "error" for problem in preview.all_problems),
            "columns": [
                (column, column.heading or _sample(carried, column), column.used and column.grade < Grade.KNOWN)
                for column in preview.columns
            ],
            "header_row": preview.header_row,
            "choices": [(meaning, _(COLUMN_WORDS[meaning])) for meaning in meanings],
            "rows": rows[:most],
            "rows_more": max(0, len(rows) - most),
            "action": reverse(self.address, args=[self.event.slug]),
            "submit": self.submit,
            "choose": reverse(self.after or self.home, args=[self.event.slug]),
            "packed": self._pack(carried, _mark(self.brings(preview))) if carried else "",
            **(self.preview_context(preview) if carried else {}),
        }
        return self._render("imports/import_look.html", context, status=status)

    def _render(self, template: str, context: Mapping[str, Any], *, status: int) -> HttpResponse:
        shared = {"kind": self.name, "title": self.title, "back": reverse(self.home, args=[self.event.slug])}
        return render(
            self.request, template, desk_context(self.request, self.event, self.tab, **shared, **context), status=status
        )

    def _rows(self, preview: Preview, carried: SignedPreview) -> list[Row]:
        """Return the rows in words: what is wrong first, with a field for each cell, then what should be looked at."""
        lines = {row.number: row for row in carried.sheet.rows}
        texts, opened, fields = self.row_texts(preview), self.request.POST.get("open", ""), 0
        rows = [
            Row(verdict.row, "", problem_texts(verdict.problems, "error"), problem_texts(verdict.problems, "warning"))
            for verdict in preview.rows
            if verdict.row in lines
        ]
        rows.sort(key=lambda row: (not row.errors, str(row.name) != opened, not row.warnings))
        for index, row in enumerate(rows):
            line, cells = lines[int(row.name)], list[Cell]()
            if (row.errors or row.warnings or str(row.name) == opened) and fields < MAX_FIELDS:
                cells = _cells(line, preview.columns)
                fields += len(cells)
            rows[index] = replace(row, text=join_cells(line.cells), brings=texts.get(line.number, ""), cells=cells)
        gone = (lines[number] for number in sorted(carried.left_out) if number in lines)
        # they stay on the page, so that each can come back
        rows[MAX_ROWS:MAX_ROWS] = [Row(line.number, join_cells(line.cells), [], [], left_out=True) for line in gone]
        return rows

    def _pack(self, carried: SignedPreview, shown: str) -> str:
        """Sign what a page carries for one event and one kind of list."""
        packed = {
            "event": self.event.slug,
            "kind": self.name,
            "file": carried.source.filename,
            "digest": carried.source.digest,
            "only": carried.only,
            "sheet": carried.sheet.as_json(),
            "shown": shown,
        }
        return signing.dumps(packed, salt=SALT, compress=True)

    def _unpack(self, text: str) -> SignedPreview | None:
        """Return what a page carried, with the corrections of this request.

        None where it is older than an hour, changed, or of another event or kind.
        """
        try:
            packed: dict[str, Any] = signing.loads(text, salt=SALT, max_age=PREVIEW_LIFE)
        except signing.BadSignature:
            return None
        if (packed.get("event"), packed.get("kind")) != (self.event.slug, self.name) or "shown" not in packed:
            return None
        post = self.request.POST
        cells = {
            (int(match[1]), int(match[2])): " ".join(str(post[name]).split())
            for name in post
            if (match := _CELL.fullmatch(name))
        }
        sheet = Sheet.from_json(packed["sheet"]).corrected(cells)
        left_out = frozenset(int(match[1]) for name in post if (match := _LEFT_OUT.fullmatch(name)))
        return SignedPreview(sheet, Source(packed["file"], packed["digest"]), packed["only"], packed["shown"], left_out)


def problem_texts(problems: Sequence[Problem], severity: str) -> list[str]:
    """Say those problems that are errors, or warnings."""
    return [problem_text(problem) for problem in problems if problem.severity == severity]


def join_cells(cells: Sequence[str]) -> str:
    """Return the cells of a row as one short text."""
    filled = [cell[:40] for cell in cells if cell]
    return " · ".join(filled[:10]) + (" …" if len(filled) > 10 else "")


def _sample(carried: SignedPreview | None, column: Column) -> str:
    """Return the first cell of a column that has no heading, as an example of what it holds."""
    rows = carried.kept.rows if carried else ()
    return next(
        (_("such as “%(cell)s”") % {"cell": text[:40]} for row in rows if (text := cell_at(row, column.index))), ""
    )


def _mark(brings: object) -> str:
    """Return a short mark of what a file brings, by which a page knows what it has shown."""
    return hashlib.sha256(repr(brings).encode()).hexdigest()[:32]


def _cells(row: SheetRow, columns: Sequence[Column]) -> list[Cell]:
    """Return a row's cells as fields, as many as the list has columns, and those beyond."""
    labels = {column.index: column.heading or column.letter for column in columns}
    width = max(len(row.cells), len(columns))
    texts = (*row.cells, *[""] * (width - len(row.cells)))
    return [Cell(f"cell-{row.number}-{at}", labels.get(at, ""), text) for at, text in enumerate(texts)]
