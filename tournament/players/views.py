"""The list of players: search, add, change or remove one, undo an import; and the check-in before a round."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy
from django.views.decorators.http import require_http_methods

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.errors import FORM_STALE, DomainError
from tournament.core.limits import MAX_NAME, MAX_REASON, MAX_TEAM
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.forms import FileForm, SettingsForm, add_problems, likes_of, warn_of_likes
from tournament.pages.lists import ListColumn, ListTable
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import (
    MAX_QUERY_LENGTH,
    UNPROCESSABLE,
    SentAct,
    answer_acts,
    flash_problems,
    flash_refusal,
    to_int,
    wants_json,
)
from tournament.people.queries import count_offers
from tournament.players.actions import (
    MAX_LETTERS,
    NewPlayer,
    add_players,
    change_player,
    check_in,
    player_facts,
    remove_last_players,
    remove_player,
)
from tournament.players.models import Player
from tournament.players.queries import PlayerRow, get_presence, list_added_last, list_players
from tournament.publication.names import list_names
from tournament.text.names import alphabetical, find_country, fold, matches, search_text
from tournament.text.problems import problem_text

CODE_LETTERS = 3


class PlayerForm(forms.Form):
    """One player as typed, with what a new one needs."""

    preferred_name = forms.CharField(label=gettext_lazy("Display name"), max_length=MAX_NAME)
    country = forms.CharField(
        label=gettext_lazy("Country"), max_length=60, required=False, help_text=gettext_lazy("name or code: Japan, JPN")
    )
    club = forms.CharField(label=gettext_lazy("Club"), max_length=MAX_LETTERS["club"], required=False)
    ema_number = forms.RegexField(
        label=gettext_lazy("EMA number"),
        regex="^[0-9]{8}$",
        required=False,
        help_text=gettext_lazy("eight digits"),
        error_messages={"invalid": gettext_lazy("An EMA number has eight digits.")},
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    team = forms.CharField(label=gettext_lazy("Team"), max_length=MAX_TEAM, required=False)
    minor = forms.BooleanField(label=gettext_lazy("Is a minor"), required=False)

    def clean_country(self) -> str:
        """Read a country's name or code; a code of three letters stays where no list knows it."""
        typed: str = self.cleaned_data["country"].strip()
        known = find_country(typed) if typed else ""
        if known is not None:
            return known
        if len(typed) == CODE_LETTERS and typed.isascii() and typed.isalpha():
            return typed.upper()
        raise forms.ValidationError(_("This country is not known: write its name in English, or a code such as GBR."))

    def new_player(self) -> NewPlayer:
        """Return what was typed."""
        known = {each.name: self.cleaned_data[each.name] for each in fields(NewPlayer) if each.name in self.fields}
        return NewPlayer(**known)


