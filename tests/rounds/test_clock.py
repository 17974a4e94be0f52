"""The clock on its pages, in words: the full screen, the controls, minutes for a table, what may still be played."""

import datetime as dt
import json
import uuid
from collections.abc import Iterator
from dataclasses import replace

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from tests.factories import enter, fresh, make_event, play_round, round_of, table_of, writer_of
from tests.pages.at_desk import HTMX, organiser, preview, referee, send, table_url
from tests.pages.html_reader import text, texts
from tournament.core.models import AuditRow
from tournament.events.actions import set_clock_options
from tournament.events.models import Event
from tournament.rounds.actions import give_time, pause_clock, start_round, stop_clock
from tournament.rounds.models import TableTime
from tournament.rounds.views import tile_time
from tournament.tables.round_queries import get_clock, list_tiles

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

START = dt.datetime(2026, 9, 12, 8, 0, tzinfo=dt.UTC)


def minutes_on(minutes: float) -> dt.datetime:
    return START + dt.timedelta(minutes=minutes)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Let the time stand still at the start of round 1."""
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an EMA event of two tables whose first round has just started."""
    with time_machine.travel(START, tick=False):
        event = make_event(slug="cup", tables=2, rounds=2)
        start_round(round_=round_of(event), by=writer_of(event))
        return event


@pytest.fixture
def event(made: Event, clock: time_machine.Traveller) -> Event:
    return fresh(made)


def hour(minutes: float) -> str:
    """Return an hour as pages show it."""
    return timezone.localtime(minutes_on(minutes)).strftime("%H:%M")


def give(client: Client, event: Event, **fields: object) -> object:
    data = {"time_id": str(uuid.uuid4()), "table": "1", "minutes": "5", "reason": "a tile fell", **fields}
    return client.post(f"/desk/{event.slug}/rounds/1/time/", data)


# ---------------------------------------------------------------- the full screen


def test_the_full_screen_says_until_when_what_follows_and_when_it_speaks(client: Client, event: Event):
    page = client.get("/e/cup/clock/")
    assert text(page, "h1") == "Round 1"
    assert text(page, ".wall-time") == f"until {hour(75)}"
    # the second stands there instead of the first once the time is up
    assert texts(page, ".wall-after") == [
        f"until {hour(75)}, then finish the hand and play one more",
        "Finish the hand and play one more",
    ]
    assert texts(page, ".wall-signals") == [
        f"{hour(60)} 15 minutes left {hour(70)} 5 minutes left {hour(75)} Time",
    ]
    ends = int(minutes_on(75).timestamp() * 1000)
    source = page.content.decode()
    assert f'data-ends-at="{ends}"' in source
    assert f'data-server-now="{int(START.timestamp() * 1000)}"' in source
    assert 'data-sound="on"' in source


def test_the_full_screen_lists_the_tables_that_play_longer(client: Client, event: Event):
    for table, minutes in ((2, 5), (2, 2), (1, 3)):
        give_time(
            table=table_of(event, table), minutes=minutes, reason="x", client_id=uuid.uuid4(), by=writer_of(event)
        )
    page = client.get("/e/cup/clock/")
    assert text(page, ".wall-tables") == f"Table 1 +3 min until {hour(78)}Table 2 +7 min until {hour(82)}".replace(
        "Table 2", " Table 2"
    )


def test_a_clock_that_stands_still_says_so(client: Client, event: Event, clock: time_machine.Traveller):
    clock.move_to(minutes_on(20))
    pause_clock(round_=round_of(event), reason="fire alarm", by=writer_of(event))
    clock.move_to(minutes_on(45))
    page = client.get("/e/cup/clock/")
    assert text(page, ".wall-time") == "55:00"
    assert text(page, ".wall-after") == f"Paused since {hour(20)}"
    assert "fire alarm" not in page.content.decode()
    assert text(client.get("/e/cup/rounds/1/"), ".round-clock") == "Paused 55:00 left when it goes on"


@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize(
    ("path", "words"),
    [("/e/cup/clock/", ["Round 1", "75:00", "Not started yet: 75 minutes, then finish the hand and play one more"])],
)
def test_before_the_start_it_says_how_long(client: Client, path: str, words: list[str]):
    make_event(slug="cup", tables=1)
    page = client.get(path)
    assert [text(page, "h1"), text(page, ".wall-time"), text(page, ".wall-after")] == words


