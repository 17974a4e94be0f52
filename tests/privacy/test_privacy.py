"""Who is shown by name, people forgotten on request and by time, and all that is held of one person."""

import datetime as dt
import json
import re
import uuid
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone

from tests.archive.archive_acts import empty_the_database
from tests.factories import DAY, codes_of, make_account, make_event, play_round, set_ranked, table_of, writer_of
from tests.incidents.substitute_acts import replace
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.archive.verify import verify_event
from tournament.backups.backup import list_to_forget_again, write_forgotten
from tournament.calls.actions import call_referee
from tournament.core.errors import DomainError
from tournament.drill.actions import hand_in, make_drill
from tournament.drill.models import CrewDrill, CrewResult
from tournament.ema.actions import set_observer_report
from tournament.events.actions import set_keep_months
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.players.actions import NewPlayer, add_late_player, withdraw_player
from tournament.players.models import Player
from tournament.players.queries import list_players
from tournament.privacy.actions import erase_event_people, erase_person, set_names_shown
from tournament.privacy.queries import count_fixed_mentions, get_kept_until, get_person_data, is_due, list_same_person
from tournament.publication.names import read_for_public
from tournament.standings.queries import get_standings
from tournament.wall.actions import AnnouncementText, write_announcement
from tournament.wall.queries import list_announcements

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

NAME, LEGAL = "Quendolin", "Quendolin von Hohenwaldenburg"


