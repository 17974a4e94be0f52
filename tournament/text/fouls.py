"""Fouls in the reader's language. The books are in English; what is written to the register stays as it was given."""

import functools
import re
from dataclasses import replace

from django.utils.translation import gettext as _

from rules.foul_books import FOULS, Row, read_fouls
from rules.fouls import Catalogue, Penalty
from tournament.text.numbers import points

_FIELD = re.compile(r"\{(\w+)[^}]*\}")  # a number of the rule set: "{late_minutes}"


def say_foul(text: str) -> str:
    """Translate a section, a foul, its condition or its note; what has no translation stays in English.

    >>> say_foul("Late by up to 10 minutes")
    'Late by up to 10 minutes'
    """
    told = _(text) if text else ""
    if told != text:
        return told
    for filled, written in _list_written():
        if (found := filled.fullmatch(text)) and (words := _(written)) != written:
            for name, number in found.groupdict().items():
                words = re.sub(rf"\{{{name}[^}}]*\}}", points(int(number.replace(",", ""))), words)
            return words
    return text


def say_fouls(fouls: Catalogue) -> Catalogue:
    """Return a catalogue in the reader's language; a search finds its fouls by their English words, too."""
    return replace(
        fouls,
        title=say_foul(fouls.title),
        source=say_foul(fouls.source),
        fouls=tuple(
            replace(
                foul,
                section_title=say_foul(foul.section_title),
                what=(what := say_foul(foul.what)),
                words=foul.words if what == foul.what else f"{foul.words} {foul.what}",
            )
            for foul in fouls.fouls
        ),
        penalties={key: _penalty_text(penalty) for key, penalty in fouls.penalties.items()},
        official={key: _penalty_text(penalty) for key, penalty in fouls.official.items()},
    )


def _penalty_text(penalty: Penalty) -> Penalty:
    cases = tuple(replace(case, when=say_foul(case.when)) for case in penalty.cases)
    clause = penalty.clause and _(penalty.clause)
    return replace(penalty, cases=cases, note=say_foul(penalty.note), clause=clause)


def list_texts(row: Row) -> list[str]:
    """Return what a row of a book says, as it is written: with the names of the numbers that a rule set fills in."""
    clause = row.penalty.clause if row.penalty.clause.startswith("rules") else ""  # others cite a book
    texts = (
        row.foul.section_title,
        row.foul.what,
        row.penalty.note,
        clause,
        *(case.when for case in row.penalty.cases),
    )
    return [text for text in texts if text]


@functools.cache
def _list_written() -> list[tuple[re.Pattern[str], str]]:
    """Return each text that a rule set fills in: how it is found with its numbers, and how it is written."""
    rows = (row for path in sorted(FOULS.glob("*.toml")) for row in read_fouls(path).rows.values())
    written = dict.fromkeys(text for row in rows for text in list_texts(row) if "{" in text)
    return [(re.compile(_filled(text)), text) for text in written]


def _filled(text: str) -> str:
    parts = _FIELD.split(text)  # words, name, words, …
    return "".join(f"(?P<{part}>[0-9,]+)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
