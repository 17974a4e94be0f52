"""The way in: one-time links, signing in and out, the own account, and what is said to whom it does not let in."""

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, get_resolver

from tests.factories import make_account, make_event, writer_of
from tests.pages.html_reader import text, texts
from tournament.access.views import SIGN_INS
from tournament.accounts.actions import create_organiser_link, get_site_organiser, invite, set_password
from tournament.accounts.models import Account, EntryLink, Role
from tournament.core.models import AuditRow

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

PASSWORD = "seven winds blow"
AUDIENCES = {"anyone", "public", "account", "site", "event"}


def account_with_password(name: str) -> Account:
    account = make_account(name)
    set_password(password=PASSWORD, by=account)
    return account


def signed_in(client: Client) -> str | None:
    """Return the name of who is signed in."""
    uid = client.session.get("_auth_user_id")
    return Account.objects.get(pk=uid).display_name if uid else None


def sign_in(client: Client, name: str, password: str = PASSWORD, **more: str) -> Any:
    return client.post("/login/", {"username": name, "password": password, **more})


# ---------------------------------------------------------------- one-time links


def test_a_link_says_whom_it_is_for_and_is_not_used_by_looking(client: Client):
    event = make_event(slug="cup")
    token = invite(event=event, role=Role.REFEREE, name="Rita", by=writer_of(event))
    page = client.get(f"/enter/{token}/")
    assert texts(page, "h1") == ["Welcome, Rita"]
    assert "This link gives you access to Cup. Your role: referee." in texts(page, "p")
    assert EntryLink.objects.get().used_at is None
    assert signed_in(client) is None
    assert "no-store" in page["Cache-Control"]


@pytest.mark.follows("before/signing-in.md")
def test_the_button_lets_in_and_leads_to_the_desk(client: Client):
    event = make_event(slug="cup")
    token = invite(event=event, role=Role.REFEREE, name="Rita", by=writer_of(event))
    answer = client.post(f"/enter/{token}/")
    assert (answer.status_code, answer["Location"]) == (302, "/desk/cup/")
    assert signed_in(client) == "Rita"


def test_the_organisers_link_leads_to_the_one_event_or_to_the_list(client: Client):
    assert texts(client.get(f"/enter/{create_organiser_link()}/"), "h1") == ["Welcome to your desk"]
    assert client.post(f"/enter/{create_organiser_link()}/")["Location"] == "/"
    make_event(slug="cup")
    assert client.post(f"/enter/{create_organiser_link()}/")["Location"] == "/desk/cup/"
    assert signed_in(client) == "Organiser"


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_used_link_says_so(client: Client, method: str):
    token = create_organiser_link()
    client.post(f"/enter/{token}/")
    page = getattr(Client(), method)(f"/enter/{token}/")
    assert page.status_code == 410
    assert texts(page, "h1") == ["This link no longer works"]
    assert texts(page, ".actions") == ["Sign in with a password All events"]


def test_an_expired_link_says_so(client: Client):
    event = make_event()
    token = invite(event=event, role=Role.REFEREE, name="Rita", by=writer_of(event))
    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(days=15)):
        assert client.get(f"/enter/{token}/").status_code == 410
        assert client.post(f"/enter/{token}/").status_code == 410
    assert signed_in(client) is None


def test_who_comes_back_to_a_used_link_can_go_on(client: Client):
    token = create_organiser_link()
    client.post(f"/enter/{token}/")
    assert texts(client.get(f"/enter/{token}/"), ".actions") == ["Continue as Organiser"]


def test_who_is_signed_in_already_is_warned(client: Client):
    event = make_event()
    client.force_login(make_account("Rolf"), backend="django.contrib.auth.backends.ModelBackend")
    token = invite(event=event, role=Role.ORGANISER, name="Rita", by=writer_of(event))
    assert texts(client.get(f"/enter/{token}/"), ".note") == [
        "Warning You are signed in as Rolf. Continue to sign in again with this link."
    ]


def test_coming_in_makes_a_new_session():
    client = Client()
    client.force_login(make_account("Rolf"), backend="django.contrib.auth.backends.ModelBackend")
    before = client.session.session_key
    client.post(f"/enter/{create_organiser_link()}/")
    assert client.session.session_key != before


