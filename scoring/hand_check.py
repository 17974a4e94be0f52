"""What is wrong with a winning hand: tiles that no set has, melds that are no groups, conditions that cannot meet.

It judges whether such a hand can be, never whether it wins or what it pays.
"""

from collections import Counter
from collections.abc import Callable, Iterator

from rules.ruleset import Ruleset
from scoring.hand import MELD_SIZES, MOST_MELDS, Meld, WinningHand, from_json
from scoring.problems import InvalidInput, Problem, error
from scoring.tiles import EAST, HONOURS, NORTH, Tile, count_of, pack, write_tile, write_tiles

COPIES = 4
MOST_INDICATORS = 5


def read_hand(value: object, rules: Ruleset) -> WinningHand:
    """Make a hand of parsed JSON in the form of the contract.

    Raises InvalidInput with all that is wrong with its form, or with its tiles and conditions under these rules.
    """
    hand = from_json(value)
    found = problems(hand, rules)
    if found:
        raise InvalidInput(found)
    return hand


def problems(hand: WinningHand, rules: Ruleset) -> list[Problem]:
    """List what is wrong with a hand; where its tiles are, its conditions are not looked at."""
    found = [*_set(hand, rules), *_melds(hand, rules), *_size(hand)]
    return found or [*_winds(hand, rules), *_conditions(hand, rules)]


def _set(hand: WinningHand, rules: Ruleset) -> Iterator[Problem]:
    """Complain of tiles that are not in the set, or not so often (S0 Tiles, Red Fives; RK 2.1)."""
    every = [*hand.own_tiles(), *hand.dora, *hand.ura]
    for tile in sorted({tile for tile in every if not _played_with(tile, rules)}):
        yield error("hand.not_in_set", tile=write_tile(tile))
    if hand.kita and not rules.kita:
        yield error("hand.kita_not_in_rules")
    for kind, count in sorted(Counter(tile.kind for tile in every).items()):
        if count > COPIES:
            yield error("hand.five_copies", tile=write_tile(Tile(kind)), copies=count)
    for tile, count in sorted(Counter(tile for tile in every if tile.red).items()):
        most = rules.red_fives.count(write_tile(Tile(tile.kind)))
        if 0 < most < count:
            yield error("hand.too_many_reds", tile=write_tile(tile), given=count, most=most)


def _played_with(tile: Tile, rules: Ruleset) -> bool:
    """Tell whether the set has such a tile: three players have no 2 to 8 of characters, and not all books red fives."""
    if rules.players == 3 and 0 < tile.kind < 8:
        return False
    return not tile.red or write_tile(Tile(tile.kind)) in rules.red_fives


def _melds(hand: WinningHand, rules: Ruleset) -> Iterator[Problem]:
    for meld in hand.melds:
        if not _is_group(meld):
            yield error("hand.meld_shape", kind=meld.kind, tiles=write_tiles(meld.tiles))
        if meld.kind == "chi" and not rules.chii:
            yield error("hand.chii_not_in_rules", tiles=write_tiles(meld.tiles))
        elif meld.kind == "chi" and meld.source not in (None, "left"):
            yield error("hand.chii_from_left", tiles=write_tiles(meld.tiles))
        if meld.kind == "ankan" and meld.source is not None:
            yield error("hand.ankan_from_nobody", tiles=write_tiles(meld.tiles))
        if rules.players == 3 and meld.source == "across":
            yield error("hand.nobody_across", tiles=write_tiles(meld.tiles))


def _is_group(meld: Meld) -> bool:
    kinds = [tile.kind for tile in meld.tiles]
    if len(kinds) != MELD_SIZES[meld.kind]:
        return False
    if meld.kind != "chi":
        return len(set(kinds)) == 1
    first = kinds[0]
    return first < HONOURS and first % 9 <= 6 and kinds == [first, first + 1, first + 2]


