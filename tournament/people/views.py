"""Who is the same person at several events: what the desk proposes, what was decided, and how to undo it."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournament.accounts.queries import account_names
from tournament.core.errors import FORM_STALE, DomainError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, for_site, who_may
from tournament.pages.requests import MAX_QUERY_LENGTH, UNPROCESSABLE, flash_problems, flash_saved, to_int
from tournament.people.actions import link_people, note_namesakes, part_person, set_aliases, set_person_page, undo_link
from tournament.people.messages import REASON_WORDS, say_human
from tournament.people.models import MAX_ALIASES, Alias, AliasKind, KnownPerson
from tournament.people.queries import (
    Proposal,
    list_all_proposals,
    list_humans,
    list_links,
    list_merged,
    list_proposals,
    manageable_events,
    search_humans,
)
from tournament.players.models import Person
from tournament.text.names import clean_name
from tournament.text.problems import problem_text

MOST_SHOWN = 100  # proposals on a page


@require_http_methods(["GET", "POST"])
@for_site
def people(request: DeskRequest) -> HttpResponse:
    """Propose who is one person, list what was linked, and find people by name."""
    if request.method == "POST":
        return _decide(request, None, redirect("desk:people"))
    query = request.GET.get("q", "")[:MAX_QUERY_LENGTH].strip()
    proposals = list_all_proposals() if not query else []
    links = list_links()
    names = account_names(link.by for link in links)
    context = {
        "items": proposal_items(proposals[:MOST_SHOWN]),
        "more": max(len(proposals) - MOST_SHOWN, 0),
        "query": query,
        "found": [(human, say_human(human)) for human in search_humans(query)] if query else [],
        "links": [(link, names.get(link.by, "")) for link in links],
        "desk_nav": [],
    }
    return render(request, "people/people.html", context)


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PLAYERS)
def known_players(request: DeskRequest, event: Event) -> HttpResponse:
    """Propose who of an event's players is known from other events whose players the reader may manage."""
    mine = manageable_events(request.user)
    if request.method == "POST":
        return _decide(request, mine, redirect("desk:known_players", event.slug))
    players = set(event.players.values_list("person", flat=True))
    humans = list_humans(mine)
    proposals = [each for each in list_proposals(humans) if any(players & set(human.people) for human in each.humans)]
    known = [human for human in humans if len(human.events) > 1 and players & set(human.people)]
    context = {"items": proposal_items(proposals), "known": [(human, say_human(human)) for human in known]}
    return render(request, "people/known_players.html", desk_context(request, event, "players", **context))


def proposal_items(proposals: Sequence[Proposal]) -> list[dict[str, Any]]:
    """Return proposals as people/proposals.html takes them."""
    return [
        {
            "proposal": each,
            "reason": REASON_WORDS[each.reason],
            "rows": [(human, say_human(human), human.people[0]) for human in each.humans],
        }
        for each in proposals
    ]


def _decide(request: DeskRequest, events: set[int] | None, back: HttpResponse) -> HttpResponse:
    """Do what a page of proposals sent: link the ticked people of each proposal, or note that they are different."""
    act = request.POST.get("act", "")
    try:
        if act.startswith("undo-") and events is None:
            undone = undo_link(seq=to_int(act.removeprefix("undo-")), by=request.user)
            flash_saved(request, _("It is undone."), changed=undone)
        elif act.startswith("different-"):
            if note_namesakes(people=_chosen(request, act.removeprefix("different-"), events), by=request.user):
                messages.success(request, _("Noted: they are different people and are not proposed again."))
        else:
            _link_all(request, events)
    except DomainError as refused:
        flash_problems(request, refused)
    return back


def _link_all(request: DeskRequest, events: set[int] | None) -> None:
    """Link the ticked people of each proposal; a proposal that is refused stops none of the others."""
    done = 0
    for group in request.POST.getlist("group"):
        people = _chosen(request, group, events)
        if len(people) > 1:
            try:
                done += link_people(people=people, by=request.user) is not None
            except DomainError as refused:
                flash_problems(request, refused)
    if done:
        said = ngettext("%(n)d person is linked.", "%(n)d people are linked.", done) % {"n": done}
        messages.success(request, said)


def _chosen(request: DeskRequest, group: str, events: set[int] | None) -> list[int]:
    """Return the ticked rows of a proposal, all of events whose players the reader may manage."""
    sent = [to_int(each) for each in request.POST.getlist(f"people-{group}")]
    found = Person.objects.filter(pk__in=sent)
    if events is not None:
        found = found.filter(players__event__in=events)
    return sorted(set(found.values_list("pk", flat=True)))


@require_http_methods(["GET", "POST"])
@for_site
def desk_person(request: DeskRequest, uid: UUID) -> HttpResponse:
    """Show one person at the desk: events, spellings and online names; part an event, or change the names."""
    known = get_object_or_404(KnownPerson.objects.select_related("merged_into"), uid=uid)
    if known.merged_into:
        return redirect("desk:person", known.merged_into.uid)
    errors: list[str] = []
    if request.method == "POST":
        try:
            _change(request, known)
        except DomainError as refused:
            errors = [problem_text(problem) for problem in refused.problems]
        else:
            return redirect("desk:person", uid)
    human = next(iter(list_humans(keys=[known.pk])), None)
    names = list(Alias.objects.filter(known__in=list_merged([known.pk])))
    aliases = {kind: ", ".join(each.text for each in names if each.kind == kind) for kind in AliasKind}
    context = {
        "known": known,
        "human": human,
        "said": say_human(human) if human else "",
        "aliases": [(kind, kind.label, request.POST.get(kind, aliases[kind])) for kind in AliasKind],
        "errors": errors,
        "desk_nav": [],
    }
    return render(request, "people/desk_person.html", context, status=UNPROCESSABLE if errors else 200)


def _change(request: DeskRequest, known: KnownPerson) -> None:
    if "part" in request.POST:
        row = Person.objects.filter(pk=to_int(request.POST["part"]), known=known).first()
        if row is None:
            raise Http404("There is no such person.")
        part_person(person=row, by=request.user)
        messages.success(request, _("Parted: this event’s player is a person alone now."))
        return
    if "agreed" in request.POST:
        set_person_page(known=known, agreed=request.POST["agreed"] == "yes", by=request.user)
        messages.success(request, _("It is noted."))
        return
    if not request.POST.keys() >= set(AliasKind):
        raise DomainError(FORM_STALE())  # a name without its field would be deleted
    names = [
        (kind, text) for kind in AliasKind for text in request.POST[kind][:MAX_ALIASES].split(",") if clean_name(text)
    ]
    if set_aliases(known=known, names=names, by=request.user):
        messages.success(request, _("The names are saved."))
