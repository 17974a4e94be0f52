"""Verbs on the players of an event: add, remove, change what is known, check in, note who left or returned.

None moves a seat (`redraws` fills the seats).
"""

import datetime as dt
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Group, Seals, Shown
from tournament.core.audit import append_audit
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_CLUB, MAX_LEGAL_NAME, MAX_NAME, MAX_REASON, MAX_TEAM
from tournament.core.sealed_rows import keys_of_person
from tournament.core.transaction import EventChange, check_length, event_transaction, require_text
from tournament.events.models import Event
from tournament.penalties.models import Penalty
from tournament.people.actions import link_people
from tournament.players.models import Person, Player
from tournament.players.queries import PLAYERS_ADDED

PLAYER_REMOVED = Act("player_removed", "took player {number} out", groups=Group.PLAYER_LIST | Group.RENUMBERING)
PLAYERS_TAKEN_BACK = Act(
    "players_taken_back",
    "took players {numbers} out again, who were added last",
    groups=Group.PLAYER_LIST | Group.RENUMBERING,
)
PLAYER_CHANGED = Act(
    "player_changed",
    "changed {fields} of player {number}: {reason}",
    groups=Group.PLAYER_LIST,
    without_reason="changed {fields} of player {number}",
)
PERSON_CHANGED = Act("person_changed", "changed player {number} at another event, where the same person plays")
PLAYER_CHECKED_IN = Act("player_checked_in", "checked player {number} in", Seals.OWN, Shown.WALL)
PLAYER_CHECKED_OUT = Act("player_checked_out", "took the check-in of player {number} back", Seals.OWN, Shown.WALL)
PLAYER_CAME_LATE = Act("player_came_late", "added player {number}, who came late", groups=Group.PLAYER_LIST)
PLAYER_WITHDRAWN = Act("player_withdrawn", "noted that player {number} has left: {reason}")
PLAYER_RETURNED = Act("player_returned", "noted that player {number} is back: {reason}")

REDRAW_MOVED_ON = ProblemType(
    "redraw.moved_on", "Something changed since this was shown: check it again, then confirm."
)
CHECK_IN_WITHDRAWN = ProblemType("check_in.withdrawn", "{name} has withdrawn from this event and is not checked in.")
PLAYERS_SEATS_DRAWN = ProblemType(
    "players.seats_drawn", "Seats are drawn: the list of players is closed. Undo the draw first."
)
PLAYERS_NAME_MISSING = ProblemType("players.name_missing", "A player needs a name of at most 60 letters.")
PLAYERS_NAME_TAKEN = ProblemType("players.name_taken", "There is a player called {name} already.")
PLAYERS_EMA_NUMBER = ProblemType("players.ema_number", "An EMA number has eight digits: '{number}' is not one.")
PLAYERS_RANKING_REASON_MISSING = ProblemType(
    "players.ranking_reason_missing", "Play has begun: to rank a player or not needs a reason."
)
PLAYERS_IS_SUBSTITUTE = ProblemType(
    "players.is_substitute", "{name} plays as a substitute in round {round}, and a substitute is never ranked."
)
PLAYERS_LEAVING_REASON_MISSING = ProblemType(
    "players.leaving_reason_missing", "To note that somebody leaves or returns needs a reason."
)
PLAYERS_NOT_THE_LAST = ProblemType(
    "players.not_the_last", "These are no longer the players added last: check the list."
)
PLAYERS_DISQUALIFIED = ProblemType(
    "players.disqualified", "Player {number} is disqualified: take that back first, on the player’s page."
)
PLAYERS_TEAM_TOO_LONG = ProblemType("players.team_too_long", "The team's name is too long: at most {most} letters.")
PLAYERS_HAS_PENALTY = ProblemType(
    "players.has_penalty",
    "{name} is in the register of penalties, where every row is kept. Leave the name in the list and note “Has "
    "left” at the player: then no seat is drawn for it.",
)
PRIVACY_FORGOTTEN_ALREADY = ProblemType("privacy.forgotten_already", "The data of this player is already deleted.")

MAX_LETTERS = {"legal_name": MAX_LEGAL_NAME, "country": 3, "club": MAX_CLUB, "guardian": MAX_NAME}
PERSON_FACTS = ("preferred_name", "legal_name", "ema_number", "country", "club")
PLAYER_FACTS = ("team", "shown_by_name", "filmed", "minor", "guardian", "guardian_consent_on")
SUBSTITUTE = "Substitute"


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """Somebody to be added: the display name, and what else is known."""

    preferred_name: str
    legal_name: str = ""
    ema_number: str = ""
    country: str = ""
    club: str = ""
    team: str = ""
    shown_by_name: bool = True
    filmed: bool = True
    minor: bool = False
    guardian: str = ""
    guardian_consent_on: dt.date | None = None

    @property
    def unguarded(self) -> bool:
        """Tell whether no guardian has agreed for a minor, who is then neither shown by name nor filmed."""
        return self.minor and not (self.guardian.strip() and self.guardian_consent_on)


