"""Personal data: who is shown by name, how long people are stored, and all that the desk stores of one person.

Only for accounts that may manage people's data.
"""

import calendar
import datetime as dt
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import override

from tournament.calls.models import CallKind
from tournament.core.hash_chain import moment
from tournament.core.redactions import list_fixed_texts, redact_value
from tournament.events.models import Event
from tournament.incidents.models import Substitution
from tournament.players.models import UNGUARDED, Person, Player
from tournament.publication.names import mentions, names_of_player
from tournament.signup.models import SignUp, SignUpPage
from tournament.signup.queries import kept_until
from tournament.tables.models import Round, Seat
from tournament.tables.queries import LoadedTable, load_tables
from tournament.tables.round_queries import list_days
from tournament.text.acts import word_details
from tournament.text.languages import Words, offered_language

NUMBER_KEYS = ("number", "player", "one", "other")
NUMBERS_KEYS = ("numbers", "players")
PERSON_FIELDS = ("preferred_name", "legal_name", "ema_number", "country", "club")


@dataclass(frozen=True, slots=True)
class PrivacyRow:
    """One player of an event: whether everybody may see the name, and whether it was taken away."""

    number: int
    name: str
    shown: bool
    forgotten: bool
    unguarded: bool  # a minor for whom no guardian has agreed


def list_privacy(event: Event) -> list[PrivacyRow]:
    """List the players by number; one query."""
    columns = ("number", "person__preferred_name", "shown_by_name", "person__forgotten_at")
    rows = event.players.annotate(unguarded=Q(UNGUARDED)).order_by("number").values_list(*columns, "unguarded")
    return [PrivacyRow(number, name, shown, gone is not None, alone) for number, name, shown, gone, alone in rows]


def list_not_filmed(event: Event, round_: Round) -> list[tuple[int, str]]:
    """List who must be in no picture, as (table, name) of a round's seats; one query."""
    seats = Seat.objects.filter(round=round_, player__event=event, player__filmed=False)
    return list(seats.order_by("table__number", "seat").values_list("table__number", "player__person__preferred_name"))


def get_kept_until(event: Event) -> dt.date | None:
    """Return the day after which an event's people are to be forgotten, None where nobody has said; a query at most."""
    if event.keep_months is None:
        return None
    return later(list_days(event)[-1], event.keep_months)


def get_backup_kept_until(today: dt.date) -> dt.date | None:
    """Return the first day on which people of an event of this desk are to be forgotten; None where nobody has said.

    An event whose time was over before has its people in the desk itself still: no backup expires for it.
    """
    events = Event.objects.filter(keep_months__isnull=False, players__person__forgotten_at=None).distinct()
    days = [until for event in events if (until := get_kept_until(event))]
    pages = SignUpPage.objects.filter(event__sign_ups__isnull=False).distinct().select_related("event")
    days += [kept_until(page.event, page) for page in pages]
    return min((until for until in days if until >= today), default=None)


def later(day: dt.date, months: int) -> dt.date:
    """Return the day so many months later, the month's last where there is no such.

    >>> later(dt.date(2026, 8, 31), 6)
    datetime.date(2027, 2, 28)
    """
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    return dt.date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def is_due(event: Event, today: dt.date) -> bool:
    """Tell whether the time of an event's people is over and any of them is still known; two queries at most."""
    until = get_kept_until(event)
    return until is not None and until < today and list_to_forget(event).exists()


def list_to_forget(event: Event) -> Any:
    """Return the people of this event who play at no later one and are not forgotten, as a queryset.

    The time counts from the last event of a human being: linked people wait for each other.
    """
    later_on = Player.objects.filter(Q(event__date__gt=event.date) | Q(event__date=event.date, event__gt=event.pk))
    known = later_on.filter(person__known__isnull=False).values("person__known")
    found = Person.objects.filter(players__event=event, forgotten_at=None)
    return found.exclude(pk__in=later_on.values("person")).exclude(known__isnull=False, known__in=known)


