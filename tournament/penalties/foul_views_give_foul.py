"""Give a foul by the event's catalogue, in three steps: who, what, and yes.

With htmx the steps are fragments of one page, without scripts they are pages.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from rules.fouls import TAKES, Catalogue
from scoring.problems import InvalidInput, Problem, ProblemType
from tournament.core.errors import FORM_SENT_ALREADY, Refused, Stale
from tournament.core.limits import MOST_REASON
from tournament.core.rights import Verb
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.people import Player
from tournament.models.referee import Penalty, PenaltyKind
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_sent_acts import SentAct, answer_acts
from tournament.pages.requests_tables import (
    CONFLICT,
    MOST_QUERY,
    MOST_TYPED,
    UNPROCESSABLE,
    load_or_404,
    read_amount,
    row_of,
    to_int,
    to_uuid,
    wants_json,
)
from tournament.pages.tables_hand_rows import entered_since
from tournament.penalties.actions_fouls import Given, cancel_penalty, give_foul, list_given
from tournament.penalties.foul_views_fouls import (
    FOUL_AMOUNT_UNREADABLE,
    foul_rows,
    give_url,
    pick_of,
    say_official,
    search_fouls,
    sections_context,
)
from tournament.penalties.messages import DECISION_WORDS, say_now
from tournament.penalties.queries_fouls import (
    DECISIONS,
    LATE,
    Offence,
    Proposal,
    get_catalogue,
    get_current_table,
    get_proposal,
    is_open,
)
from tournament.players.queries import list_players
from tournament.tables.messages import names_at
from tournament.tables.queries_tables import LoadedTable
from tournament.text.numbers_figures import who_text
from tournament.text.numbers_formatting import points
from tournament.text.problems_1 import say

FOUL_NONE_FOUND = ProblemType("foul.none_found", "No foul matches all these words.")
FOUL_PLAYER_MISSING = ProblemType("foul.player_missing", "Choose the player first.")

MOST_HITS = 12
HAND_DECISIONS = (PenaltyKind.CHOMBO, PenaltyKind.DEAD_HAND)  # they write a hand, or void the next one
LATE_FOULS = (LATE, f"{LATE}_over")


@dataclass(slots=True)
class FoulDraft:
    """What was typed and chosen for a foul; numbers that are unreadable are 0."""

    player: int = 0
    round: int = 0
    table: int = 0
    query: str = ""
    section: int = 0
    foul: str = ""
    case: str = ""
    minutes: int = 0
    amount: str = ""
    amount_reason: str = ""
    note: str = ""
    decision: str = ""
    charge: str = ""
    expected_seq: int = 0
    client_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def pick(self) -> str:
        """The chosen case as one name, with its minutes; empty if none is chosen."""
        rest = str(self.minutes) if self.minutes and self.foul in LATE_FOULS else self.case
        return f"{self.foul}.{rest}" if rest else self.foul

    def offence(self) -> Offence:
        """Return the offence to judge; raises InvalidInput if the amount is unreadable.

        The amount is the one that the page showed or the referee typed: if another is due by now, the service refuses.
        """
        points = read_amount(self.amount) if self.amount.strip() else None
        if points is None and self.amount.strip():
            raise InvalidInput([FOUL_AMOUNT_UNREADABLE()])
        return Offence(
            foul=self.foul,
            case=self.case,
            minutes=self.minutes,
            points=points,
            amount_reason=self.amount_reason,
            note=self.note,
            decision=self.decision,
            charge=self.charge,
        )


def read_foul(fields: Mapping[str, str]) -> FoulDraft:
    """Read what the page sent; what is missing or unreadable is empty or 0."""
    foul, case, minutes = split_pick(fields.get("pick", "")[:130])
    return FoulDraft(
        player=to_int(fields.get("player")),
        round=to_int(fields.get("round")),
        table=to_int(fields.get("table")),
        query=fields.get("q", "")[:MOST_QUERY],
        section=to_int(fields.get("section")),
        foul=foul,
        case=case,
        minutes=minutes or to_int(fields.get("minutes")),
        amount=fields.get("amount", "")[:MOST_TYPED],
        amount_reason=fields.get("amount_reason", "")[:MOST_REASON],
        note=fields.get("note", "")[:MOST_REASON],
        decision=fields.get("decision", "")[:20],
        charge=fields.get("charge", "")[:MOST_REASON],
        expected_seq=to_int(fields.get("expected_seq")),
        client_id=fields.get("client_id") or str(uuid.uuid4()),
    )


def split_pick(pick: str) -> tuple[str, str, int]:
    """Split a pick into foul, case and minutes; of lateness the second part is the minutes.

    >>> split_pick("tiles_revealed.few"), split_pick("late.7"), split_pick("late_over.12")
    (('tiles_revealed', 'few', 0), ('late', '', 7), ('late_over', '', 12))
    """
    foul, _, case = pick.partition(".")
    return (foul, "", to_int(case)) if foul in LATE_FOULS else (foul, case, 0)


@require_http_methods(["GET", "POST"])
@who_may(Verb.RULE)
def give(request: DeskRequest, event: Event) -> HttpResponse:
    """Find what a player did, show the penalty, give it; `?round=&table=` is the table where it happened.

    JSON: `answer_acts`.
    """
    if request.method == "POST" and wants_json(request):
        return answer_acts(request, partial(_foul_sent, event, request.user))
    draft = read_foul(request.POST if request.method == "POST" else request.GET)
    table = _table(event, draft)
    if request.method == "POST":
        return _post(request, event, draft, table)
    if "look" in request.GET and not draft.foul:
        _take_first(event, draft)
    return _page(request, event, draft, table)


def _foul_sent(event: Event, by: Account, act: SentAct) -> None:
    """Give a foul as an act says, or cancel what the act `undo` gave."""
    if "undo" in act.fields:
        undo_penalties(event, act, by)
        return
    draft = read_foul({**act.fields, "client_id": str(act.client_id)})
    player = _player(event, draft)
    if player is None:
        raise Refused(FOUL_PLAYER_MISSING())
    _give(draft, _table(event, draft), player, act.client_id, by)


def undo_penalties(event: Event, act: SentAct, by: Account) -> None:
    """Cancel the penalties that the act `undo` gave; one that was never given is none."""
    for row in list_given(event, to_uuid(act.fields["undo"])):
        cancel_penalty(penalty=row, reason=_("undone at once"), by=by)


def _table(event: Event, draft: FoulDraft) -> LoadedTable | None:
    """Load the table that the page names, else the player's current one; raises Http404 for an unknown table."""
    if draft.table:
        return load_or_404(event, draft.round, draft.table)
    player = _player(event, draft)
    return get_current_table(event, player) if player else None


