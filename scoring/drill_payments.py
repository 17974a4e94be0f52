"""Hands to be paid for the drill: what happened at a table, the slips that pay it wrong, the rules that decide it."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from random import Random

from rules.ruleset import Ruleset
from scoring.announced import Try, tries
from scoring.check import problems
from scoring.entries import Draw, Entry, Nagashi, Ron, Tsumo, Win
from scoring.fu import possible_fu
from scoring.state import TableState
from scoring.value import MANGAN_HAN

MOST_FU = 70  # more is seen once in a hundred events


def played_hands(rules: Ruleset, chance: Random) -> Iterator[tuple[Entry, TableState]]:
    """Yield hands without end, each with the state before it; seat 0 deals. None has a problem under the rules."""
    makers = [_one_ron, _one_ron, _tsumo, _tsumo, _draw]
    makers += [_two_ron] if rules.multiple_ron == "all" else []
    makers += [_pao] if set(rules.pao) - {"rinshan"} else []
    makers += [_nagashi] if rules.nagashi != "none" else []
    while True:
        entry = chance.choice(makers)(chance, rules)
        state = TableState(
            scores=(rules.start_points,) * rules.players,
            honba=chance.choice((0, 0, 1, 1, 2, 3)),
            sticks=chance.choice((0, 0, 1, 2)),
        )
        if not problems(entry, state, rules):
            yield entry, state


def _win(seat: int, chance: Random, rules: Ruleset, *, tsumo: bool) -> Win:
    """Choose han and fu of a winner: small hands mostly, since limits are easy to pay."""
    han = chance.choice((1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8))
    if han >= MANGAN_HAN:
        return Win(seat=seat, han=han)
    possible = possible_fu(han, rules, tsumo=tsumo)
    return Win(seat=seat, han=han, fu=chance.choice(sorted(fu for fu in possible if fu <= MOST_FU)))


def _riichi(chance: Random, seats: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(seat for seat in seats if chance.random() < 0.35))


def _one_ron(chance: Random, rules: Ruleset) -> Entry:
    winner, loser = chance.sample(range(rules.players), 2)
    win = _win(winner, chance, rules, tsumo=False)
    return Ron(loser=loser, winners=(win,), riichi=_riichi(chance, range(rules.players)))


def _two_ron(chance: Random, rules: Ruleset) -> Entry:
    loser, *winners = chance.sample(range(rules.players), 3)
    wins = tuple(_win(seat, chance, rules, tsumo=False) for seat in sorted(winners))
    return Ron(loser=loser, winners=wins, riichi=_riichi(chance, range(rules.players)))


def _tsumo(chance: Random, rules: Ruleset) -> Entry:
    seat = chance.randrange(rules.players)
    win = _win(seat, chance, rules, tsumo=True)
    return Tsumo(winners=(win,), riichi=_riichi(chance, range(rules.players)))


def _pao(chance: Random, rules: Ruleset) -> Entry:
    winner, liable, loser = chance.sample(range(rules.players), 3)
    yaku = (chance.choice([name for name in rules.pao if name != "rinshan"]),)
    win = Win(seat=winner, yakuman=1, pao=liable, yaku=yaku)
    return Tsumo(winners=(win,)) if chance.random() < 0.5 else Ron(loser=loser, winners=(win,))


def _draw(chance: Random, rules: Ruleset) -> Entry:
    tenpai = tuple(sorted(chance.sample(range(rules.players), chance.randrange(1, rules.players))))
    return Draw(tenpai=tenpai, riichi=_riichi(chance, tenpai))


def _nagashi(chance: Random, rules: Ruleset) -> Entry:
    winner = chance.randrange(rules.players)
    tenpai = tuple(seat for seat in range(rules.players) if chance.random() < 0.4)
    return Nagashi(winners=(winner,), tenpai=tenpai, riichi=_riichi(chance, tenpai))


_OTHER_RULES: Mapping[str, tuple[str, tuple[object, ...]]] = {
    "deposits_to_another": ("multiple_ron_deposits", ("first", "own_back", "after_dealer")),
    "honba_to_another": ("multiple_ron_honba", ("each", "first")),
    "pool_of_others": ("noten_pool", (1000, 1500, 2000, 3000, 4000, 6000)),
    "tsumo_loss_mixed": ("north_share", ("not_missing", "lost", "halved")),
    "pao_honba_mixed": ("pao_honba", ("discarder", "liable")),
    "honba_of_others": ("honba_ron", (200, 300, 600)),
    "honba_each_mixed": ("honba_tsumo", (100, 200, 300)),
    "nagashi_mixed": ("nagashi", ("tsumo", "draw")),
}


def slips(entry: Entry, state: TableState, rules: Ruleset) -> Iterator[Try]:
    """Yield the hand with one thing wrong: those of `scoring.announced`, sticks forgotten, another book's rule."""
    if isinstance(entry, Ron | Tsumo | Nagashi):
        yield from tries(entry, state, rules)
    if isinstance(entry, Ron | Tsumo) and state.sticks:
        yield "deposits_forgotten", entry, state._replace(sticks=0), rules
    if entry.riichi:
        yield "own_deposit_forgotten", dataclasses.replace(entry, riichi=()), state, rules
    if isinstance(entry, Draw):
        others = tuple(seat for seat in range(rules.players) if seat not in entry.tenpai)
        yield "tenpai_reversed", dataclasses.replace(entry, tenpai=others), state, rules
    for cause, (field, values) in _OTHER_RULES.items():
        for value in values if field != "north_share" or rules.players == 3 else ():
            if value != getattr(rules, field):
                yield cause, entry, state, dataclasses.replace(rules, **{field: value})  # type: ignore[arg-type]


def deciding_rules(entry: Entry, state: TableState, rules: Ruleset) -> Iterator[str]:
    """Yield the rules, by field, that decide a payment."""
    if isinstance(entry, Draw):
        yield "noten_pool"
    if isinstance(entry, Nagashi):
        yield from ("nagashi", "limits")
    if isinstance(entry, Ron | Tsumo):
        yield from ("yakuman_base", "pao", "pao_part") if entry.winners[0].pao is not None else ("limits",)
    if state.honba and not isinstance(entry, Draw):
        yield "honba_ron" if isinstance(entry, Ron) else "honba_tsumo"
    if rules.players == 3 and isinstance(entry, Tsumo | Nagashi):
        yield "north_share"
    if entry.riichi or (state.sticks and not isinstance(entry, Draw)):
        yield "riichi_deposit"
    if isinstance(entry, Ron) and len(entry.winners) > 1:
        yield "multiple_ron"
        yield from ["multiple_ron_honba"] if state.honba else []
        yield from ["multiple_ron_deposits"] if state.sticks or entry.riichi else []
