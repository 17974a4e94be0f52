"""Yaku given by name, without tiles: rows 6 to 10 of the shared list of wrong hands, and what names say of 21 and 22.

The other rows stand in test_wrong_hands, tiles in test_win_tiles.
"""

import dataclasses
import itertools
from typing import Any

import pytest

from rules.books import load
from rules.ruleset import Ruleset
from scoring.check import problems
from scoring.check_win import AFTER_KITA, EXCLUSIVE, WINS
from scoring.count import count
from scoring.entries import Entry, Ron, Tsumo, Win
from scoring.game import fold
from scoring.hand import from_json, hand_problems
from scoring.hand_line import read_hand_line
from scoring.shorthand import parse
from tests.scoring.hand_table import rows_of
from tests.scoring.table import state
from tests.table_test import tabled

SEAT = 1


def entry_of(how: str, value: str, names: str) -> Entry:
    """Make an entry of seat 1: ron or tsumo, `r` for a deposit of his; `3/40` is han and fu, `y2` two yakuman."""
    way, *riichi = how.split()
    han, _, fu = value.partition("/")
    worth: dict[str, Any] = {"yakuman": int(value[1:])} if value[0] == "y" else {"han": int(han), "fu": int(fu or 0)}
    win = Win(seat=SEAT, yaku=tuple(names.split()), **worth)
    deposits = (SEAT,) if riichi else ()
    return Tsumo(winners=(win,), riichi=deposits) if way == "tsumo" else Ron(loser=2, winners=(win,), riichi=deposits)


def said(rules: Ruleset, entry: Entry) -> list[tuple[str, dict[str, Any]]]:
    """Return what is wrong with an entry, codes with parameters."""
    return [(problem.code, dict(problem.params)) for problem in problems(entry, state(rules.key), rules)]


