"""Announced payments: each slip is recognised by the amount that it gives."""

import dataclasses
from typing import Any

from rules.books import load
from scoring.announced import likely_causes, slips
from scoring.problems import Param, Problem
from scoring.shorthand import parse
from tests.scoring.table import state
from tests.table_test import tabled
from tournament.text.hands import CAUSES
from tournament.text.problems import problem_text

EMA, SAN, T4 = "ema-2025", "sanmatsuri-2026", "tenhou-yonma"
# book, table, hand, what was announced, the slips that explain it; player 1 deals
ROWS: list[tuple[str, dict[str, Any], str, dict[int, int], list[str]]] = [
    (EMA, {"honba": 2}, "2r3 330", {1: 3900}, ["honba_forgotten"]),
    (EMA, {"honba": 2}, "2r3 330", {1: 5100}, ["honba_doubled"]),
    (EMA, {"honba": 2}, "2r3 330", {1: 4200}, ["one_honba_less"]),
    (EMA, {"honba": 1}, "2r3 330", {1: 3900, 2: -3900}, ["honba_forgotten", "one_honba_less"]),
    (EMA, {}, "2r3 330", {1: 4200}, ["one_honba_more"]),
    (EMA, {}, "2r3 330", {1: 5800}, ["as_dealer"]),
    (EMA, {}, "1r3 330", {0: 3900}, ["not_as_dealer"]),
    (EMA, {}, "2r3 430", {1: 7700}, ["kiriage_forgotten"]),
    (T4, {}, "2r3 430", {1: 8000}, ["kiriage_taken", "one_fu_step_more", "one_han_more", "one_honba_more"]),
    (EMA, {}, "2r3 340", {1: 3900}, ["one_fu_step_less"]),
    (EMA, {}, "2r3 330", {1: 5200}, ["one_fu_step_more"]),
    (EMA, {}, "2r3 330", {1: 2000}, ["one_han_less"]),
    (EMA, {}, "2r3 330", {1: 8000}, ["one_han_more"]),
    (EMA, {}, "2r3 130", {1: 2000}, ["one_han_more"]),  # less than one han is none
    (EMA, {}, "2t y p3", {2: -8000, 0: -16_000, 3: -8000}, ["liability_forgotten"]),
    (SAN, {}, "2t 330", {1: 3900}, ["tsumo_loss_forgotten", "one_fu_step_more"]),
    (SAN, {"honba": 1}, "2t 330", {1: 4100}, ["tsumo_loss_forgotten", "one_fu_step_more"]),
    (EMA, {"sticks": 1, "honba": 2}, "2r3 330", {1: 4900}, ["honba_forgotten"]),  # with the riichi stick
    (EMA, {}, "2r3 330", {1: 3700}, []),
    (EMA, {"honba": 1}, "d13", {0: 1500}, []),
]


@tabled("key, changes, line, announced, causes", ROWS)
def test_the_slip_is_named(
    key: str, changes: dict[str, Any], line: str, announced: dict[int, int], causes: list[str]
) -> None:
    entry = dataclasses.replace(parse(line), announced=announced)
    assert [slip.cause for slip in likely_causes(entry, state(key, **changes), load(key))] == causes


def test_every_slip_has_words_and_every_word_a_slip() -> None:
    tried = [("2r3 340", EMA, 2), ("1r3 430", EMA, 0), ("2r3 430", T4, 0), ("2t y p3", EMA, 0), ("2t 330", SAN, 0)]
    found = {
        slip.cause for line, key, honba in tried for slip in slips(parse(line), state(key, honba=honba), load(key))
    }
    assert sorted(CAUSES) == sorted(found)


def test_the_sentence_names_the_slip() -> None:
    causes = ("honba_forgotten",)
    params: dict[str, Param] = {"seat": 1, "announced": 3900, "computed": 4500, "causes": causes}
    assert problem_text(Problem("payment.announced_differs", params, "warning")) == (
        "The table announced 3,900 for Player 2; the hand pays 4,500 (were the honba forgotten?)."
    )
