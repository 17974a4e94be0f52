"""Who pays for a foul at a replaced seat: the substitute who did it, or by a written act the player."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.models.referee import Penalty
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE, load_or_404, row_of
from tournament.penalties.actions_payers import set_payer, set_payer_of_chombo
from tournament.penalties.messages import say_kind
from tournament.penalties.queries_penalties import list_penalties, load_fined_tables
from tournament.tables.queries_tables import LoadedTable
from tournament.tables.rows import PenaltyRow
from tournament.text.numbers_figures import who_text
from tournament.text.problems_1 import say


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
@who_may(Verb.RULE)
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
        except Refused as refused:
            errors = [say(problem) for problem in refused.problems]
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
    table = row_of(load_or_404(event, row.round or 0, row.table or 0))
    player = event.players.get(number=row.seat_number)
    set_payer_of_chombo(table=table, seq=row.hand or 0, player=player, **act)


def _names(row: PenaltyRow) -> dict[str, str]:
    """Return the fields by which a page names a row."""
    return {"penalty": str(row.id)} if row.id else _hand_names(row)


def _hand_names(row: PenaltyRow) -> dict[str, str]:
    return {"round": str(row.round), "table": str(row.table), "hand": str(row.hand), "player": str(row.seat_number)}


def _is_named(row: PenaltyRow, fields: QueryDict) -> bool:
    """Tell whether the page meant this row; a typed chombo, too, that is in the register since the page was sent."""
    named = _names(row) if "penalty" in fields else _hand_names(row)
    return all(fields.get(name) == value for name, value in named.items())
