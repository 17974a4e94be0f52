"""The fouls of WRC 2025 and Rakkii Nomi 2026 against their table of penalties, written here by hand from the document.

Nothing in the table is computed from a catalogue. A row that differs means that one of the two is wrong: look the
clause up before mending either.
"""

import dataclasses
from collections import Counter
from typing import NamedTuple

import pytest

from rules.books import load
from rules.foul_books import catalogue
from rules.fouls import find
from tests.rules.expected_values import cells_of, stated
from tests.table_test import tabled

# foul | words of the document's row | chapter of WRC 2025 | official penalty | lower penalty, "=" where it is the same;
# penalties as tests/rules/expected_values.py writes them.
TABLE = """
## Shuffling and drawing
# minor slips and tiles kept apart: printed "not penalized"; chapter 12.3.1 has them put right
deal_small | errors occurring during deal minor | 12.3.1 (1) | fix | =
deal_big | errors occurring during deal too important to overlook | 12.3.1 (1) | redeal | =
early_discard | east player discards before every player has drawn their tiles | 12.3.1 (1) | \
before_south: warning; after_south: chombo | =
wrong_tile_count | too many or few tiles | 12.3.1 (2) | chombo 30P | dead_hand
called_tile_not_taken | not taking called tile | 12.3.1 (2) | chombo 30P | dead_hand
draw_out_of_turn_apart | wrongly drawing tile out of turn not put into hand | 12.3.1 (3) | fix | =
draw_out_of_turn_mixed | wrongly drawing tiles out of turn put into hand | 12.3.1 (3) | chombo 30P | dead_hand
draw_wrong_place_apart | wrongly drawing tiles wrong place not put into hand | 12.3.1 (3) | fix | =
draw_wrong_place_mixed | wrongly drawing tiles wrong place put into hand | 12.3.1 (3) | chombo 30P | dead_hand
# both cells are empty, and so is the chapter: the referee decides
draw_from_opponent | wrongly drawing tiles from opponent hand | 12.3.1 (3) | referee | =
tiles_revealed | wrongly revealing tiles | 12.3.1 (4) | \
few: warning, again points 5P; some: dead_hand; many: chombo 30P | referee
wall_destroyed | destroying wall hands before win or exhaustive draw | 12.3.1 (4) | (chombo 30P) | (chombo 20P)
drawn_tile_mixed_in | mixing drawn tile into hand before discarding prevents to correct mistake | 12.3.1 (3) | \
(chombo 30P) | (dead_hand)
## Speed of play
draw_too_fast_apart | drawing too fast tile not put into hand | 12.3.2 (1) | nothing | =
draw_too_fast_mixed | drawing too fast and mixing tile into hand | 12.3.2 (1) | nothing | =
draw_too_fast_tsumo | drawing too fast and declaring tsumo | 12.3.2 (1) | nothing | =
call_too_fast | calling too fast sequence | 12.3.2 (2) | nothing | =
call_too_late | calling too late triplet called quad | 12.3.2 (2) | nothing | =
early_discard_before_south | hand start east discards before deal spotted before south draws | 12.3.1 (1) | warning | =
early_discard_after_south | hand start east discards before deal spotted after south draws | 12.3.1 (1) | chombo | =
## Calls and declarations
empty_call | empty call for group | 12.3.3 (1) | dead_hand | =
empty_ankan | empty concealed quad declaration | 12.3.3 (1) | dead_hand | =
empty_riichi | empty riichi declaration | 12.3.3 (1) | dead_hand | =
empty_win_voice | empty call for win vocal only | 12.3.3 (1) | chombo 30P | dead_hand
empty_win_shown | empty call for win showing hand | 12.3.3 (1) | chombo 30P | chombo
tsumo_after_discard | tsumo win after discarding | 12.3.3 (1) | (chombo 30P) | (voice: dead_hand; shown: chombo)
call_changed | changing call | 12.3.3 (1) | warning | =
call_confusing | confusing call | 12.3.3 (2) | warning | =
call_silent | silent call | 12.3.3 (2) | warning | =
call_with_dead_hand_unaware | calling when having dead hand not formally declared | 12.3.3 (3) | \
warning+void_call+dead_hand | =
call_with_dead_hand | calling when having dead hand formally declared | 12.3.3 (3) | \
void_call+points 30P | void_call+points 20P
# lower: printed as points alone; by 12.2 there is no win with a dead hand
win_with_dead_hand_voice | calling for win when having dead hand vocal only | 12.3.3 (3) | \
chombo 30P | void_call+points 20P
win_with_dead_hand_shown | calling for win when having dead hand showing hand | 12.3.3 (3) | chombo 30P | chombo 20P
## Melds
invalid_group_before_discard | invalid group before discarding | 12.3.4 (1) | fix | =
invalid_group_after_discard | invalid group after discarding | 12.3.4 (1) | dead_hand | fix+warning
invalid_quad_after_discard | invalid quad after discarding | 12.3.4 (1) | chombo 30P | chombo 20P
swap_call_before_discard | swap calling before discarding | 12.3.4 (2) | fix | =
swap_call_after_discard | swap calling after discarding | 12.3.4 (2) | dead_hand | =
called_tile_misplaced | wrong placement of called tile | 12.3.4 (3) | nothing | =
## Riichi
riichi_not_said | not saying riichi | 12.3.5 (1) | warning | =
riichi_not_rotated | forgetting to rotate discarded tile | 12.3.5 (2) | warning | =
riichi_no_deposit | no deposit | 12.3.5 (1) | warning | =
riichi_few_tiles | less than four tiles left in wall | 8.9 | legal | =
riichi_no_tile | no tile in wall | 8.9, 8.4 | legal | =
noten_riichi | noten riichi win or draw | 12.3.5 (3) | chombo 30P | chombo 20P
noten_riichi_dead_hand | noten riichi solely due to dead hand penalty | 12.3.5 (3) | nothing | =
riichi_open_hand | declaring riichi on open hand | 12.3.5 (4) | deposit_back+dead_hand | =
riichi_then_call | calling while in riichi except concealed quad | 12.3.5 (5) | void_call+dead_hand | =
riichi_drawn_tile_touches_hand | drawn tile touching hand | 12.3.5 (6) | (dead_hand) | =
riichi_discard_from_hand | discarding tile from hand | 12.3.5 (6) | dead_hand | =
riichi_discard_from_hand_draw | discarding tile from hand ends in draw | 12.3.5 (6) | chombo 30P | chombo 20P
riichi_invalid_ankan | invalid concealed quad win or draw | 12.3.5 (7) | chombo 30P | chombo 20P
riichi_dead_hand_foul | while in riichi committing foul that would give dead hand penalty | 12.3 | (dead_hand) | =
## End of the hand
tsumo_tile_mixed_in | tsumo win after putting tile in hand | 12.3.6 (1), 11.1 | warning | =
end_confusing | confusing win tenpai declaration | 12.3.6 (2) | nothing | =
draw_after_end_apart | drawing after end of hand keeping tile apart | 12.3.6 (3) | warning | =
draw_after_end_mixed | drawing after end of hand mixing tile | 12.3.6 (3) | dead_hand | =
# printed as a warning alone; by 12.3.6 (3) the call does not count
call_after_end | calling win after end of hand | 12.3.6 (3) | warning+void_call | =
tenpai_early_voice | declaring tenpai noten before end vocal only | 12.3.6 (4) | \
alone: dead_hand; others_showed: chombo 30P | =
tenpai_early_shown | declaring tenpai before end showing hand | 12.3.6 (4) | chombo 30P | =
noten_early_hidden | declaring noten before end hiding hand | 12.3.6 (4) | \
(alone: dead_hand; others_showed: chombo 30P) | =
tenpai_out_of_order | declaring tenpai noten out of order | 12.3.6 (5) | nothing | =
tenpai_silent | silent tenpai noted declaration | 12.3.6 (6) | legal | =
false_tenpai | declaring tenpai when being noten | 12.3.6 (7) | warning, again points 5P | =
false_noten | declaring noten when being tenpai | 12.3.6 (7), 9.2 | legal | =
tenpai_changed | changing tenpai noten declaration | 12.3.6 (8) | warning | =
## Score sheets
all_last_sheet | incorrect all last sheet | 12.3.7 (1) | points 8P | =
report_sheet | incorrect report sheet | 12.3.7 (2) | points 2P from each | =
# the document names no chapter
unsigned_sheet | unsigned report sheet | 12.3.7 | (nothing) | =
## Obstruction and cheating
obstruction | obstruction | 12.3.8 (1) | referee | =
foreign_objects | foreign objects | 12.3.8 (2) | referee | =
phone | phone ringing | 12.3.8 (2) | (referee) | referee
passing_information | passing information | 12.3.8 (3) | referee | =
cheating | cheating | 12.3.8 (4) | disqualification | =
## Late or missing
late | late by 1 to 10 min | 12.3.9 (1) | points 1P a minute to 10 | =
late_over | late by more than 10 min | 12.3.9 (2) | points+substitute 30P | =
forfeit | forfeiting hanchan | 12.3.9 (2) | \
forfeited: points+substitute 30P; on_purpose: substitute+disqualification | points+substitute 30P
break | taking break | 12.3.9 (4) | referee | =
"""


