"""Players type their own results: the page behind the club's code, and the desk's page with the code.

The page shows a phone the table at which its player sits, and nothing of others. What is refused is in the trail, and
on the desk's page.
"""

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput
from tournament.accounts.models import Account, TableDevice
from tournament.core.errors import DomainError
from tournament.core.rate_limits import RateLimitedError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.open_play.queries import get_evening
from tournament.pages.addresses import hall_url
from tournament.pages.files import qr_code
from tournament.pages.permissions import DeskRequest, desk_context, for_public, who_may
from tournament.pages.public_page import answer_one
from tournament.pages.requests import UNPROCESSABLE, flash_saved, table_model, to_int, to_uuid
from tournament.pages.sign_in import TOO_MANY, client_network, count_bad_link, sign_in_as, too_many
from tournament.phone_signing.actions import MAX_TYPED
from tournament.phone_signing.queries import code_state, is_to_sign, list_batch, list_said
from tournament.phone_signing.views import parted, sign_context, take_answer
from tournament.player_entry.actions import (
    CODE_REFUSED,
    FLOOD_REFUSED,
    NAME_REFUSED,
    OTHER_REFUSED,
    PLAYER_ENTRY_NAME_TAKEN,
    PLAYER_ENTRY_NOT_YOUR_TABLE,
    PLAYER_ENTRY_OTHER_NAME,
    REFUSALS,
    TABLE_REFUSED,
    ask_players,
    check_tries,
    end_club_code,
    let_phone_in,
    make_club_code,
    note_refused,
    seat_own_table,
    type_sheet,
)
from tournament.player_entry.queries import (
    find_code_of,
    find_last_game,
    find_table,
    get_phone,
    has_started,
    list_free_names,
    list_refused,
    seat_of,
)
from tournament.publication.names import shown_name
from tournament.sheets.forms import typed_fields, whole_sheet
from tournament.sheets.queries import get_objection
from tournament.tables.messages import names_at
from tournament.tables.queries import LoadedTable, get_table
from tournament.text.acts import act_text
from tournament.text.problems import problem_text

PAGE = "player_entry/play.html"
UNCHANGED = 204


@require_http_methods(["GET", "POST"])
@for_public
def play(request: HttpRequest, event: Event, token: str) -> HttpResponse:
    """Let a phone in by the club's code, show it its player's table, and take what it sends."""
    if not event.club_code or not constant_time_compare(token[:MAX_TYPED].upper(), event.club_code):
        return _unknown_code(request, event, token)
    phone = get_phone(request.user, event)
    if request.method == "GET":
        if phone and request.GET.get("at") == str(event.version):
            return HttpResponse(status=UNCHANGED)
        return answer_one(request, event, PAGE, _context(request, event, phone))
    try:
        if request.POST.get("act") == "name":
            return _let_in(request, event, phone)
        if phone:
            _carry_out(request, event, phone)
    except (DomainError, InvalidInput) as refused:
        many = refused if isinstance(refused, RateLimitedError) else None
        if many and phone is None:
            return too_many(request, many)
        if many and phone and phone.player:
            _note(request, event, FLOOD_REFUSED, player=phone.player.number)
        event.refresh_from_db()
        said = {
            "errors": [problem_text(problem) for problem in refused.problems],
            "words": request.POST.get("words", ""),
            "reason_wanted": any(problem.code == "entry.reason_needed" for problem in refused.problems),
        }
        status = TOO_MANY if many else UNPROCESSABLE
        answer = answer_one(request, event, PAGE, _context(request, event, phone) | said, status=status)
        if many:
            answer["Retry-After"] = str(many.wait)
        return answer
    return redirect("public:play", event.slug, event.club_code)


def _unknown_code(request: HttpRequest, event: Event, token: str) -> HttpResponse:
    if token and Event.objects.filter(club_code=token[:MAX_TYPED].upper()).exclude(pk=event.pk).exists():
        _note(request, event, CODE_REFUSED)
    return count_bad_link(request) or answer_one(request, event, PAGE, {"state": "unknown"}, status=404)


def _note(request: HttpRequest, event: Event, act: Any, **details: int) -> None:
    user = request.user if isinstance(request.user, Account) else None
    note_refused(event=event, act=act, network=client_network(request), by=user, **details)


def _is_of_desk(user: Any) -> bool:
    """Tell whether somebody is signed in as anything but a player, whose phone may go on to another event."""
    return isinstance(user, Account) and not (user.device and user.device.player_id)


def _let_in(request: HttpRequest, event: Event, phone: TableDevice | None) -> HttpResponse:
    number = to_int(request.POST.get("player"))
    if phone and phone.player:
        if phone.player.number != number:
            _note(request, event, OTHER_REFUSED, player=phone.player.number, other=number)
            raise DomainError(PLAYER_ENTRY_OTHER_NAME())
    elif not _is_of_desk(request.user):
        name = _("Player %(number)d, by the club’s code") % {"number": number}
        try:
            client_id = to_uuid(request.POST.get("client_id", ""))
            network = client_network(request)
            phone = let_phone_in(event=event, number=number, name=name, client_id=client_id, network=network)
        except DomainError as refused:
            if refused.problems[0].code == PLAYER_ENTRY_NAME_TAKEN.code:
                _note(request, event, NAME_REFUSED, player=number)
            raise
        sign_in_as(request, phone.account, until=phone.expires_at)
    return redirect("public:play", event.slug, event.club_code)


