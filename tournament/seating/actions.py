"""Actions on seats before the start: search drafts, take or discard one, draw, take a schedule made elsewhere.

A search runs in a thread of its own, without a lock and without a trail: its row holds all of its progress, so that any
process can show it, and a search whose process dies is recognised by its silence.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from time import monotonic
from typing import Any, Final

from django.db import transaction
from django.db.models import ProtectedError

from scoring.problems import Problem, ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_FILENAME
from tournament.core.now import now
from tournament.core.threads import start_thread
from tournament.core.transaction import EventChange, event_transaction
from tournament.events.models import Event
from tournament.players.actions import bring_substitutes
from tournament.players.models import Person, Player
from tournament.seating.models import DraftState, DrawDraft
from tournament.seating.plan import (
    PLAIN,
    DrawOriginData,
    DrawWishes,
    Plan,
    Seats,
    check_seed,
    impossible_wishes,
    read_asked,
    read_drawn,
    search,
)
from tournament.seating.queries import (
    SCHEDULE_REFUSED_BY_JUDGE,
    SCHEDULE_TAKEN,
    check_in_rounds,
    get_field,
    is_alive,
    list_entrants,
)
from tournament.seating.search.annealing import BestSoFar, SearchCallbacks
from tournament.seating.search.draw import UnevenSeating
from tournament.seating.search.quality import Report, assess
from tournament.seating.search.schedule import SeatingError
from tournament.tables.models import Round, Seat, Table

DRAFT_STARTED = Act("draft_started", "began to search a draw from seed {seed}", Seals.OWN)
DRAFT_STOPPED = Act("draft_stopped", "ended the search from seed {seed}: good enough", Seals.OWN)
DRAFT_DISCARDED = Act("draft_discarded", "discarded the draw from seed {seed}", Seals.OWN)
SEATS_DRAWN = Act("seats_drawn", "drew seats for {players} players from seed {seed}, {repeats} repeat meetings")

DRAFT_SEARCHING = ProblemType("draft.searching", "A search is already running: wait for it, or stop it.")
DRAFT_TOO_MANY = ProblemType("draft.too_many", "There are {most} draws to compare already: discard one first.")
DRAFT_GONE = ProblemType("draft.gone", "Somebody has discarded this draw.")
DRAFT_NOT_DONE = ProblemType("draft.not_done", "This search is not over yet.")
DRAFT_BROKE = ProblemType("draft.broke", "An error of the desk stopped the search. The same seed can be tried again.")
DRAW_WAY_UNKNOWN = ProblemType("draw.way_unknown", "Choose how the players who fill no table are seated.")
DRAW_SUBSTITUTE_IN_USE = ProblemType(
    "draw.substitute_in_use", "A substitute of this draw has penalties or results: take those back first."
)
DRAW_ALREADY_PUBLISHED = ProblemType("draw.already_published", "The seating is published and fixed.")
DRAW_PLAYERS_CHANGED = ProblemType(
    "draw.players_changed", "The list of players changed while seats were drawn: draw again."
)

MAX_DRAFTS: Final = 8
WAYS: Final = (
    UnevenSeating.FULL,
    UnevenSeating.SUBSTITUTES,
    UnevenSeating.RESTS,
)  # none of our rule sets has tables of two sizes
PAUSE: Final = 0.5  # seconds between two reports of progress

log = logging.getLogger(__name__)


def plan_for(event: Event, *, seed: int, asked: DrawWishes = PLAIN, way: str = UnevenSeating.FULL.value) -> Plan:
    """Return the plan of a draw for an event as it is now; two queries.

    Raises DomainError where the players cannot be seated so, and for impossible wishes.
    """
    check_in_rounds(event)
    check_seed(seed)
    if way not in WAYS:
        raise DomainError(DRAW_WAY_UNKNOWN())
    plan = get_field(event, seed=seed, asked=asked, way=way)
    try:
        tables = len(plan.option.sizes)
    except SeatingError as wrong:
        raise DomainError(wrong.problem) from wrong
    numbers = [each.number for each in plan.entrants]
    found = impossible_wishes(asked, numbers, tables=tables, table_size=plan.table_size, rounds=plan.rounds)
    if found:
        raise DomainError(*found)
    return plan


def start_draft(
    *, event: Event, seed: int, asked: DrawWishes = PLAIN, way: str = UnevenSeating.FULL.value, by: Account
) -> DrawDraft:
    """Write a draft to be searched, and its wishes as the event's last ones; the caller starts the search.

    Raises DomainError once a round is published, during another search, with too many drafts, and as `plan_for`.
    """
    with event_transaction(event, DRAFT_STARTED, by=by) as change:
        require_unpublished(change.event)
        plan = plan_for(change.event, seed=seed, asked=asked, way=way)
        drafts = list(change.event.drafts.only("state", "seen_at"))
        if any(draft.state == DraftState.SEARCHING and is_alive(draft, change.at) for draft in drafts):
            raise DomainError(DRAFT_SEARCHING())
        if len(drafts) >= MAX_DRAFTS:
            raise DomainError(DRAFT_TOO_MANY(most=MAX_DRAFTS))
        change.event.wishes = asdict(asked)
        change.event.save(update_fields=["wishes"])
        draft = DrawDraft.objects.create(
            event=change.event,
            fingerprint=plan.fingerprint,
            made_by=change.by,
            made_at=change.at,
            seen_at=change.at,
            seed=plan.seed,
            asked=asdict(plan.asked),
            way=plan.way,
        )
        change.details = {"seed": seed, "way": plan.way, "wishes": sorted(asked.used)}
    return draft


def restart_draft(*, draft: DrawDraft, by: Account) -> DrawDraft:
    """Prepare a draft whose search was interrupted, failed or was stopped for another search from its own seed.

    Raises DomainError as `start_draft`, and during its search.
    """
    with event_transaction(draft.event, DRAFT_STARTED, by=by) as change:
        require_unpublished(change.event)
        current = _lock_draft(change, draft)
        if current.state == DraftState.DONE:
            change.mark_unchanged()
            return current
        others = change.event.drafts.filter(state=DraftState.SEARCHING)
        if any(is_alive(each, change.at) for each in others):
            raise DomainError(DRAFT_SEARCHING())
        asked = read_asked(current.asked)
        plan = plan_for(change.event, seed=current.seed, asked=asked, way=current.way)
        current.state, current.attempt = DraftState.SEARCHING, current.attempt + 1
        current.share, current.best, current.stop_asked, current.problem = 0, [], False, {}
        current.seen_at, current.fingerprint = change.at, plan.fingerprint
        current.save()
        change.details = {"seed": current.seed, "way": plan.way, "wishes": sorted(asked.used)}
    return current


def stop_draft(*, draft: DrawDraft, by: Account) -> None:
    """Ask a search to end with its best result so far; it does within about a second."""
    with event_transaction(draft.event, DRAFT_STOPPED, by=by) as change:
        current = _lock_draft(change, draft)
        change.details = {"seed": current.seed}
        if current.state == DraftState.SEARCHING:
            change.set_columns(current, stop_asked=True)
        else:
            change.mark_unchanged()


def discard_draft(*, draft: DrawDraft, by: Account) -> None:
    """Delete a draft, which ends its search; seats taken from it stay."""
    with event_transaction(draft.event, DRAFT_DISCARDED, by=by) as change:
        current = _lock_draft(change, draft)
        change.details = {"seed": current.seed}
        current.delete()


def take_draft(*, draft: DrawDraft, by: Account) -> None:
    """Make a draft the draw of its event, instead of the present one.

    Raises DomainError once a round is published, before the search is over, and when players, rounds or table size
    changed.
    """
    with event_transaction(draft.event, SEATS_DRAWN, by=by) as change:
        require_unpublished(change.event)
        current = _lock_draft(change, draft)
        if current.state not in (DraftState.DONE, DraftState.STOPPED):
            raise DomainError(DRAFT_NOT_DONE())
        plan = get_field(change.event, seed=current.seed, asked=read_asked(current.asked), way=current.way)
        if plan.fingerprint != current.fingerprint:
            raise DomainError(DRAW_PLAYERS_CHANGED())
        clear_draw(change.event)
        _write_seats(change, plan, current.rounds, current.report)
        current.taken_at = change.at
        current.save(update_fields=["taken_at"])


def require_unpublished(event: Event) -> None:
    """Raise DomainError where a round of the event is published."""
    if event.rounds.filter(published_at__isnull=False).exists():
        raise DomainError(DRAW_ALREADY_PUBLISHED())


def clear_draw(event: Event) -> None:
    """Delete the rounds of an unpublished draw and the substitutes that it added, within a change."""
    drawn = read_drawn(event.drawn)
    event.rounds.all().delete()
    if drawn and drawn.substitutes:
        brought = event.players.filter(number__in=drawn.substitutes, ranked=False)
        people = list(brought.values_list("person_id", flat=True))
        try:
            brought.delete()
            Person.objects.filter(pk__in=people, players=None).delete()
        except ProtectedError as wrong:
            raise DomainError(DRAW_SUBSTITUTE_IN_USE()) from wrong
    event.drafts.exclude(taken_at=None).update(taken_at=None)
    event.seed, event.drawn = None, {}
    event.save(update_fields=["seed", "drawn"])


def _lock_draft(change: EventChange, draft: DrawDraft) -> DrawDraft:
    """Return the draft as it is now; raises DomainError where it was discarded."""
    current = change.event.drafts.filter(pk=draft.pk).first()
    if current is None:
        raise DomainError(DRAFT_GONE())
    return current


def _write_seats(change: EventChange, plan: Plan, rounds: Seats, report: Mapping[str, Any]) -> None:
    """Write the seats of a draw and its origin; `report` is a report as JSON, with `cut_short`."""
    event = change.event
    brought = tuple(bring_substitutes(change, plan.substitutes))
    players = {player.number: player for player in event.players.all()}
    seat_rounds(event, [[[players[who] for who in table] for table in tables] for tables in rounds])
    drawn = DrawOriginData(len(plan.entrants), plan.way, brought, plan.asked, bool(report["cut_short"]))
    event.seed, event.drawn = plan.seed, asdict(drawn)
    event.save(update_fields=["seed", "drawn"])
    change.details = {
        "seed": plan.seed,
        "repeats": report["figures"]["repeats"],
        "players": len(plan.entrants) + len(brought),
        "missed": {wish["key"]: wish["missed"] for wish in report["wishes"]},
    }


def seat_rounds(event: Event, rounds: Sequence[Sequence[Sequence[Player]]]) -> list[Round]:
    """Write rounds of tables of players in seat order, within a change, after the present rounds.

    Raises DomainError for an open event.
    """
    check_in_rounds(event)
    first = event.rounds.count() + 1
    made = Round.objects.bulk_create([Round(event=event, number=first + index) for index in range(len(rounds))])
    tables = Table.objects.bulk_create(
        Table(round=round_, number=number)
        for round_, drawn in zip(made, rounds, strict=True)
        for number in range(1, len(drawn) + 1)
    )
    seated = (table for drawn in rounds for table in drawn)
    Seat.objects.bulk_create(
        Seat(round=table.round, table=table, seat=seat, player=player)
        for table, players in zip(tables, seated, strict=True)
        for seat, player in enumerate(players)
    )
    return made


# ---------------------------------------------------------------- searching


class Progress:
    """Writes the progress of a search into its draft's row, and reads there whether to stop."""

    def __init__(self, draft: DrawDraft) -> None:
        """Report on the present attempt of a draft."""
        self.rows = DrawDraft.objects.filter(pk=draft.pk, attempt=draft.attempt, state=DraftState.SEARCHING)
        self.reported_at = 0.0
        self.stop = False

    def tell(self, best: BestSoFar | None, share: int) -> None:
        """Write the best result so far and the share done, at most twice a second; read whether to stop."""
        if monotonic() - self.reported_at < PAUSE:
            return
        self.reported_at = monotonic()
        missed = [list(pair) for pair in best.missed] if best else []
        there = self.rows.update(best=missed, share=share, seen_at=now())
        self.stop = not there or bool(self.rows.values_list("stop_asked", flat=True).first())

    def stopped(self) -> bool:
        """Return whether the search was asked to stop, or its draft discarded."""
        return self.stop


