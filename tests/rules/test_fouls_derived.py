"""Lists that take over another one, and what the rules of an event make of every list."""

from dataclasses import replace
from typing import Any

import pytest

from rules.books import load
from rules.foul_books import catalogue, catalogue_keys
from rules.fouls import Catalogue
from tests.rules.expected_values import stated
from tests.table_test import tabled

OWN = {"ema-2025", "ema-2025-red", "rakkii-nomi-2026", "sanmatsuri-2026", "wrc-2025"}


def of(key: str, **rules: Any) -> Catalogue:
    return catalogue(replace(load(key), **rules))


@pytest.mark.states("derived")
@pytest.mark.parametrize("key", catalogue_keys())
def test_a_list_of_another_book_says_so_once_and_at_every_clause(key: str) -> None:
    fouls = catalogue(key)
    assert bool(fouls.derived) is (key not in OWN)
    unmarked = {
        name: penalty.clause
        for name, penalty in fouls.penalties.items()
        if fouls.derived and not penalty.ours and "as " not in penalty.clause
    }
    assert unmarked == {}


# What the excerpt of the 2016 edition says of an act, by hand: foul | clause | penalty | its words
S1 = """
riichi_no_tile | S1 3.3.14; as E25 6.6 | void_call+deposit_back | Least number of tiles: 4.
noten_riichi | S1 3.4.2; as E25 6.6.2, 3.3.14 | chombo |
tenpai_out_of_order | S1 3.4.2; as E25 3.4.2 | nothing | what was said cannot be changed
false_noten | S1 3.4.2; as E25 3.4.2 | legal | Not after riichi: that hand must be shown.
tsumo_tile_mixed_in | S1 3.3.12; as E25 6.8 | nothing | The winning tile is kept apart from the hand.
last_discard_called | S1 3.4.1; as E25 6.5.2, 6.1.1 | nothing, again referee | It can be called for a win only.
fifth_kan | S1 3.3.10; as E25 6.5.2, 6.1.1 | nothing, again referee |
wall_looked_at | S1 3.4 | referee |
wrong_tile_count | as E25 6.3 | dead_hand |
"""


@pytest.mark.states("foul_2016")
@tabled("key, clause, penalty, words", [[cell.strip() for cell in row.split("|")] for row in S1.strip().splitlines()])
def test_ema_2016(key: str, clause: str, penalty: str, words: str) -> None:
    found = catalogue("ema-2016").penalties[key]
    assert (found.clause, stated(found)) == (clause, penalty)
    assert words in found.note


@pytest.mark.states("foul_kita")
@pytest.mark.parametrize("key", ["mcgill-sanma", "sanma-rule-book", "tenhou-sanma"])
def test_books_of_sanma_leave_kita_to_the_referee_and_have_no_chii(key: str) -> None:
    fouls = catalogue(key)
    kita = {name: stated(fouls.penalties[name]) for name in ("kita_after_pon", "kita_in_riichi", "kita_no_tile")}
    assert set(kita.values()) == {"referee"}
    assert stated(fouls.penalties["chii_called"]) == stated(fouls.penalties["empty_call"])
    assert ("kita_furiten" in fouls.penalties) is load(key).kita_furiten


# a rule and its value | book | what is listed then | what is not
FOLLOWS: list[tuple[dict[str, Any], str, str, str]] = [
    ({"swap_calling": True}, "ema-2025", "empty_call", "swap_call_after_discard"),
    ({"swap_calling": True}, "wrc-2025", "empty_call", "swap_call_before_discard"),
    ({"riichi_tiles_left": 0}, "ema-2025", "empty_riichi", "riichi_no_tile"),
    ({"riichi_tiles_left": 4}, "wrc-2025", "riichi_too_few_tiles", "riichi_few_tiles"),
    ({"furiten_riichi": False}, "wrc-2025", "riichi_furiten", ""),
    ({"kokushi_robs_ankan": True}, "wrc-2025", "ron_on_ankan_no_orphans", "ron_on_ankan"),
    ({"kan_dora": "open_after_discard"}, "ema-2025", "kan_dora_wrong_time", "kan_dora_late"),
    ({"chii": False}, "ema-2025", "chii_called", ""),
    ({"kita_turns_dora": True}, "sanmatsuri-2026", "kita_dora_missing", ""),
    ({"kita_furiten": True}, "sanmatsuri-2026", "kita_furiten", ""),
]


@tabled("rules, key, listed, left_out", FOLLOWS)
def test_a_rule_decides_what_is_a_foul(rules: dict[str, Any], key: str, listed: str, left_out: str) -> None:
    before, after = catalogue(key), of(key, **rules)
    assert listed in after.penalties
    assert not left_out or (left_out in before.penalties and left_out not in after.penalties)


def test_a_foul_that_follows_from_a_rule_has_the_penalty_of_its_like() -> None:
    fouls = of("wrc-2025", furiten_riichi=False)
    assert fouls.penalties["riichi_furiten"].cases == fouls.penalties["empty_riichi"].cases
    assert fouls.penalties["ron_on_ankan"].cases[0].points == load("wrc-2025").chombo_points


def test_the_rules_state_what_lateness_and_a_replacement_cost() -> None:
    fouls = of("wrc-2025", late_points=2000, late_minutes=5, replaced_points=12_000)
    late, over = fouls.penalties["late"].cases[0], fouls.penalties["late_over"].cases[0]
    assert (late.points, late.units, over.points) == (2000, 5, 12_000)
    assert fouls.penalties["forfeit"].cases[0].points == 12_000
    words = {foul.key: foul.what for foul in fouls.fouls}
    assert (words["late"], words["late_over"]) == ("Late by 1 to 5 minutes", "Late by more than 5 minutes")
    assert "costs the absent player 12,000 points" in of("ema-2025", replaced_points=12_000).penalties["late_over"].note


def test_lateness_that_costs_nothing_is_not_listed() -> None:
    assert "late" not in of("ema-2025", late_points=0).penalties
    assert "late" not in of("ema-2025", late_minutes=0).penalties
