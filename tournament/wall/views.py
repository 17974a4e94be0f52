"""The desk's page of the wall: its pages, announcements, the prize giving, the hall's network."""

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from scoring.problems import InvalidInput, Problem, ProblemType
from tournament.core.errors import DomainError
from tournament.core.rights import Right
from tournament.events.actions import show_results
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_saved, to_int, to_uuid
from tournament.pages.sign_in import prizes_open, reauthenticate
from tournament.players.queries import get_presence
from tournament.publication.messages import PAGES
from tournament.publication.queries import get_public_view
from tournament.rounds.missing import list_missing
from tournament.rounds.views import round_now
from tournament.signup.queries import read_awards
from tournament.tables.queries import load_tables
from tournament.text.languages import colon, join_and, language_name
from tournament.text.numbers import ordinal_place
from tournament.text.problems import problem_text
from tournament.wall.actions import (
    MAX_SECONDS,
    MIN_SECONDS,
    AnnouncementText,
    begin_prizes,
    change_announcement,
    end_prizes,
    move_announcement,
    restore_announcement,
    set_network,
    set_wall_pages,
    show_prizes,
    withdraw_announcement,
    write_announcement,
)
from tournament.wall.display import codes_page, prize_steps
from tournament.wall.models import Announcement, Wall, WallPage
from tournament.wall.queries import AnnouncementRow, Prizes, PrizeStep, get_prizes, get_wall, list_all_announcements

ANNOUNCEMENT_TIME_UNREADABLE = ProblemType(
    "announcement.time_unreadable", "Write the time as day and hour, such as 2026-09-12 14:05."
)

WORDS = ("title", "text", "second_title", "second_text")
TIMES = ("shown_from", "shown_until")
MAX_NAMED = 4  # of those who share a place
MAX_DIGITS = 4
FORM = "%Y-%m-%dT%H:%M"  # of a datetime-local field


