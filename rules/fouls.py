"""The catalogue of fouls: what can go wrong at a table, and what a book makes of it.

It finds fouls by a few letters and lets an event change amounts; amounts stand in `rules/books/fouls/*.toml`.
It gives no penalty, counts no repeats and never knows who is at the table.
"""

import dataclasses
import functools
import re
import types
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

from rules.foul_file import read_catalogue
from rules.foul_types import ACTS, TAKES, Act, Case, Catalogue, Foul, FoulError, Penalty, Repeat
from rules.ruleset import load

__all__ = [
    "ACTS",
    "TAKES",
    "Act",
    "Case",
    "Catalogue",
    "Foul",
    "FoulError",
    "Penalty",
    "Repeat",
    "amounts",
    "catalogue",
    "catalogue_keys",
    "find",
    "foul_of",
    "of_lateness",
    "with_amounts",
]

FOULS = Path(__file__).parent / "books" / "fouls"
MOST_ASKED = 200  # letters of a search that are read


def catalogue_keys() -> list[str]:
    """List the keys of the books that name fouls.

    >>> 'ema-2025' in catalogue_keys()
    True
    """
    return sorted(path.stem for path in FOULS.glob("*.toml"))


def catalogue(key: str, *, chombo_points: int | None = None) -> Catalogue:
    """Return the fouls of the rule set of that key, empty for one whose book names none.

    `chombo_points`: what a chombo costs in the event where the book prints no amount; the book's own if None.
    Raises FoulError for a file that does not state every foul rightly.

    >>> catalogue('ema-2025').penalties['noten_riichi'].cases[0].points
    20000
    >>> catalogue('tenhou-yonma').fouls
    ()
    """
    if key not in catalogue_keys():
        return Catalogue(key=key)
    return _filled(key, load(key).chombo_points if chombo_points is None else chombo_points)


def foul_of(fouls: Catalogue, key: str) -> tuple[Foul, Penalty]:
    """Return a foul and its penalty by key; raise FoulError when the catalogue has none of that key."""
    found = next((foul for foul in fouls.fouls if foul.key == key), None)
    if found is None:
        raise FoulError(f"{fouls.key}: there is no foul '{key}'")
    return found, fouls.penalties[key]


def of_lateness(fouls: Catalogue, minutes: int) -> tuple[Foul, Case] | None:
    """Return the foul of being late by so many minutes begun, and its case; None if in time or unknown to the book.

    >>> [of_lateness(catalogue('rakkii-nomi-2026'), n)[1].amount(n) for n in (1, 10, 11)]
    [1000, 10000, 30000]
    """
    if minutes <= 0 or "late" not in fouls.penalties:
        return None
    key = "late" if minutes <= fouls.penalties["late"].cases[0].units else "late_over"
    foul, penalty = foul_of(fouls, key)
    return foul, penalty.cases[0]


# ---------------------------------------------------------------- amounts


def amounts(fouls: Catalogue) -> dict[str, int]:
    """Return every amount that an event may change, in points, by its key.

    The key is the foul's, then `.case` where it has several cases, then `.repeated` for what a repeat costs.

    >>> list(amounts(catalogue('wrc-2025')).items())[4:6]
    [('draw_wrong_place_mixed', 30000), ('tiles_revealed.few.repeated', 5000)]
    """
    places = ((key, case) for key, penalty in fouls.penalties.items() for case in penalty.cases)
    return {name: points for key, case in places for name, points in _amounts_of(key, case)}


def with_amounts(fouls: Catalogue, changed: Mapping[str, int]) -> Catalogue:
    """Return the catalogue with these amounts changed; keys as in `amounts`, points from 0 up.

    Raises FoulError for a key that names no amount and for an amount that cannot be.
    """
    known = amounts(fouls)
    for name, points in changed.items():
        if name not in known:
            raise FoulError(f"{fouls.key}: there is no amount '{name}'")
        if type(points) is not int or points < 0:
            raise FoulError(f"{fouls.key}: amount '{name}' must be a whole number of points from 0 up, not {points!r}")
    penalties = {
        key: dataclasses.replace(penalty, cases=tuple(_changed(key, case, changed) for case in penalty.cases))
        for key, penalty in fouls.penalties.items()
    }
    return dataclasses.replace(fouls, penalties=types.MappingProxyType(penalties))


