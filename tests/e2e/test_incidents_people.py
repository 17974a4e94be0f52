"""What goes wrong with people, each incident tried in a browser: what the desk says and does, and how it is taken back.

Every incident begins where a person would: at "Something went wrong", with the player's number. Each leaves the event
as the next one finds it, so that one event and one tab serve several.
"""

import re
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.patience import expect
from tests.factories import DAY, enter_all, make_account, play_round, table_of, writer_of
from tests.fixtures import live_event
from tournament.accounts.models import Account
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.penalties.queries import list_penalties
from tournament.players.actions import NewPlayer, add_players
from tournament.rounds.actions import publish_rounds
from tournament.standings.queries import read_standings
from tournament.tables.models import Seat
from tournament.tables.queries import load_tables

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.django_db(transaction=True)


event = live_event(slug="cup", tables=2, rounds=2)


@pytest.fixture
def desk(open_tab: OpenTab, event: Event) -> "Page":
    """Return the organiser's tab."""
    return open_tab(writer_of(event))


def go_wrong(page: "Page", number: int, what: str) -> None:
    """Look at a player, see what can have happened, press the button beside it."""
    page.goto(f"/desk/cup/mishaps/?player={number}")
    page.locator(".mishaps li", has_text=what).first.get_by_role("link").click()


def take_back(page: "Page", words: str) -> None:
    """Press the way back beside something that was done lately."""
    page.goto("/desk/cup/mishaps/")
    page.locator(".mishaps li", has_text=words).first.get_by_role("link", name="Check and take back").click()


def give_reason(page: "Page", button: str, reason: str = "said the player") -> None:
    page.get_by_label("Reason").last.fill(reason)
    page.get_by_role("button", name=button, exact=True).click()


def said(page: "Page") -> "Locator":
    return page.locator(".messages .note").first


def seats(event: Event) -> list[tuple[int, ...]]:
    rows = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    return list(rows.values_list("round__number", "table__number", "seat", "player__number"))


def totals(event: Event) -> dict[int, int]:
    return {row.number: row.total for row in read_standings(event, released_only=False).rows}


def lines(page: "Page", of: str) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(of).all_inner_texts()]


# ---------------------------------------------------------------- does not come, comes late, leaves, returns


def tick_two_at_the_door(desk: "Page", event: Event) -> None:
    """Tick two players, and nobody is taken out for want of a tick."""
    before = seats(event)
    desk.goto("/desk/cup/check-in/")
    for name in ("Akelei", "Birk"):
        desk.get_by_role("button", name=name).click()
        expect(desk.locator(".check-last")).to_contain_text(f"{name} is here.")
    expect(desk.locator("#check-count")).to_have_text("2 of 8 here")
    expect(desk.get_by_text("A missing tick removes nobody")).to_be_visible()
    assert (event.players.filter(withdrawn_at=None).count(), seats(event)) == (8, before)
    desk.get_by_role("button", name="Undo").click()
    expect(desk.locator("#check-count")).to_have_text("1 of 8 here")


def replace_a_no_show_who_came_after_all(desk: "Page", event: Event) -> None:
    """Put a substitute in for who did not come, after a look, and take it out again."""
    before = seats(event)
    desk.goto("/desk/cup/")
    desk.get_by_role("link", name="Something went wrong").click()
    desk.get_by_label("With whom").select_option("3")
    desk.get_by_role("button", name="What can be done").click()
    expect(desk.get_by_text("Round 1, table 1, seat 3: no hand is entered yet")).to_be_visible()
    desk.locator(".mishaps li", has_text="Did not come").get_by_role("link").click()
    expect(desk.get_by_role("radio", name="Cyan")).to_be_checked()
    expect(desk.get_by_role("radio", name="Before the game")).to_be_checked()
    expect(desk.get_by_label("Reason")).to_have_value("did not come")
    desk.get_by_role("button", name="Show what it changes").click()
    expect(desk.locator(".substitute-effect tr", has_text="Cyan")).to_contain_text("−30,000")
    desk.get_by_role("button", name="Put the substitute in").click()
    expect(said(desk)).to_have_text("Done Cyan is replaced.")
    assert seats(event) == before
    go_wrong(desk, 3, "Came after all")
    desk.get_by_role("link", name="Take out").first.click()
    give_reason(desk, "Take the substitute out", "came with the second train")
    expect(said(desk)).to_have_text("Done The game counts as Cyan’s own again.")
    assert not load_tables(event, rounds=[1])[0].replaced


