"""Signing on phones: codes for the seats of a finished game at the desk, and the page on which players sign or object.

A page of a code shows one finished game to anybody who has the code, also of a round that is not released: those at its
table know how it ended. A code that counts no more shows nothing of the game.
"""

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.problems import InvalidInput, ProblemType
from tournament.accounts.models import Account
from tournament.accounts.queries import get_rights
from tournament.core.errors import DomainError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.addresses import hall_url
from tournament.pages.files import qr_code
from tournament.pages.permissions import DeskRequest, desk_context, for_public, who_may
from tournament.pages.public_page import answer_one
from tournament.pages.requests import UNPROCESSABLE, flash_problems, flash_saved, load_or_404, table_model, to_uuid
from tournament.pages.sign_in import count_bad_link
from tournament.phone_signing.actions import (
    MAX_TYPED,
    NewSeatCode,
    confirm_result,
    dispute_result,
    make_seat_codes,
    set_phone_signing,
)
from tournament.phone_signing.models import SeatCode
from tournament.phone_signing.queries import code_state, find_code, list_batch, list_said, may_sign_on_phones
from tournament.public.rows import closing_lines, final_rows, public_hands
from tournament.publication.names import without_hidden_names
from tournament.sheets.forms import say_not_here
from tournament.sheets.queries import get_objection
from tournament.tables.messages import names_at
from tournament.tables.queries import LoadedTable, list_hands, load_tables
from tournament.text.problems import problem_text

CODE_ANSWER_MISSING = ProblemType("code.answer_missing", "Say yes, or what is wrong.")

PAGE = "phone_signing/sign.html"
SHOWN = ("open", "said", "signed")  # states in which the game is shown


@require_http_methods(["GET", "POST"])
@for_public
def sign(request: HttpRequest, event: Event) -> HttpResponse:
    """Ask for a code that somebody types, and lead to its page."""
    typed = "".join(request.POST.get("code", "")[:MAX_TYPED].split())
    if request.method == "POST" and typed.replace("-", "").isalnum() and typed.isascii():
        return redirect("public:sign_seat", event.slug, typed.upper())
    status = UNPROCESSABLE if request.method == "POST" else 200
    return answer_one(request, event, PAGE, {"state": "ask"}, status=status)


@require_http_methods(["GET", "POST"])
@for_public
def sign_seat(request: HttpRequest, event: Event, token: str) -> HttpResponse:
    """Show a finished game to the player of one seat, and take the answer."""
    code = find_code(event, token[:MAX_TYPED]) if event.phone_signing else None
    if code is None:
        unknown = {"state": "unknown"}
        return count_bad_link(request) or answer_one(request, event, PAGE, unknown, status=404)
    if request.method == "GET":
        return answer_one(request, event, PAGE, sign_context(event, code))
    try:
        take_answer(code, request.POST.get("answer", ""), request.POST.get("words", ""), _typist(request, event))
    except (DomainError, InvalidInput) as refused:
        code.refresh_from_db()
        said = {
            "errors": [problem_text(problem) for problem in refused.problems],
            "words": request.POST.get("words", ""),
        }
        return answer_one(request, event, PAGE, sign_context(event, code) | said, status=UNPROCESSABLE)
    return redirect("public:sign_seat", event.slug, token)


def _typist(request: HttpRequest, event: Event) -> Account | None:
    """Return who answers from a session at this event's desk: the trail names them and no player."""
    user = request.user
    return user if isinstance(user, Account) and get_rights(user, event).role is not None else None


def take_answer(code: SeatCode, answer: str, words: str, by: Account | None) -> None:
    """Carry out the answer of a seat; raises InvalidInput for one that is neither yes nor no."""
    if answer == "yes":
        confirm_result(code=code, by=by)
    elif answer == "no":
        dispute_result(code=code, words=words, by=by)
    else:
        raise InvalidInput([CODE_ANSWER_MISSING()])


def sign_context(event: Event, code: SeatCode) -> dict[str, Any]:
    """Return what phone_signing/game.html shows to the seat of a code."""
    (table,) = load_tables(event, ids=[code.table_id])
    state = code_state(code, list_batch(code.table_id), table, timezone.now())
    context = {"state": state, "code": code, "table": table}
    return context | (_game(event, table, code) if state in SHOWN else {})


def _game(event: Event, table: LoadedTable, code: SeatCode) -> dict[str, Any]:
    return {
        "mine": next(game for game in table.seat_games if game.player.seat == code.seat),
        "final": final_rows(table),
        "closing": closing_lines(table),
        "hands": public_hands(table, list_hands(table, {}), without_hidden_names(event)),
    }


@require_http_methods(["GET", "POST"])
@who_may(Right.ENTER_SHEETS)
def seat_codes(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show what the players of a table have said, or make codes for its seats; only this answer shows them."""
    loaded = load_or_404(event, round_number, table_number, request.row)
    made: list[NewSeatCode] = []
    if request.method == "POST":
        try:
            batch = to_uuid(request.POST.get("client_id", ""))
            here = "here" in request.POST
            made = make_seat_codes(table=table_model(loaded), client_id=batch, here=here, by=request.user)
        except (DomainError, InvalidInput) as refused:
            flash_problems(request, refused)
            return redirect("desk:seat_codes", event.slug, round_number, table_number)
    page = desk_context(request, event, "desk", **_codes_context(request, event, loaded, made))
    response = render(request, "phone_signing/seat_codes.html", page)
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@who_may(Right.CHANGE_SETTINGS)
def phone_signing(request: DeskRequest, event: Event) -> HttpResponse:
    """Let players sign finished games on their phones, or not."""
    changed = set_phone_signing(event=event, allowed="allowed" in request.POST, by=request.user)
    flash_saved(request, _("Signing on phones is changed."), changed=changed)
    return redirect("desk:second_person", event.slug)


def _codes_context(request: DeskRequest, event: Event, table: LoadedTable, made: list[NewSeatCode]) -> dict[str, Any]:
    codes = {each.seat: each.code for each in made}
    said = {each.seat: each for each in list_said(table, timezone.now())}
    rows = []
    for player, name in zip(table.seats, names_at(table), strict=True):
        code = codes.get(player.seat, "")
        row = {"seat": player.seat, "name": name, "said": said.get(player.seat), "code": parted(code)}
        address = reverse("public:sign_seat", args=[event.slug, code]) if code else ""
        rows.append(row | {"svg": qr_code(hall_url(request, address)) if address else ""})
    return {
        "table": table,
        "rows": rows,
        "made": bool(made),
        "any": bool(said),
        "may": may_sign_on_phones(event, table),
        "not_here": say_not_here(event, table),
        "objection": get_objection(table.id),
        "client_id": str(uuid.uuid4()),
        "entry_url": hall_url(request, reverse("public:sign", args=[event.slug])),
    }


def parted(code: str) -> str:
    """Write a code in two parts, so that it can be read out.

    >>> parted("ABCDEFGHJK"), parted("")
    ('ABCDE-FGHJK', '')
    """
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}" if code else ""
