"""What everybody sees: each page's words and numbers, and its constant number of queries."""

import datetime as dt
import re
import uuid

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.entries import Correction
from tests.factories import (
    enter,
    enter_all,
    make_account,
    make_event,
    play_round,
    round_of,
    seat_in_turn,
    sign,
    table_of,
    writer_of,
)
from tests.pages.html_reader import text, texts
from tests.seasons.evenings import count_in_season
from tournament.accounts.actions import invite, use_link
from tournament.accounts.models import Role
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.penalties.actions import cancel_penalty, give_penalty
from tournament.players.actions import NewPlayer, add_players
from tournament.rounds.actions import publish_rounds, release_round, start_round
from tournament.rulesets.actions import change_rules

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

HANDS = ("2r3 340/2", "1t 230", "d13/1", "c2")


def penalise(event: Event, number: int, points: int, *, round_: int | None = None, reason: str = "late") -> None:
    give_penalty(
        player=event.players.get(number=number),
        points=points,
        reason=reason,
        client_id=uuid.uuid4(),
        round_=round_of(event, round_) if round_ else None,
        by=writer_of(event),
    )


def follow(client: Client, event: Event, number: int) -> None:
    client.get(f"/e/{event.slug}/?me={number}")


# ---------------------------------------------------------------- queries


@pytest.mark.once
@pytest.mark.parametrize("tables", [1, 3])
def test_a_page_asks_the_same_number_of_questions_whatever_the_size(client: Client, tables: int):
    pages = {
        "": 29,
        "?pick": 21,
        "standings/": 15,
        "players/1/": 28,
        "rounds/": 3,
        "rounds/1/": 11,
        "rounds/2/": 10,
        "rounds/1/tables/1/": 6,
        "display/": 30,
    }
    event = make_event(tables=tables, rounds=3)
    play_round(event, 1, *HANDS)
    for number in range(1, tables + 2):
        penalise(event, number, 1000, round_=1)
    start_round(round_=round_of(event, 2), by=writer_of(event))
    found = {}
    for page in pages:
        cache.clear()
        follow(client, event, 1)
        with CaptureQueriesContext(connection) as asked:
            client.get(f"/e/{event.slug}/{page}")
        found[page] = len(asked)
    assert found == pages


@pytest.mark.parametrize("events", [1, 3])
def test_the_list_of_events_asks_four_questions(client: Client, django_assert_num_queries, events: int):
    """Events with what counts in a season, free places, seasons, and who has a page."""
    for _ in range(events):
        make_event()
    with django_assert_num_queries(4):
        client.get("/")


# ---------------------------------------------------------------- events


def test_no_event_says_so(client: Client):
    page = client.get("/")
    assert text(page, ".empty") == "No event yet Events are listed here as soon as the organiser has made one."


def test_where_all_events_are_over_and_in_a_season_the_list_says_that_none_is_played(client: Client):
    event = make_event(slug="over", tables=1, rounds=1)
    play_round(event, 1, "1t 230")
    count_in_season(event)
    page = client.get("/")
    assert texts(page, ".empty") == []
    assert texts(page, "h1, h2") == ["Events", "Seasons"]
    assert "No event is being played." in text(page, "main")
    make_event(slug="running", tables=1, rounds=3)
    assert texts(client.get("/"), "h1, h2") == ["Events", "Running", "Seasons"]


def test_the_organiser_of_an_empty_desk_is_shown_the_first_step(client: Client):
    client.force_login(make_account(superuser=True), backend="django.contrib.auth.backends.ModelBackend")
    page = client.get("/")
    assert text(page, ".empty") == (
        "No event yet Create one: a name, a date and a rule set are enough to begin with. New event"
    )


