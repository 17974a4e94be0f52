"""A season as its pages show it: a fold over the public results of its events, kept until one of them changes.

A person is shown as the strictest of the counted events does. Drafts count nowhere; of a held or running round nothing
is counted. Games that an event's own cut halves or clears count in full.
"""

import datetime as dt
import functools
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import chain, count, pairwise
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS
from django.db.models import (
    Aggregate,
    Case,
    Count,
    Exists,
    JSONField,
    OuterRef,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast, JSONArray
from django.utils import timezone

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
from tournament.events.models import Event, Play, Visibility
from tournament.people.models import KnownPerson
from tournament.people.queries import current_person, human_keys, people_marks
from tournament.players.models import Person, Player
from tournament.publication.names import names_mark
from tournament.publication.queries import by_public_state, keep, public_state
from tournament.seasons import models
from tournament.seasons.results import EventResult, count_events, list_people
from tournament.standings.queries import get_standings
from tournament.tables.models import Round
from tournament.tables.round_queries import list_days
from tournament.tables.sheet_games import CHUNK
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
    over: bool  # all its rounds are released; of an open one: its day is past
    counted: SeasonEvent[int]

    @property
    def games(self) -> int:
        """How many games it has."""
        return len(self.counted.games)

    @functools.cached_property
    def points(self) -> Mapping[int, int]:
        """The points of each human being."""
        return {key: int(points) for key, points in self.counted.totals.items()}

    @functools.cached_property
    def best(self) -> int | None:
        """The key of who has most points, None before the end, without results or where several have."""
        top = max(self.points.values(), default=0)
        first = [key for key, points in self.points.items() if points == top]
        return first[0] if self.over and len(first) == 1 else None


class SeasonNames(Mapping[int, str]):
    """The newest name of each human being of some events, "" for who is not shown by name at one of them.

    A page shows a hundred of thousands: names are read when the first is asked for, all together, but for those that
    `read` has read before.
    """

    def __init__(self, results: Iterable[EventResult], keys: Mapping[int, int]) -> None:
        self._people: dict[int, int] = {}  # the newest row of each
        self.hidden: set[int] = set()
        for result in results:
            people = result.people.values()
            self._people.update(zip(map(keys.__getitem__, people), people, strict=True))
            self.hidden.update(map(keys.__getitem__, result.hidden))
        self._found = dict.fromkeys(self.hidden, ("", ""))

    def read(self, keys: Iterable[int]) -> None:
        """Read names and pages of these; one query for 10,000 that are not known."""
        wanted = {self._people[key]: key for key in keys if key not in self._found}
        found = dict.fromkeys(wanted.values(), ("", ""))
        # as text: to make ids of thousands takes longer than to read them
        page = Case(
            When(known__agreed_at__isnull=False, then=Cast("known__uid", TextField())), default=Value("", TextField())
        )
        for start in range(0, len(wanted), CHUNK):
            people = Person.objects.filter(pk__in=list(wanted)[start : start + CHUNK])
            found |= {wanted[pk]: tuple(facts) for pk, *facts in people.values_list("pk", "preferred_name", page)}
        self._found |= found

    def __getitem__(self, key: int) -> str:
        return self._get(key)[0]

    def __iter__(self) -> Iterator[int]:
        return iter(self._people)

    def __len__(self) -> int:
        return len(self._people)

    def get_page(self, key: int) -> UUID | None:
        """Return the lasting id of who agreed to have a page and is shown by name, None for others."""
        uid = self._get(key)[1]
        return UUID(uid) if uid else None

    def _get(self, key: int) -> tuple[str, str]:
        if key in self._people and key not in self._found:
            self.read(self)
        return self._found[key]


class SeasonLine(NamedTuple):
    """A line of a season: `number` tells those apart who are not shown by name, and is 0 for others.

    `missing` are the games short of the least.
    """

    row: SeasonRow[int]
    names: SeasonNames
    number: int
    missing: int

    @property
    def name(self) -> str:
        """The name, "" for who is not shown by name."""
        return self.names[self.row.person]

    @property
    def uid(self) -> UUID | None:
        """The lasting id that leads to the person's page, None without one."""
        return self.names.get_page(self.row.person)

    def points_at(self, evening: Evening) -> int | None:
        """Return the points of an evening, None for none, and for who is not shown by name.

        An evening's own page may have that name beside the same points.
        """
        return None if self.number else evening.points.get(self.row.person)


@dataclass(frozen=True)
class SeasonView:
    """A season, all from its events: `lines` best first, `together` the spans of ranks that are not apart yet.

    `names` are those of all players of its events by key.
    """

    season: models.Season
    rule: DeclaredRule
    lines: tuple[SeasonLine, ...]
    evenings: tuple[Evening, ...]
    together: tuple[tuple[int, int], ...]
    games: int
    events: tuple[SeasonEvent[int], ...]
    carried: Mapping[int, Points]
    names: SeasonNames
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
        return {line.row.person: search_text(line.name) for line in self.lines if not line.number}

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


def read_head_starts(season: models.Season) -> dict[int, Fraction]:
    """Return the head starts of a season by the key of a human being; who turned out to be one person has their sum."""
    return {key: sum(map(Fraction, parts.values()), Fraction()) for key, parts in list_head_starts(season).items()}


def list_head_starts(season: models.Season) -> dict[int, dict[str, str]]:
    """Return the head starts as they are stored, by lasting id, of each human being by key."""
    found = defaultdict[int, dict[str, str]](dict)
    known = KnownPerson.objects.filter(uid__in=season.carried).select_related("merged_into") if season.carried else ()
    for each in known:
        found[current_person(each).pk][str(each.uid)] = season.carried[str(each.uid)]
    return dict(found)


def rule_json(rule: DeclaredRule) -> dict[str, Any]:
    """Return a rule as it is stored."""
    more = {"list": str(rule.ranking_list)} if rule.ranking_list else {}
    return {**asdict(rule.counts), **more, **({"halved": True} if rule.halved else {})}


_EVENT_FIELDS: Final = [each.attname for each in Event._meta.concrete_fields]


class _EventRow(NamedTuple):
    """An event of a season with what its mark and its line need: its other columns are many and long."""

    event_id: int
    weight: str
    phase: int
    name: str
    slug: str
    date: str
    visibility: str
    play: str
    in_play: bool
    version: int
    rounds_planned: int
    live_tables: str
    live_others: str
    hold: str
    shown_through: int

    @property
    def event(self) -> Event:
        """The event with what decides what the public sees of it."""
        known = self._asdict() | {"id": self.event_id}
        names = [name for name in _EVENT_FIELDS if name in known and name != "date"]
        return Event.from_db(DEFAULT_DB_ALIAS, names, [known[name] for name in names])

    @property
    def over(self) -> bool:
        """Whether its winner is known: nobody knows of an open event which table is the last before its day is past."""
        if self.play == Play.OPEN:
            return dt.date.fromisoformat(self.date) < timezone.localdate()
        return not self.in_play


class _JsonRows(Aggregate):
    """JSON arrays of several rows as one: Django takes 500 rows apart for longer than it takes to draw their page."""

    function = "JSON_GROUP_ARRAY"
    output_field = JSONField()

    def as_postgresql(self, compiler: Any, connection: Any) -> Any:
        """Return what PostgreSQL calls the same."""
        return self.as_sql(compiler, connection, function="JSONB_AGG")


def get_season(slug: str) -> SeasonView | None:
    """Return a season as its pages show it, None if there is none; one query while nothing changes.

    What is kept moves with each column of the season, with each link, and with each of its events: with whatever is
    done to one that is over, which need not be asked for more, and with the public state of one in play.
    """
    return next(iter(list_season_views(slug=slug)), None)


def list_season_views(**which: Any) -> list[SeasonView]:
    """Return the seasons that these conditions choose; one query while nothing changes."""
    in_play = Exists(Round.objects.filter(event=OuterRef("event"), released_at=None))
    paths = {"in_play": in_play, **{name: name for name in ("event_id", "weight", "phase")}}
    columns = JSONArray(*(paths.get(name, f"event__{name}") for name in _EventRow._fields))
    events = models.SeasonEvent.objects.filter(season=OuterRef("pk")).order_by().values("season")
    seasons = models.Season.objects.filter(pk__in=models.Season.objects.filter(**which).values("pk"))
    found = seasons.annotate(
        people=Subquery(people_marks()), rows=Subquery(events.annotate(rows=_JsonRows(columns)).values("rows"))
    )
    return [_get_view(season, [_EventRow(*row) for row in season.rows or ()], season.people) for season in found]


def _get_view(season: models.Season, rows: Sequence[_EventRow], people: int | None) -> SeasonView:
    counted = [row for row in rows if row.visibility != Visibility.DRAFT]
    counted.sort(key=lambda row: (row.date, row.event_id))
    columns = [str(getattr(season, each.attname)) for each in models.Season._meta.concrete_fields]
    marks = [
        f"{row.event_id}:{row.weight}:{row.phase}:{row.over}:"
        f"{public_state(row.event).mark if row.in_play else row.version}"
        for row in counted
    ]
    mark = "|".join([*columns, str(people), *marks])
    return keep(f"season {season.pk} {names_mark()}", lambda: _read_season(season, counted, mark), mark=mark)


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


def _read_season(season: models.Season, rows: Sequence[_EventRow], mark: str) -> SeasonView:
    rule = read_rule(season.rule)
    weights = halved_weights([row.phase for row in rows]) if rule.halved else [Fraction(row.weight) for row in rows]
    by_event = count_events([row.event for row in rows])
    results = [by_event[row.event_id] for row in rows]
    by_rank = rule.counts.measure == "base_rank"  # of all who came: nobody's moves when somebody is forgotten
    gone = {row for result in results for row in result.forgotten.values()} if by_rank else set[int]()
    everybody = human_keys(chain(list_people(results), gone))
    keys = {row: key for row, key in everybody.items() if row not in gone} if gone else everybody
    here = set(keys.values())
    forgotten = frozenset(everybody[row] for row in gone) - here
    events = tuple(
        SeasonEvent(result.games.with_keys(everybody), weight, forgotten)
        for result, weight in zip(results, weights, strict=True)
    )
    carried = {key: points for key, points in read_head_starts(season).items() if key in here}
    listed = _rank_list(rule.ranking_list, rows, results, keys) if rule.ranking_list else None
    table = season_table(events, rule.counts, carried) if listed is None else listed
    names = SeasonNames(results, keys)
    hidden = count(1)
    lines = [
        SeasonLine(row, names, next(hidden) if row.person in names.hidden else 0, max(rule.counts.least - row.games, 0))
        for row in table
    ]
    shown = (
        event._replace(games=result.games.with_keys(keys)) if gone else event
        for event, result in zip(events, results, strict=True)
    )
    evenings = tuple(map(_evening, rows, shown))
    return SeasonView(
        season, rule, tuple(lines), evenings, _together(table), sum(each.games for each in evenings),
        events, carried, names, mark,
    )  # fmt: skip


def _evening(row: _EventRow, event: SeasonEvent[int]) -> Evening:
    listed = row.visibility == Visibility.PUBLIC
    date = dt.date.fromisoformat(row.date)
    return Evening(row.name, row.slug, date, listed, str(event.weight), row.phase, row.over, event)


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
    name: RankingList, rows: Sequence[_EventRow], results: Sequence[EventResult], keys: Mapping[int, int]
) -> list[SeasonRow[int]]:
    """Rank by the rule of a federation's list: each event gives what its place is worth there."""
    by_number = Event.objects.in_bulk([row.event_id for row in rows])  # with their rules
    events = [by_number[row.event_id] for row in rows]
    ended = [event.last_date for event in events]
    places: dict[int, list[tuple[int, int]]] = defaultdict(list)  # of each human being: event and place
    games: dict[int, int] = defaultdict(int)
    facts = [_list_facts(event) for event in events]
    for at, result in enumerate(results):
        played = Counter(result.games.people)
        for pk, rank in facts[at].ranks.items():
            if pk not in keys:  # forgotten
                continue
            places[keys[pk]].append((at, rank))
            games[keys[pk]] += played[pk]
    found = []
    for key, mine in places.items():
        bases = [base_rank(rank, len(facts[at].ranks)) for at, rank in mine]
        figure: Points | None
        if name is RankingList.MERS:
            halves = [_halves(events[at], facts[at]) for at, _rank in mine]
            past = map(PastResult, bases, halves, (ended[at] for at, _rank in mine))
            figure = ranking(past, max(ended))
        elif name is RankingList.UK:
            each_day = (day_results(base, facts[at].days) for base, (at, _rank) in zip(bases, mine, strict=True))
            figure = uk_ranking(chain.from_iterable(each_day))
        else:
            home: list[int] = []
            abroad: list[int] = []
            for at, rank in mine:
                here = events[at].country in ("", HOME)
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
                named[other.pk].update(line.row.person for line in view.lines if not line.number)
    public = {each.pk for each in (event, *others) if each.visibility == Visibility.PUBLIC}
    return {
        (pk, number): here[known]
        for pk, number, known, agreed in rows
        if pk != event.pk and known in here and (known in named[pk] or (agreed and {pk, event.pk} <= public))
    }
