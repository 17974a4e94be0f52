"""Table devices: an event's list, cards and PINs, revocation, and the pages by which a device signs in.

Also the manifest and the service worker, by which a phone installs an event's public pages and opens them offline.
"""

import datetime as dt
import functools
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import segno
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy, ngettext, override
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from tournament.accounts.actions import (
    NewCard,
    card_token,
    find_device,
    make_devices,
    renew_device,
    revoke_devices,
    sign_device_in,
)
from tournament.accounts.models import ANY_TABLE, TableDevice
from tournament.accounts.queries import (
    get_device,
    get_device_of,
    list_devices,
    list_live_devices,
    list_table_numbers,
    list_tables_of_device,
    list_tables_served,
)
from tournament.core.errors import DomainError
from tournament.core.rate_limits import RateLimitedError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.addresses import hall_url
from tournament.pages.files import etag_answer
from tournament.pages.lists import ListColumn, ListTable, acts_column, name_column
from tournament.pages.permissions import DeskRequest, desk_context, for_anyone, for_device, for_public, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_problems
from tournament.pages.sign_in import (
    TOO_MANY,
    client_network,
    count_bad_link,
    known_account,
    reauthenticate,
    remember,
    sign_in_as,
)
from tournament.pages.static_files import read_static
from tournament.pdf.drawings import MASK
from tournament.tables.round_queries import get_played_round
from tournament.text.languages import follow_reader
from tournament.text.problems import problem_text

MAX_TABLES = 400
_SPAN = re.compile(r"(\d{1,4})(?:\s*[-\N{EN DASH}]\s*(\d{1,4}))?", re.ASCII)