def test_events_say_how_far_they_have_come(client: Client):
    make_event(slug="later", tables=1, published=False)
    between = make_event(slug="between", tables=1, rounds=2)
    play_round(between, 1, "1t 230")
    running = make_event(slug="running", tables=1, rounds=3)
    play_round(running, 1, "1t 230")
    start_round(round_=round_of(running, 2), by=writer_of(running))
    over = make_event(slug="over", tables=1, rounds=1)
    play_round(over, 1, "1t 230")
    page = client.get("/")
    assert texts(page, ".card") == [
        "12 Sept. 2026 Between After round 1 of 2 Rules: EMA 2025 · 4 players · 2 rounds",
        "12 Sept. 2026 Running Round 2 of 3 Rules: EMA 2025 · 4 players · 3 rounds",
        "12 Sept. 2026 Later Not begun Rules: EMA 2025 · 4 players · 2 rounds",
        "12 Sept. 2026 Over Finished Rules: EMA 2025 · 4 players · 1 round",
    ]
    assert texts(page, "h2") == ["Between", "Running", "Later", "Finished", "Over"]


@pytest.mark.parametrize(
    ("language", "shown"), [("fr", "14 juil. 2026"), ("de", "14 Juli 2026"), ("ja", "14 7月 2026")]
)
def test_the_month_of_an_event_is_written_as_its_language_does(client: Client, language: str, shown: str):
    Event.objects.filter(pk=make_event().pk).update(date=dt.date(2026, 7, 14))
    assert text(client.get("/", headers={"accept-language": language}), ".event-day") == shown


def test_a_referee_finds_the_own_desk_and_no_other(client: Client):
    mine, _other = make_event(slug="mine"), make_event(slug="other")
    account = use_link(token=invite(event=mine, role=Role.REFEREE, name="Rita", by=writer_of(mine)))
    client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get("/")
    cards = re.findall(r'<li class="card event-card">.*?</li>', page.content.decode(), re.DOTALL)
    assert sorted(re.findall(r'<a[^>]*href="([^"]+)"', card) for card in cards) == [
        ["/desk/mine/", "/e/mine/"],
        ["/e/other/"],
    ]
    assert "New event" not in text(page, "main")


# ---------------------------------------------------------------- the phone page


def test_a_stranger_is_asked_who_they_are(client: Client):
    event = make_event(tables=1, rounds=1)
    page = client.get(f"/e/{event.slug}/")
    assert texts(page, "h1") == ["Round 1 of 1"]
    assert texts(page, ".pick-names") == ["Akelei 1 Birk 2 Cyan 3 Distel 4"]


def test_a_spectator_sees_leaders_schedule_and_where_all_is(client: Client):
    event = make_event(tables=1, rounds=3)
    assert texts(client.get(f"/e/{event.slug}/"), ".who") == []
    play_round(event, 1, "2r3 340/2")
    start_round(round_=round_of(event, 2), by=writer_of(event))
    page = client.get(f"/e/{event.slug}/")
    assert texts(page, "h1") == ["Round 2 of 3"]
    assert texts(page, ".who") == ["Birk", "Akelei", "Distel", "Cyan"]
    assert texts(page, ".schedule") == ["Round 1 Results Round 2 Playing Round 3 Seating published"]
    assert (texts(page, ".podium"), texts(page, ".live-tables")) == ([], [])
    assert texts(client.get(f"/e/{event.slug}/?pick"), ".schedule") == []


def test_a_podium_stands_where_the_last_results_are_public_and_not_before(client: Client):
    event = make_event(tables=1, rounds=1)
    play_round(event, 1, "2r3 340/2")
    page = client.get(f"/e/{event.slug}/")
    assert texts(page, ".podium") == ["1st Birk 1-0-0-0 +20.2 =2nd Akelei 0-1-0-0 0.0 =2nd Distel 0-1-0-0 0.0"]
    Event.objects.filter(pk=event.pk).update(hold="last", shown_through=0)
    cache.clear()
    held = client.get(f"/e/{event.slug}/")
    assert (texts(held, ".podium"), "+20.2" in held.content.decode()) == ([], False)