def test_a_link_is_not_used_by_another_site():
    token = create_organiser_link()
    answer = Client(enforce_csrf_checks=True).post(f"/enter/{token}/")
    assert answer.status_code == 403
    assert texts(answer, "h1") == ["This page was too old to be sent"]
    assert EntryLink.objects.get().used_at is None


# ---------------------------------------------------------------- signing in


def test_signing_in_by_either_name(client: Client):
    account = account_with_password("Rita Müller")
    for name in (account.username, "Rita Müller", " rita müller ".title()):
        client = Client()
        assert sign_in(client, name).status_code == 302
        assert signed_in(client) == "Rita Müller"


def test_a_name_that_two_share_does_not_let_in_but_the_sign_in_name_does(client: Client):
    one = account_with_password("Rita")
    account_with_password("Rita")
    page = sign_in(client, "Rita")
    assert texts(page, ".note") == [
        (
            "Error This name and password do not match. If two people have the same display name, use the "
            "sign-in name from your account page."
        )
    ]
    assert sign_in(client, one.username).status_code == 302


@pytest.mark.postgresql
def test_a_shared_name_is_no_obstacle_while_one_alone_has_a_password(client: Client):
    account_with_password("Rita")
    make_account("Rita")
    assert sign_in(client, "Rita").status_code == 302


def test_nobody_signs_in_as_somebody_without_a_password(client: Client):
    organiser = get_site_organiser()
    for password in ("", "!", "organiser"):
        assert sign_in(client, organiser.username, password).status_code == 200
    assert signed_in(client) is None


@pytest.mark.parametrize(
    ("target", "goes_to"),
    [
        ("/e/cup/standings/", "/e/cup/standings/"),
        ("", "/"),
        ("foo", "/"),  # not the name of a view
        ("https://elsewhere.example/", "/"),
        ("//elsewhere.example/", "/"),
        ("/\\elsewhere.example/", "/"),
        ("javascript:alert(1)", "/"),
    ],
)
def test_signing_in_goes_back_only_to_our_own_pages(client: Client, target: str, goes_to: str):
    account_with_password("Rita")
    assert sign_in(client, "Rita", next=target)["Location"] == goes_to
    assert client.get("/login/", {"next": target})["Location"] == goes_to


def test_a_stranger_at_the_desk_is_sent_to_sign_in_and_back(client: Client):
    make_event(slug="cup")
    answer = client.get("/desk/cup/")
    assert answer["Location"] == "/login/?next=/desk/cup/"
    page = client.get(answer["Location"])
    assert 'name="next" value="/desk/cup/"' in page.content.decode()


def test_ten_wrong_passwords_close_the_name_for_a_while(client: Client):
    account_with_password("Rita")
    for _ in range(10):
        assert sign_in(client, "Rita", "wrong").status_code == 200
    closed = sign_in(client, "Rita", "wrong")
    assert closed.status_code == 429
    assert texts(closed, "h1") == ["Too many wrong passwords"]
    assert sign_in(client, "Rita").status_code == 429
    assert signed_in(client) is None
    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(minutes=16)):
        assert sign_in(client, "Rita").status_code == 302


def test_strangers_who_guess_do_not_lock_the_browser_of_who_was_there_before(client: Client):
    account_with_password("Rita")
    assert sign_in(client, "Rita").status_code == 302
    client.post("/logout/")
    stranger = Client()
    while sign_in(stranger, "Rita", "wrong").status_code != 429:  # from the same address
        pass
    assert sign_in(Client(), "Rita").status_code == 429
    assert sign_in(client, "Rita").status_code == 302
    client.post("/logout/")
    forged = Client()
    forged.cookies["browser"] = f"{client.cookies['browser'].value}x"
    assert sign_in(forged, "Rita").status_code == 429
    for _ in range(10):
        sign_in(client, "Rita", "wrong")
    assert sign_in(client, "Rita").status_code == 429  # its own ten count, too


