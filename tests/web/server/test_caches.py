"""What caches on the way may keep: every public page by its address, no desk page, and never what is for one reader.

The addresses come from the URL configuration, so that a new page is in it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory
from django.urls import get_resolver

from tests.factories import enter, fresh, make_event, play_round, round_of, table_of, writer_of
from tests.pages.test_audiences import addresses
from tournament.events.models import Event
from tournament.pages.caches import CacheControl, build_id
from tournament.pages.public_page import NOW
from tournament.rounds.actions import start_round
from web.server.settings_values import cache_of_all

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

SECONDS = 2
KEPT = f"public, max-age=0, must-revalidate, s-maxage={SECONDS}"
CDN = f"public, max-age={SECONDS}, stale-while-revalidate=5, stale-if-error=60"
# Public, and yet asked for each time: they differ by more than address and language, tell the time, or write a cookie.
NEVER_KEPT = {
    "/": "private, no-cache",  # who is signed in finds the own desks there
    "/calculator/count/": "no-store",
    "/language/en/": "no-store",
    "/device/": "max-age=0, no-cache, no-store, must-revalidate, private",
    "/health/": "max-age=0, no-cache, no-store, must-revalidate, private",
}
PUBLIC = ("anyone", "public")


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event with a released round and a public one."""
    event = make_event(slug="cup", tables=1, rounds=2)
    play_round(event, 1, "2r3 340/2")
    return event


@pytest.fixture
def event(made: Event, settings) -> Event:
    """Put the event behind a cache."""
    settings.CDN_SECONDS = SECONDS
    return fresh(made)


def answers(*audiences: str) -> Iterator[tuple[str, HttpResponseBase]]:
    """Ask for the addresses of some audiences, each as a stranger without a cookie; those without GET are left out."""
    for url in addresses(*audiences):
        answer = Client().get(url)
        if answer.status_code != 405:
            yield url, answer


def kept(answer: HttpResponseBase) -> bool:
    return "public" in answer["Cache-Control"] or "CDN-Cache-Control" in answer


def vary(answer: HttpResponseBase) -> set[str]:
    return {name.strip() for name in answer.get("Vary", "").split(",") if name.strip()}


def test_every_public_page_says_what_a_cache_may_do(event: Event):
    said: dict[str, Any] = dict(answers(*PUBLIC))
    shared = {url for url, answer in said.items() if answer["Cache-Control"] == KEPT}
    for url, answer in said.items():
        if url in shared:
            assert (url, answer["CDN-Cache-Control"], bool(answer["ETag"])) == (url, CDN, True)
            assert (url, answer["Surrogate-Key"], answer["Cache-Tag"]) == (url, "event-cup", "event-cup")
            assert (url, list(answer.cookies), "X-Server-Time" in answer) == (url, [], False)
            same = url.endswith("version/")
            assert (url, same or {"Cookie", "Accept-Language"} <= vary(answer)) == (url, True)
        else:
            assert (url, kept(answer)) == (url, False)
    assert shared >= {
        "/e/cup/", "/e/cup/standings/", "/e/cup/version/", "/e/cup/display/", "/e/cup/display/version/",
        "/e/cup/players/1/", "/e/cup/rounds/", "/e/cup/rounds/1/", "/e/cup/rounds/1/tables/1/", "/e/cup/recap/",
        "/e/cup/manifest.webmanifest", "/e/cup/worker.js",
    }  # fmt: skip
    assert {url: said[url]["Cache-Control"] for url in NEVER_KEPT if url in said} == {
        url: text for url, text in NEVER_KEPT.items() if url in said
    }


def test_no_page_of_the_desk_is_kept_for_a_stranger(event: Event):
    """For who is signed in it is looked at in test_hard_surface, where every page is asked for once."""
    for url, answer in answers("event", "account", "site"):
        assert (url, kept(answer), answer["Cache-Control"] != "no-cache") == (url, False, True)


@pytest.mark.parametrize("cookie", ["me-cup", "django_language", "messages", "of-somebody-else"])
def test_whoever_brings_a_cookie_has_an_answer_of_the_own(event: Event, cookie: str):
    client = Client()
    client.cookies[cookie] = "1-x"
    answer = client.get("/e/cup/standings/")
    assert (answer["Cache-Control"], "CDN-Cache-Control" in answer) == ("private, no-cache", False)
    shared = client.get("/e/cup/version/")
    assert (shared["Cache-Control"], vary(shared)) == (KEPT, set())  # the same for all phones while nothing is live


