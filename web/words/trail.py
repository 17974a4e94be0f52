"""Words for the audit trail: what each verb did, as the middle of a sentence whose subject is its author."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from rules.books import book_keys, load
from web.words import (
    after_start,
    clock,
    draw,
    drill,
    ema,
    foul,
    house_rules,
    imports,
    people,
    readback,
    relay,
    sign_up,
    visibility,
)
from web.words.after_start import FILL_WORDS, METHODS
from web.words.clock import SECOND_PERSON_WORDS
from web.words.formatting import minutes_text, points
from web.words.foul import KINDS, say_amounts
from web.words.languages import Words, language_name, side_by_side
from web.words.people import ROLE_WORDS
from web.words.problems import Lenient, joined
from web.words.readback import NUMBERS_WORDS
from web.words.rules import say_change
from web.words.visibility import PAGES, VISIBILITY, say_event_facts, say_publication

SOUND_WORDS: Words = {"on": "on", "off": "off"}
PAYER_WORDS: Words = {"player": "the player", "substitute": "the substitute"}
HANDS_WORDS: Words = {"stay": "stay", "follow": "follow"}

VERBS: Words = {
    **after_start.VERBS,
    **clock.VERBS,
    **draw.VERBS,
    **drill.VERBS,
    **ema.VERBS,
    **foul.VERBS,
    **house_rules.VERBS,
    **imports.VERBS,
    **people.VERBS,
    **readback.VERBS,
    **relay.VERBS,
    **sign_up.VERBS,
    **visibility.VERBS,
    "event_created": "made the event",
    "rules_changed": "changed rules: {changes} ({reason})",
    "rule_set_taken": "took version {version} of {title}: {changes} ({reason})",
    "rule_set_saved": "saved version {version} of the rule set {title}",
    "rule_set_deleted": "deleted the rule set {key}",
    "seats_drawn": "drew seats for {players} players from seed {seed}, {repeats} repeat meetings",
    "draw_discarded": "discarded the draw",
    "seats_published": "published the seats of rounds {rounds}",
    "round_started": "started the clock of round {round}",
    "round_released": "released round {round}",
    "penalty_given": "gave player {player} {points} points: {reason}",
    "penalty_cancelled": "cancelled {points} points of player {player}: {reason}",
    "link_created": "made a link for a new {role}",
    "link_used": "signed in with a link as {role}",
    "account_renamed": "changed their own name",
    "password_set": "set a password",
    "second_factor_on": "switched two-step sign-in on",
    "second_factor_off": "switched two-step sign-in off",
    "recovery_codes_renewed": "made new recovery codes",
    "recovery_code_used": "signed in by a recovery code",
    "event_imported": "imported the event",
    "record_sealed": "sealed the event as it was then; earlier acts are not covered one by one",
    "record_accepted": "accepted the record as it is in the database ({found}): {reason}",
    "languages_set": "set the event's language {language} (second on the hall screen: {second_language})",
}

# the same without what nobody said
UNEXPLAINED: Words = {
    "rules_changed": "changed rules: {changes}",
    "rule_set_taken": "took version {version} of {title}: {changes}",
    "foul_amounts_changed": "changed amounts of fouls: {amounts}",
    "player_changed": "changed {fields} of player {number}",
    **sign_up.UNEXPLAINED,
    "call_closed": "closed the call of round {round}, table {table}",
}
# what an act says after its sentence, where its details have it
TAILS: Words = {
    "kept": "; given penalties keep their amounts: {kept}",
    "given": "; given penalties change, too: {given}",
    "unchanged": "; it was so already",
}
# details that are words of ours, by what they are called in the trail
DETAILS: Mapping[str, Words] = {
    "second_person": SECOND_PERSON_WORDS,
    "sheet_numbers": NUMBERS_WORDS,
    "fill": FILL_WORDS,
    "pages": PAGES,
    "role": ROLE_WORDS,
    "former": ROLE_WORDS,
    "sound": SOUND_WORDS,
    "hands": HANDS_WORDS,
    "payer": PAYER_WORDS,
    "shown": people.SHOWN_WORDS,
    "fields": people.FACT_WORDS,
    "visibility": VISIBILITY,
    "answer": ema.ANSWERS,
    "allowed": ema.ANSWERS,
    "parts": ema.PARTS,
}


def say_verb(verb: str, details: Mapping[str, Any]) -> str:
    """Put a row of the audit trail into words.

    >>> say_verb("round_released", {"round": 2})
    'released round 2'
    """
    stated = VERBS.get(verb, people.FORMER.get(verb))
    if stated is None:
        return verb.replace("_", " ")
    words = Lenient({key: _word(key, value) for key, value in details.items()})
    explained = verb not in UNEXPLAINED or words.get("reason", words.get("ruling"))
    said = _(stated) if explained else _(UNEXPLAINED[verb])
    return "".join([said, *(_(tail) for key, tail in TAILS.items() if key in details)]).format_map(words)


def _word(key: str, value: Any) -> Any:
    """Return one detail of an act as it stands in the sentence."""
    if key in SAYINGS:
        return SAYINGS[key](value)
    if key in DETAILS:
        words = DETAILS[key]
        return joined([_(words.get(str(each), str(each))) for each in (value if isinstance(value, list) else [value])])
    return joined([str(item) for item in value]) if isinstance(value, list) else value


def _say_changes(changes: Iterable[Mapping[str, Any]]) -> str:
    return side_by_side(say_change(one["field"], one["before"], one["after"]) for one in changes) or _("no changes")


def _say_kept(kept: Iterable[Mapping[str, Any]]) -> str:
    return side_by_side(
        _("player %(player)s: %(points)s") % {"player": one["player"], "points": points(one["points"])} for one in kept
    )


def _say_given(changed: Iterable[Mapping[str, Any]]) -> str:
    return side_by_side(
        _("player %(player)s: %(before)s to %(after)s")
        % {"player": one["player"], "before": points(one["before"]), "after": points(one["after"])}
        for one in changed
    )


def _say_starts(starts: Iterable[str]) -> str:
    """Say when rounds start, in the event's time zone; a dash for one of which it is not known."""
    moments = [parse_datetime(text) for text in starts]
    return side_by_side(
        f"{date_format(localtime(moment), 'MONTH_DAY_FORMAT')} {localtime(moment):%H:%M}" if moment else "–"
        for moment in moments
    )


SAYINGS: Mapping[str, Callable[[Any], str]] = {
    "changes": _say_changes,
    "amounts": say_amounts,
    "minutes": minutes_text,
    "kept": _say_kept,
    "given": _say_given,
    "as": lambda value: sign_up.say_details("as", value),
    "amount": lambda value: sign_up.say_details("amount", value) if isinstance(value, int) else str(value),
    "publication": say_publication,
    "changed": say_event_facts,
    "house_rules": house_rules.say_languages,
    "contact": house_rules.say_contact,
    "requirement": ema.say_demand,
    "compared_with": lambda key: load(key).title if key in book_keys() else _("its own"),
    "language": language_name,
    "second_language": language_name,
    "starts": _say_starts,
    "points": lambda value: points(value) if isinstance(value, int) else str(value),
    "kind": lambda value: _(KINDS[value][0]) if value in KINDS else str(value),
    "method": lambda value: str(METHODS[value][0]) if value in METHODS else str(value),
}
