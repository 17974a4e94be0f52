"""Real events: the final scores of every table to the final ranking, shared places included."""

import csv
import dataclasses
import itertools
import json
from pathlib import Path

import pytest

from rules.books import load
from rules.ruleset import Ruleset
from scoring.check import problems
from scoring.entries import Totals
from scoring.game import fold
from scoring.standings import PlacedGame, rank_players
from scoring.state import opening


def results_of(path: Path, rules: Ruleset) -> list[PlacedGame[str]]:
    """Place every table of an event's results."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    games = []
    for (number, _), table in itertools.groupby(rows, key=lambda row: (int(row["round"]), int(row["table"]))):
        seats = sorted(table, key=lambda row: int(row["seat"]))
        scores = tuple(int(row["points"]) for row in seats)
        entry = Totals(scores=scores, leftover=rules.start_points * rules.players - sum(scores))
        assert problems(entry, opening(rules), rules) == []
        final = fold([entry], rules).final(rules)
        for row, result, place in zip(seats, final.results, final.places, strict=True):
            games.append(PlacedGame(row["player"], number, result, place))
    return games


@pytest.mark.parametrize(("name", "players", "games"), [("event-01", 20, 100), ("event-07", 24, 192)])
def test_the_ranking_is_the_recorded_one(cases: Path, name: str, players: int, games: int) -> None:
    event = json.loads((cases / "events" / f"{name}.json").read_text(encoding="utf-8"))
    rules = dataclasses.replace(
        load("wrc-2025"), start_points=event["start"], return_points=event["start"], uma=tuple(event["uma"])
    )
    results = results_of(cases / "events" / f"{name}.csv", rules)
    recorded = [(row["rank"], row["player"], row["total"]) for row in event["standings"]]
    rows = rank_players([player for _, player, _ in recorded], results, {}, rounds=event["rounds"])
    assert [(row.rank, row.player, row.total) for row in rows] == recorded
    assert (len(rows), len(results)) == (players, games)
    assert {row.games for row in rows} == {event["rounds"]}
