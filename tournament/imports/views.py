"""The imports of an event from files: players, results, penalties and seats; the files that it took, each to undo."""

import base64
import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.http import require_GET, require_http_methods

from rules.books import load
from scoring.problems import InvalidInput, ProblemType
from tournament.accounts.queries import account_names
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_TITLE
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.imports.actions import (
    check_results,
    take_penalties,
    take_players,
    take_results,
    undo_import,
    undo_problems,
)
from tournament.imports.files import Sheet
from tournament.imports.listing import Chosen, ListKind
from tournament.imports.old_seasons import import_old_season, read_old_season
from tournament.imports.penalties import PENALTIES, PenaltyPreview, understand_penalties
from tournament.imports.players import PLAYERS, PlayerDraft, PlayerPreview, understand_players
from tournament.imports.queries import ImportRow, get_import, get_seating, list_imports
from tournament.imports.results import ResultsPreview, kind_of, list_verdicts, read_results_sheet, understand_results
from tournament.imports.schedules import SCHEDULE, SchedulePreview, read_schedule_sheet, understand_schedule
from tournament.imports.wizard import PREVIEW_LIFE, SALT, SignedPreview, Wizard, join_cells
from tournament.pages.csv_files import csv_file
from tournament.pages.files import book_answer, file_answer
from tournament.pages.forms import FileForm
from tournament.pages.hooks import find_address
from tournament.pages.lists import ListColumn, ListTable, acts_column
from tournament.pages.permissions import DeskRequest, desk_context, for_site, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_problems, flash_refusal
from tournament.pages.sign_in import reauthenticate
from tournament.people.queries import list_humans, list_proposals
from tournament.people.views import proposal_items
from tournament.players.models import Person
from tournament.players.queries import list_players
from tournament.rulesets.messages import OWN, own_choices, rule_choices
from tournament.rulesets.queries import get_version
from tournament.seating.actions import PlayerIds, take_schedule
from tournament.seating.queries import get_player_ids, list_entrants
from tournament.seating.search.quality import Report
from tournament.seating.search.schedule import Rounds
from tournament.tables.round_queries import list_rounds
from tournament.text.languages import Words, join_commas, join_spaced, plural_text
from tournament.text.numbers import points
from tournament.text.problems import problem_text

IMPORT_COUNTRY_MISSING = ProblemType(
    "import.country_missing",
    "{count} without a country (rows {rows}). They can be imported: add the country on the player’s page before "
    "the results go to EMA.",
)

LAYOUT_WORDS: dict[str, str] = {
    "seats": "one row a seat",
    "tables": "one row a table",
    "matrix": "one row a player, one column a round",
    "blocks": "the tables below a line for each round",
}
KIND_WORDS: Words = {
    "players": "Players",
    "seats": "Seats",
    "results": "Results",
    "penalties": "Penalties",
    "game": "Game",
}

MAX_NAMED = 40  # names in one sentence, and pairs in one list
MAX_ROWS_NAMED = 12  # of those without a country
TEMPLATE_CSV = "Name,Country,Club,EMA number\nExample Player,GBR,Example Club,01020304\n"


class ResultsFileForm(FileForm):
    """Results, of all rounds that the file names or of one alone."""

    only = forms.TypedChoiceField(label=gettext_lazy("Rounds"), coerce=int, empty_value=None, required=False)


class ScheduleForm(FileForm):
    """A schedule as a file, or pasted."""

    file = forms.FileField(
        label=gettext_lazy("Schedule"),
        help_text=gettext_lazy("xlsx or csv, or the output of manage.py seat --json"),
        required=False,
    )


class PlayersImport(Wizard):
    """A list of players: they are added behind those that are there."""

    name, tab = "players", "players"
    title, submit = gettext_lazy("Import players"), gettext_lazy("Add all of them")
    address, home = "desk:import_players", "desk:players"

    def list_kind(self, _only: int | None) -> ListKind:
        return PLAYERS

    def understand(self, carried: SignedPreview, chosen: Chosen | None) -> PlayerPreview:
        existing = [row.name for row in list_players(self.event)]
        preview = understand_players(carried.kept, carried.source.filename, existing=existing, chosen=chosen)
        without = tuple(str(draft.row) for draft in preview.drafts if preview.is_sound and not draft.country)
        if not without:
            return preview
        more = ("…",) if len(without) > MAX_ROWS_NAMED else ()
        missing = IMPORT_COUNTRY_MISSING.warning(count=len(without), rows=without[:MAX_ROWS_NAMED] + more)
        return replace(preview, problems=(*preview.problems, missing))

    def lead(self, preview: PlayerPreview) -> Sequence[str]:
        return [plural_text("%(count)d player", "%(count)d players", len(preview.drafts))]

    def row_texts(self, preview: PlayerPreview) -> Mapping[int, str]:
        return {draft.row: _player_text(draft) for draft in preview.drafts}

    def take(self, preview: PlayerPreview, carried: SignedPreview) -> str:
        count = take_players(event=self.event, players=preview.drafts, source=carried.source, by=self.request.user)
        return plural_text("%(count)d player added.", "%(count)d players added.", count)


