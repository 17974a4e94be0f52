"""The remaining rounds, filled or redrawn after a player left, came late or returned. Pure.

Players are their numbers of the event, rounds count from 1.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from scoring.problems import ProblemType
from tournament.core.errors import Refused
from tournament.core.hash_chain import checksum
from tournament.seating.plan_1 import Drawn, check_seed
from tournament.seating.plan_report import meetings
from tournament.seating.plan_wishes import PLAIN, Asked, Entrant, wishes_of
from tournament.seating.search.draw_uneven import Way
from tournament.seating.search.outcome_1 import Outcome, judge_wishes
from tournament.seating.search.quality_1 import Tally, tally
from tournament.seating.search.redraw import Remainder, count_new_repeats, put_in, redraw
from tournament.seating.search.schedule_1 import Round, Rounds
from tournament.seating.search.schedule_errors import SeatingError
from tournament.seating.search.wishes_1 import Wishes

REDRAW_NOTHING_LEFT = ProblemType("redraw.nothing_left", "No round is left to redraw: all have begun or are published.")
REDRAW_PLAYER_UNKNOWN = ProblemType(
    "redraw.player_unknown", "Somebody chosen is not a player of this event: load the page again."
)
REDRAW_FILL_CLOSED = ProblemType(
    "redraw.fill_closed", "{players} players in tables of {table_size} cannot go on in this way: choose another."
)

Stage: TypeAlias = Literal["begun", "published", "open"]
Fill: TypeAlias = Literal["put_in", "full", "substitutes", "rests"]

FILLS: Final[tuple[Fill, ...]] = ("put_in", "full", "substitutes", "rests")


@dataclass(frozen=True, slots=True)
class RoundNow:
    """A round: "begun" once its clock runs or a hand is written; tables by number, empty where there is none."""

    number: int
    stage: Stage
    tables: Round


@dataclass(frozen=True, slots=True)
class Guest:
    """A player as a redraw sees one."""

    number: int
    name: str
    club: str
    country: str
    ranked: bool
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class FieldNow:
    """An event's players and rounds at one moment, with the wishes that its seats were drawn from."""

    guests: tuple[Guest, ...]
    rounds: tuple[RoundNow, ...]
    table_size: int
    asked: Asked = PLAIN

    @property
    def last(self) -> int:
        """The highest number of a player."""
        return max((guest.number for guest in self.guests), default=0)

    @property
    def names(self) -> dict[int, str]:
        return {guest.number: guest.name for guest in self.guests}

    @property
    def fingerprint(self) -> str:
        """The hash of all seats, players and stages of rounds."""
        people = [[each.number, each.club, each.country, each.withdrawn] for each in self.guests]
        rounds = [[each.number, each.stage, each.tables] for each in self.rounds]
        return checksum([people, rounds, self.table_size, self.asked.as_json()])

    def left(self, published: Sequence[int] = ()) -> tuple[RoundNow, ...]:
        """Return the rounds that may be redrawn: unpublished ones, and published ones not begun and named here."""
        return tuple(
            each
            for each in self.rounds
            if each.stage == "open" or (each.stage == "published" and each.number in published)
        )

    def wishes(self, tables: int) -> Wishes:
        """Return the event's wishes, by players' own numbers."""
        entrants = [Entrant(each.number, each.club, each.country) for each in self.guests]
        return wishes_of(self.asked, entrants, {each.number: each.number for each in entrants}, tables)


@dataclass(frozen=True, slots=True)
class RedrawAsked:
    """The redraw asked for: who goes on, how gaps are filled, which published rounds are redrawn too, the seed."""

    going: tuple[int, ...]
    fill: Fill
    seed: int
    published: tuple[int, ...] = ()

    def as_json(self) -> list[object]:
        """Return it as plain values."""
        return [list(self.going), self.fill, self.seed, list(self.published)]


@dataclass(frozen=True, slots=True)
class Again:
    """Two players at one table in several rounds; `new` where the old plan had fewer."""

    players: tuple[int, int]
    rounds: tuple[int, ...]
    new: bool


