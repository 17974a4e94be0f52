"""The overlay of one table: names always, scores only where the public may see them."""

import re
from dataclasses import replace

import pytest
from django.test import Client

from tests.factories import WHOLE_GAME, enter_all, make_event, play_round, round_of, sign, table_of, writer_of
from tests.incidents.substitute_acts import FOUR, played
from tests.incidents.substitute_acts import replace as replace_player
from tests.pages.html_reader import text, texts
from tournament.alllast.messages import NeedOption
from tournament.events.models import Event, LiveOthers, LiveTables
from tournament.events.pictures import READABLE, contrast
from tournament.overlay.views import _brief
from tournament.pdf.drawings import STATIC_DIR
from tournament.rounds.actions import release_round
from tournament.sheets.actions import reopen_table
from tournament.tables.queries import load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

PAGE = "/e/cup/rounds/1/tables/1/overlay/"
OPEN = PAGE.replace("cup", "open")
TO_SOUTH_4 = ("2r1 330", "3r2 330", "4r3 m", "1r4 240", "2r1 230", "3t 330", "2r3 340")


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event("ema-2025", tables=1, rounds=1, slug="cup")
    enter_all(table_of(event), "2r3 340", "2t 230/1")
    return event


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


@pytest.mark.follows("during/stream.md")
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


def test_a_live_table_shows_places_and_who_had_declared_riichi(event: Event, client: Client):
    lets_see(event, LiveTables.HANDS)
    answer = client.get(PAGE)
    assert texts(answer, ".overlay-place") == ["3", "1", "4", "2"]
    names, *changes = answer.content.decode().split("overlay-change")
    assert ['class="stick' in part for part in changes].count(True) == 1
    assert 'class="stick' not in names.partition("overlay-seats")[2]  # beside a name it would mean: in riichi now
    answer = client.get("/e/cup/rounds/1/overlay/")
    assert texts(answer, ".overlay-place") == ["3", "1", "4", "2"]
    assert texts(answer, ".overlay-score") == ["28,000", "39,200", "23,800", "29,000"]


def test_what_the_public_does_not_see_is_on_no_overlay(event: Event, client: Client):
    lets_see(event, LiveTables.NOTHING)
    event.show_needs = True
    event.save()
    for address in (PAGE, "/e/cup/rounds/1/overlay/"):
        answer = client.get(address)
        assert (texts(answer, ".overlay-score"), texts(answer, ".overlay-need")) == ([], [])
        assert "39,200" not in answer.content.decode()
    assert [row.split()[-1] for row in texts(client.get("/e/cup/overlay/ticker/"), "li")] == []


@pytest.mark.usefixtures("others_aside")
def test_the_last_hand_says_what_each_player_needs_where_the_event_shows_it(client: Client):
    event = make_event("ema-2025", tables=1, rounds=1, slug="cup")
    enter_all(table_of(event), *TO_SOUTH_4)
    lets_see(event, LiveTables.HANDS)
    assert texts(client.get(PAGE), ".overlay-need") == []
    event.show_needs = True
    event.save()
    found = texts(client.get(PAGE), ".overlay-need")
    assert found[0].startswith("1 Tsumo mangan Any ron ")
    assert (len(found), [said for said in found if "·" in said or "Draw" in said]) == (4, [])  # a way a line


def test_of_a_line_with_several_ways_the_nearest_is_on_the_overlay():
    tsumo, draw = NeedOption("Tsumo", "haneman", note="tie; yakuman to win outright"), NeedOption("Draw", "tenpai")
    ron, hit = NeedOption("Any ron", "sanbaiman"), NeedOption("Direct hit from East", "5,200")
    assert _brief([[tsumo, draw], [ron, hit]]) == ((replace(tsumo, note="tie"),), (hit,))
    assert _brief([[draw]]) == ((draw,),)


def test_the_ticker_has_the_public_standings_in_their_order(event: Event, client: Client):
    sign(table_of(event))
    release_round(round_=round_of(event), by=writer_of(event))
    answer = client.get("/e/cup/overlay/ticker/")
    assert text(answer, ".overlay-hand") == "After round 1"
    assert [row.split()[0] for row in texts(answer, "li")] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("corner", ["top-left", "top-right", "bottom-left", "bottom-right"])
def test_an_overlay_goes_into_each_corner(event: Event, client: Client, corner: str):
    assert f"is-at-{corner} " in client.get(f"{PAGE}?at={corner}").content.decode()


