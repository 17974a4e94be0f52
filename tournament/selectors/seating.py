"""The draw of an event looked at: its tables round by round, and its quality counted anew from the seats."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from tournament.models import Event, Seat, Table
from tournament.models.draw import RoundState
from tournament.seating.errors import SeatingError
from tournament.seating.quality import assess
from tournament.seating.schedule import Report
from tournament.selectors.tables import SeatedPlayer


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """One table of the draw, seats in order."""

    number: int
    seats: tuple[SeatedPlayer, ...]


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """One round of the draw."""

    number: int
    state: RoundState
    tables: tuple[DrawnTable, ...]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players who sit at one table more than once, and in which rounds."""

    names: tuple[str, str]
    rounds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """All rounds drawn, their report (None where the players of the rounds differ), and who meets again."""

    seed: int | None
    rounds: tuple[DrawnRound, ...]
    report: Report | None
    meetings: tuple[Meeting, ...]


def get_draw(event: Event) -> Draw:
    """Return the draw of an event; three queries."""
    states = {row.pk: row for row in event.rounds.all()}
    found = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    grouped: dict[int, dict[int, list[SeatedPlayer]]] = {pk: {} for pk in states}
    for round_, table, seat, number, name in found.values_list(
        "round_id", "table__number", "seat", "player__number", "player__person__preferred_name"
    ):
        grouped[round_].setdefault(table, []).append(SeatedPlayer(seat, number, name))
    rounds = tuple(
        DrawnRound(
            states[pk].number,
            states[pk].state,
            tuple(DrawnTable(number, tuple(seats)) for number, seats in tables.items()),
        )
        for pk, tables in grouped.items()
    )
    return Draw(event.seed, rounds, _report(rounds), _meetings(rounds))


def count_tables(event: Event, round_: int) -> int:
    """Count the tables of a round; one query."""
    return Table.objects.filter(round__event=event, round__number=round_).count()


def _report(rounds: tuple[DrawnRound, ...]) -> Report | None:
    numbers = sorted({player.number for row in rounds for table in row.tables for player in table.seats})
    if not rounds or not numbers:
        return None
    place = {number: index for index, number in enumerate(numbers)}
    seats = [[[place[player.number] for player in table.seats] for table in row.tables] for row in rounds]
    try:
        return assess(seats, len(numbers), len(rounds[0].tables[0].seats))
    except SeatingError:
        return None


def _meetings(rounds: tuple[DrawnRound, ...]) -> tuple[Meeting, ...]:
    names: dict[int, str] = {}
    met: Counter[tuple[int, int]] = Counter()
    when: dict[tuple[int, int], list[int]] = {}
    for row in rounds:
        for table in row.tables:
            names |= {player.number: player.name for player in table.seats}
            for pair in combinations(sorted(player.number for player in table.seats), 2):
                met[pair] += 1
                when.setdefault(pair, []).append(row.number)
    again = [pair for pair, times in met.items() if times > 1]
    return tuple(Meeting((names[a], names[b]), tuple(when[a, b])) for a, b in sorted(again))
