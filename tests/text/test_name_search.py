"""Names are found by part of them, whatever their accents, folded as in the browser (tests/js/name_filter.test.mjs)."""

import json
from pathlib import Path

import pytest

from tests.table_test import tabled
from tournament.text.names import fold, matches

NAMES = json.loads((Path(__file__).resolve().parents[1] / "js" / "names.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "words"), NAMES)
def test_a_name_folds_as_in_the_browser(name: str, words: list[str]):
    assert fold(name).split() == words
    assert matches(name, name, 7)


@tabled(
    "query, name, found",
    [
        ("mueller", "Jürgen Müller", True),
        ("muller jurgen", "Jürgen Müller", True),
        ("Müller", "Juergen Mueller", True),
        ("Müller juergen", "Jürgen Mueller", True),
        ("oevergaard", "Øvergård", True),
        ("Overgard", "Oevergaard", True),
        ("Måns", "Maans", True),
        ("muel", "Mull", False),
        ("manuel", "Manul", False),
    ],
)
def test_a_name_is_found_with_an_umlaut_as_one_letter_or_two(query, name, found):
    assert matches(query, name, 7) is found
