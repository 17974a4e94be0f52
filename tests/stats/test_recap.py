"""The recap of an event: what it tells, from public rounds alone, drawn and as tables."""

import io
import re
from xml.etree import ElementTree as ET

import pytest
from django.core.cache import cache
from django.test import Client
from PIL.GifImagePlugin import GifImageFile

from tests.factories import (
    enter_all,
    make_event,
    play_round,
    rename_player,
    round_of,
    sign,
    table_of,
    writer_of,
)
from tests.pages.html_reader import text, texts
from tournament.events.actions import Publication, set_publication, show_results
from tournament.events.models import Event
from tournament.pages.charts import Count, Runner, count_chart, race, share_chart
from tournament.privacy.actions import set_names_shown
from tournament.rounds.actions import release_round
from tournament.standings.queries import get_standings
from tournament.stats.card_picture import RACE_SIZES, draw_race
from tournament.stats.cards import SHAPES
from tournament.stats.rows import RaceCard

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

PAGE = "/e/cup/recap/"
MOST = 2_000_000  # bytes of the moving race
HANDS = ("1t 230", "c2", "2r3 340/2", "d13/1")


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event of three rounds, two of them released."""
    event = make_event(slug="cup", tables=2, rounds=3)
    play_round(event, 1, *HANDS)
    play_round(event, 2, *HANDS)
    return event


def test_the_recap_tells_all_that_it_is_for(client: Client, event: Event):
    page = client.get(PAGE)
    assert texts(page, "h2") == ["The race", "Top tens", "Records", "Value of the wins", "Placements"]
    first, *_others = texts(page, ".podium-step")
    assert re.fullmatch(r"(=)?1st \w+ [\d-]+ \+[\d.]+", first)
    tops, records = texts(page, ".records")
    assert re.match(r"Win rate at least 3 hands =1 \w+ 33.3% =1 ", tops)
    assert re.search(r"Highest final score at one table =1 \w+ 34,500 =1 ", tops)
    assert "Closest table 9,500 points" in records


def test_every_drawing_has_its_figures(client: Client, event: Event):
    page = client.get(PAGE)
    races, places = texts(page, "tbody")
    source = page.content.decode()
    assert len(re.findall(r"<svg viewBox[^>]*role", source)) == 1 + 2
    assert re.findall(r"Akelei =?(\d+) =?(\d+)", races)
    rows = get_standings(event).rows
    assert [row.shared for row in rows] == [True] * 8  # both tables played the same
    assert texts(page, ".race .place") == [f"={row.rank}" for row in rows]
    assert all(f"={row.rank}" in races for row in rows)
    assert places.startswith("East ")
    assert 'aria-label="0–1,900: 0; 2,000–3,900: 4; 4,000–7,900: 4;' in source


def test_drawings_are_shapes_with_classes_alone(client: Client, event: Event):
    for found in re.findall(r"<svg viewBox.*?</svg>", client.get(PAGE).content.decode(), re.DOTALL):
        drawn = ET.fromstring(found)
        assert drawn.get("aria-hidden") or (drawn.get("role") == "img" and drawn.get("aria-label"))
        for shape in drawn.iter():
            assert re.fullmatch(r"[-MLHVhvlaz.\d ]*", shape.get("d", ""))
            assert not {"style", "onclick", "fill", "stroke"} & set(shape.keys())


@pytest.mark.usefixtures("others_aside")
def test_before_the_first_round_there_is_one_sentence(client: Client):
    make_event(slug="cup", tables=1)
    assert text(client.get(PAGE), ".empty") == (
        "No round is released yet The recap appears here when a whole round is in and checked."
    )


@pytest.mark.usefixtures("others_aside")
def test_an_event_of_final_scores_alone_has_podium_and_placements(client: Client):
    event = make_event(slug="cup", tables=1, rounds=1)
    play_round(event, 1, "*30000,42000,18000,30000,0")
    page = client.get(PAGE)
    assert texts(page, "h2") == ["Top tens", "Placements"]
    assert len(texts(page, ".podium-step")) == 3


@pytest.mark.postgresql
def test_nothing_held_and_no_hidden_name_is_in_it(client: Client, event: Event):
    set_publication(
        event=event, publication=Publication(live_tables="hands", live_others="all", hold="last"), by=writer_of(event)
    )
    cards = ("/e/cup/card.png", "/e/cup/players/1/card.png", "/e/cup/race/wide.gif")
    before, drawn = (
        client.get(PAGE, headers={"HX-Request": "true"}).content,
        [client.get(each).content for each in cards],
    )
    enter_all(table_of(event, round_=3), "1t y")
    sign(table_of(event, round_=3))
    enter_all(table_of(event, 2, round_=3), "1t y")
    sign(table_of(event, 2, round_=3))
    release_round(round_=round_of(event, 3), by=writer_of(event))
    held = client.get(PAGE, headers={"HX-Request": "true"}).content
    assert b"48,000" not in held
    assert texts_of(held) == texts_of(before)
    assert [client.get(each).content for each in cards] == drawn
    event.refresh_from_db()
    show_results(event=event, by=writer_of(event))
    assert b"48,000" in client.get(PAGE).content
    assert client.get(cards[0]).content != drawn[0]
    assert b"Birk" in client.get(PAGE).content
    set_names_shown(event=event, numbers=[2], shown=False, by=writer_of(event))
    page = client.get(PAGE).content
    assert b"Birk" not in page
    assert b"Player 2" in page


def texts_of(part: bytes) -> str:
    """Return a fragment without what tells one version from the next."""
    return re.sub(r'data-seen="\w+"|v=\w+|<p class="lead.*?</p>|<span class="soft">[^<]*</span>', "", part.decode())


@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize("tables", [1, 4])
def test_it_asks_the_same_number_of_questions_whatever_the_size(client: Client, django_assert_num_queries, tables: int):
    event = make_event(slug="cup", tables=tables, rounds=2)
    play_round(event, 1, *HANDS)
    play_round(event, 2, *HANDS)
    cache.clear()
    client.get("/e/cup/?me=1")
    with django_assert_num_queries(15):
        client.get(PAGE)


# ---------------------------------------------------------------- drawings


def test_bars_of_the_race_go_to_both_sides_of_nought_and_none_leaves_its_room():
    runners = [
        Runner(1, "Ada", (2, 1), ("", ""), (-500, 20_200), ("", "")),
        Runner(2, "Birk", (1, 2), ("", ""), (700, -9_000), ("", "")),
    ]
    drawn = race(runners, ["R1", "R2"])
    assert ([runner.bar for runner in drawn.runners], drawn.low, drawn.width) == (
        ["M0 0h20200v1H0z", "M0 0h-9000v1H0z"], -9_000, 29_200,
    )  # fmt: skip
    level = race([Runner(1, "Ada", (1, 1), ("", ""), (0, 0), ("", ""))], ["R1", "R2"])
    assert (level.low, level.width) == (0, 1)


def test_shares_fill_the_width_and_counts_the_room():
    shares = share_chart([("East", (1, 1, 2, 0)), ("South", (0, 0, 0, 0))])
    assert [figure.text for figure in shares.figures] == ["1", "1", "2"]
    assert shares.parts[3] == ""
    assert shares.hits == ("East: 1st 1 · 2nd 1 · 3rd 2 · 4th 0", "South: 1st 0 · 2nd 0 · 3rd 0 · 4th 0")
    long = "Maximiliane-Theodora von Hohenwaldenburg"
    above = share_chart([("Ada", (1, 1)), (long, (2, 0))])
    assert [(name.text, name.y) for name in above.names] == [("Ada", 13), (long, 53)]
    assert above.height == 82
    counts = count_chart([Count("low", 3), Count("high", 0)])
    assert counts.parts[0].count("M") == 1
    assert [figure.text for figure in counts.figures] == ["3", "0"]


def film_of(client: Client, shape: str = "square") -> GifImageFile:
    answer = client.get(f"/e/cup/race/{shape}.gif")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/gif")
    assert len(answer.content) < MOST
    return GifImageFile(io.BytesIO(answer.content))


def still(film: GifImageFile, at: int) -> bytes:
    """Return what one picture of a film shows; -1 is the last."""
    film.seek(at % film.n_frames)
    return film.convert("RGB").tobytes()


def test_the_race_is_a_moving_picture_in_three_shapes_that_names_nobody_before_its_end(client: Client, event: Event):
    page = client.get(PAGE).content.decode()
    assert {shape for shape in SHAPES if f'href="/e/cup/race/{shape}.gif"' in page} == set(SHAPES)
    films = {shape: film_of(client, shape) for shape in SHAPES}
    assert {shape: film.size for shape, film in films.items()} == RACE_SIZES
    film = films["square"]
    assert {"Cup", "Akelei", "Efeu", "=1"} <= set(film.info["comment"].decode().split(" · "))
    best = get_standings(event).rows[0].number
    rename_player(player=event.players.get(number=best), name="Zacharias Quendel", by=writer_of(event))
    after = film_of(client)
    seen = [still(film, at) == still(after, at) for at in range(film.n_frames)]
    assert (film.n_frames, seen) == (after.n_frames, [True] * (len(seen) - 1) + [False])


def test_a_hidden_name_is_in_no_moving_race(client: Client, event: Event):
    best = get_standings(event).rows[0].number
    named = client.get("/e/cup/race/wide.gif").content
    set_names_shown(event=event, numbers={best}, shown=False, by=writer_of(event))
    hidden = client.get("/e/cup/race/wide.gif").content
    rename_player(player=event.players.get(number=best), name="Zacharias Quendel", by=writer_of(event))
    assert client.get("/e/cup/race/wide.gif").content == hidden != named


def test_there_is_no_race_before_the_second_round_and_none_of_another_shape(client: Client, event: Event):
    assert client.get("/e/cup/race/tall.gif").status_code == 404
    make_event(slug="other", tables=1, rounds=2)
    assert client.get("/e/other/race/square.gif").status_code == 404


def test_a_race_of_many_rounds_has_no_more_pictures():
    totals = list(range(0, 40_000, 100))
    ends = tuple(Runner(n, "Ada", (n,) * 16, (str(n),) * 16, totals[:16], ("0",) * 16) for n in range(1, 13))
    card = RaceCard("Cup", "The race", "", tuple(f"R{n}" for n in range(16)), ends)
    assert GifImageFile(io.BytesIO(draw_race(card, "wide"))).n_frames <= 120