class ChangeForm(SettingsForm, PlayerForm):
    """All that is known of a player."""

    legal_name = forms.CharField(
        label=gettext_lazy("Legal name"),
        max_length=MAX_LETTERS["legal_name"],
        required=False,
        help_text=gettext_lazy("for the federation’s list; public pages never show it"),
    )
    shown_by_name = forms.BooleanField(label=gettext_lazy("Public pages show the name"), required=False)
    filmed = forms.BooleanField(label=gettext_lazy("May be in photos and in a stream"), required=False)
    guardian = forms.CharField(
        label=gettext_lazy("Guardian"),
        max_length=MAX_LETTERS["guardian"],
        required=False,
        help_text=gettext_lazy("of a minor: who agreed to name and pictures; until then both are hidden"),
    )
    guardian_consent_on = forms.DateField(
        label=gettext_lazy("Guardian agreed on"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    ranked = forms.BooleanField(label=gettext_lazy("Has a place in the ranking"), required=False)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON,
        required=False,
        help_text=gettext_lazy("needed once play has begun, where the ranking changes"),
    )
    field_order = (
        "preferred_name", "legal_name", "country", "club", "ema_number", "team",
        "shown_by_name", "filmed", "ranked", "minor", "guardian", "guardian_consent_on", "reason",
    )  # fmt: skip


class UploadForm(FileForm):
    """A list of players as a file, or pasted."""

    file = forms.FileField(
        label=gettext_lazy("List of players"), help_text=gettext_lazy("xlsx or csv, one row per player"), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["pasted"].help_text = gettext_lazy("Names only, or one row per player with country and more.")


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PLAYERS)
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
        except DomainError as refused:
            add_problems(form, refused, FIELD_OF)
    rows, open_list, size = list_players(event), event.is_open or not event.rounds.exists(), event.ruleset.players
    likes = likes_of((row.number, row.name) for row in rows)
    spare = 0 if event.is_open else len(rows) % size  # who does not play yet waits for a next table
    found, absent = _found(rows, request.GET), get_presence(event).absent
    listed = [Listed(row, likes.get(row.number, ""), row.number in absent) for row in found["rows"]]
    table = PlayersTable(listed, request)
    if file := table.file(event.name):
        return file
    context = {
        **found,
        "table": table,
        "everybody": len(rows),
        "added_last": len(list_added_last(event, rows)) if open_list else 0,
        "tables": len(rows) // size,
        "spare": spare,
        "missing": size - spare if spare else 0,
        "open_list": open_list,
        "offers": count_offers(event, request.user),
        "form": form,
        "upload": UploadForm(),
    }
    page = desk_context(request, event, "players", **context)
    return render(request, "players/players.html", page, status=UNPROCESSABLE if form.is_bound else 200)


# what a row can lack or be, by its name in the address
FILTERS: Mapping[str, Callable[[PlayerRow], bool]] = {
    "country": lambda row: not row.country,
    "club": lambda row: not row.club,
    "ema": lambda row: not row.ema_number,
    "unranked": lambda row: not row.ranked and not row.disqualified,
    "withdrawn": lambda row: row.withdrawn,
    "disqualified": lambda row: bool(row.disqualified),
}
FILTER_WORDS = {
    "country": ngettext_lazy("%(count)d without country", "%(count)d without country", "count"),
    "club": ngettext_lazy("%(count)d without club", "%(count)d without club", "count"),
    "ema": ngettext_lazy("%(count)d without EMA number", "%(count)d without EMA number", "count"),
    "unranked": ngettext_lazy("%(count)d not ranked", "%(count)d not ranked", "count"),
    "withdrawn": ngettext_lazy("%(count)d withdrawn", "%(count)d withdrawn", "count"),
    "disqualified": ngettext_lazy("%(count)d disqualified", "%(count)d disqualified", "count"),
}


@dataclass(frozen=True, slots=True)
class Listed:
    """A player of the list, with the players of a similar name in words, and whether check-in misses them."""

    row: PlayerRow
    like: str
    absent: bool


class PlayersTable(ListTable):
    """The players as they are listed; the legal name and the team are in the file alone."""

    title = gettext_lazy("Players")
    number = ListColumn(gettext_lazy("No."), value=lambda each: each.row.number, kind="count")
    name = ListColumn(
        gettext_lazy("Name"),
        value=lambda each: each.row.name,
        sort=lambda each: alphabetical(each.row.name),
        cell="players/players.html#name",
    )
    legal_name = ListColumn(gettext_lazy("Legal name"), value=lambda each: each.row.legal_name, on_screen=False)
    country = ListColumn(
        gettext_lazy("Country"),
        value=lambda each: each.row.country,
        sort=lambda each: (each.row.country, alphabetical(each.row.name)) if each.row.country else None,
    )
    club = ListColumn(
        gettext_lazy("Club"),
        value=lambda each: each.row.club,
        sort=lambda each: (alphabetical(each.row.club), alphabetical(each.row.name)) if each.row.club else None,
        css="on-wide",
    )
    team = ListColumn(gettext_lazy("Team"), value=lambda each: each.row.team, on_screen=False)
    ema = ListColumn(gettext_lazy("EMA number"), value=lambda each: each.row.ema_number, css="is-num num")

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "people"}
        order_by = "number"


def _found(rows: Sequence[PlayerRow], asked: QueryDict) -> dict[str, Any]:
    """Return the rows that an address asks for by `q` and `only`, with the links to other ones."""
    query, only, sort = asked.get("q", "")[:MAX_QUERY_LENGTH], asked.get("only", ""), asked.get("sort", "")
    only = only if only in FILTERS else ""
    found = [row for row in rows if _is_found(row, query) and (not only or FILTERS[only](row))]

    def link(**other: str) -> str:
        kept = {"q": query, "only": only, "sort": sort} | other
        return "?" + urlencode({name: value for name, value in kept.items() if value})

    counts = {key: sum(map(fits, rows)) for key, fits in FILTERS.items()}
    return {
        "rows": found,
        "query": query,
        "only": only,
        "sort": sort,
        "filters": [
            {
                "label": FILTER_WORDS[key] % {"count": count},
                "current": key == only,
                "url": link(only="" if key == only else key),
            }
            for key, count in counts.items()
            if (0 < count < len(rows)) or key == only or (count and key == "country")
        ],
    }


LEAST_DIGITS = 3  # of an EMA number that is searched: one or two are those of the list


