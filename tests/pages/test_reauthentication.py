"""Asked once more: before destroying and publishing, with what was sent kept; never in the hurry of a round."""

import datetime as dt
import html
import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client

from tests.factories import enter, fresh, make_event, sign, table_of, writer_of
from tests.pages.at_desk import client_of
from tests.pages.html_reader import texts
from tournament.accounts.actions import set_password
from tournament.accounts.models import Account, DeskSession
from tournament.events.models import Event
from tournament.tables.models import Round

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

PASSWORD = "seven winds blow"
NOON = dt.datetime(2026, 9, 12, 12, tzinfo=dt.UTC)
PUBLICATION = {"live_tables": "hands", "live_others": "all", "hold": "last", "show_needs": "on"}


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    with time_machine.travel(NOON, tick=False):
        return make_event(slug="cup", rounds=2)


@pytest.fixture
def event(made: Event, clock: Any) -> Event:
    return fresh(made)


@pytest.fixture
def account(event: Event) -> Account:
    return writer_of(event)


@pytest.fixture
def by_password(account: Account) -> Client:
    """Return the organiser's browser, come in by a password just now."""
    set_password(password=PASSWORD, by=account)
    client = Client()
    client.post("/login/", {"username": account.username, "password": PASSWORD})
    return client


def publish(client: Client, **more: str) -> Any:
    return client.post("/desk/cup/settings/publication/", {**PUBLICATION, **more})


def is_published(event: Event) -> bool:
    event.refresh_from_db()
    return (event.live_tables, event.live_others, event.hold, event.show_needs) == ("hands", "all", "last", True)


def kept(page: Any) -> dict[str, str]:
    """Return the hidden fields of a page's form, the token left out."""
    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page.content.decode())
    return {name: html.unescape(value) for name, value in found if name != "csrfmiddlewaretoken"}


# ---------------------------------------------------------------- with a password


@pytest.mark.postgresql
def test_within_a_quarter_of_an_hour_nothing_is_asked(by_password: Client, event: Event, clock: Any):
    clock.shift(dt.timedelta(minutes=14, seconds=59))
    assert publish(by_password)["Location"] == "/desk/cup/settings/publication/"
    assert is_published(event)


def test_later_the_password_is_asked_and_what_was_sent_is_kept(by_password: Client, event: Event, clock: Any):
    clock.shift(dt.timedelta(minutes=15))
    page = publish(by_password)
    assert (page.status_code, texts(page, "h1")) == (403, ["Is it you, Organiser?"])
    assert kept(page) == PUBLICATION
    assert not is_published(event)
    assert publish(by_password, **{"again-password": PASSWORD})["Location"] == "/desk/cup/settings/publication/"
    assert is_published(event)


def test_a_proof_is_good_for_another_quarter_of_an_hour(by_password: Client, event: Event, clock: Any):
    clock.shift(dt.timedelta(hours=2))
    publish(by_password, **{"again-password": PASSWORD})
    clock.shift(dt.timedelta(minutes=14))
    assert publish(by_password, hold="nothing").status_code == 302
    clock.shift(dt.timedelta(minutes=1))
    assert publish(by_password).status_code == 403


def test_a_wrong_password_keeps_everything_and_does_nothing(by_password: Client, event: Event, clock: Any):
    clock.shift(dt.timedelta(hours=1))
    page = publish(by_password, **{"again-password": "guess"})
    assert (page.status_code, texts(page, ".note")) == (403, ["Error This is not your password."])
    assert kept(page) == PUBLICATION
    assert not is_published(event)


def test_ten_wrong_passwords_make_even_the_right_one_wait(by_password: Client, event: Event, clock: Any):
    clock.shift(dt.timedelta(hours=1))
    for _ in range(10):
        publish(by_password, **{"again-password": "guess"})
    page = publish(by_password, **{"again-password": PASSWORD})
    assert (page.status_code, page["Retry-After"]) == (429, "900")
    assert (kept(page), is_published(event)) == (PUBLICATION, False)
    clock.shift(dt.timedelta(minutes=15))
    publish(by_password, **{"again-password": PASSWORD})
    assert is_published(event)


def test_the_password_of_somebody_else_is_none(by_password: Client, event: Event, clock: Any):
    set_password(password="eight winds blow", by=Account.objects.create(username="x", display_name="X"))
    clock.shift(dt.timedelta(hours=1))
    assert publish(by_password, **{"again-password": "eight winds blow"}).status_code == 403


def test_the_password_is_not_written_into_the_page(by_password: Client, event: Event, clock: Any):
    clock.shift(dt.timedelta(hours=1))
    page = publish(by_password, **{"again-password": "nearly " + PASSWORD})
    assert "nearly" not in page.content.decode()
    assert "no-store" in page["Cache-Control"]