# Row of the list | rules | how it was won | value | yaku | code, `-` where nothing is wrong
ROWS = """
6  | ema-2025         | ron     | 2/30 | dora dora                  | yaku.none
6  | ema-2025         | ron     | 3/40 |                            | yaku.none
6  | ema-2025         | tsumo   | 1/30 | dora                       | yaku.none
6  | tenhou-yonma     | ron     | 3/40 | red red dora               | yaku.none
6  | sanmatsuri-2026  | ron     | 4/40 | kita kita kita kita        | yaku.none
6  | sanmatsuri-2026  | ron     | 5    | kita kita kita kita red    | yaku.none
6  | ema-2025         | ron     | 3/30 | chun dora dora             | -
6  | sanmatsuri-2026  | ron     | 5    | chun kita kita kita kita   | -
7  | tenhou-yonma     | ron     | 5    | renhou                     | yaku.not_in_rules
7  | ema-2025         | ron     | 5    | renhou                     | -
7  | sanmatsuri-2026  | tsumo   | 5    | nagashi_mangan             | yaku.not_in_rules
7  | ema-2025         | tsumo   | 5    | nagashi_mangan             | yaku.not_in_rules
7  | ema-2025         | ron     | 2/40 | sanrenkou                  | yaku.not_in_rules
7  | wrc-2025         | ron     | y1   | daisharin                  | yaku.not_in_rules
7  | wrc-2025         | ron     | y1   | paarenchan                 | yaku.not_in_rules
7  | ema-2025         | ron     | 2/40 | open_riichi                | yaku.unknown
7  | ema-2025         | ron     | 2/40 | Chun                       | yaku.unknown
7  | ema-2025         | tsumo   | 3/30 | sanshoku ittsuu tanyao     | yaku.unknown yaku.unknown
7  | ema-2025         | ron     | 2/40 | haku haku                  | yaku.twice
7  | ema-2025         | ron     | 2/40 | seat_wind round_wind       | -
10 | ema-2025         | ron     | 2/30 | tanyao chun                | yaku.not_together
8  | ema-2025         | ron     | 1/30 | haku chun                  | yaku.han_differs
8  | ema-2025         | ron     | 3/30 | haku chun                  | -
8  | ema-2025         | ron     | 3/30 | haku chun dora             | -
8  | sanma-rule-book  | ron     | 4/30 | haku chun                  | -
8  | ema-2025         | ron     | 4/30 | haku chun dora             | yaku.han_differs
8  | ema-2025         | ron     | 2/30 | haku chun dora             | yaku.han_differs
8  | ema-2025         | ron r   | 4/30 | riichi tanyao dora ura     | -
8  | ema-2025         | ron r   | 5    | riichi tanyao dora ura     | yaku.han_differs
8  | tenhou-sanma     | ron     | 5    | toitoi kita kita red       | -
8  | tenhou-sanma     | ron     | 6    | toitoi kita kita red dora  | -
8  | ema-2025         | ron     | 2/40 | honitsu                    | -
8  | ema-2025         | ron     | 3/40 | honitsu                    | -
8  | ema-2025         | ron     | 1/40 | honitsu                    | yaku.han_differs
8  | ema-2025         | ron     | 5    | chinitsu                   | -
8  | ema-2025         | ron     | 4/40 | chinitsu                   | yaku.han_differs
8  | ema-2025         | ron r   | 6    | riichi chinitsu            | yaku.han_differs
8  | ema-2025         | ron r   | 7    | riichi chinitsu            | -
8  | ema-2025         | tsumo   | 5    | chinitsu                   | -
8  | ema-2025         | tsumo   | 7    | menzen_tsumo chinitsu      | -
8  | ema-2025         | tsumo   | 6    | menzen_tsumo chinitsu      | yaku.han_differs
8  | ema-2025         | ron     | 6    | renhou                     | yaku.han_differs
8  | ema-2025         | ron     | 6    | renhou dora                | yaku.han_differs
8  | ema-2025         | ron     | 4/30 | renhou                     | yaku.han_differs
8  | ema-2025         | ron     | 6    | renhou tanyao              | yaku.not_together
8  | ema-2025         | ron     | y1   | tanyao                     | yaku.no_yakuman_named
8  | ema-2025         | ron     | 13   | kokushi_musou              | yaku.is_yakuman
8  | wrc-2025         | ron     | y1   | daisangen tsuuiisou        | yaku.yakuman_differ
8  | wrc-2025         | ron     | y2   | daisangen tsuuiisou        | -
8  | ema-2025         | ron     | y1   | daisangen tsuuiisou        | -
9  | ema-2025         | ron     | 2/40 | riichi tanyao              | yaku.riichi_without_deposit
9  | ema-2025         | ron     | 2/40 | double_riichi              | yaku.riichi_without_deposit
9  | ema-2025         | ron     | y1   | riichi suuankou            | yaku.riichi_without_deposit
9  | ema-2025         | ron r   | 2/40 | riichi tanyao              | -
9  | ema-2025         | ron r   | 2/40 | double_riichi              | -
9  | ema-2025         | ron r   | 1/40 | tanyao                     | yaku.deposit_without_riichi
9  | ema-2025         | ron r   | y1   | suuankou                   | -
9  | ema-2025         | ron     | 2/40 | ippatsu tanyao             | yaku.needs_riichi
9  | ema-2025         | ron     | 2/40 | tanyao ura                 | yaku.needs_riichi
9  | ema-2025         | ron     | 3/40 | tanyao ippatsu ura         | yaku.needs_riichi yaku.needs_riichi
9  | ema-2025         | ron r   | 4/40 | riichi ippatsu tanyao ura  | -
9  | ema-2025         | ron r   | 3/40 | double_riichi ippatsu      | -
9  | ema-2025         | ron r   | 3/40 | double_riichi riichi       | yaku.not_together
9  | ema-2025         | tsumo r | 2/40 | riichi tanyao              | yaku.not_in_such_a_hand
9  | ema-2025         | tsumo r | 3/40 | riichi menzen_tsumo tanyao | -
10 | ema-2025         | ron     | 1/40 | pinfu                      | yaku.fu_differs
10 | ema-2025         | ron     | 1/30 | pinfu                      | -
10 | ema-2025         | tsumo   | 2/30 | menzen_tsumo pinfu         | yaku.fu_differs
10 | ema-2025         | tsumo   | 2/20 | menzen_tsumo pinfu         | -
10 | ema-2025         | tsumo   | 1/30 | pinfu                      | yaku.not_in_such_a_hand yaku.fu_differs
10 | ema-2025         | ron     | 3/25 | chiitoitsu pinfu           | yaku.not_together
10 | ema-2025         | ron     | 2/30 | chiitoitsu                 | yaku.fu_differs
10 | ema-2025         | ron     | 2/25 | chiitoitsu                 | -
10 | ema-2025         | ron     | 3/25 | haku chun dora             | win.fu_without_seven_pairs
10 | ema-2025         | ron     | 2/30 | menzen_tsumo tanyao        | yaku.not_by_ron
10 | ema-2025         | ron     | 2/30 | haitei tanyao              | yaku.not_by_ron
10 | ema-2025         | ron     | 2/30 | rinshan tanyao             | yaku.not_by_ron
10 | ema-2025         | tsumo   | 2/30 | houtei tanyao              | yaku.not_by_tsumo
10 | ema-2025         | tsumo   | 2/30 | chankan tanyao             | yaku.not_by_tsumo
10 | ema-2025         | tsumo   | 5    | renhou                     | yaku.not_by_tsumo
10 | ema-2025         | ron     | 4/40 | iipeikou ryanpeikou        | yaku.not_together
10 | ema-2025         | tsumo   | 3/40 | haitei rinshan tanyao      | yaku.not_together
10 | ema-2025         | ron     | 5    | chanta junchan             | yaku.not_together
10 | wrc-2025         | tsumo   | y2   | tenhou suukantsu           | yaku.not_together
10 | ema-2025         | tsumo r | y1   | chiihou riichi             | yaku.not_together
10 | ema-2025         | ron     | y1   | renhou houtei suuankou     | yaku.not_together
10 | ema-2025         | ron r   | 5    | double_riichi ippatsu sankantsu      | hand.double_riichi_ippatsu
10 | ema-2025         | ron r   | y1   | double_riichi ippatsu suukantsu      | hand.double_riichi_ippatsu
10 | ema-2025         | ron r   | 4/60 | double_riichi sankantsu    | -
10 | ema-2025         | ron r   | 4/60 | riichi ippatsu sankantsu   | -
10 | sanmatsuri-2026  | ron r   | 4/40 | double_riichi ippatsu kita | hand.double_riichi_ippatsu
10 | sanmatsuri-2026  | ron r   | 3/40 | riichi ippatsu kita        | -
10 | sanmatsuri-2026  | tsumo   | y1   | chiihou kita               | yaku.not_together
10 | sanmatsuri-2026  | tsumo r | 4/30 | riichi ippatsu menzen_tsumo rinshan  | yaku.not_together
10 | ema-2025         | ron     | 9    | honitsu chinitsu           | yaku.not_together
10 | ema-2025         | ron     | 4/40 | toitoi chiitoitsu          | yaku.not_together
21 | ema-2025         | ron     | 2/40 | chun kita                  | yaku.not_in_rules
21 | tenhou-yonma     | ron     | 2/40 | chun kita                  | yaku.not_in_rules
21 | tenhou-sanma     | ron     | 2/40 | chun kita                  | -
22 | ema-2025         | ron     | 2/40 | chun red                   | yaku.not_in_rules
22 | wrc-2025         | ron     | 2/40 | chun red                   | yaku.not_in_rules
22 | rakkii-nomi-2026 | ron     | 4/40 | chun red red red           | -
"""


