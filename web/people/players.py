"""The list of players: add one, rename or remove one, take those back who were added last."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.models import Event, Player
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.selectors.people.players import list_added_last, list_names, list_players
from tournament.services.people.people import (
    add_players,
    remove_last_players,
    remove_player,
    rename_player,
    return_player,
    set_ranked,
    set_team,
    withdraw_player,
)
from web.frame.page_context import desk_context
from web.frame.similar_names import likes_of, warn_of_likes
from web.frame.tables import to_int
from web.gateways import DeskRequest, who_may
from web.people.players_form import PlayerForm, UploadForm
from web.words.problems import say


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
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
    return render(request, "people/players.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
def take_back(request: DeskRequest, event: Event) -> HttpResponse:
    """Ask, then take out again the players who were added last in one act: a list that was the wrong one."""
    everybody = list_players(event)
    last = list_added_last(event, everybody)
    rows = [row for row in everybody if row.number in last]
    if request.method == "POST":
        numbers = [to_int(text) for text in request.POST.getlist("number")]
        try:
            remove_last_players(event=event, numbers=numbers, by=request.user)
            messages.success(request, _("The players who were added last are taken out."))
        except Refused as refused:
            for problem in refused.problems:
                messages.error(request, say(problem))
        return redirect("desk:players", event.slug)
    if not rows:
        return redirect("desk:players", event.slug)
    return render(request, "people/players_back.html", desk_context(request, event, "players", rows=rows))


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
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
    return render(request, "people/player.html", desk_context(request, event, "players", **context))


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
