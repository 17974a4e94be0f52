"""The standings of players and teams: released games and penalties, ranked, for every page, command, file and sheet."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import FilteredRelation, Q, QuerySet

from scoring.player_stats import PlayerStats
from scoring.standings import (
    Carry,
    CutOff,
    CutStanding,
    PlacedGame,
    Step,
    rank_after_cuts,
    rank_round_by_round,
)
from scoring.teams import Team, rank_teams
from tournament.core.prepared import Prepared
from tournament.events.models import Event
from tournament.penalties.queries import Moved, RegisterRow, count_points_by_round, read_registers
from tournament.players.models import Player
from tournament.publication.names import name_of, names_mark, without_hidden_names
from tournament.publication.queries import (
    by_public_state,
    by_public_states,
    by_version,
    get_public_view,
    read_public_view,
)
from tournament.standings.columns import StandingRow
from tournament.standings.models import Cut
from tournament.tables.queries import LoadedTable, list_public_tables, load_tables, prepare_public_tables
from tournament.tables.rows import TeamMember, TeamRow


@dataclass(frozen=True, slots=True)
class UnrankedRow:
    """A player who is not ranked, with the number of games that count for the others.

    Of somebody `disqualified` the public reads nothing, the name or the `reason`, as `shown` says.
    """

    number: int
    name: str
    games: int
    disqualified: bool = False
    shown: str = ""
    reason: str = ""

    @property
    def announced(self) -> bool:
        """Whether the public reads of the disqualification."""
        return self.shown in ("name", "reason")

    @property
    def public_reason(self) -> str:
        """The reason, where the public reads it."""
        return self.reason if self.shown == "reason" else ""


@dataclass(frozen=True, slots=True)
class Standings:
    """The ranking after these rounds, best first; `unranked` are those who have played and are not ranked.

    Among them are the disqualified, those of whom the public reads even if they have not played.
    """

    rounds: tuple[int, ...]
    rows: tuple[StandingRow, ...]
    unranked: tuple[UnrankedRow, ...] = ()


@dataclass(frozen=True, slots=True)
class RankHistory:
    """One ranked player's way through the released rounds, and among how many."""

    steps: tuple[Step, ...]
    players: int


@dataclass(frozen=True, slots=True)
class TeamStandings:
    """The teams of an event after these rounds, best first; `best` is how many members of each count."""

    rounds: tuple[int, ...]
    best: int
    rows: tuple[TeamRow, ...]


def list_disqualified(standings: Standings) -> list[str]:
    """Name the disqualified as far as the public reads of them, with the reason where it is public."""
    rows = [row for row in standings.unranked if row.announced]
    return [f"{row.name} ({row.public_reason})" if row.public_reason else row.name for row in rows]


def get_standings(event: Event) -> Standings:
    """Return the public standings: rounds that the public may see, and the penalties that belong to them or to none."""
    return by_public_state(event, "standings", lambda: read_standings(event, tables=list_public_tables(event)))


def list_standings(events: Iterable[Event]) -> dict[int, Standings]:
    """Return the public standings of each event; three queries more than `prepare_public_tables` has."""
    return by_public_states(events, "standings", _read_public)


def _read_public(events: list[Event]) -> dict[int, Standings]:
    prepare_public_tables(events)
    by_number = {event.pk: event for event in events}
    registers, everybody, cuts = read_registers(by_number), defaultdict[int, list[Any]](list), defaultdict(list)
    for pk, *row in _ask_everybody(*by_number):
        everybody[pk].append(row)
    for cut in _ask_cuts(*by_number):
        cuts[cut.event_id].append(cut)
    return {
        pk: read_standings(
            event, tables=list_public_tables(event), beside=_Beside(everybody[pk], cuts[pk], registers[pk])
        )
        for pk, event in by_number.items()
    }


class _Beside(NamedTuple):
    """What the standings of an event have beside its games: columns of its players, its cuts, its register."""

    everybody: Sequence[Sequence[Any]]
    cuts: list[Cut]
    register: Sequence[RegisterRow]


def get_standings_after(event: Event, last: int) -> Standings:
    """Return the public standings as they were after a round, with today's corrections."""
    name = f"standings-after-{last}"
    return by_public_state(event, name, lambda: read_standings(event, tables=list_public_tables(event), last=last))