def run_draft(draft: DrawDraft) -> None:
    """Search a draft to its end and write the result or the problem. Takes seconds; hold no lock meanwhile."""
    progress = Progress(draft)
    try:
        found = search(_plan(draft), SearchCallbacks(progress.tell, progress.stopped))
    except DomainError as refused:
        _fail(progress, refused.problems[0])
    except SeatingError as wrong:
        _fail(progress, wrong.problem)
    except Exception:  # the page must not wait for a search that broke
        log.exception("The search of a draft broke off.")
        _fail(progress, DRAFT_BROKE())
    else:
        state = DraftState.STOPPED if progress.stop else DraftState.DONE
        report = {**asdict(found.report), "cut_short": found.cut_short}
        facts = {"rounds": found.rounds, "resting": found.resting, "substitutes": len(found.substitutes)}
        _write(progress, state=state, report=report, share=1000, **facts)


def search_in_background(draft: DrawDraft) -> None:
    """Search a draft in a thread of this process, once its row is committed."""
    transaction.on_commit(lambda: start_thread("draws", lambda: run_draft(draft)))


def _plan(draft: DrawDraft) -> Plan:
    plan = plan_for(draft.event, seed=draft.seed, asked=read_asked(draft.asked), way=draft.way)
    if plan.fingerprint != draft.fingerprint:
        raise DomainError(DRAW_PLAYERS_CHANGED())
    return plan


