"""Fees: sums that are right whatever happens, references that banks check, money noted once."""

import random
from collections.abc import Sequence
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.factories import writer_of
from tests.sign_ups import come, event_with
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.signup.actions import (
    accept_offer,
    cancel,
    confirm,
    give_place,
    is_iban,
    note_payment,
    payment_reference,
    set_fee,
)
from tournament.signup.queries import list_sign_ups, sum_fees
from tournament.signup.settings import set_sign_up_page

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]
KINDS = ("come", "come", "cancel", "pay", "pay", "fee", "accept", "place", "confirm")


def test_a_payment_is_noted_once_and_taken_back_by_a_row_of_its_own():
    event = event_with()
    ada = come(event, "Ada")[0]
    client_id, by = uuid4(), writer_of(event)
    for _twice in range(2):
        note_payment(sign_up=ada, amount=4000, client_id=client_id, by=by)
    assert sum_fees(list_sign_ups(event)) == {"due": 4000, "paid": 4000, "open": 0, "back": 0}
    cancel(sign_up=ada)
    assert sum_fees(list_sign_ups(event)) == {"due": 0, "paid": 4000, "open": 0, "back": 4000}
    note_payment(sign_up=ada, amount=-4000, client_id=uuid4(), by=by)
    assert sum_fees(list_sign_ups(event)) == {"due": 0, "paid": 0, "open": 0, "back": 0}


def test_amounts_that_cannot_be_are_refused():
    event = event_with()
    ada, by = come(event, "Ada")[0], writer_of(event)
    for amount in (0, 10_000_001):
        with pytest.raises(DomainError):
            note_payment(sign_up=ada, amount=amount, client_id=uuid4(), by=by)
    for fee, reason in ((-1, "x"), (100, "")):
        with pytest.raises(DomainError):
            set_fee(sign_up=ada, fee=fee, reason=reason, by=by)


def test_check_digits_catch_what_people_mistype():
    assert is_iban("DE89370400440532013000")
    assert not is_iban("DE89370400440532013001")
    assert not is_iban("DE89 3704 0044 0532 0130 00")
    texts = {payment_reference(1, number) for number in range(1, 200)}
    # moved to the front as a bank does, a right reference leaves 1
    assert {int("".join(str(int(sign, 36)) for sign in text[4:] + text[:4])) % 97 for text in texts} == {1}


class Book:
    """What the event's money must be, counted beside the desk in the plainest way."""

    def __init__(self, event: Event) -> None:
        self.event, self.by = event, writer_of(event)
        self.fees: dict[int, int] = {}
        self.paid: dict[int, int] = {}

    def act(self, kind: str, who: int, amount: int) -> None:
        """Do one act; what is refused changes nothing."""
        rows = list(self.event.sign_ups.order_by("number"))
        if kind == "come" or not rows:
            row = come(self.event, f"P{len(rows)}", proven=bool(amount % 3))[0]
            self.fees[row.number], self.paid[row.number] = 4000, 0
            return
        row = rows[who % len(rows)]
        try:
            if kind == "cancel":
                cancel(sign_up=row)
            elif kind == "pay":
                note_payment(sign_up=row, amount=amount, client_id=uuid4(), by=self.by)
                self.paid[row.number] += amount
            elif kind == "fee":
                set_fee(sign_up=row, fee=amount, reason="helper", by=self.by)
                self.fees[row.number] = amount
            elif kind == "accept":
                accept_offer(sign_up=row)
            elif kind == "place":
                give_place(sign_up=row, reason="guest", by=self.by)
            else:
                confirm(event=self.event, numbers=[row.number], by=self.by)
        except DomainError:
            return

    def check(self) -> None:
        """Compare the desk's sums and places with the book."""
        states = dict(self.event.sign_ups.values_list("number", "state"))
        due = {number: self.fees[number] if states[number] == "place" else 0 for number in states}
        open_ = {number: due[number] - self.paid[number] for number in states}
        assert sum_fees(list_sign_ups(self.event)) == {
            "due": sum(due.values()),
            "paid": sum(self.paid.values()),
            "open": sum(each for each in open_.values() if each > 0),
            "back": -sum(each for each in open_.values() if each < 0),
        }
        taken = sum(state in ("place", "offered") for state in states.values())
        assert taken <= 6
        assert taken == 6 or "waiting" not in states.values()


def follow(acts: Sequence[tuple[str, int, int]]) -> None:
    """Do these acts at an event of their own, and leave nothing of it."""
    with transaction.atomic():
        book = Book(event_with(places=6))
        for number, act in enumerate(acts):
            book.act(*act)
            if number % 10 == 0:
                book.check()
        book.check()
        transaction.set_rollback(True)


# 70 arrive: more than there are places, and enough of them wait
ACT = st.tuples(st.sampled_from(KINDS), st.integers(0, 70), st.integers(-5000, 5000))


@given(st.lists(ACT, min_size=20, max_size=40))
@settings(max_examples=5, suppress_health_check=list(HealthCheck), deadline=None)
def test_sums_and_places_are_right_after_any_acts(acts: list[tuple[str, int, int]]):
    follow(acts)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(3))
def test_sums_and_places_are_right_after_a_thousand_acts(seed: int):
    chosen = random.Random(seed)
    follow([(chosen.choice(KINDS), chosen.randrange(71), chosen.randint(-5000, 5000)) for _ in range(1000)])


def test_places_and_questions_of_the_page_are_checked():
    event = event_with()
    for wrong in (
        {"places": 2001},
        {"iban": "DE1"},
        {"currency": "XXX"},
        {"map_place": "91, 0"},
        {"open": True, "places": 0},
    ):
        with pytest.raises(DomainError):
            set_sign_up_page(event=event, terms=wrong, by=writer_of(event))