@pytest.mark.usefixtures("others_aside")
def test_between_rounds_it_says_so(client: Client):
    event = make_event(slug="cup", tables=1, rounds=1)
    play_round(event, 1, "1t 230")
    assert text(client.get("/e/cup/clock/"), "h1") == "No round is being played"


def test_a_silent_event_offers_no_sound(client: Client, event: Event):
    set_clock_options(event=event, sound=False, signals=[10], by=writer_of(event))
    page = client.get("/e/cup/clock/")
    assert 'data-sound="off"' in page.content.decode()
    assert texts(page, ".wall-signals") == [f"{hour(65)} 10 minutes left {hour(75)} Time"]


@pytest.mark.usefixtures("template_contexts")
def test_whoever_shows_it_gets_what_is_new(client: Client, event: Event):
    first = client.get("/e/cup/clock/")
    address, headers = f"/e/cup/clock/?seen={first.context['seen']}", {"HX-Request": "true"}
    assert client.get(address, headers=headers).status_code == 204
    pause_clock(round_=round_of(event), reason="fire alarm", by=writer_of(event))
    assert text(client.get(address, headers=headers), ".wall-time") == "75:00"


# ---------------------------------------------------------------- the desk's controls

BEGINS = "The next hand begins: when a win is called or the last discard passes"


def act(client: Client, event: Event, name: str, reason: str = "") -> object:
    return client.post(f"/desk/{event.slug}/rounds/1/clock/", {"act": name, "reason": reason}, follow=True)


@pytest.mark.follows("during/clock.md")
def test_a_referee_pauses_and_lets_it_go_on(event: Event, clock: time_machine.Traveller):
    client = referee(event)
    clock.move_to(minutes_on(10))
    page = act(client, event, "pause", "fire alarm")
    assert texts(page, ".note") == ["Done The clock of round 1 stands still."]
    assert text(page, "#clock-now") == (f"Paused 65:00 left when it goes on {BEGINS} Since {hour(10)}: fire alarm")
    clock.move_to(minutes_on(14))
    page = act(client, event, "resume")
    assert text(page, "#clock-now") == f"Time left until {hour(79)} until {hour(79)}, then 1 more hand {BEGINS}"


@pytest.mark.follows("during/clock.md")
def test_a_clock_started_by_mistake_is_stopped_and_put_back(event: Event, clock: time_machine.Traveller):
    client = referee(event)
    clock.move_to(minutes_on(3))
    page = act(client, event, "stop", "walls are not built")
    assert texts(page, "button")[:2] == ["Start the clock", f"Put the stopped clock back (started {hour(0)})"]
    page = act(client, event, "put_back")
    assert texts(page, ".note") == ["Done The clock of round 1 runs as if it had never been stopped."]
    assert f"until {hour(75)}" in text(page, "#clock-now")


@pytest.mark.parametrize("name", ["pause", "stop"])
def test_to_pause_or_stop_needs_a_reason(event: Event, name: str):
    page = act(referee(event), event, name)
    assert page.status_code == 422  # type: ignore[attr-defined]
    assert texts(page, ".note") == ["Error To pause or stop the clock, or to change a table's minutes, needs a reason."]


def test_an_act_that_nobody_knows_is_no_page(event: Event):
    assert referee(event).post("/desk/cup/rounds/1/clock/", {"act": "wind"}).status_code == 404
    assert referee(event, "Ada").get("/desk/cup/rounds/9/clock/").status_code == 404


def test_the_organiser_sets_what_it_says(event: Event):
    client = organiser(event)
    url = "/desk/cup/rounds/1/clock/options/"
    page = client.post(url, {"signals": "20, 10"}, follow=True)
    assert texts(page, ".note") == ["Done The announcements of the clock are set."]
    event.refresh_from_db()
    assert (event.clock_sound, event.clock_signals) == (False, [20, 10, 0])
    page = client.post(url, {"signals": "soon"})
    assert texts(page, ".note") == ["Error Write the minutes as numbers with spaces between them, such as 15 5 0."]


# ---------------------------------------------------------------- minutes for one table


