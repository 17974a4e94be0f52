"""The organiser's list of sign-ups, and the page of one of them."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.models.sign_up import Letter, SignUp, SignUpState
from tournament.pages.lists import ListColumn
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import flash_problems, to_int
from tournament.pages.sign_in_ask import ask_first
from tournament.signup.actions_fees import set_fee
from tournament.signup.actions_players import make_players
from tournament.signup.actions_sign_ups import cancel, confirm, give_place, settle_event
from tournament.signup.letters import TO_SEND
from tournament.signup.messages import STATE_WORDS, say_money, spaced
from tournament.signup.queries import count_places, get_page, kept_until, list_sign_ups, paid_by, token_of
from tournament.signup.retention import erase_sign_up
from tournament.signup.views_fee_pages import WhoTable, decimal_of, pay, read_money, say_state
from tournament.signup.views_letter_pages import letter_line
from tournament.text.languages import counted, in_turn, side_by_side


def _consent(row: SignUp) -> str:
    said = ((row.show_name, _("name")), (row.photo, _("photographs")), (row.stream, _("stream")))
    return in_turn(word for agrees, word in said if agrees)


class SignUpTable(WhoTable):
    """Everybody who signed up, in order of arrival."""

    title = gettext_lazy("Sign-ups")
    arrived = ListColumn(gettext_lazy("Came in"), value=lambda row: row.arrived_at, kind="moment")
    ema = ListColumn(gettext_lazy("EMA number"), value=lambda row: row.ema_number, css="mono")
    country = ListColumn(gettext_lazy("Country"), value=lambda row: row.country)
    club = ListColumn(gettext_lazy("Club"), value=lambda row: row.club)
    answers = ListColumn(
        gettext_lazy("Answers"),
        value=lambda row: side_by_side(f"{key}: {value}" for key, value in sorted(row.answers.items())),
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
@who_may(Verb.MANAGE_PLAYERS)
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
            request, counted("%(count)d sign-up is confirmed.", "%(count)d sign-ups are confirmed.", len(done))
        )
        if left := len(asked) - len(done):
            messages.warning(
                request,
                counted(
                    "%(count)d stays unconfirmed: the address or EMA number is signed up already.",
                    "%(count)d stay unconfirmed: the address or EMA number is signed up already.",
                    left,
                ),
            )
    elif request.POST.get("act") == "players":
        if "sure" not in request.POST:
            return ask_first(
                request,
                event,
                title=_("Make players of everybody with a place?"),
                text=_("They are added to the list of players in order of arrival. Nobody is added twice."),
                submit=_("Make players"),
                back=reverse("desk:sign_ups", args=[event.slug]),
                tab="players",
            )
        _make(request, event)
        return redirect("desk:players", event.slug)
    return redirect("desk:sign_ups", event.slug)


def _make(request: DeskRequest, event: Event) -> None:
    made = make_players(event=event, by=request.user)
    messages.success(request, counted("%(count)d player is added.", "%(count)d players are added.", len(made.added)))
    if made.found:
        found = counted("%(count)d was in the list already.", "%(count)d were in the list already.", len(made.found))
        messages.info(request, found)
    if made.left_out:
        numbers = in_turn(map(str, made.left_out))
        text = _("Left out, because another player has the same name: sign-up %(numbers)s. Add them by hand.")
        messages.warning(request, text % {"numbers": numbers})


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
def sign_up(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Show one sign-up with its money and letters; give a place, cancel, set the fee, note money, delete the data."""
    row = event.sign_ups.select_related("event", "player").filter(number=number, erased_at=None).first()
    if row is None:
        raise Http404("There is no such sign-up.")
    if request.method == "POST":
        return _act_on_one(request, row)
    page, paid = get_page(event), paid_by(row)
    path = reverse("public:my_sign_up", args=[event.slug, token_of(row)])
    context = {
        "page": page,
        "row": row,
        "state": say_state(row),
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
    back = redirect("desk:sign_up", row.event.slug, row.number)
    try:
        if act == "place":
            give_place(sign_up=row, reason=reason, by=by)
        elif act == "cancel":
            cancel(sign_up=row, reason=reason, by=by)
        elif act == "fee":
            set_fee(sign_up=row, fee=read_money(request.POST.get("fee", "")), reason=reason, by=by)
        elif act == "pay":
            pay(request, row)
        elif act == "erase":
            if "sure" not in request.POST:
                return _ask_to_erase(request, row)
            erase_sign_up(sign_up=row, by=by)
            messages.success(request, _("The data is deleted."))
            return redirect("desk:sign_ups", row.event.slug)
    except (Refused, InvalidInput) as refused:
        flash_problems(request, refused)
        return back
    messages.success(request, _("Saved."))
    return back


def _ask_to_erase(request: DeskRequest, row: SignUp) -> HttpResponse:
    return ask_first(
        request,
        row.event,
        title=_("Delete all data of this sign-up?"),
        text=_("Its letters are deleted, too, and its place becomes free. The number stays empty."),
        submit=_("Delete the data"),
        back=reverse("desk:sign_up", args=[row.event.slug, row.number]),
        tab="players",
    )
