"""The page that writes a complaint down, during the event or after it; its ruling is given on the page of calls."""

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput, ProblemType
from tournament.calls.actions import MOST_COMPLAINT, make_complaint
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE, row_of, to_uuid
from tournament.players.queries import list_names
from tournament.tables.queries_tables import get_table
from tournament.text.problems_1 import say

COMPLAINT_TABLE_UNKNOWN = ProblemType(
    "complaint.table_unknown", "There is no such table: write its round and its number."
)


class ComplaintForm(forms.Form):
    """Who complains, about which game or hand, and what about."""

    round = forms.IntegerField(label=_("Round"), min_value=1)
    table = forms.IntegerField(label=_("Table"), min_value=1)
    hand = forms.IntegerField(
        label=_("Hand"), min_value=1, required=False, help_text=_("Its number at the table; empty: the whole game.")
    )
    player = forms.ChoiceField(label=_("Who complains"), required=False)
    text = forms.CharField(label=_("Complaint"), max_length=MOST_COMPLAINT, widget=forms.Textarea(attrs={"rows": 4}))

    def __init__(self, event: Event, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = [(str(number), f"{name} ({number})") for number, name in list_names(event)]
        player: Any = self.fields["player"]
        player.choices = [("", gettext("somebody else")), *people]


@require_http_methods(["GET", "POST"])
@who_may(Verb.RULE)
def complaint(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the form (`?round=` and `?table=` fill it), or write the complaint down."""
    posted = request.method == "POST"
    asked = {key: request.GET[key] for key in ("round", "table", "hand") if key in request.GET}
    form = ComplaintForm(event, request.POST if posted else None, initial=asked)
    if form.is_valid():
        try:
            _make(request, event, form.cleaned_data)
        except (InvalidInput, Refused) as wrong:
            for problem in wrong.problems:
                form.add_error(None, say(problem))
        else:
            messages.success(request, gettext("The complaint is written down."))
            return redirect("desk:calls", event.slug)
    context = {"form": form, "client_id": request.POST.get("client_id", "") if posted else str(uuid.uuid4())}
    page = desk_context(request, event, "calls", **context)
    return render(request, "rounds/complaint.html", page, status=UNPROCESSABLE if posted else 200)


def _make(request: DeskRequest, event: Event, typed: dict[str, Any]) -> None:
    loaded = get_table(event, typed["round"], typed["table"])
    if loaded is None:
        raise Refused(COMPLAINT_TABLE_UNKNOWN())
    make_complaint(
        table=row_of(loaded),
        client_id=to_uuid(request.POST.get("client_id", "")),
        text=typed["text"],
        player=event.players.filter(number=typed["player"]).first() if typed["player"] else None,
        hand=typed["hand"],
        by=request.user,
    )
