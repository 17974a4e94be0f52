"""`manage.py season`: Read the games of a season's events; print its table by the rule of the line.

It reads standard input and uses no database.
"""

from typing import Any

from scoring.seasons import MAX_CHARACTERS, read_season, rows_json, season_table
from web.management.json_lines import LinesCommand, warnings


def season(line: dict[str, Any]) -> dict[str, Any]:
    """Rank one season; raises InvalidInput with all that is wrong."""
    read = read_season({key: value for key, value in line.items() if key != "id"})
    rows = season_table(read.events, read.rule, read.carried)
    return {"rows": rows_json(rows), **warnings((None, problem) for problem in read.warnings)}


class Command(LinesCommand):
    """Seasons in, tables out."""

    help = """Reads one season a line from standard input, writes one answer a line; needs no database. In: {"id",
    "rule": {"unit": "game"|"evening", "measure": "points"|"base_rank", "gather": "sum"|"mean", "best": n|null,
    "least": n}, "carried": {person: points}, "events": [{"name", "weight": "1/2", "games": [{person: points}...]}...]}.
    Out: {"id", "ok", "rows": [{"rank": n|null, "person", "figure", "games", "counted", "spread": n|null}...]}, best
    first. Numbers may be whole, decimal, or texts such as "1/2"; all is exact until it is printed. A bad line gets
    {"id", "ok": false, "problems": [...]} and stops no other line."""
    answer = staticmethod(season)
    most = MAX_CHARACTERS
    decimals = True
