"""One spelling for each mahjong term, in code, books, templates and docs: that of docs/developer/glossary.md."""

import re
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest

from bootstrap import REPO
from rules.ruleset import AbortiveDraw, LiableYakuman
from scoring.entries import KINDS
from scoring.shorthand import ABORTS
from scoring.value import LIMIT_NAMES

pytestmark = pytest.mark.whole_run

GLOSSARY = REPO / "docs" / "developer" / "glossary.md"
ROOMS = ("rules", "scoring", "tournament", "web", "templates", "static", "docs")
KINDS_OF_FILE = {".py", ".toml", ".html", ".js", ".css", ".md", ".txt"}
ROW = re.compile(r"^\| `(?P<term>[a-z_]+)` \|.*\| (?P<never>[^|]*)\|$", re.MULTILINE)
# Files whose words are those of a format that others made.
OTHERS = {REPO / "tournament" / "online_logs" / "readers.py", REPO / "docs" / "developer" / "online-logs.md"}
# Rulings are found by every word that a player may use.
OTHERS |= set((REPO / "rules" / "books" / "rulings").glob("*.toml"))
# The kinds of entries that are plain English, or short for a term.
PLAIN = {"draw", "abort", "correction", "totals", "nagashi"}


def glossary() -> dict[str, set[str]]:
    """Return each term with the spellings that it never has."""
    text = GLOSSARY.read_text(encoding="utf-8")
    return {row["term"]: set(re.findall(r"`([a-z]+)`", row["never"])) for row in ROW.finditer(text)}


TERMS = glossary()
WORDS = {word for term in TERMS for word in term.split("_")}
NEVER = {spelling for spellings in TERMS.values() for spelling in spellings}


def files() -> Iterator[Path]:
    """Yield the files that we write ourselves."""
    for room in ROOMS:
        for path in sorted((REPO / room).rglob("*")):
            ours = (
                path.suffix in KINDS_OF_FILE and path != GLOSSARY and path not in OTHERS and "vendor" not in path.parts
            )
            if ours and path.is_file():
                yield path
    yield from (REPO / name for name in ("README.md", "CHANGELOG.md") if (REPO / name).exists())


def words_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, word) for every word, parts of snake_case and camelCase names apart, in small letters."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", line):
            yield number, word.lower()


def test_no_spelling_is_used_that_the_glossary_refuses() -> None:
    wrong = [(str(path), number, word) for path in files() for number, word in words_of(path) if word in NEVER]
    assert wrong == []


def test_every_term_of_the_code_is_in_the_glossary() -> None:
    used = {*typing.get_args(AbortiveDraw), *typing.get_args(LiableYakuman), *LIMIT_NAMES, *ABORTS.values()}
    assert used | (set(KINDS) - PLAIN) <= set(TERMS)
    assert set(typing.get_args(AbortiveDraw)) == set(ABORTS.values())


# The contract's list of yaku names.
YAKU = """
riichi double_riichi ippatsu menzen_tsumo pinfu iipeikou tanyao haku hatsu chun rinshan chankan haitei houtei chiitoitsu
sanshoku_doujun sanshoku_doukou ittsu chanta toitoi sanankou sankantsu shousangen honroutou honitsu junchan ryanpeikou
chinitsu renhou nagashi_mangan kokushi_musou chuuren_poutou tenhou chiihou suuankou suukantsu ryuuiisou chinroutou
tsuuiisou daisangen shousuushii daisuushii sanrenkou daisharin paarenchan
"""


def test_every_yaku_of_the_contract_is_in_the_glossary() -> None:
    assert set(YAKU.split()) <= set(TERMS)


def test_the_glossary_does_not_contradict_itself() -> None:
    rows = ROW.findall(GLOSSARY.read_text(encoding="utf-8"))
    lines = [line for line in GLOSSARY.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert len(rows) == len(lines) == len(TERMS)
    assert NEVER.isdisjoint(WORDS)
