"""The verb on how teams are ranked; who is in which team is said with the players."""

from scoring.problems import error
from tournament.models import Account, Event
from tournament.refusal import Refused
from tournament.services.core.writing import writing

MOST_MEMBERS = 30


def set_team_best(*, event: Event, best: int, by: Account) -> None:
    """Let so many members of each team count, 0 for as many as the smallest has. Raises Refused outside 0 to 30."""
    with writing(event, "teams_set", by=by) as change:
        if not 0 <= best <= MOST_MEMBERS:
            raise Refused(error("teams.best_out_of_range", best=best, most=MOST_MEMBERS))
        change.details = {"best": best}
        if change.event.team_best == best:
            change.nothing_new()
            return
        change.event.team_best = best
        change.event.save(update_fields=["team_best"])
