"""The pages of a player's and an event's story: words, figures, pictures with their tables, nothing unreleased."""

import itertools
import re
from uuid import uuid4
from xml.etree import ElementTree as ET

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import enter_all, make_event, play_round, round_of, sign, table_of, writer_of
from tests.pages.html_reader import text, texts
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.pages.charts import LETTER, Bar, Curve, bar_chart, line_chart, place_chart
from tournament.rounds.actions import release_round
from tournament.stats.messages import say_standing
from tournament.stats.queries import get_meeting
from tournament.text.numbers import signed

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

STANDINGS = ((1, False, True), (1, True, True), (1, False, False), (3, False, True))
HANDS = ("1t 230", "c2", "2r3 340/2", "d13/1")
PAGES = ("players/1/", "recap/", "players/1/against/2/", "rounds/1/tables/1/")


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event of two rounds, the first released."""
    event = make_event(slug="cup", tables=1, rounds=2)
    play_round(event, 1, *HANDS)
    return event


# ---------------------------------------------------------------- a player


def test_a_players_page_tells_points_places_and_hands(client: Client, event: Event):
    page = client.get("/e/cup/players/2/")
    assert texts(page, "h2") == ["Recap After round 1 of 2", "Seats", "Games", "Hand by hand"]
    assert texts(page, ".cards-row h3") == [
        "Result", "Best hand", "Most deal-ins came from", "Alone in the lead at the table",
    ]  # fmt: skip
    assert texts(page, "figcaption") == [
        "Total points, in thousands",
        "Placements",
        "Points paid, to the left, and won, to the right",
    ]
    assert text(page, ".story-facts") == (
        "Hands played 3 in 1 game Win rate 33.3% =1st of 4 avg 16.7% 1 by ron, 0 by tsumo Average win 5,200 avg 4,100 "
        "Deal-in rate 0.0% =1st of 4 avg 8.3% 0 times Average deal-in – avg 5,200 "
        "Riichi rate 33.3% =1st of 4 avg 16.7% 1 declared, 1 won "
        "Tenpai at a draw 0.0% avg 50.0% 0 of 1 draw Times dealer 1 1 hand "
        "Chombo 1 off the total, not off the score of the table "
        "Worst hand −1,500 round 1, table 1, East 2 Longest dealer streak 1 hand round 1, table 1, East 2"
    )
    assert "Best hand +5,500 3 han 40 fu Round 1, table 1, East 1 · 1 honba" in text(page, ".cards-row")
    assert 'href="/e/cup/rounds/1/tables/1/#hand-3"' in page.content.decode()
    assert texts(page, "p")[-1] == "Net +3,000"


def test_a_rate_has_a_place_among_those_with_enough_hands(client: Client, event: Event):
    assert "Deal-in rate 33.3% 4th of 4 avg 8.3% 1 time" in text(client.get("/e/cup/players/3/"), ".story-facts")
    assert "Places and top tens count players with at least 2 hands" in text(client.get("/e/cup/players/3/"), "main")
    said = [say_standing(place, 24, shared=shared, best=best) for place, shared, best in STANDINGS]
    assert said == ["best of 24", "=1st of 24", "1st of 24", "3rd of 24"]


def test_my_page_tells_whom_of_the_next_table_i_have_met(client: Client, event: Event):
    client.get("/e/cup/?me=2")
    rows = texts(client.get("/e/cup/"), ".rivals")
    meetings = {each: get_meeting(event, 2, each) for each in (1, 3, 4)}
    assert len(rows) == 1
    for number, meeting in meetings.items():
        assert meeting is not None
        total = meeting.total
        ahead = f"{meeting.count_ahead(1)}:{meeting.count_ahead(-1)}"
        assert f"{ahead} {meeting.names[1]} {signed(total.to_one - total.to_other)}" in rows[0]
        assert f"/e/cup/players/2/against/{number}/" in client.get("/e/cup/").content.decode()
    stranger = Client().get("/e/cup/")
    assert texts(stranger, ".rivals") == []


def test_the_tables_beside_the_pictures_say_the_same(client: Client, event: Event):
    page = client.get("/e/cup/players/2/")
    rounds, sources = texts(page, "tbody")
    assert rounds == "1 +8.0 −12.0 3"  # 3.0 and an uma of 5.0; a chombo off the total
    assert sources == (
        "Ron +5,200 0 +5,200 Tsumo 0 −1,000 −1,000 Draws 0 −1,500 −1,500 Honba +300 0 +300 "
        "Riichi sticks +1,000 −1,000 0"
    )


@pytest.mark.usefixtures("others_aside")
def test_who_has_played_nothing_has_one_sentence_and_no_picture(client: Client):
    make_event(slug="cup", tables=1)
    page = client.get("/e/cup/players/1/")
    assert texts(page, "figure") == []
    assert texts(page, "h2") == ["Seats", "Games"]
    assert texts(page, ".soft") == ["No game of a released round yet."]


@pytest.mark.usefixtures("others_aside")
def test_final_scores_alone_have_places_and_say_why_there_are_no_hands(client: Client):
    event = make_event(slug="cup", tables=1, rounds=1)
    play_round(event, 1, "*30000,42000,18000,30000,0")
    page = client.get("/e/cup/players/1/")
    assert texts(page, "figcaption") == ["Total points, in thousands", "Placements"]
    assert texts(page, ".story-facts") == []
    assert "Of 1 game only the final scores were entered: it is not in these figures." in texts(page, ".soft")
    assert texts(client.get("/e/cup/rounds/1/tables/1/"), "figure") == []
    assert "Records" not in texts(client.get("/e/cup/recap/"), "h2")


@pytest.mark.usefixtures("others_aside")
def test_hands_of_a_substitute_are_said_not_to_be_the_players(client: Client):
    event = make_event(slug="cup", tables=1, rounds=1)
    enter_all(table_of(event), *HANDS)
    for number, hand in ((1, 3), (3, None)):
        put_substitute_in(
            table=table_of(event),
            player=event.players.get(number=number),
            replacement=Replacement(when="during", hand=hand, name=f"Helper {number}", reason="ill"),
            client_id=uuid4(),
            by=writer_of(event),
        )
    sign(table_of(event))
    release_round(round_=round_of(event), by=writer_of(event))
    assert "Hands that a substitute played are the substitute's: round 1." in texts(
        client.get("/e/cup/players/1/"), ".soft"
    )
    assert texts(client.get("/e/cup/players/1/"), "p")[-2] == "Net +3,000 in the hands played"
    assert "It is not known which hands a substitute played in round 1: none of them is counted here." in texts(
        client.get("/e/cup/players/3/"), ".soft"
    )


# ---------------------------------------------------------------- records, two who met, one game


def test_records_name_hand_table_and_round(client: Client, event: Event):
    old = client.get("/e/cup/records/")
    assert (old.status_code, old["Location"]) == (301, "/e/cup/recap/#records")
    page = client.get("/e/cup/recap/")
    assert texts(page, ".records")[-1] == (
        "Largest hand 5,200 points without honba and riichi sticks Birk round 1, table 1, East 1 · 1 honba "
        "Longest dealer streak 2 hands in a row as dealer, draws included Akelei round 1, table 1, East 1 "
        "Largest comeback 1,500 points biggest deficit overturned "
        "Akelei round 1, table 1, East 1 · 1 honba Closest table 9,500 points from first to last at the end "
        "Akelei, Birk, Cyan and Distel round 1, table 1"
    )
    assert re.findall(r'href="/e/cup/rounds/1/tables/1/([^"]*)"', page.content.decode()) == [
        "#hand-3", "#hand-1", "#hand-3", "",
    ]  # fmt: skip


def test_the_hand_that_a_record_names_is_on_the_page_of_its_table(client: Client, event: Event):
    page = client.get("/e/cup/rounds/1/tables/1/").content.decode()
    assert re.findall(r'id="(hand-\d)">\s*<summary>\s*<b.*?<span class="unseen">([^<]*)', page) == [
        ("hand-1", "East 1"), ("hand-2", "East 1"), ("hand-3", "East 1"), ("hand-4", "East 2"),
    ]  # fmt: skip


def test_a_table_that_can_set_no_record_is_counted(client: Client, event: Event):
    play_round(event, 2, "*30000,42000,18000,30000,0")
    assert "Of 1 table only the final scores were entered: it can set no record." in texts(
        client.get("/e/cup/recap/"), ".soft"
    )


@pytest.mark.postgresql
def test_two_who_met_have_a_page(client: Client, event: Event):
    page = client.get("/e/cup/players/2/against/3/")
    assert text(page, "h1") == "Birk and Cyan"
    assert text(page, "tbody") == "Ahead 1 0 Rons against 1 0 Points won from them 5,500 750"
    (drawn,) = texts(page, ".charts svg")
    assert re.search(r"R1.*\+5,500.*−750", drawn)
    assert texts(page, ".against-tables") == [
        "Round 1, table 1 ahead: Birk Birk 33,000 won 5,500 from them Cyan 25,000 won 750 from them"
    ]


@pytest.mark.parametrize("path", ["players/1/against/1/", "players/1/against/99/", "players/99/against/1/"])
def test_there_is_no_page_of_two_who_are_not_there(client: Client, event: Event, path: str):
    assert client.get(f"/e/cup/{path}").status_code == 404


@pytest.mark.usefixtures("others_aside")
def test_two_who_have_not_met_are_told_so(client: Client):
    make_event(slug="cup", tables=2, rounds=1)
    page = client.get("/e/cup/players/1/against/5/")
    assert texts(page, ".soft") == ["They have not met yet. Akelei · Efeu"]


def test_a_table_shows_its_game_as_a_line_for_each_player(client: Client, event: Event):
    page = client.get("/e/cup/rounds/1/tables/1/")
    (picture,) = texts(page, "figure")
    assert picture.startswith("Points after each hand")
    assert [name for name in ("1 Akelei", "2 Birk", "3 Cyan", "4 Distel") if name in picture] == [
        "1 Akelei", "2 Birk", "3 Cyan", "4 Distel",
    ]  # fmt: skip


# ---------------------------------------------------------------- what holds for all


def drawn(page: str) -> list[ET.Element]:
    """Return the pictures of a page, read as XML."""
    return [ET.fromstring(found) for found in re.findall(r"<svg viewBox.*?</svg>", page, re.DOTALL)]


# each page in two languages by turns, in all of them in the nightly run
@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("players/1/", "en-gb"),
        ("players/1/", "fr"),
        ("rounds/1/tables/1/", "de"),
        ("rounds/1/tables/1/", "ja"),
        pytest.param("players/1/", "de", marks=pytest.mark.nightly),
        pytest.param("players/1/", "ja", marks=pytest.mark.nightly),
        pytest.param("rounds/1/tables/1/", "en-gb", marks=pytest.mark.nightly),
        pytest.param("rounds/1/tables/1/", "fr", marks=pytest.mark.nightly),
    ],
)
def test_a_picture_is_drawn_with_numbers_alone_in_any_language(client: Client, event: Event, path: str, language: str):
    page = client.get(f"/e/cup/{path}", headers={"Accept-Language": language}).content.decode()
    pictures = drawn(page)
    assert pictures
    for picture in pictures:
        assert picture.get("role") == "img"
        assert picture.get("aria-label")
        for shape in picture.iter():
            for name in ("x", "y", "width", "height"):
                assert re.fullmatch(r"-?\d+(\.\d+)?", shape.get(name, "0")), (shape.tag, name)
            assert re.fullmatch(r"[-MLHVhvlaz.\d ]*", shape.get("d", ""))
            assert not {"style", "onclick", "fill", "stroke"} & set(shape.keys())


def test_nothing_of_a_round_is_on_these_pages_before_its_release(client: Client, event: Event):
    def shown() -> list[bytes]:
        return [client.get(f"/e/cup/{path}", headers={"HX-Request": "true"}).content for path in PAGES]

    before = shown()
    enter_all(table_of(event, round_=2), "2r3 y", "=+23457,-23457,0,0 marker")
    sign(table_of(event, round_=2))
    assert shown() == before
    assert client.get("/e/cup/rounds/2/tables/1/").status_code == 404
    release_round(round_=round_of(event, 2), by=writer_of(event))
    assert [b"32,000" in page for page in shown()] == [False, True, False, False]
    assert all(new != old for new, old in zip(shown(), before, strict=True))


@pytest.mark.parametrize("path", PAGES)
def test_the_pages_are_kept_and_hold_no_token(client: Client, event: Event, path: str):
    first = client.get(f"/e/cup/{path}")
    assert (first.status_code, first["Cache-Control"], list(first.cookies)) == (200, "no-cache", [])
    assert client.get(f"/e/cup/{path}", headers={"If-None-Match": first["ETag"]}).status_code == 304
    part = client.get(f"/e/cup/{path}", headers={"HX-Request": "true"}).content.decode()
    assert part.strip() in first.content.decode()


@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize("tables", [1, 3])
def test_a_page_asks_the_same_number_of_questions_whatever_the_size(client: Client, tables: int):
    event = make_event(slug="cup", tables=tables, rounds=2)
    play_round(event, 1, *HANDS)
    play_round(event, 2, *HANDS)
    wanted = {"recap/": 15, "players/1/against/2/": 7, "players/1/": 20, "rounds/1/tables/1/": 6}
    asked = {}
    for path in wanted:
        cache.clear()
        client.get("/e/cup/?me=1")
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/e/cup/{path}")
        asked[path] = len(queries)
    assert asked == wanted


# ---------------------------------------------------------------- pictures


@pytest.mark.parametrize("values", [[0], [-54100], [0, 0, 0], [45100, -54100] * 6, [1, -1], [10**7]])
def test_every_point_lies_in_the_picture_with_the_zero_line(values: list[int]):
    chart = line_chart(
        [Curve(values, texts=[signed(value) for value in values])], [f"R{at}" for at in range(len(values))], signed,
        with_zero=True,
    )  # fmt: skip
    (curve,) = chart.curves
    points = [tuple(map(float, point.split())) for point in curve.line.lstrip("M").split("L")]
    assert len(points) == len(values)
    assert all(0 <= x <= chart.width and 0 <= y <= chart.height for x, y in points)
    assert chart.zero
    assert "0" in [label.text for label in chart.scale]
    assert curve.marks.count("M") == len(values)
    assert signed(values[-1]) in [label.text for label in curve.labels]


def test_four_lines_have_four_kinds_and_names_that_do_not_lie_on_one_another():
    names = ["1 Akelei", "2 Maximiliane-Theodora von Hohenwaldenburg", "3 Cyan", "4 Distel"]
    chart = line_chart([Curve([30000, 30000], name) for name in names], ["", "E1"], signed)
    heights = sorted(curve.name.y for curve in chart.curves if curve.name)
    assert [curve.kind for curve in chart.curves] == [0, 1, 2, 3]
    shapes = ["".join(filter(str.isalpha, curve.marks[: len(curve.marks) // 2])) for curve in chart.curves]
    assert shapes == ["Maaz", "Mhvhz", "Mlhz", "Mlllz"]  # disc, square, triangle, lozenge
    assert all(after - before >= 13 for before, after in itertools.pairwise(heights))
    assert [curve.name.text for curve in chart.curves] == ["1 Akelei", "2 Maximilia…", "3 Cyan", "4 Distel"]
    assert chart.zero == ""


def test_figures_of_neighbours_do_not_touch():
    values = [4_100, 4_100, -3_180, -6_820, -5_330, -4_340, -3_680, -3_180, -2_050]
    (curve,) = line_chart([Curve(values, texts=["+1.23"] * 9)], [""] * 9, signed, with_zero=True).curves
    for before, after in itertools.pairwise(curve.labels):
        assert abs(after.y - before.y) >= 13 or after.x - before.x > 5 * LETTER


@pytest.mark.parametrize("count", [1, 2, 12])
def test_what_tells_the_figures_stays_in_its_picture(count: int):
    said = [f"R{at}" for at in range(count)]
    chart = line_chart([Curve([1000] * count, texts=said)], said, signed, hits=said)
    assert [hit.text for hit in chart.hits] == said
    assert all(hit.x >= 0 and hit.x + hit.width <= chart.width for hit in chart.hits)


def test_the_first_place_is_at_the_top_and_shared_ones_say_so():
    chart = place_chart([1, 2, 12], ["1", "=2", "12"], 200, ["R1", "R2", "R3"])
    (curve,) = chart.curves
    heights = [float(point.split()[1]) for point in curve.line.lstrip("M").split("L")]
    assert heights == sorted(heights)
    assert {label.text for label in curve.labels} == {"1", "=2", "12"}
    assert [label.text for label in chart.scale] == ["1", "12"]


def test_bars_go_to_both_sides_and_none_is_drawn_for_nothing():
    chart = bar_chart([Bar("Ron", 12000, 6000, "+12,000", "−6,000"), Bar("Tsumo", 0, 0, "0", "0")])
    assert chart.parts == ("M180 20h118v14h-118z", "M180 20h-59v14h59z")
    assert chart.hits == ("Ron: −6,000 · +12,000", "Tsumo: 0 · 0")
    assert [label.text for label in chart.figures] == ["+12,000", "−6,000", "0", "0"]
    assert all(0 <= label.x <= chart.width for label in chart.figures)
