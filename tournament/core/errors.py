"""The exceptions of verbs: problems as codes, and the newer rows where the caller was behind."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scoring.problems import Problem, ProblemType

if TYPE_CHECKING:
    from tournament.tables.models import LedgerEntry

FORM_STALE = ProblemType("form.stale", "This page is too old to be sent: load it again.")
FORM_SENT_ALREADY = ProblemType(
    "form.sent_already",
    "This page was already sent with other content, which was kept. Nothing new is written: check it, then send again.",
)


class DomainError(Exception):
    """A verb was refused because of these problems; nothing was written."""

    def __init__(self, *problems: Problem) -> None:
        self.problems: tuple[Problem, ...] = problems
        super().__init__(", ".join(problem.code for problem in problems))


class StaleTableError(DomainError):
    """The caller had not seen the newest rows of a table; `between` are the rows that came since."""

    def __init__(self, problem: Problem, between: Iterable["LedgerEntry"]) -> None:
        super().__init__(problem)
        self.between: Sequence[LedgerEntry] = tuple(between)
