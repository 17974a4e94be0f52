"""All-last: what each player needs in the next hand for each place, as if the game ended with that hand.

Exact, by enumeration: pays each legal value with the real payments and places the seats after it.
"""

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, NamedTuple

from rules.ruleset import Ruleset
from scoring.check_win import win_problems
from scoring.entries import Draw, Ron, Tsumo, Win
from scoring.fu import possible_fu
from scoring.game import play
from scoring.payments import Payment, payment_at
from scoring.placement import give_leftover, places_of
from scoring.problems import errors_of
from scoring.state import TableState
from scoring.value import MANGAN_HAN, base_points

COMMON_FU = (0, 20, 25, 30, 40)  # pinfu, seven pairs and most hands; 0 where limits make fu idle
USUAL_FU = 30  # preferred; 20 and 25 each belong to one kind of hand only
YAKUMAN_HAN = 13  # a yakuman where a number of han is wanted


class Price(NamedTuple):
    """A hand's value and its payment without honba and riichi sticks; `yakuman` is 1 for a yakuman, else 0."""

    han: int
    fu: int
    yakuman: int
    payment: Payment

    def win(self, seat: int) -> Win:
        """Return this value as the win of a seat."""
        return Win(seat=seat, yakuman=1) if self.yakuman else Win(seat=seat, han=self.han, fu=self.fu)

    def as_json(self) -> dict[str, Any]:
        """Return the contract's JSON; `pays` is points by ron, a list of one or two by tsumo."""
        (pays,) = self.payment.as_json().values()
        yakuman = {"yakuman": self.yakuman} if self.yakuman else {}
        return {"han": self.han, "fu": self.fu, **yakuman, "pays": pays}


class Need(NamedTuple):
    """The cheapest value that reaches a place; `tied`: this very place is then shared. A better one is no tie.

    `clear` is the cheapest value that takes the place alone or a better one, None if none does. `least`: any win is
    enough.
    """

    price: Price
    tied: bool
    clear: Price | None
    least: bool

    def as_json(self) -> dict[str, Any]:
        """Return the contract's JSON."""
        return {**self.price.as_json(), "tied": self.tied, "clear": self.clear.as_json() if self.clear else None}


@dataclass(frozen=True, slots=True)
class Goal:
    """What a seat needs for a place or a better one: by tsumo, by ron from each other seat, by draws.

    A need is None if not even a yakuman is enough. `draw` lists the sets of tenpai seats that reach the place, the
    empty set included; `draw_tied` those after which this very place is shared.
    """

    place: int
    tsumo: Need | None
    ron: dict[int, Need | None]
    draw: tuple[tuple[int, ...], ...]
    draw_tied: tuple[tuple[int, ...], ...]

    def as_json(self) -> dict[str, Any]:
        """Return the contract's JSON."""
        return {
            "place": self.place,
            "tsumo": self.tsumo.as_json() if self.tsumo else None,
            "ron": {str(loser): need.as_json() if need else None for loser, need in self.ron.items()},
            "draw": [list(tenpai) for tenpai in self.draw],
        }


