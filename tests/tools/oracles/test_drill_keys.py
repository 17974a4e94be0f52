"""The keys of the drill against both oracles: what its hands are worth, and what its payments come to."""

from collections import Counter
from itertools import islice
from typing import Any

import pytest
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.scores import ScoresCalculator

from rules.books import book_keys, load, load_book
from rules.foul_books import catalogue
from rules.ruleset import Ruleset
from scoring.drill import HandAsked, PaymentAsked, Worth, questions
from scoring.entries import Ron, Tsumo, Win
from scoring.hand import to_json
from scoring.tiles import RED_FIVE, Tile, parse_tiles
from tools.oracles import ours
from tools.oracles.answer import agree
from tools.oracles.compare import ORACLES
from tools.oracles.differences import excuse
from tools.oracles.tiles136 import EAST

HANDS = 100
TENHOU = {3: "tenhou-sanma", 4: "tenhou-yonma"}


@pytest.mark.parametrize("key", book_keys())
def test_the_hands_are_worth_what_both_oracles_say(key: str):
    """The oracles play by tenhou: each hand is asked by these rules, and most keys are the same by the book."""
    rules = load(key)
    server, same = load(TENHOU[rules.players]), 0
    more_reds = not set(rules.red_fives) <= set(server.red_fives) or len(rules.red_fives) > len(server.red_fives)
    made = questions(load_book(key), catalogue(key), seed=2026, kinds=["value"])
    for each in islice(made, HANDS):
        assert isinstance(each.asked, HandAsked)
        assert isinstance(each.answer, Worth)
        hand: dict[str, Any] = to_json(each.asked.hand)
        by_book = ours.answer_of(hand, rules)
        hand = hand | {"melds": [meld | plain(meld) for meld in hand["melds"]]} | plain(hand) if more_reds else hand
        by_server = ours.answer_of(hand, server)
        assert by_book is not None
        assert by_book.value == each.answer.payment.value
        if has_four_plain_fives(hand):  # of the server's fives one is red
            continue
        same += by_book == by_server
        for name, asked in ORACLES.items():
            theirs = asked.answer_of(hand, rules.players)
            assert agree(by_server, theirs) or excuse(name, hand, by_server, theirs), (name, hand)
    assert (
        more_reds or same > HANDS * 0.6
    )  # the rest are wind pairs, rounding up to mangan, yaku that the server does not know


def plain(hand: dict[str, Any]) -> dict[str, str]:
    """Return the tiles of a hand or meld with plain fives for red ones, which the server has one of at most."""
    return {key: hand[key].replace("0", "5") for key in ("tiles", "win", "dora", "ura") if key in hand}


def has_four_plain_fives(hand: dict[str, Any]) -> bool:
    tiles = Counter(parse_tiles("".join([hand["tiles"], *(meld["tiles"] for meld in hand["melds"])])))
    return any(tiles[Tile(9 * suit + RED_FIVE)] == 4 for suit in range(3))


def single(rules: Ruleset, asked: PaymentAsked) -> Win | None:
    """Return the one winner of a question whose payment an oracle can compute."""
    entry = asked.entry
    if not isinstance(entry, Ron | Tsumo) or len(entry.winners) > 1 or entry.winners[0].pao is not None:
        return None
    return entry.winners[0]


def by_mahjong(win: Win, rules: Ruleset, *, tsumo: bool) -> int:
    options = OptionalRules(kiriage=rules.kiriage_mangan, is_three_player=rules.players == 3)
    config = HandConfig(is_tsumo=tsumo, player_wind=EAST + win.seat, options=options)
    paid = ScoresCalculator.calculate_scores(han=win.han, fu=win.fu, config=config)
    payers = (rules.players - 1) if tsumo else 1
    return paid["main"] + (payers - 1) * paid["additional"]


def by_riichienv(win: Win, rules: Ruleset, *, tsumo: bool) -> int:
    import riichienv

    paid = riichienv.calculate_score(win.han, win.fu, win.seat == 0, tsumo, 0, num_players=rules.players)
    return int(paid.total)


@pytest.mark.parametrize("key", book_keys())
def test_the_winners_get_what_both_oracles_say(key: str):
    rules, compared = load(key), 0
    made = questions(load_book(key), catalogue(key), seed=2026, kinds=["pay"])
    for each in islice(made, 2 * HANDS):
        assert isinstance(each.asked, PaymentAsked)
        assert isinstance(each.answer, tuple)
        win = single(rules, each.asked)
        if win is None or (isinstance(each.asked.entry, Tsumo) and rules.north_share in ("even", "halved")):
            continue
        entry, state = each.asked.entry, each.asked.state
        tsumo = isinstance(entry, Tsumo)
        got = each.answer[win.seat]
        got += rules.riichi_deposit * ((win.seat in entry.riichi) - len(entry.riichi) - state.sticks)
        got -= state.honba * (rules.honba_tsumo * (rules.players - 1) if tsumo else rules.honba_ron)
        assert got == by_mahjong(win, rules, tsumo=tsumo), each.asked
        rounds_up = rules.kiriage_mangan and (win.han, win.fu) in ((4, 30), (3, 60))
        if "riichienv" in ORACLES and not rounds_up:  # it never rounds up to mangan
            assert got == by_riichienv(win, rules, tsumo=tsumo), each.asked
        compared += 1
    assert compared >= HANDS / 2
