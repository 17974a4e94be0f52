"""Referee calls and complaints: list them, make, answer and close a call, write a complaint down and rule on it."""

import uuid
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from scoring.problems import InvalidInput, ProblemType
from tournament.calls.actions import (
    MAX_COMPLAINT,
    MAX_QUESTION,
    answer_call,
    call_referee,
    close_call,
    make_complaint,
)
from tournament.calls.models import CallKind, RefereeCall
from tournament.calls.queries import STORED, CallRow, get_open_call, list_calls
from tournament.core.errors import DomainError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.forms import add_problems
from tournament.pages.lists import ListColumn, ListTable
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_refusal, load_or_404, table_model, to_int, to_uuid
from tournament.penalties.queries import get_catalogue
from tournament.publication.names import list_names
from tournament.tables.queries import LoadedTable, get_table
from tournament.text.fouls import say_fouls
from tournament.text.problems import problem_text
from tournament.text.readback import hand_name, honba_and_sticks

CALL_MINUTES_NOT_A_NUMBER = ProblemType("call.minutes_not_a_number", "'{value}' is not a number of minutes.")


def calls_context(event: Event, editing: int = 0, typed: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the context of calls/calls.html; `editing` is a closed call to change, `typed` what was sent."""
    items = [_item(row, editing, typed) for row in list_calls(event)]
    fouls = say_fouls(get_catalogue(event))
    clauses: dict[str, str] = {}  # each with its first foul
    for foul in fouls.fouls:
        clauses.setdefault(fouls.penalties[foul.key].clause, foul.what)
    return {
        "open_calls": [item for item in items if not (item["row"].closed_at or item["row"].complaint)],
        "complaints": [item for item in items if item["row"].complaint and item["row"].closed_at is None],
        "closed_calls": [item for item in items if item["row"].closed_at],
        "clauses": [(clause, what) for clause, what in clauses.items() if clause],
    }


def call_bar(table: LoadedTable) -> dict[str, Any]:
    """Return the context of calls/call_bar.html for a table that was loaded alone; a query where a call is open."""
    return {
        "can_be_ready": table.alone[0].round.state == "published" and not table.game.hands,
        "open_call": get_open_call(table),
        "call_id": str(uuid.uuid4()),
    }


def _item(row: CallRow, editing: int, typed: dict[str, str] | None) -> dict[str, Any]:
    stored = {name: str(getattr(row, name) or "") for name in STORED}
    return {
        "row": row,
        "hand": _hand(row),
        "waited": _waited(row.waited),
        "editing": row.id == editing,
        "typed": typed if typed is not None and row.id == editing else stored,
    }


def _hand(row: CallRow) -> str:
    if row.state is None:
        return _("the whole game")
    return " · ".join(part for part in (hand_name(row.state), honba_and_sticks(row.state)) if part)


def _waited(seconds: int | None) -> str:
    """Return how long a table waited as minutes and seconds.

    >>> _waited(75), _waited(3720), _waited(None)
    ('1:15', '62:00', '')
    """
    return "" if seconds is None else f"{seconds // 60}:{seconds % 60:02d}"


@require_GET
@who_may(Right.SEE_DESK)
def calls(request: DeskRequest, event: Event) -> HttpResponse:
    """List the calls, the open ones first; `?edit=ID` opens a closed one."""
    context = calls_context(event, to_int(request.GET.get("edit")))
    part = "#calls" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"calls/calls.html{part}", desk_context(request, event, "calls", **context))


@require_POST
@who_may(Right.CALL_REFEREE)
def call(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Call a referee to a table."""
    loaded = load_or_404(event, round_number, table_number, request.row)
    with flash_refusal(request):
        call_referee(
            table=table_model(loaded),
            client_id=to_uuid(request.POST.get("call", "")),
            question=request.POST.get("question", "")[:MAX_QUESTION],
            by=request.user,
        )
        messages.success(request, _("A referee is called to table %(number)d.") % {"number": table_number})
    return redirect("desk:table", event.slug, round_number, table_number)


@require_POST
@who_may(Right.RULE)
def answer(request: DeskRequest, event: Event, call_id: int) -> HttpResponse:
    """Record that a referee is at the table."""
    answer_call(call=_call_or_404(event, call_id), by=request.user)
    return redirect(f"{reverse('desk:calls', args=[event.slug])}#call-{call_id}")


@require_POST
@who_may(Right.RULE)
def close(request: DeskRequest, event: Event, call_id: int) -> HttpResponse:
    """Store question, ruling, clause and minutes, and close the call; a refusal shows the form as typed."""
    found = _call_or_404(event, call_id)
    typed = {key: request.POST.get(key, "").strip() for key in STORED}
    try:
        close_call(
            call=found,
            question=typed["question"],
            ruling=typed["ruling"],
            clause=typed["clause"],
            minutes=_minutes(typed["minutes"]),
            seen=request.POST.get("seen", ""),
            by=request.user,
        )
    except (InvalidInput, DomainError) as wrong:
        context = {
            "errors": [problem_text(problem) for problem in wrong.problems],
            **calls_context(event, call_id, typed),
        }
        page = desk_context(request, event, "calls", **context)
        return render(request, "calls/calls.html", page, status=UNPROCESSABLE)
    said = (
        _("The ruling is saved.") if found.kind == CallKind.COMPLAINT else _("The call of table %(number)d is closed.")
    )
    messages.success(request, said % {"number": found.table.number})
    return redirect("desk:calls", event.slug)


def _call_or_404(event: Event, call_id: int) -> RefereeCall:
    return get_object_or_404(event.calls.select_related("event", "table"), pk=call_id)


def _minutes(text: str) -> int:
    if text and not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise InvalidInput([CALL_MINUTES_NOT_A_NUMBER(value=text[:20])])
    return int(text or 0)


COMPLAINT_TABLE_UNKNOWN = ProblemType(
    "complaint.table_unknown", "There is no such table: write its round and its number."
)


class ComplaintForm(forms.Form):
    """Who complains, about which game or hand, and what about."""

    round = forms.IntegerField(label=gettext_lazy("Round"), min_value=1)
    table = forms.IntegerField(label=gettext_lazy("Table"), min_value=1)
    hand = forms.IntegerField(
        label=gettext_lazy("Hand"),
        min_value=1,
        required=False,
        help_text=gettext_lazy("Its number at the table; empty: the whole game."),
    )
    player = forms.ChoiceField(label=gettext_lazy("Who complains"), required=False)
    text = forms.CharField(
        label=gettext_lazy("Complaint"), max_length=MAX_COMPLAINT, widget=forms.Textarea(attrs={"rows": 4})
    )

    def __init__(self, event: Event, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        people = [(str(number), f"{name} ({number})") for number, name in list_names(event)]
        player: Any = self.fields["player"]
        player.choices = [("", gettext("somebody else")), *people]

    def clean(self) -> dict[str, Any]:
        """Find the table, as `loaded`."""
        given = self.cleaned_data
        loaded = get_table(self.event, given.get("round", 0), given.get("table", 0))
        if loaded is None and not self.errors:
            self.add_error("table", problem_text(COMPLAINT_TABLE_UNKNOWN()))
        return {**given, "loaded": loaded}


@require_http_methods(["GET", "POST"])
@who_may(Right.RULE)
def complaint(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the form (`?round=` and `?table=` fill it), or write the complaint down."""
    posted = request.method == "POST"
    asked = {key: request.GET[key] for key in ("round", "table", "hand") if key in request.GET}
    form = ComplaintForm(event, request.POST if posted else None, initial=asked)
    if form.is_valid():
        try:
            typed = form.cleaned_data
            make_complaint(
                table=table_model(typed["loaded"]),
                client_id=to_uuid(request.POST.get("client_id", "")),
                text=typed["text"],
                player=event.players.filter(number=typed["player"]).first() if typed["player"] else None,
                hand=typed["hand"],
                by=request.user,
            )
        except (InvalidInput, DomainError) as wrong:
            add_problems(form, wrong, {})
        else:
            messages.success(request, gettext("The complaint is written down."))
            return redirect("desk:calls", event.slug)
    context = {"form": form, "client_id": request.POST.get("client_id", "") if posted else str(uuid.uuid4())}
    page = desk_context(request, event, "calls", **context)
    return render(request, "calls/complaint.html", page, status=UNPROCESSABLE if posted else 200)


class ComplaintTable(ListTable):
    """The register of complaints, the newest first: what was ruled on each, and who decided."""

    title = gettext_lazy("Register of complaints")
    made = ListColumn(gettext_lazy("Made"), value=lambda row: row.called_at, kind="moment")
    round = ListColumn(gettext_lazy("Round"), value=lambda row: row.round, kind="count")
    table = ListColumn(gettext_lazy("Table"), value=lambda row: row.table, kind="count")
    hand = ListColumn(gettext_lazy("Hand"), value=lambda row: row.hand, kind="count")
    player = ListColumn(gettext_lazy("Who complains"), value=lambda row: row.complained_by)
    complaint = ListColumn(gettext_lazy("Complaint"), value=lambda row: row.question)
    ruling = ListColumn(gettext_lazy("Ruling"), value=lambda row: row.ruling)
    clause = ListColumn(gettext_lazy("Clause"), value=lambda row: row.clause)
    decided = ListColumn(gettext_lazy("Decided by"), value=lambda row: row.closed_by)
    at = ListColumn(gettext_lazy("Decided"), value=lambda row: row.closed_at, kind="moment")

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "is-stack"}
        order_by = "-made"


@require_GET
@who_may(Right.RULE)
def complaints(request: DeskRequest, event: Event) -> HttpResponse:
    """List the complaints with their rulings; a file for who may export."""
    rows = [row for row in list_calls(event) if row.complaint]
    table = ComplaintTable(rows, request)
    if file := table.file(event.name):
        return file
    return render(request, "calls/complaints.html", desk_context(request, event, "calls", table=table, rows=rows))
