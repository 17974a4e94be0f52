"""Signing up by the pages: with a mail server and without one, the personal page, and what nobody learns."""

import datetime as dt
import re
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from tests.factories import seat_in_turn, writer_of
from tests.pages.at_desk import organiser
from tests.pages.html_reader import text
from tests.sign_ups import IBAN, come, event_with, states
from tournament.core.rate_limits import Source
from tournament.events.models import Event, Visibility
from tournament.players.actions import NewPlayer, add_players
from tournament.rounds.actions import publish_rounds
from tournament.signup.actions import LOOKS, SENT, count_sender, make_players, note_payment
from tournament.signup.letter_sender import send_waiting
from tournament.signup.models import EmaPlayer, Letter
from tournament.signup.queries import sign_up_token
from tournament.signup.settings import read_questions

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]
START = "/e/cup/sign-up/"


@pytest.fixture
def event() -> Event:
    return event_with()


@pytest.fixture
def mailing(settings: Any) -> None:
    settings.MAIL = True
    settings.DEFAULT_FROM_EMAIL = "desk@example.org"


def page_of(client: Client, address: str, **fields: Any) -> str:
    answer = client.post(address, fields, follow=True) if fields else client.get(address, follow=True)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def link_in(text: str) -> str:
    found = re.search(r"https://desk\.example\.org(/e/cup/sign-up/\S+)", text)
    assert found is not None, text
    return found[1]


@pytest.mark.usefixtures("mailing")
def test_a_letter_leads_to_the_form_and_the_form_to_ones_own_page(event: Event, client: Client):
    assert "A letter is on its way" in page_of(client, START, mail="Ada@Example.org")
    assert send_waiting() == 1
    assert (mail.outbox[0].to, mail.outbox[0].subject) == (["ada@example.org"], "Cup: your link to sign up")
    form = link_in(str(mail.outbox[0].body))
    assert client.get(form)["X-Robots-Tag"] == "noindex"  # it shows an address
    shown = page_of(client, form, name="Ada", country="Germany", show_name="on", client_id=uuid4())
    assert "You have a place." in shown
    assert "RF" in shown
    ada = event.sign_ups.get()
    assert (ada.mail, ada.country, ada.show_name, ada.photo, ada.state) == (
        "ada@example.org",
        "DEU",
        True,
        False,
        "place",
    )
    assert "You have a place." in page_of(client, form)  # the form's link leads to the personal page from then on
    assert send_waiting() == 1
    body = str(mail.outbox[1].body)
    assert "Fee: 40\N{NO-BREAK SPACE}EUR" in body
    assert ada.reference in body
    assert link_in(body) == f"{START}{sign_up_token(ada)}/"


@pytest.mark.usefixtures("mailing")
def test_nobody_learns_who_is_signed_up(event: Event, client: Client):
    come(event, "Ada")
    answers = [page_of(client, START, mail=f"{who}@example.org").partition("<main")[2] for who in ("ada", "bob")]
    assert answers[0].replace("ada", "bob") == answers[1]
    kinds = dict(Letter.objects.exclude(kind="place").values_list("to", "kind"))
    assert kinds == {"ada@example.org": "own", "bob@example.org": "link"}
    for _again in range(9):
        assert "A letter is on its way" in page_of(client, START, mail="bob@example.org")
    assert Letter.objects.filter(to="bob@example.org").count() == 3


@pytest.mark.usefixtures("mailing")
def test_links_of_another_event_or_none_open_nothing(event: Event, client: Client):
    page_of(client, START, mail="ada@example.org")
    send_waiting()
    form = link_in(str(mail.outbox[0].body))
    assert "This link is incomplete" in page_of(client, form[:-3] + "x/")
    Event.objects.filter(pk=event.pk).update(slug="other")
    assert "This link is incomplete" in page_of(client, form.replace("/cup/", "/other/"))
    assert client.get("/e/other/sign-up/1-0123456789abcdef0123456789abcdef/").status_code == 404


@pytest.mark.postgresql
def test_without_a_mail_server_the_own_page_comes_at_once(event: Event, client: Client):
    for number in range(2):
        shown = page_of(client, START, name="Ada", mail="ada@example.org", client_id=uuid4())
        assert "Your sign-up has come in." in shown
        assert f"http://testserver{START}{number + 1}-" in shown
    assert list(event.sign_ups.values_list("state", flat=True)) == ["unconfirmed", "unconfirmed"]
    desk = organiser(event)
    page_of(desk, "/desk/cup/sign-ups/", act="confirm", number=[1, 2])
    assert list(event.sign_ups.values_list("state", flat=True)) == ["place", "unconfirmed"]
    letter = Letter.objects.get(kind="place")
    shown = page_of(desk, f"/desk/cup/sign-ups/letters/{letter.pk}/")
    assert f"https://desk.example.org{START}{sign_up_token(event.sign_ups.get(number=1))}/" in shown
    page_of(desk, f"/desk/cup/sign-ups/letters/{letter.pk}/", act="by_hand")
    letter.refresh_from_db()
    assert (letter.state, "{link}" in letter.body, send_waiting()) == ("by_hand", True, 0)


