"""Searches a draft, in this thread or in one of its own, and writes into its row how far it has come.

It takes no lock on the event and writes no trail: what people decided is in `drafts`. Whatever it knows stands in the
row, so that any process shows it, and one that dies leaves a row that falls silent.
"""

import logging
import threading
from time import monotonic
from typing import Any, Final

from django.db import connection, transaction

from scoring.problems import Problem, error
from tournament.draws.plan import Plan, search
from tournament.draws.wishes import read_asked
from tournament.models import DraftState, DrawDraft
from tournament.refusal import Refused
from tournament.seating.errors import SeatingError
from tournament.seating.search_budget import Best, Watch
from tournament.services.core.clock import now
from tournament.services.draws.drafts import plan_for, seating_problem, store_found

PAUSE: Final = 0.5  # seconds between two words about the progress
FOUND: Final = ("rounds", "resting", "substitutes", "report", "share")

log = logging.getLogger(__name__)


class Progress:
    """Tells a draft's row how its search goes, and the search whether it is to end."""

    def __init__(self, draft: DrawDraft) -> None:
        """Begin to watch the search of a draft, by its present attempt."""
        self.rows = DrawDraft.objects.filter(pk=draft.pk, attempt=draft.attempt, state=DraftState.SEARCHING)
        self.told = 0.0
        self.stop = False

    def tell(self, best: Best | None, share: int) -> None:
        """Write the best so far and the share done, at most twice a second; read whether to stop."""
        if monotonic() - self.told < PAUSE:
            return
        self.told = monotonic()
        missed = [list(pair) for pair in best.missed] if best else []
        there = self.rows.update(best=missed, share=share, seen_at=now())
        self.stop = not there or bool(self.rows.values_list("stop_asked", flat=True).first())

    def stopped(self) -> bool:
        """Whether somebody said that it is good enough, or threw the draft away."""
        return self.stop


def run_draft(draft: DrawDraft) -> None:
    """Search a draft to its end and write what was found, or why nothing was. Takes seconds; hold no lock meanwhile."""
    progress = Progress(draft)
    try:
        found = search(_plan(draft), Watch(progress.tell, progress.stopped))
    except Refused as refused:
        _fail(progress, refused.problems[0])
    except SeatingError as wrong:
        _fail(progress, seating_problem(wrong))
    except Exception:  # whatever broke it, the page must not wait for a search that is over
        log.exception("The search of a draft broke off.")
        _fail(progress, error("draft.broke"))
    else:
        store_found(draft, found)
        state = DraftState.STOPPED if progress.stop else DraftState.DONE
        _write(progress, state=state, **{name: getattr(draft, name) for name in FOUND})


def search_in_background(draft: DrawDraft) -> None:
    """Search a draft in a thread of this process, once the change that made it is on the disk."""
    transaction.on_commit(lambda: threading.Thread(target=_run_apart, args=(draft,), daemon=True).start())


def _run_apart(draft: DrawDraft) -> None:
    try:
        run_draft(draft)
    finally:
        connection.close()


def _plan(draft: DrawDraft) -> Plan:
    plan = plan_for(draft.event, seed=draft.seed, asked=read_asked(draft.asked), way=draft.way)
    if plan.fingerprint != draft.fingerprint:
        raise Refused(error("draw.players_changed"))
    return plan


def _fail(progress: Progress, problem: Problem) -> None:
    _write(progress, state=DraftState.FAILED, problem={"code": problem.code, "params": dict(problem.params)})


def _write(progress: Progress, **values: Any) -> None:
    progress.rows.update(seen_at=now(), **values)
