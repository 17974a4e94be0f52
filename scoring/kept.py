"""A table that works out what it is asked for the first time, and keeps it."""

from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Kept(dict[Key, Value]):
    """A dict whose missing values are worked out from their keys; full, it begins anew.

    >>> squares = Kept(lambda number: number * number, most=2)
    >>> squares[12], dict(squares)
    (144, {12: 144})
    """

    def __init__(self, work_out: Callable[[Key], Value], *, most: int) -> None:
        super().__init__()
        self._work_out = work_out
        self._most = most

    def __missing__(self, key: Key) -> Value:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._work_out(key)
        return value
