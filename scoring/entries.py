"""Entries, what is entered for a hand: Ron, Tsumo, Draw, Nagashi, Abort, Chombo, Correction, Totals; JSON both ways.

Checks form only: keys, types and sizes. `check` checks an entry against rules and table.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from scoring.problems import InvalidInput, ProblemType, printable_excerpt
from scoring.strict_json import Reader, Shape

ENTRY_UNKNOWN_KIND = ProblemType("entry.unknown_kind", "'{kind}' is not a kind of entry.")
WIN_HAN_OR_YAKUMAN = ProblemType("win.han_or_yakuman", "A win has either han or a number of yakuman.")
WIN_HAN_ZERO = ProblemType("win.han_zero", "{seat} wins with 0 han; a win needs at least one.")
WIN_YAKUMAN_ZERO = ProblemType("win.yakuman_zero", "{seat} wins with 0 yakuman.")
WIN_FU_WITH_YAKUMAN = ProblemType("win.fu_with_yakuman", "A yakuman has no fu.")

MAX_NOTE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Win:
    """One winner: seat (0..n-1) with han and fu (0: not given) or a number of yakuman; `hand` is tiles as JSON.

    `chips` are those that each payer pays; None: they follow from yaku or tiles.
    """

    seat: int
    han: int = 0
    fu: int = 0
    yakuman: int = 0
    pao: int | None = None
    yaku: tuple[str, ...] | None = None
    hand: Mapping[str, Any] | None = None
    chips: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Keys of every entry: seats with riichi, dead hands, announced change by seat, a note.

    `stops`: the last dealer ends the game with this hand, where the rules let him choose.
    """

    kind: ClassVar[str] = ""
    riichi: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    announced: Mapping[int, int] | None = None
    note: str = ""
    stops: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ron(Entry):
    """One or more players win on a discard."""

    kind: ClassVar[str] = "ron"
    loser: int
    winners: tuple[Win, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tsumo(Entry):
    """A player wins on a tile drawn."""

    kind: ClassVar[str] = "tsumo"
    winners: tuple[Win, ...]

    @property
    def win(self) -> Win:
        """The one winner."""
        return self.winners[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Entry):
    """Exhaustive draw; `tenpai` are the seats that showed tenpai."""

    kind: ClassVar[str] = "draw"
    tenpai: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Nagashi(Entry):
    """Nagashi mangan: exhaustive draw after one or more players discarded terminals and honours only.

    `closed`: the hands of the winners were closed, where the rules ask for that.
    """

    kind: ClassVar[str] = "nagashi"
    winners: tuple[int, ...]
    tenpai: tuple[int, ...] = ()
    closed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Abort(Entry):
    """An abortive draw."""

    kind: ClassVar[str] = "abort"
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chombo(Entry):
    """One or more players commit a chombo: the hand is dealt again."""

    kind: ClassVar[str] = "chombo"
    offenders: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction(Entry):
    """Points moved between players by a referee, outside any hand."""

    kind: ClassVar[str] = "correction"
    deltas: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals(Entry):
    """A game known only by its final scores; `leftover` are points that nobody got, `chips` each seat's, if any."""

    kind: ClassVar[str] = "totals"
    scores: tuple[int, ...]
    leftover: int = 0
    chips: tuple[int, ...] = ()


class _Key(NamedTuple):
    """A JSON key of an entry: how to check and to write its value, whether it is `needed`, and left out when empty."""

    check: Callable[[Reader, str, Any], Any]
    write: Callable[[Any], Any] = list
    needed: bool = False
    optional: bool = False


_VALUE: Shape = {
    "seat": (Reader.check_count, True),
    "han": (Reader.check_count, False),
    "fu": (Reader.check_count, False),
    "yakuman": (Reader.check_count, False),
}
_OF_A_WIN: Shape = {
    "pao": (Reader.check_count, False),
    "yaku": (Reader.check_texts, False),
    "hand": (Reader.check_object, False),
    "chips": (Reader.check_count, False),
}


def _read_win(reader: Reader) -> Win | None:
    values = reader.read(_VALUE)
    for name, zero in (("han", WIN_HAN_ZERO), ("yakuman", WIN_YAKUMAN_ZERO)):
        if values.get(name) == 0:
            seat = values.get("seat")
            reader.add(zero(seat=-1 if seat is None else seat))
    if ("han" in values) is ("yakuman" in values):
        reader.add(WIN_HAN_OR_YAKUMAN())
    if "fu" in values and "yakuman" in values:
        reader.add(WIN_FU_WITH_YAKUMAN())
    values |= reader.read(_OF_A_WIN)
    reader.finish()
    return None if reader.problems else Win(**values)


def _read_nagashi(reader: Reader, key: str, value: Any) -> tuple[Any, ...]:
    """Return the seats of `[{"seat": s}…]`, None for an unreadable one."""
    seats = []
    for child in reader.check_children(key, value):
        seats.append(child.value("seat", Reader.check_count))
        child.finish()
    return tuple(seats)


def _read_note(reader: Reader, key: str, value: Any) -> Any:
    return reader.check_text(key, value, MAX_NOTE)


def _write_win(win: Win) -> dict[str, Any]:
    out: dict[str, Any] = {"seat": win.seat}
    out |= {name: getattr(win, name) for name in ("han", "fu", "yakuman") if getattr(win, name)}
    if win.pao is not None:
        out["pao"] = win.pao
    if win.yaku is not None:
        out["yaku"] = list(win.yaku)
    if win.hand is not None:
        out["hand"] = win.hand
    if win.chips is not None:
        out["chips"] = win.chips
    return out


_SEATS = _Key(Reader.check_seats, needed=True)
_WINS = _Key(
    lambda reader, key, value: tuple(map(_read_win, reader.check_children(key, value))),
    lambda wins: [_write_win(win) for win in wins],
    needed=True,
)
_REASON = _Key(_read_note, str, needed=True)
_KEYS: dict[type[Entry], dict[str, _Key]] = {
    Ron: {"loser": _Key(Reader.check_count, int, needed=True), "winners": _WINS},
    Tsumo: {"winners": _WINS},
    Draw: {"tenpai": _SEATS},
    Nagashi: {
        "winners": _Key(_read_nagashi, lambda seats: [{"seat": seat} for seat in seats], needed=True),
        "tenpai": _Key(Reader.check_seats, optional=True),
        "closed": _Key(Reader.check_flag, bool, optional=True),
    },
    Abort: {"reason": _Key(lambda reader, key, value: reader.check_text(key, value, 40), str, needed=True)},
    Chombo: {"offenders": _SEATS},
    Correction: {"deltas": _Key(Reader.check_numbers, needed=True), "reason": _REASON},
    Totals: {
        "scores": _Key(Reader.check_numbers, needed=True),
        "leftover": _Key(Reader.check_number, int),
        "chips": _Key(Reader.check_numbers, optional=True),
    },
}
_COMMON = {
    "riichi": _Key(Reader.check_seats, optional=True),
    "dead": _Key(Reader.check_seats, optional=True),
    "announced": _Key(
        Reader.check_points_by_seat,
        lambda points: {str(seat): points[seat] for seat in sorted(points)},
    ),
    "note": _Key(_read_note, str, optional=True),
    "stops": _Key(Reader.check_flag, bool, optional=True),
}
# common keys first: problems are reported in this order
_SHAPES: dict[type[Entry], Shape] = {
    kind: {name: (key.check, key.needed) for name, key in (_COMMON | keys).items()} for kind, keys in _KEYS.items()
}
KINDS: dict[str, type[Entry]] = {kind.kind: kind for kind in _KEYS}


def from_json(value: object) -> Entry:
    """Return the entry of parsed JSON in the contract's form.

    Raises InvalidInput with each key that is unknown, missing, ill-typed or out of range.
    """
    reader = Reader(value, "entry")
    kind = reader.value("kind", Reader.check_text)
    if kind is not None and kind not in KINDS:
        reader.add(ENTRY_UNKNOWN_KIND(kind=printable_excerpt(kind)))
    if reader.problems:
        raise InvalidInput(reader.problems)
    values = reader.read(_SHAPES[KINDS[kind]])
    reader.finish()
    if reader.problems:
        raise InvalidInput(reader.problems)
    return KINDS[kind](**values)


def to_json(entry: Entry) -> dict[str, Any]:
    """Return the contract's JSON of an entry; common keys at their default are left out.

    >>> to_json(Draw(tenpai=(0, 2), riichi=(2,)))
    {'kind': 'draw', 'tenpai': [0, 2], 'riichi': [2]}
    """
    out: dict[str, Any] = {"kind": entry.kind}
    for name, key in (_KEYS[type(entry)] | _COMMON).items():
        value = getattr(entry, name)
        if value is not None and (value or not key.optional):
            out[name] = key.write(value)
    return out
