"""The JSON API, version 1: read an event, its players, rounds, tables and standings; enter a hand.

Reads show what public pages show. Bodies: tournament.api.shapes; described in docs/developer/openapi.json.
"""

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from scoring.bare_han import refuse_bare_han
from scoring.entries import Entry
from scoring.entries import from_json as entry_from_json
from scoring.problems import InvalidInput, Problem
from scoring.strict_json import (
    ENTRY_MISSING_KEY,
    ENTRY_WRONG_TYPE,
    JSON_NOT_TEXT,
    JSON_TOO_LONG,
    MAX_CHARACTERS,
    Reader,
    parse,
)
from tournament.alllast.queries import public_as_it_stands
from tournament.api import shapes
from tournament.api.answers import can_win_json, head_json, round_table_json, rounds_json, standings_json, table_json
from tournament.api.shapes import UUID_LENGTH
from tournament.core.errors import DomainError, StaleTableError
from tournament.core.limits import MAX_LEDGER_REASON
from tournament.core.redactions import redact, redact_json
from tournament.core.rights import Right, right_for_entry
from tournament.events.models import Event
from tournament.pages.permissions import (
    ACCESS_NO_SUCH_PAGE,
    DeskRequest,
    find_open_event,
    for_public,
    may_see_table,
    require,
    who_may,
)
from tournament.pages.public_page import stream_answer, wants_stream
from tournament.players.queries import list_players
from tournament.publication.names import without_hidden_names
from tournament.publication.queries import get_public_view
from tournament.record.queries import list_heads, prove_consistent
from tournament.signup.queries import get_public_prizes
from tournament.standings.prizes import list_awards
from tournament.standings.queries import get_standings
from tournament.tables.actions import EnteredHand, HandRequest, write_hand
from tournament.tables.queries import LoadedTable, get_table
from tournament.tables.round_queries import get_round, list_results
from tournament.text.problems import problems_json

MAX_DIGITS = 10


@require_GET
@for_public
def event(_request: HttpRequest, event: Event) -> HttpResponse:
    """Return an event with its rules in short and its rounds."""
    own, *second = [
        shapes.Rules(key=rules.key, title=rules.title, players=rules.players, minutes=rules.minutes)
        for rules in event.rulesets.values()
    ]
    answer: shapes.Event = {
        "event": event.slug,
        "name": event.name,
        "date": event.date.isoformat(),
        "place": event.place,
        "language": event.language,
        "rules": own,
        "rounds_planned": event.rounds_planned,
        "rounds": rounds_json(event),
    }
    if second:
        answer["second_rules"] = second[0]
    return JsonResponse(answer)


