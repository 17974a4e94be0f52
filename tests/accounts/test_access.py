"""One-time links: they let one person in, once, for a while, and only their hash is kept."""

import datetime as dt

import pytest
import time_machine

from tests.factories import codes_of, make_event, writer_of
from tournament.accounts.actions import create_organiser_link, find_link, get_site_organiser, invite, use_link
from tournament.accounts.models import Account, EntryLink, Membership, Role
from tournament.core.errors import DomainError

pytestmark = pytest.mark.django_db

NOON = dt.datetime(2026, 9, 12, 12, tzinfo=dt.UTC)


def test_the_organisers_link_opens_the_desk_once():
    token = create_organiser_link()
    assert use_link(token=token) == get_site_organiser()
    assert get_site_organiser().is_superuser
    assert not get_site_organiser().has_usable_password()
    with pytest.raises(DomainError) as refusal:
        use_link(token=token)
    assert codes_of(refusal) == ["access.link_invalid"]


def test_a_new_organisers_link_makes_the_older_one_useless():
    old, new = create_organiser_link(), create_organiser_link()
    assert find_link(old) is None
    assert use_link(token=new) == get_site_organiser()


def test_an_invitation_makes_an_account_with_that_role_at_that_event():
    event, other = make_event(), make_event()
    token = invite(event=event, role=Role.REFEREE, name=" Rita ", by=writer_of(event))
    account = use_link(token=token)
    assert (account.display_name, account.is_superuser, account.has_usable_password()) == ("Rita", False, False)
    assert list(Membership.objects.filter(account=account).values_list("event", "role")) == [(event.pk, "referee")]
    assert not Membership.objects.filter(account=account, event=other).exists()


def test_an_invitation_is_for_somebody():
    event = make_event()
    with pytest.raises(DomainError) as refusal:
        invite(event=event, role=Role.REFEREE, name="  ", by=writer_of(event))
    assert codes_of(refusal) == ["access.name_missing"]


@pytest.mark.parametrize(("hours", "open_"), [(11, True), (12, False)])
def test_the_organisers_link_lives_half_a_day(hours: int, open_: bool):
    with time_machine.travel(NOON, tick=False):
        token = create_organiser_link()
    with time_machine.travel(NOON + dt.timedelta(hours=hours), tick=False):
        assert (find_link(token) is not None) is open_


def test_a_token_is_not_in_the_database():
    token = create_organiser_link()
    (link,) = EntryLink.objects.all()
    assert token not in (link.token_hash, link.name)
    assert len(link.token_hash) == 64


def test_an_unknown_token_opens_nothing():
    before = Account.objects.count()
    with pytest.raises(DomainError):
        use_link(token="x" * 32)
    assert Account.objects.count() == before
