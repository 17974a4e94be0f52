"""What a rule changes: for every field of a rule set, something that the desk computes or says by it.

A probe says `see`, what is computed from a rule set; `beside`, the rules without which this one has nothing to say;
`along`, what must change with it so that the rule set stays legal; `values`, other values to try where the usual ones
do not fit.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from rules.consistency import BY_WAIT
from rules.consistency import CHIPS as CHIP_RULES
from rules.foul_books import catalogue
from rules.fouls import of_lateness
from rules.ruleset import Ruleset, yaku_names
from scoring.check import may_be_riichi_tile, problems
from scoring.entries import Chombo, Draw, Ron, Tsumo, Win
from scoring.game import play
from scoring.payments import liabilities
from scoring.placement import finish, uma_of, with_substitutes
from scoring.problems import InvalidInput
from scoring.shorthand import parse
from scoring.standings import PlacedGame, rank_players
from scoring.state import TableState, opening
from scoring.time_limit import TimeLimit, hands_left, signal_at
from scoring.value import base_of, least_han
from tests.scoring import yaku_rows
from tests.scoring.hand_table import counted, hand_of, rows_of
from tournament.rounds.messages import say_hand_begins, say_up

See = Callable[[Ruleset], object]
NOON = datetime(2026, 9, 12, 12, tzinfo=UTC)


@dataclasses.dataclass(frozen=True)
class Probe:
    """How to see that a rule acts; see the module."""

    see: See
    beside: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    along: Callable[[Ruleset, Any], Mapping[str, Any]] = lambda _rules, _value: {}
    values: Sequence[Any] = ()


# ---------------------------------------------------------------- what can be seen


def _at(rules: Ruleset, *, scores: int | None = None, dealer: int = 0, **changes: Any) -> TableState:
    """Return a table; `dealer` -1 is the last seat, `scores` those of every seat."""
    return opening(rules, scores)._replace(dealer=dealer % rules.players, **changes)


def _hands(*lines: str, **changes: Any) -> See:
    """See what hands pay and what follows, each played at a table with these changes."""

    def see(rules: Ruleset) -> object:
        found = [play(parse(line), _at(rules, **changes), rules) for line in lines]
        return [(hand.deltas, hand.after) for hand in found]

    return see


def _problems(*lines: str, **changes: Any) -> See:
    """See what is wrong with hands."""
    return lambda rules: [
        [(p.severity, p.code) for p in problems(parse(line), _at(rules, **changes), rules)] for line in lines
    ]


def _counts(*lines: str) -> See:
    """See what tiles are worth, or why they are refused."""
    return lambda rules: [_count(line, rules) for line in lines]


def _count(line: str, rules: Ruleset) -> object:
    try:
        return counted(line, rules)
    except InvalidInput as wrong:
        return [problem.code for problem in wrong.problems]


def _yaku(name: str) -> See:
    """See the hands of the table of yaku that have it."""
    tables = (yaku_rows.BOTH, yaku_rows.FOUR, yaku_rows.KITA, yaku_rows.SANRENKOU)
    return _counts(*(row[2] for table in tables for row in rows_of(table) if name in row[3].split()))


def _liable(*lines: str) -> See:
    """See who is liable for the yakuman of hands, by what they hold."""
    return lambda rules: [_liabilities(line, rules) for line in lines]


def _liabilities(line: str, rules: Ruleset) -> object:
    hand = hand_of(line, rules)
    return liabilities(hand, {name for name, _worth in counted(line, rules).yaku}, rules)


def _finals(*tables: tuple[Sequence[int], int]) -> See:
    """See the results of games by scores in thousands and riichi sticks left."""

    def see(rules: Ruleset) -> object:
        states = [
            TableState(scores=tuple(1000 * score for score in scores[: rules.players]), sticks=sticks)
            for scores, sticks in tables
        ]
        return [finish(state, rules) for state in states]

    return see


def _standings(rules: Ruleset) -> object:
    games = [
        *(PlacedGame("a", number, result, place) for number, result, place in ((1, 30_000, 2), (2, -30_000, 4))),
        *(PlacedGame("b", number, result, place) for number, result, place in ((1, 20_000, 1), (2, -20_000, 3))),
    ]
    return rank_players(["a", "b"], games, {}, rounds=2, tie_breaks=rules.equal_totals)


def _fouls(rules: Ruleset) -> object:
    found = catalogue(rules)
    return [foul.what for foul in found.fouls], found.penalties


def _late(rules: Ruleset) -> object:
    found = [(minutes, of_lateness(catalogue(rules), minutes)) for minutes in (1, 5, 10, 11, 12, 600)]
    return [case[1].amount(minutes) if case else None for minutes, case in found]


def _replaced(rules: Ruleset) -> object:
    return with_substitutes(finish(_at(rules), rules), {0: "during"}, rules)


def _clock(rules: Ruleset) -> object:
    hands = ((Chombo(offenders=(0,)), NOON + timedelta(days=1)),)
    limit = TimeLimit(signal_at(NOON, rules.minutes), NOON + timedelta(days=2), hands)
    return limit.signal, hands_left(limit, rules), say_up(rules.extra_hands), say_hand_begins(rules.next_hand_begins)


def _ninth_deal(rules: Ruleset) -> object:
    win = Win(seat=0, yakuman=1, yaku=("paarenchan",))
    return [p.code for p in problems(Tsumo(winners=(win,)), _at(rules, straight=8), rules)]


def _last_dealer_wins(rules: Ruleset) -> object:
    entry = Tsumo(winners=(Win(seat=rules.players - 1, han=3, fu=40),))
    return play(entry, _at(rules, dealer=-1), rules).after


# ---------------------------------------------------------------- rule by rule

FAR, EVEN = (50, 35, 25, 10), (30, 30, 30, 30)
NO_STOP = dict.fromkeys(("agari_yame", "tenpai_yame", "yame_choice", "repeat_before_target"), False)
ONE_WIND = {"rounds": 1, "extra_rounds": 0, "target_points": 0, **NO_STOP}
FIXED_UMA = {"floating_uma": (), "float_at_return": False}
FLOATS = ((3000, -1000, -1000, -1000), (2000, 2000, -2000, -2000), (1000, 1000, 1000, -3000))
CHIPS = {"chip_points": 1000, **dict.fromkeys(CHIP_RULES, 1)}
TWO_SIDED = "23344p444789s99m2p"  # a pair of equal sequences with 2p, not with 5p
THREE_WINDS = {**ONE_WIND, "rounds": 3}
ALL_WIN = {"multiple_ron": "all", "triple_ron_aborts": False}
LIABLE = {"pao": ("daisangen",), "yakuman_add_up": True}
TIMED = {"minutes": 60}
TWO_RON = ("2r1 340+3 340/23", "1r2 340+3 340/13", "1r3 340+2 340/12")


def _table_of(rules: Ruleset, players: int) -> Mapping[str, Any]:
    """Return what a table of so many players needs."""
    three = players == 3
    return {
        **ONE_WIND,
        **dict.fromkeys(
            ("kita", "kita_furiten", "kita_ends_first_turn", "kita_turns_dora", "triple_ron_aborts"), False
        ),
        "uma": (15_000, 0, -15_000) if three else (15_000, 5000, -5000, -15_000),
        "north_share": "lost" if three else "not_missing",
        "north_value": "guest" if three else "wind",
        "chii": not three,
        "red_fives": (),
        "abortive_draws": (),
        "noten_pool": 3000,
        "oka": (rules.return_points - rules.start_points) * players,
        **FIXED_UMA,
    }


def _by_wait(name: str) -> Callable[[Ruleset, Any], Mapping[str, Any]]:
    return lambda _rules, worth: {name: worth}


def _points_and_oka(rules: Ruleset, **points: int) -> Mapping[str, Any]:
    after = {"start_points": rules.start_points, "return_points": rules.return_points, **points}
    return {"oka": (after["return_points"] - after["start_points"]) * rules.players}


def _last_dealer_in_tenpai(rules: Ruleset) -> object:
    return play(Draw(tenpai=(rules.players - 1,)), _at(rules, dealer=-1), rules).after


def _chips(rules: Ruleset) -> object:
    wins = (Win(seat=0, han=5, yaku=("riichi", "ippatsu", "ura", "red")), Win(seat=0, yakuman=1))
    entries = [entry for win in wins for entry in (Ron(loser=1, winners=(win,)), Tsumo(winners=(win,)))]
    return [finish(play(entry, _at(rules), rules).after, rules).results for entry in entries]


def _at_the_line(rules: Ruleset) -> object:
    line = rules.return_points
    scores = (line + 10_000, line, line - 5000, line - 5000)[: rules.players]
    return finish(TableState(scores=scores), rules)


PROBES: dict[str, Probe] = {
    # game
    "players": Probe(opening, along=_table_of, values=(3, 4)),
    "start_points": Probe(opening, along=lambda rules, points: _points_and_oka(rules, start_points=points)),
    "return_points": Probe(_finals((FAR, 0)), along=lambda rules, points: _points_and_oka(rules, return_points=points)),
    "rounds": Probe(_hands("d", dealer=-1), {**ONE_WIND, "dealer_on_draw": "tenpai"}),
    "dealer_on_draw": Probe(_hands("d", "d1", "d2")),
    "dealer_on_draw_later": Probe(_hands("d", "d1", "d2", round=1), THREE_WINDS),
    "dealer_on_multiple_ron": Probe(_hands(*TWO_RON), ALL_WIN),
    "extra_rounds": Probe(
        _hands("d", dealer=-1),
        {**ONE_WIND, "target_points": 500_000, "agari_yame": True, "dealer_on_draw": "tenpai"},
    ),
    "target_points": Probe(
        _hands("d", dealer=-1),
        {**ONE_WIND, "target_points": 500_000, "extra_rounds": 1, "dealer_on_draw": "tenpai"},
        values=(1000,),
    ),
    "bust": Probe(_hands("1r2 y")),
    "bust_at_zero": Probe(_hands("1r2 m", scores=12_000), {"bust": True}),
    "agari_yame": Probe(_last_dealer_wins, ONE_WIND),
    "tenpai_yame": Probe(_last_dealer_in_tenpai, {**ONE_WIND, "dealer_on_draw": "tenpai", "noten_pool": 3000}),
    "yame_choice": Probe(_last_dealer_wins, {**ONE_WIND, "agari_yame": True}),
    "repeat_before_target": Probe(
        _hands("d1", round=1),
        {**ONE_WIND, "extra_rounds": 1, "target_points": 1000, "dealer_on_draw_later": "tenpai"},
    ),
    # tiles
    "red_fives": Probe(
        _counts("123067p44478s99m6s r", "123567p34078s99m6s r", "34067m123p67899s8m r"),
        values=((), ("5p",), ("5p", "5s"), ("5m", "5p", "5s")),
    ),
    "kita": Probe(
        _counts("123567p44478s99m6s r k2"),
        {"kita_furiten": False, "kita_ends_first_turn": False, "kita_turns_dora": False},
    ),
    "kita_furiten": Probe(_fouls, {"kita": True}),
    "kita_ends_first_turn": Probe(_counts("123567p44478s99m6s first t wES k1"), {"kita": True}),
    "kita_turns_dora": Probe(_fouls, {"kita": True}),
    "north_value": Probe(_counts("123567p78s99m444z6s wES")),
    "chii": Probe(_counts("99m123p12368s7s 123m")),
    "kan_dora": Probe(_fouls),
    "ura_dora": Probe(_counts("123567p44478s99m6s r u4p"), {"kan_ura": False}),
    "kan_ura": Probe(_counts("123567p78s99m6s x4444s r d1p9p u1s2s"), {"ura_dora": True, "kan_dora": "at_once"}),
    "swap_calling": Probe(_fouls),
    "kokushi_robs_ankan": Probe(_fouls),
    # value
    "kiriage_mangan": Probe(_hands("1r2 430")),
    "limits": Probe(
        lambda rules: [base_of(han, 30, rules) for han in range(1, 15)],
        values=(((5, 2000), (6, 3000)), ((5, 2000), (6, 3000), (8, 4000))),
    ),
    "yakuman_base": Probe(_hands("1r2 y")),
    "yakuman_add_up": Probe(_hands("1r2 y2")),
    "double_wind_pair_fu": Probe(_counts("123567p11555z78s6s")),
    "ryuuiisou_hatsu": Probe(_counts("22334444666888s")),
    "pinfu_tsumo": Probe(_counts("112233p23478s99m6s t")),
    "two_han_from_honba": Probe(lambda rules: [least_han(honba, rules) for honba in range(99)]),
    "two_han_whole_wait": Probe(_counts("23344p789s99m555z2p h5"), {"two_han_from_honba": 1}),
    "ron_on_whole_wait": Probe(_counts(TWO_SIDED), {"whole_wait_yaku": ()}),
    "whole_wait_yaku": Probe(_counts(TWO_SIDED), {"ron_on_whole_wait": False}, values=((), ("iipeikou",))),
    # yaku
    **{name: Probe(_yaku(name)) for name in yaku_names("yaku", "yakuman")},
    "sanshoku_doujun": Probe(_yaku("sanshoku_doujun"), {"chii": True}),
    **{name: Probe(_yaku(name), along=_by_wait(by)) for by, name in BY_WAIT.items()},
    **{name: Probe(_yaku(base), {base: (1, 0)}, values=((2, 0),)) for name, base in BY_WAIT.items()},
    "renhou": Probe(_counts(*(row[1] for row in rows_of(yaku_rows.RENHOU)))),
    "paarenchan": Probe(_ninth_deal),
    # wins and payments
    "multiple_ron": Probe(_problems("2r3 340+1 340"), {"triple_ron_aborts": False}),
    "triple_ron_aborts": Probe(_problems("1r4 340+2 340+3 340"), {"multiple_ron": "all"}),
    "honba_ron": Probe(_hands("1r2 340", honba=2)),
    "honba_tsumo": Probe(_hands("1t 340", honba=2)),
    "multiple_ron_honba": Probe(_hands(*TWO_RON, honba=2), ALL_WIN),
    "multiple_ron_deposits": Probe(_hands(*TWO_RON, sticks=1), ALL_WIN),
    "north_share": Probe(_hands("1t 340", "2t 340")),
    "pao": Probe(
        _liable("123p99s 555z> 666z> 777z<", "99s 111z> 222z> 333z> 444z<", "22z 3333p> 5555p> +4444s> 7777s<"),
        values=(("daisangen",), ("daisangen", "daisuushii"), ("daisangen", "daisuushii", "suukantsu")),
    ),
    "pao_part": Probe(_hands("1t y2p3", "1r2 y2p3"), LIABLE),
    "pao_honba": Probe(_hands("1r2 yp3", honba=2), LIABLE),
    # chips
    "chip_points": Probe(_chips, CHIPS),
    **{name: Probe(_chips, CHIPS) for name in CHIP_RULES},
    # riichi
    "riichi_deposit": Probe(_hands("1r2 340/13")),
    "riichi_short": Probe(_problems("1r2 340/1", scores=500)),
    "deposit_back_on_ron": Probe(lambda rules: may_be_riichi_tile(parse("2r3 340/3"), rules)),
    "riichi_tiles_left": Probe(_fouls),
    "furiten_riichi": Probe(_fouls),
    "leftover_deposits": Probe(_finals((FAR, 3))),
    # draws
    "noten_pool": Probe(_hands("d1")),
    "abortive_draws": Probe(_problems("ak", "aq"), values=((), ("kyuushu_kyuuhai",))),
    "nagashi": Probe(lambda rules: (_hands("n2 d1")(rules), _problems("n2 d1")(rules))),
    "nagashi_closed": Probe(_problems("n2 d1"), {"nagashi": "draw"}),
    "several_nagashi": Probe(_hands("n12 d3"), {"nagashi": "draw"}),
    # places
    "floating_uma": Probe(
        _at_the_line,
        {"float_at_return": False},
        values=(FLOATS, ((2000, -1000, -1000), (1000, 1000, -2000)), ()),
    ),
    "float_at_return": Probe(_at_the_line, {"floating_uma": FLOATS}),
    "uma": Probe(_finals((FAR, 0)), FIXED_UMA, values=((1000, 0, -1000), (1000, 0, 0, -1000))),
    "bust_prize": Probe(_finals(((130, -10, -10, 10), 0)), {"bust": True}),
    "oka": Probe(
        lambda rules: uma_of(range(1, rules.players + 1), rules),
        along=lambda rules, oka: {"return_points": rules.start_points + oka // rules.players},
        values=(12_000,),
    ),
    "ties": Probe(_finals((EVEN, 0))),
    "equal_totals": Probe(_standings, values=((), ("first_places",))),
    # penalties and time
    "chombo_points": Probe(_fouls),
    "chombo_after_signal": Probe(_clock, {**TIMED, "extra_hands": 1}),
    "chombo_pays": Probe(_hands("c2")),
    "late_points": Probe(_late, {"late_minutes": 10}),
    "late_minutes": Probe(_late, {"late_points": 1000}),
    "substitute": Probe(_replaced),
    "replaced_points": Probe(lambda rules: (_replaced(rules), _fouls(rules))),
    "minutes": Probe(_clock),
    "extra_hands": Probe(_clock, TIMED),
    "next_hand_begins": Probe(_clock, TIMED),
}