def test_what_is_sent_twice_or_by_a_machine_is_there_once(event: Event, client: Client):
    once = {"name": "Ada", "mail": "ada@example.org", "client_id": str(uuid4())}
    for _twice in range(2):
        page_of(client, START, **once)
    page_of(client, START, name="Bot", mail="bot@example.org", client_id=uuid4(), website="https://spam.example")
    assert states(event) == {"Ada": "unconfirmed"}


def test_so_many_forms_from_one_address_and_no_more(event: Event, client: Client):
    for _sent in range((SENT.network or 0) - 1):
        count_sender(event, "127.0.0.1")
    forms = [{"name": name, "mail": f"{name}@example.org", "client_id": uuid4()} for name in ("ada", "ben")]
    assert [client.post(START, form).status_code for form in forms] == [302, 429]
    assert states(event) == {"ada": "unconfirmed"}


@pytest.mark.usefixtures("mailing")
def test_who_comes_by_a_letter_is_counted_apart(event: Event, client: Client):
    page_of(client, START, mail="ada@example.org")
    send_waiting()
    form = link_in(str(mail.outbox[0].body))
    for _sent in range((SENT.network or 0) + 1):
        client.post(START, {"mail": "not an address"})
    for limiter in (SENT, LOOKS):
        while limiter.count(Source("127.0.0.1")) == 0:
            pass
    assert client.post(START, {"mail": "ben@example.org"}).status_code == 429
    assert client.post(form, {"look": "1", "ema_number": "1"}).status_code in (200, 422)
    assert client.post(form, {"name": "Ada", "country": "Germany", "client_id": str(uuid4())}).status_code == 302
    assert states(event) == {"Ada": "place"}


@pytest.mark.postgresql
def test_a_number_of_emas_list_fills_the_form(event: Event, client: Client):
    EmaPlayer.objects.create(number="04020001", name="Ada Moss", country="DEU", club="Felt Club")
    shown = client.post(START, {"ema_number": "0402 0001", "mail": "ada@example.org", "look": "1"}).content.decode()
    for value in ("Ada Moss", "DEU", "Felt Club", "ada@example.org", "0402 0001"):
        assert f'value="{value}"' in shown
    assert event.sign_ups.count() == 0


def test_a_minor_needs_a_guardian_and_what_was_typed_stays(event: Event, client: Client):
    said = {"name": "Kid", "mail": "kid@example.org", "minor": "on", "client_id": str(uuid4())}
    answer = client.post(START, said)
    assert answer.status_code == 422
    assert "a guardian must agree" in answer.content.decode()
    assert 'value="Kid"' in answer.content.decode()
    page_of(client, START, **said, guardian="Gus", guardian_mail="gus@example.org", guardian_agrees="on")
    kid = event.sign_ups.get()
    assert (kid.minor, kid.guardian, kid.guardian_consent_on) == (True, "Gus", timezone.now().date())
    assert kid.letters.get().copy_to == "gus@example.org"


def test_the_organisers_questions_are_asked_in_the_readers_language_and_kept_in_the_events(client: Client):
    asked = {"en-gb": "*Food: any / vegan\n[] I bring a set", "de": "Essen: alles / vegan\n[] Ich bringe ein Set mit"}
    event = event_with(questions=read_questions(asked))
    shown = client.get(START, headers={"Accept-Language": "de"}).content.decode()
    assert "Essen" in shown
    said = {"name": "Ada", "mail": "ada@example.org", "client_id": str(uuid4()), "q1": "on"}
    assert client.post(START, said).status_code == 422
    client.post(START, {**said, "q0": "1"}, headers={"Accept-Language": "de"})
    assert event.sign_ups.get().answers == {"Food": "vegan", "I bring a set": "✓"}


