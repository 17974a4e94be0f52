"""The list of players: add one, rename or remove one, import a file after a look at what was understood."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournament.imports.columns import Column, Grade
from tournament.imports.players import PlayerPreview, read_players
from tournament.models import Event, Player
from tournament.refusal import Refused
from tournament.selectors.players import list_added_last, list_names, list_players
from tournament.services.people import (
    add_players,
    remove_player,
    rename_player,
    return_player,
    set_ranked,
    set_team,
    take_players_back,
    withdraw_player,
)
from web.forms.players import PlayerForm, UploadForm, pack, unpack
from web.gateways import DeskRequest, for_organiser
from web.like_names import likes_of, warn_of_likes
from web.page_context import desk_context
from web.views.hands import to_int
from web.wording import COLUMN_WORDS, say

TEMPLATE_CSV = "Name,Country,Club,EMA number\nExample Player,GBR,Example Club,01020304\n"


@require_http_methods(["GET", "POST"])
@for_organiser
def players(request: DeskRequest, event: Event) -> HttpResponse:
    """List the players and add one."""
    form = PlayerForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            added = add_players(event=event, players=[form.new_player()], by=request.user)[0]
            messages.success(
                request, _("%(name)s is player %(number)d.") % {"name": added.person, "number": added.number}
            )
            warn_of_likes(request, event, added)
            return redirect("desk:players", event.slug)
        except Refused as refused:
            for problem in refused.problems:
                form.add_error(None, say(problem))
    context = _context(request, event, form=form, upload=UploadForm())
    return render(request, "desk/players.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@for_organiser
def import_players(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what was understood of a file, and add its players once confirmed; `GET` gives an empty list to fill in."""
    if request.method == "GET":
        answer = HttpResponse(TEMPLATE_CSV, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = 'attachment; filename="players.csv"'
        return answer
    if "confirmed" in request.POST:
        return _confirm(request, event, request.POST["confirmed"])
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(
            request, "desk/players.html", _context(request, event, form=PlayerForm(), upload=form), status=422
        )
    file = form.cleaned_data["file"]
    existing = [row.name for row in list_players(event)]
    preview = read_players(file.read(), file.name, existing=existing)
    return render(
        request, "desk/players_import.html", desk_context(request, event, "players", **_shown(event, preview))
    )


@require_http_methods(["GET", "POST"])
@for_organiser
def take_back(request: DeskRequest, event: Event) -> HttpResponse:
    """Ask, then take out again the players who were added last in one act: a list that was the wrong one."""
    everybody = list_players(event)
    last = list_added_last(event, everybody)
    rows = [row for row in everybody if row.number in last]
    if request.method == "POST":
        numbers = [to_int(text) for text in request.POST.getlist("number")]
        try:
            take_players_back(event=event, numbers=numbers, by=request.user)
            messages.success(request, _("The players who were added last are taken out."))
        except Refused as refused:
            for problem in refused.problems:
                messages.error(request, say(problem))
        return redirect("desk:players", event.slug)
    if not rows:
        return redirect("desk:players", event.slug)
    return render(request, "desk/players_back.html", desk_context(request, event, "players", rows=rows))


@require_http_methods(["GET", "POST"])
@for_organiser
def player(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Rename one player, rank them or not, or take one out before seats are drawn."""
    found = event.players.filter(number=number).select_related("person", "event").first()
    # a page that is sent twice, or late: numbers close up when somebody is taken out, and this one is another's by now
    if request.method == "POST" and request.POST.get("who", "") not in ("", str(found.pk if found else 0)):
        messages.error(request, _("The list has changed meanwhile: look at it, then choose again."))
        return redirect("desk:players", event.slug)
    if found is None:
        raise Http404("There is no such player.")
    if request.method == "POST":
        try:
            return _change(request, event, found)
        except Refused as refused:
            for problem in refused.problems:
                messages.error(request, say(problem))
            return redirect("desk:player", event.slug, number)
    public = found.seats.filter(round__published_at__isnull=False)
    open_list = not event.rounds.exists()
    context = {
        "player": found,
        # before seats are drawn a player is taken out, but not whom the register names
        "may_leave": not open_list or found.withdrawn_at is not None or found.penalties.exists(),
        "like": likes_of(sorted(list_names(event))).get(number, ""),
        "open_list": open_list,
        "seats": public.select_related("round", "table").order_by("round__number"),
    }
    return render(request, "desk/player.html", desk_context(request, event, "players", **context))


def _change(request: DeskRequest, event: Event, found: Player) -> HttpResponse:
    act, name = request.POST.get("act"), found.person.preferred_name
    if act in ("rank", "unrank"):
        set_ranked(player=found, ranked=act == "rank", reason=request.POST.get("reason", ""), by=request.user)
        said = _("%(name)s is ranked.") if act == "rank" else _("%(name)s is not ranked.")
        messages.success(request, said % {"name": name})
    elif act in ("withdraw", "return"):
        verb, reason = withdraw_player if act == "withdraw" else return_player, request.POST.get("reason", "")
        verb(player=found, reason=reason, by=request.user)
        said = _("%(name)s has left. No seat has moved.") if act == "withdraw" else _("%(name)s is back.")
        messages.success(request, said % {"name": name})
        return redirect("desk:player", event.slug, found.number)
    elif act == "team":
        set_team(player=found, team=request.POST.get("team", ""), by=request.user)
        messages.success(request, _("The team is changed."))
    elif act == "remove":
        remove_player(player=found, by=request.user)
        messages.success(request, _("%(name)s is taken out.") % {"name": name})
    else:
        rename_player(player=found, name=request.POST.get("name", ""), by=request.user)
        messages.success(request, _("The name is changed everywhere."))
    return redirect("desk:players", event.slug)


def _confirm(request: DeskRequest, event: Event, packed: str) -> HttpResponse:
    new = unpack(packed, event.slug)
    if new is None:
        messages.error(request, _("The preview is too old: choose the file again."))
        return redirect("desk:players", event.slug)
    try:
        add_players(event=event, players=new, by=request.user)
        added = ngettext("%(count)d player is added.", "%(count)d players are added.", len(new)) % {"count": len(new)}
        messages.success(request, added)
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, say(problem))
    return redirect("desk:players", event.slug)


def _context(request: HttpRequest, event: Event, **extra: Any) -> dict[str, Any]:
    rows, open_list = list_players(event), not event.rounds.exists()
    likes = likes_of((row.number, row.name) for row in rows)
    size = event.ruleset.players
    spare = len(rows) % size
    return desk_context(
        request,
        event,
        "players",
        rows=rows,
        listed=[{"row": row, "like": likes.get(row.number, "")} for row in rows],
        added_last=len(list_added_last(event, rows)) if open_list else 0,
        tables=len(rows) // size,
        spare=spare,
        missing=size - spare if spare else 0,
        open_list=open_list,
        **extra,
    )


def _shown(event: Event, preview: PlayerPreview) -> dict[str, Any]:
    """Return a preview in words, row by row, and signed where it can be confirmed."""
    return {
        "preview": preview,
        "columns": [_column(column) for column in preview.columns if column.heading],
        "file_errors": [say(problem) for problem in preview.problems if problem.severity == "error"],
        "file_warnings": [say(problem) for problem in preview.problems if problem.severity == "warning"],
        "drafts": [
            {
                "row": draft,
                "errors": [say(problem) for problem in draft.problems if problem.severity == "error"],
                "warnings": [say(problem) for problem in draft.problems if problem.severity == "warning"],
            }
            for draft in preview.drafts
        ],
        "packed": pack(preview, event.slug) if preview.is_sound else "",
        "wrong": sum(not draft.is_sound for draft in preview.drafts),
    }


def _column(column: Column) -> dict[str, Any]:
    """Return a column of a file with what it was taken for, and whether that was a guess."""
    return {
        "letter": column.letter,
        "heading": column.heading,
        "meaning": COLUMN_WORDS.get(column.meaning, column.meaning) if column.used else "",
        "guessed": column.used and column.grade < Grade.KNOWN,
    }