@dataclass(frozen=True, slots=True)
class RedrawPlan:
    """The planned rounds: those that change, who replaces whom (`pairs`), and the figures of the whole event.

    `resting` and `substitutes` (new numbers) as in `seating.redraw`. `new_repeats` counts each meeting of the redrawn
    rounds by the times the two had met. `missed` are the wishes missed, `missed_before` the misses of the old plan by
    key.
    """

    asked: RedrawAsked
    rounds: Mapping[int, Round]
    substitutes: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    resting: Mapping[int, tuple[int, ...]]
    left: tuple[int, ...]
    returned: tuple[int, ...]
    before: Tally
    after: Tally
    new_repeats: int
    again: tuple[Again, ...]
    missed: tuple[Outcome, ...]
    missed_before: Mapping[str, int]
    field: str
    cut_short: bool = False

    @property
    def fingerprint(self) -> str:
        """The hash of field, request and rounds: confirming it confirms exactly this plan."""
        return checksum([self.field, self.asked.as_json(), sorted(self.rounds.items())])


def fills_for(field: FieldNow, going: Sequence[int], published: Sequence[int] = ()) -> tuple[Fill, ...]:
    """Return the possible fills: substitutes in the seats of leavers, and the draws that the field allows."""
    leavers, joiners = _changes(field, going, published)
    in_place: tuple[Fill, ...] = ("put_in",) if leavers and len(joiners) <= len(leavers) else ()
    if len(going) < field.table_size or not field.left(published):
        return in_place
    if len(going) % field.table_size:
        return (*in_place, "substitutes", "rests")
    return (*in_place, "full")


def plan_redraw(field: FieldNow, asked: RedrawAsked) -> RedrawPlan:
    """Plan a redraw; may take seconds. Raises Refused where nothing is left to draw or the numbers do not fit."""
    left = field.left(asked.published)
    _check(field, asked, left)
    if asked.fill == "put_in":
        made, pairs, substitutes, cut_short = *_fill_seats(field, asked, left), False
    else:
        made, substitutes, cut_short = _redraw(field, asked, left)
        pairs = ()
    return _judge(field, asked, made, substitutes, pairs, cut_short)


def _check(field: FieldNow, asked: RedrawAsked, left: Sequence[RoundNow]) -> None:
    known = {guest.number for guest in field.guests}
    if not left:
        raise Refused(REDRAW_NOTHING_LEFT())
    if set(asked.going) - known or len(set(asked.going)) != len(asked.going):
        raise Refused(REDRAW_PLAYER_UNKNOWN())
    check_seed(asked.seed)
    if asked.fill not in fills_for(field, asked.going, asked.published):
        raise Refused(REDRAW_FILL_CLOSED(players=len(asked.going), table_size=field.table_size))


