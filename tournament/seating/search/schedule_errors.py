"""The error in a request for a schedule, or in a schedule made elsewhere."""

from scoring.problems import PROBLEM_TYPES, Problem


class SeatingError(ValueError):
    """An invalid request or schedule: its problem, worded in English for commands.

    Rounds count from 1; players and tables have the numbers of the schedule, which start at 0.

    >>> from tournament.seating.search.schedule_1 import SEATING_ROUNDS_TOO_FEW
    >>> str(SeatingError(SEATING_ROUNDS_TOO_FEW(rounds=0)))
    'There must be at least one round, not 0.'
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(PROBLEM_TYPES[problem.code].sentence.format(**problem.params))
        self.problem = problem
