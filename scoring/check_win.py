"""Check one winner's hand: han, fu, yakuman, yaku by name and pao, each alone and against each other.

`check` calls it for each winner; `win_tiles` checks tiles.
"""

import functools
import itertools
from collections.abc import Iterator, Sequence

from rules.consistency import BY_WAIT, MOST_CHIPS
from rules.ruleset import Ruleset, yaku_names
from scoring.entries import Win
from scoring.exclusions import WON_BY, excluded_names, refused_with_reason
from scoring.fu import PINFU_TSUMO, SEVEN_PAIRS, possible_fu
from scoring.problems import Problem, error, errors_of, warning
from scoring.state import TableState
from scoring.value import MANGAN_HAN, least_han, most_of_one
from scoring.win_tiles import tiles_problems
from scoring.yaku import CONDITION_YAKUMAN, SPECIAL_WAITS

MOST_HAN = 39  # far above any real hand: a bound against typing errors, no rule
STRAIGHT_DEALS = 8  # the dealer's next win is paarenchan
RIICHI_TSUMO_HAN = 2  # riichi and menzen tsumo
MOST_YAKUMAN = 6  # no hand holds more: tenhou or suukantsu with four of honours

DORA = ("dora", "ura", "red", "kita")  # allowed among yaku names, once per han
NEVER_IN_A_WIN = ("nagashi_mangan",)
RENHOU_HAN = 5
PINFU_RON = 30
MOST_KITA = 4
RIICHI = frozenset({"riichi", "double_riichi"})
WINS = {"menzen_tsumo": True, "renhou": False, **WON_BY}

_HONOURS = ("haku", "hatsu", "chun", "seat_wind", "round_wind", "north", "shousangen")
_TRIPLETS = ("toitoi", "sanankou", "sankantsu", "sanshoku_doukou", "sanrenkou", *_HONOURS)
_SEQUENCES = ("iipeikou", "ryanpeikou", "sanshoku_doujun", "ittsu", "chanta", "junchan")
_EXCLUDE = {
    "double_riichi": ("riichi",),
    "pinfu": ("chiitoitsu", *_TRIPLETS, "honroutou", "rinshan"),
    "chiitoitsu": (*_TRIPLETS, *_SEQUENCES, "rinshan"),
    "ryanpeikou": ("iipeikou", *_TRIPLETS, "ittsu", "sanshoku_doujun", "honroutou"),
    "iipeikou": ("toitoi", "sanankou", "sankantsu", "sanshoku_doukou", "sanrenkou", "honroutou"),
    "sanshoku_doujun": ("ittsu", "toitoi", "sanankou", "sankantsu", "sanshoku_doukou", "sanrenkou", "shousangen"),
    "ittsu": ("toitoi", "sanankou", "sankantsu", "sanshoku_doukou", "sanrenkou", "shousangen"),
    "sanshoku_doukou": ("sanrenkou", "shousangen"),
    "sanrenkou": ("shousangen", "chanta", "junchan", "honroutou"),
    "tanyao": (*_HONOURS, "chanta", "junchan", "honroutou", "honitsu", "ittsu"),
    "junchan": (*_HONOURS, "chanta", "toitoi", "honroutou", "honitsu", "ittsu"),
    "chanta": ("toitoi", "honroutou", "chinitsu", "ittsu"),
    "honroutou": ("chinitsu", "sanshoku_doujun", "ittsu"),
    "honitsu": ("chinitsu", "sanshoku_doujun", "sanshoku_doukou"),
    "chinitsu": (*_HONOURS, "sanshoku_doujun", "sanshoku_doukou"),
    "chankan": ("chiitoitsu", "toitoi", "honroutou", "ryanpeikou"),  # they hold a second tile of each kind
    **{special: (plain,) for plain, (special, _) in SPECIAL_WAITS.items()},
}
# a kita gives a rinshan win without a kan (S0 North Winds)
AFTER_KITA = frozenset(frozenset(("rinshan", name)) for name in ("pinfu", "chiitoitsu"))
EXCLUSIVE = frozenset(frozenset((one, other)) for one, others in _EXCLUDE.items() for other in others)

_SPECIAL = {plain: special for special, plain in BY_WAIT.items()}
NEEDS = {"honroutou": ("toitoi", "chiitoitsu")}  # a yaku and those of which it needs one
IMPLIES = {"daisangen": ("haku", "hatsu", "chun"), "suuankou": ("menzen_tsumo", "toitoi")}  # a yakuman and its sign
ALONE = dict.fromkeys(("kokushi_musou", "kokushi_juusanmen"), ("tenhou", "chiihou", "renhou", "paarenchan"))


