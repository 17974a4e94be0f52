"""The Ruleset: a frozen dataclass with one field per rule, and the difference of two rule sets.

Holds no values: these are in `rules/books/*.toml`, each with its clause, and `rules.books` loads them.
"""

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

AbortiveDraw = Literal["kyuushu_kyuuhai", "suufon_renda", "suucha_riichi", "suukaikan", "sanchahou"]
LiableYakuman = Literal["daisangen", "daisuushii", "suukantsu", "rinshan"]
RedFive = Literal["5m", "5p", "5s"]
WholeWaitYaku = Literal["iipeikou", "ittsu", "chanta"]


MAX_FAULTS = 50  # that a text lists


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a rule set: what is wrong, in which field ("" for none), on which line of its file (0 for none)."""

    says: str
    field: str = ""
    line: int = 0


class RulesetError(ValueError):
    """An unusable rule set; the text names the file (or source), the key and the first fault.

    `faults` are the first MAX_FAULTS, `more` counts the others.
    """

    def __init__(self, text: str, faults: Iterable[Fault] = ()) -> None:
        super().__init__(text)
        found = tuple(faults) or (Fault(text),)
        self.faults, self.more = found[:MAX_FAULTS], max(0, len(found) - MAX_FAULTS)


def _field(section: str, says: str, *, before: Callable[[Mapping[str, Any]], Any] | None = None) -> Any:
    """Declare a field with its section in a book file and its meaning in words.

    `before`: what was played before the field existed, from the other values; only a rule set frozen then lacks it.
    """
    return field(metadata={"section": section, "says": says, "before": before})


def _as(name: str) -> Callable[[Mapping[str, Any]], Any]:
    """Return what reads the value of another field, None if that is not stated either."""
    return lambda values: values.get(name)


@dataclass(frozen=True, kw_only=True)  # without slots, with which Python pickles a field at a time
class Ruleset:
    """The rules of a table, a game and an event. Points are whole numbers; yaku are (closed, open) han."""

    key: str
    title: str

    # game
    players: int = _field("game", "players at a table")
    start_points: int = _field("game", "points each player starts with")
    return_points: int = _field("game", "points that are subtracted from the final score")
    rounds: int = _field("game", "winds that are played, East first")
    dealer_on_draw: Literal["tenpai", "tenpai_or_nobody", "always", "never"] = _field(
        "game", "when the dealer stays on an exhaustive draw"
    )
    dealer_on_draw_later: Literal["tenpai", "tenpai_or_nobody", "always", "never"] = _field(
        "game", "when the dealer stays on an exhaustive draw, from the South round on"
    )
    dealer_on_multiple_ron: Literal["among", "first"] = _field(
        "game", "the dealer stays if he is among several winners, or only as the first of them"
    )
    extra_rounds: int = _field("game", "winds that may be played on while nobody reaches the target")
    target_points: int = _field("game", "points somebody must reach for the game to end after the last wind; 0: none")
    repeat_before_target: bool = _field(
        "game",
        "in the further winds, a dealer who repeats plays on though the target is reached",
        before=lambda _: False,
    )
    bust: bool = _field("game", "a game ends when somebody falls below zero")
    bust_at_zero: bool = _field("game", "a game ends at exactly zero points, too", before=lambda _: False)
    agari_yame: bool = _field("game", "the game ends when the last dealer wins and is alone in first place")
    tenpai_yame: bool = _field(
        "game",
        "the game ends when the last dealer stays on a draw and is alone in first place",
        before=_as("agari_yame"),
    )
    yame_choice: bool = _field(
        "game", "in these two cases the last dealer chooses whether the game ends", before=lambda _: False
    )

    # tiles
    red_fives: tuple[RedFive, ...] = _field("tiles", "red fives in the set")
    kita: bool = _field("tiles", "Norths are set aside as dora")
    kita_furiten: bool = _field("tiles", "the player's own kita counts as a discard for furiten")
    kita_ends_first_turn: bool = _field("tiles", "a kita ends ippatsu, double riichi and wins in the first turn")
    kita_turns_dora: bool = _field("tiles", "a kita turns a new indicator")
    north_value: Literal["wind", "guest", "everybody"] = _field(
        "tiles", "Norths kept in a hand: a seat's wind, no player's wind, or every player's wind"
    )
    chii: bool = _field("tiles", "sequences may be called")
    kan_dora: Literal["at_once", "open_after_discard", "none"] = _field("tiles", "when a kan's new indicator is turned")
    ura_dora: bool = _field("tiles", "a winner with riichi counts the dora under the indicator", before=lambda _: True)
    kan_ura: bool = _field(
        "tiles", "a winner with riichi counts the dora under the indicators of kan, too", before=lambda _: True
    )
    swap_calling: bool = _field("tiles", "after a call a tile of the same value may be discarded")
    kokushi_robs_ankan: bool = _field("tiles", "thirteen orphans may rob a closed kan")

    # value of a hand
    kiriage_mangan: bool = _field("value", "4 han 30 fu and 3 han 60 fu count as mangan")
    limits: tuple[tuple[int, int], ...] = _field("value", "base value by han, from mangan on")
    yakuman_base: int = _field("value", "base value of a yakuman")
    yakuman_add_up: bool = _field("value", "several yakuman in one hand add up")
    ryuuiisou_hatsu: bool = _field("value", "ryuuiisou needs a green dragon in the hand", before=lambda _: False)
    double_wind_pair_fu: int = _field("value", "fu of a pair that is seat and round wind at once")
    pinfu_tsumo: bool = _field("value", "pinfu counts on a tsumo as well, 20 fu in total")
    two_han_from_honba: int = _field("value", "from so many honba a hand needs two han of yaku; 0: never")
    two_han_whole_wait: bool = _field(
        "value",
        "where two han are needed, each tile of the wait must give them, except on the tsumo of a closed hand",
        before=lambda _: False,
    )
    ron_on_whole_wait: bool = _field("value", "a ron needs a yaku with each tile of the wait", before=lambda _: False)
    whole_wait_yaku: tuple[WholeWaitYaku, ...] = _field(
        "value", "yaku that count on a ron only if each tile of the wait gives them", before=lambda _: ()
    )

    # yaku in han, yakuman as a multiple
    riichi: tuple[int, int] = _field("yaku", "declared with a closed hand that waits")
    double_riichi: tuple[int, int] = _field("yaku", "riichi on the first discard, no call before it")
    ippatsu: tuple[int, int] = _field("yaku", "a win within a turn of riichi, no call between")
    menzen_tsumo: tuple[int, int] = _field("yaku", "a closed hand won by tsumo")
    pinfu: tuple[int, int] = _field("yaku", "sequences, a pair without value, an open-ended wait")
    iipeikou: tuple[int, int] = _field("yaku", "two equal sequences")
    tanyao: tuple[int, int] = _field("yaku", "no terminal and no honour")
    haku: tuple[int, int] = _field("yaku", "a triplet of white dragons")
    hatsu: tuple[int, int] = _field("yaku", "a triplet of green dragons")
    chun: tuple[int, int] = _field("yaku", "a triplet of red dragons")
    seat_wind: tuple[int, int] = _field("yaku", "a triplet of the seat wind")
    round_wind: tuple[int, int] = _field("yaku", "a triplet of the round's wind")
    rinshan: tuple[int, int] = _field("yaku", "a win on a replacement tile")
    chankan: tuple[int, int] = _field("yaku", "a win on a tile that another adds to a triplet")
    haitei: tuple[int, int] = _field("yaku", "a win on the last tile of the wall")
    houtei: tuple[int, int] = _field("yaku", "a win on the last discard")
    chiitoitsu: tuple[int, int] = _field("yaku", "seven different pairs")
    sanshoku_doujun: tuple[int, int] = _field("yaku", "the same sequence in three suits")
    sanshoku_doukou: tuple[int, int] = _field("yaku", "the same triplet in three suits")
    ittsu: tuple[int, int] = _field("yaku", "123, 456 and 789 of one suit")
    chanta: tuple[int, int] = _field("yaku", "a terminal or an honour in each group and the pair")
    toitoi: tuple[int, int] = _field("yaku", "four triplets")
    sanankou: tuple[int, int] = _field("yaku", "three concealed triplets")
    sankantsu: tuple[int, int] = _field("yaku", "three kan in one hand")
    shousangen: tuple[int, int] = _field("yaku", "two dragon triplets and a dragon pair")
    honroutou: tuple[int, int] = _field("yaku", "only terminals and honours")
    sanrenkou: tuple[int, int] = _field("yaku", "three triplets in a row in one suit")
    honitsu: tuple[int, int] = _field("yaku", "one suit and honours")
    junchan: tuple[int, int] = _field("yaku", "a terminal in each group and the pair")
    ryanpeikou: tuple[int, int] = _field("yaku", "twice two equal sequences")
    chinitsu: tuple[int, int] = _field("yaku", "one suit only")
    renhou: Literal["none", "mangan", "yakuman"] = _field(
        "yaku", "a ron before the winner's first draw, no call before it"
    )

    kokushi_musou: tuple[int, int] = _field("yakuman", "each terminal and honour, and one of them twice")
    kokushi_juusanmen: tuple[int, int] = _field(
        "yakuman", "thirteen orphans with a wait on all thirteen", before=_as("kokushi_musou")
    )
    chuuren_poutou: tuple[int, int] = _field("yakuman", "1112345678999 of one suit, and one tile more")
    junsei_chuuren: tuple[int, int] = _field(
        "yakuman", "nine gates with a wait on all nine", before=_as("chuuren_poutou")
    )
    tenhou: tuple[int, int] = _field("yakuman", "the dealer's win with the first fourteen tiles")
    chiihou: tuple[int, int] = _field("yakuman", "another player's win on the first draw")
    suuankou: tuple[int, int] = _field("yakuman", "four concealed triplets")
    suuankou_tanki: tuple[int, int] = _field(
        "yakuman", "four concealed triplets, won on the pair", before=_as("suuankou")
    )
    suukantsu: tuple[int, int] = _field("yakuman", "four kan in one hand")
    ryuuiisou: tuple[int, int] = _field("yakuman", "only green tiles")
    chinroutou: tuple[int, int] = _field("yakuman", "only terminals")
    tsuuiisou: tuple[int, int] = _field("yakuman", "only honours")
    daisangen: tuple[int, int] = _field("yakuman", "a triplet of each dragon")
    shousuushii: tuple[int, int] = _field("yakuman", "three triplets of winds and a pair of the fourth")
    daisuushii: tuple[int, int] = _field("yakuman", "a triplet of each wind")
    daisharin: tuple[int, int] = _field("yakuman", "22334455667788 of one suit")
    paarenchan: tuple[int, int] = _field("yakuman", "the dealer's win in the ninth deal in a row")

    # wins and payments
    multiple_ron: Literal["all", "head_bump"] = _field("win", "who wins when several call ron")
    triple_ron_aborts: bool = _field("win", "three ron on one discard are an abortive draw")
    honba_ron: int = _field("win", "points a honba adds to a ron, paid by the discarder")
    honba_tsumo: int = _field("win", "points a honba adds to a tsumo, from each payer")
    multiple_ron_honba: Literal["each", "first"] = _field("win", "who gets the honba of a multiple ron")
    multiple_ron_deposits: Literal["first", "own_back", "after_dealer"] = _field(
        "win", "who gets the riichi sticks of a multiple ron"
    )
    north_share: Literal["not_missing", "lost", "halved", "even"] = _field(
        "win", "on a tsumo, the share of a missing North"
    )
    pao: tuple[LiableYakuman, ...] = _field("win", "hands for which a player can be liable")
    pao_part: Literal["whole_hand", "liable_part"] = _field("win", "what of a hand with several yakuman the liable pay")
    pao_honba: Literal["discarder", "liable"] = _field("win", "who pays the honba of a ron that a liable player shares")

    # riichi
    riichi_deposit: int = _field("riichi", "points a riichi puts on the table")
    riichi_short: Literal["allowed", "warning", "error"] = _field(
        "riichi", "riichi with fewer points than the riichi stick"
    )
    riichi_tiles_left: int = _field("riichi", "tiles that must be left in the wall for a riichi")
    deposit_back_on_ron: bool = _field(
        "riichi", "a riichi stick goes back if the riichi tile is won on", before=lambda _: True
    )
    furiten_riichi: bool = _field("riichi", "riichi may be declared while furiten")
    leftover_deposits: Literal["first", "lost"] = _field("riichi", "who gets the sticks left at the end of the game")

    # draws
    noten_pool: int = _field("draw", "total points that noten players pay to tenpai players")
    abortive_draws: tuple[AbortiveDraw, ...] = _field("draw", "abortive draws that are played")
    nagashi: Literal["none", "tsumo", "draw"] = _field("draw", "what a nagashi mangan counts as")
    nagashi_closed: bool = _field("draw", "a nagashi mangan needs a closed hand")
    several_nagashi: Literal["each", "first"] = _field(
        "draw", "several nagashi mangan at once: each is paid, or the first in turn from the dealer"
    )

    # chips
    chip_points: int = _field("chips", "points of a chip in the result; 0: no chips are played", before=lambda _: 0)
    chip_ippatsu: int = _field("chips", "chips for ippatsu, from each payer", before=lambda _: 0)
    chip_ura: int = _field("chips", "chips for each dora under an indicator, from each payer", before=lambda _: 0)
    chip_red: int = _field("chips", "chips for each red five, from each payer", before=lambda _: 0)
    chip_yakuman_ron: int = _field("chips", "chips for a yakuman by ron, from the discarder", before=lambda _: 0)
    chip_yakuman_tsumo: int = _field("chips", "chips for a yakuman by tsumo, from each payer", before=lambda _: 0)

    # places
    uma: tuple[int, ...] = _field("placement", "uma by place, in points")
    floating_uma: tuple[tuple[int, ...], ...] = _field(
        "placement", "uma by place when one, two… players end above the return points", before=lambda _: ()
    )
    float_at_return: bool = _field(
        "placement", "exactly the return points count as above for the uma", before=lambda _: False
    )
    bust_prize: int = _field(
        "placement",
        "points of the result that a player who falls below zero pays to the one who gained by that hand",
        before=lambda _: 0,
    )
    oka: int = _field("placement", "points that the first place gets besides the uma")
    ties: Literal["share", "seat_order"] = _field("placement", "what tied players do with their places and uma")
    equal_totals: tuple[Literal["first_places", "best_result"], ...] = _field(
        "placement", "what parts equal totals where a prize must be decided, in this order"
    )

    # penalties and time
    chombo_points: int = _field("penalty", "points a chombo takes from the tournament total, after uma")
    chombo_pays: Literal["nothing", "mangan"] = _field(
        "penalty", "what a chombo pays the others at the table", before=lambda _: "nothing"
    )
    chombo_after_signal: Literal["counts", "redeal"] = _field("penalty", "a chombo after the time signal")
    late_points: int = _field("penalty", "points for each begun minute of lateness, after uma")
    late_minutes: int = _field("penalty", "minutes of lateness after which the player is replaced")
    substitute: Literal["ema", "wrc"] = _field(
        "penalty", "how a game with a substitute is scored: the others' uma by EMA, or the seat unranked by WRC"
    )
    replaced_points: int = _field("penalty", "total points a replaced player loses for the session")
    minutes: int = _field("time", "minutes from the start to the signal; 0: no limit")
    extra_hands: int = _field("time", "hands that are played after the one in play at the signal")
    next_hand_begins: Literal["call", "deal"] = _field(
        "time", "the next hand begins when a win is called or the last discard passes, or with the next deal"
    )

    def __hash__(self) -> int:
        """Hash a few fields only: rule sets are keys of many caches, and hashing all fields costs more than a hit."""
        return hash((self.key, self.start_points, self.uma, self.red_fives))

    def as_json(self) -> dict[str, Any]:
        """Return every field as plain JSON values, tuples as lists."""
        return {f.name: _plain(getattr(self, f.name)) for f in dataclasses.fields(self)}


class RulesBySize(dict[int, Ruleset]):
    """Rules by the number of players at a table, the event's own first; those stand for any other number, too."""

    def __missing__(self, seats: int) -> Ruleset:
        """Return the first rules."""
        return next(iter(self.values()))