@pytest.mark.states("more_han")
@tabled("row", rows_of(ROWS))
def test_a_wrong_hand(row: list[str]) -> None:
    _, key, how, value, names, codes = row
    found = said(load(key), entry_of(how, value, names))
    assert [code for code, _ in found] == codes.replace("-", "").split()


def test_a_problem_names_what_it_is_about() -> None:
    def params(how: str, value: str, names: str) -> dict[str, Any]:
        return said(load("wrc-2025"), entry_of(how, value, names))[0][1]

    assert params("ron", "2/40", "open_riichi") == {"yaku": "open_riichi"}
    assert params("ron", "2/40", "sanrenkou") == {"yaku": "sanrenkou"}
    assert params("ron", "2/40", "haku haku") == {"yaku": "haku"}
    assert params("ron", "4/40", "iipeikou ryanpeikou") == {"one": "iipeikou", "other": "ryanpeikou"}
    assert params("ron", "2/40", "riichi tanyao") == {"seat": SEAT}
    assert params("ron", "2/40", "tanyao ura") == {"yaku": "ura"}
    assert params("ron", "2/30", "dora dora") == {"han": 2}
    assert params("ron", "4/30", "haku chun dora") == {"han": 4, "named": 3, "yaku": ("haku", "chun")}
    assert params("ron", "1/40", "pinfu") == {"yaku": "pinfu", "fu": 40, "wanted": 30}
    assert params("tsumo", "2/30", "menzen_tsumo pinfu") == {"yaku": "pinfu", "fu": 30, "wanted": 20}
    assert params("ron", "y1", "daisangen tsuuiisou") == {"yakuman": 1, "named": 2}
    assert params("ron", "y1", "tanyao") == {"seat": SEAT}


