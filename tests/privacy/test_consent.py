"""What a player agrees to: the name, pictures apart, and the guardian of a minor; hidden until somebody has agreed."""

import datetime as dt
import json
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tests.archive.archive_acts import empty_the_database
from tests.factories import make_account, round_of, writer_of
from tests.fixtures import own_event
from tests.imports.lists import read_players
from tests.pages.at_desk import organiser
from tournament.archive.actions import import_event
from tournament.archive.event_file import read_event_file, write_event_file
from tournament.archive.queries import get_event_file
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, change_player, player_facts
from tournament.players.models import Player
from tournament.privacy.actions import erase_person, set_names_shown
from tournament.privacy.queries import get_person_data, say_forgotten
from tournament.rounds.actions import start_round

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

CONSENT = {"minor": "on", "guardian": "Gudrun Holm", "guardian_consent_on": "2026-09-01"}


event = own_event(slug="cup", tables=1, rounds=1)


def player(event: Event, number: int = 1) -> Player:
    return event.players.select_related("person", "event").get(number=number)


def save(event: Event, **typed: str) -> Any:
    """Save the one form of a player with all that a person left ticked."""
    found = player(event)
    fields = {"preferred_name": found.person.preferred_name, "ranked": "on", "shown_by_name": "on", "filmed": "on"}
    return organiser(event).post("/desk/cup/players/1/", fields | typed)


def facts(event: Event, number: int = 1) -> tuple[bool, bool, bool, str, Any]:
    found = player(event, number)
    return found.shown_by_name, found.filmed, found.minor, found.guardian, found.guardian_consent_on


@pytest.mark.follows("after/privacy.md")
@pytest.mark.postgresql
def test_a_minor_is_hidden_until_a_guardian_has_agreed(event: Event):
    assert save(event, minor="on").status_code == 302
    assert facts(event) == (False, False, True, "", None)
    name = player(event).person.preferred_name
    assert name not in organiser(event).get("/api/v1/events/cup/players").content.decode()
    save(event, **CONSENT)
    assert facts(event) == (True, True, True, "Gudrun Holm", dt.date(2026, 9, 1))
    assert name in organiser(event).get("/api/v1/events/cup/players").content.decode()


@pytest.mark.postgresql
@pytest.mark.parametrize("half", [{"guardian": ""}, {"guardian_consent_on": ""}])
def test_half_a_consent_is_none(event: Event, half: dict[str, str]):
    save(event, **(CONSENT | half))
    assert facts(event)[:3] == (False, False, True)


def test_nobody_ticks_an_unguarded_minor_into_the_open(event: Event):
    save(event, minor="on")
    by = writer_of(event)
    assert not set_names_shown(event=event, numbers=[1], shown=True, by=by)
    assert not player(event).shown_by_name
    page = organiser(event).get("/desk/cup/settings/privacy/").content.decode()
    assert "guardian has not agreed" in page
    with pytest.raises(IntegrityError), transaction.atomic():
        event.players.filter(number=1).update(shown_by_name=True)


@pytest.mark.postgresql
def test_pictures_are_refused_apart_from_the_name(event: Event):
    save(event, filmed="")
    assert facts(event)[:2] == (True, False)
    start_round(round_=round_of(event), by=writer_of(event))
    page = organiser(event).get("/desk/cup/settings/stream/").content.decode()
    assert "Not to be filmed in this round:" in page
    assert f"table 1 {player(event).person.preferred_name}" in page


@pytest.mark.postgresql
def test_of_an_adult_no_guardian_is_kept(event: Event):
    save(event, **CONSENT)
    save(event, **(CONSENT | {"minor": ""}))
    assert facts(event) == (True, True, False, "", None)


def test_the_trail_names_the_facts_and_never_the_guardian(event: Event):
    save(event, **CONSENT)
    save(event, **CONSENT)
    rows = list(AuditRow.objects.filter(event=event, verb="player_changed"))
    assert [json.loads(row.details)["fields"] for row in rows] == [["minor", "guardian", "guardian_consent_on"]]
    assert "Gudrun" not in rows[0].details
    assert "the guardian" in organiser(event).get("/desk/cup/settings/trail/").content.decode()


def test_it_stands_in_one_persons_data_and_goes_with_the_person(event: Event):
    save(event, **CONSENT)
    data = get_person_data(player(event))["events"][0]
    assert {key: data[key] for key in ("filmed", "minor", "guardian", "guardian_consent_on")} == {
        "filmed": True, "minor": True, "guardian": "Gudrun Holm", "guardian_consent_on": "2026-09-01",
    }  # fmt: skip
    erase_person(person=player(event).person, stand_in_for=say_forgotten, reason="asked", by=writer_of(event))
    assert facts(event) == (False, False, False, "", None)


def test_the_events_file_takes_it_along_and_an_older_one_lacks_it(event: Event):
    save(event, **CONSENT)
    content = read_event_file(get_event_file(event).encode())
    for known in (True, False):
        for each in content["players"] if not known else ():
            for key in ("filmed", "minor", "guardian", "guardian_consent_on"):
                del each[key]
        empty_the_database()
        made = import_event(data=write_event_file(content).encode(), by=make_account("Desk"))
        found = made.players.get(number=1)
        assert (found.minor, found.guardian) == ((True, "Gudrun Holm") if known else (False, ""))


def test_a_file_that_shows_an_unguarded_minor_is_refused(event: Event):
    content = read_event_file(get_event_file(event).encode())
    content["players"][0]["minor"] = True
    empty_the_database()
    with pytest.raises(DomainError):
        import_event(data=write_event_file(content).encode(), by=make_account("Desk"))


def test_a_list_brings_it_in_columns_that_may_be_missing():
    lines = [
        "Name,Minor,Guardian,Guardian consent,Photos",
        "Akelei,yes,Gudrun Holm,2026-09-01,",
        "Birk,ja,,,yes",
        "Cyan,,,,no",
        "Dill,perhaps,Gerd Holm,1.9.2026,",
        "Esche,yes,Gudrun Holm,soon,",
    ]
    preview = read_players("\n".join(lines).encode(), "list.csv")
    found = [(row.minor, row.unguarded, row.filmed, row.guardian_consent_on) for row in preview.drafts]
    day = dt.date(2026, 9, 1)
    assert found == [
        (True, False, True, day), (True, True, True, None), (False, False, False, None), (True, False, True, day),
        (True, True, True, None),
    ]  # fmt: skip
    codes = [problem.code for row in preview.drafts for problem in row.problems]
    assert codes == ["import.minor_unclear", "import.day_unclear"]


@pytest.mark.postgresql
def test_a_change_of_something_else_keeps_consent(event: Event):
    save(event, **CONSENT)
    found = player(event)
    to = NewPlayer(**{**{name: getattr(player_facts(found), name) for name in NewPlayer.__slots__}, "club": "Elbe"})
    assert change_player(player=found, to=to, ranked=True, by=writer_of(event))
    assert facts(event) == (True, True, True, "Gudrun Holm", dt.date(2026, 9, 1))