@dataclass(frozen=True, slots=True)
class Difference:
    """A field in which two rule sets differ."""

    field: str
    here: Any
    there: Any


def rule_fields() -> Iterator["dataclasses.Field[Any]"]:
    """Yield the fields that state a rule (all but key and title), in reading order.

    >>> [f.name for f in rule_fields()][:2]
    ['players', 'start_points']
    """
    return (f for f in dataclasses.fields(Ruleset) if f.metadata)


@functools.cache
def yaku_names(*sections: Literal["yaku", "yakuman"]) -> tuple[str, ...]:
    """Return the names of the yaku fields in these sections, in reading order.

    >>> yaku_names("yakuman")[:2]
    ('kokushi_musou', 'kokushi_juusanmen')
    """
    return tuple(f.name for f in rule_fields() if f.metadata["section"] in sections)


def diff(here: Ruleset, there: Ruleset) -> list[Difference]:
    """List the rules in which two rule sets differ, in reading order.

    >>> from rules.books import load
    >>> [d.field for d in diff(load('ema-2025'), load('ema-2025'))]
    []
    """
    pairs = ((f.name, getattr(here, f.name), getattr(there, f.name)) for f in rule_fields())
    return [Difference(name, _plain(a), _plain(b)) for name, a, b in pairs if a != b]


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
