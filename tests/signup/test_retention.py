"""What a sign-up says of people is gone after the time that the event states, wherever it was."""

import datetime as dt
from pathlib import Path
from uuid import uuid4

import pytest
import time_machine
from django.apps import apps
from django.db import transaction
from django.utils import timezone

from tests.factories import writer_of
from tests.sign_ups import come, event_with
from tournament.backups.backup import write_forgotten
from tournament.backups.config import forget_again
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.privacy.actions import erase_event_people, erase_person
from tournament.privacy.queries import get_backup_kept_until, get_person_data
from tournament.signup.actions import NewSignUp, cancel, make_players, note_payment, sign_up
from tournament.signup.letters import draft_reminders
from tournament.signup.models import SignUp
from tournament.signup.retention import erase_event_sign_ups, erase_sign_up, tend_sign_ups

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]
# no part of any other text: each of them is searched in every table
MARKS = ("Zyxwina", "zyxwina@mail.example", "98765432", "Qlub", "Guardiana", "guardiana@mail.example", "peanutless")


def everything() -> str:
    """Return all rows of all tables as text."""
    return "\n".join(str(row) for model in apps.get_models() for row in model._default_manager.values_list())


def marked(event: Event) -> SignUp:
    """Sign somebody up who says all of MARKS."""
    new = NewSignUp(
        MARKS[0],
        MARKS[1],
        ema_number=MARKS[2],
        club=MARKS[3],
        minor=True,
        guardian=MARKS[4],
        guardian_mail=MARKS[5],
        guardian_agrees=True,
        answers={"Food": MARKS[6]},
    )
    return sign_up(event=event, new=new, client_id=uuid4(), proven=True)


def left() -> list[str]:
    found = everything()
    return [mark for mark in MARKS if mark in found]


def test_all_of_it_goes_on_the_day_that_the_event_states():
    event = event_with(keep_days=10)
    row = marked(event)
    come(event, "Ben", "Cem")
    note_payment(sign_up=row, amount=4000, note=MARKS[0], client_id=uuid4(), by=writer_of(event))
    draft_reminders(event=event, by=writer_of(event))
    cancel(sign_up=row, reason=f"{MARKS[0]} asked", by=writer_of(event))
    assert left() == list(MARKS)
    last = event.date + dt.timedelta(days=10)
    assert get_backup_kept_until(timezone.localdate()) == last
    with time_machine.travel(dt.datetime.combine(last, dt.time(12), dt.UTC), tick=False):
        tend_sign_ups(last)
        assert left() == list(MARKS)
        with pytest.raises(DomainError):
            erase_event_sign_ups(event=event, today=last, by=writer_of(event))
    after = last + dt.timedelta(days=1)
    with time_machine.travel(dt.datetime.combine(after, dt.time(12), dt.UTC), tick=False):
        tend_sign_ups(after)
        tend_sign_ups(after)
    assert left() == []
    assert event.sign_ups.count() == event.letters.count() == 0
    assert event.audit.filter(verb="sign_ups_erased").count() == 1


def test_one_person_is_deleted_and_the_place_goes_on():
    event = event_with(places=1)
    row = marked(event)
    ben = come(event, "Ben")[0]
    erase_sign_up(sign_up=row, by=writer_of(event))
    assert left() == []
    ben.refresh_from_db()
    assert ben.state == "offered"
    assert [each.number for each in event.sign_ups.all()] == [1, 2]


def test_a_restored_backup_deletes_again_who_was_deleted(tmp_path: Path):
    event = event_with()
    marked(event)
    with transaction.atomic():  # the backup of before is what is there after this
        erase_sign_up(sign_up=event.sign_ups.get(), by=writer_of(event))
        write_forgotten([tmp_path])
        transaction.set_rollback(True)
    assert left() == list(MARKS)
    forget_again([str(tmp_path), str(tmp_path / "none")])
    assert left() == []


def test_who_paid_is_deleted_once_the_money_is_back():
    event = event_with()
    row, by = marked(event), writer_of(event)
    note_payment(sign_up=row, amount=4001, client_id=uuid4(), by=by)
    with pytest.raises(DomainError):
        erase_sign_up(sign_up=row, by=by)
    note_payment(sign_up=row, amount=-4001, client_id=uuid4(), by=by)
    erase_sign_up(sign_up=row, by=by)
    assert left() == []


def test_who_is_forgotten_as_a_player_is_forgotten_as_a_sign_up():
    event = event_with()
    marked(event)
    by = writer_of(event)
    make_players(event=event, by=by)
    player = event.players.select_related("event", "person").get()
    assert (player.guardian, player.person.ema_number) == (MARKS[4], MARKS[2])
    assert get_person_data(player)["events"][0]["sign_ups"][0]["mail"] == MARKS[1]
    erase_person(person=player.person, stand_in_for=lambda _event, number: f"P{number}", reason="asked", by=by)
    assert left() == []


def test_sign_ups_go_with_the_events_people_at_the_latest():
    event = event_with(days=-300, keep_days=365, closes_at=timezone.now() + dt.timedelta(days=1))
    marked(event)
    Event.objects.filter(pk=event.pk).update(keep_months=1)
    by = writer_of(event)
    make_players(event=event, by=by)
    erase_event_people(event=event, stand_in_for=lambda _event, n: f"P{n}", today=timezone.localdate(), by=by)
    assert left() == []