def test_a_tile_says_minutes_only_while_its_table_plays_against_a_clock(event: Event):
    give_time(table=table_of(event), minutes=5, reason="x", client_id=uuid.uuid4(), by=writer_of(event))
    clock = get_clock(round_of(event))
    tile, other = list_tiles(event, 1)
    assert tile_time(clock, tile)["extra_words"] == "+5 min"
    for none in (
        tile_time(clock, replace(tile, stage="signed")),
        tile_time(replace(clock, rules=replace(clock.rules, minutes=0)), tile),
        tile_time(clock, other),
    ):
        assert (none["extra"], none["extra_words"], none["signals_at"]) == (0, "", None)


def test_minutes_from_the_grid_show_on_tile_and_page(event: Event):
    client = referee(event)
    page = client.post(
        "/desk/cup/rounds/1/time/",
        {"time_id": str(uuid.uuid4()), "table": "2", "minutes": "5", "reason": "a tile fell", "back": "grid"},
        follow=True,
    )
    assert texts(page, ".note") == ["Done Table 2 has 5 minutes more."]
    assert [words[-6:] for words in texts(page, ".tile")][1] == "+5 min"
    assert text(client.get(table_url(event, 2)), "#time-state") == f"Time left until {hour(80)} +5 min: a tile fell"
    assert text(client.get(table_url(event, 1)), "#time-state") == f"Time left until {hour(75)}"


def test_minutes_from_a_hand_page_leave_the_line_alone(event: Event):
    data = {"time_id": str(uuid.uuid4()), "table": "1", "minutes": "", "other": "7", "reason": "x", "back": "table"}
    answer = referee(event).post("/desk/cup/rounds/1/time/", data, headers=HTMX)
    assert text(answer, "#time-state") == f"Time left until {hour(82)} +7 min: x"
    assert texts(answer, "#line") == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"reason": " "}, "To pause or stop the clock, or to change a table's minutes, needs a reason."),
        ({"minutes": "", "other": "many"}, "0 minutes is not possible; 1 to 120 are."),
        ({"minutes": "121"}, "121 minutes is not possible; 1 to 120 are."),
        ({"table": "9"}, "There is no such table in this round."),
        ({"time_id": "old"}, "This page is too old to be sent: load it again."),
    ],
)
def test_minutes_that_cannot_be_are_refused_in_words(event: Event, fields: dict[str, str], words: str):
    client = referee(event)
    page = client.get(give(client, event, **fields).headers["Location"])  # type: ignore[attr-defined]
    assert texts(page, ".note") == [f"Error {words}"]
    assert not TableTime.objects.exists()


@pytest.mark.follows("during/clock.md")
@pytest.mark.postgresql
def test_minutes_are_taken_back_with_a_reason(event: Event):
    client = referee(event)
    give(client, event)
    given = TableTime.objects.get()
    url = f"/desk/cup/rounds/1/time/{given.pk}/back/"
    assert client.post(url).status_code == 422
    page = client.post(url, {"reason": "wrong table"}, follow=True)
    assert texts(page, ".times") == [f"Table 1 +5 min a tile fell Rita {hour(0)} taken back: wrong table"]
    trail = list(AuditRow.objects.filter(event=event).order_by("seq").values_list("verb", flat=True))
    assert trail[-2:] == ["table_time_given", "table_time_taken_back"]
    assert client.post("/desk/cup/rounds/2/time/1/back/", {"reason": "x"}).status_code == 404


# ---------------------------------------------------------------- what may still be played


def stands(event: Event) -> tuple[list[str], str]:
    client = organiser(event)
    return texts(client.get("/desk/cup/"), ".state"), text(client.get(table_url(event)), "#time-state")


@pytest.mark.follows("during/clock.md")
def test_each_table_is_marked_with_what_it_may_still_play(event: Event, clock: time_machine.Traveller):
    assert stands(event)[0] == ["no hands yet", "no hands yet"]
    clock.move_to(minutes_on(75))
    enter(table_of(event, 2), "1t 230")
    assert stands(event) == (
        ["time is up: this hand and one more"] * 2,
        f"time is up: this hand and one more {BEGINS}",
    )
    clock.move_to(minutes_on(80))
    enter(table_of(event), "1t 230")
    assert stands(event)[1] == f"last hand {BEGINS}"
    clock.move_to(minutes_on(85))
    enter(table_of(event), "d")
    marks, page = stands(event)
    assert (marks[0], page) == ("no further hand", "no further hand")


WARNING = (
    "Time is up and no further hand may be played: after the signal the hand in play ends, extra hands: 1. "
    "If this one still counts, say why."
)


