"""A club night on three phones and a tablet: arrivals, a double send, a no, a dark phone, a table of three."""

from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.timeouts import expect
from tests.factories import fresh, name_of, writer_of
from tests.open_play.evening import count_together, make_evening, sit_down
from tests.player_entry.phones import Phone, allow_phones, seated
from tournament.accounts.actions import revoke_devices
from tournament.accounts.models import TableDevice
from tournament.archive.verify import verify_event
from tournament.calls.actions import close_call
from tournament.calls.models import RefereeCall
from tournament.events.actions import set_second_rules
from tournament.events.models import Event
from tournament.players.actions import check_in
from tournament.seasons.queries import get_season_view
from tournament.sheets.models import SheetRow
from tournament.standings.queries import get_standings
from tournament.tables.models import Round, Table

if TYPE_CHECKING:
    from playwright.sync_api import Page

THREE = (13, 14, 15)


@pytest.fixture
def night(live_server: object) -> Event:
    """Return an open event of 17 players, of whom nobody is here, with a code and rules for tables of three."""
    event = make_evening(17, here=0)
    set_second_rules(event=event, rules="sanmatsuri-2026", by=writer_of(event))
    return allow_phones(event)


def come(open_tab: OpenTab, night: Event, number: int, table: str = "No table now") -> "Page":
    """Scan the code on a phone and choose a name."""
    page = open_tab(phone=True)
    page.goto(Phone(night).url)
    page.select_option("#player", str(number))
    page.get_by_role("button", name="This is me").click()
    expect(page.locator("h1")).to_have_text(table)
    return page


