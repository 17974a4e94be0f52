"""What can be entered for a hand: Ron, Tsumo, Draw, Nagashi, Abort, Chombo, Correction, Totals; to and from JSON.

It checks form only: keys, types and sizes. Whether an entry fits the rules and the table is judged in `check`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.problems import InvalidInput, error, shown
from scoring.strict_json import Reader

MOST_NOTE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Win:
    """One winner's hand: han and fu (0: not given), or a number of yakuman. Seats are 0..n-1."""

    seat: int
    han: int = 0
    fu: int = 0
    yakuman: int = 0
    pao: int | None = None
    yaku: tuple[str, ...] | None = None
    hand: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What every entry may carry: seats that put a deposit down, dead hands, what was announced, a note."""

    kind: ClassVar[str] = ""
    riichi: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    announced: Mapping[int, int] | None = None
    note: str = ""


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
    """The wall runs out; the seats that showed tenpai."""

    kind: ClassVar[str] = "draw"
    tenpai: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Nagashi(Entry):
    """The wall runs out and one or more players have discarded nothing but terminals and honours."""

    kind: ClassVar[str] = "nagashi"
    winners: tuple[int, ...]
    tenpai: tuple[int, ...] = ()


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
    """A referee moves points between players, outside any hand."""

    kind: ClassVar[str] = "correction"
    deltas: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals(Entry):
    """A game known by its final scores alone; `leftover` are points on the table that nobody got."""

    kind: ClassVar[str] = "totals"
    scores: tuple[int, ...]
    leftover: int = 0


KINDS: dict[str, type[Entry]] = {
    kind.kind: kind for kind in (Ron, Tsumo, Draw, Nagashi, Abort, Chombo, Correction, Totals)
}


def from_json(value: object) -> Entry:
    """Make an entry of parsed JSON in the form of the contract.

    Raises InvalidInput that names each key that is unknown, missing, of a wrong type or out of all range.
    """
    reader = Reader(value, "entry")
    kind = reader.text("kind")
    if kind is not None and kind not in KINDS:
        reader.add(error("entry.unknown_kind", kind=shown(kind)))
    if reader.problems or kind is None:
        raise InvalidInput(reader.problems)
    entry = _READERS[kind](reader, _common(reader))
    reader.finish()
    if reader.problems or entry is None:
        raise InvalidInput(reader.problems)
    return entry


def to_json(entry: Entry) -> dict[str, Any]:
    """Write an entry in the form of the contract; what is at its default is left out.

    >>> to_json(Draw(tenpai=(0, 2), riichi=(2,)))
    {'kind': 'draw', 'tenpai': [0, 2], 'riichi': [2]}
    """
    out: dict[str, Any] = {"kind": entry.kind, **_own_json(entry)}
    if entry.riichi:
        out["riichi"] = list(entry.riichi)
    if entry.dead:
        out["dead"] = list(entry.dead)
    if entry.announced is not None:
        out["announced"] = {str(seat): points for seat, points in sorted(entry.announced.items())}
    if entry.note:
        out["note"] = entry.note
    return out


def _own_json(entry: Entry) -> dict[str, Any]:
    match entry:
        case Ron():
            return {"loser": entry.loser, "winners": [_win_json(win) for win in entry.winners]}
        case Tsumo():
            return {"winners": [_win_json(win) for win in entry.winners]}
        case Draw():
            return {"tenpai": list(entry.tenpai)}
        case Nagashi():
            tenpai = {"tenpai": list(entry.tenpai)} if entry.tenpai else {}
            return {"winners": [{"seat": seat} for seat in entry.winners], **tenpai}
        case Abort():
            return {"reason": entry.reason}
        case Chombo():
            return {"offenders": list(entry.offenders)}
        case Correction():
            return {"deltas": list(entry.deltas), "reason": entry.reason}
        case Totals():
            return {"scores": list(entry.scores), "leftover": entry.leftover}
    raise TypeError(f"no JSON form for {type(entry).__name__}")


def _win_json(win: Win) -> dict[str, Any]:
    out: dict[str, Any] = {"seat": win.seat}
    out |= {name: getattr(win, name) for name in ("han", "fu", "yakuman") if getattr(win, name)}
    if win.pao is not None:
        out["pao"] = win.pao
    if win.yaku is not None:
        out["yaku"] = list(win.yaku)
    if win.hand is not None:
        out["hand"] = win.hand
    return out


def _common(reader: Reader) -> dict[str, Any]:
    return {
        "riichi": reader.seats("riichi", default=()),
        "dead": reader.seats("dead", default=()),
        "announced": reader.points_by_seat("announced"),
        "note": reader.text("note", default="", most=MOST_NOTE),
    }


def _read_win(reader: Reader) -> Win | None:
    seat = reader.seat("seat")
    values = {name: reader.number(name, default=None, negative=False) for name in ("han", "fu", "yakuman")}
    for name in ("han", "yakuman"):
        if values[name] == 0:
            reader.add(error(f"win.{name}_zero", seat=-1 if seat is None else seat))
    if reader.has("han") is reader.has("yakuman"):
        reader.add(error("win.han_or_yakuman"))
    if reader.has("fu") and reader.has("yakuman"):
        reader.add(error("win.fu_with_yakuman"))
    pao = reader.seat("pao", default=None)
    yaku = reader.texts("yaku", default=None)
    hand = reader.mapping("hand", default=None)
    reader.finish()
    if reader.problems or seat is None:
        return None
    points = {name: value or 0 for name, value in values.items()}
    return Win(seat=seat, pao=pao, yaku=yaku, hand=hand, **points)


def _read_winners(reader: Reader) -> tuple[Win, ...]:
    return tuple(win for win in (_read_win(child) for child in reader.children("winners")) if win is not None)


def _read_ron(reader: Reader, common: dict[str, Any]) -> Entry | None:
    loser, winners = reader.seat("loser"), _read_winners(reader)
    return None if loser is None else Ron(loser=loser, winners=winners, **common)


def _read_tsumo(reader: Reader, common: dict[str, Any]) -> Entry | None:
    return Tsumo(winners=_read_winners(reader), **common)


def _read_draw(reader: Reader, common: dict[str, Any]) -> Entry | None:
    return Draw(tenpai=reader.seats("tenpai"), **common)


def _read_nagashi(reader: Reader, common: dict[str, Any]) -> Entry | None:
    winners = []
    for child in reader.children("winners"):
        winners.append(child.seat("seat"))
        child.finish()
    tenpai = reader.seats("tenpai", default=())
    return Nagashi(winners=tuple(seat for seat in winners if seat is not None), tenpai=tenpai, **common)


def _read_abort(reader: Reader, common: dict[str, Any]) -> Entry | None:
    reason = reader.text("reason", most=40)
    return None if reason is None else Abort(reason=reason, **common)


def _read_chombo(reader: Reader, common: dict[str, Any]) -> Entry | None:
    return Chombo(offenders=reader.seats("offenders"), **common)


def _read_correction(reader: Reader, common: dict[str, Any]) -> Entry | None:
    deltas, reason = reader.numbers("deltas"), reader.text("reason", most=MOST_NOTE)
    return None if reason is None else Correction(deltas=deltas, reason=reason, **common)


def _read_totals(reader: Reader, common: dict[str, Any]) -> Entry | None:
    scores, leftover = reader.numbers("scores"), reader.number("leftover", default=0)
    return Totals(scores=scores, leftover=leftover or 0, **common)


_READERS = {
    "ron": _read_ron,
    "tsumo": _read_tsumo,
    "draw": _read_draw,
    "nagashi": _read_nagashi,
    "abort": _read_abort,
    "chombo": _read_chombo,
    "correction": _read_correction,
    "totals": _read_totals,
}
