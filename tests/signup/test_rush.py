"""300 sign up at once for 80 places, each thread with a connection of its own, some of them twice."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar
from uuid import UUID, uuid4

import pytest
from django.db import OperationalError, connection

from tests.sign_ups import event_with, person
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.signup.actions import accept_offer, cancel, sign_up
from tournament.signup.models import Letter

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole_run]
PEOPLE, PLACES, THREADS = 300, 80, 12
T = TypeVar("T")


def repeat(act: Callable[[], T]) -> T:
    """Do an act as a page does: what waited too long for the other writers is answered 503, and sent again."""
    while True:
        try:
            return act()
        except OperationalError as wrong:
            if "locked" not in str(wrong):
                raise


def in_threads(acts: Sequence[Callable[[], T]]) -> list[T]:
    """Do these acts, dealt to twelve threads that begin together."""
    start, done = threading.Barrier(THREADS), list[T]()

    def run(mine: Sequence[Callable[[], T]]) -> None:
        start.wait()
        try:
            done.extend(repeat(act) for act in mine)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(acts[number::THREADS],)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


def test_80_places_go_to_the_first_80_of_300_and_the_rest_wait_in_order():
    event = event_with(places=PLACES)

    def arrive(number: int, client_id: UUID) -> int:
        return sign_up(event=event, new=person(f"Player {number}"), client_id=client_id, proven=True).number

    forms = [(number, uuid4()) for number in range(PEOPLE)]
    sent = sorted([*forms, *forms[::3]], key=lambda form: form[1].bytes)  # every third form was sent twice
    numbers = in_threads([partial(arrive, *form) for form in sent])

    rows = list(event.sign_ups.order_by("number"))
    assert [row.number for row in rows] == list(range(1, PEOPLE + 1))
    assert len({row.mail for row in rows}) == PEOPLE
    assert [row.state for row in rows] == ["place"] * PLACES + ["waiting"] * (PEOPLE - PLACES)
    assert [row.arrived_at for row in rows] == sorted(row.arrived_at for row in rows)
    assert Counter(Counter(numbers).values()) == {1: 200, 2: 100}
    assert Letter.objects.filter(event=event).count() == PEOPLE
    assert AuditRow.objects.filter(event=event, verb="sign_up_arrived").count() == PEOPLE
    assert verify_event(event).problems == []


def test_a_place_that_is_given_up_goes_to_one_person_however_many_ask_at_once():
    event = event_with(places=2)
    rows = [sign_up(event=event, new=person(f"P{number}"), client_id=uuid4(), proven=True) for number in range(8)]

    def act(number: int) -> bool:
        try:
            return cancel(sign_up=rows[0]) if number % 2 else accept_offer(sign_up=rows[2])
        except DomainError:  # nothing is offered yet
            return False

    done = in_threads([partial(act, number) for number in range(THREADS)])
    states = [row.state for row in event.sign_ups.order_by("number")]
    assert states[:2] == ["cancelled", "place"]
    assert states[2] in ("offered", "place")
    assert states[3:] == ["waiting"] * 5
    assert sum(done) == (2 if states[2] == "place" else 1)
