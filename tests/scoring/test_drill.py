"""The drill: distinct questions by book and seed, one right answer each, and the clause beside it."""

import dataclasses
from functools import cache
from itertools import islice

import pytest

from rules.books import book_keys, load_book
from rules.foul_books import catalogue
from rules.fouls import Catalogue
from rules.ruleset import rule_fields
from scoring.check import problems
from scoring.count import count
from scoring.drill import KINDS, FoulAsked, HandAsked, PaymentAsked, Question, Worth, questions
from scoring.entries import Ron, Tsumo
from scoring.hand import hand_problems, to_json
from scoring.payments import deltas_of, payment_of, transfers_of
from scoring.problems import errors_of

pytestmark = pytest.mark.whole_run

MANY = 240
FIELDS = {field.name for field in rule_fields()}


def drill(key: str, seed: int = 1, most: int = MANY, kinds=KINDS) -> list[Question]:
    return list(islice(questions(load_book(key), catalogue(key), seed=seed, kinds=kinds), most))


@cache
def drill_of_book(key: str) -> list[Question]:
    """Make the questions of a book once for the tests that read all of them."""
    return drill(key)


@pytest.mark.parametrize("key", book_keys())
def test_a_book_has_distinct_questions_with_one_right_answer_and_its_clause(key: str):
    found = drill_of_book(key)
    assert len(found) == MANY == len({repr(each.asked) for each in found})
    for each in found:
        assert len({repr(option.answer) for option in each.options}) == 4
        assert [not option.cause for option in each.options].index(True) == each.key
        assert sum(not option.cause for option in each.options) == 1
        assert all(cited.citation and cited.citation.text for cited in each.cited)
        assert {cited.field for cited in each.cited} - {""} <= FIELDS
        assert each.cited


@pytest.mark.parametrize("key", book_keys())
def test_every_key_is_what_the_engine_says(key: str):
    rules = load_book(key).ruleset
    kinds = set()
    for each in drill_of_book(key):
        kinds.add(each.kind)
        match each.asked:
            case HandAsked(hand):
                counted = count(hand, rules)
                assert not hand_problems(hand, rules)
                payment = payment_of(counted.base, hand, rules)
                assert each.answer == Worth(counted.han, counted.fu, counted.yakuman, counted.limit, payment)
            case PaymentAsked(entry, state):
                assert errors_of(problems(entry, state, rules)) == []
                assert each.answer == deltas_of(transfers_of(entry, state, rules), rules.players)
                on_table = state.sticks + len(entry.riichi) if isinstance(entry, Ron | Tsumo) else 0
                if on_table:
                    assert sum(each.answer) == state.sticks * rules.riichi_deposit
            case FoulAsked(foul, case):
                assert case in catalogue(key).penalties[foul.key].cases
                assert each.answer == case
    assert kinds == set(KINDS if catalogue(key).fouls else KINDS[:2])


def test_the_same_seed_gives_the_same_drill_and_another_seed_another():
    assert drill("ema-2025", 7, 40) == drill("ema-2025", 7, 40) != drill("ema-2025", 8, 40)
    assert drill("ema-2025", 7, 20) == drill("ema-2025", 7, 40)[:20]
    assert {repr(each.asked) for each in drill("ema-2025", 7, 40)}.isdisjoint(
        {repr(each.asked) for each in drill("wrc-2025", 7, 40)}
    )


def test_a_drill_that_was_handed_out_stays_the_same():
    """A printed sheet and a link name book and seed: another version of the desk gives the same questions."""
    (first,) = drill("ema-2025", 7, 1, ["value"])
    assert isinstance(first.asked, HandAsked)
    assert (to_json(first.asked.hand)["tiles"], first.key) == ("567m22334466p789s", 2)


def test_a_drill_of_fouls_ends_with_the_catalogue():
    fouls = catalogue("wrc-2025")
    found = drill("wrc-2025", kinds=["foul"])
    assert len(found) == sum(len(penalty.cases) for penalty in fouls.penalties.values())
    assert list(questions(load_book("wrc-2025"), Catalogue(key="none"), seed=1, kinds=["foul"])) == []


def test_a_value_of_an_events_own_has_no_clause_and_decides():
    book = load_book("ema-2025")
    own = dataclasses.replace(
        book,
        ruleset=dataclasses.replace(book.ruleset, honba_ron=1500),
        citations={name: each for name, each in book.citations.items() if name != "honba_ron"},
    )
    found = list(islice(questions(own, catalogue("ema-2025"), seed=1, kinds=["pay"]), 60))
    cited = {cited.field: cited.citation for each in found for cited in each.cited}
    assert cited["honba_ron"] is None
    assert cited["honba_tsumo"] is not None
    with_honba = [each for each in found if any(one.field == "honba_ron" for one in each.cited)]
    assert any(option.cause == "honba_of_others" for each in with_honba for option in each.options)
