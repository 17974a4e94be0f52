"""Fouls that a book lists, or does not, by a rule that its source states: statements.toml names the row."""

import pytest

from rules.foul_books import catalogue
from tests.rules.expected_values import stated
from tests.table_test import tabled

# book | foul | what its words, its note and its clause say, or `=` its penalty; `-` where the book does not list it
LISTED = """
sanmatsuri-2026  | kita_furiten             | -
sanmatsuri-2026  | kita_after_pon           | Kita straight after a pon
sanmatsuri-2026  | kita_after_pon           | After a kan it is allowed.
sanmatsuri-2026  | kita_after_pon           | = referee
sanmatsuri-2026  | kita_in_riichi           | a North that was not just drawn
sanmatsuri-2026  | kita_in_riichi           | = referee
sanmatsuri-2026  | kita_no_tile             | no tile left to draw
sanmatsuri-2026  | kita_no_tile             | = referee
sanmatsuri-2026  | chii_called              | S0: Calls
sanmatsuri-2026  | chii_called              | = nothing, again referee
sanmatsuri-2026  | late                     | = points 1P a minute to 10
sanmatsuri-2026  | late_over                | = substitute
sanmatsuri-2026  | all_last_sheet           | = points 8P
sanmatsuri-2026  | report_sheet             | = points 2P from each
sanmatsuri-2026  | empty_win_shown          | = chombo 20P
ema-2016         | riichi_furiten           | -
ema-2016         | riichi_no_tile           | Least number of tiles: 4.
ema-2016         | riichi_no_tile           | = void_call+deposit_back
ema-2016         | riichi_invalid_ankan     | S1 3.3.14
ema-2016         | riichi_invalid_ankan     | = chombo 20P
ema-2016         | riichi_discard_from_hand | = chombo 20P
ema-2016         | last_discard_called      | Nor is a closed kan declared on the last tile.
ema-2016         | last_discard_called      | = nothing, again referee
ema-2016         | empty_win_shown          | = chombo 20P
rakkii-nomi-2026 | ron_on_ankan_no_orphans  | Thirteen orphans may rob it.
rakkii-nomi-2026 | ron_on_ankan_no_orphans  | = chombo 20P
rakkii-nomi-2026 | ron_on_ankan             | -
rakkii-nomi-2026 | empty_win_shown          | = chombo 20P
mcgill-sanma     | kita_furiten             | -
mcgill-sanma     | kita_in_riichi           | a North that was not just drawn
mcgill-sanma     | kita_in_riichi           | = referee
mcgill-sanma     | chii_called              | = nothing, again referee
sanma-rule-book  | kita_furiten             | The player's own kita counts as a discard.
sanma-rule-book  | kita_furiten             | = chombo 20P
sanma-rule-book  | kita_after_pon           | in the player's own turn only, after a draw
sanma-rule-book  | kita_after_pon           | = referee
sanma-rule-book  | chii_called              | = nothing, again referee
sanma-rule-book  | ron_on_ankan_no_orphans  | Thirteen orphans may rob it.
sanma-rule-book  | ron_on_ankan_no_orphans  | = chombo 20P
sanma-rule-book  | kan_dora_wrong_time      | At once for a concealed kan, after the discard for an open one.
sanma-rule-book  | kan_dora_wrong_time      | = fix
sanma-rule-book  | kan_dora_late            | -
sanma-rule-book  | riichi_no_tile           | Least number of tiles: 3.
sanma-rule-book  | riichi_no_tile           | = void_call+deposit_back
sanma-rule-book  | riichi_discard_from_hand | = chombo 20P
sanma-rule-book  | riichi_invalid_ankan     | S4 12
sanma-rule-book  | riichi_invalid_ankan     | = chombo 20P
sanma-rule-book  | riichi_open_hand         | = deposit_back+dead_hand
"""
ROWS = [tuple(cell.strip() for cell in line.split("|")) for line in LISTED.strip().splitlines()]


@pytest.mark.states("listed")
@tabled("book, foul, words", ROWS)
def test_a_foul_is_listed_as_the_source_has_it(book: str, foul: str, words: str) -> None:
    found = catalogue(book)
    assert (foul in found.penalties) is (words != "-")
    if words == "-":
        return
    penalty = found.penalties[foul]
    if words.startswith("= "):
        chombo = f" {penalty.cases[0].points / 1000:g}P" if penalty.cases[0].event_chombo else ""
        assert f"= {stated(penalty)}{chombo}" == words
        return
    what = next(each.what for each in found.fouls if each.key == foul)
    assert words in f"{what} | {penalty.note} | {penalty.clause}"
