"""Every mishap that is known from other events has a paragraph for organisers and a test in a browser, or says why not.

The list of known mishaps is the table "What goes wrong" of the shared field notes; it is read, never copied.
"""

import re
from pathlib import Path

import pytest

from tests.conftest import absent

REPO = Path(__file__).resolve().parent.parent
PAGE = REPO / "docs" / "organiser" / "during" / "when-something-goes-wrong.md"
# row of the field notes, by how it begins → the paragraph, and the test that tries it in a browser
KNOWN = {
    "one of two players with the same first name": (
        "Two people have names that are alike",
        "test_like_names_are_signed_wherever_one_is_chosen_and_never_merged",
    ),
    "one table result missing": ("A result is missing", "test_a_round_with_a_result_missing_cannot_close"),
    "presumably one person under two spellings": (
        "One person stands in the list twice",
        "test_like_names_are_signed_wherever_one_is_chosen_and_never_merged",
    ),
    "players sat in wrong seats": (
        "Two players of one table sit wrong",
        "test_two_of_one_table_in_each_others_seats_are_replayed_by_name_and_back",
    ),
    "penalty before the start": (
        "A penalty was given before the start",
        "test_a_penalty_before_the_start_breaks_no_draw_and_counts_in_a_draw_by_standing",
    ),
    "penalties ignored by standing-based seating": (
        "A penalty was given before the start",
        "test_a_penalty_before_the_start_breaks_no_draw_and_counts_in_a_draw_by_standing",
    ),
    "24 players, draw for 20": (
        "The players fill no tables",
        "test_players_that_fill_no_tables_are_said_before_the_draw",
    ),
    "seating page empty before the first timer": (
        "Players do not see their seats",
        "test_seats_are_there_as_soon_as_they_are_published_on_phone_wall_and_paper_alike",
    ),
    "sum on one screen": (
        "Two screens show different sums",
        "test_every_view_shows_the_same_sum_where_a_deposit_is_left",
    ),
    "wrong winds in the phone message": (
        "Players do not see their seats",
        "test_seats_are_there_as_soon_as_they_are_published_on_phone_wall_and_paper_alike",
    ),
    "bulk": (
        "The wrong list was imported",
        "test_a_list_that_was_the_wrong_one_is_taken_back_after_a_question",
    ),
    "one wrong result forced re-pairing": (
        "A released result was wrong",
        "test_a_correction_never_reshuffles_a_published_draw",
    ),
    "pairing program failed at the cut": (
        "The desk, the laptop or the network fails",
        "test_paper_is_there_at_every_stage",
    ),
    "score keeper's dispute": ("A player disputes what was typed", "test_the_desk_reads_a_hand_back_before_enter"),
    "start before walls were built": (
        "Walls are not built yet",
        "test_the_desk_names_tables_that_are_not_ready_and_a_bulk_tick_goes_back",
    ),
    "result lists with tied ranks": ("Two players have the same total", "test_ties_and_counts_are_stated"),
}
# rows that no press of a button answers: the paragraph says what to do before the day
BEFORE_THE_DAY = {
    # a desk cannot keep anybody from changing a program in the hall; it can give them something else to try it on
    'pairing fix pushed "live at the venue"': "You want to try it all before",
}


@pytest.fixture(scope="session")
def rows(cases: Path) -> list[str]:
    """Return what happened, row by row, from the table of section 3."""
    notes = cases.parent / "field" / "practice.md"
    if not notes.is_file():
        absent(f"the field notes are not at {notes}")
    section = notes.read_text(encoding="utf-8").split("\n## 3.")[1].split("\n## ")[0]
    table = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("|")]
    return table[2:]


def paragraphs() -> dict[str, str]:
    """Return the paragraphs of the page by their headings."""
    parts = re.split(r"^### (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {
        head: re.split(r"^## ", text, flags=re.MULTILINE)[0].strip()
        for head, text in zip(parts[::2], parts[1::2], strict=True)
    }


def browser_tests() -> set[str]:
    sources = (path.read_text(encoding="utf-8") for path in (REPO / "tests" / "e2e").glob("test_mishaps_*.py"))
    return {name for source in sources for name in re.findall(r"^def (test_\w+)", source, re.MULTILINE)}


def test_every_known_mishap_is_answered_once(rows: list[str]):
    begins = [*KNOWN, *BEFORE_THE_DAY]
    assert len(rows) >= 17
    assert {row: sum(row.startswith(begin) for begin in begins) for row in rows} == dict.fromkeys(rows, 1)
    assert [begin for begin in begins if not any(row.startswith(begin) for row in rows)] == []


def test_every_answer_is_a_paragraph_and_a_test_that_are_there():
    heads, tests = paragraphs(), browser_tests()
    assert [
        head for head in (*(pair[0] for pair in KNOWN.values()), *BEFORE_THE_DAY.values()) if head not in heads
    ] == []
    assert [name for _head, name in KNOWN.values() if name not in tests] == []


def test_every_paragraph_is_short_and_says_the_way_back():
    found = paragraphs()
    assert [head for head, text in found.items() if "\n\n" in text or not text.startswith("**")] == []
    states_a_fact = {
        "Two people have names that are alike",
        "Two screens show different sums",
        "Two players have the same total",
    }
    assert {head for head, text in found.items() if "**Back:**" not in text} == states_a_fact
    assert {head: len(text.split()) for head, text in found.items() if len(text.split()) > 110} == {}


def test_the_list_at_the_top_leads_to_every_paragraph():
    text = PAGE.read_text(encoding="utf-8")
    linked = re.findall(r"\]\(#([a-z0-9-]+)\)", text)
    slugs = [re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-") for head in paragraphs()]
    assert sorted(linked) == sorted(slugs)


def test_the_organisers_index_leads_to_the_page():
    assert f"(during/{PAGE.name})" in (REPO / "docs" / "organiser" / "README.md").read_text(encoding="utf-8")