def win_problems(win: Win, state: TableState, rules: Ruleset, *, tsumo: bool, riichi: bool) -> Iterator[Problem]:
    """Yield the problems of one winner's hand; `riichi`: the winner paid a riichi stick in this hand."""
    # yaku names and tiles give a better message for a riichi that does not fit
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
    """Check paarenchan: the dealer has kept the deal eight times by a win or tenpai (S4 11)."""
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
    if win.chips is not None and not rules.chip_points:
        yield error("chips.not_in_rules")
    elif win.chips is not None and win.chips > MOST_CHIPS:
        yield error("chips.too_many", chips=win.chips, most=MOST_CHIPS)


def _yakuman(win: Win, rules: Ruleset) -> Iterator[Problem]:
    if not 1 <= win.yakuman <= MOST_YAKUMAN:
        yield error("win.yakuman_count", yakuman=win.yakuman, most=MOST_YAKUMAN)
    elif win.yakuman > most_of_one(rules) and not rules.yakuman_add_up:
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
        possible = possible_fu(win.han, rules, tsumo=tsumo, riichi=riichi)
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


def yaku_problems(
    win: Win, names: Sequence[str], rules: Ruleset, *, tsumo: bool, riichi: bool, least: int = 1
) -> list[Problem]:
    """Return the problems of a winner's yaku names; `least` is the han that yaku need at this honba.

    Unknown and forbidden names are returned alone: the rest cannot be checked with them.
    """
    found = [*_names(names, rules)]
    if found:
        return found
    yaku = [name for name in names if name not in DORA]
    found = [*_together(yaku, rules, tsumo=tsumo), *_excluded(names, rules, tsumo=tsumo)]
    found += _named_riichi(win, names, riichi=riichi)
    if win.yakuman:
        return [*found, *_named_yakuman(win, yaku, rules)]
    found = found or [
        *_named_han(win, names, rules, tsumo=tsumo, riichi=riichi),
        *_named_fu(win, yaku, rules, tsumo=tsumo),
    ]
    if not found and max(_sums(yaku, rules, tsumo=tsumo, riichi=riichi), default=0) < least:
        found.append(error("yaku.two_han_needed", yaku=tuple(yaku), least=least))
    return found


def _names(names: Sequence[str], rules: Ruleset) -> Iterator[Problem]:
    known = yaku_names("yaku", "yakuman")
    for name in dict.fromkeys(names):
        if name in DORA:
            yield from _dora_of(name, names.count(name), rules)
            continue
        if name not in known and name not in (*NEVER_IN_A_WIN, "north"):
            yield error("yaku.unknown", yaku=name[:40])
        elif name in NEVER_IN_A_WIN or not any(_worth(name, rules)):
            yield error("yaku.not_in_rules", yaku=name)
        elif names.count(name) > 1:
            yield error("yaku.twice", yaku=name)


def _dora_of(name: str, given: int, rules: Ruleset) -> Iterator[Problem]:
    """Check that the rules have kita, ura or red fives, and so many of them."""
    none = {"kita": MOST_KITA if rules.kita else 0, "red": len(rules.red_fives), "ura": given if rules.ura_dora else 0}
    most = none.get(name, given)
    if not most:
        yield error("yaku.not_in_rules", yaku=name)
    elif given > most:
        yield error("yaku.dora_too_many", yaku=name, given=given, most=most)


@functools.lru_cache(maxsize=1024)
def _worth(name: str, rules: Ruleset) -> tuple[int, int]:
    """Return the worth of a yaku closed and open: han, or a number of yakuman."""
    if name == "renhou":
        return {"none": (0, 0), "mangan": (RENHOU_HAN, 0), "yakuman": (1, 0)}[rules.renhou]
    if name == "north":
        return rules.seat_wind if rules.north_value == "everybody" else (0, 0)
    if (plain := BY_WAIT.get(name)) and getattr(rules, name) == getattr(rules, plain):
        return 0, 0  # no yakuman of its own where its wait counts no more
    closed, opened = getattr(rules, name)
    return closed, opened


def _is_yakuman(name: str, rules: Ruleset) -> bool:
    return name in yaku_names("yakuman") or (name == "renhou" and rules.renhou == "yakuman")


def _together(yaku: Sequence[str], rules: Ruleset, *, tsumo: bool) -> Iterator[Problem]:
    for name in yaku:
        if WINS.get(name, tsumo) is not tsumo:
            yield error("yaku.not_by_tsumo" if tsumo else "yaku.not_by_ron", yaku=name)
    exclusive = EXCLUSIVE - AFTER_KITA if rules.kita else EXCLUSIVE
    for one, other in itertools.combinations(yaku, 2):
        if frozenset((one, other)) in exclusive:
            yield error("yaku.not_together", one=one, other=other)
    yield from _of_one_hand(yaku, rules)
    if "renhou" in yaku and len(yaku) > 1 and not any(name in CONDITION_YAKUMAN for name in yaku):
        others = [name for name in yaku if name != "renhou" and name not in yaku_names("yakuman")]
        if others:
            yield error("yaku.not_together", one="renhou", other=others[0])


