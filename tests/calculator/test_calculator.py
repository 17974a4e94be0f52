"""The public calculator without a browser: the page, the answer in words, the faces of the tiles."""

import dataclasses
import json
import re
from html import unescape
from typing import Any

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse

from bootstrap import REPO
from rules.books import book_keys, load, load_book
from rules.ruleset import yaku_names
from tests.pages.html_reader import text, texts
from tournament.calculator.views import answer_line, hand_faces
from tournament.text.hands import FU_ITEMS, PICKER, WAITS, YAKU, tile_name
from web.templatetags.tiles import picker_facts

pytestmark = pytest.mark.once

SPRITE = REPO / "static" / "tiles" / "tiles.svg"
LINE = "34p678m66s2p 345m 777z d1m wES"
ALL_TILES = [f"{rank}{suit}" for suit in "mps" for rank in range(10)] + [f"{rank}z" for rank in range(1, 8)]


def answered(line: str, rules: str = "ema-2025") -> dict[str, Any]:
    return answer_line(line, load_book(rules))


def count_page(client: Client, line: str, rules: str = "ema-2025") -> Any:
    answer = client.get(reverse("count"), {"rules": rules, "line": line})
    assert answer.status_code == 200
    return answer


# ---------------------------------------------------------------- the page


def test_the_page_needs_no_account_no_database_and_no_cookie(client: Client):
    answer = client.get("/calculator/")
    assert (answer.status_code, dict(answer.cookies)) == (200, {})


def test_every_book_can_be_chosen(client: Client):
    page = client.get("/calculator/").content.decode()
    assert re.findall(r'<option value="([^"]+)"', page) == book_keys()


def test_the_address_holds_rules_and_hand(client: Client):
    answer = client.get("/calculator/", {"rules": "wrc-2025", "line": LINE})
    page = answer.content.decode()
    assert f'value="{LINE}"' in page
    assert re.findall(r'<option value="([^"]+)"[^>]* selected', page) == ["wrc-2025"]
    assert text(answer, ".count-value") == "1 han 30 fu 1,000 ron"


def test_an_unknown_rule_set_in_the_address_gives_the_usual_one(client: Client):
    page = client.get("/calculator/", {"rules": "nonsense"}).content.decode()
    assert re.findall(r'<option value="([^"]+)"[^>]* selected', page) == ["ema-2025"]


def test_public_pages_lead_here(client: Client, db: None):
    assert client.get("/").content.decode().count('href="/calculator/"') == 1


# ---------------------------------------------------------------- the answer


def test_a_hand_is_answered_with_value_payers_yaku_fu_and_reading(client: Client):
    page = count_page(client, LINE)
    assert text(page, ".count") == (
        "1 han 30 fu 1,000 ron Who pays the discarder pays 1,000 "
        "Yaku chun red dragons E25 4.2 1 han 1 "
        "Fu every hand 20 open triplet 4 fu rounded up to ten 24 → 30 "
        "How it is read open-ended wait sequence winning tile: sequence pair open sequence open triplet "
        "Counted by EMA 2025."
    )


def test_the_answer_carries_the_count_for_scripts(client: Client):
    page = count_page(client, LINE).content.decode()
    (found,) = re.findall(r'data-count="([^"]*)"', page)
    data = json.loads(unescape(found))
    assert (data["han"], data["fu"], data["yaku"], data["payment"], data["total"]) == (
        1, 30, [["chun", 1]], {"ron": 1000}, 1000,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "rules", "headline", "amount", "pays"),
    [
        (LINE, "ema-2025", "1 han 30 fu", "1,000", [("the discarder pays", 1000)]),
        (f"{LINE} h2", "ema-2025", "1 han 30 fu", "1,000", [("the discarder pays", 1600)]),
        (
            "234m456p22789s56p7p t wES h1", "ema-2025", "2 han 20 fu", "400/700",
            [("each non-dealer pays", 500), ("the dealer pays", 800), ("total", 1800)],
        ),
        ("234m456p22789s56p7p t", "ema-2025", "2 han 20 fu", "700 each", [("each player pays", 700), ("total", 2100)]),
        (
            "123p456p789p11z99s9s t r wES", "sanmatsuri-2026", "mangan, 4 han 40 fu", "2,000/4,000",
            [("the other non-dealer pays", 2000), ("the dealer pays", 4000), ("total", 6000)],
        ),
        (
            "222333444m55p77z7z t", "ema-2025", "yakuman", "16,000 each",
            [("each player pays", 16000), ("total", 48000)],
        ),
        ("23m456m789m11122p1m r i", "ema-2025", "mangan, 4 han 40 fu", "12,000", [("the discarder pays", 12000)]),
    ],
)  # fmt: skip
def test_value_and_payers(line: str, rules: str, headline: str, amount: str, pays: list[tuple[str, int]]):
    answer = answered(line, rules)
    assert (answer["headline"], answer["amount"]) == (headline, amount)
    assert [(row.who, row.points) for row in answer["pays"]] == pays


