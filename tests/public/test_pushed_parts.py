"""What a stream sends along: the live part of the very page that a phone shows, drawn as if the phone had asked."""

import json
import re

import pytest
from django.conf import LazySettings, settings
from django.test import Client

from tests.factories import enter, make_event, play_round, round_of, table_of, writer_of
from tournament.events.actions import Publication, set_publication, set_visibility
from tournament.events.models import Event, LiveOthers, LiveTables, Visibility
from tournament.pages import streams
from tournament.pages.streams import EVENT_STREAM, OFFERED, Page, RenderedPart, draw_part
from tournament.rounds.actions import start_round

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]

PAGES = (
    "", "standings/", "recap/", "rounds/", "rounds/1/", "rounds/2/", "rounds/2/tables/1/", "players/1/",
    "players/1/against/2/", "rules/", "clock/", "rounds/2/tables/1/overlay/", "rounds/2/overlay/",
)  # fmt: skip


@pytest.fixture
def event(db: None) -> Event:
    """Return an event with one round released and one in play, whose phones see all tables live."""
    event = make_event(slug="cup", tables=1, rounds=2)
    event.live_tables, event.live_others = LiveTables.HANDS, LiveOthers.ALL
    event.save()
    play_round(event, 1, "2r3 340/2")
    start_round(round_=round_of(event, 2), by=writer_of(event))
    enter(table_of(event, round_=2), "1t 130")
    return event


def offered(client: Client, address: str) -> Page | None:
    channel = client.get(address, headers={"Accept": EVENT_STREAM}).wsgi_request.META[OFFERED]
    page: Page | None = channel.page
    return page


def said(drawn: RenderedPart) -> dict[str, str]:
    """Return what a part's message says, without the time."""
    told: dict[str, str] = json.loads(drawn.message.plain.removeprefix(b"data: "))
    del told["now"]
    return told


@pytest.mark.parametrize("follows", ["?me=3", "?me=4", ""])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_part_that_is_sent_along_is_that_of_the_page_that_is_shown(event: Event, follows: str, language: str):
    phone = Client(headers={"Accept-Language": language})
    phone.get(f"/e/cup/{follows}")
    for each in PAGES:
        shown = phone.get(f"/e/cup/{each}")
        assert (each, shown.status_code) == (each, 200)
        seen = re.search(r'data-seen="(\w+)"', shown.text)
        address = re.search(r'data-stream-url="([^"]+)"', shown.text)
        assert seen, each
        assert address, each
        stream = phone.get(address[1], headers={"Accept": EVENT_STREAM})
        page = stream.wsgi_request.META[OFFERED].page
        drawn, asked = draw_part(page, ""), phone.get(shown.request["PATH_INFO"], headers={"HX-Request": "true"})
        assert drawn, each
        assert said(drawn) == {"etag": stream["ETag"], "seen": seen[1], "part": asked.text}, each
        same = draw_part(page, seen[1])
        assert same, each
        assert said(same) == {"etag": stream["ETag"], "seen": seen[1]}, each


def test_who_is_gone_is_told_as_who_is_gone_and_a_page_with_a_query_fetches(client: Client, event: Event):
    client.cookies["me-cup"] = "3-of-another-name"
    lost = offered(client, "/e/cup/")
    assert lost is not None
    assert lost.cookie == f"{settings.LANGUAGE_COOKIE_NAME}={settings.LANGUAGE_CODE}; me-cup=gone"
    shown = client.get("/e/cup/").text
    drawn = draw_part(lost, "")
    assert drawn
    assert f'data-seen="{drawn.mark}"' in shown
    assert offered(client, "/e/cup/?q=ak") is None


def test_a_long_part_is_fetched(client: Client, event: Event, monkeypatch: pytest.MonkeyPatch):
    page = offered(client, "/e/cup/standings/")
    assert page
    assert draw_part(page, "")
    monkeypatch.setattr(streams, "LONGEST", 1000)
    assert draw_part(page, "") is None


def test_a_players_own_page_comes_first(client: Client, event: Event):
    client.get("/e/cup/?me=3")
    firsts = {each: page.first for each in PAGES if (page := offered(client, f"/e/cup/{each}"))}
    assert len(firsts) == len(PAGES)
    assert [each for each, first in firsts.items() if first] == [""]


def test_readers_whom_a_cdn_answers_hold_no_stream_of_their_page(client: Client, event: Event, settings: LazySettings):
    settings.CDN_SECONDS = 2
    assert "data-stream-url" not in client.get("/e/cup/standings/").text
    client.get("/e/cup/?me=3")
    assert 'data-stream-url="/e/cup/standings/?stream"' in client.get("/e/cup/standings/").text


def test_of_a_draft_nothing_is_offered(client: Client, event: Event):
    client.force_login(writer_of(event))
    set_visibility(event=event, visibility=Visibility.DRAFT, by=writer_of(event))
    answer = client.get("/e/cup/", headers={"Accept": EVENT_STREAM})
    assert (answer.status_code, OFFERED in answer.wsgi_request.META) == (204, False)


def test_of_a_page_that_is_not_public_any_more_no_part_is_drawn(client: Client, event: Event):
    live, start = (offered(client, address) for address in ("/e/cup/rounds/2/tables/1/", "/e/cup/"))
    assert live
    assert start
    assert draw_part(live, "")
    set_publication(event=event, publication=Publication(live_tables=LiveTables.NOTHING), by=writer_of(event))
    assert draw_part(live, "") is None
    assert draw_part(start, "")
    set_visibility(event=event, visibility=Visibility.DRAFT, by=writer_of(event))
    assert draw_part(start, "") is None


def test_what_middleware_guards_is_guarded_where_a_part_is_drawn_without_it():
    """`draw_part` calls the view alone: of each middleware it is said why no part needs it, or who does its work."""
    needless = {
        "web.server.request_log.RequestLog": "no request came",
        "django.middleware.security.SecurityMiddleware": "headers and https: the stream's answer has passed it",
        "django.middleware.clickjacking.XFrameOptionsMiddleware": "headers of the stream's answer",
        "tournament.pages.caches.CacheControl": "a stream is kept by no cache",
        "whitenoise.middleware.WhiteNoiseMiddleware": "files alone",
        "csp.middleware.CSPMiddleware": "headers of the page that holds the part",
        "corsheaders.middleware.CorsMiddleware": "headers of the stream's answer",
        "django.contrib.sessions.middleware.SessionMiddleware": "a part knows no session: a view that asks breaks",
        "tournament.text.languages.ReaderLanguage": "`draw_part` reads the language, the view follows the event's",
        "django.middleware.common.CommonMiddleware": "the address is one that was answered",
        "django.middleware.csrf.CsrfViewMiddleware": "nothing is posted",
        "tournament.pages.sign_in.SignedIn": "nobody is signed in: `Page.request`",
        "django.contrib.messages.middleware.MessageMiddleware": "a part has no messages",
        "django_htmx.middleware.HtmxMiddleware": "`Page.request` sends the header that views of parts read",
        "tournament.pages.files.FileArrived": "a part is no file",
        "web.server.errors.with_page": "a part is asked for by GET",
        "web.server.errors.StorageErrors": "`draw_part` notes the failure, and phones ask for their page",
        "tournament.demo.limits.GuestLimits": "a part writes nothing",
    }
    settings_of_all = (settings.BASE_DIR / "web" / "settings.py").read_text()
    demo = set(re.findall(r'MIDDLEWARE\.append\("([^"]+)"\)', settings_of_all))
    assert {*settings.MIDDLEWARE, *demo} == set(needless)
