"""Rights: every address says whom it is for, and lets in nobody else."""

import re
from collections.abc import Iterator, Mapping
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.factories import enter, make_account, make_event, rows_of, sign, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import client_of, organiser, referee, session_of, table_url, values
from tournament.accounts.actions import set_password
from tournament.accounts.models import Membership, Role
from tournament.events.models import Event
from tournament.players.models import Player

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

AUDIENCES = {"anyone", "public", "account", "site", "event"}
SAMPLE = {
    "slug": "cup",
    "number": "1",
    "other": "2",
    "kind": "result",
    "shape": "story",
    "after": "1",
    "round_number": "1",
    "table_number": "1",
    "penalty_id": "1",
    "time_id": "1",
    "draft_id": "1",
    "substitution_id": "1",
    "call_id": "1",
    "announcement_id": "1",
    "drill_id": "1",
    "letter_id": "1",
    "import_id": "1",
    "device_id": "1",
    "account_id": "0",
    "page": "names",
    "sheet": "seating",
    "token": "none",
    "key": "ema-2025",
    "own": "club",
    "code": "en-gb",
    "uid": "00000000-0000-4000-8000-000000000001",
}  # fmt: skip


def walk(
    resolver: URLResolver, before: str = "", values: Mapping[str, str] = SAMPLE
) -> Iterator[tuple[str, URLPattern]]:
    """Yield every address with its pattern; what stands in the address is filled from these values."""
    for part in resolver.url_patterns:
        route = before + str(part.pattern)
        if isinstance(part, URLResolver):
            yield from walk(part, route, values)
        else:
            yield "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda match: values[match[1]], route), part


def addresses(*audiences: str) -> list[str]:
    return [url for url, part in walk(get_resolver()) if getattr(part.callback, "audience", None) in audiences]


made = module_event(slug="cup")


def test_every_view_says_its_audience():
    unsaid = [url for url, part in walk(get_resolver()) if getattr(part.callback, "audience", None) not in AUDIENCES]
    assert unsaid == []


def test_every_page_of_the_desk_is_for_those_who_may():
    desk = [url for url, _part in walk(get_resolver()) if url.startswith("/desk/")]
    assert sorted(desk) == sorted(url for url in addresses("site", "event") if "/api/" not in url)


@pytest.mark.parametrize("page_of_another", [False, True])
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_stranger_is_sent_to_sign_in(client: Client, event: Event, method: str, page_of_another: bool):
    """So is a page of an account that is not signed in in this browser any more; it names its account."""
    headers = {"X-Account": str(writer_of(event).pk)} if page_of_another else {}
    if page_of_another:
        client = client_of(make_account(superuser=True))
    for url in addresses("account", "site", "event"):
        answer = getattr(client, method)(url, headers=headers)
        if answer.status_code == 405:
            continue
        if url.startswith("/api/"):
            assert (url, answer.status_code, answer.json()["problems"][0]["code"]) == (
                url, 401, "access.not_signed_in"
            )  # fmt: skip
        else:
            assert (url, answer.status_code, answer.headers["Location"]) == (url, 302, f"/login/?next={url}")


OF_ORGANISERS: list[tuple[str, dict[str, str]]] = [
    ("players/", {"preferred_name": "Zora"}),
    ("players/1/", {"act": "remove"}),
    ("players/import/", {"confirmed": "x"}),
    ("results/import/", {"confirmed": "x"}),
    ("penalties/import/", {"confirmed": "x"}),
    ("rounds/1/tables/1/import/", {"confirmed": "x"}),
    ("imports/1/back/", {"reason": "x"}),
    ("seating/", {"act": "publish", "sure": "1", "rounds": "1"}),
    ("seating/", {"act": "draw", "seed": "1"}),
    ("seating/", {"act": "discard"}),
    ("seating/redraw/", {"act": "join", "name": "Zora"}),
    ("seating/next/", {"act": "cancel", "after": "1", "reason": "x"}),
    ("seating/swap/", {"round": "1", "one": "1", "other": "2", "reason": "x"}),
    ("results/teams/", {"best": "1"}),
    ("players/1/leaves/", {"reason": "x"}),
    ("players/1/back/", {"reason": "x"}),
    ("players/import/back/", {"number": "1"}),
    ("players/1/privacy/", {}),
    ("players/1/forget/", {"reason": "x"}),
    ("settings/privacy/", {"listed": "1"}),
    ("settings/privacy/months/", {"months": "1"}),
    ("settings/privacy/forget/", {}),
    ("wrong-person/", {"one": "1", "other": "2", "seen": "1=1:0=1:1", "reason": "x"}),
    ("seating/", {"act": "start", "seed": "1"}),
    ("seating/", {"act": "take", "draft": "1"}),
    ("seating/import/", {"confirmed": "x"}),
    ("rounds/1/release/", {}),
    ("members/", {"name": "Zora", "role": "viewer"}),
    ("settings/rules/", {"minutes": "1"}),
    ("settings/second-person/", {"second_person": "other_person"}),
    ("settings/publication/", {"live_tables": "hands", "live_others": "all", "hold": "last"}),
    ("results/show/", {}),
    ("rounds/1/tables/1/totals/decide/", {"typed": "1", "reason": "x"}),
    ("wall/pages/", {"on-clock": "on", "position-clock": "1", "seconds-clock": "9"}),
    ("wall/network/", {"network": "Hall"}),
    ("wall/prizes/", {"act": "begin"}),
]


