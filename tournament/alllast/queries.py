"""Tables in their last hand, and what each player needs there for each place and for the standings.

A hand is the last where the game can end with it, or where the clock lets no other follow. The public sees it where the
event has `show_needs` on and the table is live for it; of the standings only who can still win, where all is live.
"""

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.utils import timezone

from rules.ruleset import Ruleset
from scoring.alllast import SeatGoals, all_last, may_be_last
from scoring.alllast_ranks import (
    LastTable,
    Others,
    RankGoal,
    SeatRanks,
    Standing,
    all_last_ranks,
    first_place_chances,
)
from scoring.standings import CutStanding, rank_after_cuts
from scoring.state import WINDS, TableState
from scoring.time_limit import hands_left
from tournament.events.models import Event, LiveTables
from tournament.penalties.queries import count_points_by_round
from tournament.publication.names import names_mark
from tournament.publication.queries import (
    LiveTable,
    PublicView,
    RoundState,
    by_version,
    decide_public_view,
    get_public_view,
    get_publication,
)
from tournament.standings.models import Cut
from tournament.standings.queries import cut_off, games_of, list_cuts
from tournament.tables.models import Round
from tournament.tables.queries import LoadedTable, load_tables
from tournament.tables.round_queries import ClockRow, Tile, get_clock
from tournament.tables.rows import SeatedPlayer


@dataclass(frozen=True, slots=True)
class TableNeeds:
    """A table in its last hand and what each seat needs. `riichi` are seats taken to have declared riichi in it.

    `by_time` says that the clock makes it the last. `replaced` are the names of substitutes by seat, "" for no name.
    """

    round: int
    number: int
    rules: Ruleset
    players: tuple[SeatedPlayer, ...]
    replaced: dict[int, str]
    state: TableState
    goals: tuple[SeatGoals, ...]
    by_time: bool
    riichi: tuple[int, ...] = ()
    last_seq: int = 0

    @property
    def names(self) -> list[str]:
        """The name at each seat: the substitute's, else the player's."""
        return [self.replaced.get(player.seat) or player.name for player in self.players]


@dataclass(frozen=True, slots=True)
class RankNeeds:
    """What each seat needs for a rank once the last round is over; None for who is not ranked.

    `playing` are the other tables of the round that are not signed and count as they stand now. `unknown` are tables,
    as (round, number), of which nothing is known yet: then nobody can say, and `seats` is empty.
    """

    seats: tuple[SeatRanks | None, ...]
    playing: tuple[int, ...] = ()
    unknown: tuple[tuple[int, int], ...] = ()


def list_last_tables(tiles: Iterable[Tile], clock: ClockRow | None) -> list[int]:
    """List the numbers of the tiles whose table is in its last hand."""
    return [tile.number for tile in tiles if clock and _is_last(tile, _state_of(tile), clock)]


def is_last_hand(table: LoadedTable, clock: ClockRow) -> bool:
    """Tell whether a table is in its last hand."""
    return _is_last(table, table.state, clock)


def is_over(table: LoadedTable, clock: ClockRow) -> bool:
    """Tell whether a table's game is over: by its hands, or because the clock lets no other follow."""
    return table.state.ended or _hands_left(table, clock) == 0


def get_needs(table: LoadedTable, clock: ClockRow, *, riichi: Sequence[int] = ()) -> TableNeeds | None:
    """Return what each player at a table needs; None where its hand is not the last, or the game is over."""
    if not is_last_hand(table, clock):
        return None
    return TableNeeds(
        round=table.round,
        number=table.number,
        rules=table.rules,
        players=table.seats,
        replaced={seat: each.name for seat, each in table.replaced.items()},
        state=table.state,
        goals=all_last(table.state, table.rules, riichi=riichi),
        by_time=_hands_left(table, clock) == 1,
        riichi=tuple(riichi),
        last_seq=table.last_seq,
    )


def list_needs(round_: Round) -> list[TableNeeds]:
    """List the tables of a round that are in their last hand with what is needed there; eight queries."""
    clock = get_clock(round_)
    found = (get_needs(table, clock) for table in load_tables(round_.event, rounds=[round_.number]))
    return [needs for needs in found if needs is not None]


def get_rank_needs(event: Event, table: LoadedTable, *, riichi: Sequence[int] = ()) -> RankNeeds | None:
    """Return what each player at a table of the last round needs for the standings; for the desk alone.

    None in any other round, and where a cut follows this one. Other tables count as signed, or as they stand now.
    """
    last = _read_last_round(event, table.round, penalties=table.round)
    if last is None:
        return None
    others = [each for each in last.open if each.id != table.id]
    unknown = tuple((each.round, each.number) for each in others if each.round < table.round or not each.played)
    if unknown:
        return RankNeeds((), unknown=unknown)
    ranked = _rank_needs(table, last.totals({table.id}), riichi)
    return RankNeeds(ranked, playing=tuple(sorted(each.number for each in others)))