def punish_who_comes_late(desk: "Page", event: Event) -> None:
    """Give what the book says for minutes late, which costs no place; cancel it."""
    go_wrong(desk, 3, "Came late")
    desk.get_by_role("group", name="Minutes late").get_by_role("button", name="7", exact=True).click()
    desk.get_by_role("button", name="Add penalty").first.click()
    expect(said(desk)).to_contain_text("Given to Cyan")
    (row,) = list_penalties(event, load_tables(event))
    assert (row.number, row.points, row.cancelled) == (3, 7_000, False)
    desk.goto(f"/desk/cup/penalties/{row.id}/cancel/")
    give_reason(desk, "Cancel the penalty", "the bus was ours")
    assert [each.cancelled for each in list_penalties(event, load_tables(event))] == [True]


def let_somebody_leave_during_a_round_and_return(desk: "Page", event: Event) -> None:
    """Replace who leaves in this game and the next, and give the next one back."""
    enter_all(table_of(event), "1t 3 30")
    before = seats(event)
    go_wrong(desk, 3, "Leaves for good")
    expect(desk.get_by_text("Round 1, table 1, seat 3: 1 hand is entered")).to_be_visible()
    expect(desk.get_by_text("Round 2, table 1, seat 2: no hand is entered yet")).to_be_visible()
    desk.get_by_label("Who plays instead").fill("Ida Reserve")
    give_reason(desk, "Has left")
    expect(said(desk)).to_have_text("Done Cyan has left. No seat has moved.")
    assert [[each.when for each in table.substitutes] for table in load_tables(event)] == [
        ["during"],
        [],
        ["before"],
        [],
    ]
    assert seats(event) == before
    take_back(desk, "noted that player 3 has left")
    expect(desk.get_by_label("Round 2, table 1, seat 2")).to_be_checked()
    expect(desk.get_by_text("These games have begun and stay with the substitute")).to_be_visible()
    give_reason(desk, "Is back", "feels better")
    expect(said(desk)).to_have_text("Done Cyan is back.")
    assert [len(table.substitutes) for table in load_tables(event)] == [1, 0, 0, 0]
    assert seats(event) == before


def test_who_is_not_there_comes_late_or_leaves_keeps_the_seat(desk: "Page", event: Event) -> None:
    tick_two_at_the_door(desk, event)
    replace_a_no_show_who_came_after_all(desk, event)
    punish_who_comes_late(desk, event)
    let_somebody_leave_during_a_round_and_return(desk, event)


# ---------------------------------------------------------------- during a game, and what its games count


def go_on_from_the_next_hand(desk: "Page", event: Event) -> None:
    """Put a substitute in from the next hand on, and take it out."""
    enter_all(table_of(event), "1t 3 30", "1t 3 30")
    go_wrong(desk, 2, "Cannot finish this game")
    expect(desk.get_by_role("radio", name="During the game")).to_be_checked()
    expect(desk.get_by_label("During: from hand")).to_have_value("3")
    desk.get_by_role("button", name="Show what it changes").click()
    desk.get_by_role("button", name="Put the substitute in").click()
    expect(said(desk)).to_have_text("Done Birk is replaced.")
    take_back(desk, "put a substitute in for player 2")
    desk.get_by_role("link", name="Take out").first.click()
    give_reason(desk, "Take the substitute out")
    assert not load_tables(event, rounds=[1])[0].replaced


def give_two_each_others_games(desk: "Page", event: Event) -> None:
    """Give two who played under each other's name their own games, and back."""
    play_round(event, 1, "1t 3 30", "1r3 5")
    before = totals(event)
    assert before[2] != before[7]
    go_wrong(desk, 2, "Somebody else played under this name")
    desk.get_by_label("Other").select_option("7")
    desk.get_by_label("Round 1", exact=True).check()
    desk.get_by_role("button", name="Show what would change").click()
    expect(desk.get_by_text("Birk: table 1, seat 2")).to_contain_text("→ table 2, seat 3")
    give_reason(desk, "Give each the other’s games", "both answer to Ana")
    expect(said(desk)).to_contain_text("Each has the other’s games now.")
    assert totals(event) == before | {2: before[7], 7: before[2]}
    take_back(desk, "gave players 2 and 7 each other's games")
    give_reason(desk, "Give each the other’s games", "it was right")
    expect(said(desk)).to_contain_text("Each has the other’s games now.")
    assert totals(event) == before


def let_somebody_leave_between_rounds(desk: "Page", event: Event) -> None:
    """Let somebody leave who keeps the games, and whose seat waits for a decision; and be back."""
    before, points = seats(event), totals(event)
    go_wrong(desk, 3, "Leaves for good")
    expect(desk.get_by_text("Games played so far count.")).to_be_visible()
    desk.get_by_label("Decide later").check()
    give_reason(desk, "Has left")
    expect(said(desk)).to_have_text("Done Cyan has left. No seat has moved.")
    assert (seats(event), totals(event)) == (before, points)
    desk.goto("/desk/cup/players/3/leaves/")
    expect(desk.get_by_text("Has already left.")).to_be_visible()
    go_wrong(desk, 3, "Is back")
    give_reason(desk, "Is back")
    assert not event.players.filter(withdrawn_at__isnull=False).exists()