@pytest.mark.usefixtures("others_aside")
def test_a_referee_cannot_do_what_organisers_do():
    event = make_event(slug="cup", tables=1, rounds=1, published=False)
    client, before = referee(event), (event.version, Player.objects.count())
    for end, data in OF_ORGANISERS:
        assert (end, data, client.post(f"/desk/cup/{end}", data).status_code) == (end, data, 404)
        event.refresh_from_db()
        assert (end, data, event.version, Player.objects.count()) == (end, data, *before)
    assert event.rounds.filter(published_at__isnull=False).count() == 0


def test_a_referee_cannot_release_a_round_that_is_ready(event: Event):
    for number in (1, 2):
        enter(table_of(event, number), "1t 230")
        sign(table_of(event, number))
    referee(event).post("/desk/cup/rounds/1/release/")
    assert event.rounds.filter(released_at__isnull=False).count() == 0
    organiser(event).post("/desk/cup/rounds/1/release/")
    assert event.rounds.filter(released_at__isnull=False).count() == 1


def test_a_referee_is_shown_only_the_doors_that_open(event: Event):
    client, opened = referee(event), set[str]()
    for end in ("", "penalties/", "paper/", "results/", "wall/", "rounds/1/tables/1/"):
        page = client.get(f"/desk/cup/{end}").content.decode()
        printed = set(
            re.findall(r'href="(/desk/cup/print/[^"?#]*)', page)
        )  # paper takes its time and is tried elsewhere
        linked = set(re.findall(r'href="(/desk/cup/[^"?#]*)', page)) - printed - opened
        assert {url for url in linked if client.get(url).status_code != 200} == set(), end
        opened |= linked


def test_no_page_answers_a_form_without_its_token(event: Event):
    client = Client(enforce_csrf_checks=True)
    client.force_login(event.memberships.get().account, backend="django.contrib.auth.backends.ModelBackend")
    for end in (
        "players/",
        "seating/",
        "seating/import/",
        "members/",
        "settings/rules/",
        "penalties/",
        "rounds/1/start/",
        "rounds/1/tables/1/",
    ):
        assert client.post(f"/desk/cup/{end}", {}).status_code == 403


def test_a_page_writes_under_the_name_of_its_own_account_alone(event: Event):
    """Two tabs of a browser: the organiser's page sends a hand after a referee has signed in beside it."""
    rita = make_account("Rita")
    Membership.objects.create(event=event, account=rita, role=Role.REFEREE)
    set_password(password="seven winds blow", by=rita)
    browser, ada = organiser(event), writer_of(event)
    browser.handler.enforce_csrf_checks = True
    page = browser.get(table_url(event))
    hand = {"client_id": str(uuid4()), "expected_seq": "0", "line": "2r3 340"}
    form = hand | {"csrfmiddlewaretoken": values(page, "csrfmiddlewaretoken")[0]}
    sign_in = {"csrfmiddlewaretoken": form["csrfmiddlewaretoken"], "username": rita.username}
    browser.post("/login/", sign_in | {"password": "seven winds blow"})
    assert "Rita" in browser.get("/account/").content.decode()

    def send_from_outbox(*, htmx: bool) -> int:
        sent = {
            "Accept": "application/json",
            "X-CSRFToken": browser.cookies["csrftoken"].value,
            "X-Account": str(ada.pk),
        }
        return browser.post(table_url(event), hand, headers=sent | ({"HX-Request": "true"} if htmx else {})).status_code

    # its forms have the token of before: each sign-in makes a new one
    assert browser.post(table_url(event), form).status_code == 403
    assert [send_from_outbox(htmx=htmx) for htmx in (False, True)] == [302, 401]
    assert rows_of(table_of(event)) == []
    browser.cookies[settings.SESSION_COOKIE_NAME] = session_of(ada)
    assert [send_from_outbox(htmx=False) for _twice in range(2)] == [200, 200]
    assert [row.by for row in rows_of(table_of(event))] == [str(ada.uid)]
