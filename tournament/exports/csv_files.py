"""Results, players and penalties as CSV, and the file of another tournament program."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.ruleset import Ruleset
from tournament.imports.results import VERSION
from tournament.pages.csv_files import csv_file
from tournament.tables.rows import GameRow, PenaltyRow, ResultRound

RESULT_HEADINGS = ("round", "table", "seat", "player", "points")
PLAYER_HEADINGS = ("name", "legal name", "EMA number", "country", "club", "team")
PENALTY_HEADINGS = ("player", "points", "reason", "round", "clause")


def results_csv(rounds: Sequence[ResultRound]) -> bytes:
    """Make the csv of every game, seats from 0 for the first East."""
    return csv_file(
        RESULT_HEADINGS,
        (
            (of_round.number, table.number, game.seat, game.name, game.points)
            for of_round in rounds
            for table in of_round.tables
            for game in table.games
        ),
    )


def players_csv(players: Iterable[Sequence[str]]) -> bytes:
    """Make the csv of the players, their texts in the order of PLAYER_HEADINGS."""
    return csv_file(PLAYER_HEADINGS, players)


def penalties_csv(penalties: Sequence[PenaltyRow]) -> bytes:
    """Make the csv of the penalties that stand, points off without a sign; a substitute's fall on no player."""
    return csv_file(
        PENALTY_HEADINGS,
        (
            (each.name, each.points, each.reason, each.round, each.clause)
            for each in penalties
            if not (each.cancelled or each.plays_for)
        ),
    )


def engine_file(
    title: str, rules: Ruleset, starts: Sequence[str], players: Mapping[str, bool], rounds: Sequence[ResultRound]
) -> bytes:
    """Return the file: `starts` of the rounds ("" where unknown), whether each player is ranked, finished tables."""
    ids = {name: at for at, name in enumerate(players)}
    games = [
        {
            "round": of_round.number - 1,
            "table": table.number - 1,
            "finished": True,
            "participants": [_participant(game, ids, rules) for game in table.games],
        }
        for of_round in rounds
        for table in of_round.tables
    ]
    tiebreak = "headbump" if rules.ties == "seat_order" else "split"
    uma = [rules.uma[0] + rules.oka, *rules.uma[1:]]
    content = {
        "info": {
            "title": title,
            "roundLength": rules.minutes,
            "rounds": [{"scheduledStart": start, "realStart": start} for start in starts],
            "uma": {"automatic": True, "tiebreak": tiebreak, "amount": uma},
        },
        "playerList": [{"name": name, "substitute": not ranked} for name, ranked in players.items()],
        "games": games,
        "meta": {"dataFormatVersion": VERSION},
    }
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def _participant(game: GameRow, ids: Mapping[str, int], rules: Ruleset) -> dict[str, Any]:
    raw = game.points - rules.start_points
    # what else makes the result, such as a replaced game's, goes with the uma: it must add up to it
    score = {"raw": raw, "uma": game.result - raw, "penalty": 0}
    return {"playerId": ids[game.name], "score": score}
