"""Who is forgotten is named nowhere: a name typed into every text is on no page, paper, relay, proof or push."""

import datetime as dt
import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from scoring.paper_sheet import PaperSheet
from tests.archive.archive_acts import give_fouls, make_finals, replace_players, run_the_clock, set_the_wall
from tests.factories import (
    correct,
    enter_all,
    make_account,
    make_event,
    rename_player,
    round_of,
    sign,
    table_of,
    void,
    writer_of,
)
from tests.pages.at_desk import client_of
from tests.pages.html_reader import text_of
from tests.pages.test_crawl import crawl
from tournament.accounts.actions import invite
from tournament.accounts.models import Role
from tournament.archive.verify import verify_event
from tournament.calls.actions import answer_call, call_referee, close_call, make_complaint
from tournament.core.redactions import FIXED
from tournament.core.transaction import event_transaction
from tournament.drill.actions import make_drill
from tournament.drill.models import CrewResult
from tournament.events.actions import TEAMS_SET, set_second_person
from tournament.events.models import Event
from tournament.players.actions import withdraw_player
from tournament.privacy.actions import CHANGEABLE, erase_person
from tournament.privacy.queries import say_forgotten
from tournament.push.models import ToldPhone
from tournament.push.sender import list_tellings, message
from tournament.relay.queries import get_public_part
from tournament.rounds.actions import release_round, resume_clock, start_round
from tournament.seasons.models import Season
from tournament.seating.models import DrawDraft
from tournament.sheets.actions import enter_totals, reject_sheet, reopen_table
from tournament.signup.actions import note_payment
from tournament.signup.models import Letter, SignUp
from tournament.signup.settings import read_questions, set_sign_up_page

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.slow]

NAME, SURNAME = "Wisteria Quackenbush", "QUACKENBUSH"
FOUND = re.compile("quackenbush", re.IGNORECASE)
NOT_SEARCHED = re.compile(
    r"/export/event\.json|/person\.json|/language/|/logout/"
)  # the event's file has the fixed rows


@pytest.fixture
def event() -> Event:
    """Return an event where the name of player 3 was typed into every text that somebody can type."""
    event = make_event(slug="cup")
    by = writer_of(event)
    rename_player(player=event.players.get(number=3), name=NAME, by=by)
    _type_fixed(event)
    _make_rows(event)
    with event_transaction(event, TEAMS_SET, by=by):  # which seals what it finds changed
        for row, column in _changeable(event):
            value = getattr(row, column)
            type(row)._default_manager.filter(pk=row.pk).update(**{column: _typed(value, column)})
    event.refresh_from_db()
    return event


def _type_fixed(event: Event) -> None:
    """Type the name into notes, reasons of corrections and of sheets, and into the trail; release the round."""
    by, table = writer_of(event), table_of(event)
    start_round(round_=round_of(event), by=by)
    set_second_person(event=event, second_person="other_person", by=by)
    enter_all(table, f"1t 230 #{NAME} was late", "d", "2r3 5")
    correct(table, 1, f"1t 340 #{SURNAME} again", reason=f"{NAME} misheard it")
    void(table, 2, reason=f"said {SURNAME}")
    sign(table)
    reopen_table(table=table, reason=f"misread by {NAME}", by=by)
    sign(table)
    reject_sheet(table=table, sheet=3, reason=f"{NAME} and 4 are crossed", by=make_account("Second"))
    sign(table)
    enter_all(table_of(event, 2), "1t 230", f"c2 #{SURNAME} slept")
    sign(table_of(event, 2))
    set_second_person(event=event, second_person="off", by=by)
    release_round(round_=round_of(event), by=by)
    withdraw_player(player=event.players.get(number=8), reason=f"drives {NAME} home", by=by)
    set_second_person(event=event, second_person="blind", by=by)
    sheet = PaperSheet((80_000, -30_000, -30_000, -20_000), (0,) * 4, 0, "differences")
    waiting = table_of(event, 2, round_=2)
    enter_totals(
        table=waiting, sheet=sheet, client_id=uuid4(), expected_seq=0, reason=f"{NAME} wrote it", again=False, by=by
    )


