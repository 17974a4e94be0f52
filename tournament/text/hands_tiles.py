"""Tiles in words: their names as they are read aloud, and what the picker of tiles says."""

from django.utils.translation import gettext as _

from scoring.tiles import Tile, write_tile
from tournament.text.languages import Words

SUIT_WORDS: Words = {"m": "characters", "p": "circles", "s": "bamboos"}
HONOURS: Words = {
    "1": "East wind",
    "2": "South wind",
    "3": "West wind",
    "4": "North wind",
    "5": "white dragon",
    "6": "green dragon",
    "7": "red dragon",
}


def tile_name(tile: str) -> str:
    """Name a tile as it is read aloud.

    >>> tile_name("0p"), tile_name("9m"), tile_name("4z")
    ('red five of circles', '9 of characters', 'North wind')
    """
    rank, suit = tile[0], tile[1]
    if suit == "z":
        return _(HONOURS[rank])
    said = _("red five of %(suit)s") if rank == "0" else _("%(rank)s of %(suit)s")
    return said % {"rank": rank, "suit": _(SUIT_WORDS[suit])}


def kind_tiles(kinds: tuple[int, ...]) -> list[str]:
    """Write kinds as a list of tiles.

    >>> kind_tiles((0, 33))
    ['1m', '7z']
    """
    return [write_tile(Tile(kind)) for kind in kinds]


# what the picker says; static/js/tile_picker.js finds them by these names
PICKER: Words = {
    "have": "{have} of 14 tiles",
    "too_many": "{have} tiles, 14 are a hand",
    "complete": "14 tiles",
    "tap_hand": "Tap the tiles; the last one is the winning tile.",
    "tap_chii": "Chii: tap the lowest tile of the sequence.",
    "tap_pon": "Pon: tap the tile.",
    "tap_kan": "Kan, called: tap the tile.",
    "tap_closed": "Closed kan: tap the tile.",
    "tap_dora": "Dora: tap the indicators as they lie on the wall.",
    "tap_ura": "Ura: tap the indicators under the dora.",
    "tap_win": "Tap the tile in the hand that won.",
    "remove": "Take out",
    "winning": "winning tile",
    "dora": "Dora indicators",
    "ura": "Ura indicators",
    "kita": "kita",
    "meld_chi": "Chii",
    "meld_pon": "Pon",
    "meld_daiminkan": "Kan",
    "meld_shouminkan": "Added kan",
    "meld_ankan": "Closed kan",
    "change": "Change",
    "from_nobody": "From: not said",
    "from_left": "left",
    "from_across": "across",
    "from_right": "right",
    "red_five": "Red five",
    "not_in_set": "This tile is not played with under these rules.",
    "needs_riichi": "Only with riichi.",
    "riichi_open": "Riichi and an open hand cannot be combined.",
    "riichi_first": "Riichi and a win in the first turn cannot be combined.",
    "first_meld": "A meld ends the first turn.",
    "first_kita": "A kita ends the first turn.",
    "first_dealer": "The dealer's win in the first turn is a tsumo.",
    "first_alone": "Not together with a win in the first turn.",
    "four_groups": "There are four melds already.",
    "no_room": "There is no room for a meld: take tiles out first.",
    "no_run": "No sequence begins with this tile.",
    "too_few_left": "There are not enough of these tiles left.",
    "hand_full": "The hand is complete: take a tile out first.",
    "five_indicators": "There are five indicators at most.",
    "red_used": "The red five is in use.",
    "all_used": "All of these tiles are in use.",
    "ippatsu_rinshan": "A replacement tile ends the ippatsu.",
    "double_riichi_ippatsu": "A kita or closed kan of the player ends the first turn, or the ippatsu.",
    "needs_tsumo": "Only with a tsumo.",
    "needs_ron": "Only with a ron.",
    "needs_kan": "Only after a kan or a kita.",
    "rinshan_haitei": "Rinshan and haitei cannot be combined.",
    "chankan_houtei": "Chankan and houtei cannot be combined.",
    "chankan_own": "The winning tile of a chankan is not in the hand a second time.",
}
