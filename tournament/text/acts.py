"""Words for the audit trail: the sentence of each act, whose subject is its author, with the details of the row."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from rules.books import book_keys, load
from tournament.core.acts import find_act
from tournament.text.languages import Words, join_and, join_spaced, language_name
from tournament.text.numbers import minutes_text, points
from tournament.text.problems import DefaultParams
from tournament.text.readback import NUMBERS_WORDS
from tournament.text.rules import say_change

SOUND_WORDS: Words = {"on": "on", "off": "off"}
PAYER_WORDS: Words = {"player": "the player", "substitute": "the substitute"}
HANDS_WORDS: Words = {"stay": "stay", "follow": "follow"}


# what an act says after its sentence, where its details have it
TAILS: Words = {
    "kept": "; given penalties keep their amounts: {kept}",
    "given": "; given penalties change, too: {given}",
    "unchanged": "; it was so already",
    "overruled": "; the ruling before: {overruled}",
}
# how details are worded, by their names in the trail: a table of words, or a function; features add theirs
_DETAILS: dict[str, Words | Callable[[Any], str]] = {}


def word_details(**words: Words | Callable[[Any], str]) -> None:
    """Add how details of acts are worded, by their names; raises ValueError for a name that is worded already."""
    if known := _DETAILS.keys() & words.keys():
        raise ValueError(f"Worded twice: {sorted(known)}.")
    _DETAILS.update(words)


def act_text(verb: str, details: Mapping[str, Any]) -> str:
    """Put a row of the audit trail into words.

    >>> act_text("round_released", {"round": 2})
    'released round 2'
    """
    act = find_act(verb)
    if act is None or not act.sentence:
        return verb.replace("_", " ")
    words = DefaultParams({key: _word(key, value) for key, value in details.items()})
    explained = not act.without_reason or words.get("reason", words.get("ruling"))
    said = _(act.sentence if explained else act.without_reason)
    return "".join([said, *(_(tail) for key, tail in TAILS.items() if key in details)]).format_map(words)


def _word(key: str, value: Any) -> Any:
    """Return one detail of an act as it stands in the sentence."""
    words = _DETAILS.get(key)
    if callable(words):
        return words(value)
    if words is not None:
        return join_and(
            [_(words.get(str(each), str(each))) for each in (value if isinstance(value, list) else [value])]
        )
    return join_and([str(item) for item in value]) if isinstance(value, list) else value


def _changes_text(changes: Iterable[Mapping[str, Any]]) -> str:
    return join_spaced(say_change(one["field"], one["before"], one["after"]) for one in changes) or _("no changes")


def _say_kept(kept: Iterable[Mapping[str, Any]]) -> str:
    return join_spaced(
        _("player %(player)s: %(points)s") % {"player": one["player"], "points": points(one["points"])} for one in kept
    )


def _say_given(changed: Iterable[Mapping[str, Any]]) -> str:
    return join_spaced(
        _("player %(player)s: %(before)s to %(after)s")
        % {"player": one["player"], "before": points(one["before"]), "after": points(one["after"])}
        for one in changed
    )


def _say_starts(starts: Iterable[str]) -> str:
    """Say when rounds start, in the event's time zone; a dash for one of which it is not known."""
    moments = [parse_datetime(text) for text in starts]
    return join_spaced(
        f"{date_format(localtime(moment), 'MONTH_DAY_FORMAT')} {localtime(moment):%H:%M}" if moment else "–"
        for moment in moments
    )


word_details(
    sheet_numbers=NUMBERS_WORDS,
    sound=SOUND_WORDS,
    hands=HANDS_WORDS,
    payer=PAYER_WORDS,
    changes=_changes_text,
    minutes=minutes_text,
    kept=_say_kept,
    given=_say_given,
    compared_with=lambda key: load(key).title if key in book_keys() else _("its own"),
    language=language_name,
    second_language=language_name,
    starts=_say_starts,
    points=lambda value: points(value) if isinstance(value, int) else str(value),
)
