"""Rounds, tables and the projector as everybody sees them: seats once published, results once released."""

import re

import pytest
from django.test import Client

from tests.factories import make_event, play_round, round_of, writer_of
from tests.pages.html_reader import text, texts
from tournament.rounds.actions import publish_rounds, start_round

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


# ---------------------------------------------------------------- rounds and tables


def test_rounds_are_listed_with_what_may_be_seen_of_them(client: Client):
    event = make_event(tables=1, rounds=4, published=False)
    publish_rounds(event=event, numbers=[1, 2, 3], by=writer_of(event))
    play_round(event, 1, "1t 230")
    start_round(round_=round_of(event, 2), by=writer_of(event))
    page = client.get(f"/e/{event.slug}/rounds/")
    assert texts(page, ".card") == [
        "Round 1 Results 1 table",
        "Round 2 Playing 1 table",
        "Round 3 Seating published 1 table",
        "Round 4 Seats not published yet",
    ]


def test_a_round_shows_seats_by_table_and_by_name(client: Client):
    event = make_event(tables=2, rounds=1)
    client.get(f"/e/{event.slug}/?me=3")
    page = client.get(f"/e/{event.slug}/rounds/1/")
    assert texts(page, ".sitting") == [
        "Table 1 EEast Akelei SSouth Birk WWest Cyan you NNorth Distel",
        "Table 2 EEast Efeu SSouth Farn WWest Ginster NNorth Hasel",
    ]
    assert text(page, ".by-name").startswith("Akelei Table 1 EEast Birk Table 1 SSouth Cyan you Table 1 WWest ")


def test_a_released_round_shows_results(client: Client):
    event = make_event(tables=1, rounds=1)
    play_round(event, 1, "2r3 340/2")
    page = client.get(f"/e/{event.slug}/rounds/1/")
    assert text(page, ".sitting") == (
        "Table 1 EEast Akelei 30,000 · =2nd 0.0 SSouth Birk 35,200 · 1st +20.2 "
        "WWest Cyan 24,800 · 4th −20.2 NNorth Distel 30,000 · =2nd 0.0"
    )


@pytest.mark.parametrize("released", [False, True])
def test_a_round_of_many_tables_comes_in_parts_and_loses_nobody(
    client: Client, monkeypatch: pytest.MonkeyPatch, released: bool
):
    monkeypatch.setattr("tournament.public.views.TABLES", 2)
    monkeypatch.setattr("tournament.public.views.TABLE_ORPHANS", 1)
    event = make_event(tables=5, rounds=1)
    if released:
        play_round(event, 1, "2r3 340/2")
    address = f"/e/{event.slug}/rounds/1/"

    def listed(query: str = "") -> tuple[list[str], list[str]]:
        page = client.get(address + query)
        tables = [" ".join(each.split()[:2]) for each in texts(page, ".sitting")]
        if released:  # then the names are at their tables alone
            assert "By name" not in texts(page, "h2")
            return tables, [each.removesuffix(" you") for each in texts(page, ".name")]
        return tables, re.findall(r'/players/\d+/">([^<]*)', page.content.decode().partition('class="by-name"')[2])

    tables, names = listed("?all")
    assert tables == [f"Table {number}" for number in range(1, 6)]
    assert sorted(names) == sorted(event.players.values_list("person__preferred_name", flat=True))
    parts = [listed(query) for query in ("", "?page=2")]
    assert [shown for shown, _names in parts] == [tables[:2], tables[2:]]
    assert sorted([*parts[0][1], *parts[1][1]]) == sorted(names)
    assert [name in listed(f"?q={name}")[1] for name in names] == [True for _name in names]
    assert text(client.get(f"{address}?q=nobody"), "main").count("No such name.") == 1
    mine = next(name for name in parts[1][1])
    client.get(f"/e/{event.slug}/?me={event.players.get(person__preferred_name=mine).number}")
    assert [mine in shown for shown in listed()[1]].count(True) == 1
    assert (len(listed()[0]), len(listed("?page=2")[0])) == (3, 3)
    assert [len(row) for row in listed("?q=nobody")] == [0, 0]


def test_a_table_shows_every_hand_and_how_each_payment_came_about(client: Client):
    event = make_event(tables=1, rounds=1)
    play_round(event, 1, "2r3 340/2", "c2")
    page = client.get(f"/e/{event.slug}/rounds/1/tables/1/")
    assert texts(page, ".final")[0].startswith("Final scores Place Player Points Uma Result 1 Seat 2 SSouth Birk")
    assert texts(page, ".hand-number") == ["E1East 1", "E2East 2"]
    assert texts(page, ".hand-brief") == ["Birk ron from Cyan 5,200", "Chombo: Birk"]
    assert texts(page, ".hand-gain") == ["+5,200", ""]
    assert texts(page, ".hand-what") == [
        "Birk (2, South) ron from Cyan (3, West) 3 han 40 fu, 5,200 Riichi: Birk",
        "Chombo: Birk (2, East). The hand is dealt again 20.0 off the total of each, after uma",
    ]
    assert texts(page, ".hand-pays") == [
        "Birk → table 1,000 (riichi stick) Cyan → Birk 5,200 (hand) table → Birk 1,000 (riichi stick)"
    ]
    assert texts(page, ".hand-scores") == [
        "East · Akelei 0 30,000 South · Birk +5,200 35,200 West · Cyan −5,200 24,800 North · Distel 0 30,000",
        "North · Akelei 0 30,000 East · Birk 0 35,200 South · Cyan 0 24,800 West · Distel 0 30,000",
    ]


