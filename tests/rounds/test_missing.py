"""Who has a seat and is not here: where the desk says so, what it offers by the book, and what a sheet asks once."""

import datetime as dt
import html
from typing import Any
from uuid import uuid4

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from scoring.paper_sheet import PaperSheet
from tests.factories import (
    WHOLE_GAME,
    enter,
    enter_all,
    last_seq,
    make_event,
    round_of,
    sign,
    table_of,
    writer_of,
)
from tests.pages.at_desk import in_role, organiser, table_url
from tests.pages.html_reader import texts
from tournament.accounts.models import Role
from tournament.calls.actions import call_referee
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.core.now import now
from tournament.events.actions import set_second_person
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.penalties.models import Penalty
from tournament.phone_signing.actions import confirm_result, make_seat_codes, set_phone_signing
from tournament.phone_signing.models import SeatCode
from tournament.players.actions import check_in, withdraw_player
from tournament.players.queries import get_presence
from tournament.rounds.actions import pause_clock, start_round
from tournament.rounds.missing import list_missing
from tournament.sheets.actions import enter_totals, sign_table
from tournament.tables.models import Round, Table
from tournament.tables.queries import load_tables
from tournament.tables.round_queries import get_clock
from tournament.wall.display import wall_version

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def event_without(*numbers: int, rules: str = "ema-2025", tables: int = 2) -> Event:
    """Make an event at which all are checked in but the players of these numbers."""
    event = make_event(rules, tables=tables)
    for player in event.players.select_related("event").exclude(number__in=numbers):
        check_in(player=player, here=True, by=writer_of(event))
    event.refresh_from_db()
    return event


def absent(event: Event, round_: int = 1) -> list[int]:
    tables = load_tables(event, rounds=[round_])
    return [each.number for each in list_missing(event, get_presence(event), tables, None)]


def replace(event: Event, number: int, round_: int = 1) -> None:
    seat = event.rounds.get(number=round_).seats.select_related("table", "player__event").get(player__number=number)
    put_substitute_in(
        table=table_of(event, seat.table.number, round_=round_),
        player=seat.player,
        replacement=Replacement(when="before", reason="did not come", name="Zilla"),
        client_id=uuid4(),
        by=writer_of(event),
    )


def begin(event: Event, **ago: int) -> None:
    start_round(round_=round_of(event), by=writer_of(event))
    Round.objects.filter(event=event, number=1).update(started_at=now() - dt.timedelta(**ago))


# ---------------------------------------------------------------- who is missing


def test_nobody_is_missing_where_check_in_is_not_used():
    event = make_event()
    assert absent(event) == []
    check_in(player=event.players.select_related("event").get(number=1), here=True, by=writer_of(event))
    assert absent(event) == [2, 3, 4, 5, 6, 7, 8]


def test_the_page_claims_nobody_to_be_here_where_check_in_is_not_used():
    event = make_event(slug="cup")
    page = organiser(event).get("/desk/cup/rounds/1/missing/")
    assert texts(page, ".empty") == ["Nobody is checked in Without check-in nobody counts as missing."]
    assert texts(page, ".title .lead") == []
    for player in event.players.select_related("event"):
        check_in(player=player, here=True, by=writer_of(event))
    page = organiser(event).get("/desk/cup/rounds/1/missing/")
    assert texts(page, ".empty") == ["Everybody with a seat is here"]


def test_who_is_replaced_or_has_left_is_not_missing_and_another_round_asks_again():
    event = event_without(2, 3, 4)
    replace(event, 2)
    withdraw_player(player=event.players.select_related("event").get(number=4), reason="ill", by=writer_of(event))
    assert (absent(event), absent(event, 2)) == ([3], [2, 3])


def test_a_signed_table_misses_nobody():
    event = event_without(3)
    enter_all(table_of(event), *WHOLE_GAME)
    assert absent(event) == [3]
    check_in(player=event.players.select_related("event").get(number=3), here=True, by=writer_of(event))
    sign(table_of(event))
    check_in(player=event.players.select_related("event").get(number=3), here=False, by=writer_of(event))
    assert (absent(event), absent(event, 2)) == ([], [3])


