"""The catalogue of fouls as anybody reads it, and what players read of their own penalties."""

from typing import Any
from uuid import uuid4

import pytest

from tests.factories import enter, fresh, last_seq, make_event, play_round, sign, table_of, writer_of
from tests.web.shown import text, texts
from tournament.models import Event
from tournament.selectors.tables.fouls import Offence
from tournament.services.draws.draw import release_round
from tournament.services.tables.fouls import cancel_penalty, change_foul_amounts, give_foul

pytestmark = pytest.mark.django_db

URL = "/e/cup/fouls/"


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    return make_event("rakkii-nomi-2026", slug="cup", tables=1, rounds=2)


@pytest.fixture
def event(made: Event) -> Event:
    return fresh(made)


def give(event: Event, number: int, **told: Any) -> Any:
    table = table_of(event)
    return give_foul(
        player=event.players.get(number=number),
        table=table,
        offence=Offence(**told),
        client_id=uuid4(),
        expected_seq=last_seq(table),
        by=writer_of(event),
    ).rows[0]


def rows(page: Any) -> list[str]:
    return [line for line in texts(page, "tr") if not line.startswith("Foul ")]


def test_the_whole_catalogue_stands_beside_the_official_one(client, event: Event):
    page = client.get(URL)
    assert text(page, "h1") == "Fouls and penalties"
    assert texts(page, "h2")[6] == "7 · Score sheets"
    assert len(rows(page)) == 78
    assert rows(page)[3] == (
        "1e Too many or too few tiles in a hand dead hand differs chombo 30,000 RK 4, WRC 2025 12.3.1 (2)"
    )
    assert texts(page, ".soft")[0] == "differs: 19 fouls are judged otherwise than by WRC 2025, official penalties."


@pytest.mark.parametrize(
    ("query", "found"),
    [("tsumo after disc", ["3f"]), ("12.3.7", ["7a", "7b", "7c"]), ("zebra", [])],
)
def test_a_few_letters_narrow_it(client, event: Event, query: str, found: list[str]):
    page = client.get(URL, {"q": query})
    assert [row.split(" ")[0] for row in rows(page)] == found
    assert texts(page, ".empty") == ([] if found else ["No such foul No foul has all these words."])


def test_an_amount_of_the_events_own_is_marked_with_what_the_book_says(client, event: Event):
    change_foul_amounts(event=event, values={"late": 500}, by=writer_of(event))
    page = client.get(URL, {"q": "12.3.9 (1)"})
    assert "500 points a minute, up to 10 changed the book: 1,000 points a minute, up to 10" in rows(page)[0]


@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize(("key", "count"), [("ema-2025", 42), ("sanmatsuri-2026", 47), ("wrc-2025", 78)])
def test_a_book_that_stands_alone_has_one_column(client, key: str, count: int):
    make_event(key, slug="cup", tables=1, rounds=1)
    page = client.get(URL)
    assert len(rows(page)) == count
    assert texts(page, "tr")[0] == "Foul Penalty Clause"


@pytest.mark.usefixtures("others_aside")
def test_a_book_that_names_no_fouls_says_so(client):
    make_event("tenhou-yonma", slug="cup", tables=1, rounds=1)
    assert text(client.get(URL), ".empty") == "No catalogue The book of this event names no fouls; the referee decides."


def test_players_read_their_penalties_with_the_reason_once_the_round_is_released(client, event: Event):
    give(event, 2, foul="false_tenpai")
    give(event, 2, foul="all_last_sheet", points=4000, amount_reason="the pen broke")
    give(event, 2, foul="phone")  # a note of the referee's
    cancelled = give(event, 2, foul="tenpai_changed")
    cancel_penalty(penalty=cancelled, reason="misheard", by=writer_of(event))
    give(event, 3, foul="noten_riichi")
    page = "/e/cup/players/2/"
    assert "Tenpai declared" not in client.get(page).content.decode()

    enter(table_of(event), "1t 230")
    sign(table_of(event))
    event.refresh_from_db()
    release_round(round_=event.rounds.get(number=1), by=writer_of(event))
    shown = [line for line in texts(client.get(page), "li") if "RK 4" in line]
    assert shown == [
        "R1 Warning Tenpai declared when noten · RK 4, WRC 2025 12.3.6 (7)",
        "R1 Penalty −4.0 Incorrect all-last sheet · RK 4, WRC 2025 12.3.7 (1); amount: the pen broke",
    ]
    assert "Every foul and what it costs" in texts(client.get(page), "a")
    assert [line for line in texts(client.get("/e/cup/players/3/"), "li") if "RK 4" in line] == [
        "R1 Chombo −20.0 Noten riichi, found at a win or a draw · RK 4, WRC 2025 12.3.5 (3)"
    ]


def test_who_has_no_penalty_is_not_sent_to_the_fouls(client, event: Event):
    play_round(event, 1, "1t 230")
    assert "Every foul and what it costs" not in texts(client.get("/e/cup/players/2/"), "a")