def _changes(field: FieldNow, going: Sequence[int], published: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the leavers (a seat ahead, not going on) and the joiners (going on without a seat)."""
    seated = {who for each in field.left(published) for table in each.tables for who in table}
    return sorted(seated - set(going)), sorted(set(going) - seated)


def _fill_seats(
    field: FieldNow, asked: RedrawAsked, left: Sequence[RoundNow]
) -> tuple[dict[int, Round], tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Put joiners, then new substitutes, into the seats of leavers; nothing else changes."""
    leavers, joiners = _changes(field, asked.going, asked.published)
    new = tuple(range(field.last + 1, field.last + 1 + len(leavers) - len(joiners)))
    pairs = tuple(zip(leavers, [*joiners, *new], strict=True))
    rounds: Rounds = tuple(each.tables for each in left)
    for leaver, joiner in pairs:
        rounds = put_in(rounds, 1, leaver, joiner)
    return {each.number: tables for each, tables in zip(left, rounds, strict=True)}, pairs, new


def _redraw(
    field: FieldNow, asked: RedrawAsked, left: Sequence[RoundNow]
) -> tuple[dict[int, Round], tuple[int, ...], bool]:
    numbers = {each.number for each in left}
    kept = [each for each in field.rounds if each.number not in numbers]
    order = {each.number: at for at, each in enumerate([*kept, *left], start=1)}
    tables = max((len(each.tables) for each in field.rounds), default=1)
    remainder = Remainder(
        played=tuple(each.tables for each in kept),
        players=tuple(sorted(asked.going)),
        table_size=field.table_size,
        rounds=len(left),
        way=Way.RESTS if asked.fill == "rests" else Way.SUBSTITUTES,
        planned=tuple(each.tables for each in left),
        rested=_rested(kept, asked.going),
    )
    try:
        drawn = redraw(remainder, seed=asked.seed, wishes=_in_order(field.wishes(tables), order))
    except SeatingError as wrong:
        raise Refused(wrong.problem) from wrong
    own = {number: field.last + 1 + at for at, number in enumerate(sorted(drawn.substitutes))}
    made = {
        each.number: tuple(tuple(own.get(who, who) for who in table) for table in tables_now)
        for each, tables_now in zip(left, drawn.rounds[len(kept) :], strict=True)
    }
    return made, tuple(own.values()), drawn.cut_short


def _rested(kept: Sequence[RoundNow], going: Sequence[int]) -> dict[int, int]:
    """Return in how many kept rounds each had no seat, for players who had one in any."""
    seats = Counter(who for each in kept for table in each.tables for who in table)
    return {who: len(kept) - seats[who] for who in going if seats[who] and seats[who] < len(kept)}


def _in_order(wishes: Wishes, order: Mapping[int, int]) -> Wishes:
    """Return the wishes with rounds renumbered in the order of the search: kept ones first."""
    moved = [
        replace(wish, rounds=tuple(sorted(order[number] for number in wish.rounds if number in order)))
        for wish in wishes.order
        if not wish.rounds or any(number in order for number in wish.rounds)
    ]
    return Wishes(tuple(moved))


def _judge(
    field: FieldNow,
    asked: RedrawAsked,
    made: Mapping[int, Round],
    substitutes: tuple[int, ...],
    pairs: tuple[tuple[int, int], ...],
    cut_short: bool,
) -> RedrawPlan:
    before: Rounds = tuple(each.tables for each in field.rounds)
    after: Rounds = tuple(made.get(each.number, each.tables) for each in field.rounds)
    wishes = field.wishes(max((len(tables) for tables in before), default=1))
    gone = {guest.number for guest in field.guests if guest.withdrawn}
    around = {who for tables in before for table in tables for who in table}
    order = [each.tables for each in field.rounds if each.number not in made] + list(made.values())
    outcomes_before = judge_wishes(before, wishes, field.table_size)
    return RedrawPlan(
        asked=asked,
        rounds={
            each.number: made[each.number]
            for each in field.rounds
            if each.number in made and made[each.number] != each.tables
        },
        substitutes=substitutes,
        pairs=pairs,
        resting={number: _resting(tables, (*asked.going, *substitutes)) for number, tables in made.items()},
        left=tuple(sorted((around | set(asked.going)) - set(asked.going) - gone)),
        returned=tuple(sorted(gone & set(asked.going))),
        before=tally(before, field.table_size, asked.going),
        after=tally(after, field.table_size, asked.going),
        new_repeats=count_new_repeats(order, len(field.rounds) - len(made)),
        again=_meetings(field, after, made, before),
        missed=tuple(outcome for outcome in judge_wishes(after, wishes, field.table_size) if outcome.missed),
        missed_before={outcome.wish.key: outcome.missed for outcome in outcomes_before},
        field=field.fingerprint,
        cut_short=cut_short,
    )


def _resting(tables: Round, among: Sequence[int]) -> tuple[int, ...]:
    seated = {who for table in tables for who in table}
    return tuple(sorted(who for who in among if who not in seated))


def _meetings(field: FieldNow, after: Rounds, made: Mapping[int, Round], before: Rounds) -> tuple[Again, ...]:
    """Return the repeated meetings in one of the changed rounds."""
    numbers = [each.number for each in field.rounds]
    was = meetings(before, numbers)
    return tuple(
        Again(pair, rounds, new=len(rounds) > max(1, len(was.get(pair, ()))))
        for pair, rounds in meetings(after, numbers).items()
        if len(rounds) > 1 and any(number in made for number in rounds)
    )


def asked_of(drawn: Drawn | None, wishes: Asked) -> Asked:
    """Return the wishes of an event's draw, or those last asked for."""
    return drawn.asked if drawn else wishes
