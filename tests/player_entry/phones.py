"""Players' phones for tests: browsers that scan the club's code, and what they send as the page's forms do."""

import re
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django.test import Client

from tests.factories import fresh, writer_of
from tests.pages.html_reader import texts
from tournament.events.models import Event
from tournament.player_entry.actions import make_club_code
from tournament.tables.models import Table

SCORES = (40_000, 33_000, 27_000, 20_000)
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


def allow_phones(event: Event) -> Event:
    """Make the club's code of an event."""
    make_club_code(event=event, seen="", by=writer_of(event))
    return fresh(event)


class Phone:
    """A browser of its own, which may be in for a player."""

    def __init__(self, event: Event, player: int | None = None) -> None:
        self.url = f"/e/{event.slug}/play/{event.club_code}/"
        self.client = Client()
        if player is not None:
            assert self.choose(player).status_code == 302

    def post(self, **fields: Any) -> Any:
        """Send a form."""
        return self.client.post(self.url, fields)

    def choose(self, player: int) -> Any:
        """Choose a name."""
        return self.post(act="name", player=player, client_id=str(uuid4()))

    def page(self) -> str:
        """Return what the page shows, as one line."""
        return " ".join(texts(self.client.get(self.url), "#main"))

    def fields(self) -> dict[str, Any]:
        """Return the hidden fields of the page's form."""
        found = dict(HIDDEN.findall(self.client.get(self.url).content.decode()))
        return {name: found[name] for name in ("round", "table", "client_id", "expected_seq") if name in found}

    def type(self, scores: Sequence[int] = SCORES, **fields: Any) -> Any:
        """Type final scores by seat into the page as it is."""
        counts = {f"count-{seat}": str(score) for seat, score in enumerate(scores)}
        return self.post(**{"act": "type", **self.fields(), **counts, **fields})

    def answer(self, answer: str, words: str = "") -> Any:
        """Say yes or no to the scores that the page shows."""
        return self.post(answer=answer, words=words, **self.fields())

    def seat(self, *numbers: int, **fields: Any) -> Any:
        """Sit down with others, from the first East on."""
        seats = {f"seat-{seat}": number for seat, number in enumerate(numbers)}
        return self.post(**{"act": "seat", "client_id": str(uuid4()), **seats, **fields})


def seated(table: Table) -> list[int]:
    """Return the numbers of a table's players by seat."""
    return list(table.seats.order_by("seat").values_list("player__number", flat=True))
