"""Words for problems: a code and its parameters become one sentence.

Seats are counted from 1, and named where the caller knows the players.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.problems import Param, Problem
from tournament.seating.errors import SENTENCES as SEATING
from web.words import (
    after_start,
    clock,
    draw,
    drill,
    ema,
    foul,
    hand,
    house_rules,
    imports,
    people,
    readback,
    relay,
    sign_up,
    visibility,
)
from web.words.formatting import minutes_text, points, seconds_text, wait_text, wind_initial
from web.words.hand import CAUSES, DORA, worded, yaku_name
from web.words.imports import COLUMNS as IMPORT_COLUMNS
from web.words.imports import START_WINDS
from web.words.languages import Words, either, listed, side_by_side
from web.words.people import COLUMNS as PRIVACY_COLUMNS
from web.words.readback import ABORT_WORDS, BECAUSE
from web.words.readback import PARAMS as PAID_PARAMS
from web.words.rules import RULE_NAMES

_SEATS = ("seat", "seats")


def say(problem: Problem, names: Sequence[str] = ()) -> str:
    """Put a problem into one sentence; `names` are the players by seat, where they are known.

    >>> say(Problem("win.han_zero", {"seat": 1}))
    'Player 2 wins with 0 han; a win needs at least one.'
    """
    template = SENTENCES.get(problem.code)
    if template is None:
        return f"{problem.code}: {', '.join(f'{key} {value}' for key, value in problem.params.items())}".rstrip(": ")
    return _(template).format_map(_worded(worded(problem).params, names, problem.code))


def _worded(params: Mapping[str, Param], names: Sequence[str], code: str = "") -> dict[str, Any]:
    """Return parameters as they stand in a sentence: seats as players, points with separators, lists joined."""
    words: dict[str, Any] = Lenient({key: _word(key, value, names) for key, value in params.items()})
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
        return joined([_player(int(seat), names) for seat in items])
    if key in _YAKU and not isinstance(value, int):
        return joined([_(DORA[name]) if name in DORA else yaku_name(str(name)) for name in items])
    if key in PAID_PARAMS:
        return PAID_PARAMS[key](value)
    if key in _TABLES:
        return _(_TABLES[key].get(str(value), str(value)))
    if isinstance(value, tuple):
        return joined([_(ABORT_WORDS.get(str(item), str(item))) for item in value]) or _("none")
    if isinstance(value, int) and key in _NUMBERS:
        return _NUMBERS[key](value)
    return value


class Lenient(dict[str, Any]):
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
    return joined([_player(int(seat), names) for seat in seats])


def _player(seat: int, names: Sequence[str]) -> str:
    if 0 <= seat < len(names):
        return _("%(name)s (player %(seat)d)") % {"name": names[seat], "seat": seat + 1}
    return _("Player %(seat)d") % {"seat": seat + 1}


def joined(words: Sequence[str]) -> str:
    """List words as in a sentence: commas, and an "and" before the last."""
    return listed(words)


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

_TABLES = {
    "how": WAYS_TO_WIN,
    "way": WAYS_OF_SEATING,
    "reason": ABORT_WORDS,
    "because": BECAUSE,
    "meaning": COLUMN_WORDS,
    "rule": RULE_NAMES,
    "start_wind": START_WINDS,
}


def _from(words: Words) -> Callable[[Any], str]:
    return lambda value: _(words.get(str(value), str(value)))


def _winds(value: Any) -> str:
    return joined([wind_initial(wind) for wind in value])


def _scores(value: Any) -> str:
    return side_by_side(points(each) for each in value) if isinstance(value, tuple) else str(value)


def _aborts(known: Any) -> str:
    """Say which abortive draws an event has."""
    names = joined([_(ABORT_WORDS.get(reason, reason)) for reason in known or ()])
    return _("this event has %(names)s") % {"names": names} if names else _("no abortive draws in this event")


# parameters whose words depend on the problem; elsewhere under the same name stands what somebody typed
_OF_CODE: Mapping[str, Mapping[str, Callable[[Any], str]]] = {
    "abort.not_in_rules": {"known": _aborts},
    "tiles.other_way_to_win": {"given": _from(WAYS_TO_WIN), "entered": _from(WAYS_TO_WIN)},
    "tiles.other_winds": {"given": _winds, "derived": _winds},
    "shorthand.han_too_many": {"meant": either},
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
    "sign_up.out_of_range": {"field": _from(sign_up.FIELD_WORDS)},
}

SENTENCES: Words = {
    **SEATING,
    **after_start.SENTENCES,
    **clock.SENTENCES,
    **draw.SENTENCES,
    **drill.SENTENCES,
    **foul.SENTENCES,
    **ema.SENTENCES,
    **house_rules.SENTENCES,
    **hand.SENTENCES,
    **imports.SENTENCES,
    **people.SENTENCES,
    **readback.SENTENCES,
    **relay.SENTENCES,
    **sign_up.SENTENCES,
    **visibility.SENTENCES,
    # what was sent cannot be read
    "json.too_long": "The text is too long: at most {most} characters are read.",
    "json.too_deep": "The text is nested too deep: at most {most} levels are read.",
    "json.not_json": "This is not JSON: it cannot be read from line {line}, column {column} on.",
    "json.float": "{value} is not a whole number; points, han and seats are whole numbers.",
    "json.not_a_number": "{value} is not a number.",
    "json.number_too_large": "A number of {digits} digits is too large.",
    "json.duplicate_key": "'{key}' appears twice.",
    "entry.unknown_kind": "'{kind}' is not a kind of entry.",
    "entry.unknown_key": "'{key}' is not part of this kind of entry.",
    "entry.derived_key": "'{key}' is not entered: the desk works it out from the hands.",
    "entry.missing_key": "'{key}' is missing.",
    "entry.wrong_type": "'{key}' must be {wanted}.",
    "entry.negative": "'{key}' must not be negative.",
    "entry.text_too_long": "'{key}' is too long: at most {most} characters.",
    "entry.list_too_long": "'{key}' is too long: at most {most} items.",
    "entry.control_character": "'{key}' has a character that cannot be shown.",
    "entry.client_id_used": "This number was already used for a hand at another table.",
    "entry.reason_needed": "A warning needs a reason: say why the entry is right anyway.",
    "shorthand.empty": "Nothing is typed yet.",
    "shorthand.unreadable": "'{part}' cannot be read (from character {at} on).",
    "shorthand.han_too_many": "{value} is not a hand: han go up to {most}. Did you mean {meant}?",
    "form.stale": "This page is too old to be sent: load it again.",
    "form.sent_already": (
        "This page was already sent with other content, which was kept. Nothing new is written: check it, then send "
        "again."
    ),
    "json.not_text": "This is not text in UTF-8.",
    # seats and points
    "seat.not_at_table": "{seat} is not at the table: there are {players} players.",
    "points.not_for_each_seat": "{given} numbers for {players} players: every player needs one.",
    # wins
    "win.no_winner": "There is no winner.",
    "win.winner_twice": "{seat} is named twice as a winner.",
    "win.winner_is_discarder": "{seat} cannot win by ron from their own discard.",
    "win.tsumo_has_one_winner": "A tsumo has one winner, not {winners}.",
    "win.head_bump": "Only the first winner after the discarder wins under these rules (head bump), not {winners}.",
    "win.triple_ron_aborts": "Three ron on one discard are an abortive draw under these rules.",
    "win.han_or_yakuman": "A win has either han or a number of yakuman.",
    "win.han_zero": "{seat} wins with 0 han; a win needs at least one.",
    "win.han_too_many": "{han} han is more than any hand has; at most {most} can be entered.",
    "win.yakuman_zero": "{seat} wins with 0 yakuman.",
    "win.yakuman_count": "{yakuman} yakuman is not possible; 1 to {most} can be entered.",
    "win.yakuman_counted_once": "{yakuman} yakuman are counted as one under these rules.",
    "win.fu_with_yakuman": "A yakuman has no fu.",
    "win.fu_missing": "{han} han needs its fu.",
    "win.fu_without_seven_pairs": "{fu} fu are those of seven pairs, which is not among the yaku.",
    "shorthand.announced": "“{said}” cannot be what was announced: type one amount for each winner, 5200+8000 for two.",
    "win.riichi_tsumo_han": "{seat} wins by tsumo with riichi: that is 2 han already, not {han}.",
    "win.fu_impossible": "{fu} fu cannot go with {han} han by {how}; possible are {possible}.",
    # liability
    "pao.not_in_rules": "These rules have no liability (pao).",
    "pao.by_winner": "{seat} cannot be liable for their own hand.",
    "pao.by_discarder": "{seat} discarded the winning tile and pays anyway: enter it without liability.",
    "pao.not_liable": "Liability (pao) is only for {yaku}: this hand is not of that kind.",
    # riichi
    "riichi.twice": "{seat} is named twice among the riichi.",
    "riichi.outside_hand": "A riichi belongs to a hand, and this is not a hand: {seats}.",
    "riichi.short": "{seat} has {score} points, less than the riichi stick of {deposit}.",
    # draws
    "draw.tenpai_twice": "{seat} is named twice among the tenpai.",
    "dead.outside_hand": "{seats}: a hand can be dead only in a hand that is played.",
    "dead.twice": "{seat} is named twice among the dead hands.",
    "dead.wins": "{seat} cannot win: the hand is dead.",
    "dead.tenpai": "{seat} cannot be tenpai: the hand is dead, and pays as noten.",
    "draw.riichi_noten": "{seat} had riichi but is not tenpai: a dead hand, or a chombo?",
    "nagashi.not_in_rules": "Nagashi mangan is not played under these rules.",
    "nagashi.closed_hand": "Nagashi mangan needs a closed hand: was the hand of {seat} closed?",
    "abort.not_in_rules": "This abortive draw ({reason}) is not played: {known}.",
    # chombo, corrections, totals
    "chombo.no_offender": "A chombo needs an offender.",
    "chombo.offender_twice": "{seat} is named twice among the offenders.",
    "correction.not_zero": "A correction moves points between players: its numbers must sum to 0, not {total}.",
    "correction.nothing": "A correction must move something.",
    "correction.no_reason": "A correction needs a reason.",
    "totals.after_hands": "There are hands at this table: it is signed, not entered by totals.",
    "totals.leftover_negative": "Points left on the table cannot be negative.",
    "chips.not_in_rules": "These rules have no chips.",
    "chips.not_zero": "Chips move between players: their numbers must sum to 0, not {total}.",
    "chips.too_many": "{chips} chips are too many for one hand: at most {most} can be entered.",
    "totals.leftover_has_owner": (
        "{leftover} points of riichi sticks cannot stay with nobody: these rules give them to the first place. Either "
        "enter {score} for {seats}, with {left} left over, or, where the event plays that nobody gets them, have an "
        "organiser change that rule first."
    ),
    "totals.leftover_odd": (
        "{leftover} points cannot be left over: riichi sticks are {deposit} each. Either correct the score that is "
        "off, or enter the riichi sticks left as whole ones."
    ),
    "totals.sum": "The scores sum to {total} with {leftover} left over, {gap_words}; they must make {wanted}.",
    "payment.announced_differs": "The table announced {announced} for {seat}; the hand pays {computed}{causes_words}.",
    # sheets
    "sheet.early": "This table has {minutes} left: tick that the game ends here.",
    "sheet.no_hands": "Nothing is entered at table {table} yet.",
    "sheet.sum": "The sheet sums to {total}, {gap_words}; the table has {wanted}.",
    "sheet.total_differs": "{seat}: the sheet says {paper}, the hands make {computed}.",
    "sheet.leftover_differs": (
        "The sheet leaves {paper} points of riichi sticks on the table, the hands leave {computed}."
    ),
    "sheet.agrees_before_hand": (
        "The sheet agrees with the desk as it stood before hand {hand_number}: is a hand missing on it?"
    ),
    "sheet.agrees_without_hand": (
        "The sheet agrees if hand {hand_number} is left out: was it entered wrongly, or twice?"
    ),
    "sheet.totals_swapped": "The sheet has the right totals, but {seats} are swapped.",
    # rounds
    "round.not_published": "The seats of round {round} are not published yet.",
    "round.tables_missing": "Round {round} cannot be released: tables {tables} are not signed yet.",
    # events, people, draws
    "event.name_missing": "The event needs a name.",
    "event.name_too_long": "The name is too long: at most {most} letters.",
    "event.place_too_long": "The place is too long: at most {most} letters.",
    "event.visibility_unknown": "Choose the visibility: draft, anyone with the link, or public.",
    "event.rounds_drawn": "{drawn} rounds are drawn already: there cannot be fewer.",
    "event.rounds_held": "Results are held back: show them first, then change the number of rounds.",
    "event.time_zone_unknown": "No time zone is called {zone}. Choose one of the list, such as Europe/Berlin.",
    "event.date_far": "This date is more than a year from the timetable: change the timetable first.",
    "event.name_not_typed": "To delete the event, type its name: {name}.",
    "event.deletion_reason_missing": "To delete the event needs a reason.",
    "event.rules_unknown": "There is no rule set '{key}'; there are {known}.",
    "event.rounds_out_of_range": "{rounds} rounds is not possible; 1 to {most} are.",
    "event.minutes_out_of_range": "{minutes} is not possible; 0 (no limit) to {most} are.",
    "event.language_unknown": "Choose a language that is in the list.",
    "event.exists": "There is an event at the address '{slug}' already.",
    "rules.unusable": "The rules cannot be used like this: {why}",
    "rules.contradiction": "The rules cannot be used like this: {rule}: {why}.",
    "rules.moved_on": "The rules were changed by somebody else meanwhile: check them, then send again.",
    "rules.hand_refused": (
        "Round {at_round}, table {at_table}: hand {at_hand} would not be valid under these rules. Correct it first."
    ),
    "rules.unconfirmed": "What is entered would be scored differently under these rules: check it, then confirm.",
    "rules.frozen": "Play has begun: changing a rule needs a reason, which players can read.",
    "rules.title_missing": "A rule set needs a name.",
    "rules.set_in_use": "Events have this rule set: {events}. It stays as long as they are here.",
    "rules.players_fixed": "Seats are drawn: the number of players at a table can no longer change.",
    "draw.already_published": "The seating is published and fixed.",
    "draw.players_changed": "The list of players changed while seats were drawn: draw again.",
    "draw.seed_out_of_range": "A seed is a whole number from 0 to {most}.",
    "penalty.reason_missing": "A penalty, and cancelling one, needs a reason.",
    "penalty.charge_reason_missing": "To decide who pays needs a reason.",
    "penalty.no_such_chombo": "This hand of table {table} is no longer a chombo of that player.",
    "penalty.nobody_replaced": "Player {number} was replaced by nobody there: the player pays.",
    "penalty.points_out_of_range": "{points} points is not possible; 0 to {most} are.",
    "access.not_signed_in": "Sign in first.",
    "access.no_such_page": "There is nothing at this address for you.",
    "access.not_allowed": "Your role at this event may see this, but not do it.",
    "access.no_token": "Send the value of the cookie csrftoken in the header X-CSRFToken too: nothing was written.",
    "access.own_name_missing": "Type your display name.",
    "access.name_missing": "Say who the invitation is for.",
    "access.link_invalid": "This link was used already, or it has expired. Ask the organiser for a new one.",
    "access.device_has_no_password": "A table device has no password: it comes in by its card and PIN.",
}
