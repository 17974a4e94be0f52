"""Player statistics: wins, deal-ins, draws, riichi, deals, the source of every point; and two players head to head.

Counts folded hands by seat; the caller knows who sat there and what may be shown.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Final, NamedTuple

from rules.ruleset import Ruleset
from scoring.entries import Abort, Chombo, Draw, Entry, Nagashi, Ron, Totals, Tsumo
from scoring.game import Game, Hand
from scoring.payments import Transfer

# sources of points; "draw" has noten payments and nagashi mangan, "riichi sticks" also the leftover riichi sticks
SOURCES: Final = ("ron", "tsumo", "draw", "honba", "riichi_sticks", "correction")
OF_TRANSFER: Final = {"honba": "honba", "deposit": "riichi_sticks", "returned": "riichi_sticks", "noten": "draw"}


@dataclass(frozen=True, slots=True)
class Part:
    """The hands of a game played by one player in one seat: from index `first` up to `last`, None for the end."""

    game: Game
    seat: int
    first: int = 0
    last: int | None = None

    def hands(self) -> Iterator[tuple[int, Hand]]:
        """Yield the hands with their index in the game."""
        for index in range(self.first, len(self.game.hands) if self.last is None else self.last):
            yield index, self.game.hands[index]


class Flow(NamedTuple):
    """Points won and paid, both ≥ 0."""

    won: int
    paid: int

    @property
    def net(self) -> int:
        """Points won less points paid."""
        return self.won - self.paid


class Moment(NamedTuple):
    """A hand by index of its part and index in the game, with a figure: points or a number of hands."""

    part: int
    hand: int
    figure: int


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """Statistics over parts; `win_points` and `deal_in_points` are without honba and riichi sticks.

    `sources` are in the order of SOURCES. `best` and `worst` are hands by the change of the score; `longest` is the
    first hand of the longest deal with its number of hands. Each is the first of equals, None if there is none.
    """

    games: int
    hands: int
    ron_wins: int
    tsumo_wins: int
    win_points: int
    deal_ins: int
    deal_in_points: int
    tenpai: int
    noten: int
    nagashi: int
    riichi: int
    riichi_won: int
    dealer_turns: int
    dealer_hands: int
    chombo: int
    sources: tuple[Flow, ...]
    best: Moment | None
    worst: Moment | None
    longest: Moment | None

    @property
    def wins(self) -> int:
        """Wins by ron and by tsumo."""
        return self.ron_wins + self.tsumo_wins

    @property
    def difference(self) -> int:
        """Sum of all sources: final scores less starting points, if whole games were played."""
        return sum(flow.net for flow in self.sources)


class _Seen(NamedTuple):
    """A hand by its place in the game, from one seat."""

    at: int
    seat: int
    hand: Hand

    @property
    def entry(self) -> Entry:
        return self.hand.entry

    @property
    def won(self) -> bool:
        return self.seat in winners_of(self.entry)


def has_hands(game: Game) -> bool:
    """Return whether a game is known by its hands and not only by its final scores."""
    entries = [hand.entry for hand in game.hands]
    return any(is_played(entry) for entry in entries) and not any(isinstance(entry, Totals) for entry in entries)


def is_played(entry: Entry) -> bool:
    """Return whether an entry is a hand played to its end; a chombo is not."""
    return isinstance(entry, Ron | Tsumo | Draw | Nagashi | Abort)


def winners_of(entry: Entry) -> tuple[int, ...]:
    """Return the seats that won by ron or tsumo."""
    return tuple(win.seat for win in entry.winners) if isinstance(entry, Ron | Tsumo) else ()


def value_of(hand: Hand, seat: int) -> int:
    """Return the points of a seat's win, without honba and riichi sticks."""
    return sum(each.points for each in hand.transfers if each.receiver == seat and each.why in ("hand", "pao"))


def player_stats(parts: Iterable[Part], rules: Ruleset) -> PlayerStats:
    """Return the statistics over these parts; games without hands add nothing."""
    return add_stats([part_stats(part, rules) for part in parts])


def part_stats(part: Part, rules: Ruleset) -> PlayerStats:
    """Return the statistics of one part, whose moments are of part 0."""
    told = part if has_hands(part.game) else None
    rows = [_Seen(index, part.seat, hand) for index, hand in told.hands()] if told else []
    played = [row for row in rows if is_played(row.entry)]
    wins = [row for row in played if row.won]
    dealt_in = [row for row in played if isinstance(row.entry, Ron) and row.entry.loser == row.seat]
    draws = [row.seat in row.entry.tenpai for row in played if isinstance(row.entry, Draw)]
    riichi = [row for row in played if row.seat in row.entry.riichi]
    turns = dealer_turns((0, row.at, row.hand) for row in played if row.hand.before.dealer == row.seat)
    changes = [Moment(0, row.at, row.hand.deltas[row.seat]) for row in played]
    return PlayerStats(
        games=int(bool(played)),
        hands=len(played),
        ron_wins=sum(isinstance(row.entry, Ron) for row in wins),
        tsumo_wins=sum(isinstance(row.entry, Tsumo) for row in wins),
        win_points=sum(value_of(row.hand, row.seat) for row in wins),
        deal_ins=len(dealt_in),
        deal_in_points=sum(_lost(row.hand, row.seat) for row in dealt_in),
        tenpai=sum(draws),
        noten=len(draws) - sum(draws),
        nagashi=sum(isinstance(row.entry, Nagashi) and row.seat in row.entry.winners for row in played),
        riichi=len(riichi),
        riichi_won=sum(row.won for row in riichi),
        dealer_turns=len(turns),
        dealer_hands=sum(turn.figure for turn in turns),
        chombo=sum(isinstance(row.entry, Chombo) and row.seat in row.entry.offenders for row in rows),
        sources=_sources(rows, told, rules),
        best=max((each for each in changes if each.figure > 0), key=_FIGURE, default=None),
        worst=min((each for each in changes if each.figure < 0), key=_FIGURE, default=None),
        longest=max(turns, key=_FIGURE, default=None),
    )


