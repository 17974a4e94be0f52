"""An event's settings: its rules with clauses and what differs from the book, who may come in, the audit trail."""

from typing import Any

import segno
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from rules.ruleset import book_keys, diff, load_book, rule_fields
from tournament.models import Event, Role
from tournament.refusal import Refused
from tournament.selectors.access import list_audit, list_members
from tournament.services.access import invite
from tournament.services.events import change_rules
from web.formatting import points
from web.forms.settings import InvitationForm, RulesForm
from web.gateways import DeskRequest, for_organiser
from web.page_context import desk_context
from web.wording import say, say_verb


@require_http_methods(["GET", "POST"])
@for_organiser
def settings(request: DeskRequest, event: Event) -> HttpResponse:
    """Show rules, people and trail; change rules or invite somebody."""
    act = request.POST.get("act", "") if request.method == "POST" else ""
    rules_form = RulesForm(event.ruleset, request.POST if act == "rules" else None)
    invitation = InvitationForm(request.POST if act == "invite" else None)
    link = None
    if act == "rules" and rules_form.is_valid() and _change_rules(request, event, rules_form):
        return redirect("desk:settings", event.slug)
    if act == "invite" and invitation.is_valid():
        link = _invite(request, event, invitation)
    context = {
        "rules_form": rules_form,
        "invitation": invitation,
        "link": link,
        "members": list_members(event),
        "audit": [{"line": line, "words": say_verb(line.verb, line.details)} for line in list_audit(event)],
        **_rules(event),
    }
    status = 422 if act and not link else 200
    return render(request, "desk/settings.html", desk_context(request, event, "settings", **context), status=status)


def _rules(event: Event) -> dict[str, Any]:
    """Return the event's rules as rows with section, words, value and clause, and what differs from the book."""
    rules = event.ruleset
    book = load_book(rules.key) if rules.key in book_keys() else None
    changed = {d.field: d.there for d in diff(rules, book.ruleset)} if book else {}
    rows = []
    for field in rule_fields():
        citation = book.citations[field.name] if book else None
        rows.append(
            {
                "section": field.metadata["section"],
                "says": field.metadata["says"],
                "value": _plain(getattr(rules, field.name)),
                "clause": citation.text if citation else "",
                "ours": bool(citation and citation.ours),
                "book": _plain(changed[field.name]) if field.name in changed else "",
                "changed": field.name in changed,
            }
        )
    return {"rules": rules, "rule_rows": rows, "source": book.source if book else "", "frozen": event.rules_frozen_at}


def _plain(value: Any) -> str:
    """Write a rule's value for people: yes and no, points with separators, lists with slashes, pairs with a colon."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, tuple | list):
        items = [": ".join(map(_plain, item)) if isinstance(item, tuple | list) else _plain(item) for item in value]
        return " / ".join(items) or _("none")
    return points(value) if isinstance(value, int) else str(value).replace("_", " ")


def _change_rules(request: DeskRequest, event: Event, form: RulesForm) -> bool:
    try:
        change_rules(event=event, values=form.values(), reason=form.cleaned_data["reason"], by=request.user)
    except Refused as refused:
        for problem in refused.problems:
            form.add_error(None, say(problem))
        return False
    messages.success(request, _("The rules of this event are changed."))
    return True


def _invite(request: DeskRequest, event: Event, form: InvitationForm) -> dict[str, Any]:
    """Make a link and its QR code, shown this once."""
    token = invite(event=event, role=Role(form.cleaned_data["role"]), name=form.cleaned_data["name"], by=request.user)
    url = request.build_absolute_uri(reverse("enter", args=[token]))
    svg = segno.make(url, error="m").svg_inline(omitsize=True)
    return {"url": url, "name": form.cleaned_data["name"], "svg": mark_safe(svg)}  # noqa: S308  (segno's own markup)