def _fail(progress: Progress, problem: Problem) -> None:
    _write(progress, state=DraftState.FAILED, problem={"code": problem.code, "params": dict(problem.params)})


def _write(progress: Progress, **values: Any) -> None:
    progress.rows.update(seen_at=now(), **values)


# ---------------------------------------------------------------- the draw


DRAW_DISCARDED = Act("draw_discarded", "discarded the draw")


def draw_seats(*, event: Event, seed: int, by: Account) -> None:
    """Draw all rounds of an event without wishes; the same seed and list of players give the same draw.

    The seed also assigns players to the numbers of the schedule. Raises DomainError once a round is published, and when
    the players cannot be seated.
    """
    plan = plan_for(event, seed=seed)
    # may take seconds: before the transaction, so that it blocks nobody who is entering hands
    found = search(plan)
    with event_transaction(event, SEATS_DRAWN, by=by) as change:
        require_unpublished(change.event)
        if get_field(change.event).fingerprint != plan.fingerprint:
            raise DomainError(DRAW_PLAYERS_CHANGED())
        clear_draw(change.event)
        _write_seats(change, plan, found.rounds, {**asdict(found.report), "cut_short": found.cut_short})


def discard_draw(*, event: Event, by: Account) -> None:
    """Delete an unpublished draw, so that the list of players opens again."""
    with event_transaction(event, DRAW_DISCARDED, by=by) as change:
        require_unpublished(change.event)
        if not change.event.rounds.exists():
            change.mark_unchanged()
        clear_draw(change.event)


