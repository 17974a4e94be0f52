"""The wall poster of a round: each table with its number and its players, to be read from some steps away.

Prints the draw as it is given; never moves anybody.
"""

from tournament.sheets.figures import WINDS, name_size
from tournament.sheets.render import Leaves
from tournament.sheets.rows import EventHead, RoundRow, TableRow

TABLES = 10  # of a page


def poster_leaves(head: EventHead, played: RoundRow) -> Leaves:
    """Give the poster of a round, ten tables to a page. Raises ValueError if the round has no tables."""
    if not played.tables:
        raise ValueError("there is nothing to print on a poster: the round has no tables")
    pages = [
        {"items": list(enumerate((_table(table) for table in played.tables[start : start + TABLES]), start=1))}
        for start in range(0, len(played.tables), TABLES)
    ]
    size = head.players_per_table
    return Leaves("poster", ({"round": played.number, "pages": pages, "size": size, "slots": range(1, TABLES + 1)},))


def _table(table: TableRow) -> dict[str, object]:
    seats = [(WINDS[seat.seat], seat.name, name_size(seat.name)) for seat in table.seats]
    return {"number": table.number, "seats": seats}