def _player(event: Event, draft: FoulDraft) -> Player | None:
    return event.players.filter(number=draft.player).select_related("person", "event").first()


def _take_first(event: Event, draft: FoulDraft) -> None:
    """Choose the first hit of the search."""
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
    """Render the page, or the fragment that htmx asks for: the hits, or the panel with its empty search."""
    found = _found(request, event, draft, table, errors or [])
    target = request.htmx.target if request.htmx else ""  # type: ignore[attr-defined]
    if target == "foul-found":
        return render(request, "penalties/give_foul.html#found", found, status=status)
    context = {**panel_context(event, draft, table if draft.table else None), **found}
    if target == "penalty-panel":
        return render(request, "penalties/give_foul.html#panel", context, status=status)
    return render(
        request, "penalties/give_foul.html", desk_context(request, event, "penalties", **context), status=status
    )


def panel_context(
    event: Event, draft: FoulDraft, table: LoadedTable | None, *, people: list[tuple[int, str]] | None = None
) -> dict[str, Any]:
    """Return the context of penalties/give_foul.html#panel before a search: players and sections to choose from."""
    if people is None:
        people = [] if table else [(row.number, row.name) for row in list_players(event)]
    return {
        "draft": draft,
        "give_action": give_url(event),
        "at_table": table,
        "seats": [(seat.seat + 1, seat.number, name) for seat, name in zip(table.seats, names_at(table), strict=True)]
        if table
        else [],
        "people": people,
        **sections_context(get_catalogue(event)),
    }


