"""Four phones at once, each with a connection of its own: the sheet is signed once, and never against a no."""

import functools
from uuid import uuid4

import pytest

from tests.factories import WHOLE_GAME, correct, enter_all, last_seq, make_event, rows_of, table_of, writer_of
from tests.tables.test_eight_writers import at_once
from tournament.archive.verify import verify_event
from tournament.calls.models import RefereeCall
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.phone_signing.actions import confirm_result, dispute_result, make_seat_codes, set_phone_signing
from tournament.phone_signing.models import SeatCode
from tournament.sheets.actions import last_sheet
from tournament.sheets.models import SheetRow
from tournament.tables.models import Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole_run]


@pytest.fixture
def table() -> Table:
    event = make_event(tables=1, rounds=1)
    set_phone_signing(event=event, allowed=True, by=writer_of(event))
    enter_all(table_of(event), *WHOLE_GAME)
    return table_of(event)


def codes(table: Table) -> list[SeatCode]:
    batch = uuid4()
    make_seat_codes(table=table, client_id=batch, by=writer_of(table.round.event))
    found = SeatCode.objects.filter(batch=batch).select_related("table__round__event", "player")
    return list(found.order_by("seat"))


def test_four_who_say_yes_at_once_and_twice_sign_once(table: Table):
    made = codes(table)
    answers = at_once(*[functools.partial(confirm_result, code=code) for code in made for _ in range(2)])
    # the last yes signs; of what is sent twice, the second may come after that
    assert set(answers) <= {"yes", "signed"}
    assert "signed" in answers
    assert SheetRow.objects.filter(table=table).count() == 1
    assert AuditRow.objects.filter(verb="seat_said_yes").count() == 4
    assert AuditRow.objects.filter(verb="table_signed").count() == 1
    assert verify_event(table.round.event).problems == []


def test_a_no_beside_the_last_yes_either_stops_it_or_comes_too_late(table: Table):
    made = codes(table)
    for code in made[:2]:
        confirm_result(code=code)
    acts = [
        functools.partial(confirm_result, code=made[2]),
        functools.partial(dispute_result, code=made[3], words="hand 2"),
    ]
    at_once(*acts)
    # the fourth said no: in either order nothing is signed
    assert last_sheet(table) is None
    assert RefereeCall.objects.count() == 1
    with pytest.raises(DomainError):
        confirm_result(code=made[3])


def test_a_correction_beside_the_last_yes_leaves_no_sheet_of_other_scores(table: Table):
    made = codes(table)
    for code in made[:3]:
        confirm_result(code=code)
    hand = rows_of(table)[2].seq
    at_once(functools.partial(confirm_result, code=made[3]), functools.partial(correct, table, hand, "4r3 340"))
    sheet = last_sheet(table)
    corrected = last_seq(table) > len(WHOLE_GAME)
    # one of the two was first, and the other was refused
    assert (sheet is None) == corrected
    assert verify_event(table.round.event).problems == []
