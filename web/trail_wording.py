"""The audit trail in words: what each verb did, in the middle of a sentence whose subject is who did it.

It decides nothing; problems are worded in `wording`.
"""

from collections.abc import Mapping
from typing import Any

from web.after_start_wording import VERBS as AFTER_START_VERBS
from web.clock_wording import VERBS as CLOCK_VERBS
from web.correction_wording import VERBS as CORRECTION_VERBS
from web.day_line_wording import SECOND_PERSON_WORDS
from web.day_line_wording import VERBS as DAY_LINE_VERBS
from web.draw_wording import VERBS as DRAW_VERBS
from web.foul_wording import VERBS as FOUL_VERBS
from web.foul_wording import say_amounts
from web.languages import Words, language_name
from web.people_wording import VERBS as PEOPLE_VERBS
from web.rules_wording import say_change
from web.schedule_wording import VERBS as SCHEDULE_VERBS
from web.totals_wording import NUMBERS_WORDS
from web.totals_wording import VERBS as TOTALS_VERBS
from web.wording import Lenient, joined

VERBS: Words = {
    "event_created": "made the event",
    "rules_changed": "changed rules: {changes} ({reason})",
    "seats_drawn": "drew seats for {players} players from seed {seed}, {repeats} repeat meetings",
    "draw_discarded": "threw the draw away",
    "seats_published": "published the seats of rounds {rounds}",
    "round_started": "started the clock of round {round}",
    "round_released": "released round {round}",
    **CORRECTION_VERBS,
    "penalty_given": "gave player {player} {points} points: {reason}",
    **FOUL_VERBS,
    **PEOPLE_VERBS,
    **CLOCK_VERBS,
    **DAY_LINE_VERBS,
    **AFTER_START_VERBS,
    **DRAW_VERBS,
    **SCHEDULE_VERBS,
    **TOTALS_VERBS,
    "penalty_cancelled": "cancelled {points} points of player {player}: {reason}",
    "link_created": "made a link for a new {role}",
    "link_used": "came in by a link as {role}",
    "account_renamed": "changed the own name",
    "password_set": "set a password",
    "results_imported": "imported results",
    "event_imported": "imported the event",
    "languages_set": "set the event's language {language} (second on the wall: {second_language})",
}


def say_verb(verb: str, details: Mapping[str, Any]) -> str:
    """Put a row of the audit trail into words.

    >>> say_verb("round_released", {"round": 2})
    'released round 2'
    """
    words = Lenient()
    for key, value in details.items():
        if key == "changes":
            words[key] = "; ".join(say_change(one["field"], one["before"], one["after"]) for one in value)
        elif key == "amounts":
            words[key] = say_amounts(value)
        elif key == "second_person":
            words[key] = SECOND_PERSON_WORDS.get(value, value)
        elif key == "sheet_numbers":
            words[key] = NUMBERS_WORDS.get(value, value)
        elif key in ("language", "second_language"):
            words[key] = language_name(value)
        elif isinstance(value, list):
            words[key] = joined([str(item) for item in value])
        else:
            words[key] = value
    template = VERBS.get(verb)
    return template.format_map(words).removesuffix(" ()") if template else verb.replace("_", " ")
