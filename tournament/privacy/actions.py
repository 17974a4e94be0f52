"""Actions on people's data: who is shown by name, and the data of one person or of a whole event erased.

Ledger, sheets and trail name players by number and stay as they are, every chain whole. Typed texts that can change
lose the name. An append-only row keeps its text, which `count_fixed_mentions` counts beforehand, and is shown without
the name.
"""

import datetime as dt
import re
from collections.abc import Callable, Collection
from typing import Any, Final

from django.db import models, transaction
from django.utils.translation import gettext_lazy

from scoring.problems import ProblemType
from tournament.accounts.models import Account, EntryLink
from tournament.calls.models import RefereeCall
from tournament.core.acts import Act
from tournament.core.errors import DomainError
from tournament.core.hash_chain import digest_of
from tournament.core.limits import MAX_REASON
from tournament.core.redactions import Columns, list_fixed_texts, map_texts
from tournament.core.sealed_rows import keys_of_person
from tournament.core.transaction import event_transaction
from tournament.drill.models import CrewResult
from tournament.events.models import Event
from tournament.incidents.models import Disqualification, Substitution
from tournament.league.models import SeasonTeam
from tournament.penalties.models import Penalty
from tournament.people.actions import forget_known
from tournament.players.actions import PRIVACY_FORGOTTEN_ALREADY
from tournament.players.models import UNGUARDED, Person, Player
from tournament.privacy.queries import get_kept_until, list_linked, list_to_forget
from tournament.publication.names import names_of_player, pattern_of
from tournament.rounds.models import ClockPause, TableTime
from tournament.seating.models import DrawDraft
from tournament.signup.models import FeePayment, Letter, SignUp, SignUpPage
from tournament.signup.retention import PRIVACY_NOT_DUE, _empty, _hide, empty_sign_ups
from tournament.standings.models import Cut
from tournament.tables.models import Round
from tournament.wall.models import Announcement

PRIVACY_TIME_ENDED: Final = gettext_lazy("the time of their last event has ended")
PRIVACY_REASON_MISSING = ProblemType("privacy.reason_missing", "To delete somebody's data needs a reason.")

NAMES_SHOWN = Act("names_shown", "let everybody see the names of players {numbers}")
NAMES_HIDDEN = Act("names_hidden", "took the names of players {numbers} off the public pages")
PERSON_FORGOTTEN = Act("person_forgotten", "deleted the name and all data of player {number}: {reason}")
PEOPLE_FORGOTTEN = Act("people_forgotten", "deleted the names and all data of players {numbers}, whose time had ended")

StandIn = Callable[[Event, int], str]
"""Returns the stand-in for the name of an event's player, given by number."""


def set_names_shown(*, event: Event, numbers: Collection[int], shown: bool, by: Account) -> bool:
    """Show these players by name in public, or by a stand-in; return whether any is new.

    An erased name stays away, and that of a minor for whom no guardian has agreed.
    """
    with event_transaction(event, NAMES_SHOWN if shown else NAMES_HIDDEN, by=by) as change:
        found = change.event.players.filter(number__in=numbers, shown_by_name=not shown)
        if shown:
            found = found.filter(person__forgotten_at=None).exclude(UNGUARDED)
        changed = sorted(found.values_list("number", flat=True))
        if not changed:
            return change.mark_unchanged()
        change.event.players.filter(number__in=changed).update(shown_by_name=shown)
        change.details = {"numbers": changed}
    return True


def erase_person(*, person: Person, stand_in_for: StandIn, reason: str, by: Account) -> None:
    """Erase a person's data, and that of people linked to it, at every event where they play.

    Raises DomainError without a reason, and the second time.
    """
    with transaction.atomic():
        current = Person.objects.select_for_update().get(pk=person.pk)
        if not reason.strip():
            raise DomainError(PRIVACY_REASON_MISSING())
        if current.forgotten_at:
            raise DomainError(PRIVACY_FORGOTTEN_ALREADY())
        rows = [row for row in list_linked([current]) if not row.forgotten_at]
        found = Player.objects.filter(person__in=rows).select_related("event", "person")
        players = list(found.order_by("event", "number"))
        names = sorted({name for player in players for name in names_of_player(player)}, key=len, reverse=True)
        stand_ins = [stand_in_for(player.event, player.number) for player in players]
        last = {player.person_id: stand_in for player, stand_in in zip(players, stand_ins, strict=True)}
        for row in rows:
            _empty(row, last.get(row.pk, str(row.pk)))
        forget_known(rows)
        for player, stand_in in zip(players, stand_ins, strict=True):
            with event_transaction(player.event, PERSON_FORGOTTEN, by=by) as change:
                patterns = _patterns_of(names, stand_in)
                said = without_names(reason.strip(), patterns)[:MAX_REASON]
                change.details = {"number": player.number, "reason": said}
                replace_names(player.event, patterns)
                _hide([player.pk])
                empty_sign_ups(player.sign_ups.all(), change.at)
                change.seal_existing_rows(keys_of_person(player.number))
    person.refresh_from_db()


