"""Prizes and money of an event: what can be won and who wins it, what came in and went out, the treasurer's list."""

import datetime as dt
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from scoring.problems import InvalidInput
from tournament.accounts.queries import account_names
from tournament.core.errors import FORM_STALE, DomainError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.files import get_head, print_now
from tournament.pages.forms import ReadField, add_problems, edit_rows
from tournament.pages.lists import ListColumn, ListTable
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_problems, flash_refusal, to_int, to_uuid
from tournament.pdf.render import Leaves
from tournament.players.models import Player
from tournament.publication.names import list_names
from tournament.signup.actions import MAX_NOTE, note_money, note_payment
from tournament.signup.models import FeePayment, SignUp
from tournament.signup.queries import get_page, list_sign_ups, read_awards
from tournament.standings.prizes import (
    KINDS,
    MAX_PRIZES,
    MAX_THING,
    PRIZES_UNUSABLE,
    SHARED,
    TIE_BREAK,
    find_faults,
    hand_over,
    list_handed,
    say_prize,
    set_prizes,
    undo_handed,
)
from tournament.text.languages import colon, join_commas, plural_text
from tournament.text.money import MAX_AMOUNT_TEXT, decimal_of, parse_money, say_money
from tournament.text.names import fold
from tournament.text.problems import problem_text

SLIPS = 4  # receipts to a page


class MoneyTable(ListTable):
    """What came in and went out, payments first, then what the prizes take."""

    title = gettext_lazy("Prizes and money")
    at = ListColumn(gettext_lazy("When"), value=lambda row: row["at"], kind="moment")
    what = ListColumn(gettext_lazy("What"), value=lambda row: row["what"])
    came = ListColumn(
        gettext_lazy("Income"), value=lambda row: decimal_of(row["amount"]) if row["amount"] > 0 else "",
        sort=lambda row: row["amount"], css="is-num",
    )  # fmt: skip
    went = ListColumn(
        gettext_lazy("Expense"), value=lambda row: decimal_of(-row["amount"]) if row["amount"] < 0 else "",
        sort=lambda row: row["amount"], css="is-num",
    )  # fmt: skip

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "is-stack"}


