"""Time limit: signals, pauses and hands left by the books. By hand."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.books import load
from rules.ruleset import Ruleset
from scoring.entries import Correction, Entry, Totals
from scoring.problems import Problem
from scoring.shorthand import parse
from scoring.time_limit import Pause, TimeLimit, hands_left, left_of, signal_at, time_problems
from tests.table_test import tabled

TEN = dt.datetime(2026, 9, 12, 10, tzinfo=dt.UTC)


def at(minutes: float) -> dt.datetime:
    """Return a moment so many minutes after the start at ten."""
    return TEN + dt.timedelta(minutes=minutes)


def rules_of(key: str, **values: object) -> Ruleset:
    rules = load(key)
    return type(rules)(**{**{name: getattr(rules, name) for name in rules.as_json()}, **values})


@pytest.mark.parametrize(
    ("minutes", "pauses", "signal"),
    [
        (75, [], 75),
        (60, [], 60),
        (0, [], None),
        (75, [(10, 14)], 79),
        (75, [(10, 14), (20, 30.5)], 89.5),
        (75, [(10, None)], None),
        (75, [(10, 14), (78, None)], None),  # it began before the signal, which the first had put off
        (75, [(75, None)], 75),  # the signal has come: no pause takes it back
        (75, [(80, 90)], 75),
    ],
)
def test_pauses_put_the_signal_off(minutes: int, pauses: list[tuple[float, float | None]], signal: float | None):
    stood = [Pause(at(since), None if until is None else at(until)) for since, until in pauses]
    assert signal_at(TEN, minutes, stood) == (None if signal is None else at(signal))


def test_a_clock_that_was_not_started_never_signals():
    assert signal_at(None, 75) is None
    assert left_of(None, 75, [], TEN) is None


@pytest.mark.parametrize(
    ("now", "left"),
    [(0, 75), (9, 66), (10, 65), (12, 65), (13.9, 65), (14, 65), (15, 64), (79, 0), (200, 0)],
)
def test_what_is_left_stands_still_in_a_pause(now: float, left: float):
    pauses = [Pause(at(10), at(14))] if now >= 14 else [Pause(at(10), None)] if now >= 10 else []
    assert left_of(TEN, 75, pauses, at(now)) == dt.timedelta(minutes=left)


@given(st.lists(st.integers(1, 30), max_size=8), st.integers(1, 120))
def test_the_signal_comes_after_all_minutes_have_run(lengths: list[int], minutes: int):
    pauses, moment, ran = [], 0, 0
    for length in lengths:
        step = min(5, minutes - ran - 1)
        if step < 0:
            break
        moment, ran = moment + step, ran + step
        pauses.append(Pause(at(moment), at(moment + length)))
        moment += length
    stood = sum((pause.until - pause.since for pause in pauses if pause.until), dt.timedelta(0))
    assert signal_at(TEN, minutes, pauses) == at(minutes) + stood


def limit(now: float, *hands: tuple[str, float], signal: float = 75) -> TimeLimit:
    return TimeLimit(at(signal), at(now), tuple((parse(line), at(moment)) for line, moment in hands))


# A mangan, a draw, a chombo: what it was does not matter, but for the chombo.
TABLE = [
    # EMA 2025: 75 minutes, the hand in play and one more; a chombo counts (7.4, 3.4.6)
    ("ema-2025", limit(74.9, ("1t 230", 60)), None),
    ("ema-2025", limit(75, ("1t 230", 60)), 2),
    ("ema-2025", limit(75), 2),
    ("ema-2025", limit(76, ("1t 230", 74)), 2),
    ("ema-2025", limit(76, ("1t 230", 75)), 2),  # it ended with the signal: the next had begun
    ("ema-2025", limit(80, ("1t 230", 60), ("2r3 340/2", 78)), 1),
    ("ema-2025", limit(90, ("1t 230", 60), ("2r3 340/2", 78), ("d", 84)), 0),
    ("ema-2025", limit(99, ("1t 230", 76), ("2r3 340/2", 82), ("d", 90)), 0),
    ("ema-2025", limit(80, ("c2", 78)), 1),
    # EMA 2016: the same, but a chombo is played again
    ("ema-2016", limit(80, ("c2", 78)), 2),
    ("ema-2016", limit(84, ("c2", 78), ("1t 230", 83)), 1),
    # WRC 2025 and Rakkii Nomi: 75 minutes and one more; every chombo is re-dealt (12.2)
    ("wrc-2025", limit(75), 2),
    ("wrc-2025", limit(80, ("c2", 78)), 2),
    ("wrc-2025", limit(90, ("c2", 78), ("1t 230", 83), ("d", 89)), 0),
    ("rakkii-nomi-2026", limit(80, ("1t 230", 79)), 1),
    ("rakkii-nomi-2026", limit(80, ("c1", 79)), 2),
    # SanMatsuri: 60 minutes and the final hand; three at a table
    ("sanmatsuri-2026", limit(59, signal=60), None),
    ("sanmatsuri-2026", limit(60, signal=60), 2),
    ("sanmatsuri-2026", limit(66, ("1t 230", 59), ("2t 340", 65), signal=60), 1),
    ("sanmatsuri-2026", limit(72, ("2t 340", 65), ("d", 71), signal=60), 0),
    ("sanmatsuri-2026", limit(66, ("c2", 65), signal=60), 1),
]


@pytest.mark.states("clock")
@tabled("key, clock, left", TABLE)
def test_what_may_still_be_played(key: str, clock: TimeLimit, left: int | None):
    assert hands_left(clock, load(key)) == left


@pytest.mark.parametrize(("extra", "left"), [(0, (1, 0)), (1, (2, 1)), (2, (3, 2))])
def test_the_extra_hands_are_the_events_own(extra: int, left: tuple[int, int]):
    rules = rules_of("ema-2025", extra_hands=extra)
    assert (hands_left(limit(76), rules), hands_left(limit(80, ("1t 230", 78)), rules)) == left


def test_without_a_limit_all_may_be_played():
    assert hands_left(TimeLimit(None, at(500)), load("ema-2025")) is None


def test_a_correction_uses_no_hand_up():
    row: tuple[tuple[Entry, dt.datetime], ...] = ((Correction(deltas=(100, -100, 0, 0), reason="loan"), at(80)),)
    assert hands_left(TimeLimit(at(75), at(81), row), load("ema-2025")) == 2


OVER = limit(90, ("1t 230", 78), ("d", 84))


def test_a_hand_beyond_is_warned_of():
    wanted = [Problem("time.over", {"allowed": 2, "extra_hands": 1}, "warning")]
    assert time_problems(parse("1t 230"), OVER, load("ema-2025")) == wanted
    assert time_problems(parse("c2"), OVER, load("wrc-2025")) == wanted
    assert time_problems(parse("1t 230"), limit(80, ("d", 78)), load("ema-2025")) == []
    assert time_problems(parse("1t 230"), limit(74, ("d", 60)), load("ema-2025")) == []


def test_totals_and_corrections_may_come_at_any_time():
    for entry in (Totals(scores=(30000,) * 4), Correction(deltas=(100, -100, 0, 0), reason="loan")):
        assert time_problems(entry, OVER, load("ema-2025")) == []
