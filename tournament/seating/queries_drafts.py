"""Drafts of a draw as pages read them: how far each search is, whether its process lives, what it found."""

import datetime as dt
from dataclasses import dataclass
from typing import Any, Final

from scoring.problems import Problem
from tournament.models.event import Event
from tournament.models.rounds import DraftState, DrawDraft
from tournament.seating.plan_1 import Plan, read_drawn
from tournament.seating.plan_report import DrawReport, report_from_json
from tournament.seating.plan_wishes import PLAIN, Asked, Entrant, read_asked
from tournament.seating.search.draw_uneven import Way

SILENCE: Final = dt.timedelta(seconds=30)  # a search writes twice a second; one that is silent so long has died

Rounds = tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A draft. `state` is a DraftState or "interrupted"; `stale` says that it was made for another field.

    `best` pairs the key of a wish with how often the best so far misses it; `rounds` and `resting` are in player
    numbers, empty until the search is over, as `report` is None.
    """

    id: int
    seed: int
    way: str
    asked: Asked
    state: str
    share: int
    best: tuple[tuple[str, int], ...]
    stop_asked: bool
    problem: Problem | None
    rounds: Rounds
    resting: tuple[tuple[int, ...], ...]
    substitutes: int
    report: DrawReport | None
    cut_short: bool
    stale: bool
    taken: bool
    made_at: dt.datetime

    @property
    def searching(self) -> bool:
        return self.state == DraftState.SEARCHING

    @property
    def done(self) -> bool:
        return self.report is not None


def get_field(event: Event, *, seed: int = 0, asked: Asked = PLAIN, way: str = Way.FULL.value) -> Plan:
    """Return the plan of a draw without a look at whether it can be: only its field is sure; one query.

    Substitutes that an unpublished draw brought are left out: they go when it goes.
    """
    drawn = read_drawn(event.drawn)
    brought = drawn.substitutes if drawn else ()
    rows = event.players.exclude(number__in=brought).order_by("number")
    people = list(rows.values_list("number", "person__club", "person__country", "withdrawn_at"))
    entrants = tuple(Entrant(number, club, country) for number, club, country, gone in people if gone is None)
    return Plan(
        entrants=entrants,
        table_size=event.ruleset.players,
        rounds=event.rounds_planned,
        last=max((number for number, *_ in people), default=0),
        seed=seed,
        way=str(way),
        asked=asked,
    )


def is_alive(draft: DrawDraft, at: dt.datetime) -> bool:
    """Tell whether a search has reported lately."""
    return at - draft.seen_at <= SILENCE


def list_drafts(event: Event, *, fingerprint: str, at: dt.datetime) -> list[DraftRow]:
    """List the drafts of an event, the oldest first; one query. `fingerprint` is that of its field as it is now."""
    return [_row(draft, fingerprint, at) for draft in event.drafts.all()]


def _row(draft: DrawDraft, fingerprint: str, at: dt.datetime) -> DraftRow:
    dead = draft.state == DraftState.SEARCHING and not is_alive(draft, at)
    return DraftRow(
        id=draft.pk,
        seed=draft.seed,
        way=draft.way,
        asked=read_asked(draft.asked),
        state="interrupted" if dead else str(draft.state),
        share=draft.share,
        best=tuple((str(key), int(missed)) for key, missed in draft.best),
        stop_asked=draft.stop_asked,
        problem=_problem(draft.problem) if draft.problem else None,
        rounds=tuple(tuple(tuple(table) for table in tables) for tables in draft.rounds),
        resting=tuple(tuple(numbers) for numbers in draft.resting),
        substitutes=draft.substitutes,
        report=report_from_json(draft.report) if draft.report else None,
        cut_short=bool(draft.report.get("cut_short")),
        stale=draft.fingerprint != fingerprint,
        taken=draft.taken_at is not None,
        made_at=draft.made_at,
    )


def _problem(value: dict[str, Any]) -> Problem:
    params = {key: tuple(each) if isinstance(each, list) else each for key, each in value["params"].items()}
    return Problem(value["code"], params)
