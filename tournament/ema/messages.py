"""Words for what EMA asks of an event: its demands, what the desk found, the observer's report."""

from collections.abc import Mapping
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from rules.ema_events import (
    BREAK,
    LUNCH,
    MAX_A_DAY,
    MAX_SUBSTITUTES,
    MIN_PLAYERS,
    MIN_SESSIONS,
    PLAYERS_A_REFEREE,
    SESSION,
    Requirement,
    Verdict,
)
from tournament.text.acts import word_details
from tournament.text.languages import Words
from tournament.text.numbers import minutes_text

PHASES: Words = {"before": "Before the event", "during": "On the day", "after": "After the event"}
STATES: Words = {"kept": "met", "broken": "not met", "open": "open", "not_needed": "not needed"}
DEMANDS: Words = {
    "rules": "Play by EMA's rules, with four at a table.",
    "applied": "Apply for certification at least three months before, through your federation.",
    "quota": "At most three certified events per rule set, country and year.",
    "same_dates": "No other certified event of two or three days by these rules on the same dates.",
    "certified": "EMA has certified the event.",
    "sessions": "At least {one} sessions on one day, {two} on two days, {three} on three.",
    "a_day": "At most {most_a_day} sessions a day.",
    "length": "A session lasts {session} minutes, including its last hands.",
    "breaks": "At least {pause} minutes between sessions.",
    "lunch": "At least {lunch} minutes for lunch.",
    "timetable": "Players know when each session starts, and at which table they play.",
    "page_procedure": "A public page says how the event is played.",
    "page_fee": "A public page says what taking part costs.",
    "page_schedule": "A public page has the timetable.",
    "page_prizes": "A public page says what can be won.",
    "page_referees": "A public page names the referees.",
    "page_players": "A public page lists who takes part.",
    "english": "What is written about the event can be read in English.",
    "players": "At least {players} players.",
    "referees": "A referee for every {a_referee} players.",
    "observer": "An EMA observer is named at least two weeks before.",
    "draw": "Seats are drawn at random, openly, while players watch.",
    "table_signs": "Each table has a sign with its number.",
    "clock": "A clock can be seen from every table.",
    "results_between": "The results of each round are shown before the next session begins.",
    "substitutes": "At most {substitutes} substitutes count as players.",
    "file": "The results are in EMA's workbook, with EMA numbers and without errors.",
    "file_sent": "The results are sent to EMA.",
    "report_sent": "The observer's report is sent to EMA.",
}
_NUMBERS: Mapping[str, int] = {
    **dict(zip(("one", "two", "three"), MIN_SESSIONS, strict=True)),
    "most_a_day": MAX_A_DAY,
    "session": SESSION,
    "pause": BREAK,
    "lunch": LUNCH,
    "players": MIN_PLAYERS,
    "a_referee": PLAYERS_A_REFEREE,
    "substitutes": MAX_SUBSTITUTES,
}
# what the desk has found, by demand; one with a state in its key holds only then
FOUND: Words = {
    "applied": "Last day: {date}.",
    "sessions": "{sessions} sessions, days: {days}; at least {least} are needed.",
    "a_day": "At most {sessions} on one day.",
    "length": "{minutes}.",
    "breaks": "The shortest break lasts {minutes}.",
    "lunch": "The longest break at noon lasts {minutes}.",
    "timetable": "{known} of {sessions} sessions have a time.",
    "page_players": "{players} players.",
    "players": "{players} players.",
    "referees": "{referees} with the role of a referee, {least} needed for {players} players.",
    "observer": "Last day: {date}.",
    "substitutes": "{substitutes} so far.",
    "file": "Errors: {errors}.",
    "results_between broken": "Late after round {late}.",
    "results_between hold": "Results are held back while the last round is played.",
}
# the page of the desk where each is put right
WHERE: Mapping[str, str] = {
    "rules": "desk:rule_summary",
    "certified": "desk:publication",
    "sessions": "desk:settings",
    "a_day": "desk:timetable",
    "length": "desk:rules",
    "breaks": "desk:timetable",
    "lunch": "desk:timetable",
    "timetable": "desk:timetable",
    "page_procedure": "desk:settings",
    "page_fee": "desk:sign_up_page",
    "page_prizes": "desk:sign_up_page",
    "page_referees": "desk:sign_up_page",
    "page_schedule": "desk:timetable",
    "page_players": "desk:players",
    "english": "desk:for_players",
    "players": "desk:players",
    "referees": "desk:members",
    "observer": "desk:observer_report",
    "results_between": "desk:publication",
    "substitutes": "desk:all_substitutes",
    "file": "desk:rankings",
    "file_sent": "desk:rankings",
    "report_sent": "desk:observer_report",
}
ANSWERS: Words = {"yes": "yes", "no": "no", "open": "taken back"}
# the fields of the observer's report, in its order
PARTS: Words = {
    "observer": "Observer",
    "event": "Event, place and dates",
    "rules": "Rules and MERS weight",
    "schedule": "Playing schedule",
    "players": "Players and countries",
    "information": "Information",
    "referees": "Referees",
    "substitutes": "Substitutes",
    "between": "Clock, and results between sessions",
    "complaints": "Complaints",
    "venue": "Venue and equipment",
    "comments": "Comments",
}


def demand_text(key: str) -> str:
    """Say one of EMA's demands in a sentence; one that is not known by its key.

    >>> demand_text("players")
    'At least 16 players.'
    """
    return _(DEMANDS[key]).format_map(_NUMBERS) if key in DEMANDS else key


def say_found(requirement: Requirement, verdict: Verdict) -> str:
    """Say what the desk knows about a demand; "" for nothing."""
    key = requirement.key
    if key == "results_between" and verdict.state == "broken":
        key += " broken" if verdict.found["late"] else " hold"
    if key not in FOUND or not verdict.found:
        return ""
    return _(FOUND[key]).format_map({name: _plain(name, value) for name, value in verdict.found.items()})


def say_at_creation(requirement: Requirement, verdict: Verdict) -> str:
    """Say of a new event that a demand is not kept, with what was found."""
    said = {"demand": demand_text(requirement.key), "found": say_found(requirement, verdict)}
    return (_("EMA: %(demand)s %(found)s") % said).strip()


def _plain(name: str, value: Any) -> Any:
    if name == "minutes":
        return minutes_text(value)
    return date_format(value, "DATE_FORMAT") if hasattr(value, "strftime") else value


word_details(answer=ANSWERS, allowed=ANSWERS, parts=PARTS, requirement=demand_text)
