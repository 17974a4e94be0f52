"""Club nights by chance: phones that lose their network, are answered twice or go dark, and a desk that dies midway.

Nothing that was answered is lost, and nothing is there twice.
"""

import contextlib
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError, connection

from tests.factories import fresh, writer_of
from tests.open_play.evening import make_evening
from tests.player_entry.phones import Phone, allow_phones, seated
from tournament.accounts.actions import revoke_devices
from tournament.accounts.models import TableDevice, Tries
from tournament.archive.verify import verify_event
from tournament.calls.actions import close_call
from tournament.calls.models import RefereeCall
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.players.actions import check_in
from tournament.sheets.models import SheetRow
from tournament.standings.queries import get_standings
from tournament.tables.models import LedgerEntry, Round, Table

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True), pytest.mark.whole_run]

LONGEST = 60  # statements of a request, before one of which the desk dies
GAMES = 4
MOST_TRIES = 30


class Night:
    """An open evening with a phone for each player; `agreed` are the results that were answered, by round."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.event = allow_phones(make_evening(self.chance.choice([9, 13, 17]), here=0, slug=f"night-{seed}"))
        self.fates: Counter[str] = Counter()
        self.agreed: dict[int, tuple[int, ...]] = {}
        self.phones: dict[int, Phone] = {}
        for number in self.event.players.values_list("number", flat=True):
            self.come(number)

    def come(self, number: int) -> None:
        """Let a player's phone in."""
        phone = Phone(self.event)
        phone.client.raise_request_exception = False
        self.phones[number] = phone
        assert self.deliver(phone, act="name", player=number, client_id=str(uuid4())).status_code == 302

    @contextlib.contextmanager
    def dying(self) -> Iterator[None]:
        """Let the desk die before a statement of the request, once: its transaction is gone."""
        left = [self.chance.randrange(1, LONGEST)]

        def die(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                self.fates["died"] += 1
                raise OperationalError("the desk died")
            return execute(sql, params, many, context)

        with connection.execute_wrapper(die):
            yield

    def deliver(self, phone: Phone, **fields: Any) -> Any:
        """Send the same until an answer arrives, and sometimes once more; return the answer."""
        for _ in range(MOST_TRIES):
            fate = self.chance.choices(["lost", "dies", "unheard", "heard", "twice"], [1, 2, 1, 5, 1])[0]
            self.fates[fate] += 1
            if fate == "lost":
                continue
            with self.dying() if fate == "dies" else contextlib.nullcontext():
                answer = phone.post(**fields)
            if fate == "unheard" and fields.get("act") == "name":
                phone.client.cookies.clear()  # it came with the answer
            # 400: the desk died while it wrote the session
            if answer.status_code in (400, 500, 503) or fate == "unheard":
                continue
            if fate == "twice":
                again = phone.post(**fields)
                assert again.status_code == answer.status_code
            return answer
        raise AssertionError(f"no answer to {fields}")

    def play(self) -> None:
        """Seat a table from a phone, play, type, and get every yes; some say no, some phones go dark."""
        four = self.chance.sample(sorted(self.phones), 4)
        seats = {f"seat-{seat}": number for seat, number in enumerate(four)}
        fields = {"act": "seat", "client_id": str(uuid4()), **seats}
        assert self.deliver(self.phones[four[0]], **fields).status_code == 302
        table = Table.objects.select_related("round__event").filter(round__event=self.event).latest("pk")
        assert seated(table) == four
        scores = self.scores()
        typist, *others = self.chance.sample(four, 4)
        self.go_dark(typist)
        self.type(typist, scores)
        if self.chance.random() < 0.3:  # somebody typed at the same moment
            late = {"act": "type", "expected_seq": "0", **self.place(table), **self.counts(self.scores())}
            assert self.deliver(self.phones[others[0]], **late).status_code == 422
        if self.chance.random() < 0.3:
            self.say_no(table, others[0])
            typist, *others = self.chance.sample(four, 4)
            assert self.deliver(self.phones[typist], act="ask", **self.place(table)).status_code == 302
        for number in others:
            self.go_dark(number)
            where = self.phones[number].fields()
            assert self.deliver(self.phones[number], answer="yes", **where).status_code in (302, 422)
        self.agreed[table.round.number] = scores

    def scores(self) -> tuple[int, ...]:
        """Return final scores that add up."""
        three = [self.chance.randrange(0, 60) * 1000 + 100 * self.chance.randrange(10) for _ in range(3)]
        return (*three, 120_000 - sum(three))

    def counts(self, scores: tuple[int, ...]) -> dict[str, Any]:
        return {f"count-{seat}": score for seat, score in enumerate(scores)}

    def place(self, table: Table) -> dict[str, Any]:
        return {"round": table.round.number, "table": table.number, "client_id": str(uuid4())}

    def type(self, number: int, scores: tuple[int, ...]) -> None:
        """Type the sheet into the page as it is now."""
        fields = {"act": "type", **self.phones[number].fields(), **self.counts(scores), "reason": "as played"}
        answer = self.deliver(self.phones[number], **fields)
        assert answer.status_code == 302

    def say_no(self, table: Table, number: int) -> None:
        """Say no, and let a referee rule."""
        self.deliver(self.phones[number], answer="no", words="that is wrong", **self.phones[number].fields())
        call = RefereeCall.objects.get(table=table)
        close_call(call=call, question=call.question, ruling="it is right", by=writer_of(self.event))

    def go_dark(self, number: int) -> None:
        """Sometimes lose a player's phone: the organiser shuts it out, and another one comes in."""
        if self.chance.random() < 0.2:
            self.fates["dark"] += 1
            lost = TableDevice.objects.filter(event=self.event, player__number=number, revoked_at=None)
            revoke_devices(event=self.event, devices=[each.pk for each in lost], by=writer_of(self.event))
            self.come(number)

    def leave(self) -> None:
        """Sometimes somebody who waits goes home."""
        if len(self.phones) > 4 and self.chance.random() < 0.3:
            number = self.chance.choice(sorted(self.phones))
            check_in(player=self.event.players.get(number=number), here=False, by=writer_of(self.event))
            self.phones.pop(number)


def check(event: Event, agreed: dict[int, tuple[int, ...]]) -> None:
    """Hold what is there against what was answered."""
    sheets = SheetRow.objects.filter(table__round__event=event)
    assert {sheet.table.round.number: tuple(sheet.totals) for sheet in sheets} == agreed
    assert sheets.count() == len(agreed)
    assert LedgerEntry.objects.filter(table__round__event=event).count() == len(agreed)
    assert Round.objects.filter(event=event, released_at__isnull=False).count() == event.rounds.count() == len(agreed)
    signed = AuditRow.objects.filter(event=event, verb="table_signed").count()
    released = AuditRow.objects.filter(event=event, verb="round_released").count()
    assert signed == released == len(agreed)
    played = Counter(number for table in Table.objects.filter(round__event=event) for number in seated(table))
    assert {row.number: row.games for row in get_standings(event).rows} == dict(played)
    assert verify_event(event).problems == []


# one in the ordinary run, 200 in the nightly one
PARTS = [pytest.param(range(first, first + 50), marks=pytest.mark.nightly) for first in range(0, 200, 50)]


@pytest.mark.parametrize("seeds", [range(1), *PARTS], ids=str)
def test_nothing_answered_is_lost_and_nothing_is_there_twice(seeds: range):
    fates: Counter[str] = Counter()
    for seed in seeds:
        Tries.objects.all().delete()  # another evening: what the network has sent is forgotten
        night = Night(seed)
        for _ in range(GAMES):
            night.play()
            night.leave()
        check(fresh(night.event), night.agreed)
        fates += night.fates
    assert min(fates[fate] for fate in ("lost", "dies", "unheard", "heard", "twice", "died", "dark")) > 0, fates
