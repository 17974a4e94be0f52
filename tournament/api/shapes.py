"""The bodies of the JSON API as types, of which scripts/write_openapi.py writes docs/developer/openapi.json.

An `Annotated` dict holds keywords of JSON Schema beside the type. Keys, types and limits are promised: see contract.md.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from scoring.entries import MAX_NOTE

UUID_LENGTH = 36


# ---------------------------------------------------------------- problems


class Problem(TypedDict):
    """What is wrong, as code and in words."""

    code: str
    message: str
    params: dict[str, Any]
    at: int | None


class Problems(TypedDict):
    """All that is wrong."""

    problems: list[Problem]


# ---------------------------------------------------------------- a table


class Substitute(TypedDict):
    """Who plays the seat instead of its player; the name is empty where nobody is named."""

    name: str
    when: Literal["before", "during"]


Transfer = TypedDict(
    "Transfer",
    {
        "from": Annotated[int | None, {"description": "null is the table, where riichi sticks lie"}],
        "to": int | None,
        "points": int,
        "why": Literal["hand", "pao", "honba", "deposit", "returned", "noten", "chombo"],
    },
)

Seat = Annotated[int, {"minimum": 0, "maximum": 3, "description": "a seat, 0 for the first East, anticlockwise"}]
Count = Annotated[int, {"minimum": 0}]
Number = Annotated[int, {"minimum": 1}]
Wind = Annotated[str, {"enum": ["E", "S", "W", "N"]}]
Tiles = Annotated[str, {"pattern": "^([0-9]+[mpsz])*$"}]
Indicators = Annotated[str, {"pattern": "^([0-9]+[mpsz])*$", "description": "indicators"}]
Text = Annotated[str, {"maxLength": MAX_NOTE}]


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
    closed: NotRequired[
        Annotated[bool, {"description": "the winners' hands were closed, where the rules ask for that"}]
    ]


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


class Hand(TypedDict):
    """A hand of a table; a void one has neither entry nor payments."""

    number: Number
    seq: Annotated[int, {"minimum": 1, "description": "names the hand in a correction"}]
    void: bool
    reason: str
    entry: NotRequired[Entry]
    line: NotRequired[Annotated[str, {"description": "the entry in shorthand"}]]
    round_wind: NotRequired[Wind]
    kyoku: NotRequired[Number]
    honba: NotRequired[Count]
    sticks: NotRequired[Count]
    dealer: NotRequired[Seat]
    deltas: NotRequired[list[int]]
    scores: NotRequired[list[int]]
    transfers: NotRequired[list[Transfer]]


class TableSeat(TypedDict):
    """A seat of a table, with its running score."""

    seat: Seat
    number: Number
    name: str
    wind: Wind
    score: int
    substitute: Substitute | None


class TableState(TypedDict):
    """The hand that the table is at."""

    round_wind: Wind
    kyoku: Number
    honba: Count
    sticks: Count
    dealer: Seat
    ended: bool


class Final(TypedDict):
    """What the ranking counts, by seat: a player whom a substitute replaced has no place; scores are the table's."""

    scores: list[int]
    leftover: int
    places: list[Annotated[int | None, {"minimum": 1}]]
    uma: list[int]
    results: list[int]
    chips: NotRequired[Annotated[list[int], {"description": "each seat's chips, where the rules play chips"}]]


class Table(TypedDict):
    """A table with its hands; points throughout."""

    event: str
    round: Number
    table: Number
    live: NotRequired[
        Annotated[
            bool,
            {
                "description": "in the answer of GET: whether the public does not see the round's results yet, so that "
                "all may still change"
            },
        ]
    ]
    stage: Literal["waiting", "playing", "over", "signed"]
    confirmed: Annotated[
        bool | None,
        {"description": "whether another person has confirmed the signed sheet; null where the event asks nobody"},
    ]
    sent_back: Annotated[
        bool, {"description": "whether another person has rejected the sheet, so that the table is open"}
    ]
    last_seq: Annotated[int, {"minimum": 0, "description": "send it as expected_seq"}]
    seats: list[TableSeat]
    state: TableState
    hands: list[Hand]
    final: Final | None


class Entered(TypedDict):
    """The table after a hand was entered, and the row that holds it."""

    table: Table
    seq: Number


class RowBetween(TypedDict):
    """A row that was written since the sender looked."""

    seq: Number
    hand: Number
    payload: Annotated[str, {"description": "the entry as canonical JSON, empty for void"}]
    reason: str


class MovedOn(TypedDict):
    """What came between; the sender looks at the table, then sends again."""

    problems: list[Problem]
    table: Table
    between: list[RowBetween]


# ---------------------------------------------------------------- an event


class Version(TypedDict):
    """An event's version."""

    version: Count


class StandingRow(TypedDict):
    """A line of the ranking."""

    rank: Number
    player: str
    total: int
    games: Count
    penalties: Count
    results: list[int | None]
    tie_break: str | None


