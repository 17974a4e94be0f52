"""A list of an event that is typed as rows, each a form of a formset; an empty row is left out."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.forms.formsets import BaseFormSet, formset_factory
from django.http import HttpResponse
from django.shortcuts import redirect, render

from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.hall.actions import mark_of
from tournament.pages.permissions import DeskRequest, desk_context
from tournament.pages.requests import UNPROCESSABLE
from tournament.text.problems import problem_text

NEW_ROWS = 3


def edit_rows(
    request: DeskRequest,
    event: Event,
    name: str,
    form: type[forms.Form],
    stored: list[dict[str, Any]],
    save: Callable[..., bool],
    *,
    most: int,
    kwargs: dict[str, Any],
    said: str,
    context: Callable[[], dict[str, Any]],
) -> HttpResponse:
    """Show the rows of the page `hall/NAME.html` as forms, or save them: `save` is the action that sets them all.

    `seen` is what the page has shown, so that what somebody else has saved meanwhile is not lost. `context` is asked
    for what the page shows beside its forms. At most `most` rows are taken, so that the
    fields stay below Django's limit.
    """
    posted = request.method == "POST"
    rows: type[BaseFormSet[Any]] = formset_factory(form, extra=NEW_ROWS, max_num=most, absolute_max=most)
    formset = rows(request.POST if posted else None, initial=stored, form_kwargs=kwargs, prefix="row")
    errors: list[str] = []
    if posted and formset.is_valid():
        wanted = [each.row() for each in formset if any(each.row().values())]
        try:
            save(event=event, rows=wanted, seen=request.POST.get("seen", ""), by=request.user)
        except DomainError as refused:
            errors = [problem_text(problem) for problem in refused.problems]
        else:
            messages.success(request, said)
            return redirect(f"desk:{name}", event.slug)
    seen = request.POST.get("seen", "") if posted else mark_of(stored)
    page = desk_context(request, event, "settings", formset=formset, errors=errors, seen=seen, **context())
    return render(request, f"hall/{name}.html", page, status=UNPROCESSABLE if posted else 200)