def add_players(*, event: Event, players: Sequence[NewPlayer], late: bool = False, by: Account) -> list[Player]:
    """Add players, numbered on from the last.

    Raises DomainError for an empty or known name, and once seats are drawn unless they come `late`, with results of
    rounds that were played elsewhere, or the event is open.
    """
    with event_transaction(event, PLAYERS_ADDED, by=by) as change:
        if not late and not change.event.is_open:
            _check_not_drawn(change.event)
        taken = taken_names(change.event)
        for new in players:
            name = new.preferred_name.strip()
            if not name:
                raise DomainError(PLAYERS_NAME_MISSING())
            if name.casefold() in taken:
                raise DomainError(PLAYERS_NAME_TAKEN(name=name))
            taken.add(name.casefold())
        last = change.event.players.aggregate(last=Max("number"))["last"] or 0
        added = write_players(change.event, last, players)
        if not added:
            change.mark_unchanged()
        change.details = {"numbers": [player.number for player in added]}
    return added


def copy_players(*, event: Event, template: Event, by: Account) -> int:
    """Add the players of another event who have not left it, each linked to the same human being; return how many.

    Raises DomainError as `add_players` and `link_people`.
    """
    with transaction.atomic():
        found = template.players.filter(withdrawn_at=None, person__forgotten_at=None, ranked=True)
        old = list(found.select_related("person").order_by("number"))
        added = add_players(event=event, players=[player_facts(player) for player in old], by=by) if old else []
        for was, player in zip(old, added, strict=True):
            link_people(people=[was.person_id, player.person_id], by=by)
    return len(added)


def remove_player(*, player: Player, by: Account) -> None:
    """Remove a player before seats are drawn, and close the gap in the numbers.

    Raises DomainError once seats are drawn, and for a player with a penalty.
    """
    with event_transaction(player.event, PLAYER_REMOVED, by=by) as change:
        _check_not_drawn(change.event)
        # read again under the lock: numbers close up when another player is removed
        current = change.event.players.filter(pk=player.pk).first()
        if current is None:
            change.mark_unchanged()
            return
        change.details = {"number": current.number}
        _delete(change.event, [current.number])
        for later in change.event.players.filter(number__gt=current.number).order_by("number"):
            change.set_columns(later, number=later.number - 1)


def remove_last_players(*, event: Event, numbers: Sequence[int], by: Account) -> None:
    """Remove the players who were added last, in one act: a wrong import.

    Raises DomainError once seats are drawn, where these are not the last of the list, and for a player with a penalty.
    """
    with event_transaction(event, PLAYERS_TAKEN_BACK, by=by) as change:
        _check_not_drawn(change.event)
        wanted = sorted(set(numbers))
        last = change.event.players.filter(number__gte=min(wanted, default=0)).order_by("number")
        if not wanted or list(last.values_list("number", flat=True)) != wanted:
            raise DomainError(PLAYERS_NOT_THE_LAST())
        _delete(change.event, wanted)
        change.details = {"numbers": wanted}


def change_player(*, player: Player, to: NewPlayer, ranked: bool, reason: str = "", by: Account) -> bool:
    """Replace all that is known of a player, and say whether they are ranked; return whether that changed anything.

    The trail names the fields, never what they held. Raises DomainError for a name that is empty, too long or another
    player's, for text that is too long, for ranking a substitute or somebody disqualified, and for another ranking
    without a reason once play has begun.
    """
    with transaction.atomic(), event_transaction(player.event, PLAYER_CHANGED, by=by) as change:
        current = change.event.players.select_related("person").get(pk=player.pk)
        facts = _cleaned_facts(to)
        known = {name: getattr(current.person, name) for name in PERSON_FACTS}
        known |= {name: getattr(current, name) for name in PLAYER_FACTS}
        fields = [name for name, value in facts.items() if known[name] != value]
        if current.ranked != ranked:
            _check_ranking(current, ranked=ranked, reason=reason)
            fields.append("ranked" if ranked else "unranked")
        if not fields:
            return change.mark_unchanged()
        _check_facts(current, facts, fields)
        change.details = {"number": current.number, "fields": fields, "reason": reason.strip()[:MAX_REASON]}
        change.set_columns(current.person, **{name: facts[name] for name in PERSON_FACTS})
        change.set_columns(current, **{name: facts[name] for name in PLAYER_FACTS}, ranked=ranked)
        change.changed = True  # one of the two rows may be as it was
        if set(fields) & set(PERSON_FACTS):
            _tell_others(current, by)
    player.ranked = ranked
    return True


