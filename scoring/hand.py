"""A winning hand: tiles, melds, winds and conditions; JSON both ways, and whether such a hand is possible.

`count` says whether it wins and what it is worth.
"""

import functools
import operator
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast

from rules.ruleset import Ruleset
from scoring.exclusions import YAKU_NOT_IN_RULES, excluded, refused_with_reason
from scoring.problems import InvalidInput, Problem, ProblemType, printable_excerpt
from scoring.readings import Memo
from scoring.strict_json import Reader, Shape
from scoring.tiles import (
    EAST,
    HONOURS,
    KAN,
    KINDS,
    NORTH,
    OPEN,
    SEQUENCE,
    TEXTS,
    TRIPLET,
    Tile,
    count_of,
    pack,
    parse_tiles,
    write_tile,
    write_tiles,
)

HAND_ONE_WINNING_TILE = ProblemType("hand.one_winning_tile", "A hand is won with one tile, not {tiles}.")
HAND_RIICHI_TOO_MANY = ProblemType(
    "hand.riichi_too_many", "Riichi is 0, 1, or 2 for a double riichi, not {given}.", ("most",)
)
HAND_KITA_TOO_MANY = ProblemType("hand.kita_too_many", "{given} kita are not possible: there are {most} Norths.")
HAND_HONBA_TOO_MANY = ProblemType("hand.honba_too_many", "{given} honba are too many: at most {most} are read.")
HAND_NO_WIND = ProblemType("hand.no_wind", "'{given}' is not a wind: write E, S, W or N.", ("key",))
HAND_MELD_KIND = ProblemType("hand.meld_kind", "'{given}' is not a kind of meld; write {known}.")
HAND_MELD_SOURCE = ProblemType("hand.meld_source", "'{given}' is not a side of the table; write {known}.")
HAND_NOT_IN_SET = ProblemType("hand.not_in_set", "The {tile} is not played with under these rules.")
HAND_KITA_NOT_IN_RULES = ProblemType("hand.kita_not_in_rules", "These rules have no kita.")
HAND_FIVE_COPIES = ProblemType(
    "hand.five_copies", "There are {copies} of the {tile} among hand, melds, kita and indicators; the set has four."
)
HAND_TOO_MANY_REDS = ProblemType("hand.too_many_reds", "There are {given} of the {tile}; these rules play with {most}.")
HAND_MELD_SHAPE = ProblemType("hand.meld_shape", "{tiles} is not a {kind}.")
HAND_CHII_NOT_IN_RULES = ProblemType("hand.chii_not_in_rules", "{tiles}: sequences are not called under these rules.")
HAND_CHII_FROM_LEFT = ProblemType("hand.chii_from_left", "{tiles}: a sequence is called from the left only.")
HAND_ANKAN_FROM_NOBODY = ProblemType("hand.ankan_from_nobody", "{tiles}: a closed kan is called from nobody.")
HAND_NOBODY_ACROSS = ProblemType("hand.nobody_across", "{tiles}: with three players nobody sits across.")
HAND_TOO_MANY_MELDS = ProblemType("hand.too_many_melds", "{given} melds are too many: a hand has at most {most}.")
HAND_TILES_MISSING = ProblemType("hand.tiles_missing", "{have} of {want} tiles (a meld counts as three, a kan too).")
HAND_TILES_TOO_MANY = ProblemType(
    "hand.tiles_too_many", "{have} tiles instead of {want} (a meld counts as three, a kan too)."
)
HAND_WIN_NOT_IN_HAND = ProblemType(
    "hand.win_not_in_hand", "The winning tile, {tile}, is not among the concealed tiles."
)
HAND_TOO_MANY_INDICATORS = ProblemType(
    "hand.too_many_indicators", "{given} indicators of {key} are too many: there are at most {most}."
)
HAND_NO_NORTH_SEAT = ProblemType("hand.no_north_seat", "With three players nobody sits North.")
HAND_NO_NORTH_ROUND = ProblemType("hand.no_north_round", "With three players there is no North round.")
HAND_ROUND_NOT_PLAYED = ProblemType(
    "hand.round_not_played", "These rules play no {wind} round: the last wind is {last}."
)
HAND_NOT_TOGETHER = ProblemType("hand.not_together", "{one} and {other} cannot be combined.")
HAND_IPPATSU_WITHOUT_RIICHI = ProblemType("hand.ippatsu_without_riichi", "Ippatsu needs a riichi.")
HAND_URA_WITHOUT_RIICHI = ProblemType("hand.ura_without_riichi", "Ura indicators count only with a riichi.")
HAND_RINSHAN_WITHOUT_QUAD = ProblemType("hand.rinshan_without_quad", "Rinshan needs a kan or a kita.")
HAND_CHANKAN_OF_OWN_TILE = ProblemType(
    "hand.chankan_of_own_tile",
    "Chankan is a win on a tile of somebody else's kan: the {tile} cannot be in the hand as well.",
)

