"""Time limit: when a table's clock signals, and which hands may be played after it (E25 7.4; S0; WRC 2025 10.1).

Moments come as arguments; reads no clock.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from rules.ruleset import Ruleset
from scoring.entries import Chombo, Correction, Entry, Totals
from scoring.problems import Problem, ProblemType

TIME_OVER = ProblemType(
    "time.over",
    "Time is up and no further hand may be played: after the signal the hand in play ends, extra hands: "
    "{extra_hands}. If this one still counts, say why.",
    ("allowed",),
)


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of a clock; `until` is None while it lasts."""

    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """A table's clock at `now`: its signal, None without one, and the hands with their moments.

    A hand's moment is its first entry: the desk does not see the last discard.
    """

    signal: datetime | None
    now: datetime
    hands: tuple[tuple[Entry, datetime], ...] = ()

    @property
    def is_up(self) -> bool:
        """Whether the signal has come."""
        return self.signal is not None and self.signal <= self.now


def signal_at(started: datetime | None, minutes: int, pauses: Iterable[Pause] = ()) -> datetime | None:
    """Return when a clock of `minutes` signals; None if not started, without limit, or paused.

    Pauses are in order; one that began after the signal has no effect.

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
    """Return the time left, also during a pause; 0 after the signal, None if not started or without limit.

    >>> from datetime import datetime
    >>> noon = datetime(2026, 9, 12, 12)
    >>> left_of(noon, 75, [Pause(noon.replace(minute=10), None)], noon.replace(minute=50))
    datetime.timedelta(seconds=3900)
    """
    # a pause that lasts moves the end along with `now`
    end = signal_at(started, minutes, [Pause(each.since, each.until or now) for each in pauses])
    return None if end is None else max(timedelta(0), end - now)


def hands_left(limit: TimeLimit, rules: Ruleset) -> int | None:
    """Return how many hands may still end at a table, with the one in play at the signal; None before the signal.

    One hand is always in play: the next begins when a win is called or the last discard passes (E25 3.1). Where it
    begins with the deal it may not be dealt yet; the desk cannot know that and counts it.
    """
    if limit.signal is None or not limit.is_up:
        return None
    played = sum(at > limit.signal and _counts(entry, rules) for entry, at in limit.hands)
    return max(0, 1 + rules.extra_hands - played)


def time_problems(entry: Entry, limit: TimeLimit, rules: Ruleset) -> list[Problem]:
    """Return a warning for a hand after the last one allowed; corrections and totals are no hands."""
    if isinstance(entry, Correction | Totals) or hands_left(limit, rules) != 0:
        return []
    return [TIME_OVER.warning(allowed=1 + rules.extra_hands, extra_hands=rules.extra_hands)]


def _counts(entry: Entry, rules: Ruleset) -> bool:
    """Return whether an entry uses up a hand; for a chombo the rules say so (E25 3.4.6)."""
    if isinstance(entry, Chombo):
        return rules.chombo_after_signal == "counts"
    return not isinstance(entry, Correction | Totals)
