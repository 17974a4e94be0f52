"""The clock of a table, and what may still be played once it has signalled (E25 7.4; S0; WRC 2025 10.1).

Moments and rules in, numbers and problems out: it reads no clock, knows no table, and stores nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from rules.ruleset import Ruleset
from scoring.entries import Chombo, Correction, Entry, Totals
from scoring.problems import Problem, warning


@dataclass(frozen=True, slots=True)
class Pause:
    """A time in which a clock stood still; `until` is None while it still does."""

    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """What a table's clock says `now`: when it signals, None where it does not, and the hands with their moments.

    A hand's moment is when it was first entered: the desk does not see the discard, so it takes that for its end.
    """

    signal: datetime | None
    now: datetime
    hands: tuple[tuple[Entry, datetime], ...] = ()

    @property
    def is_up(self) -> bool:
        """Whether the signal has come."""
        return self.signal is not None and self.signal <= self.now


def signal_at(started: datetime | None, minutes: int, pauses: Iterable[Pause] = ()) -> datetime | None:
    """Return when a clock of so many minutes signals; None if it was not started, has no limit, or stands still.

    Pauses come in order; one that began after the signal moves nothing.

    >>> from datetime import datetime
    >>> noon = datetime(2026, 9, 12, 12)
    >>> signal_at(noon, 75, [Pause(noon.replace(minute=10), noon.replace(minute=14))]).isoformat()
    '2026-09-12T13:19:00'
    """
    if started is None or not minutes:
        return None
    end = started + timedelta(minutes=minutes)
    for pause in pauses:
        if pause.since >= end:
            break
        if pause.until is None:
            return None
        end += pause.until - pause.since
    return end


def left_of(started: datetime | None, minutes: int, pauses: Iterable[Pause], now: datetime) -> timedelta | None:
    """Return the time left on a clock, also while it stands still; 0 once it has signalled, None where it does not run.

    >>> from datetime import datetime
    >>> noon = datetime(2026, 9, 12, 12)
    >>> left_of(noon, 75, [Pause(noon.replace(minute=10), None)], noon.replace(minute=50))
    datetime.timedelta(seconds=3900)
    """
    # a pause that goes on moves the end along with the present
    end = signal_at(started, minutes, [Pause(each.since, each.until or now) for each in pauses])
    return None if end is None else max(timedelta(0), end - now)


def hands_left(limit: TimeLimit, rules: Ruleset) -> int | None:
    """Return how many hands may still end at a table, that in play at the signal included; None before the signal.

    One hand is always in play: the next begins when a win is called or the last discard passes (E25 3.1). Where it
    begins with the deal it may not have been dealt; the desk cannot know that and counts it.
    """
    if limit.signal is None or not limit.is_up:
        return None
    played = sum(at > limit.signal and _counts(entry, rules) for entry, at in limit.hands)
    return max(0, 1 + rules.extra_hands - played)


def time_problems(entry: Entry, limit: TimeLimit, rules: Ruleset) -> list[Problem]:
    """Warn of a hand for which no time is left; corrections and totals are no hands."""
    if isinstance(entry, Correction | Totals) or hands_left(limit, rules) != 0:
        return []
    return [warning("time.over", allowed=1 + rules.extra_hands, extra_hands=rules.extra_hands)]


def _counts(entry: Entry, rules: Ruleset) -> bool:
    """Tell whether an entry uses up a hand; a chombo after the signal does where the book says so (E25 3.4.6)."""
    if isinstance(entry, Chombo):
        return rules.chombo_after_signal == "counts"
    return not isinstance(entry, Correction | Totals)
