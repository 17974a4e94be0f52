"""Check one winner's hand: han, fu, yakuman, yaku by name and pao, each alone and against each other.

`check` calls it for each winner; `win_tiles` checks tiles.
"""

import itertools
from collections.abc import Iterator, Sequence

from rules.consistency import BY_WAIT, MAX_CHIPS
from rules.ruleset import Ruleset, yaku_names
from scoring.entries import WIN_HAN_ZERO, Win
from scoring.exclusions import WON_BY, YAKU_NOT_IN_RULES, excluded_names, refused_with_reason
from scoring.fu import PINFU_TSUMO, SEVEN_PAIRS, possible_fu
from scoring.problems import Problem, ProblemType, errors_of
from scoring.state import TableState
from scoring.value import MANGAN_HAN, least_han, most_of_one
from scoring.win_tiles import YAKU_DEPOSIT_WITHOUT_RIICHI, YAKU_RIICHI_WITHOUT_DEPOSIT, tiles_problems
from scoring.yaku import CONDITION_YAKUMAN, SPECIAL_WAITS

WIN_NO_PAARENCHAN = ProblemType(
    "win.no_paarenchan",
    "{seat} has no paarenchan: it is the dealer's win after keeping the deal eight times himself; so far {deals} "
    "times.",
)
WIN_PAARENCHAN = ProblemType(
    "win.paarenchan", "{seat} wins the ninth deal in a row: paarenchan, a yakuman. Is the hand to be entered by han?"
)
YAKU_UNKNOWN = ProblemType("yaku.unknown", "'{yaku}' is not the name of a yaku.")
YAKU_TWICE = ProblemType("yaku.twice", "Named twice among the yaku: {yaku}.")
YAKU_NOT_BY_TSUMO = ProblemType("yaku.not_by_tsumo", "A win by tsumo cannot have {yaku}.")
YAKU_NOT_BY_RON = ProblemType("yaku.not_by_ron", "A win by ron cannot have {yaku}.")
YAKU_NOT_TOGETHER = ProblemType("yaku.not_together", "One hand cannot have both {one} and {other}.")
YAKU_NEEDS_RIICHI = ProblemType("yaku.needs_riichi", "Without riichi there is no {yaku}.")
YAKU_NO_YAKUMAN_NAMED = ProblemType(
    "yaku.no_yakuman_named", "{seat} wins with a yakuman, but none of the yaku named is one."
)
YAKU_YAKUMAN_DIFFER = ProblemType(
    "yaku.yakuman_differ", "The hand is entered as {yakuman} yakuman; those named make {named}."
)
YAKU_IS_YAKUMAN = ProblemType("yaku.is_yakuman", "The hand is entered by han, but {yaku} is a yakuman.")
YAKU_DORA_TOO_MANY = ProblemType("yaku.dora_too_many", "{given} {yaku} are too many: there are {most}.")
YAKU_NEEDS_OTHER = ProblemType("yaku.needs_other", "A hand with {yaku} has one of these as well: {counted}.")
YAKU_ARE_YAKUMAN = ProblemType("yaku.are_yakuman", "Together, {yaku} are {other}, a yakuman.")
WIN_TWO_HAN_NEEDED = ProblemType(
    "win.two_han_needed", "With {honba} honba {seat} needs two han of yaku at least, not a hand of {han} han."
)
YAKU_TWO_HAN_NEEDED = ProblemType(
    "yaku.two_han_needed", "With so many honba the yaku must make {least} han, and {yaku} do not."
)
YAKU_NONE = ProblemType("yaku.none", "{han} han without a yaku: dora do not win without a yaku.")
YAKU_NOT_IN_SUCH_A_HAND = ProblemType(
    "yaku.not_in_such_a_hand",
    "A closed hand won by tsumo names menzen tsumo as well; in an open one this cannot count: {yaku}.",
)
YAKU_HAN_DIFFERS = ProblemType(
    "yaku.han_differs", "The hand is entered with {han} han; its yaku ({yaku}) and the dora named make {named}."
)
YAKU_FU_DIFFERS = ProblemType("yaku.fu_differs", "A hand with {yaku} won so has {wanted} fu, not {fu}.")
WIN_HAN_TOO_MANY = ProblemType(
    "win.han_too_many", "{han} han is more than any hand has; at most {most} can be entered."
)
WIN_YAKUMAN_COUNT = ProblemType("win.yakuman_count", "{yakuman} yakuman is not possible; 1 to {most} can be entered.")
WIN_YAKUMAN_COUNTED_ONCE = ProblemType(
    "win.yakuman_counted_once", "{yakuman} yakuman are counted as one under these rules."
)
WIN_FU_MISSING = ProblemType("win.fu_missing", "{han} han needs its fu.")
WIN_FU_WITHOUT_SEVEN_PAIRS = ProblemType(
    "win.fu_without_seven_pairs", "{fu} fu are those of seven pairs, which is not among the yaku."
)
WIN_RIICHI_TSUMO_HAN = ProblemType(
    "win.riichi_tsumo_han", "{seat} wins by tsumo with riichi: that is 2 han already, not {han}."
)
WIN_FU_IMPOSSIBLE = ProblemType(
    "win.fu_impossible", "{fu} fu cannot go with {han} han by {how}; possible are {possible}."
)
PAO_NOT_IN_RULES = ProblemType("pao.not_in_rules", "These rules have no liability (pao).")
PAO_BY_WINNER = ProblemType("pao.by_winner", "{seat} cannot be liable for their own hand.")
PAO_NOT_LIABLE = ProblemType("pao.not_liable", "Liability (pao) is only for {yaku}: this hand is not of that kind.")
CHIPS_NOT_IN_RULES = ProblemType("chips.not_in_rules", "These rules have no chips.")
CHIPS_TOO_MANY = ProblemType(
    "chips.too_many", "{chips} chips are too many for one hand: at most {most} can be entered."
)

