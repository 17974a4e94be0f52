"""Fu of real hands, item by item (E25 4.1.1; WRC 2025 11.3), and the reading that pays most. All sums by hand.

Which fu can go with which han where no tiles are known is held in test_fu.
"""

import dataclasses

import pytest

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.explain import explain, score_json
from scoring.tiles import parse_tiles
from scoring.value import base_of
from tests.scoring.hand_table import counted, hand_of, rows_of
from tests.table_test import tabled

# What it is | hand | what there is beside the 20 fu of every hand | fu. Winds are East and South: West and North are
# nobody's. Three players have these tiles as well.
ITEMS = """
open triplet of simples        | 123567p78s99m6s 444s         | open_triplet 2                                    | 30
open triplet of terminals      | 123567p78s99m6s 111s         | open_triplet 4                                    | 30
open triplet of honours        | 123567p78s99m6s 333z         | open_triplet 4                                    | 30
closed triplet of simples      | 123567p44478s99m6s           | closed_ron 10, closed_triplet 4                   | 40
closed triplet of terminals    | 123567p11178s99m6s           | closed_ron 10, closed_triplet 8                   | 40
closed triplet of honours      | 123567p78s99m333z6s          | closed_ron 10, closed_triplet 8                   | 40
closed triplet, by tsumo       | 123567p44478s99m6s t         | tsumo 2, closed_triplet 4                         | 30
closed triplet in an open hand | 12344478s99m6s 333z          | closed_triplet 4, open_triplet 4                  | 30
simples completed by ron       | 123567p44678s99m4s           | closed_ron 10, open_triplet 2                     | 40
terminals completed by ron     | 123567p11678s99m1s           | closed_ron 10, open_triplet 4                     | 40
honours completed by ron       | 123567p678s99m33z3z          | closed_ron 10, open_triplet 4                     | 40
simples completed by tsumo     | 123567p44678s99m4s t         | tsumo 2, closed_triplet 4                         | 30
honours completed by tsumo     | 123567p678s99m33z3z t        | tsumo 2, closed_triplet 8                         | 30
ron on the sequence beside     | 123p44456s99m333z4s          | closed_ron 10, closed_triplet 4, closed_triplet 8 | 50
open quad of simples           | 123567p78s99m6s 4444s        | open_quad 8                                       | 30
open quad of terminals         | 123567p78s99m6s 1111s        | open_quad 16                                      | 40
open quad of honours           | 123567p78s99m6s 3333z        | open_quad 16                                      | 40
added quad of simples          | 123567p78s99m6s +4444s       | open_quad 8                                       | 30
added quad of honours          | 123567p78s99m6s +3333z       | open_quad 16                                      | 40
closed quad of simples         | 123567p78s99m6s x4444s       | closed_ron 10, closed_quad 16                     | 50
closed quad of terminals       | 123567p78s99m6s x1111s       | closed_ron 10, closed_quad 32                     | 70
closed quad of honours         | 123567p78s99m6s x3333z       | closed_ron 10, closed_quad 32                     | 70
closed quad in an open hand    | 12378s99m6s 444s x3333z      | open_triplet 2, closed_quad 32                    | 60
pair of dragons                | 123567p23478s77z6s           | closed_ron 10, dragon_pair 2                      | 40
pair of the seat wind          | 123567p23478s22z6s           | closed_ron 10, seat_wind_pair 2                   | 40
pair of the round wind         | 123567p23478s11z6s           | closed_ron 10, round_wind_pair 2                  | 40
pair of a guest wind           | 123567p23478s33z6s           | closed_ron 10                                     | 30
pair of North, nobody's        | 123567p23478s44z6s           | closed_ron 10                                     | 30
pair of terminals              | 123567p23478s99m6s           | closed_ron 10                                     | 30
ryanmen, 78 on 9               | 123567p23478s99m9s           | closed_ron 10                                     | 30
ryanmen, 23 on 1               | 23567p234678s99m1p           | closed_ron 10                                     | 30
shanpon                        | 123567p44678s99m4s           | closed_ron 10, open_triplet 2                     | 40
kanchan                        | 123567p23468s99m7s           | closed_ron 10, kanchan 2                          | 40
penchan, 12 on 3               | 12567p234678s99m3p           | closed_ron 10, penchan 2                          | 40
penchan, 89 on 7               | 123567p23489s99m7s           | closed_ron 10, penchan 2                          | 40
tanki                          | 123567p234678s99m            | closed_ron 10, tanki 2                            | 40
tanki with 2345                | 123567p23459995s             | closed_ron 10, closed_triplet 8, tanki 2          | 40
pinfu by ron                   | 123567p23478s99m6s           | closed_ron 10                                     | 30
pinfu by tsumo                 | 123567p23478s99m6s t         | -                                                 | 20
no pinfu for its wait, tsumo   | 123567p23468s99m7s t         | tsumo 2, kanchan 2                                | 30
no pinfu for its pair, tsumo   | 123567p23478s77z6s t         | tsumo 2, dragon_pair 2                            | 30
rinshan, closed                | 123567p78s99m6s x4444s t rin | tsumo 2, closed_quad 16                           | 40
rinshan, open                  | 123567p78s99m6s 4444s t rin  | tsumo 2, open_quad 8                              | 30
"""
FOUR = """
open hand without fu, ron    | 567p23478s99m6s 123m   | open_hand 2                     | 30
open hand without fu, tsumo  | 567p23478s99m6s 123m t | tsumo 2                         | 30
open hand, kanchan alone     | 567p23468s99m7s 123m   | kanchan 2                       | 30
open hand, dragon pair alone | 567p23478s77z6s 123m   | dragon_pair 2                   | 30
pair of the own North        | 123567p23478s44z6s wEN | closed_ron 10, seat_wind_pair 2 | 40
"""
# Norths set aside are no group: they have no fu, and the draw after them breaks no pinfu.
KITA = """
pinfu by tsumo, kita           | 123567p23478s99m6s t k2     | -                               | 20
pinfu on the tile after a kita | 123567p23478s99m6s t rin k1 | -                               | 20
pair of North beside kita      | 123567p23478s44z6s k2       | closed_ron 10                   | 30
triplet of North beside a kita | 123567p78s99m444z6s k1      | closed_ron 10, closed_triplet 8 | 40
"""


