"""`manage.py alllast`: Read games as entries; print what each seat needs for each place if the next hand is the last.

It reads standard input and uses no database.
"""

from typing import Any

from scoring.alllast import all_last
from scoring.check import GAME_ENDED, problems
from scoring.entries import from_json
from scoring.game import fold, judge
from scoring.problems import errors_of
from scoring.state import opening
from web.management.json_lines import Found, LineRefused, LinesCommand, read_game, state_json, warnings

BESIDE = frozenset({"riichi"})


def answer_all_last(line: dict[str, Any]) -> dict[str, Any]:
    """Fold one game and say what each seat needs; raises LineRefused with what is wrong."""
    game_line = read_game(line, beside=BESIDE)
    rules, entries = game_line.rules, game_line.entries
    found: list[Found] = list(judge(entries, opening(rules, game_line.start), rules))
    if any(problem.severity == "error" for _, problem in found):
        raise LineRefused(found)
    state = fold(entries, rules, start=game_line.start).state
    if game_line.ended or state.ended:
        raise LineRefused([(None, GAME_ENDED())])
    # a draw with these riichi sticks reads and judges the seats as those of any hand
    drawn = from_json({"kind": "draw", "tenpai": line.get("riichi", []), "riichi": line.get("riichi", [])})
    found += [(None, problem) for problem in problems(drawn, state, rules)]
    if errors_of([problem for _, problem in found]):
        raise LineRefused(found)
    seats = all_last(state, rules, riichi=drawn.riichi)
    return {
        "hand": state_json(state),
        "scores": list(state.scores),
        "seats": [seat.as_json() for seat in seats],
        **warnings(found),
    }


class Command(LinesCommand):
    """Games in, what each player needs out."""

    help = """Reads one game a line from standard input, writes one answer a line; needs no database. In: {"id",
    "rules": KEY, "start" (points; else the rule set's), "entries": [ENTRY...], "riichi": [seats that put a riichi stick
    down in the hand to come] (optional)}. Out: {"id", "ok", "hand": {"round_wind", "kyoku", "honba", "sticks",
    "dealer"}, "scores", "seats": [{"seat", "place", "goals": [{"place", "tsumo": NEED, "ron": {"seat": NEED...},
    "draw": [tenpai lists that do]}...]}...]}. NEED is null where not even a yakuman does, else the cheapest value after
    which the seat has the place or a better one: {"han", "fu", "pays" (points by ron, a list by tsumo; honba aside),
    "tied" (this very place is then shared), "clear" (the cheapest that takes it alone or a better one, or null)};
    "yakuman" stands beside where only one does. A bad line gets {"id", "ok": false, "problems"} and stops no other
    line."""
    answer = staticmethod(answer_all_last)
