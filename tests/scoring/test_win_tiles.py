"""Tiles given with an entry: rows 6 to 10, 21 and 22 of the shared list of wrong hands as tiles show them.

Also what must agree with the table and with what was entered; and nothing is found against hands that were really won.
"""

import itertools
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.check import problems
from scoring.count import Count, count
from scoring.entries import Entry, Ron, Win, from_json
from scoring.hand import read_hand
from scoring.hand_line import read_hand_line
from scoring.payments import liabilities
from scoring.problems import InvalidInput
from scoring.state import TableState
from tests.scoring.table import state
from tests.table_test import tabled
from tools.oracles.hands import some_hands

EMA, WRC, RAKKII, SAN, T4, T3 = (
    "ema-2025",
    "wrc-2025",
    "rakkii-nomi-2026",
    "sanmatsuri-2026",
    "tenhou-yonma",
    "tenhou-sanma",
)
CHUN = "123567p78s99m6s 777z"  # 1 han 30 by ron and by tsumo
CLOSED = "123567p44478s99m6s"  # no yaku by ron, 40 fu
OPEN = "123567p78s99m6s 444s"  # no yaku
DRAGONS = "123p99s 555z< 666z< 777z>"


def entry_of(hand: dict[str, Any], value: str, *, deposit: bool, **more: Any) -> Entry:
    """Make an entry of seat 1, off seat 0 or by tsumo as the tiles say; `3/40` is han and fu, `y1` a yakuman."""
    han, _, fu = value.partition("/")
    worth = {"yakuman": int(value[1:])} if value[0] == "y" else {"han": int(han), **({"fu": int(fu)} if fu else {})}
    tsumo = more.pop("tsumo", hand["tsumo"])
    way: dict[str, Any] = {"kind": "tsumo"} if tsumo else {"kind": "ron", "loser": 0}
    return from_json(way | {"riichi": [1] if deposit else [], "winners": [{"seat": 1, "hand": hand, **worth, **more}]})


def said(key: str, line: str, value: str, table: dict[str, int] | None = None, **more: Any) -> list[tuple[str, Any]]:
    """Return what is wrong with an entry of the South seat's hand, codes with parameters."""
    hand = read_hand_line(line)
    if "w" not in line:
        hand["seat_wind"] = "S"
    deposit = more.pop("deposit", bool(hand.get("riichi")))
    found = problems(entry_of(hand, value, deposit=deposit, **more), state(key, **(table or {})), load(key))
    return [(problem.code, dict(problem.params)) for problem in found]


# ---------------------------------------------------------------- the list: row | rules | hand | value | codes