# ---------------------------------------------------------------- what an event may change (row 7)

CHANGED: list[tuple[dict[str, Any], str, str, str, str]] = [
    ({"tanyao": (1, 0)}, "tsumo", "1/30", "tanyao", "yaku.not_in_such_a_hand"),  # without menzen_tsumo it is open
    ({"tanyao": (1, 0)}, "tsumo", "2/30", "menzen_tsumo tanyao", ""),
    ({"tanyao": (1, 0)}, "ron", "1/40", "tanyao", ""),
    ({"tanyao": (0, 0)}, "ron", "1/40", "tanyao", "yaku.not_in_rules"),
    ({"ippatsu": (0, 0)}, "ron r", "2/40", "riichi ippatsu", "yaku.not_in_rules"),
    ({"renhou": "none"}, "ron", "5", "renhou", "yaku.not_in_rules"),
    ({"renhou": "yakuman"}, "ron", "5", "renhou", "yaku.is_yakuman"),
    ({"renhou": "yakuman"}, "ron", "y1", "renhou", ""),
    ({"renhou": "yakuman"}, "ron", "y2", "renhou suuankou", ""),
    ({"sanrenkou": (2, 2)}, "ron", "2/40", "sanrenkou", ""),
    ({"daisharin": (1, 0)}, "ron", "y1", "daisharin", ""),
    ({"suuankou": (2, 0)}, "ron", "y1", "suuankou", "yaku.yakuman_differ"),
    ({"suuankou": (2, 0)}, "ron", "y2", "suuankou", ""),
    ({"pinfu_tsumo": False}, "tsumo", "2/20", "menzen_tsumo pinfu", "win.fu_impossible"),
    ({"pinfu_tsumo": False}, "tsumo", "2/30", "menzen_tsumo pinfu", "yaku.not_by_tsumo"),
    ({"kita": True}, "ron", "2/40", "chun kita", ""),
    ({"red_fives": ()}, "ron", "2/40", "chun red", "yaku.not_in_rules"),
]


@tabled("changes, how, value, names, codes", CHANGED)
def test_what_an_event_may_change(changes: dict[str, Any], how: str, value: str, names: str, codes: str) -> None:
    rules = dataclasses.replace(load("rakkii-nomi-2026"), **changes)
    assert [code for code, _ in said(rules, entry_of(how, value, names))] == codes.split()


# ---------------------------------------------------------------- what cannot be in one hand (row 10)


@tabled("pair", sorted(map(tuple, map(sorted, EXCLUSIVE))))
@tabled("key", ["ema-2025", "sanmatsuri-2026"])
def test_two_yaku_that_exclude_each_other(key: str, pair: tuple[str, str]) -> None:
    doubled: dict[str, Any] = {"kokushi_juusanmen": (2, 0), "junsei_chuuren": (2, 0), "suuankou_tanki": (2, 0)}
    rules = dataclasses.replace(load(key), sanrenkou=(2, 2), north_value="everybody", **doubled)
    how = "tsumo" if any(WINS.get(name) for name in pair) else "ron"
    riichi = " r" if {"riichi", "double_riichi", "ippatsu"} & set(pair) else ""
    apart = rules.kita and frozenset(pair) in AFTER_KITA
    for one, other in itertools.permutations(pair):
        together = ("yaku.not_together", {"one": one, "other": other})
        found = said(rules, entry_of(how + riichi, "11", f"{one} {other}"))
        assert (together in found) is not apart