MeldKind = Literal["chi", "pon", "daiminkan", "shouminkan", "ankan"]
MeldSource = Literal["left", "across", "right"]
MELD_SIZES = {"chi": 3, "pon": 3, "daiminkan": 4, "shouminkan": 4, "ankan": 4}
_FORMS = {
    "chi": SEQUENCE + OPEN,
    "pon": TRIPLET + OPEN,
    "daiminkan": KAN + OPEN,
    "shouminkan": KAN + OPEN,
    "ankan": KAN,
}
SOURCES = ("left", "across", "right")
WINDS = "ESWN"
FLAGS = ("ippatsu", "rinshan", "chankan", "haitei", "houtei", "first_turn")
MAX_MELDS = 4
MAX_OF = {"riichi": 2, "kita": 4, "honba": 99}
TOO_MANY = {"riichi": HAND_RIICHI_TOO_MANY, "kita": HAND_KITA_TOO_MANY, "honba": HAND_HONBA_TOO_MANY}
COPIES = 4
KANS = {kind for kind, size in MELD_SIZES.items() if size == COPIES}
MAX_INDICATORS = 5
MAX_MEMOS = 10_000
_ONE_NORTH = pack([Tile(NORTH)])


class Meld(NamedTuple):
    """A called group or an ankan: its tiles in order, and from whom it was called if known."""

    kind: MeldKind
    tiles: tuple[Tile, ...]
    source: MeldSource | None = None

    @property
    def open(self) -> bool:
        """Whether it was called; an ankan was not."""
        return self.kind != "ankan"

    @property
    def kan(self) -> bool:
        """Whether it has four tiles."""
        return self.kind in KANS

    @property
    def group(self) -> int:
        """The number of its group, see scoring.tiles."""
        return _FORMS[self.kind] + self.tiles[0].kind


@dataclass(frozen=True, slots=True, kw_only=True)
class WinningHand:
    """Everything that the value of a hand depends on.

    `tiles` are the concealed tiles with the winning tile. Winds are tile kinds. `dora` and `ura` are indicators.
    `riichi` is 0, 1, or 2 for double riichi.
    """

    tiles: tuple[Tile, ...]
    win: Tile
    tsumo: bool
    melds: tuple[Meld, ...] = ()
    round_wind: int = EAST
    seat_wind: int = EAST
    riichi: int = 0
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    haitei: bool = False
    houtei: bool = False
    first_turn: bool = False
    dora: tuple[Tile, ...] = ()
    ura: tuple[Tile, ...] = ()
    kita: int = 0
    honba: int = 0
    concealed: int = field(init=False, repr=False, compare=False)  # `tiles`, packed
    own: int = field(init=False, repr=False, compare=False)  # `tiles`, melds and kita, packed

    def __post_init__(self) -> None:
        """Pack the tiles once: every reading uses them."""
        concealed = pack(self.tiles)
        called = sum([pack(meld.tiles) for meld in self.melds])
        object.__setattr__(self, "concealed", concealed)
        object.__setattr__(self, "own", concealed + called + self.kita * _ONE_NORTH)

    @property
    def closed(self) -> bool:
        """Whether no meld was called."""
        return not self.melds or all(meld.kind == "ankan" for meld in self.melds)

    @property
    def deals(self) -> bool:
        """Whether the winner is the dealer."""
        return self.seat_wind == EAST

    def own_tiles(self) -> list[Tile]:
        """List the tiles of the hand: concealed tiles, melds and kita."""
        called = [tile for meld in self.melds for tile in meld.tiles] if self.melds else ()
        return [*self.tiles, *called, *[Tile(NORTH)] * self.kita]


def from_json(value: object) -> WinningHand:
    """Return the hand of parsed JSON in the contract's form, `id` allowed. Raises InvalidInput for a wrong form."""
    reader = Reader(value, "hand")
    values = reader.read(_HAND)
    if not reader.problems and len(values["win"]) != 1:
        reader.add(HAND_ONE_WINNING_TILE(tiles=len(values["win"])))
    reader.finish()
    if reader.problems:
        raise InvalidInput(reader.problems)
    values.pop("id", None)
    values["tiles"], values["win"] = tuple(sorted(values["tiles"])), values["win"][0]
    return WinningHand(**values)