def _found(
    request: DeskRequest, event: Event, draft: FoulDraft, table: LoadedTable | None, errors: list[str]
) -> dict[str, Any]:
    """Return the context of penalties/give_foul.html#found: hits, or the penalty of the chosen foul."""
    context: dict[str, Any] = {"draft": draft, "errors": errors, "give_action": give_url(event)}
    read = get_catalogue(event)
    if draft.foul == LATE and not draft.minutes:
        return {**context, "lateness": _lateness_picks(read)}
    player = _player(event, draft)
    if draft.foul and player:
        return {**context, **_confirm(request, event, draft, table, player)}
    if draft.foul or ("look" in request.GET and draft.query):
        context["errors"] = [*errors, say((FOUL_PLAYER_MISSING if draft.foul else FOUL_NONE_FOUND)())]
    found = search_fouls(read, draft.query)
    rows = [row for row in foul_rows(read) if row.section == draft.section] if draft.section else found
    hits = rows if draft.section else rows[:MOST_HITS]
    return {**context, "hits": hits, "more": len(rows) - MOST_HITS, **sections_context(read)}


def _confirm(
    request: DeskRequest, event: Event, draft: FoulDraft, table: LoadedTable | None, player: Player
) -> dict[str, Any]:
    """Return what the last step shows before a foul is given, or why it is refused."""
    try:
        offence = Offence(foul=draft.foul, case=draft.case, minutes=draft.minutes)
        proposal = get_proposal(event, _replaced(table, player), offence, table=table.id if table else None)
    except Refused as refused:
        return {"errors": [say(problem) for problem in refused.problems], "hits": []}
    if request.method == "GET" and table:
        draft.expected_seq = table.last_seq
    is_decided = is_open(proposal.case)
    return {
        "player": player,
        "where": table,
        "proposal": proposal,
        "offender": (offender := _offender(proposal, player)),
        "given_to": ", ".join(dict.fromkeys([offender, *names_at(table)]))
        if table and proposal.case.each_player
        else offender,
        "writes_hand": proposal.kind in HAND_DECISIONS,
        "hand_decisions": HAND_DECISIONS,
        "given_as": ": ".join(part for part in (proposal.foul.what, proposal.case.when, _late(draft)) if part),
        "sentences": say_now(proposal),
        "official": say_official(get_catalogue(event), proposal.foul),
        "has_amount": is_decided or bool(TAKES & set(proposal.case.acts)),
        "decisions": [(key, _(DECISION_WORDS[key])) for key in ("", *DECISIONS)] if is_decided else [],
        "span": f"{points(proposal.points)} – {points(proposal.most)}" if proposal.most > proposal.points else "",
    }


def _replaced(table: LoadedTable | None, player: Player) -> Player:
    """Return whose seat it is where a player was chosen who plays there for somebody else."""
    plays = next((each for each in table.substitutes if each.person == player.number), None) if table else None
    return player.event.players.select_related("person", "event").get(number=plays.number) if plays else player


def _offender(proposal: Proposal, player: Player) -> str:
    """Name who did it: the substitute who plays for somebody, else the player."""
    each = proposal.offender
    if each is None:
        return player.person.preferred_name
    name = each.substitute.person.preferred_name if each.substitute else each.name
    return who_text(name, each.player.person.preferred_name)


