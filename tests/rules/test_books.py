"""Check every book against numbers written here by hand from its sources, none computed from a book.

A cell that differs means that one of the two is wrong: look up the clause before you change either.
"""

from typing import Any

import pytest

from rules.books import FIELD_TYPES, book_keys, load, load_book
from rules.ruleset import rule_fields
from tests.table_test import tabled

KEYS = ["ema-2025", "sanmatsuri-2026", "wrc-2025", "rakkii-nomi-2026", "tenhou-yonma", "tenhou-sanma"]
TO_SANBAIMAN = ((5, 2000), (6, 3000), (8, 4000), (11, 6000))
TO_YAKUMAN = (*TO_SANBAIMAN, (13, 8000))
BIG_TWO = ("daisangen", "daisuushii")
BIG_THREE = (*BIG_TWO, "suukantsu")
FIVE_ABORTS = ("kyuushu_kyuuhai", "suufon_renda", "suucha_riichi", "suukaikan", "sanchahou")

# One row a field, one column a book, in the order of KEYS.
VALUES: dict[str, tuple[Any, ...]] = {
    "players": (4, 3, 4, 4, 4, 3),
    "start_points": (30_000, 30_000, 30_000, 30_000, 25_000, 35_000),
    "return_points": (30_000, 30_000, 30_000, 30_000, 30_000, 40_000),
    "rounds": (2, 2, 2, 2, 2, 2),
    "extra_rounds": (0, 0, 0, 0, 1, 1),
    "repeat_before_target": (False, False, False, False, True, True),
    "target_points": (0, 0, 0, 0, 30_000, 40_000),
    "bust": (False, False, False, False, True, True),
    "agari_yame": (False, False, False, False, True, True),
    "red_fives": ((), ("5p", "5s"), (), ("5m", "5p", "5s"), ("5m", "5p", "5s"), ("5p", "5s")),
    "kita": (False, True, False, False, False, True),
    "chii": (True, False, True, True, True, False),
    "kiriage_mangan": (True, True, True, True, False, False),
    "limits": (TO_SANBAIMAN, TO_SANBAIMAN, TO_YAKUMAN, TO_YAKUMAN, TO_YAKUMAN, TO_YAKUMAN),
    "yakuman_base": (8000, 8000, 8000, 8000, 8000, 8000),
    "yakuman_add_up": (False, False, True, True, True, True),
    "double_wind_pair_fu": (2, 2, 2, 2, 4, 4),
    "multiple_ron": ("all", "all", "head_bump", "all", "all", "all"),
    "triple_ron_aborts": (False, False, False, False, True, False),
    "honba_ron": (300, 200, 300, 300, 300, 200),
    "honba_tsumo": (100, 100, 100, 100, 100, 100),
    "multiple_ron_honba": ("each", "each", "first", "first", "first", "first"),
    "multiple_ron_deposits": ("own_back", "own_back", "first", "first", "first", "first"),
    "north_share": ("not_missing", "lost", "not_missing", "not_missing", "not_missing", "lost"),
    "pao": (BIG_TWO, BIG_TWO, BIG_THREE, BIG_THREE, BIG_TWO, BIG_TWO),
    "pao_part": ("whole_hand", "whole_hand", "liable_part", "liable_part", "whole_hand", "whole_hand"),
    "riichi_deposit": (1000, 1000, 1000, 1000, 1000, 1000),
    "riichi_short": ("warning", "warning", "allowed", "allowed", "error", "error"),
    "leftover_deposits": ("first", "first", "lost", "first", "first", "first"),
    "noten_pool": (3000, 2000, 3000, 3000, 3000, 2000),
    "abortive_draws": ((), (), (), (), FIVE_ABORTS, ("kyuushu_kyuuhai", "suukaikan")),
    "nagashi": ("none", "tsumo", "none", "tsumo", "draw", "draw"),
    "nagashi_closed": (False, False, True, True, False, False),
    "uma": (
        (15_000, 5000, -5000, -15_000),
        (15_000, 0, -15_000),
        (15_000, 5000, -5000, -15_000),
        (15_000, 5000, -5000, -15_000),
        (20_000, 10_000, -10_000, -20_000),
        (20_000, 0, -20_000),
    ),
    "oka": (0, 0, 0, 0, 20_000, 15_000),
    "ties": ("share", "share", "share", "share", "seat_order", "seat_order"),
    "chombo_points": (20_000, 20_000, 30_000, 20_000, 0, 0),
    "chombo_after_signal": ("counts", "counts", "redeal", "redeal", "redeal", "redeal"),
    "minutes": (75, 60, 75, 75, 0, 0),
    "extra_hands": (1, 1, 1, 1, 0, 0),
}
# Han of each yaku, closed and open, as the lists of EMA (E25 4.2) and WRC (11.5) print them; these six agree.
YAKU = {
    (1, 0): "riichi ippatsu menzen_tsumo pinfu iipeikou",
    (1, 1): "tanyao haku hatsu chun seat_wind round_wind rinshan chankan haitei houtei",
    (2, 0): "double_riichi chiitoitsu",
    (2, 1): "sanshoku_doujun ittsu chanta",
    (2, 2): "sanshoku_doukou toitoi sanankou sankantsu shousangen honroutou",
    (3, 0): "ryanpeikou",
    (3, 2): "honitsu junchan",
    (6, 5): "chinitsu",
    (0, 0): "sanrenkou",
}
# Numbers of yakuman: none is double, and four cannot be had with a called set.
YAKUMAN = {
    (1, 0): "kokushi_musou chuuren_poutou tenhou chiihou suuankou",
    (1, 1): "suukantsu ryuuiisou chinroutou tsuuiisou daisangen shousuushii daisuushii",
    (0, 0): "daisharin paarenchan",
}
VALUES |= {name: (worth,) * 6 for table in (YAKU, YAKUMAN) for worth, names in table.items() for name in names.split()}
VALUES |= {
    "renhou": ("mangan", "mangan", "mangan", "mangan", "none", "none"),
    "pinfu_tsumo": (True,) * 6,
    "ryuuiisou_hatsu": (False,) * 6,
    "bust_prize": (0,) * 6,
    "two_han_from_honba": (0,) * 6,
    "two_han_whole_wait": (False,) * 6,
    "ron_on_whole_wait": (False,) * 6,
    "whole_wait_yaku": ((),) * 6,
}
VALUES |= {
    "dealer_on_draw": ("tenpai",) * 6,
    "dealer_on_draw_later": ("tenpai",) * 6,
    "dealer_on_multiple_ron": ("among",) * 6,
    "kita_furiten": (False,) * 6,
    "kita_ends_first_turn": (False, True, False, False, False, True),
    "kita_turns_dora": (False,) * 6,
    "north_value": ("wind", "guest", "wind", "wind", "wind", "guest"),
    "kan_dora": ("at_once",) * 4 + ("open_after_discard",) * 2,
    "swap_calling": (False,) * 6,
    "kokushi_robs_ankan": (True, True, False, True, True, True),
    "pao_honba": ("discarder",) * 4 + ("liable",) * 2,
    "riichi_tiles_left": (1, 1, 0, 0, 4, 3),
    "furiten_riichi": (True,) * 6,
    "deposit_back_on_ron": (True,) * 6,
    "several_nagashi": ("each",) * 6,
    "equal_totals": (("first_places", "best_result"),) * 6,
    "late_points": (1000, 1000, 1000, 1000, 0, 0),
    "late_minutes": (10, 10, 10, 10, 0, 0),
    "substitute": ("ema", "ema", "wrc", "wrc", "wrc", "wrc"),
    "replaced_points": (30_000, 30_000, 30_000, 30_000, 0, 0),
    "next_hand_begins": ("call",) * 6,
}
# what other clubs play, and none of these: chips, a floating uma, yakuman by the wait, an end by the dealer's choice
VALUES |= {
    **dict.fromkeys(("bust_at_zero", "yame_choice", "float_at_return"), (False,) * 6),
    "tenpai_yame": VALUES["agari_yame"],
    **dict.fromkeys(("ura_dora", "kan_ura"), (True,) * 6),
    **dict.fromkeys(("kokushi_juusanmen", "junsei_chuuren", "suuankou_tanki"), ((1, 0),) * 6),
    **dict.fromkeys((name for name in FIELD_TYPES if name.startswith("chip_")), (0,) * 6),
    "floating_uma": ((),) * 6,
    "chombo_pays": ("nothing",) * 6,
}
CELLS = [(key, name, row[column]) for name, row in VALUES.items() for column, key in enumerate(KEYS)]


