"""EMA's assistant: each demand with an event that keeps it and one that breaks it; answers, report, points."""

import datetime as dt
import io
import re
from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from rules.ema_events import REQUIREMENTS, EventFacts, judge
from tests.factories import DAY, fresh, make_account, make_event, play_round, round_of, table_of, writer_of
from tests.pages.at_desk import client_of, organiser, referee
from tests.pages.html_reader import text, texts
from tests.sign_ups import TERMS
from tests.table_test import tabled
from tournament.accounts.models import Membership, Role
from tournament.core.models import AuditRow
from tournament.demo.sample import load_samples
from tournament.ema.actions import answer_requirement, set_observer_report
from tournament.ema.queries import get_ema_facts, list_answers
from tournament.ema.views import read_facts
from tournament.events.actions import (
    copy_event,
    create_event,
    publication_of,
    set_house_rules,
    set_publication,
    set_timetable,
    set_visibility,
)
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.players.actions import change_player, player_facts
from tournament.rounds.actions import start_round
from tournament.rulesets.actions import change_rules
from tournament.signup.settings import set_sign_up_page

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

EARLY = DAY - dt.timedelta(days=200)
ONE_DAY = ("9:30", "11:15", "13:30", "15:15")
ASKED = [each.key for each in REQUIREMENTS if each.asked and each.key != "same_dates"]


def at(*times: str, day: dt.date = DAY) -> list[dt.datetime | None]:
    """Return moments of one day in the hall's zone."""
    zone = timezone.get_current_timezone()
    return [dt.datetime.combine(day, dt.time.fromisoformat(each.zfill(5)), zone) if each else None for each in times]


def time(event: Event, *starts: dt.datetime | None) -> Event:
    set_timetable(event=event, starts=starts, by=writer_of(event))
    return fresh(event)


def answer(event: Event, key: str, said: str = "no") -> Event:
    answer_requirement(event=event, key=key, answer=said, by=writer_of(event))
    return event


def publish(event: Event, **chosen: object) -> Event:
    set_publication(event=event, publication=replace(publication_of(event), **chosen), by=writer_of(event))
    return fresh(event)


def make_referee(event: Event) -> None:
    Membership.objects.create(event=event, account=make_account("Rita"), role=Role.REFEREE)


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """An event that keeps all: sixteen known players, four sessions of a day played, shown in time, all answered."""
    event = make_event(slug="cup", tables=4, rounds=4)
    by = writer_of(event)
    for number, player in enumerate(event.players.select_related("person"), start=1):
        to = replace(
            player_facts(player),
            legal_name=f"Ada NR{number}",
            ema_number=f"0401{number:04d}",
            country="FRA" if number % 2 else "DEU",
        )
        change_player(player=player, to=to, ranked=True, by=by)
    make_referee(event)
    time(event, *at(*ONE_DAY))
    event.place, event.country = "Graz", "AUT"
    event.save()
    publish(event, ema_certified=True)
    set_house_rules(event=event, texts={"en-gb": "No phones.", "de": "Keine Telefone."}, by=by)
    set_observer_report(event=event, texts={"observer": "Ottilie Observer"}, by=by)
    for number in range(1, 5):
        start_round(round_=round_of(event, number), by=by)
        play_round(event, number, "2r3 340/2")
    for key in ASKED:
        answer(event, key, "yes")
    return fresh(event)


def states(event: Event, today: dt.date = EARLY) -> dict[str, str]:
    """Return the state of each demand on a day."""
    facts = replace(read_facts(event), today=today)
    return {each.key: verdict.state for each, verdict in judge(facts)}


def plain(rules_key: str = "ema-2025", *, rounds: int = 4) -> Event:
    return make_event(rules_key, tables=4, rounds=rounds)


def short(event: Event) -> Event:
    change_rules(event=event, values={"minutes": 60}, reason="", by=writer_of(event))
    return fresh(event)


def empty(_event: Event) -> Event:
    return create_event(name="Empty", date=DAY, rules_key="ema-2025", rounds=4, by=make_account())


def one_table(_event: Event) -> Event:
    return make_event(tables=1, rounds=4)


