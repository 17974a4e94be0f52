"""The organiser's pages of sign-up: settings, list, one person, fees, letters, players, EMA's list."""

import html
import io
import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook

from tests.factories import make_event, writer_of
from tests.pages.at_desk import client_of, organiser, values
from tests.pages.html_reader import text
from tests.sign_ups import IBAN, come, event_with, states
from tournament.events.models import Event
from tournament.rulesets.actions import change_rules
from tournament.signup.letter_sender import send_waiting
from tournament.signup.models import EmaPlayer, FeePayment, Letter

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]
LIST = "/desk/cup/sign-ups/"
SETTINGS = "/desk/cup/settings/sign-up/"
PARTS = {
    "page": {"shown": "on", "map_place": "52.52, 13.405", "address": "Club house"},
    "sign-up": {
        "open": "on", "places": "3", "offer_hours": "24", "keep_days": "10", "site": "https://desk.example.org/",
        "coming_shown": "on",
    },
    "questions": {"questions_en-gb": "Food: any / vegan"},
    "fee": {
        "fee": "12,50", "currency": "EUR", "payee": "Felt Club", "iban": "DE89 3704 0044 0532 0130 00", "pay_days": "7",
    },
    "texts": {"text_about_en-gb": "Hello"},
}  # fmt: skip


@pytest.fixture
def event() -> Event:
    return event_with()


@pytest.fixture
def desk(event: Event) -> Client:
    return organiser(event)