def test_dora_are_named_by_kind():
    answer = answered("123p406p789p11z99s9s r d8s u4z k2 wEE", "sanmatsuri-2026")
    assert answer["dora"] == [("dora", 3), ("red fives", 1), ("ura", 2), ("kita", 2)]


def test_a_triplet_completed_by_ron_says_why_it_is_open():
    items = answered("123p456p789p11z99s9s")["fu"].items
    assert [(why, fu) for why, fu, _tiles in items] == [
        ("every hand", 20),
        ("ron with a closed hand", 10),
        ("triplet completed by the ron, open", 4),
        ("pair of seat and round wind", 2),
    ]


def test_a_reading_set_aside_says_what_it_lacks_and_what_it_would_pay():
    answer = answered("22233344m99p4m x1111z wSW t")
    assert answer["yakuman"] is True
    (aside,) = answer["aside"]
    assert (aside.worth, aside.amount, aside.less) == ("2 han 60 fu", "1,000/2,000", "28,000 less")
    assert aside.why == "without suuankou, with menzen tsumo, iipeikou instead"


@pytest.mark.parametrize(
    ("line", "circles"),
    [
        ("234m34406p67888s5p r", ["3p4p5p!", "4p0p6p"]),
        ("234m34456p67888s0p r", ["3p4p0p!", "4p5p6p"]),
    ],
)
def test_red_five_and_winning_tile_are_where_they_were(line: str, circles: list[str]):
    groups = answered(line, "tenhou-yonma")["reading"].groups
    drawn = ["".join(code + "!" * won for code, won in tiles) for tiles, _name in groups]
    assert [group for group in drawn if "p" in group] == circles


def test_liability_is_said():
    answer = answered("33z44p4p 555z^ 666z> 777z<")
    (said,) = answer["liable"]
    assert said == (
        "daisangen: the player on the left is liable. If another player discarded the winning tile, the two share the "
        "whole hand, half each."
    )