def _excluded(names: Sequence[str], rules: Ruleset, *, tsumo: bool) -> Iterator[Problem]:
    for each in excluded_names(names, rules, tsumo=tsumo):
        yield refused_with_reason(each) or error("yaku.not_together", one=each[0], other=each[1])


def _of_one_hand(yaku: Sequence[str], rules: Ruleset) -> Iterator[Problem]:
    """Check yaku that need another, that make a yakuman together, or that exclude other yakuman."""
    for name, others in NEEDS.items():
        if name in yaku and not set(others) & set(yaku):
            yield error("yaku.needs_other", yaku=name, counted=others)
    for name, parts in IMPLIES.items():
        if set(parts) <= set(yaku) and not {name, _SPECIAL.get(name)} & set(yaku) and any(_worth(name, rules)):
            yield error("yaku.are_yakuman", yaku=parts, other=name)
    for name, beside in ALONE.items():
        for other in yaku if name in yaku else ():
            if other != name and other in yaku_names("yakuman") and other not in beside:
                yield error("yaku.not_together", one=name, other=other)


def _named_riichi(win: Win, names: Sequence[str], *, riichi: bool) -> Iterator[Problem]:
    """Check that riichi goes with a riichi stick, and ippatsu and ura with riichi."""
    named = bool(RIICHI & set(names))
    if named and not riichi:
        yield error("yaku.riichi_without_deposit", seat=win.seat)
    if riichi and not named and not win.yakuman:
        yield error("yaku.deposit_without_riichi", seat=win.seat)
    for name in ("ippatsu", "ura"):
        if name in names and not named and not win.yakuman:
            yield error("yaku.needs_riichi", yaku=name)


def _named_yakuman(win: Win, yaku: Sequence[str], rules: Ruleset) -> Iterator[Problem]:
    named = sum(_worth(name, rules)[0] for name in yaku if _is_yakuman(name, rules))
    if not named:
        yield error("yaku.no_yakuman_named", seat=win.seat)
    elif rules.yakuman_add_up and named != win.yakuman:
        yield error("yaku.yakuman_differ", yakuman=win.yakuman, named=named)


def _named_han(win: Win, names: Sequence[str], rules: Ruleset, *, tsumo: bool, riichi: bool) -> Iterator[Problem]:
    """Check han against the sum of the yaku; without named dora, more han are taken as dora."""
    yaku = [name for name in names if name not in DORA]
    for name in yaku:
        if _is_yakuman(name, rules):
            yield error("yaku.is_yakuman", yaku=name)
            return
    if "renhou" in yaku:
        if win.han != RENHOU_HAN:  # no dora count (E25 4.2; WRC 2025 11.5.4)
            yield error("yaku.han_differs", han=win.han, named=RENHOU_HAN, yaku=tuple(yaku))
        return
    dora = len(names) - len(yaku)
    sums = sorted({total for total in _sums(yaku, rules, tsumo=tsumo, riichi=riichi) if total})
    if not yaku:
        yield error("yaku.none", han=win.han)
    elif not sums:
        yield error("yaku.not_in_such_a_hand", yaku=tuple(yaku))
    elif not any(win.han == total + dora if dora else win.han >= total for total in sums):
        yield error("yaku.han_differs", han=win.han, named=sums[0] + dora, yaku=tuple(yaku))


def _sums(yaku: Sequence[str], rules: Ruleset, *, tsumo: bool, riichi: bool) -> Iterator[int]:
    """Yield the sum of the yaku for a closed and for an open hand, as far as each is possible.

    A tsumo without menzen_tsumo is an open hand.
    """
    if not tsumo or "menzen_tsumo" in yaku or not any(_worth("menzen_tsumo", rules)):
        yield sum(_worth(name, rules)[0] for name in yaku)
    if not riichi and all(_worth(name, rules)[1] for name in yaku):
        yield sum(_worth(name, rules)[1] for name in yaku)


def _named_fu(win: Win, yaku: Sequence[str], rules: Ruleset, *, tsumo: bool) -> Iterator[Problem]:
    """Check the fu of pinfu (30 by ron, 20 by tsumo) and chiitoitsu (25) (E25 4.1.1, 4.2.1)."""
    if not win.fu:
        return
    if "chiitoitsu" in yaku and win.fu != SEVEN_PAIRS:
        yield error("yaku.fu_differs", yaku="chiitoitsu", fu=win.fu, wanted=SEVEN_PAIRS)
    if "pinfu" in yaku:
        wanted = PINFU_TSUMO if tsumo else PINFU_RON
        if tsumo and not rules.pinfu_tsumo:
            yield error("yaku.not_by_tsumo", yaku="pinfu")
        elif win.fu != wanted:
            yield error("yaku.fu_differs", yaku="pinfu", fu=win.fu, wanted=wanted)