def with_last_tile(line: str) -> str:
    """Let the hand be won with the last tile, so that each has a yaku whatever else it has."""
    words = line.split()
    last = [] if "rin" in words else ["hai"] if "t" in words else ["hou"]
    return " ".join([*words, *last, *([] if words[-1].startswith("w") else ["wES"])])


def book(key: str) -> Ruleset:
    """Return the book, with a yaku for every hand of these tables even where the book wants more of open hands."""
    return dataclasses.replace(
        load(key),
        haitei=(1, 1),
        houtei=(1, 1),
        rinshan=(1, 1),
        pinfu_tsumo=True,
        sanrenkou=(0, 0),
        red_fives=(),
        north_value="wind" if load(key).players == 4 else "guest",
    )


@pytest.mark.parametrize("key", book_keys())
def test_what_gives_fu(key: str) -> None:
    rules = book(key)
    tables = [ITEMS, *([FOUR] if rules.chii else []), *([KITA] if rules.kita else [])]
    for what, line, items, fu in (row for table in tables for row in rows_of(table)):
        count = counted(with_last_tile(line), rules)
        listed = ", ".join(f"{item.why} {item.fu}" for item in count.fu_items[1:]) or "-"
        assert (what, count.fu_items[0][:2], listed, count.fu) == (what, ("base", 20), items, int(fu))


