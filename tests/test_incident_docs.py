"""Each incident known from other events has a paragraph for organisers and a test in a browser, or says why not."""

import re

from bootstrap import REPO

PAGE = REPO / "docs" / "organiser" / "during" / "when-something-goes-wrong.md"
# what went wrong at an event → the paragraph, and the test that tries it in a browser, or its step
KNOWN = {
    "one of two players with the same first name": (
        "Two people have similar names",
        "sign_like_names",
    ),
    "one table result missing": ("A result is missing", "close_no_round_with_a_result_missing"),
    "presumably one person under two spellings": (
        "One person is in the list twice",
        "sign_like_names",
    ),
    "players sat in wrong seats": (
        "Two players of one table sit wrong",
        "replay_by_name_and_back",
    ),
    "penalty before the start": (
        "A penalty was given before the start",
        "give_a_penalty_before_the_start",
    ),
    "penalties ignored by standing-based seating": (
        "A penalty was given before the start",
        "give_a_penalty_before_the_start",
    ),
    "24 players, draw for 20": (
        "The players do not fill the tables",
        "say_who_would_be_left_over",
    ),
    "seating page empty before the first timer": (
        "Players do not see their seats",
        "test_seats_are_there_once_published_and_paper_at_every_stage",
    ),
    "sum on one screen": (
        "Two screens show different sums",
        "show_the_same_sum_in_every_view",
    ),
    "wrong winds in the phone message": (
        "Players do not see their seats",
        "test_seats_are_there_once_published_and_paper_at_every_stage",
    ),
    "bulk": (
        "The wrong list was imported",
        "take_a_wrong_list_back",
    ),
    "one wrong result forced re-pairing": (
        "A released result was wrong",
        "test_ties_are_stated_and_a_correction_never_reshuffles_a_published_draw",
    ),
    "pairing program failed at the cut": (
        "The desk, the laptop or the network fails",
        "test_seats_are_there_once_published_and_paper_at_every_stage",
    ),
    "score keeper's dispute": ("A player disputes what was typed", "read_back_before_enter"),
    "start before walls were built": (
        "Walls are not built yet",
        "tick_all_ready_and_take_it_back",
    ),
    "result lists with tied ranks": (
        "Two players have the same total",
        "test_ties_are_stated_and_a_correction_never_reshuffles_a_published_draw",
    ),
}
# incidents that no press of a button answers: the paragraph says what to do before the day
BEFORE_THE_DAY = {
    # a desk cannot keep anybody from changing a program in the hall; it can give them something else to try it on
    'pairing fix pushed "live at the venue"': "You want to rehearse",
}


def paragraphs() -> dict[str, str]:
    """Return the paragraphs of the page by their headings."""
    parts = re.split(r"^### (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {
        head: re.split(r"^## ", text, flags=re.MULTILINE)[0].strip()
        for head, text in zip(parts[::2], parts[1::2], strict=True)
    }


def tried() -> set[str]:
    """Return the tests of incidents in a browser, and the steps that they take; a step that nobody takes is none."""
    sources = [path.read_text(encoding="utf-8") for path in (REPO / "tests" / "e2e").glob("test_incidents_*.py")]
    tests = {name for source in sources for name in re.findall(r"^def (test_\w+)", source, re.MULTILINE)}
    steps = {name for source in sources for name in re.findall(r"^def (\w+)", source, re.MULTILINE)}
    taken = {name for source in sources for name in re.findall(r"^ +(\w+)\(", source, re.MULTILINE)}
    return tests | steps & taken


def test_every_answer_is_a_paragraph_and_a_test_that_are_there():
    heads, names = paragraphs(), tried()
    assert [
        head for head in (*(pair[0] for pair in KNOWN.values()), *BEFORE_THE_DAY.values()) if head not in heads
    ] == []
    assert [name for _head, name in KNOWN.values() if name not in names] == []


def test_every_paragraph_is_short_and_says_the_way_back():
    found = paragraphs()
    assert [head for head, text in found.items() if "\n\n" in text or not text.startswith("**")] == []
    states_a_fact = {
        "Two people have similar names",
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
