"""Two organisers on one round: the second of two like acts changes nothing, or is refused in words."""

from collections.abc import Callable

import pytest

from tests.factories import enter, make_account, make_event, round_of, sign, table_of, writer_of
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.rounds.actions import publish_rounds, release_round, start_round
from tournament.seating.actions import discard_draw, draw_seats
from tournament.seating.seat_actions import swap_players
from tournament.tables.models import Seat

pytestmark = pytest.mark.django_db


def codes(act: Callable[[], object]) -> list[str]:
    """Return what refuses an act; nothing where it is done."""
    try:
        act()
    except DomainError as refused:
        return [problem.code for problem in refused.problems]
    return []


def record(event: Event) -> tuple[int, int]:
    event.refresh_from_db()
    return event.version, AuditRow.objects.filter(event=event).count()


@pytest.mark.parametrize("act", ["publish", "start", "release"])
def test_the_second_of_two_changes_nothing(act: str):
    event = make_event(tables=1, rounds=1, published=act != "publish")
    one, other = writer_of(event), make_account("Other")
    if act == "release":
        enter(table_of(event), "1t 230")
        sign(table_of(event))
    acts = {
        "publish": lambda by: publish_rounds(event=event, numbers=[1], by=by),
        "start": lambda by: start_round(round_=round_of(event), by=by),
        "release": lambda by: release_round(round_=round_of(event), by=by),
    }
    acts[act](one)
    before = record(event)
    acts[act](other)
    assert record(event) == before


def test_a_draw_that_was_published_meanwhile_is_neither_drawn_anew_nor_thrown_away():
    event = make_event(tables=2, rounds=1, published=False)
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    seats = list(Seat.objects.order_by("pk").values_list("player", "table", "seat"))
    other = make_account("Other")
    assert codes(lambda: draw_seats(event=event, seed=3, by=other)) != []
    assert codes(lambda: discard_draw(event=event, by=other)) != []
    assert list(Seat.objects.order_by("pk").values_list("player", "table", "seat")) == seats


def test_two_who_swap_the_same_two_players_swap_them_once():
    event = make_event(tables=2, rounds=1)
    seen: dict[int, tuple[int, int] | None] = {1: (1, 0), 5: (2, 0)}
    swaps = [
        swap_players(round_=round_of(event), one=1, other=5, seen=seen, reason="wrong", by=by)
        for by in (writer_of(event), make_account("Other"))
    ]
    assert swaps == [True, False]
    assert list(table_of(event, 2).seats.filter(seat=0).values_list("player__number", flat=True)) == [1]


def test_a_swap_of_somebody_who_was_moved_meanwhile_is_refused():
    event = make_event(tables=2, rounds=1)
    swap_players(
        round_=round_of(event), one=1, other=5, seen={1: (1, 0), 5: (2, 0)}, reason="wrong", by=writer_of(event)
    )
    late = codes(
        lambda: swap_players(
            round_=round_of(event),
            one=1,
            other=2,
            seen={1: (1, 0), 2: (1, 1)},
            reason="wrong",
            by=make_account("Other"),
        )
    )
    assert late == ["seats.moved_on"]
