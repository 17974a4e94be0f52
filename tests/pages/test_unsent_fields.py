"""A form of the settings that lacks one of its fields changes nothing: it is of a page from before an update.

A tick box that is not sent is one without a tick.
"""

import re
from typing import Any
from urllib.parse import urljoin

import pytest
from bs4 import BeautifulSoup, Tag

from tests.factories import make_event, writer_of
from tests.pages.at_desk import organiser
from tournament.core.models import AuditRow
from tournament.ema.actions import set_observer_report
from tournament.events.actions import set_contact, set_details, set_house_rules, set_languages
from tournament.events.models import Event
from tournament.events.pictures import set_colour
from tournament.signup.settings import set_sign_up_page
from tournament.wall.actions import set_network

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

# the page, and a field by which its form is known
FORMS = [
    ("settings/", "name"), ("settings/", "colour"), ("settings/languages/", "language"),
    ("settings/for-players/", "compared_with"), ("settings/sign-up/?part=page", "address"),
    ("settings/sign-up/?part=sign-up", "places"), ("settings/sign-up/?part=fee", "fee"),
    ("settings/sign-up/?part=questions", "questions_en-gb"), ("settings/sign-up/?part=texts", "text_about_en-gb"),
    ("ema/observer/", "observer"), ("wall/", "network"), ("players/1/", "preferred_name"),
]  # fmt: skip


@pytest.fixture
def event() -> Event:
    """Return an event in whose settings everything is set."""
    event = make_event(slug="cup", tables=1, rounds=2)
    by = writer_of(event)
    facts: dict[str, Any] = {
        "name": "Cup",
        "date": event.date,
        "place": "Town hall",
        "rounds": [1, 1],
        "country": "NLD",
    }
    set_details(event=event, **facts, time_zone="Europe/Amsterdam", qualified=True, by=by)
    set_languages(event=event, language="en-gb", second_language="fr", by=by)
    set_colour(event=event, colour="#123456", by=by)
    set_contact(event=event, contact={"name": "Rita", "mail": "rita@example.org"}, by=by)
    set_house_rules(event=event, texts={"en-gb": "No shoes."}, by=by)
    set_network(event=event, network="Hall", password="mahjong-hall", by=by)
    set_observer_report(event=event, texts={"observer": "Otto", "venue": "Bright"}, by=by)
    fee = {"fee": 3500, "payee": "Club", "iban": "DE89370400440532013000", "address": "Street 1", "places": 20}
    terms = {**fee, "shown": True, "site": "https://club.example.org", "texts": {"about": {"en-gb": "Words"}}}
    set_sign_up_page(event=event, terms=terms, by=by)
    person = event.players.get(number=1).person
    person.country, person.club, person.ema_number = "NLD", "Felt", "04010001"
    person.save()
    event.refresh_from_db()
    return event


def values_of(form: Tag) -> dict[str, str]:
    """Return what a browser sends of a form that nobody has touched, by name."""
    found = {}
    for each in form.select("input[name], select[name], textarea[name]"):
        kind = each.get("type")
        if kind in ("submit", "file") or (kind in ("checkbox", "radio") and not each.has_attr("checked")):
            continue
        value = str(each.get("value", "on" if kind == "checkbox" else ""))
        if each.name == "textarea":
            value = re.sub(r"^\r?\n", "", each.get_text())
        if each.name == "select":
            chosen = each.select_one("option[selected]") or each.select_one("option")
            value = str(chosen.get("value", "")) if chosen else ""
        found[str(each["name"])] = value
    return found


@pytest.mark.parametrize(("page", "known_by"), FORMS)
def test_a_settings_form_that_lacks_a_field_changes_nothing(event: Event, page: str, known_by: str) -> None:
    client, url = organiser(event), f"/desk/cup/{page}"
    source = BeautifulSoup(client.get(url).content.decode(), "html.parser")
    (form,) = (each for each in source.select("main form[method=post]") if each.select(f'[name="{known_by}"]'))
    sent = values_of(form)
    boxes = {str(each["name"]) for each in form.select("input[type=checkbox]")}
    to: Any = urljoin(url, str(form.get("action") or url))
    rows = AuditRow.objects.count()
    for lacks in [None, *sent.keys() - boxes]:
        client.post(to, {name: value for name, value in sent.items() if name != lacks})
        assert AuditRow.objects.count() == rows, lacks