@pytest.mark.parametrize(
    ("rules", "ago", "expected"),
    [
        ("rakkii-nomi-2026", {"minutes": 6, "seconds": 30}, (7, "7,000 points", False, "late.7")),
        ("rakkii-nomi-2026", {"minutes": 9, "seconds": 59}, (10, "10,000 points", False, "late.10")),
        (
            "rakkii-nomi-2026",
            {"minutes": 10, "seconds": 1},
            (11, "30,000 points, a substitute takes the seat", True, "late_over.11"),
        ),
        ("sanmatsuri-2026", {"minutes": 6, "seconds": 30}, (7, "7,000 points", False, "late.7")),
        (
            "sanmatsuri-2026",
            {"minutes": 10, "seconds": 1},
            (11, "30,000 points, a substitute takes the seat", True, "late_over.11"),
        ),
        ("ema-2025", {"seconds": 1}, (1, "1,000 points", False, "late.1")),
        ("tenhou-yonma", {"minutes": 3}, (0, "", False, "")),
    ],
)
def test_minutes_late_come_from_the_clock_and_their_price_from_the_book(
    rules: str, ago: dict[str, int], expected: tuple[int, str, bool, str]
):
    event = event_without(2, rules=rules)
    begin(event, **ago)
    (row,) = list_missing(event, get_presence(event), load_tables(event, rounds=[1]), get_clock(round_of(event)))
    assert (row.minutes, row.costs, row.over, row.pick) == expected


def test_a_pause_makes_nobody_later():
    event = event_without(2)
    begin(event, minutes=6, seconds=30)
    pause_clock(round_=round_of(event), reason="fire alarm", by=writer_of(event))
    round_of(event).pauses.update(paused_at=now() - dt.timedelta(minutes=4))
    (row,) = list_missing(event, get_presence(event), load_tables(event, rounds=[1]), get_clock(round_of(event)))
    assert row.minutes == 3


# ---------------------------------------------------------------- a sheet asks once


def codes(refusal: pytest.ExceptionInfo[DomainError]) -> list[tuple[str, object]]:
    return [(problem.code, problem.params.get("seats")) for problem in refusal.value.problems]


def played(event: Event) -> Table:
    table = table_of(event)
    enter_all(table, *WHOLE_GAME)
    return table


def sign_it(event: Event, *, here: bool = False) -> None:
    (loaded,) = load_tables(event, ids=[table_of(event).pk])
    left = loaded.state.sticks * loaded.rules.riichi_deposit
    table = table_of(event)
    totals = loaded.final.scores
    sign_table(table=table, totals=totals, leftover=left, expected_seq=last_seq(table), here=here, by=writer_of(event))


def test_a_sheet_of_somebody_who_never_came_is_asked_about_once():
    event = event_without(2)
    played(event)
    with pytest.raises(DomainError) as refusal:
        sign_it(event)
    assert codes(refusal) == [("sheet.not_here", (1,))]
    assert not table_of(event).sheets.exists()
    sign_it(event, here=True)
    assert table_of(event).sheets.get().signed
    assert event.players.get(number=2).checked_in_at is not None
    trail = AuditRow.objects.filter(event=event).order_by("-seq").values_list("verb", flat=True)
    assert set(trail[:2]) == {"table_signed", "player_checked_in"}
    assert absent(event, 2) == []


def test_a_sheet_of_who_is_replaced_and_of_an_event_without_check_in_is_not_asked_about():
    event = event_without(2)
    replace(event, 2)
    played(event)
    sign_it(event)
    plain = make_event()
    played(plain)
    sign_it(plain)
    assert all(table_of(each).sheets.get().signed for each in (event, plain))


