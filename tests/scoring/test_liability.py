"""Who is liable for a yakuman, told from the melds in the order in which they were made (E25 3.3.7; WRC 2025 9.1.1).

Who pays what then is held in test_pao.
"""

import dataclasses

import pytest

from rules.books import book_keys, load
from rules.ruleset import LiableYakuman
from scoring.explain import explain
from scoring.payments import Liability, liabilities
from tests.scoring.hand_table import counted, hand_of, rows_of
from tests.table_test import tabled

# What happened | hand | who is liable. Melds in the order in which they were made; `<` is from the left, `>` right.
DAISANGEN = """
the third called last             | 123p99s 555z> 666z> 777z<   | left
the third called by a quad        | 123p99s 555z> 666z> 7777z<  | left
the last called, added to later   | 123p99s 555z> 666z> +7777z< | left
a closed quad among the first two | 123p99s x5555z 666z> 777z<  | left
two closed quads                  | 123p99s x5555z x6666z 777z> | right
another meld after it             | 99s 555z> 666z> 777z< 111p> | left
another meld before it            | 99s 111p> 555z> 666z> 777z< | left
a closed quad last                | 123p99s 555z> 666z< x7777z  | nobody
the third in the hand             | 123p99s777z 555z> 666z<     | nobody
the third by ron                  | 123p99s77z7z 555z> 666z<    | nobody
all in the hand                   | 123p99s555666777z           | nobody
not told from whom                | 123p99s 555z> 666z> 777z    | nobody
shousangen                        | 123p678s77z 555z> 666z<     | nobody
"""
DAISUUSHII = """
the fourth called last              | 99m 111z> 222z> 333z> 444z<  | left
the fourth called by a quad         | 99m 111z> 222z> 333z> 4444z< | left
a closed quad among the first three | 99m 111z> x2222z 333z> 444z< | left
a closed quad last                  | 99m 111z> 222z> 333z> x4444z | nobody
the fourth in the hand              | 99m444z 111z> 222z> 333z<    | nobody
shousuushii                         | 123p44z 111z> 222z> 333z<    | nobody
shousuushii, four melds             | 44z 111z> 222z> 333z< 111p<  | nobody
"""
# Only under books in which one can be liable for four quads. A quad that the winner makes himself is fed by nobody.
SUUKANTSU = """
the fourth called    | 22z 3333p> x5555p x4444s 7777s<  | left
four called          | 22z 3333p> 5555p> 4444s> 7777s<  | left
an added quad before | 22z +3333p> 5555p> 4444s> 7777s< | left
the fourth added     | 22z 3333p> 5555p> 4444s> +7777s< | nobody
the fourth closed    | 22z 3333p> 5555p> 4444s> x7777s  | nobody
three quads          | 22z 3333p> 5555p> 4444s> 777s<   | nobody
"""
# Only under books that know it: the win is by tsumo on the tile after a quad called from another.
RINSHAN = """
an open quad            | 234678p67s99s5s 5555z> t rin            | right
another meld before it  | 234p67s99s5s 222p< 5555z> t rin         | right
a closed quad           | 234678p67s99s5s x5555z t rin            | nobody
an added quad           | 234678p67s99s5s +5555z> t rin           | nobody
a closed quad after it  | 234p67s99s5s 5555z> x1111p t rin        | nobody
not told from whom      | 234678p67s99s5s 5555z t rin             | nobody
no rinshan              | 234678p67s99s5s 5555z> t                | nobody
a yakuman               | 22z 3333p> x5555p x4444s 7777s< t rin   | left
"""
TABLES: dict[LiableYakuman, str] = {
    "daisangen": DAISANGEN,
    "daisuushii": DAISUUSHII,
    "suukantsu": SUUKANTSU,
    "rinshan": RINSHAN,
}


TWO, THREE = ("daisangen", "daisuushii"), ("daisangen", "daisuushii", "suukantsu")
# for what each book makes liable (E25 3.3.7; S1 3.3.9; WRC 2025 9.1.1; S4 12; JPML), by hand
LIABLE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("ema-2016", "ema-2025", "ema-2025-red", "sanmatsuri-2026", "mcgill-sanma"), TWO),
    **dict.fromkeys(("tenhou-yonma", "tenhou-sanma", "kansai-sanma"), TWO),
    **dict.fromkeys(("wrc-2025", "wrc-2022", "rakkii-nomi-2026", "m-league"), THREE),
    "jpml-a": (*THREE, "rinshan"),
    "sanma-rule-book": ("daisangen",),
    "saikouisen-classic": (),
}


def test_every_book_has_its_liabilities() -> None:
    assert sorted(LIABLE) == book_keys()


@pytest.mark.states("liable")
@tabled("yakuman", TABLES)
@tabled("key", book_keys())
def test_who_is_liable(key: str, yakuman: LiableYakuman) -> None:
    rules = load(key)
    for what, line, source in rows_of(TABLES[yakuman]):
        wanted = [(yakuman, source)] if source != "nobody" and yakuman in LIABLE[key] else []
        found = explain(hand_of(line, rules), rules).liable
        assert (what, [(each.yakuman, each.source) for each in found if each.yakuman == yakuman]) == (what, wanted)


@pytest.mark.parametrize("yakuman", [name for name in TABLES if name != "rinshan"])
def test_the_tables_are_of_their_yakuman(yakuman: LiableYakuman) -> None:
    rules = load("wrc-2025")
    for what, line, source in rows_of(TABLES[yakuman]):
        if source != "nobody":
            assert (what, yakuman in dict(counted(line, rules).yaku)) == (what, True)


def test_two_may_be_liable_for_one_hand() -> None:
    line = "99s 5555z> 6666z> 7777z< 1111p^"
    found = {key: explain(hand_of(line, load(key)), load(key)).liable for key in ("wrc-2025", "ema-2025")}
    assert found["wrc-2025"] == (Liability("daisangen", "left"), Liability("suukantsu", "across"))
    assert found["ema-2025"] == (Liability("daisangen", "left"),)


def test_of_two_yakuman_only_the_fed_one_makes_liable() -> None:
    rules = load("wrc-2025")
    hand = hand_of("11z 222z< 555z> 666z> 777z^", rules)
    assert dict(counted("11z 222z< 555z> 666z> 777z^", rules).yaku) == {"tsuuiisou": 13, "daisangen": 13}
    assert liabilities(hand, {"tsuuiisou", "daisangen"}, rules) == [Liability("daisangen", "across")]
    assert liabilities(hand, {"tsuuiisou"}, rules) == []


def test_a_book_may_know_no_liability() -> None:
    rules = dataclasses.replace(load("wrc-2025"), pao=())
    assert explain(hand_of("123p99s 555z> 666z> 777z<", rules), rules).liable == ()


@pytest.mark.parametrize(("winner", "seats"), [(0, (3, 2, 1)), (1, (0, 3, 2)), (2, (1, 0, 3)), (3, (2, 1, 0))])
def test_where_the_liable_player_sits_among_four(winner: int, seats: tuple[int, ...]) -> None:
    assert tuple(Liability("daisangen", source).seat(winner, 4) for source in ("left", "across", "right")) == seats


@pytest.mark.parametrize(("winner", "left", "right"), [(0, 2, 1), (1, 0, 2), (2, 1, 0)])
def test_where_the_liable_player_sits_among_three(winner: int, left: int, right: int) -> None:
    assert Liability("daisangen", "left").seat(winner, 3) == left
    assert Liability("daisangen", "right").seat(winner, 3) == right
