"""What the tiles of a winner say, filled into an entry: han, fu or yakuman, yaku by name, who is liable.

The referee gives tiles; who sits where, and who had riichi, is known from the table. Nothing is judged here.
"""

import dataclasses
from typing import Any

from rules.ruleset import Ruleset
from scoring.count import Count, count
from scoring.entries import Entry, Ron, Tsumo, Win
from scoring.hand import WinningHand, to_json
from scoring.hand_check import read_hand
from scoring.liability import liabilities
from scoring.state import TableState


def fill_in(entry: Entry, state: TableState, rules: Ruleset) -> Entry:
    """Return the entry with the value of each winner whose tiles are given and whose value is not.

    Raises InvalidInput for tiles that cannot be, or do not win.
    """
    if not isinstance(entry, Ron | Tsumo):
        return entry
    winners = tuple(_filled(win, entry, state, rules) if _to_count(win) else win for win in entry.winners)
    return dataclasses.replace(entry, winners=winners)


def _to_count(win: Win) -> bool:
    return win.hand is not None and not win.han and not win.yakuman and win.seat >= 0


def _filled(win: Win, entry: Ron | Tsumo, state: TableState, rules: Ruleset) -> Win:
    hand = read_hand(_at_the_table(win, entry, state), rules)
    counted = count(hand, rules)
    pao = _liable(win, hand, counted, rules) if win.pao is None else win.pao
    value = {"yakuman": counted.yakuman} if counted.yakuman else {"han": counted.han, "fu": counted.fu}
    yaku = tuple(name for name, _ in counted.yaku)
    return dataclasses.replace(win, **value, yaku=yaku, pao=pao, hand=to_json(hand))


def _at_the_table(win: Win, entry: Ron | Tsumo, state: TableState) -> dict[str, Any]:
    """Return the hand's JSON with what the table knows: winds, counters, the way it was won, a deposit."""
    given = dict(win.hand or {})
    riichi = given.get("riichi") or (1 if win.seat in entry.riichi else 0)
    known = {"tsumo": isinstance(entry, Tsumo), "riichi": riichi, "honba": state.honba}
    return given | known | {"round_wind": state.round_wind, "seat_wind": state.wind_of(win.seat % state.players)}


def _liable(win: Win, hand: WinningHand, counted: Count, rules: Ruleset) -> int | None:
    names = {name for name, _ in counted.yaku}
    return next((each.seat(win.seat, rules.players) for each in liabilities(hand, names, rules)), None)