def _tell_others(player: Player, by: Account) -> None:
    """Seal a person's new facts in the trails of the other events where they play."""
    others = player.person.players.exclude(event=player.event_id).select_related("event").order_by("event")
    for other in others:
        with event_transaction(other.event, PERSON_CHANGED, by=by) as change:
            change.seal_existing_rows(keys_of_person(other.number))
            change.details = {"number": other.number}


def player_facts(player: Player) -> NewPlayer:
    """Return what is known of a player who was read with the person."""
    known = {name: getattr(player.person, name) for name in PERSON_FACTS}
    return NewPlayer(**known, **{name: getattr(player, name) for name in PLAYER_FACTS})


def _cleaned_facts(to: NewPlayer) -> dict[str, Any]:
    """Return facts with the spaces that nobody means taken out, and of consent what may be kept."""
    return {
        name: " ".join(value.split()) if isinstance(value, str) else value
        for name, value in (asdict(to) | _consent(to)).items()
    }


def _consent(new: NewPlayer) -> dict[str, Any]:
    """Return consent as it is stored: no guardian of an adult, and a minor without one is hidden."""
    free = not new.unguarded
    guardian = {"guardian": new.guardian, "guardian_consent_on": new.guardian_consent_on}
    shown = {"shown_by_name": new.shown_by_name and free, "filmed": new.filmed and free, "minor": new.minor}
    return shown | (guardian if new.minor else {"guardian": "", "guardian_consent_on": None})


def _check_facts(player: Player, facts: Mapping[str, Any], fields: Sequence[str]) -> None:
    name = facts["preferred_name"]
    if not name or len(name) > MAX_NAME:
        raise DomainError(PLAYERS_NAME_MISSING())
    if player.person.forgotten_at and ({*PERSON_FACTS, *PLAYER_FACTS} - {"team"}) & set(fields):
        raise DomainError(PRIVACY_FORGOTTEN_ALREADY())
    others = player.event.players.exclude(pk=player.pk).values_list("person__preferred_name", flat=True)
    if "preferred_name" in fields and name.casefold() in {other.casefold() for other in others}:
        raise DomainError(PLAYERS_NAME_TAKEN(name=name))
    if len(facts["team"]) > MAX_TEAM:
        raise DomainError(PLAYERS_TEAM_TOO_LONG(most=MAX_TEAM))
    for key, most in MAX_LETTERS.items():
        check_length(key, facts[key], most)
    if facts["ema_number"] and not re.fullmatch("[0-9]{8}", facts["ema_number"]):
        raise DomainError(PLAYERS_EMA_NUMBER(number=facts["ema_number"][:20]))


def check_in(*, player: Player, here: bool, client_id: UUID | None = None, by: Account | None) -> bool:
    """Tick a player as present, or untick; return whether that was new. Nobody (None) is the player by their own link.

    A known `client_id` changes nothing. Raises DomainError for a withdrawn player.
    """
    with event_transaction(player.event, PLAYER_CHECKED_IN if here else PLAYER_CHECKED_OUT, by=by) as change:
        if change.is_duplicate(client_id):
            return False
        current = change.event.players.select_related("person").get(pk=player.pk)
        if current.withdrawn_at and here:
            raise DomainError(CHECK_IN_WITHDRAWN(name=current.person.preferred_name))
        change.details = {"number": current.number}
        return change.set_columns(current, checked_in_at=(current.checked_in_at or change.at) if here else None)


def note_presence(change: EventChange, player: Player) -> None:
    """Check a player in within another act, with an audit row of its own."""
    if change.set_columns(player, checked_in_at=change.at):
        append_audit(change.event, PLAYER_CHECKED_IN, {"number": player.number}, by=change.by, at=change.at)


def _check_ranking(player: Player, *, ranked: bool, reason: str) -> None:
    if player.event.rules_frozen_at and not reason.strip():
        raise DomainError(PLAYERS_RANKING_REASON_MISSING())
    _check_not_disqualified(player)
    plays = player.substitutions.filter(cancelled_at=None).select_related("table__round").first()
    if ranked and plays:
        name = player.person.preferred_name
        raise DomainError(PLAYERS_IS_SUBSTITUTE(name=name, round=plays.table.round.number))


def add_late_player(*, event: Event, new: NewPlayer, ranked: bool = True, by: Account) -> Player:
    """Add a late or reserve player after seats were drawn, with the next number and without a seat.

    Raises DomainError for a name that is empty, too long or known.
    """
    with event_transaction(event, PLAYER_CAME_LATE, by=by) as change:
        player = bring_player(change, new, ranked=ranked)
        change.details = {"number": player.number, "ranked": ranked}
    return player


