"""What the last evening of a season gives: the rank that each place of it means, or the points that a rank needs.

Each figure is that of `scoring.seasons`. By places the order of the others is varied in every way, without ties; by
points the figures of the others stay as they are.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Generic, NamedTuple, TypeVar

from scoring.mers import exact_base_rank
from scoring.seasons import Points, SeasonEvent, SeasonRule, count_games, list_values, make_row, season_table

Key = TypeVar("Key", bound=Hashable)

STEP: Final = 100  # points: scores are played in hundreds
MOST_POINTS: Final = 1_000_000  # that anybody wins or loses on an evening
GOALS: Final = 3  # ranks for which points are given


@dataclass(frozen=True, slots=True)
class EveningFigures(Generic[Key]):
    """Figures after the last evening: `by_place` of who plays it, first place first, and `fixed` of the others.

    None for who has too few games for a rank even then.
    """

    by_place: "Mapping[Key, tuple[Points, ...] | None]"
    fixed: tuple[Points, ...]


class PlaceGives(NamedTuple, Generic[Key]):
    """The ranks of a season that a place of the evening may give.

    It gives the best one unless one of `unless` comes at the place beside it or a better one. Empty where that cannot
    be said by single people.
    """

    place: int
    best: int
    worst: int
    unless: tuple[tuple[Key, int], ...]


class PointsNeed(NamedTuple):
    """The least points of the evening, in steps of 100, that give a rank of the season or a better one."""

    rank: int
    points: int


def evening_figures(
    past: Sequence[SeasonEvent[Key]],
    tonight: Mapping[Key, int],
    rule: SeasonRule,
    carried: Mapping[Key, Points] | None = None,
) -> EveningFigures[Key]:
    """Return the figures by a rule of base ranks of evenings; `tonight` has the games of each who plays the last."""
    by_event, scale = list_values(past, rule)
    values: dict[Key, list[Points]] = {}
    for found in by_event:
        for person, mine in found.items():
            values.setdefault(person, []).extend(mine)
    games = count_games(past)
    worth = [exact_base_rank(place, len(tonight)) * scale for place in range(1, len(tonight) + 1)]

    def figure(person: Key, more: Sequence[Points]) -> "Points | None":
        count = games[person] + tonight.get(person, 0)
        row = make_row(person, [*values.get(person, ()), *more], scale, count, rule, (carried or {}).get(person, 0))
        return None if row.rank is None else row.figure

    by_place: dict[Key, tuple[Points, ...] | None] = {}
    for person in tonight:
        figures = [each for value in worth if (each := figure(person, [value])) is not None]
        by_place[person] = tuple(figures) or None
    others = (figure(person, ()) for person in values if person not in tonight)
    return EveningFigures(by_place, tuple(each for each in others if each is not None))


def place_gives(figures: EveningFigures[Key], me: Key) -> list[PlaceGives[Key]]:
    """Return what each place of the evening gives a person, the first place first; nothing for who gets no rank.

    >>> figures = EveningFigures({"a": (9, 5), "b": (7, 3)}, (6,))
    >>> place_gives(figures, "a")
    [PlaceGives(place=1, best=1, worst=1, unless=()), PlaceGives(place=2, best=3, worst=3, unless=())]
    """
    mine = figures.by_place[me] or ()
    rivals = {person: each for person, each in figures.by_place.items() if each and person != me}
    return [_gives(place, figure, rivals, figures.fixed) for place, figure in enumerate(mine, start=1)]


def _gives(
    place: int, figure: Points, rivals: Mapping[Key, Sequence[Points]], fixed: Sequence[Points]
) -> PlaceGives[Key]:
    above = 1 + sum(each > figure for each in fixed)
    last = {person: sum(each > figure for each in mine) for person, mine in rivals.items()}  # place that is ahead of me
    ahead = {person: at - (place <= at) for person, at in last.items()}  # places that are left to be ahead with
    left = {person: len(rivals[person]) - 1 - count for person, count in ahead.items()}
    best = above + len(rivals) - _most_seated(left.values())
    worst = above + _most_seated(ahead.values())
    sure = sum(not count for count in left.values())
    unless = tuple((person, at) for person, at in last.items() if ahead[person] and left[person])
    return PlaceGives(place, best, worst, unless if best == above + sure and best < worst else ())


def _most_seated(counts: Iterable[int]) -> int:
    """Return how many people get a place of their own, each among so many of the first places."""
    seated = 0
    for count in sorted(counts):
        seated += count > seated
    return seated


def points_needs(
    mine: Sequence[SeasonEvent[Key]], me: Key, left: int, rule: SeasonRule, others: Sequence[Points], start: Points = 0
) -> list[PointsNeed]:
    """Return what a person needs in the games that are `left` of the last of `mine`, for the nearest ranks.

    `mine` are the events with the points of this person alone, `others` the figures of who has a rank. Where games
    count each, the points are spread over them evenly. Nothing for who gets no rank, for a rank that needs as much as a
    better one, and where no points change it.
    """
    *past, tonight = mine

    def rank(points: int) -> int:
        games = [*tonight.games, *([{me: Fraction(points, left)}] * left)]
        (row,) = season_table([*past, SeasonEvent(games, tonight.weight)], rule, {me: start})
        return 0 if row.rank is None else 1 + sum(each > row.figure for each in others)

    now = rank(0)
    needs: list[PointsNeed] = []
    for wanted in range(max(1, now - GOALS + 1), now + 1) if now else ():
        low, high = -MOST_POINTS // STEP, MOST_POINTS // STEP
        if rank(low * STEP) > wanted >= rank(high * STEP):
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if rank(middle * STEP) <= wanted else (middle, high)
            if not needs or needs[-1].points > high * STEP:
                needs.append(PointsNeed(rank(high * STEP), high * STEP))
    return needs