ROWS = [
    ("6", EMA, f"{OPEN} d3s", "3/30", "hand.no_yaku"),
    ("6", SAN, f"{OPEN} k4", "4/30", "hand.no_yaku"),
    ("6", T4, "123067p78s99m6s 444s", "1/30", "hand.no_yaku"),
    ("7", T4, f"{CLOSED} first", "5", "hand.no_yaku"),  # no renhou in this book
    ("7", EMA, f"{CLOSED} first", "5", ""),
    ("7", EMA, f"{CLOSED} first d9p", "6", "tiles.value_differs"),  # and no dora with it
    ("8", EMA, CHUN, "1/30", ""),
    ("8", EMA, CHUN, "2/30", "tiles.value_differs"),
    ("8", EMA, CHUN, "1/40", "tiles.value_differs"),
    ("8", EMA, f"{CHUN} d9p", "2/30", ""),
    ("8", EMA, f"{CHUN} d9p9p9p9p", "5", ""),
    ("8", EMA, f"{CHUN} d9p9p9p9p", "5/30", ""),
    ("8", EMA, f"{CHUN} d9p9p9p9p", "5/40", "tiles.value_differs"),
    ("8", EMA, CHUN, "y1", "tiles.yakuman_differ"),
    ("8", EMA, "19m19p19s11234567z", "13", "tiles.yakuman_differ"),
    ("8", EMA, "19m19p19s11234567z", "y1", ""),
    ("8", WRC, "11z 222z 555z 666z 777z", "y1", "tiles.yakuman_differ"),
    ("8", WRC, "11z 222z 555z 666z 777z", "y2", ""),
    ("8", EMA, "11z 222z 555z 666z 777z", "y1", ""),
    ("8", EMA, "11z 222z 555z 666z 777z", "y2", "win.yakuman_counted_once"),
    ("9", EMA, f"{CLOSED} i", "1/40", "hand.ippatsu_without_riichi"),
    ("9", EMA, f"{CHUN} u9p", "2/30", "hand.ura_without_riichi"),
    ("9", EMA, f"{CHUN} r", "2/30", "hand.not_together"),
    ("9", EMA, f"{CLOSED} r", "1/40", ""),
    ("9", EMA, f"{CLOSED} rr i", "3/40", ""),
    ("10", EMA, "123567p23478s99m6s", "1/40", "tiles.value_differs"),
    ("10", EMA, "123567p23478s99m6s", "1/30", ""),
    ("10", EMA, "123567p23478s99m6s t", "2/30", "tiles.value_differs"),
    ("10", EMA, "123567p23478s99m6s t", "2/20", ""),
    ("10", EMA, f"{CHUN} hai", "2/30", "hand.not_together"),
    ("10", EMA, f"{CHUN} t hou", "2/30", "hand.not_together"),
    ("10", EMA, "112233p445566s99m", "2/25", "tiles.value_differs"),
    ("10", EMA, "112233p445566s99m", "3/40", ""),
    ("21", SAN, "567p78s99m6s 777z 123p", "1/30", "hand.chii_not_in_rules"),
    ("21", EMA, "567p78s99m6s 777z 123p", "1/30", ""),
    ("21", SAN, "123567p78s22m6s 777z", "1/30", "hand.not_in_set"),
    ("21", T3, "123567p78s99m6s 777z d8m", "1/30", "hand.not_in_set"),
    ("21", SAN, f"{CHUN} wEN", "1/30", "hand.no_north_seat"),
    ("21", SAN, f"{CHUN} k5", "6", "hand.kita_too_many"),
    ("21", SAN, f"{CHUN} k4", "5", ""),
    ("21", EMA, f"{CHUN} k1", "2/30", "hand.kita_not_in_rules"),
    ("21", SAN, "123567p78s55m6s 777z d0m", "1/30", "hand.not_in_set hand.not_in_set"),
    ("21", SAN, "123067p78s99m6s 777z", "2/30", ""),
    ("22", EMA, f"{CHUN} d7z7z", "1/30", "hand.five_copies"),
    ("22", EMA, "123567p99m777z 777z", "1/30", "hand.five_copies"),
    ("22", SAN, "123p78s99m444z6s 777z k2", "3/40", "hand.five_copies"),
    ("22", SAN, f"{CHUN} k4 d4z", "5", "hand.five_copies"),
    ("22", SAN, f"{CHUN} k3 d4z", "4/30", ""),
    ("22", EMA, "123067p78s99m6s 777z", "2/30", "hand.not_in_set"),
    ("22", RAKKII, "12300p78s99m6s6s 777z", "3/30", "hand.too_many_reds"),
    ("22", RAKKII, "123067p78s99m6s 777z d0p", "2/30", "hand.too_many_reds"),
    ("22", RAKKII, "123067p78s99m6s 777z", "2/30", ""),
]


@tabled("row, key, line, value, codes", ROWS)
def test_a_wrong_hand(row: str, key: str, line: str, value: str, codes: str) -> None:
    assert [code for code, _ in said(key, line, value)] == codes.split()


# ---------------------------------------------------------------- what must agree


def test_the_winds_of_the_tiles_are_those_of_the_table() -> None:
    def other(given: tuple[str, str], derived: tuple[str, str]) -> list[tuple[str, Any]]:
        return [("tiles.other_winds", {"seat": 1, "given": given, "derived": derived})]

    assert said(EMA, f"{CHUN} wES", "1/30") == []
    assert said(EMA, f"{CHUN} wSS", "1/30", {"round": 1}) == []
    assert said(EMA, f"{CHUN} wEE", "1/30", {"dealer": 1}) == []
    assert said(SAN, f"{CHUN} wEW", "1/30", {"dealer": 2}) == []
    assert said(EMA, f"{CHUN} wEN", "1/30", {"dealer": 2}) == []
    assert said(EMA, f"{CHUN} wEW", "1/30") == other(("E", "W"), ("E", "S"))
    assert said(EMA, f"{CHUN} wSS", "1/30") == other(("S", "S"), ("E", "S"))
    assert said(SAN, f"{CHUN} wES", "1/30", {"round": 1, "dealer": 2}) == other(("E", "S"), ("S", "W"))


def test_tiles_that_want_two_han_say_so_once() -> None:
    codes = [code for code, _ in said("sanma-rule-book", f"{CHUN} h4", "1/30", {"honba": 4})]
    assert codes == ["hand.two_han_needed"]


def test_tiles_without_counters_are_counted_with_those_of_the_table() -> None:
    # else a program that leaves `honba` out would pass the two han
    rules, hand = load("sanma-rule-book"), read_hand_line(f"{CHUN} wES")
    assert "honba" not in hand
    entry = Ron(loser=2, winners=(Win(seat=1, han=1, fu=30, hand=hand),))
    for honba, codes in ((3, []), (4, ["hand.two_han_needed"])):
        assert [problem.code for problem in problems(entry, state(rules.key, honba=honba), rules)] == codes


