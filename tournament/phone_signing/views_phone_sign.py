"""Signing on phones, the players' side: the final scores and hands of one game, and yes or what is wrong.

A page of a code shows one finished game to anybody who has the code, also of a round that is not released: those at its
table know how it ended. A code that counts no more shows nothing of the game.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput, ProblemType
from tournament.accounts.queries import get_rights
from tournament.core.errors import Refused
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.rounds import SeatCode
from tournament.pages.permissions_gateways import for_public
from tournament.pages.public_page import answer_one
from tournament.pages.requests_tables import UNPROCESSABLE
from tournament.pages.sign_in_rate_limits import count_bad_link
from tournament.phone_signing.actions import MOST_TYPED, say_no, say_yes
from tournament.phone_signing.queries import find_code, list_batch, state_of
from tournament.public.rows import closing_lines, final_rows, public_hands
from tournament.publication.names_names_in_texts import without_hidden_names
from tournament.tables.queries_tables import LoadedTable, list_hands, load_tables
from tournament.text.problems_1 import say

CODE_ANSWER_MISSING = ProblemType("code.answer_missing", "Say yes, or what is wrong.")

PAGE = "totals/sign.html"
SHOWN = ("open", "said", "signed")  # states in which the game is shown


@require_http_methods(["GET", "POST"])
@for_public
def sign(request: HttpRequest, event: Event) -> HttpResponse:
    """Ask for a code that somebody types, and lead to its page."""
    typed = "".join(request.POST.get("code", "")[:MOST_TYPED].split())
    if request.method == "POST" and typed.replace("-", "").isalnum() and typed.isascii():
        return redirect("public:sign_seat", event.slug, typed.upper())
    status = UNPROCESSABLE if request.method == "POST" else 200
    return answer_one(request, event, PAGE, {"state": "ask"}, status=status)


@require_http_methods(["GET", "POST"])
@for_public
def sign_seat(request: HttpRequest, event: Event, token: str) -> HttpResponse:
    """Show a finished game to the player of one seat, and take the answer."""
    code = find_code(event, token[:MOST_TYPED]) if event.phone_signing else None
    if code is None:
        unknown = {"state": "unknown"}
        return count_bad_link(request) or answer_one(request, event, PAGE, unknown, status=404)
    if request.method == "GET":
        return answer_one(request, event, PAGE, _context(event, code))
    try:
        _take(code, request.POST.get("answer", ""), request.POST.get("words", ""), _typist(request, event))
    except (Refused, InvalidInput) as refused:
        code.refresh_from_db()
        said = {"errors": [say(problem) for problem in refused.problems], "words": request.POST.get("words", "")}
        return answer_one(request, event, PAGE, _context(event, code) | said, status=UNPROCESSABLE)
    return redirect("public:sign_seat", event.slug, token)


def _typist(request: HttpRequest, event: Event) -> Account | None:
    """Return who answers from a session at this event's desk: the trail names them and no player."""
    user = request.user
    return user if isinstance(user, Account) and get_rights(user, event).role is not None else None


def _take(code: SeatCode, answer: str, words: str, by: Account | None) -> None:
    if answer == "yes":
        say_yes(code=code, by=by)
    elif answer == "no":
        say_no(code=code, words=words, by=by)
    else:
        raise InvalidInput([CODE_ANSWER_MISSING()])


def _context(event: Event, code: SeatCode) -> dict[str, Any]:
    (table,) = load_tables(event, ids=[code.table_id])
    state = state_of(code, list_batch(code.table_id), table, timezone.now())
    context = {"state": state, "code": code, "table": table}
    return context | (_game(event, table, code) if state in SHOWN else {})


def _game(event: Event, table: LoadedTable, code: SeatCode) -> dict[str, Any]:
    return {
        "mine": next(game for game in table.seat_games if game.player.seat == code.seat),
        "final": final_rows(table),
        "closing": closing_lines(table),
        "hands": public_hands(table, list_hands(table), without_hidden_names(event)),
    }
