"""Real games, entry by entry, against what the server or engine that scored them says of every single hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.books import load
from scoring.entries import from_json
from scoring.game import Game, Hand, fold, judge
from scoring.state import opening

# file: games, hands, and the games that were played for the East round only: the fold knows of hanchan alone and would
# have played on
FILES = {
    "games-4p.jsonl": (80, 786, {"15a474c20103"}),
    "games-3p.jsonl": (3, 15, {"343c3f2687c6"}),
    "games-3p-engine.jsonl": (40, 326, set()),
}


def as_the_contract_says(hand: Hand) -> dict[str, Any]:
    """Return a hand as `replay` prints it."""
    before = hand.before
    return {
        "round_wind": before.round_wind,
        "kyoku": before.kyoku,
        "honba": before.honba,
        "sticks": before.sticks,
        "dealer": before.dealer,
        "deltas": list(hand.deltas),
        "scores": list(hand.after.scores),
    }


def games_of(path: Path) -> list[tuple[dict[str, Any], Game]]:
    """Fold every game of a file."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        (line, fold(map(from_json, line["game"]["entries"]), load(line["rules"]), start=line["game"]["start"]))
        for line in lines
    ]


@pytest.mark.parametrize("name", FILES)
def test_every_hand_is_as_it_was_scored(cases: Path, name: str) -> None:
    played = games_of(cases / name)
    differing = [
        (line["game"]["id"], number, as_the_contract_says(hand), wanted)
        for line, game in played
        for number, (hand, wanted) in enumerate(zip(game.hands, line["expect"]["hands"], strict=True), start=1)
        if as_the_contract_says(hand) != wanted
    ]
    assert differing == []
    assert (len(played), sum(len(game.hands) for _, game in played)) == FILES[name][:2]


@pytest.mark.parametrize("name", FILES)
def test_no_hand_that_was_really_played_is_called_wrong(cases: Path, name: str) -> None:
    found = [
        (line["game"]["id"], index, problem.code)
        for line, game in games_of(cases / name)
        for index, problem in judge((hand.entry for hand in game.hands), game.start, load(line["rules"]))
    ]
    assert found == []


@pytest.mark.parametrize("name", FILES)
def test_the_fold_ends_a_game_just_where_it_ended(cases: Path, name: str) -> None:
    played = games_of(cases / name)
    too_early = [line["game"]["id"] for line, game in played if any(hand.before.ended for hand in game.hands)]
    not_yet = {line["game"]["id"]: game.state.round_wind for line, game in played if not game.state.ended}
    assert too_early == []
    assert set(not_yet) == FILES[name][2]
    assert set(not_yet.values()) <= {"E", "S"}


@pytest.mark.parametrize("name", FILES)
def test_the_points_of_a_whole_game_are_all_there(cases: Path, name: str) -> None:
    for line, game in games_of(cases / name):
        rules = load(line["rules"])
        final = game.final(rules)
        assert sum(final.scores) + final.leftover == sum(opening(rules, line["game"]["start"]).scores)
        assert sorted(final.places) == list(range(1, rules.players + 1))