def _post(request: DeskRequest, event: Event, draft: FoulDraft, table: LoadedTable | None) -> HttpResponse:
    player = _player(event, draft)
    if player is None:
        return _page(request, event, draft, table, errors=[say(FOUL_PLAYER_MISSING())], status=UNPROCESSABLE)
    try:
        client_id = to_uuid(request.POST.get("client_id", ""))  # as sent: a draft without one has a new one
        given = _give(draft, table, player, client_id, request.user)
    except (InvalidInput, Refused) as wrong:
        return _refused(request, event, draft, table, wrong)
    if given.repeated and not _is_same(given.rows[0], draft, player):
        draft.client_id = str(uuid.uuid4())
        return _page(request, event, draft, table, errors=[say(FORM_SENT_ALREADY())], status=CONFLICT)
    messages.success(request, _done(given))
    if draft.table:
        return redirect("desk:table", event.slug, draft.round, draft.table)
    return redirect("desk:penalties", event.slug)


def _give(draft: FoulDraft, table: LoadedTable | None, player: Player, client_id: uuid.UUID, by: Account) -> Given:
    row = row_of(table) if table else None
    if draft.minutes:
        draft.note = "; ".join(part for part in (_late(draft), draft.note.strip()) if part)
    return give_foul(
        player=player,
        table=row,
        offence=draft.offence(),
        client_id=client_id,
        expected_seq=draft.expected_seq,
        by=by,
    )


def _late(draft: FoulDraft) -> str:
    return ngettext("%(n)d minute", "%(n)d minutes", draft.minutes) % {"n": draft.minutes} if draft.minutes else ""


def _refused(
    request: DeskRequest, event: Event, draft: FoulDraft, table: LoadedTable | None, wrong: InvalidInput | Refused
) -> HttpResponse:
    """Show why nothing was given and what was typed; if the table moved on, also what happened meanwhile."""
    errors, status = [_say(problem, table) for problem in wrong.problems], UNPROCESSABLE
    if isinstance(wrong, Stale) and table:
        errors += entered_since(table, draft.expected_seq)
        draft.expected_seq, status = table.last_seq, CONFLICT
    if any(problem.code == "form.stale" for problem in wrong.problems):
        draft.client_id = str(uuid.uuid4())
    return _page(request, event, draft, table, errors=errors, status=status)


def _say(problem: Problem, table: LoadedTable | None) -> str:
    return say(problem, names_at(table) if table else ())


def _is_same(row: Penalty, draft: FoulDraft, player: Player) -> bool:
    """Whether a row is what was sent: a page that is sent twice may have been changed in between."""
    fouls_ = LATE_FOULS if draft.foul == LATE else (draft.foul,)
    mine = player.pk in (row.player_id, row.substitution and row.substitution.substitute_id)
    return mine and row.foul in fouls_ and row.case == draft.case


def _done(given: Given) -> str:
    """Say what was given."""
    row = given.rows[0]
    names = [who_of(each) for each in given.rows]
    words = {"who": ", ".join(names), "what": row.reason}
    return _("Given to %(who)s: %(what)s.") % words


def who_of(row: Penalty) -> str:
    """Name who a row is against; charged to the player it is the player."""
    player, plays = row.player.person.preferred_name, None if row.charged_at else row.substitution
    if plays is None:
        return player
    return who_text(plays.substitute.person.preferred_name if plays.substitute else plays.name, player)


def _lateness_picks(fouls: Catalogue) -> list[tuple[str, str]]:
    """Return the choices of lateness as (pick, words): begun minutes, then more than those.

    >>> from rules.foul_books import catalogue
    >>> _lateness_picks(catalogue("wrc-2025"))[-2:]
    [('late.10', '10'), ('late_over', '> 10')]
    """
    if LATE not in fouls.penalties:
        return []
    units = fouls.penalties[LATE].cases[0].units
    over = [(f"{LATE}_over", f"> {units}")] if f"{LATE}_over" in fouls.penalties else []
    return [*((pick_of(LATE, str(minutes)), str(minutes)) for minutes in range(1, units + 1)), *over]
