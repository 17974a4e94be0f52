"""Import players, penalties, results or seats from a file: check it, choose its columns, confirm.

The page carries the file's content, signed; it is read and judged again before anything is written.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput, Problem, ProblemType
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.events.models import Event
from tournament.imports.actions import check_results, take_penalties, take_players, take_results
from tournament.imports.files import Sheet
from tournament.imports.listing import Chosen, ListKind, Source, source_of
from tournament.imports.penalties import PENALTIES, PenaltyPreview, understand_penalties
from tournament.imports.players import PLAYERS, PlayerDraft, PlayerPreview, understand_players, with_headings
from tournament.imports.queries import get_seating
from tournament.imports.results import ResultsPreview, kind_of, list_verdicts, read_results_sheet, understand_results
from tournament.imports.schedules import MEANINGS, SchedulePreview, read_schedule, understand_schedule
from tournament.imports.templates import template_csv
from tournament.imports.views import (
    LAYOUT_WORDS,
    MOST_ROWS,
    Carried,
    Look,
    ResultsFileForm,
    ScheduleForm,
    look_context,
    mark_of,
    pack,
    read_chosen,
    read_mended,
    said,
    unpack,
)
from tournament.pages.files import XLSX, file_answer
from tournament.pages.forms import FileForm
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import flash_problems
from tournament.players.actions import NewPlayer
from tournament.players.queries import list_players
from tournament.seating.actions import take_schedule
from tournament.seating.queries import get_player_ids, list_entrants
from tournament.seating.search.schedule import Report, Rounds
from tournament.tables.round_queries import list_rounds
from tournament.text.languages import counted

IMPORT_COUNTRY_MISSING = ProblemType(
    "import.country_missing",
    "{count} without a country (rows {rows}). They can be imported: add the country on the player’s page before "
    "the results go to EMA.",
)

MOST_ROWS_NAMED = 12  # of those without a country
TEMPLATE_CSV = "Name,Country,Club,EMA number\nExample Player,GBR,Example Club,01020304\n"


@dataclass(frozen=True, slots=True)
class Importer:
    """How one kind of list is imported.

    `read` reads a file for the first look, or raises InvalidInput; `understand` reads its sheet with chosen columns;
    `take` calls the verb and says what was done. `address` is the page of the import, `home` the page before it.
    """

    name: str
    tab: str
    title: Callable[[], str]
    address: str
    home: str
    meanings: Callable[[Event, int | None], Sequence[str]]
    read: Callable[[Event, bytes, str, int | None], tuple[Any, Carried | None]]
    understand: Callable[[Event, Sheet, Carried, Chosen | None], Any]
    look: Callable[[Event, Any], Look]
    take: Callable[[Event, Any, Carried, DeskRequest], str]
    submit: Callable[[], str] = str
    after: str = ""  # where a refusal leads, if not home
    file_template: str = "imports/import_file.html"
    template: str = "imports/import_look.html"
    context: Callable[[Event], Mapping[str, Any]] = lambda _event: {}


def _of_list(
    list_kind: Callable[[Event, int | None], ListKind],
    understand: Callable[[Event, Sheet, Carried, Chosen | None], Any],
    sheet_of: Callable[[Event, ListKind, bytes, str], Sheet] = lambda _event, kind, data, name: kind.read(data, name),
    **rest: Any,
) -> Importer:
    """Return the importer of a list whose columns a `ListKind` declares."""

    def read(event: Event, data: bytes, filename: str, only: int | None) -> tuple[Any, Carried]:
        sheet = sheet_of(event, list_kind(event, only), data, filename)
        carried = Carried(sheet, source_of(data, filename), only)
        return understand(event, sheet, carried, None), carried

    def meanings(event: Event, only: int | None) -> Sequence[str]:
        return list_kind(event, only).vocabulary.meanings

    return Importer(meanings=meanings, read=read, understand=understand, **rest)


class PlayersFileForm(FileForm):
    """A list of players as a file, or pasted with or without headings."""

    def content(self) -> tuple[bytes, str]:
        """Return what was given and what it is called; pasted cells get the headings that they lack."""
        if not self.cleaned_data.get("file"):
            self.cleaned_data["pasted"] = with_headings(self.cleaned_data["pasted"])
        return super().content()


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
def players(request: DeskRequest, event: Event) -> HttpResponse:
    """Take a list of players; `GET` gives an empty one to fill in."""
    if request.method == "GET":
        answer = HttpResponse(TEMPLATE_CSV, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = 'attachment; filename="players.csv"'
        return answer
    return run_import(request, event, _PLAYERS, PlayersFileForm)


@require_http_methods(["GET", "POST"])
@who_may(Verb.IMPORT)
def results(request: DeskRequest, event: Event) -> HttpResponse:
    """Take the results of a whole event, or of rounds whose seats are known."""
    numbers = [row.number for row in list_rounds(event)]
    return run_import(request, event, _RESULTS, lambda *data: ResultsFileForm(numbers, *data))


@require_http_methods(["GET", "POST"])
@who_may(Verb.IMPORT)
def penalties(request: DeskRequest, event: Event) -> HttpResponse:
    """Take a list of penalties."""
    return run_import(request, event, _PENALTIES, FileForm)


def run_import(request: DeskRequest, event: Event, kind: Importer, make_form: Callable[..., FileForm]) -> HttpResponse:
    """Ask for a file, show what was understood of it, look again with other columns, or take it."""
    if request.method == "GET":
        return _ask(request, event, kind, make_form())
    for name in ("confirmed", "sheet"):
        if name in request.POST:
            carried = unpack(request.POST[name], event.slug, kind.name)
            if carried is None:
                messages.error(request, _("The preview is too old: choose the file again."))
                return redirect(kind.after or kind.home, event.slug)
            return _settle(request, event, kind, replace(carried, mended=read_mended(request.POST)))
    form = make_form(request.POST, request.FILES)
    if not form.is_valid():
        return _ask(request, event, kind, form, status=422)
    data, filename = form.content()
    try:
        preview, first = kind.read(event, data, filename, form.cleaned_data.get("only"))
    except InvalidInput as refusal:
        return _show(request, event, kind, Look((), (), refusal.problems, sound=False, lead=filename), None)
    return _show(request, event, kind, kind.look(event, preview), first)


def _settle(request: DeskRequest, event: Event, kind: Importer, carried: Carried) -> HttpResponse:
    """Look again with the columns that were chosen, or take what is sound."""
    preview = None
    if carried.sheet is not None:
        chosen = read_chosen(request.POST, kind.meanings(event, carried.only))
        preview = kind.understand(event, carried.sheet, carried, chosen)
        unseen = request.POST.get("seen", "") != mark_of(carried.mended)
        look, again = kind.look(event, preview), request.POST.get("act") == "look" or unseen
        if again or not look.sound or "confirmed" in look.more:  # such a page confirms what it shows, not its sheet
            return _show(request, event, kind, look, carried, status=200 if again else 422)
    try:
        messages.success(request, kind.take(event, preview, carried, request))
    except Refused as refused:
        flash_problems(request, refused)
        return redirect(kind.after or kind.home, event.slug)
    return redirect(kind.home, event.slug)


def _ask(request: DeskRequest, event: Event, kind: Importer, form: forms.Form, *, status: int = 200) -> HttpResponse:
    context = {"form": form, "title": kind.title(), "kind": kind.name, "back": reverse(kind.home, args=[event.slug])}
    shown = desk_context(request, event, kind.tab, **context, **kind.context(event))
    return render(request, kind.file_template, shown, status=status)


def _show(
    request: DeskRequest, event: Event, kind: Importer, look: Look, carried: Carried | None, *, status: int = 200
) -> HttpResponse:
    context = {
        **look_context(look, kind.meanings(event, carried.only if carried else None)),
        **kind.context(event),
        "kind": kind.name,
        "title": kind.title(),
        "submit": kind.submit(),
        "action": reverse(kind.address, args=[event.slug]),
        "back": reverse(kind.home, args=[event.slug]),
        "packed": pack(carried, event.slug, kind.name) if carried else "",
        "seen": mark_of(carried.mended) if carried else "",
    }
    return render(request, kind.template, desk_context(request, event, kind.tab, **context), status=status)


def _understand_players(event: Event, sheet: Sheet, carried: Carried, chosen: Chosen | None) -> PlayerPreview:
    existing = [row.name for row in list_players(event)]
    filename, mended = carried.source.filename, carried.mended
    return understand_players(sheet, filename, existing=existing, chosen=chosen, mended=mended)


def _look_at_players(_event: Event, preview: PlayerPreview) -> Look:
    drafts = [
        {
            "row": draft,
            "errors": said(draft.problems, "error"),
            "warnings": said(draft.problems, "warning"),
            "given": preview.names.get(draft.row, ""),
        }
        for draft in sorted(preview.drafts, key=_worst_first)
    ]
    drafts += [{"row": draft, "left_out": True} for draft in preview.left_out]
    count = len(preview.drafts)
    countless = tuple(str(draft.row) for draft in preview.drafts if preview.is_sound and not draft.country)
    more = ("…",) if len(countless) > MOST_ROWS_NAMED else ()
    missing = IMPORT_COUNTRY_MISSING.warning(count=len(countless), rows=countless[:MOST_ROWS_NAMED] + more)
    size = counted("%(count)d player", "%(count)d players", count)
    return Look(
        preview.columns,
        preview.rows,
        (*preview.problems, missing) if countless else preview.problems,
        preview.is_sound,
        f"{preview.filename} · {size}",
        {
            "drafts": drafts,
            "most_mended": MOST_ROWS,
            "wrong_rows": sum(not draft.is_sound for draft in preview.drafts),
        },
    )


def _worst_first(draft: PlayerDraft) -> tuple[bool, bool]:
    """Sort what must be mended above what should be looked at, and that above what is good."""
    return draft.is_sound, not draft.problems


def _take_players(event: Event, preview: PlayerPreview, carried: Carried, request: DeskRequest) -> str:
    new = [
        NewPlayer(
            draft.preferred_name,
            draft.legal_name,
            draft.ema_number,
            draft.country,
            draft.club,
            draft.team,
            draft.shown_by_name,
            draft.filmed,
            draft.minor,
            draft.guardian,
            draft.guardian_consent_on,
        )
        for draft in preview.drafts
    ]
    count = take_players(event=event, players=new, source=carried.source, by=request.user)
    return counted("%(count)d player added.", "%(count)d players added.", count)


def _understand_results(event: Event, sheet: Sheet, carried: Carried, chosen: Chosen | None) -> ResultsPreview:
    seating = get_seating(event, only=carried.only)
    return understand_results(sheet, carried.source.filename, chosen=chosen, seating=seating)


def _results_sheet(event: Event, kind: ListKind, data: bytes, filename: str) -> Sheet:
    return read_results_sheet(data, filename, kind, start=event.ruleset.start_points)


def _look_at_results(event: Event, preview: ResultsPreview) -> Look:
    more: Sequence[Problem] = check_results(event, preview) if preview.is_sound else ()
    rows, problems = list_verdicts(preview, more)
    tables = sum(len(round_.tables) for round_ in preview.rounds)
    sizes = [
        counted("%(count)d round", "%(count)d rounds", len(preview.rounds)),
        counted("%(count)d table", "%(count)d tables", tables),
    ]
    return Look(preview.columns, rows, problems, preview.is_sound and not more, " · ".join([preview.filename, *sizes]))


def _take_results(event: Event, preview: ResultsPreview, carried: Carried, request: DeskRequest) -> str:
    count = take_results(event=event, preview=preview, source=carried.source, by=request.user)
    if not count:
        return _("These results are already entered: nothing is changed.")
    said_ = ngettext(
        "The results of %(count)d table are imported.", "The results of %(count)d tables are imported.", count
    )
    return said_ % {"count": count}


def _understand_penalties(event: Event, sheet: Sheet, carried: Carried, chosen: Chosen | None) -> PenaltyPreview:
    rounds = [row.number for row in list_rounds(event)]
    entrants = list_entrants(event)
    return understand_penalties(sheet, carried.source.filename, entrants=entrants, rounds=rounds, chosen=chosen)


def _look_at_penalties(_event: Event, preview: PenaltyPreview) -> Look:
    count = len(preview.drafts)
    size = counted("%(count)d penalty", "%(count)d penalties", count)
    return Look(preview.columns, preview.rows, preview.problems, preview.is_sound, f"{preview.filename} · {size}")


def _take_penalties(event: Event, preview: PenaltyPreview, carried: Carried, request: DeskRequest) -> str:
    count = take_penalties(event=event, drafts=preview.drafts, source=carried.source, by=request.user)
    return counted("%(count)d penalty is given.", "%(count)d penalties are given.", count)


_PLAYERS = _of_list(
    name="players",
    tab="players",
    title=lambda: _("Import players"),
    submit=lambda: _("Add all of them"),
    address="desk:import_players",
    home="desk:players",
    list_kind=lambda _event, _only: PLAYERS,
    understand=_understand_players,
    look=_look_at_players,
    take=_take_players,
)
_RESULTS = _of_list(
    name="results",
    tab="results",
    title=lambda: _("Import results"),
    submit=lambda: _("Import these results"),
    address="desk:import_results",
    home="desk:results",
    list_kind=lambda event, only: kind_of(get_seating(event, only=only)),
    understand=_understand_results,
    sheet_of=_results_sheet,
    look=_look_at_results,
    take=_take_results,
)
_PENALTIES = _of_list(
    name="penalties",
    tab="penalties",
    title=lambda: _("Import penalties"),
    submit=lambda: _("Give all of them"),
    address="desk:import_penalties",
    home="desk:penalties",
    list_kind=lambda _event, _only: PENALTIES,
    understand=_understand_penalties,
    look=_look_at_penalties,
    take=_take_penalties,
)

MOST_NAMES = 40


@require_http_methods(["GET", "POST"])
@who_may(Verb.DRAW_SEATS)
def import_seats(request: DeskRequest, event: Event) -> HttpResponse:
    """Import a schedule; `?template=xlsx` or `csv` gives a file to fill in."""
    if request.method == "GET" and request.GET.get("template") in ("xlsx", "csv"):
        return _template(event, request.GET["template"])
    return run_import(request, event, _SEATS, ScheduleForm)


def _template(event: Event, kind: str) -> HttpResponse:
    players = [(entrant.number, entrant.name) for entrant in list_entrants(event) if not entrant.left]
    name = f"{event.slug}-seats.{kind}"
    if kind == "csv":
        return file_answer(template_csv(players, event.rounds_planned), "text/csv; charset=utf-8", name)
    from tournament.imports.templates import template_xlsx  # openpyxl is a tenth of the start of the desk

    return file_answer(template_xlsx(event.name, players, event.rounds_planned, timezone.now()), XLSX, name)


def _wanted(event: Event) -> dict[str, Any]:
    """Return what a schedule of this event is held against."""
    return {
        "entrants": list_entrants(event),
        "table_size": event.ruleset.players,
        "planned": event.rounds_planned,
    }


def _read(event: Event, data: bytes, filename: str, _only: int | None) -> tuple[SchedulePreview, Carried | None]:
    preview = read_schedule(data, filename, **_wanted(event))
    carried = Carried(preview.sheet, Source(preview.filename, preview.digest)) if preview.sheet else None
    return preview, carried


def _understand(event: Event, sheet: Sheet, carried: Carried, chosen: Chosen | None) -> SchedulePreview:
    return understand_schedule(sheet, carried.source, **_wanted(event), chosen=chosen)


def _look(event: Event, preview: SchedulePreview) -> Look:
    names = {each.number: each.name for each in list_entrants(event)}
    more = {
        "preview": preview,
        "layout": LAYOUT_WORDS.get(str(preview.layout), ""),
        "rounds": _rounds(preview.rounds, names),
        "figures": _figures(preview.report) if preview.report else [],
        "again": [
            {"names": [names[number] for number in pair.players], "rounds": pair.rounds}
            for pair in preview.again[:MOST_NAMES]
        ],
        "again_count": len(preview.again),
        "again_more": max(0, len(preview.again) - MOST_NAMES),
        "winds": _uneven_winds(preview.rounds, names, event.ruleset.players),
        "confirmed": pack(_confirmed(event, preview), event.slug, _SEATS.name) if preview.is_sound else "",
    }
    return Look(preview.columns, preview.rows, preview.problems, sound=preview.is_sound, more=more)


def _confirmed(event: Event, preview: SchedulePreview) -> Carried:
    """Return the seats as primary keys of players: no change of the list gives one to somebody else."""
    keys = get_player_ids(event)
    seats = [[[keys[number] for number in table] for table in tables] for tables in preview.rounds]
    return Carried(None, Source(preview.filename, preview.digest), seats=seats)


def _take(event: Event, _preview: Any, carried: Carried, request: DeskRequest) -> str:
    file = {"digest": carried.source.digest, "filename": carried.source.filename}
    take_schedule(event=event, rounds=carried.seats, **file, by=request.user)
    said = ngettext(
        "The seats of %(count)d round are imported. Check them, then publish.",
        "The seats of %(count)d rounds are imported. Check them, then publish.",
        len(carried.seats),
    )
    return said % {"count": len(carried.seats)}


def _page(event: Event) -> dict[str, Any]:
    return {
        "players": len([entrant for entrant in list_entrants(event) if not entrant.left]),
        "table_size": event.ruleset.players,
        "drawn": event.rounds.exists(),
        "published": event.rounds.filter(published_at__isnull=False).exists(),
    }


def _rounds(rounds: Rounds, names: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return rounds of tables of seats with number and name."""
    return [
        {
            "number": round_,
            "tables": [
                {
                    "number": table,
                    "seats": [
                        {"seat": seat, "number": number, "name": names[number]} for seat, number in enumerate(players)
                    ],
                }
                for table, players in enumerate(tables, start=1)
            ],
        }
        for round_, tables in enumerate(rounds, start=1)
    ]


