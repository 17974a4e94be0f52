"""How a table is set up by each book: seats, walls, dead wall, deal; from `rules/books/procedure/KEY.toml`.

A file that says `extends` states only what is not as in the other one. A book without a file is set up as usual for its
number of players. Strict, as the books are: every cell has its clause, or why the reading is ours.
"""

import dataclasses
import functools
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from rules.books import WRITTEN, Citation, read_citation
from rules.ruleset import Ruleset, RulesetError

FILES = Path(__file__).parent / "books" / "procedure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """How a table is set up, in the order of doing it.

    `stacks` in each player's wall, two tiles each; `dice` that East rolls to break it; `dead_wall` in tiles;
    `indicator` is the stack whose upper tile is turned, counted from the gap.
    """

    seat_draw: Literal["list", "wind_tiles"]
    first_dealer: Literal["first_seat", "die_twice"]
    stacks: int
    dice: int
    dead_wall: int
    indicator: int
    refill: Literal["one_by_one", "split_early"]
    deal: Literal["first_and_third", "two_on_top"]

    @property
    def replacements(self) -> int:
        """How many tiles lie between the gap and the indicator: those drawn after a kan or a kita."""
        return 2 * (self.indicator - 1)


@dataclass(frozen=True, slots=True)
class CitedProcedure:
    """A procedure with the citation of each value, by field name."""

    procedure: Procedure
    citations: Mapping[str, Citation]


_TYPES = typing.get_type_hints(Procedure)
_OWN = frozenset(path.stem for path in FILES.glob("*.toml"))


def procedure_of(rules: Ruleset) -> CitedProcedure:
    """Return how a table is set up under a rule set: by its book, else as usual for its number of players.

    >>> from rules.books import load
    >>> procedure_of(load('sanmatsuri-2026')).procedure.replacements
    8
    """
    return read_procedure(FILES / f"{rules.key if rules.key in _OWN else f'usual-{rules.players}'}.toml")


@functools.cache
def read_procedure(path: Path) -> CitedProcedure:
    """Read one file, with the file that it extends.

    Raises RulesetError with file and key for anything unknown, missing or ill-typed.
    """
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RulesetError(f"{path.name}: not readable as TOML: {error}") from error
    values: dict[str, Any] = {}
    citations: dict[str, Citation] = {}
    if under := data.pop("extends", ""):
        base = read_procedure(path.with_name(f"{under}.toml"))
        values, citations = dataclasses.asdict(base.procedure), dict(base.citations)
    for name, cell in data.items():
        if name not in _TYPES:
            raise RulesetError(f"{path.name}: unknown key '{name}'")
        cited = read_citation({key: cell[key] for key in cell if key != "is"}) if isinstance(cell, dict) else None
        if cited is None or "is" not in cell:
            raise RulesetError(f"{path.name}: key '{name}' {WRITTEN}")
        value, hint = cell["is"], _TYPES[name]
        if not (type(value) is int and value > 0 if hint is int else value in typing.get_args(hint)):
            raise RulesetError(f"{path.name}: key '{name}' cannot be {value!r}")
        values[name], citations[name] = value, cited
    for name in _TYPES:
        if name not in values:
            raise RulesetError(f"{path.name}: key '{name}' is missing")
    return CitedProcedure(Procedure(**values), types.MappingProxyType(citations))
