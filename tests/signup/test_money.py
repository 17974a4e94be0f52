"""Prizes and money: who wins what by the standings, ties as the organiser says, what came in and went out."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import F
from django.test import Client

from tests.factories import fresh, make_event, play_round, refused, writer_of
from tests.pages.at_desk import organiser, referee, values
from tests.pages.html_reader import text
from tests.relay.at_relay import part_of
from tournament.core.hash_chain import checksum
from tournament.core.models import AuditRow
from tournament.events.actions import copy_event
from tournament.events.models import Event
from tournament.privacy.actions import set_names_shown
from tournament.signup.models import FeePayment, SignUpPage
from tournament.signup.queries import read_awards
from tournament.standings.prizes import Award, hand_over, list_awards, list_handed, set_prizes
from tournament.standings.queries import get_released_standings
from tournament.wall.actions import begin_prizes, show_prizes

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]
URL = "/desk/cup/money/"


def prize(kind: str, of: str = "", amount: int = 0, thing: str = "") -> dict[str, object]:
    return {"for": kind, "of": of, "amount": amount, "thing": thing}


PLACES = [prize("place", str(place), amount) for place, amount in enumerate((10000, 5000, 2500, 1), start=1)]


@pytest.fixture
def event() -> Event:
    """Two tables with the same game: places 1, 3 and 7 are shared by two or four."""
    made = make_event(slug="cup", tables=2, rounds=1)
    play_round(made, 1, "2r3 340")
    return fresh(made)


def awards(
    event: Event, rows: list[dict[str, object]], ties: str = "tie_break", currency: str = "EUR"
) -> list[tuple[int, int]]:
    stored = fresh(event).prizes.get("rows", [])
    set_prizes(event=event, rows=rows, ties=ties, seen=checksum(stored), by=writer_of(event))
    event.refresh_from_db()
    found = list_awards(event, get_released_standings(event).rows, currency)
    return [(each.row.rank, each.amount) for each in found]


def test_who_shares_a_place_shares_its_prizes(event: Event):
    assert [row.rank for row in get_released_standings(event).rows] == [1, 1, 3, 3, 3, 3, 7, 7]
    assert awards(event, PLACES[:2]) == [(1, 7500), (1, 7500)]
    # 25.01 for four: each gets 6.25, the cent that is left is not paid
    assert awards(event, PLACES) == [(1, 7500), (1, 7500), *[(3, 625)] * 4]
    # no half yen: 50.01 among four is 12 each
    assert awards(event, [prize("place", "3", 5001)], currency="JPY") == [(3, 1200)] * 4


def test_equal_totals_share_though_a_tie_break_parts_them(event: Event):
    rows = get_released_standings(event).rows
    parted = [replace(row, rank=rank, shared=False) for rank, row in enumerate(rows, start=1)]
    for ties, wanted in (("tie_break", [10000, 5000]), ("shared", [7500, 7500])):
        awards(event, PLACES[:2], ties)
        assert [each.amount for each in list_awards(event, parted, "EUR")] == wanted


def test_the_best_newcomer_of_a_country_and_of_a_club(event: Event):
    facts = {1: ("04010001", "NLD", "Felt"), 2: ("", "NLD", ""), 3: ("", "DEU", "felt")}
    for player in event.players.select_related("person").filter(number__in=facts):
        person = player.person
        person.ema_number, person.country, person.club = facts[player.number]
        person.save()
    rows = get_released_standings(event).rows

    def winners(kind: str, which: str = "") -> set[int]:
        awards(event, [prize(kind, which, thing="Tea")])
        return {each.row.number for each in list_awards(event, rows, "EUR")}

    assert winners("country", "Netherlands") <= {1, 2}
    assert winners("country", "nl") <= {1, 2}
    assert winners("club", "FELT") <= {1, 3}
    assert winners("newcomer", "2") == {2}
    assert 1 not in winners("newcomer")
    assert winners("country", "Japan") == set()


WRONG: list[tuple[Any, ...]] = [
    ("place", "first", 1), ("place", "1"), ("club", "", 1), ("luck", "1", 1), ("place", "1", -1), ("newcomer", "A", 1),
]  # fmt: skip


@pytest.mark.parametrize("wrong", [prize(*each) for each in WRONG])
def test_a_prize_that_nobody_can_win_is_refused(event: Event, wrong: dict[str, object]):
    with refused("prizes.unusable"):
        set_prizes(event=event, rows=[wrong], ties="shared", seen=checksum([]), by=writer_of(event))


@pytest.mark.follows("after/prizes.md")
def test_the_organiser_sets_prizes_and_everybody_reads_them(event: Event):
    SignUpPage.objects.create(event=event, shown=True)
    client = organiser(event)
    form = {"row-TOTAL_FORMS": "2", "row-INITIAL_FORMS": "0", "ties": "shared", "seen": checksum([])}
    first = {"row-0-for_": "place", "row-0-of": "1", "row-0-amount": "€100", "row-0-thing": "Cup"}
    second = {"row-1-for_": "place", "row-1-of": "", "row-1-amount": "", "row-1-thing": ""}
    answer = client.post(f"{URL}prizes/", {**form, **first, **second, "row-0-amount": "much"})
    assert (answer.status_code, values(answer, "row-0-amount")) == (422, ["much"])
    assert "not an amount of money" in text(answer, "#id_row-0-amount_error")
    for said in ("Saved.", "Nothing was changed."):
        assert said in client.post(f"{URL}prizes/", {**form, **first, **second}, follow=True).content.decode()
    assert AuditRow.objects.filter(event=event, verb="prizes_set").count() == 1
    assert "Place 1: 100 EUR, Cup" in text(Client().get("/e/cup/about/"), "main")
    assert "50 EUR, Cup, shared by 2" in text(client.get(URL), "#awards")


def show_page(event: Event, *, shown: bool = True) -> None:
    SignUpPage.objects.create(event=event, currency="CHF", shown=shown)


def api(event: Event) -> Any:
    return Client().get(f"/api/v1/events/{event.slug}/prizes").json()


def test_a_relay_has_prizes_by_place_in_the_currency_of_the_event(event: Event):
    awards(event, [*PLACES[:1], prize("newcomer", thing="Tea")])
    hand_over(event=event, award=list_of(event)[0], by=writer_of(event))
    show_page(event, shown=False)
    assert part_of(event)["event"]["prizes"] == {}
    SignUpPage.objects.update(shown=True)
    Event.objects.filter(pk=event.pk).update(prizes=part_of(event)["event"]["prizes"])
    SignUpPage.objects.all().delete()  # a relay has none
    answer = api(fresh(event))
    assert (answer["currency"], [each["kind"] for each in answer["prizes"]]) == ("CHF", ["place"])
    assert [(each["number"], each["amount"]) for each in answer["awards"]] == [
        (row.number, 5000) for row in get_released_standings(event).rows[:2]
    ]
    assert "handed" not in str(fresh(event).prizes)


def test_the_api_names_winners_once_all_results_are_public(event: Event):
    awards(event, PLACES[:1])
    assert (api(event)["prizes"], api(event)["awards"]) == ([], [])  # no public page says what can be won
    show_page(event)
    won = [(each["name"], each["shared_by"], each["amount"]) for each in api(event)["awards"]]
    assert won == [(row.name, 2, 5000) for row in get_released_standings(event).rows[:2]]
    for kept in ({"hold": "last"}, {"rounds_planned": 2}):
        Event.objects.filter(pk=event.pk).update(version=F("version") + 1, hold="nothing", rounds_planned=1)
        Event.objects.filter(pk=event.pk).update(**kept)
        answer = api(event)
        assert (len(answer["prizes"]), answer["awards"]) == (1, [])


def test_the_api_names_nobody_who_is_hidden_by_a_country_a_club_or_as_a_newcomer(event: Event):
    show_page(event)
    (best, *_others) = get_released_standings(event).rows
    person = event.players.get(number=best.number).person
    person.country, person.club, person.preferred_name = "NLD", "Felt", "Quendolin"
    person.save()
    rows = [*PLACES[:1], prize("country", "NLD", thing="Cup of Quendolin"), prize("club", "felt", 1)]
    awards(event, [*rows, prize("newcomer", str(best.number), 1)])
    assert [each["kind"] for each in api(event)["awards"] if each["number"] == best.number] == [
        "place", "country", "club", "newcomer",
    ]  # fmt: skip
    set_names_shown(event=event, numbers=[best.number], shown=False, by=writer_of(event))
    answer = api(event)
    mine = [(each["name"], each["kind"]) for each in answer["awards"] if each["number"] == best.number]
    assert mine == [(f"Player {best.number}", "place")]
    # nobody else is said to have won what a hidden player has
    assert {each["kind"] for each in answer["awards"]} == {"place"}
    assert "Quendolin" not in str(answer)
    assert [each["of"] for each in answer["prizes"] if each["kind"] == "newcomer"] == [""]


def list_of(event: Event) -> list[Award]:
    return [award for award, _said, _handed in read_awards(fresh(event))]


def verbs(event: Event) -> list[str]:
    return [row.verb for row in AuditRow.objects.filter(event=event, verb__startswith="prize_").order_by("seq")]


def test_a_prize_is_handed_over_once_and_taken_back(event: Event):
    awards(event, PLACES[:2])
    first, second = list_of(event)
    client = organiser(event)
    assert "0 of 2 handed over" in text(client.get(URL), "#awards")
    for _twice in range(2):
        client.post(f"{URL}handed/", {"prize": first.key})
    assert verbs(event) == ["prize_handed"]
    assert "1 of 2 handed over" in text(client.get(URL), "#awards")
    assert [bool(handed) for _award, _said, handed in read_awards(fresh(event))] == [True, False]
    begin_prizes(event=event, top=0, by=writer_of(event))
    show_prizes(event=event, step=3, by=writer_of(event))
    page = text(client.get("/desk/cup/wall/prizes/"), "#announcer")
    assert page.count("shared by 2 handed over") == 1
    assert f"Not handed over yet {second.row.name}: 75 EUR" in page.replace("\N{NO-BREAK SPACE}", " ")
    for _twice in range(2):
        client.post(f"{URL}handed/", {"prize": first.key, "undo": "1"})
    assert verbs(event) == ["prize_handed", "prize_handed_undone"]
    assert "0 of 2 handed over" in text(client.get(URL), "#awards")
    assert referee(event).post(f"{URL}handed/", {"prize": first.key}).status_code == 404
    assert "too old" in client.post(f"{URL}handed/", {"prize": "x"}, follow=True).content.decode()


def test_what_was_handed_over_stays_when_prizes_or_results_change(event: Event):
    awards(event, PLACES[:1])
    (first, second) = list_of(event)
    client = organiser(event)
    client.post(f"{URL}handed/", {"prize": first.key})
    awards(event, PLACES[:1], "shared")
    assert list_handed(event)[first.key]["amount"] == 5000
    awards(event, [prize("place", "1", 8000)])
    page = text(client.get(URL), "#awards").replace("\N{NO-BREAK SPACE}", " ")
    assert "0 of 2 handed over" in page
    assert f"no longer won {first.row.name} 50 EUR" in page
    awards(event, [])
    assert first.row.name in text(client.get(URL), "#awards")
    client.post(f"{URL}handed/", {"prize": first.key, "undo": "1"})
    assert fresh(event).prizes == {}
    assert second.key not in list_handed(event)


def test_an_event_that_is_made_from_this_one_has_handed_nothing_over(event: Event):
    awards(event, PLACES[:1])
    hand_over(event=event, award=list_of(event)[0], by=writer_of(event))
    made = copy_event(
        event=fresh(event), name="Next", date=event.date, place="", rounds=1, visibility="draft", roles=False,
        by=writer_of(event),
    )  # fmt: skip
    assert (made.prizes["rows"], "handed" in made.prizes) == (PLACES[:1], False)


def test_what_came_in_and_went_out_is_a_page_and_a_file(event: Event):
    SignUpPage.objects.create(event=event, currency="CHF")
    awards(event, PLACES[:1])
    client = organiser(event)
    sent = {"note": "Hall", "amount": "CHF 120.-", "way": "out", "client_id": str(uuid4())}
    for _twice in range(2):
        client.post(URL, sent)
    client.post(URL, {"note": "Sponsor", "amount": "300", "way": "in", "client_id": str(uuid4())})
    client.post(URL, {"note": "Euros", "amount": "3 EUR", "way": "in", "client_id": str(uuid4())})
    assert [each.amount for each in FeePayment.objects.order_by("pk")] == [-12000, 30000]
    assert text(client.get(URL), ".facts") == "Income 300 CHF Expense 220 CHF Balance 80 CHF"
    lines = client.get(f"{URL}?file=csv").content.decode("utf-8-sig").splitlines()
    assert [line.split(",")[1:] for line in lines[1:3]] == [["Hall", "", "120.00"], ["Sponsor", "300.00", ""]]
    assert len(lines) == 5
    assert client.get(f"{URL}?file=xlsx").content[:2] == b"PK"
    assert referee(event).get(URL).status_code == 404


def test_receipts_are_printed_for_prizes_and_for_fees(event: Event):
    awards(event, PLACES)
    client = organiser(event)
    for of in ("", "?of=fees"):
        assert client.get(f"{URL}receipts.pdf{of}").content[:4] == b"%PDF"
