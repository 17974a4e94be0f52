"""The surface as a stranger with tools finds it: forged forms, other hosts, climbing paths, names that are code."""

import re
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver, is_valid_path

from tests.factories import make_account, make_event, play_round, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import client_of
from tests.pages.test_audiences import addresses, walk
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.penalties.models import Penalty

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

EVIL = '<img src=x onerror="alert(1)">\'"&{{7*7}}'
UNSAFE = {"post", "put", "patch", "delete"}


made = module_event(slug="cup", tables=1, rounds=1)


def every_address() -> list[str]:
    return sorted({url for url, _part in walk(get_resolver())})


# ---------------------------------------------------------------- forms of other sites


def test_no_form_of_another_site_is_taken(event: Event):
    client = client_of(make_account(superuser=True))
    client.handler.enforce_csrf_checks = True
    answers = {url: client.post(url, {"any": "thing"}).status_code for url in every_address()}
    # 405: the page takes no form at all
    assert {url: status for url, status in answers.items() if status not in {403, 405}} == {}
    assert 403 in answers.values()


def test_a_form_with_a_token_of_another_session_is_not_taken(event: Event):
    client = client_of(make_account(superuser=True))
    client.handler.enforce_csrf_checks = True
    client.cookies["csrftoken"] = "a" * 32
    assert client.post("/desk/new/", {"csrfmiddlewaretoken": "b" * 32}).status_code == 403


# ---------------------------------------------------------------- what every answer says


def test_every_kind_of_answer_carries_the_policy(event: Event):
    staff, stranger = client_of(make_account(superuser=True)), Client(raise_request_exception=False)
    answers = {
        "page": stranger.get("/e/cup/"),
        "desk": staff.get("/desk/cup/"),
        "file": staff.get("/desk/cup/export/event.json"),
        "api": stranger.get("/api/v1/events/cup/version"),
        "404": stranger.get("/nowhere/"),
        "400": stranger.get("/", headers={"host": "evil.example.com"}),
        "redirect": stranger.get("/desk/cup/"),
        "405": stranger.post("/health/"),
    }
    for kind, answer in answers.items():
        policy = answer.headers["Content-Security-Policy"]
        assert (kind, "unsafe" in policy, "default-src 'none'" in policy) == (kind, False, True)
        assert (kind, answer.headers["X-Content-Type-Options"]) == (kind, "nosniff")
        assert (kind, answer.headers["X-Frame-Options"]) == (kind, "DENY")
        assert "Server" not in answer.headers


def test_desk_pages_are_kept_by_no_cache_of_others(event: Event):
    staff = client_of(make_account(superuser=True))
    for url in ("/desk/cup/", "/desk/cup/settings/", "/desk/cup/export/event.json", "/account/"):
        kept = staff.get(url).headers.get("Cache-Control", "")
        assert (url, "public" in kept) == (url, False)
        assert (url, bool(re.search("no-store|private|no-cache", kept))) == (url, True)


# ---------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    "host", ["evil.example.com", "localhost.evil.example.com", "127.0.0.1.evil.example.com", "8.8.8.8"]
)
def test_another_host_is_refused(client: Client, host: str):
    assert client.get("/login/", headers={"host": host}).status_code == 400


@pytest.mark.parametrize(
    "path",
    ["/static/../web/settings.py", "/static/%2e%2e/web/settings.py", "/static/..%2f..%2fetc/passwd",
     "/static/css/../../manage.py", "/desk/cup/print/..%2f..%2fsettings.pdf", "/desk/cup/export/../../../etc/passwd",
     "/e/..%2f..%2fetc%2fpasswd/", "/rules/..%2f..%2fsecret/", "/language/..%2f..%2f/"],
)  # fmt: skip
def test_no_path_climbs_out(event: Event, path: str):
    answer = client_of(make_account(superuser=True)).get(path)
    assert answer.status_code in {301, 404}
    assert b"SECRET_KEY" not in answer.getvalue()


