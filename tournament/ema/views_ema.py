"""EMA's assistant: what EMA asks of a certified event and whether it is kept, and what the organiser answers."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from rules.ema_events import TABLE, EventFacts, Requirement, Verdict, judge
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.ema.actions import answer_requirement
from tournament.ema.files_ema_check import check_ema
from tournament.ema.messages import PHASES, STATES, WHERE, say_demand, say_found
from tournament.ema.queries_ema import Answer, list_answers
from tournament.ema.queries_files_ema import get_ema_facts
from tournament.exports.views_rankings import read_ema_file
from tournament.models.event import Event
from tournament.pages.permissions_gateways import DeskRequest, opens, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import flash_problems
from tournament.standings.queries import get_desk_standings
from tournament.tables.queries_tables import names_of

ICONS = {"kept": "check", "broken": "error", "open": "waiting", "not_needed": "info"}
TONES = {"kept": "ok", "broken": "error", "open": "warning", "not_needed": "idle"}


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_SETTINGS)
def ema(request: DeskRequest, event: Event) -> HttpResponse:
    """Show EMA's demands in the order of the event, or take an answer to one of them."""
    if request.method == "POST":
        key, answer = request.POST.get("requirement", ""), request.POST.get("answer", "")
        try:
            if answer_requirement(event=event, key=key, answer=answer, by=request.user):
                messages.success(request, _("The answer is saved."))
            else:
                messages.info(request, _("Nothing was changed."))
        except Refused as refused:
            flash_problems(request, refused)
        return redirect(f"{reverse('desk:ema', args=[event.slug])}#{key[:20]}" if key.isidentifier() else request.path)
    facts = read_facts(event)
    answers = list_answers(event)
    names = names_of([each.by for each in answers.values()])
    found = [_row(request, event, each, verdict, answers.get(each.key), names) for each, verdict in judge(facts)]
    states = [row["state"] for row in found]
    context = {
        "phases": [(_(words), [row for row in found if row["phase"] == phase]) for phase, words in PHASES.items()],
        "counted": [(_(STATES[state]), states.count(state), TONES[state], ICONS[state]) for state in ICONS],
        "sanma": event.ruleset.players != TABLE,
    }
    return render(request, "files/ema.html", desk_context(request, event, "settings", **context))


def read_facts(event: Event) -> EventFacts:
    """Return what the demands are judged by today, with the errors of the results file."""
    facts = get_ema_facts(event, today=timezone.localdate())
    standings = get_desk_standings(event)
    if not standings.rounds:
        return facts
    file = read_ema_file(event, standings, {})
    found = check_ema(file.event, file.players, left_out=file.left_out, disqualified=file.disqualified)
    return dataclasses.replace(facts, file_errors=sum(problem.severity == "error" for problem in found))


def _row(
    request: DeskRequest,
    event: Event,
    each: Requirement,
    verdict: Verdict,
    answer: Answer | None,
    names: Mapping[str, str],
) -> dict[str, Any]:
    url = reverse(WHERE[each.key], args=[event.slug]) if each.key in WHERE else ""
    return {
        "key": each.key,
        "phase": each.phase,
        "clause": each.clause,
        "demand": say_demand(each.key),
        "state": verdict.state,
        "state_word": _(STATES[verdict.state]),
        "tone": TONES[verdict.state],
        "icon": ICONS[verdict.state],
        "found": say_found(each, verdict),
        "url": url if url and opens(request.rights, url) else "",
        "asked": each.asked and verdict.state != "not_needed",
        "answer": answer,
        "answered_by": names.get(answer.by, "") if answer else "",
    }