def replaced_four_times(_event: Event) -> Event:
    event = plain()
    for number in range(1, 5):
        table = table_of(event, number)
        player = table.seats.select_related("player").first()
        assert player
        put_substitute_in(
            table=table,
            player=player.player,
            replacement=Replacement(name=f"Guest {number}", when="before", reason="ill"),
            client_id=uuid4(),
            by=writer_of(event),
        )
    return event


def without_country(event: Event) -> Event:
    player = event.players.select_related("person").get(number=3)
    change_player(player=player, to=replace(player_facts(player), country=""), ranked=True, by=writer_of(event))
    return event


def two_days(event: Event) -> Event:
    return time(event, *at("9:30", "11:15"), *at("9:30", "11:15", day=DAY + dt.timedelta(days=1)))


def without_observer(event: Event) -> Event:
    set_observer_report(event=event, texts={}, by=writer_of(event))
    return fresh(event)


def in_german(event: Event) -> Event:
    set_house_rules(event=event, texts={"de": "Keine Telefone."}, by=writer_of(event))
    return fresh(event)


def hidden(event: Event) -> Event:
    set_visibility(event=event, visibility="draft", by=writer_of(event))
    return fresh(event)


# demand: what breaks it, and the state that comes of it
BROKEN: dict[str, tuple[Callable[[Event], Event], str]] = {
    "rules": (lambda _event: plain("wrc-2025"), "broken"),
    "applied": (lambda event: answer(event, "applied"), "broken"),
    "same_dates": (lambda event: answer(two_days(event), "same_dates"), "broken"),
    "certified": (lambda event: publish(event, ema_certified=False), "open"),
    "sessions": (two_days, "broken"),
    "a_day": (lambda _: time(plain(rounds=6), *at("8:00", "10:00", "12:00", "14:00", "16:00", "18:00")), "broken"),
    "length": (lambda _event: short(plain()), "broken"),
    "breaks": (lambda event: time(event, *at("9:30", "11:10", "13:30", "15:15")), "broken"),
    "lunch": (lambda event: time(event, *at("9:30", "11:15", "13:00", "14:45")), "broken"),
    "timetable": (lambda event: time(event, *at("9:30", "", "13:30", "15:15")), "broken"),
    "page_procedure": (hidden, "broken"),
    "page_schedule": (hidden, "broken"),
    "page_players": (empty, "broken"),
    "english": (in_german, "broken"),
    "players": (one_table, "broken"),
    "referees": (one_table, "broken"),
    "observer": (without_observer, "broken"),
    "results_between": (lambda event: publish(event, hold="before_last"), "broken"),
    "substitutes": (replaced_four_times, "broken"),
    "file": (without_country, "broken"),
    **{key: (lambda event, key=key: answer(event, key), "broken") for key in ASKED},  # type: ignore[misc]
}


@pytest.mark.postgresql
def test_an_event_that_does_all_keeps_every_demand(event: Event):
    found = states(event)
    assert set(found) == set(BROKEN)
    # one day alone collides with nothing
    assert {key: state for key, state in found.items() if state != "kept"} == {"same_dates": "not_needed"}
    assert states(answer(two_days(event), "same_dates", "yes"))["same_dates"] == "kept"


@pytest.mark.postgresql
@tabled("key", BROKEN)
def test_an_event_breaks_each_demand(event: Event, key: str):
    spoil, state = BROKEN[key]
    broken = spoil(event)
    # what falls due, has: it is the day of the event
    assert states(broken, DAY)[key] == state


def test_what_is_due_later_is_open_until_then(event: Event):
    """Nothing is answered, nobody is named, nothing is played: the day says what is late."""
    fair = plain()
    early, late = states(fair), states(fair, DAY)
    assert {key for key in early if early[key] != late[key]} == {"applied", "observer"}
    assert (early["applied"], early["observer"], early["results_between"]) == ("open", "open", "open")
    assert states(without_observer(event), DAY - dt.timedelta(days=14))["observer"] == "open"
    assert states(event, DAY)["applied"] == "kept"  # by its answer
    unanswered = publish(plain(), ema_certified=True)
    assert [states(unanswered, day)["applied"] for day in (DAY - dt.timedelta(days=200), DAY)] == ["open", "open"]