def erase_event_people(*, event: Event, stand_in_for: StandIn, today: dt.date, by: Account) -> list[int]:
    """Erase the data of an event's people once its `keep_months` are over; return the numbers of those players.

    People who play at a later event of this desk wait for that one; with them goes what they were at earlier ones.
    Drills go with the names of their crews.
    Raises DomainError before the time is over.
    """
    with event_transaction(event, PEOPLE_FORGOTTEN, by=by) as change:
        until = get_kept_until(change.event)
        if until is None or until >= today:
            raise DomainError(PRIVACY_NOT_DUE(until=until.isoformat() if until else ""))
        change.event.drills.all().delete()
        Event.objects.filter(pk=change.event.pk).update(observer_report={})
        empty_sign_ups(change.event.sign_ups.filter(erased_at=None), change.at)
        gone = change.event.players.filter(person__in=list_to_forget(change.event)).select_related("person")
        players = list(gone.order_by("number"))
        linked = [row for row in list_linked(player.person for player in players) if not row.forgotten_at]
        if not players:
            change.mark_unchanged()
            return []
        stand_ins = [(player, stand_in_for(change.event, player.number)) for player in players]
        known = [_patterns_of(names_of_player(player), stand_in) for player, stand_in in stand_ins]
        replace_names(change.event, [each for patterns in known for each in patterns])
        _hide([player.pk for player in players])
        for player, stand_in in stand_ins:
            _empty(player.person, stand_in)
        change.details = {"numbers": [player.number for player in players]}
        forget_known(linked)
        gone_here = {player.person_id for player in players}
        for row in linked:  # what they were at earlier events; one erases all that are linked to it
            if row.pk not in gone_here and not Person.objects.get(pk=row.pk).forgotten_at:
                erase_person(person=row, stand_in_for=stand_in_for, reason=str(PRIVACY_TIME_ENDED), by=by)
    return [player.number for player in players]


Patterns = list[tuple[re.Pattern[str], str]]


def _patterns_of(names: list[str], stand_in: str) -> Patterns:
    return [(pattern_of(names), stand_in)] if names else []


CHANGEABLE: Final[dict[type[models.Model], Columns]] = {
    Announcement: ("event", ("title", "text", "second_title", "second_text")),
    ClockPause: ("round__event", ("reason",)),
    CrewResult: ("drill__event", ("name",)),
    Cut: ("event", ("cancel_reason",)),
    Disqualification: ("event", ("reason", "clause", "cancel_reason")),
    DrawDraft: ("event", ("asked", "report", "problem")),
    EntryLink: ("event", ("name",)),
    Event: ("pk", ("house_rules", "contact", "observer_report", "wishes", "drawn", "prizes", "equipment", "rota")),
    FeePayment: ("event", ("note",)),
    Letter: ("event", ("subject", "body", "fault")),
    Penalty: ("event", ("reason", "amount_reason", "cancel_reason", "charge_reason", "clause")),
    Player: ("event", ("team", "guardian")),
    RefereeCall: ("event", ("question", "ruling", "clause")),
    Round: ("event", ("drawn",)),
    SeasonTeam: ("season__events__event", ("name", "points")),
    SignUp: ("event", ("guardian", "answers")),
    SignUpPage: ("event", ("texts", "questions")),
    Substitution: ("event", ("name", "reason", "cancel_reason")),
    TableTime: ("table__round__event", ("reason", "cancel_reason")),
}
"""The columns that hold typed text and can still be changed, with the path to the event."""


def replace_names(event: Event, patterns: Patterns) -> None:
    """Replace names by their stand-ins in every typed text of an event, also where a fixed one is shown."""
    for model, (way, columns) in CHANGEABLE.items():
        for row in model._default_manager.filter(**{way: event.pk}):
            changed = [column for column in columns if _replace(row, column, patterns)]
            if changed:
                row.save(update_fields=changed)
    current = Event.objects.only("redactions").get(pk=event.pk)
    redactions: dict[str, str] = dict(current.redactions)
    for text in {text for texts in list_fixed_texts(event) for text in texts}:
        key = digest_of(text)
        before = redactions.get(key, text)
        if (after := without_names(before, patterns)) != before:
            redactions[key] = after
    if redactions != current.redactions:
        current.redactions = event.redactions = redactions
        current.save(update_fields=["redactions"])


def _replace(row: models.Model, column: str, patterns: Patterns) -> bool:
    before = getattr(row, column)
    if column == "contact":
        after: Any = _in_contact(before, patterns)
    else:
        after = map_texts(before, lambda text: without_names(text, patterns))
    field: Any = row._meta.get_field(column)
    setattr(row, column, after[: field.max_length] if isinstance(after, str) else after)
    return bool(after != before)


def _in_contact(contact: dict[str, str], patterns: Patterns) -> dict[str, str]:
    """Return a contact without what names one of these people: an address with a stand-in in it reaches nobody."""
    return {key: text for key, text in contact.items() if without_names(text, patterns) == text}


def without_names(text: str, patterns: Patterns) -> str:
    """Return a text with names replaced by their stand-ins."""
    for pattern, stand_in in patterns:
        text = pattern.sub(lambda _found, words=stand_in: words, text)  # type: ignore[misc]
    return text