def wake(page: "Page") -> None:
    """Have a page ask at once what it asks every few seconds."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def type_scores(page: "Page", *scores: str) -> None:
    for seat, score in enumerate(scores):
        page.fill(f"#count-{seat}", score)


def test_a_table_that_is_typed_stays_while_others_sit_down_and_a_proxy_fails(open_tab: OpenTab, night: Event):
    for player in night.players.filter(number__gt=1):
        check_in(player=player, here=True, by=writer_of(night))
    phone = come(open_tab, night, 1)
    phone.fill("#hall-table", "7")
    sit_down(night, 9, 10, 11, 12)
    wake(phone)
    expect(phone.locator('#seat-3 option[value="12"]')).to_have_count(0)
    expect(phone.locator("#hall-table")).to_have_value("7")
    for seat, number in enumerate((1, 2, 3, 4)):
        phone.select_option(f"#seat-{seat}", str(number))
    phone.route("**/play/**", lambda route: route.fulfill(status=502, body="Bad gateway"), times=1)
    phone.get_by_role("button", name="We sit down").click()
    expect(phone.locator("[data-waits]")).to_be_visible()
    expect(phone.locator("h1")).to_have_text("Table 7")


@pytest.mark.slow
@pytest.mark.follows("during/players-phones.md")
def test_a_night_of_seventeen_on_three_phones_and_a_tablet(open_tab: OpenTab, night: Event):
    by, season = writer_of(night), count_together(night)
    tablet = open_tab(by)
    tablet.goto(f"/desk/{night.slug}/tables/")
    phones = {number: come(open_tab, night, number) for number in (1, 2, 3)}
    for player in night.players.filter(number__gt=3):
        check_in(player=player, here=True, by=by)  # at the door
    sit_down(night, 5, 6, 7, 8)

    # four sit down by one phone, which the other two see
    wake(phones[1])
    phones[1].wait_for_selector("#seat-3")
    for seat, number in enumerate((1, 2, 3, 4)):
        phones[1].select_option(f"#seat-{seat}", str(number))
    # what happens meanwhile takes no choice away
    sit_down(night, 9, 10, 11, 12)
    wake(phones[1])
    expect(phones[1].locator('#seat-3 option[value="12"]')).to_have_count(0)
    phones[1].get_by_role("button", name="We sit down").click()
    expect(phones[1].locator("h1")).to_have_text("Table 3")
    table = Table.objects.select_related("round__event").get(round__event=night, number=3)
    assert seated(table) == [1, 2, 3, 4]

    # the running sum, a sheet that is typed without a network, and sent twice by an impatient finger
    type_scores(phones[1], "40000", "33.0", "27", "")
    expect(phones[1].locator("[data-sum]")).to_have_text("100,000 so far, 20,000 missing.")
    phones[1].fill("#count-3", "20000")
    expect(phones[1].locator("[data-sum]")).to_have_text("The sum is right: 120,000.")
    phones[1].context.set_offline(True)
    phones[1].get_by_role("button", name="Ask the others").dblclick()
    expect(phones[1].locator("[data-waits]")).to_be_visible()
    phones[1].context.set_offline(False)
    expect(phones[1].locator(".note.is-ok")).to_contain_text("You have said yes")
    assert table.ledger.count() == 1

    # the third says no; the referee rules, and the second asks again
    for number in (2, 3):
        wake(phones[number])
        expect(phones[number].get_by_role("button", name="Yes, I sign")).to_be_visible()
    phones[3].get_by_text("Something is wrong").click()
    phones[3].fill("#words", "I have 28,000")
    phones[3].get_by_role("button", name="Call the referee").click()
    expect(phones[3].locator(".note.is-warning").last).to_contain_text("A referee is called")
    call = RefereeCall.objects.get(table=table)
    tablet.goto(f"/desk/{night.slug}/calls/")
    expect(tablet.get_by_label("Question")).to_have_value("I have 28,000")
    close_call(call=call, question=call.question, ruling="27,000 it is", by=by)
    wake(phones[2])
    phones[2].get_by_role("button", name="Ask everybody for their yes").click()
    expect(phones[2].locator(".note.is-ok")).to_contain_text("You have said yes")

    # the first phone goes dark: another one is its player's, and nothing is lost
    phones[1].close()
    lost = TableDevice.objects.get(event=night, player__number=1)
    revoke_devices(event=night, devices=[lost.pk], by=by)
    phones[1] = come(open_tab, night, 1, "Table 3")
    for number in (1, 3):
        wake(phones[number])
        phones[number].get_by_role("button", name="Yes, I sign").click()
        expect(phones[number].locator(".note.is-ok")).to_contain_text("You have said yes")
    fourth = Phone(night, 4)
    fourth.answer("yes")
    wake(phones[2])
    expect(phones[2].locator(".note.is-ok")).to_contain_text("Your last game is signed: 33,000 points, place 2.")

    sheet = SheetRow.objects.get(table=table)
    assert (sheet.signed, tuple(sheet.totals)) == (True, (40_000, 33_000, 27_000, 20_000))

    # three of those who wait are tapped on the tablet, and play by the rules of a table of three
    tablet.goto(f"/desk/{night.slug}/tables/")
    for number in THREE:
        tablet.locator(".check-row", has_text=name_of(number - 1)).click()
        expect(tablet.locator(".check-row.is-here", has_text=name_of(number - 1))).to_be_visible()
    tablet.get_by_role("button", name="Seat this table").click()
    expect(tablet.get_by_text("2 tables play")).to_have_count(0)
    table = Table.objects.filter(round__event=night).latest("round__number")
    assert sorted(seated(table)) == list(THREE)
    typing, *others = (Phone(night, number) for number in THREE)
    typing.type((44_000, 31_000, 15_000))
    for other in others:
        other.answer("yes")

    # every game once, in the night and in the season, which the tablet shows
    assert Round.objects.filter(event=night, released_at__isnull=False).count() == 2
    standings = get_standings(fresh(night)).rows
    assert {row.number for row in standings} == {1, 2, 3, 4, *THREE}
    assert verify_event(night).problems == []
    tablet.goto(f"/s/{season.slug}/")
    rows = tablet.locator(".season-table tbody tr")
    expect(rows).to_have_count(7)
    shown = get_season_view(season).lines
    assert {line.name: (line.row.figure, line.row.games) for line in shown} == {
        row.name: (row.total, 1) for row in standings
    }
    assert [line.name in rows.nth(at).inner_text() for at, line in enumerate(shown)] == [True] * 7
