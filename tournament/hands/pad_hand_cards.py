"""What the cards of a table offer to tap: kinds of hands and the values that its rules know; a typed hand as theirs."""

import json
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring.check_win import MOST_YAKUMAN
from scoring.entries import Abort, Chombo, Draw, Entry, Nagashi, Ron, Tsumo, Win
from scoring.payments import Payment
from scoring.shorthand import ABORTS, LIMITS, said_of, write_value
from scoring.state import TableState
from scoring.value import LIMIT_NAMES
from scoring.value_table import YAKUMAN_ADDED, Cell, Worth, cells, limit_lines
from tournament.tables.messages import short_names_at
from tournament.tables.queries_tables import LoadedTable
from tournament.text.numbers_formatting import points, wind_letter
from tournament.text.readback import ABORT_WORDS

LIMIT_WORDS = dict(zip(LIMITS, LIMIT_NAMES, strict=False))
MOST_CHIPS = 9
_LETTERS = {reason: letter for letter, reason in ABORTS.items()}


def cards_context(table: LoadedTable, state: TableState) -> dict[str, Any]:
    """Return what hands/cards.html shows; `state` is the table's before the hand."""
    rules = table.rules
    aborts = [(letter, ABORT_WORDS[name]) for letter, name in ABORTS.items() if name in rules.abortive_draws]
    return {
        "seats": card_seats(table, state),
        "nagashi": rules.nagashi != "none",
        "pao": bool(rules.pao),
        "several": rules.multiple_ron != "head_bump",
        "chips": range(MOST_CHIPS + 1) if rules.chip_points else (),
        "choice": rules.yame_choice,
        "back": rules.deposit_back_on_ron,
        "aborts": aborts,
        "rows": [(row[0].fu, [_cell(cell) for cell in row]) for row in cells(rules)],
        "limits": list(_limits(rules)),
    }


def card_seats(table: LoadedTable, state: TableState) -> list[dict[str, Any]]:
    """Return the cards of the players."""
    return [
        {"number": seat + 1, "name": name, "wind": wind_letter(state.wind_of(seat)), "dealer": seat == state.dealer}
        for seat, name in enumerate(short_names_at(table))
    ]


def _cell(cell: Cell) -> dict[str, Any]:
    """Return a value below mangan; without texts where it is one, which has a button of its own."""
    if cell.limit:
        return {"text": ""}
    return _shown(f"{cell.han}{cell.fu}", cell.other, cell.dealer) | {"han": cell.han, "fu": cell.fu}


def _limits(rules: Ruleset) -> Iterator[dict[str, Any]]:
    """Yield mangan and up: each limit that the rules know under its letter, then all yakuman that one hand can hold."""
    by_han = {least: (letter, LIMIT_WORDS[letter]) for letter, least in LIMITS.items()}
    for line in limit_lines(rules, MOST_YAKUMAN if rules.yakuman_add_up else None):
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
    """Return a hand as static/js/card_hand.js holds it, in JSON; empty where it has no cards. `line` is as typed."""
    own = _own_parts(entry) if entry else None
    if entry is None or own is None:
        return ""
    common = {
        "line": line,
        "kind": entry.kind,
        "riichi": _digits(entry.riichi),
        "dead": _digits(entry.dead),
        "said": said_of(entry),
        "note": entry.note,
        "stops": entry.stops,
    }
    return json.dumps(common | own)


def _own_parts(entry: Entry) -> dict[str, Any] | None:
    match entry:
        case Ron():
            return {"loser": _digits((entry.loser,)), "winners": [_win(win) for win in entry.winners]}
        case Tsumo():
            return {"winners": [_win(win) for win in entry.winners]}
        case Draw():
            return {"tenpai": _digits(entry.tenpai)}
        case Nagashi():
            return {"nagashi": _digits(entry.winners), "tenpai": _digits(entry.tenpai)}
        case Abort():
            return {"abort": _LETTERS[entry.reason]}
        case Chombo():
            return {"offenders": _digits(entry.offenders)}
    return None


def _win(win: Win) -> dict[str, str]:
    return {
        "seat": str(win.seat + 1),
        "value": write_value(win),
        "pao": "" if win.pao is None else str(win.pao + 1),
        "chips": "" if win.chips is None else str(win.chips),
    }


def _digits(seats: tuple[int, ...]) -> str:
    return "".join(str(seat + 1) for seat in seats)
