"""Fouls: give one by the event's catalogue, read the catalogue, change its amounts.

Giving is one page in three steps, who, what and yes; with htmx the steps are fragments of it, without scripts pages.
"""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from rules.foul_books import catalogue
from rules.fouls import Catalogue, amounts
from scoring.problems import InvalidInput, Problem, error
from tournament.models import Event, Penalty, Player, Table
from tournament.refusal import Refused, Stale
from tournament.rights import Verb
from tournament.selectors.people.players import list_players
from tournament.selectors.tables.fouls import LATE, Offence, get_catalogue, get_current_table, get_proposal
from tournament.selectors.tables.tables import LoadedTable, get_table
from tournament.services.tables.fouls import Given, change_foul_amounts, give_foul
from web.frame.hand_rows import entered_since
from web.frame.page_context import desk_context
from web.frame.public_page import show
from web.frame.reauthentication import reauthenticate, rules_frozen
from web.frame.tables import to_uuid
from web.gateways import DeskRequest, for_public, who_may
from web.penalties.foul_amounts_form import AmountRow, read_amounts
from web.penalties.fouls_form import LATE_FOULS, FoulDraft, read_foul, split_pick
from web.penalties.penalty_page import (
    MOST_HITS,
    catalogue_sections,
    confirm_context,
    foul_rows,
    give_url,
    lateness_picks,
    official_title,
    search_fouls,
    section_items,
)
from web.words.problems import say

CONFLICT, UNPROCESSABLE = 409, 422


@require_http_methods(["GET", "POST"])
@who_may(Verb.RULE)
def give(request: DeskRequest, event: Event) -> HttpResponse:
    """Find what a player did, say what it comes to, give it; `?round=&table=` is the table where it happened."""
    draft = read_foul(request.POST if request.method == "POST" else request.GET)
    table = _table(event, draft)
    if request.method == "POST":
        return _post(request, event, draft, table)
    if "look" in request.GET and not draft.foul:
        _take_first(event, draft)
    return _page(request, event, draft, table)