def get_released_standings(event: Event) -> Standings:
    """Return the standings after every released round, held ones too; for the desk, its draws and its files."""
    return by_version(event, f"released-standings:{names_mark()}", lambda: read_standings(event, with_held=True))


def get_desk_standings(event: Event) -> Standings:
    """Return the standings as they would be if every signed table were released now; never for the public."""
    return by_version(event, f"desk-standings:{names_mark()}", lambda: read_standings(event, released_only=False))


def read_standings(
    event: Event,
    *,
    released_only: bool = True,
    with_held: bool = False,
    tables: Sequence[LoadedTable] | None = None,
    instead: Iterable[LoadedTable] = (),
    last: int | None = None,
    beside: _Beside | None = None,
) -> Standings:
    """Work the standings out from the `tables`, read where none are given; ten queries at most whatever their number.

    Counted are the tables of rounds that the public may see, `with_held` those of every released round, and with
    `released_only` false every signed table beside them. A table of `instead` counts in the place of what is written:
    so a change is looked at before it is made. `last` leaves later rounds out.
    """
    seen = get_public_view(event) if beside else read_public_view(event)
    released = seen.rounds + (seen.held_rounds if with_held or not released_only else ())
    released = tuple(number for number in released if last is None or number <= last)
    if tables is None:
        tables = load_tables(event, rounds=released if released_only else None)
    other, shown = {table.id: table for table in instead}, set(released)
    # given tables may be of rounds after the `last`
    counted = [
        other.get(table.id, table) for table in tables if table.round in shown or (table.signed and not released_only)
    ]
    moved = {key: who for table in tables if table.id in other for key, who in _moved(table, other[table.id])}
    rounds = tuple(sorted({table.round for table in counted} | set(released)))
    if beside is None:
        people_rows = [row for _event, *row in _ask_everybody(event.pk)]
        beside = _Beside(people_rows, list_cuts(event), read_registers([event.pk])[event.pk])
    everybody, cuts, register = beside
    people = {number: name for number, name, ranked, *_out in everybody if ranked}
    games = [game for table in counted for game in games_of(table) if game.player in people]
    rows = _rank(event, list_with_place(event, people, games), counted, games, rounds, cuts, moved, register)
    earlier = list_with_place(event, people, [game for game in games if game.round in rounds[:-1]])
    before = {
        row.standing.player: row.standing.rank
        for row in (_rank(event, earlier, counted, games, rounds[:-1], cuts, moved, register) if rounds[1:] else ())
    }
    return Standings(
        rounds,
        tuple(_rows(rows, people, before, _places(event, games, counted))),
        _unranked(event, [(number, name, *out) for number, name, ranked, *out in everybody if not ranked], counted),
    )


def list_with_place(event: Event, ranked: Iterable[int], games: Iterable[PlacedGame[int]]) -> list[int]:
    """List those of the ranked players who have a place: all, in an open event those with a game.

    An open event has the list of a club: who is not here has no place before those with points below zero.
    """
    played = {game.player for game in games} if event.is_open else None
    return [number for number in ranked if played is None or number in played]


def _ask_cuts(*events: int) -> QuerySet[Cut, Cut]:
    return Cut.objects.filter(event__in=events, cancelled_at=None).order_by("after_round")


_CUTS = Prepared(_ask_cuts)


def list_cuts(event: Event) -> list[Cut]:
    """List the cuts that stand, in the order of their rounds; one query."""
    return _CUTS(event.pk)


def cut_off(cut: Cut) -> CutOff[int]:
    """Return a cut as the ranking takes it."""
    carry: Carry = "halved" if cut.carry == "halved" else "cleared" if cut.carry == "cleared" else "whole"
    return CutOff(cut.after_round, frozenset(cut.through), carry)


def games_of(table: LoadedTable) -> list[PlacedGame[int]]:
    """Return the placed game of each ranked player at a table."""
    counted = table.counted
    return [
        PlacedGame(player.number, table.round, counted.results[player.seat], counted.places[player.seat])
        for player in table.seats
        if player.ranked
    ]


