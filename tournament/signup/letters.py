"""Letters to those who sign up: written down by the act that they tell of, sent or copied later.

`signup.messages` puts a letter into words when it is shown or sent. A letter names its link by "{link}" only.
"""

import datetime as dt
from collections.abc import Collection, Iterable

from django.db.models import Q

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.errors import DomainError
from tournament.core.now import now
from tournament.core.rate_limits import Limiter, Source
from tournament.core.transaction import EventChange, event_transaction
from tournament.events.models import Event
from tournament.rulesets.queries import list_rule_changes
from tournament.signup.models import Letter, LetterState, SignUp, SignUpState
from tournament.signup.queries import find_by_mail, paid_by

SIGN_UP_REMINDERS_DRAFTED = Act(
    "sign_up_reminders_drafted", "drafted reminders of the fee for sign-ups {sign_ups}", Seals.OWN
)
SIGN_UP_RULES_DRAFTED = Act(
    "sign_up_rules_drafted", "drafted letters about the changed rules to sign-ups {sign_ups}", Seals.OWN
)
SIGN_UP_LETTERS_RELEASED = Act("sign_up_letters_released", "sent {letters} letters", Seals.OWN)
SIGN_UP_LETTER_BY_HAND = Act("sign_up_letter_by_hand", "sent a letter by hand", Seals.OWN)
SIGN_UP_LETTER_DISCARDED = Act("sign_up_letter_discarded", "deleted a letter that was not sent", Seals.OWN)

SIGN_UP_NO_LETTER = ProblemType("sign_up.no_letter", "This letter is no longer there.")

LINK_LIFE = dt.timedelta(days=7)  # of the link to the form, and of the letter that brings it
STUCK = dt.timedelta(minutes=10)
MAX_FAULT = 200
TO_ONE = Limiter(scope="sign-up-mail", span=dt.timedelta(minutes=60), pair=3, account=6)
TO_SEND = (LetterState.DRAFT, LetterState.READY, LetterState.FAILED)


def write_letter(sign_up: SignUp, kind: str, *, at: dt.datetime, state: str = LetterState.READY) -> Letter:
    """Write a letter to somebody, with a copy to a minor's guardian."""
    return Letter.objects.create(
        event=sign_up.event,
        sign_up=sign_up,
        kind=kind,
        state=state,
        to=sign_up.mail,
        copy_to=sign_up.guardian_mail,
        language=sign_up.language,
        made_at=at,
    )


def ask_for_link(*, event: Event, mail: str, language: str, sender: str) -> None:
    """Write the letter that lets somebody sign up, or that leads who has signed up to their own page.

    The caller gives everybody the same answer, also when too many were written to this address and none is added.
    `sender` is the network that asks.
    """
    mail = mail.strip().casefold()
    if TO_ONE.count(Source(sender, f"{event.pk} {mail}")):
        return
    if known := find_by_mail(event, mail):
        write_letter(known, Letter.Kind.OWN, at=now())
    else:
        Letter.objects.create(event=event, kind=Letter.Kind.LINK, to=mail, language=language, made_at=now())


def draft_reminders(*, event: Event, by: Account) -> int:
    """Write a draft to everybody with a place whose fee is open and who has no draft yet; return how many."""
    with event_transaction(event, SIGN_UP_REMINDERS_DRAFTED, by=by) as change:
        places = change.event.sign_ups.filter(state=SignUpState.PLACE, fee__gt=0, erased_at=None)
        return _draft(change, Letter.Kind.REMINDER, [row for row in places if row.due > paid_by(row)])


def draft_rules_letters(*, event: Event, by: Account) -> int:
    """Write a draft about the changed rules to everybody who has signed up and has none yet; return how many."""
    with event_transaction(event, SIGN_UP_RULES_DRAFTED, by=by) as change:
        coming = change.event.sign_ups.exclude(state=SignUpState.CANCELLED).filter(erased_at=None)
        return _draft(change, Letter.Kind.RULES, coming if list_rule_changes(change.event) else ())