@pytest.mark.postgresql
def test_with_live_tables_the_version_is_each_phones_own(event: Event):
    event.live_tables = "hands"
    event.version += 1
    event.save()
    start_round(round_=round_of(event, 2), by=writer_of(event))
    enter(table_of(event, round_=2), "1t 230")
    stranger, client = Client(), Client()
    client.cookies["me-cup"] = "1-x"
    assert vary(stranger.get("/e/cup/version/")) >= {"Cookie"}
    assert client.get("/e/cup/version/")["Cache-Control"] == "private, no-cache"


def test_a_page_that_counts_down_is_never_kept(event: Event):
    start_round(round_=round_of(event, 2), by=writer_of(event))
    for page in ("", "rounds/2/", "display/", "clock/"):
        assert (page, kept(Client().get(f"/e/cup/{page}"))) == (page, False)
    assert kept(Client().get("/e/cup/standings/"))


@pytest.mark.parametrize("address", ["/e/cup/?pick", "/e/cup/?q=a", "/e/cup/?me=1", "/e/cup/nowhere/", "/e/none/"])
def test_a_question_and_a_page_that_is_not_there_are_not_kept(event: Event, address: str):
    assert not kept(Client().get(address))


def test_the_live_part_is_kept_for_all_who_ask_at_the_version_of_this_moment(event: Event):
    def asked(client: Client, query: str) -> tuple[int, str]:
        answer = client.get(f"/e/cup/standings/{query}", headers={"HX-Request": "true"})
        return answer.status_code, answer["Cache-Control"]

    version = Client().get("/e/cup/version/")["ETag"].strip('"')
    page = Client().get("/e/cup/standings/")["ETag"].strip('"')
    old, current = asked(Client(), "?seen=old&at=old"), asked(Client(), f"?seen=old&at={version}")
    assert (old, current) == ((200, "no-store"), (200, KEPT))
    assert asked(Client(), f"?seen={page}&at={version}") == (204, KEPT)
    assert (asked(Client(), ""), asked(Client(), f"?at={version}&q=a")) == ((200, "no-store"), (200, "no-store"))
    follower = Client()
    follower.cookies["me-cup"] = "1-x"
    assert asked(follower, f"?at={version}") == (200, "private, no-cache")


def test_a_cache_that_asks_again_is_told_to_keep_what_it_has(event: Event):
    first = Client().get("/e/cup/standings/")
    again = Client().get("/e/cup/standings/", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again["Cache-Control"], again["ETag"]) == (304, KEPT, first["ETag"])
    enter(table_of(event, round_=2), "1t 230")
    assert Client().get("/e/cup/standings/")["ETag"] == first["ETag"]  # no hand of a table moves what the public sees


def test_without_the_setting_everybody_asks_each_time(event: Event, settings):
    settings.CDN_SECONDS = 0
    answer = Client().get("/e/cup/version/")
    assert (answer["Cache-Control"], "X-Server-Time" in answer) == ("no-cache", True)


def test_an_answer_that_writes_a_cookie_is_never_public(settings):
    settings.CDN_SECONDS = SECONDS

    def view(_request) -> HttpResponse:
        answer = HttpResponse(headers={"Cache-Control": "no-cache", "ETag": '"x"'})
        answer.set_cookie("a", "b")
        return answer

    request = RequestFactory().get("/")
    request.resolver_match = get_resolver().resolve("/e/cup/")
    assert CacheControl(view)(request)["Cache-Control"] == "private, no-cache"


# ---------------------------------------------------------------- the ETag


def test_the_etag_is_the_same_in_every_process_and_another_after_a_restore(event: Event):
    assert len(build_id()) == 12  # of files and settings alone: neither time nor chance is in it
    first = Client().get("/e/cup/standings/")["ETag"]
    Event.objects.update(version=event.version + 1000)  # as `restore` does: later rows may bear numbers already seen
    assert Client().get("/e/cup/standings/")["ETag"] != first
    assert NOW.encode() not in Client().get("/e/cup/standings/").content


# ---------------------------------------------------------------- what workers share


def test_where_workers_share_what_they_know_is_a_setting(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object() if name == "redis" else None)
    asked = ("", "files", "database", "redis://10.0.0.7:6379/0")
    made = [cache_of_all(where, Path("shared")) for where in asked]
    assert [each and each["BACKEND"].rpartition(".")[2] for each in made] == [
        None,
        "FileBasedCache",
        "DatabaseCache",
        "RedisCache",
    ]


@pytest.mark.parametrize(
    ("where", "words"),
    [("memcached://x", "redis://"), ("redis://10.0.0.7", "the package redis, which is not installed")],
)
def test_a_cache_that_cannot_be_is_said_in_words(monkeypatch: pytest.MonkeyPatch, where: str, words: str):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match=words):
        cache_of_all(where, Path("shared"))