def test_the_counters_of_the_tiles_are_those_of_the_table_or_not_given() -> None:
    assert said(EMA, f"{CHUN} h2", "1/30", {"honba": 2}) == []
    assert said(EMA, CHUN, "1/30", {"honba": 2}) == []
    assert said(EMA, f"{CHUN} h2", "1/30") == [("tiles.other_honba", {"given": 2, "derived": 0})]
    assert said(EMA, f"{CHUN} h2", "1/30", {"honba": 3}) == [("tiles.other_honba", {"given": 2, "derived": 3})]


def test_tiles_are_won_as_the_entry_says() -> None:
    wrong = "tiles.other_way_to_win"
    assert said(EMA, f"{CHUN} t", "1/30", tsumo=False) == [(wrong, {"given": "tsumo", "entered": "ron"})]
    assert said(EMA, CHUN, "1/30", tsumo=True) == [(wrong, {"given": "ron", "entered": "tsumo"})]


def test_row_9_a_deposit_and_riichi_go_together() -> None:
    assert said(EMA, f"{CLOSED} r", "1/40", deposit=False) == [("yaku.riichi_without_deposit", {"seat": 1})]
    assert said(EMA, f"{CLOSED} t", "1/30", deposit=True) == [("yaku.deposit_without_riichi", {"seat": 1})]
    assert said(EMA, CHUN, "1/30", deposit=True) == [("tiles.deposit_and_open_hand", {"seat": 1})]
    assert said(EMA, "123567p78s99m6s x7777z t", "2/60", deposit=True) == [("yaku.deposit_without_riichi", {"seat": 1})]


def test_what_differs_is_said_with_both_values() -> None:
    assert said(EMA, CHUN, "3/40") == [
        ("tiles.value_differs", {"han": 3, "fu": 40, "counted_han": 1, "counted_fu": 30}),
    ]
    assert said(WRC, "123p99s 555z 666z 777z", "5") == [("tiles.yakuman_differ", {"given": 0, "counted": 1, "han": 13})]
    assert said(WRC, CHUN, "y1") == [("tiles.yakuman_differ", {"given": 1, "counted": 0, "han": 1})]


@pytest.mark.parametrize(
    ("line", "value", "names", "wrong"),
    [
        (CHUN, "1/30", ["chun"], False),
        (CHUN, "1/30", ["hatsu"], True),
        (CHUN, "1/30", [], True),
        (f"{CHUN} d9p", "2/30", ["chun", "dora"], False),
        (f"{CHUN} d9p", "2/30", ["chun"], False),
        (f"{CHUN} d9p", "2/30", ["chun", "houtei"], True),
        (f"{CHUN} hou", "2/30", ["houtei", "chun"], False),  # in any order
    ],
)
def test_the_yaku_that_are_named_are_those_of_the_tiles(line: str, value: str, names: list[str], wrong: bool) -> None:
    found = [problem for problem in said(EMA, line, value, yaku=names) if problem[0].startswith("tiles.")]
    counted = ("chun", "houtei") if "hou" in line else ("chun",)
    assert found == ([("tiles.yaku_differ", {"entered": tuple(names), "counted": counted})] if wrong else [])


@tabled(
    "key, line, pao, wanted",
    [
        (EMA, DRAGONS, 2, []),  # the player on the right
        (EMA, DRAGONS, None, [("tiles.pao_differs", {"seat": 2})]),
        (EMA, DRAGONS, 3, [("tiles.pao_differs", {"seat": 2})]),
        (SAN, DRAGONS, 2, []),
        (SAN, "123p99s 555z> 666z> 777z< t", 0, []),  # on the left
        (EMA, "123p99s 555z< 666z< x7777z", None, []),
        (EMA, "123p99s 555z< 666z< x7777z", 3, [("tiles.no_pao", {"seat": 3})]),
        (EMA, "123p99s 555z 666z 777z", 2, []),  # the melds do not tell
        (EMA, "123p99s 555z 666z 777z", None, []),
        (WRC, "22z 3333p< x5555p 4444s< 7777s^", 3, []),
        (WRC, "22z 3333p< x5555p 4444s< 7777s^", None, [("tiles.pao_differs", {"seat": 3})]),
        (EMA, "22z 3333p< x5555p 4444s< 7777s^", None, []),  # for four quads nobody is liable in this book
        (EMA, "22z 3333p< x5555p 4444s< 7777s^", 3, [("tiles.no_pao", {"seat": 3})]),
    ],
)
def test_who_is_liable_by_the_melds(key: str, line: str, pao: int | None, wanted: list[tuple[str, Any]]) -> None:
    assert said(key, line, "y1", pao=pao) == wanted