def said(client: Client, url: str, /, **fields: Any) -> str:
    answer = client.post(url, fields, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.follows("before/sign-up.md")
def test_each_part_is_saved_alone_and_said_on_the_trail(event: Event, desk: Client):
    for part, fields in PARTS.items():
        assert "Saved." in said(desk, f"{SETTINGS}?part={part}", **fields), part
        assert "Nothing was changed." in said(desk, f"{SETTINGS}?part={part}", **fields), part
    page = event.sign_up_page.__class__.objects.get()
    assert (page.fee, page.iban, page.site, page.places) == (1250, IBAN, "https://desk.example.org", 3)
    assert (page.shown, page.open, page.texts) == (True, True, {"about": {"en-gb": "Hello"}})
    assert [each["label"] for each in page.questions] == [{"en-gb": "Food"}]
    assert (
        "changed the event&#x27;s page and sign-up (3 places)" in desk.get("/desk/cup/settings/trail/").content.decode()
    )


def test_the_parts_are_named_and_lead_to_each_other(desk: Client):
    page = desk.get(f"{SETTINGS}?part=fee").content.decode()
    links = re.findall(r'<a href="\?part=([a-z-]+)"( aria-current="page")?>([A-Za-z-]+)</a>', page)
    assert [(part, label) for part, _here, label in links] == [
        ("page", "Page"), ("sign-up", "Sign-up"), ("questions", "Questions"), ("fee", "Fee"), ("texts", "Texts"),
    ]  # fmt: skip
    assert [part for part, here, _label in links if here] == ["fee"]


def test_all_that_is_wrong_is_said_at_once_each_at_its_field(desk: Client):
    wrong = {"fee": "much", "iban": "DE00", "payee": "", "pay_days": "-1"}
    answer = desk.post(f"{SETTINGS}?part=fee", PARTS["fee"] | wrong)
    assert answer.status_code == 422
    for name, words in {
        "fee": "not an amount of money", "iban": "is not an IBAN", "payee": "who owns the account", "pay_days": "0",
    }.items():  # fmt: skip
        assert words in text(answer, f"#id_{name}_error"), name
        (field,) = re.findall(f'<input[^>]* id="id_{name}"[^>]*>', answer.content.decode())
        assert 'aria-invalid="true"' in field, name
        assert f"id_{name}_error" in field, name
    assert (values(answer, "fee"), values(answer, "iban")) == (["much"], ["DE00"])


@pytest.mark.parametrize("typed", ["€25", "25,00", "25 EUR", "25.-", "EUR 25.00"])
def test_one_amount_has_many_spellings(event: Event, desk: Client, typed: str):
    said(desk, f"{SETTINGS}?part=fee", **PARTS["fee"] | {"fee": typed})
    assert event.sign_up_page.__class__.objects.get().fee == 2500


@pytest.mark.parametrize(
    ("part", "fields", "name", "words"),
    [
        ("fee", {"fee": "25 GBP"}, "fee", "another currency"),
        ("fee", {"fee": "1.250"}, "fee", "in two ways"),
        ("questions", {"questions_de": "Essen"}, "questions_en-gb", "Question 1 is not the same"),
        ("questions", {"questions_en-gb": "", "questions_de": f"{'x' * 130}\n[]"}, "questions_de", "“[]”"),
        ("sign-up", {"places": "0"}, "places", "how many places"),
        ("sign-up", {"site": "desk"}, "site", "is not the address of a desk"),
        ("page", {"map_place": "91, 0"}, "map_place", "not a place on the map"),
    ],
)
def test_what_cannot_be_set_is_said_and_stays_typed(
    desk: Client, part: str, fields: dict[str, str], name: str, words: str
):
    answer = desk.post(f"{SETTINGS}?part={part}", PARTS[part] | fields)
    assert answer.status_code == 422
    assert words in text(answer, f"#id_{name}_error")
    assert all(html.escape(typed.split("\n")[-1]) in answer.content.decode() for typed in fields.values())


def test_a_part_of_a_desk_that_began_to_send_letters_can_be_saved(event: Event, desk: Client, settings: Any):
    """A fault of another part stops nobody: it is said where it can be put right."""
    said(desk, f"{SETTINGS}?part=sign-up", **PARTS["sign-up"] | {"site": ""})
    settings.MAIL = True
    assert "Saved." in said(desk, f"{SETTINGS}?part=fee", **PARTS["fee"])
    answer = desk.post(f"{SETTINGS}?part=sign-up", PARTS["sign-up"] | {"site": ""})
    assert (answer.status_code, "the links of letters begin with it" in text(answer, "#id_site_error")) == (422, True)


def test_a_list_with_all_that_was_said(event: Event, desk: Client):
    come(event, "Ada", "Ben", "Cem", answers={"Food": "vegan"}, club="Felt")
    shown = desk.get(LIST).content.decode()
    for part in ("2 of 2 places taken, 1 waiting", "Food: vegan", "Make players of 2 sign-ups"):
        assert part in shown, part
    assert "Cem" not in desk.get(f"{LIST}?only=place").content.decode()
    lines = desk.get(f"{LIST}?file=csv").content.decode("utf-8-sig").splitlines()
    assert len(lines) == 4
    assert "ada@example.org" in lines[1]


@pytest.mark.follows("before/sign-up.md")
def test_one_act_makes_players_and_a_second_one_nobody(event: Event, desk: Client):
    ada, *_others = come(event, "Ada", "Ben", "Cem")
    assert "Make players of everybody with a place?" in said(desk, LIST, act="players")
    assert "2 players are added." in said(desk, LIST, act="players", sure="1")
    assert "0 players are added." in said(desk, LIST, act="players", sure="1")
    assert list(event.players.values_list("person__preferred_name", flat=True)) == ["Ada", "Ben"]
    assert "already in the list of players" in said(desk, f"{LIST}1/", act="cancel", reason="ill")
    ada.refresh_from_db()
    assert (ada.state, ada.player.number if ada.player else 0) == ("place", 1)


def test_acts_on_one_sign_up(event: Event, desk: Client):
    come(event, "Ada", "Ben", "Cem")
    assert "Write a reason" in said(desk, f"{LIST}1/", act="cancel")
    said(desk, f"{LIST}1/", act="cancel", reason="ill")
    said(desk, f"{LIST}3/", act="place", reason="drives far")
    assert states(event) == {"Ada": "cancelled", "Ben": "place", "Cem": "place"}
    said(desk, f"{LIST}2/", act="fee", fee="20", reason="helps")
    client_id = str(uuid4())
    for _twice in range(2):
        said(desk, f"{LIST}2/", act="pay", amount="20.00", note="cash", client_id=client_id)
    assert "20\N{NO-BREAK SPACE}EUR of 20\N{NO-BREAK SPACE}EUR paid" in desk.get(f"{LIST}2/").content.decode()
    assert FeePayment.objects.count() == 1
    assert "Delete all data" in said(desk, f"{LIST}1/", act="erase")
    said(desk, f"{LIST}1/", act="erase", sure="1")
    assert desk.get(f"{LIST}1/").status_code == 404
    assert "Ada" not in desk.get(LIST).content.decode()


@pytest.mark.postgresql
def test_fees_for_the_treasurer(event: Event, desk: Client):
    ada, _ben = come(event, "Ada", "Ben")
    fields = {"number": "1", "amount": "40,00", "client_id": str(uuid4())}
    for _twice in range(2):
        said(desk, f"{LIST}fees/", **fields)
    shown = desk.get(f"{LIST}fees/").content.decode()
    assert ada.reference in shown
    assert "Ada" not in desk.get(f"{LIST}fees/?open").content.decode()
    rows = desk.get(f"{LIST}fees/?file=csv").content.decode("utf-8-sig").splitlines()
    assert [line.split(",")[4:] for line in rows[1:]] == [["40.00", "40.00", "0.00"], ["40.00", "0.00", "40.00"]]
    assert desk.get(f"{LIST}fees/?file=xlsx").status_code == 200


@pytest.mark.follows("before/sign-up.md")
def test_reminders_are_drafts_until_the_organiser_sends_them(
    event: Event, desk: Client, settings: Any, mailoutbox: Any
):
    settings.MAIL, settings.DEFAULT_FROM_EMAIL = True, "desk@example.org"
    come(event, "Ada", "Ben", "Cem")
    send_waiting()
    assert "2 reminders are drafted." in said(desk, f"{LIST}letters/", act="remind")
    assert "0 reminders are drafted." in said(desk, f"{LIST}letters/", act="remind")
    assert send_waiting() == 0
    draft = Letter.objects.filter(state="draft").order_by("pk")[0]
    assert "has not arrived yet" in desk.get(f"{LIST}letters/{draft.pk}/").content.decode()
    assert "2 letters are sent." in said(desk, f"{LIST}letters/", act="send")
    assert send_waiting() == 2
    assert "Cup: the fee" in [each.subject for each in mailoutbox]
    sent = desk.get(f"{LIST}letters/{draft.pk}/").content.decode()
    assert "I have sent it" not in sent
    assert "has not arrived yet" in sent


def test_a_letter_about_changed_rules_goes_to_all_who_signed_up(event: Event, desk: Client):
    come(event, "Ada", "Ben")
    assert "0 letters are drafted." in said(desk, f"{LIST}letters/", act="rules")  # nothing has changed
    by = writer_of(event)
    change_rules(event=event, values={"minutes": 50}, reason="the hall closes at six", by=by)
    assert "2 letters are drafted." in said(desk, f"{LIST}letters/", act="rules")
    assert "0 letters are drafted." in said(desk, f"{LIST}letters/", act="rules")
    draft = Letter.objects.filter(state="draft", kind="rules").order_by("pk")[0]
    event.refresh_from_db()
    change_rules(event=event, values={"minutes": 45}, reason="once more", by=by)
    shown = desk.get(f"{LIST}letters/{draft.pk}/").content.decode()
    assert "Cup: the rules have changed" in shown
    assert "the hall closes at six\n- Minutes from the start to the signal" in shown
    assert "once more" not in shown  # it is younger than the letter


def test_what_each_letter_says_is_read_before_anybody_comes(event: Event, desk: Client):
    shown = desk.get(f"{LIST}letters/words/").content.decode()
    for part in ("Cup: you have a place", "Cup: a place is free for you", "works for seven days", "{link}"):
        assert (part in shown) == (part != "{link}"), part
    assert "Sie stehen auf der Warteliste" in desk.get(f"{LIST}letters/words/?in=de").content.decode()
    assert Letter.objects.count() == 0


@pytest.mark.postgresql
def test_a_letter_that_fails_is_shown_with_why_and_sent_once_more(event: Event, desk: Client, settings: Any):
    settings.MAIL, settings.DEFAULT_FROM_EMAIL = True, "desk@example.org"
    settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = "django.core.mail.backends.smtp.EmailBackend", None
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # nobody listens
    come(event, "Ada")
    assert send_waiting() == 0
    assert "ConnectionRefusedError" in desk.get(f"{LIST}letters/").content.decode()
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    said(desk, f"{LIST}letters/", act="send")
    assert send_waiting() == 1


@pytest.mark.postgresql
def test_emas_list_is_imported_and_replaced(event: Event, desk: Client):
    assert desk.get("/desk/ema-list/").status_code == 200
    rows = "EMA number;First name;Last name;Country;Club\n4020001;Ada;Moss;Germany;Felt\nx;No;Number;;\n"
    shown = said(desk, "/desk/ema-list/", pasted=rows)
    assert "1 player is imported." in shown
    assert "left out: 3" in shown
    assert EmaPlayer.objects.values_list("number", "name", "country", "club").get() == (
        "04020001", "Ada Moss", "DEU", "Felt",
    )  # fmt: skip
    assert "No players were found" in desk.post("/desk/ema-list/", {"pasted": "a,b\n1,2\n"}).content.decode()
    broken = desk.post("/desk/ema-list/", {"pasted": 'Number,Name\n4020001,"Ada\n'})
    assert (broken.status_code, EmaPlayer.objects.count()) == (422, 1)
    said(desk, "/desk/ema-list/", file=SimpleUploadedFile("old.csv", b"Number,Name\r4020003,Cy Dell\r"))
    assert EmaPlayer.objects.get().name == "Cy Dell"
    book, file = Workbook(), io.BytesIO()
    for row in (["EMA ID", "Name", "Country"], ["04020002", "Ben Fell", "FRA"]):
        book.worksheets[0].append(row)
    book.save(file)
    desk.post("/desk/ema-list/", {"file": SimpleUploadedFile("list.xlsx", file.getvalue())})
    assert EmaPlayer.objects.values_list("number", "name", "country").get() == ("04020002", "Ben Fell", "FRA")
    assert client_of(writer_of(make_event())).get("/desk/ema-list/").status_code == 404


@pytest.mark.postgresql
def test_nothing_of_a_person_is_in_the_trail(event: Event, desk: Client):
    come(event, "Ada Moss", "Ben")
    said(desk, f"{LIST}1/", act="cancel", reason="Ada Moss is ill")
    said(desk, f"{LIST}2/", act="pay", amount="40", note="Ben's mother", client_id=str(uuid4()))
    details = json.dumps([row.details for row in event.audit.all()])
    assert "Ada" not in details
    assert "Ben" not in details
