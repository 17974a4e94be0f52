"""The bodies of the JSON API as types; scripts/write_openapi.py writes docs/developer/openapi.json from them.

An `Annotated` dict holds keywords of JSON Schema beside the type. Keys, types and limits are promised: see contract.md.
What is entered has a module of its own, tournament.api.shapes_entry_shapes.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from tournament.api.shapes_entry_shapes import Count, Entry, Number, Seat, Wind

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


class Standings(TypedDict):
    """The ranking, best first."""

    event: str
    rows: list[StandingRow]
    disqualified: NotRequired[Annotated[list[Disqualified], {"description": "where the organiser says so in public"}]]


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
