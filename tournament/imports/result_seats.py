"""Who sits where at an event that has its seats: a results file then needs only players and points.

It looks up and fills what a file leaves out; what a file does say is never changed, but names become those of the list.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.problems import Problem, error
from tournament.imports.cells import SheetRow, column_letter
from tournament.imports.columns import Header
from tournament.imports.numbers import read_whole_number
from tournament.imports.schedule_people import Entrant, People
from tournament.imports.schedule_reading import SeatText

Place = tuple[int, int]  # table, seat


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats of an event: (round, player's number) → place. `only`: the one round that a file is about, if it is."""

    entrants: Sequence[Entrant]
    places: Mapping[tuple[int, int], Place]
    only: int | None = None
    people: People = field(init=False)

    def __post_init__(self) -> None:
        # who has left still has results of the rounds before
        everybody = [Entrant(entrant.number, entrant.name) for entrant in self.entrants]
        object.__setattr__(self, "people", People(everybody))

    def fill(self, fields: Mapping[str, str], row: SheetRow, header: Header) -> tuple[dict[str, str], list[Problem]]:
        """Return a line's fields with the name of the list, and with round, table and seat where it has none."""
        filled = dict(fields)
        if "round" not in header.meanings:
            filled["round"] = str(self.only or "")
        if not fields["player"]:
            return filled | {"table": fields.get("table") or "1", "seat": fields.get("seat") or "0"}, []
        found = self.people.find(player_text(fields["player"], row, header))
        if found.problem or found.number is None:
            return filled, [_in_row(found.problem, row)] if found.problem else []
        name, round_ = self.people.by_number[found.number].name, read_whole_number(filled["round"])
        place = self.places.get((round_ or 0, found.number))
        if place is None:
            return filled, [error("results.not_seated", row=row.number, name=name, round=filled["round"])]
        table, seat = place
        filled["player"] = name
        filled.setdefault("table", str(table))
        filled.setdefault("seat", str(seat))
        return filled, []


def _in_row(problem: Problem, row: SheetRow) -> Problem:
    """Return a problem that names a cell with the number of its row beside, so that it is shown there."""
    return replace(problem, params={**problem.params, "row": row.number})


def player_text(text: str, row: SheetRow, header: Header) -> SeatText:
    """Return what stands in a row's cell of the player, in the form in which people are looked up."""
    index = next(column.index for column in header.columns if column.used and column.meaning == "player")
    return SeatText(row.number, f"{column_letter(index)}{row.number}", 0, 0, "", text)