@tabled("key, name, value", CELLS)
def test_the_book_says_what_its_source_says(key: str, name: str, value: Any) -> None:
    assert getattr(load(key), name) == value


def test_the_table_above_has_a_row_for_every_field() -> None:
    assert sorted(VALUES) == sorted(field.name for field in rule_fields())


def test_these_are_all_the_books() -> None:
    derived = ["ema-2016", "mcgill-sanma", "sanma-rule-book"]
    children = ["ema-2025-red", "jpml-a", "kansai-sanma", "m-league", "saikouisen-classic", "wrc-2022"]
    assert book_keys() == sorted([*KEYS, *derived, *children])


@pytest.mark.parametrize("key", book_keys())
def test_every_value_says_where_it_comes_from(key: str) -> None:
    book = load_book(key)
    assert set(book.citations) == {field.name for field in rule_fields()}
    assert [name for name, citation in book.citations.items() if len(citation.text) < 4] == []


@pytest.mark.parametrize("key", book_keys())
def test_key_and_title_are_those_of_the_book(key: str) -> None:
    book = load_book(key)
    assert (book.ruleset.key, bool(book.ruleset.title), bool(book.source)) == (key, True, True)


# What the sources leave open and the desk has settled (our own readings), so that the page can say so.
NO_KITA = {"kita_furiten", "kita_ends_first_turn", "kita_turns_dora", "north_value"}
NOT_PLAYED = {"bust_at_zero", "bust_prize", "yame_choice", "floating_uma", "float_at_return"}
NOT_PLAYED |= {name for name in FIELD_TYPES if name.startswith("chip_")}
SILENT = {"several_nagashi", "equal_totals", "two_han_whole_wait", "repeat_before_target", *NOT_PLAYED}
WRC_SILENT = {*NO_KITA, *SILENT, "pao_part", "pao_honba", "dealer_on_multiple_ron", "next_hand_begins"}
WRC_SILENT |= {"chombo_after_signal", "minutes", "extra_hands"}
NO_DESK = {"chombo_points", "chombo_after_signal", "minutes", "extra_hands", "next_hand_begins", "equal_totals"}
NO_DESK |= {"late_points", "late_minutes", "substitute", "replaced_points", "chombo_pays", "two_han_whole_wait"}
NO_DESK |= NOT_PLAYED - {"bust_at_zero"}
OURS = {
    "ema-2025": {"pao_part", *NO_KITA, *SILENT},
    "sanmatsuri-2026": {"pao_part", "nagashi_closed", "extra_hands", "kita_turns_dora", "north_value", *SILENT},
    "wrc-2025": WRC_SILENT,
    "rakkii-nomi-2026": WRC_SILENT,
    "tenhou-yonma": {*NO_DESK, *NO_KITA},
    "tenhou-sanma": NO_DESK,
}