@tabled("key", book_keys())
@tabled("how", ["", " t"])
def test_seven_pairs_have_25_and_nothing_else(key: str, how: str) -> None:
    # pairs of dragons and of a double wind, and the single wait, add nothing
    count = counted(f"1133p5577s99m1155z{how}", load(key))
    assert ([item[:2] for item in count.fu_items], count.fu) == ([("chiitoitsu", 25)], 25)


@pytest.mark.parametrize("key", book_keys())
def test_a_pair_that_is_seat_and_round_wind(key: str) -> None:
    # E25 4.1.1, WRC 2025 11.3: 2 fu, so 20 + 10 + 8 + 2 = 40; 4 elsewhere, so 42, which is 50
    rules = book(key)
    east = counted("123567p78s11z333z6s hou wEE", rules)
    south = counted("123567p78s22z333z6s hou wSS", rules)
    for count in (east, south):
        assert count.fu_items[-1][:2] == ("double_wind_pair", rules.double_wind_pair_fu)
        assert count.fu == {2: 40, 4: 50}[rules.double_wind_pair_fu]


def test_the_dearest_hand_without_a_yakuman_of_its_own() -> None:
    count = counted("12p77z3p x1111s x9999s x9999p", load("ema-2025"))
    assert [item[:2] for item in count.fu_items] == [
        ("base", 20),
        ("closed_ron", 10),
        ("closed_quad", 32),
        ("closed_quad", 32),
        ("closed_quad", 32),
        ("dragon_pair", 2),
        ("penchan", 2),
    ]
    assert count.fu == 130


def test_an_item_names_its_tiles() -> None:
    def kinds(text: str) -> tuple[int, ...]:
        return tuple(tile.kind for tile in parse_tiles(text))

    count = counted("12p77z3p 999s x1111s x9999p", load("tenhou-yonma"))
    assert [(item.why, item.tiles) for item in count.fu_items] == [
        ("base", ()),
        ("open_triplet", kinds("999s")),
        ("closed_quad", kinds("1111s")),
        ("closed_quad", kinds("9999p")),
        ("dragon_pair", kinds("77z")),
        ("penchan", ()),
    ]


# ---------------------------------------------------------------- which wait, and which reading

# The winning tile can stand in two places: hand | the wait that is taken | han and fu, last tile (1 han) included.
WAITS = """
123567p4566s333z6s t  | tanki   | 2/40 | or ryanmen on 456, 30 fu
567p12345s99m333z3s t | penchan | 2/40 | or ryanmen on 345, 30 fu
123p34456s99m333z5s t | kanchan | 2/40 | or ryanmen on 345, 30 fu
123567p34456s99m5s    | ryanmen | 2/30 | pinfu: with kanchan 1 han 40
123567p34456s99m5s t  | ryanmen | 3/20 | pinfu: with kanchan 2 han 30
123p44456s99m333z4s   | ryanmen | 1/50 | 444 stays closed: with shanpon 40 fu
333555p44456s99m4s    | ryanmen | 3/50 | sanankou: with shanpon none
"""


@tabled("row", rows_of(WAITS))
@tabled("key", book_keys())
def test_the_dearer_place_of_the_winning_tile(key: str, row: list[str]) -> None:
    line, wait, value, _ = row
    count = counted(with_last_tile(line), book(key))
    assert (count.shape.wait, f"{count.han}/{count.fu}") == (wait, value)


# Three triplets, or three equal sequences: hand | yaku, han and fu that are taken | those of the other reading.
READINGS = """
111222333p78s99m6s   | sanankou 2/50                     | pinfu iipeikou 2/30
111222333p78s99m6s t | menzen_tsumo sanankou 3/40        | menzen_tsumo pinfu iipeikou 3/20
222333444p78s55p6s   | tanyao sanankou 3/50              | pinfu iipeikou tanyao 3/30
222333444p78s55p6s t | menzen_tsumo tanyao sanankou 4/40 | menzen_tsumo pinfu iipeikou tanyao 4/20
111222333p789s77z    | iipeikou chanta 3/40              | sanankou 2/50
111222333p78s77z9s t | menzen_tsumo iipeikou chanta 4/30 | menzen_tsumo sanankou 3/40
"""