def _player_text(draft: PlayerDraft) -> str:
    legal = draft.legal_name if draft.legal_name != draft.preferred_name else ""
    cells = (draft.preferred_name, legal, draft.country, draft.club, draft.team, draft.ema_number)
    told = (
        _("name not shown") if not draft.shown_by_name or draft.unguarded else "",
        _("guardian has not agreed") if draft.unguarded else "",
    )
    return join_cells((*cells, *told))


class ResultsImport(Wizard):
    """The results of a whole event, or of rounds whose seats are known."""

    name, tab = "results", "results"
    title, submit = gettext_lazy("Import results"), gettext_lazy("Import these results")
    address, home = "desk:import_results", "desk:results"

    def make_form(self, *data: Any) -> FileForm:
        form = ResultsFileForm(*data)
        numbers = [row.number for row in list_rounds(self.event)]
        choices = [("", _("as the file says")), *((number, str(number)) for number in numbers)]
        form.fields["only"].choices = choices  # type: ignore[attr-defined]
        return form

    def list_kind(self, only: int | None) -> ListKind:
        return kind_of(get_seating(self.event, only=only))

    def read(self, data: bytes, filename: str, only: int | None) -> Sheet:
        return read_results_sheet(data, filename, self.list_kind(only), start=self.event.ruleset.start_points)

    def understand(self, carried: SignedPreview, chosen: Chosen | None) -> ResultsPreview:
        seating = get_seating(self.event, only=carried.only)
        preview = understand_results(carried.kept, carried.source.filename, chosen=chosen, seating=seating)
        more = check_results(self.event, preview) if preview.is_sound else ()
        rows, problems = list_verdicts(preview, more)
        return replace(preview, rows=rows, problems=problems)

    def lead(self, preview: ResultsPreview) -> Sequence[str]:
        tables = sum(len(round_.tables) for round_ in preview.rounds)
        return [
            plural_text("%(count)d round", "%(count)d rounds", len(preview.rounds)),
            plural_text("%(count)d table", "%(count)d tables", tables),
        ]

    def row_texts(self, preview: ResultsPreview) -> Mapping[int, str]:
        texts: dict[int, list[str]] = {}
        for round_ in preview.rounds:
            for table in round_.tables:
                place = _("Round %(round)d, table %(table)d") % {"round": round_.number, "table": table.number}
                for seat in table.seats:
                    texts.setdefault(seat.row, [place]).append(f"{seat.player} {points(seat.points)}")
        return {row: join_spaced(parts) for row, parts in texts.items()}

    def take(self, preview: ResultsPreview, carried: SignedPreview) -> str:
        count = take_results(event=self.event, preview=preview, source=carried.source, by=self.request.user)
        if not count:
            return _("These results are already entered: nothing is changed.")
        text = ngettext(
            "The results of %(count)d table are imported.", "The results of %(count)d tables are imported.", count
        )
        return text % {"count": count}


class PenaltiesImport(Wizard):
    """A list of penalties."""

    name, tab = "penalties", "penalties"
    title, submit = gettext_lazy("Import penalties"), gettext_lazy("Give all of them")
    address, home = "desk:import_penalties", "desk:penalties"

    def list_kind(self, _only: int | None) -> ListKind:
        return PENALTIES

    def understand(self, carried: SignedPreview, chosen: Chosen | None) -> PenaltyPreview:
        rounds = [row.number for row in list_rounds(self.event)]
        entrants = list_entrants(self.event)
        return understand_penalties(
            carried.kept, carried.source.filename, entrants=entrants, rounds=rounds, chosen=chosen
        )

    def lead(self, preview: PenaltyPreview) -> Sequence[str]:
        return [plural_text("%(count)d penalty", "%(count)d penalties", len(preview.drafts))]

    def row_texts(self, preview: PenaltyPreview) -> Mapping[int, str]:
        return {
            draft.row: join_spaced([f"{draft.name} ({draft.player})", points(-draft.points), draft.reason])
            for draft in preview.drafts
        }

    def take(self, preview: PenaltyPreview, carried: SignedPreview) -> str:
        count = take_penalties(event=self.event, drafts=preview.drafts, source=carried.source, by=self.request.user)
        return plural_text("%(count)d penalty is given.", "%(count)d penalties are given.", count)


