"""Read the file of another desk, the Mahjong Tournament Engine, as a list of results: its games that are finished.

Its points are differences from the start, its rounds, tables and players count from 0. Uma is not read: places and uma
follow from the event's rules. Penalties are named, not read.
"""

import json
from collections.abc import Iterator
from typing import Any

from scoring.problems import InvalidInput, Problem, ProblemType
from tournament.imports.files_cells import SheetRow
from tournament.imports.files_sheet import BYTES_LIMIT, Sheet
from tournament.imports.listing import ListKind
from tournament.online_logs.readers_online_logs import WRONG_FORM

RESULTS_ENGINE_UNREADABLE = ProblemType(
    "results.engine_unreadable", "This file of the Mahjong Tournament Engine cannot be read."
)
RESULTS_ENGINE_VERSION = ProblemType(
    "results.engine_version",
    "Open this file in the Mahjong Tournament Engine and save it again: version {known} is needed.",
)
RESULTS_ENGINE_UNPLAYED = ProblemType("results.engine_unplayed", "No game of this file is finished.")
RESULTS_ENGINE_PENALTIES = ProblemType(
    "results.engine_penalties", "Penalties in the file were not read ({count}): give them here."
)

VERSION = 3
HEADINGS = ("round", "table", "seat", "player", "points")


def read_results_sheet(data: bytes, filename: str, kind: ListKind, *, start: int) -> Sheet:
    """Read a list of results, or the file of the other desk for an event that starts with so many points.

    Raises InvalidInput as `ListKind.read`, and for such a file that is of another version or unreadable.
    """
    file = _engine_file(data)
    if file is None:
        return kind.read(data, filename)
    try:
        rows, penalties = [*_rows(file, start)], _penalties(file)
        version = file["meta"]["dataFormatVersion"]
    except WRONG_FORM as wrong:
        raise InvalidInput([RESULTS_ENGINE_UNREADABLE()]) from wrong
    if version != VERSION:
        raise InvalidInput([RESULTS_ENGINE_VERSION(known=VERSION)])
    if not rows:
        raise InvalidInput([RESULTS_ENGINE_UNPLAYED()])
    lines = tuple(SheetRow(number, cells) for number, cells in enumerate([HEADINGS, *rows], start=1))
    return Sheet("csv", lines, problems=penalties)


def _engine_file(data: bytes) -> dict[str, Any] | None:
    """Return the values of a file that says it is the other desk's; None for any other."""
    if len(data) > BYTES_LIMIT or not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and {"games", "playerList", "meta"} <= value.keys() else None


def _rows(file: dict[str, Any], start: int) -> Iterator[tuple[str, ...]]:
    names = [str(player["name"]) for player in file["playerList"]]
    for game in file["games"]:
        if not game["finished"]:
            continue
        for seat, each in enumerate(game["participants"]):
            player, raw = each["playerId"], each["score"]["raw"]
            if type(player) is not int or player < 0 or type(raw) is not int:
                raise ValueError("no whole number")
            place = (int(game["round"]) + 1, int(game["table"]) + 1, seat)
            yield (*map(str, place), names[player], str(start + raw))


def _penalties(file: dict[str, Any]) -> tuple[Problem, ...]:
    count = sum(bool(each["score"]["penalty"]) for game in file["games"] for each in game["participants"])
    return (RESULTS_ENGINE_PENALTIES.warning(count=count),) if count else ()