# ---------------------------------------------------------------- a schedule made elsewhere


SCHEDULE_MORE_ROUNDS_THAN_PLANNED = ProblemType(
    "schedule.more_rounds_than_planned", "The schedule has {rounds} rounds; this event has {planned}."
)
SCHEDULE_PLAYERS_CHANGED = ProblemType(
    "schedule.players_changed", "The list of players changed since the preview: choose the file again."
)

PlayerIds = Sequence[Sequence[Sequence[int]]]  # rounds of tables of primary keys, first East first


def take_schedule(*, event: Event, rounds: PlayerIds, digest: str, filename: str, by: Account) -> bool:
    """Seat an event by a schedule from a file, instead of an unpublished draw; return whether anything changed.

    `rounds` name players by primary key, which stays when the list changes; `digest` is the SHA-256 of the file. Raises
    DomainError once a round is published, for other players than the list's, and for an invalid schedule.
    """
    with event_transaction(event, SCHEDULE_TAKEN, by=by) as change:
        require_unpublished(change.event)
        numbers = [entrant.number for entrant in list_entrants(change.event) if not entrant.left]
        players = {one.pk: one for one in change.event.players.filter(number__in=numbers).order_by("number")}
        report = _judge(change.event, rounds, list(players))
        if change.event.seed is None and _seated(change.event) == [[list(table) for table in row] for row in rounds]:
            return change.mark_unchanged()
        clear_draw(change.event)
        seat_rounds(change.event, [[[players[key] for key in table] for table in tables] for tables in rounds])
        change.details = {
            "file": filename[:MAX_FILENAME],
            "digest": digest,
            "rounds": len(rounds),
            "players": len(players),
            "repeats": report.repeats,
            "repeats_bound": report.repeats_least,
            "met_most": report.met_most,
            "winds_spread": report.winds_spread,
            "tables_spread": report.tables_spread,
        }
    event.refresh_from_db()
    return True


def _judge(event: Event, rounds: PlayerIds, keys: Sequence[int]) -> Report:
    """Assess a schedule; raises DomainError unless it seats exactly these players once a round."""
    place = {key: index for index, key in enumerate(keys)}
    if {key for tables in rounds for table in tables for key in table} != set(keys):
        raise DomainError(SCHEDULE_PLAYERS_CHANGED())
    if len(rounds) > event.rounds_planned:
        planned = event.rounds_planned
        raise DomainError(SCHEDULE_MORE_ROUNDS_THAN_PLANNED(rounds=len(rounds), planned=planned))
    seats = [[[place[key] for key in table] for table in tables] for tables in rounds]
    try:
        return assess(seats, len(keys), event.ruleset.players)
    except SeatingError as wrong:
        raise DomainError(SCHEDULE_REFUSED_BY_JUDGE(why=str(wrong))) from wrong


def _seated(event: Event) -> list[list[list[int]]]:
    """Return the present seats, as `take_schedule` takes them."""
    found: dict[int, dict[int, list[int]]] = {}
    seats = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    for round_, table, player in seats.values_list("round__number", "table__number", "player_id"):
        found.setdefault(round_, {}).setdefault(table, []).append(player)
    return [list(tables.values()) for tables in found.values()]
