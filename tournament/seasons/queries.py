"""A season as its pages show it: a fold over the public results of its events, kept until one of them changes.

A person is shown as the strictest of the counted events does. Drafts count nowhere; of a held or running round nothing
is counted. Games that an event's own cut halves or clears count in full.
"""

import datetime as dt
import functools
import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from scoring.mers import (
    PastResult,
    austrian_points,
    austrian_ranking,
    base_rank,
    day_results,
    ranking,
    uk_ranking,
    weight_in_halves,
)
from scoring.seasons import (
    Points,
    SeasonEvent,
    SeasonRow,
    SeasonRule,
    figures_by_event,
    halved_weights,
    rank_rows,
    replay_wins,
    season_table,
)
from tournament.events.models import Event, Visibility
from tournament.people.models import KnownPerson
from tournament.people.queries import human_keys, people_marks
from tournament.players.models import Player
from tournament.publication.names import names_mark
from tournament.publication.queries import by_public_state, keep, public_state
from tournament.seasons import models
from tournament.seasons.results import EventResult, count_events
from tournament.standings.queries import get_standings
from tournament.tables.models import Round
from tournament.tables.round_queries import list_days
from tournament.text.names import alphabetical, search_text

REPLAYS: Final = 1000
MOST_REPLAYED: Final = 1_000_000  # evenings of people in all replays of a season: a second at most
HOME: Final = "AUT"  # of the Austrian list


class RankingList(StrEnum):
    """The list of a federation whose own rule ranks a season."""

    MERS = "mers"
    UK = "uk"
    AUSTRIA = "austria"


class DeclaredRule(NamedTuple):
    """The rule of a season: what counts, or the list of a federation whose own rule does instead.

    With `halved`, half of all points is carried into the next phase, and the weights of events follow from that.
    """

    counts: SeasonRule
    ranking_list: RankingList | None = None
    halved: bool = False


READY_MADE: Final[Mapping[str, DeclaredRule]] = {
    "sum": DeclaredRule(SeasonRule(gather="sum")),
    "mean": DeclaredRule(SeasonRule(gather="mean", least=9)),
    "best": DeclaredRule(SeasonRule(unit="evening", gather="sum", best=8)),
    "m_league": DeclaredRule(SeasonRule(gather="sum"), halved=True),
    "mers": DeclaredRule(SeasonRule(unit="evening", measure="base_rank"), RankingList.MERS),
    "uk": DeclaredRule(SeasonRule(unit="evening", measure="base_rank"), RankingList.UK),
    "austria": DeclaredRule(SeasonRule(unit="evening", measure="base_rank", gather="sum"), RankingList.AUSTRIA),
}
"""Rules that clubs and federations have, by the key of their words."""


class ListFacts(NamedTuple):
    """What a federation's list asks of an event: rank by row of people, days, and how many countries came."""

    ranks: Mapping[int, int]
    days: int
    countries: int