def test_what_the_page_of_the_event_tells_needs_no_answer():
    event = plain()
    terms = dict(TERMS, texts={"prizes": {"en-gb": "A cup."}, "referees": {"en-gb": ""}})
    set_sign_up_page(event=event, terms=terms, by=writer_of(event))
    set_visibility(event=event, visibility="public", by=writer_of(event))
    keys = ("page_fee", "page_prizes", "page_referees")
    assert [states(fresh(event))[key] for key in keys] == ["kept", "kept", "open"]
    assert states(answer(fresh(event), "page_fee"))["page_fee"] == "broken"  # who knows better says so
    assert [states(hidden(event))[key] for key in keys] == ["broken", "open", "open"]


def test_results_that_come_after_the_next_start_are_late():
    event = plain()
    for number in (1, 2):
        start_round(round_=round_of(event, number), by=writer_of(event))
    play_round(event, 1, "2r3 340/2")
    facts = get_ema_facts(fresh(event), today=DAY)
    (verdict,) = [verdict for each, verdict in judge(facts) if each.key == "results_between"]
    assert (verdict.state, verdict.found) == ("broken", {"late": 1})


# ---------------------------------------------------------------- samples


@pytest.mark.parametrize(
    ("slug", "broken"),
    [
        ("sanmatsuri-sample", {"rules", "length"}),
        ("rakkii-nomi-sample", {"rules"}),
    ],
)
def test_the_checklist_of_each_sample(slug: str, broken: set[str]):
    (event,) = load_samples(now=timezone.now(), only=[slug])
    page = organiser(event).get(f"/desk/{event.slug}/ema/")
    found = states(event, event.date)
    assert broken <= {key for key, state in found.items() if state == "broken"}
    rows = re.findall(r'<tr id="(\w+)">', page.content.decode())
    assert rows == [each.key for each in REQUIREMENTS]
    shown = re.findall(r'(?:met|open|not needed) <b class="num">(\d+)', page.content.decode())
    assert sum(int(each) for each in shown) == len(REQUIREMENTS)
    assert ("EMA certifies riichi for four players only" in page.content.decode()) == (event.ruleset.players == 3)


# ---------------------------------------------------------------- answers


@pytest.mark.follows("before/ema.md")
def test_an_answer_says_who_and_when_on_page_and_trail(event: Event):
    client, url = organiser(event), "/desk/cup/ema/"
    answer(event, "page_fee", "open")
    rows = AuditRow.objects.count()
    for _ in range(2):  # sent twice
        page = client.post(url, {"requirement": "page_fee", "answer": "yes"}, follow=True)
    assert AuditRow.objects.count() == rows + 1
    assert text(page, ".messages") == "Note Nothing was changed."
    row = re.search(r'<tr id="page_fee">.*?</tr>', page.content.decode(), re.DOTALL)
    assert row
    assert re.search(r"yes, Organiser, \d+ \w+ \d\d:\d\d", row[0])
    given = list_answers(event)["page_fee"]
    assert (given.answer, given.by) == ("yes", str(writer_of(event).uid))
    trail = " ".join(texts(client.get("/desk/cup/settings/trail/"), "td"))
    assert "answered what EMA asks, “A public page says what taking part costs.”: yes" in trail
    client.post(url, {"requirement": "page_fee", "answer": "open"})
    assert "page_fee" not in list_answers(event)


@pytest.mark.parametrize("key", ["players", "nothing", "", "x" * 300])
def test_what_the_desk_sees_for_itself_takes_no_answer(event: Event, key: str):
    page = organiser(event).post("/desk/cup/ema/", {"requirement": key, "answer": "yes"}, follow=True)
    assert "EMA's list has no such question." in text(page, ".messages")
    page = organiser(event).post("/desk/cup/ema/", {"requirement": "draw", "answer": "perhaps"}, follow=True)
    assert "EMA's list has no such question." in text(page, ".messages")


def test_a_referee_neither_sees_nor_answers(event: Event):
    client = referee(event, "Rolf")
    assert client.get("/desk/cup/ema/").status_code == 404
    assert client.post("/desk/cup/ema/", {"requirement": "draw", "answer": "no"}).status_code == 404
    assert list_answers(event)["draw"].answer == "yes"


# ---------------------------------------------------------------- a new event


NEW = {"name": "Open", "date": "2099-01-01", "rounds": "4", "rules_key": "ema-2025", "visibility": "draft"}


