"""Counts do not depend on the order of tiles or the names of suits; explained counts agree with plain ones."""

import itertools
from random import Random
from typing import Any

import pytest
from hypothesis import assume, example, given, reject
from hypothesis import strategies as st

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.count import Count, count, counts
from scoring.explain import explain
from scoring.fu import round_fu
from scoring.hand import WinningHand, read_hand
from scoring.payments import payment_of, ron_points, tsumo_points
from scoring.problems import InvalidInput
from scoring.value import base_of
from tools.oracles.hands import some_hands
from tools.oracles.tiles136 import SUITS, kinds

BOOKS = {key: load(key) for key in book_keys()}
FU = (20, 25, *range(30, 180, 10))
HAN = range(1, 41)
SUIT_BOUND = {"ryuuiisou", "daisharin"}
PLACES = ("tiles", "win", "dora", "ura")

Dealt = tuple[Ruleset, dict[str, Any]]


def dealt() -> st.SearchStrategy[Dealt]:
    """Draw a book and a winning hand that can be played under it."""
    return st.builds(deal, st.sampled_from(sorted(BOOKS)), st.integers(0, 2**40))


def deal(key: str, seed: int) -> Dealt:
    return BOOKS[key], some_hands(BOOKS[key], seed, 1)[0].hand


def counted(hand: WinningHand, rules: Ruleset) -> Count:
    """Count a hand, and leave hands without a count to other tests."""
    try:
        return count(hand, rules)
    except InvalidInput:
        return reject()


def figures(counted: Count) -> tuple[Any, ...]:
    """Return all figures of a count, without the tiles that they come from."""
    items = sorted((item.why, item.fu) for item in counted.fu_items)
    return (counted.yaku, counted.dora, counted.han, counted.fu, counted.yakuman, counted.base, items)


def separate(text: str) -> list[str]:
    """Take a text apart, a suit behind each number.

    >>> separate("10p7z")
    ['1p', '0p', '7z']
    """
    return [("0" if red else str(kind % 9 + 1)) + SUITS[kind // 9] for kind, red in kinds(text)]


def everywhere(hand: dict[str, Any], change: Any) -> dict[str, Any]:
    """Change every text of tiles in a hand."""
    melds = [meld | {"tiles": change(meld["tiles"])} for meld in hand["melds"]]
    return hand | {place: change(hand[place]) for place in PLACES} | {"melds": melds}


@given(dealt(), st.integers(0, 2**20))
def test_the_order_in_which_tiles_are_written_does_not_matter(case: Dealt, seed: int) -> None:
    rules, hand = case
    chance = Random(seed)

    def shuffled(text: str) -> str:
        tiles = separate(text)
        chance.shuffle(tiles)
        return "".join(tiles)

    mixed = read_hand(everywhere(hand, shuffled), rules)
    assert figures(counted(read_hand(hand, rules), rules)) == figures(counted(mixed, rules))


@given(dealt(), st.integers(0, 5))
def test_suits_may_change_their_names(case: Dealt, number: int) -> None:
    rules, hand = case
    # characters of three players are but two kinds, which follow each other as dora
    names = list(itertools.permutations("mps") if rules.players == 4 else [("m", "p", "s"), ("m", "s", "p")])
    renaming = str.maketrans("mps", "".join(names[number % len(names)]))
    read = read_hand(hand, rules)
    renamed = everywhere(hand, lambda text: text.translate(renaming))
    reds = [five.translate(renaming) for five in rules.red_fives]
    assume(sorted(reds) == sorted(rules.red_fives))
    before, after = counted(read, rules), counted(read_hand(renamed, rules), rules)
    assume(not SUIT_BOUND & {name for name, _ in (*before.yaku, *after.yaku)})
    assert figures(before) == figures(after)


@given(dealt(), st.sampled_from(["dora", "ura"]))
@example(deal("ema-2016", 225289), "dora")  # a shape counted twice, as renhou and with its yaku
def test_an_indicator_more_adds_dora_and_nothing_else(case: Dealt, wanted: str) -> None:
    rules, hand = case
    place = wanted if hand[wanted] else "dora"
    more = read_hand(hand, rules)
    fewer = read_hand(hand | {place: "".join(separate(hand[place])[:-1])}, rules)
    low, high = (payment_of(counted(each, rules).base, each, rules).value for each in (fewer, more))
    assert low <= high
    by_shape = [sorted(counts(each, rules), key=lambda one: (one.shape[:-1], one.yaku)) for each in (fewer, more)]
    for before, after in zip(*by_shape, strict=True):
        added = getattr(after.dora, place) - getattr(before.dora, place)
        assert added >= 0
        assert after.dora == before.dora._replace(**{place: getattr(after.dora, place)})
        same = after.shape._replace(hand=before.shape.hand)
        assert (same, after.yaku, after.fu_items) == (before.shape, before.yaku, before.fu_items)
        assert after.han == (before.han if before.yakuman else before.han + added)
        assert after.base >= before.base


@pytest.mark.parametrize("rules", BOOKS.values(), ids=BOOKS)
def test_more_han_or_more_fu_never_pay_less(rules: Ruleset) -> None:
    worth = {(han, fu): base_of(han, fu, rules) for han in HAN for fu in FU}
    for (han, fu), base in worth.items():
        assert base <= worth.get((han + 1, fu), base)
        assert base <= min((worth[han, more] for more in FU if more > fu), default=base)
    for low, high in itertools.pairwise(sorted({*worth.values(), rules.yakuman_base})):
        for deals in (False, True):
            assert ron_points(low, dealer=deals) <= ron_points(high, dealer=deals)
            for payer in (False, True):
                one, other = (tsumo_points(base, winner_deals=deals, payer_deals=payer) for base in (low, high))
                assert one <= other


@given(dealt())
def test_an_explanation_is_of_the_same_count(case: Dealt) -> None:
    rules, hand = case
    read = read_hand(hand, rules)
    plain, explained = counted(read, rules), explain(read, rules)
    assert explained.counted == plain
    assert explained.payment == payment_of(plain.base, read, rules)


@given(dealt())
def test_fu_items_add_up_and_round_to_the_fu(case: Dealt) -> None:
    rules, hand = case
    read = read_hand(hand, rules)
    counted(read, rules)
    explained = explain(read, rules)
    assert explained.counted.raw_fu == sum(item.fu for item in explained.counted.fu_items)
    for each in (explained.counted, *(aside.counted for aside in explained.aside)):
        raw = sum(item.fu for item in each.fu_items)
        assert each.fu == round_fu(each.raw_fu) == (raw if raw == 25 else -(-raw // 10) * 10)


@given(dealt())
def test_no_reading_set_aside_pays_more(case: Dealt) -> None:
    rules, hand = case
    read = read_hand(hand, rules)
    counted(read, rules)
    explained = explain(read, rules)
    assert all(aside.payment.value <= explained.payment.value for aside in explained.aside)
    assert all(aside.payment == payment_of(aside.counted.base, read, rules) for aside in explained.aside)


@given(dealt())
def test_han_are_those_of_the_yaku_and_the_dora(case: Dealt) -> None:
    rules, hand = case
    result = counted(read_hand(hand, rules), rules)
    in_yaku = sum(han for _, han in result.yaku)
    if result.yakuman:
        assert result.han == 13 * result.yakuman <= in_yaku
        assert result.base == rules.yakuman_base * result.yakuman
    else:
        assert result.han == in_yaku + sum(result.dora)
        assert result.base == base_of(result.han, result.fu, rules)