def _carry_out(request: HttpRequest, event: Event, phone: TableDevice) -> None:
    """Do what a phone sends for its own table; raises DomainError, InvalidInput."""
    if request.POST.get("act") == "seat":
        check_tries(phone)
        seats = [to_int(request.POST.get(f"seat-{seat}")) for seat in range(max(event.rulesets))]
        while len(seats) > min(event.rulesets) and not seats[-1]:
            seats.pop()
        hall_table = to_int(request.POST.get("hall_table")) or None
        client_id = to_uuid(request.POST.get("client_id", ""))
        seat_own_table(phone=phone, numbers=seats, hall_table=hall_table, client_id=client_id)
        return
    act, round_number, number = (request.POST.get(name, "") for name in ("act", "round", "table"))
    loaded = get_table(event, to_int(round_number), to_int(number))
    table = table_model(loaded) if loaded else None
    check_tries(phone, table)
    if loaded is None or table is None or phone.player is None or seat_of(loaded, phone.player) is None:
        where = {"round": to_int(round_number), "table": to_int(number)}
        _note(request, event, TABLE_REFUSED, player=phone.player.number if phone.player else 0, **where)
        raise DomainError(PLAYER_ENTRY_NOT_YOUR_TABLE(table=to_int(number)))
    if act == "ask":
        ask_players(phone=phone, table=table, client_id=to_uuid(request.POST.get("client_id", "")))
    elif act == "type":
        typed = typed_fields(request.POST, loaded.rules.players, "totals")
        type_sheet(
            phone=phone,
            table=table,
            sheet=whole_sheet(typed, loaded.rules.riichi_deposit),
            client_id=to_uuid(typed.client_id),
            expected_seq=to_int(request.POST.get("expected_seq")),
            reason=typed.reason,
        )
    elif code := find_code_of(table.pk, phone.player):
        take_answer(code, request.POST.get("answer", ""), request.POST.get("words", ""), None)


def _context(request: HttpRequest, event: Event, phone: TableDevice | None) -> dict[str, Any]:
    """Return what player_entry/play.html shows to a phone."""
    if phone is None or phone.player is None:
        if _is_of_desk(request.user):
            return {"state": "desk"}
        return {"state": "names", "names": list_free_names(event), "client_id": str(uuid.uuid4())}
    table = find_table(event, phone.player)
    me = {"me": phone.player, "name": shown_name(phone.player), "version_shown": event.version}
    me["client_id"] = str(uuid.uuid4())
    if table is None or not has_started(event, table.round):
        me["last"] = find_last_game(event, phone.player)
        if not event.is_open:
            return {**me, "state": "none", "table": table}
        seats = [(seat, to_int(request.POST.get(f"seat-{seat}"))) for seat in range(max(event.rulesets))]
        return {
            **me,
            "state": "seats",
            "seats": seats,
            "hall_table": request.POST.get("hall_table", ""),
            "least": min(event.rulesets),
            "waiting": get_evening(event, timezone.now()).waiting,
        }
    return {**me, "table": table, **_table_context(request, event, phone, table)}


def _table_context(request: HttpRequest, event: Event, phone: TableDevice, table: LoadedTable) -> dict[str, Any]:
    by_hand = {"by_hand": event.is_open}
    if table.played and not is_to_sign(event, table):
        return {**by_hand, "state": "hands"}
    if not table.played:
        typed = typed_fields(request.POST, table.rules.players, "totals")
        rows = zip(table.seats, names_at(table), typed.counts, strict=True)
        wanted = table.rules.start_points * table.rules.players
        return {**by_hand, "state": "form", "rows": list(rows), "typed": typed, "wanted": wanted}
    code = find_code_of(table.id, phone.player) if phone.player else None
    state = code_state(code, list_batch(table.id), table, timezone.now()) if code else "stale"
    is_ruled = state == "stopped" and get_objection(table.id) is None
    if code is None or is_ruled or state in ("stale", "ended"):
        return {"state": "ask"}
    said = [(names_at(table)[each.seat], each.answer) for each in list_said(table, timezone.now())]
    return {**sign_context(event, code), "said": said}


@never_cache
@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_SETTINGS)
def club_code(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the club's code to hang up, make a new one, or end it; and list the phones that were refused."""
    if request.method == "POST":
        if request.POST.get("act") == "end":
            changed = end_club_code(event=event, by=request.user)
            flash_saved(request, _("Players no longer type results."), changed=changed)
        else:
            changed = make_club_code(event=event, seen=request.POST.get("seen", ""), by=request.user)
            flash_saved(request, _("The code is new."), changed=changed)
        return redirect("desk:club_code", event.slug)
    address = hall_url(request, reverse("public:play", args=[event.slug, event.club_code])) if event.club_code else ""
    refused = [(line.at, act_text(line.verb, line.details)) for line in list_refused(event, REFUSALS)]
    page = desk_context(
        request,
        event,
        "settings",
        code=parted(event.club_code),
        address=address,
        svg=qr_code(address) if address else "",
        refused=refused,
    )
    return render(request, "player_entry/club_code.html", page)
