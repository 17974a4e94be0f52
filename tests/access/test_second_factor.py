"""Two-step sign-in: switched on with an app's code, asked for after the password, recovered without the phone."""

import base64
import datetime as dt
import json
import re

import pytest
import time_machine
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.test import Client, override_settings

from tests.factories import make_account
from tournament.accounts.actions import create_organiser_link, get_site_organiser, set_password
from tournament.accounts.models import Account, SecondFactor
from tournament.core.models import AuditRow

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

PASSWORD = "seven winds blow"
PAGE = "/account/second-step/"
START = dt.datetime(2026, 9, 12, 9, 0, tzinfo=dt.UTC)


def shown_by_app(key: str, at: dt.datetime) -> str:
    """Return what an authenticator app shows: another road than that of the desk's own check."""
    return TOTP(base64.b32decode(key), 6, SHA1(), 30).generate(int(at.timestamp())).decode()


@pytest.fixture
def rita() -> Account:
    account = make_account("Rita")
    set_password(password=PASSWORD, by=account)
    return account


def with_password(account: Account, password: str = PASSWORD, **more: str) -> tuple[Client, str]:
    """Give name and password; return the client and where it is sent."""
    client = Client()
    answer = client.post("/login/", {"username": account.username, "password": password, **more})
    return client, answer.get("Location", "")


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def switched_on(account: Account, at: dt.datetime = START) -> tuple[str, list[str]]:
    """Switch it on as a person does; return the app's key and the recovery codes."""
    client, _where = with_password(account)
    client.post(PAGE, {"act": "begin"})
    key = key_of(client)
    done = client.post(PAGE, {"act": "on", "code": shown_by_app(key, at)}).content.decode()
    return key, re.findall(r"<li>([a-z2-7-]{19})</li>", done)


def key_of(client: Client) -> str:
    found = re.search(r'<code translate="no">([A-Z2-7 ]+)</code>', client.get(PAGE).content.decode())
    assert found
    return found[1].replace(" ", "")


@pytest.mark.postgresql
@time_machine.travel(START, tick=False)
def test_a_password_alone_lets_nobody_in(rita: Account):
    with time_machine.travel(START - dt.timedelta(minutes=1), tick=False):
        key, codes = switched_on(rita, START - dt.timedelta(minutes=1))
    client, where = with_password(rita, next="/calculator/")
    assert (len(codes), where, is_in(client)) == (8, "/login/code/", False)
    assert client.post(where, {"code": "000000"}).status_code == 422
    assert not is_in(client)
    answer = client.post(where, {"code": shown_by_app(key, START)})
    assert (answer["Location"], is_in(client)) == ("/calculator/", True)


@pytest.mark.follows("before/signing-in.md")
@time_machine.travel(START, tick=False)
def test_a_code_counts_once_and_a_recovery_code_too(rita: Account):
    key, codes = switched_on(rita)
    taken = shown_by_app(key, START)
    for code, status in ((taken, 422), (codes[0].upper(), 302), (codes[0], 422), (codes[1].replace("-", ""), 302)):
        client, where = with_password(rita)
        assert (code, client.post(where, {"code": code}).status_code) == (code, status)
    assert SecondFactor.objects.get().recovery.__len__() == 6
    assert AuditRow.objects.filter(event=None, verb="recovery_code_used").count() == 2


@time_machine.travel(START, tick=False)
def test_codes_are_limited_as_passwords_are(rita: Account):
    _key, codes = switched_on(rita)
    client, where = with_password(rita)
    found = [client.post(where, {"code": "123456"}).status_code for _ in range(11)]
    assert found == [422] * 10 + [429]
    assert client.post(where, {"code": codes[0]}).status_code == 429
    with time_machine.travel(START + dt.timedelta(minutes=16), tick=False):
        client, where = with_password(rita)
        assert client.post(where, {"code": codes[0]}).status_code == 302


@time_machine.travel(START, tick=False)
def test_the_first_step_is_forgotten_after_minutes_and_with_another_password(rita: Account):
    _key, codes = switched_on(rita)
    late, where = with_password(rita)
    with time_machine.travel(START + dt.timedelta(minutes=11), tick=False):
        assert (late.post(where, {"code": codes[0]})["Location"], is_in(late)) == ("/login/", False)
    changed, where = with_password(rita)
    set_password(password="nine gates open", by=rita)
    assert (changed.post(where, {"code": codes[0]})["Location"], is_in(changed)) == ("/login/", False)
    assert Client().get("/login/code/")["Location"] == "/login/"