@tabled("row", rows_of(READINGS))
@tabled("key", book_keys())
def test_the_dearer_reading_is_taken(key: str, row: list[str]) -> None:
    line, taken, other = row
    rules = dataclasses.replace(book(key), sanrenkou=(0, 0))
    explained = explain(hand_of(f"{line} wES", rules), rules)
    said = [
        " ".join([*(name for name, _ in count.yaku), f"{count.han}/{count.fu}"])
        for count in (explained.counted, *(aside.counted for aside in explained.aside))
    ]
    assert (said[0], set(said[1:])) == (taken, {other})
    assert all(aside.payment.value < explained.payment.value for aside in explained.aside)


def test_more_han_may_be_worth_less() -> None:
    # E25 4.1.1: the reading that scores most, not that with most han; 17 han are a sanbaiman, four triplets a yakuman
    line, rules = "3344466777888p6p t d2p5p7p wES", load("ema-2025")
    explained = explain(hand_of(line, rules), rules)
    assert (explained.counted.yaku, explained.payment.value) == ((("suuankou", 13),), 32_000)
    [aside] = explained.aside
    assert (aside.counted.han, aside.counted.limit, aside.payment.value) == (17, "sanbaiman", 24_000)


def test_a_yakuman_is_named_before_han_that_are_worth_as_much() -> None:
    # where 13 han are a counted yakuman; nobody is liable for one of those, and it never adds up
    rules = load("wrc-2025")
    explained = explain(hand_of("3344466777888p6p t d2p5p7p wES", rules), rules)
    assert (explained.counted.yaku, explained.counted.yakuman) == ((("suuankou", 13),), 1)
    assert [(aside.counted.han, aside.payment.value) for aside in explained.aside] == [(17, 32_000)]


@pytest.mark.parametrize("key", book_keys())
def test_fu_may_be_worth_more_than_a_han(key: str) -> None:
    rules = load(key)
    assert base_of(3, 70, rules) == 2000 > base_of(4, 25, rules) == 1600
    assert base_of(2, 70, rules) == 1120 > base_of(3, 30, rules) == 960
    assert base_of(1, 50, rules) == 400 > base_of(2, 20, rules) == 320


def test_the_answer_to_a_hand_holds_the_reading_taken_and_the_one_set_aside() -> None:
    rules = load("ema-2025")
    hand = hand_of("112233p44556s77z6s", rules)
    told = score_json(explain(hand, rules), hand, rules)
    assert (told["han"], told["fu"], told["value"], told["yaku"]) == (3, 40, 7700, [["ryanpeikou", 3]])
    assert told["fu_items"] == [["base", 20], ["closed_ron", 10], ["dragon_pair", 2]]
    assert (told["reading"]["form"], told["reading"]["fu_tiles"]) == ("groups", ["", "", "77z"])
    assert [group["tiles"] for group in told["reading"]["groups"] if group["completed"]] == ["456s"]
    pairs = [aside for aside in told["set_aside"] if aside["reading"]["form"] == "chiitoitsu"]
    assert [(aside["han"], aside["fu"], aside["value"], aside["yaku"]) for aside in pairs] == [
        (2, 25, 2400, [["chiitoitsu", 2]])
    ]


@pytest.mark.parametrize("line", ["11123m456p789s11z1m t", "11122223333m44p1m t"])
def test_no_reading_is_told_twice(line: str) -> None:
    # of four equal tiles one may be read before the triplet or after it
    rules = load("tenhou-yonma")
    explained = explain(hand_of(line, rules), rules)
    read = [explained.reading, *(aside.reading for aside in explained.aside)]
    told = [(each.form, each.wait, tuple(sorted(each.groups))) for each in read]
    assert len(set(told)) == len(told)
