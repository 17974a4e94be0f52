"""What the cards of a table offer to tap: the kinds of hands, and the values that its rules know with what they pay."""

from typing import Any

from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring.payments import Payment
from scoring.shorthand import ABORTS, LIMITS
from scoring.value import LIMIT_NAMES
from scoring.value_table import Cell, Worth, cells, limit_lines
from tournament.selectors.tables.tables import LoadedTable
from web.words.formatting import points
from web.words.readback import ABORT_WORDS

LIMIT_WORDS = dict(zip(LIMITS, LIMIT_NAMES, strict=False))


def cards_context(table: LoadedTable) -> dict[str, Any] | None:
    """Return what hands/cards.html shows; None at a table that takes no hand."""
    if table.signed or table.state.ended:
        return None
    rules = table.rules
    aborts = [(letter, ABORT_WORDS[name]) for letter, name in ABORTS.items() if name in rules.abortive_draws]
    return {
        "nagashi": rules.nagashi != "none",
        "pao": bool(rules.pao),
        "several": rules.multiple_ron != "head_bump",
        "aborts": aborts,
        "rows": [(row[0].fu, [_cell(cell) for cell in row]) for row in cells(rules)],
        "limits": _limits(rules),
    }


def _cell(cell: Cell) -> dict[str, Any]:
    """Return a value below mangan; without texts where it is one, which has a button of its own."""
    if cell.limit:
        return {"text": ""}
    return _shown(f"{cell.han}{cell.fu}", cell.other, cell.dealer) | {"han": cell.han, "fu": cell.fu}


def _limits(rules: Ruleset) -> list[dict[str, Any]]:
    """Return mangan and up: each limit that the rules know under its letter, then the yakuman."""
    by_han = {least: (letter, LIMIT_WORDS[letter]) for letter, least in LIMITS.items()}
    found = []
    for line in limit_lines(rules):
        if line.yakuman:
            text, word = ("y", _("yakuman")) if line.yakuman == 1 else (f"y{line.yakuman}", _("double yakuman"))
        else:
            text, word = by_han.get(line.han or 0, (str(line.han), f"{line.han}+"))
        found.append(_shown(text, line.other, line.dealer) | {"word": _(word)})
    return found


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