def _ask_everybody(*events: int) -> QuerySet[Player, Any]:
    """Return event, number, name, whether ranked, and of a disqualification that stands what is shown and why."""
    standing = FilteredRelation("disqualifications", condition=Q(disqualifications__cancelled_at=None))
    found = Player.objects.filter(event__in=events).annotate(out=standing)
    return found.values_list("event", "number", name_of(), "ranked", "out__shown", "out__reason")


def _unranked(event: Event, people: Sequence[Sequence[Any]], tables: list[LoadedTable]) -> tuple[UnrankedRow, ...]:
    say = without_hidden_names(event) if any(reason for *_, reason in people) else str
    games = [player.number for table in tables for player in table.seats]
    return tuple(
        UnrankedRow(number, name, games.count(number), shown is not None, shown or "", say(reason or ""))
        for number, name, shown, reason in people
        if number in games or shown in ("name", "reason")
    )


def _rows(
    rows: list[CutStanding[int]], people: Mapping[int, str], before: Mapping[int, int], places: Mapping[int, str]
) -> Iterator[StandingRow]:
    """Yield the rows, each with its distance to the better totals of its group."""
    best: int | None = None
    better: int | None = None
    group, total = -1, 0
    for row in rows:
        line = row.standing
        if row.group != group:
            group, best, better = row.group, line.total, None
        elif line.total != total:
            better = total
        total = line.total
        yield StandingRow(
            rank=line.rank,
            shared=line.shared,
            number=line.player,
            name=people[line.player],
            total=total,
            games=line.games,
            penalties=line.penalties,
            results=line.results,
            tie_break=line.tie_break,
            moved=before[line.player] - line.rank if line.player in before else None,
            group=row.group,
            carried=row.carried,
            placements=places.get(line.player, ""),
            above=None if better is None else better - total,
            first=(best or 0) - total if total != best else None,
        )


def _places(event: Event, games: Iterable[PlacedGame[int]], tables: Iterable[LoadedTable]) -> dict[int, str]:
    """Write how often each player took each place, at tables by a second rule set apart ("2-0-1-0 1-0-0")."""
    own = event.ruleset.players
    sizes = {table.round: table.rules.players for table in tables if event.second_rules}  # open: one table a round
    counts = Counter((game.player, sizes.get(game.round, own), game.place) for game in games if game.place)
    played = sorted({(player, size) for player, size, _place in counts}, key=lambda each: each[1] != own)
    found: defaultdict[int, list[str]] = defaultdict(list)
    for player, size in played:
        found[player].append("-".join(str(counts[player, size, place]) for place in range(1, size + 1)))
    return {player: " ".join(texts) for player, texts in found.items()}


def _moved(was: LoadedTable, will_be: LoadedTable) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield whose seats another would have, each with that player's number."""
    for old, new in zip(was.seats, will_be.seats, strict=True):
        if old.number != new.number:
            yield (was.id, old.number), new.number


def _rank(
    event: Event,
    players: list[int],
    tables: list[LoadedTable],
    games: list[PlacedGame[int]],
    rounds: tuple[int, ...],
    cuts: list[Cut],
    moved: Moved,
    register: Sequence[RegisterRow],
) -> list[CutStanding[int]]:
    """Rank the players after these rounds; a cut counts from its round on, as soon as it is made."""
    wanted, last = set(rounds), max(rounds, default=0)  # an open event has hundreds of rounds
    counted = [table for table in tables if table.round in wanted]
    return rank_after_cuts(
        players,
        [game for game in games if game.round in wanted],
        count_points_by_round(event, counted, rounds=rounds, moved=moved, register=register),
        [cut_off(cut) for cut in cuts if cut.after_round <= last],
        rounds=last,
        tie_breaks=event.ruleset.equal_totals,
    )


def get_rank_history(event: Event, number: int) -> RankHistory | None:
    """Return a ranked player's way through the released rounds; None for who is not ranked, or before the first."""
    return by_public_state(event, "ways", lambda: read_rank_histories(event)).get(number)


def read_rank_histories(event: Event) -> dict[int, RankHistory]:
    """Work out everybody's total and rank after each released round, as the standings then were."""
    rounds, tables = list(get_public_view(event).rounds), list_public_tables(event)
    points = count_points_by_round(event, tables, rounds=rounds)
    games = [game for table in tables for game in games_of(table)]
    ranked = event.players.filter(ranked=True).order_by("number").values_list("number", flat=True)
    people = list_with_place(event, ranked, games)
    cuts = [cut_off(cut) for cut in list_cuts(event)]
    steps = rank_round_by_round(people, games, points, cuts, rounds=rounds, from_first_game=event.is_open)
    return {number: RankHistory(tuple(way), len(people)) for number, way in steps.items()} if rounds else {}


