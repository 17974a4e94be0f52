"""Eight at once with connections of their own: at one table, in one round, at one event, in the site's trail.

Nothing that was answered is lost or there twice, nobody is told of a database, and the chains hold.
"""

import functools
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client

from tests.factories import correct, enter, last_seq, make_account, make_event, round_of, rows_of, table_of, writer_of
from tests.pages.at_desk import client_of
from tournament.accounts.actions import create_organiser_link, invite, rename_account, use_link
from tournament.accounts.models import Account, Role
from tournament.archive.verify import verify_all, verify_event
from tournament.core.models import AuditRow
from tournament.events.actions import set_second_person
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.penalties.models import Penalty
from tournament.rounds.actions import give_time, start_round
from tournament.wall.actions import AnnouncementText, write_announcement
from tournament.wall.models import Announcement

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole_run]
EIGHT = 8
HANDS = 2  # a writer
DRAW = {"kind": "draw", "tenpai": [0, 1, 2, 3]}


def at_once(*acts: Callable[[], object]) -> list[Any]:
    """Do all acts at the same moment, each in a thread with a connection of its own; return what each returns."""
    start, answers = threading.Barrier(len(acts)), list[Any]([None] * len(acts))

    def run(place: int) -> None:
        start.wait()
        try:
            answers[place] = acts[place]()
        except Exception as fault:  # noqa: BLE001  (shown by the assertion that expects an answer)
            answers[place] = fault
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.fixture
def event() -> Event:
    """Return an event of eight tables whose first round runs."""
    event = make_event("rakkii-nomi-2026", tables=EIGHT, rounds=1, slug="cup")
    start_round(round_=round_of(event), by=writer_of(event))
    event.refresh_from_db()
    return event


def post(client: Client, table: int, seen: int, client_id: str, note: str = "") -> tuple[int, dict[str, Any]]:
    """Enter a hand by the API; `note` tells it from the others."""
    body = {"client_id": client_id, "expected_seq": seen, "entry": {**DRAW, "note": note}, "reason": "eight at once"}
    address = f"/api/v1/events/cup/rounds/1/tables/{table}/entries"
    answer = client.post(address, body, content_type="application/json")
    return answer.status_code, answer.json()


def clients(event: Event) -> list[Client]:
    """Return eight laptops that are signed in."""
    return [client_of(writer_of(event)) for _ in range(EIGHT)]


def sound(event: Event) -> list[str]:
    """Return what is wrong with the chains, hands and sheets of an event."""
    return [problem.code for problem in verify_event(event).problems]


def test_at_one_table_one_hand_wins_each_place_and_the_others_hear_of_it(event: Event):
    asked: list[list[tuple[int, str]]] = [[] for _ in range(EIGHT)]

    def writer(place: int, client: Client) -> None:
        seen = 0
        for number in range(HANDS):
            status, client_id = 0, str(uuid4())
            while status != 201:
                status, answer = post(client, 1, seen, client_id, f"{place}.{number}")
                asked[place].append((status, client_id))
                seen = answer["seq"] if status == 201 else answer["between"][-1]["seq"]

    acts = [lambda place=place, client=client: writer(place, client) for place, client in enumerate(clients(event))]
    assert at_once(*acts) == [None] * EIGHT
    told = [each for answers in asked for each in answers]
    assert {status for status, _ in told} <= {201, 409}
    rows = rows_of(table_of(event))
    assert sorted(str(row.client_id) for row in rows) == sorted(each for status, each in told if status == 201)
    assert [row.seq for row in rows] == list(range(1, EIGHT * HANDS + 1))
    assert sound(event) == []


def test_of_eight_who_saw_the_same_one_is_taken_and_seven_are_shown_it(event: Event):
    acts = [lambda c=client: post(c, 1, 0, str(uuid4())) for client in clients(event)]
    answers = at_once(*acts)
    assert Counter(status for status, _ in answers) == {201: 1, 409: EIGHT - 1}
    shown = {tuple(row["seq"] for row in answer["between"]) for status, answer in answers if status == 409}
    assert shown == {(1,)}
    assert [row.seq for row in rows_of(table_of(event))] == [1]


