"""The overlay of one table: names always, scores only where the public may see them."""

import pytest
from django.test import Client

from tests.factories import enter_all, fresh, make_event, round_of, sign, table_of, writer_of
from tests.web.shown import text, texts
from tournament.models import Event, LiveOthers, LiveTables
from tournament.services.draws.draw import release_round

pytestmark = pytest.mark.django_db

PAGE = "/e/cup/rounds/1/tables/1/overlay/"


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event("ema-2025", tables=1, rounds=1, slug="cup")
    enter_all(table_of(event), "2r3 340", "2t 230/1")
    return event


@pytest.fixture
def event(made: Event) -> Event:
    return fresh(made)


def lets_see(event: Event, live: LiveTables, others: LiveOthers = LiveOthers.ALL) -> None:
    event.live_tables, event.live_others = live, others
    event.save()


@pytest.mark.parametrize(
    ("live", "others"), [(LiveTables.NOTHING, LiveOthers.ALL), (LiveTables.SIGNED, LiveOthers.ALL),
                         (LiveTables.HANDS, LiveOthers.OWN)]
)  # fmt: skip
def test_a_table_that_is_no_business_of_the_public_has_names_alone(
    event: Event, client: Client, live: LiveTables, others: LiveOthers
):
    lets_see(event, live, others)
    answer = client.get(PAGE)
    assert [name.split()[-1] for name in texts(answer, "li")] == ["Akelei", "Birk", "Cyan", "Distel"]
    assert texts(answer, ".overlay-score") == []
    assert text(answer, ".overlay-hand") == "Round 1 Table 1"


def test_a_live_table_shows_the_hand_the_scores_and_what_the_last_hand_moved(event: Event, client: Client):
    lets_see(event, LiveTables.HANDS)
    answer = client.get(PAGE)
    assert texts(answer, ".overlay-score") == ["28,000", "39,200", "23,800", "29,000"]
    assert texts(answer, ".overlay-change") == ["−2,000", "+4,000", "−1,000", "−1,000"]
    assert text(answer, ".overlay-hand") == "East 2 · 1 honba"


def test_a_released_table_shows_how_it_ended(event: Event, client: Client):
    sign(table_of(event))
    release_round(round_=round_of(event), by=writer_of(event))
    answer = client.get(PAGE)
    assert text(answer, ".overlay-hand") == "Final"
    assert texts(answer, ".overlay-change") == []
    assert len(texts(answer, ".overlay-score")) == 4


def test_the_address_chooses_edge_size_and_ground_from_what_there_is(event: Event, client: Client):
    page = client.get(f"{PAGE}?at=top&size=150&ground=light").content.decode()
    assert 'class="is-overlay is-at-top is-size-150 is-on-light"' in page
    page = client.get(f'{PAGE}?at="><script>&size=999&ground=x').content.decode()
    assert 'class="is-overlay is-at-bottom is-size-100 is-on-dark"' in page


@pytest.mark.usefixtures("others_aside")
def test_seats_that_are_not_published_are_on_no_overlay(client: Client):
    make_event("ema-2025", tables=1, rounds=1, slug="cup", published=False)
    assert client.get(PAGE).status_code == 404
    assert client.get("/e/cup/rounds/1/tables/9/overlay/").status_code == 404
