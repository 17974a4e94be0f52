"""The fouls of EMA 2025 against a list written here by hand from its chapters, and what SanMatsuri adds."""

import dataclasses

import pytest

from rules.foul_books import catalogue
from tests.rules.expected_values import cells_of, stated
from tests.table_test import tabled

# ---------------------------------------------------------------- EMA

# foul | clause | penalty, as tests/rules/expected_values.py writes it. A minor error (6.1.1) costs nothing; repeated,
# the referee may give points or a dead hand. Nothing here is computed from the catalogue.
TABLE = """
## Tiles shown
shown_before_start | 6.2 | overlooked: nothing; needed: redeal
shown_few | 6.2, 6.1.1 | nothing, again referee
shown_many | 6.2 | by_fault: chombo; no_fault: redeal
## Number of tiles
wrong_tile_count | 6.3 | dead_hand
## Drawing
draw_wrong_place | 6.4.1, 6.1.1 | fix, again referee
draw_dead_wall | 6.4.1 | chombo
draw_from_opponent | 6.4.2 | chombo
draw_out_of_turn | 6.4.3 | dead_hand
drawn_tile_mixed_in | 6.4.4, 6.1.1 | harmless: nothing, again referee; unknown_tile: dead_hand
draw_too_fast | 6.4.5 | dead_hand
## Calls
called_tile_not_taken | 6.5.1 | dead_hand
empty_call | 6.5.2, 6.1.1 | nothing, again referee
empty_win_voice | 6.5.2 | dead_hand
empty_win_shown | 6.5.2, 6.8 | chombo
win_word_confused | 6.5.3, 6.1.1 | nothing, again referee
win_call_changed | 6.5.4 | voice: dead_hand; shown: chombo
invalid_group_after_discard | 6.5.5 | dead_hand
swap_call_after_discard | 6.5.6 | dead_hand
tsumo_after_discard | 6.8 | voice: dead_hand; shown: chombo
call_with_dead_hand | 6.9 | chombo
## Riichi
empty_riichi | 6.5.2, 6.6 | deposit_back+dead_hand
riichi_open_hand | 6.5.2, 6.6 | deposit_back+dead_hand
riichi_not_declared | 6.5.2, 6.6 | deposit_back+dead_hand
riichi_no_deposit | 6.6 | nothing
riichi_no_tile | 6.6 | void_call+deposit_back
noten_riichi | 6.6.2, 3.3.14 | chombo
riichi_invalid_ankan | 6.7.1 | chombo
riichi_drawn_tile_touches_hand | 6.7.2 | nothing, again dead_hand
riichi_discard_from_hand | 6.7.3 | chombo
riichi_then_call | 6.7.4 | taken_back: dead_hand; stood: chombo
## Winning and the end of the hand
tsumo_tile_mixed_in | 6.8 | nothing
tenpai_out_of_order | 3.4.2 | nothing
false_noten | 3.4.2 | legal
## Score sheets
all_last_sheet | 6.10 | points 8P
report_sheet | 7.5 | points 2P from each
unsigned_sheet | 7.5 | points+referee 2P
## Conduct
passing_information | 6.11, 6.1.1 | nothing, again referee
obstruction | 6.12 | first: points+referee 8P to 12P; serious: points+referee 12P to 48P; on_and_on: disqualification
phone | 7.1 | points+referee
cheating | 6.12 | disqualification
## Late or missing
late | 7.2 | points 1P a minute to 10
late_over | 7.3 | substitute
"""
ROWS = [(section, *cells) for section, cells in cells_of(TABLE)]


def test_the_list_of_ema_has_these_fouls_in_this_order() -> None:
    found = [(foul.section_title, foul.key) for foul in catalogue("ema-2025").fouls]
    assert found[: len(ROWS)] == [row[:2] for row in ROWS]
    assert {title for title, _key in found[len(ROWS) :]} == {"By the rules of the table"}


@pytest.mark.states("foul_ema")
@tabled("section, key, clause, penalty", ROWS)
def test_every_penalty_of_ema_is_that_of_the_list(section: str, key: str, clause: str, penalty: str) -> None:
    found = catalogue("ema-2025").penalties[key]
    assert (found.clause, stated(found)) == (f"E25 {clause}", penalty)


@pytest.mark.states("chombo_ema")
def test_a_chombo_of_ema_costs_20000() -> None:  # E25 3.4.6
    cases = [case for penalty in catalogue("ema-2025").penalties.values() for case in penalty.cases]
    assert {case.points for case in cases if "chombo" in case.acts} == {20_000}


# ---------------------------------------------------------------- sanma


def test_sanmatsuri_takes_over_all_of_ema() -> None:
    sanma, ema = catalogue("sanmatsuri-2026"), catalogue("ema-2025")
    assert sanma.fouls[: len(ROWS)] == ema.fouls[: len(ROWS)]
    for key, penalty in ema.penalties.items():
        assert dataclasses.replace(sanma.penalties[key], note=penalty.note) == penalty
        assert sanma.penalties[key].note.startswith(penalty.note)


def test_the_notes_of_sanma() -> None:
    sanma, ema = catalogue("sanmatsuri-2026"), catalogue("ema-2025")
    noted = {key for key, penalty in ema.penalties.items() if sanma.penalties[key].note != penalty.note}
    assert noted == {
        "wrong_tile_count",
        "draw_wrong_place",
        "draw_dead_wall",
        "empty_call",
        "riichi_then_call",
        "late_over",
    }


# What S0 forbids without a price, and the false tenpai that no book of this event prices: never points by itself.
SANMA = {
    "kita_after_pon": ("S0: North Winds", "referee"),
    "kita_in_riichi": ("S0: North Winds", "referee"),
    "kita_no_tile": ("S0: North Winds", "referee"),
    "chii_called": ("S0: Calls; E25 6.5.2, 6.1.1", "nothing, again referee"),
    "false_tenpai": ("E25 6.1.1", "nothing, again referee"),
}


@pytest.mark.states("foul_sanma")
def test_what_no_source_prices_costs_nothing_by_itself_and_says_so() -> None:
    sanma, ema = catalogue("sanmatsuri-2026"), catalogue("ema-2025")
    own = {foul.key: sanma.penalties[foul.key] for foul in sanma.fouls if foul.key not in ema.penalties}
    assert {key: (penalty.clause, stated(penalty)) for key, penalty in own.items()} == SANMA
    assert [key for key, penalty in own.items() if not penalty.ours] == []