def _figures(report: Report) -> list[tuple[str, str]]:
    """Return the report as terms and values."""
    repeats = _("nobody meets twice") if not report.repeats else str(report.repeats)
    bound = _("proven least: %(bound)d") % {"bound": report.repeats_bound}
    once = pgettext("how often two meet", "once")
    most = _("%(times)d times") % {"times": report.met_most} if report.met_most > 1 else once
    kept = counted("%(count)d time", "%(count)d times", report.tables_kept)
    possible = _("possible: %(bound)d") % {"bound": report.winds_bound}
    winds = _("differ by %(count)d") % {"count": report.winds_spread}
    return [
        (_("Repeat meetings"), f"{repeats} ({bound})"),
        (_("Most often together"), most),
        (_("One wind, most to least"), f"{winds} ({possible})"),
        (_("One table, most to least"), _("differ by %(count)d") % {"count": report.tables_spread}),
        (_("Somebody stays at a table"), kept),
    ]


def _uneven_winds(rounds: Rounds, names: Mapping[int, str], table_size: int) -> list[dict[str, Any]]:
    """List who has one wind at least twice more often than another, the most uneven first, with the counts by seat."""
    had = Counter((player, seat) for tables in rounds for table in tables for seat, player in enumerate(table))
    players = sorted({player for player, _seat in had})
    counts = {player: [had[player, seat] for seat in range(table_size)] for player in players}
    uneven = [player for player in players if max(counts[player]) - min(counts[player]) > 1]
    uneven.sort(key=lambda player: min(counts[player]) - max(counts[player]))
    return [{"name": names[player], "counts": list(enumerate(counts[player]))} for player in uneven[:MOST_NAMES]]


_SEATS = Importer(
    name="seats",
    tab="seating",
    title=lambda: _("Import seating"),
    address="desk:import_seats",
    home="desk:seating",
    after="desk:import_seats",
    meanings=lambda _event, _only: MEANINGS,
    read=_read,
    understand=_understand,
    look=_look,
    take=_take,
    file_template="imports/seats_import.html",
    template="imports/seats_import_look.html",
    context=_page,
)
