"""Tiles as numbers 0 to 135, four copies a kind, as both oracles want them; the red five is the first copy.

Kinds are 0 to 33: characters, circles, bamboos, winds, dragons. It knows nothing of hands.
"""

from collections.abc import Iterable, Iterator

SUITS = "mpsz"
KINDS = 34
COPIES = 4
REDS = {"5m": 16, "5p": 52, "5s": 88}
EAST = 27
NORTH = 30


def kind_of(tile: int) -> int:
    """Return the kind of a tile."""
    return tile // COPIES


def text_of(tiles: Iterable[int], reds: Iterable[int]) -> str:
    """Write tiles in the contract's notation, in order; those among `reds` are red.

    >>> text_of([52, 53, 108, 0], reds=[52])
    '1m05p1z'
    """
    by_suit: dict[str, str] = {}
    red = set(reds)
    for tile in sorted(tiles):
        suit, number = divmod(kind_of(tile), 9)
        by_suit[SUITS[suit]] = by_suit.get(SUITS[suit], "") + ("0" if tile in red else str(number + 1))
    return "".join(numbers + suit for suit, numbers in by_suit.items())


class Numbering:
    """Gives each tile of a text a number of its own, so that no two tiles of a hand are the same one."""

    def __init__(self) -> None:
        self._given: set[int] = set()

    def tiles(self, text: str) -> list[int]:
        """Return the numbers of a text's tiles, in its order.

        >>> Numbering().tiles("0555p")
        [52, 53, 54, 55]
        """
        return [self._number(kind, red=red) for kind, red in kinds(text)]

    def _number(self, kind: int, *, red: bool) -> int:
        first = kind * COPIES
        copies = range(first, first + COPIES)
        wanted = copies if red or first not in REDS.values() else [*copies[1:], first]
        number = next(each for each in wanted if each not in self._given)
        self._given.add(number)
        return number


def kinds(text: str) -> Iterator[tuple[int, bool]]:
    """Yield each tile's kind, and whether it is a red five, in the text's order.

    >>> list(kinds("10p7z"))
    [(9, False), (13, True), (33, False)]
    """
    numbers = ""
    for sign in text:
        if sign.isdigit():
            numbers += sign
            continue
        for number in numbers:
            yield SUITS.index(sign) * 9 + (4 if number == "0" else int(number) - 1), number == "0"
        numbers = ""


def without(tiles: str, win: str) -> str:
    """Take the winning tile out of a text.

    >>> without("123m40s", "0s")
    '123m4s'
    """
    number, suit = win[0], win[1]
    end = tiles.index(suit)
    at = tiles.index(number, max(tiles.rfind(other, 0, end) for other in "mpsz") + 1, end)
    return tiles[:at] + tiles[at + 1 :]
