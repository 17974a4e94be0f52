"""The penalty register: list the penalties, give one by hand, cancel one, and decide who pays at a replaced seat."""

import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.errors import FORM_SENT_ALREADY, FORM_STALE, DomainError
from tournament.core.limits import MAX_REASON
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.forms import add_problems
from tournament.pages.lists import ListColumn, ListTable, acts_column, declared
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import (
    UNPROCESSABLE,
    SentAct,
    answer_acts,
    load_or_404,
    read_amount,
    table_model,
    to_int,
    wants_json,
)
from tournament.penalties.actions import cancel_penalty, give_penalty, set_payer, set_payer_of_chombo
from tournament.penalties.foul_views import (
    FOUL_AMOUNT_UNREADABLE,
    FOUL_PLAYER_MISSING,
    FoulDraft,
    panel_context,
    undo_penalties,
    who_of,
)
from tournament.penalties.messages import KINDS, PENALTY_COLUMNS, charge_text, say_kind
from tournament.penalties.models import Penalty, PenaltyKind
from tournament.penalties.queries import list_penalties, load_fined_tables
from tournament.players.queries import list_players
from tournament.tables.queries import LoadedTable
from tournament.tables.round_queries import get_round, list_rounds
from tournament.tables.rows import PenaltyRow
from tournament.text.names import alphabetical
from tournament.text.numbers import points, who_text
from tournament.text.problems import problem_text


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
        self.add_error(None, problem_text(why()))


@dataclass(frozen=True, slots=True)
class Payable:
    """A row of the register in whose round somebody was replaced, and the two who may pay for it."""

    row: PenaltyRow
    player: str
    substitute: str

    @property
    def to_player(self) -> bool:
        """Whether the player pays now."""
        return not self.row.plays_for

    @property
    def query(self) -> str:
        """The address of the page that decides it."""
        query = QueryDict(mutable=True)
        query.update(_names(self.row))
        return query.urlencode()


def _names(row: PenaltyRow) -> dict[str, str]:
    """Return the fields by which a page names a row."""
    return {"penalty": str(row.id)} if row.id else _hand_names(row)


