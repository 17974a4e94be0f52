"""Records of an event: largest hand, longest deal and so on, each with the hands that hold it.

Reads folded games; names tables by position and players by seat.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple

from rules.ruleset import Ruleset
from scoring.entries import Ron, Tsumo, Win
from scoring.game import Game, Hand
from scoring.player_stats import dealer_turns, has_hands, is_played, value_of, winners_of
from scoring.value import base_points

Kind = Literal[
    "largest_hand",
    "first_yakuman",
    "longest_deal",
    "most_honba",
    "most_riichi_sticks",
    "largest_comeback",
    "closest_table",
]

LEAST: Final = 2  # riichi sticks, honba or hands that make a record


@dataclass(frozen=True, slots=True)
class EventGame:
    """A game with its rules and round, the entry time of each hand, and the seats that a substitute took over."""

    game: Game
    rules: Ruleset
    round: int
    entered: Sequence[datetime]
    taken_over: frozenset[int] = frozenset()


class RecordPlace(NamedTuple):
    """Where a record was set: position of the table, index of the hand (None for a whole game), seats."""

    table: int
    hand: int | None
    seats: tuple[int, ...]
    figure: int


@dataclass(frozen=True, slots=True)
class Record:
    """One record: points or a number; `found` are all that share it, in the order of the tables."""

    kind: Kind
    figure: int
    found: tuple[RecordPlace, ...]


def records_of(tables: Sequence[EventGame]) -> list[Record]:
    """Return the records of these games, without those that nobody set; games without hands set none.

    Figures: points of the largest hand and of the first yakuman (without honba and riichi sticks), of the comeback and
    of the closest table (first less last); hands of the deal; honba; riichi sticks won at once. A figure of 1 is none.
    """
    known = [(at, table) for at, table in enumerate(tables) if has_hands(table.game)]
    records: list[Record] = []
    for kind, find in _FINDERS.items():
        found = [each for at, table in known for each in find(at, table, table.rules)]
        if found and kind == "first_yakuman":
            found = _first(found, tables)
        records += [_record(kind, found)] if found else []
    return records


def _record(kind: Kind, found: Sequence[RecordPlace]) -> Record:
    figure = (min if kind == "closest_table" else max)(each.figure for each in found)
    return Record(kind, figure, tuple(each for each in found if each.figure == figure))


def _first(found: Iterable[RecordPlace], tables: Sequence[EventGame]) -> list[RecordPlace]:
    """Return the find of the earliest round, entered first."""
    return [min(found, key=lambda each: (tables[each.table].round, tables[each.table].entered[each.hand or 0]))]


def _played(table: EventGame) -> Iterator[tuple[int, Hand]]:
    return ((index, hand) for index, hand in enumerate(table.game.hands) if is_played(hand.entry))


def _wins(at: int, table: EventGame, _rules: Ruleset) -> Iterator[RecordPlace]:
    for index, hand in _played(table):
        for seat in winners_of(hand.entry):
            yield RecordPlace(at, index, (seat,), value_of(hand, seat))


def yakuman_wins(hand: Hand, rules: Ruleset) -> list[Win]:
    """Return the wins of a hand that are yakuman, counted ones too."""
    wins = hand.entry.winners if isinstance(hand.entry, Ron | Tsumo) else ()
    return [win for win in wins if base_points(win, rules) >= rules.yakuman_base]


def _yakuman(at: int, table: EventGame, rules: Ruleset) -> Iterator[RecordPlace]:
    for index, hand in _played(table):
        for win in yakuman_wins(hand, rules):
            yield RecordPlace(at, index, (win.seat,), value_of(hand, win.seat))


def _deals(at: int, table: EventGame, _rules: Ruleset) -> Iterator[RecordPlace]:
    for turn in dealer_turns((at, index, hand) for index, hand in _played(table)):
        if turn.figure >= LEAST:
            yield RecordPlace(at, turn.hand, (table.game.hands[turn.hand].before.dealer,), turn.figure)


def _honba(at: int, table: EventGame, _rules: Ruleset) -> Iterator[RecordPlace]:
    return (
        RecordPlace(at, index, (hand.before.dealer,), hand.before.honba)
        for index, hand in _played(table)
        if hand.before.honba >= LEAST
    )


def _riichi_sticks(at: int, table: EventGame, rules: Ruleset) -> Iterator[RecordPlace]:
    for index, hand in _played(table):
        for payer, receiver, points, why in hand.transfers:
            taken = points // rules.riichi_deposit
            if why == "deposit" and payer is None and receiver is not None and taken >= LEAST:
                yield RecordPlace(at, index, (receiver,), taken)


def _comebacks(at: int, table: EventGame, rules: Ruleset) -> Iterator[RecordPlace]:
    """Yield the largest gap to the leader of each table's winner, unless a substitute took over the seat."""
    places = table.game.final(rules).places
    for seat, place in enumerate(places):
        if place == 1 and seat not in table.taken_over:
            behind = [max(hand.after.scores) - hand.after.scores[seat] for hand in table.game.hands]
            if max(behind) > 0:
                yield RecordPlace(at, behind.index(max(behind)), (seat,), max(behind))


def _closest(at: int, table: EventGame, rules: Ruleset) -> Iterator[RecordPlace]:
    scores = table.game.final(rules).scores
    yield RecordPlace(at, None, tuple(range(len(scores))), max(scores) - min(scores))


_FINDERS: Final[dict[Kind, Callable[[int, EventGame, Ruleset], Iterator[RecordPlace]]]] = {
    "largest_hand": _wins,
    "first_yakuman": _yakuman,
    "longest_deal": _deals,
    "most_honba": _honba,
    "most_riichi_sticks": _riichi_sticks,
    "largest_comeback": _comebacks,
    "closest_table": _closest,
}
