"""The columns in which somebody may have typed the name of a person, and how a name is taken out of them.

A test holds this list against all text columns of all models: one that is added belongs here, in `FIXED` of
`selectors.core.redactions`, or with its reason on the test's list of exceptions.
"""

import re
from typing import Any, Final

from django.db import models

from tournament.accounts.models import EntryLink
from tournament.calls.models import RefereeCall
from tournament.core.redactions import Columns, digest_of, list_fixed_texts, map_texts
from tournament.drill.models import CrewResult
from tournament.events.models import Event
from tournament.incidents.models import Disqualification, Substitution
from tournament.penalties.models import Penalty
from tournament.players.models import Player
from tournament.rounds.models import ClockPause, TableTime
from tournament.seating.models import DrawDraft
from tournament.signup.models import FeePayment, Letter, SignUp, SignUpPage
from tournament.standings.models import Cut
from tournament.tables.models import Round
from tournament.wall.models import Announcement

CHANGEABLE: Final[dict[type[models.Model], Columns]] = {
    Announcement: ("event", ("title", "text", "second_title", "second_text")),
    ClockPause: ("round__event", ("reason",)),
    CrewResult: ("drill__event", ("name",)),
    Cut: ("event", ("cancel_reason",)),
    Disqualification: ("event", ("reason", "clause", "cancel_reason")),
    DrawDraft: ("event", ("asked", "report", "problem")),
    EntryLink: ("event", ("name",)),
    Event: ("pk", ("house_rules", "contact", "observer_report", "wishes", "drawn")),
    FeePayment: ("sign_up__event", ("note",)),
    Letter: ("event", ("subject", "body", "fault")),
    Penalty: ("event", ("reason", "amount_reason", "cancel_reason", "charge_reason", "clause")),
    Player: ("event", ("team", "guardian")),
    RefereeCall: ("event", ("question", "ruling", "clause")),
    Round: ("event", ("drawn",)),
    SignUp: ("event", ("guardian", "answers")),
    SignUpPage: ("event", ("texts", "questions")),
    Substitution: ("event", ("name", "reason", "cancel_reason")),
    TableTime: ("table__round__event", ("reason", "cancel_reason")),
}
"""The columns that hold typed text and can still be changed, with the path to the event."""

Patterns = list[tuple[re.Pattern[str], str]]


def replace_names(event: Event, patterns: Patterns) -> None:
    """Replace names by their stand-ins in every typed text of an event, also where a fixed one is shown."""
    for model, (way, columns) in CHANGEABLE.items():
        for row in model._default_manager.filter(**{way: event.pk}):
            changed = [column for column in columns if _replace(row, column, patterns)]
            if changed:
                row.save(update_fields=changed)
    _redact_fixed(event, patterns)


def _redact_fixed(event: Event, patterns: Patterns) -> None:
    current = Event.objects.only("redactions").get(pk=event.pk)
    redactions: dict[str, str] = dict(current.redactions)
    for text in {text for texts in list_fixed_texts(event) for text in texts}:
        key = digest_of(text)
        before = redactions.get(key, text)
        if (after := without_names(before, patterns)) != before:
            redactions[key] = after
    if redactions != current.redactions:
        current.redactions = event.redactions = redactions
        current.save(update_fields=["redactions"])


def _replace(row: models.Model, column: str, patterns: Patterns) -> bool:
    before = getattr(row, column)
    if column == "contact":
        after: Any = _in_contact(before, patterns)
    else:
        after = map_texts(before, lambda text: without_names(text, patterns))
    field: Any = row._meta.get_field(column)
    setattr(row, column, after[: field.max_length] if isinstance(after, str) else after)
    return bool(after != before)


def _in_contact(contact: dict[str, str], patterns: Patterns) -> dict[str, str]:
    """Return a contact without what names one of these people: an address with a stand-in in it reaches nobody."""
    return {key: text for key, text in contact.items() if without_names(text, patterns) == text}


def without_names(text: str, patterns: Patterns) -> str:
    """Return a text with names replaced by their stand-ins."""
    for pattern, stand_in in patterns:
        text = pattern.sub(lambda _found, words=stand_in: words, text)  # type: ignore[misc]
    return text
