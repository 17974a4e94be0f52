"""Verbs on the drill of a crew: make one, take answers by its link, delete results.

Results hold a name as typed, and are kept for `KEPT` at most. Answers come from people without an account: they are on
no trail and raise no version.
"""

import datetime as dt
import secrets
from collections.abc import Sequence
from uuid import UUID

from django.db import models, transaction

from scoring.drill import KINDS, OPTIONS
from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Shown
from tournament.core.errors import DomainError
from tournament.core.now import now
from tournament.core.rate_limits import Limiter, RateLimitedError, Source
from tournament.core.transaction import ENTRY_CLIENT_ID_USED, event_transaction
from tournament.drill.models import CrewDrill, CrewResult
from tournament.events.models import Event

DRILL_NAME_MISSING = ProblemType("drill.name_missing", "Write your name first.")
DRILL_CLOSED = ProblemType("drill.closed", "This drill is over: answers are no longer accepted.")
DRILL_FULL = ProblemType("drill.full", "This drill has {most} results: delete some before more come in.")
DRILL_COUNT_WRONG = ProblemType("drill.count_wrong", "A drill has 1 to {most} questions.")
DRILL_KINDS_MISSING = ProblemType("drill.kinds_missing", "Choose at least one kind of question.")
DRILL_TOO_MANY = ProblemType("drill.too_many", "Too many answers came from here. Try again in {wait}.")
DRILL_MOST = ProblemType("drill.most", "There are {most} drills: delete one first.")

DRILL_MADE = Act("drill_made", "created a drill of {count} questions, seed {seed}", shown=Shown.DESK)
DRILL_DELETED = Act("drill_deleted", "deleted the drill with seed {seed}, and {results} results", shown=Shown.DESK)
DRILL_RESULT_DELETED = Act("drill_result_deleted", "deleted a result of the drill with seed {seed}", shown=Shown.DESK)

MAX_QUESTIONS = 60
MAX_SEED = 999_999
MAX_DRILLS = 10
MAX_RESULTS = 200
MAX_NAME = 40
OPEN = dt.timedelta(days=7)
KEPT = dt.timedelta(days=30)
LETTERS = "abcd"[:OPTIONS]
NONE = "-"
ANSWERS = Limiter(scope="drill", span=dt.timedelta(minutes=10), network=100)  # a hall shares one address


def make_drill(*, event: Event, seed: int, count: int, kinds: Sequence[str], by: Account) -> CrewDrill:
    """Make a drill by the event's rules as they are now, open for a week; raises DomainError for an impossible one."""
    if not 1 <= count <= MAX_QUESTIONS:
        raise DomainError(DRILL_COUNT_WRONG(most=MAX_QUESTIONS))
    wanted = [kind for kind in KINDS if kind in kinds]
    if not wanted:
        raise DomainError(DRILL_KINDS_MISSING())
    with event_transaction(event, DRILL_MADE, by=by) as change:
        forget_old_drills()
        if change.event.drills.count() >= MAX_DRILLS:
            raise DomainError(DRILL_MOST(most=MAX_DRILLS))
        change.details = {"seed": seed % (MAX_SEED + 1), "count": count}
        return CrewDrill.objects.create(
            event=change.event,
            token=secrets.token_urlsafe(9),
            kinds=wanted,
            rules=change.event.rules,
            foul_amounts=change.event.foul_amounts,
            made_by=change.by,
            made_at=change.at,
            ends_at=change.at + OPEN,
            **change.details,
        )


def hand_in(*, drill: CrewDrill, client_id: UUID, name: str, answers: str, sender: str) -> CrewResult:
    """Keep somebody's answers; a known `client_id` returns its row. `sender` is the network that is counted.

    Raises DomainError without a name, after the end, and where the drill is full; RateLimitedError from one network.
    """
    if known := drill.results.filter(client_id=client_id).first():
        return known
    if not name.strip():
        raise DomainError(DRILL_NAME_MISSING())
    if wait := ANSWERS.count(Source(sender)):
        raise RateLimitedError(DRILL_TOO_MANY, wait=wait)
    with transaction.atomic():
        open_ = CrewDrill.objects.select_for_update().filter(pk=drill.pk, ends_at__gt=now()).first()
        if open_ is None:
            raise DomainError(DRILL_CLOSED())
        if open_.results.count() >= MAX_RESULTS:
            raise DomainError(DRILL_FULL(most=MAX_RESULTS))
        kept, _new = CrewResult.objects.get_or_create(
            client_id=client_id,
            defaults={
                "drill": open_,
                "name": " ".join(name.split())[:MAX_NAME],
                "answers": answers,
                "sent_at": now(),
            },
        )
    if kept.drill_id != drill.pk:
        raise DomainError(ENTRY_CLIENT_ID_USED())
    return kept


def delete_drill(*, drill: CrewDrill, by: Account) -> None:
    """Delete a drill with all its results; its link stops working."""
    with event_transaction(drill.event, DRILL_DELETED, by=by) as change:
        change.details = {"seed": drill.seed, "results": drill.results.count()}
        drill.delete()


def delete_result(*, result: CrewResult, by: Account) -> None:
    """Delete what one person answered; the trail does not name them."""
    with event_transaction(result.drill.event, DRILL_RESULT_DELETED, by=by) as change:
        change.details = {"seed": result.drill.seed}
        result.delete()


def list_old_drills() -> models.QuerySet[CrewDrill]:
    """Return the drills of all events that are older than they may be kept."""
    return CrewDrill.objects.filter(made_at__lt=now() - KEPT)


def forget_old_drills() -> None:
    """Delete the drills of all events that are older than they may be kept, with their results."""
    old = list_old_drills()
    if old.exists():  # deleting takes the write lock of SQLite also for nothing
        old.delete()