class AmountForm(forms.Form):
    """An amount of money; an empty one is 0."""

    amount = ReadField(
        str,
        label=pgettext_lazy("money", "Amount"),
        max_length=MAX_AMOUNT_TEXT,
        widget=forms.TextInput(attrs={"class": "is-number", "inputmode": "decimal"}),
    )

    def __init__(self, *args: Any, currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        amount: Any = self.fields["amount"]
        amount.read = lambda text: parse_money(text, currency) if text else 0


class MoneyForm(AmountForm):
    """Money that is no fee: what for, how much, and whether it came in or went out."""

    note = forms.CharField(
        label=gettext_lazy("What"),
        max_length=MAX_NOTE,
        widget=forms.TextInput(attrs={"placeholder": gettext_lazy("Rent of the hall")}),
    )
    way = forms.ChoiceField(
        label=gettext_lazy("Income or expense"),
        choices=[("out", gettext_lazy("Expense")), ("in", gettext_lazy("Income"))],
    )
    field_order = ("note", "amount", "way")


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PLAYERS)
def money(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what came in and went out, as a page and a file; note money that is no fee."""
    currency = get_page(event).currency
    form = MoneyForm(request.POST if request.method == "POST" else None, currency=currency)
    if form.is_valid():
        amount, note, way = (form.cleaned_data[name] for name in ("amount", "note", "way"))
        try:
            client_id = to_uuid(request.POST.get("client_id", ""))
            note_money(
                event=event, amount=-amount if way == "out" else amount, note=note, client_id=client_id, by=request.user
            )
        except (DomainError, InvalidInput) as refused:
            add_problems(form, refused, {"sign_up.amount_wrong": "amount"})
        else:
            messages.success(request, _("Saved."))
            return redirect("desk:money", event.slug)
    payments = event.payments.select_related("sign_up", "player__person")
    rows: list[dict[str, Any]] = [
        {"at": each.given_at, "what": _payment_text(each), "amount": each.amount} for each in payments
    ]
    awards = read_awards(event)
    rows += [
        {
            "at": None,
            "what": f"{_('Prize')}{colon()}{join_commas([each.why, each.row.name, *each.things])}",
            "amount": -each.amount,
        }
        for each, _said, _handed in awards
    ]
    table = MoneyTable(rows, request)
    if file := table.file(event.name):
        return file
    came, went = (sum(max(sign * row["amount"], 0) for row in rows) for sign in (1, -1))
    handed = _list_handed(event, currency)
    shown = [(each, said, handed.get(each.key)) for each, said, _handed in awards]
    won = {each.key for each, *_said in shown}
    context = {
        "table": table,
        "rows": rows,
        "awards": shown,
        "given": sum(each is not None for _award, _said, each in shown),
        "not_won": [each for key, each in handed.items() if key not in won],
        "sums": [say_money(each, currency) for each in (came, went, came - went)],
        "client_id": uuid.uuid4(),
        "form": form,
    }
    page = desk_context(request, event, "settings", **context)
    return render(request, "signup/money.html", page, status=UNPROCESSABLE if form.is_bound else 200)


def _payment_text(each: FeePayment) -> str:
    who = str(each.player.person) if each.player else ""
    if each.sign_up:
        who = each.sign_up.name or str(each.sign_up.number)
    return " · ".join(filter(None, (f"{_('Fee')}{colon()}{who}" if who else "", each.note))) or "–"


def _list_handed(event: Event, currency: str) -> dict[str, dict[str, Any]]:
    """Return what was handed over by its key, in words: to whom, what, when and who noted it."""
    handed = list_handed(event)
    people, names = dict(list_names(event)), account_names({each["by"] for each in handed.values()})
    return {
        key: {
            "key": key,
            "to": people.get(each["player"], ""),
            "what": say_prize(each["amount"], each["things"], currency),
            "at": dt.datetime.fromisoformat(each["at"]),
            "by": names.get(each["by"], ""),
        }
        for key, each in handed.items()
    }


@require_POST
@who_may(Right.MANAGE_PLAYERS)
def hand_over_prize(request: DeskRequest, event: Event) -> HttpResponse:
    """Note that a prize was handed over, or with `undo` that it was not."""
    key = request.POST.get("prize", "")
    award = next((each for each, _said, _handed in read_awards(event) if each.key == key), None)
    if "undo" in request.POST:
        undo_handed(event=event, key=key, by=request.user)
    elif award:
        hand_over(event=event, award=award, by=request.user)
    else:  # the results or the prizes have changed since the page was made
        flash_problems(request, DomainError(FORM_STALE()))
    return redirect(f"{reverse('desk:money', args=[event.slug])}#awards")


class PrizeForm(AmountForm):
    """A prize."""

    for_ = forms.ChoiceField(label=gettext_lazy("Prize for"), choices=[*KINDS.items()])
    of = forms.CharField(label=gettext_lazy("Which"), max_length=80, required=False)
    thing = forms.CharField(label=gettext_lazy("Thing"), max_length=MAX_THING, required=False)

    field_order = ("for_", "of", "amount", "thing")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["amount"].required = False
        self.initial["for_"], amount = self.initial.get("for"), self.initial.get("amount")
        self.initial["amount"] = decimal_of(amount) if amount else ""

    def clean(self) -> dict[str, Any]:
        """Say what the prize lacks; an amount that cannot be read is none that lacks."""
        for name in find_faults(row) if (row := self.row()) else ():
            self.add_error(name, problem_text(PRIZES_UNUSABLE()))
        return self.cleaned_data

    def row(self) -> dict[str, Any]:
        """Return the prize; {} for an empty row."""
        given = self.cleaned_data
        typed = {"of": given.get("of", ""), "amount": given.get("amount", 1), "thing": given.get("thing", "")}
        return {"for": given.get("for_", "place"), **typed} if any(typed.values()) else {}


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PLAYERS)
def prizes(request: DeskRequest, event: Event) -> HttpResponse:
    """Set what can be won and how ties share it; an empty row is no prize."""
    ties = request.POST.get("ties", event.prizes.get("ties", TIE_BREAK))
    return edit_rows(
        request, event, "prizes", "signup/prizes.html", PrizeForm, event.prizes.get("rows", []),
        partial(set_prizes, ties=ties), most=MAX_PRIZES, said=_("Saved."), context=lambda: {"shared": ties == SHARED},
        currency=get_page(event).currency,
    )  # fmt: skip


@require_GET
@who_may(Right.MANAGE_PLAYERS)
def receipts(request: DeskRequest, event: Event) -> HttpResponse:
    """Print a receipt for each prize that is won, or `?of=fees` for each fee that came in, four to a page."""
    currency = get_page(event).currency
    if request.GET.get("of") == "fees":
        fees = event.payments.select_related("sign_up", "player__person").filter(amount__gt=0)
        lines = [
            (each.sign_up.name if each.sign_up else str(each.player), _("Fee"), say_money(each.amount, currency))
            for each in fees
            if each.sign_up or each.player
        ]
    else:
        lines = [(each.row.name, each.why, said) for each, said, _handed in read_awards(event)]
    pages = [lines[start : start + SLIPS] for start in range(0, len(lines), SLIPS)] or [[]]
    leaves = Leaves("receipts", ({"pages": pages, "fees": request.GET.get("of") == "fees"},))
    return print_now(request, event, "receipts", leaves, get_head(event), tab="settings")


MAX_LINES = 2_000
# words are folded
_HEADINGS = re.compile("paid|bezahlt|paye|paiement|betaald|pagato|zaplacone|入金|支払い?|amount|betrag|montant|金額")
_NO = re.compile("no|nein|non|n|open|offen|unpaid|unbezahlt|impaye|nee|いいえ|未(払い)?|[-–0]")
_MONEY = re.compile(r"(?:[€$£¥]|\b[A-Z]{3}) ?[0-9.,']+|[0-9.,']+ ?(?:[€$£¥]|[A-Z]{3}\b)|\b[0-9]+[.,][0-9]{2}\b")
_NOT_PAID = re.compile(r"\b(not|non|nicht|pas|un)[ -]?(yet |noch )?(paid|paye|bezahlt)|\boffen\b|\bunpaid\b|未払")
_COMMA = re.compile(r",(?!\d{1,2}(?:\D|$))")  # not that of an amount


@dataclass(frozen=True, slots=True)
class Payer:
    """Somebody whose fee is known: a sign-up, or a player without one; what is `open` and `paid`, in hundredths."""

    key: str
    who: SignUp | Player
    name: str
    marks: tuple[str, ...]
    open: int
    paid: int = 0


@dataclass(frozen=True, slots=True)
class PaidLine:
    """A line as it was pasted, whom it matches, and what it says: paid or not, with an amount or None."""

    text: str
    payers: tuple[Payer, ...]
    paid: bool
    amount: int | None = None
    again: bool = False

    @property
    def payer(self) -> Payer | None:
        """The one person whom it matches."""
        return self.payers[0] if len(self.payers) == 1 else None

    @property
    def to_note(self) -> int:
        """What would be noted: what is missing to the sum that it says, else the open fee; 0 for nothing."""
        if not self.paid or self.payer is None or self.again:
            return 0
        return max(self.payer.open if self.amount is None else self.amount - self.payer.paid, 0)


def read_paid_list(text: str, payers: Sequence[Payer], currency: str) -> list[PaidLine]:
    """Read a list with a name in each line, alone or in columns, numbered or not; a column "paid" says who has paid.

    Without such a column everybody listed has paid whose line does not say otherwise.
    """
    lines = [line for line in text.splitlines()[:MAX_LINES] if line.strip()]
    column = _paid_column(lines[0]) if lines else None
    found, seen = list[PaidLine](), set[str]()
    for line in lines[column is not None :]:
        cells, matched = _cells(line), _match(line, payers)
        said = cells[column : column + 1] if column is not None else [*cells[1:], *_MONEY.findall(line)]
        amount = next(_amounts(said, currency), None)
        paid = _is_yes(said) if column is not None else not _NOT_PAID.search(fold(line))
        key = matched[0].key if len(matched) == 1 else ""
        found.append(PaidLine(line.strip()[:200], matched, paid and amount != 0, amount, key in seen))
        seen |= {key} - {""}
    return found


def _cells(line: str) -> list[str]:
    sign = next((each for each in "\t;|" if each in line), "")
    return [cell.strip().strip('"') for cell in (line.strip("|").split(sign) if sign else _COMMA.split(line))]


def _paid_column(line: str) -> int | None:
    cells = [fold(cell).strip(" ?:") for cell in _cells(line)]
    return next((at for at, cell in enumerate(cells) if _HEADINGS.fullmatch(cell)), None) if len(cells) > 1 else None


def _is_yes(cells: Sequence[str]) -> bool:
    return bool(cells and cells[0] and not _NO.fullmatch(fold(cells[0]).strip(" .!?")))


def _amounts(cells: Sequence[str], currency: str) -> Iterator[int]:
    for cell in cells:
        try:
            yield parse_money(cell, currency)
        except DomainError:
            continue


def _match(line: str, payers: Sequence[Payer]) -> tuple[Payer, ...]:
    """Return whom a line names: by reference, EMA number or email, else by the longest name that is all in it."""
    marks = set(re.split(r"[\s,;|()<>\"]+", line.casefold()))
    if sure := [each for each in payers if marks & set(each.marks)]:
        return tuple(sure)
    words, bare = set(_words(line)), fold(re.sub(r"\s", "", line))
    named = [
        (len(own), each)
        for each in payers
        if (own := _words(each.name))
        and (set(own) <= words or (each.name[0] >= "\u2e80" and fold("".join(each.name.split())) in bare))
    ]
    longest = max((length for length, _each in named), default=0)
    return tuple(each for length, each in named if length == longest)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))


def list_payers(event: Event) -> list[Payer]:
    """List whose fee is known: sign-ups, and players without one, whose fee is the event's; three queries."""
    fee = get_page(event).fee
    rows = [row for row in list_sign_ups(event) if row.due or row.paid]  # type: ignore[attr-defined]
    found = [
        Payer(
            f"s{row.number}", row, row.name, tuple(filter(None, (row.reference.casefold(), row.ema_number, row.mail))),
            row.due - row.paid, row.paid,  # type: ignore[attr-defined]
        )
        for row in rows
    ]  # fmt: skip
    for player in event.players.filter(sign_ups=None).select_related("person").prefetch_related("payments"):
        paid = sum(each.amount for each in player.payments.all())
        marks = tuple(filter(None, (player.person.ema_number,)))
        found.append(Payer(f"p{player.number}", player, str(player.person), marks, fee - paid, paid))
    return found


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PLAYERS)
def paid_list(request: DeskRequest, event: Event) -> HttpResponse:
    """Read the treasurer's pasted list and show whom it matches; `confirmed`, note what was ticked."""
    text, currency = request.POST.get("pasted", "")[:200_000], get_page(event).currency
    payers = list_payers(event)
    if "confirmed" in request.POST:
        return _note_paid(request, event, {each.key: each for each in payers})
    lines = read_paid_list(text, payers, currency)
    context = {
        "pasted": text,
        "lines": [(line, _line_text(line, currency)) for line in lines],
        "count": sum(bool(line.to_note) for line in lines),
        "client_id": uuid.uuid4(),
    }
    return render(request, "signup/paid_list.html", desk_context(request, event, "settings", **context))


def _line_text(line: PaidLine, currency: str) -> str:
    if not line.payers:
        return _("matches nobody")
    if line.payer is None:
        return _("matches several people")
    if line.again:
        return _("already in this list")
    if not line.paid:
        return _("not paid")
    return say_money(line.to_note, currency) if line.to_note else _("nothing is to be paid")


def _note_paid(request: DeskRequest, event: Event, payers: dict[str, Payer]) -> HttpResponse:
    """Note the ticked payments, all or none; sent twice it notes them once."""
    count = 0
    with flash_refusal(request):
        asked = to_uuid(request.POST.get("client_id", ""))
        with transaction.atomic():
            for ticked in request.POST.getlist("pay"):
                amount, _colon, key = ticked.partition(":")
                if key not in payers:
                    continue
                who = payers[key].who
                said: dict[str, Any] = {"amount": to_int(amount), "client_id": uuid.uuid5(asked, key)}
                if isinstance(who, SignUp):
                    note_payment(sign_up=who, by=request.user, **said)
                else:
                    note_money(event=event, player=who, by=request.user, **said)
                count += 1
        messages.success(request, plural_text("%(count)d payment is noted.", "%(count)d payments are noted.", count))
    return redirect("desk:money", event.slug)
