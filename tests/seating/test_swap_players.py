"""Two people change places in a round without hands: a swap back is the identity, and hands forbid it."""

import pytest

from tests.factories import enter, make_event, round_of, table_of, writer_of
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.seating.seat_actions import Place, swap_players
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def seats(event: Event) -> dict[tuple[int, int], Place]:
    rows = Seat.objects.filter(round__event=event).values_list(
        "round__number", "player__number", "table__number", "seat"
    )
    return {(round_, who): (table, seat) for round_, who, table, seat in rows}


def swap(event: Event, one: int, other: int, *, reason: str = "", seen: dict[int, Place | None] | None = None) -> bool:
    now = seats(event)
    seen = {who: now.get((1, who)) for who in (one, other)} if seen is None else seen
    return swap_players(round_=round_of(event), one=one, other=other, seen=seen, reason=reason, by=writer_of(event))


def refused(event: Event, one: int, other: int, reason: str = "") -> list[str]:
    before = seats(event)
    with pytest.raises(DomainError) as caught:
        swap(event, one, other, reason=reason)
    assert seats(event) == before
    return [problem.code for problem in caught.value.problems]


def test_a_swap_back_is_the_identity():
    event = make_event(published=False)
    before = seats(event)
    assert swap(event, 1, 7)
    assert seats(event) == before | {(1, 1): before[1, 7], (1, 7): before[1, 1]}
    assert swap(event, 1, 7)
    assert seats(event) == before


def test_the_same_page_sent_twice_swaps_once():
    event = make_event(published=False)
    before = seats(event)
    seen: dict[int, Place | None] = {who: before[1, who] for who in (1, 7)}
    assert swap(event, 1, 7, seen=seen)
    assert not swap(event, 1, 7, seen=seen)
    assert seats(event)[1, 1] == before[1, 7]


def test_a_published_round_wants_a_reason():
    event = make_event()
    assert refused(event, 1, 7) == ["seats.reason_missing"]
    assert swap(event, 1, 7, reason="needs the ramp")


def test_hands_forbid_it_and_so_does_one_person_alone():
    event = make_event()
    enter(table_of(event), "1t 230")
    assert refused(event, 1, 7, reason="late") == ["seats.round_begun"]
    assert refused(event, 7, 7, reason="late") == ["seats.one_player"]


@pytest.mark.postgresql
def test_somebody_without_a_seat_can_take_one():
    event = make_event(published=False)
    Seat.objects.filter(round__event=event, round__number=1, player__number=7).delete()
    place = seats(event)[1, 1]
    assert swap(event, 1, 7)
    assert (seats(event)[1, 7], seats(event).get((1, 1))) == (place, None)
