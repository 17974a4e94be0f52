"""What every page of an event has in common: tabs, names, the version to poll. It reads little and decides nothing."""

from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournament.models import Event, RefereeCall, Role, Round
from web.gateways import role_at

REFEREE_TABS = ("desk", "calls", "penalties", "paper", "results")
DESK_TABS = (
    ("desk", _("Desk"), "desk:grid"),
    ("calls", _("Calls"), "desk:calls"),
    ("players", _("Players"), "desk:players"),
    ("seating", _("Seating"), "desk:seating"),
    ("penalties", _("Penalties"), "desk:penalties"),
    ("paper", _("Paper"), "desk:paper"),
    ("results", _("Results"), "desk:results"),
    ("settings", _("Settings"), "desk:settings"),
)
PUBLIC_TABS = (
    ("phone", _("My page"), "public:phone", "person"),
    ("standings", _("Standings"), "public:standings", "trophy"),
    ("rounds", _("Rounds"), "public:rounds", "seats"),
)
ROUND_WORDS = {
    "drawn": _("drawn"),
    "published": _("seats published"),
    "running": _("playing"),
    "released": _("released"),
}


def desk_context(request: HttpRequest, event: Event, current: str, **extra: Any) -> dict[str, Any]:
    """Return what desk_base.html needs, `current` the tab that is open, with a page's own context added.

    `organiser` says whether the reader may do what only organisers may; the tab of calls counts the open ones. Two
    queries.
    """
    rounds = list(event.rounds.annotate(open_calls=_open_calls()))
    now = _current(rounds)
    counts = {"calls": rounds[0].open_calls if rounds else 0}
    organiser = role_at(request.user, event) == Role.ORGANISER
    return {
        "event": event,
        "organiser": organiser,
        "desk_nav": [
            {
                "key": key,
                "label": label,
                "url": reverse(name, args=[event.slug]),
                "current": key == current,
                "count": counts.get(key) or 0,
            }
            for key, label, name in DESK_TABS
            if organiser or key in REFEREE_TABS
        ],
        "round_line": f"{_('Round')} {now.number} · {ROUND_WORDS[now.state]}" if now else "",
        "who": getattr(request.user, "display_name", ""),
        "who_url": reverse("account"),
        "jump_url": reverse("desk:jump", args=[event.slug]),
        "round_now": now.number if now else None,
        "version_url": reverse("api:version", args=[event.slug]),
        "version": event.version,
        **extra,
    }


def public_context(event: Event, current: str, **extra: Any) -> dict[str, Any]:
    """Return what base.html needs for a public page of an event."""
    return {
        "event": event,
        "tabs": [
            {"label": label, "url": reverse(name, args=[event.slug]), "icon": icon, "current": key == current}
            for key, label, name, icon in PUBLIC_TABS
        ],
        "version_url": reverse("public:version", args=[event.slug]),
        **extra,
    }


def current_round(event: Event) -> Round | None:
    """Return the round that the desk is at: the first not released, or the last one."""
    return _current(list(event.rounds.all()))


def _current(rounds: list[Any]) -> Round | None:
    return next((row for row in rounds if row.released_at is None), rounds[-1] if rounds else None)


def _open_calls() -> Subquery:
    """Count the open calls of a round's event, within the query for the rounds; null where there are none."""
    found = RefereeCall.objects.filter(event=OuterRef("event"), closed_at=None).order_by().values("event")
    return Subquery(found.annotate(count=Count("pk")).values("count"))
