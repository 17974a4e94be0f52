"""Final scores to places, uma and results, with leftover riichi sticks and substitutes; no penalties of the event."""

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, repeat
from operator import lt, sub
from typing import Literal, NamedTuple

from rules.ruleset import Ruleset
from scoring.state import TableState

When = Literal["before", "during"]  # when the substitute took over


@dataclass(frozen=True, slots=True)
class Final:
    """The result of a game by seat, in points; `scores` include leftover riichi sticks that were given out.

    `leftover` are points that nobody got. `results` are score − return + uma + chips in points, before penalties.
    """

    scores: tuple[int, ...]
    leftover: int
    places: tuple[int, ...]
    uma: tuple[int, ...]
    results: tuple[int, ...]
    chips: tuple[int, ...] = ()


class SheetResult(NamedTuple):
    """What a season needs of a game, by seat: what the result has beside the total of the sheet, and the place."""

    shares: tuple[int, ...]
    places: tuple[int, ...]


def finish(state: TableState, rules: Ruleset) -> Final:
    """Give out leftover riichi sticks, rank, add uma and subtract the return, in this order (E25 3.7)."""
    scores, leftover = give_leftover(state, rules)
    places = places_of(scores, rules)
    uma = uma_of(places, rules, players_above(scores, rules) if rules.floating_uma else 0)
    uma = _with_prizes(uma, scores, places, state.gained, rules) if rules.bust_prize else uma
    return Final(scores, leftover, places, uma, _results(scores, uma, state.chips, rules), state.chips)


def _results(scores: Sequence[int], uma: Sequence[int], chips: Sequence[int], rules: Ruleset) -> tuple[int, ...]:
    """Return score − return + uma by seat, and what the chips are worth."""
    base = rules.return_points
    results = tuple([score - base + share for score, share in zip(scores, uma, strict=True)])
    if not chips:
        return results
    return tuple(result + rules.chip_points * each for result, each in zip(results, chips, strict=True))


def finish_sheet(totals: Sequence[int], rules: Ruleset) -> Final | None:
    """Return the result of a game from the totals of its signed sheet, with or without the leftover sticks in them.

    None where the totals do not tell it: chips or a prize for a bust are played, or points are missing.

    >>> from rules.books import load
    >>> finish_sheet((41000, 30000, 28000, 20000), load("ema-2025")).scores
    (42000, 30000, 28000, 20000)
    >>> finish_sheet((41000, 30000, 28000, 19900), load("ema-2025")) is None
    True
    """
    if rules.chip_points or rules.bust_prize:
        return None
    missing = rules.start_points * rules.players - sum(totals)
    scores, lost = settle(totals, missing, rules) if missing else (tuple(totals), 0)
    given = sum(scores) - sum(totals)
    return finish(TableState(scores, lost=lost), rules) if given + lost == missing else None


def count_sheets(sheets: Sequence[Sequence[int]], rules: Ruleset) -> list[SheetResult | None]:
    """Return for the totals of each sheet what `finish_sheet` makes of them, quick for thousands.

    All have the totals of as many players as the rules. They are compared column by column.

    >>> from rules.books import load
    >>> count_sheets([(42000, 30000, 28000, 20000)], load("ema-2025"))
    [SheetResult(shares=(-15000, -25000, -35000, -45000), places=(1, 2, 3, 4))]
    """
    if rules.chip_points or rules.bust_prize or not sheets:
        return [None] * len(sheets)
    seats, columns = range(rules.players), list(zip(*sheets, strict=True))
    pairs = list(permutations(seats, 2))

    @functools.cache
    def result_of(above: int, *less: bool) -> SheetResult:
        # places follow from the order of the totals alone, with its ties: from how many are below each
        below = [sum(lower for (_one, other), lower in zip(pairs, less, strict=True) if other == at) for at in seats]
        places = places_of(below, rules)
        shares = tuple([each - rules.return_points for each in uma_of(places, rules, above)])
        return SheetResult(shares, places)

    above = (players_above(totals, rules) for totals in sheets) if rules.floating_uma else repeat(0)
    order = (map(lt, columns[one], columns[other]) for one, other in pairs)
    found: list[SheetResult | None] = list(map(result_of, above, *order))
    full = rules.start_points * rules.players
    for at in (at for at, total in enumerate(map(sum, sheets)) if total != full):
        final = finish_sheet(sheets[at], rules)
        found[at] = SheetResult(tuple(map(sub, final.results, sheets[at])), final.places) if final else None
    return found