def bring_player(change: EventChange, new: NewPlayer, *, ranked: bool) -> Player:
    """Add one player within a change, numbered after the last; raises DomainError as `add_late_player`."""
    name = new.preferred_name.strip()
    if not name or len(name) > MAX_NAME:
        raise DomainError(PLAYERS_NAME_MISSING())
    if name.casefold() in taken_names(change.event):
        raise DomainError(PLAYERS_NAME_TAKEN(name=name))
    last = change.event.players.aggregate(last=Max("number"))["last"] or 0
    player = write_players(change.event, last, [new])[0]
    if not ranked:
        change.set_columns(player, ranked=False)
    return player


def taken_names(event: Event) -> set[str]:
    """Return the names of an event's players, case folded."""
    return {name.casefold() for name in event.players.values_list("person__preferred_name", flat=True)}


def bring_substitutes(change: EventChange, numbers: Iterable[int], names: Sequence[str] = ()) -> dict[int, Player]:
    """Add unranked players with these numbers within a change, by `names` while there are any, then by free names."""
    given = [name.strip() for name in names if name.strip()]
    brought = {}
    for number in numbers:
        name = given.pop(0) if given else _free_name(change.event)
        player = bring_player(change, NewPlayer(name), ranked=False)
        if player.number != number:
            raise DomainError(REDRAW_MOVED_ON())
        brought[number] = player
    return brought


def _free_name(event: Event) -> str:
    taken = taken_names(event)
    names = (f"{SUBSTITUTE} {number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name.casefold() not in taken)


def withdraw_player(*, player: Player, reason: str, by: Account) -> None:
    """Mark a player as withdrawn: games and seats stay, no new draw seats them. Raises DomainError without a reason."""
    _set_withdrawn(player, reason, by, withdrawn=True)


def return_player(*, player: Player, reason: str, by: Account) -> None:
    """Note that a player is back, without a seat in what was drawn meanwhile. Raises DomainError without a reason."""
    _set_withdrawn(player, reason, by, withdrawn=False)


def _set_withdrawn(player: Player, reason: str, by: Account, *, withdrawn: bool) -> None:
    with event_transaction(player.event, PLAYER_WITHDRAWN if withdrawn else PLAYER_RETURNED, by=by) as change:
        current = change.event.players.get(pk=player.pk)
        if bool(current.withdrawn_at) == withdrawn:
            change.mark_unchanged()
            return
        _check_not_disqualified(current)
        change.details = {"number": current.number, "reason": require_text(reason, PLAYERS_LEAVING_REASON_MISSING)}
        change.set_columns(current, withdrawn_at=change.at if withdrawn else None)


def _check_not_disqualified(player: Player) -> None:
    """Raise DomainError for a disqualified player: only lifting it gives ranking and seats back."""
    if player.disqualifications.filter(cancelled_at=None).exists():
        raise DomainError(PLAYERS_DISQUALIFIED(number=player.number))


def _check_not_drawn(event: Event) -> None:
    if event.rounds.exists():
        raise DomainError(PLAYERS_SEATS_DRAWN())


def _delete(event: Event, numbers: Sequence[int]) -> None:
    """Delete players with their people; raises DomainError for a player with a penalty."""
    players = list(event.players.filter(number__in=numbers).select_related("person").order_by("number"))
    named = set(Penalty.objects.filter(player__in=players).values_list("player", flat=True))
    if named:
        name = next(player.person.preferred_name for player in players if player.pk in named)
        raise DomainError(PLAYERS_HAS_PENALTY(name=name))
    for player in players:
        player.delete()
    # privacy: keep no name that nobody plays under
    Person.objects.filter(pk__in=[player.person_id for player in players], players=None).delete()


def write_players(event: Event, last: int, players: Sequence[NewPlayer]) -> list[Player]:
    """Write people and players in two statements, numbered on from `last`."""
    people = Person.objects.bulk_create(
        Person(
            preferred_name=new.preferred_name.strip(),
            legal_name=new.legal_name.strip(),
            ema_number=new.ema_number,
            country=new.country,
            club=new.club.strip(),
            salt=secrets.token_hex(16),
        )
        for new in players
    )
    return Player.objects.bulk_create(
        Player(event=event, person=person, number=number, team=new.team.strip(), **_consent(new))
        for number, (person, new) in enumerate(zip(people, players, strict=True), start=last + 1)
    )


# Acts of older programs, which no code writes any more
Act("player_renamed", "changed the name of player {number}", groups=Group.PLAYER_LIST)
Act("player_ranked", "took player {number} into the ranking: {reason}")
Act("player_unranked", "took player {number} out of the ranking: {reason}")
Act("player_teamed", "put player {number} into the team {team}")
