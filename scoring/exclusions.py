"""What cannot be together in one win: a table for tiles (`hand`), yaku by name (`check_win`) and the tile picker.

A condition is a yaku of how the hand is won, a way to win, or a part of the hand.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules.ruleset import Ruleset
from scoring.problems import Problem, ProblemType

HAND_DOUBLE_RIICHI_IPPATSU = ProblemType(
    "hand.double_riichi_ippatsu",
    "Double riichi with ippatsu cannot be in a hand with {by} of its own: that ends the first turn or the ippatsu.",
)

YAKU_NOT_IN_RULES = ProblemType("yaku.not_in_rules", "These rules do not count {yaku}.")


class Exclusion(NamedTuple):
    """Conditions that never hold all at once; `why` is the picker's sentence."""

    together: tuple[str, ...]
    why: str


_ALWAYS = (
    Exclusion(("haitei", "ron"), "needs_tsumo"),
    Exclusion(("houtei", "tsumo"), "needs_ron"),
    Exclusion(("rinshan", "ron"), "needs_tsumo"),
    Exclusion(("chankan", "tsumo"), "needs_ron"),
    # the replacement tile is not the last tile of the wall (E25 4.2; WRC 2025 11.5.1)
    Exclusion(("rinshan", "haitei"), "rinshan_haitei"),
    Exclusion(("chankan", "houtei"), "chankan_houtei"),
    Exclusion(("riichi", "open_hand"), "riichi_open"),
    Exclusion(("first_turn", "meld"), "first_meld"),
    Exclusion(("first_turn", "riichi"), "riichi_first"),
    Exclusion(("first_turn", "dealer_ron"), "first_dealer"),
    Exclusion(("first_turn", "haitei"), "first_alone"),
    Exclusion(("first_turn", "houtei"), "first_alone"),
    Exclusion(("first_turn", "chankan"), "first_alone"),
    # before the riichi it ends the first turn, after it ippatsu (E25 4.2; sanma rule book 12)
    Exclusion(("double_riichi", "ippatsu", "closed_quad"), "double_riichi_ippatsu"),
)
_WITH_KITA = (  # S0 North Winds; decisions
    Exclusion(("first_turn", "kita"), "first_kita"),
    Exclusion(("double_riichi", "ippatsu", "kita"), "double_riichi_ippatsu"),
)
# a yaku by name says that these hold; a kan beside riichi is closed, and riichi is what needs it closed
_NAMED = {
    "tenhou": ("first_turn",),
    "chiihou": ("first_turn",),
    "renhou": ("first_turn",),
    "double_riichi": ("riichi",),
    "sankantsu": ("meld", "closed_quad"),
    "suukantsu": ("meld", "closed_quad"),
}
WON_BY = {pair[0]: pair[1] == "ron" for pair, _ in _ALWAYS if pair[1] in ("ron", "tsumo")}  # yaku, and whether by tsumo


def exclusions(rules: Ruleset) -> tuple[Exclusion, ...]:
    """Return all exclusions under these rules: they say what a kita interrupts."""
    own_kita = rules.kita and not rules.kita_ends_first_turn
    replaced = Exclusion(("rinshan", "ippatsu", "no_kita")[: 3 if own_kita else 2], "ippatsu_rinshan")
    none = () if any(rules.ippatsu) else (Exclusion(("ippatsu",), "not_played"),)
    return (*none, *_ALWAYS, replaced, *(_WITH_KITA if rules.kita_ends_first_turn else ()))


@functools.lru_cache(maxsize=1000)
def excluded(holding: frozenset[str], rules: Ruleset) -> tuple[tuple[str, ...], ...]:
    """Return the exclusions that conditions break."""
    return tuple(each.together for each in exclusions(rules) if holding.issuperset(each.together))


def excluded_names(names: Sequence[str], rules: Ruleset, *, tsumo: bool) -> Iterator[tuple[str, ...]]:
    """Yield the exclusions that yaku by name break, each as the names that say so."""
    holding = {"tsumo" if tsumo else "ron": "", **{held: name for name in names for held in _NAMED.get(name, ())}}
    holding |= {name: name for name in names}
    for together in excluded(frozenset(holding), rules):
        if all(holding[each] for each in together):
            yield tuple(holding[each] for each in together)


def refused_with_reason(together: Sequence[str]) -> Problem | None:
    """Return the problem of an exclusion that has a sentence of its own, None for one of two conditions."""
    if len(together) == 1:
        return YAKU_NOT_IN_RULES(yaku=together[0])
    return HAND_DOUBLE_RIICHI_IPPATSU(by=together[2]) if together[0] == "double_riichi" else None
