"""The page of incidents: its list leads to every paragraph, and each paragraph says the way back."""

import re

from bootstrap import REPO

TEXT = (REPO / "docs" / "organiser" / "during" / "when-something-goes-wrong.md").read_text(encoding="utf-8")
PARAGRAPHS = re.findall(r"^### (.+)\n+(.+(?:\n.+)*)", TEXT, re.MULTILINE)
NOTHING_TO_TAKE_BACK = {
    "Two people have similar names", "Two screens show different sums", "Two players have the same total",
}  # fmt: skip


def test_the_list_at_the_top_leads_to_every_paragraph():
    slugs = [re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-") for head, _text in PARAGRAPHS]
    assert sorted(re.findall(r"\]\(#([a-z0-9-]+)\)", TEXT)) == sorted(slugs)


def test_every_paragraph_says_the_way_back():
    assert {head for head, text in PARAGRAPHS if "**Back:**" not in text} == NOTHING_TO_TAKE_BACK