@pytest.mark.parametrize("key", KEYS)
def test_our_own_readings_are_marked_as_ours(key: str) -> None:
    assert {name for name, citation in load_book(key).citations.items() if citation.ours} == OURS[key]


# What of a value with a clause is our own reading.
READINGS = {
    "ema-2016": {"pao"},
    "sanmatsuri-2026": {"kita_ends_first_turn", "ura_dora", "multiple_ron_honba", "substitute", "pao", "nagashi"},
    "rakkii-nomi-2026": {"leftover_deposits", "chombo_points"},
    "mcgill-sanma": {"kita_ends_first_turn", "abortive_draws"},
    "jpml-a": {"pao"},
    "kansai-sanma": {"bust_prize"},
    "m-league": {"ties"},
    "sanma-rule-book": {
        "kita_ends_first_turn", "two_han_whole_wait", "ron_on_whole_wait", "sanrenkou", "toitoi", "sanankou",
        "sankantsu", "shousangen", "honroutou",
    },
}  # fmt: skip


@pytest.mark.parametrize("key", book_keys())
def test_a_value_that_is_partly_ours_says_which_part(key: str) -> None:
    citations = load_book(key).citations
    assert {name for name, each in citations.items() if each.reading} == READINGS.get(key, set())
    assert [name for name, each in citations.items() if each.reading and each.ours] == []