def test_games_stay_whose_they_are_through_a_substitute_a_wrong_name_and_a_leave(desk: "Page", event: Event) -> None:
    go_on_from_the_next_hand(desk, event)
    give_two_each_others_games(desk, event)
    let_somebody_leave_between_rounds(desk, event)


# ---------------------------------------------------------------- before the draw


def sign_like_names(page: "Page", event: Event, by: Account) -> None:
    """See names that are alike signed wherever one is chosen, and never merged."""
    add_players(event=event, players=[NewPlayer(name) for name in ("Ana Berg", "Mio Sol", "朝霧 すずめ")], by=by)
    page.goto("/desk/cup/players/")
    page.get_by_label("Display name", exact=True).fill("Berg Ana")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".messages .is-warning")).to_have_text(
        "Warning Berg Ana (4) – Similar: Ana Berg (1). One person twice, or two people? Nothing is merged "
        "automatically."
    )
    assert lines(page, ".people .like") == ["Similar: Berg Ana (4)", "Similar: Ana Berg (1)"]
    page.goto("/desk/cup/check-in/")
    assert lines(page, ".check-row .like") == ["Similar: Berg Ana (4)", "Similar: Ana Berg (1)"]
    assert event.players.count() == 4
    page.goto("/desk/cup/players/4/")
    page.get_by_role("button", name="Take out").click()
    expect(said(page)).to_have_text("Done Berg Ana is taken out.")
    assert lines(page, ".people .like") == []


def take_a_wrong_list_back(page: "Page", event: Event, by: Account) -> None:
    """Take a list that was the wrong one back, after a question."""
    names = event.players.values_list("person__preferred_name", flat=True)
    before = list(names)
    add_players(event=event, players=[NewPlayer(name) for name in ("Akelei", "Birk", "Cyan")], by=by)
    page.goto("/desk/cup/players/")
    page.get_by_role("link", name="Undo import").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Take 3 players out again?")
    page.get_by_role("button", name="Take them out").click()
    expect(said(page)).to_have_text("Done The players who were added last are taken out.")
    assert list(names.all()) == before


def say_who_would_be_left_over(page: "Page", event: Event, by: Account) -> None:
    """See that players fill no tables before there is a draw."""
    add_players(event=event, players=[NewPlayer(name) for name in "ABC"], by=by)
    page.goto("/desk/cup/players/")
    expect(page.locator("main .note.is-warning").last).to_contain_text("2 would be left over. Add 2, or take 2 out")
    page.goto("/desk/cup/seating/")
    expect(page.get_by_role("button", name="Draw the seats")).to_have_count(0)
    assert not event.rounds.exists()


def give_a_penalty_before_the_start(page: "Page", event: Event, by: Account) -> None:
    """Give a penalty that breaks no draw and counts in a draw by standing."""
    add_players(event=event, players=[NewPlayer(name) for name in "DE"], by=by)
    give_penalty(
        player=event.players.get(number=1), round_=None, points=90_000, reason="obstruction", client_id=uuid4(), by=by
    )
    page.goto("/desk/cup/seating/")
    page.get_by_label("Seed", exact=True).fill("7")
    page.get_by_role("button", name="Draw the seats").click()
    expect(page.get_by_text("Seats are drawn from seed 7.")).to_be_visible()
    publish_rounds(event=event, numbers=[1], by=by)
    play_round(event, 1, "1t 3 30", "1t 3 30")
    assert min(totals(event).items(), key=lambda row: row[1])[0] == 1
    page.goto("/desk/cup/seating/next/")
    page.get_by_role("radio", name=re.compile("^By rank")).check()
    page.get_by_role("button", name="Show the round").click()
    page.get_by_role("button", name="Use this round").click()
    expect(page.get_by_text("The round is drawn")).to_be_visible()
    assert [seat for *place, seat in seats(event) if place[:2] == [2, 2] and seat == 1] == [1]


def test_what_goes_wrong_with_a_list_of_players_is_seen_and_mended_before_the_draw(open_tab: OpenTab) -> None:
    by = make_account("Organiser")
    event = create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=1, slug="cup", by=by)
    page = open_tab(by)
    sign_like_names(page, event, by)
    take_a_wrong_list_back(page, event, by)
    say_who_would_be_left_over(page, event, by)
    give_a_penalty_before_the_start(page, event, by)
