"""Helpers for tables of hands: a typed hand line, and its count."""

import dataclasses

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.count import Count, count
from scoring.hand import WinningHand, read_hand
from scoring.hand_line import read_hand_line
from scoring.payments import Payment, payment_of
from scoring.problems import InvalidInput


def _ordinary(rules: Ruleset) -> bool:
    plain_fives = max(map(rules.red_fives.count, rules.red_fives), default=0) < 2
    return plain_fives and rules.ura_dora and rules.kan_dora != "none" and rules.north_value != "everybody"


# books with every kind of dora, fives that are red only where they are written so, and North as usual
ORDINARY = [key for key in book_keys() if _ordinary(load(key))]


def hand_of(line: str, rules: Ruleset) -> WinningHand:
    """Read a hand line as a hand that can be under these rules."""
    return read_hand(read_hand_line(line), rules)


def counted(line: str, rules: Ruleset) -> Count:
    """Count a hand line."""
    return count(hand_of(line, rules), rules)


def paid(line: str, rules: Ruleset) -> Payment:
    """Return what a hand line costs its payers, counters aside."""
    return payment_of(counted(line, rules).base, hand_of(line, rules), rules)


def refused(line: str, rules: Ruleset) -> str:
    """Return the code with which a hand line is refused or does not win; empty for one that is counted."""
    try:
        counted(line, rules)
    except InvalidInput as wrong:
        return " ".join(problem.code for problem in wrong.problems)
    return ""


def load_by_tile(key: str) -> Ruleset:
    """Load a book without its rules of the whole wait: there a hand is told by the tile it is won with."""
    return dataclasses.replace(load(key), two_han_whole_wait=False, ron_on_whole_wait=False, whole_wait_yaku=())


def rows_of(table: str) -> list[list[str]]:
    """Return the cells of each line of a table; an empty first cell stands for the one above it.

    >>> rows_of('''
    ... toitoi  | closed | 22z
    ...         | open   | 33z
    ... ''')
    [['toitoi', 'closed', '22z'], ['toitoi', 'open', '33z']]
    """
    rows: list[list[str]] = []
    for line in table.strip().splitlines():
        first, *others = (cell.strip() for cell in line.split("|"))
        rows.append([first or rows[-1][0], *others])
    return rows
