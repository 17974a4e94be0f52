"""Where somebody is signed in: the list, signing out there, and what a change of password ends."""

import datetime as dt

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from tests.factories import make_account, make_event, writer_of
from tests.pages.at_desk import BACKEND, organiser
from tests.pages.html_reader import text, texts
from tournament.accounts.actions import get_site_organiser, set_password
from tournament.accounts.models import Account, DeskSession, Membership, Role
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.pages.sign_in import browser_of

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

PASSWORD = "seven winds blow"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
    "Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def rita() -> Account:
    account = make_account("Rita")
    set_password(password=PASSWORD, by=account)
    return account


def signed_in(account: Account, agent: str = FIREFOX, password: str = PASSWORD) -> Client:
    client = Client(headers={"User-Agent": agent})
    assert client.post("/login/", {"username": account.username, "password": password}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def number_beside(client: Client, browser: str) -> str:
    """Return the number that a list's form sends for the row of this browser."""
    rows = client.get("/account/").content.decode().split("<tr>")
    row = next(row for row in rows if f"<b>{browser}</b>" in row)
    return row.partition('name="number" value="')[2].partition('"')[0]


# ---------------------------------------------------------------- the list


def test_the_list_names_each_browser_and_marks_this_one(rita: Account):
    signed_in(rita, IPHONE)
    here = signed_in(rita)
    rows = texts(here.get("/account/"), "tr")[1:]
    for row, start in zip(rows, ("Firefox on Linux this browser", "Safari on iPhone"), strict=True):
        assert row.startswith(f"{start} ")
    assert ["this browser" in row for row in rows] == [True, False]
    assert ["Sign out there" in row for row in rows] == [False, True]


def test_the_list_shows_nobody_elses_browsers(rita: Account):
    signed_in(rita, IPHONE)
    other = make_account("Rolf")
    set_password(password=PASSWORD, by=other)
    assert len(texts(signed_in(other).get("/account/"), "tr")) == 2


def test_no_page_has_the_key_of_a_session(rita: Account):
    first, here = signed_in(rita, IPHONE), signed_in(rita)
    page = here.get("/account/").content.decode()
    assert [key for key in (first.session.session_key, here.session.session_key) if str(key) in page] == []


def test_neither_address_nor_user_agent_is_kept(rita: Account):
    signed_in(rita)
    row = DeskSession.objects.get()
    kept = f"{row.browser} {row.get_decoded()}"
    assert row.browser == "firefox linux"
    assert [part for part in ("127.0.0.1", "Gecko", "130.0", "x86_64") if part in kept] == []


def test_last_seen_moves_at_most_every_five_minutes(rita: Account, django_assert_num_queries):
    client = signed_in(rita)
    begun = DeskSession.objects.get().seen_at
    with time_machine.travel(begun + dt.timedelta(minutes=4), tick=False):
        client.get("/account/")
        assert DeskSession.objects.get().seen_at == begun
    with time_machine.travel(begun + dt.timedelta(minutes=6), tick=False):
        client.get("/account/")
        row = DeskSession.objects.get()
        assert (row.seen_at, row.made_at < begun) == (timezone.now(), True)


def test_signing_in_throws_away_sessions_that_are_over(rita: Account):
    signed_in(rita)
    with time_machine.travel(timezone.now() + dt.timedelta(days=31)):
        signed_in(rita)
        assert DeskSession.objects.count() == 1


@pytest.mark.parametrize(
    ("agent", "code"),
    [
        (FIREFOX, "firefox linux"),
        (IPHONE, "safari iphone"),
        (("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
         "Safari/537.36 Edg/126.0.0.0"), "edge windows"),
        (("Mozilla/5.0 (Linux; Android 14; SM-X210) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 "
         "Chrome/121.0.0.0 Safari/537.36"), "samsung android"),
        (("Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 "
         "Mobile/15E148 Safari/604.1"), "chrome ipad"),
        (("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
         "Safari/605.1.15"), "safari mac"),
        ("", ""),
        ("<script>alert(1)</script>", ""),
    ],
)  # fmt: skip
def test_kinds_of_browsers(agent: str, code: str):
    assert browser_of(agent) == code


# ---------------------------------------------------------------- signing out elsewhere


@pytest.mark.follows("before/signing-in.md")
@pytest.mark.postgresql
def test_signing_out_one_leaves_the_others(rita: Account):
    phone, other, here = signed_in(rita, IPHONE), signed_in(rita), signed_in(rita)
    number = number_beside(here, "Safari on iPhone")
    page = here.post("/account/sessions/end/", {"number": number}, follow=True)
    assert texts(page, ".messages") == ["Done 1 browser is signed out."]
    assert (is_in(phone), is_in(other), is_in(here)) == (False, True, True)


def test_signing_out_everywhere_else(rita: Account):
    phone, other, here = signed_in(rita, IPHONE), signed_in(rita), signed_in(rita)
    page = here.post("/account/sessions/end/", {"others": "1"}, follow=True)
    assert texts(page, ".messages") == ["Done 2 browsers are signed out."]
    assert (is_in(phone), is_in(other), is_in(here)) == (False, False, True)
    row = AuditRow.objects.filter(event=None).order_by("-seq")[0]
    assert (row.verb, row.details, row.by) == ("sessions_ended", '{"sessions":2}', str(rita.uid))


def test_nobody_signs_out_somebody_else(rita: Account):
    phone, here = signed_in(rita, IPHONE), signed_in(rita)
    number = number_beside(here, "Safari on iPhone")
    other = make_account("Rolf")
    set_password(password=PASSWORD, by=other)
    page = signed_in(other).post("/account/sessions/end/", {"number": number}, follow=True)
    assert texts(page, ".messages") == ["Note Nobody was signed in there."]
    assert is_in(phone)


@pytest.mark.postgresql
def test_a_new_password_ends_the_others_and_they_leave_the_list(rita: Account):
    phone, here = signed_in(rita, IPHONE), signed_in(rita)
    new = {"new_password1": "eight winds blow", "new_password2": "eight winds blow"}
    here.post("/account/", {"form": "password", "old_password": PASSWORD, **new})
    assert DeskSession.objects.count() == 1
    assert (is_in(phone), is_in(here)) == (False, True)


def test_signing_out_ends_the_own_session_alone(rita: Account):
    phone, here = signed_in(rita, IPHONE), signed_in(rita)
    here.post("/logout/")
    assert (is_in(phone), is_in(here)) == (True, False)


# ---------------------------------------------------------------- an organiser signs somebody out


def test_an_answer_to_a_session_that_is_over_takes_no_cookie_away(rita: Account):
    """It may come late, and take that of somebody away who signed in meanwhile."""
    here = signed_in(rita)
    key = here.cookies["sessionid"].value
    DeskSession.objects.all().delete()
    late = here.get("/account/")
    assert (late.status_code, "sessionid" in late.cookies) == (302, False)
    assert "Cookie" in late["Vary"]
    again = here.post("/login/", {"username": rita.username, "password": PASSWORD})
    assert again.cookies["sessionid"].value not in ("", key)
    assert here.post("/logout/").cookies["sessionid"].value == ""  # one's own sign-out does


def member(event: Event, role: Role = Role.REFEREE) -> Account:
    account = make_account("Rolf")
    set_password(password=PASSWORD, by=account)
    Membership.objects.create(event=event, account=account, role=role)
    return account


@pytest.mark.postgresql
def test_an_organiser_signs_a_referee_out():
    event = make_event(slug="cup")
    rolf = member(event)
    client = signed_in(rolf)
    page = organiser(event).post(f"/desk/cup/members/{rolf.pk}/sign-out/", follow=True)
    assert texts(page, ".messages") == ["Done 1 browser is signed out."]
    assert not is_in(client)


def test_whoever_is_at_another_event_too_is_signed_out_by_the_site_alone():
    event = make_event(slug="cup")
    rolf = member(event)
    Membership.objects.create(event=make_event(), account=rolf, role=Role.REFEREE)
    client = signed_in(rolf)
    page = organiser(event).post(f"/desk/cup/members/{rolf.pk}/sign-out/", follow=True)
    assert text(page, ".messages") == (
        "Error They have a role in another event: only the desk’s administrator can sign them out."
    )
    assert is_in(client)
    site = Client()
    site.force_login(get_site_organiser(), backend=BACKEND)
    site.post(f"/desk/cup/members/{rolf.pk}/sign-out/")
    assert not is_in(client)


def test_an_organiser_signs_no_owner_out():
    event = make_event(slug="cup")
    rolf, owner = member(event, Role.ORGANISER), writer_of(event)
    set_password(password=PASSWORD, by=owner)
    client = signed_in(owner)
    assert signed_in(rolf).post(f"/desk/cup/members/{owner.pk}/sign-out/").status_code == 403
    assert is_in(client)


def test_a_stranger_to_the_event_cannot_be_signed_out_from_it(rita: Account):
    event = make_event(slug="cup")
    client = signed_in(rita)
    assert organiser(event).post(f"/desk/cup/members/{rita.pk}/sign-out/").status_code == 404
    assert is_in(client)


def test_a_referee_signs_nobody_out():
    event = make_event(slug="cup")
    rolf = member(event)
    assert signed_in(rolf).post(f"/desk/cup/members/{writer_of(event).pk}/sign-out/").status_code == 404