def test_after_the_last_results_the_page_has_podium_recap_and_the_next_event_and_lists_no_names(client: Client):
    event = make_event(tables=1, rounds=1)
    page = client.get(f"/e/{event.slug}/")
    assert (len(texts(page, ".schedule")), "Next event" in texts(page, "h2")) == (1, False)
    assert len(texts(page, ".pick-names")) == 1
    play_round(event, 1, "2r3 340/2")
    later = timezone.localdate() + dt.timedelta(days=40)
    for name, date in (("Hidden Cup", later), ("Winter Cup", later + dt.timedelta(days=1))):
        create_event(name=name, date=date, rules_key="ema-2025", rounds=2, slug=name[:6].lower(), by=make_account())
    Event.objects.filter(name="Hidden Cup").update(visibility="draft")
    page = client.get(f"/e/{event.slug}/")
    assert texts(page, "h1") == ["Final result"]
    assert texts(page, ".button")[:2] == ["Recap", "Final standings"]
    assert [texts(page, each) for each in (".schedule", ".day", ".pick-names")] == [[], [], []]
    assert text(client.get(f"/e/{event.slug}/?q=cy"), ".pick-names") == "Cyan 3"
    assert re.search(r'<h2>Next event</h2><p><a href="/e/winter/"><b>Winter Cup', page.content.decode())
    tag = page["ETag"]
    Event.objects.filter(slug="winter").update(name="Snow Cup")
    again = client.get(f"/e/{event.slug}/", headers={"If-None-Match": tag})
    assert (again.status_code, "Snow Cup" in again.content.decode()) == (200, True)


def test_before_any_round_has_seats_or_a_time_there_is_no_list_of_rounds(client: Client):
    event = make_event(tables=1, rounds=2, published=False)
    page = client.get(f"/e/{event.slug}/")
    assert [texts(page, each) for each in (".schedule", ".day")] == [[], []]
    assert f"Rules: {event.ruleset.title}" in text(page, "main")


def test_names_are_listed_below_the_tables_of_a_round_until_its_results_are_out(client: Client):
    event = make_event(tables=1, rounds=1)
    assert texts(client.get(f"/e/{event.slug}/rounds/1/"), "h2") == ["Table 1", "By name"]
    play_round(event, 1, "2r3 340/2")
    page = client.get(f"/e/{event.slug}/rounds/1/")
    assert (texts(page, "h2"), "By name" in text(page, "main")) == (["Table 1"], False)


def test_live_tables_stand_on_the_event_page_where_all_may_see_them(client: Client):
    event = make_event(tables=3, rounds=1)
    for number in (3, 2, 1):
        enter_all(table_of(event, number), "1t 230")
    sign(table_of(event, 1))
    Event.objects.filter(pk=event.pk).update(live_tables="hands", live_others="own")
    assert texts(client.get(f"/e/{event.slug}/"), ".live-tables") == []
    Event.objects.filter(pk=event.pk).update(live_others="all")
    cache.clear()
    [tables] = texts(client.get(f"/e/{event.slug}/"), ".live-tables")
    assert tables == (
        "Table 1 finished Akelei 33,000 Birk 29,000 Cyan 29,000 Distel 29,000 "
        "Table 2 East 1 Efeu 33,000 Farn 29,000 Ginster 29,000 Hasel 29,000 "
        "Table 3 East 1 Iris 33,000 Jasmin 29,000 Kresse 29,000 Lavendel 29,000"
    )
    Event.objects.filter(pk=event.pk).update(hold="last", shown_through=0)
    cache.clear()
    assert texts(client.get(f"/e/{event.slug}/"), ".live-tables") == []


def test_a_round_shows_the_scores_of_its_live_tables_and_the_hands_that_they_play(client: Client):
    event = make_event(tables=3, rounds=1)
    for number in (1, 2):
        enter_all(table_of(event, number), "1t 230")
    sign(table_of(event, 1))
    Event.objects.filter(pk=event.pk).update(live_tables="hands", live_others="all")
    tables = texts(client.get(f"/e/{event.slug}/rounds/1/"), ".sitting")
    assert tables[0].startswith("Table 1 finished EEast Akelei 33,000 · 1st +18.0 "), tables
    assert tables[1:] == [
        "Table 2 East 1 EEast Efeu 33,000 SSouth Farn 29,000 WWest Ginster 29,000 NNorth Hasel 29,000",
        "Table 3 EEast Iris SSouth Jasmin WWest Kresse NNorth Lavendel",
    ]
    Event.objects.filter(pk=event.pk).update(live_others="own")
    cache.clear()
    assert "33,000" not in "".join(texts(client.get(f"/e/{event.slug}/rounds/1/"), ".sitting"))