def to_json(hand: WinningHand) -> dict[str, Any]:
    """Return the contract's JSON of a hand with every key."""
    return {
        "tiles": write_tiles(hand.tiles),
        "win": write_tiles([hand.win]),
        "tsumo": hand.tsumo,
        "melds": [{"kind": m.kind, "tiles": write_tiles(m.tiles), "from": m.source} for m in hand.melds],
        "round_wind": WINDS[hand.round_wind - EAST],
        "seat_wind": WINDS[hand.seat_wind - EAST],
        "riichi": hand.riichi,
        **{name: getattr(hand, name) for name in FLAGS},
        "dora": write_tiles(hand.dora),
        "ura": write_tiles(hand.ura),
        "kita": hand.kita,
        "honba": hand.honba,
    }


def _read_number(reader: Reader, key: str, value: Any) -> Any:
    if type(value) is int and 0 <= value <= MAX_OF[key]:
        return value
    number = reader.check_count(key, value)
    if number is not None and number > MAX_OF[key]:
        reader.add(TOO_MANY[key](given=number, most=MAX_OF[key]))
    return number


def _read_wind(reader: Reader, key: str, value: Any) -> int | None:
    text = reader.check_text(key, value, most=1)
    if text is not None and text not in _WIND_KINDS:
        reader.add(HAND_NO_WIND(key=key, given=printable_excerpt(text)))
    return _WIND_KINDS.get(text)


def _read_tiles(reader: Reader, key: str, value: Any) -> tuple[Tile, ...]:
    if type(value) is str and (tiles := _TILES.get(value)) is not None:
        return tiles
    try:
        return _TILES[reader.check_text(key, value) or ""]
    except InvalidInput as wrong:
        reader.problems.extend(wrong.problems)
        return ()


_TILES: Memo[str, tuple[Tile, ...]] = Memo(lambda text: tuple(parse_tiles(text)), most=MAX_MEMOS)


def _read_melds(reader: Reader, key: str, value: Any) -> tuple[Meld, ...]:
    if type(value) is list and len(value) <= MAX_MELDS:
        try:
            return tuple([_MELDS[tuple(each.items())] for each in value])
        except (AttributeError, TypeError, InvalidInput):
            pass  # no objects, or one with a fault: they are read again, so that a problem names its place
    return tuple(map(_read_meld, reader.check_children(key, value)))


def _meld_of(keys: tuple[tuple[str, Any], ...]) -> Meld:
    reader = Reader(dict(keys), "")
    meld = _read_meld(reader)
    if reader.problems:
        raise InvalidInput(reader.problems)
    return meld


_MELDS = Memo(_meld_of, most=MAX_MEMOS)


def _read_meld(reader: Reader) -> Meld:
    values = reader.read(_MELD)
    reader.finish()
    kind, source = values.get("kind"), values.get("from")
    if kind is not None and kind not in MELD_SIZES:
        reader.add(HAND_MELD_KIND(given=printable_excerpt(kind), known=tuple(MELD_SIZES)))
    if source is not None and source not in SOURCES:
        reader.add(HAND_MELD_SOURCE(given=printable_excerpt(source), known=SOURCES))
    return Meld(cast("MeldKind", kind), tuple(sorted(values.get("tiles", ()))), source)


_WIND_KINDS = {letter: EAST + index for index, letter in enumerate(WINDS)}
_MELD: Shape = {"kind": (Reader.check_text, True), "from": (Reader.check_text, False), "tiles": (_read_tiles, True)}
# problems are reported in this order
_HAND: Shape = {
    "id": (Reader.check_text, False),
    "tiles": (_read_tiles, True),
    "win": (_read_tiles, True),
    "tsumo": (Reader.check_flag, True),
    "melds": (_read_melds, False),
    "round_wind": (_read_wind, True),
    "seat_wind": (_read_wind, True),
    **dict.fromkeys(MAX_OF, (_read_number, False)),
    **dict.fromkeys(FLAGS, (Reader.check_flag, False)),
    "dora": (_read_tiles, False),
    "ura": (_read_tiles, False),
}


