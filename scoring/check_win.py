"""One winner's hand: whether its han, fu, yakuman, named yaku, tiles and liability can be, and agree with each other.

Who may win, and how many, is judged in `check`.
"""

from collections.abc import Iterator

from rules.ruleset import Ruleset
from scoring.check_tiles import tiles_problems
from scoring.check_yaku import yaku_problems
from scoring.entries import Win
from scoring.fu import SEVEN_PAIRS, possible_fu
from scoring.problems import Problem, error, errors_of, warning
from scoring.state import TableState
from scoring.value import MANGAN_HAN, least_han

MOST_HAN = 39  # far above any hand that has been counted; a bound against slips, not a rule
STRAIGHT_DEALS = 8  # after which the next win of the dealer is paarenchan
RIICHI_TSUMO_HAN = 2  # riichi and menzen tsumo
MOST_YAKUMAN = 6  # tenhou or suukantsu beside four of honours: no hand holds more


def win_problems(win: Win, state: TableState, rules: Ruleset, *, tsumo: bool, riichi: bool) -> Iterator[Problem]:
    """Yield what is wrong with one winner's hand; `riichi` tells whether he put a deposit down in it."""
    # with yaku or tiles at hand, theirs are the better words for a deposit that does not fit
    form = list(_form(win, rules, tsumo=tsumo, riichi=riichi and win.yaku is None and win.hand is None))
    yield from form
    if errors_of(form):
        return
    least = least_han(state.honba, rules)
    if win.yaku is None and win.hand is None and not win.yakuman and win.han < least:
        yield error("win.two_han_needed", seat=win.seat, han=win.han, honba=state.honba)
    yield from _ninth_deal(win, state, rules)
    if win.yaku is not None:
        yield from yaku_problems(win, win.yaku, rules, tsumo=tsumo, riichi=riichi, least=least)
    if win.hand is not None:
        yield from tiles_problems(win, state, rules, tsumo=tsumo, riichi=riichi)


def _ninth_deal(win: Win, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    """Compare paarenchan with the deals in a row: the dealer has it who kept the deal eight times himself (S4 11)."""
    ninth = state.straight == STRAIGHT_DEALS and win.seat == state.dealer
    if win.yaku is not None and "paarenchan" in win.yaku and rules.paarenchan[0] and not ninth:
        yield error("win.no_paarenchan", seat=win.seat, deals=max(state.straight, 0))
    if rules.paarenchan[0] and ninth and not win.yakuman:
        yield warning("win.paarenchan", seat=win.seat)


def _form(win: Win, rules: Ruleset, *, tsumo: bool, riichi: bool) -> Iterator[Problem]:
    if win.yakuman:
        yield from _yakuman(win, rules)
    else:
        yield from _han_and_fu(win, rules, tsumo=tsumo, riichi=riichi)
    if win.pao is not None:
        yield from _pao(win, win.pao, rules)


def _yakuman(win: Win, rules: Ruleset) -> Iterator[Problem]:
    if not 1 <= win.yakuman <= MOST_YAKUMAN:
        yield error("win.yakuman_count", yakuman=win.yakuman, most=MOST_YAKUMAN)
    elif win.yakuman > 1 and not rules.yakuman_add_up:
        yield warning("win.yakuman_counted_once", yakuman=win.yakuman)


def _han_and_fu(win: Win, rules: Ruleset, *, tsumo: bool, riichi: bool) -> Iterator[Problem]:
    if win.han < 1:
        yield error("win.han_zero", seat=win.seat)
    elif win.han < RIICHI_TSUMO_HAN and riichi and tsumo:
        yield error("win.riichi_tsumo_han", seat=win.seat, han=win.han)
    elif win.han > MOST_HAN:
        yield error("win.han_too_many", han=win.han, most=MOST_HAN)
    elif not win.fu and win.han < MANGAN_HAN:
        yield error("win.fu_missing", han=win.han)
    elif win.fu:
        wide = rules.double_wind_pair_fu
        possible = possible_fu(win.han, tsumo=tsumo, double_wind_pair_fu=wide, riichi=riichi)
        if win.fu not in possible:
            how = ("riichi and " if riichi else "") + ("tsumo" if tsumo else "ron")
            yield error("win.fu_impossible", fu=win.fu, han=win.han, how=how, possible=tuple(sorted(possible)))
        elif win.fu == SEVEN_PAIRS and win.yaku is not None and "chiitoitsu" not in win.yaku:
            yield error("win.fu_without_seven_pairs", fu=win.fu)


def _pao(win: Win, liable: int, rules: Ruleset) -> Iterator[Problem]:
    if liable == win.seat:
        yield error("pao.by_winner", seat=liable)
    if not rules.pao:
        yield error("pao.not_in_rules")
    elif not win.yakuman or (win.yaku is not None and not set(win.yaku) & set(rules.pao)):
        yield error("pao.not_liable", yaku=rules.pao)
