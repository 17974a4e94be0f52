"""Teams of a season and their line-ups; the trail of the site names teams by number and people by lasting id."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils.crypto import salted_hmac

from scoring.problems import ProblemType
from scoring.seasons import TeamRule
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.audit import append_audit, lock_audit_trail
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_TEAM
from tournament.core.now import now
from tournament.core.transaction import require_text
from tournament.events.models import Event
from tournament.league.models import LineUp, SeasonTeam
from tournament.league.queries import hash_team_code, read_team_rule
from tournament.open_play.actions import seat_table
from tournament.people.actions import give_lasting_ids
from tournament.people.models import KnownPerson
from tournament.people.queries import current_person
from tournament.players.models import Person
from tournament.seasons.models import Season
from tournament.tables.models import Table
from tournament.text.names import clean_text

TEAM_RULE_SET = Act("team_rule_set", "changed the rule of the teams of season {season}", Seals.OWN)
TEAM_SAVED = Act("team_saved", "saved team {team} of season {season}; its own points: {points}", Seals.OWN)
TEAM_DELETED = Act("team_deleted", "deleted team {team} of season {season}", Seals.OWN)
TEAM_CODE_MADE = Act("team_code_made", "created a link for the captain of team {team}, season {season}", Seals.OWN)
_AT = "{event}, game {game}, table {table}"
LINE_UPS_ASKED = Act("line_ups_asked", f"asked teams {{teams}} for line-ups: {_AT}", Seals.OWN)
LINE_UPS_DELETED = Act("line_ups_deleted", f"deleted the line-ups of {_AT}", Seals.OWN)
LINE_UP_HANDED_IN = Act("line_up_handed_in", f"handed in the line-up of team {{team}}: {_AT}", Seals.OWN)
LINE_UPS_OPENED = Act("line_ups_opened", f"opened the line-ups of {_AT}: {{people}}", Seals.OWN)

TEAM_NAME_TAKEN = ProblemType("team.name_taken", "A team needs a name of its own.")
TEAM_MEMBER_TAKEN = ProblemType("team.member_taken", "{name} plays for {team}.")
TEAM_USED = ProblemType("team.used", "{team} has line-ups: delete them first.")
LINE_UP_TEAMS = ProblemType("line_up.teams", "A table has {size} different teams; {count} are chosen.")
LINE_UP_ASKED = ProblemType("line_up.asked", "Other teams are asked for line-ups of this table already.")
LINE_UP_STRANGER = ProblemType("line_up.stranger", "Choose a member of the team.")
LINE_UP_OPEN = ProblemType("line_up.open", "All line-ups of this table are in and open: they can no longer change.")
LINE_UP_TWICE = ProblemType("line_up.twice", "This member is in the line-up of table {table} in the same game.")
LINE_UP_SEALED = ProblemType("line_up.sealed", "Not all line-ups of this table are in.")
LINE_UP_NO_PLAYER = ProblemType("line_up.no_player", "The member of {team} is not a player of this event yet.")
LINE_UP_MOST = ProblemType("line_up.most", "This member is in {count} line-ups already; {most} games are allowed.")

MOST_GAMES: Final = 999
CODE_SALT: Final = "hanchan.season-team"


def set_team_rule(*, season: Season, rule: TeamRule | None, by: Account) -> bool:
    """Let a season count by teams, or not (None); return whether that is new."""
    stored = asdict(rule) if rule else {}
    with transaction.atomic():
        lock_audit_trail(None)
        new = Season.objects.select_for_update().get(pk=season.pk).team_rule != stored
        if new:
            Season.objects.filter(pk=season.pk).update(team_rule=stored)
            _append(TEAM_RULE_SET, season, {}, by)
    season.team_rule = stored
    return new


def save_team(
    *,
    season: Season,
    number: int | None,
    name: str,
    members: Collection[int],
    points: Sequence[tuple[int, int, str]] = (),
    last_phase: int | None = None,
    by: Account,
) -> bool:
    """Create a team, or change the one with this number; return whether anything is new.

    `members` are keys of human beings, `points` as the column. Raises DomainError for a name that another team has, and
    for who plays for another one.
    """
    with transaction.atomic():
        lock_audit_trail(None)
        name = require_text(clean_text(name), TEAM_NAME_TAKEN, MAX_TEAM)
        others = season.teams.exclude(number=number or 0)
        if others.filter(name__iexact=name).exists():
            raise DomainError(TEAM_NAME_TAKEN())
        people = list(KnownPerson.objects.filter(uid__in=give_lasting_ids(members).values()).order_by("pk"))
        for other in others.prefetch_related("members__merged_into"):
            if shared := {current_person(each) for each in other.members.all()} & set(people):
                row = Person.objects.filter(known__in=shared).latest("pk")
                raise DomainError(TEAM_MEMBER_TAKEN(name=row.preferred_name, team=other.name))
        last = season.teams.aggregate(last=Max("number"))["last"] or 0
        team = season.teams.get(number=number) if number else SeasonTeam(season=season, number=last + 1)
        facts = {"name": name, "points": [list(each) for each in points], "last_phase": last_phase}
        before = {column: getattr(team, column) for column in facts}
        if team.pk and before == facts and list(team.members.order_by("pk")) == people:
            return False
        for column, value in facts.items():
            setattr(team, column, value)
        team.save()
        team.members.set(people)
        _append(TEAM_SAVED, season, {"team": team.number, "points": sum(each for _, each, _reason in points)}, by)
    return True


def delete_team(*, team: SeasonTeam, by: Account) -> None:
    """Delete a team. Raises DomainError where it has line-ups."""
    with transaction.atomic():
        lock_audit_trail(None)
        if team.line_ups.exists():
            raise DomainError(TEAM_USED(team=team.name))
        if team.delete()[0]:
            _append(TEAM_DELETED, team.season, {"team": team.number}, by)


def make_team_code(*, team: SeasonTeam, client_id: UUID, by: Account) -> str:
    """Make the code by which a captain hands in line-ups, and return it; the one before counts no more.

    It can be read only now; the same `client_id` gives the same code.
    """
    code = salted_hmac(CODE_SALT, f"{client_id}/{team.season.slug}/{team.number}", algorithm="sha256").hexdigest()[:32]
    with transaction.atomic():
        lock_audit_trail(None)
        if SeasonTeam.objects.get(pk=team.pk).code_hash != hash_team_code(code):
            SeasonTeam.objects.filter(pk=team.pk).update(code_hash=hash_team_code(code))
            _append(TEAM_CODE_MADE, team.season, {"team": team.number}, by)
    return code


def ask_line_ups(*, event: Event, game: int, table: int, teams: Sequence[SeasonTeam], by: Account) -> bool:
    """Ask teams of one season who sits down at a table, in seat order; return False where they are asked already.

    Raises DomainError unless there is a team for each seat, and where others are asked.
    """
    if not len(set(teams)) == len(teams) == event.ruleset.players:
        raise DomainError(LINE_UP_TEAMS(size=event.ruleset.players, count=len(set(teams))))
    season = teams[0].season
    with transaction.atomic():
        lock_audit_trail(None)
        if asked := [row.team for row in _list_line_ups(season, event, game, table)]:
            if asked != list(teams):
                raise DomainError(LINE_UP_ASKED())
            return False
        LineUp.objects.bulk_create(
            LineUp(team=team, event=event, game=game, table=table, seat=seat) for seat, team in enumerate(teams)
        )
        details = {"teams": [team.number for team in teams], **_place(event, game, table)}
        _append(LINE_UPS_ASKED, season, details, by)
    return True


def delete_line_ups(*, season: Season, event: Event, game: int, table: int, by: Account) -> None:
    """Delete the line-ups of a table, sealed or open."""
    with transaction.atomic():
        lock_audit_trail(None)
        rows = _list_line_ups(season, event, game, table)
        if LineUp.objects.filter(pk__in=[row.pk for row in rows]).delete()[0]:
            _append(LINE_UPS_DELETED, season, _place(event, game, table), by)


def hand_in_line_up(*, line_up: LineUp, member: int, by: Account | None = None) -> bool:
    """Say which member sits down for a team; the last line-up of a table opens all. Return False if that is known.

    `by` is None for a captain by the code of the team. Raises DomainError for who is no member, sits at another table
    of the same game or has played most games, and once all are open.
    """
    with transaction.atomic():
        lock_audit_trail(None)
        row = LineUp.objects.select_related("team__season", "event").get(pk=line_up.pk)
        season, place = row.team.season, _place(row.event, row.game, row.table)
        chosen = row.team.members.filter(pk=member).first()
        if chosen is None:
            raise DomainError(LINE_UP_STRANGER())
        if row.member_id == chosen.pk:
            return False
        if all(each.member_id for each in _list_line_ups(season, row.event, row.game, row.table)):
            raise DomainError(LINE_UP_OPEN())
        _check_line_ups(row, chosen)
        row.member = chosen
        row.save(update_fields=["member"])
        _append(LINE_UP_HANDED_IN, season, {"team": row.team.number, **place}, by)
        people = [each.member for each in _list_line_ups(season, row.event, row.game, row.table)]
        if all(people):
            _append(LINE_UPS_OPENED, season, {**place, "people": [str(each) for each in people]}, by)
    return True


def seat_line_ups(*, season: Season, event: Event, game: int, table: int, client_id: UUID, by: Account) -> Table:
    """Seat who is in the open line-ups of a table, in their order; at the first free table where theirs is in use.

    A known `client_id` changes nothing. Raises DomainError while a line-up is sealed, for who is no player of the
    event, and as `seat_table`.
    """
    with transaction.atomic():
        lock_audit_trail(event)
        rows = _list_line_ups(season, event, game, table)
        members = [current_person(row.member).pk for row in rows if row.member]
        if not members or len(members) < len(rows):
            raise DomainError(LINE_UP_SEALED())
        here = event.players.filter(person__known__isnull=False).select_related("person__known__merged_into")
        players = {current_person(each.person.known).pk: each for each in here if each.person.known}
        if missing := [row.team.name for row, member in zip(rows, members, strict=True) if member not in players]:
            raise DomainError(*(LINE_UP_NO_PLAYER(team=name) for name in missing))
        used = event.rounds.filter(released_at=None, tables__number=table).exclude(drawn__client_id=str(client_id))
        at = None if used.exists() else table
        seats = [players[member] for member in members]
        return seat_table(event=event, seats=seats, hall_table=at, client_id=client_id, by=by)


def _check_line_ups(row: LineUp, member: KnownPerson) -> None:
    """Raise DomainError where a member sits at another table of the same game, or in most games of the first phase."""
    season, rule = row.team.season, read_team_rule(row.team.season)
    others = LineUp.objects.filter(team=row.team, member=member).exclude(pk=row.pk)
    if same := others.filter(event=row.event, game=row.game).first():
        raise DomainError(LINE_UP_TWICE(table=same.table))
    first = set(season.events.filter(phase=1).values_list("event", flat=True))
    count = others.filter(event__in=first).count()
    if rule and rule.most and row.event_id in first and count >= rule.most:
        raise DomainError(LINE_UP_MOST(count=count, most=rule.most))


def _list_line_ups(season: Season, event: Event, game: int, table: int) -> list[LineUp]:
    found = LineUp.objects.filter(team__season=season, event=event, game=game, table=table)
    return list(found.select_related("team", "member"))


def _place(event: Event, game: int, table: int) -> dict[str, Any]:
    return {"event": event.slug, "game": game, "table": table}


def _append(act: Act, season: Season, details: Mapping[str, Any], by: Account | None) -> None:
    append_audit(None, act, {"season": season.slug, **details}, by=str(by.uid) if by else "", at=now())
