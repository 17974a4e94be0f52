"""The stylesheet's promises: contrast in both schemes, and no page that needs an inline style or script."""

import re

import pytest

from bootstrap import REPO as ROOT
from tournament.pages.static_files import STYLE, read_static

CSS = read_static(ROOT / "static" / STYLE).decode()
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*.html") if "pdf" not in path.parts)

GROUNDS = ("ground", "surface", "sunk")
WASHES = ("felt-wash", "red-wash", "amber-wash")
TEXT = [
    *((ink, on) for ink in ("ink", "soft", "felt", "felt-hover", "red", "amber") for on in (*GROUNDS, *WASHES)),
    ("on-felt", "felt"), ("on-felt", "felt-hover"), ("on-bar", "bar"), ("bar-soft", "bar"),
    ("tile-ink", "tile"), ("tile-red", "tile"),
]  # fmt: skip
EDGES = [
    *((edge, on) for edge in ("edge", "focus", "felt", "red", "amber") for on in (*GROUNDS, *WASHES)),
    ("bar-line", "bar"), ("bar-focus", "bar"),
]  # fmt: skip


def tokens(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))


LIGHT = tokens(CSS.partition(":root {")[2].partition("}")[0])
DARK = LIGHT | tokens(CSS.partition("(prefers-color-scheme: dark)")[2].partition("}")[0])


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("pairs", "least"), [(TEXT, 4.5), (EDGES, 3.0)], ids=["text", "edges"])
def test_contrast(scheme: dict[str, str], pairs: list[tuple[str, str]], least: float) -> None:
    weak = {pair: round(contrast(scheme[pair[0]], scheme[pair[1]]), 2) for pair in pairs}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < least} == {}


def test_no_template_needs_an_inline_style_or_script() -> None:
    inline = re.compile(r"\sstyle=|\son[a-z]+=|<style|<script(?![^>]*\bsrc=)|javascript:")
    found = {path.name: inline.findall(path.read_text(encoding="utf-8")) for path in TEMPLATES}
    assert len(TEMPLATES) > 100
    assert {name: what for name, what in found.items() if what} == {}


def test_how_much_a_field_takes_is_said_by_the_code_that_takes_it() -> None:
    """Small numbers are widths: the digits of a table, the letters of a code."""
    literal = re.compile(r'maxlength="(?:[5-9]\d|\d{3,})"|<input[^>]* max="\d{3,}"')
    found = {path.name: literal.findall(path.read_text(encoding="utf-8")) for path in TEMPLATES}
    assert {name: lengths for name, lengths in found.items() if lengths} == {}
