"""Where rules come from, in every language: descriptions of books, notes and clauses are translated, numbers kept."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from rules.books import book_keys, load_book
from rules.foul_books import FOULS, read_fouls
from rules.procedure import procedure_of
from scripts.catalogues import LANGUAGES
from tournament.text.rules import say_source

# what parts thousands, and the words of 2 to 14
THOUSANDS = {"en": ",", "ja": ",", "de": r"\.", "fr": "\N{NARROW NO-BREAK SPACE}"}
WORDS = {
    "en": "two three four five six seven eight nine ten eleven twelve thirteen fourteen",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze",
    "ja": "",  # 二 stands in a term as in 二盃口
}
VALUES = {code: dict(zip(words.split(), range(2, 15), strict=False)) for code, words in WORDS.items()}
VALUES["en"] |= {"both": 2, "fives": 5}


def notes() -> Iterator[str]:
    """Yield the descriptions of all books, and what of their rules and fouls is our own reading."""
    for book in map(load_book, book_keys()):
        cited = (*book.citations.values(), *procedure_of(book.ruleset).citations.values())
        yield from (book.source, *(each.text if each.ours else each.reading for each in cited))
    for file in map(read_fouls, FOULS.glob("*.toml")):
        yield from (file.derived, *(row.penalty.ours for row in file.rows.values()))


def clauses() -> Iterator[str]:
    for book in map(load_book, book_keys()):
        yield from (each.text for each in book.citations.values() if not each.ours)


def digits(text: str, code: str) -> Counter[int]:
    """Count the numbers that are written in digits.

    >>> digits("E25 7.4: 1.000 von 20.000", "de") == Counter([25, 7, 4, 1000, 20000])
    True
    """
    joined = re.sub(rf"(?<=\d){THOUSANDS[code]}(?=\d{{3}}(?![\d.]))", "", text)
    return Counter(map(int, re.findall(r"\d+", joined)))


def words(text: str, code: str) -> Counter[int]:
    return Counter(VALUES[code][word] for word in re.findall(r"\w+", text.casefold()) if word in VALUES[code])


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_note_is_translated(code: str) -> None:
    with override(code):
        assert [each for each in set(notes()) if each and say_source(each) == each] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translated_source_has_the_numbers_of_the_english_one(code: str) -> None:
    wrong = []
    with override(code):
        for text in {*notes(), *clauses()}:
            told = say_source(text)
            least, most = digits(text, "en"), digits(text, "en") + words(text, "en")
            spelled = digits(told, code) + words(told, code)
            if not least <= digits(told, code) <= spelled <= most:
                wrong.append((text, told))
    assert wrong == []


PIECES = ("a", "B 1", ": ", "; as in ", " (", ")", " (section inferred)", "\n")


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_an_untranslated_source_stays_as_it_was_typed(text: str) -> None:
    with override("en-gb"):
        assert say_source(text) == text


def test_the_words_of_a_clause_are_translated_and_its_place_is_not() -> None:
    with override("de"):
        assert say_source("WRC 2025 8.9: even with no tile left") == "WRC 2025 8.9: auch ohne verbleibenden Stein"
        assert say_source("S0: North Winds") == "S0: North Winds"
        assert say_source("S0: Calls") == "S0: Calls", "the heading of an event's own document is quoted"