class Row(NamedTuple):
    """A row of the table: its section, and its five cells; `lower` in full."""

    section: str
    key: str
    words: str
    chapter: str
    official: str
    lower: str


ROWS = [
    Row(section, key, words, chapter, official, official if lower == "=" else lower)
    for section, (key, words, chapter, official, lower) in cells_of(TABLE)
]


BY_RULES = "By the rules of the table"  # the section of fouls that the document's table does not have

# ---------------------------------------------------------------- penalties


def test_the_table_has_as_many_rows_as_the_document() -> None:
    assert list(Counter(row.section for row in ROWS).values()) == [13, 7, 13, 6, 14, 13, 3, 5, 4]


@pytest.mark.parametrize("key", ["wrc-2025", "rakkii-nomi-2026"])
def test_every_row_of_the_table_is_a_foul_section_by_section(key: str) -> None:
    found = [(foul.section_title, foul.key) for foul in catalogue(key).fouls if foul.section_title != BY_RULES]
    assert found == [(row.section, row.key) for row in ROWS]


@pytest.mark.states("foul")
@tabled("row", ROWS)
def test_every_penalty_is_the_one_of_its_column(row: Row) -> None:
    fouls = catalogue("rakkii-nomi-2026")
    assert (stated(fouls.official[row.key]), stated(fouls.penalties[row.key])) == (row.official, row.lower)