@pytest.mark.postgresql
def test_ones_own_page_from_waiting_to_the_table(event: Event, client: Client):
    ada, ben, cem = come(event, "Ada", "Ben", "Cem")
    mine, cems = f"{START}{sign_up_token(ada)}/", f"{START}{sign_up_token(cem)}/"
    assert "Number 1 on the waiting list" in page_of(client, cems)
    assert "Cancel your sign-up?" in page_of(client, mine, act="cancel")
    assert states(event)["Ada"] == "place"
    assert "Your sign-up is cancelled." in page_of(client, mine, act="cancel", sure="1")
    assert "A place is free for you." in page_of(client, cems)
    assert "You have a place." in page_of(client, cems, act="accept")
    note_payment(sign_up=ben, amount=4000, client_id=uuid4(), by=writer_of(event))
    assert "The fee is paid." in page_of(client, f"{START}{sign_up_token(ben)}/")
    page_of(client, cems, act="consent", show_name="on")
    assert "<li>Cem</li>" in re.sub(r"\s*<span.*?</span>|\s+(?=</li>)", "", page_of(client, "/e/cup/about/"))


def test_players_check_in_by_their_link_on_the_day_if_that_is_allowed(client: Client):
    for allowed, days in ((False, 0), (True, 3), (True, 0)):
        Event.objects.filter(slug="cup").update(slug=f"was-{uuid4()}")
        event = event_with(days=60, self_check_in=allowed)
        ada = come(event, "Ada")[0]
        Event.objects.filter(pk=event.pk).update(date=timezone.localdate() + dt.timedelta(days=days))
        make_players(event=event, by=writer_of(event))
        shown = page_of(client, f"{START}{sign_up_token(ada)}/", act="check_in")
        assert ("You are checked in." in shown) == (allowed and days == 0)
        assert (event.players.get().checked_in_at is not None) == (allowed and days == 0)


def test_the_page_is_the_organisers_until_it_is_public(client: Client):
    event = event_with(
        shown=False,
        texts={"about": {"en-gb": "Come <b>all</b>", "de": "Kommt alle"}, "prizes": {"en-gb": "A cup"}},
        address="Felt Road 1",
        map_place="52.52, 13.405",
    )
    assert client.get("/e/cup/about/").status_code == client.get(START).status_code == 404
    desk = organiser(event)
    assert "Only organisers see this page" in page_of(desk, "/desk/cup/settings/sign-up/") + page_of(
        desk, "/e/cup/about/"
    )
    event.sign_up_page.__class__.objects.update(shown=True)
    shown = page_of(client, "/e/cup/about/")
    for part in ("Come &lt;b&gt;all&lt;/b&gt;", "A cup", "mlat=52.52&amp;mlon=13.405", "2 of 2 places are free", "40"):
        assert part in shown, part
    german = client.get("/e/cup/about/", headers={"Accept-Language": "de"}).content.decode()
    assert "Kommt alle" in german
    assert "A cup" in german  # in the event's language, where the reader's is missing


def test_the_list_of_events_offers_free_places_and_the_waiting_list(client: Client):
    event = event_with()
    Event.objects.update(visibility=Visibility.PUBLIC)
    assert text(client.get("/"), ".state") == "Sign up · 2 places free"
    come(event, "Ada")
    assert text(client.get("/"), ".state") == "Sign up · 1 place free"
    come(event, "Ben", "Cem")
    assert text(client.get("/"), ".state") == "Sign up · waiting list"
    event.sign_up_page.__class__.objects.update(open=False)
    assert text(client.get("/"), ".state") == "Not begun"


def test_the_address_of_an_event_shows_its_page_until_seats_are_public(client: Client):
    event = event_with(shown=False)
    assert "Seats are not published yet" in page_of(client, "/e/cup/")
    event.sign_up_page.__class__.objects.update(shown=True)
    shown = client.get("/e/cup/")
    assert (text(shown, "h1"), shown["Cache-Control"]) == (event.name, "no-store")
    assert "Sign up 2 of 2 places are free" in text(shown, "main")
    assert "Choose your name" not in text(shown, "main")
    by = writer_of(event)
    players = add_players(event=event, players=[NewPlayer(name) for name in ("Ada", "Ben", "Cem", "Eve")], by=by)
    assert "Choose your name" in text(client.get("/e/cup/"), "main")
    assert text(client.get("/e/cup/?pick"), "#pick-title") == "Choose your name"
    seat_in_turn(event, players, rounds=1, by=by)
    publish_rounds(event=event, numbers=[1], by=by)
    assert text(client.get("/e/cup/"), "h1").startswith("Round 1")


def test_a_code_of_the_payment_is_drawn_for_euros_alone(event: Event, client: Client):
    ada = come(event, "Ada")[0]
    shown = page_of(client, f"{START}{sign_up_token(ada)}/")
    assert "<svg" in shown.partition('aria-label="Code of the payment"')[2]
    assert IBAN[:4] in shown
    event.sign_up_page.__class__.objects.update(currency="CHF")
    assert "Code of the payment" not in page_of(client, f"{START}{sign_up_token(ada)}/")