@pytest.mark.parametrize(
    "aim", ["https://evil.example.com/", "//evil.example.com/", "/\\evil.example.com", "javascript:alert(1)"]
)
def test_no_link_of_ours_leads_elsewhere(aim: str):
    account = make_account(superuser=True)
    account.set_password("long enough to be one")
    account.save()
    client = Client()
    form = {"username": account.username, "password": "long enough to be one", "next": aim}
    answer = client.post(f"/login/?next={aim}", form)
    assert (answer.status_code, answer.headers["Location"][:1], answer.headers["Location"][:2] == "//") == (
        302,
        "/",
        False,
    )
    shown = Client().get("/language/de/", {"next": aim})
    assert not shown.headers.get("Location", "/").startswith(("http", "//", "/\\", "java"))


# ---------------------------------------------------------------- names that are code


@pytest.fixture
def hostile(others_aside: None) -> Client:
    """Open an event whose name, players and clubs are code; its first round is released, its second is public."""
    account = make_account(EVIL, superuser=True)
    event = make_event(slug="cup", tables=1, rounds=2, by=account)
    play_round(event, 1, "2r3 340/2")
    event.name = EVIL
    event.save()
    player = event.players.select_related("person").get(number=1).person
    player.preferred_name, player.club, player.legal_name = EVIL, EVIL, EVIL
    player.save()
    return client_of(account)


@pytest.mark.slow  # every page once, of the desk and of the public
def test_no_page_lets_a_name_be_code_or_is_kept_on_the_way_by_who_is_signed_in(hostile: Client, settings):
    settings.CDN_SECONDS = 2
    hostile.raise_request_exception = True
    desk, seen = set(addresses("event", "account", "site")), 0
    for url in every_address():
        answer = hostile.get(url)
        if answer.status_code == 405:
            continue
        said = answer["Cache-Control"]
        kept = "public" in said or "CDN-Cache-Control" in answer
        assert (url, kept) == (url, url not in desk and url.endswith("version/"))
        assert (url, url in desk and said == "no-cache") == (url, False)
        if answer.status_code != 200 or "html" not in answer.headers["Content-Type"]:
            continue
        text = answer.content.decode()
        seen += "onerror" in text
        assert (url, "<img src=x" in text) == (url, False)
        assert (url, re.findall(r"<script[^>]*>[^<]*<img", text)) == (url, [])
    assert seen > 10


def test_who_opens_an_address_of_a_form_gets_words_and_the_way_to_its_page(event: Event):
    desk, found = client_of(writer_of(event)), 0
    for url, _part in walk(get_resolver()):
        answer = desk.get(url)
        if answer.status_code != 405 or url.startswith("/api/"):
            continue
        found += 1
        said = answer.content.decode()
        back = re.search(r'class="button is-main" href="([^"]+)"', said)
        assert back, url
        seen = (url, "This address is not a page" in said, url.startswith(back[1]), bool(is_valid_path(back[1])))
        assert seen == (url, True, True, True)
    assert found > 20


def test_no_name_writes_a_header(hostile: Client):
    for url in ("/desk/cup/export/event.json", "/desk/cup/export/results.xlsx", "/e/cup/rounds.ics"):
        answer = hostile.get(url)
        said = answer.headers.get("Content-Disposition", "")
        assert (url, answer.status_code, re.search(r'[\r\n<>]|""', said)) == (url, 200, None)


# ---------------------------------------------------------------- too much


def test_more_than_a_desk_needs_is_refused(event: Event):
    staff = client_of(make_account(superuser=True))
    staff.raise_request_exception = False
    many = {f"field-{number}": "1" for number in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)}
    assert staff.post("/desk/cup/settings/rules/", many).status_code in {400, 413}
    large = b"x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    answer = staff.post("/api/v1/events/cup/rounds/1/tables/1/entries", large, content_type="application/json")
    assert (answer.status_code, len(answer.json()["problems"])) == (422, 1)


def test_a_number_may_be_as_large_as_the_database_can_hold_and_no_larger(event: Event):
    by = writer_of(event)
    player = event.players.select_related("event").get(number=1)
    given = give_penalty(player=player, points=1000, reason="late", client_id=uuid4(), by=by)
    Penalty.objects.filter(pk=given.pk).update(id=2_147_483_647)
    client = client_of(by)
    assert client.get("/desk/cup/penalties/2147483647/cancel/").status_code == 200
    assert client.get("/desk/cup/penalties/2147483648/cancel/").status_code == 404