def test_lists_and_line_breaks_are_kept(by_password: Client, event: Event, clock: Any):
    clock.shift(dt.timedelta(hours=1))
    page = by_password.post("/desk/cup/settings/publication/", {"a": ["1", "2"], "b": "one\r\ntwo <b>"})
    found = re.findall(r'<input type="hidden" name="(a|b)" value="([^"]*)"', page.content.decode())
    assert [(name, html.unescape(value)) for name, value in found] == [("a", "1"), ("a", "2"), ("b", "one\r\ntwo <b>")]


# ---------------------------------------------------------------- without one


def test_who_came_by_a_link_is_not_asked_on_that_day(account: Account, event: Event, clock: Any):
    client = client_of(account)
    clock.shift(dt.timedelta(hours=11, minutes=59))
    assert publish(client).status_code == 302
    assert is_published(event)


def test_later_a_first_password_is_the_proof(account: Account, event: Event, clock: Any):
    client, other = client_of(account), client_of(account)
    clock.shift(dt.timedelta(hours=12))
    page = publish(client)
    assert (page.status_code, texts(page, "label")) == (403, ["New password", "New password confirmation"])
    poor = publish(client, **{"again-new_password1": "short", "again-new_password2": "short"})
    assert (poor.status_code, kept(poor), is_published(event)) == (403, PUBLICATION, False)
    assert publish(client, **{"again-new_password1": PASSWORD, "again-new_password2": PASSWORD}).status_code == 302
    assert is_published(event)
    account.refresh_from_db()
    assert account.check_password(PASSWORD)
    assert client.get("/account/").status_code == 200
    assert other.get("/account/").status_code == 302
    assert DeskSession.objects.count() == 1


def test_an_old_session_cannot_set_a_password_over_one_that_is_there(by_password: Client, account: Account, clock: Any):
    clock.shift(dt.timedelta(hours=13))
    page = publish(
        by_password, **{"again-new_password1": "eight winds blow", "again-new_password2": "eight winds blow"}
    )
    assert page.status_code == 403
    account.refresh_from_db()
    assert account.check_password(PASSWORD)


# ---------------------------------------------------------------- what is asked, and what is not


@pytest.mark.parametrize(
    ("end", "sent", "asked"),
    [
        ("settings/publication/", PUBLICATION, True),
        ("results/show/", {}, True),
        ("imports/1/back/", {"reason": "x"}, True),
        ("devices/shut-out/", {}, True),
        ("wall/prizes/", {"act": "begin"}, True),
        ("wall/prizes/", {"act": "results"}, True),
        ("wall/prizes/", {"act": "show", "step": "1"}, False),
        ("wall/prizes/", {"act": "end"}, False),
        ("rounds/1/release/", {}, False),
        ("rounds/2/release/", {}, True),
        ("rounds/1/start/", {}, False),
        ("rounds/1/tables/1/", {"line": "1t 230"}, False),
        ("settings/rules/", {}, False),
        ("settings/languages/", {"language": "de"}, False),
    ],
)
def test_what_is_asked(by_password: Client, event: Event, clock: Any, end: str, sent: dict[str, str], asked: bool):
    clock.shift(dt.timedelta(hours=1))
    page = by_password.post(f"/desk/cup/{end}", sent)
    assert ("Is it you, Organiser?" in page.content.decode()) == asked


def test_rules_are_asked_for_once_play_has_begun(by_password: Client, event: Event, clock: Any):
    clock.shift(dt.timedelta(hours=1))
    by_password.post("/desk/cup/rounds/1/start/")
    assert by_password.get("/desk/cup/settings/rules/").status_code == 200
    assert by_password.post("/desk/cup/settings/rules/", {}).status_code == 403


def test_the_last_round_is_released_after_the_password(by_password: Client, event: Event, clock: Any):
    for number in (1, 2):
        enter(table_of(event, number), "1t 230")
        sign(table_of(event, number))
        enter(table_of(event, number, round_=2), "1t 230")
        sign(table_of(event, number, round_=2))
    clock.shift(dt.timedelta(hours=1))
    assert by_password.post("/desk/cup/rounds/1/release/").status_code == 302
    assert by_password.post("/desk/cup/rounds/2/release/").status_code == 403
    assert released() == [1]
    by_password.post("/desk/cup/rounds/2/release/", {"again-password": PASSWORD})
    assert released() == [1, 2]


def released() -> list[int]:
    return list(Round.objects.filter(released_at__isnull=False).values_list("number", flat=True))


def test_htmx_is_given_the_whole_page(by_password: Client, event: Event, clock: Any):
    clock.shift(dt.timedelta(hours=1))
    page = by_password.post("/desk/cup/settings/publication/", PUBLICATION, headers={"HX-Request": "true"})
    assert (page.status_code, page["HX-Retarget"], page["HX-Reswap"]) == (200, "body", "innerHTML")


def test_who_may_not_is_told_so_and_not_asked(event: Event, clock: Any):
    assert Client().post("/desk/cup/settings/publication/", PUBLICATION)["Location"].startswith("/login/")