class Disqualified(TypedDict):
    """A player out of the ranking, where the organiser says so in public."""

    player: str
    reason: Annotated[str | None, {"description": "null where it is not public"}]


class Contender(TypedDict):
    """A player who can still win the event in its last hands, alone or shared."""

    number: Number
    player: str
    total: Annotated[int, {"description": "as if every game ended now"}]
    table: Annotated[int | None, {"description": "where the last hand of this player is played, null for nowhere"}]
    certain: Annotated[bool, {"description": "whatever the last hands bring"}]


class Standings(TypedDict):
    """The ranking, best first."""

    event: str
    rows: list[StandingRow]
    disqualified: NotRequired[Annotated[list[Disqualified], {"description": "where the organiser says so in public"}]]
    can_win: NotRequired[
        Annotated[list[Contender], {"description": "in the last hands, where the event shows them to everybody"}]
    ]


class Head(TypedDict):
    """A signed head of an event's record: the root of the tree over its first acts (RFC 9162)."""

    size: Annotated[int, {"minimum": 1, "description": "so many acts are under the root"}]
    root: Annotated[str, {"description": "SHA-256 in hexadecimal"}]
    words: Annotated[str, {"description": "the root's first 88 bits as eight words"}]
    round: Annotated[int | None, {"description": "the round released then, null after a later change"}]
    at: str
    public_key: Annotated[str, {"description": "Ed25519, in hexadecimal"}]
    signature: Annotated[str, {"description": "over the canonical JSON of event, size, root, round (0 for null), at"}]


class Record(TypedDict):
    """The newest head, and the proof that it continues the record of so many acts as were asked for."""

    event: str
    head: Annotated[Head | None, {"description": "null before the first release"}]
    consistency: Annotated[list[str], {"description": "nodes of the proof, RFC 9162 2.1.4"}]


class Round(TypedDict):
    """A round with its state and times."""

    round: Number
    state: Annotated[
        Literal["drawn", "published", "running", "held", "released"],
        {"description": "held: played, its results are kept back"},
    ]
    planned_start: Annotated[str | None, {"format": "date-time", "description": "as the timetable has it, UTC"}]
    started_at: Annotated[str | None, {"format": "date-time", "description": "when the clock was started, UTC"}]
    results: Annotated[bool, {"description": "whether its results are public"}]


class Rounds(TypedDict):
    """The rounds of an event."""

    event: str
    rounds: list[Round]


class Rules(TypedDict):
    """The rules of an event in short."""

    key: str
    title: str
    players: Annotated[int, {"minimum": 3, "maximum": 4}]
    minutes: Annotated[int, {"minimum": 0, "description": "of a round, 0 for no limit"}]


class Event(TypedDict):
    """An event with its rounds."""

    event: str
    name: str
    date: Annotated[str, {"format": "date"}]
    place: str
    language: str
    rules: Rules
    second_rules: NotRequired[Rules]
    rounds_planned: Number
    rounds: list[Round]


class Player(TypedDict):
    """A player under the name that the event shows."""

    number: Number
    name: str
    ranked: bool
    withdrawn: bool
    disqualified: Annotated[bool, {"description": "where the organiser says so in public"}]


class Players(TypedDict):
    """The players by number."""

    event: str
    players: list[Player]


PrizeKind = Literal["place", "newcomer", "country", "club"]
Of = Annotated[str, {"description": "the place, country or club; empty for newcomers"}]
Amount = Annotated[int, {"minimum": 0, "description": "in hundredths of the currency, 0 for a thing alone"}]


class Prize(TypedDict):
    """What can be won, as the event's page has it."""

    kind: PrizeKind
    of: Of
    amount: Amount
    thing: str


class Award(TypedDict):
    """What a player wins; who is not shown by name is named by places alone."""

    number: Number
    name: str
    kind: PrizeKind
    of: Of
    shared_by: Annotated[int, {"minimum": 1, "description": "so many share it; `amount` is the part of this player"}]
    amount: Amount
    things: list[str]


class Prizes(TypedDict):
    """What can be won, and who wins it."""

    event: str
    currency: Annotated[str, {"description": "a code of ISO 4217, empty where nothing can be won"}]
    prizes: Annotated[list[Prize], {"description": "empty while the event's page is not public"}]
    awards: Annotated[list[Award], {"description": "empty until the results of all rounds are public"}]


class RoundSeat(TypedDict):
    """A seat of a round, with its result where it is public."""

    seat: Seat
    number: Number
    name: str
    substitute: Substitute | None
    score: Annotated[int | None, {"description": "points; null while they are not public"}]
    place: Annotated[int | None, {"description": "null, too, for a replaced player"}]
    shared: bool
    uma: int | None
    result: Annotated[int | None, {"description": "points after uma, before penalties"}]


class RoundTable(TypedDict):
    """A table of a round."""

    table: Number
    results: bool
    live: Annotated[bool, {"description": "the round is not public, and this table may be looked at all the same"}]
    seats: list[RoundSeat]


class RoundSeats(Round):
    """Who sits where in a round."""

    event: str
    tables: list[RoundTable]


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
