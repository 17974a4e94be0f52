"""The treasurer's page: what everybody has to pay, what came in, and each payment noted in its row."""

import re
import uuid
from decimal import Decimal
from typing import ClassVar

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.models.sign_up import SignUp
from tournament.pages.lists import ListColumn, ListTable
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import flash_problems, to_int, to_uuid
from tournament.signup.actions_fees import SIGN_UP_AMOUNT_WRONG, note_payment
from tournament.signup.actions_sign_ups import SIGN_UP_GONE
from tournament.signup.messages import ENDED_WORDS, STATE_WORDS, say_money
from tournament.signup.queries import get_page, list_sign_ups, sum_fees
from tournament.text.languages import side_by_side

_MONEY = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,2}0*)?")


def say_state(row: SignUp) -> str:
    """Say how far a sign-up has come, and who ended a cancelled one."""
    ended = _(ENDED_WORDS[row.ended]) if row.ended in ENDED_WORDS else ""
    return side_by_side([_(STATE_WORDS[row.state]), ended])


def decimal_of(cents: int) -> str:
    """Write an amount as spreadsheets read it."""
    return f"{Decimal(cents) / 100:.2f}"


class WhoTable(ListTable):
    """The columns that say who signed up and how far it has come."""

    number = ListColumn(gettext_lazy("No."), value=lambda row: row.number, kind="count")
    name = ListColumn(
        gettext_lazy("Name"),
        value=lambda row: row.name,
        sort=lambda row: row.name.casefold(),
        cell="signup/sign_ups.html#name",
    )
    state = ListColumn(gettext_lazy("State"), value=say_state)

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "is-stack"}
        order_by = "number"


class FeeTable(WhoTable):
    """What everybody with a place or with money here has to pay."""

    title = gettext_lazy("Fees")
    reference = ListColumn(
        gettext_lazy("Reference"), value=lambda row: row.reference, sort=lambda row: row.number, css="mono"
    )
    due = ListColumn(gettext_lazy("Due"), value=lambda row: decimal_of(row.due), sort=lambda row: row.due, css="is-num")
    paid = ListColumn(
        gettext_lazy("Received"), value=lambda row: decimal_of(row.paid), sort=lambda row: row.paid, css="is-num"
    )
    open = ListColumn(
        gettext_lazy("To be paid"),
        value=lambda row: decimal_of(row.due - row.paid),
        sort=lambda row: row.due - row.paid,
        css="is-num",
    )
    pay = ListColumn(sort=False, cell="signup/fees.html#pay", css="row-act", in_file=False)

    class Meta(WhoTable.Meta):
        sequence = ("number", "reference", "...")


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
def fees(request: DeskRequest, event: Event) -> HttpResponse:
    """List what everybody has to pay, for the treasurer; note a payment in its row."""
    if request.method == "POST":
        row = event.sign_ups.select_related("event").filter(number=to_int(request.POST.get("number"))).first()
        try:
            pay(request, row)
        except (Refused, InvalidInput) as refused:
            flash_problems(request, refused)
        else:
            messages.success(request, _("The payment is noted."))
        return redirect(request.get_full_path())
    page, rows = get_page(event), list_sign_ups(event)
    sums = sum_fees(rows)
    paying = [row for row in rows if row.due or row.paid]  # type: ignore[attr-defined]
    open_only = "open" in request.GET
    shown = [row for row in paying if row.due != row.paid] if open_only else paying  # type: ignore[attr-defined]
    for row in shown:
        row.open_amount, row.pay_id = decimal_of(row.due - row.paid), uuid.uuid4()  # type: ignore[attr-defined]
    table = FeeTable(shown, request)
    if file := table.file(event.name):
        return file
    context = {
        "page": page,
        "table": table,
        "rows": paying,
        "open_only": open_only,
        "sums": {key: say_money(getattr(sums, key), page.currency) for key in ("due", "paid", "open", "back")},
        "owing": sum(row.due > row.paid for row in rows),  # type: ignore[attr-defined]
    }
    return render(request, "signup/fees.html", desk_context(request, event, "players", **context))


def pay(request: DeskRequest, row: SignUp | None) -> None:
    """Note the payment of a posted form; raises Refused."""
    if row is None:
        raise Refused(SIGN_UP_GONE())
    note_payment(
        sign_up=row,
        amount=read_money(request.POST.get("amount", "")),
        note=request.POST.get("note", ""),
        client_id=to_uuid(request.POST.get("client_id", "")),
        by=request.user,
    )


def read_money(text: str) -> int:
    """Return hundredths of a typed amount, with a comma or a point; raises Refused for anything else.

    >>> read_money("37,50"), read_money("-40")
    (3750, -4000)
    """
    plain = text.strip().replace("\N{MINUS SIGN}", "-").replace(",", ".")
    if not _MONEY.fullmatch(plain):
        raise Refused(SIGN_UP_AMOUNT_WRONG())
    return int(Decimal(plain) * 100)
