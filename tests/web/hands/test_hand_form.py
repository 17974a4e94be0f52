"""Points as typed, and the hand form: what an entry becomes in it is read back as that entry."""

import dataclasses

import pytest
from django.utils.datastructures import MultiValueDict
from hypothesis import given

from rules.books import load
from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Ron, Win
from scoring.problems import InvalidInput
from scoring.shorthand import parse
from tests.scoring.strategies import hands
from web.frame.tables import read_amount, read_points
from web.hands.hand_form import fields_of, read_hand, write_fields
from web.hands.hands import read_sheet


def submitted(entry: Entry) -> MultiValueDict[str, str]:
    """Return a form with the fields of an entry, sent by its own button."""
    return MultiValueDict({"how": ["form"], **write_fields(entry)})


def plain(entry: Entry) -> Entry:
    """Leave out what the form has no room for: yaku and tiles."""
    wins = getattr(entry, "winners", ())
    if not any(isinstance(win, Win) for win in wins):
        return entry
    return dataclasses.replace(entry, winners=tuple(dataclasses.replace(win, yaku=None) for win in wins))  # type: ignore[call-arg]


@given(hands(4))
def test_an_entry_written_into_the_form_is_read_back(entry: Entry):
    if isinstance(entry, Correction):
        assert write_fields(entry) == {}
    else:
        assert read_hand(submitted(entry)) == plain(entry)


@pytest.mark.parametrize(
    "entry",
    [
        Draw(tenpai=(0, 2), riichi=(2,), note="slow table"),
        Chombo(offenders=(1,)),
        Abort(reason="suufon_renda"),
        Ron(loser=0, winners=(Win(seat=1, yakuman=2, pao=2), Win(seat=2, han=5))),
    ],
)
def test_notes_yakuman_and_liability_survive_the_form(entry: Entry):
    assert read_hand(submitted(entry)) == entry


def test_without_an_entry_the_form_is_empty():
    assert fields_of(None).getlist("winner") == []
    assert fields_of(None).get("kind", "none") == "none"


# ---------------------------------------------------------------- points


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("30000", 30_000), ("30,000", 30_000), ("30.000", 30_000), ("30 000", 30_000), ("30’000", 30_000),
        ("-1,200", -1200), ("−1200", -1200), ("+500", 500), (" 0 ", 0), ("1,234,500", 1_234_500),
    ],
)  # fmt: skip
def test_points_are_read_as_people_write_them(typed: str, points: int):
    assert read_points(typed) == points


@pytest.mark.parametrize(
    "typed", ["", "30.0", "3,00", "1,2345", "x", "12e3", "１０００", "--5", "12345678", "1 000 000 000"]
)
def test_what_could_be_meant_in_two_ways_is_not_read(typed: str):
    assert read_points(typed) is None


@pytest.mark.parametrize(
    ("typed", "points"), [("20P", 20_000), ("2.5p", 2500), ("0,333 P", 333), ("8000", 8000), ("-5P", None), ("P", None)]
)
def test_amounts_may_be_in_p(typed: str, points: int | None):
    assert read_amount(typed) == points


def test_every_wrong_number_of_a_sheet_is_named():
    with pytest.raises(InvalidInput) as caught:
        read_sheet({"total-0": "30,000", "total-1": "x", "leftover": "1.55"}, load("sanmatsuri-2026"), "totals")
    assert [(problem.code, problem.params.get("seat")) for problem in caught.value.problems] == [
        ("totals.not_a_number", 1), ("totals.number_missing", 2), ("totals.leftover_unreadable", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "leftover", "numbers"),
    [
        (("45.2", "30,000", "28.0", "15800"), "1", "totals"),
        (("+15.2", "0", "-2.0", "−14200"), "1000", "totals"),
        (("15.2", "0", "-2000", "-14.2"), "1.0", "differences"),
    ],
)
def test_a_sheet_is_signed_in_the_grammar_of_the_pile(typed: tuple[str, ...], leftover: str, numbers: str):
    fields = {f"total-{seat}": text for seat, text in enumerate(typed)}
    found = read_sheet({**fields, "leftover": leftover}, load("ema-2025"), numbers)
    assert found == ([45_200, 30_000, 28_000, 15_800], 1000)


# ---------------------------------------------------------------- points for han and fu


@pytest.mark.parametrize("line", ["2r3 3900/2", "2t 1300-2600", "1t =500", "2r3 3900+1 5200", "2r3 32000 p4"])
def test_points_in_the_line_and_in_the_form_are_the_same(line: str):
    assert read_hand(submitted(parse(line))) == parse(line)


class Fields(dict[str, str]):
    """A submitted form with one value a name."""

    def getlist(self, key: str, /) -> list[str]:
        return [self[key]] if key in self else []


RON = {"how": "form", "kind": "ron", "loser": "2", "winner": "1"}


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"paid-1": "3900", "han-1": "3"}, "paid.and_han"),
        ({"paid-1": "3900", "fu-1": "30"}, "paid.and_han"),
        ({"paid-1": "39"}, "paid.unreadable"),
        ({"paid-1": " "}, "form.han_missing"),
    ],
)
def test_points_beside_han_or_unreadable_are_refused(fields: dict[str, str], code: str):
    with pytest.raises(InvalidInput) as wrong:
        read_hand(Fields(RON | fields))
    assert [problem.code for problem in wrong.value.problems] == [code]
