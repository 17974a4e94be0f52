"""A draw before the start, from what is asked to who sits where: people onto numbers, numbers onto seats.

Pure: takes plain values, gives plain values, and knows no database. The same plan gives the same draw on every machine
unless somebody, or a slow clock, ends the search early; `Found.cut_short` says so.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tournament.draws.report import DrawReport, report_on
from tournament.draws.wishes import PLAIN, Asked, Entrant, read_asked, wishes_of
from tournament.hash_chain import canonical
from tournament.seating.draw import TIME_LIMIT
from tournament.seating.rng import shuffle_players
from tournament.seating.schedule import Field
from tournament.seating.search_budget import NOBODY_WATCHES, Watch
from tournament.seating.uneven import UnevenOption, Way, draw_uneven, option_for, options_for

# Seconds buy steps, the same on every machine. Without wishes as many as `manage.py seat` takes, so that it agrees.
WISHES_LIMIT: Final = 15.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be drawn: the field, the seed, the wishes, and how players who fill no table are seated.

    `entrants` stand in the order of their numbers; `last` is the highest number of the event, after which substitutes
    are numbered.
    """

    entrants: tuple[Entrant, ...]
    table_size: int
    rounds: int
    last: int
    seed: int = 0
    way: str = Way.FULL.value
    asked: Asked = PLAIN

    @property
    def option(self) -> UnevenOption:
        """The way of the field; raises SeatingError where the players do not allow it."""
        players = len(self.entrants)
        if self.way == Way.FULL:
            Field(players, self.table_size, self.rounds)
        return option_for(Way(self.way), players, self.table_size, self.rounds)

    @property
    def substitutes(self) -> tuple[int, ...]:
        """The numbers that substitutes will have."""
        return tuple(range(self.last + 1, self.last + 1 + self.option.substitutes))

    @property
    def fingerprint(self) -> str:
        """A hash of the field: another list of players, table size or number of rounds has another."""
        people = [[each.number, each.club, each.country] for each in self.entrants]
        return hashlib.sha256(canonical([self.table_size, self.rounds, self.last, people]).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Found:
    """A draw in player numbers of the event: rounds of tables in seat order, who rests in each, and its report."""

    rounds: tuple[tuple[tuple[int, ...], ...], ...]
    resting: tuple[tuple[int, ...], ...]
    substitutes: tuple[int, ...]
    report: DrawReport
    cut_short: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """What an event's seats were drawn from, beside the seed; `substitutes` are player numbers."""

    players: int
    way: str
    substitutes: tuple[int, ...]
    asked: Asked
    cut_short: bool

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "players": self.players,
            "way": self.way,
            "substitutes": list(self.substitutes),
            "asked": self.asked.as_json(),
            "cut_short": self.cut_short,
        }


def read_drawn(value: object) -> Drawn | None:
    """Return what `Drawn.as_json` wrote, None where it is not known."""
    if not isinstance(value, Mapping):
        return None
    try:
        return Drawn(
            players=int(value["players"]),
            way=str(value["way"]),
            substitutes=tuple(int(number) for number in value["substitutes"]),
            asked=read_asked(value["asked"]),
            cut_short=bool(value["cut_short"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def ways_for(players: int, table_size: int, rounds: int) -> tuple[UnevenOption, ...]:
    """Return the ways to seat so many players with the cost of each; raises SeatingError where there is none."""
    return options_for(players, table_size, rounds)


def search(plan: Plan, watch: Watch = NOBODY_WATCHES) -> Found:
    """Draw; raises SeatingError where the numbers do not go together. May take many seconds: hold no lock meanwhile."""
    option = plan.option
    order = shuffle_players([each.number for each in plan.entrants], plan.seed)
    numbers = [*order, *plan.substitutes]
    place = {number: at for at, number in enumerate(numbers)}
    drawn = draw_uneven(
        option,
        seed=plan.seed,
        time_limit=WISHES_LIMIT if plan.asked.used else TIME_LIMIT,
        wishes=wishes_of(plan.asked, plan.entrants, place, len(option.sizes)),
        watch=watch,
    )
    rounds = tuple(tuple(tuple(numbers[who] for who in table) for table in tables) for tables in drawn.rounds)
    return Found(
        rounds=rounds,
        resting=tuple(tuple(sorted(numbers[who] for who in resting)) for resting in drawn.resting),
        substitutes=plan.substitutes,
        report=report_on(
            rounds, plan.table_size, asked=plan.asked, entrants=plan.entrants, substitutes=plan.substitutes
        ),
        cut_short=drawn.cut_short,
    )
