"""Substitutes at the desk: put one in after a look at what it changes, name one, take one out, list them all."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.models import Event, Player, Seat, Substitution, Table
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.selectors.people.incidents import effect_with, effect_without, list_substitutions
from tournament.selectors.tables.tables import LoadedTable, get_table
from tournament.services.people.substitutions import (
    check_substitute,
    name_substitute,
    put_substitute_in,
    take_substitute_out,
)
from web.frame.page_context import current_round, desk_context
from web.frame.similar_names import like_of
from web.gateways import DeskRequest, who_may
from web.people.substitutes_form import SubstituteDraft, client_id_of, problems_of, read_draft, replacement_of
from web.people.substitutes_page import effect_context, form_context, list_context
from web.words.problems import say


@require_safe
@who_may(Verb.SEE_DESK)
def everywhere(request: DeskRequest, event: Event) -> HttpResponse:
    """List every substitute of the event; `?player=N` opens the table where that player sits now, or in `?round=R`."""
    now = current_round(event)
    wanted, player = request.GET.get("round", ""), request.GET.get("player", "")
    round_ = int(wanted[:4]) if _is_number(wanted) else (now.number if now else 0)
    if player:
        seat = _seat(event, round_, player)
        if seat:
            address = redirect("desk:substitutes", event.slug, round_, seat.table.number)
            address["Location"] += f"?player={seat.player.number}"
            return address
        messages.error(request, _("There is no such player in round %(number)d.") % {"number": round_})
    seats = Seat.objects.filter(round__event=event, round__number=round_, player__ranked=True)
    context = {
        "rows": list_context(event, list_substitutions(event)),
        "round_number": round_,
        "people": seats.order_by("player__number").values_list("player__number", "player__person__preferred_name"),
    }
    return render(request, "people/substitutes_all.html", desk_context(request, event, "desk", **context))


@require_http_methods(["GET", "POST"])
@who_may(Verb.SEE_DESK, post=Verb.SUBSTITUTE)
def at_table(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """List the substitutes of a table and put one in: first what it changes is shown, then it is confirmed."""
    loaded, table = _tables(event, round_number, table_number)
    if request.method != "POST":
        return _page(request, event, loaded, read_draft(request.GET))
    if request.POST.get("act") == "name":
        return _name(request, event, loaded)
    draft = read_draft(request.POST)
    errors = [say(problem) for problem in problems_of(draft, request.POST)]
    if errors or request.POST.get("act") == "edit":
        return _page(request, event, loaded, draft, errors)
    player = event.players.select_related("person").filter(number=draft.number).first()
    if player is None:
        raise Http404("There is no such player.")
    try:
        return _put_in(request, event, loaded, table, player, draft)
    except Refused as refused:
        return _page(request, event, loaded, draft, [say(problem) for problem in refused.problems])


@require_http_methods(["GET", "POST"])
@who_may(Verb.SUBSTITUTE)
def take_out(
    request: DeskRequest, event: Event, round_number: int, table_number: int, substitution_id: int
) -> HttpResponse:
    """Show what taking a substitute out changes, ask why, and do it; the row stays."""
    loaded, table = _tables(event, round_number, table_number)
    row = _row(event, table, str(substitution_id))
    errors: list[str] = []
    if request.method == "POST":
        try:
            take_substitute_out(substitution=row, reason=request.POST.get("reason", ""), by=request.user)
            messages.success(request, _("The game counts as %(name)s’s own again.") % {"name": row.player.person})
            return redirect("desk:substitutes", event.slug, round_number, table_number)
        except Refused as refused:
            errors = [say(problem) for problem in refused.problems]
    context = {
        "row": row,
        "table": loaded,
        "errors": errors,
        "effect": effect_context(effect_without(event, loaded, row.player.number)),
    }
    page = desk_context(request, event, "desk", **context)
    return render(request, "people/substitutes_out.html", page, status=422 if errors else 200)


def _put_in(
    request: DeskRequest, event: Event, loaded: LoadedTable, table: Table, player: Player, draft: SubstituteDraft
) -> HttpResponse:
    """Show what a draft changes, or write it where that was seen; raises Refused."""
    replacement = replacement_of(draft)
    if request.POST.get("act") != "put":
        check_substitute(table=table, player=player, replacement=replacement)
        effect = effect_context(effect_with(event, loaded, player.number, replacement.when))
        like = like_of(event, replacement.name)
        context = {"table": loaded, "draft": draft, "player": player, "effect": effect, "like": like}
        return render(request, "people/substitutes_look.html", desk_context(request, event, "desk", **context))
    put_substitute_in(
        table=table, player=player, replacement=replacement, client_id=client_id_of(draft), by=request.user
    )
    messages.success(request, _("%(name)s is replaced.") % {"name": player.person})
    return redirect("desk:substitutes", event.slug, loaded.round, loaded.number)


def _name(request: DeskRequest, event: Event, loaded: LoadedTable) -> HttpResponse:
    row = _row(event, Table(pk=loaded.id), request.POST.get("id", ""))
    try:
        name_substitute(substitution=row, name=request.POST.get("name", ""), by=request.user)
        messages.success(request, _("The name is changed everywhere."))
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, say(problem))
    return redirect("desk:substitutes", event.slug, loaded.round, loaded.number)


def _page(
    request: DeskRequest, event: Event, loaded: LoadedTable, draft: SubstituteDraft, errors: list[str] | None = None
) -> HttpResponse:
    context = {
        "table": loaded,
        "errors": errors or [],
        "rows": list_context(event, list_substitutions(event, loaded)),
        **form_context(event, loaded, draft),
    }
    page = desk_context(request, event, "desk", **context)
    return render(request, "people/substitutes.html", page, status=422 if errors else 200)


def _tables(event: Event, round_number: int, table_number: int) -> tuple[LoadedTable, Table]:
    """Return a table as it is read and as it is written; raises Http404."""
    loaded = get_table(event, round_number, table_number)
    if loaded is None:
        raise Http404("There is no such table.")
    return loaded, Table.objects.select_related("round__event").get(pk=loaded.id)


def _row(event: Event, table: Table, number: str) -> Substitution:
    rows = Substitution.objects.filter(event=event, table=table.pk, pk=int(number) if _is_number(number) else 0)
    row = rows.select_related("event", "player__person", "substitute__person").first()
    if row is None:
        raise Http404("There is no such substitute.")
    return row


def _seat(event: Event, round_: int, player: str) -> Seat | None:
    number = int(player) if _is_number(player) else 0
    seats = Seat.objects.filter(round__event=event, round__number=round_, player__number=number)
    return seats.select_related("table", "player").first()


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6
