"""Verbs that take people's data away: one person's on request, an event's when its time is over.

Ledger, sheets and trail name players by number and stay as they are, every chain whole. Of texts that can change the
name is taken out; a reason typed into an append-only row stays, which `count_fixed_mentions` counts beforehand.
"""

import datetime as dt
import re
from collections.abc import Callable, Iterable
from typing import Any

from django.db import models, transaction

from scoring.problems import error
from tournament.models import (
    Account,
    Announcement,
    ClockPause,
    Cut,
    Event,
    Penalty,
    Person,
    Player,
    RefereeCall,
    Substitution,
    TableTime,
)
from tournament.refusal import Refused
from tournament.selectors.files.privacy import get_kept_until, list_to_forget, names_in, pattern_of
from tournament.services.core.clock import now
from tournament.services.core.writing import writing

MOST_REASON = 300
Called = Callable[[Event, int], str]
"""What says how a player of an event is called who has no name any more, by the number."""

TEXTS: tuple[tuple[Any, str, tuple[str, ...]], ...] = (
    (Announcement, "event", ("title", "text", "second_title", "second_text")),
    (Penalty, "event", ("reason", "amount_reason", "cancel_reason")),
    (RefereeCall, "event", ("question", "ruling")),
    (Substitution, "event", ("name", "reason", "cancel_reason")),
    (Cut, "event", ("cancel_reason",)),
    (TableTime, "table__round__event", ("reason", "cancel_reason")),
    (ClockPause, "round__event", ("reason",)),
)
"""What people type about an event and can still be changed, with the way to the event."""


def forget_person(*, person: Person, called: Called, reason: str, by: Account) -> None:
    """Take away the name of a person and all that is known of them, at every event where they play.

    Raises Refused without a reason, and where it was done before.
    """
    with transaction.atomic():
        current = Person.objects.select_for_update().get(pk=person.pk)
        if not reason.strip():
            raise Refused(error("privacy.reason_missing"))
        if current.forgotten_at:
            raise Refused(error("privacy.forgotten_already"))
        stand_in = str(current.pk)  # of somebody who plays nowhere
        for player in current.players.select_related("event").order_by("event", "number"):
            with writing(player.event, "person_forgotten", by=by) as change:
                stand_in = called(player.event, player.number)
                said = _without(names_in(current), stand_in, reason.strip())[:MOST_REASON]
                change.details = {"number": player.number, "reason": said}
                _take_out_of_texts(player.event, [(names_in(current), stand_in)])
                _hide([player.pk])
        _empty(current, stand_in)
    person.refresh_from_db()


def forget_event_people(*, event: Event, called: Called, today: dt.date, by: Account) -> list[int]:
    """Take away the names of an event's people and all that is known of them, once the event's own time for it is over.

    Return the numbers of those players. Who plays at another event of this desk, too, waits for that one. Raises
    Refused before the time, or where none is set.
    """
    with writing(event, "people_forgotten", by=by) as change:
        until = get_kept_until(change.event)
        if until is None or until >= today:
            raise Refused(error("privacy.not_due", until=until.isoformat() if until else ""))
        gone = change.event.players.filter(person__in=list_to_forget(change.event)).select_related("person")
        players = list(gone.order_by("number"))
        if not players:
            change.nothing_new()
            return []
        stand_ins = [(player, called(change.event, player.number)) for player in players]
        _take_out_of_texts(change.event, [(names_in(player.person), stand_in) for player, stand_in in stand_ins])
        _hide([player.pk for player in players])
        for player, stand_in in stand_ins:
            _empty(player.person, stand_in)
        change.details = {"numbers": [player.number for player in players]}
    return [player.number for player in players]


def _hide(players: Iterable[int]) -> None:
    Player.objects.filter(pk__in=players).update(shown_by_name=False)


def _empty(person: Person, stand_in: str) -> None:
    """Leave nothing of a person but a stand-in; events that they share have the last one's."""
    person.preferred_name = stand_in
    person.legal_name = person.ema_number = person.country = person.club = ""
    person.forgotten_at = now()
    person.save()


def _take_out_of_texts(event: Event, people: Iterable[tuple[list[str], str]]) -> None:
    """Put stand-ins for these names into every text of an event that can be changed."""
    patterns = [(pattern_of(names), stand_in) for names, stand_in in people if names]
    for model, way, columns in TEXTS:
        for row in model.objects.filter(**{way: event}):
            changed = [column for column in columns if _replace(row, column, patterns)]
            if changed:
                row.save(update_fields=changed)


def _replace(row: models.Model, column: str, patterns: Iterable[tuple[re.Pattern[str], str]]) -> bool:
    before: str = getattr(row, column)
    after = before
    for pattern, stand_in in patterns:
        after = pattern.sub(lambda _found, words=stand_in: words, after)  # type: ignore[misc]
    field: Any = row._meta.get_field(column)  # noqa: SLF001 - its name notwithstanding, Django's documented way
    setattr(row, column, after[: field.max_length])
    return after != before


def _without(names: list[str], stand_in: str, text: str) -> str:
    return pattern_of(names).sub(lambda _found: stand_in, text) if names else text
