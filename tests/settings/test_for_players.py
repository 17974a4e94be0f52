"""The page of what an organiser tells players: three things saved at once, what is refused stays typed."""

from typing import Any

import pytest
from django.test import Client

from tests.factories import make_event
from tests.fixtures import module_event
from tests.pages.at_desk import organiser, referee
from tests.pages.html_reader import text, texts
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db]

URL = "/desk/cup/settings/for-players/"
TYPED = {
    "compared_with": "wrc-2025",
    "contact_name": " Office ",
    "contact_mail": "office@example.org",
    "contact_phone": "",
    "contact_other": "",
    "house_en-gb": "No phones.\r\n\r\n- none",
    "house_ja": "",
    "house_de": "Keine Telefone",
    "house_fr": "",
}


made = module_event(slug="cup", tables=1, rounds=1)


def save(client: Client, **fields: Any) -> Any:
    return client.post(URL, {**TYPED, **fields}, follow=True)


@pytest.mark.follows("before/for-players.md")
def test_it_saves_what_differs_once_with_a_line_on_the_trail_each(event: Event):
    client = organiser(event)
    before = event.audit.count()
    assert texts(save(client), ".messages") == ["Done Saved."]
    event.refresh_from_db()
    assert event.compared_with == "wrc-2025"
    assert event.contact == {"name": "Office", "mail": "office@example.org"}
    assert event.house_rules == {"en-gb": "No phones.\n\n- none", "de": "Keine Telefone"}
    assert texts(save(client), ".messages") == ["Note Nothing was changed."]
    assert event.audit.count() == before + 3
    trail = text(client.get("/desk/cup/settings/trail/"), ".trail")
    for words in (
        "set the rule set that players compare with: WRC 2025",
        "set the house rules (English, Deutsch)",
        "set the contact of the event: Office, office@example.org",
    ):
        assert words in trail


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("contact_mail", "nobody"),
        ("contact_mail", "a@b.org?cc=c@d.org&x"),
        ("contact_name", "x" * 121),
        ("house_de", "x" * 10_001),
        ("compared_with", "house"),
    ],
)
def test_what_is_refused_stays_in_its_field_and_nothing_is_saved(event: Event, field: str, value: str):
    page = save(organiser(event), **{field: value})
    assert page.status_code == 422
    assert len(texts(page, ".error")) == 1
    assert field == "compared_with" or value.replace("&", "&amp;") in page.content.decode()
    assert "Keine Telefone" in page.content.decode() or field == "house_de"
    event.refresh_from_db()
    assert (event.compared_with, event.contact, event.house_rules) == ("", {}, {})


def test_an_event_offers_the_book_that_its_own_one_modifies(event: Event):
    assert texts(organiser(event).get(URL), "option")[0] == "none"
    other = make_event("rakkii-nomi-2026", slug="rakkii", tables=1, rounds=1)
    options = texts(organiser(other).get("/desk/rakkii/settings/for-players/"), "option")
    assert options[0] == "WRC 2025, which it modifies"
    assert "Rakkii Nomi Spring 2026" not in options


def test_only_who_may_change_settings_comes_in(event: Event):
    assert referee(event).get(URL).status_code == 404
    assert referee(event).post(URL, TYPED).status_code == 404