@pytest.mark.parametrize(
    ("asked", "found"),
    [("FFD400", 'data-theme="#ffd400" data-on-theme="#111111"'),
     ("1f5a44", 'data-theme="#1f5a44" data-on-theme="#ffffff"'),
     ("red;}", ""), ("12345", "")],
)  # fmt: skip
def test_the_address_gives_a_colour_with_letters_that_are_read_on_it(
    event: Event, client: Client, asked: str, found: str
):
    page = client.get(f"{PAGE}?colour={asked}").content.decode()
    assert found in page
    assert bool(found) == ("data-theme" in page)


def test_styles_may_be_added_to_overlays_alone_and_scripts_to_none(event: Event, client: Client):
    for address in (PAGE, "/e/cup/rounds/1/overlay/", "/e/cup/overlay/ticker/"):
        policy = client.get(address)["Content-Security-Policy"]
        assert "style-src 'self' 'unsafe-inline';" in f"{policy};"
        assert "script-src 'self';" in f"{policy};"
    assert "unsafe-inline" not in client.get("/e/cup/")["Content-Security-Policy"]


def test_the_letters_of_an_overlay_are_read_on_any_picture():
    """The grounds let a little of the picture through: each colour is held against the worst one, white or black."""
    styles = (STATIC_DIR / "overlay" / "overlay.css").read_text()
    for rule in (r"\nbody\.is-overlay \{([^}]*)\}", r"body\.is-on-light \{([^}]*)\}"):
        (found,) = re.findall(rule, styles)
        colours = dict(re.findall(r"--(\w+): (#\w+);", found))
        *ground, opacity = (
            float(part) for part in re.findall(r"--ground: rgb\((\d+) (\d+) (\d+) / ([\d.]+)\)", found)[0]
        )
        for picture in (0, 255):
            seen = "#" + "".join(f"{round(part * opacity + picture * (1 - opacity)):02x}" for part in ground)
            for name in ("letters", "over"):
                assert contrast(long_form(colours[name]), seen) >= READABLE, (name, seen)


def long_form(colour: str) -> str:
    return colour if len(colour) == 7 else "#" + "".join(letter * 2 for letter in colour[1:])


@pytest.mark.parametrize("page", ["display/", "rounds/1/overlay/", "overlay/ticker/"])
def test_wall_and_overlays_have_the_whole_stylesheet(event: Event, client: Client, page: str):
    sheets = re.findall(r"/(\w+)\.css", client.get(f"/e/cup/{page}").content.decode())
    assert sheets[0] == "hanchan"
    assert "phone" not in sheets


def test_a_game_that_is_over_and_not_signed_names_no_further_hand(client: Client):
    event = make_event("ema-2025", tables=1, rounds=1, slug="open")
    enter_all(table_of(event), *WHOLE_GAME)
    lets_see(event, LiveTables.HANDS)
    answer = client.get(OPEN)
    assert len(texts(answer, ".overlay-score")) == 4
    assert text(answer, ".overlay-hand") == "Round 1 Table 1"
    assert texts(answer, ".overlay-need") == []


def test_a_table_that_is_corrected_shows_what_counts_as_every_page_does(client: Client):
    event = make_event("ema-2025", tables=1, rounds=1, slug="open")
    enter_all(table_of(event), "2r1 330", "d2/2")  # a riichi stick is left: the first has it
    play_round(event, 1)
    reopen_table(table=table_of(event), reason="sheet misread", by=writer_of(event))
    scores = ["25,100", "36,900", "29,000", "29,000"]
    board = OPEN.replace("tables/1/", "")
    pages = [client.get(page) for page in (OPEN, board)]
    assert [texts(page, ".overlay-score") for page in pages] == [scores, scores]
    assert text(pages[0], ".overlay-hand") == "Final"
    assert texts(pages[0], ".overlay-change") == []
    api = client.get("/api/v1/events/open/rounds/1/tables/1").json()
    assert [f"{seat['score']:,}" for seat in api["seats"]] == scores


def test_places_of_a_final_are_those_of_the_results_where_somebody_was_replaced(client: Client):
    event = played("ema-2025", FOUR, slug="open")
    replace_player(event, 2, "before")
    shown = texts(client.get("/e/open/rounds/1/"), "main")[0]
    assert all(score in shown for score in ("45,000", "25,000"))
    (table,) = load_tables(event, rounds=[1])
    wanted = [f"{game.place or ''}" for game in table.seat_games]
    for page in (OPEN, OPEN.replace("tables/1/", "")):
        assert texts(client.get(page), ".overlay-place") == wanted
