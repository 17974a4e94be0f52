"""Table devices: a card and a PIN let one in, for a while; a new card, the end of its time or revoking shuts it out."""

import datetime as dt

import pytest
import time_machine
from django.utils import timezone

from tests.factories import codes_of, make_event, writer_of
from tests.fixtures import module_event
from tournament.accounts.actions import (
    NewCard,
    card_token,
    find_device,
    make_devices,
    renew_device,
    revoke_devices,
    sign_device_in,
)
from tournament.accounts.models import ANY_TABLE, Account, DeskSession, Membership, Role, TableDevice, Tries
from tournament.accounts.queries import get_device_of, list_devices, list_tables_of_device
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.core.rate_limits import RateLimitedError
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

NOON = dt.datetime(2026, 9, 12, 12, tzinfo=dt.UTC)
TONIGHT = NOON + dt.timedelta(hours=11)


made = module_event()


def make(event: Event, *tables: int, until: dt.datetime | None = None) -> list[NewCard]:
    wanted = [(number, f"Table {number}") for number in tables]
    expires = until or timezone.now() + dt.timedelta(hours=11)
    return make_devices(event=event, tables=wanted, expires_at=expires, by=writer_of(event))


def wrong(pin: str) -> str:
    return f"{(int(pin) + 1) % 1_000_000:06}"


def come_in(card: NewCard) -> TableDevice:
    return sign_device_in(token=card_token(card.device), pin=card.pin)


def open_session(account: Account, key: str) -> None:
    now = timezone.now()
    later = now + dt.timedelta(days=1)
    DeskSession.objects.create(session_key=key, account=account, expire_date=later, made_at=now, seen_at=now)


# ---------------------------------------------------------------- making


def test_each_table_gets_an_account_with_its_role_and_table(event: Event):
    made = make(event, 1, 2, ANY_TABLE)
    found = Membership.objects.filter(event=event, role=Role.TABLE_DEVICE).order_by("pk")
    assert [(row.account.display_name, row.table_number) for row in found] == [
        ("Table 1", 1), ("Table 2", 2), ("Table 0", ANY_TABLE),
    ]  # fmt: skip
    assert [new.device.account.has_usable_password() for new in made] == [False] * 3
    assert all(len(new.pin) == 6 and new.pin.isdigit() for new in made)


def test_a_table_that_has_a_device_is_left_alone(event: Event):
    first = make(event, 1)[0]
    assert [new.device.table for new in make(event, 1, 2)] == [2]
    assert make(event, 1, 2) == []
    assert come_in(first) == first.device


def test_devices_for_any_table_are_as_many_as_asked_for(event: Event):
    assert len(make(event, ANY_TABLE) + make(event, ANY_TABLE)) == 2


def test_asking_for_nothing_new_is_no_act(event: Event):
    make(event, 1)
    before = (AuditRow.objects.count(), Event.objects.get(pk=event.pk).version)
    make(event, 1)
    assert (AuditRow.objects.count(), Event.objects.get(pk=event.pk).version) == before


@pytest.mark.parametrize("hours", [-1, 0, 24 * 31 + 1])
def test_a_time_that_cannot_be_is_refused(event: Event, hours: int):
    with time_machine.travel(NOON, tick=False), pytest.raises(DomainError) as refusal:
        make(event, 1, until=NOON + dt.timedelta(hours=hours))
    assert codes_of(refusal) == ["device.expires_out_of_range"]
    assert TableDevice.objects.count() == 0


def test_the_pin_is_nowhere_to_be_read(event: Event):
    new = make(event, 1)[0]
    row = TableDevice.objects.get()
    assert row.pin_hash.startswith("$argon2id$")
    assert new.pin not in f"{row.pin_hash} {row.card} {row.account.username}"
    trail = AuditRow.objects.get(verb="devices_made").details
    assert trail == '{"tables":[1]}'


def test_two_devices_with_the_same_pin_have_different_hashes(event: Event, settings):
    made = make(event, *range(1, 5))
    assert len({new.device.pin_hash for new in made}) == 4


# ---------------------------------------------------------------- coming in


def test_card_and_pin_let_in(event: Event):
    new = make(event, 1)[0]
    with time_machine.travel(timezone.now() + dt.timedelta(hours=1), tick=False):
        come_in(new)
        assert TableDevice.objects.get().signed_in_at == timezone.now()


def test_spaces_in_a_pin_do_no_harm(event: Event):
    new = make(event, 1)[0]
    assert sign_device_in(token=card_token(new.device), pin=f" {new.pin[:3]} {new.pin[3:]} ") == new.device


def test_a_wrong_pin_does_not(event: Event):
    new = make(event, 1)[0]
    with pytest.raises(DomainError) as refusal:
        sign_device_in(token=card_token(new.device), pin=wrong(new.pin))
    assert codes_of(refusal) == ["device.pin_wrong"]
    assert TableDevice.objects.get().signed_in_at is None


def test_the_pin_of_another_table_does_not(event: Event):
    one, two = make(event, 1, 2)
    if one.pin != two.pin:
        with pytest.raises(DomainError):
            sign_device_in(token=card_token(one.device), pin=two.pin)


@pytest.mark.parametrize(
    "change", [lambda token: token[:-1], lambda token: "x" + token[1:], lambda token: "", str.upper]
)
def test_a_card_that_was_tampered_with_lets_nobody_in(event: Event, change):
    new = make(event, 1)[0]
    with pytest.raises(DomainError) as refusal:
        sign_device_in(token=change(card_token(new.device)), pin=new.pin)
    assert codes_of(refusal) == ["device.card_invalid"]


def test_a_card_signed_with_another_key_lets_nobody_in(event: Event, settings):
    new = make(event, 1)[0]
    settings.SECRET_KEY = "another desk's key"
    token = card_token(new.device)
    settings.SECRET_KEY = "this desk's key"
    assert find_device(token) is None


