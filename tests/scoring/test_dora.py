"""Dora of each kind: what an indicator indicates, how often dora count, and that they are no yaku."""

import pytest

from rules.books import load
from scoring.count import Dora, count_dora
from scoring.hand import WinningHand
from scoring.tiles import parse_tiles
from tests.scoring.hand_table import ORDINARY, counted, refused
from tests.table_test import tabled

FOUR = [key for key in ORDINARY if load(key).players == 4]
THREE = [key for key in ORDINARY if load(key).players == 3]
WITH_KITA = [key for key in ORDINARY if load(key).kita]
CHUN = "123567p78s99m6s 777z wES"  # 1 han, none of its tiles dora yet

# Each tile points to the next, the last to the first: East South West North, white green red (E25 2.7; S0 Tiles).
CYCLES = ["123456789p", "123456789s", "1234z", "567z"]
CYCLES_OF = {4: ["123456789m", *CYCLES], 3: ["19m", *CYCLES]}


@pytest.mark.states("indicator")
@pytest.mark.parametrize("key", ORDINARY)
def test_what_an_indicator_points_to(key: str) -> None:
    rules = load(key)
    every = [tile for cycle in CYCLES_OF[rules.players] for tile in parse_tiles(cycle)]
    for cycle in CYCLES_OF[rules.players]:
        tiles = parse_tiles(cycle)
        for indicator, dora in zip(tiles, [*tiles[1:], tiles[0]], strict=True):
            pointed_to = [
                tile
                for tile in every
                if count_dora(WinningHand(tiles=(tile,), win=tile, tsumo=True, dora=(indicator,)), rules).dora
            ]
            assert (indicator, pointed_to) == (indicator, [dora])


# Under which books | hand | dora, ura, red, kita
HANDS = [
    ("every", CHUN, Dora(0, 0, 0, 0)),
    ("every", f"{CHUN} d9p", Dora(1, 0, 0, 0)),
    ("every", f"{CHUN} d5s", Dora(1, 0, 0, 0)),  # the winning tile
    ("every", f"{CHUN} d6z", Dora(3, 0, 0, 0)),  # in a meld
    ("every", f"{CHUN} d9m", Dora(0, 0, 0, 0)),  # 1m
    ("every", f"{CHUN} d9p1p", Dora(2, 0, 0, 0)),
    ("every", f"{CHUN} d9p9p", Dora(2, 0, 0, 0)),  # the same indicator twice counts twice (E25 4.1)
    ("every", f"{CHUN} d6z6z6z9p", Dora(10, 0, 0, 0)),
    ("every", "123567p78s99m6s 7777z wES d6z", Dora(4, 0, 0, 0)),
    ("every", "123567p78s99m6s x7777z wES d6z", Dora(4, 0, 0, 0)),
    ("every", "123567p44478s99m6s r wES d9p u2p3s", Dora(1, 4, 0, 0)),
    ("every", "123567p44478s99m6s r wES d3s u3s", Dora(3, 3, 0, 0)),  # a tile can be both
    ("four", f"{CHUN} d8m", Dora(2, 0, 0, 0)),  # both of the pair
    ("four", f"{CHUN} d1m", Dora(0, 0, 0, 0)),
    ("three", f"{CHUN} d1m", Dora(2, 0, 0, 0)),  # 9m (S0 Tiles)
    # red fives, and again where five is dora (RK 2.1; S0 Red Fives)
    ("red", "123067p78s99m6s 777z wES", Dora(0, 0, 1, 0)),
    ("red", "123067p78s99m6s 777z wES d4p", Dora(1, 0, 1, 0)),
    ("red", "123067p46s99m0s 777z wES", Dora(0, 0, 2, 0)),  # one of them wins
    ("red", "123p78s99m6s 777z 055s< wES", Dora(0, 0, 1, 0)),  # in a meld
    ("red", "123p78s99m6s 777z x0555p wES d4p", Dora(4, 0, 1, 0)),
    ("red", "123567p78s99m6s 777z wES d0p", Dora(1, 0, 0, 0)),  # as an indicator it points to 6p
    ("red characters", "340m067p78s99m6s 777z wES", Dora(0, 0, 2, 0)),
    # Norths set aside: one han each, and where a West points to them one more (S0 North Winds)
    ("kita", f"{CHUN} k1", Dora(0, 0, 0, 1)),
    ("kita", f"{CHUN} k4", Dora(0, 0, 0, 4)),
    ("kita", f"{CHUN} k2 d3z", Dora(2, 0, 0, 2)),
    ("kita", f"{CHUN} k2 d3z3z", Dora(4, 0, 0, 2)),
    ("kita", f"{CHUN} k3 d4z", Dora(0, 0, 0, 3)),  # East
    ("kita", "123p78s99m444z6s 777z wES k1 d3z", Dora(4, 0, 0, 1)),  # three in the hand are dora, and no kita
    ("kita", "123p78s99m444z6s 777z wES k1", Dora(0, 0, 0, 1)),
    ("kita", "123567p44478s99m6s r wES k2 d9p u3z", Dora(1, 2, 0, 2)),
    ("kita and red", "123067p44478s99m6s r wES k1 d1m u3s", Dora(2, 3, 1, 1)),
]
BOOKS = {
    "every": ORDINARY,
    "four": FOUR,
    "three": THREE,
    "red": [key for key in ORDINARY if {"5p", "5s"} <= set(load(key).red_fives)],
    "red characters": [key for key in ORDINARY if "5m" in load(key).red_fives],
    "kita": WITH_KITA,
    "kita and red": [key for key in WITH_KITA if load(key).red_fives],
}


@tabled("books, line, dora", HANDS)
def test_dora_of_each_kind(books: str, line: str, dora: Dora) -> None:
    assert BOOKS[books]
    for key in BOOKS[books]:
        count = counted(line, load(key))
        yaku = [("riichi", 1)] if " r " in line else [("chun", 1)]
        assert (key, count.dora, list(count.yaku), count.han) == (key, dora, yaku, 1 + sum(dora))


YAKULESS = [
    ("every", "123567p78s99m6s 444s wES d3s"),
    ("every", "123567p78s99m6s 444s wES d3s3s9p1p2p"),
    ("every", "123567p44478s99m6s wES d3s"),
    ("red", "123067p46s99m0s 444s wES"),
    ("kita", "123567p78s99m6s 444s wES k4"),
    ("kita", "123567p78s99m6s 444s wES k4 d3z3z"),
    ("kita and red", "123067p78s99m6s 444s wES k2 d3s"),
]


@pytest.mark.parametrize(("books", "line"), YAKULESS)
def test_dora_are_no_yaku(books: str, line: str) -> None:
    # E25 3.2: one yaku always, dora never count
    assert {key: refused(line, load(key)) for key in BOOKS[books]} == dict.fromkeys(BOOKS[books], "hand.no_yaku")


@pytest.mark.parametrize("key", ORDINARY)
def test_ura_are_for_riichi_alone(key: str) -> None:
    # E25 3.3.10
    assert refused(f"{CHUN} u9p", load(key)) == "hand.ura_without_riichi"
    assert refused("123567p44478s99m6s t u9p", load(key)) == "hand.ura_without_riichi"
    for riichi in ("r", "rr"):
        assert counted(f"123567p44478s99m6s {riichi} u9p", load(key)).dora == Dora(0, 1, 0, 0)