def list_linked(people: Iterable[Person]) -> list[Person]:
    """Return these people and all who are linked to them, not forgotten ones alone; one query."""
    rows = list(people)
    known = [row.known_id for row in rows if row.known_id is not None]
    return list(Person.objects.filter(Q(pk__in=[row.pk for row in rows]) | Q(known__in=known)).order_by("pk"))


def list_same_person(player: Player, events: Collection[int] | None = None) -> list[Player]:
    """List what one human being is at the events of this desk: linked people, or the same EMA number; one query.

    `events` are those that the reader may manage, None for all. A name alone is no proof.
    """
    person = player.person
    same = Q(person=person)
    if person.known_id:
        same |= Q(person__known=person.known_id)
    if person.ema_number:
        same |= Q(person__ema_number=person.ema_number)
    found = Player.objects.filter(same).select_related("person", "event").order_by("event__date", "event__pk")
    return list(found if events is None else found.filter(event__in=events))


def list_namesakes(player: Player, events: Collection[int]) -> list[Player]:
    """List players of the same name at other events who may be the same person; one query."""
    person = player.person
    found = Player.objects.filter(person__preferred_name__iexact=person.preferred_name, event__in=events)
    known = [each.pk for each in list_same_person(player)]
    return list(found.exclude(pk__in=known).select_related("person", "event").order_by("event__date", "event__pk"))


def count_fixed_mentions(player: Player) -> int:
    """Count the rows of this event that hold the person's name in what somebody typed and nobody can change.

    Of the ledger, the sheets and the trail: those keep numbers of players, and reasons as they were typed. Seven
    queries at most.
    """
    return mentions(names_of_player(player), ("\n".join(texts) for texts in list_fixed_texts(player.event)))


def get_person_data(player: Player, events: Collection[int] | None = None) -> dict[str, Any]:
    """Return all that the desk holds of one human being as plain JSON values, event by event.

    Of other players there is the number alone, of referees nothing. What a round that is not released has come to is
    left out: a player would see it before the others.
    """
    mine = list_same_person(player, events)
    return {
        "format": "hanchan-desk-person",
        "version": 1,
        "person": [
            _fields(person, *PERSON_FIELDS) for person in {each.person_id: each.person for each in mine}.values()
        ],
        "events": [_at_event(each) for each in mine],
    }