def _make_rows(event: Event) -> None:
    """Make a row of everything that a text can be typed into."""
    by, table = writer_of(event), table_of(event, 1, round_=2)
    enter_all(table, "1t 230")
    run_the_clock(event)
    resume_clock(round_=round_of(event, 2), by=by)
    give_fouls(event)
    replace_players(event)
    make_finals(event)
    set_the_wall(event)
    call = call_referee(table=table, client_id=uuid4(), question="?", by=by)
    answer_call(call=call, by=by)
    close_call(call=call, question="?", ruling="!", clause="3.2", minutes=2, by=by)
    make_complaint(table=table_of(event), client_id=uuid4(), text="?", player=event.players.get(number=2), by=by)
    terms = {"shown": True, "open": True, "places": 8, "fee": 100, "payee": "Club", "iban": "DE89370400440532013000"}
    set_sign_up_page(event=event, terms=dict(terms, site="https://desk.example.org"), by=by)
    at = dt.datetime(2026, 9, 1, tzinfo=dt.UTC)
    row = SignUp.objects.create(event=event, number=1, client_id=uuid4(), state="place", name="Ada", salt="s",
                                mail="ada@example.org", reference="R1", fee=100, arrived_at=at)  # fmt: skip
    Letter.objects.create(
        event=event, sign_up=row, kind="place", state="sent", to=row.mail, language="en-gb", made_at=at
    )
    note_payment(sign_up=row, amount=100, note="cash", client_id=uuid4(), by=by)
    drill = make_drill(event=event, seed=7, count=1, kinds=["pay"], by=by)
    CrewResult.objects.create(drill=drill, client_id=uuid4(), name="Rita", answers="a", sent_at=drill.made_at)
    DrawDraft.objects.create(event=event, seed=1, way="full", fingerprint="", made_by="", made_at=drill.made_at,
                             seen_at=drill.made_at)  # fmt: skip
    invite(event=event, role=Role.REFEREE, name="Rita", by=by)
    season = Season.objects.create(slug="year", name="Year", created_at=at)
    season.events.create(event=event)
    season.teams.create(number=1, name="Reds", points=[[1, -20, "late"]])


def _changeable(event: Event) -> Iterator[tuple[Any, str]]:
    for model, (way, columns) in CHANGEABLE.items():
        rows = list(model._default_manager.filter(**{way: event.pk}))
        assert rows, f"there is no {model.__name__} to type into"
        yield from ((row, column) for row in rows for column in columns)


def _typed(value: Any, column: str) -> Any:
    """Return what somebody may have typed: a text, or the same values with the name among them."""
    if isinstance(value, str):
        return f"by {SURNAME}"
    if isinstance(value, list):
        return read_questions({"en-gb": f"*Knows {NAME}: yes / no"})
    if column == "problem":
        return {"code": "draw.players_changed", "params": {"name": NAME}}
    named = {"name": NAME, "en-gb": f"by {NAME}"}
    return {**value, **named, **({"mail": f"{SURNAME}@example.org"} if column == "contact" else {})}


def forget(event: Event) -> None:
    person = event.players.get(number=3).person
    erase_person(person=person, stand_in_for=say_forgotten, reason=f"{NAME} asked", by=writer_of(event))
    event.refresh_from_db()
    cache.clear()