def test_names_stand_in_the_order_of_the_alphabet_whatever_their_accents(client: Client):
    event = create_event(
        name="Cup", date=make_event().date, rules_key="ema-2025", rounds=1, slug="cup", by=make_account()
    )
    names = ["Zoë", "Óscar", "łucja", "佐々木", "Ada"]
    add_players(event=event, players=[NewPlayer(name) for name in names], by=writer_of(event))
    page = client.get("/e/cup/")
    assert text(page, ".pick-names") == "Ada 5 łucja 3 Óscar 2 Zoë 1 佐々木 4"


def test_without_scripts_the_server_finds_names(client: Client):
    event = make_event(tables=6)
    assert text(client.get(f"/e/{event.slug}/?q=RÖS"), ".pick-names") == "Rose 18"
    nobody = client.get(f"/e/{event.slug}/?q=nobody")
    assert text(nobody, ".pick-names") == ""
    assert "data-pick-none hidden" not in nobody.content.decode()


def test_an_event_without_players_says_so(client: Client):
    create_event(name="Cup", date=make_event().date, rules_key="ema-2025", rounds=2, slug="cup", by=make_account())
    page = client.get("/e/cup/")
    assert texts(page, "h1") == ["Cup"]
    assert "Seats are not published yet" in texts(page, ".lead")
    assert "Choose your name" not in texts(page, "a")
    assert text(page, ".empty") == "No players yet Names appear here when the organiser has entered them."


def test_seats_that_are_not_published_are_not_shown(client: Client):
    event = make_event(published=False)
    follow(client, event, 1)
    page = client.get(f"/e/{event.slug}/")
    assert texts(page, "h1") == ["Round 1"]
    assert texts(page, ".compass") == []
    assert text(page, ".lead") == (
        "The seats of this round are not published yet. Your table appears here as soon as they are."
    )


def test_the_next_table_is_seen_from_the_own_seat(client: Client):
    event = make_event(tables=2, rounds=2)
    follow(client, event, 6)
    page = client.get(f"/e/{event.slug}/")
    assert text(page, ".compass-mid") == "Table 2"
    assert texts(page, ".is-bottom") == ["South Farn you"]
    assert texts(page, ".is-right") == ["West Ginster"]
    assert texts(page, ".is-top") == ["North Hasel"]
    assert texts(page, ".is-left") == ["East Efeu"]
    assert texts(page, ".later") == ["R2 Table 2 East"]
    assert text(page, ".round-clock") == "Not started yet 75 minutes, then 1 more hand"


def test_three_players_leave_one_side_free(client: Client):
    event = make_event("sanmatsuri-2026", tables=1, rounds=1)
    follow(client, event, 3)
    page = client.get(f"/e/{event.slug}/")
    assert texts(page, ".compass-seat") == ["East Akelei", "South Birk", "West Cyan you"]
    assert texts(page, ".is-right") == []


def test_the_clock_runs_once_the_round_has_started(client: Client):
    event = make_event(tables=1, rounds=1)
    start_round(round_=round_of(event), by=writer_of(event))
    follow(client, event, 1)
    page = client.get(f"/e/{event.slug}/")
    started = round_of(event).started_at
    assert started is not None
    ends = int(started.timestamp() * 1000) + 75 * 60_000
    assert f'data-ends-at="{ends}"' in page.content.decode()


def test_a_round_without_limit_says_since_when_it_is_played(client: Client):
    event = make_event(tables=1, rounds=1)
    change_rules(event=event, values={"minutes": 0}, reason="no limit", by=writer_of(event))
    start_round(round_=round_of(event), by=writer_of(event))
    page = client.get(f"/e/{event.slug}/")
    assert text(page, ".round-clock")[:14] == "Playing since "
    assert text(page, ".round-clock")[-13:] == "no time limit"