def _hand_names(row: PenaltyRow) -> dict[str, str]:
    return {"round": str(row.round), "table": str(row.table), "hand": str(row.hand), "player": str(row.seat_number)}


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
@who_may(Right.SEE_DESK, post=Right.RULE)
def penalties(request: DeskRequest, event: Event) -> HttpResponse:
    """List the penalties, `?kind=` of one kind, `?player=` of one player, and give one by hand. JSON: `answer_acts`."""
    if request.method == "POST" and wants_json(request):
        return answer_acts(request, partial(_penalty_sent, event, request.user))
    people = [(row.number, row.name) for row in list_players(event)]
    rounds = [row.number for row in list_rounds(event)]
    form = PenaltyForm(event, people, rounds, request.POST if request.method == "POST" else None)
    if form.is_valid() and _give(request, event, form):
        return redirect("desk:penalties", event.slug)
    tables = load_fined_tables(event)
    rows, kind = list_penalties(event, tables), request.GET.get("kind", "")
    counts = Counter(row.kind for row in rows)
    shown = [row for row in rows if row.kind == kind] if kind in PenaltyKind.values else rows
    sums = Counter[tuple[int, str]]()
    for row in filter(lambda row: row.number, shown):
        sums[row.number, row.name] += 0 if row.cancelled else row.points
    player = to_int(request.GET.get("player"))
    shown = [row for row in shown if not player or row.number == player]
    payable = payables(tables, shown)
    table = PenaltiesTable([Given(row, charge_text(row), payable.get(key_of(row))) for row in shown], request)
    if file := table.file(event.name):
        return file
    context = {
        "form": form,
        "table": table,
        "total": sum(row.points for row in shown if not row.cancelled),
        "sums": sums.most_common(),
        "player": player,
        # those that occur: kind, word, count, and whether only this one is shown
        "kinds": [(each, _(KINDS[each][1]), counts[each], each == kind) for each in PenaltyKind if counts[each]],
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
        raise DomainError((FOUL_PLAYER_MISSING if player is None else FOUL_AMOUNT_UNREADABLE)())
    give_penalty(
        player=player,
        points=amount,
        reason=act.fields.get("reason", "")[:MAX_REASON],
        clause=act.fields.get("clause", ""),
        client_id=act.client_id,
        round_=get_round(event, to_int(act.fields.get("round"))),
        by=by,
    )


@require_http_methods(["GET", "POST"])
@who_may(Right.RULE)
def cancel(request: DeskRequest, event: Event, penalty_id: int) -> HttpResponse:
    """Ask why, then cancel a penalty; its row stays."""
    rows = Penalty.objects.filter(event=event, pk=penalty_id)
    penalty = get_object_or_404(rows.select_related("event", "player__person", "table__round"))
    errors: list[str] = []
    if request.method == "POST":
        try:
            cancel_penalty(penalty=penalty, reason=request.POST.get("reason", ""), by=request.user)
            messages.success(request, _("The penalty is cancelled."))
            return redirect("desk:penalties", event.slug)
        except DomainError as refused:
            errors = [problem_text(problem) for problem in refused.problems]
    title = _("Cancel %(what)s of %(name)s?") % {"what": _what(penalty), "name": penalty.player.person}
    context = desk_context(request, event, "penalties", penalty=penalty, errors=errors, title=title)
    return render(request, "penalties/penalty_cancel.html", context, status=UNPROCESSABLE if errors else 200)


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
    except DomainError as refused:
        add_problems(form, refused, {"penalty.reason_missing": "reason", "penalty.points_out_of_range": "amount"})
        return False
    if not form.matches(penalty):
        form.renew()
        return False
    words = {"player": who_of(penalty), "points": points(penalty.points)}
    messages.success(request, _("%(player)s: %(points)s points off.") % words)
    return True


Key = tuple[int | None, ...]


def payables(tables: Iterable[LoadedTable], rows: Iterable[PenaltyRow]) -> dict[Key, Payable]:
    """Return what the register has for rounds in which its player was replaced, by `key_of`."""
    replaced = {
        (table.round, game.player.number): (game.player.name, game.substitute.name)
        for table in tables
        if table.substitutes
        for game in table.seat_games
        if game.substitute
    }
    return {
        key_of(row): Payable(row, *replaced[row.round, row.seat_number])
        for row in rows
        if row.round and (row.round, row.seat_number) in replaced and not (row.cancelled or row.replaced)
    }


def key_of(row: PenaltyRow) -> Key:
    """Return what names a row: its id, or the hand of a typed chombo, and whose seat it is."""
    return (row.id, row.round, row.table, row.hand, row.seat_number)


@require_http_methods(["GET", "POST"])
@who_may(Right.RULE)
def payer(request: DeskRequest, event: Event) -> HttpResponse:
    """Show who pays for a penalty at a replaced seat, ask why, and let the other one pay."""
    fields = request.POST if request.method == "POST" else request.GET
    tables = load_fined_tables(event)
    known = payables(tables, list_penalties(event, tables)).values()
    found = next((each for each in known if _is_named(each.row, fields)), None)
    if found is None:
        raise Http404("There is no such penalty of a replaced player.")
    errors: list[str] = []
    if request.method == "POST":
        try:
            _decide(request, event, found)
            messages.success(request, _("The payer is set."))
            return redirect("desk:penalties", event.slug)
        except DomainError as refused:
            errors = [problem_text(problem) for problem in refused.problems]
    substitute = who_text(found.substitute, found.player)
    context = {
        "title": _("Charge %(name)s?") % {"name": substitute if found.to_player else found.player},
        "text": _("%(who)s: %(what)s") % {"who": substitute, "what": found.row.reason or say_kind(found.row.kind)},
        "note": _("The substitute pays for it now, and %(name)s nothing.") % {"name": found.player}
        if not found.to_player
        else _("%(name)s pays for it now.") % {"name": found.player},
        "hidden": {**_names(found.row), "payer": "substitute" if found.to_player else "player"},
        "action": reverse("desk:penalty_payer", args=[event.slug]),
        "errors": errors,
        "reason": request.POST.get("reason", "")[:300],
    }
    page = desk_context(request, event, "penalties", **context)
    return render(request, "penalties/payer.html", page, status=UNPROCESSABLE if errors else 200)


def _decide(request: DeskRequest, event: Event, found: Payable) -> None:
    act: dict[str, Any] = {
        "to_player": request.POST.get("payer") == "player",
        "reason": request.POST.get("reason", ""),
        "by": request.user,
    }
    row = found.row
    if row.id:
        set_payer(penalty=Penalty.objects.select_related("event").get(pk=row.id), **act)
        return
    table = table_model(load_or_404(event, row.round or 0, row.table or 0))
    player = event.players.get(number=row.seat_number)
    set_payer_of_chombo(table=table, seq=row.hand or 0, player=player, **act)


def _is_named(row: PenaltyRow, fields: QueryDict) -> bool:
    """Tell whether the page meant this row; a typed chombo, too, that is in the register since the page was sent."""
    named = _names(row) if "penalty" in fields else _hand_names(row)
    return all(fields.get(name) == value for name, value in named.items())
