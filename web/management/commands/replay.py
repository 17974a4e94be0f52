"""`manage.py replay`: Read games as entries; print every hand's deltas, the final scores, places and uma.

It reads standard input and uses no database.
"""

from typing import Any

from scoring.game import fold, judge
from scoring.state import opening
from web.management.json_lines import LineRefused, LinesCommand, read_game, state_json, warnings


def replay(line: dict[str, Any]) -> dict[str, Any]:
    """Fold one game; raises LineRefused with what is wrong, each problem with the index of its entry."""
    game_line = read_game(line)
    rules, entries = game_line.rules, game_line.entries
    found = judge(entries, opening(rules, game_line.start), rules)
    if any(problem.severity == "error" for _, problem in found):
        raise LineRefused(found)
    game = fold(entries, rules, start=game_line.start)
    hands = [
        {**state_json(hand.before), "deltas": list(hand.deltas), "scores": list(hand.after.scores)}
        for hand in game.hands
    ]
    if not (game_line.ended or game.state.ended):
        nothing = dict.fromkeys(("leftover", "places", "uma", "results"))
        return {"hands": hands, "scores": list(game.state.scores), **nothing, **warnings(found)}
    final = game.final(rules)
    return {
        "hands": hands,
        "scores": list(final.scores),
        "leftover": final.leftover,
        "places": list(final.places),
        "uma": list(final.uma),
        "results": list(final.results),
        **({"chips": list(final.chips)} if final.chips else {}),
        **warnings(found),
    }


class Command(LinesCommand):
    """Games in, hands and scores out."""

    help = """Reads one game a line from standard input, writes one answer a line; needs no database. In: {"id",
    "rules": KEY, "start" (points; else the rule set's), "entries": [ENTRY...], "ended": true where it is over}. Out:
    {"id", "ok", "hands": [{"round_wind", "kyoku", "honba", "sticks", "dealer", "deltas", "scores"}...], "scores",
    "leftover", "places", "uma", "results"}, all in points. While a game goes on, the last four are null and the scores
    are as they stand. Warnings stand beside under "warnings". A bad line gets {"id", "ok": false, "problems": [{"code",
    "message", "params", "at": index of the entry}]} and stops no other line."""
    answer = staticmethod(replay)
