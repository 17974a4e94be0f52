"""Problems as JSON, the same in commands and API: code, message in words, parameters, index of the entry."""

from collections.abc import Iterable, Sequence
from typing import Any

from scoring.problems import Problem


def problem_json(problem: Problem, *, at: int | None = None, names: Sequence[str] = ()) -> dict[str, Any]:
    """Return one problem in the form of the contract.

    >>> problem_json(Problem("chombo.no_offender", {}), at=2)
    {'code': 'chombo.no_offender', 'message': 'A chombo needs an offender.', 'params': {}, 'at': 2}
    """
    from tournament.text.problems_1 import say

    params = {key: list(value) if isinstance(value, tuple) else value for key, value in problem.params.items()}
    return {"code": problem.code, "message": say(problem, names), "params": params, "at": at}


def problems_json(problems: Iterable[Problem], names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return problems that belong to one entry."""
    return [problem_json(problem, names=names) for problem in problems]
