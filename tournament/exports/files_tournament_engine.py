"""Write results as a file of another desk, the Mahjong Tournament Engine: pages in a browser, a reveal of the results.

Its points are differences from the start, its rounds, tables and players count from 0, and it knows no player twice.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rules.ruleset import Ruleset
from tournament.imports.results_tournament_engine import VERSION
from tournament.tables.rows import GameRow, ResultRound


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
