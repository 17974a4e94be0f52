"""Problems as a sentence, or as JSON, the same in commands and API: code, message, parameters, index.

Seats are counted from 1, and named where the caller knows the players.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.problems import PROBLEM_TYPES, Param, Problem
from tournament.core.acts import import_declarations
from tournament.text.hands import CAUSES, DORA, worded, yaku_name
from tournament.text.languages import Words, join_and, join_or, join_spaced
from tournament.text.numbers import minutes_text, points, seconds_text, wait_text, wind_initial
from tournament.text.readback import ABORT_WORDS, CORRECTION_REASONS
from tournament.text.readback import PARAMS as PAID_PARAMS
from tournament.text.rules import RULE_NAMES

_SEATS = ("seat", "seats")


def problem_text(problem: Problem, names: Sequence[str] = ()) -> str:
    """Put a problem into one sentence; `names` are the players by seat, where they are known.

    >>> problem_text(Problem("win.han_zero", {"seat": 1}))
    'Player 2 wins with 0 han; a win needs at least one.'
    """
    if problem.code not in PROBLEM_TYPES:
        import_declarations()
    kind = PROBLEM_TYPES.get(problem.code)
    if kind is None:
        return f"{problem.code}: {', '.join(f'{key} {value}' for key, value in problem.params.items())}".rstrip(": ")
    return _(kind.sentence).format_map(_worded(worded(problem).params, names, problem.code))


def _worded(params: Mapping[str, Param], names: Sequence[str], code: str = "") -> dict[str, Any]:
    """Return parameters as they stand in a sentence: seats as players, points with separators, lists joined."""
    words: dict[str, Any] = DefaultParams({key: _word(key, value, names) for key, value in params.items()})
    for key, word_of in _OF_CODE.get(code, {}).items():
        words[key] = word_of(params.get(key))
    if isinstance(params.get("hand"), int):
        words["hand_number"] = int(str(params["hand"])) + 1
    if "causes" in params:
        words["causes_words"] = _causes(params["causes"])
    if isinstance(params.get("gap"), int) and "deposit" in params:
        words["gap_words"] = _gap(int(str(params["gap"])), int(str(params["deposit"])))
    return words


def _word(key: str, value: Param, names: Sequence[str]) -> Param:
    """Return one parameter as it stands in a sentence."""
    items = value if isinstance(value, tuple) else (value,)
    if key in _SEATS and not isinstance(value, str):
        return join_and([_player(int(seat), names) for seat in items])
    if key in _YAKU and not isinstance(value, int):
        return join_and([_(DORA[name]) if name in DORA else yaku_name(str(name)) for name in items])
    if key in PAID_PARAMS:
        return PAID_PARAMS[key](value)
    if key in _TABLES:
        return _(_TABLES[key].get(str(value), str(value)))
    if isinstance(value, tuple):
        return join_and([_(ABORT_WORDS.get(str(item), str(item))) for item in value]) or _("none")
    if isinstance(value, int) and key in _NUMBERS:
        return _NUMBERS[key](value)
    return value


class DefaultParams(dict[str, Any]):
    """Parameters in which a missing one shows as its own name: a sentence is never lost over it."""

    def __missing__(self, key: str) -> str:
        return f"({key})"


_POINTS = frozenset(
    {"score", "deposit", "total", "wanted", "gap", "announced", "computed", "paper", "leftover", "points", "most"}
) | {"left", "usual", "typed", "meant", "loan", "far"}
_NUMBERS: Mapping[str, Callable[[int], str]] = {
    **dict.fromkeys(_POINTS, points),
    "minutes": minutes_text,
    "seconds": seconds_text,
    "wait": wait_text,
}


_YAKU = frozenset({"yaku", "one", "other", "counted", "entered"})


def _players(value: Param, names: Sequence[str]) -> str:
    seats = value if isinstance(value, tuple) else (value,)
    return join_and([_player(int(seat), names) for seat in seats])


def _player(seat: int, names: Sequence[str]) -> str:
    if 0 <= seat < len(names):
        return _("%(name)s (player %(seat)d)") % {"name": names[seat], "seat": seat + 1}
    return _("Player %(seat)d") % {"seat": seat + 1}


def _causes(causes: Param) -> str:
    """Say which slips would give what was announced; nothing where none does."""
    said = [_(CAUSES.get(str(cause), str(cause))) for cause in (causes if isinstance(causes, tuple) else ())]
    if not said:
        return ""
    causes = pgettext("between questions", " or ").join(said)
    return pgettext("behind a statement", " (%(causes)s)") % {"causes": causes}


def _gap(gap: int, stick: int) -> str:
    """Say how far a sum is off, with the slip that such a number suggests; `stick` is what a riichi stick is worth."""
    whole = bool(stick) and gap % stick == 0
    if gap == -stick:
        said = _("short by %(points)s (one riichi stick?)")
    elif gap < 0:
        said = _("short by %(points)s (riichi sticks or borrowed points?)") if whole else _("short by %(points)s")
    else:
        said = _("over by %(points)s (borrowed points counted twice?)") if whole else _("over by %(points)s")
    return said % {"points": points(abs(gap))}


NUMBER_WORDS: Words = {
    "round": "round",
    "table": "table",
    "seat": "seat",
    "points": "points",
}
PAST_WORDS: Words = {"date": "a day", "weight": "a MERS weight", "base": "a base rank"}


IMPORT_COLUMNS: Words = {
    "round": "round",
    "table": "table",
    "seat": "seat",
    "player": "player",
    "points": "points",
    "reason": "reason",
    "clause": "rule",
    "cancelled": "cancelled",
    "number": "player's number",
    "wind0": "player in East",
    "wind1": "player in South",
    "wind2": "player in West",
    "wind3": "player in North",
    "points0": "points of East",
    "points1": "points of South",
    "points2": "points of West",
    "points3": "points of North",
}


PRIVACY_COLUMNS: Words = {
    "shown_by_name": "may be shown by name",
    "filmed": "may be filmed",
    "minor": "minor",
    "guardian": "guardian",
    "guardian_consent_on": "guardian agreed on",
}
COLUMN_WORDS: Words = {
    "name": "name",
    "first_name": "first name",
    "last_name": "last name",
    "preferred_name": "display name",
    "legal_name": "legal name",
    "ema_number": "EMA number",
    "country": "country",
    "club": "club",
    "team": "team",
    **IMPORT_COLUMNS,
    **PRIVACY_COLUMNS,
}

WAYS_TO_WIN: Words = {"ron": "ron", "tsumo": "tsumo"}
# what seats an odd field, as the end of "players cannot be seated in fours by …"
WAYS_OF_SEATING: Words = {
    "full": "full tables only",
    "substitutes": "substitutes",
    "rests": "rests in turn",
    "other_tables": "tables of another size",
}
# what JSON must hold at a place; the words come from scoring.strict_json and from commands
WANTED_WORDS: Words = {
    "an object": "an object",
    "an object with seats as keys": "an object with seats as keys",
    "true or false": "true or false",
    "a list": "a list",
    "a text": "a text",
    "a whole number": "a whole number",
    "a UUID": "a UUID",
}

START_WINDS: Words = {"E": "East", "S": "South", "W": "West", "N": "North", "5": "fifth seat"}

_TABLES = {
    "how": WAYS_TO_WIN,
    "way": WAYS_OF_SEATING,
    "reason": ABORT_WORDS,
    "because": CORRECTION_REASONS,
    "meaning": COLUMN_WORDS,
    "rule": RULE_NAMES,
    "start_wind": START_WINDS,
}


def _from(words: Words) -> Callable[[Any], str]:
    return lambda value: _(words.get(str(value), str(value)))


def _winds(value: Any) -> str:
    return join_and([wind_initial(wind) for wind in value])


def _scores(value: Any) -> str:
    return join_spaced(points(each) for each in value) if isinstance(value, tuple) else str(value)


def _aborts(known: Any) -> str:
    """Say which abortive draws an event has."""
    names = join_and([_(ABORT_WORDS.get(reason, reason)) for reason in known or ()])
    return _("this event has %(names)s") % {"names": names} if names else _("no abortive draws in this event")


SIGN_UP_FIELDS: Words = {
    "places": "Places at the event",
    "offer_hours": "Hours to accept an offered place",
    "fee": "Fee",
    "pay_days": "Days to pay",
    "keep_days": "Days that sign-ups are kept after the event",
}


# parameters whose words depend on the problem; elsewhere under the same name stands what somebody typed
_OF_CODE: Mapping[str, Mapping[str, Callable[[Any], str]]] = {
    "abort.not_in_rules": {"known": _aborts},
    "tiles.other_way_to_win": {"given": _from(WAYS_TO_WIN), "entered": _from(WAYS_TO_WIN)},
    "tiles.other_winds": {"given": _winds, "derived": _winds},
    "shorthand.han_too_many": {"meant": join_or},
    "entry.wrong_type": {"wanted": _from(WANTED_WORDS)},
    "schedule.number_missing": {"column": _from(NUMBER_WORDS)},
    "schedule.number_unknown": {"column": _from(NUMBER_WORDS)},
    "import.number_missing": {"column": _from(NUMBER_WORDS)},
    "import.number_unknown": {"column": _from(NUMBER_WORDS)},
    "import.number_out_of_range": {"column": _from(NUMBER_WORDS)},
    "import.cell_is_date": {"column": _from(NUMBER_WORDS)},
    "import.past_unreadable": {"column": _from(PAST_WORDS)},
    "log.other_scores": {"log": _scores, "desk": _scores},
    "log.other_hand": {"log_wind": _from(START_WINDS), "desk_wind": _from(START_WINDS)},
    "sign_up.out_of_range": {"field": _from(SIGN_UP_FIELDS)},
}


def problem_json(problem: Problem, *, at: int | None = None, names: Sequence[str] = ()) -> dict[str, Any]:
    """Return one problem in the form of the contract.

    >>> problem_json(Problem("chombo.no_offender", {}), at=2)
    {'code': 'chombo.no_offender', 'message': 'A chombo needs an offender.', 'params': {}, 'at': 2}
    """
    params = {key: list(value) if isinstance(value, tuple) else value for key, value in problem.params.items()}
    return {"code": problem.code, "message": problem_text(problem, names), "params": params, "at": at}


def problems_json(problems: Iterable[Problem], names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return problems that belong to one entry."""
    return [problem_json(problem, names=names) for problem in problems]
