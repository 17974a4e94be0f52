"""The penalty register: dated, with a reason, cancelled but never gone."""

from uuid import UUID, uuid4

import pytest

from tests.factories import codes_of, codes_when, round_of, writer_of
from tests.fixtures import module_event
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.penalties.actions import cancel_penalty, give_penalty
from tournament.penalties.models import Penalty
from tournament.standings.queries import get_standings

pytestmark = [pytest.mark.once, pytest.mark.django_db]


made = module_event()


def test_a_penalty_comes_off_the_total_until_it_is_cancelled(event: Event):
    by, player = writer_of(event), event.players.get(number=3)
    penalty = give_penalty(player=player, points=5000, reason=" late ", client_id=uuid4(), by=by)
    event.refresh_from_db()
    assert (penalty.reason, penalty.given_by) == ("late", str(by.uid))
    assert [(row.number, row.total, row.penalties) for row in get_standings(event).rows][-1] == (3, -5000, 5000)

    cancel_penalty(penalty=penalty, reason="the tram", by=by)
    event.refresh_from_db()
    assert [row.total for row in get_standings(event).rows] == [0] * 8
    kept = Penalty.objects.get()
    assert (kept.points, kept.cancel_reason, kept.cancelled_by) == (5000, "the tram", str(by.uid))


def test_a_penalty_of_a_round_counts_when_the_round_is_released(event: Event):
    player = event.players.get(number=3)
    give_penalty(
        player=player, points=5000, reason="late", client_id=uuid4(), round_=round_of(event), by=writer_of(event)
    )
    event.refresh_from_db()
    assert [row.penalties for row in get_standings(event).rows] == [0] * 8


def test_a_repeated_client_id_gives_one_penalty(event: Event):
    player = event.players.get(number=3)
    given = [
        give_penalty(player=player, points=points, reason="late", client_id=UUID(int=3), by=writer_of(event))
        for points in (5000, 9000)
    ]
    assert [penalty.pk for penalty in given] == [given[0].pk] * 2
    assert list(Penalty.objects.values_list("points", flat=True)) == [5000]
    assert list(event.audit.values_list("verb", flat=True)).count("penalty_given") == 1


@pytest.mark.parametrize(
    ("points", "reason", "code"),
    [
        (5000, " ", "penalty.reason_missing"),
        (-1, "late", "penalty.points_out_of_range"),
        (100_001, "late", "penalty.points_out_of_range"),
    ],
)
def test_a_penalty_that_cannot_be_is_refused(event: Event, points: int, reason: str, code: str):
    with pytest.raises(DomainError) as refusal:
        give_penalty(
            player=event.players.get(number=1), points=points, reason=reason, client_id=uuid4(), by=writer_of(event)
        )
    assert codes_of(refusal) == [code]
    assert not Penalty.objects.exists()


def test_cancelling_wants_a_reason_and_happens_once(event: Event):
    by = writer_of(event)
    penalty = give_penalty(player=event.players.get(number=1), points=1, reason="late", client_id=uuid4(), by=by)
    assert codes_when(lambda: cancel_penalty(penalty=penalty, reason="", by=by)) == ["penalty.reason_missing"]
    cancel_penalty(penalty=penalty, reason="first", by=by)
    cancel_penalty(penalty=penalty, reason="second", by=by)
    assert Penalty.objects.get().cancel_reason == "first"
    assert list(event.audit.values_list("verb", flat=True)).count("penalty_cancelled") == 1