class SeatsImport(Wizard):
    """A schedule made elsewhere; it takes the place of a draw that is not published."""

    name, tab = "seats", "seating"
    title, submit = gettext_lazy("Import seating"), gettext_lazy("Use these seats")
    address, home, after = "desk:import_seats", "desk:seating", "desk:import_seats"
    form = ScheduleForm

    def list_kind(self, _only: int | None) -> ListKind:
        return SCHEDULE

    def read(self, data: bytes, filename: str, _only: int | None) -> Sheet:
        return read_schedule_sheet(data, filename, list_entrants(self.event), self.event.ruleset.players)

    def understand(self, carried: SignedPreview, chosen: Chosen | None) -> SchedulePreview:
        return understand_schedule(
            carried.kept,
            carried.source.filename,
            entrants=list_entrants(self.event),
            table_size=self.event.ruleset.players,
            planned=self.event.rounds_planned,
            chosen=chosen,
        )

    def brings(self, preview: SchedulePreview) -> PlayerIds:
        """Return the seats as primary keys of players: no change of the list gives a seat to somebody else unseen."""
        keys = get_player_ids(self.event)
        return [[[keys[number] for number in table] for table in tables] for tables in preview.rounds]

    def lead(self, preview: SchedulePreview) -> Sequence[str]:
        count = len(preview.rounds)
        layout = _(LAYOUT_WORDS[preview.layout]) if preview.layout else ""
        return [
            part
            for part in (layout, plural_text("%(count)d round", "%(count)d rounds", count) if count else "")
            if part
        ]

    def row_texts(self, _preview: SchedulePreview) -> Mapping[int, str]:
        return {}

    def take(self, preview: SchedulePreview, carried: SignedPreview) -> str:
        file = {"digest": carried.source.digest, "filename": carried.source.filename}
        seats = self.brings(preview)
        take_schedule(event=self.event, rounds=seats, **file, by=self.request.user)
        text = ngettext(
            "The seats of %(count)d round are imported. Check them, then publish.",
            "The seats of %(count)d rounds are imported. Check them, then publish.",
            len(seats),
        )
        return text % {"count": len(seats)}

    def file_context(self) -> Mapping[str, Any]:
        return {
            "players": len([entrant for entrant in list_entrants(self.event) if not entrant.left]),
            "table_size": self.event.ruleset.players,
            **self._state(),
        }

    def _state(self) -> dict[str, bool]:
        return {
            "drawn": self.event.rounds.exists(),
            "published": self.event.rounds.filter(published_at__isnull=False).exists(),
        }

    def preview_context(self, preview: SchedulePreview) -> Mapping[str, Any]:
        if not preview.is_sound:
            return {}
        names = {each.number: each.name for each in list_entrants(self.event)}
        again = [
            {"names": [names[number] for number in pair.players], "rounds": pair.rounds}
            for pair in preview.again[:MAX_NAMED]
        ]
        return {
            **self._state(),
            "rounds": [
                {
                    "number": round_,
                    "tables": [
                        {
                            "number": table,
                            "seats": [
                                {"seat": seat, "number": number, "name": names[number]}
                                for seat, number in enumerate(players)
                            ],
                        }
                        for table, players in enumerate(tables, start=1)
                    ],
                }
                for round_, tables in enumerate(preview.rounds, start=1)
            ],
            "figures": _figures(preview.report) if preview.report else [],
            "again": again,
            "again_count": len(preview.again),
            "again_more": max(0, len(preview.again) - MAX_NAMED),
            "winds": _uneven_winds(preview.rounds, names, self.event.ruleset.players),
        }


def _figures(report: Report) -> list[tuple[str, str]]:
    """Return the report as terms and values."""
    repeats = _("nobody meets twice") if not report.repeats else str(report.repeats)
    bound = _("proven least: %(bound)d") % {"bound": report.repeats_least}
    once = pgettext("how often two meet", "once")
    most = _("%(times)d times") % {"times": report.met_most} if report.met_most > 1 else once
    kept = plural_text("%(count)d time", "%(count)d times", report.tables_kept)
    possible = _("possible: %(bound)d") % {"bound": report.winds_least}
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
    return [{"name": names[player], "counts": list(enumerate(counts[player]))} for player in uneven[:MAX_NAMED]]


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PLAYERS)
def import_players(request: DeskRequest, event: Event) -> HttpResponse:
    """Import a list of players; `GET` gives an empty one to fill in."""
    if request.method == "GET":
        return file_answer(TEMPLATE_CSV.encode(), "text/csv; charset=utf-8", "players.csv")
    return PlayersImport(request, event).run()