def test_one_hand_sent_eight_times_is_one_row_and_one_answer(event: Event):
    client_id, version = str(uuid4()), event.version
    acts = [lambda c=client: post(c, 1, 0, client_id) for client in clients(event)]
    answers = at_once(*acts)
    assert Counter(status for status, _ in answers) == {201: 1, 200: EIGHT - 1}
    assert [answer for _, answer in answers] == [answers[0][1]] * EIGHT
    event.refresh_from_db()
    assert ([str(row.client_id) for row in rows_of(table_of(event))], event.version) == ([client_id], version + 1)


def test_eight_tables_of_one_round_hinder_nobody(event: Event):
    version = event.version

    def writer(table: int, client: Client) -> list[int]:
        return [post(client, table, seen, str(uuid4()))[0] for seen in range(HANDS)]

    acts = [lambda t=table, c=client: writer(t, c) for table, client in enumerate(clients(event), start=1)]
    assert at_once(*acts) == [[201] * HANDS] * EIGHT
    assert [last_seq(table_of(event, table)) for table in range(1, EIGHT + 1)] == [HANDS] * EIGHT
    event.refresh_from_db()
    assert event.version == version + EIGHT * HANDS
    assert sound(event) == []


def test_eight_kinds_of_acts_at_one_event_all_stand(event: Event):
    by, table, player = writer_of(event), table_of(event, 1), event.players.select_related("event").get(number=1)
    enter(table, "2r3 340/2")
    event.refresh_from_db()
    version, before = event.version, AuditRow.objects.filter(event=event).count()
    answers = at_once(
        lambda: enter(table_of(event, 2), "1t 230"),
        lambda: enter(table_of(event, 3), "2r1 230"),
        lambda: correct(table, 1, "2r3 440"),
        lambda: give_penalty(player=player, points=1000, reason="late", client_id=uuid4(), by=by),
        lambda: write_announcement(event=event, words=AnnouncementText(title="Lunch"), client_id=uuid4(), by=by),
        lambda: give_time(table=table_of(event, 4), minutes=5, reason="spilt", client_id=uuid4(), by=by),
        lambda: set_second_person(event=event, second_person="other_person", by=by),
        lambda: invite(event=event, role=Role.REFEREE, name="Rita", by=by),
    )
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    event.refresh_from_db()
    trail = list(AuditRow.objects.filter(event=event).order_by("seq").values_list("seq", "verb"))
    assert [seq for seq, _ in trail] == list(range(1, before + EIGHT + 1))
    assert sorted(verb for _, verb in trail[before:]) == sorted(
        ["hand_entered", "hand_entered", "hand_corrected", "penalty_given", "announcement_written", "table_time_given",
         "second_person_set", "link_created"]
    )  # fmt: skip
    assert event.version == version + EIGHT - 1  # an invitation changes nothing that pages show
    assert (Penalty.objects.count(), Announcement.objects.count(), event.second_person) == (1, 1, "other_person")
    assert sound(event) == []


def test_eight_who_come_in_by_links_to_one_event_are_all_in_its_trail(event: Event):
    tokens = [
        invite(event=event, role=Role.REFEREE, name=f"Guest {number}", by=writer_of(event)) for number in range(6)
    ]
    acts = [functools.partial(use_link, token=token) for token in tokens]
    answers = at_once(*acts, lambda: enter(table_of(event, 1), "d13"), lambda: enter(table_of(event, 2), "d13"))
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    assert event.memberships.filter(role=Role.REFEREE).count() == len(tokens)
    assert sound(event) == []


def test_eight_who_write_into_the_sites_trail_make_one_chain():
    people: list[Account] = [make_account(f"Person {number}") for number in range(EIGHT)]

    def writer(person: Account) -> None:
        for number in range(HANDS):
            rename_account(name=f"{person.display_name} {number}", by=person)

    answers = at_once(*(lambda person=person: writer(person) for person in people))
    assert answers == [None] * EIGHT
    create_organiser_link()
    rows = list(AuditRow.objects.filter(event=None).order_by("seq").values_list("seq", flat=True))
    assert rows == list(range(1, EIGHT * HANDS + 2))
    assert list(verify_all().problems) == []
