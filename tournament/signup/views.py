"""The organiser's pages of sign-ups: the list, one sign-up, fees and payments, letters before and after they go."""

import datetime as dt
import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from tournament.core.errors import DomainError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.lists import ListColumn, ListTable
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import flash_problems, flash_refusal, to_int, to_uuid
from tournament.pages.sign_in import confirm_first
from tournament.rulesets.queries import list_rule_changes
from tournament.signup.actions import (
    SIGN_UP_GONE,
    cancel,
    confirm,
    give_place,
    make_players,
    note_payment,
    payment_reference,
    set_fee,
    settle_event,
)
from tournament.signup.letter_sender import letter_text, link_of
from tournament.signup.letters import (
    TO_SEND,
    check_letter,
    discard_letter,
    draft_reminders,
    draft_rules_letters,
    send_by_hand,
    send_letters,
)
from tournament.signup.messages import (
    ENDED_WORDS,
    LETTER_KINDS,
    LETTER_STATES,
    LINK,
    STATE_WORDS,
    say_letter,
    spaced,
)
from tournament.signup.models import Letter, LetterState, SignUp, SignUpState
from tournament.signup.queries import (
    count_places,
    get_page,
    kept_until,
    list_sign_ups,
    paid_by,
    sign_up_token,
    sum_fees,
)
from tournament.signup.retention import erase_sign_up
from tournament.text.languages import join_commas, join_spaced, known_language, offered_language, plural_text
from tournament.text.money import decimal_of, parse_money, say_money


def _consent(row: SignUp) -> str:
    said = ((row.show_name, _("name")), (row.photo, _("photographs")), (row.stream, _("stream")))
    return join_commas(word for agrees, word in said if agrees)


def state_text(row: SignUp) -> str:
    """Say how far a sign-up has come, and who ended a cancelled one."""
    ended = _(ENDED_WORDS[row.ended]) if row.ended in ENDED_WORDS else ""
    return join_spaced([_(STATE_WORDS[row.state]), ended])


class WhoTable(ListTable):
    """The columns that say who signed up and how far it has come."""

    number = ListColumn(gettext_lazy("No."), value=lambda row: row.number, kind="count")
    name = ListColumn(
        gettext_lazy("Name"),
        value=lambda row: row.name,
        sort=lambda row: row.name.casefold(),
        cell="signup/sign_ups.html#name",
    )
    state = ListColumn(gettext_lazy("State"), value=state_text)

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "is-stack"}
        order_by = "number"


class SignUpTable(WhoTable):
    """Everybody who signed up, in order of arrival."""

    title = gettext_lazy("Sign-ups")
    arrived = ListColumn(gettext_lazy("Came in"), value=lambda row: row.arrived_at, kind="moment")
    ema = ListColumn(gettext_lazy("EMA number"), value=lambda row: row.ema_number, css="mono")
    country = ListColumn(gettext_lazy("Country"), value=lambda row: row.country)
    club = ListColumn(gettext_lazy("Club"), value=lambda row: row.club)
    answers = ListColumn(
        gettext_lazy("Answers"),
        value=lambda row: join_spaced(f"{key}: {value}" for key, value in sorted(row.answers.items())),
        sort=False,
        kind="sentence",
    )
    mail = ListColumn(gettext_lazy("Email"), value=lambda row: row.mail, on_screen=False)
    consent = ListColumn(gettext_lazy("Agrees to"), value=_consent, sort=False, on_screen=False)
    guardian = ListColumn(
        gettext_lazy("Guardian"),
        value=lambda row: f"{row.guardian} {row.guardian_mail}".strip(),
        on_screen=False,
    )

    class Meta(WhoTable.Meta):
        pass


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PLAYERS)
def sign_ups(request: DeskRequest, event: Event) -> HttpResponse:
    """List who signed up, `?only=STATE` some of them; confirm those who wait for it, or make players of all."""
    if request.method == "POST":
        return _act_on_list(request, event)
    settle_event(event)
    page, rows = get_page(event), list_sign_ups(event)
    only = request.GET.get("only", "")
    shown = [row for row in rows if row.state == only] if only in SignUpState.values else rows
    table = SignUpTable(shown, request)
    if file := table.file(event.name):
        return file
    counts = {state: sum(row.state == state for row in rows) for state in SignUpState.values}
    context = {
        "page": page,
        "table": table,
        "places": count_places(event, page),
        "rows": rows,
        "filters": [
            {"label": f"{_(STATE_WORDS[state])} {count}", "url": f"?only={state}", "current": state == only}
            for state, count in counts.items()
            if count
        ],
        "only": only,
        "unconfirmed": [row.number for row in rows if row.state == SignUpState.UNCONFIRMED],
        "to_make": sum(row.state == SignUpState.PLACE and row.player_id is None for row in rows),
        "kept_until": kept_until(event, page),
        "letters": Letter.objects.filter(event=event, state__in=TO_SEND).count(),
    }
    return render(request, "signup/sign_ups.html", desk_context(request, event, "players", **context))


