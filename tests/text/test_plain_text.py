"""Plain text in blocks: what people type becomes paragraphs and lists, and nothing of it is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.text.plain_text import blocks_of

TEXTS = {
    "": [],
    "\n \n": [],
    "one": [("p", ("one",), 1)],
    "one\ntwo\n\nthree": [("p", ("one", "two"), 1), ("p", ("three",), 1)],
    "- a\n* b\n• c": [("ul", ("a", "b", "c"), 1)],
    "・ 携帯電話": [("ul", ("携帯電話",), 1)],
    "2. b\n3) c": [("ol", ("b", "c"), 2)],
    "a\n- b\n1. c\nd": [("p", ("a",), 1), ("ul", ("b",), 1), ("ol", ("c",), 1), ("p", ("d",), 1)],
    "-no sign\n1.5 hours\n– \n2026. is no item, nor is 1234. one": [
        ("p", ("-no sign", "1.5 hours", "–", "2026. is no item, nor is 1234. one"), 1)
    ],
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_becomes_blocks(text: str) -> None:
    assert [(block.kind, block.lines, block.start) for block in blocks_of(text)] == TEXTS[text]


@given(st.text(st.sampled_from("ab -*1.)\n"), max_size=40))
def test_no_letter_is_lost(text: str) -> None:
    kept = "".join(line for block in blocks_of(text) for line in block.lines)
    assert [each for each in kept if each in "ab"] == [each for each in text if each in "ab"]
