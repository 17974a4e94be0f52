"""The Ruleset: one frozen, typed value in which every rule of an event is stated.

It loads books, freezes a rule set to JSON and back, and names the differences of two.
It never holds a number of its own: numbers stand in `rules/books/*.toml`, each with its clause.
"""

import dataclasses
import functools
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

BOOKS = Path(__file__).parent / "books"
MOST_SHOWN = 80


AbortiveDraw = Literal["kyuushu_kyuuhai", "suufon_renda", "suucha_riichi", "suukaikan", "sanchahou"]
LiableYakuman = Literal["daisangen", "daisuushii", "suukantsu"]
RedFive = Literal["5m", "5p", "5s"]


class RulesetError(ValueError):
    """A rule set that cannot be used; the text names the file (or source), the key and what is wrong."""


def _field(section: str, says: str) -> Any:
    """Declare a field with the section of the book it stands in and what it says, in words."""
    return field(metadata={"section": section, "says": says})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """All that a table, a game and an event need to know of their rules. Points are whole numbers."""

    key: str
    title: str

    # the frame of a game
    players: int = _field("game", "players at a table")
    start_points: int = _field("game", "points each player starts with")
    return_points: int = _field("game", "points that are subtracted from the final score")
    rounds: int = _field("game", "winds that are played, East first")
    dealer_on_draw: Literal["tenpai", "tenpai_or_nobody", "always"] = _field(
        "game", "when the dealer stays on an exhaustive draw"
    )
    dealer_on_draw_later: Literal["tenpai", "tenpai_or_nobody", "always"] = _field(
        "game", "when the dealer stays on an exhaustive draw, from the South round on"
    )
    dealer_on_multiple_ron: Literal["among", "first"] = _field(
        "game", "the dealer stays if he is among several winners, or only as the first of them"
    )
    extra_rounds: int = _field("game", "winds that may be played on while nobody reaches the target")
    target_points: int = _field("game", "points somebody must reach for the game to end after the last wind; 0: none")
    bust: bool = _field("game", "a game ends when somebody falls below zero")
    agari_yame: bool = _field("game", "the game ends when the last dealer, alone in first place, would repeat")

    # tiles
    red_fives: tuple[RedFive, ...] = _field("tiles", "red fives in the set, one tile each")
    kita: bool = _field("tiles", "Norths are set aside as dora")
    kita_furiten: bool = _field("tiles", "an own kita counts as a discard for furiten")
    kita_ends_first_turn: bool = _field("tiles", "a kita ends ippatsu, double riichi and wins in the first turn")
    kita_turns_dora: bool = _field("tiles", "a kita turns a new indicator")
    north_value: Literal["wind", "guest"] = _field("tiles", "Norths kept in a hand: a seat's wind, or nobody's")
    chii: bool = _field("tiles", "sequences may be called")
    kan_dora: Literal["at_once", "open_after_discard"] = _field("tiles", "when a quad's new indicator is turned")
    swap_calling: bool = _field("tiles", "after a call a tile of the same value may be discarded")
    kokushi_robs_ankan: bool = _field("tiles", "thirteen orphans may rob a closed quad")

    # the value of a hand
    kiriage_mangan: bool = _field("value", "4 han 30 fu and 3 han 60 fu count as mangan")
    limits: tuple[tuple[int, int], ...] = _field("value", "base value by han, from mangan on")
    yakuman_base: int = _field("value", "base value of a yakuman")
    yakuman_add_up: bool = _field("value", "several yakuman in one hand add up")
    double_wind_pair_fu: int = _field("value", "fu of a pair that is seat and round wind at once")
    pinfu_tsumo: bool = _field("value", "pinfu counts on a tsumo as well, with 20 fu in all")
    two_han_from_honba: int = _field("value", "from so many counters a hand needs two han of yaku; 0: never")

    # yaku, in han, and yakuman, in number
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
    seat_wind: tuple[int, int] = _field("yaku", "a triplet of the own wind")
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
    sankantsu: tuple[int, int] = _field("yaku", "three quads")
    shousangen: tuple[int, int] = _field("yaku", "two dragon triplets and a dragon pair")
    honroutou: tuple[int, int] = _field("yaku", "terminals and honours alone")
    sanrenkou: tuple[int, int] = _field("yaku", "three triplets in a row in one suit")
    honitsu: tuple[int, int] = _field("yaku", "one suit and honours")
    junchan: tuple[int, int] = _field("yaku", "a terminal in each group and the pair")
    ryanpeikou: tuple[int, int] = _field("yaku", "twice two equal sequences")
    chinitsu: tuple[int, int] = _field("yaku", "one suit alone")
    renhou: Literal["none", "mangan", "yakuman"] = _field("yaku", "a ron before the own first draw, no call before it")

    kokushi_musou: tuple[int, int] = _field("yakuman", "each terminal and honour, and one of them twice")
    chuuren_poutou: tuple[int, int] = _field("yakuman", "1112345678999 of one suit, and one tile more")
    tenhou: tuple[int, int] = _field("yakuman", "the dealer's win with the first fourteen tiles")
    chiihou: tuple[int, int] = _field("yakuman", "another player's win on the first draw")
    suuankou: tuple[int, int] = _field("yakuman", "four concealed triplets")
    suukantsu: tuple[int, int] = _field("yakuman", "four quads")
    ryuuiisou: tuple[int, int] = _field("yakuman", "green tiles alone")
    chinroutou: tuple[int, int] = _field("yakuman", "terminals alone")
    tsuuiisou: tuple[int, int] = _field("yakuman", "honours alone")
    daisangen: tuple[int, int] = _field("yakuman", "a triplet of each dragon")
    shousuushii: tuple[int, int] = _field("yakuman", "three triplets of winds and a pair of the fourth")
    daisuushii: tuple[int, int] = _field("yakuman", "a triplet of each wind")
    daisharin: tuple[int, int] = _field("yakuman", "22334455667788 of circles")
    paarenchan: tuple[int, int] = _field("yakuman", "the dealer's win in the ninth deal in a row")

    # winning and paying
    multiple_ron: Literal["all", "head_bump"] = _field("win", "who wins when several call ron")
    triple_ron_aborts: bool = _field("win", "three ron on one discard are an abortive draw")
    honba_ron: int = _field("win", "points a counter adds to a ron, paid by the discarder")
    honba_tsumo: int = _field("win", "points a counter adds to a tsumo, from each payer")
    multiple_ron_honba: Literal["each", "first"] = _field("win", "who gets the counters of a multiple ron")
    multiple_ron_deposits: Literal["first", "own_back", "after_dealer"] = _field(
        "win", "who gets the deposits of a multiple ron"
    )
    north_share: Literal["not_missing", "lost", "halved"] = _field("win", "on a tsumo, the share of a missing North")
    pao: tuple[LiableYakuman, ...] = _field("win", "yakuman for which a player can be liable")
    pao_part: Literal["whole_hand", "liable_part"] = _field("win", "what of a hand with several yakuman the liable pay")
    pao_honba: Literal["discarder", "liable"] = _field(
        "win", "who pays the counters of a ron that a liable player shares"
    )

    # riichi
    riichi_deposit: int = _field("riichi", "points a riichi puts on the table")
    riichi_short: Literal["allowed", "warning", "error"] = _field("riichi", "riichi with fewer points than the deposit")
    riichi_tiles_left: int = _field("riichi", "tiles that must be left in the wall for a riichi")
    furiten_riichi: bool = _field("riichi", "riichi may be declared while furiten")
    leftover_deposits: Literal["first", "lost"] = _field("riichi", "who gets the deposits left at the end of the game")

    # draws
    noten_pool: int = _field("draw", "points that noten players pay to tenpai players, in all")
    abortive_draws: tuple[AbortiveDraw, ...] = _field("draw", "abortive draws that are played")
    nagashi: Literal["none", "tsumo", "draw"] = _field("draw", "what a nagashi mangan counts as")
    nagashi_closed: bool = _field("draw", "a nagashi mangan needs a closed hand")
    several_nagashi: Literal["each", "first"] = _field(
        "draw", "several nagashi mangan at once: each is paid, or the first in turn from the dealer"
    )

    # places
    uma: tuple[int, ...] = _field("placement", "uma by place, in points")
    oka: int = _field("placement", "points that the first place gets beside the uma")
    ties: Literal["share", "seat_order"] = _field("placement", "what tied players do with their places and uma")
    equal_totals: tuple[Literal["first_places", "best_result"], ...] = _field(
        "placement", "what parts equal totals where a prize must be decided, in this order"
    )

    # penalties and time
    chombo_points: int = _field("penalty", "points a chombo takes from the tournament total, after uma")
    chombo_after_signal: Literal["counts", "redeal"] = _field("penalty", "a chombo after the time signal")
    late_points: int = _field("penalty", "points for each begun minute of lateness, after uma")
    late_minutes: int = _field("penalty", "minutes of lateness after which the player is replaced")
    substitute: Literal["ema", "wrc"] = _field(
        "penalty", "how a game with a substitute is scored: the others' uma by EMA, or the seat unranked by WRC"
    )
    replaced_points: int = _field("penalty", "points a replaced player loses for the session, in all")
    minutes: int = _field("time", "minutes from the start to the signal; 0: no limit")
    extra_hands: int = _field("time", "hands that are played after the one in play at the signal")
    next_hand_begins: Literal["call", "deal"] = _field(
        "time", "the next hand begins when a win is called or the last discard passes, or with the next deal"
    )

    def __hash__(self) -> int:
        """Hash by a few fields: rule sets are keys of many caches, and all fields would cost more than what is kept."""
        return hash((self.key, self.start_points, self.limits, self.uma, self.red_fives))

    def as_json(self) -> dict[str, Any]:
        """Freeze to plain JSON values, every field stated, tuples as lists."""
        return {f.name: _plain(getattr(self, f.name)) for f in dataclasses.fields(self)}


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a value comes from: a clause of a book, or our own reading with its reason."""

    text: str
    ours: bool


@dataclass(frozen=True, slots=True)
class Book:
    """A rule set together with the clause of each value, and the texts it rests on."""

    ruleset: Ruleset
    source: str
    citations: Mapping[str, Citation]


@dataclass(frozen=True, slots=True)
class Difference:
    """A field on which two rule sets disagree."""

    field: str
    here: Any
    there: Any


def rule_fields() -> Iterator["dataclasses.Field[Any]"]:
    """Yield the fields that state a rule, in the order in which a person reads them.

    >>> [f.name for f in rule_fields()][:2]
    ['players', 'start_points']
    """
    return (f for f in dataclasses.fields(Ruleset) if f.metadata)


@functools.cache
def yaku_names(*sections: Literal["yaku", "yakuman"]) -> tuple[str, ...]:
    """Name the fields that are yaku, in reading order.

    >>> yaku_names("yakuman")[:2]
    ('kokushi_musou', 'chuuren_poutou')
    """
    return tuple(f.name for f in rule_fields() if f.metadata["section"] in sections)


def book_keys() -> list[str]:
    """List the keys of all books.

    >>> 'ema-2025' in book_keys()
    True
    """
    return sorted(path.stem for path in BOOKS.glob("*.toml"))


def load_book(key: str) -> Book:
    """Load the book of that key from `rules/books`.

    Raises RulesetError when there is no such book, or when its file does not state every field rightly.
    """
    if key not in book_keys():
        raise RulesetError(f"there is no rule set '{key}'; there are: {', '.join(book_keys())}")
    return _cached_book(key)


def load(key: str) -> Ruleset:
    """Load the rule set of that key; see load_book.

    >>> load('ema-2025').start_points
    30000
    """
    return load_book(key).ruleset


@functools.cache
def _cached_book(key: str) -> Book:
    return read_book(BOOKS / f"{key}.toml")


def read_book(path: Path) -> Book:
    """Read one book file.

    Raises RulesetError that names file and key for what is unknown, missing or of a wrong type.
    """
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, a number of thousands of digits, too deep
        raise RulesetError(f"{path.name}: not readable as TOML: {error}") from error
    head = {name: _head_text(data, name, path.name) for name in ("title", "source")}
    values: dict[str, Any] = {}
    citations: dict[str, Citation] = {}
    for name, section, cell in _cells(data, path.name):
        _check_place(name, section, path.name)
        values[name], citations[name] = _read_cell(name, cell, path.name)
    ruleset = from_json({"key": path.stem, "title": head["title"], **values}, source=path.name)
    return Book(ruleset, head["source"], types.MappingProxyType(citations))


def from_json(values: object, *, source: str = "rule set") -> Ruleset:
    """Make a rule set of plain JSON values, every field stated.

    Raises RulesetError that names `source` and the key for what is unknown, missing, ill-typed or out of range.
    """
    from rules.consistency import contradictions  # it needs the Ruleset above

    hints = _field_types()
    if not isinstance(values, Mapping):
        raise RulesetError(f"{source}: must be an object with a key for each field, not {_shown(values)}")
    for name in values:
        if name not in hints:
            raise RulesetError(f"{source}: unknown key {_shown(name)}")
    for name in hints:
        if name not in values:
            raise RulesetError(f"{source}: key '{name}' is missing")
    made = Ruleset(**{name: _typed(values[name], hint, name, source) for name, hint in hints.items()})
    for name, wrong in contradictions(made):
        raise RulesetError(f"{source}: key '{name}': {wrong}")
    return made


@functools.cache
def _field_types() -> dict[str, Any]:
    return typing.get_type_hints(Ruleset)


def diff(here: Ruleset, there: Ruleset) -> list[Difference]:
    """List the fields on which two rule sets disagree, in reading order; key and title do not count.

    >>> [d.field for d in diff(load('ema-2025'), load('ema-2025'))]
    []
    """
    pairs = ((f.name, getattr(here, f.name), getattr(there, f.name)) for f in rule_fields())
    return [Difference(name, _plain(a), _plain(b)) for name, a, b in pairs if a != b]


def _head_text(data: Mapping[str, Any], name: str, source: str) -> str:
    if not isinstance(data.get(name), str):
        raise RulesetError(f"{source}: key '{name}' is missing or not a text")
    return str(data[name])


def _cells(data: Mapping[str, Any], source: str) -> Iterator[tuple[str, str, Any]]:
    for section, cells in data.items():
        if section in ("title", "source"):
            continue
        if not isinstance(cells, dict):
            raise RulesetError(f"{source}: unknown key '{section}'")
        for name, cell in cells.items():
            yield name, section, cell


def _check_place(name: str, section: str, source: str) -> None:
    places = {f.name: f.metadata["section"] for f in rule_fields()}
    if name not in places:
        raise RulesetError(f"{source}: unknown key '{section}.{name}'")
    if places[name] != section:
        raise RulesetError(f"{source}: key '{section}.{name}' belongs to section '{places[name]}'")


def _read_cell(name: str, cell: Any, source: str) -> tuple[Any, Citation]:
    """Read `{ is = VALUE, clause = "…" }` or `{ is = VALUE, ours = "why" }`."""
    kinds = {"clause", "ours"} & set(cell) if isinstance(cell, dict) else set()
    if not isinstance(cell, dict) or "is" not in cell or len(kinds) != 1 or set(cell) - {"is"} - kinds:
        raise RulesetError(f"{source}: key '{name}' must be written {{ is = …, clause = … }} or {{ is = …, ours = … }}")
    kind = kinds.pop()
    if not isinstance(cell[kind], str) or not cell[kind].strip():
        raise RulesetError(f"{source}: key '{name}' does not say where its value comes from")
    return cell["is"], Citation(cell[kind], ours=kind == "ours")


def _typed(value: Any, hint: Any, name: str, source: str) -> Any:
    """Return the value as the hint wants it, lists as tuples; raise RulesetError when it is of another type."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        if value in args and isinstance(value, str):
            return value
        raise RulesetError(f"{source}: key '{name}' must be one of {', '.join(args)}, not {_shown(value)}")
    if origin is tuple:
        if not isinstance(value, list | tuple) or (args[-1] is not Ellipsis and len(value) != len(args)):
            length = "" if args[-1] is Ellipsis else f" of {len(args)}"
            raise RulesetError(f"{source}: key '{name}' must be a list{length}, not {_shown(value)}")
        inner = [args[0]] * len(value) if args[-1] is Ellipsis else list(args)
        return tuple(_typed(item, kind, name, source) for item, kind in zip(value, inner, strict=True))
    if type(value) is not hint:
        raise RulesetError(f"{source}: key '{name}' must be of type {hint.__name__}, not {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    """Return the value as a message shows it: a stranger's file may hold a very long one."""
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
