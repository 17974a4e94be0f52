"""The short form of `python -m tools.fuzz`: a few hundred damaged cases for each reader, and the harness itself."""

from random import Random

import pytest

from tests.nightly_scale import printed_by
from tools.fuzz.__main__ import READERS
from tools.fuzz.hunt import Target, case_of, hunt
from tools.fuzz.readers import all_readers

CALLS = 25  # a reader; the long form makes some ten thousand
TARGETS = {target.name: target for target in all_readers()}


def test_every_reader_is_named_for_the_command():
    assert tuple(TARGETS) == READERS


@pytest.mark.django_db  # a rule set that is no book may be one of the site
@pytest.mark.parametrize("name", READERS)
def test_damaged_input_is_refused_in_words(name: str):
    found = hunt(TARGETS[name], seed=9, calls=CALLS)
    assert ([fault for fault in found.wrong if not fault["where"].startswith("slow")], found.calls) == ([], CALLS)


def test_a_case_is_made_again_from_its_number():
    for target in TARGETS.values():
        assert case_of(target, 3, 17) == case_of(target, 3, 17)
    assert case_of(TARGETS["tiles"], 3, 17) != case_of(TARGETS["tiles"], 4, 17)


def test_what_raises_is_noted_once_with_its_case():
    target = Target("seven", lambda chance: chance.randint(0, 9), lambda case: 1 // (case - 7))
    found = hunt(target, seed=1, calls=60)
    first = next(number for number in range(60) if Random(f"1:seven:{number}").randint(0, 9) == 7)
    assert [(fault["case"], fault["input"]) for fault in found.wrong] == [(first, "7")]


@pytest.mark.nightly
def test_everything_for_a_short_while():
    code, found = printed_by("tools.fuzz", "--minutes", "1", "--seed", "5")
    assert (code, found["ok"]) == (0, True), found
