"""Every yaku and yakuman under every book: closed, open, just missed, and where it gives way to another.

The hands stand in yaku_rows. What a yaku is worth is the book's (held in tests/rules/test_books.py); a yaku that a book
does not count drops out of what is wanted, and a hand that is left with none does not win.
"""

import dataclasses
from typing import Literal

import pytest

from rules.books import book_keys
from rules.ruleset import Ruleset, yaku_names
from scoring.count import NO_DORA
from scoring.value import base_of, limit_from_han
from scoring.yaku import SPECIAL_WAITS
from tests.scoring import yaku_rows
from tests.scoring.hand_table import ORDINARY, counted, hand_of, refused, rows_of
from tests.scoring.hand_table import load_by_tile as load
from tests.table_test import tabled

Listed = list[tuple[str, int]]

NO_YAKU = "hand.no_yaku"
YAKUMAN_HAN = 13  # as which a yakuman is shown among the yaku
BOTH, FOUR, KITA = (rows_of(table) for table in (yaku_rows.BOTH, yaku_rows.FOUR, yaku_rows.KITA))
SANRENKOU, RENHOU, SEVERAL = (rows_of(each) for each in (yaku_rows.SANRENKOU, yaku_rows.RENHOU, yaku_rows.SEVERAL))
NAMES = list(dict.fromkeys(row[0] for row in (*BOTH, *FOUR, *KITA)))


def worth_of(name: str, rules: Ruleset) -> tuple[int, int]:
    """Return what a yaku is worth closed and open: han, or a number of yakuman."""
    if name == "renhou":
        return {"none": (0, 0), "mangan": (5, 0), "yakuman": (1, 0)}[rules.renhou]
    closed, opened = getattr(rules, name)
    return closed, opened


def wanted(line: str, names: str, rules: Ruleset) -> Listed | str:
    """Return each of these yaku with its worth in the book, yakuman alone if there are any; or the code."""
    if "." in names:
        return names
    hand = hand_of(line, rules)
    worth = {name: worth_of(name, rules)[0 if hand.closed else 1] for name in names.split() if name != "-"}
    if hand.tsumo and not rules.pinfu_tsumo:
        worth.pop("pinfu", None)
    known = {*yaku_names("yakuman"), *(["renhou"] if rules.renhou == "yakuman" else [])}
    yakuman = [(name, YAKUMAN_HAN * number) for name, number in worth.items() if number and name in known]
    return yakuman or [(name, han) for name, han in worth.items() if han] or NO_YAKU


def given(line: str, rules: Ruleset) -> Listed | str:
    """Return the yaku that are counted, or the code with which the hand is refused."""
    return refused(line, rules) or list(counted(line, rules).yaku)


@pytest.mark.parametrize("key", book_keys())
@tabled("name", NAMES)
def test_a_yaku(key: str, name: str) -> None:
    book = dataclasses.replace(load(key), ryuuiisou_hatsu=False)  # and North as everybody's wind: test_dora_rules
    rules = book if book.north_value != "everybody" else dataclasses.replace(book, north_value="guest")
    rows = [*BOTH, *(FOUR if rules.chii else []), *(KITA if rules.kita else [])]
    for _, what, line, names in (row for row in rows if row[0] == name):
        if "i" in line.split() and not any(rules.ippatsu):
            assert (what, line, refused(line, rules).split()[0]) == (what, line, "yaku.not_in_rules")
            continue
        assert (what, line, given(line, rules)) == (what, line, wanted(line, names, rules))


# ---------------------------------------------------------------- what a book may count, and how


@pytest.mark.states("triplets_in_a_row")
@pytest.mark.parametrize("key", book_keys())
def test_three_triplets_in_a_row_where_they_count(key: str) -> None:
    rules = dataclasses.replace(load(key), sanrenkou=(2, 2))
    for _, what, line, names in SANRENKOU:
        assert (what, given(line, rules)) == (what, wanted(line, names, rules))


def test_three_triplets_in_a_row_where_they_do_not_count() -> None:
    # closed, they are read as three equal sequences
    rules = dataclasses.replace(load("ema-2025"), sanrenkou=(0, 0))
    assert given("333444p678s99m555p", rules) == [("pinfu", 1), ("iipeikou", 1)]
    assert given("333444p678s99m 555p", rules) == NO_YAKU


@pytest.mark.states("daisharin")
@tabled("key", book_keys())
@tabled("number", [0, 1])
def test_daisharin_where_it_counts_and_where_not(key: str, number: int) -> None:
    rules = dataclasses.replace(load(key), daisharin=(number, 0))
    rows = BOTH if rules.players == 3 else [*BOTH, *FOUR]
    for _, what, line, names in (row for row in rows if row[0] == "daisharin"):
        assert (what, given(line, rules)) == (what, wanted(line, names, rules))
    for suit in "ps" if rules.players == 3 else "mps":  # daisharin, daichikurin, daisuurin (sanma rule book 12)
        assert (given(f"22334455667788{suit}", rules) == [("daisharin", YAKUMAN_HAN)]) is bool(number)


@pytest.mark.states("renhou")
@tabled("key", ORDINARY)
@tabled("column, renhou", [(0, "none"), (1, "mangan"), (2, "yakuman")])
def test_renhou_in_each_way_that_a_book_may_have_it(
    key: str, column: int, renhou: Literal["none", "mangan", "yakuman"]
) -> None:
    rules = dataclasses.replace(load(key), renhou=renhou)
    for what, line, *names in RENHOU:
        assert (what, given(line, rules)) == (what, wanted(line, names[column], rules))


