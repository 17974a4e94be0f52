"""The event's catalogue of fouls: find a foul, change amounts, the public page; and give one: who, what, confirm.

A foul has a code, the section's digit and a letter as in "6c", so that two keys find it.
"""

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from string import ascii_lowercase
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from rules.foul_books import catalogue
from rules.fouls import TAKES, Case, Catalogue, Foul, Penalty, amounts, find, of_lateness
from scoring.problems import InvalidInput, ProblemType
from tournament.accounts.models import Account
from tournament.core.errors import FORM_SENT_ALREADY, DomainError, StaleTableError
from tournament.core.limits import MAX_REASON
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, for_public, who_may
from tournament.pages.public_page import show
from tournament.pages.requests import (
    CONFLICT,
    MAX_QUERY_LENGTH,
    MAX_TYPED,
    UNPROCESSABLE,
    SentAct,
    answer_acts,
    load_or_404,
    read_amount,
    table_model,
    to_int,
    to_uuid,
    wants_json,
)
from tournament.pages.sign_in import reauthenticate, rules_frozen
from tournament.pages.tables import entered_since
from tournament.penalties.actions import GivenFoul, cancel_penalty, change_foul_amounts, give_foul, list_given
from tournament.penalties.messages import DECISION_WORDS, say_case, say_kind, say_now, say_short
from tournament.penalties.models import Penalty as Penalty_models
from tournament.penalties.models import PenaltyKind
from tournament.penalties.queries import (
    DECISIONS,
    LATE,
    Offence,
    Proposal,
    get_catalogue,
    get_current_table,
    get_proposal,
    is_open,
    list_table_penalties,
)
from tournament.players.models import Player
from tournament.players.queries import list_players
from tournament.tables.messages import names_at
from tournament.tables.queries import LoadedTable, list_dead_hands
from tournament.tables.rows import PenaltyRow
from tournament.text.fouls import say_foul, say_fouls
from tournament.text.languages import colon, join_commas, join_spaced
from tournament.text.numbers import points, who_text
from tournament.text.problems import problem_text

FOUL_AMOUNT_UNREADABLE = ProblemType("foul.amount_unreadable", "Write points as 20,000 or as 20P.")