def test_seven_pairs_and_pinfu_may_be_won_on_the_tile_after_a_kita() -> None:
    # S0 North Winds: such a win is rinshan, and there needs to be no quad
    rules = load("sanmatsuri-2026")
    assert said(rules, entry_of("tsumo", "3/20", "menzen_tsumo rinshan pinfu")) == []
    assert said(rules, entry_of("tsumo", "4/25", "menzen_tsumo rinshan chiitoitsu")) == []
    ema = load("ema-2025")
    assert [code for code, _ in said(ema, entry_of("tsumo", "3/20", "menzen_tsumo rinshan pinfu"))] == [
        "yaku.not_together"
    ]


KITA_ENDS_NOTHING = dataclasses.replace(load("sanmatsuri-2026"), kita_ends_first_turn=False)


@tabled(
    "names, line",
    [
        ("riichi ippatsu menzen_tsumo rinshan kita", "123567p44478s99m6s r i t rin k1"),
        ("double_riichi ippatsu kita", "123567p44478s99m6s rr i k1"),
        ("double_riichi ippatsu menzen_tsumo rinshan kita", "123567p44478s99m6s rr i t rin k1"),
    ],
)
@tabled("rules", [KITA_ENDS_NOTHING, load("sanmatsuri-2026")])
def test_names_and_tiles_exclude_the_same(names: str, line: str, rules: Ruleset) -> None:
    hand, tsumo = read_hand_line(f"{line} wES"), "menzen_tsumo" in names
    counted = count(from_json(hand), rules)
    entry = entry_of("tsumo r" if tsumo else "ron r", f"{counted.han}/{counted.fu}", names)
    by_name = [code for code, _ in said(rules, entry)]
    by_tiles = [problem.code for problem in hand_problems(from_json(hand), rules)]
    assert bool(by_name) is bool(by_tiles) is rules.kita_ends_first_turn


def test_with_four_counters_the_rule_book_wants_two_han_by_name_too() -> None:
    def codes(honba: int) -> list[str]:
        entry = Ron(loser=2, winners=(Win(seat=1, han=1, fu=40, yaku=("chun",)),))
        return [p.code for p in problems(entry, state("sanma-rule-book", honba=honba), load("sanma-rule-book"))]

    assert [codes(honba) for honba in (3, 4)] == [[], ["yaku.two_han_needed"]]


def test_thirteen_orphans_stand_beside_no_yakuman_of_groups() -> None:
    entry = Tsumo(winners=(Win(seat=1, yakuman=1, yaku=("kokushi_musou", "daisangen")),))
    assert [p.code for p in problems(entry, state("ema-2025"), load("ema-2025"))] == ["yaku.not_together"]


@pytest.mark.states("ninth")
def test_paarenchan_is_the_ninth_deal_in_a_row_and_wants_no_yaku_of_the_tiles() -> None:
    hand = read_hand_line("123567p44478s99m6s t wEE")

    def codes(straight: int, seat: int = 0) -> list[str]:
        entry = Tsumo(winners=(Win(seat=seat, yakuman=1, yaku=("paarenchan",), hand=hand if seat == 0 else None),))
        here = state("sanma-rule-book", honba=8, straight=straight)
        return [p.code for p in problems(entry, here, load("sanma-rule-book"))]

    assert [codes(8), codes(7), codes(-1), codes(8, seat=1)] == [[], *[["win.no_paarenchan"]] * 3]


@pytest.mark.states("ninth_counted")
def test_nine_deals_in_a_row_are_counted_from_the_hands() -> None:
    rules = load("sanma-rule-book")
    kept = [parse("1t 330"), *[parse("d1")] * 7]
    ninth = fold(kept, rules).state
    assert (ninth.straight, ninth.honba) == (8, 8)
    tenth = fold([*kept, parse("1t y")], rules).state  # paarenchan is won once, then two han as ever
    assert tenth.straight == 9
    assert [p.code for p in problems(parse("1t 130"), tenth, rules)] == ["win.two_han_needed"]
    assert fold([*kept[:7], parse("d")], rules).state.straight == -1  # stays with nobody tenpai, and not by himself
    assert fold([parse("c2"), *kept[:7]], rules).state.straight == -1
    assert fold([parse("d2"), parse("2t 330")], rules).state.straight == -1  # the counter was taken over