@tabled("line", ["123567p44478s99m6s first", "123567p78s99m6s 444s first wES"])
@tabled("key", book_keys())
def test_no_renhou_for_the_dealer_nor_with_a_meld(key: str, line: str) -> None:
    assert refused(line, load(key)) == "hand.not_together"


def test_a_renhou_that_is_a_mangan_takes_no_dora() -> None:
    # E25 4.2: it combines with nothing, not even dora; WRC 2025 11.5.4: flat
    for key in ("ema-2025", "wrc-2025", "sanmatsuri-2026"):
        count = counted("123567p44478s99m6s first wES d9p4p", load(key))
        assert (count.han, count.base, count.dora, count.limit) == (5, 2000, NO_DORA, "mangan")


@pytest.mark.parametrize("key", book_keys())
def test_pinfu_by_tsumo_where_the_book_does_not_know_it(key: str) -> None:
    rules = dataclasses.replace(load(key), pinfu_tsumo=False)
    assert given("123567p23478s99m6s t", rules) == [("menzen_tsumo", 1)]
    assert counted("123567p23478s99m6s t", rules).fu == 30
    assert given("123567p23478s99m6s", rules) == [("pinfu", 1)]


# ---------------------------------------------------------------- several yakuman, and many han


@tabled("number, line, names", SEVERAL)
@tabled("key", book_keys())
def test_several_yakuman(key: str, number: str, line: str, names: str) -> None:
    # E25 4.2: never cumulative; WRC 2025 9.1 and Tenhou: they add up; dora add to none of them
    rules = dataclasses.replace(load(key), ryuuiisou_hatsu=False)
    count, times = counted(f"{line} d9p", rules), int(number) if rules.yakuman_add_up else 1
    assert list(count.yaku) == wanted(line, names, rules)
    assert (count.yakuman, count.han, count.base) == (times, YAKUMAN_HAN * times, 8000 * times)
    assert count.limit == "yakuman"


@pytest.mark.parametrize("key", ORDINARY)
def test_an_ordinary_hand_of_fourteen_han(key: str) -> None:
    # a counted yakuman where the limits have one, a sanbaiman where they end before: no yakuman in either
    rules = load(key)
    count = counted("22334455667788s r i t wES", rules)
    assert (count.han, count.yakuman) == (14, 0)
    assert count.limit == ("yakuman" if rules.limits[-1][0] == 13 else "sanbaiman")
    assert count.base == limit_from_han(14, rules) == base_of(14, 20, rules)


# ---------------------------------------------------------------- the two-han minimum


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("123567p44478s99m6s r h4", "hand.two_han_needed"),
        ("123567p44478s99m6s r h3", ""),
        ("123567p44478s99m6s r h4 d8m8m", "hand.two_han_needed"),  # dora are no yaku
        ("123567p44478s99m6s r h4 u8m", "hand.two_han_needed"),
        ("123567p44478s99m6s r t h4", ""),
        ("123567p44478s99m6s rr h9", ""),
        ("123567p44478s99m6s h4", "hand.two_han_needed"),
        ("123567p78s99m6s 555z h4", "hand.two_han_needed"),
        ("123567p78s99m6s 222z h4 wSS", ""),
        ("19m19p19s11234567z h4", ""),  # a yakuman is enough
    ],
)
def test_two_han_of_yaku_from_four_counters(line: str, code: str) -> None:
    # sanma rule book 11, ryanshi; in no other book do counters ask for more (E25 3.2)
    assert refused(line, dataclasses.replace(load("wrc-2025"), two_han_from_honba=4)) == code
    assert refused(line, dataclasses.replace(load("wrc-2025"), two_han_from_honba=0)) in ("", NO_YAKU)


# ---------------------------------------------------------------- the tables themselves

# Never by tiles: whether it is the ninth win in a row stands in the hands before.
NOT_OF_TILES = {"paarenchan", *(special for special, _ in SPECIAL_WAITS.values())}  # the latter: test_special_waits
IMPOSSIBLE = {  # what cannot be without a call for a sequence
    "open": {"pinfu", "ryanpeikou", "daisharin", "sanshoku_doujun"},
    "closed": {"sanshoku_doujun"},
    "nearly": {"sanshoku_doujun"},
}


def test_every_yaku_has_its_rows() -> None:
    assert {*NAMES, "sanrenkou", "renhou"} == {*yaku_names("yaku", "yakuman")} - NOT_OF_TILES


@pytest.mark.parametrize("kind", IMPOSSIBLE)
def test_every_yaku_has_a_hand_of_each_kind(kind: str) -> None:
    has_one = {name for name, what, *_ in (*BOTH, *FOUR, *SANRENKOU) if what.startswith(kind)}
    assert {*NAMES, "sanrenkou"} - has_one == set()
    assert {name for name, what, *_ in (*BOTH, *SANRENKOU) if what.startswith(kind)} == has_one - IMPOSSIBLE[kind]


def says_truly(row: list[str]) -> bool:
    """Tell whether what a row calls its hand goes with the yaku that it lists."""
    name, what, _, names = row
    kind, _, other = what.replace(":", "").partition(" ")
    holds, gives_way = name in names.split(), other in names.split()
    truths = {"nearly": not holds, "under": not holds and gives_way, "with": holds and gives_way}
    return {**truths, "closed": holds, "kita": holds, "open": True}[kind]


def test_a_row_is_what_it_says() -> None:
    assert [row for row in (*BOTH, *FOUR, *KITA, *SANRENKOU) if not says_truly(row)] == []