MAX_HAN = 39  # far above any real hand: a bound against typing errors, no rule
STRAIGHT_DEALS = 8  # the dealer's next win is paarenchan
RIICHI_TSUMO_HAN = 2  # riichi and menzen tsumo
MAX_YAKUMAN = 6  # no hand holds more: tenhou or suukantsu with four of honours

DORA = ("dora", "ura", "red", "kita")  # allowed among yaku names, once per han
NEVER_IN_A_WIN = ("nagashi_mangan",)
RENHOU_HAN = 5
PINFU_RON = 30
MAX_KITA = 4
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
        yield WIN_TWO_HAN_NEEDED(seat=win.seat, han=win.han, honba=state.honba)
    yield from _ninth_deal(win, state, rules)
    if win.yaku is not None:
        yield from yaku_problems(win, win.yaku, rules, tsumo=tsumo, riichi=riichi, least=least)
    if win.hand is not None:
        yield from tiles_problems(win, state, rules, tsumo=tsumo, riichi=riichi)


def _ninth_deal(win: Win, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    """Check paarenchan: the dealer has kept the deal eight times by a win or tenpai (S4 11)."""
    ninth = state.straight == STRAIGHT_DEALS and win.seat == state.dealer
    if win.yaku is not None and "paarenchan" in win.yaku and rules.paarenchan[0] and not ninth:
        yield WIN_NO_PAARENCHAN(seat=win.seat, deals=max(state.straight, 0))
    if rules.paarenchan[0] and ninth and not win.yakuman:
        yield WIN_PAARENCHAN.warning(seat=win.seat)


def _form(win: Win, rules: Ruleset, *, tsumo: bool, riichi: bool) -> Iterator[Problem]:
    if win.yakuman and not 1 <= win.yakuman <= MAX_YAKUMAN:
        yield WIN_YAKUMAN_COUNT(yakuman=win.yakuman, most=MAX_YAKUMAN)
    elif win.yakuman > most_of_one(rules) and not rules.yakuman_add_up:
        yield WIN_YAKUMAN_COUNTED_ONCE.warning(yakuman=win.yakuman)
    elif not win.yakuman:
        yield from _han_and_fu(win, rules, tsumo=tsumo, riichi=riichi)
    if win.pao is not None:
        yield from _pao(win, win.pao, rules, tsumo=tsumo)
    if win.chips is not None and not rules.chip_points:
        yield CHIPS_NOT_IN_RULES()
    elif win.chips is not None and win.chips > MAX_CHIPS:
        yield CHIPS_TOO_MANY(chips=win.chips, most=MAX_CHIPS)


def _han_and_fu(win: Win, rules: Ruleset, *, tsumo: bool, riichi: bool) -> Iterator[Problem]:
    if win.han < 1:
        yield WIN_HAN_ZERO(seat=win.seat)
    elif win.han < RIICHI_TSUMO_HAN and riichi and tsumo:
        yield WIN_RIICHI_TSUMO_HAN(seat=win.seat, han=win.han)
    elif win.han > MAX_HAN:
        yield WIN_HAN_TOO_MANY(han=win.han, most=MAX_HAN)
    elif not win.fu and win.han < MANGAN_HAN:
        yield WIN_FU_MISSING(han=win.han)
    elif win.fu:
        possible = possible_fu(win.han, rules, tsumo=tsumo, riichi=riichi)
        if win.fu not in possible:
            how = ("riichi and " if riichi else "") + ("tsumo" if tsumo else "ron")
            yield WIN_FU_IMPOSSIBLE(fu=win.fu, han=win.han, how=how, possible=tuple(sorted(possible)))
        elif win.fu == SEVEN_PAIRS and win.yaku is not None and "chiitoitsu" not in win.yaku:
            yield WIN_FU_WITHOUT_SEVEN_PAIRS(fu=win.fu)


def _pao(win: Win, liable: int, rules: Ruleset, *, tsumo: bool) -> Iterator[Problem]:
    if liable == win.seat:
        yield PAO_BY_WINNER(seat=liable)
    if not rules.pao:
        yield PAO_NOT_IN_RULES()
        return
    by_rinshan = tsumo and "rinshan" in rules.pao  # a yakuman is by rinshan without naming it
    named = win.yaku is None or set(win.yaku) & set(rules.pao)
    if [bool(win.yakuman), by_rinshan, bool(named)].count(True) < 2:
        yield PAO_NOT_LIABLE(yaku=rules.pao)


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
    found = [*_together(yaku, rules, tsumo=tsumo)]
    excluded = excluded_names(names, rules, tsumo=tsumo)
    found += [refused_with_reason(each) or YAKU_NOT_TOGETHER(one=each[0], other=each[1]) for each in excluded]
    found += _named_riichi(win, names, riichi=riichi)
    if win.yakuman:
        return [*found, *_named_yakuman(win, yaku, rules)]
    found = found or [
        *_named_han(win, names, rules, tsumo=tsumo, riichi=riichi),
        *_named_fu(win, yaku, rules, tsumo=tsumo),
    ]
    if not found and max(_sums(yaku, rules, tsumo=tsumo, riichi=riichi), default=0) < least:
        found.append(YAKU_TWO_HAN_NEEDED(yaku=tuple(yaku), least=least))
    return found


def _names(names: Sequence[str], rules: Ruleset) -> Iterator[Problem]:
    known = yaku_names("yaku", "yakuman")
    for name in dict.fromkeys(names):
        if name in DORA:
            yield from _dora_of(name, names.count(name), rules)
            continue
        if name not in known and name not in (*NEVER_IN_A_WIN, "north"):
            yield YAKU_UNKNOWN(yaku=name[:40])
        elif name in NEVER_IN_A_WIN or not any(_worth(name, rules)):
            yield YAKU_NOT_IN_RULES(yaku=name)
        elif names.count(name) > 1:
            yield YAKU_TWICE(yaku=name)


def _dora_of(name: str, given: int, rules: Ruleset) -> Iterator[Problem]:
    """Check that the rules have kita, ura or red fives, and so many of them."""
    none = {"kita": MAX_KITA if rules.kita else 0, "red": len(rules.red_fives), "ura": given if rules.ura_dora else 0}
    most = none.get(name, given)
    if not most:
        yield YAKU_NOT_IN_RULES(yaku=name)
    elif given > most:
        yield YAKU_DORA_TOO_MANY(yaku=name, given=given, most=most)


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
            yield (YAKU_NOT_BY_TSUMO if tsumo else YAKU_NOT_BY_RON)(yaku=name)
    exclusive = EXCLUSIVE - AFTER_KITA if rules.kita else EXCLUSIVE
    for one, other in itertools.combinations(yaku, 2):
        if frozenset((one, other)) in exclusive:
            yield YAKU_NOT_TOGETHER(one=one, other=other)
    yield from _of_one_hand(yaku, rules)
    if "renhou" in yaku and len(yaku) > 1 and not any(name in CONDITION_YAKUMAN for name in yaku):
        others = [name for name in yaku if name != "renhou" and name not in yaku_names("yakuman")]
        if others:
            yield YAKU_NOT_TOGETHER(one="renhou", other=others[0])


def _of_one_hand(yaku: Sequence[str], rules: Ruleset) -> Iterator[Problem]:
    """Check yaku that need another, that make a yakuman together, or that exclude other yakuman."""
    for name, others in NEEDS.items():
        if name in yaku and not set(others) & set(yaku):
            yield YAKU_NEEDS_OTHER(yaku=name, counted=others)
    for name, parts in IMPLIES.items():
        if set(parts) <= set(yaku) and not {name, _SPECIAL.get(name)} & set(yaku) and any(_worth(name, rules)):
            yield YAKU_ARE_YAKUMAN(yaku=parts, other=name)
    for name, beside in ALONE.items():
        for other in yaku if name in yaku else ():
            if other != name and other in yaku_names("yakuman") and other not in beside:
                yield YAKU_NOT_TOGETHER(one=name, other=other)


def _named_riichi(win: Win, names: Sequence[str], *, riichi: bool) -> Iterator[Problem]:
    """Check that riichi goes with a riichi stick, and ippatsu and ura with riichi."""
    named = bool(RIICHI & set(names))
    if named and not riichi:
        yield YAKU_RIICHI_WITHOUT_DEPOSIT(seat=win.seat)
    if riichi and not named and not win.yakuman:
        yield YAKU_DEPOSIT_WITHOUT_RIICHI(seat=win.seat)
    for name in ("ippatsu", "ura"):
        if name in names and not named and not win.yakuman:
            yield YAKU_NEEDS_RIICHI(yaku=name)


def _named_yakuman(win: Win, yaku: Sequence[str], rules: Ruleset) -> Iterator[Problem]:
    named = sum(_worth(name, rules)[0] for name in yaku if _is_yakuman(name, rules))
    if not named:
        yield YAKU_NO_YAKUMAN_NAMED(seat=win.seat)
    elif rules.yakuman_add_up and named != win.yakuman:
        yield YAKU_YAKUMAN_DIFFER(yakuman=win.yakuman, named=named)


def _named_han(win: Win, names: Sequence[str], rules: Ruleset, *, tsumo: bool, riichi: bool) -> Iterator[Problem]:
    """Check han against the sum of the yaku; without named dora, more han are taken as dora."""
    yaku = [name for name in names if name not in DORA]
    for name in yaku:
        if _is_yakuman(name, rules):
            yield YAKU_IS_YAKUMAN(yaku=name)
            return
    if "renhou" in yaku:
        if win.han != RENHOU_HAN:  # no dora count (E25 4.2; WRC 2025 11.5.4)
            yield YAKU_HAN_DIFFERS(han=win.han, named=RENHOU_HAN, yaku=tuple(yaku))
        return
    dora = len(names) - len(yaku)
    sums = sorted({total for total in _sums(yaku, rules, tsumo=tsumo, riichi=riichi) if total})
    if not yaku:
        yield YAKU_NONE(han=win.han)
    elif not sums:
        yield YAKU_NOT_IN_SUCH_A_HAND(yaku=tuple(yaku))
    elif not any(win.han == total + dora if dora else win.han >= total for total in sums):
        yield YAKU_HAN_DIFFERS(han=win.han, named=sums[0] + dora, yaku=tuple(yaku))


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
        yield YAKU_FU_DIFFERS(yaku="chiitoitsu", fu=win.fu, wanted=SEVEN_PAIRS)
    if "pinfu" in yaku:
        wanted = PINFU_TSUMO if tsumo else PINFU_RON
        if tsumo and not rules.pinfu_tsumo:
            yield YAKU_NOT_BY_TSUMO(yaku="pinfu")
        elif win.fu != wanted:
            yield YAKU_FU_DIFFERS(yaku="pinfu", fu=win.fu, wanted=wanted)
