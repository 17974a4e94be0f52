"""What phones and the wall show of an open evening: tables, who waits, the season, and never that it is over."""

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import fresh, name_of, writer_of
from tests.open_play.evening import count_together, finish, make_evening, players_of, sit_down
from tests.pages.html_reader import texts
from tests.sign_ups import event_with
from tournament.events.actions import set_play, set_visibility
from tournament.events.models import Event, Visibility
from tournament.pages.files import get_head
from tournament.paper.choices import SHEETS, PrintRequest
from tournament.paper.sheets import certificates_leaves, standings_leaves
from tournament.players.actions import check_in
from tournament.seasons.models import Season
from tournament.standings.queries import get_rank_history, get_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return make_evening(9, here=8)


def read(address, client=None):
    return " ".join((client or Client()).get(address, follow=True).content.decode().split())


def test_a_phone_says_table_and_wind_or_whose_turn_it_is(event):
    sit_down(event, 5, 6, 7, 8, at=4)
    client = Client()
    page = read("/e/tuesday/?me=6", client)
    assert "You play" in page
    assert '<span class="huge">4</span>' in page
    for number, words in ((3, "You wait, 3rd"), (9, "You are not checked in")):
        assert words in read(f"/e/tuesday/?me={number}", Client())
    assert "Seats are not published" not in read("/e/tuesday/")


def test_who_has_not_played_sees_no_head_of_an_empty_table(event):
    finish(sit_down(event, 1, 2, 3, 4))
    assert "All 4 places" in read("/e/tuesday/?me=6")
    assert "standings-box" not in read("/e/tuesday/?me=6")
    assert "standings-box" in read("/e/tuesday/?me=1")


def test_the_line_of_places_is_of_those_who_have_played(event):
    finish(sit_down(event, 1, 2, 3, 4))
    finish(sit_down(event, 5, 6, 7, 8))
    rows = {row.number: row for row in get_standings(event).rows}
    histories = {number: get_rank_history(event, number) for number in range(1, 10)}
    assert histories.pop(9) is None
    for number, history in histories.items():
        assert history.players == 8
        assert history.steps[-1].rank == rows[number].rank
        assert rows[number].moved == (history.steps[0].rank - rows[number].rank if number <= 4 else None)
    assert [histories[number].steps[0].rank for number in range(1, 9)] == [1, 2, 3, 4, 5, 5, 5, 5]


def test_a_wait_is_numbered_once_in_every_language(event):
    for language, words in (("de", "Sie warten, Platz 3"), ("fr", "Vous attendez, 3e"), ("ja", "待ち順 3位")):
        client = Client(headers={"accept-language": language})
        assert words in read("/e/tuesday/?me=3", client)


def test_several_followed_players_each_show_their_table(event):
    sit_down(event, 1, 2, 3, 4, at=2)
    sit_down(event, 5, 6, 7, 8, at=9)
    client = Client()
    for number in (1, 6):
        page = read(f"/e/tuesday/?me={number}", client)
    assert "Table 2" in page
    assert "Table 9" in page
    finish(event.rounds.get(number=1).tables.get())
    assert texts(client.get("/e/tuesday/?me=6", follow=True), ".followed a")[1].startswith(f"{name_of(0)} 1st +25.0")
    assert texts(client.get("/e/tuesday/?me=1", follow=True), ".my-place") == ["My place 1 +25.0 After 1 table"]


def test_a_phone_hears_of_who_comes_and_leaves(event):
    address = "/e/tuesday/version/?me=3"
    before = Client().get(address).headers["ETag"]
    check_in(player=players_of(event, 9)[0], here=True, by=writer_of(event))
    assert Client().get(address).headers["ETag"] != before


def test_the_wall_shows_tables_who_waits_and_the_season(event):
    before = make_evening(9, slug="monday")
    finish(sit_down(before, 1, 2, 3, 4))
    count_together(before, event)
    sit_down(event, 1, 2, 3, 4, at=12)
    finish(sit_down(event, 5, 6, 7, 8))
    sit_down(event, 5, 6, 7, 8)
    page = read("/e/tuesday/display/")
    assert 'aria-label="Tables tonight"' in page
    assert "</span>12</h3>" in page
    assert 'aria-label="Tuesdays"' in page
    assert 'aria-label="Waiting"' not in page
    check_in(player=players_of(event, 9)[0], here=True, by=writer_of(event))
    page = read("/e/tuesday/display/")
    assert 'aria-label="Waiting"' in page
    assert name_of(8) in page


def test_a_season_names_no_winner_of_an_evening_before_its_day_is_past(event):
    season = count_together(event)
    Season.objects.update(visibility=Visibility.PUBLIC)
    finish(sit_down(event, 1, 2, 3, 4))
    for days, winners in ((0, []), (1, [name_of(0)])):
        Event.objects.filter(pk=event.pk).update(date=timezone.localdate() - dt.timedelta(days=days))
        page = Client().get(f"/s/{season.slug}/")
        assert texts(page, ".season-events li > span:has(.icon)") == winners


