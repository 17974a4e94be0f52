"""Letters to those who sign up: each as it is before it goes and as it went, sent by the desk or by hand."""

import datetime as dt
from typing import Any, ClassVar

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.models.sign_up import Letter, LetterState, SignUp, SignUpState
from tournament.pages.lists import ListColumn, ListTable
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import flash_problems
from tournament.signup.actions_check_digits import reference_of
from tournament.signup.letter_sender import link_of, written
from tournament.signup.letters import TO_SEND, check_letter, discard_letter, draft_reminders, send_by_hand, send_letters
from tournament.signup.messages import LETTER_KINDS, LETTER_STATES, LINK, say_letter
from tournament.signup.queries import get_page
from tournament.text.languages import counted, known_language, offered_language


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
@who_may(Verb.MANAGE_PLAYERS)
def letters(request: DeskRequest, event: Event) -> HttpResponse:
    """List all letters; draft reminders of open fees, and let drafts be sent."""
    if request.method == "POST":
        if request.POST.get("act") == "remind":
            count = draft_reminders(event=event, by=request.user)
            drafted = counted("%(count)d reminder is drafted.", "%(count)d reminders are drafted.", count)
            messages.success(request, drafted)
        elif request.POST.get("act") == "send":
            waiting = Letter.objects.filter(event=event, state__in=(LetterState.DRAFT, LetterState.FAILED))
            count = send_letters(event=event, letters=list(waiting.values_list("pk", flat=True)), by=request.user)
            messages.success(request, counted("%(count)d letter is sent.", "%(count)d letters are sent.", count))
        return redirect("desk:letters", event.slug)
    rows = [letter_line(each) for each in Letter.objects.filter(event=event)]
    table = LetterTable(rows, request)
    if file := table.file(event.name):
        return file
    context = {
        "table": table,
        "rows": rows,
        "mail": settings.MAIL,
        "drafts": sum(each["letter"].state in (LetterState.DRAFT, LetterState.FAILED) for each in rows),
        "to_copy": 0 if settings.MAIL else sum(each["letter"].state in TO_SEND for each in rows),
    }
    return render(request, "signup/letters.html", desk_context(request, event, "players", **context))


@require_GET
@who_may(Verb.MANAGE_PLAYERS)
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
        reference=reference_of(event.pk, 1),
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
@who_may(Verb.MANAGE_PLAYERS)
def letter(request: DeskRequest, event: Event, letter_id: int) -> HttpResponse:
    """Show a letter as it is or was sent; send it, note that it went by hand, or delete it."""
    try:
        found = check_letter(event, letter_id)
    except Refused as refused:
        flash_problems(request, refused)
        return redirect("desk:letters", event.slug)
    said = written(found)
    if request.method == "POST":
        act = request.POST.get("act", "")
        if act == "send":
            send_letters(event=event, letters=[found.pk], by=request.user)
        elif act == "by_hand":
            send_by_hand(letter=found, subject=said.subject, body=said.body, by=request.user)
        elif act == "discard":
            discard_letter(letter=found, by=request.user)
        return redirect("desk:letters", event.slug)
    site = get_page(event).site or request.build_absolute_uri("/").rstrip("/")
    context = {
        **letter_line(found),
        "subject": said.subject,
        "body": said.body.replace(LINK, link_of(found, site)),
        "mail": settings.MAIL,
        "may_send": found.state in TO_SEND,
        "draft": found.state in (LetterState.DRAFT, LetterState.FAILED),
        "next_letter": _next_letter(event, found),
    }
    return render(request, "signup/letter.html", desk_context(request, event, "players", **context))


def _next_letter(event: Event, found: Letter) -> int | None:
    """Return the next letter to copy."""
    waiting = Letter.objects.filter(event=event, state__in=TO_SEND).exclude(pk=found.pk).order_by("made_at", "pk")
    return waiting.values_list("pk", flat=True).first()