def has_teams(event: Event) -> bool:
    """Tell whether a ranked player of an event is in a team; one query."""
    return event.players.filter(ranked=True).exclude(team="").exists()


def rank_event_teams(event: Event, standings: Standings) -> TeamStandings:
    """Rank the teams by these standings, so that both show the same rounds; one query.

    With no number set, as many members count as the smallest team has. Who has no place, as before the first game of an
    open event, is not among the members.
    """
    members: defaultdict[str, list[int]] = defaultdict(list)
    rows = event.players.filter(ranked=True).exclude(team="").order_by("number")
    for number, team in rows.values_list("number", "team"):
        members[team].append(number)
    best = event.team_best or min(map(len, members.values()), default=0)
    lines = {row.number: row for row in standings.rows}
    totals = {number: row.total for number, row in lines.items() if row.games or row.penalties}
    teams = [Team(name, tuple(numbers)) for name, numbers in members.items()]
    ranked = rank_teams(teams, totals, best=best) if teams else []
    return TeamStandings(
        standings.rounds,
        best,
        tuple(
            TeamRow(
                line.rank,
                line.shared,
                line.team,
                line.total,
                line.missing,
                tuple(
                    TeamMember(number, lines[number].name, lines[number].total, number in line.counted)
                    for number in sorted(
                        (each for each in members[line.team] if each in lines),
                        key=lambda each: (each not in line.counted, -lines[each].total),
                    )
                ),
            )
            for line in ranked
        ),
    )


def list_team_totals(event: Event, teams: TeamStandings) -> list[list[int | None]]:
    """List each team's total after each public round, in the order of the teams, as their table counts it then.

    None before a member has a game or a penalty; no query but those of `get_rank_history`.
    """
    found = []
    for row in teams.rows:
        histories = ((member.number, get_rank_history(event, member.number)) for member in row.members)
        steps = {number: history.steps for number, history in histories if history}
        totals, line = dict[int, int](), list[int | None]()
        for at in range(len(teams.rounds)):
            now = {number: own[at] for number, own in steps.items()}
            totals |= {
                each: step.total
                for each, step in now.items()
                if each in totals or step.total or step.result is not None
            }
            (ranked,) = rank_teams([Team(row.team, tuple(steps))], totals, best=teams.best)
            line.append(ranked.total if totals else None)
        found.append(line)
    return found


@dataclass(frozen=True, slots=True)
class PlayedHands:
    """Hands of a table from index `first` up to `last` (None: to the end) that one person played in a seat.

    `number` is None for who is no player of the event; `name` may be empty then.
    """

    table: LoadedTable
    seat: int
    number: int | None
    name: str
    first: int = 0
    last: int | None = None

    @property
    def stats(self) -> PlayerStats:
        """The statistics of the hands."""
        return self.table.results.stats_of(self.seat, self.first, self.last)

    @property
    def hands(self) -> range:
        """The indices of the hands."""
        return range(self.first, len(self.table.game.hands) if self.last is None else self.last)

    @property
    def whole(self) -> bool:
        """Whether the person played the game from the first hand to the last."""
        return self.first == 0 and self.last is None


def sittings_of(table: LoadedTable) -> list[PlayedHands]:
    """Return who played which hands of a table, seat by seat.

    A seat in which somebody took over at a hand that nobody noted down is left out: its hands are nobody's for sure.
    """
    sittings = []
    for player in table.seats:
        substitute = table.replaced.get(player.seat)
        if substitute is None:
            sittings.append(PlayedHands(table, player.seat, player.number, player.name))
            continue
        number = substitute.person or None
        if substitute.when == "before":
            sittings.append(PlayedHands(table, player.seat, number, substitute.name))
            continue
        hand = table.first_hand_of(substitute)
        if hand is not None:
            sittings.append(PlayedHands(table, player.seat, player.number, player.name, 0, hand - 1))
            sittings.append(PlayedHands(table, player.seat, number, substitute.name, hand - 1))
    return sittings
