"""Verbs on fees: what somebody is to pay, and the money that came in. Amounts are in hundredths of the currency.

What is open is never stored: it is the fee less the payments, and nothing where there is no place.
"""

from uuid import UUID

from scoring.problems import ProblemType
from tournament.core.acts import Act, Seals
from tournament.core.errors import Refused
from tournament.core.transaction import writing
from tournament.models.access import Account
from tournament.models.sign_up import FeePayment, SignUp
from tournament.signup.actions_sign_ups import current, reason_for

SIGN_UP_FEE_SET = Act("sign_up_fee_set", "set the fee of sign-up {sign_up} to {amount}: {reason}", Seals.OWN)
SIGN_UP_PAID = Act("sign_up_paid", "noted a payment of {amount} for sign-up {sign_up}", Seals.OWN)

SIGN_UP_AMOUNT_WRONG = ProblemType("sign_up.amount_wrong", "This is not an amount of money, such as 40 or 37.50.")

MOST_AMOUNT = 10_000_000
MOST_AMOUNT_TEXT = 13  # a sign, nine digits, a point and two more
MOST_NOTE = 60


def set_fee(*, sign_up: SignUp, fee: int, reason: str, by: Account) -> bool:
    """Set what one person is to pay, with a reason; return whether that is new."""
    if not 0 <= fee <= MOST_AMOUNT:
        raise Refused(SIGN_UP_AMOUNT_WRONG())
    with writing(sign_up.event, SIGN_UP_FEE_SET, by=by) as change:
        row = current(change, sign_up)
        change.details = {"sign_up": row.number, "amount": fee, "reason": reason_for(row, reason)}
        return change.set(row, fee=fee)


def note_payment(*, sign_up: SignUp, amount: int, note: str = "", client_id: UUID, by: Account) -> FeePayment:
    """Note money that came in, or with a minus went back; a known `client_id` returns its row."""
    if not amount or abs(amount) > MOST_AMOUNT:
        raise Refused(SIGN_UP_AMOUNT_WRONG())
    with writing(sign_up.event, SIGN_UP_PAID, by=by) as change:
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
