"""Fouls: what can go wrong at a table, what the book asks for then, and search by a few letters.

Gives no penalty and counts no repeats. `rules.foul_books` loads the catalogues.
"""

import dataclasses
import functools
import re
import types
import typing
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

MAX_QUERY = 200  # characters of a search that are read

# What the table must do. A case may ask for several, in this order:
# nothing, legal   play on: not penalised, or allowed outright
# fix              put right what can be put right
# warning          recorded, so that a repeat is known
# void_call        the call does not count
# deposit_back     the riichi stick of this declaration goes back
# dead_hand        no call and no win in this hand, noten at a draw
# redeal           deal again, nobody pays
# chombo           deal again; the points come off the tournament total
# points           the points come off the tournament total; play goes on
# substitute       a substitute takes the seat
# referee          the referee decides; with `points`: whether, and from `points` to `most`
# disqualification
Act = Literal[
    "nothing",
    "legal",
    "fix",
    "warning",
    "void_call",
    "deposit_back",
    "dead_hand",
    "redeal",
    "chombo",
    "points",
    "substitute",
    "referee",
    "disqualification",
]
ACTS: tuple[Act, ...] = typing.get_args(Act)
TAKES: frozenset[Act] = frozenset({"chombo", "points"})  # the acts that take points


class FoulError(ValueError):
    """An unusable catalogue or amount; the text names the file or catalogue, the key and the fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Foul:
    """What happened, in words."""

    key: str
    section: int
    section_title: str
    what: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """What a case costs from the `times`-th time in the event on; `points` may be 0."""

    acts: tuple[Act, ...]
    points: int
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One outcome of a foul and what the table must do.

    `points` are taken from each offender, or (`each_player`) from each player of the table; with `per` "minute", for
    each minute begun, at most `units`. `most` above 0: the referee chooses from `points` to `most`. `event_chombo`:
    the book prints no amount, and `points` is the event's chombo. `taken`: which of the numbers the rule set states,
    each with the name of the rule. `key` and `when` may be empty.
    """

    key: str = ""
    when: str = ""
    acts: tuple[Act, ...]
    points: int = 0
    most: int = 0
    per: Literal["once", "minute"] = "once"
    units: int = 0
    each_player: bool = False
    event_chombo: bool = False
    taken: tuple[tuple[str, str], ...] = ()
    repeated: Repeat | None = None

    def amount(self, units: int = 1) -> int:
        """Return the points for so many minutes begun; `units` is ignored where points are taken once."""
        return self.points * units if self.per == "minute" else self.points

    def at(self, time: int) -> "Case":
        """Return the case for the offender's `time`-th foul of this kind in the event, from 1."""
        if self.repeated is None or time < self.repeated.times:
            return self
        return dataclasses.replace(
            self, acts=self.repeated.acts, points=self.repeated.points, event_chombo=False, taken=()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """A book's penalty for a foul. `ours`: our reason where the reading is ours, else empty.

    `bracketed`: the source prints it in brackets, as derived from the clause.
    """

    cases: tuple[Case, ...]
    clause: str
    note: str = ""
    ours: str = ""
    bracketed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The fouls of a book in its order and their penalties by key; empty for a book without fouls.

    `official` are the penalties of the catalogue `beside`, which the book prints next to its own. `derived`: why the
    book has those of another one, empty where they are its own. `under` is the book that this one modifies, "" for
    none.
    """

    key: str
    title: str = ""
    source: str = ""
    beside: str = ""
    derived: str = ""
    under: str = ""
    fouls: tuple[Foul, ...] = ()
    penalties: Mapping[str, Penalty] = field(default_factory=dict)
    official: Mapping[str, Penalty] = field(default_factory=dict)

    def differs(self, key: str) -> bool:
        """Return whether the official column has other acts or another amount; remarks do not count."""
        return key in self.official and _column_cases(self.penalties[key]) != _column_cases(self.official[key])

    def differs_by_chombo(self, key: str) -> bool:
        """Return whether both columns print a chombo without an amount, which costs another amount here."""
        if key not in self.official or self.differs(key):
            return False
        return _costs(self.penalties[key]) != _costs(self.official[key])


def _column_cases(penalty: Penalty) -> list[Case]:
    """Return the cases as a column prints them: 0 for an amount left out, without key and condition."""
    return [dataclasses.replace(case, points=0 if case.event_chombo else case.points) for case in _costs(penalty)]


def _costs(penalty: Penalty) -> list[Case]:
    return [dataclasses.replace(case, key="", when="", taken=()) for case in penalty.cases]


def differing(here: Catalogue, there: Catalogue) -> list[Foul]:
    """List the fouls that both catalogues name and that come to something else here; remarks do not count.

    Nor does a chombo that both leave at the event's amount: that is a rule of the rule set.

    >>> from rules.foul_books import catalogue
    >>> [foul.key for foul in differing(catalogue('sanmatsuri-2026'), catalogue('ema-2025'))]
    []
    """
    both = (foul for foul in here.fouls if foul.key in there.penalties)
    return [foul for foul in both if not _same(here.penalties[foul.key], there.penalties[foul.key])]


def _same(here: Penalty, there: Penalty) -> bool:
    if all(case.event_chombo for case in (*here.cases, *there.cases) if "chombo" in case.acts):
        return _column_cases(here) == _column_cases(there)
    mine, theirs = (
        [dataclasses.replace(case, event_chombo=False) for case in _costs(penalty)] for penalty in (here, there)
    )
    return mine == theirs


def foul_of(fouls: Catalogue, key: str) -> tuple[Foul, Penalty]:
    """Return a foul and its penalty by key; raise FoulError for an unknown key."""
    found = next((foul for foul in fouls.fouls if foul.key == key), None)
    if found is None:
        raise FoulError(f"{fouls.key}: there is no foul '{key}'")
    return found, fouls.penalties[key]


def of_lateness(fouls: Catalogue, minutes: int) -> tuple[Foul, Case] | None:
    """Return the foul and case for lateness in minutes begun; None if in time, or if the book has no such foul.

    >>> from rules.foul_books import catalogue
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
    """Return the amounts that an event may change, in points, by key.

    A key is the foul's, then `.case` if it has several cases, then `.repeated` for the cost of a repeat.

    >>> from rules.foul_books import catalogue
    >>> list(amounts(catalogue('wrc-2025')).items())[4:6]
    [('draw_wrong_place_mixed', 30000), ('tiles_revealed.few.repeated', 5000)]
    """
    places = ((key, case) for key, penalty in fouls.penalties.items() for case in penalty.cases)
    return {name: points for key, case in places for name, points in _amounts_of(key, case)}


def with_amounts(fouls: Catalogue, changed: Mapping[str, int]) -> Catalogue:
    """Return the catalogue with these amounts (keys as in `amounts`, points ≥ 0).

    Raises FoulError for an unknown key and for an amount that is no whole number ≥ 0.
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
        case = dataclasses.replace(case, points=changed[name], most=most, event_chombo=False, taken=())
    if case.repeated and f"{name}.repeated" in changed:
        repeated = dataclasses.replace(case.repeated, points=changed[f"{name}.repeated"])
        case = dataclasses.replace(case, repeated=repeated)
    return case


# ---------------------------------------------------------------- search

_SMALL = frozenset({"a", "an", "and", "at", "by", "for", "in", "is", "it", "of", "on", "or", "the", "to", "with"})


def find(fouls: Catalogue, text: str) -> list[Foul]:
    """Return the fouls that match every word of the text by prefix, best first; all fouls for an empty text.

    Ignores case, accents and word order. Also matches clauses: "12.3.5".

    >>> from rules.foul_books import catalogue
    >>> [foul.key for foul in find(catalogue('wrc-2025'), "tsumo after disc")]
    ['tsumo_after_discard']
    """
    asked = text[:MAX_QUERY]
    ranked = [
        (rank_text(asked, foul.what, f"{foul.words} {fouls.penalties[foul.key].clause}"), foul) for foul in fouls.fouls
    ]
    found = [(rank, foul) for rank, foul in ranked if rank is not None]
    return [foul for _, foul in sorted(found, key=lambda pair: pair[0])]


@functools.lru_cache(maxsize=4096)
def _tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case without accents; a clause number is one word.

    >>> _tokens("Déjà vu, 12.3.5 (1)")
    ('deja', 'vu', '12.3.5', '1')
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return tuple(re.findall(r"\d+(?:\.\d+)*|[^\W\d_]+", letters))


def rank_text(asked: str, title: str, more: str) -> tuple[int, int] | None:
    """Return the sort key of a text that is searched, least first; None if a word is missing from title and more."""
    wanted, words, others = _tokens(asked), _tokens(title), _tokens(more)
    far = 0
    for word in wanted:
        rank = _nearness(word, words, others)
        if rank is None and word not in _SMALL:
            return None
        far += rank or 0
    # ties: the shorter text first; for clause numbers and an empty query the order of the book
    return far, len(words) + len(others) if any(word.isalpha() for word in wanted) else 0


def _nearness(word: str, title: tuple[str, ...], others: tuple[str, ...]) -> int | None:
    """Return 0 for a word of the title, 1 for its prefix, 2 and 3 in other words, 4 for a longer form, else None."""
    for rank, words in ((0, title), (2, others)):
        if word in words:
            return rank
        if any(other.startswith(word) or (not word.isascii() and word in other) for other in words):
            return rank + 1  # Japanese has no spaces between words
    longer = any(len(other) >= 4 and other.isalpha() and word.startswith(other) for other in title + others)
    return 4 if longer else None