def called(_event: Event, number: int) -> str:
    return f"Deleted player {number}"


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Make an event of one table in play, whose player 1 has everything that a person can have."""
    event = make_event(slug="cup", tables=1, rounds=2)
    person = event.players.get(number=1).person
    person.preferred_name, person.legal_name, person.ema_number = NAME, LEGAL, "04070011"
    person.country, person.club = "AUT", "Elbmarsch"
    person.save()
    play_round(event, 1, "2r3 340/2")
    event.refresh_from_db()
    return event


def one(event: Event, number: int = 1) -> Player:
    return event.players.select_related("person", "event").get(number=number)


def names(event: Event) -> list[str]:
    return [row.name for row in get_standings(event).rows]


# ---------------------------------------------------------------- who is shown by name


def test_a_name_is_shown_until_somebody_says_otherwise(event: Event):
    with read_for_public(lambda: "No. {number}"):
        assert NAME in names(event)
        assert set_names_shown(event=event, numbers=[1], shown=False, by=writer_of(event)) is True
        assert (NAME in names(event), "No. 1" in names(event)) == (False, True)
        row = list_players(event)[0]
        assert (row.name, row.country, row.club) == ("No. 1", "", "")
    assert NAME in names(event)  # at the desk
    assert list_players(event)[0].name == NAME


def test_said_twice_it_is_written_once_and_names_nobody(event: Event):
    before = event.version
    for _ in range(2):
        set_names_shown(event=event, numbers=[1, 2], shown=False, by=writer_of(event))
    assert event.version == before + 1
    row = event.audit.order_by("-seq")[0]
    assert (row.verb, json.loads(row.details)) == ("names_hidden", {"numbers": [1, 2]})


# ---------------------------------------------------------------- on request


@pytest.mark.postgresql
def test_who_is_forgotten_is_nowhere_in_the_events_file_and_every_chain_holds(event: Event):
    by = writer_of(event)
    give_penalty(player=one(event, 2), points=1000, reason=f"swore at {NAME}", client_id=uuid.uuid4(), by=by)
    call_referee(table=table_of(event, round_=2), question=f"{NAME}: too late?", client_id=uuid.uuid4(), by=by)
    results = [row.total for row in get_standings(event).rows]

    erase_person(person=one(event).person, stand_in_for=called, reason=f"{NAME} asked by mail", by=by)

    person = one(event).person
    assert (person.preferred_name, person.legal_name, person.ema_number, person.country, person.club) == (
        "Deleted player 1", "", "", "", ""
    )  # fmt: skip
    assert event.penalties.get().reason == "swore at Deleted player 1"
    assert event.calls.get().question == "Deleted player 1: too late?"
    assert one(event).shown_by_name is False
    assert [row.total for row in get_standings(event).rows] == results
    assert verify_event(event).problems == []
    row = event.audit.order_by("-seq")[0]
    assert (row.verb, json.loads(row.details)) == (
        "person_forgotten", {"number": 1, "reason": "Deleted player 1 asked by mail"}
    )  # fmt: skip


def test_without_a_name_in_a_reason_no_byte_of_the_file_holds_one(event: Event):
    erase_person(person=one(event).person, stand_in_for=called, reason="asked", by=writer_of(event))
    file = get_event_file(event)
    assert [word for word in (NAME, LEGAL, "04070011", "AUT", "Elbmarsch") if word in file] == []


@pytest.mark.postgresql
def test_names_in_rows_that_never_change_are_counted_before(event: Event):
    assert count_fixed_mentions(one(event)) == 0
    withdraw_player(player=one(event, 2), reason=f"leaves with {NAME}", by=writer_of(event))
    withdraw_player(player=one(event, 3), reason=f"{NAME}xyz is another", by=writer_of(event))
    assert count_fixed_mentions(one(event)) == 1


@pytest.mark.postgresql
def test_to_forget_needs_a_reason_and_is_done_once(event: Event):
    person, by = one(event).person, writer_of(event)
    with pytest.raises(DomainError) as refused:
        erase_person(person=person, stand_in_for=called, reason=" ", by=by)
    assert codes_of(refused) == ["privacy.reason_missing"]
    assert one(event).person.preferred_name == NAME
    erase_person(person=person, stand_in_for=called, reason="asked", by=by)
    with pytest.raises(DomainError) as refused:
        erase_person(person=person, stand_in_for=called, reason="asked", by=by)
    assert codes_of(refused) == ["privacy.forgotten_already"]
    assert set_names_shown(event=event, numbers=[1], shown=True, by=by) is False


def test_a_forgotten_person_comes_back_from_a_file_as_forgotten(event: Event):
    set_keep_months(event=event, months=6, by=writer_of(event))
    erase_person(person=one(event).person, stand_in_for=called, reason="asked", by=writer_of(event))
    file, gone_at = get_event_file(event), one(event).person.forgotten_at
    empty_the_database()
    made = import_event(data=file.encode(), by=make_account("Desk"))
    assert get_event_file(made) == file
    assert (one(made).person.forgotten_at, one(made).shown_by_name, made.keep_months) == (gone_at, False, 6)


# ---------------------------------------------------------------- by time


def test_nothing_is_due_until_somebody_says_how_long(event: Event):
    assert (get_kept_until(event), is_due(event, DAY + dt.timedelta(days=9000))) == (None, False)
    with pytest.raises(DomainError) as refused:
        erase_event_people(event=event, stand_in_for=called, today=DAY, by=writer_of(event))
    assert codes_of(refused) == ["privacy.not_due"]


@pytest.mark.parametrize("months", [0, 121])
def test_how_long_is_a_number_that_makes_sense(event: Event, months: int):
    with pytest.raises(DomainError) as refused:
        set_keep_months(event=event, months=months, by=writer_of(event))
    assert codes_of(refused) == ["privacy.months"]


def test_when_the_time_is_over_all_of_them_go_in_one_act(event: Event):
    by = writer_of(event)
    set_keep_months(event=event, months=6, by=by)
    until = get_kept_until(event)
    assert until is not None
    assert is_due(event, until) is False
    with pytest.raises(DomainError) as refused:
        erase_event_people(event=event, stand_in_for=called, today=until, by=by)
    assert (codes_of(refused), one(event).person.preferred_name) == (["privacy.not_due"], NAME)
    after = until + dt.timedelta(days=1)
    assert is_due(event, after) is True
    erase_person(person=one(event, 3).person, stand_in_for=called, reason="asked", by=by)
    assert erase_event_people(event=event, stand_in_for=called, today=after, by=by) == [1, 2, 4]
    assert [row.name for row in list_players(event)] == [f"Deleted player {number}" for number in (1, 2, 3, 4)]
    row = event.audit.order_by("-seq")[0]
    assert (row.verb, json.loads(row.details)) == ("people_forgotten", {"numbers": [1, 2, 4]})
    assert is_due(event, after) is False
    assert verify_event(event).problems == []


def test_a_drill_goes_with_the_names_of_its_crew(event: Event):
    drill = make_drill(event=event, seed=1, count=1, kinds=["pay"], by=writer_of(event))
    hand_in(drill=drill, client_id=uuid.uuid4(), name="Rita", answers="a", sender="")
    set_keep_months(event=event, months=1, by=writer_of(event))
    today = DAY + dt.timedelta(days=9000)
    erase_event_people(event=event, stand_in_for=called, today=today, by=writer_of(event))
    assert (CrewDrill.objects.count(), CrewResult.objects.count()) == (0, 0)


def test_what_an_observer_wrote_loses_a_forgotten_name_and_goes_with_the_people(event: Event):
    by = writer_of(event)
    set_observer_report(event=event, texts={"observer": "Otto", "comments": f"{NAME} helped. All well."}, by=by)
    erase_person(person=one(event).person, stand_in_for=called, reason="asked", by=by)
    written = Event.objects.get(pk=event.pk).observer_report
    assert written == {"observer": "Otto", "comments": "Deleted player 1 helped. All well."}
    set_keep_months(event=event, months=1, by=by)
    erase_event_people(event=event, stand_in_for=called, today=DAY + dt.timedelta(days=9000), by=by)
    assert Event.objects.get(pk=event.pk).observer_report == {}


def test_who_plays_at_another_event_too_waits_for_that_one(event: Event):
    other = make_event(slug="later", tables=1, rounds=1)
    guest = add_late_player(event=other, new=NewPlayer("Guest"), by=writer_of(other))
    Player.objects.filter(pk=guest.pk).update(person=one(event).person)
    set_keep_months(event=event, months=1, by=writer_of(event))
    today = DAY + dt.timedelta(days=9000)
    assert erase_event_people(event=event, stand_in_for=called, today=today, by=writer_of(event)) == [2, 3, 4]
    assert one(event).person.preferred_name == NAME
    erase_person(person=one(event).person, stand_in_for=called, reason="asked", by=writer_of(event))
    acts = [each.audit.order_by("-seq")[0] for each in (event, other)]
    assert [(act.verb, json.loads(act.details)["number"]) for act in acts] == [
        ("person_forgotten", 1), ("person_forgotten", guest.number)
    ]  # fmt: skip


# ---------------------------------------------------------------- all that is held of one person


def test_the_file_of_one_person_holds_theirs_and_nobody_elses_name(event: Event):
    by = writer_of(event)
    give_penalty(player=one(event), points=1000, reason="late", client_id=uuid.uuid4(), by=by)
    give_penalty(player=one(event, 2), points=2000, reason="phone", client_id=uuid.uuid4(), by=by)
    write_announcement(event=event, words=AnnouncementText(title="Lunch"), client_id=uuid.uuid4(), by=by)
    data = get_person_data(one(event))
    assert data["person"] == [
        {"preferred_name": NAME, "legal_name": LEGAL, "ema_number": "04070011", "country": "AUT", "club": "Elbmarsch"}
    ]
    (here,) = data["events"]
    assert (here["event"]["address"], here["number"], here["shown_by_name"]) == ("cup", 1, True)
    first, second = here["seats"]
    assert (first["round"], first["seat"], sorted(first["others"]), len(first["hands"])) == (1, 0, [2, 3, 4], 1)
    assert sorted(second) == ["round", "seat", "table"]  # not released: nobody knows the result before the others
    assert [(each["points"], each["reason"]) for each in here["penalties"]] == [(1000, "late")]
    assert [act["act"] for act in here["acts"]] == ["players_added", "penalty_given"]
    text = json.dumps(data)
    others = [each.person.preferred_name for each in event.players.select_related("person") if each.number != 1]
    assert [name for name in others if name in text] == []


def test_the_same_person_is_found_by_number_and_never_by_name_alone(event: Event):
    other = make_event(slug="later", tables=1, rounds=1)
    same, namesake = one(other, 1).person, one(other, 2).person
    same.ema_number, namesake.preferred_name = "04070011", NAME
    same.save()
    namesake.save()
    found = list_same_person(one(event))
    assert [(each.event.slug, each.number) for each in found] == [("cup", 1), ("later", 1)]
    assert [each["event"]["address"] for each in get_person_data(one(event), [event.pk])["events"]] == ["cup"]


def test_a_persons_data_has_where_they_were_replaced_and_where_they_played_instead():
    event = make_event(slug="guests", tables=1, rounds=2)
    by, guest = writer_of(event), event.players.get(number=4)
    table_of(event, 1, round_=2).seats.filter(player=guest).delete()
    set_ranked(player=guest, ranked=False, by=by)
    replace(event, 1, "before", round_=2, name=guest.person.preferred_name)
    replace(event, 2, "during", name="Kay Fir")

    def of(number: int) -> list[tuple[int, str, int]]:
        (here,) = get_person_data(one(event, number))["events"]
        return [(each["round"], each["as"], each["player"]) for each in here["substitutions"]]

    assert [of(number) for number in (1, 2, 3, 4)] == [
        [(2, "replaced", 1)], [(1, "replaced", 2)], [], [(2, "substitute", 1)]
    ]  # fmt: skip


# ---------------------------------------------------------------- names in typed texts


@pytest.mark.parametrize(
    "text",
    ["Quendolin Marsch was late", "MARSCH was late", "marsch was late", "late: Marsch's tram", "MARSCH, Quendolin"],
)
def test_a_hidden_player_is_named_in_no_public_text_in_any_case(event: Event, text: str):
    person = one(event).person
    person.preferred_name, person.legal_name = "Quendolin Marsch", ""
    person.save()
    by = writer_of(event)
    set_names_shown(event=event, numbers=[1], shown=False, by=by)
    words = AnnouncementText(title=text, text=text)
    write_announcement(event=event, words=words, client_id=uuid.uuid4(), by=by)
    with read_for_public(lambda: "Player {number}"):
        (row,) = list_announcements(event, timezone.now())
        assert re.search("marsch", row.title + row.text, re.IGNORECASE) is None
        assert "Player 1" in row.title
    (row,) = list_announcements(event, timezone.now())  # the desk reads what was typed
    assert row.title == text


def test_a_surname_is_forgotten_too(event: Event):
    person = one(event).person
    person.preferred_name, person.legal_name = "Quendolin Marsch", ""
    person.save()
    give_penalty(player=one(event, 2), points=1000, reason="hit by MARSCH", client_id=uuid.uuid4(), by=writer_of(event))
    erase_person(person=person, stand_in_for=called, reason="asked", by=writer_of(event))
    assert event.penalties.get().reason == "hit by Deleted player 1"


def test_a_restore_finds_whom_to_forget_again(event: Event, tmp_path: Path):
    assert list_to_forget_again([tmp_path, tmp_path / "none"]) == []
    person = one(event).person
    with transaction.atomic():
        erase_person(person=person, stand_in_for=called, reason="asked", by=writer_of(event))
        write_forgotten([tmp_path])
        transaction.set_rollback(True)  # as a backup from before brings them back
    assert [(each.event.slug, each.number) for each in list_to_forget_again([tmp_path])] == [("cup", 1)]
    assert NAME not in (tmp_path / "forgotten.json").read_text()
