"""The tiles of a winner in an entry: fill in the value that they count to, and check an entry against its tiles."""

import dataclasses
from collections.abc import Iterator
from typing import Any

from rules.ruleset import Ruleset
from scoring.chips import chips_by
from scoring.count import Count, count
from scoring.entries import Entry, Ron, Tsumo, Win
from scoring.hand import WINDS, WinningHand, read_hand, to_json
from scoring.payments import liabilities
from scoring.problems import InvalidInput, Problem, ProblemType
from scoring.state import TableState
from scoring.tiles import EAST

YAKU_RIICHI_WITHOUT_DEPOSIT = ProblemType(
    "yaku.riichi_without_deposit", "{seat} wins with riichi but put no riichi stick down in this hand."
)
YAKU_DEPOSIT_WITHOUT_RIICHI = ProblemType(
    "yaku.deposit_without_riichi", "{seat} put a riichi stick down in this hand, but riichi is not among the yaku."
)
TILES_OTHER_WINDS = ProblemType(
    "tiles.other_winds", "{seat}: the tiles come with round and seat wind {given}; in this hand they are {derived}."
)
TILES_OTHER_HONBA = ProblemType(
    "tiles.other_honba", "The tiles are given with {given} honba; in this hand there are {derived}."
)
TILES_OTHER_WAY_TO_WIN = ProblemType(
    "tiles.other_way_to_win", "The tiles are given as a {given}; the hand is entered as a {entered}."
)
TILES_DEPOSIT_AND_OPEN_HAND = ProblemType(
    "tiles.deposit_and_open_hand", "{seat} put a riichi stick down, but the hand is open: riichi wants a closed one."
)
TILES_YAKUMAN_DIFFER = ProblemType(
    "tiles.yakuman_differ", "The tiles count to {counted} yakuman ({han} han), and {given} are entered."
)
TILES_VALUE_DIFFERS = ProblemType(
    "tiles.value_differs", "The tiles count to {counted_han} han {counted_fu} fu; entered are {han} han {fu} fu."
)
TILES_YAKU_DIFFER = ProblemType("tiles.yaku_differ", "The tiles have {counted}; entered are {entered}.")
TILES_PAO_DIFFERS = ProblemType("tiles.pao_differs", "By the melds {seat} is liable for this hand.")
TILES_NO_PAO = ProblemType("tiles.no_pao", "By the melds nobody is liable for this hand, and {seat} is entered.")


def fill_in(entry: Entry, state: TableState, rules: Ruleset) -> Entry:
    """Return the entry with value, yaku and pao of each winner who has tiles and no value.

    Raises InvalidInput for impossible tiles and for tiles that do not win.
    """
    if not isinstance(entry, Ron | Tsumo):
        return entry
    return dataclasses.replace(entry, winners=tuple(_filled(win, entry, state, rules) for win in entry.winners))


def _filled(win: Win, entry: Ron | Tsumo, state: TableState, rules: Ruleset) -> Win:
    if win.hand is None or win.han or win.yakuman or win.seat < 0:
        return win
    hand = read_hand(_with_table(win, entry, state), rules)
    counted = count(hand, rules)
    pao = _liable(win, hand, counted, rules) if win.pao is None else win.pao
    value = {"yakuman": counted.yakuman} if counted.yakuman else {"han": counted.han, "fu": counted.fu}
    yaku = tuple(name for name, _ in counted.yaku)
    chips = win.chips
    if chips is None and rules.chip_points:
        chips = chips_by(yaku, counted.dora, counted.yakuman, rules, tsumo=hand.tsumo)
    return dataclasses.replace(win, **value, yaku=yaku, pao=pao, hand=to_json(hand), chips=chips)


def _with_table(win: Win, entry: Ron | Tsumo, state: TableState) -> dict[str, Any]:
    """Return the hand's JSON with what the table knows: winds, honba, ron or tsumo, riichi."""
    given = dict(win.hand or {})
    riichi = given.get("riichi") or (1 if win.seat in entry.riichi else 0)
    known = {"tsumo": isinstance(entry, Tsumo), "riichi": riichi, "honba": state.honba}
    return given | known | {"round_wind": state.round_wind, "seat_wind": state.wind_of(win.seat % state.players)}


