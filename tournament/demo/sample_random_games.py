"""Random games for the samples: hands as a table plays them, some with their tiles, all without errors or warnings."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from typing import TypeVar

from rules.ruleset import Ruleset
from scoring.check import problems
from scoring.count import count
from scoring.drill_hands import winning_hands
from scoring.entries import Draw, Entry, Ron, Tsumo, Win
from scoring.fu import possible_fu
from scoring.game import play
from scoring.hand import WINDS, hand_problems, to_json
from scoring.problems import InvalidInput
from scoring.state import TableState, opening
from scoring.tiles import EAST
from scoring.value import MANGAN_HAN

T = TypeVar("T")

MOST_HANDS = 40
# weights of han by number of players: three players draw more dora, and set Norths aside
HAN = {
    3: {1: 8, 2: 14, 3: 20, 4: 18, 5: 14, 6: 13, 7: 6, 8: 5, 11: 1},
    4: {1: 24, 2: 27, 3: 20, 4: 13, 5: 7, 6: 5, 7: 2, 8: 1},
}
FU = {20: 12, 25: 5, 30: 55, 40: 22, 50: 6, 60: 3, 70: 1}
YAKUMAN_ONE_IN = 250
WITH_TILES = 0.3  # of the hands that one player wins: a referee takes the time for the better ones


def random_game(rules: Ruleset, rng: Random, *, most: int = MOST_HANDS) -> list[Entry]:
    """Return a random game that ends by the rules, or by time after `most` hands."""
    entries: list[Entry] = []
    state = opening(rules)
    while not state.ended and len(entries) < most:
        entry = random_hand(state, rules, rng)
        entries.append(entry)
        state = play(entry, state, rules).after
    return entries


def random_hand(state: TableState, rules: Ruleset, rng: Random) -> Entry:
    """Return a random hand without errors or warnings."""
    while True:
        make = _pick(rng, _MAKERS)
        entry = make(state, rules, rng)
        if not problems(entry, state, rules):
            return entry


def _ron(several: int, state: TableState, rules: Ruleset, rng: Random) -> Entry:
    loser, *winners = rng.sample(range(rules.players), several + 1)
    if several == 1 and rng.random() < WITH_TILES:
        win, riichi = _win_of_tiles(winners[0], state, rules, rng, tsumo=False)
        return Ron(loser=loser, winners=(win,), riichi=riichi)
    wins = tuple(_win(seat, rules, rng, tsumo=False) for seat in sorted(winners))
    return Ron(loser=loser, winners=wins, riichi=_riichi(state, rules, rng, *winners))


def _tsumo(state: TableState, rules: Ruleset, rng: Random) -> Entry:
    seat = rng.randrange(rules.players)
    if rng.random() < WITH_TILES:
        win, riichi = _win_of_tiles(seat, state, rules, rng, tsumo=True)
        return Tsumo(winners=(win,), riichi=riichi)
    return Tsumo(winners=(_win(seat, rules, rng, tsumo=True),), riichi=_riichi(state, rules, rng, seat))


def _draw(state: TableState, rules: Ruleset, rng: Random) -> Entry:
    riichi = _riichi(state, rules, rng)
    tenpai = tuple(seat for seat in range(rules.players) if seat in riichi or rng.random() < 0.4)
    return Draw(tenpai=tenpai, riichi=riichi)


def _win(seat: int, rules: Ruleset, rng: Random, *, tsumo: bool) -> Win:
    if rng.randrange(YAKUMAN_ONE_IN) == 0:
        return Win(seat=seat, yakuman=1)
    han = _pick(rng, HAN[rules.players])
    if han >= MANGAN_HAN:
        return Win(seat=seat, han=han)
    possible = possible_fu(han, rules, tsumo=tsumo)
    return Win(seat=seat, han=han, fu=_pick(rng, {fu: weight for fu, weight in FU.items() if fu in possible}))


def _win_of_tiles(
    seat: int, state: TableState, rules: Ruleset, rng: Random, *, tsumo: bool
) -> tuple[Win, tuple[int, ...]]:
    """Return a win with the tiles of its hand, as they lie in this deal, and the riichi of the table."""
    round_wind, seat_wind = (EAST + WINDS.index(wind) for wind in (state.round_wind, state.wind_of(seat)))
    counted = None
    drawn = winning_hands(rules, rng)
    while counted is None:
        hand = replace(next(drawn), tsumo=tsumo, round_wind=round_wind, seat_wind=seat_wind, honba=state.honba)
        with suppress(InvalidInput):  # without a yaku in this seat, or by this way to win
            counted = None if hand_problems(hand, rules) else count(hand, rules)
    value = {"yakuman": counted.yakuman} if counted.yakuman else {"han": counted.han, "fu": counted.fu}
    win = Win(seat=seat, yaku=tuple(name for name, _han in counted.yaku), hand=to_json(hand), **value)
    others = [other for other in _riichi(state, rules, rng) if other != seat]
    return win, tuple(sorted([*others, seat] if hand.riichi else others))


def _riichi(state: TableState, rules: Ruleset, rng: Random, *winners: int) -> tuple[int, ...]:
    """Draw the riichi: nearly every second winner, every sixth of the others, nobody without the points."""
    able = (seat for seat in range(rules.players) if state.scores[seat] >= rules.riichi_deposit)
    return tuple(seat for seat in able if rng.random() < (0.45 if seat in winners else 0.16))


def _pick(rng: Random, weights: Mapping[T, int]) -> T:
    return rng.choices(list(weights), list(weights.values()))[0]


_MAKERS: Mapping[Callable[[TableState, Ruleset, Random], Entry], int] = {
    partial(_ron, 1): 50,
    _tsumo: 31,
    _draw: 17,
    partial(_ron, 2): 2,
}