@require_safe
@for_public
def fouls(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the event's catalogue by section, beside that of the book it departs from; `?q=` narrows it."""
    query = request.GET.get("q", "")

    def make() -> dict[str, Any]:
        read, rules = get_catalogue(event), event.ruleset
        printed = catalogue(rules.key, chombo_points=rules.chombo_points)
        return {
            "catalogue": read,
            "sections": catalogue_sections(read, printed, query),
            "query": query[:60],
            "official": official_title(read),
            "beside": read.beside.replace("-", " ").upper(),
            "differing": sum(read.differs(foul.key) for foul in read.fouls),
        }

    return show(request, event, "penalties/fouls.html", make, tab="")


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_RULES)
@reauthenticate(rules_frozen)
def foul_amounts(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the amounts of the event's catalogue beside those printed in the book, and take others."""
    rules, errors = event.ruleset, []
    printed = amounts(catalogue(rules.key, chombo_points=rules.chombo_points))
    rows = read_amounts(get_catalogue(event), printed, request.POST if request.method == "POST" else None)
    reason = request.POST.get("reason", "")[:300]
    if request.method == "POST":
        errors = [say(error("foul.amount_unreadable"))] if any(row.error for row in rows) else []
        errors = errors or _change_amounts(request, event, rows, reason)
        if not errors:
            return redirect("desk:foul_amounts", event.slug)
    context = {"rows": rows, "errors": errors, "reason": reason, "needs_reason": event.rules_frozen_at is not None}
    page = desk_context(request, event, "penalties", **context)
    return render(request, "penalties/foul_amounts.html", page, status=UNPROCESSABLE if errors else 200)


def _change_amounts(request: DeskRequest, event: Event, rows: list[AmountRow], reason: str) -> list[str]:
    """Carry the change out; return what is wrong with it, in words."""
    try:
        changed = change_foul_amounts(
            event=event, values={row.key: row.points for row in rows}, reason=reason, by=request.user
        )
    except Refused as refused:
        return [say(problem) for problem in refused.problems]
    messages.success(request, _("The amounts are changed.") if changed else _("Nothing was changed."))
    return []


# ---------------------------------------------------------------- giving


def _table(event: Event, draft: FoulDraft) -> LoadedTable | None:
    """Load the table that the page names, or the one where the player sits now; raises Http404 for one not there."""
    if draft.table:
        found = get_table(event, draft.round, draft.table)
        if found is None:
            raise Http404("There is no such table.")
        return found
    player = _player(event, draft)
    return get_current_table(event, player) if player else None


def _player(event: Event, draft: FoulDraft) -> Player | None:
    return event.players.filter(number=draft.player).select_related("person", "event").first()


def _take_first(event: Event, draft: FoulDraft) -> None:
    """Choose what the letters find first."""
    found = search_fouls(get_catalogue(event), draft.query)
    if found:
        draft.foul, draft.case, draft.minutes = split_pick(found[0].pick)


def _page(
    request: DeskRequest,
    event: Event,
    draft: FoulDraft,
    table: LoadedTable | None,
    *,
    errors: list[str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the page, or the fragment that htmx asks for: what was found, or the panel with its empty search."""
    found = _found(request, event, draft, table, errors or [])
    target = request.htmx.target if request.htmx else ""  # type: ignore[attr-defined]
    if target == "foul-found":
        return render(request, "penalties/penalty_found.html", found, status=status)
    context = {**panel_context(event, draft, table if draft.table else None), **found}
    if target == "penalty-panel":
        return render(request, "penalties/penalty_panel.html", context, status=status)
    return render(
        request, "penalties/penalty_give.html", desk_context(request, event, "penalties", **context), status=status
    )


def panel_context(
    event: Event, draft: FoulDraft, table: LoadedTable | None, *, people: list[tuple[int, str]] | None = None
) -> dict[str, Any]:
    """Return what penalties/penalty_panel.html shows before anything is found: players and sections to choose from."""
    if people is None:
        people = [] if table else [(row.number, row.name) for row in list_players(event)]
    return {
        "draft": draft,
        "give_action": give_url(event),
        "at_table": table,
        "seats": [(seat.seat + 1, seat.number, seat.name) for seat in table.seats] if table else [],
        "people": people,
        **sections_context(get_catalogue(event)),
    }


def sections_context(fouls_: Catalogue) -> dict[str, Any]:
    """Return the sections to choose from, and whether there are any."""
    return {"sections": section_items(fouls_), "has_catalogue": bool(fouls_.fouls)}


def _found(
    request: DeskRequest, event: Event, draft: FoulDraft, table: LoadedTable | None, errors: list[str]
) -> dict[str, Any]:
    """Return what penalties/penalty_found.html shows: hits, or what the chosen foul comes to."""
    context: dict[str, Any] = {"draft": draft, "errors": errors, "give_action": give_url(event)}
    read = get_catalogue(event)
    if draft.foul == LATE and not draft.minutes:
        return {**context, "lateness": lateness_picks(read)}
    player = _player(event, draft)
    if draft.foul and player:
        return {**context, **_confirm(request, event, draft, table, player)}
    if draft.foul or ("look" in request.GET and draft.query):
        context["errors"] = [*errors, say(error("foul.player_missing" if draft.foul else "foul.none_found"))]
    found = search_fouls(read, draft.query)
    rows = [row for row in foul_rows(read) if row.section == draft.section] if draft.section else found
    hits = rows if draft.section else rows[:MOST_HITS]
    return {**context, "hits": hits, "more": len(rows) - MOST_HITS, **sections_context(read)}


def _confirm(
    request: DeskRequest, event: Event, draft: FoulDraft, table: LoadedTable | None, player: Player
) -> dict[str, Any]:
    """Return what is said before a foul is given; where it cannot be, why."""
    try:
        proposal = get_proposal(event, player, Offence(foul=draft.foul, case=draft.case, minutes=draft.minutes))
    except Refused as refused:
        return {"errors": [say(problem) for problem in refused.problems], "hits": []}
    if request.method == "GET" and table:
        draft.expected_seq = table.last_seq
    return {
        "player": player,
        "where": table,
        "confirm": confirm_context(get_catalogue(event), proposal, draft.decision),
    }


def _post(request: DeskRequest, event: Event, draft: FoulDraft, table: LoadedTable | None) -> HttpResponse:
    player = _player(event, draft)
    if player is None:
        return _page(request, event, draft, table, errors=[say(error("foul.player_missing"))], status=UNPROCESSABLE)
    try:
        given = _give(request, draft, table, player)
    except (InvalidInput, Refused) as wrong:
        return _refused(request, event, draft, table, wrong)
    if given.repeated and not _is_same(given.rows[0], draft, player):
        draft.client_id = str(uuid.uuid4())
        return _page(request, event, draft, table, errors=[say(error("form.sent_already"))], status=CONFLICT)
    messages.success(request, _done(given))
    if draft.table:
        return redirect("desk:table", event.slug, draft.round, draft.table)
    return redirect("desk:penalties", event.slug)


def _give(request: DeskRequest, draft: FoulDraft, table: LoadedTable | None, player: Player) -> Given:
    row = Table.objects.select_related("round__event").get(pk=table.id) if table else None
    if draft.minutes:
        late = ngettext("%(n)d minute", "%(n)d minutes", draft.minutes) % {"n": draft.minutes}
        draft.note = "; ".join(part for part in (late, draft.note.strip()) if part)
    return give_foul(
        player=player,
        table=row,
        offence=draft.offence(),
        client_id=to_uuid(request.POST.get("client_id", "")),  # not the new one that a draft without any has
        expected_seq=draft.expected_seq,
        by=request.user,
    )


def _refused(
    request: DeskRequest, event: Event, draft: FoulDraft, table: LoadedTable | None, wrong: InvalidInput | Refused
) -> HttpResponse:
    """Say why nothing was given, with what was typed kept; where the table moved on, with what came between."""
    errors, status = [_say(problem, table) for problem in wrong.problems], UNPROCESSABLE
    if isinstance(wrong, Stale) and table:
        errors += entered_since(table, draft.expected_seq)
        draft.expected_seq, status = table.last_seq, CONFLICT
    if any(problem.code == "form.stale" for problem in wrong.problems):
        draft.client_id = str(uuid.uuid4())
    return _page(request, event, draft, table, errors=errors, status=status)


def _say(problem: Problem, table: LoadedTable | None) -> str:
    return say(problem, [player.name for player in table.seats] if table else ())


def _is_same(row: Penalty, draft: FoulDraft, player: Player) -> bool:
    """Whether a row is what is sent here: a page that is sent twice may have been changed in between."""
    fouls_ = LATE_FOULS if draft.foul == LATE else (draft.foul,)
    return row.player_id == player.pk and row.foul in fouls_ and row.case == draft.case


def _done(given: Given) -> str:
    """Say what was given, as it is kept."""
    row = given.rows[0]
    words = {"who": ", ".join(each.player.person.preferred_name for each in given.rows), "what": row.reason}
    return _("Given to %(who)s: %(what)s.") % words
