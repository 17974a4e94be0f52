"""Verbs on roles: who may change whose, what ends at once, and what the trail keeps."""

import json

import pytest
from django.contrib.auth import SESSION_KEY
from django.db import IntegrityError, transaction

from tests.factories import make_account, make_event, writer_of
from tests.fixtures import module_event
from tournament.accounts.actions import change_role, hand_event_on, invite, remove_member
from tournament.accounts.models import Account, DeskSession, Membership, Role
from tournament.accounts.queries import get_rights, list_audit, list_members
from tournament.accounts.session_store import SessionStore, stored_key
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db]


made = module_event(slug="cup", tables=0, rounds=1)


def member(event: Event, role: Role, name: str = "Rita") -> Account:
    account = make_account(name)
    Membership.objects.create(event=event, account=account, role=role)
    return account


def role_of(event: Event, account: Account) -> str | None:
    return get_rights(account, event).role


def sign_in(account: Account) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(account.pk)
    session.save()
    return str(session.session_key)


def last_act(event: Event) -> tuple[str, dict[str, str]]:
    row = AuditRow.objects.filter(event=event).order_by("-seq")[0]
    return row.verb, json.loads(row.details)


def test_whoever_makes_an_event_owns_it(event: Event):
    assert role_of(event, writer_of(event)) == Role.OWNER


def test_whoever_runs_the_desk_may_all_and_a_stranger_nothing(event: Event):
    assert role_of(event, make_account("Desk", superuser=True)) == Role.OWNER
    assert role_of(event, make_account("Somebody")) is None


@pytest.mark.postgresql
def test_an_event_has_one_owner(event: Event):
    with pytest.raises(IntegrityError), transaction.atomic():
        member(event, Role.OWNER)


@pytest.mark.postgresql
def test_only_a_table_device_has_a_table(event: Event):
    with pytest.raises(IntegrityError), transaction.atomic():
        member(event, Role.TABLE_DEVICE)
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(event=event, account=make_account(), role=Role.REFEREE, table_number=1)


def test_a_role_is_changed_and_the_trail_says_whose(event: Event):
    rita = member(event, Role.REFEREE)
    assert change_role(event=event, account=rita, role=Role.SCORER, by=writer_of(event))
    assert role_of(event, rita) == Role.SCORER
    assert last_act(event) == ("role_changed", {"account": str(rita.uid), "former": "referee", "role": "scorer"})
    assert list_audit(event)[0].details["account"] == "Rita"


def test_a_role_that_is_so_already_writes_nothing(event: Event):
    rita, before = member(event, Role.REFEREE), AuditRow.objects.count()
    assert not change_role(event=event, account=rita, role=Role.REFEREE, by=writer_of(event))
    assert AuditRow.objects.count() == before


@pytest.mark.parametrize(
    ("by", "whose", "role", "code"),
    [
        (Role.ORGANISER, Role.REFEREE, Role.ORGANISER, "members.role_too_high"),
        (Role.ORGANISER, Role.ORGANISER, Role.REFEREE, "members.role_too_high"),
        (Role.HEAD_REFEREE, Role.SCORER, Role.REFEREE, "members.role_too_high"),
        (Role.OWNER, Role.REFEREE, Role.OWNER, "members.role_too_high"),
        (Role.OWNER, Role.REFEREE, Role.TABLE_DEVICE, "members.role_too_high"),
        (Role.ORGANISER, Role.OWNER, Role.VIEWER, "members.owner_stays"),
        (Role.OWNER, None, Role.VIEWER, "members.unknown"),
    ],
)
def test_nobody_gives_a_role_that_is_not_below_their_own(
    event: Event, by: Role, whose: Role | None, role: Role, code: str
):
    owner = writer_of(event)
    giver = owner if by is Role.OWNER else member(event, by, "Gita")
    account = owner if whose is Role.OWNER else member(event, whose) if whose else make_account("Rita")
    before, count = role_of(event, account), AuditRow.objects.count()
    with pytest.raises(DomainError) as refusal:
        change_role(event=event, account=account, role=role, by=giver)
    assert [problem.code for problem in refusal.value.problems] == [code]
    assert (role_of(event, account), AuditRow.objects.count()) == (before, count)


@pytest.mark.parametrize("role", [Role.OWNER, Role.ORGANISER, Role.TABLE_DEVICE])
def test_an_organiser_invites_to_the_roles_below(event: Event, role: Role):
    organiser = member(event, Role.ORGANISER)
    with pytest.raises(DomainError) as refusal:
        invite(event=event, role=role, name="Rita", by=organiser)
    assert [problem.code for problem in refusal.value.problems] == ["members.role_too_high"]
    assert invite(event=event, role=Role.HEAD_REFEREE, name="Rita", by=organiser)


def test_a_role_taken_away_ends_at_once_everywhere(event: Event):
    rita = member(event, Role.REFEREE)
    key = sign_in(rita)
    remove_member(event=event, account=rita, by=writer_of(event))
    assert role_of(event, rita) is None
    assert not DeskSession.objects.filter(pk=stored_key(key)).exists()
    assert last_act(event) == ("member_removed", {"account": str(rita.uid), "role": "referee"})


def test_who_has_a_role_elsewhere_stays_signed_in_there(event: Event):
    rita = member(event, Role.REFEREE)
    Membership.objects.create(event=make_event(tables=0, rounds=1), account=rita, role=Role.VIEWER)
    key = sign_in(rita)
    remove_member(event=event, account=rita, by=writer_of(event))
    assert role_of(event, rita) is None
    assert DeskSession.objects.filter(pk=stored_key(key)).exists()


@pytest.mark.parametrize(("by", "whose"), [(Role.ORGANISER, Role.ORGANISER), (Role.HEAD_REFEREE, Role.VIEWER)])
def test_nobody_takes_away_a_role_that_is_not_below_their_own(event: Event, by: Role, whose: Role):
    giver, rita = member(event, by, "Gita"), member(event, whose)
    with pytest.raises(DomainError):
        remove_member(event=event, account=rita, by=giver)
    assert role_of(event, rita) == whose


def test_the_owner_cannot_be_taken_away(event: Event):
    with pytest.raises(DomainError) as refusal:
        remove_member(event=event, account=writer_of(event), by=make_account("Desk", superuser=True))
    assert [problem.code for problem in refusal.value.problems] == ["members.owner_stays"]


@pytest.mark.postgresql
def test_an_event_is_handed_on(event: Event):
    owner, rita = writer_of(event), member(event, Role.REFEREE)
    hand_event_on(event=event, account=rita, by=owner)
    assert [(row.name, row.role) for row in list_members(event)] == [("Rita", "owner"), ("Organiser", "organiser")]
    assert last_act(event) == ("event_handed_on", {"account": str(rita.uid)})


def test_an_event_is_not_handed_to_its_owner_nor_to_a_stranger_nor_to_a_device(event: Event):
    device = make_account("Table 1")
    Membership.objects.create(event=event, account=device, role=Role.TABLE_DEVICE, table_number=1)
    codes = []
    for account in (writer_of(event), make_account("Somebody"), device):
        with pytest.raises(DomainError) as refusal:
            hand_event_on(event=event, account=account, by=writer_of(event))
        codes += [problem.code for problem in refusal.value.problems]
    assert codes == ["members.owns_already", "members.unknown", "members.unknown"]
    assert role_of(event, writer_of(event)) == Role.OWNER
