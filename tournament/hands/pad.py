"""What the cards of a table offer to tap, and what the read-back explains of a line that is not finished.

A typed hand is shown as its cards, and only kinds and values that its rules know are offered.
"""

import functools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring.check_win import MAX_YAKUMAN
from scoring.entries import Abort, Chombo, Draw, Entry, Nagashi, Ron, Tsumo, Win
from scoring.next_keys import Key, Next, next_keys
from scoring.payments import Payment
from scoring.shorthand import ABORTS, LIMITS, write_announced, write_seats, write_value
from scoring.state import TableState
from scoring.value import LIMIT_NAMES
from scoring.value_table import YAKUMAN_ADDED, Cell, Worth, cells, limit_lines
from tournament.tables.messages import short_names_at
from tournament.tables.queries import LoadedTable
from tournament.text.languages import Words
from tournament.text.numbers import points, wind_initial
from tournament.text.readback import ABORT_WORDS

LIMIT_WORDS = dict(zip(LIMITS, LIMIT_NAMES, strict=False))
MAX_CHIPS = 9
_LETTERS = {reason: letter for letter, reason in ABORTS.items()}


def cards_context(table: LoadedTable, state: TableState) -> dict[str, Any]:
    """Return what hands/cards.html shows; `state` is the table's before the hand."""
    rules = table.rules
    aborts = [(letter, ABORT_WORDS[name]) for letter, name in ABORTS.items() if name in rules.abortive_draws]
    return {
        "seats": [
            {"number": seat + 1, "name": name, "wind": wind_initial(state.winds[seat]), "dealer": seat == state.dealer}
            for seat, name in enumerate(short_names_at(table))
        ],
        "nagashi": rules.nagashi != "none",
        "pao": bool(rules.pao),
        "rinshan_pao": "rinshan" in rules.pao,
        "several": rules.multiple_ron != "head_bump",
        "chips": range(MAX_CHIPS + 1) if rules.chip_points else (),
        "choice": rules.yame_choice,
        "back": rules.deposit_back_on_ron,
        "aborts": aborts,
        **_values(rules, get_language()),
    }


@functools.lru_cache(maxsize=64)  # two thirds of all calls of a table's page, and the same for a whole event
def _values(rules: Ruleset, _language: str | None) -> dict[str, Any]:
    """Return the values to tap, in the language in use: rows by fu, and the limits."""
    return {
        "rows": [(row[0].fu, [_cell(cell) for cell in row]) for row in cells(rules)],
        "limits": list(_limits(rules)),
    }


def _cell(cell: Cell) -> dict[str, Any]:
    """Return a value below mangan; without texts where it is one, which has a button of its own."""
    if cell.limit:
        return {"text": ""}
    return _shown(f"{cell.han}{cell.fu}", cell.other, cell.dealer) | {"han": cell.han, "fu": cell.fu}


def _limits(rules: Ruleset) -> Iterator[dict[str, Any]]:
    """Yield mangan and up: each limit that the rules know under its letter, then all yakuman that one hand can hold."""
    by_han = {least: (letter, LIMIT_WORDS[letter]) for letter, least in LIMITS.items()}
    for line in limit_lines(rules, MAX_YAKUMAN if rules.yakuman_add_up else None):
        if line.yakuman > 1:
            text, word = f"y{line.yakuman}", _("%(count)d yakuman") % {"count": line.yakuman}
        elif line.yakuman:
            text, word = "y", _("yakuman")
        else:
            text, word = by_han.get(line.han or 0, (str(line.han), f"{line.han}+"))
        yield _shown(text, line.other, line.dealer) | {"word": _(word), "rare": line.yakuman > YAKUMAN_ADDED}


def _shown(text: str, other: Worth, dealer: Worth) -> dict[str, Any]:
    """Return a value as it is typed, and what it pays by ron and tsumo, won by another player and by the dealer.

    A payment is empty where no such hand exists.
    """
    return {
        "text": text,
        "ron": _paid(other.ron),
        "tsumo": _paid(other.tsumo),
        "dealer_ron": _paid(dealer.ron),
        "dealer_tsumo": _paid(dealer.tsumo),
    }


def _paid(payment: Payment | None) -> str:
    if payment is None:
        return ""
    if payment.ron is not None:
        return points(payment.ron)
    if payment.dealer:
        return f"{points(payment.others)}/{points(payment.dealer)}"
    return _("%(points)s all") % {"points": points(payment.others)}


# ---------------------------------------------------------------- a typed hand


def write_cards(entry: Entry | None, line: str) -> str:
    """Return a hand as static/hands/hand_state.js holds it, in JSON; empty without cards. `line` is as typed."""
    own = _own_parts(entry) if entry else None
    if entry is None or own is None:
        return ""
    common = {
        "line": line,
        "kind": entry.kind,
        "riichi": write_seats(entry.riichi),
        "dead": write_seats(entry.dead),
        "said": write_announced(entry),
        "note": entry.note,
        "stops": entry.stops,
    }
    return json.dumps(common | own)


