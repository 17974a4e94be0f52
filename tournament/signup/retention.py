"""Delete the data of sign-ups: of one person when they ask, of all when the event's time is over.

The trail has numbers and sums, which name nobody.
"""

import datetime as dt
import secrets
from collections.abc import Collection, Mapping
from typing import Any

from django.db import models
from django.db.models import Q

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.errors import DomainError
from tournament.core.now import now
from tournament.core.transaction import event_transaction
from tournament.events.models import Event
from tournament.players.models import Person, Player
from tournament.push.models import ToldPhone
from tournament.signup.actions import lock_sign_up, settle, settle_event
from tournament.signup.letters import tend_letters
from tournament.signup.models import FeePayment, Letter, SignUp, SignUpPage, SignUpState
from tournament.signup.queries import get_page, kept_until, list_sign_ups, paid_by, sum_fees

SIGN_UP_MONEY_HERE = ProblemType(
    "sign_up.money_here", "This person’s money is still here: note that it went back, then delete the data."
)

SIGN_UP_ERASED = Act("sign_up_erased", "deleted the data of sign-up {sign_up}", Seals.OWN)
SIGN_UPS_ERASED = Act("sign_ups_erased", "deleted all {count} sign-ups; {amount} had been paid", Seals.OWN)


def erase_sign_up(*, sign_up: SignUp, by: Account) -> None:
    """Delete all that is known of one person who has no money here, with their letters; the number stays empty.

    A player made of it stays in the list of players, which has its own way to forget. Raises DomainError while paid
    money is neither spent on a place nor given back.
    """
    with event_transaction(sign_up.event, SIGN_UP_ERASED, by=by) as change:
        row = lock_sign_up(change, sign_up)
        change.details = {"sign_up": row.number}
        if paid_by(row) > row.due:
            raise DomainError(SIGN_UP_MONEY_HERE())
        empty_sign_ups(change.event.sign_ups.filter(pk=row.pk), change.at)
        settle(change, get_page(change.event))


def erase_again(*, sign_up: SignUp, by: Account) -> None:
    """Delete what a backup from before the deletion brought back, whatever money it says is here."""
    with event_transaction(sign_up.event, SIGN_UP_ERASED, by=by) as change:
        change.details = {"sign_up": sign_up.number}
        empty_sign_ups(change.event.sign_ups.filter(pk=sign_up.pk), change.at)


def erase_event_sign_ups(*, event: Event, today: dt.date, by: Account | None) -> int:
    """Delete all sign-ups, payments and letters of an event whose time is over; return how many sign-ups went.

    Raises DomainError before that time.
    """
    with event_transaction(event, SIGN_UPS_ERASED, by=by) as change:
        until = kept_until(change.event, get_page(change.event))
        if today <= until:
            raise DomainError(PRIVACY_NOT_DUE(until=until.isoformat()))
        sums, count = sum_fees(list_sign_ups(change.event)), change.event.sign_ups.count()
        letters, _rows = change.event.letters.all().delete()
        change.event.sign_ups.all().delete()
        change.details = {"count": count, "amount": sums["paid"]}
        if not (count or letters):
            change.mark_unchanged()
    return count


def list_due(today: dt.date) -> list[Event]:
    """List the events whose sign-ups or letters should be gone; a query, and one for each past event with any."""
    kept = Q(event__sign_ups__isnull=False) | Q(event__letters__isnull=False)
    pages = SignUpPage.objects.filter(kept, event__date__lt=today).select_related("event").distinct()
    return [page.event for page in pages if kept_until(page.event, page) < today]


def tend_sign_ups(today: dt.date) -> None:
    """Do what time asks for at every event: offers lapse, old letters go, and sign-ups whose time is over.

    Without anything to do it writes nothing.
    """
    overdue = SignUp.objects.filter(state=SignUpState.OFFERED, offer_until__lte=now()).values("event")
    for event in Event.objects.filter(pk__in=overdue):
        settle_event(event)
    tend_letters()
    for event in list_due(today):
        erase_event_sign_ups(event=event, today=today, by=None)


PRIVACY_NOT_DUE = ProblemType(
    "privacy.not_due", "The time for which this event keeps personal data has not ended.", ("until",)
)


# what stays of a sign-up: its number, its place and its money
EMPTY: Mapping[str, Any] = {
    "name": "", "mail": "", "ema_number": "", "country": "", "club": "", "guardian": "", "guardian_mail": "",
    "guardian_consent_on": None, "minor": False, "show_name": False, "photo": False, "stream": False, "salt": "",
    "answers": {},
}  # fmt: skip


def empty_sign_ups(rows: models.QuerySet[SignUp], at: dt.datetime) -> None:
    """Leave nothing of sign-ups but number and money; those of no player are cancelled, too."""
    Letter.objects.filter(sign_up__in=rows).delete()
    FeePayment.objects.filter(sign_up__in=rows).update(note="")
    rows.filter(player=None).exclude(state=SignUpState.CANCELLED).update(
        state=SignUpState.CANCELLED, ended=SignUp.Ended.SELF, ended_at=at, offer_until=None
    )
    for row in rows:  # the address stays in none: they are apart by the number
        rows.filter(pk=row.pk).update(**{**EMPTY, "mail": f"-{row.number}"}, erased_at=at)


def _hide(players: Collection[int]) -> None:
    ToldPhone.objects.filter(player__in=players).delete()
    nothing = {"filmed": False, "minor": False, "guardian": "", "guardian_consent_on": None}
    Player.objects.filter(pk__in=players).update(shown_by_name=False, **nothing)


def _empty(person: Person, stand_in: str) -> None:
    """Leave nothing of a person but a stand-in: that of the last event, where there are several."""
    person.preferred_name = stand_in
    person.legal_name = person.ema_number = person.country = person.club = ""
    person.forgotten_at, person.salt = now(), secrets.token_hex(16)
    person.save()
