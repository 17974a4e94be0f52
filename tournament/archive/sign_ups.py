"""The verb that takes the sign-ups of a desk that moves to another database, after its events.

Sign-ups as a file, for the move of a desk to another database alone: it holds all that people wrote.
"""

import json
from typing import Any

from django.db import transaction

from tournament.archive.event_file import ARCHIVE_CHECKSUM, NUMBER, OBJECT, or_null, record_of
from tournament.core.errors import Refused
from tournament.core.hash_chain import canonical
from tournament.events.models import Event
from tournament.signup.models import EmaPlayer, FeePayment, Letter, SignUp


def take_sign_ups(*, data: bytes) -> int:
    """Take what `get_sign_ups_file` wrote into a database that has the events; return how many sign-ups.

    Raises Refused where the same file does not come out again.
    """
    content: dict[str, Any] = json.loads(data)
    with transaction.atomic():
        EmaPlayer.objects.bulk_create([EmaPlayer(**EMA_PLAYER.read(each)) for each in content["ema_list"]])
        for slug, facts in content["events"].items():
            _take_event(Event.objects.get(slug=slug), facts)
        if get_sign_ups_file().encode() != data:
            raise Refused(ARCHIVE_CHECKSUM())
    return sum(len(facts["sign_ups"]) for facts in content["events"].values())


def _take_event(event: Event, facts: dict[str, Any]) -> None:
    players = {player.number: player for player in event.players.all()}
    for each in facts["sign_ups"]:
        row = SignUp.objects.create(event=event, player=players.get(each["player"]), **SIGN_UP.read(each))
        FeePayment.objects.bulk_create([FeePayment(sign_up=row, **PAYMENT.read(one)) for one in each["payments"]])
        _take_letters(event, row, each["letters"])
    _take_letters(event, None, facts["letters"])


def _take_letters(event: Event, row: SignUp | None, letters: list[dict[str, Any]]) -> None:
    # the newest is written first, and of equal moments the one that was made last
    Letter.objects.bulk_create([Letter(event=event, sign_up=row, **LETTER.read(each)) for each in reversed(letters)])


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
