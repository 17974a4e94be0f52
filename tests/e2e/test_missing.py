"""A day with three of 24 not here, in a browser: where the desk says so, and what it offers by the event's book.

One comes 7 minutes late, one is replaced, one never comes and stands nowhere.
"""

import datetime as dt
import re
from uuid import uuid4

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import WHOLE_GAME, enter_all, make_event, round_of, table_of, writer_of
from tournament.calls.actions import call_referee
from tournament.core.now import now
from tournament.incidents.models import Substitution
from tournament.penalties.models import Penalty
from tournament.players.actions import check_in
from tournament.tables.models import Round
from tournament.tables.queries import load_tables


@pytest.mark.parametrize(("rules", "seats"), [("sanmatsuri-2026", 3), ("rakkii-nomi-2026", 4)])
def test_three_of_24_are_not_here(open_tab: OpenTab, rules: str, seats: int):
    event = make_event(rules, tables=24 // seats, slug="cup")
    writer = writer_of(event)
    for player in event.players.select_related("event").exclude(number__in=(1, 5, 6)):
        check_in(player=player, here=True, by=writer)
    late, gone, never = (event.players.get(number=number) for number in (1, 5, 6))
    call_referee(table=table_of(event, 2), client_id=uuid4(), by=writer)
    page, phone = open_tab(writer), open_tab(writer, phone=True)

    page.goto("/desk/cup/")
    expect(page.get_by_role("link", name="3 are not here")).to_be_visible()
    expect(page.locator("[data-table='1']")).to_contain_text(f"{late.person} not here")
    page.get_by_role("button", name="All tables are ready").click()
    expect(page.locator("h1")).to_contain_text("Who is not here")
    expect(page.locator(".missing-list li")).to_have_count(3)
    page.get_by_role("button", name="Mark the complete tables ready").click()
    expect(page.locator("[data-table='1'] .state.is-idle")).to_be_visible()
    ready = list(round_of(event).tables.filter(ready_at=None).values_list("number", flat=True))
    assert ready == [1, 2]
    page.get_by_role("button", name="Start the clock").click()
    expect(page.locator(".missing-list li")).to_have_count(3)
    page.get_by_role("button", name="Start the clock").click()
    expect(page.locator(".clock-head")).to_contain_text("left")

    # the clock has run for six minutes and a half: the seventh has begun
    Round.objects.filter(event=event, number=1).update(started_at=now() - dt.timedelta(minutes=6, seconds=30))
    page.goto("/desk/cup/rounds/1/tables/1/")
    expect(page.locator("#table-missing")).to_contain_text("7 minutes late: 7,000 points")
    for address in ("/desk/cup/calls/", "/desk/cup/wall/prizes/"):
        phone.goto(address)
        expect(phone.get_by_text("not here").or_(phone.get_by_text("Not here")).first).to_be_visible()
    page.get_by_role("button", name=re.compile("Came 7 minutes late")).click()
    expect(page.locator(".foul-now")).to_contain_text("7 minutes late: 7,000 points off the total.")
    page.get_by_role("button", name="Add penalty").click()
    expect(page.locator("#table-missing")).to_have_count(0)
    expect(page.locator("#table-penalties")).to_contain_text("7,000 points")
    given = Penalty.objects.get(event=event)
    assert (given.player_id, given.points, given.minutes) == (late.pk, 7000, 7)

    # past the limit of the book: its 30P and a replacement
    Round.objects.filter(event=event, number=1).update(started_at=now() - dt.timedelta(minutes=10, seconds=30))
    page.goto("/desk/cup/rounds/1/missing/")
    expect(page.locator("#missing-5")).to_contain_text("30,000 points, a substitute takes the seat")
    page.locator("#missing-5").get_by_role("link", name="Replace").click()
    page.get_by_label("Who plays instead").fill("Zilla")
    page.get_by_label("Before the game").check()
    page.get_by_label("Reason").fill("did not come")
    page.get_by_role("button", name="Show what it changes").click()
    page.locator("main form button.is-main").click()
    expect(page.get_by_text("Zilla").first).to_be_visible()
    assert Substitution.objects.get(player=gone, table__round__number=1).name == "Zilla"
    page.goto("/desk/cup/rounds/1/missing/")
    expect(page.locator(".missing-list li")).to_have_count(1)

    # a sheet with somebody who never came is asked about, and signs nothing meanwhile
    table = table_of(event, 2)
    hands = WHOLE_GAME if seats == 4 else ("2r1 330", "3r2 330", "1r3 m")
    enter_all(table, *hands)
    (loaded,) = load_tables(event, ids=[table.pk])
    page.goto("/desk/cup/rounds/1/tables/2/")
    for seat, score in enumerate(loaded.state.scores):
        page.locator(f"#total-{seat}").fill(str(score))
    page.get_by_role("button", name="Sign table").click()
    page.get_by_label("They played: check them in").check()
    assert not table.sheets.exists()
    if page.locator("input[name=early]").count():
        page.locator("input[name=early]").check()
    page.get_by_role("button", name="Sign table").click()
    expect(page.get_by_text("This table is signed")).to_be_visible()
    assert event.players.get(pk=never.pk).checked_in_at is not None
