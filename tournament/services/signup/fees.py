"""Verbs on fees: what somebody is to pay, and the money that came in. Amounts are in hundredths of the currency.

What is open is never stored: it is the fee less the payments, and nothing where there is no place.
"""

import re
from uuid import UUID

from scoring.problems import error
from tournament.models import Account, FeePayment, SignUp
from tournament.refusal import Refused
from tournament.services.core.writing import writing
from tournament.services.signup.sign_ups import current, reason_for

MOST_AMOUNT = 10_000_000
MOST_NOTE = 60
_MODULUS = 97


def set_fee(*, sign_up: SignUp, fee: int, reason: str, by: Account) -> bool:
    """Set what one person is to pay, with a reason; return whether that is new."""
    if not 0 <= fee <= MOST_AMOUNT:
        raise Refused(error("sign_up.amount_wrong"))
    with writing(sign_up.event, "sign_up_fee_set", by=by) as change:
        row = current(change, sign_up)
        change.details = {"sign_up": row.number, "amount": fee, "reason": reason_for(row, reason)}
        return change.set(row, fee=fee)


def note_payment(*, sign_up: SignUp, amount: int, note: str = "", client_id: UUID, by: Account) -> FeePayment:
    """Note money that came in, or with a minus went back; a known `client_id` returns its row."""
    if not amount or abs(amount) > MOST_AMOUNT:
        raise Refused(error("sign_up.amount_wrong"))
    with writing(sign_up.event, "sign_up_paid", by=by) as change:
        row = current(change, sign_up)
        if known := change.known(FeePayment.objects, client_id, sign_up_id=row.pk):
            return known
        change.details = {"sign_up": row.number, "amount": amount}
        return FeePayment.objects.create(
            sign_up=row,
            amount=amount,
            note=" ".join(note.split())[:MOST_NOTE],
            client_id=client_id,
            given_by=change.by,
            given_at=change.at,
        )


def reference_of(sign_up: SignUp) -> str:
    """Return the reference of a payment: a creditor reference of ISO 11649, whose check digits banks know.

    >>> reference_of(SignUp(event_id=7, number=12))
    'RF23E7N12'
    """
    body = f"E{sign_up.event_id}N{sign_up.number}"
    return f"RF{98 - _remainder(body + 'RF00'):02}{body}"


def is_iban(text: str) -> bool:
    """Tell whether a text without spaces is an IBAN with right check digits.

    >>> is_iban("DE89370400440532013000"), is_iban("DE88370400440532013000"), is_iban("")
    (True, False, False)
    """
    fits = re.fullmatch("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", text)
    return bool(fits) and _remainder(text[4:] + text[:4]) == 1


def _remainder(text: str) -> int:
    """Return the remainder of ISO 7064 (MOD 97-10): letters count as 10 to 35."""
    return int("".join(str(int(sign, 36)) for sign in text)) % _MODULUS
