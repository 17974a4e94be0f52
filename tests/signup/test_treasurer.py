"""The treasurer's list: whom each line matches and what it says, as clubs write such lists."""

import re

import pytest

from tests.factories import fresh, make_event
from tests.pages.at_desk import organiser
from tests.pages.html_reader import texts
from tests.sign_ups import come, event_with
from tournament.core.models import AuditRow
from tournament.signup.models import FeePayment, SignUpPage
from tournament.signup.money import Payer, read_paid_list

ADA, BEN, LI, ADAM = (
    Payer("s1", None, "Ada Moss", ("rf23e7n12", "04010001", "ada@example.org"), 2500),  # type: ignore[arg-type]
    Payer("s2", None, "Ben Fir", (), 2500),  # type: ignore[arg-type]
    Payer("p3", None, "\u674e \u68a8", (), 2500),  # type: ignore[arg-type]
    Payer("p4", None, "Ada", (), 0),  # type: ignore[arg-type]
)
PAYERS = [ADA, BEN, LI, ADAM]
URL = "/desk/cup/money/paid/"


@pytest.mark.parametrize(
    ("line", "name", "noted"),
    [
        ("1. Ada Moss (PL)", "Ada Moss", 2500),
        ("2) Fir Ben NL", "Ben Fir", 2500),
        ("MOSS, Ada", "Ada Moss", 2500),
        ("\u674e\u68a8", "\u674e \u68a8", 2500),
        ("3 Ben Fir - 10,00 EUR", "Ben Fir", 1000),
        ("Ben Fir €20", "Ben Fir", 2000),
        ("Ben Fir;12,50", "Ben Fir", 1250),
        ("04010001", "Ada Moss", 2500),
        ("transfer RF23E7N12, thanks", "Ada Moss", 2500),
        ("<ada@example.org>", "Ada Moss", 2500),
        ("Ben Fir not paid yet", "Ben Fir", 0),
        ("Ben Fir: nicht bezahlt", "Ben Fir", 0),
        ("Ben Fir: offen", "Ben Fir", 0),
        ("Ada", "Ada", 0),  # nothing is to be paid
        ("Zoe Oak", "", 0),
    ],
)
def test_a_line_without_a_column(line: str, name: str, noted: int):
    (found,) = read_paid_list(line, PAYERS, "EUR")
    assert (found.payer.name if found.payer else "", found.to_note) == (name, noted)


@pytest.mark.parametrize("heading", ["Paid?", "Bezahlt?", "Payé", "\u5165\u91d1", "amount"])
@pytest.mark.parametrize("sign", ["\t", ";", ", "])
def test_a_column_says_who_has_paid(heading: str, sign: str):
    rows = [("Nr.", "Name", heading), ("1", "Ada Moss", "x"), ("2", "Ben Fir", "nein"), ("3", "\u674e\u68a8", "")]
    found = read_paid_list("\n".join(map(sign.join, rows)), PAYERS, "EUR")
    assert [line.to_note for line in found] == [2500, 0, 0]


def test_a_person_twice_and_a_name_of_two_people():
    twins = [*PAYERS, Payer("p9", None, "Ben Fir", (), 2500)]  # type: ignore[arg-type]
    found = read_paid_list("Ada Moss\nAda Moss\nBen Fir", twins, "EUR")
    assert [(line.to_note, line.again, len(line.payers)) for line in found] == [
        (2500, False, 1),
        (0, True, 1),
        (0, False, 2),
    ]


@pytest.mark.django_db
@pytest.mark.follows("before/sign-up.md")
def test_nothing_is_written_before_the_match_was_seen_and_nothing_twice():
    event = event_with()
    come(event, "Ada Moss", "Ben Fir")
    client = organiser(event)
    page = client.post(URL, {"pasted": "1. Ada Moss\n2. Ben Fir (open: nicht bezahlt)\n3. Zoe"})
    assert FeePayment.objects.count() == 0
    assert [row.split()[-2:] for row in texts(page, "tr")[1:]] == [
        ["40", "EUR"],
        ["not", "paid"],
        ["matches", "nobody"],
    ]
    sent = {"confirmed": "1", "client_id": re.findall(r'name="client_id" value="([^"]+)"', page.content.decode())[0]}
    for _twice in range(2):
        client.post(URL, {**sent, "pay": ["4000:s1"]})
    assert [(each.amount, each.sign_up.name, each.event) for each in FeePayment.objects.all()] == [
        (4000, "Ada Moss", event)
    ]
    again = client.post(URL, {"pasted": "Ada Moss"})
    assert "nothing is to be paid" in texts(again, "tr")[1]
    for wrong in ("0:s1", "x:s1", "99999999999:s1"):
        client.post(URL, {**sent, "client_id": "00000000-0000-4000-8000-000000000000", "pay": [wrong]})
    assert FeePayment.objects.count() == 1


@pytest.mark.django_db
def test_players_without_a_sign_up_pay_the_fee_of_the_event():
    event = make_event(slug="cup", tables=1, rounds=1)
    SignUpPage.objects.create(event=event, fee=2500)
    name = str(event.players.get(number=2).person)
    client = organiser(event)
    page = client.post(URL, {"pasted": f"1. {name}"})
    sent = dict(re.findall(r'name="(client_id|pay)" value="([^"]+)"', page.content.decode()))
    client.post(URL, {"confirmed": "1", **sent})
    (payment,) = fresh(event).payments.all()
    assert (payment.amount, payment.player.number, payment.sign_up) == (2500, 2, None)
    row = AuditRow.objects.get(event=event, verb="money_noted")
    assert (bool(row.by), name in row.details) == (True, False)
    assert f"Fee: {name}" in client.get("/desk/cup/money/").content.decode()
