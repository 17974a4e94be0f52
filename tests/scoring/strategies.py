"""Random tables, entries and JSON for property tests: valid in form, wild in content."""

from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

from rules.books import load
from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo, Win
from scoring.shorthand import ABORTS

YAKUMAN = ("daisangen", "daisuushii", "suukantsu", "kokushi_musou", "tenhou")
KEYS = [
    "kind",
    "loser",
    "winners",
    "seat",
    "han",
    "fu",
    "yakuman",
    "pao",
    "yaku",
    "hand",
    "riichi",
    "tenpai",
    "announced",
]
KEYS += ["dead", "note", "deltas", "scores", "leftover", "offenders", "reason"]
REASONS = sorted(ABORTS.values())
NUMBERS = st.integers(0, 2**80)
T = TypeVar("T")
# What comes back from a typed line as it was: no sign of a note, no characters that stand for others, single blanks.
WORDS = st.lists(st.text(alphabet="abcxyz019.,!?-+/éß東北", min_size=1, max_size=8), max_size=4).map(" ".join)


class Choices:
    """One large number taken apart into small choices; nought makes the first choice every time, so examples shrink."""

    def __init__(self, number: int) -> None:
        self._left = number

    def upto(self, most: int) -> int:
        """Choose a number from 0 to `most`."""
        self._left, chosen = divmod(self._left, most + 1)
        return chosen

    def of(self, options: Sequence[T]) -> T:
        """Choose one of several."""
        return options[self.upto(len(options) - 1)]

    def seats(self, players: int, *, at_least: int = 0) -> tuple[int, ...]:
        """Choose a few seats in any order, none twice."""
        order = self.shuffled(players)
        return order[: at_least + self.upto(players - at_least)]

    def shuffled(self, players: int) -> tuple[int, ...]:
        """Choose an order of all seats."""
        left = list(range(players))
        return tuple(left.pop(self.upto(len(left) - 1)) for _ in range(players))


def win_of(choose: Choices, players: int, seat: int) -> Win:
    """Make a win of a seat, by han and fu or as yakuman, now and then with somebody liable."""
    pao, chips = choose.of([None, None, *range(players)]), choose.of([None, None, 0, 1, 7])
    if choose.upto(2) == 2:
        yaku = choose.of([None, YAKUMAN[:1], YAKUMAN[1:2], YAKUMAN[2:4], YAKUMAN, ()])
        return Win(seat=seat, yakuman=1 + choose.upto(5), pao=pao, yaku=yaku, chips=chips)
    han = 1 + choose.upto(12)
    fu = choose.of([30, 20, 25, 40, 60, 110, 0 if han >= 5 else 50])
    return Win(seat=seat, han=han, fu=fu, pao=pao, chips=chips)


def ron_of(choose: Choices, players: int) -> Ron:
    """Make a ron with one to all other players as winners."""
    loser, *others = choose.shuffled(players)
    winners = others[: 1 + choose.upto(players - 2)]
    riichi = choose.seats(players)
    return Ron(loser=loser, winners=tuple(win_of(choose, players, seat) for seat in winners), riichi=riichi)


def correction_of(choose: Choices, players: int) -> Correction:
    """Make a correction that adds up to nothing."""
    moved = [100 * (choose.upto(200) - 100) for _ in range(players - 1)]
    return Correction(deltas=(*moved, -sum(moved)), reason="miscounted")


def hand_of(number: int, players: int) -> Entry:
    """Make of one large number what can happen in a hand, with seats of this table and otherwise anything."""
    choose = Choices(number)
    kind = choose.of(["draw", "tsumo", "ron", "tsumo", "ron", "nagashi", "abort", "chombo", "correction"])
    if kind == "ron":
        return ron_of(choose, players)
    if kind == "correction":
        return correction_of(choose, players)
    riichi, dead = choose.seats(players), choose.of([(), (), choose.seats(players)])
    match kind:
        case "tsumo":
            winner, stops = win_of(choose, players, choose.upto(players - 1)), choose.of([False, False, True])
            return Tsumo(winners=(winner,), riichi=riichi, stops=stops)
        case "draw":
            return Draw(tenpai=choose.seats(players), riichi=riichi, dead=dead, stops=choose.of([False, False, True]))
        case "nagashi":
            winners = choose.seats(players, at_least=1)
            return Nagashi(
                winners=winners, tenpai=choose.seats(players), riichi=riichi, closed=choose.of([False, True])
            )
        case "abort":
            return Abort(reason=choose.of(REASONS), riichi=riichi)
    return Chombo(offenders=choose.seats(players, at_least=1), riichi=riichi, dead=dead)


def totals_of(number: int, players: int, start: int) -> Totals:
    """Make final scores that add up, with some points that nobody got."""
    choose = Choices(number)
    scores = [start + 100 * (choose.upto(600) - 300) for _ in range(players - 1)]
    leftover = choose.upto(4) * 1000
    chips = [choose.upto(20) - 10 for _ in range(players - 1)]
    return Totals(
        scores=(*scores, players * start - leftover - sum(scores)),
        leftover=leftover,
        chips=choose.of([(), (*chips, -sum(chips))]),
    )


def hands(players: int) -> st.SearchStrategy[Entry]:
    """Draw one hand."""
    return NUMBERS.map(lambda number: hand_of(number, players))


def games(key: str, *, most: int = 12) -> st.SearchStrategy[list[Entry]]:
    """Draw a game under a book: hands, or now and then nothing but final scores."""
    rules = load(key)
    whole = NUMBERS.map(lambda number: [totals_of(number, rules.players, rules.start_points)])
    played = st.lists(NUMBERS, max_size=most).map(lambda numbers: [hand_of(n, rules.players) for n in numbers])
    return st.one_of(played, played, played, whole)


def json_values() -> st.SearchStrategy[Any]:
    """Draw any value that JSON (and Python beside it) can hold, with our own keys among all others."""
    keys = st.sampled_from(KEYS) | st.text(max_size=5)
    numbers = st.integers() | st.floats() | st.booleans()
    leaves = st.none() | numbers | st.text(max_size=8) | st.sampled_from(["ron", "tsumo", "draw", "nagashi", "totals"])
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=6), max_leaves=20
    )
