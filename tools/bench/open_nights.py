"""Nights of open play: what *Suggest* gives beside pure chance, in meetings, rests and first winds.

`python -m tools.bench.open_nights [NIGHTS] [PEOPLE]` prints one JSON object a way. A season is 25 nights of the same
people; tables end between 50 and 80 minutes after they began, a few people come late and leave early. Either way tables
are filled once eight wait, or somebody has waited for 20 minutes, or nobody plays: four who just played would meet
again.
"""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from statistics import mean, pstdev
from typing import Final, Literal

from scoring.suggest import WaitingPlayer, suggest_tables

SIZE: Final = 4
EVENINGS: Final = 25  # of a season
PATIENCE: Final = 20  # minutes that four wait for four more
NIGHT: Final = 240  # minutes in which tables may begin

Way = Literal["suggest", "chance"]


@dataclass
class ClubSeason:
    """What a season remembers: meetings, minutes between games and first winds."""

    meetings: Counter[tuple[int, int]] = field(default_factory=Counter)
    rested: Counter[int] = field(default_factory=Counter)
    winds: dict[int, list[int]] = field(default_factory=dict)


@dataclass
class NightResult:
    """A night: its tables, games by player, meetings repeated in it and the longest wait in minutes."""

    tables: list[tuple[int, ...]] = field(default_factory=list)
    games: Counter[int] = field(default_factory=Counter)
    repeats: int = 0
    longest: int = 0


def simulate_night(season: ClubSeason, people: int, way: Way, rng: Random) -> NightResult:
    """Play one night: whenever four wait, a table is filled one way; the season learns of it."""
    night, tonight = NightResult(), Counter[tuple[int, int]]()
    comes = {key: (rng.randrange(60) if rng.random() < 0.2 else 0) for key in range(people)}
    leaves = {key: (rng.randrange(120, NIGHT) if rng.random() < 0.2 else NIGHT) for key in range(people)}
    since: dict[int, int] = {}
    playing: list[tuple[int, tuple[int, ...]]] = []
    for minute in range(0, NIGHT + 1, 5):
        for key in [key for key, at in comes.items() if at <= minute]:
            since[key] = comes.pop(key)
        for table in [table for ends, table in playing if ends <= minute]:
            since |= dict.fromkeys(table, minute)
        playing = [(ends, table) for ends, table in playing if ends > minute]
        since = {key: at for key, at in since.items() if leaves[key] > minute}
        if playing and len(since) < 2 * SIZE and all(minute - at < PATIENCE for at in since.values()):
            continue
        for table in _fill(season, night, since, minute, way, rng, tonight):
            _sit(season, night, table, since, minute, tonight)
            playing.append((minute + rng.randrange(50, 81), table))
    return night


def _fill(
    season: ClubSeason,
    night: NightResult,
    since: dict[int, int],
    minute: int,
    way: Way,
    rng: Random,
    tonight: Counter[tuple[int, int]],
) -> Sequence[tuple[int, ...]]:
    if way == "chance":
        order = rng.sample(sorted(since), len(since))
        return [tuple(order[first : first + SIZE]) for first in range(0, len(order) - SIZE + 1, SIZE)]
    waiting = [
        WaitingPlayer(key, minute - at, night.games[key], season.rested[key], tuple(season.winds.get(key, [0] * SIZE)))
        for key, at in since.items()
    ]
    return suggest_tables(waiting, season.meetings + tonight, sizes=(SIZE,)).tables


def _sit(
    season: ClubSeason,
    night: NightResult,
    table: tuple[int, ...],
    since: dict[int, int],
    minute: int,
    tonight: Counter[tuple[int, int]],
) -> None:
    for wind, key in enumerate(table):
        waited = minute - since.pop(key)
        night.longest = max(night.longest, waited)
        if night.games[key]:
            season.rested[key] += waited
        night.games[key] += 1
        season.winds.setdefault(key, [0] * SIZE)[wind] += 1
    for pair in combinations(sorted(table), 2):
        night.repeats += tonight[pair]
        tonight[pair] += 1
        season.meetings[pair] += 1
    night.tables.append(table)


def measure(nights: int, people: int, way: Way) -> dict[str, float]:
    """Return the figures of so many nights one way, from fixed seeds."""
    figures: dict[str, list[float]] = {name: [] for name in NAMES}
    games = 0
    for number in range(max(nights // EVENINGS, 1)):
        season, rng = ClubSeason(), Random(number)
        for _evening in range(min(nights, EVENINGS)):
            night = simulate_night(season, people, way, rng)
            games += len(night.tables)
            figures["repeats_a_night"].append(night.repeats)
            figures["longest_wait"].append(night.longest)
        met = [season.meetings[pair] for pair in combinations(range(people), 2)]
        rested = [season.rested[key] for key in range(people)]
        figures["met_least"].append(min(met))
        figures["met_most"].append(max(met))
        figures["met_deviation"].append(pstdev(met))
        figures["rest_minutes"].append(mean(rested))
        figures["rest_deviation"].append(pstdev(rested))
        figures["winds_spread"].append(mean(max(winds) - min(winds) for winds in season.winds.values()))
    return {"games": games, **{name: round(mean(each), 2) for name, each in figures.items()}}


NAMES: Final = (
    "repeats_a_night", "longest_wait", "met_least", "met_most", "met_deviation", "rest_minutes", "rest_deviation",
    "winds_spread",
)  # fmt: skip


def main() -> None:
    """Print the figures of both ways."""
    nights, people = [int(text) for text in (*sys.argv[1:], *("1000", "17")[len(sys.argv) - 1 :])]
    ways: tuple[Way, Way] = ("suggest", "chance")
    for way in ways:
        sys.stdout.write(f"{json.dumps({'way': way, 'nights': nights, **measure(nights, people, way)})}\n")


if __name__ == "__main__":
    main()