# The clause that a value rests on, for the values that an organiser is asked about most.
CLAUSES = [
    ("ema-2025", "double_wind_pair_fu", "E25 4.1.1"),
    ("ema-2025", "kiriage_mangan", "E25 4.1.2, 4.1.3"),
    ("ema-2025", "multiple_ron_honba", "E25 3.4.4"),
    ("ema-2025", "multiple_ron_deposits", "E25 3.3.10, 4.1"),
    ("ema-2025", "pao", "E25 3.3.7"),
    ("ema-2025", "chombo_points", "E25 3.4.6"),
    ("ema-2025", "leftover_deposits", "E25 3.7"),
    ("ema-2025", "deposit_back_on_ron", "E25 3.3.10"),
    ("sanmatsuri-2026", "uma", "S0: Standing Bonus"),
    ("sanmatsuri-2026", "north_share", "S0: Tsumo Scoring"),
    ("sanmatsuri-2026", "honba_ron", "S0: Honba Payments"),
    ("sanmatsuri-2026", "noten_pool", "S0: Noten Payments"),
    ("sanmatsuri-2026", "nagashi", "S0: Nagashi Mangan"),
    ("sanmatsuri-2026", "chombo_points", "E25 3.4.6"),
    ("wrc-2025", "limits", "WRC 2025 11.2"),
    ("wrc-2025", "kiriage_mangan", "WRC 2025 13.4"),
    ("wrc-2025", "leftover_deposits", "WRC 2025 10.2"),
    ("wrc-2025", "pao", "WRC 2025 9.1.1"),
    ("wrc-2025", "chombo_points", "WRC 2025 12.2"),
    ("rakkii-nomi-2026", "red_fives", "RK 2.1"),
    ("rakkii-nomi-2026", "leftover_deposits", "RK 2.2"),
    ("rakkii-nomi-2026", "multiple_ron", "RK 2.3"),
    ("rakkii-nomi-2026", "multiple_ron_honba", "RK 2.3"),
    ("rakkii-nomi-2026", "multiple_ron_deposits", "RK 2.3"),
    ("rakkii-nomi-2026", "nagashi", "RK 3.1"),
    ("rakkii-nomi-2026", "chombo_points", "RK 4"),
    ("sanma-rule-book", "riichi_short", "S4 12 Riichi"),
    ("sanma-rule-book", "riichi_tiles_left", "S4 9.4"),
    ("sanma-rule-book", "ron_on_whole_wait", "S4 9.3"),
    ("sanma-rule-book", "whole_wait_yaku", "S4 12"),
    ("sanma-rule-book", "two_han_whole_wait", "S4 11"),
]


@pytest.mark.states("clauses")
@tabled("key, name, clause", CLAUSES)
def test_the_clause_is_the_right_one(key: str, name: str, clause: str) -> None:
    citation = load_book(key).citations[name]
    assert (citation.text.startswith(clause), citation.ours) == (True, False)


@pytest.mark.parametrize("key", ["wrc-2025", "rakkii-nomi-2026"])
def test_a_section_that_no_source_names_is_marked_as_inferred(key: str) -> None:
    inferred = {name for name, citation in load_book(key).citations.items() if "(section inferred)" in citation.text}
    assert {"uma", "oka", "ties", "bust", "agari_yame", "abortive_draws"} < inferred
    assert inferred & {"limits", "pao", "leftover_deposits", "noten_pool", "chombo_points", "multiple_ron"} == set()
