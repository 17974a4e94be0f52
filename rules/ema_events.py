"""What EMA requires of a certified event, each demand once: its clause, when it is due, how an event's facts keep it.

After "EMA requirements and guidelines for MERS tournaments" (ERGMT) of 18 December 2018, and EMA's page on
certification. Where the number of a clause is not known, there is none. A demand that no fact shows is a question to
the organiser.
"""

import datetime as dt
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

State = Literal["kept", "broken", "open", "not_needed"]
Phase = Literal["before", "during", "after"]

BOOKS: Final = ("ema-2025", "ema-2016")
TABLE: Final = 4
MIN_PLAYERS: Final = 16
MIN_SESSIONS: Final = (4, 7, 11)  # of an event of one, two and three days
MAX_A_DAY: Final = 5
SESSION: Final = 90  # minutes
LAST_HANDS: Final = 15  # minutes of a session after its signal (EMA 2025, 7.4)
BREAK: Final = 15
LUNCH: Final = 30
NOON: Final = dt.time(13)
PLAYERS_A_REFEREE: Final = 32
MAX_SUBSTITUTES: Final = 3
LATE_HOLDS: Final = frozenset({"before_last"})  # keep the results of a round back while the next one is played
APPLIED_BEFORE: Final = dt.timedelta(days=91)  # three months
OBSERVER_BEFORE: Final = dt.timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Session:
    """A round: when it is to start by the hall's clock, None if not known, and when it started and was released."""

    planned: dt.datetime | None = None
    started: dt.datetime | None = None
    released: dt.datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFacts:
    """What a desk knows of an event. `minutes` are those until the signal, 0 for no limit.

    `hold` is the way in which results are held back. `english` tells whether typed texts have an English version, None
    where there are none. `file_errors` are those of the results for EMA, None before there are results. `answers` are
    the organiser's, by key; `told` are demands that the event's own page meets by what it tells.
    """

    book: str
    table_size: int
    date: dt.date
    today: dt.date
    minutes: int
    sessions: Sequence[Session]
    players: int = 0
    substitutes: int = 0
    referees: int = 0
    public: bool = False
    english: bool | None = None
    certified: bool = False
    hold: str = "nothing"
    observer: bool = False
    file_errors: int | None = None
    answers: Mapping[str, bool] = field(default_factory=dict)
    told: Collection[str] = ()

    @property
    def days(self) -> dict[dt.date, list[dt.datetime]]:
        """The planned starts of each day, in order."""
        starts = sorted(each.planned for each in self.sessions if each.planned)
        return {day: list(found) for day, found in itertools.groupby(starts, key=lambda start: start.date())}

    @property
    def timed(self) -> bool:
        """Whether it is known of every session when it starts."""
        return bool(self.sessions) and all(each.planned for each in self.sessions)

    @property
    def lasts(self) -> int:
        """The minutes of a session with its last hands; of one without a limit what EMA counts."""
        return self.minutes + LAST_HANDS if self.minutes else SESSION

    @property
    def gaps(self) -> dict[dt.date, list[int]]:
        """The minutes between the sessions of each day."""
        minute, found = dt.timedelta(minutes=1), self.days.items()
        return {
            day: [(later - start) // minute - self.lasts for start, later in itertools.pairwise(starts)]
            for day, starts in found
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a demand is kept, and the values that say why."""

    state: State
    found: Mapping[str, Any] = field(default_factory=dict)


Check = Callable[[EventFacts], Verdict]


@dataclass(frozen=True, slots=True)
class Requirement:
    """One demand; without a `check` it is asked. One `at_creation` is said when an event is made."""

    key: str
    clause: str
    phase: Phase
    check: Check | None = None
    at_creation: bool = False

    @property
    def asked(self) -> bool:
        """Whether the organiser's answer counts."""
        return self.check is None or self.check in ANSWERED

    def judge(self, facts: EventFacts) -> Verdict:
        """Tell whether an event keeps this demand."""
        return self.check(facts) if self.check else Verdict(_answered(facts, self.key))


def judge(facts: EventFacts) -> Iterator[tuple[Requirement, Verdict]]:
    """Yield every demand with its verdict, in the order of the event."""
    for each in REQUIREMENTS:
        yield each, each.judge(facts)


def requirement(key: str) -> Requirement:
    """Return the demand of this key; raises KeyError."""
    return _BY_KEY[key]


def _answered(facts: EventFacts, key: str) -> State:
    answer = facts.answers.get(key)
    return "open" if answer is None else "kept" if answer else "broken"


def _is(kept: bool, **found: Any) -> Verdict:
    return Verdict("kept" if kept else "broken", found)


def _as_far_as_known(facts: EventFacts, kept: bool, **found: Any) -> Verdict:
    """Judge what hangs on the timetable: as long as that has gaps, nothing is kept."""
    if not kept:
        return Verdict("broken", found)
    return Verdict("kept", found) if facts.timed else Verdict("open", found if facts.days else {})


# ---------------------------------------------------------------- before the event


def _applied(facts: EventFacts) -> Verdict:
    state, last = _answered(facts, "applied"), facts.date - APPLIED_BEFORE
    if state == "open" and facts.today > last and not facts.certified:
        state = "broken"  # EMA may certify a late one, and only the organiser knows when it was asked
    return Verdict(state, {"date": last})


def _same_dates(facts: EventFacts) -> Verdict:
    if facts.timed and len(facts.days) == 1:
        return Verdict("not_needed")
    return Verdict(_answered(facts, "same_dates"))


def _sessions(facts: EventFacts) -> Verdict:
    days, sessions = max(len(facts.days), 1), len(facts.sessions)
    least = MIN_SESSIONS[min(days, len(MIN_SESSIONS)) - 1]
    found = {"sessions": sessions, "days": days, "least": least}
    return _as_far_as_known(facts, sessions >= least, **found)


def _a_day(facts: EventFacts) -> Verdict:
    most = max(map(len, facts.days.values()), default=0)
    return _as_far_as_known(facts, most <= MAX_A_DAY, sessions=most)


def _lunch(facts: EventFacts) -> Verdict:
    over_noon = [day for day, starts in facts.days.items() if starts[0].time() < NOON <= starts[-1].time()]
    return _least_gap(facts, ([max(facts.gaps[day])] for day in over_noon), LUNCH)


def _least_gap(facts: EventFacts, gaps: Iterable[list[int]], least: int) -> Verdict:
    shortest = min((gap for day in gaps for gap in day), default=None)
    if shortest is None:
        return Verdict("not_needed" if facts.timed else "open")
    return _as_far_as_known(facts, shortest >= least, minutes=max(shortest, 0))


def _timetable(facts: EventFacts) -> Verdict:
    known = sum(each.planned is not None for each in facts.sessions)
    return _is(facts.timed, known=known, sessions=len(facts.sessions))


def _told(key: str) -> Check:
    """Make the check of what the event's page tells; of a page elsewhere the organiser answers, which counts more."""

    def check(facts: EventFacts) -> Verdict:
        return Verdict("kept" if key in facts.told and key not in facts.answers else _answered(facts, key))

    return check


_FEE, _PRIZES, _REFEREES = _told("page_fee"), _told("page_prizes"), _told("page_referees")


def _players(facts: EventFacts) -> Verdict:
    found = {"players": facts.players, "least": MIN_PLAYERS}
    if facts.players >= MIN_PLAYERS:
        return Verdict("kept", found)
    return Verdict("open" if facts.today < facts.date else "broken", found)


def _referees(facts: EventFacts) -> Verdict:
    least = max(-(-facts.players // PLAYERS_A_REFEREE), 1)
    return _is(facts.referees >= least, referees=facts.referees, least=least, players=facts.players)


def _observer(facts: EventFacts) -> Verdict:
    last = facts.date - OBSERVER_BEFORE
    if facts.observer:
        return Verdict("kept", {"date": last})
    return Verdict("open" if facts.today <= last else "broken", {"date": last})


# ---------------------------------------------------------------- during and after


def _results_between(facts: EventFacts) -> Verdict:
    if facts.hold in LATE_HOLDS:
        return Verdict("broken", {"late": 0})
    late = late_rounds(facts.sessions)
    if late:
        return Verdict("broken", {"late": late[0]})
    return Verdict("kept" if all(each.started for each in facts.sessions[1:]) else "open", {"late": 0})


def late_rounds(sessions: Sequence[Session]) -> list[int]:
    """Return the numbers of the rounds whose results were not shown when the next one began."""
    pairs = enumerate(itertools.pairwise(sessions), start=1)
    return [
        number
        for number, (one, other) in pairs
        if other.started and not (one.released and one.released <= other.started)
    ]


def _file(facts: EventFacts) -> Verdict:
    if facts.file_errors is None:
        return Verdict("open", {"errors": 0})
    return _is(facts.file_errors == 0, errors=facts.file_errors)


# checks in which the organiser's answer counts, too
ANSWERED: Final = (_applied, _same_dates, _FEE, _PRIZES, _REFEREES)
CERTIFICATION: Final = "EMA certification"
REQUIREMENTS: Final = (
    Requirement(
        "rules",
        "ERGMT",
        "before",
        lambda facts: _is(facts.book in BOOKS and facts.table_size == TABLE, players=facts.table_size),
        at_creation=True,
    ),
    Requirement("applied", CERTIFICATION, "before", _applied, at_creation=True),
    Requirement("quota", CERTIFICATION, "before"),
    Requirement("same_dates", CERTIFICATION, "before", _same_dates),
    Requirement("certified", CERTIFICATION, "before", lambda facts: Verdict("kept" if facts.certified else "open")),
    Requirement("sessions", "ERGMT", "before", _sessions, at_creation=True),
    Requirement("a_day", "ERGMT", "before", _a_day),
    Requirement(
        "length", "ERGMT", "before", lambda facts: _is(facts.lasts >= SESSION, minutes=facts.lasts, least=SESSION)
    ),
    Requirement("breaks", "ERGMT", "before", lambda facts: _least_gap(facts, facts.gaps.values(), BREAK)),
    Requirement("lunch", "ERGMT", "before", _lunch),
    Requirement("timetable", "ERGMT 3.8", "before", _timetable),
    Requirement("page_procedure", "ERGMT 3.3", "before", lambda facts: _is(facts.public)),
    Requirement("page_fee", "ERGMT 3.3", "before", _FEE),
    Requirement("page_schedule", "ERGMT 3.3", "before", lambda facts: _is(facts.public and facts.timed)),
    Requirement("page_prizes", "ERGMT 3.3", "before", _PRIZES),
    Requirement("page_referees", "ERGMT 3.3", "before", _REFEREES),
    Requirement(
        "page_players",
        "ERGMT 3.3",
        "before",
        lambda facts: _is(facts.public and facts.players > 0, players=facts.players),
    ),
    Requirement(
        "english",
        "ERGMT",
        "before",
        lambda facts: Verdict("not_needed") if facts.english is None else _is(facts.english),
    ),
    Requirement("players", "ERGMT", "before", _players),
    Requirement("referees", "ERGMT", "before", _referees),
    Requirement("observer", f"{CERTIFICATION}; ERGMT 3.11", "before", _observer),
    Requirement("draw", "ERGMT 3.7", "during"),
    Requirement("table_signs", "ERGMT", "during"),
    Requirement("clock", "ERGMT 3.6, 3.8", "during"),
    Requirement("results_between", "ERGMT 3.6, 3.8", "during", _results_between),
    Requirement(
        "substitutes",
        "MERS",
        "during",
        lambda facts: _is(facts.substitutes <= MAX_SUBSTITUTES, substitutes=facts.substitutes, most=MAX_SUBSTITUTES),
    ),
    Requirement("file", "ERGMT 3.13", "after", _file),
    Requirement("file_sent", "ERGMT 3.13", "after"),
    Requirement("report_sent", "ERGMT 3.11", "after"),
)
_BY_KEY = {each.key: each for each in REQUIREMENTS}
