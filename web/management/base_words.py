"""Words for the problems that only commands meet; for all others see tournament.text.problems_1."""

from scoring.problems import PROBLEM_TYPES, CommandProblemType, Problem


def say(problem: Problem) -> str:
    """Put a problem into one sentence.

    >>> from tournament.archive.actions import ARCHIVE_EXISTS
    >>> say(ARCHIVE_EXISTS(slug="cup"))
    "There is an event 'cup' already; nothing was imported."
    """
    from tournament.text import problems_1 as problems  # late: it is a tenth of the start of a command

    kind = PROBLEM_TYPES.get(problem.code)
    if not isinstance(kind, CommandProblemType):
        return problems.say(problem)
    shown = {key: _shown(key, value) for key, value in problem.params.items()}
    if "because" in shown:  # the problem beneath, whose parameters stand beside ours
        shown["because"] = problems.say(Problem(str(shown["because"]), problem.params))
    return kind.sentence.format_map(shown)


def _shown(key: str, value: object) -> object:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:,}".replace("-", "−") if key in ("total", "wanted") and isinstance(value, int) else value