_CODE = re.compile(r"[0-9][a-z]")
_MINUTES = re.compile(r"(?:(?P<words>.*\S)\s+)?(?P<minutes>[0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class FoulRow:
    """One case of a foul in a list; `pick` names it, `official` is the other book's penalty if it differs."""

    code: str
    pick: str
    section: int
    what: str
    when: str
    does: str
    official: str
    clause: str


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """A foul as the public page lists it, with its penalties in words.

    `here` are the event's, `printed` the book's if other, `official` those of the book beside.
    """

    code: str
    foul: Foul
    penalty: Penalty
    here: list[str]
    printed: list[str]
    official: list[str]
    differs: bool
    differs_by_chombo: bool


@dataclass(frozen=True, slots=True)
class AmountRow:
    """One amount of the form: field `key` holds the text `typed`, `error` if that is unreadable."""

    key: str
    section: str
    what: str
    when: str
    repeated: bool
    clause: str
    printed: int
    points: int
    typed: str
    error: bool

    @property
    def changed(self) -> bool:
        """Whether the event departs from the book."""
        return self.points != self.printed


def foul_rows(fouls: Catalogue) -> list[FoulRow]:
    """List every case of every foul in the book's order."""
    counted: dict[int, int] = {}
    rows = []
    for foul in fouls.fouls:
        for case in fouls.penalties[foul.key].cases:
            rows.append(_row(fouls, foul, case, counted.get(foul.section, 0)))
            counted[foul.section] = counted.get(foul.section, 0) + 1
    return rows


def search_fouls(fouls: Catalogue, text: str) -> list[FoulRow]:
    """Find fouls by code, words, clause or minutes of lateness, best first; none for an empty text."""
    rows, asked = foul_rows(fouls), text[:MAX_QUERY_LENGTH].strip().casefold()
    if not asked:
        return []
    if _CODE.fullmatch(asked):
        return [row for row in rows if row.code == asked]
    by_foul: dict[str, list[FoulRow]] = {}
    for row in rows:
        by_foul.setdefault(row.pick.partition(".")[0], []).append(row)
    found = [row for foul in find(fouls, asked) for row in by_foul[foul.key]]
    match = _MINUTES.fullmatch(asked)
    late = of_lateness(fouls, int(match["minutes"])) if match else None
    if match is None or late is None or all(foul.key != LATE for foul in find(fouls, match["words"] or LATE)):
        return found
    minutes = str(int(match["minutes"]))
    first = [replace(row, pick=pick_of(row.pick, minutes)) for row in rows if row.pick == late[0].key]
    codes = {row.code for row in first}
    return [*first, *(row for row in found if row.code not in codes)]


def pick_of(foul: str, case: str = "") -> str:
    """Name a case as forms send it.

    >>> pick_of("tiles_revealed", "few"), pick_of("late")
    ('tiles_revealed.few', 'late')
    """
    return f"{foul}.{case}" if case else foul


def sections_context(fouls: Catalogue) -> dict[str, Any]:
    """Return the sections to choose from, number and title, and whether there are any."""
    sections = {foul.section: foul.section_title for foul in fouls.fouls}
    return {"sections": list(sections.items()), "has_catalogue": bool(sections)}


def official_text(fouls: Catalogue, foul: Foul) -> str:
    """Say the other book's penalty if it differs."""
    if not (fouls.differs(foul.key) or fouls.differs_by_chombo(foul.key)):
        return ""
    book = fouls.beside.partition("-")[0].upper()
    return f"{book}{colon()}{join_spaced(say_short(fouls.official[foul.key]))}"


def penalty_bar(event: Event, table: LoadedTable) -> dict[str, Any]:
    """Return the context of penalties/give_foul.html#bar: dead hands, what was given here, and where to give more.

    Three queries where the register has rows of the table.
    """
    return {
        "dead_hands": list_dead_hands(table),
        "given_here": [
            (who_text(row.name, row.plays_for), _say_given(row), row.reason, row.clause)
            for row in list_table_penalties(event, table)
        ],
        "give_url": give_url(event, table),
    }


def _say_given(row: PenaltyRow) -> str:
    if row.kind == PenaltyKind.POINTS:
        return _("%(points)s points") % {"points": points(row.points)}
    return say_kind(row.kind)


def give_url(event: Event, table: LoadedTable | None = None) -> str:
    """Return the address of the page that gives a foul, at a table or to anybody."""
    address = reverse("desk:give_foul", args=[event.slug])
    return f"{address}?round={table.round}&table={table.number}" if table else address


# ---------------------------------------------------------------- pages


@require_safe
@for_public
def fouls(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the event's catalogue by section, beside the book that it differs from; `?q=` filters it."""
    query = request.GET.get("q", "")

    def make() -> dict[str, Any]:
        read, rules = say_fouls(get_catalogue(event)), event.ruleset
        printed = say_fouls(catalogue(rules))
        return {
            "catalogue": read,
            "sections": _sections(read, printed, query),
            "query": query[:60],
            "official": say_foul(catalogue(read.beside).title) if read.beside else "",
            "beside": read.beside.replace("-", " ").upper(),
            "differing": sum(read.differs(foul.key) for foul in read.fouls),
        }

    return show(request, event, "penalties/fouls.html", make, tab="")


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_RULES)
@reauthenticate(rules_frozen)
def foul_amounts(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the amounts of the event's catalogue beside the book's, and change them."""
    rules, errors = event.ruleset, []
    printed = amounts(catalogue(rules))
    fouls_, typed = say_fouls(get_catalogue(event)), request.POST if request.method == "POST" else {}
    now = amounts(fouls_)
    rows = [_amount_row(fouls_, key, printed[key], now[key], typed.get(key)) for key in printed]
    reason = request.POST.get("reason", "")[:300]
    if request.method == "POST":
        errors = [problem_text(FOUL_AMOUNT_UNREADABLE())] if any(row.error for row in rows) else []
        errors = errors or _change_amounts(request, event, rows, reason)
        if not errors:
            return redirect("desk:foul_amounts", event.slug)
    context = {"rows": rows, "errors": errors, "reason": reason, "needs_reason": event.rules_frozen_at is not None}
    page = desk_context(request, event, "penalties", **context)
    return render(request, "penalties/foul_amounts.html", page, status=UNPROCESSABLE if errors else 200)


def _change_amounts(request: DeskRequest, event: Event, rows: list[AmountRow], reason: str) -> list[str]:
    """Change the amounts; return what is wrong, in words."""
    try:
        changed = change_foul_amounts(
            event=event, values={row.key: row.points for row in rows}, reason=reason, by=request.user
        )
    except DomainError as refused:
        return [problem_text(problem) for problem in refused.problems]
    messages.success(request, _("The amounts are changed.") if changed else _("Nothing was changed."))
    return []


# ---------------------------------------------------------------- rows


def _amount_row(fouls: Catalogue, key: str, printed: int, now: int, typed: str | None) -> AmountRow:
    name, _dot, rest = key.partition(".")
    foul = next(foul for foul in fouls.fouls if foul.key == name)
    case_key = rest.removesuffix("repeated").removesuffix(".")
    case = next((case for case in fouls.penalties[name].cases if case.key == case_key), fouls.penalties[name].cases[0])
    read = now if typed is None else read_amount(typed)
    return AmountRow(
        key=key,
        section=foul.section_title,
        what=foul.what,
        when=case.when,
        repeated=rest.endswith("repeated"),
        clause=fouls.penalties[name].clause,
        printed=printed,
        points=now if read is None else read,
        typed=points(now) if typed is None else typed[:20],
        error=read is None,
    )


def _row(fouls: Catalogue, foul: Foul, case: Case, place: int) -> FoulRow:
    return FoulRow(
        code=f"{foul.section % 10}{ascii_lowercase[place]}",
        pick=pick_of(foul.key, case.key),
        section=foul.section,
        what=foul.what,
        when=case.when,
        does=say_case(case).removeprefix(f"{case.when}: "),
        official=official_text(fouls, foul),
        clause=fouls.penalties[foul.key].clause,
    )


def _sections(fouls: Catalogue, printed: Catalogue, text: str) -> list[tuple[int, str, list[CatalogueRow]]]:
    """Return the fouls that a text finds by section: number, title, rows.

    `printed` is the same catalogue without the event's own amounts.
    """
    wanted = {foul.key for foul in find(fouls, text[:MAX_QUERY_LENGTH])}
    codes = {row.pick.partition(".")[0]: row.code for row in reversed(foul_rows(fouls))}
    sections: dict[tuple[int, str], list[CatalogueRow]] = {}
    for foul in fouls.fouls:
        if foul.key in wanted:
            code = codes[foul.key]
            penalty, official = fouls.penalties[foul.key], fouls.official.get(foul.key)
            here, book = say_short(penalty), say_short(printed.penalties[foul.key])
            row = CatalogueRow(
                code=code,
                foul=foul,
                penalty=penalty,
                here=here,
                printed=book if book != here else [],
                official=say_short(official) if official else [],
                differs=fouls.differs(foul.key),
                differs_by_chombo=fouls.differs_by_chombo(foul.key),
            )
            sections.setdefault((foul.section, foul.section_title), []).append(row)
    return [(number, title, rows) for (number, title), rows in sections.items()]


# ---------------------------------------------------------------- giving a foul


FOUL_NONE_FOUND = ProblemType("foul.none_found", "No foul matches all these words.")
FOUL_PLAYER_MISSING = ProblemType("foul.player_missing", "Choose the player first.")

MAX_HITS = 12
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

        The amount is the one that the page showed or the referee typed: if another is due by now, the action refuses.
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
        query=fields.get("q", "")[:MAX_QUERY_LENGTH],
        section=to_int(fields.get("section")),
        foul=foul,
        case=case,
        minutes=minutes or to_int(fields.get("minutes")),
        amount=fields.get("amount", "")[:MAX_TYPED],
        amount_reason=fields.get("amount_reason", "")[:MAX_REASON],
        note=fields.get("note", "")[:MAX_REASON],
        decision=fields.get("decision", "")[:20],
        charge=fields.get("charge", "")[:MAX_REASON],
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
@who_may(Right.RULE)
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
    if (
        "look" in request.GET
        and not draft.foul
        and (found := search_fouls(say_fouls(get_catalogue(event)), draft.query))
    ):
        draft.foul, draft.case, draft.minutes = split_pick(found[0].pick)
    return _page(request, event, draft, table)


def _foul_sent(event: Event, by: Account, act: SentAct) -> None:
    """Give a foul as an act says, or cancel what the act `undo` gave."""
    if "undo" in act.fields:
        undo_penalties(event, act, by)
        return
    draft = read_foul({**act.fields, "client_id": str(act.client_id)})
    player = _player(event, draft)
    if player is None:
        raise DomainError(FOUL_PLAYER_MISSING())
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
        **sections_context(say_fouls(get_catalogue(event))),
    }


def _found(
    request: DeskRequest, event: Event, draft: FoulDraft, table: LoadedTable | None, errors: list[str]
) -> dict[str, Any]:
    """Return the context of penalties/give_foul.html#found: hits, or the penalty of the chosen foul."""
    context: dict[str, Any] = {"draft": draft, "errors": errors, "give_action": give_url(event)}
    read = say_fouls(get_catalogue(event))
    if draft.foul == LATE and not draft.minutes:
        return {**context, "lateness": _lateness_picks(read)}
    player = _player(event, draft)
    if draft.foul and player:
        return {**context, **_confirm(request, event, draft, table, player)}
    if draft.foul or ("look" in request.GET and draft.query):
        context["errors"] = [*errors, problem_text((FOUL_PLAYER_MISSING if draft.foul else FOUL_NONE_FOUND)())]
    found = search_fouls(read, draft.query)
    rows = [row for row in foul_rows(read) if row.section == draft.section] if draft.section else found
    hits = rows if draft.section else rows[:MAX_HITS]
    return {**context, "hits": hits, "more": len(rows) - MAX_HITS, **sections_context(read)}


def _confirm(
    request: DeskRequest, event: Event, draft: FoulDraft, table: LoadedTable | None, player: Player
) -> dict[str, Any]:
    """Return what the last step shows before a foul is given, or why it is refused."""
    try:
        offence = Offence(foul=draft.foul, case=draft.case, minutes=draft.minutes)
        # where a player was chosen who plays for somebody else, the seat is that other's
        plays = next((each for each in table.substitutes if each.person == player.number), None) if table else None
        whose = event.players.select_related("person", "event").get(number=plays.number) if plays else player
        proposal = get_proposal(event, whose, offence, table=table.id if table else None)
    except DomainError as refused:
        return {"errors": [problem_text(problem) for problem in refused.problems], "hits": []}
    if request.method == "GET" and table:
        draft.expected_seq = table.last_seq
    is_decided = is_open(proposal.case)
    return {
        "player": player,
        "where": table,
        "proposal": proposal,
        "offender": (offender := _offender(proposal, player)),
        "given_to": join_commas(dict.fromkeys([offender, *names_at(table)]))
        if table and proposal.case.each_player
        else offender,
        "writes_hand": proposal.kind in HAND_DECISIONS,
        "hand_decisions": HAND_DECISIONS,
        "given_as": ": ".join(filter(None, (say_foul(proposal.foul.what), say_foul(proposal.case.when), _late(draft)))),
        "sentences": say_now(proposal),
        "official": official_text(say_fouls(get_catalogue(event)), proposal.foul),
        "has_amount": is_decided or bool(TAKES & set(proposal.case.acts)),
        "decisions": [(key, _(DECISION_WORDS[key])) for key in ("", *DECISIONS)] if is_decided else [],
        "span": f"{points(proposal.points)} – {points(proposal.most)}" if proposal.most > proposal.points else "",
    }


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
        return _page(request, event, draft, table, errors=[problem_text(FOUL_PLAYER_MISSING())], status=UNPROCESSABLE)
    try:
        client_id = to_uuid(request.POST.get("client_id", ""))  # as sent: a draft without one has a new one
        given = _give(draft, table, player, client_id, request.user)
    except (InvalidInput, DomainError) as wrong:
        names = names_at(table) if table else ()
        errors, status = [problem_text(problem, names) for problem in wrong.problems], UNPROCESSABLE
        if isinstance(wrong, StaleTableError) and table:
            errors += entered_since(table, draft.expected_seq)
            draft.expected_seq, status = table.last_seq, CONFLICT
        if any(problem.code == "form.stale" for problem in wrong.problems):
            draft.client_id = str(uuid.uuid4())
        return _page(request, event, draft, table, errors=errors, status=status)
    if given.repeated and not _is_same(given.rows[0], draft, player):
        draft.client_id = str(uuid.uuid4())
        return _page(request, event, draft, table, errors=[problem_text(FORM_SENT_ALREADY())], status=CONFLICT)
    words = {"who": join_commas(who_of(each) for each in given.rows), "what": given.rows[0].reason}
    messages.success(request, _("Given to %(who)s: %(what)s.") % words)
    if draft.table:
        return redirect("desk:table", event.slug, draft.round, draft.table)
    return redirect("desk:penalties", event.slug)


def _give(draft: FoulDraft, table: LoadedTable | None, player: Player, client_id: uuid.UUID, by: Account) -> GivenFoul:
    row = table_model(table) if table else None
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


def _is_same(row: Penalty_models, draft: FoulDraft, player: Player) -> bool:
    """Whether a row is what was sent: a page that is sent twice may have been changed in between."""
    fouls_ = LATE_FOULS if draft.foul == LATE else (draft.foul,)
    mine = player.pk in (row.player_id, row.substitution and row.substitution.substitute_id)
    return mine and row.foul in fouls_ and row.case == draft.case


def who_of(row: Penalty_models) -> str:
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
