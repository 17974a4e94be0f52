"""What `manage.py seat --json` prints → seats as written. Players and tables count from 0 there; here from 1.

The figures in it are not read: everything is counted again.
"""

import json
from typing import Any

from scoring.problems import InvalidInput, error
from tournament.imports.schedule_reading import Reading, SeatText
from tournament.imports.schedule_rows import WIND_LETTERS
from tournament.imports.sheet import BYTES_LIMIT

_ROUNDS_LIMIT = 1_000


def is_json(data: bytes) -> bool:
    """Say whether a file means to be JSON."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def read_json(data: bytes) -> Reading:
    """Read a schedule; raises InvalidInput where it is none."""
    rounds = _rounds(data)
    reading = Reading("json")
    row = 0
    for round_, tables in enumerate(rounds, start=1):
        for table, players in enumerate(tables, start=1):
            row += 1
            path = f"rounds[{round_ - 1}][{table - 1}]"
            reading.names[row], reading.texts[row] = path, " · ".join(str(player)[:12] for player in players[:10])
            for seat, player in enumerate(players):
                where = f"{path}[{seat}]"
                if not isinstance(player, int) or isinstance(player, bool):
                    reading.fault(row, error("schedule.json_player", where=where, given=str(player)[:20]))
                    continue
                wind = WIND_LETTERS[min(seat, 4)]
                reading.take(row, SeatText(row, where, round_, table, wind, str(player)))
    return reading


def _rounds(data: bytes) -> list[list[list[Any]]]:
    """Return rounds of tables of whatever stands in them."""
    if len(data) > BYTES_LIMIT:
        raise InvalidInput([error("import.file_too_big", megabytes=BYTES_LIMIT // 1024**2)])
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as broken:
        raise InvalidInput([error("schedule.json_broken")]) from broken
    rounds = value.get("rounds") if isinstance(value, dict) else None
    shaped = isinstance(rounds, list) and all(
        isinstance(tables, list) and all(isinstance(table, list) for table in tables) for tables in rounds
    )
    if not shaped or not rounds or len(rounds) > _ROUNDS_LIMIT:
        raise InvalidInput([error("schedule.json_shape")])
    return list(rounds)
