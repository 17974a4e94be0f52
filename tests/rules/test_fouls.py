"""The fouls of WRC and Rakkii Nomi against the document's table, read here by other means than the catalogue's files.

A row that is missing, an act or an amount that differs from the document's text fails.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from rules.foul_books import catalogue
from rules.fouls import Catalogue, Penalty, find
from tests.conftest import absent

SECTIONS = {
    "Shuffling and Drawing": 13,
    "Speed of play": 7,
    "Calls and Declarations": 13,
    "Melds": 6,
    "Riichi declarations": 14,
    "End of the hand": 13,
    "Incorrect score reporting": 3,
    "Obstruction and Cheating": 5,
    "Being late and Missing a hanchan": 4,
}


# ---------------------------------------------------------------- the document's table


class Printed(NamedTuple):
    """A row of the document's table, as it is printed."""

    section: int
    row: int
    title: str
    official: str
    chapter: str
    lower: str


class Said(NamedTuple):
    """What a cell says the table does in one case; `points` is None where a chombo is printed without an amount."""

    acts: frozenset[str]
    points: int | None = 0
    per_minute: bool = False
    each: bool = False
    repeated: int = 0


@pytest.fixture(scope="module")
def document(cases: Path) -> str:
    path = cases.parent / "sources" / "002_44b6687a59e4be07.txt"
    if not path.is_file():
        absent(f"the document with the table of penalties is not at {path}")
    return path.read_text(encoding="utf-8")


def printed(document: str) -> list[Printed]:
    """Read the table: four cells a line; a title alone opens a section, any other words alone end a broken title."""
    lines = [line.split("\t") for line in document[document.index("Fouls\t") :].splitlines() if line.strip()]
    rows: list[Printed] = []
    section = row = 0
    for cells in lines[1:]:
        assert len(cells) == 4, cells
        title, official, chapter, lower = (cell.strip() for cell in cells)
        if title in SECTIONS:
            section, row = section + 1, 0
            assert list(SECTIONS)[section - 1] == title
        elif title == "mistake":
            rows[-1] = rows[-1]._replace(title=f"{rows[-1].title} {title}")
        else:
            row += 1
            rows.append(Printed(section, row, title, official, chapter, lower))
    return rows


PHRASES = {
    "Not penalized": "nothing",
    "Legal": "legal",
    "Warning": "warning",
    "Re-deal": "redeal",
    "Chonbo": "chombo",
    "Dead hand": "dead_hand",
    "point penalty": "points",
    " pp": "points",
    "can be corrected": "fix",
    "must correct": "fix",
    "call is voided": "void_call",
    "take back the deposit": "deposit_back",
    "replacement": "substitute",
    "discretion": "referee",
    "Disqualification": "disqualification",
}


def said(cell: str) -> list[Said]:
    """Read a cell, case by case; points alone after a warning are what a repeat costs."""
    if not cell:
        return [Said(frozenset({"referee"}))]
    parts = re.split(r" ; | / |(?=\b\d-\d tiles:)|(?=\d\+ tiles:)", cell)
    found: list[Said] = []
    for part in filter(None, map(one_case, parts)):
        if part.acts == {"points"} and found and found[-1].acts == {"warning"}:
            found[-1] = found[-1]._replace(repeated=part.points or 0)
        else:
            found.append(part)
    everywhere = {"substitute"} if "replacement" in cell else set()
    return [case._replace(acts=case.acts | everywhere) for case in found]


def one_case(part: str) -> Said | None:
    acts = {act for phrase, act in PHRASES.items() if phrase in part}
    if "fix" in acts:
        acts -= {"nothing"}
    if not acts:
        return None
    amount = re.search(r"(\d+)P\b", part)
    points = int(amount[1]) * 1000 if amount else None if "chombo" in acts else 0
    each = bool(re.search(r"(penalty|pp) each", part))
    return Said(frozenset(acts), points, "per minute" in part, each)


def stated(penalty: Penalty) -> list[Said]:
    """Return what the catalogue says, in the same form."""
    return [
        Said(
            frozenset(case.acts),
            None if case.event_chombo else case.points,
            case.per == "minute",
            case.each_player,
            case.repeated.points if case.repeated else 0,
        )
        for case in penalty.cases
    ]


