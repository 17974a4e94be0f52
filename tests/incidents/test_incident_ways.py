"""Each incident from "Something went wrong" through its pages, and the way back beside "Recent actions"."""

import pytest

from tests.factories import DAY, enter_all, make_account, play_round, table_of, void
from tests.fixtures import module_event
from tests.pages.at_desk import client_of, organiser
from tests.pages.walker import Walker, words
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players
from tournament.standings.queries import read_standings
from tournament.tables.models import Seat
from tournament.tables.queries import load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]
BACK = "Check and take back"

made = module_event(slug="cup", tables=2, rounds=2)


@pytest.fixture
def desk(event: Event) -> Walker:
    return Walker(organiser(event), "/desk/cup/mishaps/")


def go_wrong(desk: Walker, number: int, what: str) -> None:
    """Look at a player and follow what can have happened."""
    desk.open(f"/desk/cup/mishaps/?player={number}")
    desk.follow("", beside=what)


def take_back(desk: Walker, what: str) -> None:
    desk.open("/desk/cup/mishaps/")
    desk.follow(BACK, beside=what)


def seats(event: Event) -> list[tuple[int, ...]]:
    rows = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    return list(rows.values_list("round__number", "table__number", "seat", "player__number"))


def scores(event: Event) -> list[int]:
    return list(load_tables(event, rounds=[1])[0].state.scores)


def totals(event: Event) -> dict[int, int]:
    return {row.number: row.total for row in read_standings(event, released_only=False).rows}


def replaced(event: Event) -> list[list[str]]:
    return [[each.when for each in table.substitutes] for table in load_tables(event)]


def test_who_did_not_come_is_replaced_and_comes_after_all(desk: Walker, event: Event):
    before = seats(event)
    go_wrong(desk, 3, "Did not come")
    desk.press("Show what it changes")
    assert "−30,000" in next(words(row) for row in desk.page.select(".substitute-effect tr") if "Cyan" in words(row))
    desk.press("Put the substitute in")
    assert (desk.said, seats(event)) == ("Done Cyan is replaced.", before)
    go_wrong(desk, 3, "Came after all")
    desk.follow("Take out")
    desk.press("Take the substitute out", reason="came with the second train")
    assert (desk.said, replaced(event)) == ("Done The game counts as Cyan’s own again.", [[]] * 4)


def test_who_cannot_finish_is_replaced_from_the_next_hand_and_the_way_back_leads_to_it(desk: Walker, event: Event):
    enter_all(table_of(event), "1t 3 30", "1t 3 30")
    go_wrong(desk, 2, "Cannot finish this game")
    desk.press("Show what it changes")
    desk.press("Put the substitute in")
    assert replaced(event) == [["during"], [], [], []]
    take_back(desk, "put a substitute in for player 2")
    desk.follow("Take out")
    desk.press("Take the substitute out", reason="he can")
    assert replaced(event) == [[]] * 4


def test_who_leaves_is_replaced_in_this_game_and_the_next_and_is_back_for_the_next(desk: Walker, event: Event):
    enter_all(table_of(event), "1t 3 30")
    before = seats(event)
    go_wrong(desk, 3, "Leaves for good")
    desk.press("Has left", name="Ida Reserve", reason="ill")
    assert desk.said == "Done Cyan has left. No seat has moved."
    assert (replaced(event), seats(event)) == ([["during"], [], ["before"], []], before)
    take_back(desk, "noted that player 3 has left")
    assert "These games have begun and stay with the substitute" in words(desk.page)
    desk.press("Is back", reason="feels better")
    assert (desk.said, replaced(event), seats(event)) == ("Done Cyan is back.", [["during"], [], [], []], before)


def test_two_who_played_under_each_others_name_get_their_own_games_and_back(desk: Walker, event: Event):
    play_round(event, 1, "1t 3 30", "1r3 5")
    before = totals(event)
    go_wrong(desk, 2, "Somebody else played under this name")
    desk.press("Show what would change", other="7", round=["1"])
    desk.press("Give each the other’s games", reason="both answer to Ana")
    assert totals(event) == before | {2: before[7], 7: before[2]}
    take_back(desk, "gave players 2 and 7 each other's games")
    desk.press("Give each the other’s games", reason="it was right")
    assert totals(event) == before


def test_two_at_one_table_change_names_and_back(desk: Walker, event: Event):
    enter_all(table_of(event), "1t 3 30", "2r3 2 40")
    before, points = seats(event), scores(event)
    go_wrong(desk, 1, "Sits in a wrong seat")
    desk.press("Show the effect", seat=["0", "2"], hands="follow")
    desk.press("Change the seats", reason="seen at the table")
    assert seats(event)[:3] == [(1, 1, 0, 3), (1, 1, 1, 2), (1, 1, 2, 1)]
    assert scores(event) != points
    take_back(desk, "changed the seats of players 1 and 3")
    desk.press("Change the seats", reason="they sat right")
    assert (seats(event), scores(event)) == (before, points)


def test_a_hand_that_was_made_void_by_mistake_is_brought_back(desk: Walker, event: Event):
    table = table_of(event)
    enter_all(table, "1t 3 30", "2r3 2 40")
    points = scores(event)
    void(table, 2)
    desk.open("/desk/cup/rounds/1/tables/1/")
    desk.follow("Bring back")
    desk.press("Bring back", reason="it was played")
    assert scores(event) == points


@pytest.mark.usefixtures("others_aside")
def test_a_list_that_was_the_wrong_one_is_taken_back():
    by = make_account("Organiser")
    event = create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=1, slug="cup", by=by)
    add_players(event=event, players=[NewPlayer("Ana Berg")], by=by)
    add_players(event=event, players=[NewPlayer(name) for name in ("Akelei", "Birk")], by=by)
    desk = Walker(client_of(by), "/desk/cup/players/")
    desk.follow("Undo import")
    desk.press("Take them out")
    assert desk.said == "Done The players who were added last are taken out."
    assert [player.person.preferred_name for player in event.players.all()] == ["Ana Berg"]
