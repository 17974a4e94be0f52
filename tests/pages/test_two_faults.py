"""A form of the organiser with two faults says both, each at its field, and nothing that was typed is lost."""

from typing import Any

import pytest
from bs4 import BeautifulSoup

from tests.factories import make_account, make_event
from tests.pages.at_desk import client_of, organiser
from tournament.core.hash_chain import checksum

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

EVENT = {"name": "Cup", "date": "2026-09-12", "place": "", "rounds": "2"}
ROWS = {"row-TOTAL_FORMS": "1", "row-INITIAL_FORMS": "0", "seen": checksum([])}
PRIZES = {"row-TOTAL_FORMS": "2", "row-INITIAL_FORMS": "0", "ties": "shared", "seen": checksum([])}
# address → what is sent, and the fields that are wrong
FAULTS: list[tuple[str, dict[str, str], set[str]]] = [
    ("/desk/new/", {**EVENT, "rules_key": "ema-2025", "country": "Nowhere", "time_zone": "Here", "rounds": "0"},
     {"country", "time_zone", "rounds"}),
    ("/desk/cup/settings/", {**EVENT, "name": "", "country": "Nowhere", "time_zone": "Here"},
     {"name", "country", "time_zone"}),
    ("/desk/cup/players/", {"preferred_name": "Ada", "country": "Nowhere", "ema_number": "7"},
     {"country", "ema_number"}),
    ("/desk/cup/money/", {"note": "", "amount": "much", "way": "out"}, {"note", "amount"}),
    ("/desk/cup/money/prizes/",
     {**PRIZES, "row-0-for_": "place", "row-0-of": "first", "row-0-amount": "much", "row-0-thing": "",
      "row-1-for_": "club", "row-1-of": "", "row-1-amount": "5", "row-1-thing": ""},
     {"row-0-of", "row-0-amount", "row-1-of"}),
    ("/desk/cup/settings/rota/", {**ROWS, "row-0-name": "", "row-0-round_1": "x", "row-0-round_2": "y"},
     {"row-0-name", "row-0-round_1", "row-0-round_2"}),
    ("/desk/cup/settings/equipment/", {**ROWS, "row-0-who": "", "row-0-what": "AMOS", "row-0-table": "0"},
     {"row-0-who", "row-0-table"}),
    ("/desk/cup/penalties/", {"player": "", "amount": "much", "reason": ""}, {"player", "amount", "reason"}),
    ("/desk/cup/settings/sign-up/?part=fee", {"fee": "much", "currency": "EUR", "iban": "DE0", "pay_days": "-1"},
     {"fee", "iban", "pay_days"}),
]  # fmt: skip


@pytest.mark.parametrize(("url", "sent", "wrong"), FAULTS, ids=[f"{url} {len(sent)}" for url, sent, _wrong in FAULTS])
def test_all_faults_are_said_each_at_its_field(url: str, sent: dict[str, str], wrong: set[str]) -> None:
    event = make_event(slug="cup", tables=2, rounds=2, published=False)
    event.rounds.all().delete()  # a list that is open has the form of a new player
    client = client_of(make_account("Founder", superuser=True)) if url == "/desk/new/" else organiser(event)
    answer: Any = client.post(url, sent)
    assert answer.status_code == 422
    page = BeautifulSoup(answer.content.decode(), "html.parser")
    found = set()
    for name, value in sent.items():
        for field in page.select(f'main [name="{name}"][id]'):
            error = page.find(id=f"{field['id']}_error")
            if error and error.get_text(strip=True):
                found.add(name)
                assert field.name != "input" or field.get("value", "") == value
    assert found == wrong