@dataclass(frozen=True, slots=True)
class SeatGoals:
    """A seat, its current place, and a goal for each place from 1."""

    seat: int
    place: int
    goals: tuple[Goal, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the contract's JSON."""
        return {"seat": self.seat, "place": self.place, "goals": [goal.as_json() for goal in self.goals]}


def all_last(state: TableState, rules: Ruleset, *, riichi: Sequence[int] = ()) -> tuple[SeatGoals, ...]:
    """Return what each seat needs for each place, by seat; `riichi` are the seats with riichi in this hand.

    Honba and riichi sticks on the table count. Riichi players are tenpai in every draw listed. One winner per hand.

    >>> from rules.books import load
    >>> state = TableState((38000, 31000, 28000, 23000), dealer=3, round=1)
    >>> first = all_last(state, load("ema-2025"))[1].goals[0]
    >>> first.tsumo.price.as_json(), first.ron[0].price.payment.ron, first.ron[2].price.payment.ron
    ({'han': 2, 'fu': 90, 'pays': [1500, 2900]}, 3900, 7100)
    """
    places = places_of(state.scores, rules)
    draws = list(_draws(state, rules, tuple(riichi)))
    return tuple(_seat_goals(seat, places[seat], state, rules, tuple(riichi), draws) for seat in range(state.players))


def may_be_last(state: TableState, rules: Ruleset) -> bool:
    """Return whether the game can end with the next hand other than by a player falling below zero.

    True in the last deal of the last wind, and in every hand of an extra round.

    >>> from rules.books import load
    >>> [may_be_last(TableState((30000,) * 4, dealer=3, round=wind), load("ema-2025")) for wind in (0, 1)]
    [False, True]
    """
    last_deal = state.round == rules.rounds - 1 and state.dealer == state.players - 1
    return not state.ended and (last_deal or state.round >= rules.rounds)


def legal_prices(seat: int, state: TableState, rules: Ruleset, *, tsumo: bool, riichi: bool) -> tuple[Price, ...]:
    """Return the prices of a seat's legal hands, one per payment, cheapest first."""
    honba = min(state.honba, rules.two_han_from_honba)  # more honba change no legal value
    return _prices(rules, tsumo, riichi, seat == state.dealer, honba)


def nearest_common(price: Price, prices: Iterable[Price]) -> Price:
    """Return the cheapest of these prices, cheapest first, that common hands make and that pays as much as `price`.

    >>> from rules.books import load
    >>> state = TableState((38000, 31000, 28000, 23000), dealer=3, round=1)
    >>> rules = load("ema-2025")
    >>> first = all_last(state, rules)[1].goals[0]
    >>> prices = legal_prices(1, state, rules, tsumo=False, riichi=False)
    >>> [nearest_common(first.ron[loser].price, prices).payment.ron for loser in (0, 2)]
    [3900, 8000]
    """
    common = (each for each in prices if each.payment.value >= price.payment.value and _is_common(each))
    return next(common, price)


def _is_common(price: Price) -> bool:
    return price.han > MANGAN_HAN - 1 or price.fu in COMMON_FU


def after_wins(
    seat: int, loser: int | None, state: TableState, rules: Ruleset, riichi: tuple[int, ...]
) -> Iterator[tuple[Price, tuple[int, ...]]]:
    """Yield each price of a seat's win with the scores after it, cheapest first; `loser` None for tsumo.

    Plays only the cheapest: the scores of the others differ by the hand's payment alone.
    """
    prices = legal_prices(seat, state, rules, tsumo=loser is None, riichi=seat in riichi)
    winners = (prices[0].win(seat),)
    win = Tsumo(winners=winners, riichi=riichi) if loser is None else Ron(loser=loser, winners=winners, riichi=riichi)
    played = play(win, state, rules).after.scores
    known = _moved(prices[0].payment, seat, loser, state)
    for price in prices:
        moved = _moved(price.payment, seat, loser, state)
        yield price, tuple(score - old + new for score, old, new in zip(played, known, moved, strict=True))


def draws_of(state: TableState, riichi: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield every set of tenpai seats that contains the riichi players, smallest first."""
    for size in range(state.players + 1):
        yield from (seats for seats in combinations(range(state.players), size) if set(riichi) <= set(seats))


class _End(NamedTuple):
    """A seat's place after a win at a price."""

    price: Price
    place: int
    shared: bool

    def ties(self, wanted: int) -> bool:
        """Whether this very place is shared: a better one, shared or not, is no tie for it."""
        return self.shared and self.place == wanted


class _DrawPlaces(NamedTuple):
    """The places of all seats after a draw with these tenpai seats."""

    tenpai: tuple[int, ...]
    places: tuple[int, ...]


def _seat_goals(
    seat: int,
    place: int,
    state: TableState,
    rules: Ruleset,
    riichi: tuple[int, ...],
    draws: Sequence[_DrawPlaces],
) -> SeatGoals:
    tsumo = list(_ends(seat, None, state, rules, riichi))
    ron = {loser: list(_ends(seat, loser, state, rules, riichi)) for loser in sorted(state.others(seat))}
    goals = (
        Goal(
            place=wanted,
            tsumo=_need(tsumo, wanted),
            ron={loser: _need(ends, wanted) for loser, ends in ron.items()},
            draw=tuple(drawn.tenpai for drawn in draws if drawn.places[seat] <= wanted),
            draw_tied=tuple(
                drawn.tenpai for drawn in draws if drawn.places[seat] == wanted and drawn.places.count(wanted) > 1
            ),
        )
        for wanted in range(1, state.players + 1)
    )
    return SeatGoals(seat, place, tuple(goals))


def _need(ends: Sequence[_End], wanted: int) -> Need | None:
    reached = next((end for end in ends if end.place <= wanted), None)
    if reached is None:
        return None
    tied = reached.ties(wanted)
    clear: _End | None = reached
    if tied:
        clear = next((end for end in ends if end.place <= wanted and not end.ties(wanted)), None)
    return Need(reached.price, tied, clear and clear.price, least=reached is ends[0])


def _ends(seat: int, loser: int | None, state: TableState, rules: Ruleset, riichi: tuple[int, ...]) -> Iterator[_End]:
    """Yield a seat's place for each price, cheapest first, up to the first that wins the game alone."""
    for price, scores in after_wins(seat, loser, state, rules, riichi):
        places = places_of(scores, rules)
        shared = places.count(places[seat]) > 1
        yield _End(price, places[seat], shared)
        if places[seat] == 1 and not shared:
            return


def _moved(payment: Payment, seat: int, loser: int | None, state: TableState) -> list[int]:
    """Return each seat's change by the hand alone, without honba and riichi sticks."""
    moved = [0] * state.players
    for payer in state.others(seat) if loser is None else (loser,):
        by_tsumo = payment.dealer if payer == state.dealer else payment.others
        points = by_tsumo if payment.ron is None else payment.ron
        moved[payer] -= points
        moved[seat] += points
    return moved


@functools.lru_cache(maxsize=512)
def _prices(rules: Ruleset, tsumo: bool, riichi: bool, deals: bool, honba: int) -> tuple[Price, ...]:
    """Return one price per payment, ascending: with 30 fu or the fewest above, then the fewest han.

    Of values with equal payments this takes the one that players name: 2,600 is 2 han 40 fu, not 1 han 80 fu.
    """
    plain = TableState((0,) * rules.players, honba=honba)
    found = [
        Price(win.han or YAKUMAN_HAN, win.fu, win.yakuman, payment)
        for win in _values(rules, tsumo, riichi)
        if not errors_of(win_problems(win, plain, rules, tsumo=tsumo, riichi=riichi))
        for payment in [payment_at(base_points(win, rules), rules, tsumo=tsumo, deals=deals)]
    ]
    found.sort(key=lambda price: (price.payment.value, price.payment, price.fu < USUAL_FU, price.fu, price.han))
    return tuple(price for index, price in enumerate(found) if not index or price.payment != found[index - 1].payment)


def _values(rules: Ruleset, tsumo: bool, riichi: bool) -> Iterator[Win]:
    """Yield every value of a hand: han and fu below mangan, han alone from mangan on, one yakuman."""
    for han in range(1, YAKUMAN_HAN + 1):
        fus: Iterable[int] = (USUAL_FU,)
        if han < MANGAN_HAN:
            fus = possible_fu(han, rules, tsumo=tsumo, riichi=riichi)
        yield from (Win(seat=0, han=han, fu=fu) for fu in fus)
    yield Win(seat=0, yakuman=1)


def _draws(state: TableState, rules: Ruleset, riichi: tuple[int, ...]) -> Iterator[_DrawPlaces]:
    """Yield every possible draw with the places after it."""
    for tenpai in draws_of(state, riichi):
        after = play(Draw(tenpai=tenpai, riichi=riichi), state, rules).after
        yield _DrawPlaces(tenpai, places_of(give_leftover(after, rules)[0], rules))


class DrawCase(NamedTuple):
    """All draws with these seats tenpai and these noten, whatever the others are."""

    tenpai: tuple[int, ...]
    noten: tuple[int, ...]


def draw_cases(draws: Iterable[tuple[int, ...]], players: int, riichi: tuple[int, ...] = ()) -> tuple[DrawCase, ...]:
    """Cover a list of draws (sets of tenpai seats) exactly, with few cases found greedily.

    Riichi seats are tenpai in every draw and never named. No draws: no case; all draws: one case without seats.

    >>> draw_cases([(1,), (0, 1), (1, 2), (0, 1, 2)], players=3)
    (DrawCase(tenpai=(1,), noten=()),)
    >>> draw_cases([(1,)], players=3), draw_cases([], players=3)
    ((DrawCase(tenpai=(1,), noten=(0, 2)),), ())
    """
    wanted = {frozenset(draw) for draw in draws}
    free = [seat for seat in range(players) if seat not in riichi]
    whole = [(case, held) for case, held in _cases(free, frozenset(riichi)) if held <= wanted]
    found: list[DrawCase] = []
    while wanted:
        # the case that covers most of the rest; of equals the one with the fewest seats
        case, held = max(whole, key=lambda each: (len(each[1] & wanted), -len(each[0].tenpai) - len(each[0].noten)))
        found.append(case)
        wanted -= held
    return tuple(found)


def _cases(free: list[int], riichi: frozenset[int]) -> Iterable[tuple[DrawCase, frozenset[frozenset[int]]]]:
    """Yield each possible case over these seats with the draws that it covers."""
    draws = [
        riichi | {seat for seat, shown in zip(free, tenpai, strict=True) if shown}
        for tenpai in product((False, True), repeat=len(free))
    ]
    for said in product((True, False, None), repeat=len(free)):
        seats = list(zip(free, said, strict=True))
        case = DrawCase(tuple(s for s, is_so in seats if is_so), tuple(s for s, is_so in seats if is_so is False))
        yield case, frozenset(d for d in draws if d.issuperset(case.tenpai) and d.isdisjoint(case.noten))
