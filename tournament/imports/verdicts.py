"""The rows of a file, each with its verdict: what every page shows before anything is taken.

It sorts problems by the row that they are about, and judges nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.problems import Problem
from tournament.imports.cells import SheetRow


@dataclass(frozen=True, slots=True)
class RowVerdict:
    """One row: its number in the sheet (in JSON its path), its cells as one text, and what is wrong with it."""

    name: str
    text: str
    problems: tuple[Problem, ...] = ()

    @property
    def is_sound(self) -> bool:
        return all(problem.severity != "error" for problem in self.problems)


def join_cells(cells: Iterable[str]) -> str:
    """Return the cells of a row as one short text."""
    filled = [cell[:40] for cell in cells if cell]
    return " · ".join(filled[:10]) + (" …" if len(filled) > 10 else "")


def verdicts_of(
    texts: Mapping[int, str], judged: Iterable[tuple[int, Problem]], names: Mapping[int, str] | None = None
) -> tuple[RowVerdict, ...]:
    """Put problems beside the rows that they are about; those of row 0, the whole file, are left to the caller."""
    by_row: dict[int, list[Problem]] = defaultdict(list)
    for row, problem in judged:
        by_row[row].append(problem)
    called = names or {}
    return tuple(RowVerdict(called.get(row, str(row)), text, tuple(by_row[row])) for row, text in sorted(texts.items()))


def part_problems(
    rows: Sequence[SheetRow], problems: Iterable[Problem], row_of: Callable[[Problem], int]
) -> tuple[tuple[RowVerdict, ...], tuple[Problem, ...]]:
    """Part problems into the verdicts of rows and those that concern the whole file."""
    texts = {row.number: join_cells(row.cells) for row in rows}
    judged = [(row_of(problem), problem) for problem in problems]
    return verdicts_of(texts, judged), tuple(problem for row, problem in judged if row not in texts)


def named_row(problem: Problem) -> int:
    """Return the row that a problem names, 0 for none."""
    row = problem.params.get("row", 0)
    return row if isinstance(row, int) else 0