@pytest.mark.states("official")
def test_the_official_column_is_the_catalogue_of_wrc() -> None:
    fouls, wrc = catalogue("rakkii-nomi-2026"), catalogue("wrc-2025")
    assert (fouls.beside, fouls.official, fouls.fouls[: len(ROWS)]) == (wrc.key, wrc.penalties, wrc.fouls[: len(ROWS)])


def test_the_numbers_of_tiles_revealed_are_the_documents() -> None:
    cases = catalogue("wrc-2025").penalties["tiles_revealed"].cases
    assert [case.when for case in cases] == ["1 or 2 tiles", "3 to 6 tiles", "7 tiles or more"]


@tabled("row", ROWS)
def test_every_clause_is_the_chapter_of_the_row(row: Row) -> None:
    wrc, lower = catalogue("wrc-2025").penalties[row.key], catalogue("rakkii-nomi-2026").penalties[row.key]
    assert (wrc.clause, lower.clause) == (f"WRC 2025 {row.chapter}", f"RK 4, WRC 2025 {row.chapter}")


# What the official cell remarks beside its penalty, and a note of ours says in other words.
REMARKED = """
early_discard early_discard_before_south called_tile_misplaced noten_riichi_dead_hand riichi_discard_from_hand_draw
draw_too_fast_apart draw_too_fast_mixed draw_too_fast_tsumo call_too_fast call_too_late call_changed call_confusing
call_silent riichi_not_said riichi_not_rotated riichi_no_deposit tsumo_tile_mixed_in tenpai_changed
passing_information forfeit break
"""


@tabled("key", REMARKED.split())
def test_what_a_cell_adds_to_its_penalty_is_not_lost(key: str) -> None:
    assert catalogue("rakkii-nomi-2026").penalties[key].note


# ---------------------------------------------------------------- the difference


def test_the_differing_rows_are_marked_and_no_other() -> None:
    fouls = catalogue("rakkii-nomi-2026")
    unlike = [row.key for row in ROWS if row.official.strip("()") != row.lower.strip("()")]
    assert len(unlike) == 19
    assert [foul.key for foul in fouls.fouls if fouls.differs(foul.key)] == unlike


def test_a_chombo_without_amount_in_both_columns_is_no_difference_but_costs_another_amount() -> None:
    fouls = catalogue("rakkii-nomi-2026")
    by_amount = [foul.key for foul in fouls.fouls if fouls.differs_by_chombo(foul.key)]
    assert by_amount == ["early_discard", "early_discard_after_south"]
    same = catalogue(dataclasses.replace(load("rakkii-nomi-2026"), chombo_points=30_000))
    assert [foul.key for foul in same.fouls if same.differs_by_chombo(foul.key)] == []
    dearer = [row.key for row in ROWS if row.lower.strip("()") == "chombo 20P"]
    unlike = [foul.key for foul in fouls.fouls if fouls.differs(foul.key) and foul.key not in dearer]
    assert [foul.key for foul in same.fouls if same.differs(foul.key)] == unlike


# ---------------------------------------------------------------- words


@tabled("row", ROWS)
def test_the_documents_words_find_their_row_whole_and_cut_short(row: Row) -> None:
    fouls = catalogue("rakkii-nomi-2026")
    for text in (row.words, " ".join(word[:5] for word in reversed(row.words.split()))):
        assert row.key in [foul.key for foul in find(fouls, text)][:3], text