@dataclass(frozen=True)
class Evening:
    """An event of a season, `counted` by key of a human being."""

    name: str
    slug: str
    date: dt.date
    listed: bool  # everybody finds its pages
    weight: str
    phase: int
    counted: SeasonEvent[int]

    @property
    def games(self) -> int:
        """How many games it has."""
        return len(self.counted.games)

    @functools.cached_property
    def points(self) -> Mapping[int, int]:
        """The points of each human being."""
        points: dict[int, int] = defaultdict(int)
        for game in self.counted.games:
            for key, each in game.items():
                points[key] += int(each)
        return dict(points)

    @functools.cached_property
    def best(self) -> int | None:
        """The key of who has most points, None without results or where several have."""
        top = max(self.points.values(), default=0)
        first = [key for key, points in self.points.items() if points == top]
        return first[0] if len(first) == 1 else None


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A line of a season: `name` is "" for who is not shown by name, then `number` tells such people apart.

    `uid` leads to the page of a person who agreed to have one. `missing` are the games short of the least.
    """

    row: SeasonRow[int]
    name: str
    number: int
    uid: UUID | None
    missing: int

    def points_at(self, evening: Evening) -> int | None:
        """Return the points of an evening, None for none, and for who is not shown by name.

        An evening's own page may have that name beside the same points.
        """
        return evening.points.get(self.row.person) if self.name else None


@dataclass(frozen=True)
class SeasonView:
    """A season, all from its events: `lines` best first, `together` the spans of ranks that are not apart yet.

    `names` are those of all players of its events by key, "" for who is not shown by name.
    """

    season: models.Season
    rule: DeclaredRule
    lines: tuple[SeasonLine, ...]
    evenings: tuple[Evening, ...]
    together: tuple[tuple[int, int], ...]
    games: int
    events: tuple[SeasonEvent[int], ...]
    carried: Mapping[int, Points]
    names: Mapping[int, str]
    mark: str

    @functools.cached_property
    def ranked(self) -> list[SeasonLine]:
        """Who has a rank."""
        return [line for line in self.lines if line.row.rank is not None]

    @functools.cached_property
    def line_of(self) -> Mapping[int, SeasonLine]:
        """The line of each person."""
        return {line.row.person: line for line in self.lines}

    @functools.cached_property
    def short(self) -> list[SeasonLine]:
        """Who has too few games."""
        return [line for line in self.lines if line.row.rank is None]

    @functools.cached_property
    def found_by(self) -> Mapping[int, str]:
        """What the name of each person is found by, without those who are not shown by name."""
        return {line.row.person: search_text(line.name) for line in self.lines if line.name}

    @property
    def champions(self) -> list[SeasonLine]:
        """The first of a closed season."""
        return [line for line in self.lines if line.row.rank == 1] if self.season.closed_at else []


def list_seasons(*, public: bool) -> QuerySet[models.Season, models.Season]:
    """List the seasons that everybody may find, or all; one query."""
    found = models.Season.objects.annotate(evenings=Count("events"))
    return found.filter(visibility=Visibility.PUBLIC) if public else found


def read_rule(stored: Mapping[str, Any]) -> DeclaredRule:
    """Return the rule of a season as it is stored."""
    counts = {key: value for key, value in stored.items() if key not in ("list", "halved")}
    name = stored.get("list")
    return DeclaredRule(SeasonRule(**counts), RankingList(name) if name else None, bool(stored.get("halved")))


def rule_json(rule: DeclaredRule) -> dict[str, Any]:
    """Return a rule as it is stored."""
    more = {"list": str(rule.ranking_list)} if rule.ranking_list else {}
    return {**asdict(rule.counts), **more, **({"halved": True} if rule.halved else {})}


def get_season(slug: str) -> SeasonView | None:
    """Return a season as its pages show it, None if there is none; one query while nothing changes, two without events.

    What is kept moves with each column of the season, with each link, and with each of its events: with whatever is
    done to one that is over, which need not be asked for more, and with the public state of one in play.
    """
    found = list_season_views(slug=slug)
    if found:
        return found[0]
    season = models.Season.objects.filter(slug=slug).first()
    return _get_view(season, []) if season else None


def list_season_views(**which: Any) -> list[SeasonView]:
    """Return the seasons with events that these conditions on seasons choose; one query while nothing changes."""
    seasons = models.Season.objects.filter(**which)
    found = models.SeasonEvent.objects.filter(season__in=seasons).select_related("season", "event").only(*_COLUMNS)
    in_play = Exists(Round.objects.filter(event=OuterRef("event"), released_at=None))
    by_season: dict[int, list[Any]] = defaultdict(list)
    for row in found.annotate(people=Subquery(people_marks()), in_play=in_play):
        by_season[row.season_id].append(row)
    return [_get_view(rows[0].season, rows) for rows in by_season.values()]


def _get_view(season: models.Season, rows: Sequence[Any]) -> SeasonView:
    counted = [row for row in rows if row.event.visibility != Visibility.DRAFT]
    columns = [str(getattr(season, each.attname)) for each in models.Season._meta.concrete_fields]
    marks = [
        f"{row.event_id}:{row.weight}:{row.phase}:{public_state(row.event).mark if row.in_play else row.event.version}"
        for row in counted
    ]
    mark = "|".join([*columns, str(rows[0].people if rows else 0), *marks])
    return keep(f"season {season.pk} {names_mark()}", lambda: _read_season(season, counted, mark), mark=mark)


# What a view and its mark need of an event: the other columns are long, and come with the events that are counted.
_OF_EVENT = (
    "name", "slug", "date", "day_rounds", "country", "qualified", "visibility", "version",
    "rounds_planned", "live_tables", "live_others", "hold", "shown_through",
)  # fmt: skip
_COLUMNS = (
    "weight", "phase", "event_id", "season_id", *(f"event__{name}" for name in _OF_EVENT),
    *(f"season__{each.name}" for each in models.Season._meta.concrete_fields),
)  # fmt: skip


def get_season_view(season: models.Season) -> SeasonView:
    """Return the view of a season that is there."""
    view = get_season(season.slug)
    if view is None:
        raise models.Season.DoesNotExist
    return view


def _list_facts(event: Event) -> ListFacts:
    def read() -> ListFacts:
        players = list(event.players.values_list("number", "person", "person__country"))
        person = {number: pk for number, pk, _country in players}
        ranks = {person[row.number]: row.rank for row in get_standings(event).rows if row.games}
        return ListFacts(ranks, len(list_days(event)), len({country for *_who, country in players if country}))

    return by_public_state(event, "season-list", read)


def _read_season(season: models.Season, rows: Sequence[models.SeasonEvent], mark: str) -> SeasonView:
    rule = read_rule(season.rule)
    weights = halved_weights([row.phase for row in rows]) if rule.halved else [Fraction(row.weight) for row in rows]
    by_event = count_events([row.event for row in rows])
    results = [by_event[row.event_id] for row in rows]
    keys = human_keys({pk for result in results for pk in result.names})
    events = tuple(
        SeasonEvent([_by_human(game, keys) for game in result.games], weight)
        for weight, result in zip(weights, results, strict=True)
    )
    here = set(keys.values())
    wanted = Q(agreed_at__isnull=False) | Q(uid__in=season.carried)
    known = [row for row in KnownPerson.objects.filter(wanted).values_list("pk", "uid", "agreed_at") if row[0] in here]
    by_uid = {str(uid): pk for pk, uid, _agreed in known}
    carried = {by_uid[uid]: Fraction(points) for uid, points in season.carried.items() if uid in by_uid}
    listed = _rank_list(rule.ranking_list, rows, results, keys) if rule.ranking_list else None
    table = season_table(events, rule.counts, carried) if listed is None else listed
    names = shown_names(results, keys)
    agreed = {pk: uid for pk, uid, since in known if since is not None}
    hidden = 0
    lines = []
    for row in table:
        hidden += not names[row.person]
        uid = agreed.get(row.person) if names[row.person] else None
        number = 0 if names[row.person] else hidden
        lines.append(SeasonLine(row, names[row.person], number, uid, max(rule.counts.least - row.games, 0)))
    evenings = tuple(_evening(*each) for each in zip(rows, events, strict=True))
    return SeasonView(
        season, rule, tuple(lines), evenings, _together(table), sum(each.games for each in evenings),
        events, carried, names, mark,
    )  # fmt: skip


def _by_human(game: Mapping[int, int], keys: Mapping[int, int]) -> dict[int, int]:
    """Return the points of a game by key of a human being, without the forgotten."""
    found: dict[Any, int] = dict(zip(map(keys.get, game), game.values(), strict=True))
    found.pop(None, None)
    return found


def shown_names(results: Sequence[EventResult], keys: Mapping[int, int]) -> dict[int, str]:
    """Return the newest name of each human being, "" for who is not shown by name at one of the events."""
    names: dict[int, str] = {}
    hidden: set[int] = set()
    for result in results:
        for pk, name in result.names.items():
            if name is None:
                hidden.add(keys[pk])
            names[keys[pk]] = name or ""
    return names | dict.fromkeys(hidden, "")


def _evening(row: models.SeasonEvent, event: SeasonEvent[int]) -> Evening:
    listed = row.event.visibility == Visibility.PUBLIC
    return Evening(
        row.event.name,
        row.event.slug,
        row.event.date,
        listed,
        str(event.weight),
        row.phase,
        event,
    )


def _together(table: Sequence[SeasonRow[int]]) -> tuple[tuple[int, int], ...]:
    """Return spans of ranks whose means are not apart: from the first of a span on, each within the 90 % interval.

    Of a difference: the root of the squares of both halves.
    """
    ranked = [row for row in table if row.rank is not None and row.spread is not None]
    spans: list[tuple[int, int]] = []
    start = 0
    for at, (_row, following) in enumerate(pairwise(ranked)):
        first = ranked[start]
        apart = float(first.figure - following.figure) > math.hypot(first.spread or 0, following.spread or 0)
        if apart or at == len(ranked) - 2:
            end = at if apart else at + 1
            if end > start:
                spans.append((first.rank or 0, ranked[end].rank or 0))
            start = at + 1
    return tuple(spans)


def _rank_list(
    name: RankingList, rows: Sequence[models.SeasonEvent], results: Sequence[EventResult], keys: Mapping[int, int]
) -> list[SeasonRow[int]]:
    """Rank by the rule of a federation's list: each event gives what its place is worth there."""
    ended = [row.event.last_date for row in rows]
    places: dict[int, list[tuple[int, int]]] = defaultdict(list)  # of each human being: event and place
    games: dict[int, int] = defaultdict(int)
    whole = Event.objects.in_bulk([row.event_id for row in rows])  # with their rules
    facts = [_list_facts(whole[row.event_id]) for row in rows]
    for at, result in enumerate(results):
        for pk, rank in facts[at].ranks.items():
            if pk not in keys:  # forgotten
                continue
            places[keys[pk]].append((at, rank))
            games[keys[pk]] += sum(pk in game for game in result.games)
    found = []
    for key, mine in places.items():
        bases = [base_rank(rank, len(facts[at].ranks)) for at, rank in mine]
        figure: Points | None
        if name is RankingList.MERS:
            halves = [_halves(rows[at].event, facts[at]) for at, _rank in mine]
            past = map(PastResult, bases, halves, (ended[at] for at, _rank in mine))
            figure = ranking(past, max(ended))
        elif name is RankingList.UK:
            each_day = (day_results(base, facts[at].days) for base, (at, _rank) in zip(bases, mine, strict=True))
            figure = uk_ranking(chain.from_iterable(each_day))
        else:
            home: list[int] = []
            abroad: list[int] = []
            for at, rank in mine:
                here = rows[at].event.country in ("", HOME)
                (home if here else abroad).append(austrian_points(rank, len(facts[at].ranks)))
            figure = austrian_ranking(home, abroad)
        found.append(SeasonRow(None if figure is None else 1, key, figure or 0, games[key], len(mine), None))
    return rank_rows(found)


