"""A draw before the start: from wishes to seats, by player numbers of the event. Pure.

The same plan gives the same draw on every machine unless its search is ended early; `Found.cut_short` says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.problems import ProblemType
from tournament.core.errors import Refused
from tournament.core.hash_chain import checksum
from tournament.core.limits import MOST_INTEGER
from tournament.seating.plan_report import DrawReport, report_on
from tournament.seating.plan_wishes import PLAIN, Asked, Entrant, read_asked, wishes_of
from tournament.seating.search.annealing_search_budget import NOBODY_WATCHES, Watch
from tournament.seating.search.draw_1 import TIME_LIMIT
from tournament.seating.search.draw_uneven import UnevenOption, Way, draw_uneven, option_for
from tournament.seating.search.schedule_1 import Field
from tournament.seating.search.schedule_rng import shuffle_players

DRAW_SEED_OUT_OF_RANGE = ProblemType("draw.seed_out_of_range", "A seed is a whole number from 0 to {most}.")

# Seconds stand for a number of steps, the same on every machine. Without wishes: as many as `manage.py seat` takes.
WISHES_LIMIT: Final = 15.0
MOST_SEED: Final = MOST_INTEGER


def check_seed(seed: int) -> None:
    """Raise Refused for a seed out of range."""
    if not 0 <= seed <= MOST_SEED:
        raise Refused(DRAW_SEED_OUT_OF_RANGE(most=MOST_SEED))


@dataclass(frozen=True, slots=True)
class Plan:
    """A draw to make: the field, the seed, the wishes, and how players who fill no table are seated.

    `entrants` are in the order of their numbers; substitutes are numbered on from `last`, the event's highest number.
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
        """The hash of the field: players, table size and number of rounds."""
        people = [[each.number, each.club, each.country] for each in self.entrants]
        return checksum([self.table_size, self.rounds, self.last, people])


@dataclass(frozen=True, slots=True)
class Found:
    """A draw in player numbers of the event: rounds of tables in seat order, players resting in each, its report."""

    rounds: tuple[tuple[tuple[int, ...], ...], ...]
    resting: tuple[tuple[int, ...], ...]
    substitutes: tuple[int, ...]
    report: DrawReport
    cut_short: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """The origin of an event's seats, besides the seed; `substitutes` are player numbers."""

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
    """Read what `Drawn.as_json` wrote; None where it is unreadable."""
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


def search(plan: Plan, watch: Watch = NOBODY_WATCHES) -> Found:
    """Draw; raises SeatingError for an impossible field. May take many seconds: hold no lock meanwhile."""
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
