"""Substitutes: show what a replacement changes, put a substitute in, rename or remove one, list them all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.problems import Problem, ProblemType, shown
from tournament.core.errors import FORM_STALE, Refused
from tournament.core.rights import Verb
from tournament.events.models import Event
from tournament.incidents.actions import (
    Replacement,
    check_substitute,
    name_substitute,
    put_substitute_in,
    take_substitute_out,
)
from tournament.incidents.models import Substitution
from tournament.incidents.queries import (
    RankMove,
    SubstituteEffect,
    SubstitutionRow,
    effect_with,
    effect_without,
    list_substitutions,
)
from tournament.pages.forms import like_of, likes_of
from tournament.pages.permissions import DeskRequest, current_round, desk_context, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_problems, load_or_404, row_of
from tournament.players.models import Player
from tournament.players.queries import list_players
from tournament.tables.messages import say_since
from tournament.tables.models import Seat
from tournament.tables.queries import LoadedTable
from tournament.text.numbers import ordinal_place
from tournament.text.problems import say

SUBSTITUTE_PLAYER_MISSING = ProblemType("substitute.player_missing", "Choose who is replaced.")
SUBSTITUTE_WHEN_MISSING = ProblemType(
    "substitute.when_missing", "Choose when the substitute came in: before the game, or during it."
)
SUBSTITUTE_HAND_NOT_A_NUMBER = ProblemType("substitute.hand_not_a_number", "'{value}' is not the number of a hand.")


@dataclass(frozen=True, slots=True)
class SubstituteDraft:
    """The form's fields as typed."""

    client_id: str
    player: str = ""
    name: str = ""
    when: str = ""
    hand: str = ""
    reason: str = ""
    later: bool = False

    @property
    def number(self) -> int:
        """The number of the replaced player, 0 if none is chosen."""
        return int(self.player) if _is_number(self.player) else 0

    @property
    def replacement(self) -> Replacement:
        """The replacement that a draft without problems asks for."""
        during = self.when == "during"
        return Replacement(
            when="during" if during else "before",
            reason=self.reason,
            name=self.name,
            hand=int(self.hand) if during and self.hand else None,
            later=self.later,
        )


def read_draft(data: Mapping[str, str]) -> SubstituteDraft:
    """Read the form; a missing or invalid client ID becomes a new one."""
    given = data.get("client_id", "")
    return SubstituteDraft(
        client_id=given if _is_uuid(given) else str(uuid4()),
        player=data.get("player", ""),
        name=data.get("name", "")[:200],
        when=data.get("when", ""),
        hand=data.get("hand", "").strip()[:20],
        reason=data.get("reason", "")[:300],
        later=bool(data.get("later")),
    )


def problems_of(draft: SubstituteDraft, data: Mapping[str, str]) -> list[Problem]:
    """List the problems of a draft that do not need the event."""
    found = []
    if not _is_uuid(data.get("client_id", "")):
        found.append(FORM_STALE())
    if not draft.number:
        found.append(SUBSTITUTE_PLAYER_MISSING())
    if draft.when not in ("before", "during"):
        found.append(SUBSTITUTE_WHEN_MISSING())
    if draft.when == "during" and draft.hand and not _is_number(draft.hand):
        found.append(SUBSTITUTE_HAND_NOT_A_NUMBER(value=shown(draft.hand)))
    return found


@require_safe
@who_may(Verb.SEE_DESK)
def everywhere(request: DeskRequest, event: Event) -> HttpResponse:
    """List all substitutes; `?player=N` redirects to that player's table now, or in `?round=R`."""
    now = current_round(event)
    wanted, player = request.GET.get("round", ""), request.GET.get("player", "")
    round_ = int(wanted[:4]) if _is_number(wanted) else (now.number if now else 0)
    seats = Seat.objects.filter(round__event=event, round__number=round_)
    if player:
        found = seats.filter(player__number=int(player) if _is_number(player) else 0)
        seat = found.select_related("table", "player").first()
        if seat:
            address = redirect("desk:substitutes", event.slug, round_, seat.table.number)
            address["Location"] += f"?player={seat.player.number}"
            return address
        messages.error(request, _("There is no such player in round %(number)d.") % {"number": round_})
    ranked = seats.filter(player__ranked=True).order_by("player__number")
    context = {
        "rows": _list_rows(event),
        "round_number": round_,
        "people": ranked.values_list("player__number", "player__person__preferred_name"),
    }
    return render(request, "incidents/substitutes_all.html", desk_context(request, event, "desk", **context))


