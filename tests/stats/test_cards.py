"""The pictures that are shared, and what chats show of a link: what the pages show, and nothing else."""

import datetime as dt
import io
import itertools
import re
import statistics
import sys
import time
import zipfile
from typing import Any

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from PIL import Image

from scoring.entries import Tsumo, Win
from tests.factories import (
    enter,
    enter_all,
    fresh,
    make_event,
    play_round,
    rename_player,
    round_of,
    set_team,
    sign,
    table_of,
    writer_of,
)
from tests.pages.html_reader import source_of, texts
from tournament.demo.sample import load_samples
from tournament.events.actions import set_visibility
from tournament.events.models import Event
from tournament.events.pictures import set_colour
from tournament.pages.sign_in import PICTURES, may_draw
from tournament.privacy.actions import set_names_shown
from tournament.publish.site_copy import write_site
from tournament.rounds.actions import release_round
from tournament.stats.card_picture import SIZES, draw_event, draw_player
from tournament.stats.cards import SHAPES, event_facts, list_cards
from tournament.stats.rows import EventCard, PlayerCard
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

HAND = {"tiles": "123456789m11999s", "win": "9m", "tsumo": True, "round_wind": "E", "seat_wind": "S", "riichi": 1}
WON = Win(seat=1, han=4, fu=30, hand=HAND)
MOST = 80_000  # bytes
LONG = "Maximiliane-Theodora von Hohenwaldenburg"


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event of two rounds, the first released."""
    event = make_event(slug="cup", tables=1, rounds=2)
    for player in event.players.all():
        set_team(player=player, team="Elbe", by=writer_of(event))
    play_round(event, 1, "1t 230", "c2", "2r3 340/2", "d13/1")
    return event


def card(client: Client, of: str = "players/2/", **asked: Any) -> str:
    """Return what the picture says."""
    return told(client, f"{of}card.png", SIZES["wide"], **asked)


def told(client: Client, path: str, size: tuple[int, int], **asked: Any) -> str:
    answer = client.get(f"/e/cup/{path}", **asked)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert len(answer.content) <= MOST
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert picture.size == size
    return source_of(answer)


def test_a_card_tells_place_total_placements_and_the_best_hand(client: Client, event: Event):
    assert card(client) == (
        "Cup · After round 1 of 2 · Birk · 3rd · of 4 · −12.0 · 2nd × 1 · Best hand +5,500 · "
        "Round 1, table 1, East 1 · 1 honba"
    )
    assert card(client, "") == (
        "Hanchan Desk · After round 1 of 2 · Cup · 12 Sep 2026 · 1st · Akelei · +19.5 · 2nd · Distel · −7.5 · "
        "3rd · Birk · −12.0"
    )


def test_a_yakuman_has_its_name_and_the_best_of_a_finished_event_a_medal(client: Client, event: Event):
    assert list_cards(event, 2)[0].medal == 0
    table = table_of(event, round_=2)
    hand = {"tiles": "111444m777p333s66z", "win": "3s", "tsumo": True, "round_wind": "E", "seat_wind": "S"}
    enter(table, Tsumo(winners=(Win(seat=1, yakuman=1, hand=hand),)))
    sign(table)
    release_round(round_=round_of(event, 2), by=writer_of(event))
    event = fresh(event)
    assert event_facts(event).bars[0] == (1, 1.0)
    number = Seat.objects.get(table=table, seat=1).player.number
    facts, best, *_others = list_cards(event, number)
    assert (facts.best, facts.where, facts.medal) == ("Suuankou +32,000", "Round 2, table 1, East 1", 1)
    assert (best.kind, best.figure, best.second, best.medal) == ("hand", "Suuankou", "+32,000", 1)
    page = client.get(f"/e/cup/players/{number}/")
    assert texts(page, ".cards-row .medal.is-1") == ["1st", "Suuankou"]
    assert "Suuankou +32,000 · Round 2, table 1, East 1" in card(client, f"players/{number}/")


CARDS: dict[int, dict[str, str]] = {
    2: {
        "result": "Birk · 3rd · of 4 · −12.0 · 2nd × 1 · Best hand +5,500 · Round 1, table 1, East 1 · 1 honba",
        "hand": "Birk · Best hand · +5,500 · 3 han 40 fu · Round 1, table 1, East 1 · 1 honba",
        "deal-ins": "Birk · Most deal-ins came from · Cyan · 1 time · 5,200 points",
        "lead": "Birk · Alone in the lead at the table · 1 of 3 hands",  # a chombo is no hand
        "places": "",  # of one round
    },
    1: {"deal-ins": "", "lead": "Akelei · Alone in the lead at the table · 1 of 3 hands"},
}


@pytest.mark.parametrize("number", CARDS)
def test_every_card_of_a_recap_is_a_picture_in_three_shapes(client: Client, event: Event, number: int):
    for kind, said in CARDS[number].items():
        for shape in SHAPES:
            path = f"players/{number}/cards/{kind}/{shape}.png"
            if said:
                assert told(client, path, SIZES[shape]) == f"Cup · After round 1 of 2 · {said}"
            else:
                assert client.get(f"/e/cup/{path}").status_code == 404


def test_a_players_page_leads_to_every_picture_of_its_cards(client: Client, event: Event):
    found = re.findall(r'href="(/e/cup/players/2/(?:cards|card)[^"]*)"', client.get("/e/cup/players/2/").text)
    assert len(found) == 4 * 3
    assert {client.get(address).status_code for address in found} == {200}
    for nowhere in ("result/tall", "nothing/wide"):
        assert client.get(f"/e/cup/players/2/cards/{nowhere}.png").status_code == 404


def test_places_have_a_card_from_the_second_round_on(client: Client, event: Event):
    play_round(event, 2, "2r3 y")
    (places,) = (each for each in list_cards(fresh(event), 2) if each.kind == "places")
    assert (places.values, places.texts, places.ticks) == ((-3, -3), ("3", "3"), ("R1", "R2"))
    for shape in SHAPES:
        said = told(client, f"players/2/cards/places/{shape}.png", SIZES[shape])
        assert "Place after each round · 3rd · of 4 · R1 · R2 · 3 · 3" in said


def test_minutes_in_the_lead_are_those_of_hands_that_were_entered_while_they_were_played(event: Event):
    table = table_of(event, round_=2)
    with time_machine.travel(dt.datetime(2026, 9, 12, 10, tzinfo=dt.UTC), tick=False) as clock:
        for line in ("2r3 340", "4r2 m", "1r2 230", "3t 230"):  # in the lead before each: none, 2, 4, 4
            enter(table, line)
            clock.shift(360)
        sign(table)
        release_round(round_=round_of(event, 2), by=writer_of(event))
    seats = {seat.seat: seat.player.number for seat in table.seats.select_related("player")}
    found = {
        seat: [each for each in list_cards(fresh(event), number) if each.kind == "lead"]
        for seat, number in seats.items()
    }
    assert [(each.figure, each.second) for each in found[1]] == [("6 minutes", "1 of 7 hands")]
    # one of the hands was in the first round, which was typed at once
    assert [(each.figure, each.second) for each in found[3]] == [("12 minutes", "3 of 7 hands")]


def test_who_dealt_in_most_often_is_named_as_the_public_sees_it(client: Client, event: Event):
    path = "players/2/cards/deal-ins/wide.png"
    assert "Cyan" in told(client, path, SIZES["wide"])
    set_names_shown(event=event, numbers=[3], shown=False, by=writer_of(event))
    assert "Most deal-ins came from · Player 3 · 1 time" in told(client, path, SIZES["wide"])
    assert "Cyan" not in client.get("/e/cup/players/2/").text


def test_a_card_speaks_the_readers_language_and_writes_japanese(client: Client, event: Event):
    rename_player(player=event.players.get(number=2), name="朝霧 すずめ", by=writer_of(event))
    said = card(client, headers={"Accept-Language": "ja"})
    assert "朝霧 すずめ · 3位" in said


def test_a_name_that_no_bundled_font_can_write_has_its_number(client: Client, event: Event):
    rename_player(player=event.players.get(number=2), name="김하늘", by=writer_of(event))
    assert "Player 2 · 3rd" in card(client)


def test_a_hidden_name_is_on_no_card(client: Client, event: Event):
    assert "Birk" in card(client) + card(client, "")
    set_names_shown(event=event, numbers=[2], shown=False, by=writer_of(event))
    assert "Birk" not in card(client) + card(client, "")
    assert "Player 2" in card(client)
    page = client.get("/e/cup/players/2/").content.decode()
    assert "Birk" not in page


def test_the_cards_of_a_draft_are_its_members_own(client: Client, event: Event):
    set_visibility(event=event, visibility="unlisted", by=writer_of(event))
    assert client.get("/e/cup/players/2/card.png")["X-Robots-Tag"] == "noindex"
    set_visibility(event=event, visibility="draft", by=writer_of(event))
    assert [client.get(f"/e/cup/{of}card.png").status_code for of in ("", "players/2/")] == [404, 404]


@pytest.mark.usefixtures("others_aside")
def test_who_has_not_played_has_a_card_and_who_is_not_there_has_none(client: Client):
    make_event(slug="later", tables=1)
    assert client.get("/e/later/players/99/card.png").status_code == 404
    assert source_of(client.get("/e/later/players/1/card.png")) == "Later · Akelei"
    assert source_of(client.get("/e/later/card.png")) == "Hanchan Desk · Later · 12 Sep 2026"


def test_a_card_is_drawn_again_once_the_event_has_moved_on_and_not_before(client: Client, event: Event):
    first = client.get("/e/cup/players/2/card.png")
    enter_all(table_of(event, round_=2), "2r3 y")
    sign(table_of(event, round_=2))
    asked = {"If-None-Match": first["ETag"]}
    assert client.get("/e/cup/players/2/card.png", headers=asked).status_code == 304
    address = client.get("/e/cup/players/2/").content.decode().split('og:image" content="')[1].split('"')[0]
    release_round(round_=round_of(event, 2), by=writer_of(event))
    assert client.get("/e/cup/players/2/card.png", headers=asked).status_code == 200
    assert address not in client.get("/e/cup/players/2/").content.decode()


def test_a_flood_of_new_cards_waits_while_those_drawn_are_answered(client: Client, event: Event):
    card(client)
    request = RequestFactory().get("/e/cup/")
    assert [may_draw(request, event) for _ in range(PICTURES)].count(False) == 1
    refused = client.get("/e/cup/players/3/card.png")
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    card(client)
    assert client.get("/e/cup/players/3/card.png", REMOTE_ADDR="10.1.1.1").status_code == 200


def test_the_best_hand_shows_its_tiles(client: Client, event: Event):
    enter(table_of(event, round_=2), Tsumo(winners=(WON,), riichi=(1,)))
    sign(table_of(event, round_=2))
    release_round(round_=round_of(event, 2), by=writer_of(event))
    number = Seat.objects.get(table=table_of(event, round_=2), seat=1).player.number
    assert card(client, f"players/{number}/").endswith("1m 2m 3m 4m 5m 6m 7m 8m 1s 1s 9s 9s 9s 9m")
    assert b"hand-faces" in client.get(f"/e/cup/players/{number}/").content


# ---------------------------------------------------------------- links in chats

PAGES = (
    "", "standings/", "players/2/", "players/1/against/2/", "recap/", "rounds/", "rounds/1/", "rounds/1/tables/1/",
    "teams/", "calculator/", "drill/", "rules/", "rules/values/", "rules/yaku/", "fouls/", "clock/", "display/",
)  # fmt: skip


def metas(page: str) -> dict[str, str]:
    found = {}
    for part in page.split("<meta ")[1:]:
        tag = part.split(">")[0]
        if 'property="og:' in tag:
            found[tag.split('property="')[1].split('"')[0]] = tag.split('content="')[1].split('"')[0]
    return found


@pytest.mark.parametrize("path", PAGES)
def test_every_public_page_tells_chats_what_it_is(client: Client, event: Event, path: str):
    page = client.get(f"/e/cup/{path}").content.decode()
    found = metas(page)
    assert found["og:url"] == f"http://testserver/e/cup/{path}"
    of = "players/2/" if path == "players/2/" else ""
    assert found["og:image"].startswith(f"http://testserver/e/cup/{of}card.png?v=")
    assert found["og:title"] == page.split("<title>")[1].split("</title>")[0]
    assert found["og:description"]
    assert (found["og:type"], found["og:site_name"]) == ("website", "Cup")


def test_pages_without_an_event_have_a_picture_and_the_desk_tells_nothing(client: Client, event: Event):
    found = metas(client.get("/").content.decode())
    assert found["og:image"].startswith("http://testserver/static/icons/")
    assert "og:url" not in metas(client.get("/e/cup/nothing/here").content.decode())
    client.force_login(writer_of(event))
    assert "og:url" not in metas(client.get("/desk/cup/").content.decode())


def test_a_copy_for_a_clubs_site_names_no_address_of_the_desk(event: Event):
    set_colour(event=event, colour="#804020", by=writer_of(event))
    set_names_shown(event=event, numbers=[1], shown=False, by=writer_of(event))
    file = io.BytesIO()
    write_site(fresh(event), ["en-gb", "de"], file)
    with zipfile.ZipFile(file) as copy:
        page, german = copy.read("players/2.html").decode(), copy.read("de/players/2.html").decode()
        hidden, colour = copy.read("players/1/card.png"), copy.read("colour.css").decode()
        assert {"card.png", "players/2/card.png"} < set(copy.namelist())
    assert set(metas(page)) == {"og:title", "og:description", "og:type", "og:site_name"}
    assert 'href="../players/2/card.png"' in page
    assert 'href="../../players/2/card.png"' in german
    assert 'href="../colour.css"' in page
    assert "#804020" in colour
    assert "Player 1" in source_of(HttpResponse(hidden, content_type="image/png"))


# ---------------------------------------------------------------- drawings


@pytest.mark.parametrize("rounds", [1, 2, 40])
def test_a_card_has_room_for_long_names_and_many_rounds(rounds: int):
    values = tuple(1000 * at * (-1) ** at for at in range(rounds))
    ticks = tuple(f"R{at + 1}" for at in range(rounds))
    placements = (("1st", 0), ("2nd", 1), ("3rd", 99), ("4th", 0))
    tiles = ("1m",) * 14 + ("2m",) * 4
    full = PlayerCard(
        "result", LONG * 2, "Final", LONG, "", "=200th", LONG, "of 200", "−1,234.5", -1, values, ticks, (), placements,
        LONG, tiles, LONG, 1,
    )  # fmt: skip
    named = PlayerCard("hand", LONG * 2, "Final", LONG, LONG, LONG * 2, second=LONG * 2, tiles=tiles, medal=1)
    places = PlayerCard("places", LONG, "", LONG, LONG, "1st", values=values, ticks=ticks, texts=ticks)
    for card, shape in itertools.product((full, named, places), SHAPES):
        assert len(draw_player(card, shape)) <= MOST


def test_an_events_card_has_room_for_three_long_names():
    made = draw_event(EventCard(LONG * 2, LONG * 2, "Final", ((("=200th", LONG * 2, "−1,234.5"),) * 3)))
    assert len(made) <= MOST


@pytest.mark.nightly
def test_no_card_of_fifty_waits_for_another(capsys: pytest.CaptureFixture[str]):
    event = load_samples(now=timezone.now(), only=["sanmatsuri-sample"])[0]
    numbers = [player.number for player in event.players.order_by("number")]
    times: list[int] = []
    sizes: list[int] = []
    for at, language in itertools.product(range(25), ("en", "ja")):
        of = f"players/{numbers[at]}/card.png" if at < len(numbers) else "card.png"
        begun = time.perf_counter()
        answer = Client(REMOTE_ADDR=f"192.0.2.{len(times)}").get(
            f"/e/{event.slug}/{of}", headers={"Accept-Language": language}
        )
        times.append(round(1000 * (time.perf_counter() - begun)))
        sizes.append(len(answer.content))
        assert answer.status_code == 200
    middle, late = statistics.median(times), sorted(times)[47]
    with capsys.disabled():
        sys.stdout.write(f"\n{len(times)} cards: p50 {middle} ms, p95 {late} ms, {max(sizes)} bytes at most\n")
    assert (late <= 5 * middle, max(sizes) <= MOST) == (True, True), (times, sizes)