def test_results_stay_open_between_two_tables(event):
    finish(sit_down(event, 1, 2, 3, 4))
    finish(sit_down(event, 5, 6, 7, 8))
    page = read("/e/tuesday/standings/")
    assert "After 2 tables" in page
    assert "Final" not in page
    assert "The event is over" not in read("/e/tuesday/?me=1")
    assert '"prizes"' in read("/api/v1/events/tuesday/prizes")


@pytest.mark.parametrize(
    "page",
    ["rounds/", "rounds/2/", "rounds/1/tables/7/", "players/1/", "clock/", "recap/", "teams/", "display/tables/"],
)
def test_no_public_page_breaks_with_tables_that_end_in_another_order(event, page):
    sit_down(event, 1, 2, 3, 4, at=7)
    finish(sit_down(event, 5, 6, 7, 8))
    finish_first = event.rounds.get(number=1).tables.select_related("round__event").get()
    finish(finish_first)
    sit_down(event, 1, 5, 2, 6)
    assert Client().get(f"/e/tuesday/{page}").status_code in (200, 302)


@pytest.mark.parametrize(
    "page",
    [
        "", "?round=1", "jump/?table=7", "palette/", "players/", "players/1/", "calls/", "penalties/", "paper/",
        "results/", "print/report-sheets.pdf",
        "settings/", "settings/stream/", "settings/publication/", "mishaps/", "substitutes/", "wall/", "check-in/",
        "seating/", "seating/next/", "settings/trail/", "rounds/1/tables/7/", "rounds/1/clock/",
        "export/event.json", "export/results.xlsx", "settings/timetable/", "settings/rota/",
    ],
)  # fmt: skip
def test_no_page_of_the_desk_breaks_with_many_rounds_at_once(event, page, client):
    sit_down(event, 1, 2, 3, 4, at=7)
    finish(sit_down(event, 5, 6, 7, 8))
    client.force_login(writer_of(fresh(event)))
    answer = client.get(f"/desk/tuesday/{page}")
    assert answer.status_code in (200, 302)


def test_the_palette_finds_every_table_that_plays(event, client):
    sit_down(event, 1, 2, 3, 4, at=7)
    sit_down(event, 5, 6, 7, 8, at=3)
    client.force_login(writer_of(event))
    found = {item["label"]: item["url"] for item in client.get("/desk/tuesday/palette/").json()["items"]}
    assert found["Table 7"] == "/desk/tuesday/rounds/1/tables/7/"
    assert found["Table 3"] == "/desk/tuesday/rounds/2/tables/3/"
    assert client.get("/desk/tuesday/jump/?table=3").headers["location"] == found["Table 3"]


def test_the_list_of_events_says_how_many_tables_play_and_not_which_round(event):
    set_visibility(event=event, visibility="public", by=writer_of(event))
    Event.objects.update(date=timezone.localdate())
    card = card_of(event)
    assert ("Not begun" in card, "ound" in card) == (True, False)
    first = sit_down(event, 1, 2, 3, 4)
    sit_down(event, 5, 6, 7, 8)
    card = card_of(event)
    assert ("2 tables play" in card, "ound" in card) == (True, False)
    finish(first)
    card = card_of(event)
    assert ("1 table plays" in card, "1 game" in card) == (True, True)
    Event.objects.update(date=timezone.localdate() - dt.timedelta(days=2))
    assert "Finished" in card_of(event)


def card_of(event):
    (card,) = (card for card in texts(Client().get("/"), ".cards > li") if event.name in card)
    return card


def test_the_page_before_an_open_evening_names_no_number_of_rounds():
    event = event_with()
    assert "2 rounds" in read("/e/cup/about/")
    set_play(event=event, play="open", by=writer_of(event))
    page = read("/e/cup/about/")
    assert ("EMA 2025" in page, " round<" in page) == (True, False)


def test_paper_of_an_open_evening_calls_nothing_provisional_and_lists_its_tables_together(event):
    finish(sit_down(event, 1, 2, 3, 4))
    finish(sit_down(event, 1, 2, 3, 4))
    event = fresh(event)
    rows = get_standings(event).rows
    (sheet, *_others) = standings_leaves(get_head(event), rows, 2).portions
    (certificate, *_more) = certificates_leaves(get_head(event), rows, 2, best=3).portions
    assert (sheet["after"], certificate["provisional"]) == ("", None)
    assert [key for key, _kind, _title in sheet["columns"]] == ["rank", "player", "total", "penalties", "games"]
    (results,) = SHEETS["results"].make(PrintRequest(event, get_head(event), 0, "http://127.0.0.1:8000", 3)).portions
    assert [number for number, _lines in results["tables"]] == [1, 2]
