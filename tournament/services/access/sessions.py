"""Verbs on sessions: end one of one's own, all others, or those of somebody at one's event.

Ending is deleting the row: the next request of that browser is a stranger's. What ended is in the trail as a number.
"""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from scoring.problems import error
from tournament.models import Account, DeskSession, Event
from tournament.refusal import Refused
from tournament.selectors.access import number_of
from tournament.services.core.writing import append_audit, writing


def end_session(*, number: str, by: Account) -> bool:
    """End one of one's own sessions, named as the list names it; return whether there was such a one."""
    keys = DeskSession.objects.filter(account=by).values_list("session_key", flat=True)
    return _end(by, Q(pk__in=[key for key in keys if number_of(key) == number])) > 0


def end_other_sessions(*, keep: str | None, by: Account) -> int:
    """End all of one's own sessions but the one with the key `keep`; return how many."""
    return _end(by, ~Q(pk=keep or ""))


def end_member_sessions(*, event: Event, account: Account, by: Account) -> int:
    """End all sessions of somebody at an event; return how many.

    Raises Refused for whoever runs the desk, and for somebody who is at another event too: the role here can be taken
    away, but coming in there is not this event's to decide. Whoever runs the desk may end any.
    """
    elsewhere = account.memberships.exclude(event=event).exists()
    if not by.is_superuser and account != by and (account.is_superuser or elsewhere):
        raise Refused(error("sessions.not_of_this_event"))
    with writing(event, "member_signed_out", by=by) as change:
        count, _ = DeskSession.objects.filter(account=account).delete()
        change.details = {"account": str(account.uid), "sessions": count}
        if not count:
            change.nothing_new()
    return count


def forget_expired_sessions() -> None:
    """Throw away the rows of sessions that are over."""
    DeskSession.objects.filter(expire_date__lt=timezone.now()).delete()


def _end(account: Account, which: Q) -> int:
    with transaction.atomic():
        count, _ = DeskSession.objects.filter(which, account=account).delete()
        if count:
            append_audit(None, "sessions_ended", {"sessions": count}, by=str(account.uid), at=timezone.now())
    return count