def _fields(row: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


def _at_event(player: Player) -> dict[str, Any]:
    event = player.event
    seats = Seat.objects.filter(player=player).select_related("round", "table").order_by("round__number")
    released = {seat.table_id for seat in seats if seat.round.released_at}
    tables = {table.id: table for table in load_tables(event, ids=list(released))}
    played = Q(player=player) | Q(substitute=player)
    return {
        "event": {"name": event.name, "date": event.date.isoformat(), "place": event.place, "address": event.slug},
        **_fields(player, "number", "team", "ranked", "shown_by_name", "filmed", "minor", "guardian"),
        "guardian_consent_on": player.guardian_consent_on.isoformat() if player.guardian_consent_on else None,
        "checked_in_at": _moment(player.checked_in_at),
        "withdrawn_at": _moment(player.withdrawn_at),
        "seats": [_seat(seat, tables.get(seat.table_id)) for seat in seats],
        "penalties": [_penalty(each) for each in player.penalties.select_related("round", "table")],
        "disqualifications": [
            {"given_at": moment(each.given_at), "cancelled_at": _moment(each.cancelled_at)}
            | _fields(each, "after_round", "reason", "clause", "shown", "cancel_reason")
            for each in player.disqualifications.all()
        ],
        "substitutions": [
            _substitution(each, player)
            for each in Substitution.objects.filter(played, event=event).select_related("table__round", "player")
        ],
        "calls_at_their_tables": [
            {
                "round": call.table.round.number,
                "table": call.table.number,
                "called_at": moment(call.called_at),
                **_fields(call, "question", "ruling", "clause"),
            }
            for call in event.calls.filter(table__in=released, kind=CallKind.CALL).select_related("table__round")
        ],
        "complaints": [
            {
                "round": call.table.round.number,
                "table": call.table.number,
                "made_at": moment(call.called_at),
                **_fields(call, "question", "ruling", "clause"),
            }
            for call in player.complaints.select_related("table__round")
        ],
        "sign_ups": [_sign_up(each) for each in player.sign_ups.filter(erased_at=None)],
        "payments": _payments(player),
        "acts": list(_acts(player)),
    }


def _seat(seat: Seat, table: LoadedTable | None) -> dict[str, Any]:
    """Return a seat, and once its round is released how the game went, hand by hand as the ledger has it."""
    found: dict[str, Any] = {"round": seat.round.number, "table": seat.table.number, "seat": seat.seat}
    if table is None:
        return found
    game = next(each for each in table.seat_games if each.player.number == seat.player.number)
    return {
        **found,
        **_fields(game, "score", "place", "uma", "result"),
        "others": [each.number for each in table.seats if each.number != seat.player.number],
        "hands": [
            {
                "seq": line.seq,
                "entry": json.loads(line.payload) if line.payload else None,
                "supersedes": line.supersedes,
                "reason": line.reason,
                "at": moment(line.at),
            }
            for line in table.lines
        ],
    }


def _penalty(penalty: Any) -> dict[str, Any]:
    return {
        "round": penalty.round.number if penalty.round else None,
        "table": penalty.table.number if penalty.table else None,
        **_fields(penalty, "kind", "points", "reason", "clause"),
        "given_at": moment(penalty.given_at),
        "cancelled_at": _moment(penalty.cancelled_at),
        "cancel_reason": penalty.cancel_reason,
    }


def _substitution(row: Substitution, player: Player) -> dict[str, Any]:
    return {
        "round": row.table.round.number,
        "table": row.table.number,
        "as": "replaced" if row.player_id == player.pk else "substitute",
        "player": row.player.number,
        **_fields(row, "when", "reason"),
        "given_at": moment(row.given_at),
        "cancelled_at": _moment(row.cancelled_at),
    }


def _payments(of: SignUp | Player) -> list[dict[str, Any]]:
    return [{"at": moment(each.given_at), **_fields(each, "amount", "note")} for each in of.payments.all()]


def _sign_up(row: SignUp) -> dict[str, Any]:
    plain = ("number", "state", "name", "mail", "ema_number", "country", "club", "language", "show_name", "photo")
    more = ("stream", "minor", "guardian", "guardian_mail", "answers", "fee")
    return {
        **_fields(row, *plain, *more),
        "guardian_consent_on": row.guardian_consent_on.isoformat() if row.guardian_consent_on else None,
        "arrived_at": moment(row.arrived_at),
        "payments": _payments(row),
        "letters": [
            {"made_at": moment(each.made_at), "sent_at": _moment(each.sent_at)}
            | _fields(each, "kind", "state", "to", "copy_to", "subject", "body")
            for each in row.letters.all()
        ],
    }


def _acts(player: Player) -> Iterator[dict[str, Any]]:
    """Yield what the trail says of the player's number; of several players together only that this was one of them."""
    for row in player.event.audit.order_by("seq"):
        details = redact_value(player.event, json.loads(row.details))
        alone = any(details.get(key) == player.number for key in NUMBER_KEYS)
        if alone or any(_holds(details.get(key), player.number) for key in NUMBERS_KEYS):
            shown = {key: value for key, value in details.items() if key not in NUMBERS_KEYS}
            yield {"at": moment(row.at), "act": row.verb, "details": shown}


def _holds(value: Any, number: int) -> bool:
    return isinstance(value, list) and number in value


def _moment(at: dt.datetime | None) -> str | None:
    return None if at is None else moment(at)


def say_forgotten(event: Event, number: int) -> str:
    """Say in the event's language what a player is called whose name was taken away."""
    with override(offered_language(event.language)):
        return _("Deleted player %(number)d") % {"number": number}


SHOWN_WORDS: Words = {
    "nothing": "nothing is public",
    "name": "the name is public",
    "reason": "name and reason are public",
}


word_details(shown=SHOWN_WORDS)
