"""What each player needs in the last hand: at the desk, on paper, and on phones where the event shows it."""

import io
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from pypdf import PdfReader

from tests.factories import enter, enter_all, make_event, sign, table_of
from tests.pages.at_desk import organiser, referee
from tournament.alllast.queries import list_needs
from tournament.alllast.views import seat_cards
from tournament.events.models import Event, LiveOthers, LiveTables
from tournament.paper.views import paper_sheet
from tournament.players.models import Person
from tournament.tables.queries import get_table
from tournament.text.numbers import points

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

TO_SOUTH_4 = ("2r1 330", "3r2 330", "4r3 m", "1r4 240", "2r1 230", "3t 330", "2r3 340")
LONG = "Maximiliane-Theodora von Hohenlohe-Aalen"


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event whose first table is in South 4: 25,700, 35,200, 24,700 and 34,400."""
    event = make_event(slug="cup", rounds=1)
    enter_all(table_of(event), *TO_SOUTH_4)
    event.refresh_from_db()
    return event


def show_needs(event: Event, others: str = LiveOthers.ALL) -> None:
    Event.objects.filter(pk=event.pk).update(show_needs=True, live_others=others)


def text_of(answer: Any) -> str:
    """Return what is read on a page, in one line."""
    page = re.sub(r"<(script|template).*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def last(event: Event, table: int = 1, query: str = "") -> str:
    return f"/desk/{event.slug}/rounds/1/tables/{table}/last/{query}"


PUBLIC = "/e/cup/rounds/1/tables/1/last/"


# ---------------------------------------------------------------- the desk


def test_the_desk_says_what_each_player_needs_in_the_words_of_players(event: Event):
    said = text_of(referee(event).get(last(event)))
    # Akelei is 9,500 behind Birk and 8,700 behind the dealer, Distel; 1,500/2,900 would do for the second place
    assert said[said.index("25,700") :].startswith(
        "25,700 3rd Akelei Place Hand "
        "Place 1 Tsumo mangan 2,000/4,000 Any ron haneman 12,000 "
        "Place 2 Tsumo mangan 2,000/4,000 Any ron haneman 12,000 · Direct hit from East and West 5,200 3 han 40 fu "
        "Place 3 any win · Draw tenpai or North noten "
    )


def test_phone_overlay_and_paper_speak_from_one_list(client: Client, event: Event):
    show_needs(event)
    Event.objects.filter(pk=event.pk).update(live_tables=LiveTables.HANDS)
    (needs,) = list_needs(event.rounds.get(number=1))
    cards = seat_cards(needs)
    assert tuple(cards) == paper_sheet(needs).seats
    page, overlay = (text_of(client.get(f"/e/cup/rounds/1/tables/1/{name}/")) for name in ("last", "overlay"))
    for card in cards:
        for at, line in enumerate(card.goals[0].lines):
            assert " · ".join(f"{way.name} {way.main}{' ' * bool(way.sub)}{way.sub}" for way in line) in page
            shown = line[-1] if at else line[0]  # a stream has one way a line: by tsumo, and by the easiest ron
            assert f"{shown.name} {shown.main}".strip().casefold() in overlay.casefold()  # a line has a capital there
    assert all(len(goal.lines) <= 2 for card in cards for goal in card.goals)


@pytest.mark.postgresql
def test_a_riichi_that_is_ticked_is_counted(event: Event):
    page = referee(event).get(last(event, query="?riichi=1&riichi=x&riichi=9"))
    assert re.findall(r'value="(\w+)" checked', page.content.decode()) == ["1"]
    assert text_of(page).count("· riichi") == 1


def test_a_table_that_is_not_in_its_last_hand_says_so(event: Event):
    said = text_of(referee(event).get(last(event, 2)))
    assert "This table is not in its last hand" in said
    assert "Tsumo" not in said
    assert referee(event, "Ron").get(last(event, 9)).status_code == 404


def test_hand_page_and_grid_lead_there_in_the_last_hand_alone(event: Event):
    desk = referee(event)
    pages = ["/desk/cup/", "/desk/cup/rounds/1/tables/1/", "/desk/cup/rounds/1/tables/2/"]
    assert [last(event) in desk.get(page).content.decode() for page in pages] == [True, True, False]
    enter(table_of(event), "1r2 230")
    assert [last(event) in desk.get(page).content.decode() for page in pages] == [False, False, False]


def test_places_in_the_standings_say_what_they_rest_on(event: Event):
    desk = organiser(event)
    assert "Missing: round 1, table 2." in text_of(desk.get(last(event)))
    enter(table_of(event, 2), "2r1 330")
    assert "If these tables end as they stand now: 2. They are not signed yet. Not public." in text_of(
        desk.get(last(event))
    )
    sign(table_of(event, 2))
    said = text_of(desk.get(last(event)))
    assert "Every other table of the last round is signed. Not public." in said
    assert "if it ended now" in said


# ---------------------------------------------------------------- paper


@pytest.mark.states("all_last_sheets")
@pytest.mark.follows("during/last-hand.md")
def test_the_sheets_of_tables_in_their_last_hand_are_filled(event: Event):
    answer = referee(event).get("/desk/cup/print/all-last-filled.pdf")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/pdf")
    assert answer.content.startswith(b"%PDF")


def test_without_such_a_table_there_is_no_sheet(event: Event):
    desk = referee(event)
    answer = desk.get("/desk/cup/print/all-last-filled.pdf?round=1&table=2", follow=True)
    assert answer.redirect_chain == [("/desk/cup/paper/", 302)]
    assert "No table is in its last hand now" in text_of(answer)


# ---------------------------------------------------------------- phones


def test_nothing_anywhere_unless_the_event_shows_it(client: Client, event: Event):
    assert client.get(PUBLIC).status_code == 404
    client.get("/e/cup/?me=1")
    assert "What I need" not in text_of(client.get("/e/cup/"))


def test_the_phone_says_what_its_player_needs(client: Client, event: Event):
    show_needs(event)
    assert client.get("/e/cup/?me=1").status_code == 302
    said = text_of(client.get("/e/cup/"))
    card = said[said.index("What I need") :]
    assert card.startswith("What I need 25,700 South 4 · 3rd Akelei Place Hand Place 1 Tsumo mangan 2,000/4,000")
    assert PUBLIC in client.get("/e/cup/").content.decode()


def test_a_phone_that_follows_a_player_of_another_table_says_nothing(client: Client, event: Event):
    show_needs(event)
    client.get("/e/cup/?me=5")
    assert "What I need" not in text_of(client.get("/e/cup/"))


def test_the_public_page_is_there_for_the_last_hand_alone(client: Client, event: Event):
    show_needs(event)
    said = text_of(client.get(PUBLIC))
    assert "Last hand, table 1 South 4" in said
    assert "standings" not in said.partition("Last hand, table 1 South 4")[2].partition("All events")[0]
    enter(table_of(event), "1r2 230")
    assert client.get(PUBLIC).status_code == 404


def test_other_tables_stay_hidden_while_the_own_one_is_played(client: Client, event: Event):
    enter(table_of(event, 2), "2r1 330")
    show_needs(event, LiveOthers.OWN)
    assert client.get(PUBLIC).status_code == 404
    client.get("/e/cup/?me=5")
    assert client.get(PUBLIC).status_code == 404
    client.get("/e/cup/?me=4")
    assert client.get(PUBLIC).status_code == 200


def test_an_open_page_moves_with_the_hands_of_its_table(client: Client, event: Event):
    show_needs(event)
    client.get("/e/cup/?me=4")

    def seen() -> tuple[str, str]:
        page = client.get(PUBLIC).content.decode()
        mark = re.search(r'data-seen="(\w+)"', page)
        assert mark is not None
        return mark[1], client.get("/e/cup/version/").headers["ETag"]

    before = seen()
    enter(table_of(event, 2), "2r1 330")
    assert seen() == before
    enter(table_of(event, 1), "4t 230")
    after = seen()
    assert (after[0] != before[0], after[1] != before[1]) == (True, True)
    part = client.get(f"{PUBLIC}?seen={before[0]}", headers={"HX-Request": "true"})
    assert (part.status_code, "1 honba" in text_of(part)) == (200, True)
    enter(table_of(event, 1), "1r2 230")
    part = client.get(f"{PUBLIC}?seen={after[0]}", headers={"HX-Request": "true"})
    assert (part.status_code, text_of(part)) == (200, "This hand is over My page")


@pytest.mark.parametrize("key", ["ema-2025", "sanmatsuri-2026", "tenhou-yonma"])
def test_long_and_japanese_names_stand_on_paper(key: str):
    event = make_event(key, rounds=1)
    Person.objects.filter(pk=event.players.get(number=1).person_id).update(preferred_name=LONG)
    Person.objects.filter(pk=event.players.get(number=2).person_id).update(preferred_name="長谷川小百合西園寺公望")
    lines = TO_SOUTH_4 if event.ruleset.players == 4 else ("2r1 330", "3r2 330", "1r3 230", "2r1 230", "3r2 230")
    enter_all(table_of(event), *lines)
    answer = referee(event).get(f"/desk/{event.slug}/print/all-last-filled.pdf?round=1&table=1")
    pages = PdfReader(io.BytesIO(answer.content)).pages
    text = re.sub(r"\s", "", pages[0].extract_text())
    assert len(pages) == 1
    assert (re.sub(r"\s", "", LONG) in text, "長谷川小百合西園寺公望" in text) == (True, True)
    table = get_table(event, 1, 1)
    assert table is not None
    for score in table.state.scores:
        # in the square, and beside the name
        assert text.count(points(score)) >= 2