@require_http_methods(["GET", "POST"])
@who_may(Right.IMPORT)
def import_results(request: DeskRequest, event: Event) -> HttpResponse:
    """Import the results of a whole event, or of rounds whose seats are known."""
    return ResultsImport(request, event).run()


@require_http_methods(["GET", "POST"])
@who_may(Right.IMPORT)
def import_penalties(request: DeskRequest, event: Event) -> HttpResponse:
    """Import a list of penalties."""
    return PenaltiesImport(request, event).run()


@require_http_methods(["GET", "POST"])
@who_may(Right.DRAW_SEATS)
def import_seats(request: DeskRequest, event: Event) -> HttpResponse:
    """Import a schedule; `?template=xlsx` or `csv` gives a file to fill in."""
    kind = request.GET.get("template")
    if request.method == "POST" or kind not in ("xlsx", "csv"):
        return SeatsImport(request, event).run()
    return _template(event, str(kind))


_HEADINGS = ("Player number", "Name")
_NOTE = "Write table and wind below each round, as in 5E. One row a player, one column a round."


def _template(event: Event, kind: str) -> HttpResponse:
    """Answer with an empty schedule of the players, one column a round, as csv or xlsx."""
    players = [(entrant.number, entrant.name) for entrant in list_entrants(event) if not entrant.left]
    rounds = [f"Round {number}" for number in range(1, event.rounds_planned + 1)]
    name = f"{event.slug}-seats.{kind}"
    if kind == "csv":
        rows: list[list[str | int | None]] = [[*player, *[""] * len(rounds)] for player in players]
        return file_answer(csv_file([*_HEADINGS, *rounds], rows), "text/csv; charset=utf-8", name)
    from tournament.pages.spreadsheets import Sheet, SheetColumn  # its package is a tenth of the desk's start

    columns = [
        SheetColumn(_HEADINGS[0], "count"),
        SheetColumn(_HEADINGS[1], "text"),
        *(SheetColumn(heading, "blank") for heading in rounds),
    ]
    empty = [[*player, *[None] * len(rounds)] for player in players]
    return book_answer([Sheet("Seats", (event.name, _NOTE), columns, empty, frozen_columns=2)], timezone.now(), name)


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
@who_may(Right.IMPORT)
def imports(request: DeskRequest, event: Event) -> HttpResponse:
    """List the files that were taken, newest first, and the ways to bring more."""
    rows = list_imports(event)
    names = account_names({row.by for row in rows})
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
@who_may(Right.IMPORT)
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
        except DomainError as refused:
            errors = [problem_text(problem) for problem in refused.problems]
    context = {
        "row": row,
        "title": _("Take back: %(taken)s?") % {"taken": say_taken(row)},
        "lines": say_taken_back(event, row),
        "problems": [problem_text(problem) for problem in problems],
        "errors": errors,
    }
    page = desk_context(request, event, "settings", **context)
    return render(request, "imports/import_back.html", page, status=422 if errors else 200)


def say_taken(row: ImportRow) -> str:
    """Say what an import brought, in short."""
    details = row.details
    if row.kind == "players":
        count = len(details["numbers"])
        return plural_text("%(count)d player", "%(count)d players", count)
    if row.kind == "penalties":
        count = len(details["penalties"])
        return plural_text("%(count)d penalty", "%(count)d penalties", count)
    if row.kind == "seats":
        count = details["rounds"]
        return plural_text("the seats of %(count)d round", "the seats of %(count)d rounds", count)
    if row.kind == "game":
        place = {"round": details["round"], "table": details["table"], "hands": details["hands"]}
        return _("%(hands)d hands of round %(round)d, table %(table)d") % place
    count = len(details.get("tables", []))
    return plural_text("the results of %(count)d table", "the results of %(count)d tables", count)