@pytest.mark.postgresql
@time_machine.travel(START, tick=False)
def test_switched_on_and_off_sent_twice_is_done_once(rita: Account):
    key, codes = switched_on(rita)
    client, where = with_password(rita)
    client.post(where, {"code": codes[0]})
    again = client.post(PAGE, {"act": "on", "code": shown_by_app(key, START)})
    assert (again.status_code, "On since" in again.content.decode()) == (200, True)
    off = {"act": "off", "code": codes[1]}
    assert [client.post(PAGE, off).status_code for _ in range(2)] == [302, 302]
    acts = [row.verb for row in AuditRow.objects.filter(event=None, by=str(rita.uid)).order_by("seq")]
    assert [verb for verb in acts if verb.startswith("second")] == ["second_factor_on", "second_factor_off"]
    assert with_password(rita)[1] != "/login/code/"


@time_machine.travel(START, tick=False)
def test_a_wrong_first_code_switches_nothing_on(rita: Account):
    client, _where = with_password(rita)
    client.post(PAGE, {"act": "begin"})
    key = key_of(client)
    assert client.post(PAGE, {"act": "on", "code": "12"}).status_code == 422
    assert (key_of(client), SecondFactor.objects.count()) == (key, 0)
    assert Client().post(PAGE, {"act": "on", "code": "12"})["Location"].startswith("/login/")
    assert client.post("/login/code/").status_code == 302


@time_machine.travel(START, tick=False)
def test_it_needs_a_fresh_password_and_there_must_be_one(rita: Account):
    client, _where = with_password(rita)
    with time_machine.travel(START + dt.timedelta(minutes=20), tick=False):
        assert client.post(PAGE, {"act": "begin"}).status_code == 403
        assert client.post(PAGE, {"act": "begin", "again-password": PASSWORD})["Location"] == PAGE
    guest = Client()
    guest.post(f"/enter/{create_organiser_link()}/")
    assert "Set a password first" in guest.get(PAGE).content.decode()


@time_machine.travel(START, tick=False)
@pytest.mark.parametrize("act", ["off", "codes"])
def test_a_password_alone_changes_nothing_of_it(rita: Account, act: str):
    key, codes = switched_on(rita)
    client, where = with_password(rita)
    client.post(where, {"code": codes[0]})
    recovery = SecondFactor.objects.get().recovery
    with time_machine.travel(START + dt.timedelta(minutes=20), tick=False):
        sent = {"act": act, "again-password": PASSWORD}
        assert [client.post(PAGE, {**sent, **code}).status_code for code in ({}, {"code": "000000"})] == [422, 422]
        assert (SecondFactor.objects.get().recovery, SecondFactor.objects.count()) == (recovery, 1)
        shown = shown_by_app(key, START + dt.timedelta(minutes=20))
        done = client.post(PAGE, {"act": act, "code": shown})
    assert done.status_code == (302 if act == "off" else 200)
    assert [row.recovery == recovery for row in SecondFactor.objects.all()] == ([] if act == "off" else [False])


@time_machine.travel(START, tick=False)
def test_wrong_codes_in_a_session_end_and_do_not_lock_its_owner_out(rita: Account):
    key, codes = switched_on(rita)
    client, where = with_password(rita)
    client.post(where, {"code": codes[0]})
    answers = [client.post(PAGE, {"act": "off", "code": "000000"}).status_code for _ in range(12)]
    assert answers == [422] * 10 + [429] * 2
    assert client.post(PAGE, {"act": "off", "code": shown_by_app(key, START)}).status_code == 429
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    elsewhere.post("/login/", {"username": rita.username, "password": PASSWORD})
    assert elsewhere.post("/login/code/", {"code": codes[1]}).status_code == 302


@pytest.mark.postgresql
@time_machine.travel(START, tick=False)
def test_new_recovery_codes_end_the_old(rita: Account):
    _key, codes = switched_on(rita)
    client, where = with_password(rita)
    client.post(where, {"code": codes[0]})
    new = re.findall(
        r"<li>([a-z2-7-]{19})</li>", client.post(PAGE, {"act": "codes", "code": codes[2]}).content.decode()
    )
    for code, status in ((codes[1], 422), (new[0], 302)):
        client, where = with_password(rita)
        assert client.post(where, {"code": code}).status_code == status


@time_machine.travel(START, tick=False)
def test_the_database_alone_signs_nobody_in_and_the_console_always_does(rita: Account):
    organiser = get_site_organiser()
    set_password(password=PASSWORD, by=organiser)
    key, codes = switched_on(organiser)
    row = SecondFactor.objects.get()
    assert key not in row.sealed_key
    assert not [code for code in codes if code in json.dumps(row.recovery)]
    with override_settings(SECRET_KEY="another machine's"):
        client, where = with_password(organiser)
        assert client.post(where, {"code": shown_by_app(key, START + dt.timedelta(seconds=30))}).status_code == 422
        assert client.post(where, {"code": codes[0]}).status_code == 302
    by_link = Client()
    by_link.post(f"/enter/{create_organiser_link()}/")
    assert is_in(by_link)