@dataclass(frozen=True, slots=True)
class _LastRound:
    """The last round with all before it: its tables, those that are neither signed nor released, and the rest."""

    number: int
    tables: list[LoadedTable]
    open: list[LoadedTable]
    ranked: list[int]
    points: dict[int, dict[int | None, int]]
    cuts: list[Cut]

    def rank(self, without: Collection[int] = ()) -> list[CutStanding[int]]:
        """Return the standings as if all ended now, without the games of these tables."""
        games = [game for each in self.tables if each.id not in without for game in games_of(each)]
        cuts = [cut_off(cut) for cut in self.cuts]
        return rank_after_cuts(self.ranked, games, self.points, cuts, rounds=self.number)

    def totals(self, without: Collection[int]) -> dict[int, Standing]:
        """Return the group and total in points of each player as if all ended now, without these tables."""
        return {line.standing.player: (line.group, line.standing.total) for line in self.rank(without)}


def _read_last_round(event: Event, number: int, *, penalties: int) -> _LastRound | None:
    """Read what the standings after the last round come from, register penalties of rounds up to `penalties`.

    None in any other round, and where a cut follows it.
    """
    cuts = list_cuts(event)
    if not event.ends_with(number) or any(cut.after_round >= number for cut in cuts):
        return None
    tables = [each for each in load_tables(event) if each.round <= number]
    released = set(event.rounds.filter(released_at__isnull=False).values_list("number", flat=True))
    return _LastRound(
        number,
        tables,
        [each for each in tables if each.round not in released and not each.signed],
        list(event.players.filter(ranked=True).values_list("number", flat=True)),
        count_points_by_round(event, tables, rounds=range(1, penalties + 1)),
        cuts,
    )


def _rank_needs(
    table: LoadedTable, known: dict[int, Standing], riichi: Sequence[int] = ()
) -> tuple[SeatRanks | None, ...]:
    """Return what each seat needs for a rank; `known` are the standings without this game."""
    own = {player.number for player in table.seats}
    others = Others(
        seats=tuple(known.get(player.number) for player in table.seats),
        rest=tuple(each for number, each in known.items() if number not in own),
        replaced={seat: each.when for seat, each in table.replaced.items()},
    )
    return all_last_ranks(table.state, table.rules, others, riichi=riichi)