def _act_on_list(request: DeskRequest, event: Event) -> HttpResponse:
    if request.POST.get("act") == "confirm":
        asked = [to_int(text) for text in request.POST.getlist("number")]
        done = confirm(event=event, numbers=asked, by=request.user)
        messages.success(
            request, plural_text("%(count)d sign-up is confirmed.", "%(count)d sign-ups are confirmed.", len(done))
        )
        if left := len(asked) - len(done):
            messages.warning(
                request,
                plural_text(
                    "%(count)d stays unconfirmed: the address or EMA number is signed up already.",
                    "%(count)d stay unconfirmed: the address or EMA number is signed up already.",
                    left,
                ),
            )
    elif request.POST.get("act") == "players":
        question = confirm_first(
            request,
            event,
            title=_("Make players of everybody with a place?"),
            text=_("They are added to the list of players in order of arrival. Nobody is added twice."),
            submit=_("Make players"),
            back=reverse("desk:sign_ups", args=[event.slug]),
            tab="players",
        )
        if question:
            return question
        _make(request, event)
        return redirect("desk:players", event.slug)
    return redirect("desk:sign_ups", event.slug)


def _make(request: DeskRequest, event: Event) -> None:
    made = make_players(event=event, by=request.user)
    messages.success(
        request, plural_text("%(count)d player is added.", "%(count)d players are added.", len(made.added))
    )
    if made.found:
        found = plural_text(
            "%(count)d was in the list already.", "%(count)d were in the list already.", len(made.found)
        )
        messages.info(request, found)
    if made.left_out:
        numbers = join_commas(map(str, made.left_out))
        text = _("Left out, because another player has the same name: sign-up %(numbers)s. Add them by hand.")
        messages.warning(request, text % {"numbers": numbers})


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PLAYERS)
def sign_up(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Show one sign-up with its money and letters; give a place, cancel, set the fee, note money, delete the data."""
    row = get_object_or_404(event.sign_ups.select_related("event", "player"), number=number, erased_at=None)
    if request.method == "POST":
        return _act_on_one(request, row)
    page, paid = get_page(event), paid_by(row)
    path = reverse("public:my_sign_up", args=[event.slug, sign_up_token(row)])
    context = {
        "page": page,
        "row": row,
        "state": state_text(row),
        "consent": _consent(row) or _("nothing"),
        "answers": sorted(row.answers.items()),
        "paid": say_money(paid, page.currency),
        "due": say_money(row.due, page.currency),
        "fee": decimal_of(row.fee),
        "reference": spaced(row.reference),
        "payments": [(each, say_money(each.amount, page.currency)) for each in row.payments.all()],
        "letters": [letter_line(each) for each in row.letters.order_by("made_at", "pk")],
        "link": request.build_absolute_uri(path),
        "client_id": uuid.uuid4(),
        "open_amount": decimal_of(row.due - paid),
    }
    return render(request, "signup/sign_up.html", desk_context(request, event, "players", **context))


def _act_on_one(request: DeskRequest, row: SignUp) -> HttpResponse:
    act, by, reason = request.POST.get("act", ""), request.user, request.POST.get("reason", "")
    with flash_refusal(request):
        if act == "place":
            give_place(sign_up=row, reason=reason, by=by)
        elif act == "cancel":
            cancel(sign_up=row, reason=reason, by=by)
        elif act == "fee":
            fee = parse_money(request.POST.get("fee", ""), get_page(row.event).currency)
            set_fee(sign_up=row, fee=fee, reason=reason, by=by)
        elif act == "pay":
            pay(request, row)
        elif act == "erase":
            asked = confirm_first(
                request, row.event, title=_("Delete all data of this sign-up?"),
                text=_("Its letters are deleted, too, and its place becomes free. The number stays empty."),
                submit=_("Delete the data"), back=reverse("desk:sign_up", args=[row.event.slug, row.number]),
                tab="players", danger=True,
            )  # fmt: skip
            if asked:
                return asked
            erase_sign_up(sign_up=row, by=by)
            messages.success(request, _("The data is deleted."))
            return redirect("desk:sign_ups", row.event.slug)
        messages.success(request, _("Saved."))
    return redirect("desk:sign_up", row.event.slug, row.number)


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
@who_may(Right.MANAGE_PLAYERS)
def fees(request: DeskRequest, event: Event) -> HttpResponse:
    """List what everybody has to pay, for the treasurer; note a payment in its row."""
    if request.method == "POST":
        row = event.sign_ups.select_related("event").filter(number=to_int(request.POST.get("number"))).first()
        with flash_refusal(request):
            pay(request, row)
            messages.success(request, _("The payment is noted."))
        return redirect(request.get_full_path())
    page, rows = get_page(event), list_sign_ups(event)
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
        "sums": {key: say_money(each, page.currency) for key, each in sum_fees(rows).items()},
        "owing": sum(row.due > row.paid for row in rows),  # type: ignore[attr-defined]
    }
    return render(request, "signup/fees.html", desk_context(request, event, "players", **context))


def pay(request: DeskRequest, row: SignUp | None) -> None:
    """Note the payment of a posted form; raises DomainError."""
    if row is None:
        raise DomainError(SIGN_UP_GONE())
    note_payment(
        sign_up=row,
        amount=parse_money(request.POST.get("amount", ""), get_page(row.event).currency),
        note=request.POST.get("note", ""),
        client_id=to_uuid(request.POST.get("client_id", "")),
        by=request.user,
    )


def letter_line(letter: Letter) -> dict[str, Any]:
    """Return a letter as a list shows it."""
    return {"letter": letter, "kind": _(LETTER_KINDS[letter.kind]), "state": _(LETTER_STATES[letter.state])}


class LetterTable(ListTable):
    """The letters of an event, the newest first."""

    title = gettext_lazy("Letters")
    made = ListColumn(gettext_lazy("Written"), value=lambda each: each["letter"].made_at, kind="moment")
    kind = ListColumn(gettext_lazy("Letter"), value=lambda each: each["kind"], cell="signup/letters.html#kind")
    to = ListColumn(gettext_lazy("To"), value=lambda each: each["letter"].to, css="show-address")
    state = ListColumn(gettext_lazy("State"), value=lambda each: each["state"], cell="signup/letters.html#state")
    sent = ListColumn(gettext_lazy("Sent"), value=lambda each: each["letter"].sent_at, kind="moment")

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "is-stack"}


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PLAYERS)
def letters(request: DeskRequest, event: Event) -> HttpResponse:
    """List all letters; draft reminders of open fees, and let drafts be sent."""
    if request.method == "POST":
        if request.POST.get("act") == "remind":
            count = draft_reminders(event=event, by=request.user)
            drafted = plural_text("%(count)d reminder is drafted.", "%(count)d reminders are drafted.", count)
            messages.success(request, drafted)
        elif request.POST.get("act") == "rules":
            count = draft_rules_letters(event=event, by=request.user)
            messages.success(
                request, plural_text("%(count)d letter is drafted.", "%(count)d letters are drafted.", count)
            )
        elif request.POST.get("act") == "send":
            waiting = Letter.objects.filter(event=event, state__in=(LetterState.DRAFT, LetterState.FAILED))
            count = send_letters(event=event, letters=list(waiting.values_list("pk", flat=True)), by=request.user)
            messages.success(request, plural_text("%(count)d letter is sent.", "%(count)d letters are sent.", count))
        return redirect("desk:letters", event.slug)
    rows = [letter_line(each) for each in Letter.objects.filter(event=event)]
    table = LetterTable(rows, request)
    if file := table.file(event.name):
        return file
    context = {
        "table": table,
        "rows": rows,
        "mail": settings.MAIL,
        "rules_changed": bool(list_rule_changes(event)),
        "drafts": sum(each["letter"].state in (LetterState.DRAFT, LetterState.FAILED) for each in rows),
        "to_copy": 0 if settings.MAIL else sum(each["letter"].state in TO_SEND for each in rows),
    }
    return render(request, "signup/letters.html", desk_context(request, event, "players", **context))


@require_GET
@who_may(Right.MANAGE_PLAYERS)
def letter_words(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what each letter will say, in the language of `?in=`, before anybody has signed up."""
    asked = known_language(request.GET.get("in", "")) or offered_language(event.language)
    page, at = get_page(event), timezone.now()
    row = SignUp(
        event=event,
        number=1,
        name="…",
        state=SignUpState.PLACE,
        fee=page.fee,
        reference=payment_reference(event.pk, 1),
        offer_until=at + dt.timedelta(hours=page.offer_hours),
    )
    said = []
    for kind in Letter.Kind.values:
        sample = Letter(event=event, sign_up=None if kind == Letter.Kind.LINK else row, kind=kind, language=asked)
        words = say_letter(sample, page, open_fee=page.fee, reference=row.reference)
        said.append(
            {"kind": _(LETTER_KINDS[kind]), "subject": words.subject, "body": words.body.replace(LINK, _("[the link]"))}
        )
    context = {"said": said, "asked": asked, "languages": settings.LANGUAGES}
    return render(request, "signup/letter_words.html", desk_context(request, event, "players", **context))


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PLAYERS)
def letter(request: DeskRequest, event: Event, letter_id: int) -> HttpResponse:
    """Show a letter as it is or was sent; send it, note that it went by hand, or delete it."""
    try:
        found = check_letter(event, letter_id)
    except DomainError as refused:
        flash_problems(request, refused)
        return redirect("desk:letters", event.slug)
    said = letter_text(found)
    if request.method == "POST":
        act = request.POST.get("act", "")
        if act == "send":
            send_letters(event=event, letters=[found.pk], by=request.user)
        elif act == "by_hand":
            send_by_hand(letter=found, subject=said.subject, body=said.body, by=request.user)
        elif act == "discard":
            title = _("Delete this letter?")
            if asked := confirm_first(request, event, title=title, back=request.path, tab="players", danger=True):
                return asked
            discard_letter(letter=found, by=request.user)
        return redirect("desk:letters", event.slug)
    waiting = Letter.objects.filter(event=event, state__in=TO_SEND).exclude(pk=found.pk).order_by("made_at", "pk")
    site = get_page(event).site or request.build_absolute_uri("/").rstrip("/")
    context = {
        **letter_line(found),
        "subject": said.subject,
        "body": said.body.replace(LINK, link_of(found, site)),
        "mail": settings.MAIL,
        "may_send": found.state in TO_SEND,
        "draft": found.state in (LetterState.DRAFT, LetterState.FAILED),
        "next_letter": waiting.values_list("pk", flat=True).first(),
    }
    return render(request, "signup/letter.html", desk_context(request, event, "players", **context))
