"""Verbs on what is done with people's data: who is shown by name, and how long an event keeps its people.

Nothing is taken away here: that is in `forgetting`.
"""

from collections.abc import Collection

from scoring.problems import error
from tournament.models import Account, Event
from tournament.refusal import Refused
from tournament.services.core.writing import writing

LEAST_MONTHS, MOST_MONTHS = 1, 120


def set_names_shown(*, event: Event, numbers: Collection[int], shown: bool, by: Account) -> bool:
    """Let everybody see the names of these players, or a stand-in instead; return whether that is new.

    The name of somebody who was forgotten stays away.
    """
    with writing(event, "names_shown" if shown else "names_hidden", by=by) as change:
        found = change.event.players.filter(number__in=numbers, shown_by_name=not shown)
        if shown:
            found = found.filter(person__forgotten_at=None)
        changed = sorted(found.values_list("number", flat=True))
        if not changed:
            change.nothing_new()
            return False
        change.event.players.filter(number__in=changed).update(shown_by_name=shown)
        change.details = {"numbers": changed}
    return True


def set_keep_months(*, event: Event, months: int | None, by: Account) -> bool:
    """Say for how many months after its last day an event keeps its people, None for no end; return whether it is new.

    Raises Refused for a number out of range.
    """
    with writing(event, "keep_months_set" if months is not None else "keep_months_unset", by=by) as change:
        if months is not None and not LEAST_MONTHS <= months <= MOST_MONTHS:
            raise Refused(error("privacy.months", least=LEAST_MONTHS, most=MOST_MONTHS))
        if change.event.keep_months == months:
            change.nothing_new()
            return False
        change.event.keep_months = months
        change.event.save(update_fields=["keep_months"])
        change.details = {} if months is None else {"months": months}
    event.keep_months = months
    return True
