"""The page of roles: who is listed, who can be invited as what, and what its buttons do."""

import re

import pytest
from django.test import Client

from tests.factories import make_account, make_event, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import client_of, organiser
from tests.pages.html_reader import texts
from tournament.accounts.models import Account, EntryLink, Membership, Role
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db]

URL = "/desk/cup/members/"


made = module_event(slug="cup", tables=0, rounds=1)


def member(event: Event, role: Role, name: str = "Rita") -> Account:
    account = make_account(name)
    Membership.objects.create(event=event, account=account, role=role)
    return account


def role_of(event: Event, account: Account) -> str | None:
    return event.memberships.filter(account=account).values_list("role", flat=True).first()


@pytest.mark.follows("before/referees.md")
def test_a_link_is_shown_once_and_lets_one_person_in(event: Event):
    client = organiser(event)
    page = client.post(URL, {"name": "Rita", "role": "scorer"})
    assert page.status_code == 200
    assert "For Rita scorer" in texts(page, "h2")
    (link,) = re.findall(r'href="(http://testserver/enter/[^"]+)"', page.content.decode())
    assert "<svg" in page.content.decode()
    assert "/enter/" not in client.get(URL).content.decode()
    assert EntryLink.objects.filter(event=event, role="scorer").count() == 1
    guest = Client()
    assert "Your role: scorer." in guest.get(link.removeprefix("http://testserver")).content.decode()
    assert guest.post(link.removeprefix("http://testserver"))["Location"] == "/desk/cup/"
    assert guest.get("/desk/cup/").status_code == 200
    assert [
        ("Rita" in row, "scorer" in row) for row in texts(client.get("/desk/cup/members/"), "tr") if "Rita" in row
    ] == [(True, True)]


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "", "role": "referee"},
        {"name": "Rita", "role": "emperor"},
        {"name": "Rita", "role": "owner"},
        {"name": "Rita", "role": "table_device"},
        {"name": "x" * 61, "role": "referee"},
    ],
)
def test_an_invitation_that_cannot_be_makes_no_link(event: Event, fields: dict[str, str]):
    answer = organiser(event).post(URL, fields)
    assert (answer.status_code, EntryLink.objects.count()) == (422, 0)


def test_a_role_is_changed_with_words(event: Event):
    rita, client = member(event, Role.REFEREE), organiser(event)
    answer = client.post(f"{URL}{rita.pk}/", {"role": "head_referee", "act": "change"}, follow=True)
    assert "Rita is head referee from now on." in answer.content.decode()
    assert role_of(event, rita) == "head_referee"
    trail = texts(client.get("/desk/cup/settings/trail/"), "tbody")[-1]
    assert "Organiser made Rita head referee instead of referee" in trail


@pytest.mark.follows("before/referees.md")
@pytest.mark.postgresql
def test_a_role_is_taken_away_and_the_browser_is_a_strangers(event: Event):
    rita = member(event, Role.REFEREE)
    hers = client_of(rita)
    assert hers.get("/desk/cup/").status_code == 200
    answer = organiser(event).post(f"{URL}{rita.pk}/", {"act": "remove"}, follow=True)
    assert "Rita no longer has access." in answer.content.decode()
    assert hers.get("/desk/cup/")["Location"] == "/login/?next=/desk/cup/"


def test_an_organiser_is_told_that_organisers_are_the_owners_to_change(event: Event):
    rita, other = member(event, Role.ORGANISER), member(event, Role.ORGANISER, "Olaf")
    client = client_of(other)
    assert f"{URL}{rita.pk}/" not in client.get(URL).content.decode()
    answer = client.post(f"{URL}{rita.pk}/", {"act": "remove"}, follow=True)
    assert "You can give and remove only roles below your own." in answer.content.decode()
    assert role_of(event, rita) == "organiser"


def test_the_event_is_handed_on_after_a_question(event: Event):
    rita, owner = member(event, Role.ORGANISER), writer_of(event)
    client = organiser(event)
    url = f"{URL}{rita.pk}/hand-on/"
    assert texts(client.get(url), "h1") == ["Transfer Cup to Rita?"]
    assert role_of(event, rita) == "organiser"
    assert client.post(url).status_code == 302
    assert (role_of(event, rita), role_of(event, owner)) == ("owner", "organiser")
    assert client.get(url).status_code == 404


def test_somebody_of_another_event_is_nobody_here(event: Event):
    elsewhere = member(make_event(slug="other", tables=0, rounds=1), Role.REFEREE)
    client = organiser(event)
    for url in (f"{URL}{elsewhere.pk}/", f"{URL}{elsewhere.pk}/hand-on/"):
        assert client.post(url, {"act": "remove"}).status_code == 404
    assert Membership.objects.filter(account=elsewhere).count() == 1
