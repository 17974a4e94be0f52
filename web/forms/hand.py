"""A hand as a referee gives it: one line of shorthand, or a form with a row for each player. Mapped to an entry, not judged."""

from typing import Any, Protocol

from scoring import shorthand
from scoring.entries import Entry, from_json
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


class Fields(Protocol):
    """What a submitted form offers: one value or all values of a name."""

    def get(self, key: str, default: str = ..., /) -> str | None: ...
    def getlist(self, key: str, /) -> list[str]: ...


def read_hand(fields: Fields) -> Entry:
    """Return the entry of a submitted line or form; raises InvalidInput with what cannot be read."""
    if fields.get("how", "line") != "form":
        return shorthand.parse(fields.get("line", "") or "")
    kind = fields.get("kind", "") or ""
    if kind not in KIND_FIELDS:
        raise InvalidInput([error("form.kind_missing")])
    return from_json({"kind": kind, **{key: value for name in KIND_FIELDS[kind] for key, value in _part(name, fields)}} | _riichi(fields))


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
            return [("reason", fields.get("abort", "") or "")]
    return [(name, _seats(fields, name))]


def _win(fields: Fields, seat: int) -> dict[str, Any]:
    han = fields.get(f"han-{seat}", "") or ""
    win: dict[str, Any] = {"seat": seat}
    if han.startswith(YAKUMAN):
        win["yakuman"] = _whole(han.removeprefix(YAKUMAN) or "1")
    else:
        win["han"] = _number(fields, f"han-{seat}", "form.han_missing", seat=seat)
        if fields.get(f"fu-{seat}", ""):
            win["fu"] = _whole(fields.get(f"fu-{seat}", "") or "")
    if fields.get(f"pao-{seat}", ""):
        win["pao"] = _whole(fields.get(f"pao-{seat}", "") or "")
    return win


def _riichi(fields: Fields) -> dict[str, Any]:
    riichi = _seats(fields, "riichi")
    return {"riichi": riichi} if riichi else {}


def _seats(fields: Fields, name: str) -> list[int]:
    return [_whole(value) for value in fields.getlist(name)]


def _number(fields: Fields, name: str, missing: str, **params: int) -> int:
    text = fields.get(name, "") or ""
    if not text:
        raise InvalidInput([error(missing, **params)])
    return _whole(text)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise InvalidInput([error("form.not_a_number", value=text[:20])])
    return int(text)
