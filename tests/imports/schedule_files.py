"""One schedule written in every layout that people have, for the tests that read it back."""

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

from tournament.tables.rows import Entrant

Rounds = Sequence[Sequence[Sequence[int]]]
Names = Sequence[str] | None
Rows = list[list[Any]]

NAMES = ("Ada Moss", "Birk", "Cyan", "Distel", "Efeu", "Farn", "Ginster", "Hasel", "Iris", "Jasmin", "Kresse", "Mohn")
ROUNDS = (((1, 2, 3, 4), (5, 6, 7, 8)), ((5, 1, 8, 2), (6, 3, 7, 4)))
BLOCKS = {
    "one below the other": (
        "Round 1\nTable,East,South,West,North\n1,1,2,3,4\n2,5,6,7,8\n\n"
        "Round 2\nTable,East,South,West,North\n1,5,1,8,2\n2,6,3,7,4\n"
    ),
    "headings once": "Table,N,W,S,E\nRunde 1\n1,4,3,2,1\n2,8,7,6,5\nRunde 2\n1,2,8,1,5\n2,4,7,3,6\n",
}  # fmt: skip
NOT_READ = {
    "no headings": "Round 1 - 10:00\n1,1,2,3,4\n2,5,6,7,8\nRound 2 - 12:00\n1,5,1,8,2\n2,6,3,7,4\n",
    "tables counted": "第1回戦\n1,2,3,4\n5,6,7,8\n第2回戦\n5,1,8,2\n6,3,7,4\n",
    "rounds side by side": (
        "Round 1,,,,,,Round 2,,,,\nTable,E,S,W,N,,Table,E,S,W,N\n1,1,2,3,4,,1,5,1,8,2\n2,5,6,7,8,,2,6,3,7,4\n"
    ),
    "a round's headings twice": (
        "Round 1,,,,,\nTable,E,S,W,N,,Table,E,S,W,N\n1,1,2,3,4,,1,5,1,8,2\n2,5,6,7,8,,2,6,3,7,4\n"
    ),
    "tables at the left": "Table,Round 1,,,,Round 2,,,\n,E,S,W,N,E,S,W,N\n1,1,2,3,4,5,1,8,2\n2,5,6,7,8,6,3,7,4\n",
    "two columns a round": "Name,R1 table,R1 seat,R2 table,R2 seat\nAda Moss,1,E,2,S\n",
    "one round in a bare number": "Name,1\nAda Moss,1E\n",
}  # fmt: skip


def players(count: int) -> list[Entrant]:
    """Return the first of the invented players."""
    return [Entrant(index + 1, name) for index, name in enumerate(NAMES[:count])]


def as_csv(rows: Rows, delimiter: str = ",") -> str:
    """Return rows as csv."""
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return file.getvalue()


def as_seats(rounds: Rounds, names: Names, winds: Sequence[str] = ("E", "S", "W", "N")) -> Rows:
    """Write one row a seat."""
    rows: Rows = [["Round", "Table", "Seat", "Player"]]
    for round_, drawn in enumerate(rounds, start=1):
        for table, seated in enumerate(drawn, start=1):
            rows += [[round_, table, winds[seat], _who(player, names)] for seat, player in enumerate(seated)]
    return rows


def as_tables(rounds: Rounds, names: Names) -> Rows:
    """Write one row a table."""
    rows: Rows = [["Round", "Table", "East", "South", "West", "North"][: 2 + len(rounds[0][0])]]
    for round_, drawn in enumerate(rounds, start=1):
        for table, seated in enumerate(drawn, start=1):
            rows.append([round_, table, *(_who(player, names) for player in seated)])
    return rows


def as_matrix(rounds: Rounds, names: Names, *, cell: str = "{t}{e}", numbered: bool = False) -> Rows:
    """Write one row a player and one column a round; with `numbered` a column of numbers goes before."""
    place = {
        (round_, player): cell.format(
            t=table, e="ESWN"[seat], n=seat + 1, j="東南西北"[seat], long=("East", "South", "West", "North")[seat]
        )
        for round_, drawn in enumerate(rounds, start=1)
        for table, seated in enumerate(drawn, start=1)
        for seat, player in enumerate(seated)
    }
    header = [*(["Player number"] if numbered else []), "Player", *(f"Round {n + 1}" for n in range(len(rounds)))]
    rows: Rows = [header]
    for player in sorted({player for _round, player in place}):
        before = [player] if numbered else []
        rows.append([*before, _who(player, names), *(place.get((n + 1, player), "") for n in range(len(rounds)))])
    return rows


def as_blocks(rounds: Rounds, names: Names) -> Rows:
    """Write a line for each round and its tables below."""
    rows: Rows = []
    for round_, drawn in enumerate(rounds, start=1):
        rows += [[f"Round {round_}"], ["Table", "East", "South", "West", "North"][: 1 + len(drawn[0])]]
        rows += [[table, *(_who(player, names) for player in seated)] for table, seated in enumerate(drawn, start=1)]
    return rows


WRITERS: dict[str, Callable[[Rounds, Names], Rows]] = {
    "seats": as_seats, "tables": as_tables, "matrix": as_matrix, "blocks": as_blocks,
}  # fmt: skip


def _who(player: int, names: Names) -> int | str:
    return names[player - 1] if names else player