def test_a_sixth_try_waits_even_with_the_right_pin(event: Event):
    new = make(event, 1)[0]
    with time_machine.travel(NOON, tick=False) as clock:
        TableDevice.objects.update(expires_at=TONIGHT)
        token = card_token(new.device)
        for _ in range(5):
            with pytest.raises(DomainError):
                sign_device_in(token=token, pin=wrong(new.pin))
        clock.shift(dt.timedelta(minutes=5))
        with pytest.raises(RateLimitedError) as refusal:
            sign_device_in(token=token, pin=new.pin)
        assert (codes_of(refusal), refusal.value.wait) == (["device.too_many_tries"], 600)
        clock.shift(dt.timedelta(minutes=10))
        sign_device_in(token=token, pin=new.pin)


def test_tries_at_one_table_close_no_other(event: Event):
    one, two = make(event, 1, 2)
    for _ in range(6):
        with pytest.raises(DomainError):
            sign_device_in(token=card_token(one.device), pin=wrong(one.pin))
    assert come_in(two) == two.device


def test_the_right_pin_forgets_wrong_ones(event: Event):
    new = make(event, 1)[0]
    for _ in range(2):
        for _ in range(4):
            with pytest.raises(DomainError):
                sign_device_in(token=card_token(new.device), pin=wrong(new.pin))
        come_in(new)
    assert Tries.objects.count() == 0


def test_coming_in_ends_what_came_in_by_the_card_before(event: Event):
    one, two = make(event, 1, 2)
    open_session(one.device.account, "first")
    open_session(two.device.account, "other")
    come_in(one)
    assert list(DeskSession.objects.values_list("session_key", flat=True)) == ["other"]


# ---------------------------------------------------------------- being shut out


def test_the_end_of_its_time_shuts_out(event: Event):
    new = make(event, 1)[0]
    with time_machine.travel(new.device.expires_at, tick=False):
        assert find_device(card_token(new.device)) is None
        assert get_device_of(new.device.account, at=timezone.now()) is None
    with time_machine.travel(new.device.expires_at - dt.timedelta(seconds=1), tick=False):
        assert find_device(card_token(new.device)) == new.device


def test_a_new_card_makes_the_old_card_and_pin_worthless(event: Event):
    old = make(event, 1)[0]
    token = card_token(old.device)
    open_session(old.device.account, "first")
    new = renew_device(device=old.device, by=writer_of(event))
    assert find_device(token) is None
    assert DeskSession.objects.count() == 0
    if old.pin != new.pin:
        with pytest.raises(DomainError):
            sign_device_in(token=card_token(new.device), pin=old.pin)
    assert come_in(new) == new.device


def test_a_new_card_opens_a_pin_that_was_tried_too_often(event: Event):
    old = make(event, 1)[0]
    for _ in range(6):
        with pytest.raises(DomainError):
            sign_device_in(token=card_token(old.device), pin=wrong(old.pin))
    assert come_in(renew_device(device=old.device, by=writer_of(event))).table == 1


@pytest.mark.postgresql
def test_revoking_takes_role_and_session_away(event: Event):
    one, two = make(event, 1, 2)
    open_session(one.device.account, "one")
    open_session(two.device.account, "two")
    assert revoke_devices(event=event, devices=[one.device.pk], by=writer_of(event)) == 1
    assert find_device(card_token(one.device)) is None
    assert not Membership.objects.filter(account=one.device.account).exists()
    assert list(DeskSession.objects.values_list("session_key", flat=True)) == ["two"]


def test_a_revoked_device_gets_no_new_card(event: Event):
    new = make(event, 1)[0]
    revoke_devices(event=event, by=writer_of(event))
    with pytest.raises(DomainError) as refusal:
        renew_device(device=new.device, by=writer_of(event))
    assert codes_of(refusal) == ["device.ended"]


def test_revoking_all_leaves_those_of_another_event(event: Event):
    other = make(make_event(), 1)[0]
    make(event, 1, 2)
    assert revoke_devices(event=event, by=writer_of(event)) == 2
    assert revoke_devices(event=event, by=writer_of(event)) == 0
    assert come_in(other) == other.device


def test_an_event_cannot_revoke_a_device_of_another(event: Event):
    other = make(make_event(), 1)[0]
    assert revoke_devices(event=event, devices=[other.device.pk], by=writer_of(event)) == 0
    assert come_in(other) == other.device


def test_a_table_may_have_a_device_again_after_its_first_was_revoked(event: Event):
    make(event, 1)
    revoke_devices(event=event, by=writer_of(event))
    assert [new.device.table for new in make(event, 1)] == [1]


# ---------------------------------------------------------------- reading


def test_the_list_says_how_each_stands(event: Event, django_assert_num_queries):
    one, two, three = make(event, 1, 2, 3)
    revoke_devices(event=event, devices=[one.device.pk], by=writer_of(event))
    come_in(two)
    open_session(two.device.account, "two")
    TableDevice.objects.filter(pk=three.device.pk).update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    with django_assert_num_queries(1):
        rows = list_devices(event, at=timezone.now())
    assert [(row.name, row.signed_in, row.revoked, row.expired) for row in rows] == [
        ("Table 2", True, False, False), ("Table 1", False, True, False), ("Table 3", False, False, True),
    ]  # fmt: skip


@pytest.mark.postgresql
def test_which_tables_a_device_comes_to(event: Event):
    assert list_tables_of_device(event, 1, 2) == [2]
    assert list_tables_of_device(event, 1, ANY_TABLE) == [1, 2]
    assert list_tables_of_device(event, 1, 9) == []
    assert list_tables_of_device(event, None, 2) == []
