"""The verb that takes the sign-ups of a desk that moves to another database, after its events."""

import json
from typing import Any

from django.db import transaction

from tournament.archive.event_file_1 import ARCHIVE_CHECKSUM
from tournament.archive.sign_ups_signup_moving import EMA_PLAYER, LETTER, PAYMENT, SIGN_UP, get_sign_ups_file
from tournament.core.errors import Refused
from tournament.models.event import Event
from tournament.models.sign_up import EmaPlayer, FeePayment, Letter, SignUp


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
