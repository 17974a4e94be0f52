"""What is different at an event: against the rule set that it stands on, and against one that its organiser picks."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.books import Book, book_keys, load_book
from rules.foul_books import catalogue
from rules.fouls import Catalogue, Foul, differing
from rules.ruleset import Ruleset
from tournament.events.models import Event
from tournament.penalties.messages import say_short
from tournament.penalties.queries import get_catalogue
from tournament.rulesets.views import Compared, compare_event, preset_of
from tournament.text.fouls import say_fouls
from tournament.text.languages import join_commas, plural_text


@dataclass(frozen=True, slots=True)
class FoulRow:
    """A foul that comes to something else: in words, here and there; nothing where a list does not name it."""

    what: str
    here: Sequence[str]
    there: Sequence[str]
    clause: str
    other_clause: str


@dataclass(frozen=True, slots=True)
class FoulRows:
    """Fouls of one section of the catalogue."""

    title: str
    rows: Sequence[FoulRow]


@dataclass(frozen=True, slots=True)
class Differences:
    """All in which an event differs from a book: rules and fouls; `only_here` and `only_there` are fouls left out."""

    book: Book
    compared: Compared
    fouls: Sequence[FoulRows]
    only_here: int
    only_there: int

    @property
    def foul_count(self) -> int:
        """How many fouls are listed."""
        return sum(len(section.rows) for section in self.fouls)

    @property
    def counts(self) -> str:
        """Say how many rules and fouls differ."""
        rules = plural_text("%(count)d rule", "%(count)d rules", self.compared.count)
        fouls = plural_text("%(count)d foul", "%(count)d fouls", self.foul_count)
        return join_commas([rules, fouls] if self.foul_count else [rules])

    @property
    def left_out(self) -> list[str]:
        """Say how many fouls only one of the two lists names."""
        title = self.compared.there
        here = plural_text(
            "%(count)d foul is not listed in %(title)s.",
            "%(count)d fouls are not listed in %(title)s.",
            self.only_here,
            title=title,
        )
        there = plural_text(
            "%(count)d foul of %(title)s is not listed here.",
            "%(count)d fouls of %(title)s are not listed here.",
            self.only_there,
            title=title,
        )
        return [line for line, count in ((here, self.only_here), (there, self.only_there)) if count]

    def __bool__(self) -> bool:
        """Tell whether anything differs."""
        return bool(self.compared.count or self.fouls)


def usual_book(rules: Ruleset) -> str:
    """Return the key of the book that a rule set's own book modifies, "" for none."""
    return catalogue(rules.key).under


def picked_book(event: Event) -> Book | None:
    """Return the book that the organiser picked to compare with, else the one that the event's own book modifies."""
    key = event.compared_with or usual_book(event.ruleset)
    return load_book(key) if key in book_keys() and key != event.ruleset.key else None


def list_differences(event: Event) -> list[Differences]:
    """Return the differences from the event's own book and from the picked one, as far as there are such books."""
    books = (preset_of(event.ruleset), picked_book(event))
    return [differences(event, book) for book in books if book]


def differences(event: Event, book: Book) -> Differences:
    """Compare an event's rules and fouls with a book."""
    here, there = say_fouls(get_catalogue(event)), say_fouls(catalogue(book.ruleset.key))
    mine, theirs = set(here.penalties), set(there.penalties)
    named_all = bool(theirs) and theirs < mine  # a list that only adds to the other: then all it adds is told
    fouls = differing(here, there) + ([foul for foul in here.fouls if foul.key not in theirs] if named_all else [])
    listed = here.penalties and there.penalties
    return Differences(
        book=book,
        compared=compare_event(event, book),
        fouls=_by_section(fouls, here, there),
        only_here=len(mine - theirs) if listed and not named_all else 0,
        only_there=len(theirs - mine) if listed else 0,
    )


def _by_section(fouls: Sequence[Foul], here: Catalogue, there: Catalogue) -> list[FoulRows]:
    found: dict[int, tuple[str, list[FoulRow]]] = {}
    for foul in sorted(fouls, key=lambda foul: foul.section):
        found.setdefault(foul.section, (foul.section_title, []))[1].append(_row(foul, here, there))
    return [FoulRows(title, rows) for title, rows in found.values()]


def _row(foul: Foul, here: Catalogue, there: Catalogue) -> FoulRow:
    mine, other = here.penalties[foul.key], there.penalties.get(foul.key)
    return FoulRow(
        what=foul.what,
        here=say_short(mine),
        there=say_short(other) if other else [],
        clause=mine.clause,
        other_clause=other.clause if other else "",
    )
