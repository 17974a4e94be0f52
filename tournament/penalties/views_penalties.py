"""The penalty register: list the penalties, give one by hand, cancel one."""

import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from scoring.problems import ProblemType
from tournament.core.errors import FORM_SENT_ALREADY, FORM_STALE, Refused
from tournament.core.limits import MOST_REASON
from tournament.core.rights import Verb
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.referee import Penalty, PenaltyKind
from tournament.pages.lists import ListColumn, ListTable, acts_column, declared
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_sent_acts import SentAct, answer_acts
from tournament.pages.requests_tables import UNPROCESSABLE, read_amount, to_int, wants_json
from tournament.paper.sheets_penalties import PENALTY_COLUMNS
from tournament.penalties.actions_fouls import cancel_penalty, give_penalty
from tournament.penalties.foul_views_fouls import FOUL_AMOUNT_UNREADABLE
from tournament.penalties.foul_views_give_foul import (
    FOUL_PLAYER_MISSING,
    FoulDraft,
    panel_context,
    undo_penalties,
    who_of,
)
from tournament.penalties.messages import KINDS, say_kind
from tournament.penalties.queries_penalties import list_penalties, load_fined_tables
from tournament.penalties.views_payer import Payable, key_of, payables
from tournament.players.queries import list_players
from tournament.tables.round_queries_rounds import get_round, list_rounds
from tournament.tables.rows import PenaltyRow
from tournament.text.names_name_search import alphabetical
from tournament.text.numbers_figures import charge_text
from tournament.text.numbers_formatting import points
from tournament.text.problems_1 import say


class PenaltyForm(forms.Form):
    """A penalty by hand: who, how much (points, or P as in 20P), why."""

    client_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    player = forms.ChoiceField(label=gettext_lazy("Player"))
    amount = forms.CharField(label=gettext_lazy("Amount"), max_length=12, help_text=gettext_lazy("20P or 20,000"))
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=300, help_text=gettext_lazy("players read it"))
    clause = forms.CharField(label=gettext_lazy("Clause"), max_length=60, required=False)
    round = forms.ChoiceField(label=gettext_lazy("Round"), required=False)

    def __init__(
        self, event: Event, names: list[tuple[int, str]], rounds: list[int], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        players = [(str(number), f"{number} {name}") for number, name in names]
        self.fields["player"] = forms.ChoiceField(label=_("Player"), choices=[("", "–"), *players])
        numbers = [(str(number), str(number)) for number in rounds]
        self.fields["round"] = forms.ChoiceField(label=_("Round"), choices=[("", _("none")), *numbers], required=False)

    def clean_amount(self) -> int:
        """Return the amount in points."""
        amount = read_amount(self.cleaned_data["amount"])
        if amount is None:
            raise forms.ValidationError(_("Write points as 20,000 or as 20P."))
        return amount

    def clean(self) -> dict[str, Any]:
        """Say of a page without a client ID that it is too old: the error of a hidden field would not show."""
        if "client_id" in self.errors:
            self.renew(FORM_STALE)
        return self.cleaned_data

    def matches(self, penalty: Penalty) -> bool:
        """Whether a penalty is what was typed: a page that is sent twice may have been changed in between."""
        given = self.cleaned_data
        mine = (int(given["player"]), given["amount"], given["reason"].strip())
        return mine == (penalty.player.number, penalty.points, penalty.reason)

    def renew(self, why: ProblemType = FORM_SENT_ALREADY) -> None:
        """Add an error and a new client ID, so that the form can be sent again."""
        data = QueryDict(mutable=True)
        data.update({key: self.data[key] for key in self.data} | {"client_id": str(uuid.uuid4())})
        self.data = data
        self.add_error(None, say(why()))


@dataclass(frozen=True, slots=True)
class Given:
    """A penalty of the register, with whom it is charged to in words and who else can pay."""

    row: PenaltyRow
    charge: str
    payable: Payable | None


def _register(key: str, **shown: Any) -> ListColumn:
    """Return a column of the register; its value stands in the row of a `Given`."""
    column = PENALTY_COLUMNS[key]
    return declared(column, lambda given: column.value(given.row), **shown)


class PenaltiesTable(ListTable):
    """The register: round and table, clause and what was cancelled have no columns on the screen."""

    title = gettext_lazy("Penalties")
    at = _register("at", cell="penalties/penalties.html#when")
    round = _register("round", on_screen=False)
    number = _register("table", on_screen=False)
    name = _register("name", sort=lambda given: alphabetical(given.row.name), cell="penalties/penalties.html#who")
    kind = _register("kind")
    points = _register(
        "points", sort=lambda given: given.row.points, cell="penalties/penalties.html#points", css="num points"
    )
    reason = _register("reason", cell="penalties/penalties.html#reason")
    clause = _register("clause", on_screen=False)
    by = _register("by")
    cancelled = _register("cancelled", on_screen=False)
    acts = acts_column("penalties/penalties.html#acts")

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "penalties is-stack"}
        order_by = "-at"

    def css_of(self, record: Given) -> str:
        """Strike through what was cancelled."""
        return "is-cancelled" if record.row.cancelled else ""


