"""Check a rule set for values that cannot be played: out of range, or contradicting another value."""

import itertools
from collections.abc import Iterator

from rules.ruleset import Ruleset, yaku_names

MANGAN_HAN = 5
MAX_REDS = 4
MAX_WORTH = 13
NEEDS_FOUR = ("suufon_renda", "suucha_riichi", "sanchahou")

MAX_POINTS = 1_000_000  # the widest that sheets and screens show
MAX_LIMIT_HAN = 99
MAX_CHIPS = 99
CHIPS = ("chip_ippatsu", "chip_ura", "chip_red", "chip_yakuman_ron", "chip_yakuman_tsumo")
AT_LEAST_ONE = ("rounds", "riichi_deposit", "yakuman_base")
MOST = {  # upper bounds; the lower bound is 0, or 1 for AT_LEAST_ONE
    **dict.fromkeys(("start_points", "return_points", "target_points", "yakuman_base", "riichi_deposit"), MAX_POINTS),
    **dict.fromkeys(("honba_ron", "honba_tsumo", "noten_pool", "chombo_points", "late_points"), MAX_POINTS),
    "replaced_points": MAX_POINTS,
    "minutes": 600,
    "late_minutes": 600,
    "extra_hands": 20,
    "rounds": 4,
    "extra_rounds": 4,
    "two_han_from_honba": 99,
    "riichi_tiles_left": 70,
    "double_wind_pair_fu": 10,
    "chip_points": MAX_POINTS,
    "bust_prize": MAX_POINTS,
    **dict.fromkeys(CHIPS, MAX_CHIPS),
}
BY_WAIT = {"kokushi_juusanmen": "kokushi_musou", "junsei_chuuren": "chuuren_poutou", "suuankou_tanki": "suuankou"}
Wrong = Iterator[tuple[str, str]]


def contradictions(rules: Ruleset) -> Wrong:
    """Yield (field, message) for each value that cannot be played; single fields first."""
    yield from _alone(rules)
    yield from _uma(rules)
    yield from _tables(rules)
    yield from _with_players(rules)
    yield from _not_played(rules)
    yield from _beside(rules)


def _alone(rules: Ruleset) -> Wrong:
    if rules.players not in (3, 4):
        yield "players", f"must be 3 or 4, not {rules.players}"
    for name, most in MOST.items():
        value, least = getattr(rules, name), int(name in AT_LEAST_ONE)
        if value < least:
            yield name, f"must be at least {least}, not {value}"
        if value > most:
            yield name, f"must be at most {_points(most)}, not {_points(value)}"
    for name in yaku_names("yaku", "yakuman"):
        worth = getattr(rules, name)
        if isinstance(worth, tuple) and not 0 <= worth[1] <= worth[0] <= MAX_WORTH:
            yield name, f"must be worth 0 to {MAX_WORTH}, and open no more than closed, not {list(worth)}"
    for name, plain in BY_WAIT.items():
        worth, least = getattr(rules, name), getattr(rules, plain)
        if worth < least or bool(worth[0]) > bool(least[0]):
            yield name, f"must be worth no less than '{plain}', and nothing where that is not played"


def _uma(rules: Ruleset) -> Wrong:
    """Check the uma, and those by the number of players above the return points: all but none and everybody."""
    yield from (("uma", wrong) for wrong in _uma_row(rules.uma, rules))
    if rules.floating_uma and len(rules.floating_uma) != rules.players - 1:
        yield "floating_uma", f"must have {rules.players - 1} rows, one for each number of players above"
    for row in rules.floating_uma:
        yield from (("floating_uma", wrong) for wrong in _uma_row(row, rules))
    if rules.float_at_return and not rules.floating_uma:
        yield "float_at_return", "says something of 'floating_uma', and the uma does not float"


def _uma_row(uma: tuple[int, ...], rules: Ruleset) -> Iterator[str]:
    """Check that uma has a value per place, sums to 0 and never rises (E25 3.7.1; S0)."""
    if len(uma) != rules.players:
        yield f"has {len(uma)} places for {rules.players} players"
        return
    for points in uma:
        if abs(points) > MAX_POINTS:
            yield f"must lie between {_points(-MAX_POINTS)} and {_points(MAX_POINTS)}, not {_points(points)}"
            return
    if sum(uma):
        yield f"sums to {_points(sum(uma))} and must sum to 0: what some gain others lose"
    for place, (better, worse) in enumerate(itertools.pairwise(uma), start=1):
        if worse > better:
            yield f"rises from place {place} ({_points(better)}) to place {place + 1} ({_points(worse)})"
            return


def _points(number: int) -> str:
    """Format a number with thousands separators and a true minus sign.

    >>> _points(-15000)
    '−15,000'
    """
    return f"{number:,}".replace("-", "−")


