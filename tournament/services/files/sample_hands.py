"""Hands as they fall at real tables, made up from a seeded chance: legal by the event's rules, of every kind.

It plays no verb and knows no database.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import TypeVar

from rules.ruleset import Ruleset
from scoring.check import problems
from scoring.entries import Draw, Entry, Ron, Tsumo, Win
from scoring.fu import possible_fu
from scoring.game import play
from scoring.state import TableState, opening
from scoring.value import MANGAN_HAN

T = TypeVar("T")

MOST_HANDS = 40
# how often a hand has so many han: three players draw more dora, and set Norths aside
HAN = {
    3: {1: 8, 2: 14, 3: 20, 4: 18, 5: 14, 6: 13, 7: 6, 8: 5, 11: 1},
    4: {1: 24, 2: 27, 3: 20, 4: 13, 5: 7, 6: 5, 7: 2, 8: 1},
}
FU = {20: 12, 25: 5, 30: 55, 40: 22, 50: 6, 60: 3, 70: 1}
YAKUMAN_ONE_IN = 250


def made_up_game(rules: Ruleset, chance: Random, *, most: int = MOST_HANDS) -> list[Entry]:
    """Make up a game: until it ends by the rules, or until time ends it after `most` hands."""
    entries: list[Entry] = []
    state = opening(rules)
    while not state.ended and len(entries) < most:
        entry = made_up_hand(state, rules, chance)
        entries.append(entry)
        state = play(entry, state, rules).after
    return entries


def made_up_hand(state: TableState, rules: Ruleset, chance: Random) -> Entry:
    """Make up one hand that nothing is wrong with, not even a warning."""
    while True:
        make = _pick(chance, _MAKERS)
        entry = make(state, rules, chance)
        if not problems(entry, state, rules):
            return entry


def _ron(state: TableState, rules: Ruleset, chance: Random) -> Entry:
    return _ron_of(1, state, rules, chance)


def _double_ron(state: TableState, rules: Ruleset, chance: Random) -> Entry:
    return _ron_of(2, state, rules, chance)


def _ron_of(count: int, state: TableState, rules: Ruleset, chance: Random) -> Entry:
    loser, *winners = chance.sample(range(rules.players), count + 1)
    wins = tuple(_win(seat, rules, chance, tsumo=False) for seat in sorted(winners))
    return Ron(loser=loser, winners=wins, riichi=_riichi(state, rules, chance, *winners))


def _tsumo(state: TableState, rules: Ruleset, chance: Random) -> Entry:
    seat = chance.randrange(rules.players)
    return Tsumo(winners=(_win(seat, rules, chance, tsumo=True),), riichi=_riichi(state, rules, chance, seat))


def _draw(state: TableState, rules: Ruleset, chance: Random) -> Entry:
    riichi = _riichi(state, rules, chance)
    tenpai = tuple(seat for seat in range(rules.players) if seat in riichi or chance.random() < 0.4)
    return Draw(tenpai=tenpai, riichi=riichi)


def _win(seat: int, rules: Ruleset, chance: Random, *, tsumo: bool) -> Win:
    if chance.randrange(YAKUMAN_ONE_IN) == 0:
        return Win(seat=seat, yakuman=1)
    han = _pick(chance, HAN[rules.players])
    if han >= MANGAN_HAN:
        return Win(seat=seat, han=han)
    possible = possible_fu(han, tsumo=tsumo, double_wind_pair_fu=rules.double_wind_pair_fu)
    return Win(seat=seat, han=han, fu=_pick(chance, {fu: weight for fu, weight in FU.items() if fu in possible}))


def _riichi(state: TableState, rules: Ruleset, chance: Random, *winners: int) -> tuple[int, ...]:
    """Draw who had riichi: nearly every second winner, every sixth of the others, nobody without the points."""
    able = (seat for seat in range(rules.players) if state.scores[seat] >= rules.riichi_deposit)
    return tuple(seat for seat in able if chance.random() < (0.45 if seat in winners else 0.16))


def _pick(chance: Random, weights: Mapping[T, int]) -> T:
    return chance.choices(list(weights), list(weights.values()))[0]


_MAKERS: Mapping[Callable[[TableState, Ruleset, Random], Entry], int] = {
    _ron: 50,
    _tsumo: 31,
    _draw: 17,
    _double_ron: 2,
}