@pytest.mark.parametrize("second_person", ["off", "blind"])
def test_a_sheet_from_the_pile_asks_the_first_who_types_it(second_person: str):
    event = event_without(2)
    set_second_person(event=event, second_person=second_person, by=writer_of(event))
    act: dict[str, Any] = {
        "table": table_of(event),
        "sheet": PaperSheet((40000, 30000, 30000, 20000), (0, 0, 0, 0)),
        "expected_seq": 0,
    }
    with pytest.raises(DomainError) as refusal:
        enter_totals(**act, client_id=uuid4(), by=writer_of(event))
    assert codes(refusal) == [("sheet.not_here", (1,))]
    outcome = enter_totals(**act, client_id=uuid4(), here=True, by=writer_of(event)).outcome
    assert (outcome, absent(event)) == ("counted" if second_person == "off" else "first", [])


def test_codes_for_phones_ask_and_the_players_do_not():
    event = event_without(2)
    set_phone_signing(event=event, allowed=True, by=writer_of(event))
    played(event)
    with pytest.raises(DomainError) as refusal:
        make_seat_codes(table=table_of(event), client_id=uuid4(), by=writer_of(event))
    assert codes(refusal) == [("sheet.not_here", (1,))]
    make_seat_codes(table=table_of(event), client_id=uuid4(), here=True, by=writer_of(event))
    for code in SeatCode.objects.filter(table=table_of(event)).select_related("table__round__event"):
        confirm_result(code=code)
    assert table_of(event).sheets.get().signed


# ---------------------------------------------------------------- pages


def text(response: object) -> str:
    return html.unescape(response.content.decode())  # type: ignore[attr-defined]


def test_every_page_of_the_day_marks_who_is_not_here():
    event = event_without(2)
    call_referee(table=table_of(event), client_id=uuid4(), by=writer_of(event))
    client = organiser(event)
    pages = [
        f"/desk/{event.slug}/",
        f"/desk/{event.slug}/calls/",
        f"/desk/{event.slug}/wall/prizes/",
        table_url(event),
        f"/desk/{event.slug}/rounds/1/missing/",
        f"/desk/{event.slug}/rounds/1/totals/",
        f"/desk/{event.slug}/players/",
    ]
    for page in pages:
        assert text(client.get(page)).count("ot here") > 0, page
    assert "ot here" not in text(organiser(make_event(slug="unticked")).get("/desk/unticked/players/"))
    replace(event, 2)
    for page in pages:
        assert "Birk not here" not in text(client.get(page)), page
    assert "missing-2" not in text(client.get(table_url(event)))


def test_the_list_on_a_tables_page_asks_again_for_its_part_alone():
    event = event_without(2)
    client, table = organiser(event), table_url(event)
    lines = BeautifulSoup(text(client.get(table)), "html.parser").select_one("#table-missing")
    assert lines is not None
    answer = text(client.get(str(lines["hx-get"])))
    part = BeautifulSoup(answer, "html.parser")
    assert "Birk" in str(part.select_one("#table-missing"))
    assert part.select("h1, nav, table, #table-page") == []
    check_in(player=event.players.get(number=2), here=True, by=writer_of(event))
    assert "table-missing" not in text(client.get(str(lines["hx-get"])))


def test_the_hall_screen_names_tables_with_an_empty_seat_and_nobody():
    event = event_without(3)
    name, client = str(event.players.get(number=3).person), Client()
    table = next(each.number for each in load_tables(event, rounds=[1]) if 3 in {seat.number for seat in each.seats})
    address = f"/e/{event.slug}/display/clock/"
    page = text(client.get(address))
    assert f"A seat is empty at table {table}." in page
    assert name not in page
    check_in(player=event.players.get(number=3), here=True, by=writer_of(event))
    assert "seat is empty" not in text(client.get(address))


