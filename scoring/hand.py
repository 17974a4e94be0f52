"""A winning hand as it is counted: tiles, melds, winds and conditions; to and from the contract's JSON.

It checks form only: whether such a hand can be is judged in `hand_check`, what it is worth in `count`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from scoring.groups import QUAD, SEQUENCE, TRIPLET
from scoring.problems import InvalidInput, error, shown
from scoring.strict_json import MISSING, Reader
from scoring.tiles import EAST, NORTH, Tile, pack, parse_tiles, write_tiles

MeldKind = Literal["chi", "pon", "daiminkan", "shouminkan", "ankan"]
MeldSource = Literal["left", "across", "right"]
MELD_SIZES = {"chi": 3, "pon": 3, "daiminkan": 4, "shouminkan": 4, "ankan": 4}
SOURCES = ("left", "across", "right")
WINDS = "ESWN"
FLAGS = ("ippatsu", "rinshan", "chankan", "haitei", "houtei", "first_turn")
MOST_MELDS = 4
MOST_LEAST = {"riichi": 2, "kita": 4, "honba": 99}


@dataclass(frozen=True, slots=True)
class Meld:
    """A called group or a closed quad: its tiles in order, and from whom it was called where that is known."""

    kind: MeldKind
    tiles: tuple[Tile, ...]
    source: MeldSource | None = None

    @property
    def open(self) -> bool:
        """Whether it was called: a closed quad was not."""
        return self.kind != "ankan"

    @property
    def quad(self) -> bool:
        """Whether it has four tiles."""
        return self.kind not in ("chi", "pon")

    @property
    def group(self) -> int:
        """The group that it is, see scoring.groups."""
        lowest = self.tiles[0].kind
        if self.kind == "chi":
            return SEQUENCE + lowest
        return (QUAD if self.quad else TRIPLET) + lowest


@dataclass(frozen=True, slots=True, kw_only=True)
class WinningHand:
    """All that the value of a hand depends on.

    `tiles` are the concealed ones, the winning tile among them; `kita` counts set-aside Norths. Winds are kinds.
    `dora` and `ura` are indicators. `riichi` is 0, 1, or 2 for a double riichi.
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
    own: int = field(init=False, repr=False, compare=False)  # those, called and set-aside ones, packed

    def __post_init__(self) -> None:
        """Count the tiles once: every reading asks for them."""
        concealed = pack(self.tiles)
        called = sum(pack(meld.tiles) for meld in self.melds)
        object.__setattr__(self, "concealed", concealed)
        object.__setattr__(self, "own", concealed + called + self.kita * pack([Tile(NORTH)]))

    @property
    def closed(self) -> bool:
        """Whether nothing was called."""
        return not self.melds or all(meld.kind == "ankan" for meld in self.melds)

    @property
    def deals(self) -> bool:
        """Whether the winner is the dealer."""
        return self.seat_wind == EAST

    def own_tiles(self) -> Iterator[Tile]:
        """Yield the tiles that count as the hand: concealed, called and set aside."""
        yield from self.tiles
        for meld in self.melds:
            yield from meld.tiles
        for _ in range(self.kita):
            yield Tile(NORTH)


def from_json(value: object) -> WinningHand:
    """Make a hand of parsed JSON in the form of the contract; `id` is let pass. Raises InvalidInput for its form."""
    reader = Reader(value, "hand")
    hand = _read(reader)
    reader.finish()
    if reader.problems or hand is None:
        raise InvalidInput(reader.problems)
    return hand


def to_json(hand: WinningHand) -> dict[str, Any]:
    """Write a hand in the form of the contract, every key stated."""
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


def _read(reader: Reader) -> WinningHand | None:
    reader.text("id", default=None)
    tiles, win = _read_tiles(reader, "tiles"), _read_tiles(reader, "win")
    values: dict[str, Any] = {
        "tsumo": reader.flag("tsumo"),
        "melds": tuple(_read_meld(child) for child in reader.children("melds", default=())),
        "round_wind": _read_wind(reader, "round_wind"),
        "seat_wind": _read_wind(reader, "seat_wind"),
        **{name: _read_number(reader, name, most) for name, most in MOST_LEAST.items()},
        **{name: reader.flag(name, default=False) for name in FLAGS},
        **{name: _read_tiles(reader, name, default="") for name in ("dora", "ura")},
    }
    if not reader.problems and len(win) != 1:
        reader.add(error("hand.one_winning_tile", tiles=len(win)))
    if reader.problems:
        return None
    return WinningHand(tiles=tuple(sorted(tiles)), win=win[0], **values)


def _read_number(reader: Reader, name: str, most: int) -> int:
    value = reader.number(name, default=0, negative=False)
    if isinstance(value, int) and value > most:
        reader.add(error(f"hand.{name}_too_many", given=value, most=most))
    return value or 0


def _read_wind(reader: Reader, name: str) -> int:
    text = reader.text(name, most=1)
    if text is None or len(text) != 1 or text not in WINDS:
        if text is not None:
            reader.add(error("hand.no_wind", key=name, given=shown(text)))
        return EAST
    return EAST + WINDS.index(text)


def _read_tiles(reader: Reader, name: str, *, default: Any = MISSING) -> tuple[Tile, ...]:
    try:
        return tuple(parse_tiles(reader.text(name, default=default) or ""))
    except InvalidInput as wrong:
        reader.problems.extend(wrong.problems)
        return ()


def _read_meld(reader: Reader) -> Meld:
    kind, source = reader.text("kind"), reader.text("from", default=None)
    tiles = tuple(sorted(_read_tiles(reader, "tiles")))
    reader.finish()
    if kind is not None and kind not in MELD_SIZES:
        reader.add(error("hand.meld_kind", given=shown(kind), known=tuple(MELD_SIZES)))
    if source is not None and source not in SOURCES:
        reader.add(error("hand.meld_source", given=shown(source), known=SOURCES))
    return Meld(cast("MeldKind", kind), tiles, cast("MeldSource | None", source))
