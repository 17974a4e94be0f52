"""The verb of an event's timetable: when its rounds are to start. It starts no clock and moves nobody."""

import datetime as dt
from collections.abc import Sequence

from scoring.problems import Problem, error
from tournament.models import Account, Event
from tournament.refusal import Refused
from tournament.services.core.events import MOST_ROUNDS
from tournament.services.core.writing import writing

MOST_DAYS = 366  # from the event's date; a year typed wrongly is caught, a league over a season fits


def set_timetable(*, event: Event, starts: Sequence[dt.datetime | None], by: Account) -> bool:
    """Set when rounds are to start, aware moments from the first round on, None for one not known; return if new.

    Raises Refused where a round would start before an earlier one, far from the event's date, or past its last round.
    """
    with writing(event, "timetable_set", by=by) as change:
        current = change.event
        rounds = max(current.rounds_planned, current.rounds.count())
        problems = _problems(starts, current.date, rounds)
        if problems:
            raise Refused(*problems)
        timetable = [start.astimezone(dt.UTC).isoformat(timespec="minutes") if start else "" for start in starts]
        while timetable and not timetable[-1]:
            timetable.pop()
        if timetable == current.timetable:
            change.nothing_new()
            return False
        current.timetable = timetable
        current.save(update_fields=["timetable"])
        change.details = {"starts": timetable}
    event.timetable = timetable
    return True


def _problems(starts: Sequence[dt.datetime | None], date: dt.date, rounds: int) -> list[Problem]:
    if len(starts) > min(rounds, MOST_ROUNDS):
        return [error("timetable.too_many", rounds=rounds)]
    found = []
    latest, before = 0, None
    for number, start in enumerate(starts, start=1):
        if start is None:
            continue
        if abs((start.date() - date).days) > MOST_DAYS:
            found.append(error("timetable.far", round=number, date=start.date().isoformat()))
        if before is not None and start <= before:
            found.append(error("timetable.backwards", round=number, before=latest))
        latest, before = number, start
    return found