@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody who can still win the event, or has: `table` is where they play the last hand, 0 for nowhere.

    `rank` and `total`, in points, are as the tables are now, among all players. `goal` is what the first place takes as
    the other tables are now, None where it takes another end there, too.
    """

    number: int
    rank: int
    shared: bool
    total: int
    table: int
    seat: int
    certain: bool
    goal: RankGoal | None


@dataclass(frozen=True, slots=True)
class AsItStands:
    """Who can still win in the last round, by total; `playing` are tables that are not in their last hand.

    Those count as they are now.
    """

    rows: tuple[Contender, ...]
    tables: dict[int, TableNeeds]
    playing: tuple[int, ...]


def public_as_it_stands(event: Event, follows: int | None) -> AsItStands | None:
    """Return who can still win, for a phone that follows this player; None unless it may see each table of the round.

    Shown where the event shows needs and no result is held. Register penalties of the round are not public yet, and not
    counted.
    """
    seen, number = get_public_view(event), event.rounds_planned
    if (
        not event.ends_with(number)
        or not event.show_needs
        or seen.held
        or not seen.live
        or seen.rounds != tuple(range(1, number))
    ):
        return None
    shown, found = {(each.round, each.number) for each in seen.live_for(follows)}, _get_as_it_stands(event)
    return found[1] if found and found[0] <= shown else None


def _get_as_it_stands(event: Event) -> tuple[set[tuple[int, int]], AsItStands] | None:
    return by_version(event, f"as-it-stands:{names_mark()}", lambda: _read_as_it_stands(event))


def _read_as_it_stands(event: Event) -> tuple[set[tuple[int, int]], AsItStands] | None:
    """Read it with the tables that it is made of; None unless a table is in its last hand and all have begun."""
    number = event.rounds_planned
    row = event.rounds.select_related("event").order_by("-number").first()
    playing = row is not None and row.number == number and row.published_at
    last = _read_last_round(event, number, penalties=number - 1) if playing else None
    if row is None or last is None or not all(each.played for each in last.open):
        return None
    clock = get_clock(row)
    tables = {each.number: needs for each in last.open if (needs := get_needs(each, clock))}
    if not tables:
        return None
    open_ = [each for each in last.open if each.number in tables]
    before = last.totals({each.id for each in open_})
    seats = {  # by player; no table for a seat that a substitute has
        player.number: (0 if player.seat in table.replaced else table.number, player.seat)
        for table in open_
        for player in table.seats
    }
    rest = [who for who in before if who not in seats]
    by_table, of_rest = first_place_chances(
        [
            LastTable(
                table.state,
                table.rules,
                tuple(before.get(player.number) for player in table.seats),
                {seat: each.when for seat, each in table.replaced.items()},
            )
            for table in open_
        ],
        [before[who] for who in rest],
    )
    chances = dict(zip(rest, of_rest, strict=True))
    goals: dict[int, RankGoal] = {}
    for table, found in zip(open_, by_table, strict=True):
        known = last.totals({table.id})
        for player, chance, ranks in zip(table.seats, found, _rank_needs(table, known), strict=True):
            chances[player.number] = chance
            goals.update((player.number, goal) for goal in (ranks.goals if ranks else ()) if goal.rank == 1)
    rows = []
    for line in sorted(last.rank(), key=lambda line: (line.group, line.standing.rank, line.standing.player)):
        now = line.standing
        at, seat = seats.get(now.player, (0, 0))
        if chances[now.player].possible:
            certain, goal = chances[now.player].certain, goals.get(now.player)
            rows.append(Contender(now.player, now.rank, now.shared, now.total, at, seat, certain, goal))
    counted = {(each.round, each.number) for each in last.tables if each.round == number}
    return counted, AsItStands(tuple(rows), tables, tuple(x.number for x in last.open if x.number not in tables))


def public_needs(event: Event, follows: int | None) -> tuple[TableNeeds, ...]:
    """Return the tables in their last hand that a phone which follows this player may look at.

    None unless the event shows them. What `seen` hides is hidden here, too: other tables while the player's own is
    played, and every round whose results are held.
    """
    return _shown(*_get_public(event), follows)


def needs_marks(event: Event, follow: Iterable[int | None]) -> dict[int | None, str]:
    """Return by player whom phones follow what moves with all that they are given here, "" for nothing."""
    public, numbers = _get_public(event), list(follow)  # once: a hall follows hundreds
    tables = get_public_view(event).live_marks(numbers) if event.show_needs else {}
    return {
        each: " ".join(f"{table.round}/{table.number}:{table.last_seq}" for table in _shown(*public, each))
        + (f" {tables[each]}" if public_as_it_stands(event, each) else "")
        for each in numbers
    }


def _shown(seen: PublicView, needs: tuple[TableNeeds, ...], follows: int | None) -> tuple[TableNeeds, ...]:
    return tuple(each for each in needs if seen.live_table(each.round, each.number, follows))


def _get_public(event: Event) -> tuple[PublicView, tuple[TableNeeds, ...]]:
    if not event.show_needs:
        return PublicView(()), ()
    return by_version(event, f"public-needs:{names_mark()}", lambda: _read_public(event))


def _read_public(event: Event) -> tuple[PublicView, tuple[TableNeeds, ...]]:
    """Read what of the last hands may be public at all, and which phone may see which table; ten queries."""
    rounds = list(event.rounds.select_related("event"))
    playing = [each for each in rounds if each.published_at and not each.released_at]
    tables = load_tables(event, rounds=[each.number for each in playing]) if playing else []
    now = [RoundState(each.number, each.published_at is not None, each.released_at is not None) for each in rounds]
    plan = dataclasses.replace(
        get_publication(event, max((each.number for each in rounds), default=0)), live_tables=str(LiveTables.HANDS)
    )
    live = [
        LiveTable(each.round, each.number, frozenset(each.player_numbers()), each.signed)
        for each in tables
        if each.lines or each.signed
    ]
    clocks = {each.number: get_clock(each) for each in playing}
    needs = (get_needs(each, clocks[each.round]) for each in tables)
    return decide_public_view(plan, now, live), tuple(each for each in needs if each is not None)


def _state_of(tile: Tile) -> TableState:
    return TableState(tile.scores, dealer=tile.kyoku - 1, round=WINDS.index(tile.round_wind))


def _is_last(table: Tile | LoadedTable, state: TableState, clock: ClockRow) -> bool:
    left = _hands_left(table, clock)
    return table.stage == "playing" and left != 0 and (left == 1 or may_be_last(state, clock.rules))


def _hands_left(table: Tile | LoadedTable, clock: ClockRow) -> int | None:
    return hands_left(clock.limit_of(table, timezone.now()), clock.rules)