def test_games_show_points_place_and_uma(client: Client):
    event = make_event(tables=1, rounds=2)
    play_round(event, 1, "2r3 340/2")
    penalise(event, 2, 10000, round_=1, reason="Late")
    penalise(event, 2, 3000, round_=2, reason="Not released yet")
    follow(client, event, 2)
    page = client.get(f"/e/{event.slug}/")
    assert texts(page, ".games")[-1:] == ["R1 Table 1 · 1st +20.2 35,200 points, uma +15.0 R1 Penalty −10.0 Late"]


def test_the_standings_near_me_are_five_rows_at_either_end(client: Client):
    event = make_event(tables=3, rounds=2)
    for table in round_of(event).tables.select_related("round__event"):
        enter(table, Correction(deltas=(4000 * table.number, 500, -500, -4000 * table.number), reason="so it was"))
        sign(table)
    release_round(round_=round_of(event), by=writer_of(event))
    places = {row: texts(client.get(f"/e/{event.slug}/standings/"), ".who")[row - 1].split()[0] for row in (1, 6, 12)}
    assert (places[1], places[12]) == ("Iris", "Lavendel")
    near = {}
    for row, name in places.items():
        follow(client, event, event.players.get(person__preferred_name=name).number)
        near[row] = texts(client.get(f"/e/{event.slug}/"), ".place")
    assert near == {
        1: ["1", "2", "3", "=4", "=4"],
        6: ["=4", "=4", "=4", "=7", "=7"],
        12: ["=7", "=7", "10", "11", "12"],
    }


def test_a_finished_event_tells_the_place(client: Client):
    event = make_event(tables=1, rounds=1)
    play_round(event, 1, "2r3 340/2")
    follow(client, event, 2)
    page = client.get(f"/e/{event.slug}/")
    assert texts(page, "h1") == ["The event is over"]
    assert text(page, ".my-place").startswith("My final place 1 ")


def test_who_has_no_seat_is_told_so(client: Client):
    event = make_event(tables=1, rounds=1, published=False)
    event.rounds.all().delete()
    add_players(event=event, players=[NewPlayer("Zusatz")], by=writer_of(event))
    seat_in_turn(event, list(event.players.filter(number__lt=5)), rounds=1, by=writer_of(event))
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    follow(client, event, 5)
    page = client.get(f"/e/{event.slug}/")
    assert texts(page, ".note") == ["Note You have no seat in round 1."]
    assert texts(page, ".compass") == []


def test_who_has_withdrawn_is_told_so(client: Client):
    event = make_event(tables=1, rounds=1)
    play_round(event, 1, "2r3 340/2")
    event.players.filter(number=1).update(withdrawn_at=event.created_at)
    follow(client, event, 1)
    assert texts(client.get(f"/e/{event.slug}/"), ".note") == ["Note Akelei has withdrawn from this event."]
    assert texts(client.get(f"/e/{event.slug}/standings/"), ".is-out") != []


# ---------------------------------------------------------------- standings, players


def test_standings_wait_for_the_first_release(client: Client):
    event = make_event(tables=1)
    enter_all(table_of(event), "1t 230")
    sign(table_of(event))
    page = client.get(f"/e/{event.slug}/standings/")
    assert text(page, ".empty") == (
        "No round is released yet 4 players are waiting. Results appear here when a whole round is in and checked."
    )


def test_standings_show_rounds_moves_penalties_and_shared_places(client: Client):
    event = make_event(tables=1, rounds=3)
    play_round(event, 1, "2r3 340/2")
    play_round(event, 2, "1t 230")
    penalise(event, 2, 20000, round_=2)
    follow(client, event, 2)
    page = client.get(f"/e/{event.slug}/standings/")
    assert text(page, ".title") == (
        "Standings After round 2 of 3 My place In thousands of points, uma and penalties included. "
        "Equal totals share a place and are listed by first places, then by best round. ↑: points to the next place."
    )
    head, *rows = texts(page, "tr")
    assert head == "Place Change Player Total To next To 1st Placements Penalties R1 R2"
    assert rows == [
        "1 =same place Birk you +18.2 2-0-0-0 −20.0 +20.2 +18.0",
        "=2 =same place Akelei −6.0 To next 24.2 To 1st 24.2 0-2-0-0 0.0 −6.0",
        "=2 =same place Distel −6.0 To next 24.2 To 1st 24.2 0-2-0-0 0.0 −6.0",
        "4 =same place Cyan −26.2 To next 20.2 To 1st 44.4 0-1-0-1 −20.2 −6.0",
    ]
    assert texts(page, "#me") == [rows[0]]


