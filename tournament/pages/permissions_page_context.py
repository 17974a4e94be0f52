"""The context that all desk pages of an event share: tabs, the round, rights, the version to poll."""

from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournament.accounts.queries import get_rights
from tournament.core.prepared import Prepared
from tournament.core.rights import Rights, Verb
from tournament.models.event import Event
from tournament.models.referee import CallKind, RefereeCall
from tournament.models.rounds import Round
from tournament.pages.hooks import find_address

DESK_TABS = (
    ("desk", _("Desk"), "desk:grid", Verb.SEE_DESK),
    ("calls", _("Calls"), "desk:calls", Verb.SEE_DESK),
    ("players", _("Players"), "desk:players", Verb.MANAGE_PLAYERS),
    ("seating", _("Seating"), "desk:seating", Verb.DRAW_SEATS),
    ("penalties", _("Penalties"), "desk:penalties", Verb.SEE_DESK),
    ("paper", _("Paper"), "desk:paper", Verb.PRINT),
    ("results", _("Results"), "desk:results", Verb.SEE_DESK),
    ("settings", _("Settings"), "desk:settings", Verb.CHANGE_SETTINGS),
)
# the short pages of the settings: key, name, address, right
SECTIONS = (
    ("event", _("Event"), "desk:settings", Verb.CHANGE_SETTINGS),
    ("rules", _("Rules"), "desk:rule_summary", Verb.CHANGE_SETTINGS),
    ("for-players", _("For players"), "desk:for_players", Verb.CHANGE_SETTINGS),
    ("sign-up", _("Page and sign-up"), "desk:sign_up_page", Verb.CHANGE_SETTINGS),
    ("publication", _("What the public sees"), "desk:publication", Verb.PUBLISH),
    ("ema", _("EMA"), "desk:ema", Verb.CHANGE_SETTINGS),
    ("sheets", _("Signed sheets"), "desk:second_person", Verb.CHANGE_SETTINGS),
    ("roles", _("Roles"), "desk:members", Verb.MANAGE_MEMBERS),
    ("devices", _("Table devices"), "desk:devices", Verb.MANAGE_DEVICES),
    ("timetable", _("Timetable"), "desk:timetable", Verb.CHANGE_SETTINGS),
    ("languages", _("Languages"), "desk:languages", Verb.CHANGE_SETTINGS),
    ("wall", _("Hall screen"), "desk:wall", Verb.SEE_DESK),
    ("stream", _("Stream"), "desk:stream", Verb.CHANGE_SETTINGS),
    ("relay", _("Relay"), "desk:relay", Verb.PUBLISH),
    ("drills", _("Drills"), "desk:drills", Verb.CHANGE_SETTINGS),
    ("imports", _("Imports"), "desk:imports", Verb.IMPORT),
    ("privacy", _("Privacy"), "desk:privacy", Verb.MANAGE_PRIVACY),
    ("trail", _("Trail"), "desk:trail", Verb.CHANGE_SETTINGS),
)
# pages that stand below a section, by the name of their address
BELOW = {
    "desk:rules": "rules", "desk:newer_rules": "rules", "desk:hand_on": "roles",
    "desk:revoke_devices": "devices", "desk:drill": "drills",
    "desk:observer_report": "ema", "desk:ema_points": "ema",
    "desk:import_back": "imports", "desk:forget_people": "privacy", "desk:keep_months": "privacy",
}  # fmt: skip
ROUND_WORDS = {
    "drawn": _("drawn"),
    "published": _("seats published"),
    "running": _("playing"),
    "released": _("released"),
}


_ROUNDS = Prepared(lambda event: Round.objects.filter(event=event).annotate(open_calls=_open_calls()))


def desk_context(request: HttpRequest, event: Event, current: str, **extra: Any) -> dict[str, Any]:
    """Return what desk_base.html needs, with a page's own context; `current` is the open tab. One query."""
    rounds = _ROUNDS(event.pk)
    now = _current(rounds)
    open_calls = rounds[0].open_calls if rounds else 0
    rights = rights_of(request, event)
    return {
        "event": event,
        **rights_context(request, event),
        "organiser": rights.may(Verb.CHANGE_SETTINGS),
        "released_rounds": [row.number for row in rounds if row.released_at],
        "desk_nav": [
            {"key": key, "label": label, "url": reverse(name, args=[event.slug]), "current": key == current}
            for key, label, name, verb in DESK_TABS
            if rights.may(verb)
        ],
        "settings_nav": settings_nav(request, event) if current == "settings" else (),
        "nav_calls": open_calls or 0,
        "round_line": f"{_('Round')} {now.number} · {ROUND_WORDS[now.state]}" if now else "",
        "who": getattr(request.user, "display_name", ""),
        "who_url": reverse("account"),
        "jump_url": reverse("desk:jump", args=[event.slug]) if rights.may(Verb.SEE_DESK) else "",
        "round_now": now.number if now else None,
        "version_url": reverse("api:version", args=[event.slug]),
        "version": event.version,
        **extra,
    }


def settings_nav(request: HttpRequest, event: Event) -> list[dict[str, Any]]:
    """Return the sections of the settings that the reader may open, with the one that is open; no query."""
    match, rights = request.resolver_match, rights_of(request, event)
    here = match.view_name if match else ""
    found = [
        {
            "label": label,
            "url": address,
            "current": name == here or BELOW.get(here) == key,
        }
        for key, label, name, verb in SECTIONS
        if rights.may(verb) and (address := find_address(name, event.slug))
    ]
    if getattr(request.user, "is_superuser", False):
        found.append({"label": _("Backups"), "url": reverse("desk:backups"), "current": False})
    return found


def rights_context(request: HttpRequest, event: Event) -> dict[str, Any]:
    """Return the verbs that the reader may, for templates: `{% if rights.run_clock %}`."""
    return {"rights": {verb.value: True for verb in rights_of(request, event).verbs()}}


def rights_of(request: HttpRequest, event: Event) -> Rights:
    """Return the reader's rights at an event, as the gateway found them."""
    known: Rights | None = getattr(request, "rights", None)
    return known or get_rights(request.user, event)


def current_round(event: Event) -> Round | None:
    """Return the first round that is not released, else the last one."""
    return _current(list(event.rounds.all()))


def _current(rounds: list[Any]) -> Round | None:
    return next((row for row in rounds if row.released_at is None), rounds[-1] if rounds else None)


def _open_calls() -> Subquery:
    """Count an event's open calls within the query for its rounds; null where there are none. Complaints can wait."""
    asked = RefereeCall.objects.filter(event=OuterRef("event"), kind=CallKind.CALL, closed_at=None)
    found = asked.order_by().values("event")
    return Subquery(found.annotate(count=Count("pk")).values("count"))
