"""Questions of the drill as pages and paper show them, and answers held against their keys."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from rules.books import Book
from rules.fouls import Catalogue
from scoring.drill import HandAsked, Kind, Option, Question, questions
from scoring.hand import to_json
from tournament.calculator.views import answer_hand
from tournament.drill.actions import LETTERS, NONE
from tournament.drill.messages import ASKS, Clause, say_clauses, say_facts, say_option, say_slip, seat_words
from tournament.text.numbers_formatting import signed


@dataclass(frozen=True, slots=True)
class ShownOption:
    """An answer on offer: in words, or each seat with its change; `slip` is what leads to a wrong one."""

    letter: str
    text: str
    changes: Sequence[tuple[str, str]]
    right: bool
    chosen: bool
    slip: str


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question; `given` is the letter that was answered, empty for none. A foul is in `english`."""

    number: int
    kind: Kind
    ask: str
    facts: Sequence[str]
    english: bool
    hand: Mapping[str, Any] | None
    options: Sequence[ShownOption]
    given: str
    clauses: Sequence[Clause]

    @property
    def correct(self) -> bool:
        """Whether the given answer is the right one."""
        return any(option.right and option.chosen for option in self.options)

    @property
    def key(self) -> ShownOption:
        """The right answer."""
        return next(option for option in self.options if option.right)


def make_questions(book: Book, fouls: Catalogue, *, seed: int, count: int, kinds: Iterable[Kind]) -> list[Question]:
    """Return the questions of a drill, fewer where there are not so many fouls."""
    return list(islice(questions(book, fouls, seed=seed, kinds=kinds), count))


def key_of(asked: Iterable[Question]) -> str:
    """Return the right letters in order."""
    return "".join(LETTERS[question.key] for question in asked)


def count_right(key: str, answers: str) -> int:
    """Count the answers that are right.

    >>> count_right("abca", "ab-c")
    2
    """
    return sum(wanted == given for wanted, given in zip(key, answers, strict=False))


def shown_question(question: Question, number: int, book: Book, given: str = "") -> ShownQuestion:
    """Put a question into words."""
    hand = to_json(question.asked.hand) if isinstance(question.asked, HandAsked) else None
    options = [
        _option(option, LETTERS[index], given, book, right=index == question.key)
        for index, option in enumerate(question.options)
    ]
    return ShownQuestion(
        number=number,
        kind=question.kind,
        ask=_(ASKS[question.kind]),
        facts=say_facts(question, book.ruleset),
        english=question.kind == "foul",
        hand=hand,
        options=options,
        given=given,
        clauses=say_clauses(question),
    )


def shown_questions(asked: Sequence[Question], book: Book, answers: str = "") -> list[ShownQuestion]:
    """Put all questions into words, with the answers given."""
    given = answers or NONE * len(asked)
    return [
        shown_question(question, number, book, letter)
        for number, (question, letter) in enumerate(zip(asked, given, strict=True), start=1)
    ]


def explained(question: ShownQuestion, book: Book) -> dict[str, Any] | None:
    """Return the count of a hand with its reasons, as ui/count.html shows it; None for the other kinds."""
    return answer_hand(question.hand, book) if question.hand else None


def _option(option: Option, letter: str, given: str, book: Book, *, right: bool) -> ShownOption:
    changes: list[tuple[str, str]] = []
    if isinstance(option.answer, tuple):
        seats = seat_words(book.ruleset.players)
        changes = [(seat, signed(change)) for seat, change in zip(seats, option.answer, strict=True)]
    return ShownOption(
        letter, say_option(option), changes, right=right, chosen=letter == given, slip=say_slip(option.cause)
    )