def test_a_hand_beyond_is_warned_of_while_it_is_typed_and_wants_a_reason(event: Event, clock: time_machine.Traveller):
    client = organiser(event)
    for minutes in (78, 84):
        clock.move_to(minutes_on(minutes))
        enter(table_of(event), "d")
    shown = preview(client, event, "1t 230", expected_seq="2").content.decode()
    assert WARNING in shown
    refused = send(client, event, "1t 230", expected_seq=2)
    assert refused.status_code == 422
    assert WARNING in refused.content.decode()
    assert send(client, event, "1t 230", expected_seq=2, reason="dealt before the signal").status_code == 302


def test_the_api_wants_the_reason_as_well(event: Event, clock: time_machine.Traveller):
    for minutes in (78, 84):
        clock.move_to(minutes_on(minutes))
        enter(table_of(event), "d")
    url = "/api/v1/events/cup/rounds/1/tables/1/entries"
    data = {"client_id": str(uuid.uuid4()), "expected_seq": 2, "entry": {"kind": "draw", "tenpai": []}}
    answer = organiser(event).post(url, data, content_type="application/json")
    assert answer.status_code == 422
    assert [each["code"] for each in answer.json()["problems"]] == ["time.over", "entry.reason_needed"]


def test_after_a_stop_nothing_is_up(event: Event, clock: time_machine.Traveller):
    clock.move_to(minutes_on(90))
    stop_clock(round_=round_of(event), reason="by mistake", by=writer_of(event))
    assert stands(event)[1] == "The clock has not started"


# ---------------------------------------------------------------- what is asked first


@pytest.mark.parametrize("address", ["/desk/cup/rounds/2/start/", "/desk/cup/rounds/2/clock/"])
def test_the_next_round_asks_while_sheets_are_missing(event: Event, address: str):
    client = referee(event)
    asked = client.post(address, {"act": "start"})
    assert text(asked, "h1") == "Start the clock of round 2?"
    assert "Round 1 is still being played: 0 of 2 sheets are in." in texts(asked, "p")
    assert round_of(event, 2).started_at is None
    client.post(address, {"act": "start", "sure": "1"})
    assert round_of(event, 2).started_at


def test_a_game_is_not_signed_early_without_a_tick(event: Event):
    client = referee(event)
    send(client, event, "2r3 340")
    page = client.get(table_url(event))
    assert any("minutes are left: end the game here" in line for line in texts(page, ".tick"))
    scores = {f"total-{seat}": score for seat, score in enumerate(("30000", "35200", "24800", "30000"))}
    fields = scores | {"leftover": "0", "expected_seq": "1"}
    refused = client.post(f"{table_url(event)}sign/", fields)
    assert refused.status_code == 422
    assert any("tick that the game ends here" in line for line in texts(refused, ".note"))
    assert client.post(f"{table_url(event)}sign/", fields | {"early": "on"}).status_code == 302


def test_a_signed_table_counts_no_time(event: Event):
    client = referee(event)
    assert "Time left" in text(client.get(table_url(event)), ".time-state")
    play_round(event, 1, "2r3 340")
    assert "Time" not in text(client.get(table_url(event)), ".time-state")


# ---------------------------------------------------------------- sent by the outbox


def test_minutes_that_a_laptop_kept_are_given_once_and_undone_once(event: Event):
    first, second, undo = (str(uuid.uuid4()) for _ in range(3))
    acts = [
        (first, {"table": "1", "minutes": "5", "reason": "a tile fell"}),
        (second, {"table": "2", "other": "7", "reason": "late"}),
        (undo, {"undo": first}),
        (str(uuid.uuid4()), {"undo": str(uuid.uuid4())}),  # what was never given is not taken back
        (str(uuid.uuid4()), {"table": "9", "minutes": "5", "reason": "x"}),
        (str(uuid.uuid4()), {"undo": "nonsense"}),
    ]
    client = referee(event)
    for _ in range(2):
        data = {"acts": json.dumps(acts)}
        answer = client.post("/desk/cup/rounds/1/time/", data, headers={"Accept": "application/json"})
        assert [bool(each["problems"]) for each in answer.json()["answers"]] == [False, False, False, False, True, True]
    rows = TableTime.objects.order_by("pk").values_list("table__number", "minutes", "cancel_reason")
    assert list(rows) == [(1, 5, "undone at once"), (2, 7, "")]
