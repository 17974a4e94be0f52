"""Tiles as 34 kinds: 0..8 manzu, 9..17 pinzu, 18..26 souzu, 27..33 winds and dragons; notation `123m406p11z`.

In the notation 0 is a red five. Packed tiles are counts by kind in one number.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from scoring.problems import InvalidInput, ProblemType

TILES_UNREADABLE = ProblemType(
    "tiles.unreadable",
    "'{part}' cannot be read as tiles: write digits, then m, p, s or z, as in 123m406p11z.",
    ("text",),
)
TILES_NO_SUIT = ProblemType(
    "tiles.no_suit", "'{part}' lacks its suit: write digits, then m, p, s or z, as in 123m406p11z."
)
TILES_NO_SUCH_TILE = ProblemType("tiles.no_such_tile", "There is no tile {tile}.")

SUITS = "mpsz"
SUIT_SIZES = {"m": 9, "p": 9, "s": 9, "z": 7}
KINDS = 34
HONOURS = 27
EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED = range(27, 34)
RED_FIVE = 4  # rank from 0 within its suit
MAX_TEXT = 120

# tiles counted in one number: three bits a kind, red fives above them
BITS = 3
ONE_KIND = (1 << BITS) - 1
REDS = BITS * KINDS
ALL_KINDS = (1 << REDS) - 1

# a group's number is its form times KINDS plus its lowest tile, plus OPEN if it was called or completed by a ron
SEQUENCE, TRIPLET, KAN, PAIR, OPEN = (form * KINDS for form in range(5))


class Tile(NamedTuple):
    """One tile: its kind, and whether it is a red five."""

    kind: int
    red: bool = False


# the notation of each tile, the tiles by suit and digit, and each tile packed
TEXTS = {
    Tile(9 * suit + rank - 1): f"{rank}{letter}"
    for suit, letter in enumerate(SUITS)
    for rank in range(1, SUIT_SIZES[letter] + 1)
} | {Tile(9 * suit + RED_FIVE, red=True): f"0{letter}" for suit, letter in enumerate("mps")}
_BY_DIGIT: dict[str, dict[str, Tile]] = {
    letter: {text[0]: tile for tile, text in TEXTS.items() if text[1] == letter} for letter in SUITS
}
_PACKED = {tile: (1 << BITS * tile.kind) + (tile.red << REDS) for tile in TEXTS}
_NOT_LAST_OF_SUIT = re.compile(r"([mpsz])(?=\d\1)")


def parse_tiles(text: str) -> list[Tile]:
    """Return the tiles of a notation; raises InvalidInput.

    >>> parse_tiles("40p1z")
    [Tile(kind=12, red=False), Tile(kind=13, red=True), Tile(kind=27, red=False)]
    """
    tiles: list[Tile] = []
    digits = ""
    for character in text[: MAX_TEXT + 1].replace(" ", ""):
        if character in "0123456789":
            digits += character
        elif character in SUITS and digits:
            try:
                tiles += map(_BY_DIGIT[character].__getitem__, digits)
            except KeyError as wrong:
                raise InvalidInput([TILES_NO_SUCH_TILE(tile=wrong.args[0] + character)]) from wrong
            digits = ""
        else:
            raise InvalidInput([TILES_UNREADABLE(part=character, text=text[:40])])
    if digits or len(text) > MAX_TEXT:
        raise InvalidInput([TILES_NO_SUIT(part=digits[:20])])
    return tiles


def pack(tiles: Iterable[Tile]) -> int:
    """Return tiles as counts in one number; at most seven of a kind fit.

    >>> packed = pack(parse_tiles("550p"))
    >>> count_of(packed, 13), packed >> REDS
    (3, 1)
    """
    return sum(map(_PACKED.__getitem__, tiles))


def count_of(packed: int, kind: int) -> int:
    """Return the number of packed tiles of a kind."""
    return packed >> BITS * kind & ONE_KIND


def write_tile(tile: Tile) -> str:
    """Write one tile.

    >>> write_tile(Tile(13, red=True)), write_tile(Tile(33))
    ('0p', '7z')
    """
    return TEXTS[tile]


def write_tiles(tiles: Iterable[Tile]) -> str:
    """Write tiles in order, each suit letter once.

    >>> write_tiles([Tile(27), Tile(13, red=True), Tile(12)])
    '40p1z'
    """
    return _NOT_LAST_OF_SUIT.sub("", "".join(map(TEXTS.__getitem__, sorted(tiles))))


def next_dora(indicator: int, *, manzu_ends_only: bool) -> int:
    """Return the dora of an indicator; with `manzu_ends_only` (sanma) 1m indicates 9m (S0 Tiles).

    >>> next_dora(8, manzu_ends_only=False), next_dora(0, manzu_ends_only=True)
    (0, 8)
    """
    if manzu_ends_only and indicator in (0, 8):
        return 8 - indicator
    if indicator < HONOURS:
        return indicator // 9 * 9 + (indicator % 9 + 1) % 9
    if indicator <= NORTH:
        return EAST + (indicator - EAST + 1) % 4
    return WHITE + (indicator - WHITE + 1) % 3


DORA_OF_FOUR = tuple(next_dora(kind, manzu_ends_only=False) for kind in range(KINDS))
DORA_OF_THREE = tuple(next_dora(kind, manzu_ends_only=True) for kind in range(KINDS))