def test_what_is_wrong_with_the_form_hides_what_else_is() -> None:
    # the entry, then the tiles, then their place at the table, then the count
    codes = [code for code, _ in said(SAN, f"{OPEN} d2m wSW h3", "41")]
    assert codes == ["win.han_too_many"]
    assert [code for code, _ in said(SAN, f"{OPEN} d2m wSW h3", "1/30")] == ["hand.not_in_set"]
    assert [code for code, _ in said(SAN, f"{OPEN} wSW h3", "1/30")] == ["tiles.other_winds", "tiles.other_honba"]
    assert [code for code, _ in said(SAN, OPEN, "1/30")] == ["hand.no_yaku"]


def test_tiles_that_cannot_be_read_are_said_so() -> None:
    entry = entry_of({"tiles": "123x", "win": "3p", "tsumo": False}, "1/30", deposit=False)
    found = problems(entry, state(EMA), load(EMA))
    assert [problem.code for problem in found] == ["tiles.unreadable", "entry.missing_key", "entry.missing_key"]


# ---------------------------------------------------------------- hands that were really won


def played(hand: dict[str, Any], counted: Count, rules: Ruleset, *, dora: bool) -> tuple[Entry, TableState]:
    """Enter a hand as it was counted, yaku by name, dora among them or not, at the table where it was won."""
    seat, names = "ESWN".index(hand["seat_wind"]), [name for name, _ in counted.yaku]
    win: dict[str, Any] = {"seat": seat, "yaku": names, "hand": hand}
    if counted.yakuman:
        win["yakuman"] = counted.yakuman
    else:
        win |= {"han": counted.han, "fu": counted.fu}
        if dora:
            win["yaku"] = names + [kind for kind, han in counted.dora._asdict().items() for _ in range(han)]
    liable = [each.seat(seat, rules.players) for each in liabilities(read_hand(hand, rules), set(names), rules)]
    win |= {"pao": liable[0]} if liable else {}
    loser = next(other for other in range(rules.players) if other not in (seat, *liable))
    way: dict[str, Any] = {"kind": "tsumo"} if hand["tsumo"] else {"kind": "ron", "loser": loser}
    entry = from_json(way | {"riichi": [seat] if hand["riichi"] else [], "winners": [win]})
    return entry, state(rules.key, round="ESWN".index(hand["round_wind"]), honba=hand.get("honba", 0))


def found_against(hands: list[tuple[str, dict[str, Any]]]) -> tuple[int, list[str]]:
    """Return how many of these hands were entered, and what was found against any."""
    entered, found = 0, []
    for (key, hand), dora in itertools.product(hands, (False, True)):
        rules = load(key)
        try:
            counted = count(read_hand(hand, rules), rules)
        except InvalidInput:  # a hand without a yaku
            continue
        entered += not dora
        entry, table = played(hand, counted, rules, dora=dora)
        found += [f"{problem.code} {dict(problem.params)} {hand}" for problem in problems(entry, table, rules)]
    return entered, found


@pytest.mark.parametrize(
    ("name", "every", "hands"),
    [
        ("hands-4p.jsonl", 3, 400),
        pytest.param("hands-4p.jsonl", 1, 1200, marks=pytest.mark.nightly),
        ("hands-3p.jsonl", 1, 40),
        ("hands-3p-engine.jsonl", 1, 300),
    ],
)
def test_nothing_is_wrong_with_a_hand_that_was_really_won(
    cases: Path, name: str, every: int, hands: int, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.loads(line) for line in (cases / name).read_text(encoding="utf-8").splitlines()[::every]]
    entered, found = found_against([(line["rules"], line["hand"]) for line in lines])
    with capsys.disabled():
        sys.stdout.write(f"\n{name}: {entered} hands entered, {len(found)} problems\n")
    assert (entered, found) == (hands, [])


def random_hands(key: str, count: int) -> None:
    hands = some_hands(load(key), seed=7, count=count)
    entered, found = found_against([(key, made.hand) for made in hands])
    assert found == []
    assert entered > count * 3 / 4


@pytest.mark.parametrize("key", book_keys())
def test_nothing_is_wrong_with_a_random_hand_that_wins(key: str) -> None:
    random_hands(key, 40)


@pytest.mark.nightly
@pytest.mark.parametrize("key", book_keys())
def test_nothing_is_wrong_with_many_random_hands_that_win(key: str) -> None:
    random_hands(key, 1000)