def give_leftover(state: TableState, rules: Ruleset) -> tuple[tuple[int, ...], int]:
    """Return the scores with leftover riichi sticks given out, and the points that nobody got.

    They go to the first place, split on a tie and rounded down (E25 3.7; RK 2.2), or to nobody (WRC 2025 10.2).
    """
    pot = state.sticks * rules.riichi_deposit
    if not pot or rules.leftover_deposits == "lost":
        return state.scores, pot + state.lost
    places = places_of(state.scores, rules)
    each = pot // places.count(1)
    scores = tuple(score + (each if place == 1 else 0) for score, place in zip(state.scores, places, strict=True))
    return scores, pot - each * places.count(1) + state.lost


def settle(scores: Sequence[int], missing: int, rules: Ruleset) -> tuple[tuple[int, ...], int]:
    """Give out the points that are missing from a game known by its scores alone: they can only be riichi sticks.

    Returns scores and leftover as `give_leftover`; unchanged where dividing sticks among tied winners dropped them, so
    that to settle twice changes nothing. Fewer points than a stick are never given out.

    >>> from rules.books import load
    >>> settle((41000, 30000, 28000, 20000), 1000, load("rakkii-nomi-2026"))
    ((42000, 30000, 28000, 20000), 0)
    >>> settle((41000, 30000, 28000, 20000), 1000, load("wrc-2025"))
    ((41000, 30000, 28000, 20000), 1000)
    """
    sticks, odd = divmod(missing, rules.riichi_deposit)
    if missing < 0 or odd or not sticks:
        return tuple(scores), _dropped(scores, missing, rules)
    return give_leftover(TableState(tuple(scores), sticks=sticks), rules)


