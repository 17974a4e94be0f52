"""The entry of a hand as types, as tournament.api.shapes_1 has all other bodies of the JSON API."""

from typing import Annotated, Literal, NotRequired, TypedDict

from scoring.entries import MOST_NOTE

Seat = Annotated[int, {"minimum": 0, "maximum": 3, "description": "a seat, 0 for the first East, anticlockwise"}]
Count = Annotated[int, {"minimum": 0}]
Number = Annotated[int, {"minimum": 1}]
Wind = Annotated[str, {"enum": ["E", "S", "W", "N"]}]
Tiles = Annotated[str, {"pattern": "^([0-9]+[mpsz])*$"}]
Indicators = Annotated[str, {"pattern": "^([0-9]+[mpsz])*$", "description": "indicators"}]
Text = Annotated[str, {"maxLength": MOST_NOTE}]


class Meld(TypedDict):
    """A called meld."""

    kind: Literal["chi", "pon", "daiminkan", "shouminkan", "ankan"]
    tiles: Tiles


# a key that is a word of Python's
CalledMeld = TypedDict("CalledMeld", {"from": NotRequired[Literal["left", "across", "right"] | None]})


class MeldOfHand(Meld, CalledMeld):
    """A meld with the seat that the tile came from."""


class WinningHand(TypedDict):
    """A winning hand in the form that manage.py score reads."""

    id: NotRequired[str | None]
    tiles: Annotated[Tiles, {"description": "concealed tiles, the winning tile among them"}]
    win: Annotated[str, {"pattern": "^[0-9][mpsz]$"}]
    tsumo: bool
    melds: NotRequired[
        Annotated[list[MeldOfHand], {"maxItems": 4, "description": "in the order in which they were made"}]
    ]
    round_wind: Wind
    seat_wind: Wind
    riichi: NotRequired[Annotated[int, {"minimum": 0, "maximum": 2, "description": "2 is a double riichi"}]]
    ippatsu: NotRequired[bool]
    rinshan: NotRequired[bool]
    chankan: NotRequired[bool]
    haitei: NotRequired[bool]
    houtei: NotRequired[bool]
    first_turn: NotRequired[bool]
    dora: NotRequired[Indicators]
    ura: NotRequired[Indicators]
    kita: NotRequired[Annotated[int, {"minimum": 0, "maximum": 4}]]
    honba: NotRequired[Annotated[int, {"minimum": 0, "maximum": 99}]]


class Win(TypedDict):
    """One winner's hand: han and fu, or a number of yakuman."""

    seat: Seat
    han: NotRequired[Annotated[int, {"minimum": 1, "maximum": 39}]]
    fu: NotRequired[int]
    yakuman: NotRequired[Annotated[int, {"minimum": 1, "maximum": 6}]]
    pao: NotRequired[Seat]
    yaku: NotRequired[
        Annotated[
            list[str],
            {
                "description": "names of the yaku, as in the contract; checked against han, and against the tiles "
                "where they are given"
            },
        ]
    ]
    hand: NotRequired[
        Annotated[WinningHand, {"description": "the tiles; han, fu and yaku must agree with what they count to"}]
    ]
    chips: NotRequired[
        Annotated[
            int,
            {"minimum": 0, "maximum": 99, "description": "chips from each payer; without it they follow from the yaku"},
        ]
    ]


class AnyEntry(TypedDict):
    """What every entry may carry; see scoring.entries."""

    riichi: NotRequired[Annotated[list[Seat], {"description": "seats that put a riichi stick down in this hand"}]]
    dead: NotRequired[
        Annotated[list[Seat], {"description": "seats whose hand is dead: they neither win nor are tenpai"}]
    ]
    announced: NotRequired[Annotated[dict[str, int], {"description": "what the table said was paid: change by seat"}]]
    note: NotRequired[Text]
    stops: NotRequired[
        Annotated[bool, {"description": "the last dealer ends the game with this hand, where the rules let him choose"}]
    ]


class Ron(AnyEntry):
    """One or more players win on a discard."""

    kind: Literal["ron"]
    loser: Seat
    winners: Annotated[list[Win], {"minItems": 1}]


class Tsumo(AnyEntry):
    """A player wins on a tile drawn."""

    kind: Literal["tsumo"]
    winners: Annotated[list[Win], {"minItems": 1, "maxItems": 1}]


class Draw(AnyEntry):
    """The wall runs out."""

    kind: Literal["draw"]
    tenpai: list[Seat]


class NagashiWinner(TypedDict):
    """A player who discarded nothing but terminals and honours."""

    seat: Seat


class Nagashi(AnyEntry):
    """The wall runs out with nagashi mangan."""

    kind: Literal["nagashi"]
    winners: Annotated[list[NagashiWinner], {"minItems": 1}]
    tenpai: NotRequired[list[Seat]]


class Abort(AnyEntry):
    """An abortive draw."""

    kind: Literal["abort"]
    reason: str


class Chombo(AnyEntry):
    """A chombo; the hand is dealt again."""

    kind: Literal["chombo"]
    offenders: Annotated[list[Seat], {"minItems": 1}]


class Correction(AnyEntry):
    """A referee moves points between players."""

    kind: Literal["correction"]
    deltas: list[int]
    reason: Text


class Totals(AnyEntry):
    """A game known by its final scores alone."""

    kind: Literal["totals"]
    scores: list[int]
    leftover: NotRequired[Count]
    chips: NotRequired[Annotated[list[int], {"description": "each seat's chips, where the rules play chips"}]]


Entry = Ron | Tsumo | Draw | Nagashi | Abort | Chombo | Correction | Totals


class NewEntry(TypedDict):
    """A hand to enter, to replace or to make void."""

    client_id: Annotated[
        str,
        {"format": "uuid", "description": "made by the sender, new for every hand; sent again it changes nothing"},
    ]
    expected_seq: Annotated[int, {"minimum": 0, "description": "the last_seq that the sender has seen"}]
    entry: NotRequired[Entry | None]
    hand: NotRequired[
        Annotated[int, {"minimum": 1, "description": "seq of the hand to replace; with entry null it is made void"}]
    ]
    reason: NotRequired[Text]