def _size(hand: WinningHand) -> Iterator[Problem]:
    """Complain of a hand that is not fourteen tiles, a quad counted as three."""
    if len(hand.melds) > MOST_MELDS:
        yield error("hand.too_many_melds", given=len(hand.melds), most=MOST_MELDS)
        return
    have, want = len(hand.tiles) + 3 * len(hand.melds), 14
    if have < want:
        yield error("hand.tiles_missing", have=have, want=want)
    elif have > want:
        yield error("hand.tiles_too_many", have=have, want=want)
    if hand.win not in hand.tiles:
        yield error("hand.win_not_in_hand", tile=write_tile(hand.win))
    for name, tiles in (("dora", hand.dora), ("ura", hand.ura)):
        if len(tiles) > MOST_INDICATORS:
            yield error("hand.too_many_indicators", key=name, given=len(tiles), most=MOST_INDICATORS)


def _winds(hand: WinningHand, rules: Ruleset) -> Iterator[Problem]:
    """Complain of a wind that nobody sits at and of a round that is not played."""
    if hand.seat_wind - EAST >= rules.players:
        yield error("hand.no_north_seat")
    if hand.round_wind == NORTH and rules.players == 3:
        yield error("hand.no_north_round")


def _excluded(hand: WinningHand, rules: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the pairs of conditions that cannot meet; a kita does in a book what a quad always does, or nothing."""
    yield from _EXCLUDE
    if rules.kita_ends_first_turn:
        yield "first_turn", "kita"  # S0 North Winds; decisions
    if rules.kita_ends_first_turn or not hand.kita:
        yield "rinshan", "ippatsu"


def _seen(hand: WinningHand) -> int:
    """Return how many of the winning tile the hand and the indicators hold; of a robbed quad there is only one."""
    return count_of(hand.own + pack(hand.dora) + pack(hand.ura), hand.win.kind)


def _conditions(hand: WinningHand, rules: Ruleset) -> Iterator[Problem]:
    for one, other in _excluded(hand, rules):
        if _HOLDS[one](hand) and _HOLDS[other](hand):
            yield error("hand.not_together", one=one, other=other)
    if hand.ippatsu and not hand.riichi:
        yield error("hand.ippatsu_without_riichi")
    if hand.ura and not hand.riichi:
        yield error("hand.ura_without_riichi")
    if hand.rinshan and not hand.kita and not any(meld.quad for meld in hand.melds):
        yield error("hand.rinshan_without_quad")
    if hand.chankan and _seen(hand) > 1:
        yield error("hand.chankan_of_own_tile", tile=write_tile(hand.win))


_HOLDS: dict[str, Callable[[WinningHand], bool]] = {
    "tsumo": lambda hand: hand.tsumo,
    "ron": lambda hand: not hand.tsumo,
    "dealer_ron": lambda hand: hand.deals and not hand.tsumo,
    "open_hand": lambda hand: not hand.closed,
    "meld": lambda hand: bool(hand.melds),
    "riichi": lambda hand: bool(hand.riichi),
    "kita": lambda hand: bool(hand.kita),
    "ippatsu": lambda hand: hand.ippatsu,
    "rinshan": lambda hand: hand.rinshan,
    "chankan": lambda hand: hand.chankan,
    "haitei": lambda hand: hand.haitei,
    "houtei": lambda hand: hand.houtei,
    "first_turn": lambda hand: hand.first_turn,
}
_EXCLUDE = (
    ("haitei", "ron"),
    ("houtei", "tsumo"),
    ("rinshan", "ron"),
    ("chankan", "tsumo"),
    ("rinshan", "haitei"),  # E25 4.2; WRC 2025 11.5.1: the replacement tile is not the last of the wall
    ("chankan", "houtei"),
    ("riichi", "open_hand"),
    ("first_turn", "meld"),
    ("first_turn", "riichi"),
    ("first_turn", "dealer_ron"),
    ("first_turn", "haitei"),
    ("first_turn", "houtei"),
    ("first_turn", "chankan"),
)