def create(client: Client, **given: str) -> str:
    page = client.post("/desk/new/", {**NEW, **given}, follow=True)
    assert page.status_code == 200
    return " ".join(texts(page, ".messages"))


def test_a_new_event_that_ema_certifies_is_told_what_it_lacks():
    client = client_of(make_account(superuser=True))
    assert create(client) == ""
    assert create(client, name="Certified", ema_certified="on") == ""
    assert Event.objects.get(name="Certified").ema_certified
    lacks = create(client, name="Late", ema_certified="on", date="2026-01-01", rounds="3", rules_key="wrc-2025")
    assert [each.strip() for each in lacks.split("Warning EMA: ")[1:]] == [
        "Play by EMA's rules, with four at a table.",
        "Apply for certification at least three months before, through your federation. Last day: 2 Oct 2025.",
        "At least 4 sessions on one day, 7 on two days, 11 on three. 3 sessions, days: 1; at least 4 are needed.",
    ]


# ---------------------------------------------------------------- observer's report


def report(page: str) -> dict[str, str]:
    found = re.search(r'<dl class="facts">(.*?)</dl>', page, re.DOTALL)
    assert found
    return {
        re.sub(r"<[^>]+>", "", name): re.sub(r"<[^>]+>", " ", said).strip()
        for name, said in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", found[1], re.DOTALL)
    }


@pytest.mark.postgresql
def test_nine_of_twelve_fields_of_the_report_come_from_the_event(event: Event):
    client = organiser(event)
    event.memberships.filter(role=Role.REFEREE).exclude(account__display_name="Rita").delete()
    page = client.get("/desk/cup/ema/observer/").content.decode()
    assert "10 of 12 fields are filled." in page  # nine, and the observer's name
    assert report(page) == {
        "Observer": "Ottilie Observer",
        "Event, place and dates": "Cup, Graz, Austria, 12 Sept. 2026",
        "Rules and MERS weight": "EMA 2025, MERS 1.0",
        "Playing schedule": "1 day, 4 rounds (4), 75 minutes",
        "Players and countries": "16 players, 2 countries (Germany: 8, France: 8)",
        "Information": "http://testserver/e/cup/",
        "Referees": "1 for 16 players",
        "Substitutes": "none",
        "Clock, and results between sessions": (
            "A clock of the desk ran in 4 of 4 rounds. Results were shown before the next round began."
        ),
        "Complaints": "none",
        "Venue and equipment": "–",
        "Comments": "–",
    }


@pytest.mark.follows("before/ema.md")
def test_the_report_is_written_read_as_files_and_not_on_the_trail(event: Event):
    client = organiser(event)
    sent = {"observer": "Otto Observer", "venue": "A quiet hall.\nGood tiles.", "comments": "All well."}
    for _ in range(2):
        page = client.post("/desk/cup/ema/observer/", sent, follow=True)
    assert "12 of 12 fields are filled." in page.content.decode()
    rows = load_workbook(io.BytesIO(client.get("/desk/cup/export/observer.xlsx").content)).active
    assert rows is not None
    assert [cell.value for cell in rows["B"]][3:5] == ["Otto Observer", "Cup, Graz, Austria, 12 Sept. 2026"]
    assert client.get("/desk/cup/export/observer.pdf").content.startswith(b"%PDF")
    trail = " ".join(texts(client.get("/desk/cup/settings/trail/"), "td"))
    assert "wrote the observer's report: Observer, Venue and equipment and Comments" in trail
    assert "Otto" not in "".join(AuditRow.objects.values_list("details", flat=True))
    long = client.post("/desk/cup/ema/observer/", {"observer": "x" * 81})
    assert long.status_code == 422
    copied = copy_event(
        event=event, name="Next", date=DAY, place="", rounds=4, visibility="draft", roles=False, by=writer_of(event)
    )
    assert (copied.observer_report, copied.ema_certified) == ({}, True)


def facts_of_nothing() -> EventFacts:
    return EventFacts(book="ema-2025", table_size=4, date=DAY, today=DAY, minutes=0, sessions=())


def test_an_event_of_which_nothing_is_known_is_judged_all_the_same():
    found = {each.key: verdict.state for each, verdict in judge(facts_of_nothing())}
    assert found["length"] == "kept"  # without a limit there is time enough
    assert (found["timetable"], found["breaks"], found["lunch"]) == ("broken", "open", "open")
