"""Verbs of the day: who has a place becomes a player, and checks in by their link where the organiser allows it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max

from scoring.problems import ProblemType
from tournament.core.acts import Act, Group
from tournament.core.errors import Refused
from tournament.core.time_zones import today_at
from tournament.core.transaction import writing
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.people import Player
from tournament.models.sign_up import SignUp, SignUpState
from tournament.players.actions import NewPlayer, check_in, taken_names, write_players
from tournament.signup.queries import get_page
from tournament.tables.round_queries_clock import list_days

SIGN_UPS_MADE_PLAYERS = Act("sign_ups_made_players", "made players of sign-ups: {numbers}", groups=Group.PLAYER_LIST)

SIGN_UP_NO_CHECK_IN = ProblemType("sign_up.no_check_in", "You cannot check in on this page now.")


@dataclass(frozen=True, slots=True)
class Made:
    """What became of sign-ups, by their numbers: added as players, found in the list, or left out.

    Left out is who has the name of a player with another EMA number: the organiser tells them apart.
    """

    added: tuple[int, ...]
    found: tuple[int, ...]
    left_out: tuple[int, ...]


def make_players(*, event: Event, by: Account) -> Made:
    """Make a player of everybody who has a place and is none yet, in order of arrival; a second time changes nothing.

    A player with the same EMA number, or the same name where one of both has no number, is the same person.
    """
    with writing(event, SIGN_UPS_MADE_PLAYERS, by=by) as change:
        rows = change.event.sign_ups.filter(state=SignUpState.PLACE, player=None, erased_at=None).order_by("number")
        known = list(change.event.players.filter(sign_ups=None).select_related("person"))
        taken = taken_names(change.event)
        new, found, left_out = list[SignUp](), list[SignUp](), list[SignUp]()
        for row in rows:
            player = _same(row, known)
            if player:
                row.player = player
                found.append(row)
                known.remove(player)
            elif row.name.casefold() in taken:
                left_out.append(row)
            else:
                new.append(row)
                taken.add(row.name.casefold())
        last = change.event.players.aggregate(last=Max("number"))["last"] or 0
        players = write_players(change.event, last, [new_player(row) for row in new])
        for row, player in zip(new, players, strict=True):
            row.player = player
        SignUp.objects.bulk_update([*new, *found], ["player"])
        change.details = {"numbers": [player.number for player in players], "sign_ups": [row.number for row in new]}
        if not (new or found):
            change.nothing_new()
    return Made(_numbers(new), _numbers(found), _numbers(left_out))


def _numbers(rows: Sequence[SignUp]) -> tuple[int, ...]:
    return tuple(row.number for row in rows)


def _same(row: SignUp, players: Sequence[Player]) -> Player | None:
    for player in players:
        person = player.person
        if row.ema_number and person.ema_number:
            same = row.ema_number == person.ema_number
        else:
            same = row.name.casefold() == person.preferred_name.casefold()
        if same:
            return player
    return None


def new_player(row: SignUp) -> NewPlayer:
    """Return a sign-up as a player: pictures need the word for photographs and for the stream."""
    return NewPlayer(
        preferred_name=row.name,
        ema_number=row.ema_number,
        country=row.country,
        club=row.club,
        shown_by_name=row.show_name,
        filmed=row.photo and row.stream,
        minor=row.minor,
        guardian=row.guardian,
        guardian_consent_on=row.guardian_consent_on,
    )


def may_check_in(sign_up: SignUp) -> bool:
    """Tell whether somebody may check in by their link now: allowed, a player, on a day of the event; two queries."""
    if sign_up.player is None or sign_up.player.withdrawn_at or not get_page(sign_up.event).self_check_in:
        return False
    return today_at(sign_up.event) in list_days(sign_up.event)


def check_in_by_link(*, sign_up: SignUp) -> bool:
    """Check somebody in by their link; return whether that is new. Raises Refused where that is not allowed."""
    if not may_check_in(sign_up) or sign_up.player is None:
        raise Refused(SIGN_UP_NO_CHECK_IN())
    return check_in(player=sign_up.player, here=True, by=None)
