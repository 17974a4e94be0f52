"""Chips: how many a hand wins, by its yaku or as entered, and who pays them. They are points only in the result."""

from collections.abc import Sequence

from rules.ruleset import Ruleset
from scoring.count import Dora
from scoring.entries import Entry, Ron, Totals, Tsumo, Win
from scoring.state import TableState


def chips_after(entry: Entry, state: TableState, rules: Ruleset) -> tuple[int, ...]:
    """Return each seat's chips after a hand; empty where no chips are played.

    Every payer pays the winner's chips: the discarder, or on a tsumo each of the others.
    """
    if not rules.chip_points:
        return ()
    chips = list(state.chips or (0,) * state.players)
    if isinstance(entry, Totals):
        return entry.chips or tuple(chips)
    if not isinstance(entry, Ron | Tsumo):
        return tuple(chips)
    for win in entry.winners:
        each = chips_of(win, rules, tsumo=isinstance(entry, Tsumo))
        for payer in (entry.loser,) if isinstance(entry, Ron) else state.others(win.seat):
            chips[payer] -= each
            chips[win.seat] += each
    return tuple(chips)


def chips_of(win: Win, rules: Ruleset, *, tsumo: bool) -> int:
    """Return the chips that each payer pays: as entered, else by the named yaku and the yakuman.

    >>> from rules.books import load
    >>> import dataclasses
    >>> rules = dataclasses.replace(load("tenhou-yonma"), chip_points=2000, chip_ippatsu=1, chip_red=1)
    >>> win = Win(seat=0, han=5, yaku=("riichi", "ippatsu", "tanyao", "red", "red"))
    >>> chips_of(win, rules, tsumo=False), chips_of(dataclasses.replace(win, chips=1), rules, tsumo=False)
    (3, 1)
    """
    if win.chips is not None:
        return win.chips
    names = win.yaku or ()
    dora = Dora(names.count("dora"), names.count("ura"), names.count("red"), names.count("kita"))
    return chips_by(names, dora, win.yakuman, rules, tsumo=tsumo)


def chips_by(names: Sequence[str], dora: Dora, yakuman: int, rules: Ruleset, *, tsumo: bool) -> int:
    """Return the chips that each payer pays for a hand of these yaku, dora and yakuman."""
    of_dora = rules.chip_ura * dora.ura + rules.chip_red * dora.red
    of_yakuman = yakuman * (rules.chip_yakuman_tsumo if tsumo else rules.chip_yakuman_ron)
    return rules.chip_ippatsu * ("ippatsu" in names) + of_dora + of_yakuman
