"""Keys per real hand, Enter included: counted over 300 hands, held to bounds and to the docs page."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bootstrap import REPO
from scoring.game import play
from scoring.paid import settle
from scoring.shorthand import parse


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_keystrokes_docs", REPO / "scripts/write_keystrokes_docs.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def hands(script: ModuleType, cases: Path) -> list[Any]:
    found: list[Any] = script.sample(cases)
    return found


def test_the_hands_are_three_hundred_of_nearly_all_games(hands: list[Any], cases: Path) -> None:
    games = (cases / "games-4p.jsonl").read_text(encoding="utf-8").splitlines()
    opened = sum(hand.state.round == 0 and hand.state.dealer == 0 and hand.state.honba == 0 for hand in hands)
    assert len(hands) == 300
    assert len(games) > 50
    assert 10 < opened < 100  # not one game's first hands, and not all of them first hands


def test_every_line_reads_back_as_its_entry(script: ModuleType, hands: list[Any]) -> None:
    assert [parse(script.typed(hand.entry)) for hand in hands] == [hand.entry for hand in hands]


def test_every_line_with_points_means_a_hand_that_pays_the_same(script: ModuleType, hands: list[Any]) -> None:
    changed = 0
    for hand in hands:
        line = script.typed(script.with_points(hand))
        settled = settle(parse(line), hand.state, hand.rules)
        assert play(settled, hand.state, hand.rules).deltas == play(hand.entry, hand.state, hand.rules).deltas
        changed += line != script.typed(hand.entry)
    assert changed > 50


def test_a_real_hand_takes_few_keys(script: ModuleType, hands: list[Any]) -> None:
    rows = script.table(hands)
    assert rows["all hands"].hands == 300
    assert rows["all hands"].mean <= 9
    assert rows["ron"].mean <= 9
    assert rows["tsumo"].mean <= 9
    assert rows["draw"].mean <= 6


def test_a_real_hand_takes_at_most_the_keys_it_always_took_and_few_taps(script: ModuleType, hands: list[Any]) -> None:
    assert script.table(hands)["all hands"].mean <= 7.63
    taps = script.count_taps(hands)
    assert sum(found.hands for found in list(taps.values())[1:]) == 300
    assert taps["all hands"].mean <= 5
    assert taps["all hands"].high <= 6
    assert taps["ron with several winners"].mean <= 7
    assert taps["draw"].most <= 6


@pytest.mark.parametrize(("line", "most"), [("2r3 340/2", 9), ("2r3 340", 9), ("1t 230/1", 9), ("d13/1", 6), ("d", 6)])
def test_the_typical_hands_take_what_the_page_says(script: ModuleType, line: str, most: int) -> None:
    assert script.count([script.typed(parse(line))]).most <= most


def test_the_page_is_what_the_script_writes(script: ModuleType, hands: list[Any]) -> None:
    assert script.PAGE.read_text(encoding="utf-8") == script.page(hands), "run scripts/write_keystrokes_docs.py"
