"""Sign-ups as a file, for the move of a desk to another database alone: it holds all that people wrote."""

from typing import Any

from tournament.archive.event_file_1 import record_of
from tournament.archive.event_file_event_values import NUMBER, OBJECT, or_null
from tournament.core.hash_chain import canonical
from tournament.models.event import Event
from tournament.models.sign_up import EmaPlayer, FeePayment, Letter, SignUp

PAYMENT = record_of(FeePayment)
LETTER = record_of(Letter)
SIGN_UP = record_of(
    SignUp,
    forms={"answers": OBJECT, "player": or_null(NUMBER), "payments": [PAYMENT], "letters": [LETTER]},
)
EMA_PLAYER = record_of(EmaPlayer)


def get_sign_ups_file() -> str:
    """Return the sign-ups of all events, and EMA's list, as one line of canonical JSON."""
    events = {event.slug: _of_event(event) for event in Event.objects.order_by("pk")}
    return (
        canonical({"events": events, "ema_list": [EMA_PLAYER.write(each) for each in EmaPlayer.objects.all()]}) + "\n"
    )


def _of_event(event: Event) -> dict[str, Any]:
    rows = event.sign_ups.select_related("player").prefetch_related("payments", "letters")
    return {
        "sign_ups": [
            SIGN_UP.write(
                row,
                player=row.player.number if row.player else None,
                payments=[PAYMENT.write(each) for each in row.payments.all()],
                letters=[LETTER.write(each) for each in row.letters.all()],
            )
            for row in rows
        ],
        "letters": [LETTER.write(each) for each in event.letters.filter(sign_up=None)],
    }
