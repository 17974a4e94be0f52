"""Read the drills of crews: those of an event, one by its link, and the rules that it asks about."""

from django.utils import timezone

from rules.fouls import Catalogue
from rules.ruleset import Ruleset
from tournament.drill.models import CrewDrill
from tournament.events.models import Event
from tournament.penalties.queries import get_catalogue


def find_drill(event: Event, token: str) -> CrewDrill | None:
    """Return the open drill of an event with this token, None for none."""
    return event.drills.filter(token=token, ends_at__gt=timezone.now()).first()


def get_drill_rules(drill: CrewDrill) -> tuple[Ruleset, Catalogue]:
    """Return rules and fouls as they were when the drill was made."""
    then = Event(slug=drill.event.slug, rules=drill.rules, foul_amounts=drill.foul_amounts)
    return then.ruleset, get_catalogue(then)