@require_http_methods(["GET", "POST"])
@who_may(Verb.SEE_DESK, post=Verb.SUBSTITUTE)
def at_table(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """List the substitutes of a table and put one in, after showing what it changes."""
    table = load_or_404(event, round_number, table_number)
    if request.method != "POST":
        return _page(request, event, table, read_draft(request.GET))
    if request.POST.get("act") == "name":
        return _rename(request, event, table)
    draft = read_draft(request.POST)
    errors = [say(problem) for problem in problems_of(draft, request.POST)]
    if errors or request.POST.get("act") == "edit":
        return _page(request, event, table, draft, errors)
    player = event.players.select_related("person").filter(number=draft.number).first()
    if player is None:
        raise Http404("There is no such player.")
    try:
        return _put_in(request, event, table, player, draft)
    except Refused as refused:
        return _page(request, event, table, draft, [say(problem) for problem in refused.problems])


@require_http_methods(["GET", "POST"])
@who_may(Verb.SUBSTITUTE)
def take_out(
    request: DeskRequest, event: Event, round_number: int, table_number: int, substitution_id: int
) -> HttpResponse:
    """Show what removing a substitute changes, ask why, and do it; the row stays."""
    table = load_or_404(event, round_number, table_number)
    row = _row_or_404(event, table, str(substitution_id))
    errors: list[str] = []
    if request.method == "POST":
        try:
            take_substitute_out(substitution=row, reason=request.POST.get("reason", ""), by=request.user)
            messages.success(request, _("The game counts as %(name)s’s own again.") % {"name": row.player.person})
            return redirect("desk:substitutes", event.slug, round_number, table_number)
        except Refused as refused:
            errors = [say(problem) for problem in refused.problems]
    effect = effect_context(effect_without(event, table, row.player.number))
    page = desk_context(request, event, "desk", row=row, table=table, errors=errors, effect=effect)
    return render(request, "incidents/substitutes_out.html", page, status=UNPROCESSABLE if errors else 200)


def effect_context(effect: SubstituteEffect) -> dict[str, Any]:
    """Return the context of incidents/substitutes_effect.html."""
    return {
        "seats": effect.seats,
        "moves": ranked_moves(effect.moves),
        "counts": effect.counts,
        "penalised": any(change.before.penalty or change.after.penalty for change in effect.seats),
    }


def ranked_moves(moves: Iterable[RankMove]) -> list[tuple[RankMove, str]]:
    """Return each changed line of the ranking with its rank in words, as "2nd → 3rd" if that changes."""
    found = []
    for move in moves:
        before = ordinal_place(move.rank_before, move.shared_before)
        after = ordinal_place(move.rank_after, move.shared_after)
        rank = before if before == after else _("%(before)s → %(after)s") % {"before": before, "after": after}
        found.append((move, rank))
    return found


def _put_in(
    request: DeskRequest, event: Event, table: LoadedTable, player: Player, draft: SubstituteDraft
) -> HttpResponse:
    """Show what a draft changes, or write it once that was shown; raises Refused."""
    row, replacement = row_of(table), draft.replacement
    if request.POST.get("act") != "put":
        check_substitute(table=row, player=player, replacement=replacement)
        effect = effect_context(effect_with(event, table, player.number, replacement.when))
        like = like_of(event, replacement.name)
        context = {"table": table, "draft": draft, "player": player, "effect": effect, "like": like}
        return render(request, "incidents/substitutes_look.html", desk_context(request, event, "desk", **context))
    put_substitute_in(
        table=row, player=player, replacement=replacement, client_id=UUID(draft.client_id), by=request.user
    )
    messages.success(request, _("%(name)s is replaced.") % {"name": player.person})
    return redirect("desk:substitutes", event.slug, table.round, table.number)


def _rename(request: DeskRequest, event: Event, table: LoadedTable) -> HttpResponse:
    row = _row_or_404(event, table, request.POST.get("id", ""))
    try:
        name_substitute(substitution=row, name=request.POST.get("name", ""), by=request.user)
        messages.success(request, _("The name is changed everywhere."))
    except Refused as refused:
        flash_problems(request, refused)
    return redirect("desk:substitutes", event.slug, table.round, table.number)


def _page(
    request: DeskRequest, event: Event, table: LoadedTable, draft: SubstituteDraft, errors: list[str] | None = None
) -> HttpResponse:
    replaced = {each.number for each in table.substitutes}
    people = list_players(event)
    likes = likes_of((row.number, row.name) for row in people)
    free = [seat for seat in table.seats if seat.ranked and seat.number not in replaced]
    context = {
        "table": table,
        "errors": errors or [],
        "rows": _list_rows(event, table),
        "draft": draft,
        "seats": [(seat, likes.get(seat.number, "")) for seat in free],
        "reserves": [row.name for row in people if not row.ranked],
        "next_hand": len(table.game.hands) + 1,
    }
    page = desk_context(request, event, "desk", **context)
    return render(request, "incidents/substitutes.html", page, status=UNPROCESSABLE if errors else 200)


def _list_rows(event: Event, table: LoadedTable | None = None) -> list[tuple[SubstitutionRow, str]]:
    """Return the rows of incidents/substitutes.html#list: each substitution and since when, in words."""
    return [(row, say_since(row.when, row.hand)) for row in list_substitutions(event, table)]


def _row_or_404(event: Event, table: LoadedTable, number: str) -> Substitution:
    rows = Substitution.objects.filter(event=event, table=table.id, pk=int(number) if _is_number(number) else 0)
    row = rows.select_related("event", "player__person", "substitute__person").first()
    if row is None:
        raise Http404("There is no such substitute.")
    return row


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
