"""A hand as a referee gives it: one line of shorthand, or a form with a row for each player.

Mapped to an entry, and an entry back to the form; neither is judged here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from scoring import shorthand
from scoring.entries import Abort, Chombo, Draw, Entry, Nagashi, Ron, Tsumo, Win, from_json
from scoring.paid import PaidWin, read_paid, written
from scoring.problems import InvalidInput, error

KIND_FIELDS = {
    "ron": ("loser", "winners"),
    "tsumo": ("winners",),
    "draw": ("tenpai",),
    "nagashi": ("nagashi", "tenpai"),
    "abort": ("reason",),
    "chombo": ("offenders",),
}
YAKUMAN = "y"
MOST_DIGITS = 6


class Fields(Protocol):
    """What a submitted form offers: one value or all values of a name."""

    def get(self, key: str, default: str, /) -> str: ...
    def getlist(self, key: str, /) -> list[str]: ...


class Written:
    """The fields that say an entry, as if they had been submitted; nothing where the form has no room for its kind."""

    def __init__(self, entry: Entry | None) -> None:
        self._values: Mapping[str, Sequence[str]] = write_fields(entry) if entry else {}

    def get(self, key: str, default: str, /) -> str:
        """Return the last value of a name, as a submitted form does."""
        return self._values[key][-1] if self._values.get(key) else default

    def getlist(self, key: str, /) -> list[str]:
        """Return all values of a name."""
        return list(self._values.get(key, ()))


def read_hand(fields: Fields) -> Entry:
    """Return the entry of a submitted line or form; raises InvalidInput with what cannot be read."""
    if fields.get("how", "line") != "form":
        return shorthand.parse(fields.get("line", ""))
    kind = fields.get("kind", "")
    if kind not in KIND_FIELDS:
        raise InvalidInput([error("form.kind_missing")])
    parts = [pair for name in KIND_FIELDS[kind] for pair in _part(name, fields)]
    entry = _with_payments(from_json({"kind": kind, **dict(parts), **_common(fields)}), fields)
    said = "".join(fields.get("said", "").replace(",", "").split())
    wins = isinstance(entry, Ron | Tsumo)  # the field is hidden for the other kinds, and may hold what was typed before
    return replace(entry, announced=shorthand.announced_for(entry, said)) if said and wins else entry


def write_fields(entry: Entry) -> dict[str, list[str]]:
    """Return the fields that `read_hand` reads back as this entry: name → values.

    >>> write_fields(Draw(tenpai=(0, 2), riichi=(2,)))
    {'kind': ['draw'], 'tenpai': ['0', '2'], 'riichi': ['2']}
    """
    fields = _own_fields(entry)
    if not fields:
        return {}
    said = shorthand.said_of(entry)
    common = {
        "riichi": _texts(entry.riichi),
        "dead": _texts(entry.dead),
        "said": [said] if said else [],
        "note": [entry.note] if entry.note else [],
    }
    return {name: values for name, values in ({"kind": [entry.kind]} | fields | common).items() if values}


def _own_fields(entry: Entry) -> dict[str, list[str]]:
    match entry:
        case Ron():
            return {"loser": [str(entry.loser)]} | _write_wins(entry.winners)
        case Tsumo():
            return _write_wins(entry.winners)
        case Draw():
            return {"tenpai": _texts(entry.tenpai)}
        case Nagashi():
            return {"winner": _texts(entry.winners), "tenpai": _texts(entry.tenpai)}
        case Abort():
            return {"abort": [entry.reason]}
        case Chombo():
            return {"offenders": _texts(entry.offenders)}
    return {}


def _write_wins(wins: Sequence[Win]) -> dict[str, list[str]]:
    fields = {"winner": [str(win.seat) for win in wins]}
    for win in wins:
        fields[f"pao-{win.seat}"] = [] if win.pao is None else [str(win.pao)]
        if isinstance(win, PaidWin):
            fields[f"paid-{win.seat}"] = [written(win.paid)]
            continue
        fields[f"han-{win.seat}"] = [f"{YAKUMAN}{win.yakuman}" if win.yakuman else str(win.han)]
        fields[f"fu-{win.seat}"] = [str(win.fu)] if win.fu else []
    return fields


def _texts(seats: Sequence[int]) -> list[str]:
    return [str(seat) for seat in seats]


def _part(name: str, fields: Fields) -> list[tuple[str, Any]]:
    """Return the keys of an entry that one part of the form gives."""
    match name:
        case "loser":
            return [("loser", _number(fields, "loser", "form.loser_missing"))]
        case "winners":
            return [("winners", [_win(fields, seat) for seat in _seats(fields, "winner")])]
        case "nagashi":
            return [("winners", [{"seat": seat} for seat in _seats(fields, "winner")])]
        case "reason":
            return [("reason", fields.get("abort", ""))]
    return [(name, _seats(fields, name))]


def _win(fields: Fields, seat: int) -> dict[str, Any]:
    han = fields.get(f"han-{seat}", "")
    win: dict[str, Any] = {"seat": seat}
    if _paid_text(fields, seat):
        if han or fields.get(f"fu-{seat}", ""):
            raise InvalidInput([error("paid.and_han", seat=seat)])
        win["han"] = 1  # stands in until the payment takes its place, see _with_payments
    elif han.startswith(YAKUMAN):
        win["yakuman"] = _whole(han.removeprefix(YAKUMAN) or "1")
    else:
        win["han"] = _number(fields, f"han-{seat}", "form.han_missing", seat=seat)
        if fields.get(f"fu-{seat}", ""):
            win["fu"] = _whole(fields.get(f"fu-{seat}", ""))
    if fields.get(f"pao-{seat}", ""):
        win["pao"] = _whole(fields.get(f"pao-{seat}", ""))
    return win


def _with_payments(entry: Entry, fields: Fields) -> Entry:
    """Put what was paid in place of a value, where it was typed."""
    if not isinstance(entry, Ron | Tsumo):
        return entry
    return replace(entry, winners=tuple(_paid_or(win, _paid_text(fields, win.seat)) for win in entry.winners))


def _paid_or(win: Win, text: str) -> Win:
    return PaidWin(seat=win.seat, paid=read_paid(text), pao=win.pao) if text else win


def _paid_text(fields: Fields, seat: int) -> str:
    return fields.get(f"paid-{seat}", "").strip()


def _common(fields: Fields) -> dict[str, Any]:
    """Return what every kind of entry may carry, where it is given."""
    values = {name: _seats(fields, name) for name in ("riichi", "dead")}
    note = " ".join((fields.get("note", "")).split())
    return {name: seats for name, seats in values.items() if seats} | ({"note": note} if note else {})


def _seats(fields: Fields, name: str) -> list[int]:
    return [_whole(value) for value in fields.getlist(name)]


def _number(fields: Fields, name: str, missing: str, **params: int) -> int:
    text = fields.get(name, "")
    if not text:
        raise InvalidInput([error(missing, **params)])
    return _whole(text)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise InvalidInput([error("form.not_a_number", value=text[:20])])
    return int(text)