def _name(key: str, case: Case) -> str:
    return f"{key}.{case.key}" if case.key else key


def _amounts_of(key: str, case: Case) -> Iterator[tuple[str, int]]:
    if TAKES & set(case.acts):
        yield _name(key, case), case.points
    if case.repeated and TAKES & set(case.repeated.acts):
        yield f"{_name(key, case)}.repeated", case.repeated.points


def _changed(key: str, case: Case, changed: Mapping[str, int]) -> Case:
    name = _name(key, case)
    if name in changed:
        most = case.most if case.most > changed[name] else 0
        case = dataclasses.replace(case, points=changed[name], most=most, event_chombo=False)
    if case.repeated and f"{name}.repeated" in changed:
        repeated = dataclasses.replace(case.repeated, points=changed[f"{name}.repeated"])
        case = dataclasses.replace(case, repeated=repeated)
    return case


# ---------------------------------------------------------------- search

_SMALL = frozenset({"a", "an", "and", "at", "by", "for", "in", "is", "it", "of", "on", "or", "the", "to", "with"})


def find(fouls: Catalogue, text: str) -> list[Foul]:
    """List the fouls that have every word of the text, or words that begin with it, best first; all for an empty text.

    Case, accents and order do not matter. A clause is found as well: "12.3.5".

    >>> [foul.key for foul in find(catalogue('wrc-2025'), "tsumo after disc")]
    ['tsumo_after_discard']
    """
    asked = _tokens(text[:MOST_ASKED])
    ranked = [(_rank(asked, foul, fouls.penalties[foul.key].clause), foul) for foul in fouls.fouls]
    found = [(rank, foul) for rank, foul in ranked if rank is not None]
    return [foul for _, foul in sorted(found, key=lambda pair: pair[0])]


@functools.lru_cache(maxsize=4096)
def _tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text in small letters without accents; a clause's number is one word.

    >>> _tokens("Déjà vu, 12.3.5 (1)")
    ('deja', 'vu', '12.3.5', '1')
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return tuple(re.findall(r"\d+(?:\.\d+)*|[^\W\d_]+", letters))


def _rank(asked: tuple[str, ...], foul: Foul, clause: str) -> tuple[int, int] | None:
    """Return how well the foul answers, less is better, or None where a word is missing."""
    title, others = _tokens(foul.what), _tokens(foul.words) + _tokens(clause)
    far = 0
    for word in asked:
        rank = _nearness(word, title, others)
        if rank is None and word not in _SMALL:
            return None
        far += rank or 0
    # of two that answer alike the shorter one; numbers of clauses and no words at all leave the book's order
    return far, len(title) + len(others) if any(word.isalpha() for word in asked) else 0


def _nearness(word: str, title: tuple[str, ...], others: tuple[str, ...]) -> int | None:
    """Return 0 for a word of the title, more for its beginning, for another word, and for a longer form of one."""
    for rank, words in ((0, title), (2, others)):
        if word in words:
            return rank
        if any(other.startswith(word) for other in words):
            return rank + 1
    longer = any(len(other) >= 4 and other.isalpha() and word.startswith(other) for other in title + others)
    return 4 if longer else None


# ---------------------------------------------------------------- from file to event


@functools.lru_cache(maxsize=64)
def _filled(key: str, chombo_points: int) -> Catalogue:
    """Return a catalogue with the event's chombo where its book prints no amount, and the official's own beside it."""
    read = _read(key)
    official = catalogue(read.beside).penalties if read.beside else read.official
    penalties = {name: _with_chombo(penalty, chombo_points) for name, penalty in read.penalties.items()}
    return dataclasses.replace(read, penalties=types.MappingProxyType(penalties), official=official)


def _with_chombo(penalty: Penalty, points: int) -> Penalty:
    cases = (dataclasses.replace(case, points=points) if case.event_chombo else case for case in penalty.cases)
    return dataclasses.replace(penalty, cases=tuple(cases))


@functools.cache
def _read(key: str) -> Catalogue:
    return read_catalogue(FOULS / f"{key}.toml")