def wall_desk_context(
    request: HttpRequest, event: Event, *, editing: int = 0, typed: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the context of wall/desk.html; `editing` is the announcement to change, `typed` a refused form."""
    wall, now = get_wall(event), timezone.now()
    rows = list_all_announcements(event, now)
    edited = next((each.row for each in rows if each.row.pk == editing), None)
    standing = [each for each in rows if each.row.taken_back_at is None]
    return {
        "wall": wall,
        "pages": _page_rows(event, wall),
        "least": MIN_SECONDS,
        "most": MAX_SECONDS,
        "announcements": [_item(event, each, standing) for each in rows],
        "edited": edited,
        "typed": dict(typed) if typed is not None else _typed(edited),
        "announcement_id": str(uuid.uuid4()),
        "second_name": language_name(event.second_language) if event.second_language else "",
        "prizes": _prizes(event, get_prizes(event)),
        "codes": codes_page(request, event, wall, own=True),
        "display_url": reverse("public:display", args=[event.slug]),
    }


def read_words(fields: Mapping[str, str]) -> AnnouncementText:
    """Return an announcement as it was typed; raises DomainError for times that cannot be read."""
    words: dict[str, Any] = {key: fields.get(key, "") for key in WORDS}
    words |= {key: _moment(fields.get(key, "")) for key in TIMES}
    return AnnouncementText(**words, at_once=fields.get("at_once", "") == "on")


def _moment(text: str) -> dt.datetime | None:
    """Return a moment of the hall's time zone, None for no text."""
    if not text.strip():
        return None
    try:
        return timezone.make_aware(dt.datetime.strptime(text.strip().replace(" ", "T")[:16], FORM))  # noqa: DTZ007
    except (ValueError, OverflowError) as wrong:
        raise DomainError(ANNOUNCEMENT_TIME_UNREADABLE()) from wrong


def _typed(edited: Announcement | None) -> dict[str, str]:
    if edited is None:
        return {}
    times = {key: getattr(edited, key) for key in TIMES}
    written = {key: timezone.localtime(each).strftime(FORM) if each else "" for key, each in times.items()}
    return {**{key: getattr(edited, key) for key in WORDS}, **written, "at_once": "on" if edited.at_once else ""}


def _page_rows(event: Event, wall: Wall) -> list[dict[str, Any]]:
    """List the pages of the wall in their order, then the pages that are off."""
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
    words = {"now": _("on the hall screen"), "later": _("waiting"), "over": _("over"), "taken_back": _("taken back")}
    return {
        "row": each.row,
        "by": each.by,
        "state": each.state,
        "state_word": words[each.state],
        "up": position - 1 if position > 1 else 0,
        "down": position + 1 if 0 < position < len(standing) else 0,
        "url": reverse("desk:announcement", args=[event.slug, each.row.pk]),
    }


def _prizes(event: Event, prizes: Prizes) -> dict[str, Any]:
    """Return how far the prize giving is, its steps in words, and whether the results are held."""
    seen = get_public_view(event)
    left = event.rounds_planned - len({*seen.rounds, *seen.held_rounds})
    return {
        "row": prizes,
        "last": _step_words(prizes.steps[prizes.shown - 1]) if prizes.shown else "",
        "next": _step_words(prizes.next_step) if prizes.next_step else "",
        "steps": [_step_words(step) for step in prizes.steps],
        "held": bool(seen.held_rounds),
        "rounds_left": ngettext("%(count)d round is not released yet.", "%(count)d rounds are not released yet.", left)
        % {"count": left}
        if left > 0
        else "",
    }


def _step_words(step: PrizeStep) -> str:
    """Return a place with its names: "3: Ito", "=5: Berg and Sato"."""
    names = [row.name for row in step.rows]
    more = len(names) - MAX_NAMED
    if more > 1:
        names[MAX_NAMED:] = [ngettext("%(count)d more", "%(count)d more", more) % {"count": more}]
    return f"{ordinal_place(step.place, step.shared)}{colon()}{join_and(names)}"


@require_GET
@who_may(Right.SEE_DESK)
def wall(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the page; `?edit=ID` opens an announcement."""
    context = wall_desk_context(request, event, editing=to_int(request.GET.get("edit")))
    return render(request, "wall/desk.html", desk_context(request, event, "", **context))


@require_POST
@who_may(Right.ANNOUNCE)
def announce(request: DeskRequest, event: Event) -> HttpResponse:
    """Announce something; a refusal shows the form as typed."""
    try:
        write_announcement(
            event=event,
            words=read_words(request.POST.dict()),
            client_id=to_uuid(request.POST.get("announcement", "")),
            by=request.user,
        )
    except (InvalidInput, DomainError) as wrong:
        return _refused(request, event, wrong.problems)
    messages.success(request, _("It is announced."))
    return _back(event, "announcements")


@require_POST
@who_may(Right.ANNOUNCE)
def announcement(request: DeskRequest, event: Event, announcement_id: int) -> HttpResponse:
    """Change, move, take back or restore an announcement."""
    found = get_object_or_404(event.announcements.select_related("event"), pk=announcement_id)
    act = request.POST.get("act", "")
    try:
        if act == "change":
            change_announcement(announcement=found, words=read_words(request.POST.dict()), by=request.user)
        elif act == "move":
            move_announcement(announcement=found, position=to_int(request.POST.get("position")), by=request.user)
        elif act == "take_back":
            withdraw_announcement(announcement=found, by=request.user)
        elif act == "put_back":
            restore_announcement(announcement=found, by=request.user)
        else:
            raise Http404("There is no such act.")
    except DomainError as refused:
        return _refused(request, event, refused.problems, editing=announcement_id)
    return _back(event, "announcements")


@require_POST
@who_may(Right.CHANGE_SETTINGS)
def pages(request: DeskRequest, event: Event) -> HttpResponse:
    """Set the pages of the wall, their order and the seconds of each screen."""
    chosen = [page for page in WallPage.values if request.POST.get(f"on-{page}") == "on"]
    chosen.sort(key=lambda page: _number(request.POST.get(f"position-{page}", "")))
    try:
        wanted = [(page, _number(request.POST.get(f"seconds-{page}", ""))) for page in chosen]
        changed = set_wall_pages(event=event, pages=wanted, by=request.user)
    except DomainError as refused:
        return _refused(request, event, refused.problems)
    flash_saved(request, _("The screen rotation is set."), changed=changed)
    return _back(event, "pages")


@require_POST
@who_may(Right.CHANGE_SETTINGS)
def network(request: DeskRequest, event: Event) -> HttpResponse:
    """Set the network that the code on the hall screen joins."""
    wall = get_wall(event)
    name, password = request.POST.get("network", wall.network), request.POST.get("password", wall.network_password)
    try:
        changed = set_network(event=event, network=name, password=password, by=request.user)
    except DomainError as refused:
        return _refused(request, event, refused.problems)
    flash_saved(request, _("The network on the hall screen is set."), changed=changed)
    return _back(event, "codes")


@require_http_methods(["GET", "HEAD", "POST"])
@who_may(Right.PUBLISH)
@reauthenticate(prizes_open)
def prizes(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the announcer's page; or begin the prize giving, reveal places up to a step, end it, publish the results."""
    if request.method != "POST":
        return _announcer(request, event)
    act = request.POST.get("act", "")
    try:
        if act == "begin":
            begin_prizes(event=event, top=_number(request.POST.get("top", "") or "0"), by=request.user)
        elif act == "show":
            show_prizes(event=event, step=_number(request.POST.get("step", "")), by=request.user)
        elif act == "end":
            end_prizes(event=event, by=request.user)
        elif act == "results":
            shown = show_results(event=event, by=request.user)
            flash_saved(request, _("Everybody sees the results."), changed=shown)
        else:
            raise Http404("There is no such act.")
    except DomainError as refused:
        return _refused(request, event, refused.problems)
    if request.POST.get("announcer") and act in ("begin", "show"):
        return redirect("desk:wall_prizes", slug=event.slug)
    return _back(event, "prizes")


def _announcer(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what is on the wall and who comes next, for a phone in a hand."""
    prizes = get_prizes(event)
    newest = prizes.revealed[:1]
    coming = [prizes.next_step] if prizes.open and not prizes.moved and prizes.next_step else []
    presence, playing = get_presence(event), round_now(event)
    tables = load_tables(event, rounds=[playing.number]) if playing and presence.absent else []
    awards = read_awards(event) if prizes.open and not prizes.moved and event.prizes else []
    context = {
        **_prizes(event, prizes),
        "absent": presence.absent,
        "missing": list_missing(event, presence, tables, None),
        "newest": next(iter(prize_steps(event, newest)), None),
        "coming": next(iter(prize_steps(event, coming)), None),
        "awards": awards,
        "forgotten": [] if coming else [each for each in awards if not each[2]],
        "act_url": reverse("desk:wall_prizes", args=[event.slug]),
    }
    return render(request, "wall/announcer.html", desk_context(request, event, "", **context))


def _number(text: str) -> int:
    """Return a typed number, -1 for anything else: no verb takes that."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else -1


def _refused(
    request: DeskRequest, event: Event, problems: tuple[Problem, ...], *, editing: int | None = None
) -> HttpResponse:
    """Show the page with the problems and the form as typed."""
    typed = request.POST.dict() if "title" in request.POST else None
    context = wall_desk_context(request, event, editing=editing or 0, typed=typed)
    page = {"errors": [problem_text(problem) for problem in problems], **context}
    return render(request, "wall/desk.html", desk_context(request, event, "", **page), status=UNPROCESSABLE)


def _back(event: Event, part: str) -> HttpResponse:
    return redirect(f"{reverse('desk:wall', args=[event.slug])}#{part}")
