"""What the last event of a season gives a player who plays it: the rank by each place, or the points for a rank.

From public results alone: a round that is held or played counts as one that is left. Who is not shown by name in the
season is told nothing and is named to nobody.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from scoring.season_needs import (
    EveningFigures,
    PlaceGives,
    PointsNeed,
    evening_figures,
    place_gives,
    points_needs,
)
from scoring.seasons import count_games, games_of
from tournament.events.models import Event, Visibility
from tournament.people.queries import human_key
from tournament.publication.queries import get_public_view, keep
from tournament.seasons.models import Season
from tournament.seasons.models import SeasonEvent as SeasonEventRow
from tournament.seasons.queries import SeasonView, get_season


@dataclass(frozen=True, slots=True)
class EventSeason:
    """A public season of an event, which is number `at` of its `of` events; `last` while it is the last of an open one.

    An event in open play never is: nobody knows how many games are left.

    `mark` moves with all that the season shows, "" where it is not the last.
    """

    slug: str
    name: str
    at: int
    of: int
    last: bool
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Tonight:
    """What an event gives its player in a season, `places` or `points`; `missing` are games short of a rank then."""

    season: EventSeason
    view: SeasonView
    places: tuple[PlaceGives[str], ...]
    points: tuple[PointsNeed, ...]
    missing: int


def list_event_seasons(event: Event) -> list[EventSeason]:
    """List the public seasons in which an event counts; one query, and one for each whose last event it is.

    No query for an event that counts in none, once that is known: who adds it raises its version.
    """
    counts = keep(f"in-season {event.pk}", event.seasons.exists, mark=str(event.version))
    if not counts:
        return []
    seasons = Season.objects.filter(visibility=Visibility.PUBLIC, events__event=event)
    rows = SeasonEventRow.objects.filter(season__in=seasons).order_by("season", "event__date", "event")
    columns = ("season__slug", "season__name", "season__closed_at", "event", "event__visibility")
    found = []
    for (slug, name, closed), group in groupby(rows.values_list(*columns), key=lambda row: row[:3]):
        events = list(group)
        shown = [pk for *_season, pk, visibility in events if visibility != Visibility.DRAFT]
        if event.pk in shown:
            last = closed is None and events[-1][3] == event.pk and not event.is_open and _rounds_left(event) > 0
            view = get_season(slug) if last else None
            at = shown.index(event.pk) + 1
            found.append(EventSeason(slug, name, at, len(shown), last, view.mark if view else ""))
    return found


def get_tonight(event: Event, number: int, seasons: Iterable[EventSeason]) -> list[Tonight]:
    """Return what an event gives the player of a number in each season whose last event it is."""
    views = [(season, get_season(season.slug)) for season in seasons if season.last]
    found = (_tonight(event, number, season, view) for season, view in views if view and not view.rule.ranking_list)
    return [each for each in found if each]


def _tonight(event: Event, number: int, season: EventSeason, view: SeasonView) -> Tonight | None:
    counts = view.rule.counts
    players = event.players.filter(ranked=True, person__forgotten_at=None)
    rows = list(players.values_list("number", "person", "person__known", "withdrawn_at"))
    keys = {each: human_key(person, known) for each, person, known, _withdrawn in rows}
    *past, tonight = view.events
    games_tonight = count_games([tonight])
    played = {key: games_tonight[key] for key in keys.values()}
    left = _rounds_left(event)
    still = {keys[each]: left for each, _person, _known, withdrawn in rows if withdrawn is None}
    me = keys.get(number)
    if me not in still or not view.names.get(me):
        return None
    before = {line.row.person: line.row for line in view.lines}
    games = before[me].games if me in before else 0
    if missing := max(counts.least - games - left, 0):
        return Tonight(season, view, (), (), missing)
    if counts.measure == "base_rank" and counts.unit == "evening":
        coming = {key: games + still.get(key, 0) for key, games in played.items() if games + still.get(key, 0)}

        def read() -> EveningFigures[int]:
            return evening_figures(past, coming, counts, view.carried)

        figures = keep(f"season-tonight {view.season.pk}", read, mark=view.mark)
        return Tonight(season, view, tuple(_named(view, each) for each in place_gives(figures, me)), (), 0)
    if counts.measure == "base_rank":
        return None  # who sits with whom in the games to come is not known
    others = [row.figure for key, row in before.items() if key != me and row.games + still.get(key, 0) >= counts.least]
    needs = points_needs(games_of([me], view.events), me, left, counts, others, view.carried.get(me, 0))
    return Tonight(season, view, (), tuple(needs), 0) if needs else None


def _named(view: SeasonView, gives: PlaceGives[int]) -> PlaceGives[str]:
    """Name who takes the better rank away; nobody where one of them is not shown by name."""
    unless = tuple((view.names.get(person, ""), place) for person, place in gives.unless)
    named = unless if all(name for name, _place in unless) else ()
    return PlaceGives(gives.place, gives.best, gives.worst, named)


def _rounds_left(event: Event) -> int:
    return event.rounds_planned - len(get_public_view(event).rounds)