def columns_with_the_name() -> set[str]:
    """Return every column of the database that holds the name."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            names = [column.name for column in connection.introspection.get_table_description(cursor, table)]
            cursor.execute(f'SELECT * FROM "{table}"')
            for row in cursor.fetchall():
                found |= {f"{table}.{name}" for name, value in zip(names, row, strict=True) if FOUND.search(str(value))}
    return found


def opened(body: bytes) -> str:
    """Return what is in an answer, in each file of one that is a zip."""
    if not body.startswith(b"PK"):
        return text_of(body)
    with zipfile.ZipFile(io.BytesIO(body)) as packed:
        return "\n".join(text_of(packed.read(name)) for name in packed.namelist() if not name.endswith(".png"))


def test_the_database_has_the_name_in_fixed_rows_alone_and_the_record_verifies(event: Event):
    before = columns_with_the_name()
    fixed = {f"{model._meta.db_table}.{column}" for model, (_way, columns) in FIXED.items() for column in columns}
    changeable = {
        f"{model._meta.db_table}.{column}" for model, (_way, columns) in CHANGEABLE.items() for column in columns
    }
    assert fixed | changeable <= before
    forget(event)
    assert columns_with_the_name() == fixed
    assert verify_event(event).problems == []
    assert event.contact == {}


def test_a_second_person_is_taken_out_of_a_text_that_names_both(event: Event):
    by = writer_of(event)
    withdraw_player(player=event.players.get(number=7), reason=f"{NAME} and Bao Nguyen left", by=by)
    rename_player(player=event.players.get(number=4), name="Bao Nguyen", by=by)
    forget(event)
    erase_person(person=event.players.get(number=4).person, stand_in_for=say_forgotten, reason="asked", by=by)
    page = client_of(by).get("/desk/cup/settings/trail/").content.decode()
    assert "Deleted player 3 and Deleted player 4 left" in page


API = ("", "standings", "players", "rounds", "rounds/1", "rounds/1/tables/1", "rounds/1/tables/2", "record")
DESK = (
    "", "calls/", "players/", "players/3/", "players/4/", "sign-ups/", "sign-ups/1/", "sign-ups/letters/",
    "sign-ups/fees/", "mishaps/", "seating/", "penalties/", "substitutes/", "imports/", "results/teams/",
    "settings/trail/", "settings/for-players/", "settings/sign-up/", "settings/rules/", "members/", "drills/", "wall/",
    "ema/observer/", "rounds/1/tables/1/", "rounds/2/tables/2/",
    "rounds/2/tables/2/totals/", "check-in/",
)  # fmt: skip


def pages_of(event: Event, most: int) -> dict[str, str]:
    """Return what the public and the organiser are shown, by address: `most` pages of each kind, at the desk a list."""
    desk = client_of(writer_of(event))
    event.drafts.update(report={})  # a page reads more of it than a name
    walked = crawl(Client(), "/e/cup/", most)
    if most > 1:
        walked |= crawl(desk, "/desk/cup/", most)
    came = {url: text for url, (_status, text) in walked.items() if not NOT_SEARCHED.search(url)}
    assert {url: status for url, (status, _text) in walked.items() if status >= 500} == {}
    for where, client in (("public", Client()), ("desk", desk)):
        came |= {f"{where} API {url}": body_of(client, f"/api/v1/events/cup/{url}") for url in API}
    came |= {f"desk {url}": body_of(desk, f"/desk/cup/{url}") for url in DESK}
    came |= {f"file {name}": body_of(desk, f"/desk/cup/export/{name}") for name in ("site.zip", "results.xlsx")}
    for name in ("seating", "player-cards", "standings", "penalties"):
        came[f"paper {name}"] = body_of(desk, f"/desk/cup/print/{name}.pdf")
        assert "Akelei" in came[f"paper {name}"], name
    came["proof"] = body_of(Client(), "/e/cup/record/proof.json")
    came["relay"] = json.dumps(get_public_part(event, lambda: "No. {number}", ""), ensure_ascii=False)
    return came


def body_of(client: Client, url: str) -> str:
    """Return what is answered at an address that must be there."""
    answer: Any = client.get(url)
    assert answer.status_code == 200, (url, answer.get("Location"))
    return opened(b"".join(answer.streaming_content) if answer.streaming else answer.content)


@pytest.mark.parametrize("most", [1, pytest.param(20, marks=pytest.mark.nightly)])
def test_it_is_shown_to_nobody(event: Event, most: int):
    for url in (
        "/e/cup/standings/",
        "/e/cup/rounds/1/tables/1/",
        "/api/v1/events/cup/rounds/1/tables/1",
        "/e/cup/teams/",
    ):
        assert FOUND.search(Client().get(url).content.decode()), url
    forget(event)
    assert {where for where, text in pages_of(event, most).items() if FOUND.search(text)} == set()


def test_no_phone_is_told_it(event: Event):
    for number in (3, 4):
        player = event.players.get(number=number)
        ToldPhone.objects.create(player=player, endpoint=f"https://fcm.googleapis.com/{number}", key="", secret="",
                                 language="en-gb", asked_at=dt.datetime.now(dt.UTC))  # fmt: skip
    forget(event)
    event.rounds.filter(number=2).update(started_at=None)
    (telling,) = list_tellings(dt.datetime.now(dt.UTC))
    assert telling.phone.endpoint.endswith("4")
    assert not FOUND.search(message(telling).decode())
