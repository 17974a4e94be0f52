"""Books that follow another one: every value in which they differ, by hand, and no other."""

from typing import Any

import pytest

from rules.books import load, load_book
from rules.ruleset import diff

# ema-2016 against ema-2025: the list of what the 2025 edition changed, read backwards
EMA_2016: dict[str, Any] = {
    "kiriage_mangan": False,
    "double_wind_pair_fu": 4,
    "multiple_ron_deposits": "first",
    "riichi_tiles_left": 4,
    "chombo_after_signal": "redeal",
}
# both sanma books against tenhou-sanma: 35,000 and no goal, no red fives, shared ties, the desk's own fields
DESK: dict[str, Any] = {
    "return_points": 35_000,
    "extra_rounds": 0,
    "target_points": 0,
    "repeat_before_target": False,
    **dict.fromkeys(("agari_yame", "tenpai_yame"), False),
    "red_fives": [],
    "honba_ron": 300,
    "uma": [15_000, 0, -15_000],
    "oka": 0,
    "ties": "share",
    "chombo_points": 20_000,
    "late_points": 1000,
    "late_minutes": 10,
    "substitute": "ema",
    "replaced_points": 30_000,
    "pao_part": "liable_part",
    "pao_honba": "discarder",
}
MCGILL: dict[str, Any] = {**DESK, "multiple_ron_honba": "each"}
RULE_BOOK: dict[str, Any] = {
    **DESK,
    "rounds": 3,
    "dealer_on_draw": "tenpai_or_nobody",
    "dealer_on_draw_later": "always",
    "kita_furiten": True,
    "two_han_from_honba": 4,
    "two_han_whole_wait": True,
    "ron_on_whole_wait": True,
    "whole_wait_yaku": ["iipeikou", "ittsu", "chanta"],
    **{name: [1, 0] for name in ("tanyao", "rinshan", "chankan", "haitei", "houtei")},
    **{name: [0, 0] for name in ("sanshoku_doujun", "sanshoku_doukou")},
    "sanrenkou": [2, 2],
    "paarenchan": [1, 1],
    "multiple_ron_deposits": "after_dealer",
    "pao": ["daisangen"],
    "abortive_draws": [],
    "nagashi": "none",
}
BOOKS = [("ema-2016", "ema-2025", EMA_2016), ("mcgill-sanma", "tenhou-sanma", MCGILL)]
BOOKS.append(("sanma-rule-book", "tenhou-sanma", RULE_BOOK))


@pytest.mark.states("differs")
@pytest.mark.parametrize(("key", "other", "values"), BOOKS, ids=[key for key, _, _ in BOOKS])
def test_it_differs_from_its_neighbour_in_this_and_in_nothing_else(
    key: str, other: str, values: dict[str, Any]
) -> None:
    assert {each.field: each.there for each in diff(load(other), load(key))} == values


# where a source contradicts itself, the book names the other reading as the option
@pytest.mark.states("options")
@pytest.mark.parametrize("name", ["pinfu_tsumo", "tanyao", "riichi_tiles_left", "red_fives", "renhou", "daisharin"])
def test_the_rule_book_names_the_other_reading(name: str) -> None:
    text = load_book("sanma-rule-book").citations[name].text
    assert any(word in text for word in ("option", "optional"))


@pytest.mark.states("silent")
@pytest.mark.parametrize("key", ["mcgill-sanma", "sanma-rule-book"])
def test_what_a_source_does_not_say_is_marked_as_ours(key: str) -> None:
    citations = load_book(key).citations
    assert citations["uma"].ours
    assert citations["north_share"].text.startswith("S3" if key == "mcgill-sanma" else "S4")
    assert not citations["kita"].ours


@pytest.mark.states("below_zero")
def test_the_rule_book_ends_below_zero_by_its_section_12() -> None:
    assert load_book("sanma-rule-book").citations["bust"].text.startswith("S4 12 Riichi")
