"""Placed games and penalties to a ranking; equal totals share a rank, and are listed by the tie-breaks.

It knows players by opaque keys and never how a game came about.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class PlacedGame(Generic[Key]):
    """One player's game: the round it was played in, the result in points (uma included), and the place.

    Without a place somebody else played it: its result counts, and it parts no equal totals.
    """

    player: Key
    round: int
    result: int
    place: int | None


@dataclass(frozen=True, slots=True)
class Standing(Generic[Key]):
    """One line of a ranking. `results` are points by round, None where the player has no game; `penalties` ≥ 0.

    `tie_break` names what parts those who share the rank, should a prize have to be decided; they are listed by it.
    """

    rank: int
    player: Key
    total: int
    games: int
    penalties: int
    results: tuple[int | None, ...]
    shared: bool
    tie_break: str | None


def rank_players(
    players: Sequence[Key],
    games: Iterable[PlacedGame[Key]],
    penalties: Mapping[Key, int],
    *,
    rounds: int,
    tie_breaks: Sequence[str] = (),
    left: Mapping[Key, int] | None = None,
) -> list[Standing[Key]]:
    """Rank players by results less penalties, best first; equal ones share the better rank.

    `rounds` is the length of `results`. `tie_breaks` name criteria that put those with equal totals in order,
    "first_places" and "best_result"; they share the rank all the same (decisions: equal totals). Players that stay tied
    keep the order in which they were given. `left` is what a player left behind at a cut (`cuts`), taken off the total.

    >>> games = [PlacedGame("a", 1, 15000, 1), PlacedGame("b", 1, -15000, 2)]
    >>> [(s.rank, s.player, s.total) for s in rank_players(["b", "a"], games, {"a": 20000}, rounds=1)]
    [(1, 'a', -5000), (2, 'b', -15000)]
    """
    played: dict[Key, list[PlacedGame[Key]]] = {player: [] for player in players}
    for game in games:
        played[game.player].append(game)
    behind = left or {}
    totals = {
        player: sum(g.result for g in played[player]) - penalties.get(player, 0) - behind.get(player, 0)
        for player in players
    }
    keys = {player: tuple(TIE_BREAKS[name](played[player]) for name in tie_breaks) for player in players}
    order = sorted(players, key=lambda player: (totals[player], keys[player]), reverse=True)
    ranked = [totals[player] for player in order]
    return [
        Standing(
            rank=ranked.index(totals[player]) + 1,
            player=player,
            total=totals[player],
            games=len(played[player]),
            penalties=penalties.get(player, 0),
            results=_by_round(played[player], rounds),
            shared=ranked.count(totals[player]) > 1,
            tie_break=_tie_break(player, order, totals, keys, tie_breaks),
        )
        for player in order
    ]


TIE_BREAKS: dict[str, Callable[[Sequence[PlacedGame[Any]]], int]] = {
    "first_places": lambda games: sum(game.place == 1 for game in games),
    "best_result": lambda games: max((game.result for game in games if game.place), default=-(10**9)),
}


def _by_round(games: Sequence[PlacedGame[Key]], rounds: int) -> tuple[int | None, ...]:
    by_round = {game.round: game.result for game in games}
    return tuple(by_round.get(number) for number in range(1, rounds + 1))


def _tie_break(
    player: Key,
    order: Sequence[Key],
    totals: Mapping[Key, int],
    keys: Mapping[Key, tuple[int, ...]],
    names: Sequence[str],
) -> str | None:
    """Name the first criterion that parts a player from another one with the same total; None where none was needed."""
    rivals = [keys[other] for other in order if other != player and totals[other] == totals[player]]
    parted = [
        next((name for name, mine, theirs in zip(names, keys[player], rival, strict=True) if mine != theirs), None)
        for rival in rivals
    ]
    return next((name for name in names if name in parted), None)