def shared_first(scores: Sequence[int], rules: Ruleset) -> tuple[int, ...]:
    """Return the tied winners whose scores include a share of leftover sticks; none if no division fits."""
    first = [seat for seat, place in enumerate(places_of(scores, rules)) if place == 1]
    if len(first) < 2 or rules.leftover_deposits == "lost":
        return ()
    shares = (sticks * rules.riichi_deposit // len(first) for sticks in range(1, len(first)))
    unit = payment_unit(rules)
    return tuple(first) if any((scores[first[0]] - share) % unit == 0 for share in shares) else ()


def _dropped(scores: Sequence[int], missing: int, rules: Ruleset) -> int:
    """Return the points dropped by dividing sticks among tied winners, if that explains what is missing; else 0."""
    first = shared_first(scores, rules)
    if not 0 < missing < len(first):
        return 0
    unit = payment_unit(rules)
    for sticks in range(1, len(first)):
        share, dropped = divmod(sticks * rules.riichi_deposit, len(first))
        if dropped == missing and (scores[first[0]] - share) % unit == 0:
            return missing
    return 0


def payment_unit(rules: Ruleset) -> int:
    """Return the unit of all payments under these rules: 100, or less for unusual amounts."""
    players = rules.players
    shares = [rules.noten_pool // (paid * (players - paid)) * paid for paid in range(1, players)]
    amounts = (rules.start_points, rules.riichi_deposit, rules.honba_ron, rules.honba_tsumo, *shares)
    return math.gcd(100, *amounts)


def places_of(scores: Sequence[int], rules: Ruleset) -> tuple[int, ...]:
    """Return each seat's place from 1; ties share the better place, or go by seat order, as the rules say.

    >>> from rules.books import load
    >>> places_of((30000, 41000, 30000, 19000), load("ema-2025"))
    (2, 1, 2, 4)
    >>> places_of((30000, 41000, 30000, 19000), load("tenhou-yonma"))
    (2, 1, 3, 4)
    """
    if rules.ties == "seat_order":
        keys = [(-score, seat) for seat, score in enumerate(scores)]
        ordered = sorted(keys)
        return tuple(ordered.index(key) + 1 for key in keys)
    best = sorted(scores, reverse=True)
    return tuple([best.index(score) + 1 for score in scores])


def players_above(scores: Sequence[int], rules: Ruleset) -> int:
    """Return how many players are above the return points; only a floating uma asks.

    >>> from rules.books import load
    >>> players_above((30000, 41000, 30000, 19000), load("ema-2025"))
    1
    """
    line = rules.return_points - int(rules.float_at_return)
    return sum(score > line for score in scores)


def uma_of(places: Sequence[int], rules: Ruleset, above: int = 0) -> tuple[int, ...]:
    """Return each seat's uma with oka; tied seats share theirs equally (E25 3.7.1).

    Where points do not divide, they go out in hundreds, and the odd ones to the seats nearest to the first East.

    `above`: how many players are above the return points, where the uma floats; for nobody and for all it does not.

    >>> from rules.books import load
    >>> uma_of((1, 1, 3), load("sanmatsuri-2026"))
    (7500, 7500, -15000)
    >>> uma_of((1, 1, 4, 1), load("m-league"))
    (16700, 16700, -30000, 16600)
    """
    row = rules.floating_uma[above - 1] if rules.floating_uma and 1 <= above < rules.players else rules.uma
    by_place = [row[0] + rules.oka, *row[1:]]
    if len(set(places)) == len(by_place):
        return tuple([by_place[place - 1] for place in places])
    shares = {}
    for place in set(places):
        tied = places.count(place)
        pool = sum(by_place[place - 1 : place - 1 + tied])
        unit = math.gcd(100, pool) if pool % tied else 1
        each, odd = divmod(pool // unit, tied)
        shares[place] = iter([(each + 1) * unit] * odd + [each * unit] * (tied - odd))
    return tuple(next(shares[place]) for place in places)


def _with_prizes(
    uma: Sequence[int], scores: Sequence[int], places: Sequence[int], gained: Sequence[int], rules: Ruleset
) -> tuple[int, ...]:
    """Return the uma with the prize of each bust: to the first seat after it that gained by the hand of the bust.

    Without such a hand, of a game known by its scores alone, the first place gets it.
    """
    paid = list(uma)
    for bust in [seat for seat, score in enumerate(scores) if score < int(rules.bust_at_zero)]:
        others = [(bust + step) % len(scores) for step in range(1, len(scores))]
        by = next((seat for seat in others if seat in gained), None)
        by = min(others, key=lambda seat: places[seat]) if by is None else by
        paid[bust] -= rules.bust_prize
        paid[by] += rules.bust_prize
    return tuple(paid)


class Counted(NamedTuple):
    """A game as the standings count it, by seat; `penalties` are points ≥ 0 taken off beside the result.

    A substitute's seat has the replaced player's figures and no place. `taken` are the places as played, None for a
    substitute who takes none.
    """

    results: tuple[int, ...]
    places: tuple[int | None, ...]
    uma: tuple[int, ...]
    penalties: tuple[int, ...]
    taken: tuple[int | None, ...]


def with_substitutes(final: Final, replaced: Mapping[int, When], rules: Ruleset) -> Counted:
    """Return how a game counts with substitutes in these seats.

    EMA 7.3: a replaced player has -15,000 points and -15,000 uma. A substitute from the beginning takes a place; one
    who came in during the game takes none, and the others share places and uma among themselves. WRC 12.3.9: the seat
    is scored and not ranked; the replaced player has 0 and a penalty.
    """
    if not replaced:
        return Counted(final.results, final.places, final.uma, (0,) * len(final.uma), final.places)
    if rules.substitute == "wrc":
        late, places, uma, own = set[int](), final.places, final.uma, (0, 0, rules.replaced_points)
    else:
        late = {seat for seat, when in replaced.items() if when == "during"}
        places = _places_without(final.scores, late, rules) if late else final.places
        taking = [score for seat, score in enumerate(final.scores) if seat not in late]
        uma = final.uma
        if late:
            plain = uma_of(final.places, rules, players_above(final.scores, rules))
            ours = uma_of(places, rules, players_above(taking, rules))
            uma = tuple(own + paid - by_place for own, paid, by_place in zip(ours, uma, plain, strict=True))
        own = (-rules.replaced_points, -(rules.replaced_points // 2), 0)
    results = _results(final.scores, uma, final.chips, rules)
    return Counted(
        results=_put(results, replaced, own[0]),
        places=tuple(None if seat in replaced else place for seat, place in enumerate(places)),
        uma=_put(uma, replaced, own[1]),
        penalties=_put([0] * len(uma), replaced, own[2]),
        taken=tuple(None if seat in late else place for seat, place in enumerate(places)),
    )


def _put(values: Sequence[int], seats: Mapping[int, When], value: int) -> tuple[int, ...]:
    return tuple(value if seat in seats else each for seat, each in enumerate(values))


def _places_without(scores: Sequence[int], late: set[int], rules: Ruleset) -> tuple[int, ...]:
    """Return the places among the seats that take one; `late` seats get an unused place after the last."""
    taking = [seat for seat in range(len(scores)) if seat not in late]
    places = dict(zip(taking, places_of([scores[seat] for seat in taking], rules), strict=True))
    return tuple(places.get(seat, len(taking) + 1) for seat in range(len(scores)))
