"""A number above thirteen han is a lost or doubled digit: it is refused with what it may be, and old hands stay."""

import pytest

from scoring.bare_han import meant_by, refuse_bare_han
from scoring.entries import Ron, Tsumo, Win
from scoring.problems import InvalidInput
from scoring.shorthand import parse, write

LOST = [
    ("2r3 34", ("340",)),
    ("2r3 25", ("250", "225")),
    ("2r3 20", ("230", "240")),
    ("2r3 30", ("130", "230")),
    ("2t 34", ("340",)),
    ("2t 20/2", ("220", "230")),
    ("2r3 14", ("140",)),
    ("2r3 39", ("390",)),
    ("2r3 3340", ("330", "340")),
    ("2r3 1430", ("130", "140")),
    ("2r3 340+4 34", ("340",)),
    ("2r3 99", ("9",)),
]


@pytest.mark.parametrize(("line", "meant"), LOST)
def test_a_bare_number_above_thirteen_han_is_refused_with_what_it_may_be(line: str, meant: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(line)
    [problem] = refused.value.problems
    assert problem.code == "shorthand.han_too_many"
    assert problem.params["meant"] == meant


@pytest.mark.parametrize("tsumo", [False, True])
def test_every_number_above_thirteen_han_has_a_suggestion_that_can_be_typed(tsumo: bool) -> None:
    head = "1t" if tsumo else "2r3"
    for han in range(14, 100):
        meant = meant_by(str(han), tsumo=tsumo)
        assert 1 <= len(meant) <= 2
        for text in meant:
            entry = parse(f"{head} {text}")
            assert isinstance(entry, Ron | Tsumo)
            assert entry.winners[0].han <= 13


@pytest.mark.parametrize("win", [Win(seat=0, han=14), Win(seat=0, han=39)])
def test_what_an_old_event_holds_reads_back_and_is_not_taken_anew(win: Win) -> None:
    for entry in (Tsumo(winners=(win,)), Ron(loser=1, winners=(win,))):
        assert parse(write(entry)) == entry
        with pytest.raises(InvalidInput):
            refuse_bare_han(entry)


@pytest.mark.parametrize(
    "win", [Win(seat=0, han=13), Win(seat=0, han=14, fu=30), Win(seat=0, han=14, yaku=("riichi",)), Win(seat=0, han=3)]
)
def test_a_hand_that_says_more_is_taken(win: Win) -> None:
    refuse_bare_han(Tsumo(winners=(win,)))
