"""The preview of EMA's ranking: a list of past results read, each player's ranking before and after this event."""

import re
from dataclasses import replace

import pytest
from django.test import Client

from tests.factories import fresh, make_event, play_round, writer_of
from tests.pages.at_desk import organiser
from tests.pages.html_reader import texts
from tournament.events.models import Event
from tournament.players.actions import change_player, player_facts

pytestmark = [pytest.mark.once, pytest.mark.django_db]


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """An event of four players with EMA numbers, which the second wins."""
    event = make_event(slug="cup", tables=1, rounds=1)
    for number, player in enumerate(event.players.select_related("person"), start=1):
        to = replace(player_facts(player), ema_number=f"0401{number:04d}")
        change_player(player=player, to=to, ranked=True, by=writer_of(event))
    play_round(event, 1, "2r3 340/2")
    return fresh(event)


PAST = "EMA number;Date;MERS;Place;Players\n"


def points(client: Client, pasted: str) -> str:
    return client.post("/desk/cup/ema/points/", {"pasted": pasted}).content.decode()


@pytest.mark.follows("before/ema.md")
def test_the_preview_counts_this_event_with_the_past_ones(event: Event):
    numbers = [str(number) for number in event.players.values_list("person__ema_number", flat=True)]
    best = numbers[1]  # player 2 wins each hand: first
    past = [f"{best.lstrip('0')};2026-03-01;2,5;1;40", f"{best};01.02.2025;1;21;41", "99990000;2026-03-01;1;1;16"]
    page = points(organiser(event), PAST + "\n".join(past))
    found = dict(re.findall(r'EMA number">(\d+)</td>.*?Ranking after">(.*?)</td>', page, re.DOTALL))
    assert len(found) == 4
    assert "3 past results read" in page
    assert re.search(r"Both rankings are those of \d+ \w+ 20\d\d, the last day of the event", page)
    row = next(each for each in re.findall(r"<tr>.*?</tr>", page, re.DOTALL) if f">{best}<" in each)
    cells = re.findall(r"<td[^>]*>(.*?)</td>", row)
    # 1000 × 2.5 and 500 × 0.5 (over a year old): (2750 / 6 + 2750 / 5) / 2, and with this event's base rank
    assert (cells[2], cells[3]) == ("2", "504.17")
    base = int(cells[4])
    after = ((2750 + base) / 6 + (2750 + base) / 5) / 2
    assert cells[5] == f"{after:.2f}"


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("04010001;yesterday;1;1;16", "Row 2: “yesterday” is not a day."),
        ("04010001;2026-02-31;1;1;16", "Row 2: “2026-02-31” is not a day."),
        ("04010001;2026-03-01;1.3;1;16", "Row 2: “1.3” is not a MERS weight."),
        ("04010001;2026-03-01;9E999999;1;16", "Row 2: “9E999999” is not a MERS weight."),
        ("04010001;2026-03-01;1;17;16", "Row 2: “” is not a base rank."),
        ("04010001;2026-03-01;1", "Row 2: “” is not a base rank."),
    ],
)
def test_a_list_that_cannot_be_read_says_where(event: Event, line: str, said: str):
    client = organiser(event)
    page = client.post("/desk/cup/ema/points/", {"pasted": PAST + line})
    assert (page.status_code, said in " ".join(texts(page, ".note"))) == (422, True)
    assert client.post("/desk/cup/ema/points/", {"pasted": "a;b\n1;2"}).status_code == 422
    assert client.post("/desk/cup/ema/points/", {"pasted": ""}).status_code == 422
