"""Verbs on people at an event: add them, take them out, rename them, rank them or not, put them into a team.

Who leaves, comes late or returns is noted here; no seat moves by it (`redraws` fills the seats).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max

from scoring.problems import error
from tournament.models import Account, Event, Penalty, Person, Player
from tournament.refusal import Refused
from tournament.services.core.writing import Change, writing

MOST_NAME = 60
MOST_TEAM = 80
MOST_REASON = 300


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """Somebody to be added: the name to be called by, and what else is known."""

    preferred_name: str
    legal_name: str = ""
    ema_number: str = ""
    country: str = ""
    club: str = ""
    team: str = ""
    shown_by_name: bool = True


def add_players(*, event: Event, players: Sequence[NewPlayer], by: Account) -> list[Player]:
    """Add people to an event and number them on from the last; all of them or none.

    Raises Refused for a name that is empty or there already, and once seats are drawn.
    """
    with writing(event, "players_added", by=by) as change:
        if change.event.rounds.exists():
            raise Refused(error("players.seats_drawn"))
        taken = {name.casefold() for name in change.event.players.values_list("person__preferred_name", flat=True)}
        for new in players:
            name = new.preferred_name.strip()
            if not name:
                raise Refused(error("players.name_missing"))
            if name.casefold() in taken:
                raise Refused(error("players.name_taken", name=name))
            taken.add(name.casefold())
        last = change.event.players.aggregate(last=Max("number"))["last"] or 0
        added = _add(change.event, last, players)
        if not added:
            change.nothing_new()
        change.details = {"numbers": [player.number for player in added]}
    return added


def remove_player(*, player: Player, by: Account) -> None:
    """Take somebody out of an event before seats are drawn, and close the gap in the numbers.

    Raises Refused once seats are drawn, and for whom the register of penalties names.
    """
    with writing(player.event, "player_removed", by=by) as change:
        if change.event.rounds.exists():
            raise Refused(error("players.seats_drawn"))
        # read anew under the lock: numbers close up when somebody else is taken out
        current = change.event.players.filter(pk=player.pk).first()
        if current is None:
            change.nothing_new()
            return
        change.details = {"number": current.number}
        _delete(change.event, [current.number])
        for later in change.event.players.filter(number__gt=current.number).order_by("number"):
            later.number -= 1
            later.save(update_fields=["number"])


def take_players_back(*, event: Event, numbers: Sequence[int], by: Account) -> None:
    """Take the players out who were added last, in one act, before seats are drawn: an import that was wrong.

    Raises Refused once seats are drawn, where these are not the last of the list any more, and for whom the register
    of penalties names.
    """
    with writing(event, "players_taken_back", by=by) as change:
        if change.event.rounds.exists():
            raise Refused(error("players.seats_drawn"))
        wanted = sorted(set(numbers))
        last = change.event.players.filter(number__gte=min(wanted, default=0)).order_by("number")
        if not wanted or list(last.values_list("number", flat=True)) != wanted:
            raise Refused(error("players.not_the_last"))
        _delete(change.event, wanted)
        change.details = {"numbers": wanted}


def rename_player(*, player: Player, name: str, by: Account) -> None:
    """Change the name that a person is called by, everywhere."""
    with writing(player.event, "player_renamed", by=by) as change:
        if not name.strip() or len(name.strip()) > MOST_NAME:
            raise Refused(error("players.name_missing"))
        change.details = {"number": player.number}
        person = player.person
        if person.preferred_name == name.strip():
            change.nothing_new()
        person.preferred_name = name.strip()
        person.save(update_fields=["preferred_name"])


def set_ranked(*, player: Player, ranked: bool, reason: str = "", by: Account) -> None:
    """Take a player out of the ranking, or back into it; games and penalties stay as they are.

    Raises Refused without a reason once play has begun, and for a substitute who is to be ranked.
    """
    with writing(player.event, "player_ranked" if ranked else "player_unranked", by=by) as change:
        current = change.event.players.select_related("person").get(pk=player.pk)
        change.details = {"number": current.number, "reason": reason.strip()[:300]}
        if current.ranked == ranked:
            change.nothing_new()
            return
        if change.event.rules_frozen_at and not reason.strip():
            raise Refused(error("players.ranking_reason_missing"))
        plays = current.substitutions.filter(cancelled_at=None).select_related("table__round").first()
        if ranked and plays:
            raise Refused(
                error("players.is_substitute", name=current.person.preferred_name, round=plays.table.round.number)
            )
        current.ranked = ranked
        current.save(update_fields=["ranked"])
    player.ranked = ranked


def add_late_player(*, event: Event, new: NewPlayer, ranked: bool = True, by: Account) -> Player:
    """Add somebody after seats were drawn, with the next number and without a seat: a late-comer, or one in reserve.

    Raises Refused for a name that is empty, too long or there already.
    """
    with writing(event, "player_came_late", by=by) as change:
        player = bring_player(change, new, ranked=ranked)
        change.details = {"number": player.number, "ranked": ranked}
    return player


def bring_player(change: Change, new: NewPlayer, *, ranked: bool) -> Player:
    """Add one player within a change, numbered after the last; raises Refused as `add_late_player`."""
    name = new.preferred_name.strip()
    if not name or len(name) > MOST_NAME:
        raise Refused(error("players.name_missing"))
    names = change.event.players.values_list("person__preferred_name", flat=True)
    if name.casefold() in {each.casefold() for each in names}:
        raise Refused(error("players.name_taken", name=name))
    last = change.event.players.aggregate(last=Max("number"))["last"] or 0
    player = _add(change.event, last, [new])[0]
    if not ranked:
        player.ranked = False
        player.save(update_fields=["ranked"])
    return player


def withdraw_player(*, player: Player, reason: str, by: Account) -> None:
    """Note that somebody has left: games and seats stay as they are, and nobody draws that player into a new round.

    Raises Refused without a reason.
    """
    with writing(player.event, "player_withdrawn", by=by) as change:
        current = change.event.players.get(pk=player.pk)
        if current.withdrawn_at:
            change.nothing_new()
            return
        change.details = {"number": current.number, "reason": _reason(reason)}
        current.withdrawn_at = change.at
        current.save(update_fields=["withdrawn_at"])


def return_player(*, player: Player, reason: str, by: Account) -> None:
    """Note that somebody is back, without a seat in what was drawn meanwhile. Raises Refused without a reason."""
    with writing(player.event, "player_returned", by=by) as change:
        current = change.event.players.get(pk=player.pk)
        if not current.withdrawn_at:
            change.nothing_new()
            return
        change.details = {"number": current.number, "reason": _reason(reason)}
        current.withdrawn_at = None
        current.save(update_fields=["withdrawn_at"])


def set_team(*, player: Player, team: str, by: Account) -> None:
    """Put a player into a team by its name, or into none. Raises Refused where the name is too long."""
    with writing(player.event, "player_teamed", by=by) as change:
        current = change.event.players.get(pk=player.pk)
        name = " ".join(team.split())
        if len(name) > MOST_TEAM:
            raise Refused(error("players.team_too_long", most=MOST_TEAM))
        change.details = {"number": current.number, "team": name}
        if current.team == name:
            change.nothing_new()
            return
        current.team = name
        current.save(update_fields=["team"])


def _reason(reason: str) -> str:
    if not reason.strip():
        raise Refused(error("players.leaving_reason_missing"))
    return reason.strip()[:MOST_REASON]


def _delete(event: Event, numbers: Sequence[int]) -> None:
    """Delete players with the people that they are; raises Refused for whom the register of penalties names."""
    players = list(event.players.filter(number__in=numbers).select_related("person").order_by("number"))
    named = set(Penalty.objects.filter(player__in=players).values_list("player", flat=True))
    if named:
        name = next(player.person.preferred_name for player in players if player.pk in named)
        raise Refused(error("players.has_penalty", name=name))
    for player in players:
        player.delete()
    # a name that nobody plays under is nobody's business any more
    Person.objects.filter(pk__in=[player.person_id for player in players], players=None).delete()


def _add(event: Event, last: int, players: Sequence[NewPlayer]) -> list[Player]:
    """Write people and players in two statements, however many they are, numbered on from `last`."""
    people = Person.objects.bulk_create(
        Person(
            preferred_name=new.preferred_name.strip(),
            legal_name=new.legal_name.strip(),
            ema_number=new.ema_number,
            country=new.country,
            club=new.club.strip(),
        )
        for new in players
    )
    return Player.objects.bulk_create(
        Player(event=event, person=person, number=number, team=new.team.strip(), shown_by_name=new.shown_by_name)
        for number, (person, new) in enumerate(zip(people, players, strict=True), start=last + 1)
    )