def _is_found(row: PlayerRow, query: str) -> bool:
    """Tell whether each word of a query is in what the list shows of a player, or it is part of the EMA number."""
    shown, typed = (row.name, row.legal_name, row.club, row.country, row.team), query.strip()
    return matches(query, " ".join(shown), row.number) or (len(typed) >= LEAST_DIGITS and typed in row.ema_number)


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PLAYERS)
def take_back(request: DeskRequest, event: Event) -> HttpResponse:
    """Ask, then remove the players of the last act that added any, as a wrong list."""
    everybody = list_players(event)
    last = list_added_last(event, everybody)
    rows = [row for row in everybody if row.number in last]
    if request.method == "POST":
        numbers = [to_int(text) for text in request.POST.getlist("number")]
        with flash_refusal(request):
            remove_last_players(event=event, numbers=numbers, by=request.user)
            messages.success(request, _("The players who were added last are taken out."))
        return redirect("desk:players", event.slug)
    if not rows:
        return redirect("desk:players", event.slug)
    return render(request, "players/players_back.html", desk_context(request, event, "players", rows=rows))


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PLAYERS)
def player(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Rename one player, rank them or not, or take one out before seats are drawn."""
    found = event.players.filter(number=number).select_related("person", "event").first()
    # numbers close up when a player is removed: a page sent twice, or late, would change another player
    if request.method == "POST" and request.POST.get("who", "") not in ("", str(found.pk if found else 0)):
        messages.error(request, _("The list has changed meanwhile: check it, then choose again."))
        return redirect("desk:players", event.slug)
    if found is None:
        raise Http404("There is no such player.")
    known = {**asdict(player_facts(found)), "ranked": found.ranked}
    changed = (
        ChangeForm(request.POST, initial=known) if request.method == "POST" and "act" not in request.POST else None
    )
    if request.method == "POST":
        try:
            if changed is None or changed.is_valid():
                return _save(request, event, found, changed) if changed else _change(request, event, found)
        except DomainError as refused:
            if changed is None:
                flash_problems(request, refused)
                return redirect("desk:player", event.slug, number)
            add_problems(changed, refused, FIELD_OF)
    public = found.seats.filter(round__published_at__isnull=False)
    open_list = not event.rounds.exists()
    context = {
        "player": found,
        "form": changed or ChangeForm(initial=known),
        # before seats are drawn a player is removed instead, except one who has a penalty
        "may_leave": not open_list or found.withdrawn_at is not None or found.penalties.exists(),
        "like": likes_of(sorted(list_names(event))).get(number, ""),
        "absent": number in get_presence(event).absent,
        "open_list": open_list,
        "disqualified": found.disqualifications.filter(cancelled_at=None).exists(),
        "seats": public.select_related("round", "table").order_by("round__number"),
    }
    page = desk_context(request, event, "players", **context)
    return render(request, "players/player.html", page, status=UNPROCESSABLE if changed else 200)


# beside which field of the form a refusal stands
FIELD_OF = {
    "players.name_missing": "preferred_name",
    "players.name_taken": "preferred_name",
    "players.team_too_long": "team",
    "players.ema_number": "ema_number",
    "players.ranking_reason_missing": "reason",
    "players.is_substitute": "ranked",
    "players.disqualified": "ranked",
}


def _save(request: DeskRequest, event: Event, found: Player, form: ChangeForm) -> HttpResponse:
    to, typed = form.new_player(), form.cleaned_data
    if change_player(player=found, to=to, ranked=typed["ranked"], reason=typed["reason"], by=request.user):
        messages.success(request, _("%(name)s is saved.") % {"name": to.preferred_name})
        if to.unguarded:
            messages.info(request, _("No guardian has agreed yet: public pages show the number, and no pictures."))
    else:
        messages.info(request, _("Nothing was changed."))
    return redirect("desk:players", event.slug)


def _change(request: DeskRequest, event: Event, found: Player) -> HttpResponse:
    if request.POST["act"] != "remove":
        raise DomainError(FORM_STALE())  # an older page left and came back here
    name = found.person.preferred_name
    remove_player(player=found, by=request.user)
    messages.success(request, _("%(name)s is taken out.") % {"name": name})
    return redirect("desk:players", event.slug)


CHECK_IN_NO_PLAYER = ProblemType("check_in.no_player", "There is no such player.")

SHOWS = ("all", "missing", "here")


@require_http_methods(["GET", "POST"])
@who_may(Right.SEE_DESK, post=Right.CHECK_IN)
def page(request: DeskRequest, event: Event) -> HttpResponse:
    """Show who is here; `?show=missing|here` and `?q=` narrow the list, `?last=N` is the player ticked last.

    `?keep=N,N…` are the players ticked on this page, which stay in the list. A POST for JSON is `answer_acts`: each act
    has `here=N` or `gone=N` and the `who` of the row.
    """
    if request.method == "POST":
        return (
            answer_acts(request, partial(_tick_sent, event, request.user))
            if wants_json(request)
            else _tick(request, event)
        )
    context = _context(event, request.GET)
    part = "#check-in" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"players/check_in.html{part}", desk_context(request, event, "players", **context))


def _tick(request: DeskRequest, event: Event) -> HttpResponse:
    """Tick or untick the player whose row was tapped, or the one that the typed letters find."""
    show = request.POST.get("show", "")
    if "q" in request.POST and not {"here", "gone"} & set(request.POST):
        query = request.POST["q"][:MAX_QUERY_LENGTH]
        found = _find(_rows(event, show), query) if query.strip() else []
        if len(found) != 1:
            return _back(event, show, q=query)
        number, here = found[0].number, True
    else:
        here = "here" in request.POST
        number = to_int(request.POST.get("here" if here else "gone"))
        if _has_closed_up(request, event):
            messages.error(request, _("Somebody was taken out, and numbers moved up: tap the name once more."))
            return _back(event, show)
    player = event.players.select_related("event").filter(number=number).first()
    if player is None:
        messages.error(request, problem_text(CHECK_IN_NO_PLAYER()))
        return _back(event, show)
    try:
        check_in(player=player, here=here, by=request.user)
    except DomainError as refused:
        flash_problems(request, refused)
        return _back(event, show)
    return _back(event, show, last=str(number))


def _tick_sent(event: Event, by: Account, act: SentAct) -> None:
    """Tick or untick as an act says: `who` is the row's player, whatever the number is by now."""
    player = event.players.select_related("event").filter(pk=to_int(act.fields.get("who"))).first()
    if player is None:
        raise DomainError(CHECK_IN_NO_PLAYER())
    check_in(player=player, here="here" in act.fields, client_id=act.client_id, by=by)


def _has_closed_up(request: DeskRequest, event: Event) -> bool:
    """Tell whether players left since the page was shown: before the draw, numbers then move to other players."""
    listed = to_int(request.POST.get("listed"))
    return not event.rounds.exists() and event.players.filter(withdrawn_at=None).count() < listed


def _back(event: Event, show: str, **query: str) -> HttpResponse:
    query = {"show": show if show in SHOWS[1:] else "", **query}
    kept = urlencode({key: value for key, value in query.items() if value.strip()})
    return redirect(reverse("desk:check_in", args=[event.slug]) + (f"?{kept}" if kept else ""))


def _rows(event: Event, show: str) -> list[PlayerRow]:
    """List the players to tick by name, narrowed by the filter."""
    rows = sorted((row for row in list_players(event) if not row.withdrawn), key=lambda row: fold(row.name))
    return [row for row in rows if _is_shown(row, show)]


def _is_shown(row: PlayerRow, show: str) -> bool:
    return show not in SHOWS[1:] or row.here == (show == "here")


def _find(rows: list[PlayerRow], query: str) -> list[PlayerRow]:
    """Return the player with this number, else those whose names have the words of a query."""
    typed = query.strip()
    return [row for row in rows if typed == str(row.number)] or [
        row for row in rows if matches(query, row.name, row.number)
    ]


def _context(event: Event, asked: Mapping[str, str]) -> dict[str, Any]:
    show, query, last, kept = (asked.get(name, "") for name in ("show", "q", "last", "keep"))
    everybody = _rows(event, "")
    here = sum(row.here for row in everybody)
    newest = next((row for row in everybody if str(row.number) == last), None)
    # players who were ticked on this page stay in the list, so that no other row moves under the finger
    stay = {last, *kept.split(",")}
    listed = [row for row in everybody if str(row.number) in stay or _is_shown(row, show)]
    found = _find(listed, query) if query.strip() else listed
    counts = {"all": len(everybody), "missing": len(everybody) - here, "here": here}
    words = {"all": _("Everybody"), "missing": _("Not here"), "here": _("Here")}
    likes = likes_of((row.number, row.name) for row in everybody)
    return {
        "rows": [{"row": row, "fold": search_text(row.name), "like": likes.get(row.number, "")} for row in found],
        "newest_like": likes.get(newest.number, "") if newest else "",
        "here": here,
        "players": len(everybody),
        "newest": newest,
        "query": query[:MAX_QUERY_LENGTH],
        "show": show if show in SHOWS else "all",
        "shows": [{"key": key, "label": words[key], "count": counts[key]} for key in SHOWS],
        "open_list": not event.rounds.exists(),
    }
