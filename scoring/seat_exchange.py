"""Two players in each other's seats: an entry, or values by seat, as they would be after an exchange."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from scoring.entries import Entry


def exchange_seats(entry: Entry, one: int, other: int) -> Entry:
    """Return an entry with two seats exchanged wherever it names one; its own inverse."""
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(entry):
        value = getattr(entry, field.name)
        match field.name:
            case "riichi" | "dead" | "tenpai" | "offenders":
                changed[field.name] = tuple(_other(seat, one, other) for seat in value)
            case "loser":
                changed[field.name] = _other(value, one, other)
            case "announced" if value is not None:
                changed[field.name] = {_other(seat, one, other): points for seat, points in value.items()}
            case "deltas" | "scores":
                changed[field.name] = by_seat(value, (one, other))
            case "winners":
                changed[field.name] = tuple(_winner(win, one, other) for win in value)
    return dataclasses.replace(entry, **changed)


def by_seat(values: Sequence[int], exchanged: tuple[int, int] | None) -> tuple[int, ...]:
    """Return a value for each seat with two seats exchanged."""
    if exchanged is None or max(exchanged) >= len(values):
        return tuple(values)
    return tuple(values[_other(seat, *exchanged)] for seat in range(len(values)))


def _winner(win: Any, one: int, other: int) -> Any:
    if isinstance(win, int):
        return _other(win, one, other)
    pao = None if win.pao is None else _other(win.pao, one, other)
    return dataclasses.replace(win, seat=_other(win.seat, one, other), pao=pao)


def _other(seat: int, one: int, other: int) -> int:
    return {one: other, other: one}.get(seat, seat)