def _liable(win: Win, hand: WinningHand, counted: Count, rules: Ruleset) -> int | None:
    names = {name for name, _ in counted.yaku}
    return next((each.seat(win.seat, rules.players) for each in liabilities(hand, names, rules)), None)


def tiles_problems(win: Win, state: TableState, rules: Ruleset, *, tsumo: bool, riichi: bool) -> list[Problem]:
    """Return the problems of a winner's tiles, alone and against the rest of the win."""
    try:
        hand = read_hand(dict(win.hand or {}), rules)
    except InvalidInput as wrong:
        return list(wrong.problems)
    found = [*_seat(win, hand, state), *_won(win, hand, tsumo=tsumo, riichi=riichi)]
    if found:
        return found
    if "paarenchan" in (win.yaku or ()) and rules.paarenchan[0]:
        return []  # paarenchan needs no yaku in the tiles (S4 11); `check_win` counts the deals
    try:
        counted = count(dataclasses.replace(hand, honba=state.honba), rules)
    except InvalidInput as wrong:
        return list(wrong.problems)
    return [*_value(win, counted, rules), *_yaku(win, counted), *_pao(win, hand, counted, state, rules)]


def _seat(win: Win, hand: WinningHand, state: TableState) -> Iterator[Problem]:
    """Check winds and honba against the table: tiles that differ belong to another hand."""
    given = (WINDS[hand.round_wind - EAST], WINDS[hand.seat_wind - EAST])
    derived = (state.round_wind, state.wind_of(win.seat))
    if given != derived:
        yield TILES_OTHER_WINDS(seat=win.seat, given=given, derived=derived)
    if hand.honba not in (0, state.honba):
        yield TILES_OTHER_HONBA(given=hand.honba, derived=state.honba)


def _won(win: Win, hand: WinningHand, *, tsumo: bool, riichi: bool) -> Iterator[Problem]:
    if hand.tsumo is not tsumo:
        yield TILES_OTHER_WAY_TO_WIN(given="tsumo" if hand.tsumo else "ron", entered="tsumo" if tsumo else "ron")
    if riichi and not hand.closed:
        yield TILES_DEPOSIT_AND_OPEN_HAND(seat=win.seat)
    elif riichi is not bool(hand.riichi):
        yield (YAKU_DEPOSIT_WITHOUT_RIICHI if riichi else YAKU_RIICHI_WITHOUT_DEPOSIT)(seat=win.seat)


def _value(win: Win, counted: Count, rules: Ruleset) -> Iterator[Problem]:
    if win.yakuman or counted.yakuman:
        if counted.yakuman != (win.yakuman if rules.yakuman_add_up else min(win.yakuman, 1)):
            yield TILES_YAKUMAN_DIFFER(given=win.yakuman, counted=counted.yakuman, han=counted.han)
    elif win.han != counted.han or win.fu not in (0, counted.fu):
        yield TILES_VALUE_DIFFERS(han=win.han, fu=win.fu, counted_han=counted.han, counted_fu=counted.fu)


def _yaku(win: Win, counted: Count) -> Iterator[Problem]:
    names = {name for name, _ in counted.yaku}
    if win.yaku is not None and set(win.yaku) - {"dora", "ura", "red", "kita"} != names:
        yield TILES_YAKU_DIFFER(entered=win.yaku, counted=tuple(sorted(names)))


def _pao(win: Win, hand: WinningHand, counted: Count, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    """Check pao against the melds, unless a meld does not say from whom it was called."""
    shown = {
        each.seat(win.seat, state.players) for each in liabilities(hand, {name for name, _ in counted.yaku}, rules)
    }
    told = all(meld.source is not None for meld in hand.melds if meld.open)
    if shown and win.pao not in shown:
        yield TILES_PAO_DIFFERS(seat=min(shown))
    elif told and win.pao is not None and not shown:
        yield TILES_NO_PAO(seat=win.pao)