def test_ready_and_start_show_who_is_missing_first_and_go_on_when_seen():
    event = event_without(2)
    client, ready, start = (
        organiser(event),
        f"/desk/{event.slug}/rounds/1/ready/",
        f"/desk/{event.slug}/rounds/1/start/",
    )
    missing = f"/desk/{event.slug}/rounds/1/missing/"
    assert client.post(ready, {"ready": [1, 2]})["Location"] == f"{missing}?then=ready"
    assert not round_of(event).tables.filter(ready_at__isnull=False).exists()
    assert client.post(ready, {"ready": [2]}).status_code == 302  # nobody is missing there
    assert list(round_of(event).tables.filter(ready_at__isnull=False).values_list("number", flat=True)) == [2]
    assert client.post(start)["Location"] == f"{missing}?then=start"
    assert client.post(f"/desk/{event.slug}/rounds/1/clock/", {"act": "start"})["Location"] == f"{missing}?then=start"
    assert round_of(event).started_at is None
    client.post(start, {"seen": "1"})
    assert round_of(event).started_at is not None


def test_who_comes_late_is_ticked_and_the_penalty_is_offered_with_the_minutes():
    event = event_without(2, rules="rakkii-nomi-2026")
    begin(event, minutes=6, seconds=30)
    client, address = organiser(event), f"/desk/{event.slug}/rounds/1/missing/"
    assert "7,000 points" in text(client.get(address))
    answer = client.post(address, {"here": 2, "late": "late.7", "at": 1, "table": 1})
    assert answer["Location"] == f"/desk/{event.slug}/penalties/give/?round=1&table=1&player=2&pick=late.7"
    assert "7,000 points off" in text(client.get(answer["Location"]))
    sent = {"client_id": str(uuid4()), "player": 2, "round": 1, "table": 1, "pick": "late.7", "expected_seq": 0}
    client.post(f"/desk/{event.slug}/penalties/give/", sent)
    given = Penalty.objects.get(event=event)
    assert (given.player.number, given.points, given.minutes, absent(event)) == (2, 7000, 7, [])


def test_a_tick_is_of_who_checks_in_and_returns_to_the_table():
    event = event_without(2)
    address = f"/desk/{event.slug}/rounds/1/missing/"
    assert in_role(event, Role.VIEWER).post(address, {"here": 2}).status_code == 403
    assert absent(event) == [2]
    assert organiser(event).post(address, {"here": 2, "table": 1})["Location"] == table_url(event)
    assert organiser(event).post(address, {"here": 99, "then": "start"})["Location"] == f"{address}?then=start"
    assert absent(event) == []


def test_the_forms_of_sheets_show_the_tick_and_take_it():
    event = event_without(2)
    table = played(event)
    client = organiser(event)
    assert "Not checked in: Birk" in text(client.get(table_url(event)))
    (loaded,) = load_tables(event, ids=[table.pk])
    sheet = {f"total-{seat}": str(total) for seat, total in enumerate(loaded.final.scores)}
    fields = {**sheet, "expected_seq": last_seq(table), "early": "on"}
    answer = client.post(table_url(event, end="sign/"), fields)
    assert (answer.status_code, "Not checked in: Birk (player 2)" in text(answer)) == (422, True)
    client.post(table_url(event, end="sign/"), {**fields, "here": "on"})
    assert table.sheets.get().signed
    assert "Not checked in" not in text(client.get(table_url(event, 2, end="totals/")))


def test_the_hall_screen_is_drawn_again_when_a_table_with_an_empty_seat_begins():
    event = event_without(1)
    begin(event)
    event.refresh_from_db()
    version, source = wall_version(event), "Is it yours?"
    client = Client()
    assert source in client.get(f"/e/{event.slug}/display/clock/").content.decode()
    enter(table_of(event, 2), "2r3 340")
    event.refresh_from_db()
    assert wall_version(event) == version  # nothing that it shows
    enter(table_of(event, 1), "2r3 340")
    event.refresh_from_db()
    assert source not in client.get(f"/e/{event.slug}/display/clock/").content.decode()
    assert wall_version(event) != version