@require_GET
@for_public
def version(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the event's version, as body and ETag; 304 where the caller has it; or a stream of versions."""
    if wants_stream(request):
        return stream_answer(request, event, event_versions)
    etag = f'"{event.version}"'
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")]
    answer: HttpResponse = HttpResponse(status=304) if etag in known else JsonResponse({"version": event.version})
    answer["ETag"] = etag
    answer["Cache-Control"] = "no-cache"
    answer["X-Server-Time"] = str(int(timezone.now().timestamp() * 1000))
    return answer


def event_versions(slug: str, numbers: Iterable[int | None]) -> dict[int | None, str]:
    """Return the ETag of `version`; none for an event that is not public."""
    event = find_open_event(slug)
    return dict.fromkeys(numbers, f'"{event.version}"') if event else {}


@require_GET
@for_public
def standings(_request: HttpRequest, event: Event) -> HttpResponse:
    """Return the standings that the public sees in the form of `manage.py standings --json`, and who can still win."""
    answer, stands = standings_json(event, get_standings(event)), public_as_it_stands(event, None)
    if stands:
        answer["can_win"] = can_win_json(event, stands)
    return JsonResponse(answer)


@require_GET
@for_public
def prizes(_request: HttpRequest, event: Event) -> HttpResponse:
    """Return what can be won where the event's page says it, and who wins it once all results are public."""
    public, standings, say = get_public_prizes(event), get_standings(event), without_hidden_names(event)
    rows, currency = public.get("rows", []), public.get("currency", "")
    is_over = event.ends_with(len(standings.rounds)) and len(standings.rounds) >= event.rounds.count()
    awards: list[Any] = list_awards(event, standings.rows, currency) if rows and is_over else []

    def of(kind: str, named: str) -> str:
        return "" if kind == "newcomer" else say(named)

    answer: shapes.Prizes = {
        "event": event.slug,
        "currency": currency,
        "prizes": [
            {"kind": row["for"], "of": of(row["for"], row["of"]), "amount": row["amount"], "thing": say(row["thing"])}
            for row in rows
        ],
        "awards": [
            {
                "number": each.row.number,
                "name": each.row.name,
                "kind": each.kind,
                "of": of(each.kind, each.of),
                "shared_by": each.sharing,
                "amount": each.amount,
                "things": [say(thing) for thing in each.things],
            }
            for each in awards
        ],
    }
    return JsonResponse(answer)


@require_GET
@for_public
def record(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the newest signed head, and with `?from=` the proof that it continues the record of that many acts."""
    heads, first = list_heads(event)[:1], request.GET.get("from", "")
    answer: shapes.Record = {"event": event.slug, "head": None, "consistency": []}
    if heads:
        answer["head"] = head_json(heads[0])
        if first.isascii() and first.isdecimal() and len(first) < MAX_DIGITS:
            answer["consistency"] = prove_consistent(event, int(first), heads[0].size)
    response = JsonResponse(answer)
    response["Cache-Control"] = "no-cache"
    return response


@require_GET
@for_public
def players(_request: HttpRequest, event: Event) -> HttpResponse:
    """Return the players by number, under the names that the event shows."""
    rows: list[shapes.Player] = [
        {
            "number": row.number,
            "name": row.name,
            "ranked": row.ranked,
            "withdrawn": row.withdrawn,
            "disqualified": row.disqualified in ("name", "reason"),
        }
        for row in list_players(event)
    ]
    return JsonResponse(shapes.Players(event=event.slug, players=rows))


@require_GET
@for_public
def rounds(_request: HttpRequest, event: Event) -> HttpResponse:
    """Return the rounds that are drawn, in order."""
    return JsonResponse(shapes.Rounds(event=event.slug, rounds=rounds_json(event)))


@require_GET
@for_public
def round_(_request: HttpRequest, event: Event, round_number: int) -> HttpResponse:
    """Return a round with its seats, and with results where they are public; 404 before its seats are published."""
    found = get_round(event, round_number)
    if found is None or found.published_at is None:
        return _answer([ACCESS_NO_SUCH_PAGE()], 404)
    row = next(each for each in rounds_json(event) if each["round"] == round_number)
    tables = [round_table_json(each) for each in list_results(event, found)]
    answer: shapes.RoundSeats = {"event": event.slug, **row, "tables": tables}
    return JsonResponse(answer)


@require_GET
@for_public
def table(request: HttpRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Return one table with its hands: where the public may see it, live ones too, to everybody; any to the desk."""
    seen = get_public_view(event)
    public = seen.shows(round_number)
    live = seen.live_table(round_number, table_number, None)
    shown = public or live or may_see_table(request, event, round_number, table_number)
    loaded = get_table(event, round_number, table_number) if shown else None
    if loaded is None:
        return _answer([ACCESS_NO_SUCH_PAGE()], 404)
    return JsonResponse({**table_json(event, loaded), "live": not public})


@require_POST
@who_may(Right.ENTER_HANDS)
def entries(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Enter, correct or void a hand.

    201 with the table; 200 where the `client_id` is known; 409 with what came between; 422 with problems.
    """
    loaded = get_table(event, round_number, table_number, row=request.row)
    if loaded is None:
        return _answer([ACCESS_NO_SUCH_PAGE()], 404)
    try:
        entered = _carry_out(loaded, _body(request), request)
    except InvalidInput as wrong:
        return _answer(wrong.problems, 422)
    except StaleTableError as stale:
        now = _table(event, get_table(event, round_number, table_number))
        answer = {"problems": problems_json(stale.problems), **now, "between": _between(event, stale)}
        return JsonResponse(answer, status=409)
    except DomainError as refused:
        return _answer(refused.problems, 422)
    table = entered.table or get_table(event, round_number, table_number)
    return JsonResponse({**_table(event, table), "seq": entered.row.seq}, status=200 if entered.repeated else 201)


def _body(request: HttpRequest) -> Any:
    """Parse the body strictly; raises InvalidInput."""
    if int(request.headers.get("Content-Length") or 0) > MAX_CHARACTERS:
        raise InvalidInput([JSON_TOO_LONG(most=MAX_CHARACTERS)])
    try:
        return parse(request.body.decode("utf-8"))
    except UnicodeDecodeError as wrong:
        raise InvalidInput([JSON_NOT_TEXT()]) from wrong


def _carry_out(loaded: LoadedTable, body: Any, request: DeskRequest) -> EnteredHand:
    """Read a body and call the verb that it asks for; raises InvalidInput, DomainError or StaleTableError."""
    reader = Reader(body, "body")
    client_id = _client_id(reader)
    expected_seq = reader.value("expected_seq", Reader.check_count)
    hand = reader.value("hand", Reader.check_count, default=None)
    reason = reader.value("reason", Reader.check_text, MAX_LEDGER_REASON, default="")
    value = reader.value("entry", Reader.check_object, default=None)
    reader.finish()
    if value is None and hand is None:
        reader.add(ENTRY_MISSING_KEY(key="body.entry"))
    if reader.problems or client_id is None:
        raise InvalidInput(reader.problems)
    entry: Entry | None = None if value is None else entry_from_json(value)
    if entry is not None:
        refuse_bare_han(entry)
    require(request, right_for_entry(entry, corrects=hand is not None))
    asked = HandRequest(loaded.alone[0], entry, client_id, expected_seq, hand=hand, reason=reason, loaded=loaded)
    return write_hand(asked, by=request.user)


def _client_id(reader: Reader) -> uuid.UUID | None:
    text = reader.value("client_id", Reader.check_text, UUID_LENGTH)
    try:
        return uuid.UUID(text) if text else None
    except ValueError:
        reader.add(ENTRY_WRONG_TYPE(key="body.client_id", wanted="a UUID"))
        return None


def _between(event: Event, stale: StaleTableError) -> list[shapes.RowBetween]:
    return [
        {
            "seq": row.seq,
            "hand": row.supersedes or row.seq,
            "payload": redact_json(event, row.payload),
            "reason": redact(event, row.reason),
        }
        for row in stale.between
    ]


def _table(event: Event, loaded: LoadedTable | None) -> dict[str, shapes.Table]:
    return {"table": table_json(event, loaded)} if loaded else {}


def _answer(problems: Sequence[Problem], status: int) -> HttpResponse:
    return JsonResponse({"problems": problems_json(problems)}, status=status)
