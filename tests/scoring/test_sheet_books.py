"""A sheet alone makes the game that its hands make, under every book: counted or given out, totals or differences."""

import random
from dataclasses import replace

import pytest

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.entries import Draw, Entry, Ron, Tsumo, Win
from scoring.game import Game, fold, play
from scoring.paper_sheet import PaperSheet, sheet_problems, totals_of
from scoring.placement import Final, finish
from scoring.problems import errors_of
from scoring.state import opening

WINS = ((1, 30), (2, 40), (3, 30), (4, 30), (5, 0), (6, 0))


def played(rules: Ruleset, chance: random.Random) -> Game:
    """Play some hands by chance, the last of them mostly a draw with deposits, so that some are left."""
    entries: list[Entry] = []
    seats = range(rules.players)
    state = opening(rules)
    for _hand in range(chance.randint(1, 9)):
        entry: Entry = Draw(tenpai=tuple(sorted(chance.sample(seats, chance.randint(0, rules.players)))))
        one, other = chance.sample(seats, 2)
        han, fu = chance.choice(WINS)
        if chance.random() < 0.3:
            entry = Ron(loser=other, winners=(Win(seat=one, han=han, fu=fu),))
        elif chance.random() < 0.2:
            entry = Tsumo(winners=(Win(seat=one, han=max(han, 2), fu=fu),))
        riichi = tuple(seat for seat in getattr(entry, "tenpai", ()) if chance.random() < 0.6)
        entry = replace(entry, riichi=riichi)
        if state.ended:
            break
        entries.append(entry)
        state = play(entry, state, rules).after
    return fold(entries, rules)


def as_typed(sheet: PaperSheet, rules: Ruleset) -> tuple[list[str], Final]:
    problems = [problem.code for problem in errors_of(sheet_problems(sheet, rules))]
    return problems, fold([totals_of(sheet, rules)], rules).final(rules)


@pytest.mark.parametrize("key", book_keys())
def test_the_sheet_makes_what_the_hands_make(key: str):
    rules, chance, left = load(key), random.Random(key), 0
    for _game in range(120):
        game = played(rules, chance)
        state = game.state._replace(gained=())  # who brought a busted player down, a sheet does not say
        final = finish(state, rules)
        pot = state.sticks * rules.riichi_deposit
        left += bool(pot)
        # one player had borrowed: the paper shows the count with the loan, and the loan
        loans = tuple(20_000 if seat == 1 and score < 0 else 0 for seat, score in enumerate(state.scores))
        counts = tuple(score + loan for score, loan in zip(state.scores, loans, strict=True))
        differences = tuple(count - rules.start_points for count in counts)
        for sheet in (PaperSheet(counts, loans, pot), PaperSheet(differences, loans, pot, "differences")):
            assert as_typed(sheet, rules) == ([], final)
        if pot and rules.leftover_deposits != "lost":
            assert as_typed(PaperSheet(final.scores, (0,) * rules.players), rules) == ([], final)
    assert left > 20