def test_guesses_from_many_addresses_are_counted_together(client: Client):
    account_with_password("Rita")
    assert sign_in(client, "Rita").status_code == 302
    client.post("/logout/")
    most = SIGN_INS.account or 0
    statuses = [sign_in(Client(REMOTE_ADDR=f"10.0.0.{n}"), "Rita", "wrong").status_code for n in range(most + 1)]
    assert statuses == [*[200] * most, 429]
    late = Client(REMOTE_ADDR="10.0.1.1")
    assert sign_in(late, "Rita").status_code == 429
    assert sign_in(client, "Rita").status_code == 302
    token = create_organiser_link()
    assert late.post(f"/enter/{token}/").status_code == 302  # the way past


def test_one_guest_who_guesses_closes_sign_in_for_nobody_elsewhere(client: Client):
    account_with_password("Rita")
    guest = Client(REMOTE_ADDR="192.0.2.66")
    answers = [sign_in(guest, f"Nobody {number}", "wrong").status_code for number in range(560)]
    assert (answers.count(200), answers.count(429)) == (100, 460)
    assert sign_in(Client(REMOTE_ADDR="192.0.2.1"), "Rita").status_code == 302


def test_addresses_of_one_network_are_counted_together():
    account_with_password("Rita")
    for number in range(10):
        sign_in(Client(REMOTE_ADDR=f"2001:db8:0:1::{number + 1}"), "Rita", "wrong")
    assert sign_in(Client(REMOTE_ADDR="2001:db8:0:1::ffff"), "Rita").status_code == 429
    assert sign_in(Client(REMOTE_ADDR="2001:db8:0:2::1"), "Rita").status_code == 302


def test_wrong_old_passwords_are_counted_with_those_of_other_pages():
    account = account_with_password("Rita")
    client, new = Client(), "nine gates open"
    assert sign_in(client, "Rita").status_code == 302

    def change(old: str) -> Any:
        return client.post(
            "/account/", {"form": "password", "old_password": old, "new_password1": new, "new_password2": new}
        )

    assert [change("wrong").status_code for _ in range(10)] == [200] * 10
    closed = change(PASSWORD)
    assert (closed.status_code, 890 <= int(closed["Retry-After"]) <= 900) == (429, True)
    account.refresh_from_db()
    assert account.check_password(PASSWORD)
    client.defaults["REMOTE_ADDR"] = "192.0.2.1"
    assert change(PASSWORD).status_code == 302


def test_names_that_are_invented_are_refused_without_a_hash():
    most = SIGN_INS.network or 0
    for number in range(most):
        sign_in(Client(), f"Nobody {number}", "wrong")
    guesser = Client()
    with CaptureQueriesContext(connection) as asked:
        assert sign_in(guesser, "Nobody", "wrong").status_code == 429
    assert not [query["sql"] for query in asked.captured_queries if not query["sql"].startswith("SELECT")]


def test_either_spelling_of_a_name_counts_as_the_same_account(client: Client):
    account = account_with_password("Rita")
    for name in ["Rita", "RITA", account.username] * 3:
        sign_in(client, name, "wrong")
    assert sign_in(client, "rita", "wrong").status_code == 200
    assert sign_in(client, account.username, "wrong").status_code == 429


@pytest.mark.parametrize("address", ["", "rounds/1/tables/1/time/", "rounds/1/tables/1/preview/?line=2r3"])
def test_a_page_that_asks_for_a_part_of_itself_is_never_given_the_login_page(client: Client, address: str):
    """Its field for a name would take the keys of who is typing a hand."""
    make_event(slug="cup", tables=1, rounds=1)
    answer = client.get(f"/desk/cup/{address}", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.content) == (401, b"")