def test_standings_stay_as_they_were_after_each_round_that_is_shown(client: Client):
    event = make_event(tables=1, rounds=3)
    play_round(event, 1, "2r3 340/2")
    play_round(event, 2, "1t 230")
    penalise(event, 2, 20000, round_=2)
    page = client.get(f"/e/{event.slug}/standings/1/")
    assert texts(page, ".filters") == ["Round 1Round 2"]
    assert text(page, ".title").startswith("Standings After round 1 of 3")
    assert texts(page, "tr")[1] == "1 Birk +20.2 1-0-0-0 +20.2"
    assert texts(client.get(f"/e/{event.slug}/standings/2/"), "tr") == texts(
        client.get(f"/e/{event.slug}/standings/"), "tr"
    )
    assert client.get(f"/e/{event.slug}/standings/3/").status_code == 404
    Event.objects.filter(pk=event.pk).update(hold="last", rounds_planned=2)
    Event.objects.get(pk=event.pk).rounds.filter(number=3).delete()
    cache.clear()
    assert client.get(f"/e/{event.slug}/standings/2/").status_code == 404
    assert texts(client.get(f"/e/{event.slug}/standings/1/"), ".filters") == []


def test_long_standings_come_in_parts_and_lose_nobody(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tournament.public.views.AT_ONCE", 5)
    monkeypatch.setattr("tournament.public.views.ORPHANS", 1)
    event = make_event(tables=4, rounds=2)
    play_round(event, 1, "2r3 340/2", "1t 230")
    address = f"/e/{event.slug}/standings/"

    def listed(query: str = "") -> list[str]:
        return re.findall(r'class="who">\s*<a href="[^"]*">([^<]*)', client.get(address + query).content.decode())

    everybody = listed("?all")
    assert sorted(everybody) == sorted(event.players.values_list("person__preferred_name", flat=True))
    parts = [listed(query) for query in ("", "?page=2", "?page=3")]
    assert [*parts[0], *parts[1], *parts[2]] == everybody
    assert [len(part) for part in parts] == [5, 5, 6]
    assert [listed("?page=x"), listed("?page=99")] == [parts[0], parts[2]]
    assert [listed(f"?q={name}") for name in everybody] == [[name] for name in everybody]
    assert text(client.get(f"{address}?q=nobody"), "main").count("No such name.") == 1
    for name in everybody:
        follow(client, event, event.players.get(person__preferred_name=name).number)
        page = client.get(address)
        assert [f"{name} you" in row for row in texts(page, "#me")] == [True]
        link = re.search(r'href="(\?page=\d)?#me"', page.content.decode())
        assert link is not None
        assert [name in parts[0], name in listed(link[1] or "")] == [link[1] is None, True]
        assert len(texts(page, ".who")) == (5 if link[1] is None else 10)


def test_a_players_page_leads_to_every_released_table(client: Client):
    event = make_event(tables=1, rounds=3)
    play_round(event, 1, "2r3 340/2")
    penalise(event, 2, 10000, round_=1, reason="Late")
    penalise(event, 2, 5000, round_=1, reason="In error")
    cancel_penalty(penalty=event.penalties.get(reason="In error"), reason="not so", by=writer_of(event))
    page = client.get(f"/e/{event.slug}/players/2/")
    assert texts(page, "h1") == ["Birk"]
    assert text(page, ".cards-row").startswith("Result 1st of 4 +10.2 ")
    assert text(page, "#cards-title") == "Recap After round 1 of 3"
    assert text(page, ".games") == "R1 Table 1 · 1st +20.2 35,200 points, uma +15.0 R1 Penalty −10.0 Late"
    assert f'href="/e/{event.slug}/rounds/1/tables/1/"' in page.content.decode()
    assert text(page, ".seats-ahead") == (
        "Round 2 Table 1 East with Cyan Distel Akelei Round 3 Table 1 North with Cyan Distel Akelei"
    )