# Acts that the table leaves out and chapter 12 of WRC 2025 has: section and row, column, and what stands beside.
BEYOND = {
    (1, 1): ({"fix"}, "12.3.1 (1): the error is put right"),
    (1, 6): ({"fix"}, "12.3.1 (3): the tile goes back"),
    (1, 8): ({"fix"}, "12.3.1 (3): the tile goes back"),
    (3, 12): ({"void_call"}, "12.2: no win with a dead hand"),
    (6, 5): ({"void_call"}, "12.3.6 (3): it does not count"),
}


def expected(cell: str, row: Printed) -> list[Said]:
    """Return what the cell says, with what the book has beyond it; a chombo voids the call anyway."""
    beyond = BEYOND.get((row.section, row.row), (set(), ""))[0]
    return [
        case._replace(acts=frozenset((case.acts - ({"nothing"} if beyond else set())) | beyond))
        if "chombo" not in case.acts
        else case
        for case in said(cell)
    ]


def by_row(fouls: Catalogue) -> dict[tuple[int, int], str]:
    return {(foul.section, foul.row): foul.key for foul in fouls.fouls}


def test_the_table_has_the_rows_that_were_counted_by_hand(document: str) -> None:
    assert Counter(row.section for row in printed(document)) == dict(enumerate(SECTIONS.values(), start=1))


@pytest.mark.parametrize("key", ["wrc-2025", "rakkii-nomi-2026"])
def test_every_row_of_the_table_is_a_foul_section_by_section(document: str, key: str) -> None:
    fouls = catalogue(key).fouls
    assert [(foul.section, foul.row) for foul in fouls] == [(row.section, row.row) for row in printed(document)]
    assert Counter(foul.section for foul in fouls) == dict(enumerate(SECTIONS.values(), start=1))


def test_every_penalty_is_the_one_of_its_column(document: str) -> None:
    fouls, keys = catalogue("rakkii-nomi-2026"), by_row(catalogue("rakkii-nomi-2026"))
    rows = printed(document)
    lower = {row.title: stated(fouls.penalties[keys[row[:2]]]) for row in rows}
    official = {row.title: stated(fouls.official[keys[row[:2]]]) for row in rows}
    assert lower == {row.title: expected(row.lower, row) for row in rows}
    assert official == {row.title: expected(row.official, row) for row in rows}


def test_the_official_column_is_the_catalogue_of_wrc() -> None:
    fouls, wrc = catalogue("rakkii-nomi-2026"), catalogue("wrc-2025")
    assert (fouls.beside, fouls.official, fouls.fouls) == (wrc.key, wrc.penalties, wrc.fouls)


@pytest.mark.parametrize("cell", ["Dead hand", "Chonbo 20P", "Warning / 5P pp is repeated", "2P pp each", ""])
def test_a_wrong_penalty_would_be_seen(cell: str) -> None:
    fouls = catalogue("wrc-2025")
    assert said(cell) != stated(fouls.penalties["wrong_tile_count"])
    assert said("Chonbo 30P") == stated(fouls.penalties["wrong_tile_count"])


def test_the_reading_of_a_cell_with_cases() -> None:
    few = Said(frozenset({"warning"}), repeated=5000)
    some, many = Said(frozenset({"dead_hand"})), Said(frozenset({"chombo"}), 30_000)
    assert said("1-2 tiles: Warning / 5P pp 3-6 tiles: Dead hand 7+ tiles: Chonbo 30P") == [few, some, many]
    assert said("(Dead hand / Chonbo)") == [some, many._replace(points=None)]
    assert said("1P point penalty per minute") == [Said(frozenset({"points"}), 1000, per_minute=True)]


# Rows whose chapter is told in words, or not at all, and the chapter that these words mean.
CHAPTERS = {
    "Wrongly revealing tiles": "12.3.1 (4)",
    'Regular penalty with "tile put into hand"': "12.3.1 (3)",
    "Empty call": "12.3.3 (1)",
    "(Discarding a tile from the hand)": "12.3.5 (6)",
    "Regular penalty": "12.3",
    "Regular penalty 12.3.6 (4)": "12.3.6 (4)",
    "Regular penalty 12.3.8 (2)": "12.3.8 (2)",
    "8.9, [inconsistent with 8.4]": "8.9, 8.4",
}


def test_every_clause_is_the_chapter_that_the_table_prints(document: str) -> None:
    wrc, lower = catalogue("wrc-2025"), catalogue("rakkii-nomi-2026")
    without = {"draw_from_opponent": "12.3.1 (3)", "unsigned_sheet": "12.3.7"}
    keys = by_row(wrc)
    for row in printed(document):
        key = keys[row[:2]]
        chapter = CHAPTERS.get(row.chapter, row.chapter) or without.pop(key)
        assert (row.title, wrc.penalties[key].clause) == (row.title, f"WRC 2025 {chapter}")
        assert lower.penalties[key].clause == f"RK 4, WRC 2025 {chapter}"
    assert without == {}