def _halves(event: Event, facts: ListFacts) -> int:
    return weight_in_halves(
        days=facts.days, players=len(facts.ranks), countries=facts.countries, qualified=event.qualified
    )


def get_replays(view: SeasonView) -> tuple[int, Mapping[int, Fraction]]:
    """Return how often the season was replayed by chance, and the part of the replays that each person would win.

    Kept with the season. None of a list, whose results are no sums of evenings.
    """
    evenings = sum(len(each.points) for each in view.evenings)
    times = 0 if view.rule.ranking_list or not evenings else min(REPLAYS, MOST_REPLAYED // evenings)
    if not times:
        return 0, {}

    def replay() -> Mapping[int, Fraction]:
        return replay_wins(view.events, view.rule.counts, view.carried, times=times)

    return times, keep(f"season-replays {view.season.pk} {names_mark()}", replay, mark=view.mark)


def get_progress(view: SeasonView, people: Sequence[int]) -> Mapping[int, Sequence[Points | None]]:
    """Return the figures of these people after each evening, kept with the season; none of a federation's list."""
    if view.rule.ranking_list:
        return {}

    def read() -> Mapping[int, Sequence[Points | None]]:
        return figures_by_event(view.events, view.rule.counts, people, view.carried)

    return keep(f"season-progress {view.season.pk} {','.join(map(str, people))}", read, mark=view.mark)


def list_person_pages(query: str = "", *, most: int) -> list[tuple[str, UUID]] | None:
    """List name and lasting id of who agreed to a page and is shown by name somewhere, by name; one query.

    With a `query` so many who have each of its words in the name, without one None for more than `most`.
    """
    shown = Player.objects.filter(
        person__known=OuterRef("pk"), shown_by_name=True, person__forgotten_at=None, event__visibility=Visibility.PUBLIC
    )
    for word in query.split():
        shown = shown.filter(person__preferred_name__icontains=word)
    newest = shown.order_by("-event__date", "-event").values("person__preferred_name")[:1]
    agreed = KnownPerson.objects.filter(agreed_at__isnull=False).annotate(name=Subquery(newest))
    found = list(agreed.filter(name__isnull=False).values_list("name", "uid")[: most + 1])
    if len(found) > most and not query:
        return None
    return sorted(found[:most], key=lambda page: alphabetical(page[0]))


def find_same_players(event: Event, others: Collection[Event]) -> dict[tuple[int, int], int]:
    """Return the number here of players of other events, by event and number there, where the public may know that.

    It may where a season shows both events and the person by name, and of who agreed to a page at public events. Never
    of who is not shown by name at one of the two. Two queries while nothing changes.
    """
    found = Player.objects.filter(event__in=[event, *others], person__forgotten_at=None, shown_by_name=True)
    found = found.filter(person__known__isnull=False)
    rows = list(found.values_list("event", "number", "person__known", "person__known__agreed_at"))
    here = {known: number for pk, number, known, _agreed in rows if pk == event.pk}
    named = defaultdict[int, set[int]](set)
    for view in list_season_views(visibility=Visibility.PUBLIC, events__event=event):
        shown = {evening.slug for evening in view.evenings}
        for other in others:
            if {event.slug, other.slug} <= shown:
                named[other.pk].update(line.row.person for line in view.lines if line.name)
    public = {each.pk for each in (event, *others) if each.visibility == Visibility.PUBLIC}
    return {
        (pk, number): here[known]
        for pk, number, known, agreed in rows
        if pk != event.pk and known in here and (known in named[pk] or (agreed and {pk, event.pk} <= public))
    }
