"""What cannot be a winning hand, for its form, its tiles or its conditions: each code with what it says, and hands that
just pass. Rows 21 and 22 of the shared list of wrong hands stand here tile by tile, and as entries in test_win_tiles.
"""

import dataclasses
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.books import load
from scoring import exclusions, hand
from scoring.hand import MELD_SIZES, SOURCES, Meld, WinningHand, from_json, read_hand
from scoring.hand_line import read_hand_line
from scoring.problems import InvalidInput, ProblemType
from scoring.tiles import Tile
from tests.table_test import tabled

EMA, WRC, RAKKII, SAN, T4, T3 = (
    "ema-2025",
    "wrc-2025",
    "rakkii-nomi-2026",
    "sanmatsuri-2026",
    "tenhou-yonma",
    "tenhou-sanma",
)
CLOSED = "123567p44478s99m6s"  # of tiles that every set has
OPEN = "123567p78s99m6s 444s"
QUAD = "123567p78s99m6s x4444s"


def said(key: str, value: str | dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return all that is wrong with a hand line or a hand's JSON: codes with parameters."""
    try:
        read_hand(read_hand_line(value) if isinstance(value, str) else value, load(key))
    except InvalidInput as wrong:
        return [(problem.code, dict(problem.params)) for problem in wrong.problems]
    return []


# ---------------------------------------------------------------- tiles and melds

TILES: list[tuple[str, str, str, dict[str, Any]]] = [
    # row 21: what three players do not have
    *((SAN, f"123567p44478s{n}{n}m6s", "hand.not_in_set", {"tile": f"{n}m"}) for n in range(2, 9)),
    (T3, "123567p78s99m6s 555m", "hand.not_in_set", {"tile": "5m"}),
    (SAN, f"{CLOSED} d2m", "hand.not_in_set", {"tile": "2m"}),
    (SAN, f"{CLOSED} r u8m", "hand.not_in_set", {"tile": "8m"}),
    (SAN, "123567p78s99m6s 234s", "hand.chii_not_in_rules", {"tiles": "234s"}),
    (T3, "123567p78s99m6s 234s<", "hand.chii_not_in_rules", {"tiles": "234s"}),
    (SAN, "123567p78s99m6s 444s^", "hand.nobody_across", {"tiles": "444s"}),
    (T3, "123567p78s99m6s +4444s^", "hand.nobody_across", {"tiles": "4444s"}),
    (SAN, f"{CLOSED} wEN", "hand.no_north_seat", {}),
    (T3, f"{CLOSED} wSN", "hand.no_north_seat", {}),
    (SAN, f"{CLOSED} wNE", "hand.no_north_round", {}),
    ("mcgill-sanma", f"{CLOSED} wWE", "hand.round_not_played", {"wind": "W", "last": "S"}),  # S3
    (EMA, f"{CLOSED} wWE", "hand.round_not_played", {"wind": "W", "last": "S"}),
    (T4, f"{CLOSED} wNE", "hand.round_not_played", {"wind": "N", "last": "W"}),
    (EMA, f"{CLOSED} k1", "hand.kita_not_in_rules", {}),
    (T4, f"{CLOSED} k4", "hand.kita_not_in_rules", {}),
    (SAN, f"{CLOSED} k5", "hand.kita_too_many", {"given": 5, "most": 4}),
    # row 22: five of one tile, among hand, melds, kita and indicators
    (EMA, "111112p78s99m6s 444s", "hand.five_copies", {"tile": "1p", "copies": 5}),
    (EMA, "123456p44478s 444s", "hand.five_copies", {"tile": "4s", "copies": 6}),
    (EMA, f"{CLOSED} d4s4s", "hand.five_copies", {"tile": "4s", "copies": 5}),
    (EMA, f"{QUAD} d4s", "hand.five_copies", {"tile": "4s", "copies": 5}),
    (EMA, f"{CLOSED} r d4s u4s", "hand.five_copies", {"tile": "4s", "copies": 5}),
    (EMA, f"{CLOSED} d1z1z1z1z1z", "hand.five_copies", {"tile": "1z", "copies": 5}),
    (T4, "123p05555p44478s6s", "hand.five_copies", {"tile": "5p", "copies": 5}),
    (SAN, "123567p78s99m444z6s k2", "hand.five_copies", {"tile": "4z", "copies": 5}),
    (SAN, "123567p23478s44z6s k3", "hand.five_copies", {"tile": "4z", "copies": 5}),
    (SAN, f"{CLOSED} k4 d4z", "hand.five_copies", {"tile": "4z", "copies": 5}),
    (SAN, f"{CLOSED} r k3 d4z u4z", "hand.five_copies", {"tile": "4z", "copies": 5}),
    # row 22: more red fives than the set has
    (EMA, "123067p44478s99m6s", "hand.not_in_set", {"tile": "0p"}),
    (WRC, f"{CLOSED} d0m", "hand.not_in_set", {"tile": "0m"}),
    (T4, "12300p44478s99m6s6s", "hand.too_many_reds", {"tile": "0p", "given": 2, "most": 1}),
    (RAKKII, "123067p44478s99m6s d0p", "hand.too_many_reds", {"tile": "0p", "given": 2, "most": 1}),
    (T3, "123567p78s99m6s 500s", "hand.too_many_reds", {"tile": "0s", "given": 2, "most": 1}),
    # melds that are none
    (EMA, "123567p78s99m6s 445s", "hand.meld_shape", {"kind": "chi", "tiles": "445s"}),
    (EMA, "123567p78s99m6s 246s", "hand.meld_shape", {"kind": "chi", "tiles": "246s"}),
    (EMA, "123567p78s99m6s 891s", "hand.meld_shape", {"kind": "chi", "tiles": "189s"}),
    (EMA, "123567p78s99m6s 123z", "hand.meld_shape", {"kind": "chi", "tiles": "123z"}),
    (EMA, "123567p78s99m6s 4445s", "hand.meld_shape", {"kind": "daiminkan", "tiles": "4445s"}),
    (EMA, "123567p78s99m6s x444s", "hand.meld_shape", {"kind": "ankan", "tiles": "444s"}),
    (EMA, "123567p78s99m6s +444s", "hand.meld_shape", {"kind": "shouminkan", "tiles": "444s"}),
    (EMA, "123567p78s99m6s 234s>", "hand.chii_from_left", {"tiles": "234s"}),
    (EMA, "123567p78s99m6s 234s^", "hand.chii_from_left", {"tiles": "234s"}),
    (EMA, "123567p78s99m6s x4444s<", "hand.ankan_from_nobody", {"tiles": "4444s"}),
    # how many there are
    (EMA, "123567p44478s99m", "hand.tiles_missing", {"have": 13, "want": 14}),
    (EMA, "1p", "hand.tiles_missing", {"have": 1, "want": 14}),
    (EMA, "123567p78s99m 4444s", "hand.tiles_missing", {"have": 13, "want": 14}),  # a quad counts for three
    (EMA, "123567p44478s99m66s", "hand.tiles_too_many", {"have": 15, "want": 14}),
    (EMA, f"{CLOSED} 555z", "hand.tiles_too_many", {"have": 17, "want": 14}),
    (EMA, "55z 111p 222p 333p 444p 666p", "hand.too_many_melds", {"given": 5, "most": 4}),
    (EMA, f"{CLOSED} d123456p", "hand.too_many_indicators", {"key": "dora", "given": 6, "most": 5}),
    (EMA, f"{CLOSED} r d1p u123456m", "hand.too_many_indicators", {"key": "ura", "given": 6, "most": 5}),
]


@tabled("key, line, code, params", TILES)
def test_tiles_that_cannot_be(key: str, line: str, code: str, params: dict[str, Any]) -> None:
    assert said(key, line) == [(code, params)]


def test_a_red_five_of_characters_is_not_in_the_set_of_three_and_that_is_said_once() -> None:
    assert said(SAN, "123567p44478s09m6s") == [("hand.not_in_set", {"tile": "0m"})]


def test_all_that_is_wrong_with_the_tiles_is_said_at_once() -> None:
    assert [code for code, _ in said(SAN, "12300p44478s2m6s 234s^ d4s4s r")] == [
        "hand.not_in_set",
        "hand.five_copies",
        "hand.too_many_reds",
        "hand.chii_not_in_rules",
        "hand.nobody_across",
        "hand.tiles_too_many",
    ]


some_tiles = st.lists(st.sampled_from([Tile(0), Tile(3), Tile(4), Tile(13), Tile(13, red=True), Tile(30), Tile(33)]))
many_tiles = some_tiles | st.lists(st.sampled_from([Tile(13), Tile(13, red=True)]), max_size=140)
OF_THE_SET = {"hand.not_in_set", "hand.kita_not_in_rules", "hand.five_copies", "hand.too_many_reds"}


@pytest.mark.parametrize("key", [EMA, T4, SAN, "kansai-sanma"])
@given(tiles=many_tiles, meld=some_tiles, dora=some_tiles, ura=some_tiles, kita=st.integers(0, 4))
def test_tiles_that_the_set_lacks_are_found_in_any_number(
    key: str, tiles: list[Tile], meld: list[Tile], dora: list[Tile], ura: list[Tile], kita: int
) -> None:
    rules = load(key)
    made = WinningHand(
        tiles=tuple(tiles),
        win=Tile(33),
        tsumo=False,
        melds=(Meld("pon", tuple(meld)),),
        dora=tuple(dora),
        ura=tuple(ura),
        kita=kita,
    )
    held = Counter([*tiles, *meld, *dora, *ura, *[Tile(30)] * kita])
    kinds: Counter[int] = Counter()
    for tile, times in held.items():
        kinds[tile.kind] += times
    reds = held[Tile(13, red=True)]
    wanted = {
        "hand.not_in_set": (reds and "5p" not in rules.red_fives) or (rules.players == 3 and (kinds[3] or kinds[4])),
        "hand.kita_not_in_rules": kita and not rules.kita,
        "hand.five_copies": max(kinds.values(), default=0) > 4,
        "hand.too_many_reds": 0 < rules.red_fives.count("5p") < reds,
    }
    found = {problem.code for problem in hand.hand_problems(made, rules)}
    assert found & OF_THE_SET == {code for code, holds in wanted.items() if holds}


# ---------------------------------------------------------------- conditions

TOGETHER = [
    (EMA, f"{CLOSED} hai", "haitei", "ron"),
    (EMA, f"{CLOSED} t hou", "houtei", "tsumo"),
    (EMA, f"{QUAD} rin", "rinshan", "ron"),
    (EMA, f"{CLOSED} t chan", "chankan", "tsumo"),
    (EMA, f"{QUAD} t rin hai", "rinshan", "haitei"),
    (EMA, f"{CLOSED} chan hou", "chankan", "houtei"),
    (EMA, f"{QUAD} r i t rin", "rinshan", "ippatsu"),
    (SAN, f"{CLOSED} r i t rin k1", "rinshan", "ippatsu"),
    (EMA, f"{OPEN} r", "riichi", "open_hand"),
    (EMA, f"{OPEN} rr", "riichi", "open_hand"),
    (EMA, f"{OPEN} t first", "first_turn", "meld"),
    (EMA, f"{QUAD} t first", "first_turn", "meld"),
    (EMA, f"{CLOSED} t first r", "first_turn", "riichi"),
    (SAN, f"{CLOSED} t first k1", "first_turn", "kita"),
    (EMA, f"{CLOSED} first", "first_turn", "dealer_ron"),
    (EMA, f"{CLOSED} t first hai", "first_turn", "haitei"),
    (EMA, f"{CLOSED} first hou wES", "first_turn", "houtei"),
    (EMA, f"{CLOSED} first chan wES", "first_turn", "chankan"),
]


@pytest.mark.states("together")
@tabled("key, line, one, other", TOGETHER)
def test_conditions_that_exclude_each_other(key: str, line: str, one: str, other: str) -> None:
    assert said(key, line) == [("hand.not_together", {"one": one, "other": other})]


DOUBLE = [
    (EMA, f"{QUAD} rr i", "closed_quad"),
    (WRC, f"{QUAD} rr i t", "closed_quad"),
    ("sanma-rule-book", f"{QUAD} rr i", "closed_quad"),  # S4 12
    (SAN, f"{CLOSED} rr i k1", "kita"),  # S0 North Winds
    (SAN, f"{CLOSED} rr i t k2", "kita"),
]


@pytest.mark.states("excluded")
@tabled("key, line, by", DOUBLE)
def test_double_riichi_with_ippatsu_leaves_no_turn_for_an_own_kita_or_closed_quad(key: str, line: str, by: str) -> None:
    assert said(key, line) == [("hand.double_riichi_ippatsu", {"by": by})]


def test_every_exclusion_is_in_the_tables() -> None:
    listed = {(one, other) for *_, one, other in TOGETHER} | {("double_riichi", "ippatsu", by) for *_, by in DOUBLE}
    assert {each.together for key in (EMA, SAN) for each in exclusions.exclusions(load(key))} == listed


CONDITIONS: list[tuple[str, str, str, dict[str, Any]]] = [
    (EMA, f"{CLOSED} i", "hand.ippatsu_without_riichi", {}),
    (EMA, f"{CLOSED} d1p u1p", "hand.ura_without_riichi", {}),
    (EMA, f"{OPEN} u1p", "hand.ura_without_riichi", {}),
    (EMA, f"{CLOSED} t rin", "hand.rinshan_without_quad", {}),
    (EMA, f"{OPEN} t rin", "hand.rinshan_without_quad", {}),
    (SAN, f"{CLOSED} t rin", "hand.rinshan_without_quad", {}),
    (EMA, "123678p44478966s chan", "hand.chankan_of_own_tile", {"tile": "6s"}),
    (EMA, "123567p44678s99m4s chan", "hand.chankan_of_own_tile", {"tile": "4s"}),
    (EMA, "123567p78s99m6s 666s chan", "hand.chankan_of_own_tile", {"tile": "6s"}),
]


@pytest.mark.parametrize(("key", "line", "code", "params"), CONDITIONS)
def test_conditions_that_lack_something(key: str, line: str, code: str, params: dict[str, Any]) -> None:
    assert said(key, line) == [(code, params)]


def test_conditions_are_judged_only_of_tiles_that_can_be() -> None:
    assert [code for code, _ in said(SAN, "123567p44478s99m hai i wEN")] == ["hand.tiles_missing"]
    assert [code for code, _ in said(SAN, f"{CLOSED} hai i wEN")] == [
        "hand.no_north_seat",
        "hand.not_together",
        "hand.ippatsu_without_riichi",
    ]


# ---------------------------------------------------------------- what just passes

RIGHT = [
    (EMA, "123567p44478s99m6s"),
    (EMA, "23467m345p67899s8m"),
    (EMA, "123567p78s99m6s 234s"),
    (EMA, "123567p78s99m6s 234s<"),
    (EMA, "123567p78s99m6s 444s^"),
    (EMA, "123567p78s99m6s +4444s>"),
    (EMA, "55z 111p 222p 333p 444p"),
    (EMA, f"{CLOSED} d4s"),  # four of a tile
    (EMA, f"{CLOSED} r d4s u1z"),
    (EMA, f"{CLOSED} d1z1z1z1z2z"),
    (EMA, f"{CLOSED} r d12345p u12345m"),
    (EMA, f"{CLOSED} wEN"),
    (EMA, f"{CLOSED} r i chan"),
    (EMA, f"{CLOSED} r i t hai"),
    (EMA, f"{CLOSED} rr i hou"),
    (EMA, f"{QUAD} rr t rin"),
    (EMA, f"{QUAD} r i"),  # a quad before the riichi
    (EMA, f"{OPEN} chan"),
    (EMA, "19m19p19s11234567z chan"),
    (EMA, f"{CLOSED} t first"),
    (EMA, f"{CLOSED} first wES"),
    (EMA, f"{CLOSED} h99"),
    (RAKKII, "340m340p340s555z99p"),
    (T4, "123067p44478s99m6s d5p5p"),
    (SAN, "19m19p19s11234567z"),
    (SAN, "123567p44478s11m6s d9m"),
    (SAN, "123067p44078s99m6s"),
    (SAN, f"{OPEN}<"),
    (SAN, f"{OPEN}>"),
    (SAN, f"{CLOSED} k4"),
    (SAN, f"{CLOSED} k3 d4z"),
    (SAN, "123567p78s99m444z6s k1"),
    (SAN, "123567p23478s44z6s k2"),
    (SAN, f"{CLOSED} t rin k1"),
    (SAN, f"{CLOSED} r i k1"),  # a kita before the riichi
    (SAN, f"{CLOSED} wSW"),
    (T3, f"{CLOSED} wWW"),
    ("sanma-rule-book", f"{CLOSED} wWW"),
    (EMA, f"{QUAD} rr"),
    (SAN, f"{CLOSED} rr k1"),
]


@tabled("key, line", RIGHT)
def test_a_hand_that_can_be(key: str, line: str) -> None:
    assert said(key, line) == []


# ---------------------------------------------------------------- form

JSON = {"tiles": "123567p444678s99m", "win": "6s", "tsumo": True, "round_wind": "E", "seat_wind": "S"}
FORM: list[tuple[dict[str, Any], str, dict[str, Any]]] = [
    ({"win": ""}, "hand.one_winning_tile", {"tiles": 0}),
    ({"win": "67s"}, "hand.one_winning_tile", {"tiles": 2}),
    ({"win": "5s"}, "hand.win_not_in_hand", {"tile": "5s"}),
    ({"win": "0p"}, "hand.win_not_in_hand", {"tile": "0p"}),  # the hand has another five
    ({"riichi": 3}, "hand.riichi_too_many", {"given": 3, "most": 2}),
    ({"kita": 5}, "hand.kita_too_many", {"given": 5, "most": 4}),
    ({"honba": 100}, "hand.honba_too_many", {"given": 100, "most": 99}),
    ({"seat_wind": "X"}, "hand.no_wind", {"key": "seat_wind", "given": "X"}),
    ({"round_wind": "e"}, "hand.no_wind", {"key": "round_wind", "given": "e"}),
    ({"round_wind": ""}, "hand.no_wind", {"key": "round_wind", "given": ""}),
    (
        {"melds": [{"kind": "kan", "tiles": "4444s"}]},
        "hand.meld_kind",
        {"given": "kan", "known": tuple(MELD_SIZES)},
    ),
    (
        {"melds": [{"kind": "pon", "tiles": "444s", "from": "behind"}]},
        "hand.meld_source",
        {"given": "behind", "known": SOURCES},
    ),
    ({"tiles": "123567x"}, "tiles.unreadable", {"part": "x", "text": "123567x"}),
    ({"tiles": "123567"}, "tiles.no_suit", {"part": "123567"}),
    ({"dora": "8z"}, "tiles.no_such_tile", {"tile": "8z"}),
    ({"ura": "0z"}, "tiles.no_such_tile", {"tile": "0z"}),
    ({"honba": -1}, "entry.negative", {"key": "hand.honba"}),
    ({"tsumo": 1}, "entry.wrong_type", {"key": "hand.tsumo", "wanted": "true or false"}),
    ({"tsumo": None}, "entry.missing_key", {"key": "hand.tsumo"}),
    ({"flowers": 2}, "entry.unknown_key", {"key": "hand.flowers"}),
    ({"melds": [{"kind": "pon", "tiles": "444s", "to": "left"}]}, "entry.unknown_key", {"key": "hand.melds.to"}),
]


@tabled("changes, code, params", FORM)
def test_a_form_that_cannot_be(changes: dict[str, Any], code: str, params: dict[str, Any]) -> None:
    assert said(EMA, JSON | changes) == [(code, params)]


def test_faults_of_melds_are_found_however_often_such_melds_were_read() -> None:
    pon, behind = ({"kind": "pon", "tiles": "444s", "from": side} for side in ("left", "behind"))
    value = JSON | {"tiles": "123567p678s99m"}
    source = ("hand.meld_source", {"given": "behind", "known": SOURCES})
    kind = ("entry.wrong_type", {"key": "hand.melds.kind", "wanted": "a text"})
    for _ in range(2):
        assert said(EMA, value | {"melds": [pon]}) == []
        assert said(EMA, value | {"melds": [pon, behind]}) == [source]
        assert said(EMA, value | {"melds": [pon | {"kind": ["pon"]}]}) == [kind]
        assert said(EMA, value | {"melds": [7]})[0] == (
            "entry.wrong_type",
            {"key": "hand.melds", "wanted": "an object"},
        )
        assert said(EMA, value | {"melds": {}}) == [("entry.wrong_type", {"key": "hand.melds", "wanted": "a list"})]


@pytest.mark.parametrize(
    ("meld", "params"),
    [
        ({"kind": "pon", "tiles": "4444s"}, {"kind": "pon", "tiles": "4444s"}),
        ({"kind": "pon", "tiles": "445s"}, {"kind": "pon", "tiles": "445s"}),
        ({"kind": "pon", "tiles": ""}, {"kind": "pon", "tiles": ""}),
        ({"kind": "chi", "tiles": "89m1p"}, {"kind": "chi", "tiles": "89m1p"}),
        ({"kind": "chi", "tiles": "9m12p"}, {"kind": "chi", "tiles": "9m12p"}),
        ({"kind": "chi", "tiles": "9s12z"}, {"kind": "chi", "tiles": "9s12z"}),
        ({"kind": "ankan", "tiles": "444s4p"}, {"kind": "ankan", "tiles": "4p444s"}),
    ],
)
def test_a_meld_that_no_line_can_hold(meld: dict[str, Any], params: dict[str, Any]) -> None:
    value = JSON | {"tiles": "123567p678s99m", "melds": [meld]}
    assert said(EMA, value) == [("hand.meld_shape", params)]


@pytest.mark.parametrize("value", [None, [], "123m", 7])
def test_a_hand_that_is_no_object(value: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        from_json(value)
    assert {problem.code for problem in refused.value.problems} <= {"entry.wrong_type", "entry.missing_key"}
    assert refused.value.problems[0].params == {"key": "hand", "wanted": "an object"}


# ---------------------------------------------------------------- the tables themselves


def codes_in(module: Any) -> set[str]:
    """Return the codes of hands that a module declares."""
    return {kind.code for kind in vars(module).values() if isinstance(kind, ProblemType) and "hand." in kind.code}


def test_every_code_has_a_row() -> None:
    tested = {code for *_, code, _ in (*TILES, *CONDITIONS, *FORM)} | {"hand.not_together"}
    assert codes_in(hand) <= tested
    assert "hand.five_copies" in codes_in(hand)
    assert "hand.no_wind" in codes_in(hand)


@pytest.mark.parametrize("more", ["r i t rin k1", "t first k1", "rr i k1", "rr i t k1"])
def test_where_a_kita_ends_no_first_turn_it_stands_beside_all_of_it(more: str) -> None:
    rules = dataclasses.replace(load(SAN), kita_ends_first_turn=False)
    assert read_hand(read_hand_line(f"{CLOSED} {more}"), rules).kita == 1
    assert [code for code, _ in said(SAN, f"{CLOSED} {more}")] in (
        ["hand.not_together"],
        ["hand.double_riichi_ippatsu"],
    )
