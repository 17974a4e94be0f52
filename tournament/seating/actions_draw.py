"""Verbs on rounds: draw seats, publish them, start a round, release it. Published seats never move by themselves."""

from collections.abc import Sequence

from scoring.problems import ProblemType
from tournament.core.acts import Act
from tournament.core.errors import Refused
from tournament.core.sealed_rows import Sealed
from tournament.core.transaction import check_published, writing
from tournament.events.actions_events import freeze_rules
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.rounds import Round
from tournament.publication.queries import ROUND_RELEASED
from tournament.seating.actions_drafts import (
    DRAW_PLAYERS_CHANGED,
    SEATS_DRAWN,
    clear_draw,
    plan_for,
    refuse_published,
    write_found,
)
from tournament.seating.plan_1 import search
from tournament.seating.queries_drafts import get_field
from tournament.sheets.actions import is_confirmed, is_signed
from tournament.standings.queries import read_standings

DRAW_DISCARDED = Act("draw_discarded", "discarded the draw")
SEATS_PUBLISHED = Act("seats_published", "published the seats of rounds {rounds}")
ROUND_STARTED = Act("round_started", "started the clock of round {round}")

ROUND_SHEETS_UNCONFIRMED = ProblemType(
    "round.sheets_unconfirmed", "Round {round} cannot be released: the sheets of tables {tables} are not confirmed."
)
ROUND_TABLES_MISSING = ProblemType(
    "round.tables_missing", "Round {round} cannot be released: tables {tables} are not signed yet."
)


def draw_seats(*, event: Event, seed: int, by: Account) -> None:
    """Draw all rounds of an event without wishes; the same seed and list of players give the same draw.

    The seed also assigns players to the numbers of the schedule. Raises Refused once a round is published, and when the
    players cannot be seated.
    """
    plan = plan_for(event, seed=seed)
    # may take seconds: before the transaction, so that it blocks nobody who is entering hands
    found = search(plan)
    with writing(event, SEATS_DRAWN, by=by) as change:
        refuse_published(change.event)
        if get_field(change.event).fingerprint != plan.fingerprint:
            raise Refused(DRAW_PLAYERS_CHANGED())
        write_found(change, plan, found)


def discard_draw(*, event: Event, by: Account) -> None:
    """Delete an unpublished draw, so that the list of players opens again."""
    with writing(event, DRAW_DISCARDED, by=by) as change:
        refuse_published(change.event)
        if not change.event.rounds.exists():
            change.nothing_new()
        clear_draw(change.event)


def publish_rounds(*, event: Event, numbers: Sequence[int], by: Account) -> None:
    """Make the seats of these rounds public, for good."""
    with writing(event, SEATS_PUBLISHED, by=by) as change:
        rounds = list(change.event.rounds.filter(number__in=numbers, published_at=None))
        if not rounds:
            change.nothing_new()
        for round_ in rounds:
            change.set(round_, published_at=change.at)
        change.details = {"rounds": [round_.number for round_ in rounds]}


def start_round(*, round_: Round, by: Account) -> None:
    """Start the clock of a published round; the rules are frozen from the first start on."""
    with writing(round_.event, ROUND_STARTED, by=by) as change:
        current = Round.objects.get(pk=round_.pk)
        check_published(current)
        change.details = {"round": current.number}
        if current.started_at:
            change.nothing_new()
            return
        freeze_rules(change)
        # an open pause of a start that was taken back ends here
        current.pauses.filter(resumed_at=None).update(resumed_at=change.at, resumed_by=change.by)
        change.set(current, started_at=change.at, start_taken_back=None)


def release_round(*, round_: Round, by: Account) -> None:
    """Make the results of a round public, all tables at once.

    Raises Refused unless every table is signed and, where the event asks a second person, confirmed.
    """
    with writing(round_.event, ROUND_RELEASED, by=by) as change:
        current = Round.objects.get(pk=round_.pk)
        change.details = {"round": current.number}
        if current.released_at:
            change.nothing_new()
            return
        tables = list(current.tables.order_by("number"))
        missing = tuple(table.number for table in tables if not is_signed(table))
        if missing:
            raise Refused(ROUND_TABLES_MISSING(tables=missing, round=current.number))
        unconfirmed = tuple(table.number for table in tables if change.event.confirms and not is_confirmed(table))
        if unconfirmed:
            raise Refused(ROUND_SHEETS_UNCONFIRMED(tables=unconfirmed, round=current.number))
        change.set(current, released_at=change.at)
        ranking = [[row.rank, row.number, row.total] for row in read_standings(change.event, with_held=True).rows]
        change.details["standings"] = ranking
        change.seal([(f"standings {current.number}", Sealed(ranking))])
