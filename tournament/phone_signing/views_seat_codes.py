"""Signing on phones, the desk's side: codes for the seats of a finished game, and what the players have said."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.problems import InvalidInput
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.pages.addresses import hall_url
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import flash_problems, load_or_404, row_of, to_uuid
from tournament.phone_signing.actions import NewCode, make_seat_codes, set_phone_signing
from tournament.phone_signing.queries import get_objection, list_said, may_sign_on_phones
from tournament.record.views import code_of
from tournament.tables.messages import names_at
from tournament.tables.queries_tables import LoadedTable


@require_http_methods(["GET", "POST"])
@who_may(Verb.ENTER_SHEETS)
def seat_codes(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show what the players of a table have said, or make codes for its seats; only this answer shows them."""
    loaded = load_or_404(event, round_number, table_number)
    made: list[NewCode] = []
    if request.method == "POST":
        try:
            batch = to_uuid(request.POST.get("client_id", ""))
            made = make_seat_codes(table=row_of(loaded), client_id=batch, by=request.user)
        except (Refused, InvalidInput) as refused:
            flash_problems(request, refused)
            return redirect("desk:seat_codes", event.slug, round_number, table_number)
    page = desk_context(request, event, "desk", **_context(request, event, loaded, made))
    response = render(request, "totals/seat_codes.html", page)
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@who_may(Verb.CHANGE_SETTINGS)
def phone_signing(request: DeskRequest, event: Event) -> HttpResponse:
    """Let players sign finished games on their phones, or not."""
    if set_phone_signing(event=event, allowed="allowed" in request.POST, by=request.user):
        messages.success(request, _("Signing on phones is changed."))
    else:
        messages.info(request, _("Nothing was changed."))
    return redirect("desk:second_person", event.slug)


def _context(request: DeskRequest, event: Event, table: LoadedTable, made: list[NewCode]) -> dict[str, Any]:
    codes = {each.seat: each.code for each in made}
    said = {each.seat: each for each in list_said(table, timezone.now())}
    rows = []
    for player, name in zip(table.seats, names_at(table), strict=True):
        code = codes.get(player.seat, "")
        row = {"seat": player.seat, "name": name, "said": said.get(player.seat), "code": parted(code)}
        address = reverse("public:sign_seat", args=[event.slug, code]) if code else ""
        rows.append(row | {"svg": code_of(hall_url(request, address)) if address else ""})
    return {
        "table": table,
        "rows": rows,
        "made": bool(made),
        "any": bool(said),
        "may": may_sign_on_phones(event, table),
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
