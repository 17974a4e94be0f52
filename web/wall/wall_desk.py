"""The desk's page about the wall put together: its pages, announcements, the prize giving, codes. It words alone."""

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.problems import error
from tournament.models import Announcement, Event, Wall, WallPage
from tournament.refusal import Refused
from tournament.selectors.core.public import seen_by_public
from tournament.selectors.public.wall import (
    AnnouncementRow,
    Prizes,
    PrizeStep,
    get_prizes,
    get_wall,
    list_all_announcements,
)
from tournament.services.public.announcements import Words
from tournament.services.public.wall import LEAST_SECONDS, MOST_SECONDS
from web.wall.wall_page import codes_page
from web.words.formatting import ordinal_place
from web.words.languages import language_name, listed
from web.words.wall import PAGES

WORDS = ("title", "text", "second_title", "second_text")
TIMES = ("shown_from", "shown_until")
MOST_NAMED = 4  # of those who share a place
FORM = "%Y-%m-%dT%H:%M"  # what a browser's field for day and hour sends


def wall_desk_context(
    request: HttpRequest, event: Event, *, editing: int = 0, typed: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return what wall/desk.html shows.

    `editing` is the announcement being changed, `typed` what was sent and refused.
    """
    wall, now = get_wall(event), timezone.now()
    rows = list_all_announcements(event, now)
    edited = next((each.row for each in rows if each.row.pk == editing), None)
    standing = [each for each in rows if each.row.taken_back_at is None]
    return {
        "wall": wall,
        "pages": _page_rows(event, wall),
        "least": LEAST_SECONDS,
        "most": MOST_SECONDS,
        "announcements": [_item(event, each, standing) for each in rows],
        "edited": edited,
        "typed": dict(typed) if typed is not None else _typed(edited),
        "announcement_id": str(uuid.uuid4()),
        "second_name": language_name(event.second_language) if event.second_language else "",
        "prizes": _prizes(event, get_prizes(event)),
        "codes": codes_page(request, event, wall),
        "display_url": reverse("public:display", args=[event.slug]),
    }


def read_words(fields: Mapping[str, str]) -> Words:
    """Read an announcement as it was typed; raises Refused for times that cannot be read."""
    words: dict[str, Any] = {key: fields.get(key, "") for key in WORDS}
    words |= {key: _moment(fields.get(key, "")) for key in TIMES}
    return Words(**words, at_once=fields.get("at_once", "") == "on")


def _moment(text: str) -> dt.datetime | None:
    """Read day and hour on the hall's clock; None for nothing."""
    if not text.strip():
        return None
    try:
        return timezone.make_aware(dt.datetime.strptime(text.strip().replace(" ", "T")[:16], FORM))  # noqa: DTZ007
    except (ValueError, OverflowError) as wrong:
        raise Refused(error("announcement.time_unreadable")) from wrong


def _typed(edited: Announcement | None) -> dict[str, str]:
    if edited is None:
        return {}
    times = {key: getattr(edited, key) for key in TIMES}
    written = {key: timezone.localtime(each).strftime(FORM) if each else "" for key, each in times.items()}
    return {**{key: getattr(edited, key) for key in WORDS}, **written, "at_once": "on" if edited.at_once else ""}


def _page_rows(event: Event, wall: Wall) -> list[dict[str, Any]]:
    """List every page: those that are shown in their order, then the others."""
    shown = {each["page"]: each["seconds"] for each in wall.pages}
    order = [*shown, *(page for page in WallPage.values if page not in shown)]
    return [
        {
            "page": page,
            "word": _(PAGES[page]),
            "on": page in shown,
            "position": position,
            "seconds": shown.get(page, 12),
            "url": reverse("public:wall_page", args=[event.slug, page]),
        }
        for position, page in enumerate(order, start=1)
    ]


def _item(event: Event, each: AnnouncementRow, standing: list[AnnouncementRow]) -> dict[str, Any]:
    position = standing.index(each) + 1 if each in standing else 0
    return {
        "row": each.row,
        "by": each.by,
        "state": each.state,
        "state_word": _state_word(each.state),
        "up": position - 1 if position > 1 else 0,
        "down": position + 1 if 0 < position < len(standing) else 0,
        "url": reverse("desk:announcement", args=[event.slug, each.row.pk]),
    }


def _state_word(state: str) -> str:
    return {
        "now": _("on the wall"),
        "later": _("waiting"),
        "over": _("over"),
        "taken_back": _("taken back"),
    }[state]


def _prizes(event: Event, prizes: Prizes) -> dict[str, Any]:
    """Say how far the prize giving has come, what the next press reveals, and what the public sees of it meanwhile."""
    seen = seen_by_public(event)
    released = sorted({*seen.rounds, *seen.held_rounds})
    left = event.rounds_planned - len(released)
    return {
        "open": prizes.open,
        "can_begin": bool(prizes.mark),
        "top": prizes.top,
        "moved": prizes.moved,
        "shown": prizes.shown,
        "count": len(prizes.steps),
        "last": _step_words(prizes.steps[prizes.shown - 1]) if prizes.shown else "",
        "next": _step_words(prizes.next_step) if prizes.next_step else "",
        "next_step": prizes.shown + 1,
        "back_step": prizes.shown - 1,
        "steps": [{"number": number, "words": _step_words(step)} for number, step in enumerate(prizes.steps, start=1)],
        "held": bool(seen.held_rounds),
        "rounds_left": ngettext("%(count)d round is not released yet.", "%(count)d rounds are not released yet.", left)
        % {"count": left}
        if left > 0
        else "",
    }


def _step_words(step: PrizeStep) -> str:
    """Say a place with its names: "3: Ito", "=5: Berg and Sato"."""
    names = [row.name for row in step.rows]
    more = len(names) - MOST_NAMED
    if more > 1:
        rest = ngettext("%(count)d more", "%(count)d more", more) % {"count": more}
        names = [*names[:MOST_NAMED], rest]
    return f"{ordinal_place(step.place, step.shared)}: {listed(names)}"
