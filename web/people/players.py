"""The list of players: add, rename, rank or remove one, remove those who were added last."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from tournament.models import Event, Player
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.selectors.people.players import list_added_last, list_names, list_players
from tournament.services.people.people import (
    NewPlayer,
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
from web.frame.tables import UNPROCESSABLE, flash_problems, to_int
from web.gateways import DeskRequest, who_may
from web.words.problems import say


class PlayerForm(forms.Form):
    """One player as typed."""

    preferred_name = forms.CharField(label=gettext_lazy("Name"), max_length=60)
    club = forms.CharField(label=gettext_lazy("Club"), max_length=80, required=False)
    team = forms.CharField(label=gettext_lazy("Team"), max_length=80, required=False)
    country = forms.RegexField(
        label=gettext_lazy("Country"),
        regex="^[A-Za-z]{3}$",
        required=False,
        help_text=gettext_lazy("three letters, GBR"),
        error_messages={"invalid": gettext_lazy("A country is three letters, as in GBR.")},
    )
    ema_number = forms.RegexField(
        label=gettext_lazy("EMA number"),
        regex="^[0-9]{8}$",
        required=False,
        help_text=gettext_lazy("eight digits"),
        error_messages={"invalid": gettext_lazy("An EMA number has eight digits.")},
    )

    def new_player(self) -> NewPlayer:
        """Return what was typed."""
        return NewPlayer(**{**self.cleaned_data, "country": self.cleaned_data["country"].upper()})


class UploadForm(forms.Form):
    """A list of players as a file."""

    file = forms.FileField(
        label=gettext_lazy("List of players"), help_text=gettext_lazy("xlsx or csv, one row a player")
    )


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
    rows, open_list, size = list_players(event), not event.rounds.exists(), event.ruleset.players
    likes = likes_of((row.number, row.name) for row in rows)
    spare = len(rows) % size
    context = {
        "rows": [(row, likes.get(row.number, "")) for row in rows],
        "added_last": len(list_added_last(event, rows)) if open_list else 0,
        "tables": len(rows) // size,
        "spare": spare,
        "missing": size - spare if spare else 0,
        "open_list": open_list,
        "form": form,
        "upload": UploadForm(),
    }
    page = desk_context(request, event, "players", **context)
    return render(request, "people/players.html", page, status=UNPROCESSABLE if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
def take_back(request: DeskRequest, event: Event) -> HttpResponse:
    """Ask, then remove the players of the last act that added any, as a wrong list."""
    everybody = list_players(event)
    last = list_added_last(event, everybody)
    rows = [row for row in everybody if row.number in last]
    if request.method == "POST":
        numbers = [to_int(text) for text in request.POST.getlist("number")]
        try:
            remove_last_players(event=event, numbers=numbers, by=request.user)
            messages.success(request, _("The players who were added last are taken out."))
        except Refused as refused:
            flash_problems(request, refused)
        return redirect("desk:players", event.slug)
    if not rows:
        return redirect("desk:players", event.slug)
    return render(request, "people/players_back.html", desk_context(request, event, "players", rows=rows))


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
def player(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Rename one player, rank them or not, or take one out before seats are drawn."""
    found = event.players.filter(number=number).select_related("person", "event").first()
    # numbers close up when a player is removed: a page sent twice, or late, would change another player
    if request.method == "POST" and request.POST.get("who", "") not in ("", str(found.pk if found else 0)):
        messages.error(request, _("The list has changed meanwhile: look at it, then choose again."))
        return redirect("desk:players", event.slug)
    if found is None:
        raise Http404("There is no such player.")
    if request.method == "POST":
        try:
            return _change(request, event, found)
        except Refused as refused:
            flash_problems(request, refused)
            return redirect("desk:player", event.slug, number)
    public = found.seats.filter(round__published_at__isnull=False)
    open_list = not event.rounds.exists()
    context = {
        "player": found,
        # before seats are drawn a player is removed instead, except one who has a penalty
        "may_leave": not open_list or found.withdrawn_at is not None or found.penalties.exists(),
        "like": likes_of(sorted(list_names(event))).get(number, ""),
        "open_list": open_list,
        "disqualified": found.disqualifications.filter(cancelled_at=None).exists(),
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