class DevicesForm(forms.Form):
    """Tables as "1-12, 15", a device for any of them, and the last day on which they work."""

    tables = forms.CharField(
        label=gettext_lazy("Tables"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("One device each, for example 1-12, 15. Tables that already have one stay as they are."),
        widget=forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off"}),
    )
    name = forms.CharField(
        label=gettext_lazy("One more for any table, called"),
        max_length=40,
        required=False,
        help_text=gettext_lazy(
            "For example a laptop that is carried around. It can enter hands at every table of the current round."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    last_day = forms.DateField(
        label=gettext_lazy("Valid until the end of"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": gettext_lazy("Write the day as 2026-09-12.")},
    )

    def clean_tables(self) -> list[int]:
        """Return the table numbers; raises ValidationError."""
        numbers: set[int] = set()
        for part in filter(None, (part.strip() for part in self.cleaned_data["tables"].split(","))):
            match = _SPAN.fullmatch(part)
            first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
            if not 0 < first <= last:
                raise forms.ValidationError(_("Write the tables as numbers: 1-12, 15."))
            numbers.update(range(first, min(last, first + MAX_TABLES) + 1))
        if len(numbers) > MAX_TABLES:
            raise forms.ValidationError(_("Too many tables at once."))
        return sorted(numbers)

    def clean(self) -> dict[str, Any]:
        """Refuse a form that asks for nothing."""
        found = super().clean() or self.cleaned_data
        if not self.errors and not found.get("tables") and not found.get("name"):
            raise forms.ValidationError(_("Say which tables get a device."))
        return found

    @property
    def expires_at(self) -> dt.datetime:
        """The end of the last day, in the desk's time zone."""
        day: dt.date = self.cleaned_data["last_day"] + dt.timedelta(days=1)
        return timezone.make_aware(dt.datetime.combine(day, dt.time()))


class PinForm(forms.Form):
    """The PIN of a card."""

    pin = forms.CharField(
        label=gettext_lazy("PIN"),
        max_length=12,
        widget=forms.TextInput(
            attrs={"inputmode": "numeric", "autocomplete": "off", "autofocus": True, "class": "is-pin"},
        ),
    )


def numbers_words(numbers: list[int]) -> str:
    """Write table numbers as the form reads them.

    >>> numbers_words([1, 2, 3, 5, 7, 8])
    '1-3, 5, 7-8'
    """
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][-1] == number - 1:
            spans[-1][1:] = [number]
        else:
            spans.append([number])
    return ", ".join("-".join(map(str, span)) for span in spans)


GONE = 410


class DevicesTable(ListTable):
    """The devices that may come in."""

    title = gettext_lazy("Table devices")
    name = name_column("access/devices.html#name")
    number = ListColumn(
        gettext_lazy("Table"),
        value=lambda row: None if row.table == ANY_TABLE else row.table,
        kind="count",
        cell="access/devices.html#number",
    )
    made_at = ListColumn(gettext_lazy("Made"), value=lambda row: row.made_at, kind="moment")
    seen_at = ListColumn(
        gettext_lazy("Last seen"), value=lambda row: row.seen_at, kind="moment", cell="access/devices.html#seen"
    )
    expires_at = ListColumn(gettext_lazy("Valid until"), value=lambda row: row.expires_at, kind="moment")
    acts = acts_column("access/devices.html#acts")

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "is-stack"}
        order_by = "number"


@never_cache
@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_DEVICES)
def devices(request: DeskRequest, event: Event) -> HttpResponse:
    """List the devices; make some and show their cards, with PINs that are shown only once."""
    if request.method != "POST":
        return _list(request, event, DevicesForm(initial=_offered(event)))
    form = DevicesForm(request.POST)
    if not form.is_valid():
        return _list(request, event, form, status=UNPROCESSABLE)
    wanted = [(number, _("Table %(number)d") % {"number": number}) for number in form.cleaned_data["tables"]]
    if form.cleaned_data["name"]:
        wanted.append((ANY_TABLE, form.cleaned_data["name"]))
    try:
        made = make_devices(event=event, tables=wanted, expires_at=form.expires_at, by=request.user)
    except DomainError as refused:
        for problem in refused.problems:
            form.add_error("last_day", problem_text(problem))
        return _list(request, event, form, status=UNPROCESSABLE)
    if not made:
        messages.info(request, _("These tables have a device already: a new card is made in the list below."))
        return redirect("desk:devices", event.slug)
    return _cards(request, event, [new.device for new in made], made)


@never_cache
@require_GET
@who_may(Right.MANAGE_DEVICES)
def cards(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the cards of all valid devices that have one for printing again; their PINs are not known any more."""
    rows = [row for row in list_live_devices(event, at=timezone.now()) if row.player_id is None]
    return _cards(request, event, rows, ())


@never_cache
@require_POST
@who_may(Right.MANAGE_DEVICES)
def renew(request: DeskRequest, event: Event, device_id: int) -> HttpResponse:
    """Make a new card and PIN for a device."""
    try:
        made = renew_device(device=_device_or_404(event, device_id), by=request.user)
    except DomainError as refused:
        flash_problems(request, refused)
        return redirect("desk:devices", event.slug)
    return _cards(request, event, [made.device], [made])


@require_POST
@who_may(Right.MANAGE_DEVICES)
def revoke(request: DeskRequest, event: Event, device_id: int) -> HttpResponse:
    """Revoke one device."""
    device = _device_or_404(event, device_id)
    _revocation_text(request, revoke_devices(event=event, devices=[device.pk], by=request.user))
    return redirect("desk:devices", event.slug)


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_DEVICES)
@reauthenticate()
def revoke_all(request: DeskRequest, event: Event) -> HttpResponse:
    """Ask, then revoke all devices."""
    if request.method == "POST":
        _revocation_text(request, revoke_devices(event=event, by=request.user))
        return redirect("desk:devices", event.slug)
    live = len(list_live_devices(event, at=timezone.now()))
    return render(request, "access/devices_revoke.html", desk_context(request, event, "settings", live=live))


@never_cache
@sensitive_post_parameters("pin")
@require_http_methods(["GET", "HEAD", "POST"])
@for_anyone
def door(request: HttpRequest, token: str) -> HttpResponse:
    """Show which table a card is for; sign its device in by the PIN."""
    device = find_device(token)
    if device is None:
        return count_bad_link(request) or render(request, "access/device.html", {"device": None}, status=GONE)
    follow_reader(request, device.event.language)
    if request.method != "POST":
        return _door(request, device, PinForm())
    form = PinForm(request.POST)
    if not form.is_valid():
        return _door(request, device, form, status=UNPROCESSABLE)
    try:
        known = known_account(request) == device.account_id
        let_in = sign_device_in(token=token, pin=form.cleaned_data["pin"], network=client_network(request), known=known)
    except DomainError as refused:
        form.add_error("pin", problem_text(refused.problems[0]))
        answer = _door(
            request, device, form, status=TOO_MANY if isinstance(refused, RateLimitedError) else UNPROCESSABLE
        )
        if isinstance(refused, RateLimitedError):
            answer["Retry-After"] = str(refused.wait)
        return answer
    sign_in_as(request, let_in.account, until=let_in.expires_at)
    return remember(redirect("device_home"), let_in.account)


@never_cache
@require_GET
@for_device
def home(request: DeskRequest) -> HttpResponse:
    """Forward a device to its table of the current round; without one it waits here, or chooses a table."""
    device = get_device_of(request.user, at=timezone.now())
    if device is None:
        return redirect("events")
    if device.player_id:
        return redirect("public:play", device.event.slug, device.event.club_code or "-")
    event, round_number = device.event, get_played_round(device.event)
    follow_reader(request, event.language)
    numbers = list_tables_of_device(event, round_number, device.table)
    urls = [(number, reverse("desk:table", args=[event.slug, round_number, number])) for number in numbers]
    if len(urls) == 1 and device.table != ANY_TABLE:
        to = urls[0][1]
        return HttpResponse(headers={"HX-Redirect": to}) if "HX-Request" in request.headers else redirect(to)
    context = {"device": device, "event": event, "round_number": round_number, "tables": urls}
    return render(request, "access/device_home.html", context)


def qr_svg(url: str) -> SafeString:
    """Return the QR code of an address as inline SVG."""
    svg = segno.make(url, error="m", micro=False, mask=MASK).svg_inline(omitsize=True)
    return mark_safe(svg)  # noqa: S308  (segno's own markup)


def _list(request: DeskRequest, event: Event, form: DevicesForm, *, status: int = 200) -> HttpResponse:
    rows = list_devices(event, at=timezone.now())
    live = [row for row in rows if row.live]
    table = DevicesTable(live, request)
    if file := table.file(event.name):
        return file
    page = desk_context(request, event, "settings", form=form, table=table, ended=rows[len(live) :])
    return render(request, "access/devices.html", page, status=status)


def _offered(event: Event) -> dict[str, Any]:
    """Return the form's initial values: the tables without a device, and the day after the event."""
    today = timezone.localdate()
    served = list_tables_served(event, at=timezone.now())
    free = [number for number in list_table_numbers(event) if number not in served]
    day = event.date if today <= event.date <= today + dt.timedelta(days=25) else today
    return {"tables": numbers_words(free), "last_day": day + dt.timedelta(days=1)}


def _cards(request: DeskRequest, event: Event, rows: Sequence[TableDevice], made: Iterable[NewCard]) -> HttpResponse:
    """Show cards, and apart from them the PINs of new devices."""
    shown = [(row, qr_svg(hall_url(request, reverse("device", args=[card_token(row)])))) for row in rows]
    return render(request, "access/device_cards.html", {"event": event, "cards": shown, "made": list(made)})


def _door(request: HttpRequest, device: TableDevice, form: PinForm, *, status: int = 200) -> HttpResponse:
    return render(request, "access/device.html", {"device": device, "form": form}, status=status)


def _device_or_404(event: Event, device_id: int) -> TableDevice:
    device = get_device(event, device_id)
    if device is None:
        raise Http404("There is no such device.")
    return device


def _revocation_text(request: HttpRequest, count: int) -> None:
    if count:
        words = ngettext("%(count)d device no longer has access.", "%(count)d devices no longer have access.", count)
        messages.success(request, words % {"count": count})
    else:
        messages.info(request, _("Nothing was changed."))


WORKER = "js/worker.js"
# static files that public pages load
FILES = (
    "css/phone.css",
    "icons/favicon.svg",
    "icons/sprite.svg",
    "js/clock.js",
    "js/live_fragment.js",
    "js/name_filter.js",
    "js/version_stream.js",
    "js/sort.js",
    "moments/moments.js",
    "players/clubs.css",
    "push/push_subscribe.js",
    "record/record.js",
    "record/record_proof.js",
)
GROUND, FELT = "#f1eee4", "#143c30"
SHORT = 12  # letters under an icon


@require_safe
@for_public
def manifest(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the web app manifest of the event's pages."""
    home = reverse("public:phone", args=[event.slug])
    icons = [
        {"src": static("icons/desk-192.png"), "sizes": "192x192", "type": "image/png"},
        {"src": static("icons/desk-512.png"), "sizes": "512x512", "type": "image/png"},
        {"src": static("icons/desk-bleed-512.png"), "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
        {"src": static("icons/favicon.svg"), "sizes": "any", "type": "image/svg+xml"},
    ]
    facts = {
        "id": home,
        "name": event.name,
        "short_name": short_name(event.name),
        "description": _("%(name)s: seating, results and standings") % {"name": event.name},
        "lang": get_language(),
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": FELT,
        "icons": icons,
    }
    return etag_answer(
        request, json.dumps(facts, ensure_ascii=False).encode(), "application/manifest+json; charset=utf-8"
    )


@require_safe
@for_public
def worker(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the worker that caches this event's pages; its cache name has a digest, so that a change replaces it.

    It is the same in every language: a browser takes any other text for a new worker, and installs it.
    """
    home = reverse("public:phone", args=[event.slug])
    text, version = worker_text()
    words = {code: words_in(code) for code, _name in settings.LANGUAGES}
    facts = {"event": home, "name": f"{home} {version}", "files": [static(name) for name in FILES], "words": words}
    script = f"const KEPT = {json.dumps(facts, ensure_ascii=False)};\n{text}"
    return etag_answer(request, script.encode(), "text/javascript; charset=utf-8")


def words_in(code: str) -> dict[str, str]:
    """Return the words of the page that the worker makes where there is no network."""
    with override(code):
        return {
            "head": _("No network"),
            "text": _("This page is not saved on this phone. These are:"),
            "again": _("Try again"),
        }


def short_name(name: str) -> str:
    """Shorten a name to fit under an icon, by whole words if it has several.

    >>> short_name("Elbe Cup 2026"), short_name("Frühlingsturnier der Riichifreunde"), short_name("Cup")
    ('Elbe Cup', 'Frühlingstu…', 'Cup')
    """
    if len(name) <= SHORT:
        return name
    whole = name[: SHORT + 1].rpartition(" ")[0].rstrip(" ,:·-")
    return whole or name[: SHORT - 1] + "…"


@functools.lru_cache(maxsize=1)
def worker_text() -> tuple[str, str]:
    """Return the worker's text, and a digest of it and of every file that it caches."""
    paths = [Path(finders.find(name) or "") for name in (WORKER, *FILES)]
    contents = [read_static(path) for path in paths]
    return contents[0].decode(), hashlib.sha256(b"\0".join(contents)).hexdigest()[:12]
