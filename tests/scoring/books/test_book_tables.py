"""A table test a book: hands, draws, several winners, the last hand and the end of a game, against numbers by hand.

The numbers stand in the module of the book's family, each with its clause; nothing there was computed by our code.
"""

import itertools
from typing import Any

import pytest

from rules.books import book_keys, load, load_book
from scoring.check import problems
from scoring.game import fold
from scoring.placement import finish
from scoring.problems import errors_of
from scoring.shorthand import parse
from tests.scoring.books.ema import EMA_2016, EMA_2025
from tests.scoring.books.reading import BookTable, number, numbers, rows_of, table
from tests.scoring.books.sanma import MCGILL, RULE_BOOK, SANMATSURI
from tests.scoring.books.tenhou import TENHOU_SANMA, TENHOU_YONMA
from tests.scoring.books.wrc import RAKKII, WRC
from tests.scoring.table import played, state
from tests.table_test import tabled

BOOKS = (EMA_2025, EMA_2016, WRC, RAKKII, SANMATSURI, MCGILL, RULE_BOOK, TENHOU_YONMA, TENHOU_SANMA)
HANDS = [(book.key, *row) for book in BOOKS for row in rows_of(book.hands)]
REFUSED = [(book.key, *row) for book in BOOKS for row in rows_of(book.refused)]
ENDS = [(book.key, *row) for book in BOOKS for row in rows_of(book.ends)]


def ids(rows: list[Any]) -> list[str]:
    return [" ".join(row[:5]).replace("  ", " ") for row in rows]


def test_every_book_has_its_table() -> None:
    # those that extend another book have a whole game of their own, see test_replay_new_books
    assert sorted(book.key for book in BOOKS) == [key for key in book_keys() if not load_book(key).extends]


TOPICS = {"ron", "tsumo", "riichi tile", "draw", "stays", "passes", "last hand", "below zero", "chombo", "liability"}
SHAPES = {
    4: {"order", "1=2", "2=3", "3=4", "1=2 3=4", "1=2=3", "2=3=4", "all", "deposits", "deposits tied"},
    3: {"order", "1=2", "2=3", "all", "deposits", "deposits tied"},
}


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.key)
def test_every_table_is_whole(book: BookTable) -> None:
    seats = len(book.uma)
    topics = [row[0] for row in rows_of(book.hands)]
    assert TOPICS - set(topics) == set()
    assert "multiple ron" in topics or "win.head_bump" in [row[3] for row in rows_of(book.refused)]
    assert "nagashi" in topics or "nagashi.not_in_rules" in [row[3] for row in rows_of(book.refused)]
    patterns = [n for size in range(seats + 1) for n in itertools.combinations("1234"[:seats], size)]
    assert {"d" + "".join(n) for n in patterns} <= {row[3] for row in rows_of(book.hands)}
    assert SHAPES[seats] - {row[0] for row in rows_of(book.ends)} == set()


@pytest.mark.states("frame", rows="tests/scoring/books/sanma.py")
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.key)
def test_the_frame_of_a_game(book: BookTable) -> None:
    rules = load(book.key)
    assert (rules.players, rules.start_points, rules.return_points) == (len(book.uma), book.start, book.returns)
    assert (rules.uma, rules.chombo_points) == (book.uma, book.chombo)
    assert (rules.minutes, rules.extra_hands) == book.time


@pytest.mark.states("sanma", rows="tests/scoring/books/sanma.py")
@pytest.mark.states("ema", rows="tests/scoring/books/ema.py")
@pytest.mark.states("wrc", rows="tests/scoring/books/wrc.py")
@tabled("key, topic, clause, before, hand, gains, then", HANDS)
def test_a_hand(key: str, topic: str, clause: str, before: str, hand: str, gains: str, then: str) -> None:
    assert (topic != "", clause != "") == (True, True)
    assert errors_of(problems(parse(hand), state(key, **table(before)), load(key))) == []
    done = played(key, hand, **table(before))
    assert done.deltas == numbers(gains)
    if then == "end":
        assert done.after.ended
        return
    after = {name: getattr(done.after, name) for name in ("round", "dealer", "honba", "sticks")}
    assert (after, done.after.ended) == (table(then), False)


@pytest.mark.states("refused", rows="tests/scoring/books/ema.py")
@pytest.mark.states("sanma_refused", rows="tests/scoring/books/sanma.py")
@tabled("key, clause, before, hand, code", REFUSED)
def test_a_hand_that_the_book_does_not_have(key: str, clause: str, before: str, hand: str, code: str) -> None:
    assert clause != ""
    assert [each.code for each in problems(parse(hand), state(key, **table(before)), load(key))] == [code]


@pytest.mark.states("wrc_end", rows="tests/scoring/books/wrc.py")
@tabled("row", ENDS)
def test_an_end(row: tuple[str, ...]) -> None:
    key, shape, clause, scores, sticks, given, leftover, places, uma, results = row
    assert (shape != "", clause != "") == (True, True)
    rules = load(key)
    assert sum(numbers(scores)) + 1000 * number(sticks) == rules.start_points * rules.players
    final = finish(state(key, scores=numbers(scores), sticks=number(sticks)), rules)
    assert final.scores == numbers(given)
    assert final.leftover == number(leftover)
    assert (final.places, final.uma) == (numbers(places), numbers(uma))
    assert final.results == numbers(results)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.key)
def test_a_game_that_ends_by_time(book: BookTable) -> None:
    lines, results, leftover = book.by_time
    game = fold(map(parse, lines), load(book.key))
    assert not game.state.ended  # the clock ends it, not the rules
    final = game.final(load(book.key))
    assert (final.results, final.leftover) == (results, leftover)
