"""Print the standings of an event's file: `python3 standings.py event.json`. Needs Python, nothing of the desk."""

import json
import sys
from collections import Counter
from pathlib import Path


def standings(content: dict) -> list[tuple[int, int, str]]:
    """Return (rank, total in points, name) of each ranked player, best first."""
    rules, totals = content["event"]["rules"], Counter()
    shares = [rules["uma"][0] + rules.get("oka", 0), *rules["uma"][1:]]
    released = [each for each in content["rounds"] if each["released_at"]]
    for table in (table for round_ in released for table in round_["tables"]):
        scores = table["sheets"][-1]["totals"]  # the last sheet is the valid one
        for seat in table["seats"]:
            score = scores[seat["seat"]]
            above, tied = sum(other > score for other in scores), scores.count(score)
            uma = sum(shares[above : above + tied])
            uma = uma // tied if uma > 0 else -(-uma // tied)  # tied players share, rounded towards zero
            totals[seat["player"]] += score - rules["return_points"] + uma
    counted = [None, *(each["number"] for each in released)]
    for penalty in content["penalties"]:
        if penalty["cancelled_at"] is None and penalty["round"] in counted:
            totals[penalty["player"]] -= penalty["points"]
    ranked = [player for player in content["players"] if player.get("ranked", True)]
    order = sorted(((totals[each["number"]], each["preferred_name"]) for each in ranked), reverse=True)
    return [(1 + sum(other > points for other, _name in order), points, name) for points, name in order]


if __name__ == "__main__":
    event_file = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for rank, points, name in standings(event_file["content"]):
        print(f"{rank:3} {points / 1000:+8.1f}  {name}")