@pytest.mark.parametrize(
    ("line", "rules", "said"),
    [
        ("11m", "ema-2025", ["2 of 14 tiles (a meld counts as three, a kan too)."]),
        ("foo", "ema-2025", ["'f' cannot be read as tiles: write digits, then m, p, s or z, as in 123m406p11z."]),
        (f"{LINE} blah", "ema-2025", ["'blah' is not valid here."]),
        (
            "34p678m66s2p 345m 999m", "ema-2025",
            ["The hand is complete but has no yaku: it cannot win. Dora are no yaku."],
        ),
        ("0550p67m66s 345m 777z", "wrc-2025", ["The red five of circles is not played with under these rules."]),
        ("34p66s2p 234p 345m 777z", "tenhou-sanma", [
            "The 3 of characters is not played with under these rules.",
            "The 4 of characters is not played with under these rules.",
            "The 5 of characters is not played with under these rules.",
            "234p: sequences are not called under these rules.",
            "345m: sequences are not called under these rules.",
        ]),
        (f"{LINE} hou t", "ema-2025", ["houtei and tsumo cannot be combined."]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_words(client: Client, line: str, rules: str, said: list[str]):
    page = count_page(client, line, rules)
    assert texts(page, ".note") == [f"Error {sentence}" for sentence in said]


def test_an_unknown_rule_set_is_named(client: Client):
    said = text(count_page(client, LINE, "nonsense"), ".note")
    assert said.startswith("Error There is no rule set 'nonsense'; there are ema-20")


def test_blanks_between_concealed_tiles_are_no_called_sets(client: Client):
    spaced, whole = (
        text(count_page(client, line), ".count") for line in ("123m 456p 789s 11z 23p 1p r", "123m456p789s11z23p1p r")
    )
    assert spaced == whole
    assert "riichi" in spaced
    # called sets as before, where the parts are sets and make a hand
    assert "open triplet" in text(count_page(client, "11z 123m 456p 789s 777z"), ".count")


def test_nothing_typed_is_no_error(client: Client):
    for line in ("", "  ", "- d1m"):
        page = count_page(client, line)
        assert text(page, ".count") == "The score appears when the hand is complete."


def test_a_line_of_any_length_and_kind_is_answered(client: Client):
    for line in ("9" * 5000, "<script>alert(1)</script>", "\x00", "1m" * 80, "東", "h99 " * 40):
        page = count_page(client, line).content.decode()
        assert "<script" not in page
        assert "Error" in page


# ---------------------------------------------------------------- names and faces


def test_every_yaku_of_every_book_has_a_gloss():
    assert set(yaku_names("yaku", "yakuman")) - set(YAKU) == set()


def test_every_wait_and_every_fu_item_has_words():
    source = (SPRITE.parents[2] / "scoring" / "fu.py").read_text(encoding="utf-8")
    named = set(re.findall(r'FuItem\("([a-z_]+)"', source)) - {"pair"}
    assert named - set(FU_ITEMS) == set()
    assert set(WAITS) == {"ryanmen", "kanchan", "penchan", "shanpon", "tanki", "thirteen"}


def test_the_sprite_has_every_tile_once_and_is_small():
    text = SPRITE.read_text(encoding="utf-8")
    assert sorted(re.findall(r'id="tile-([^"]+)"', text)) == sorted([*ALL_TILES, "back"])
    assert len(text.encode()) < 80_000


def test_red_fives_have_a_mark_beside_their_colour():
    text = SPRITE.read_text(encoding="utf-8")
    symbols = dict(re.findall(r'<symbol id="tile-([^"]+)"[^>]*>(.*?)</symbol>', text))
    corner = re.compile(r'<path fill="#[0-9a-f]{6}" d="M18\.6 0H27\.5')
    assert sorted(tile for tile, drawn in symbols.items() if corner.search(drawn)) == ["0m", "0p", "0s"]


def test_a_tile_is_drawn_with_its_name():
    drawn = Template('{% load tiles %}{% tile "0p" "is-turned" %}').render(Context())
    assert re.search(r'class="face is-turned" role="img" aria-label="red five of circles"', drawn)
    assert re.search(r'href="[^"]*tiles[^"]*\.svg#tile-0p"', drawn)
    assert [tile_name(tile) for tile in ("1m", "9s", "1z", "5z")] == [
        "1 of characters", "9 of bamboos", "East wind", "white dragon",
    ]  # fmt: skip


def test_a_hand_is_drawn_with_called_tiles_turned_and_closed_quads_face_down():
    melds = [
        {"kind": "pon", "tiles": "777z", "from": "across"},
        {"kind": "chi", "tiles": "340p", "from": "left"},
        {"kind": "ankan", "tiles": "1111s", "from": None},
        {"kind": "shouminkan", "tiles": "2222s", "from": "right"},
    ]
    faces = hand_faces({"tiles": "11m", "win": "1m", "melds": melds, "kita": 2, "dora": "5m"})
    assert (faces["concealed"], faces["win"], faces["kita"], faces["dora"]) == (["1m"], "1m", ["4z", "4z"], ["5m"])
    pon, chi, ankan, added = (tiles for _closed, tiles in faces["melds"])
    assert [each.turned for each in pon] == [False, True, False]
    assert [each.tile for each in chi] == ["3p", "4p", "0p"]
    assert [each.turned for each in chi] == [False, False, False]
    assert [each.down for each in ankan] == [True, False, False, True]
    assert [each.added for each in added] == ["", "", "2s"]
    drawn = Template("{% load tiles %}{% hand_tiles hand %}").render(
        Context({"hand": {"tiles": "11m", "win": "1m", "melds": melds}})
    )
    assert len(re.findall("<svg", drawn)) == 2 + 3 + 3 + 4 + 4


def test_the_facts_of_a_book_reach_the_picker(client: Client):
    page = unescape(client.get("/calculator/", {"rules": "sanmatsuri-2026"}).content.decode())
    (facts,) = re.findall(r'<form class="counting"[^>]*? data-facts="(\{.*?\})"', page)
    given = json.loads(facts)
    assert given.pop("excluded")[:2] == ["needs_tsumo haitei ron", "needs_ron houtei tsumo"]
    assert given == {"players": 3, "reds": ["5p", "5s"], "kita": True, "chii": False, "ura": True, "rounds": 2}


def test_the_facts_that_the_scripts_are_tested_with_are_those_of_the_picker():
    known = json.loads((REPO / "tests" / "js" / "facts.json").read_text(encoding="utf-8"))
    san = load("sanmatsuri-2026")
    rules = {"tenhou-yonma": load("tenhou-yonma"), "jpml-a": load("jpml-a"), "sanmatsuri-2026": san}
    rules["kita ends nothing"] = dataclasses.replace(san, kita_ends_first_turn=False)
    assert {name: json.loads(picker_facts(each)) for name, each in rules.items()} == known


def test_every_refusal_of_the_picker_has_its_sentence():
    codes = {item.split()[0] for key in book_keys() for item in json.loads(picker_facts(load(key)))["excluded"]}
    assert codes <= set(PICKER)
