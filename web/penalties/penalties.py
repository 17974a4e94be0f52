"""The penalty register: what was given, by whom and when; give one by hand, cancel one."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.models import Event, Penalty, PenaltyKind
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.selectors.people.players import list_players
from tournament.selectors.rounds.rounds import get_round, list_rounds
from tournament.selectors.tables.penalties import list_penalties
from tournament.selectors.tables.tables import load_tables
from tournament.services.tables.penalties import cancel_penalty, give_penalty
from tournament.sheets.rows import PenaltyRow
from web.frame.page_context import desk_context
from web.gateways import DeskRequest, who_may
from web.penalties.fouls import panel_context
from web.penalties.fouls_form import FoulDraft
from web.penalties.penalties_form import PenaltyForm
from web.words.formatting import points
from web.words.foul import KINDS, say_kind
from web.words.problems import say


@require_http_methods(["GET", "POST"])
@who_may(Verb.SEE_DESK, post=Verb.RULE)
def penalties(request: DeskRequest, event: Event) -> HttpResponse:
    """List the penalties, `?kind=` those of one kind, and give one by hand."""
    people = [(row.number, row.name) for row in list_players(event)]
    rounds = [row.number for row in list_rounds(event)]
    form = PenaltyForm(event, people, rounds, request.POST if request.method == "POST" else None)
    if form.is_valid() and _give(request, event, form):
        return redirect("desk:penalties", event.slug)
    rows, kind = list_penalties(event, load_tables(event)), request.GET.get("kind", "")
    shown = [row for row in rows if row.kind == kind] if kind in PenaltyKind.values else rows
    context = {
        "form": form,
        "rows": [{"row": row, "kind": say_kind(row.kind)} for row in reversed(shown)],
        "total": sum(row.points for row in shown if not row.cancelled),
        "kinds": _kinds(rows, kind),
        **panel_context(event, FoulDraft(), None, people=people),
    }
    page = desk_context(request, event, "penalties", **context)
    return render(request, "penalties/penalties.html", page, status=422 if form.is_bound else 200)


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
    return render(request, "penalties/penalty_cancel.html", context, status=422 if errors else 200)


def _kinds(rows: list[PenaltyRow], current: str) -> list[tuple[str, str, int, bool]]:
    """Return the kinds that occur, each with its word, how many there are, and whether it alone is shown."""
    counts = {kind: sum(row.kind == kind for row in rows) for kind in PenaltyKind}
    return [(kind, _(KINDS[kind][1]), count, kind == current) for kind, count in counts.items() if count]


def _what(penalty: Penalty) -> str:
    """Say what would be cancelled, by its points or by its kind."""
    if penalty.kind in (PenaltyKind.CHOMBO, PenaltyKind.DEAD_HAND) or not penalty.points:
        return _("the %(kind)s") % {"kind": say_kind(PenaltyKind(penalty.kind)).lower()}
    return _("%(points)s points") % {"points": points(penalty.points)}


def _give(request: DeskRequest, event: Event, form: PenaltyForm) -> bool:
    """Give the penalty of a valid form, once; where it cannot be, say why in the form."""
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
    if not form.says(penalty):
        form.send_anew()
        return False
    words = {"player": penalty.player.person, "points": points(penalty.points)}
    messages.success(request, _("%(player)s: %(points)s points off.") % words)
    return True
