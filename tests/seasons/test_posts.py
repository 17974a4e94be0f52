"""What a season's webhook is sent, by a real server: each release once, as everybody may see it, over restarts."""

import dataclasses
import datetime as dt
import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

import pytest
import time_machine

from tests.factories import make_account, make_event, play_round, refused
from tests.pages.at_desk import client_of
from tests.seasons.evenings import FIRST, link_all_names, play_evening
from tournament.accounts.models import Account
from tournament.core.models import AuditRow
from tournament.core.threads import list_failures, start_thread
from tournament.events.actions import publication_of, set_publication, show_results
from tournament.events.models import Event, Play, Visibility
from tournament.privacy.actions import set_names_shown
from tournament.seasons import posts
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.models import PostState, Season, SeasonPost
from tournament.seasons.posts import WAITS, EventNews, NotSentError, Poster, post_json, send_post
from tournament.seasons.queries import READY_MADE
from tournament.seasons.reach_actions import Reach, post_table, set_reach

pytestmark = [pytest.mark.django_db, pytest.mark.once]

A, B, C, D = "Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik"
NOW = dt.datetime.combine(FIRST, dt.time(20), dt.UTC) + dt.timedelta(days=15)


class Chat(ThreadingHTTPServer):
    """A real server: what it was sent, and how it answers next; a negative status hangs up instead."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.sent: list[tuple[str, dict[str, str], Any]] = []
        self.statuses: list[int] = []
        self.drips = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/api/webhooks/7/secret?wait=true"

    @property
    def texts(self) -> list[str]:
        return [said["text"] for _path, _headers, said in self.sent]


class Answer(BaseHTTPRequestHandler):
    server: Chat

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.sent.append((self.path, dict(self.headers), json.loads(body)))
        status = self.server.statuses.pop(0) if self.server.statuses else 204
        if status < 0:
            self.close_connection = True
            return
        if self.server.drips.is_set():
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while self.server.drips.is_set():
                self.wfile.write(b"X: y\r\n"[:1])
                time.sleep(0.05)
            return
        self.send_response(status)
        if status in {301, 307}:
            self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(b"x" * 100)

    def log_message(self, *_args: object) -> None:
        """Print nothing."""


@pytest.fixture
def chat() -> Iterator[Chat]:
    server = Chat()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.drips.clear()
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def clock(settings) -> Iterator[time_machine.Traveller]:
    settings.PRIVATE_HOOKS = True
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def by() -> Account:
    return make_account("Owner", superuser=True)


@pytest.fixture
def season(by: Account, chat: Chat) -> Season:
    """Two evenings were released before the webhook was switched on."""
    events = [play_evening(1, (A, B, C, D)), play_evening(2, (B, A, D, C))]
    link_all_names()
    made = create_season(facts=SeasonFacts("Autumn", READY_MADE["sum"]), by=by)
    set_season_events(season=made, events=[CountedEvent(event.pk) for event in events], by=by)
    hook_to(made, chat, by)
    return made


def hook_to(season: Season, chat: Chat, by: Account, form: str = "plain") -> None:
    set_reach(season=season, reach=Reach(hook=chat.url, form=form), by=by)


def add(season: Season, event: Event, by: Account) -> None:
    events = [CountedEvent(pk) for pk in season.events.values_list("event", flat=True)]
    set_season_events(season=season, events=[*events, CountedEvent(event.pk)], by=by)


def third_evening(season: Season, by: Account) -> Event:
    event = play_evening(3, (B, A, D, C))
    link_all_names()
    add(season, event, by)
    return event


def states() -> list[tuple[str, int]]:
    return list(SeasonPost.objects.exclude(state=PostState.KNOWN).order_by("pk").values_list("state", "tries"))


# ---------------------------------------------------------------- once


def test_what_was_released_before_is_not_sent_and_what_is_released_is_sent_once(
    season: Season, by: Account, chat: Chat
):
    Poster().look()
    assert (chat.sent, states()) == ([], [])
    third_evening(season, by)
    for _look in range(3):
        Poster().look()  # a new thread, as after a restart
    assert (chat.texts, states()) == (["evening-3: won by Birk Sol"], [("sent", 1)])
    path, headers, said = chat.sent[0]
    assert (path, headers["Content-Type"]) == ("/api/webhooks/7/secret?wait=true", "application/json")
    assert headers["Host"] == chat.url.split("/")[2]
    assert said["season"] == {"name": "Autumn", "url": None}
    assert said["event"] == {
        "name": "evening-3", "date": "2026-09-22", "url": None, "round": 1, "over": True, "first": ["Birk Sol"],
    }  # fmt: skip
    assert said["rows"][0] == {"rank": 1, "name": B, "figure": 58000, "games": 3}


def test_each_round_is_sent_as_it_is_released_and_a_held_one_when_it_is_shown(season: Season, by: Account, chat: Chat):
    event = make_event(slug="cup", tables=1, rounds=2, by=by)
    Event.objects.filter(pk=event.pk).update(date=NOW.date())
    event.refresh_from_db()
    set_publication(event=event, publication=dataclasses.replace(publication_of(event), hold="last"), by=by)
    add(season, event, by)
    poster = Poster()
    for number in (1, 2):
        play_round(event, number, "2r1 330")
        poster.look()
    assert [text.partition(":")[0] for text in chat.texts] == ["Cup, after round 1"]
    show_results(event=event, by=by)
    poster.look()
    assert [text.partition(":")[0] for text in chat.texts] == ["Cup, after round 1", "Cup"]


def test_two_workers_send_a_message_once(season: Season, by: Account, chat: Chat):
    third_evening(season, by)
    chat.statuses = [500]
    Poster().look()
    first, second = (SeasonPost.objects.get(state=PostState.WAITING) for _worker in range(2))
    send_post(first)
    send_post(second)
    assert (len(chat.sent), states()) == (2, [("sent", 2)])


def test_old_years_that_come_in_are_not_sent(season: Season, by: Account, chat: Chat, clock: time_machine.Traveller):
    clock.shift(dt.timedelta(days=60))
    third_evening(season, by)
    Poster().look()
    assert (chat.sent, states()) == ([], [])


def test_the_press_of_the_organiser_sends_the_table_once(season: Season, by: Account, chat: Chat):
    desk, page = client_of(by), "/desk/seasons/autumn/reach/"
    form = {"act": "post", "client_id": str(uuid4())}
    assert [desk.post(page, form).status_code for _twice in range(2)] == [302, 302]
    assert desk.post(page, {"act": "post", "client_id": "no"}).status_code == 302
    Poster().look()
    assert (chat.texts, chat.sent[0][2]["event"], len(chat.sent[0][2]["rows"])) == (["Autumn"], None, 4)
    assert AuditRow.objects.filter(verb="season_posted").count() == 1
    assert "sent" in desk.get(page).content.decode()
    set_reach(season=season, reach=Reach(), by=by)
    with refused("season.hook_off"):
        post_table(season=season, client_id=uuid4(), by=by)


# ---------------------------------------------------------------- what goes wrong


def test_a_busy_server_is_tried_again_also_after_a_restart(
    season: Season, by: Account, chat: Chat, clock: time_machine.Traveller
):
    third_evening(season, by)
    chat.statuses = [503, 429]
    Poster().look()
    Poster().look()
    assert (len(chat.sent), states()) == (1, [("waiting", 1)])
    for wait in WAITS[:2]:
        clock.shift(dt.timedelta(seconds=wait + 1))
        Poster().look()
    assert (len(chat.sent), states()) == (3, [("sent", 3)])


def test_nobody_there_is_tried_for_hours_and_then_given_up(
    season: Season, by: Account, chat: Chat, clock: time_machine.Traveller
):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    set_reach(season=season, reach=Reach(hook=f"http://127.0.0.1:{port}/", form="plain"), by=by)
    third_evening(season, by)
    for wait in (*WAITS, 3600, 3600):
        Poster().look()
        clock.shift(dt.timedelta(seconds=wait + 1))
    assert states() == [("refused", len(WAITS) + 1)]
    hook_to(season, chat, by)
    Poster().look()
    assert chat.sent == []


@pytest.mark.parametrize("status", [400, 404, 301, 307])
def test_a_refusal_is_final_and_no_redirect_is_followed(season: Season, by: Account, chat: Chat, status: int):
    third_evening(season, by)
    chat.statuses = [status]
    Poster().look()
    Poster().look()
    assert ([path for path, *_rest in chat.sent], states()) == (["/api/webhooks/7/secret?wait=true"], [("refused", 1)])
    assert f"not sent ({status})" in client_of(by).get("/desk/seasons/autumn/reach/").content.decode()


def test_what_went_without_an_answer_is_not_sent_again(
    season: Season, by: Account, chat: Chat, clock: time_machine.Traveller
):
    third_evening(season, by)
    chat.statuses = [-1]
    Poster().look()
    clock.shift(dt.timedelta(days=1))
    Poster().look()
    assert (len(chat.sent), states()) == (1, [("unclear", 1)])


def test_a_message_cut_off_by_the_end_of_the_program_is_not_sent_again(
    season: Season, by: Account, chat: Chat, clock: time_machine.Traveller
):
    third_evening(season, by)
    set_reach(season=season, reach=Reach(hook=chat.url), by=by)
    SeasonPost.objects.create(season=season, key="x", state=PostState.SENDING, tries=1, at=NOW, next_at=NOW)
    clock.shift(dt.timedelta(minutes=3))
    Poster().look()
    assert set(states()) == {("unclear", 1), ("sent", 1)}


def test_an_answer_letter_by_letter_is_cut_off(chat: Chat, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(posts, "WITHIN", 0.3)
    chat.drips.set()
    sender = start_thread("test", lambda: post_json(chat.url, b"{}"))
    sender.join(10)
    assert (len(chat.sent), sender.is_alive()) == (1, False)


def test_no_private_address_is_reached_unless_the_operator_allows_it(chat: Chat, settings):
    settings.PRIVATE_HOOKS = False
    for host in ("127.0.0.1", "localhost", "2130706433"):
        with pytest.raises(NotSentError):
            post_json(chat.url.replace("127.0.0.1", host), b"{}")
    assert chat.sent == []


def test_the_thread_goes_on_after_whatever_is_wrong(season: Season, by: Account, chat: Chat):
    third_evening(season, by)
    Season.objects.create(
        slug="broken", name="Broken", rule={"nonsense": 1}, reach={"hook": {"url": chat.url}}, created_at=NOW
    )
    broken = Season.objects.get(slug="broken")
    SeasonPost.objects.create(season=broken, key="1", at=NOW - dt.timedelta(1), next_at=NOW - dt.timedelta(1))
    Poster().look()
    assert chat.texts == ["evening-3: won by Birk Sol"]
    assert "season-posts" in [each.name for each in list_failures()]


# ---------------------------------------------------------------- what it says


def test_nobody_hidden_is_named_and_nothing_that_is_not_public_is_told(season: Season, by: Account, chat: Chat):
    event = third_evening(season, by)
    player = event.players.get(person__preferred_name=B)
    set_names_shown(event=event, numbers=[player.number], shown=False, by=by)
    Poster().look()
    said = json.dumps(chat.sent)
    assert (len(chat.sent), B in said, "Player 1" in said) == (1, False, True)


@pytest.mark.parametrize("visibility", [Visibility.DRAFT, Visibility.UNLISTED])
def test_an_event_that_not_everybody_finds_is_not_sent(season: Season, by: Account, chat: Chat, visibility: Visibility):
    event = third_evening(season, by)
    chat.statuses = [503]
    Poster().look()
    Event.objects.filter(pk=event.pk).update(visibility=visibility)
    SeasonPost.objects.filter(state=PostState.WAITING).update(next_at=NOW)
    Poster().look()
    assert (len(chat.sent), states()) == (1, [])


def test_a_draft_and_a_season_without_the_webhook_send_nothing(season: Season, by: Account, chat: Chat):
    third_evening(season, by)
    Season.objects.update(visibility=Visibility.DRAFT)
    Poster().look()
    assert chat.sent == []
    Season.objects.update(visibility=Visibility.PUBLIC)
    chat.statuses = [503]
    Poster().look()
    set_reach(season=season, reach=Reach(feed=True), by=by)
    assert states() == []
    hook_to(season, chat, by)
    Poster().look()
    assert (len(chat.sent), states()) == (1, [])


def test_in_discords_form_names_call_nobody_and_are_no_markup(season: Season, by: Account, chat: Chat):
    hook_to(season, chat, by, "discord")
    event = play_evening(3, ("@everyone *[x](https://evil.example)*", A, D, C))
    link_all_names()
    add(season, event, by)
    Poster().look()
    said = chat.sent[0][2]
    assert set(said) == {"content", "embeds", "allowed_mentions"}
    assert said["allowed_mentions"] == {"parse": []}
    assert said["content"].endswith(r"won by @everyone \*\[x\]\(https://evil.example\)\*")
    embed = said["embeds"][0]
    assert (embed["title"], embed["description"].count("\n")) == ("Autumn", 4)


def test_links_are_those_of_the_proxy(season: Season, by: Account, chat: Chat, settings):
    settings.HTTPS, settings.EXTRA_HOSTS = True, ["desk.example.org"]
    third_evening(season, by)
    Poster().look()
    said = chat.sent[0][2]
    assert said["season"]["url"] == "https://desk.example.org/s/autumn/"
    assert said["event"]["url"] == "https://desk.example.org/e/evening-3/"


@pytest.mark.parametrize(
    ("games", "first", "said"),
    [
        (1, ["Ana"], "Club, after 1 table: first Ana"),
        (12, ["Ana", "Birk"], "Club, after 12 tables: first Ana, Birk"),
        (2, [], "Club"),
    ],
)
def test_an_open_event_counts_its_tables(games: int, first: list[str], said: str):
    event = Event(name="Club", play=Play.OPEN)
    assert str(EventNews(event, 40, games, False, first, dt.datetime.now(dt.UTC))) == said