def _own_parts(entry: Entry) -> dict[str, Any] | None:
    match entry:
        case Ron():
            return {"loser": write_seats((entry.loser,)), "winners": [_win(win) for win in entry.winners]}
        case Tsumo():
            return {"winners": [_win(win) for win in entry.winners]}
        case Draw():
            return {"tenpai": write_seats(entry.tenpai)}
        case Nagashi():
            return {"nagashi": write_seats(entry.winners) + "c" * entry.closed, "tenpai": write_seats(entry.tenpai)}
        case Abort():
            return {"abort": _LETTERS[entry.reason]}
        case Chombo():
            return {"offenders": write_seats(entry.offenders)}
    return None


def _win(win: Win) -> dict[str, str]:
    return {
        "seat": str(win.seat + 1),
        "value": write_value(win),
        "pao": "" if win.pao is None else str(win.pao + 1),
        "chips": "" if win.chips is None else str(win.chips),
    }


# ---------------------------------------------------------------- an unfinished line


PART = 20
# what the keys of a place are, as the end of "expected …"
EXPECTED: Words = {
    "start": "a player number, d for a draw or c for a chombo",
    "winner": "r and the discarder, or t for tsumo",
    "discarder": "the number of the discarder",
    "second": "the number of the second winner",
    "value": "han and fu such as 340, or m, h, b, s, y",
    "fu": "the fu",
    "riichi": "player numbers with riichi",
    "tenpai": "tenpai player numbers, or / for riichi",
    "offender": "the number of the offender",
    "nagashi": "the number of the winner",
    "abort": "the letter of the abortive draw",
    "dead": "the number of the dead hand",
    "liable": "the number of the liable player",
    "end": "/ and the riichi, or the end of the line",
    "other": "the rest of the number",
}
ASKED: Words = {
    "start": "Who won? d is a draw",
    "winner": "%(winner)s wins: r and the discarder is a ron, t a tsumo",
    "discarder": "%(winner)s wins by ron: from whom?",
    "second": "Who else wins?",
    "value": "%(how)s: now han and fu (340), m, h…",
    "fu": "%(how)s: now the fu",
    "riichi": "Who had riichi?",
    "tenpai": "Draw: who is tenpai?",
    "offender": "Chombo: of whom?",
    "nagashi": "Nagashi mangan: of whom?",
    "abort": "Abortive draw: which?",
    "dead": "Whose hand is dead?",
    "liable": "Who is liable?",
}
KEY_WORDS: Words = {
    "ron": "ron",
    "tsumo": "tsumo",
    "draw": "draw",
    "chombo": "chombo",
    "nagashi": "nagashi mangan",
    "abort": "abortive draw",
    "second": "another winner",
    "m": "mangan",
    "h": "haneman",
    "b": "baiman",
    "s": "sanbaiman",
    "yakuman": "yakuman",
}


@dataclass(frozen=True, slots=True)
class Chip:
    """A key to click: the text that it adds, and what it says."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Steps:
    """What is shown below a line: `ask` for what comes next, `wrong` for a key that fits nowhere, `chips` to click.

    `fits` is how many characters of the line can be read, `ghost` what Tab adds.
    """

    line: str
    ask: str
    wrong: str
    chips: tuple[Chip, ...]
    ghost: str
    fits: int


def steps_of(line: str, names: Sequence[str], rules: Ruleset) -> Steps:
    """Return what a line teaches; `names` are the players by seat."""
    found = next_keys(line, rules)
    wrong = "" if found.fits == len(line) else _wrong(line, found)
    chips = tuple(Chip(key.text, _label(key, names)) for key in found.keys)
    return Steps(line, "" if wrong else _ask(found, names), wrong, chips, found.ghost, found.fits)


def _wrong(line: str, found: Next) -> str:
    rest = line[found.fits :].strip()
    part = rest[:PART] + ("…" if len(rest) > PART else "")
    return _("Can't read “%(part)s”: expected %(what)s") % {"part": part, "what": _(EXPECTED[found.place])}


def _ask(found: Next, names: Sequence[str]) -> str:
    asked = ASKED.get(found.place)
    return _(asked) % {"winner": _name(found.winner, names), "how": _how(found, names)} if asked else ""


def _how(found: Next, names: Sequence[str]) -> str:
    winner = _name(found.winner, names)
    if found.loser is None:
        return _("%(winner)s wins by tsumo") % {"winner": winner}
    return _("%(who)s ron from %(loser)s") % {"who": winner, "loser": _name(found.loser, names)}


def _name(seat: int | None, names: Sequence[str]) -> str:
    return names[seat] if seat is not None and seat < len(names) else ""


def _label(key: Key, names: Sequence[str]) -> str:
    if key.what == "riichi" and key.text.startswith("/"):
        return _("riichi %(name)s") % {"name": _name(key.seat, names)}
    if key.seat is not None:
        return _name(key.seat, names)
    if key.what in ABORT_WORDS:
        return _(ABORT_WORDS[key.what])
    if key.what == "han":
        return _("han")
    if key.what == "fu":
        return _("%(fu)d fu") % {"fu": key.fu}
    return _(KEY_WORDS[key.text if key.what == "limit" else key.what])