def _draft(change: EventChange, kind: str, rows: Iterable[SignUp]) -> int:
    """Write a draft to each of these who has no letter of this kind that is not sent; return how many."""
    waiting = Letter.objects.filter(event=change.event, kind=kind, state__in=TO_SEND)
    drafted = set(waiting.values_list("sign_up", flat=True))
    wanted = [row for row in rows if row.pk not in drafted]
    for row in wanted:
        write_letter(row, kind, at=change.at, state=LetterState.DRAFT)
    change.details = {"sign_ups": [row.number for row in wanted]}
    if not wanted:
        change.mark_unchanged()
    return len(wanted)


def send_letters(*, event: Event, letters: Collection[int], by: Account) -> int:
    """Let drafts and failed letters be sent; return how many."""
    with event_transaction(event, SIGN_UP_LETTERS_RELEASED, by=by) as change:
        rows = Letter.objects.filter(event=event, pk__in=letters, state__in=(LetterState.DRAFT, LetterState.FAILED))
        count = rows.update(state=LetterState.READY, fault="")
        _note(change, count)
        return count


def send_by_hand(*, letter: Letter, subject: str, body: str, by: Account) -> bool:
    """Note that the organiser has sent a letter with these words; return whether that is new."""
    with event_transaction(letter.event, SIGN_UP_LETTER_BY_HAND, by=by) as change:
        count = Letter.objects.filter(pk=letter.pk, state__in=TO_SEND).update(
            state=LetterState.BY_HAND, subject=subject, body=body, sent_at=change.at, fault=""
        )
        _note(change, count)
        return bool(count)


def discard_letter(*, letter: Letter, by: Account) -> bool:
    """Delete a letter that is not sent; return whether it was still there."""
    with event_transaction(letter.event, SIGN_UP_LETTER_DISCARDED, by=by) as change:
        count, _rows = Letter.objects.filter(pk=letter.pk, state__in=TO_SEND).delete()
        _note(change, count)
        return bool(count)


def _note(change: EventChange, count: int) -> None:
    change.details = {"letters": count}
    if not count:
        change.mark_unchanged()


# ---------------------------------------------------------------- sending


def claim_letter() -> Letter | None:
    """Take the oldest letter that is ready, so that no other process sends it; None where there is none."""
    while (found := Letter.objects.filter(state=LetterState.READY).order_by("made_at", "pk").first()) is not None:
        mine = Letter.objects.filter(pk=found.pk, state=LetterState.READY)
        if mine.update(state=LetterState.SENDING, sent_at=now()):
            return Letter.objects.select_related("event", "sign_up").get(pk=found.pk)
    return None


def note_sent(letter: Letter, *, subject: str, body: str) -> None:
    """Keep a letter as it was sent."""
    Letter.objects.filter(pk=letter.pk).update(
        state=LetterState.SENT, subject=subject, body=body, sent_at=now(), fault=""
    )


def note_failed(letter: Letter, fault: str) -> None:
    """Note why a letter could not be sent; the organiser sends it once more or by hand."""
    Letter.objects.filter(pk=letter.pk).update(state=LetterState.FAILED, sent_at=None, fault=fault[:MAX_FAULT])


def tend_letters() -> None:
    """Delete letters with links that no longer work, and give back those of a process that died over them."""
    old = Q(sign_up=None, made_at__lt=now() - LINK_LIFE)
    if Letter.objects.filter(old).exists():  # deleting takes the write lock of SQLite also for nothing
        Letter.objects.filter(old).delete()
    stuck = Letter.objects.filter(state=LetterState.SENDING, sent_at__lt=now() - STUCK)
    if stuck.exists():
        stuck.update(state=LetterState.FAILED, fault="?")


def check_letter(event: Event, pk: int) -> Letter:
    """Return a letter of an event; raises DomainError where it is gone."""
    found = Letter.objects.filter(event=event, pk=pk).select_related("event", "sign_up").first()
    if found is None:
        raise DomainError(SIGN_UP_NO_LETTER())
    return found