def say_taken_back(event: Event, row: ImportRow) -> list[str]:
    """Say line by line what taking an import back does, and what it leaves."""
    if row.kind == "players":
        people = Person.objects.filter(players__event=event, players__number__in=row.details["numbers"])
        names = list(people.order_by("players__number").values_list("preferred_name", flat=True))
        more = [_("and %(count)d more") % {"count": len(names) - MAX_NAMED}] if len(names) > MAX_NAMED else []
        return [
            _("These players are taken out of the list: %(names)s") % {"names": join_commas(names[:MAX_NAMED] + more)}
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
        rounds = join_commas(map(str, row.details["released"]))
        lines.append(_("The results of rounds %(rounds)s are no longer public.") % {"rounds": rounds})
        lines.append(_("Players and seats stay: a corrected file with the same seats can be imported afterwards."))
    return lines


# ---------------------------------------------------------------- an old season


class OldSeasonForm(FileForm):
    """The spreadsheet of an old season, and what it does not say."""

    name = forms.CharField(label=gettext_lazy("Name of the season"), max_length=MAX_TITLE)
    rules_key = forms.ChoiceField(label=gettext_lazy("Rule set"), choices=lambda: own_choices() + rule_choices())
    day = forms.DateField(
        label=gettext_lazy("Day"),
        help_text=gettext_lazy("of evenings whose day neither a column nor the name of the worksheet says"),
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    before_uma = forms.BooleanField(
        label=gettext_lazy("Without uma"),
        required=False,
        help_text=gettext_lazy("if the points of a game add up to 0 and are not yet after uma"),
    )
    field_order = ("name", "rules_key", "day", "before_uma", "file", "pasted")


@require_http_methods(["GET", "POST"])
@for_site
def import_season(request: DeskRequest) -> HttpResponse:
    """Preview the spreadsheet of an old season: evenings, totals that differ, who is known; write it once confirmed."""
    try:
        packed: dict[str, str] | None = signing.loads(request.POST.get("packed", ""), salt=SALT, max_age=PREVIEW_LIFE)
    except signing.BadSignature:
        packed = None
    form = OldSeasonForm(None if packed else request.POST or None, request.FILES or None)
    status = UNPROCESSABLE if form.is_bound else 200
    try:
        if not packed and form.is_bound and form.is_valid():
            data, filename = form.content()
            sent = form.cleaned_data
            packed = {key: str(sent[key]) for key in ("name", "rules_key", "day")}
            packed["before_uma"] = "yes" if sent["before_uma"] else ""
            packed |= {"file": filename, "data": base64.b85encode(data).decode()}
        if packed:
            return _old_season(request, packed)
    except InvalidInput as refused:
        flash_problems(request, refused)
    return render(request, "imports/import_season.html", {"form": form, "desk_nav": []}, status=status)


def _old_season(request: DeskRequest, packed: Mapping[str, str]) -> HttpResponse:
    """Show what a file brings, or write it where that was confirmed. Raises InvalidInput for what is no table."""
    key = packed["rules_key"]
    version = get_version(key.removeprefix(OWN)) if key.startswith(OWN) else None
    rules = version.ruleset if version else load(key)
    data, day = base64.b85decode(packed["data"]), dt.date.fromisoformat(packed["day"])
    old = read_old_season(data, packed["file"], day=day, rules=rules, before_uma=bool(packed["before_uma"]))
    if "group" in request.POST and not old.errors:
        sent = [request.POST.getlist(f"people-{group}") for group in request.POST.getlist("group")]
        linked = [[int(each) for each in people if each.lstrip("-").isdecimal()] for people in sent]
        with flash_refusal(request):
            made = import_old_season(
                name=packed["name"], old=old, rules=rules, version=version, linked=linked, by=request.user
            )
            messages.success(request, _("The season %(name)s is imported: choose its rule.") % {"name": made.name})
            return redirect("desk:season", made.slug)
    people = old.humans()
    mine = {human.key for human in people}
    proposals = [] if old.errors else list_proposals([*list_humans(), *people])
    offered = [each for each in proposals if mine & {human.key for human in each.humans}]
    said = [(f"{where}: " if where else "", problem) for where, problem in old.problems]
    context = {
        "name": packed["name"],
        "packed": signing.dumps(packed, salt=SALT, compress=True),
        "errors": [where + problem_text(problem) for where, problem in said if problem.severity == "error"],
        "warnings": [where + problem_text(problem) for where, problem in said if problem.severity != "error"],
        "differences": [problem_text(problem) for problem in old.differences],
        "evenings": old.evenings,
        "people": len(old.names),
        "items": proposal_items(offered),
        "desk_nav": [],
    }
    return render(request, "imports/import_season.html", context, status=UNPROCESSABLE if old.errors else 200)