def _tables(rules: Ruleset) -> Wrong:
    if not rules.limits or rules.limits[0][0] != MANGAN_HAN:
        yield "limits", f"must begin at {MANGAN_HAN} han"
    if any(han >= more or base >= dearer for (han, base), (more, dearer) in itertools.pairwise(rules.limits)):
        yield "limits", "must rise in han and in points"
    if rules.limits and rules.limits[-1][0] > MAX_LIMIT_HAN:
        yield "limits", f"must end at {MAX_LIMIT_HAN} han at most, not {rules.limits[-1][0]}"
    if rules.limits and rules.limits[-1][1] > rules.yakuman_base:
        yield "limits", f"pay more than 'yakuman_base' ({rules.yakuman_base})"
    for five in sorted(set(rules.red_fives)):
        if (given := rules.red_fives.count(five)) > MAX_REDS:
            yield "red_fives", f"has {given} of '{five}', and the set has {MAX_REDS}"
    for name in ("equal_totals", "pao", "abortive_draws", "whole_wait_yaku"):
        if len(set(getattr(rules, name))) < len(getattr(rules, name)):
            yield name, "names one thing twice"


def _with_players(rules: Ruleset) -> Wrong:
    three = rules.players == 3
    if (rules.north_share == "not_missing") is three:
        yield "north_share", f"'{rules.north_share}' makes no sense with {rules.players} players"
    if (rules.north_value == "wind") is three:
        yield "north_value", f"'{rules.north_value}' makes no sense beside 'players' ({rules.players})"
    if rules.rounds <= MOST["rounds"] and rules.rounds + rules.extra_rounds > rules.players:
        yield (
            "rounds",
            f"with 'extra_rounds' ({rules.extra_rounds}) there are more winds than 'players' ({rules.players})",
        )
    if three and "5m" in rules.red_fives:
        yield "red_fives", "5m is not in the set beside 'players' (3)"
    if three and rules.chii:
        yield "chii", "sequences are not called beside 'players' (3)"
    for name in NEEDS_FOUR:
        if three and name in rules.abortive_draws:
            yield "abortive_draws", f"'{name}' needs four players, beside 'players' (3)"
    if rules.kita and rules.players == 4:
        yield "kita", "Norths are not set aside beside 'players' (4)"


def _not_played(rules: Ruleset) -> Wrong:
    """Check rules that say something of what is not played."""
    for name in ("kita_furiten", "kita_ends_first_turn", "kita_turns_dora"):
        if getattr(rules, name) and not rules.kita:
            yield name, "says something of kita, which 'kita' does not allow"
    if rules.kan_ura and not rules.ura_dora:
        yield "kan_ura", "says something of ura, which 'ura_dora' does not allow"
    elif rules.kan_ura and rules.kan_dora == "none":
        yield "kan_ura", "needs the indicators of kan, which 'kan_dora' does not turn"
    if rules.bust_at_zero and not rules.bust:
        yield "bust_at_zero", "says something of the end that 'bust' does not play"
    if rules.bust_prize and not rules.bust:
        yield "bust_prize", "is paid for the end that 'bust' does not play"
    if rules.yame_choice and not (rules.agari_yame or rules.tenpai_yame):
        yield "yame_choice", "leaves nothing to choose without 'agari_yame' and 'tenpai_yame'"
    for name in CHIPS:
        if getattr(rules, name) and not rules.chip_points:
            yield name, "says something of chips, which 'chip_points' (0) does not play"


def _beside(rules: Ruleset) -> Wrong:
    if rules.repeat_before_target and not rules.extra_rounds:
        yield "repeat_before_target", "says how the winds of 'extra_rounds' end, and there are none"
    if rules.extra_rounds and not rules.target_points:
        yield "extra_rounds", "are played until somebody reaches 'target_points', which are 0"
    if rules.target_points and not (rules.extra_rounds or rules.agari_yame or rules.tenpai_yame):
        yield "target_points", "matter only with 'extra_rounds' or 'agari_yame', and neither is played"
    gap = (rules.return_points - rules.start_points) * rules.players
    if rules.oka != gap:
        yield "oka", f"must be {gap}: what 'return_points' ({rules.return_points}) takes beyond 'start_points'"
    if rules.triple_ron_aborts and (rules.multiple_ron == "head_bump" or rules.players == 3):
        yield "triple_ron_aborts", "three never win at once beside 'multiple_ron' and 'players' as they are"
    if rules.noten_pool % (600 if rules.players == 4 else 200):  # divisible by every number of payers and receivers
        yield "noten_pool", f"cannot be shared among 'players' ({rules.players}) in whole hundreds"
    if rules.pao_part == "liable_part" and not rules.pao:
        yield "pao_part", "says what is paid for the yakuman of 'pao', and there are none"
    if rules.two_han_whole_wait and not rules.two_han_from_honba:
        yield "two_han_whole_wait", "says how two han are made, which 'two_han_from_honba' never asks for"
    for field in ("pao", "whole_wait_yaku"):
        for name in getattr(rules, field):
            if not any(getattr(rules, name)):
                yield field, f"names '{name}', which these rules do not count"