def test_brackets_are_kept(document: str) -> None:
    fouls, keys = catalogue("rakkii-nomi-2026"), by_row(catalogue("rakkii-nomi-2026"))
    for row in printed(document):
        key = keys[row[:2]]
        brackets = (row.official.startswith("("), row.lower.startswith("("))
        assert (key, fouls.official[key].bracketed, fouls.penalties[key].bracketed) == (key, *brackets)


def test_what_a_cell_adds_to_its_penalty_is_not_lost(document: str) -> None:
    fouls, keys = catalogue("rakkii-nomi-2026"), by_row(catalogue("rakkii-nomi-2026"))
    bare = r"\(?(Warning \(Dead hand\)|[\w' -]+), (the call is voided|take back the deposit|can be corrected|"
    bare += r"must correct group|replacement|no other penalty)"
    for row in printed(document):
        if "," in row.official and not re.fullmatch(bare, row.official):
            assert (row.title, fouls.penalties[keys[row[:2]]].note) != (row.title, "")


# ---------------------------------------------------------------- the difference

# The rows whose two columns say different things, by hand; the document's own highlight is lost.
DIFFERING = [
    "wrong_tile_count",
    "called_tile_not_taken",
    "draw_out_of_turn_mixed",
    "draw_wrong_place_mixed",
    "tiles_revealed",
    "wall_destroyed",
    "drawn_tile_mixed_in",
    "empty_win_voice",
    "empty_win_shown",
    "tsumo_after_discard",
    "call_with_dead_hand",
    "win_with_dead_hand_voice",
    "win_with_dead_hand_shown",
    "invalid_group_after_discard",
    "invalid_quad_after_discard",
    "noten_riichi",
    "riichi_discard_from_hand_draw",
    "riichi_invalid_ankan",
    "forfeit",
]


def test_the_differing_rows_are_marked_and_no_other() -> None:
    fouls = catalogue("rakkii-nomi-2026")
    assert [foul.key for foul in fouls.fouls if fouls.differs(foul.key)] == DIFFERING


def test_the_marks_are_those_of_the_document(document: str) -> None:
    fouls, keys = catalogue("rakkii-nomi-2026"), by_row(catalogue("rakkii-nomi-2026"))
    differing = [keys[row[:2]] for row in printed(document) if said(row.official) != said(row.lower)]
    assert differing == [foul.key for foul in fouls.fouls if fouls.differs(foul.key)]


def test_a_chombo_without_amount_in_both_columns_is_no_difference_but_costs_another_amount() -> None:
    fouls = catalogue("rakkii-nomi-2026")
    by_amount = [foul.key for foul in fouls.fouls if fouls.differs_by_chombo(foul.key)]
    assert by_amount == ["early_discard", "early_discard_after_south"]
    same = catalogue("rakkii-nomi-2026", chombo_points=30_000)
    assert [foul.key for foul in same.fouls if same.differs_by_chombo(foul.key)] == []
    assert [foul.key for foul in same.fouls if same.differs(foul.key)] == DIFFERING


# ---------------------------------------------------------------- words


def title_words(row: Printed) -> Iterator[str]:
    """Yield the whole title and the same with its words cut short and turned round."""
    words = re.findall(r"[A-Za-z]+|\d+", row.title)
    yield row.title
    yield " ".join(word[:5] for word in reversed(words))


def test_the_documents_own_words_find_their_row(document: str) -> None:
    fouls, keys = catalogue("rakkii-nomi-2026"), by_row(catalogue("rakkii-nomi-2026"))
    lost = [
        (text, [foul.key for foul in find(fouls, text)])
        for row in printed(document)
        for text in title_words(row)
        if keys[row[:2]] not in [foul.key for foul in find(fouls, text)][:3]
    ]
    assert lost == []


def test_no_sentence_is_the_documents_own(document: str) -> None:
    theirs = {cell.strip(" .").casefold() for line in document.splitlines() for cell in line.split("\t")}
    fouls = catalogue("rakkii-nomi-2026")
    texts = {foul.what for foul in fouls.fouls} | {penalty.note for penalty in fouls.penalties.values()}
    same = {text for text in texts if text.strip(" .").casefold() in theirs and len(text.split()) > 4}
    assert same == set()