def add_stats(parts: Sequence[PlayerStats]) -> PlayerStats:
    """Return the statistics over several parts from those of each; moments are of the part by its place here."""
    best, worst, longest = (
        [Moment(at, *moment[1:]) for at, moment in enumerate(map(attrgetter(name), parts)) if moment]
        for name in ("best", "worst", "longest")
    )
    counts = map(sum, zip(_NO_COUNTS, *map(_counts_of, parts), strict=True))
    flows = zip(_NO_FLOWS, *map(attrgetter("sources"), parts), strict=True)
    return PlayerStats(
        **dict(zip(_COUNTS, counts, strict=True)),
        sources=tuple(Flow(sum(each.won for each in flow), sum(each.paid for each in flow)) for flow in flows),
        best=max(best, key=_FIGURE, default=None),
        worst=min(worst, key=_FIGURE, default=None),
        longest=max(longest, key=_FIGURE, default=None),
    )


_FIGURE = attrgetter("figure")
_COUNTS = [field.name for field in fields(PlayerStats) if field.type is int]
_counts_of = attrgetter(*_COUNTS)
_NO_COUNTS, _NO_FLOWS = [0] * len(_COUNTS), [Flow(0, 0)] * len(SOURCES)


def dealer_turns(hands: Iterable[tuple[int, int, Hand]]) -> list[Moment]:
    """Return a dealer's turns: the first hand of each with its number of hands."""
    turns: dict[tuple[int, int, int], Moment] = {}
    for part, index, hand in hands:
        key = (part, hand.before.round, hand.before.dealer)
        known = turns.get(key, Moment(part, index, 0))
        turns[key] = known._replace(figure=known.figure + 1)
    return list(turns.values())


def score_steps(game: Game, rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    """Return the scores at the start, after each entry, and after leftover riichi sticks if any were given out."""
    steps = (game.start.scores, *(hand.after.scores for hand in game.hands))
    final = game.final(rules).scores
    return steps if final == steps[-1] else (*steps, final)


def _lost(hand: Hand, seat: int) -> int:
    """Return what a seat paid for the wins of others, without honba."""
    return sum(each.points for each in hand.transfers if each.payer == seat and each.why in ("hand", "pao"))


def _sources(rows: Iterable[_Seen], part: Part | None, rules: Ruleset) -> tuple[Flow, ...]:
    won, paid = dict.fromkeys(SOURCES, 0), dict.fromkeys(SOURCES, 0)
    for row in rows:
        for source, points in _moved(row):
            (won if points > 0 else paid)[source] += abs(points)
    if part and part.last is None:
        won["riichi_sticks"] += part.game.final(rules).scores[part.seat] - part.game.state.scores[part.seat]
    return tuple(Flow(won[source], paid[source]) for source in SOURCES)


def _moved(row: _Seen) -> Iterator[tuple[str, int]]:
    """Yield (source, gain in points) for each payment from or to a seat."""
    if not row.hand.transfers:
        yield "correction", row.hand.deltas[row.seat]
    for transfer in row.hand.transfers:
        if transfer.receiver == row.seat:
            yield _source_of(transfer, row.entry), transfer.points
        if transfer.payer == row.seat:
            yield _source_of(transfer, row.entry), -transfer.points


def _source_of(transfer: Transfer, entry: Entry) -> str:
    won = "ron" if isinstance(entry, Ron) else "tsumo" if isinstance(entry, Tsumo) else "draw"
    return OF_TRANSFER.get(transfer.why, won)


class HeadToHead(NamedTuple):
    """Two players at one table: hands, ron off each other, points paid to each by the other."""

    hands: int = 0
    ron_by_one: int = 0
    ron_by_other: int = 0
    to_one: int = 0
    to_other: int = 0


def head_to_head(game: Game, one: int, other: int, hands: range) -> HeadToHead:
    """Return the head-to-head of two seats in these hands of a game, with honba, without riichi sticks.

    >>> from rules.books import load
    >>> from scoring.game import fold
    >>> from scoring.shorthand import parse
    >>> game = fold([parse("2r1 130"), parse("1t 130")], load("ema-2025"))
    >>> head_to_head(game, 0, 1, range(2))
    HeadToHead(hands=2, ron_by_one=0, ron_by_other=1, to_one=500, to_other=1000)
    """
    shared = [game.hands[index] for index in hands]
    entries = [hand.entry for hand in shared]
    transfers = [each for hand in shared for each in hand.transfers]
    return HeadToHead(
        hands=sum(is_played(entry) for entry in entries),
        ron_by_one=_wins_off(entries, one, other),
        ron_by_other=_wins_off(entries, other, one),
        to_one=sum(each.points for each in transfers if (each.payer, each.receiver) == (other, one)),
        to_other=sum(each.points for each in transfers if (each.payer, each.receiver) == (one, other)),
    )


def add_head_to_head(parts: Iterable[HeadToHead]) -> HeadToHead:
    """Return the sum over several tables."""
    return HeadToHead(*(sum(column) for column in zip(*parts, strict=True)))


def _wins_off(entries: Iterable[Entry], winner: int, loser: int) -> int:
    return sum(isinstance(entry, Ron) and entry.loser == loser and winner in winners_of(entry) for entry in entries)