@require_http_methods(["GET", "POST"])
@who_may(Verb.SEE_DESK, post=Verb.RULE)
def penalties(request: DeskRequest, event: Event) -> HttpResponse:
    """List the penalties, `?kind=` those of one kind, and give one by hand. JSON: `answer_acts`."""
    if request.method == "POST" and wants_json(request):
        return answer_acts(request, partial(_penalty_sent, event, request.user))
    people = [(row.number, row.name) for row in list_players(event)]
    rounds = [row.number for row in list_rounds(event)]
    form = PenaltyForm(event, people, rounds, request.POST if request.method == "POST" else None)
    if form.is_valid() and _give(request, event, form):
        return redirect("desk:penalties", event.slug)
    tables = load_fined_tables(event)
    rows, kind = list_penalties(event, tables), request.GET.get("kind", "")
    shown = [row for row in rows if row.kind == kind] if kind in PenaltyKind.values else rows
    payable = payables(tables, shown)
    table = PenaltiesTable([Given(row, charge_text(row), payable.get(key_of(row))) for row in shown], request)
    if file := table.file(event.name):
        return file
    context = {
        "form": form,
        "table": table,
        "total": sum(row.points for row in shown if not row.cancelled),
        "kinds": _kinds(rows, kind),
        **panel_context(event, FoulDraft(), None, people=people),
    }
    page = desk_context(request, event, "penalties", **context)
    return render(request, "penalties/penalties.html", page, status=UNPROCESSABLE if form.is_bound else 200)


def _penalty_sent(event: Event, by: Account, act: SentAct) -> None:
    """Give a penalty as an act says, or cancel what the act `undo` gave."""
    if "undo" in act.fields:
        undo_penalties(event, act, by)
        return
    player = event.players.select_related("event").filter(number=to_int(act.fields.get("player"))).first()
    amount = read_amount(act.fields.get("amount", ""))
    if player is None or amount is None:
        raise Refused((FOUL_PLAYER_MISSING if player is None else FOUL_AMOUNT_UNREADABLE)())
    give_penalty(
        player=player,
        points=amount,
        reason=act.fields.get("reason", "")[:MOST_REASON],
        clause=act.fields.get("clause", ""),
        client_id=act.client_id,
        round_=get_round(event, to_int(act.fields.get("round"))),
        by=by,
    )


@require_http_methods(["GET", "POST"])
@who_may(Verb.RULE)
def cancel(request: DeskRequest, event: Event, penalty_id: int) -> HttpResponse:
    """Ask why, then cancel a penalty; its row stays."""
    rows = Penalty.objects.filter(event=event, pk=penalty_id)
    penalty = rows.select_related("event", "player__person", "table__round").first()
    if penalty is None:
        raise Http404("There is no such penalty.")
    errors: list[str] = []
    if request.method == "POST":
        try:
            cancel_penalty(penalty=penalty, reason=request.POST.get("reason", ""), by=request.user)
            messages.success(request, _("The penalty is cancelled."))
            return redirect("desk:penalties", event.slug)
        except Refused as refused:
            errors = [say(problem) for problem in refused.problems]
    title = _("Cancel %(what)s of %(name)s?") % {"what": _what(penalty), "name": penalty.player.person}
    context = desk_context(request, event, "penalties", penalty=penalty, errors=errors, title=title)
    return render(request, "penalties/penalty_cancel.html", context, status=UNPROCESSABLE if errors else 200)


def _kinds(rows: list[PenaltyRow], current: str) -> list[tuple[str, str, int, bool]]:
    """Return the kinds that occur: kind, word, count, and whether only this one is shown."""
    counts = {kind: sum(row.kind == kind for row in rows) for kind in PenaltyKind}
    return [(kind, _(KINDS[kind][1]), count, kind == current) for kind, count in counts.items() if count]


def _what(penalty: Penalty) -> str:
    """Name a penalty by its points or its kind."""
    if penalty.kind in (PenaltyKind.CHOMBO, PenaltyKind.DEAD_HAND) or not penalty.points:
        return _("the %(kind)s") % {"kind": say_kind(PenaltyKind(penalty.kind)).lower()}
    return _("%(points)s points") % {"points": points(penalty.points)}


def _give(request: DeskRequest, event: Event, form: PenaltyForm) -> bool:
    """Give the penalty of a valid form, once; a refusal becomes an error of the form."""
    given = form.cleaned_data
    try:
        penalty = give_penalty(
            player=event.players.select_related("event").get(number=int(given["player"])),
            points=given["amount"],
            reason=given["reason"],
            clause=given["clause"],
            client_id=given["client_id"],
            round_=get_round(event, int(given["round"])) if given["round"] else None,
            by=request.user,
        )
    except Refused as refused:
        for problem in refused.problems:
            form.add_error(None, say(problem))
        return False
    if not form.matches(penalty):
        form.renew()
        return False
    words = {"player": who_of(penalty), "points": points(penalty.points)}
    messages.success(request, _("%(player)s: %(points)s points off.") % words)
    return True
