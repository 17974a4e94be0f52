"""Whether a player may be shown by name, as a column of an imported list says it."""

import pytest

from tests.imports.lists import read_players


@pytest.mark.parametrize("heading", ["Consent", "may be published", "Einwilligung", "consentement", "公開"])
def test_the_column_is_known_in_every_language(heading: str):
    preview = read_players(f"Name,{heading}\nAkelei,no\nBirk,yes\nCyan,\n".encode(), "list.csv")
    assert [draft.shown_by_name for draft in preview.drafts] == [False, True, True]
    assert preview.all_problems == ()


@pytest.mark.parametrize(
    ("given", "shown"), [("Nein", False), ("non", False), ("×", False), ("ja", True), ("OUI", True), ("○", True)]
)
def test_yes_and_no_are_understood_in_every_language(given: str, shown: bool):
    (draft,) = read_players(f"Name,Consent\nAkelei,{given}\n".encode(), "list.csv").drafts
    assert (draft.shown_by_name, draft.problems) == (shown, ())


def test_what_nobody_understands_is_a_no_and_is_told():
    (draft,) = read_players(b"Name,Consent\nAkelei,perhaps\n", "list.csv").drafts
    assert (draft.shown_by_name, [problem.code for problem in draft.problems]) == (False, ["import.consent_unclear"])
    assert draft.is_sound


def test_without_the_column_everybody_is_shown():
    assert [draft.shown_by_name for draft in read_players(b"Name\nAkelei\n", "list.csv").drafts] == [True]
