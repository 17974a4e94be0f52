"""The public page of a person who agreed to one: events, seasons, places and yakuman, as far as the public sees them.

An event at which the person is not shown by name is not on it, and nothing of it is counted.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.events.models import Event, Visibility
from tournament.moments.messages import yakuman_items
from tournament.moments.queries import list_yakuman
from tournament.pages.permissions import for_anyone
from tournament.people.models import KnownPerson
from tournament.players.models import Player
from tournament.publication.names import read_for_public
from tournament.publication.queries import get_public_view
from tournament.seasons.models import Season
from tournament.seasons.queries import count_event, get_season_view
from tournament.standings.queries import get_standings
from tournament.tables.messages import say_nameless

WON_IN_A_ROW = 3  # games
NO_LAST = 10  # games without a last place
GAMES_PLAYED = (10, 50, 100)


@dataclass(frozen=True, slots=True)
class PlayedAt:
    """An event of a person: rank among so many (None for who is not ranked), the total, and the place of each game."""

    event: Event
    number: int
    rank: int | None
    of: int
    total: int
    places: Sequence[int]


@require_safe
@for_anyone
def person(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show a person who agreed to that; the id of one who was merged leads to the other."""
    known = KnownPerson.objects.select_related("merged_into").filter(uid=uid).first()
    if known and known.merged_into:
        return redirect("person", known.merged_into.uid)
    with read_for_public(say_nameless):
        players = _list_players(known) if known and known.agreed_at else []
        if known is None or not players:
            raise Http404("There is no such person.")
        played = [each for player in players if (each := _at(player))]
        context = {
            "name": players[-1].person.preferred_name,
            "played": list(reversed(played)),
            "games": sum(len(each.places) for each in played),
            "places": _count_places(played),
            "seasons": list(_seasons(known, players)),
            "yakuman": [item for player in players for item in _yakuman(player)],
            "achievements": _achievements(played),
            "csrf_token": "",
        }
    response = render(request, "seasons/person.html", context)
    response["Cache-Control"] = "no-cache"
    response["X-Robots-Tag"] = "noindex"
    return response


def _list_players(known: KnownPerson) -> list[Player]:
    """List what the person is at events that everybody finds, where the name is shown; one query."""
    found = Player.objects.filter(person__known=known, person__forgotten_at=None, shown_by_name=True)
    found = found.filter(event__visibility=Visibility.PUBLIC).select_related("event", "person")
    return list(found.order_by("event__date", "event"))


def _at(player: Player) -> PlayedAt | None:
    """Return what the person did at an event, None before a first public game."""
    result = count_event(player.event)
    places = [game[player.person_id] for game in result.places if player.person_id in game]
    if not places:
        return None
    rows = get_standings(player.event).rows
    row = next((row for row in rows if row.number == player.number), None)
    return PlayedAt(player.event, player.number, row.rank if row else None, len(rows), row.total if row else 0, places)


def _seasons(known: KnownPerson, players: Sequence[Player]) -> Iterator[tuple[Season, int | None, int]]:
    """Yield the public seasons of a person with rank and games, where the season shows the name."""
    events = [player.event_id for player in players]
    for season in Season.objects.filter(events__event__in=events, visibility=Visibility.PUBLIC).distinct():
        view = get_season_view(season)
        line = next((line for line in view.lines if line.row.person == known.pk and line.name), None)
        if line:
            yield season, line.row.rank, line.row.games


def _yakuman(player: Player) -> list[dict[str, object]]:
    return yakuman_items(player.event, [each for each in list_yakuman(player.event) if each.player == player.number])


def _achievements(played: Sequence[PlayedAt]) -> list[str]:
    """Name what the places of all games prove."""
    places = [place for each in played for place in each.places]
    sizes = [each.event.ruleset.players for each in played for _place in each.places]
    in_a_row = _longest(place == 1 for place in places)
    no_last = _longest(place < size for place, size in zip(places, sizes, strict=True))
    won = sum(each.rank == 1 for each in played if _is_over(each.event))
    games = max((count for count in GAMES_PLAYED if len(places) >= count), default=0)
    said = [
        (won > 0, _("Won an event")),
        (in_a_row >= WON_IN_A_ROW, _("Won %(n)d games in a row") % {"n": in_a_row}),
        (no_last >= NO_LAST, _("%(n)d games in a row without a last place") % {"n": no_last}),
        (games > 0, _("Played %(n)d games") % {"n": games}),
    ]
    return [text for holds, text in said if holds]


def _is_over(event: Event) -> bool:
    """Tell whether the results of all rounds are public; one query."""
    return len(get_public_view(event).rounds) == event.rounds.count()


def _count_places(played: Sequence[PlayedAt]) -> str:
    """Count the games by place, as the tag `placements` takes it; "" without games."""
    counts = Counter(place for each in played for place in each.places)
    seats = max((each.event.ruleset.players for each in played), default=0)
    return "-".join(str(counts[place]) for place in range(1, seats + 1))


def _longest(holds: Iterator[bool]) -> int:
    best = now = 0
    for each in holds:
        now = now + 1 if each else 0
        best = max(best, now)
    return best