@pytest.mark.parametrize(
    ("line", "said", "gained"),
    [
        ("1t 230", "Akelei tsumo 1,000 each", "+3,000"),
        ("2t 230", "Birk tsumo 500/1,000", "+2,000"),
        ("2r4 340+3 m", "Birk 5,200 and Cyan mangan 8,000 ron from Distel", "+8,000 +5,200"),
        ("d13", "Draw, tenpai: Akelei and Cyan", "+1,500"),
        ("d", "Draw, nobody tenpai", ""),
    ],
)
def test_a_hand_is_one_line(client: Client, line: str, said: str, gained: str):
    event = make_event(tables=1, rounds=1)
    play_round(event, 1, line)
    page = client.get(f"/e/{event.slug}/rounds/1/tables/1/")
    assert (texts(page, ".hand-brief"), texts(page, ".hand-gain")) == ([said], [gained])


def test_leftover_deposits_are_accounted_for(client: Client):
    event = make_event(tables=1, rounds=1)
    play_round(event, 1, "2r3 340/2", "d4/4")
    page = client.get(f"/e/{event.slug}/rounds/1/tables/1/")
    assert "Riichi sticks left on the table: 1,000 to Birk." in texts(page, "p")


@pytest.mark.once
def test_what_is_not_there_or_not_yet_is_not_found(client: Client):
    event = make_event(tables=1, rounds=3, published=False)
    publish_rounds(event=event, numbers=[1, 2], by=writer_of(event))
    play_round(event, 1, "1t 230")
    for page in (
        "rounds/2/tables/1/",
        "rounds/3/",
        "rounds/3/tables/1/",
        "rounds/9/",
        "rounds/1/tables/9/",
        "players/99/",
        "players/0/",
    ):
        answer = client.get(f"/e/{event.slug}/{page}")
        assert (page, answer.status_code, texts(answer, "h1")) == (page, 404, ["There is no such page"])


def test_an_unknown_event_is_not_found(client: Client):
    assert client.get("/e/nothing/").status_code == 404


@pytest.mark.parametrize("page", ["", "standings/", "rounds/", "rounds/1/", "players/1/", "display/"])
def test_nothing_can_be_posted_to_a_public_page(client: Client, page: str):
    event = make_event(tables=1)
    assert client.post(f"/e/{event.slug}/{page}").status_code == 405


def test_a_table_is_stepped_through_hand_by_hand_and_each_step_has_an_address(client: Client):
    event = make_event(slug="cup", tables=1, rounds=1)
    play_round(event, 1, "1t 230", "2r3 340/2", "c2", "d13/1")
    address = "/e/cup/rounds/1/tables/1/"
    seen, scores = [], []
    while address:
        page = client.get(address).content.decode()
        seen.append(address)
        step = re.search(r'class="panel hand-step"><h3>(.*?)</h3>(.*?)</section>', page, re.DOTALL)
        if step:
            marked = re.findall(r'class="chart-hit( is-at)?"[^>]*><title>(.*?)</title>', page)
            told = {text for at, text in marked if at}
            after = re.findall(r'class="num after">([^<]*)<', step[2])
            assert len(told) == 1  # on the phone's drawing and on the wide one
            assert all(each in min(told) for each in after)
            scores.append(after)
        following = re.search(r'rel="next" href="([^"]*)#hands"', page)
        address = f"/e/cup/rounds/1/tables/1/{following[1]}" if following else ""
    hands = len(re.findall(r'id="hand-\d+"', page))
    assert seen[1:] == [f"/e/cup/rounds/1/tables/1/?hand={number}" for number in range(1, hands + 1)]
    assert len({tuple(each) for each in scores}) > 1
    last = f"/e/cup/rounds/1/tables/1/?hand={hands}"
    for far in ("99", "999999999"):  # a hand that was voided since, or that nobody played
        assert text(client.get(f"/e/cup/rounds/1/tables/1/?hand={far}"), ".hand-step") == text(
            client.get(last), ".hand-step"
        )
    for none in ("0", "-1", "x", ""):
        assert texts(client.get(f"/e/cup/rounds/1/tables/1/?hand={none}"), ".hand-step") == []