def read_hand(value: object, rules: Ruleset) -> WinningHand:
    """Return the hand of parsed JSON in the contract's form.

    Raises InvalidInput for a wrong form, and for tiles and conditions that are impossible under these rules.
    """
    hand = from_json(value)
    if found := hand_problems(hand, rules):
        raise InvalidInput(found)
    return hand


def hand_problems(hand: WinningHand, rules: Ruleset) -> list[Problem]:
    """Return the problems of a hand: of its tiles, or else of its winds and conditions."""
    found = [] if _in_set(hand, rules) else [*_tile_set(hand, rules)]
    found += [*_meld_problems(hand, rules), *_size(hand), *_indicators(hand, rules)]
    if found:
        return found
    situation = Situation._make((*_stated(hand), bool(hand.ura), frozenset([meld.kind for meld in hand.melds])))
    return [*_winds(hand, rules), *_conditions(situation, rules), *_robbed_kan(hand)]


# Tiles counted in one number: a field of bits for each kind, and one for each suit's red fives. `_missing` starts a
# field so high that one tile more than the set has sets its highest bit.
_FIELD = 8
_MOST_IN_FIELD = (1 << _FIELD - 1) - 1
_ADDED = {tile: (1 << _FIELD * tile.kind) + (tile.red << _FIELD * (KINDS + tile.kind // 9)) for tile in TEXTS}
_OVER = sum(1 << _FIELD * field + _FIELD - 1 for field in range(KINDS + 3))


@functools.lru_cache(maxsize=64)
def _missing(rules: Ruleset) -> int:
    """Return by how much the set falls short of `_MOST_IN_FIELD` in each field."""
    kinds = [COPIES if _played_with(Tile(kind), rules) else 0 for kind in range(KINDS)]
    reds = [rules.red_fives.count(f"5{suit}") for suit in "mps"]
    return sum(_MOST_IN_FIELD - most << _FIELD * field for field, most in enumerate([*kinds, *reds]))


def _in_set(hand: WinningHand, rules: Ruleset) -> bool:
    """Return whether the set has these tiles, by one number: `_tile_set` then has no problem to word."""
    every = [*hand.own_tiles(), *hand.dora, *hand.ura]
    if len(every) > _MOST_IN_FIELD or (hand.kita and not rules.kita):
        return False
    return not sum(map(_ADDED.__getitem__, every), _missing(rules)) & _OVER


def _tile_set(hand: WinningHand, rules: Ruleset) -> Iterator[Problem]:
    """Check tiles against the set: kinds, copies, red fives, kita (S0 Tiles, Red Fives; RK 2.1)."""
    every = [*hand.own_tiles(), *hand.dora, *hand.ura]
    for tile in sorted({tile for tile in every if not _played_with(tile, rules)}):
        yield HAND_NOT_IN_SET(tile=write_tile(tile))
    if hand.kita and not rules.kita:
        yield HAND_KITA_NOT_IN_RULES()
    for kind, count in sorted(Counter(tile.kind for tile in every).items()):
        if count > COPIES:
            yield HAND_FIVE_COPIES(tile=write_tile(Tile(kind)), copies=count)
    for tile, count in sorted(Counter(tile for tile in every if tile.red).items()):
        most = rules.red_fives.count(write_tile(Tile(tile.kind)))
        if 0 < most < count:
            yield HAND_TOO_MANY_REDS(tile=write_tile(tile), given=count, most=most)


def _played_with(tile: Tile, rules: Ruleset) -> bool:
    """Return whether the set has the tile: sanma has no 2m to 8m, and not all rules have red fives."""
    if rules.players == 3 and 0 < tile.kind < 8:
        return False
    return not tile.red or write_tile(Tile(tile.kind)) in rules.red_fives


def _meld_problems(hand: WinningHand, rules: Ruleset) -> Iterator[Problem]:
    for meld in hand.melds:
        if not _is_group(meld):
            yield HAND_MELD_SHAPE(kind=meld.kind, tiles=write_tiles(meld.tiles))
        if meld.kind == "chi" and not rules.chii:
            yield HAND_CHII_NOT_IN_RULES(tiles=write_tiles(meld.tiles))
        elif meld.kind == "chi" and meld.source not in (None, "left"):
            yield HAND_CHII_FROM_LEFT(tiles=write_tiles(meld.tiles))
        if meld.kind == "ankan" and meld.source is not None:
            yield HAND_ANKAN_FROM_NOBODY(tiles=write_tiles(meld.tiles))
        if rules.players == 3 and meld.source == "across":
            yield HAND_NOBODY_ACROSS(tiles=write_tiles(meld.tiles))


def _is_group(meld: Meld) -> bool:
    kinds = [tile.kind for tile in meld.tiles]
    if len(kinds) != MELD_SIZES[meld.kind]:
        return False
    if meld.kind != "chi":
        return len(set(kinds)) == 1
    first = kinds[0]
    return first < HONOURS and first % 9 <= 6 and kinds == [first, first + 1, first + 2]


def _size(hand: WinningHand) -> Iterator[Problem]:
    """Check that a hand has 14 tiles, counting a kan as three."""
    if len(hand.melds) > MAX_MELDS:
        yield HAND_TOO_MANY_MELDS(given=len(hand.melds), most=MAX_MELDS)
        return
    have, want = len(hand.tiles) + 3 * len(hand.melds), 14
    if have < want:
        yield HAND_TILES_MISSING(have=have, want=want)
    elif have > want:
        yield HAND_TILES_TOO_MANY(have=have, want=want)
    if hand.win not in hand.tiles:
        yield HAND_WIN_NOT_IN_HAND(tile=write_tile(hand.win))


def _indicators(hand: WinningHand, rules: Ruleset) -> Iterator[Problem]:
    """Check the number of indicators: those of kan, and those under them, where the rules turn them."""
    if hand.ura and not rules.ura_dora:
        yield YAKU_NOT_IN_RULES(yaku="ura")
    turned = rules.kan_dora != "none" or rules.kita_turns_dora
    for name, tiles, several in (("dora", hand.dora, turned), ("ura", hand.ura, turned and rules.kan_ura)):
        most = MAX_INDICATORS if several else 1
        if len(tiles) > most:
            yield HAND_TOO_MANY_INDICATORS(key=name, given=len(tiles), most=most)


def _winds(hand: WinningHand, rules: Ruleset) -> Iterator[Problem]:
    """Check that sanma has no North seat and no North round, and that the round is one that is played."""
    if hand.seat_wind - EAST >= rules.players:
        yield HAND_NO_NORTH_SEAT()
    if hand.round_wind == NORTH and rules.players == 3:
        yield HAND_NO_NORTH_ROUND()
    elif hand.round_wind - EAST >= (played := rules.rounds + rules.extra_rounds):
        yield HAND_ROUND_NOT_PLAYED(wind=WINDS[hand.round_wind - EAST], last=WINDS[played - 1])


class Situation(NamedTuple):
    """What is stated of a hand beside its tiles: `melds` are their kinds, `ura` tells whether indicators are shown."""

    tsumo: bool
    riichi: int
    kita: int
    ippatsu: bool
    rinshan: bool
    chankan: bool
    haitei: bool
    houtei: bool
    first_turn: bool
    deals: bool
    ura: bool
    melds: frozenset[MeldKind]

    def holding(self) -> Iterator[str]:
        """Yield the conditions that hold, by their names in the table of exclusions."""
        yield from (name for name in ("tsumo", "riichi", "kita", *FLAGS) if getattr(self, name))
        if not self.tsumo:
            yield from ("ron", "dealer_ron") if self.deals else ("ron",)
        if self.melds:
            yield from ("meld", *("closed_quad" if kind == "ankan" else "open_hand" for kind in self.melds))
        if self.riichi > 1:
            yield "double_riichi"
        if not self.kita:
            yield "no_kita"


_stated = operator.attrgetter(*Situation._fields[:-2])


@functools.lru_cache(maxsize=MAX_MEMOS)
def _conditions(situation: Situation, rules: Ruleset) -> tuple[Problem, ...]:
    found = [
        refused_with_reason(each) or HAND_NOT_TOGETHER(one=each[0], other=each[1])
        for each in excluded(frozenset(situation.holding()), rules)
    ]
    if situation.ippatsu and not situation.riichi:
        found.append(HAND_IPPATSU_WITHOUT_RIICHI())
    if situation.ura and not situation.riichi:
        found.append(HAND_URA_WITHOUT_RIICHI())
    if situation.rinshan and not situation.kita and not situation.melds & KANS:
        found.append(HAND_RINSHAN_WITHOUT_QUAD())
    return tuple(found)


def _robbed_kan(hand: WinningHand) -> Iterator[Problem]:
    """Check that no other copy of the tile of a robbed kan is in the hand or among the indicators."""
    if hand.chankan and count_of(hand.own + pack(hand.dora) + pack(hand.ura), hand.win.kind) > 1:
        yield HAND_CHANKAN_OF_OWN_TILE(tile=write_tile(hand.win))
