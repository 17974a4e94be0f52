"""The hand line: each part, unreadable parts, and the round trip of any hand."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.books import book_keys, load
from scoring.hand import from_json, to_json
from scoring.hand_line import MAX_LINE, read_hand_line, write_hand_line
from scoring.problems import InvalidInput
from tests.table_test import tabled
from tools.oracles.hands import some_hands

A = "123567p44478s99m6s"
HAND: dict[str, Any] = {
    "tiles": "99m123567p444678s",
    "win": "6s",
    "tsumo": False,
    "melds": [],
    "round_wind": "E",
    "seat_wind": "E",
}


def meld(kind: str, tiles: str, source: str | None = None) -> dict[str, Any]:
    return {"kind": kind, "tiles": tiles, "from": source}


# ---------------------------------------------------------------- reading

READ: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    # how it was won
    ("t", {"tsumo": True}),
    ("r", {"riichi": 1}),
    ("rr", {"riichi": 2}),
    ("i", {"ippatsu": True}),
    ("rin", {"rinshan": True}),
    ("chan", {"chankan": True}),
    ("hai", {"haitei": True}),
    ("hou", {"houtei": True}),
    ("first", {"first_turn": True}),
    ("k0", {"kita": 0}),
    ("k4", {"kita": 4}),
    ("h12", {"honba": 12}),
    ("d1m", {"dora": "1m"}),
    ("d1m23p7z", {"dora": "1m23p7z"}),
    ("d0p", {"dora": "0p"}),
    ("u9s", {"ura": "9s"}),
    ("wES", {"seat_wind": "S"}),
    ("wWN", {"round_wind": "W", "seat_wind": "N"}),
    ("wEE", {}),
    # melds
    ("777z", {"melds": [meld("pon", "777z")]}),
    ("777z<", {"melds": [meld("pon", "777z", "left")]}),
    ("777z^", {"melds": [meld("pon", "777z", "across")]}),
    ("777z>", {"melds": [meld("pon", "777z", "right")]}),
    ("505p", {"melds": [meld("pon", "505p")]}),
    ("234s", {"melds": [meld("chi", "234s")]}),
    ("340s<", {"melds": [meld("chi", "340s", "left")]}),
    ("423s", {"melds": [meld("chi", "423s")]}),
    ("445s", {"melds": [meld("chi", "445s")]}),  # that it is no group is said by hand_check
    ("7777z", {"melds": [meld("daiminkan", "7777z")]}),
    ("5055p^", {"melds": [meld("daiminkan", "5055p", "across")]}),
    ("x7777z", {"melds": [meld("ankan", "7777z")]}),
    ("+7777z>", {"melds": [meld("shouminkan", "7777z", "right")]}),
    ("111z 234s< x7777z", {"melds": [meld("pon", "111z"), meld("chi", "234s", "left"), meld("ankan", "7777z")]}),
    # any order, any case, any blanks
    ("d1m r t", {"tsumo": True, "riichi": 1, "dora": "1m"}),
    ("t r d1m", {"tsumo": True, "riichi": 1, "dora": "1m"}),
    ("wSW 777z< k1 hai t", {"tsumo": True, "haitei": True, "kita": 1, "melds": [meld("pon", "777z", "left")]}
     | {"round_wind": "S", "seat_wind": "W"}),
    ("  T   RR D1M Wes ", {"tsumo": True, "riichi": 2, "dora": "1m", "seat_wind": "S"}),
]  # fmt: skip


@tabled("parts, changes", READ)
def test_what_a_part_means(parts: str, changes: dict[str, Any]) -> None:
    assert read_hand_line(f"{A} {parts}") == HAND | changes


@pytest.mark.parametrize(
    ("concealed", "tiles", "win"),
    [
        ("123567p44478s99m6s", "99m123567p444678s", "6s"),
        ("6s123567p44478s99m", "99m123567p444678s", "9m"),  # the last one wins
        ("44678s99m123567p4s", "99m123567p444678s", "4s"),
        ("99m12367p444678s0p", "99m123067p444678s", "0p"),
        ("99m12367p444678s5p", "99m123567p444678s", "5p"),
        ("1s1s", "11s", "1s"),
    ],
)
def test_the_winning_tile_is_typed_last(concealed: str, tiles: str, win: str) -> None:
    hand = read_hand_line(concealed)
    assert (hand["tiles"], hand["win"]) == (tiles, win)


def test_what_is_not_typed_is_as_json_has_it_when_it_is_left_out() -> None:
    hand = from_json(read_hand_line(A))
    assert (hand.riichi, hand.kita, hand.honba, hand.dora, hand.ura, hand.melds) == (0, 0, 0, (), (), ())
    assert not any((hand.tsumo, hand.ippatsu, hand.rinshan, hand.chankan, hand.haitei, hand.houtei, hand.first_turn))


# ---------------------------------------------------------------- what is no hand line


def said(line: str) -> list[tuple[str, dict[str, Any]]]:
    with pytest.raises(InvalidInput) as refused:
        read_hand_line(line)
    return [(problem.code, dict(problem.params)) for problem in refused.value.problems]


UNKNOWN = ["foo", "z", "tt", "rrr", "ii", "x", "+", "<", "k", "k-1", "k100", "kita", "h", "h1.5", "w", "wE", "wEX"]
UNKNOWN += [
    "wESW",
    "d",
    "d1",
    "d1x",
    "dm",
    "1m",
    "77z",
    "77777z",
    "777",
    "777z<<",
    "<777z",
    "777z?",
    "xx7777z",
    "r,t",
    "-",
]


@tabled("part", UNKNOWN)
def test_a_part_that_is_none(part: str) -> None:
    assert said(f"{A} {part}") == [("hand_line.unknown_part", {"part": part.lower()})]


@tabled(
    "parts, part",
    [
        ("t t", "t"),
        ("r r", "r"),
        ("r rr", "rr"),
        ("i i", "i"),
        ("first first", "first"),
        ("k1 k2", "k2"),
        ("k0 k1", "k1"),
        ("h0 h1", "h1"),
        ("d1m d2m", "d2m"),
        ("u1m t u1m", "u1m"),
        ("wES wSS", "wss"),
        ("wEE wEE", "wee"),
    ],
)
def test_a_part_that_was_there_before(parts: str, part: str) -> None:
    assert said(f"{A} {parts}") == [("hand_line.twice", {"part": part})]


WRONG: list[tuple[str, str, dict[str, Any]]] = [
    ("", "hand_line.empty", {}),
    (" \t\n ", "hand_line.empty", {}),
    (f"{A} {'t' * MAX_LINE}", "hand_line.too_long", {"most": MAX_LINE}),
    (f"{A}{' ' * MAX_LINE}", "hand_line.too_long", {"most": MAX_LINE}),
    ("t", "tiles.unreadable", {"part": "t", "text": "t"}),
    ("777x", "tiles.unreadable", {"part": "x", "text": "777x"}),
    ("123p4k", "tiles.unreadable", {"part": "k", "text": "123p4k"}),
    ("p123", "tiles.unreadable", {"part": "p", "text": "p123"}),
    ("1２p", "tiles.unreadable", {"part": "２", "text": "1２p"}),
    ("123567", "tiles.no_suit", {"part": "123567"}),
    ("123p45", "tiles.no_suit", {"part": "45"}),
    ("123p8z", "tiles.no_such_tile", {"tile": "8z"}),
    ("123p0z", "tiles.no_such_tile", {"tile": "0z"}),
    (f"{A} 888z", "tiles.no_such_tile", {"tile": "8z"}),
    (f"{A} {'q' * 60}", "hand_line.unknown_part", {"part": "q" * 40}),
    (f"{A} q\x07q", "hand_line.unknown_part", {"part": "q?q"}),
]


@tabled("line, code, params", WRONG)
def test_a_line_that_cannot_be_read(line: str, code: str, params: dict[str, Any]) -> None:
    assert said(line) == [(code, params)]


def test_every_wrong_part_is_named_at_once() -> None:
    assert said(f"{A} foo t t 77z") == [
        ("hand_line.unknown_part", {"part": "foo"}),
        ("hand_line.twice", {"part": "t"}),
        ("hand_line.unknown_part", {"part": "77z"}),
    ]


@given(st.text(max_size=60) | st.lists(st.sampled_from([A, *(part for part, _ in READ), *UNKNOWN])).map(" ".join))
def test_anything_typed_is_read_or_refused_in_order(line: str) -> None:
    with contextlib.suppress(InvalidInput):
        written = write_hand_line(read_hand_line(line))
        assert write_hand_line(read_hand_line(written)) == written


# ---------------------------------------------------------------- writing

# Typed | written: tiles in order, the winning one last; melds; how it was won; kita, counters, indicators; winds unless
# both are East.
WRITTEN = [
    ("123567p44478s99m6s", "99m123567p44478s6s"),
    ("444123567p78s99m6s", "99m123444567p78s6s"),
    ("123567p44467s99m8s", "99m123567p444678s"),  # the last in order is not written apart
    ("123567p444678s9m9m", "9m123567p444678s9m"),
    ("99m12367p444678s0p", "99m12367p444678s0p"),
    ("99m12360p444678s7p", "99m12306p444678s7p"),
    ("1s1s", "11s"),
    (f"{A} wES d1m k2 r t", "99m123567p44478s6s t r k2 d1m wES"),
    (f"{A} u9s i h3 d7z rr hou", "99m123567p44478s6s rr i hou h3 d7z u9s"),
    (f"{A} first t", "99m123567p44478s6s t first"),
    (f"{A} k0 h0 wEE", "99m123567p44478s6s"),
    ("11z t 777z> x1111p rin 234s<", "11z 777z> x1111p 234s< t rin"),
    ("78s6s chan 5055p^ +7777z 111z", "78s6s 5055p^ +7777z 111z chan"),
    ("55z hai t WSW 999m", "55z 999m t hai wSW"),
]


@tabled("typed, written", WRITTEN)
def test_a_line_as_it_is_written(typed: str, written: str) -> None:
    assert write_hand_line(read_hand_line(typed)) == written
    assert from_json(read_hand_line(written)) == from_json(read_hand_line(typed))


@given(st.sampled_from(book_keys()), st.integers(0, 2**40))
def test_any_hand_comes_back_from_its_line(key: str, seed: int) -> None:
    [(_, value)] = some_hands(load(key), seed, 1)
    line, in_order = write_hand_line(value), to_json(from_json(value))
    assert from_json(read_hand_line(line)) == from_json(value)
    assert to_json(from_json(read_hand_line(write_hand_line(in_order)))) == in_order
    assert len(line) <= MAX_LINE