def test_signing_out_needs_the_button(client: Client):
    client.force_login(make_account("Rita"), backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/logout/").status_code == 405
    assert signed_in(client) == "Rita"
    assert client.post("/logout/")["Location"] == "/"
    assert signed_in(client) is None


# ---------------------------------------------------------------- the account


@pytest.fixture
def rita(client: Client) -> Account:
    """Return a referee who has just come in by a link."""
    event = make_event(slug="cup")
    client.post(f"/enter/{invite(event=event, role=Role.REFEREE, name='Rita', by=writer_of(event))}/")
    return Account.objects.get(display_name="Rita")


def test_a_stranger_has_no_account_page(client: Client):
    assert client.get("/account/")["Location"] == "/login/?next=/account/"


def test_the_account_lists_the_own_desks(client: Client, rita: Account):
    make_event(slug="other")
    page = client.get("/account/")
    assert text(page, ".links") == "Cup referee"


def test_the_site_organiser_may_enter_every_desk(client: Client):
    make_event(slug="cup"), make_event(slug="other")
    client.post(f"/enter/{create_organiser_link()}/")
    assert text(client.get("/account/"), ".links") == "Cup owner Other owner"


@pytest.mark.parametrize("events", [1, 3])
def test_the_account_page_asks_the_same_number_of_questions(client: Client, django_assert_num_queries, events: int):
    for _ in range(events):
        make_event()
    client.post(f"/enter/{create_organiser_link()}/")
    with django_assert_num_queries(4):
        client.get("/account/")


def test_a_new_name_is_shown_and_kept_in_the_trail(client: Client, rita: Account):
    page = client.post("/account/", {"form": "name", "display_name": "  Rita R. "}, follow=True)
    assert texts(page, "h1") == ["Rita R."]
    assert texts(page, ".messages") == ["Done Your display name is changed."]
    row = AuditRow.objects.filter(event=None).last()
    assert row is not None
    assert (row.verb, row.by) == ("account_renamed", str(rita.uid))


@pytest.mark.parametrize("name", ["", "   ", "x" * 61])
def test_a_name_that_cannot_be_is_refused(client: Client, rita: Account, name: str):
    page = client.post("/account/", {"form": "name", "display_name": name})
    assert page.status_code == 200
    assert len(texts(page, ".error")) == 1
    assert texts(page, "h1") == ["Rita"]


@pytest.mark.follows("before/signing-in.md")
def test_a_first_password_needs_no_old_one_and_keeps_the_session(client: Client, rita: Account):
    values = {"form": "password", "new_password1": PASSWORD, "new_password2": PASSWORD}
    page = client.post("/account/", values, follow=True)
    assert texts(page, ".messages") == ["Done The password is set."]
    assert signed_in(client) == "Rita"
    other = Client()
    assert sign_in(other, "Rita")["Location"] == "/desk/cup/"


def test_a_second_password_needs_the_first(client: Client, rita: Account):
    set_password(password=PASSWORD, by=rita)
    client.force_login(rita, backend="django.contrib.auth.backends.ModelBackend")
    values = {"form": "password", "new_password1": "eight winds blow", "new_password2": "eight winds blow"}
    wrong = client.post("/account/", {**values, "old_password": "guess"})
    assert texts(wrong, ".error") == ["This is not your old password."]
    assert client.post("/account/", {**values, "old_password": PASSWORD}).status_code == 302
    rita.refresh_from_db()
    assert rita.check_password("eight winds blow")


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ("short", "short", "This password is too short. It must contain at least 8 characters."),
        ("password1234", "password1234", "This password is too common."),
        (PASSWORD, "another one", "The two password fields didn’t match."),
    ],
)
def test_a_poor_password_is_refused(client: Client, rita: Account, first: str, second: str, why: str):
    page = client.post("/account/", {"form": "password", "new_password1": first, "new_password2": second})
    assert texts(page, ".error") == [why]
    rita.refresh_from_db()
    assert not rita.has_usable_password()


# ---------------------------------------------------------------- said to whom it goes wrong for


@pytest.mark.parametrize(
    ("template", "title"),
    [
        ("404.html", "There is no such page"),
        ("403.html", "This is not for you"),
        ("403_csrf.html", "This page was too old to be sent"),
        ("400.html", "This cannot be read"),
        ("500.html", "Something broke"),
    ],
)
def test_every_page_of_trouble_can_be_shown_without_anything(template: str, title: str):
    from django.http import HttpResponse
    from django.template.loader import get_template

    assert texts(HttpResponse(get_template(template).render()), "h1") == [title]


def patterns(resolver: Any) -> list[URLPattern]:
    found = []
    for pattern in resolver.url_patterns:
        found += [pattern] if isinstance(pattern, URLPattern) else patterns(pattern)
    return found


def test_every_address_says_its_audience():
    unsaid = {str(pattern.pattern) for pattern in patterns(get_resolver()) if _audience(pattern) not in AUDIENCES}
    assert unsaid == set()


def _audience(pattern: URLPattern) -> str:
    return getattr(pattern.callback, "audience", "")
