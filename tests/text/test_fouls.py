"""Fouls in the reader's language, with the numbers of the rule set, found by English words as well."""

import re

import pytest
from django.utils.translation import override

from rules.books import load
from rules.foul_books import catalogue, catalogue_keys
from rules.fouls import find
from tests.table_test import tabled
from tournament.text.fouls import say_foul, say_fouls

LANGUAGES = ("de", "fr", "ja")


@tabled(
    "language, text, told",
    [
        ("de", "Late by up to 10 minutes", "Bis zu 10 Minuten verspätet"),
        ("fr", "Late by 1 to 7 minutes", "Retard de 1 à 7 minutes"),
        ("ja", "Late by more than 15 minutes", "15分を超える遅刻"),
        ("de", "Least number of tiles: 4.", "Mindestzahl der Steine: 4."),
        ("it", "Late by up to 10 minutes", "Late by up to 10 minutes"),
        ("de", "Late by up to ten minutes", "Late by up to ten minutes"),
        ("de", "", ""),
    ],
)
def test_the_numbers_of_the_rule_set_are_in_the_translation(language: str, text: str, told: str) -> None:
    with override(language):
        assert say_foul(text) == told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", catalogue_keys())
def test_nothing_of_a_book_stays_in_english_and_its_numbers_stay(key: str, language: str) -> None:
    written = catalogue(load(key))
    with override(language):
        told = say_fouls(written)
        pairs = [(foul.what, other.what) for foul, other in zip(written.fouls, told.fouls, strict=True)]
        for name, penalty in written.penalties.items():
            pairs.append((penalty.note, told.penalties[name].note))
            if penalty.clause.startswith("rules"):  # no book's
                pairs.append((penalty.clause, told.penalties[name].clause))
            cases = zip(penalty.cases, told.penalties[name].cases, strict=True)
            pairs += [(case.when, other.when) for case, other in cases]
    for english, words in pairs:
        assert words != english or english in ("", "Obstruction")  # the same word in French
        assert sorted(re.findall(r"\d+", re.sub(r"(?<=\d)\D(?=\d{3})", "", words))) == sorted(
            re.findall(r"\d+", re.sub(r"(?<=\d),(?=\d{3})", "", english))
        )


@tabled(
    "language, asked",
    [
        ("de", "tsumo nach"),
        ("de", "tsumo after disc"),
        ("fr", "tsumo defausse"),
        ("ja", "打牌後のツモ"),
        ("en", "tsumo after"),
    ],
)
def test_a_foul_is_found_by_its_words_in_both_languages(language: str, asked: str) -> None:
    with override(language):
        assert find(say_fouls(catalogue("wrc-2025")), asked)[0].key == "tsumo_after_discard"
