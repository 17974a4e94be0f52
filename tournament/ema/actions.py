"""Verbs on what EMA asks of an event: the organiser's answers, and what its observer reports."""

from collections.abc import Mapping
from typing import Final

from rules.ema_events import requirement
from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.errors import DomainError
from tournament.core.transaction import check_length, event_transaction
from tournament.ema.queries import EMA_ANSWERED, list_answers
from tournament.events.models import Event

OBSERVER_REPORT_SET = Act("observer_report_set", "wrote the observer's report: {parts}", Seals.OWN)

EMA_NOT_ASKED = ProblemType("ema.not_asked", "EMA's list has no such question.")

# what an observer writes of an event, beside what the desk knows, with the most characters of each
REPORT: Final[Mapping[str, int]] = {"observer": 80, "venue": 1000, "comments": 2000}
ANSWERS: Final = ("yes", "no", "open")


def answer_requirement(*, event: Event, key: str, answer: str, by: Account) -> bool:
    """Answer whether an event keeps one of EMA's demands: "yes", "no", or "open" to take an answer back.

    Who answered and when is what the audit trail says. Returns whether that is new; raises DomainError for a demand
    that is not asked.
    """
    with event_transaction(event, EMA_ANSWERED, by=by) as change:
        try:
            asked = requirement(key).asked
        except KeyError:
            asked = False
        if not asked or answer not in ANSWERS:
            raise DomainError(EMA_NOT_ASKED())
        known = list_answers(change.event).get(key)
        if (known.answer if known else "open") == answer:
            return change.mark_unchanged()
        change.details = {"requirement": key, "answer": answer}
    return True


def set_observer_report(*, event: Event, texts: Mapping[str, str], by: Account) -> bool:
    """Set what the observer writes, by part; return whether anything is new.

    The trail names the parts, not what they say: they name people, and have to be erasable.
    """
    with event_transaction(event, OBSERVER_REPORT_SET, by=by) as change:
        for part, most in REPORT.items():
            check_length(f"report_{part}", texts.get(part, ""), most)
        wanted = {part: texts[part].strip() for part in REPORT if texts.get(part, "").strip()}
        before: dict[str, str] = change.event.observer_report
        change.details = {"parts": [part for part in REPORT if before.get(part) != wanted.get(part)]}
        return change.set_event(observer_report=wanted)
