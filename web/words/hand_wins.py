"""The tiles and the yaku of hands that were entered with them, as lists of hands show them. Nothing is judged here."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring.count import Count, count
from scoring.entries import Entry, Ron, Tsumo, Win
from scoring.hand import read_hand
from scoring.problems import InvalidInput
from web.words.hand import DORA, yaku_name


def shown_wins(entry: Entry, names: Sequence[str], rules: Ruleset) -> list[dict[str, Any]]:
    """Return the winners whose tiles or yaku were given, as templates/ui/hand_wins.html shows them."""
    wins = entry.winners if isinstance(entry, Ron | Tsumo) else ()
    return [
        {"who": names[win.seat] if len(wins) > 1 else "", "hand": win.hand, "yaku": _yaku(win, rules)}
        for win in wins
        if win.hand is not None or win.yaku
    ]


def _yaku(win: Win, rules: Ruleset) -> list[dict[str, Any]]:
    """Return the yaku and dora with their han, counted from the tiles; the names alone where there are no tiles."""
    counted = _count(win.hand, rules) if win.hand is not None else None
    if counted is None:
        return [{"name": yaku_name(name), "han": None} for name in win.yaku or ()]
    if counted.yakuman:
        return [{"name": yaku_name(name), "han": None} for name, _ in counted.yaku]
    dora = counted.dora._asdict()
    rows = [(yaku_name(name), han) for name, han in counted.yaku]
    rows += [(_(DORA[name]), dora[name]) for name in DORA if dora[name]]
    return [{"name": name, "han": han} for name, han in rows]


def _count(hand: Mapping[str, Any], rules: Ruleset) -> Count | None:
    """Count the tiles of an entry; None where the rules were changed since, and no longer bear them."""
    try:
        return count(read_hand(hand, rules), rules)
    except InvalidInput:
        return None
