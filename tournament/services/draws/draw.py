"""Verbs on rounds: draw seats, publish them, start a round, release it. Published seats never move by themselves."""

from collections.abc import Sequence

from scoring.problems import error
from tournament.draws.plan import search
from tournament.models import Account, Event, Round, Table
from tournament.refusal import Refused
from tournament.selectors.draws.drafts import get_field
from tournament.services.core.events import freeze_rules
from tournament.services.core.writing import writing
from tournament.services.draws.drafts import MOST_SEED, clear_draw, plan_for, refuse_published, write_found
from tournament.services.draws.seat_rows import seat_rounds
from tournament.services.tables.sheets import is_confirmed

__all__ = ["MOST_SEED", "discard_draw", "draw_seats", "publish_rounds", "release_round", "seat_rounds", "start_round"]


def draw_seats(*, event: Event, seed: int, by: Account) -> None:
    """Draw all rounds of an event anew, without wishes; the same seed and list of players give the same draw.

    The seed also draws who gets which number of the schedule. Raises Refused once a round is published, and when the
    players cannot be seated.
    """
    plan = plan_for(event, seed=seed)
    # the search may take seconds: it runs before the transaction, so that it holds up nobody who is entering hands
    found = search(plan)
    with writing(event, "seats_drawn", by=by) as change:
        refuse_published(change.event)
        if get_field(change.event).fingerprint != plan.fingerprint:
            raise Refused(error("draw.players_changed"))
        write_found(change, plan, found)


def discard_draw(*, event: Event, by: Account) -> None:
    """Throw an unpublished draw away, so that the list of players opens again."""
    with writing(event, "draw_discarded", by=by) as change:
        refuse_published(change.event)
        if not change.event.rounds.exists():
            change.nothing_new()
        clear_draw(change.event)


def publish_rounds(*, event: Event, numbers: Sequence[int], by: Account) -> None:
    """Make the seats of these rounds public, for good."""
    with writing(event, "seats_published", by=by) as change:
        rounds = list(change.event.rounds.filter(number__in=numbers, published_at=None))
        if not rounds:
            change.nothing_new()
        for round_ in rounds:
            round_.published_at = change.at
            round_.save(update_fields=["published_at"])
        change.details = {"rounds": [round_.number for round_ in rounds]}


def start_round(*, round_: Round, by: Account) -> None:
    """Start the clock of a published round; the rules are frozen from the first start on."""
    with writing(round_.event, "round_started", by=by) as change:
        current = Round.objects.get(pk=round_.pk)
        if current.published_at is None:
            raise Refused(error("round.not_published", round=current.number))
        change.details = {"round": current.number}
        if current.started_at:
            change.nothing_new()
            return
        freeze_rules(change)
        # a pause of a start that was taken back is over with it
        current.pauses.filter(resumed_at=None).update(resumed_at=change.at, resumed_by=change.by)
        current.started_at, current.start_taken_back = change.at, None
        current.save(update_fields=["started_at", "start_taken_back"])


def release_round(*, round_: Round, by: Account) -> None:
    """Make the results of a round public, all tables at once; every table must be signed.

    Where the event asks a second person, every sheet must be confirmed as well. Raises Refused with what is missing.
    """
    with writing(round_.event, "round_released", by=by) as change:
        current = Round.objects.get(pk=round_.pk)
        change.details = {"round": current.number}
        if current.released_at:
            change.nothing_new()
            return
        missing = tuple(table.number for table in current.tables.order_by("number") if not _is_signed(table))
        if missing:
            raise Refused(error("round.tables_missing", tables=missing, round=current.number))
        if change.event.confirms:
            unconfirmed = tuple(table.number for table in current.tables.order_by("number") if not is_confirmed(table))
            if unconfirmed:
                raise Refused(error("round.sheets_unconfirmed", tables=unconfirmed, round=current.number))
        current.released_at = change.at
        current.save(update_fields=["released_at"])


def _is_signed(table: Table) -> bool:
    last = table.sheets.order_by("-seq").first()
    return bool(last and last.signed)
