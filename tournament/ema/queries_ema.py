"""The organiser's answers to what EMA asks of an event, as the audit trail has them: the last one of each counts."""

import datetime as dt
import json
from dataclasses import dataclass

from tournament.core.acts import Act, Seals
from tournament.models.event import Event
from tournament.models.ledger import AuditRow

EMA_ANSWERED = Act("ema_answered", "answered what EMA asks, “{requirement}”: {answer}", Seals.OWN)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, "yes" or "no", with the account that gave it and when."""

    answer: str
    by: str
    at: dt.datetime


def list_answers(event: Event) -> dict[str, Answer]:
    """Return the answers that stand, by the key of the demand; one query."""
    found = {}
    for row in AuditRow.objects.filter(event=event, verb=EMA_ANSWERED.name).order_by("seq"):
        said = json.loads(row.details)
        found[said["requirement"]] = Answer(said["answer"], row.by, row.at)
    return {key: each for key, each in found.items() if each.answer != "open"}
