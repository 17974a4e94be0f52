"""Events, draws and results made up for the tests of paper, with the longest and oddest names that may occur."""

import datetime as dt
import random

from tournament.sheets.rows import EventHead, RoundRow, SeatRow, StandingSheetRow, TableRow

FORTY = "Bartholomäus-Ferdinand Łøńüř Oberhuber-Q"
UNBROKEN = "X" + "x" * 39
WIDEST = "W" * 60
JAPANESE = "東山 さくら"
LONG_JAPANESE = "髙橋健太郎アレクサンドロス三世" * 4
SPECIAL = (FORTY, UNBROKEN, WIDEST, JAPANESE, LONG_JAPANESE, "<b>O’Leary & Söhne</b>")
EVENT = "Rehearsal of the Desk"


def name_of(number: int) -> str:
    return SPECIAL[number - 1] if number <= len(SPECIAL) else f"Player Number {number}"


def make_head(size: int, *, rounds: int = 3, name: str = EVENT) -> EventHead:
    zone = dt.timezone(dt.timedelta(hours=2))
    return EventHead(
        name=name,
        slug="rehearsal",
        date=dt.date(2031, 5, 9),
        ruleset_title="A Book of Rules",
        players_per_table=size,
        rounds=rounds,
        start_points=30000,
        minutes=75,
        extra_hands=1,
        printed_at=dt.datetime(2031, 5, 9, 9, 41, tzinfo=zone),
    )


def make_rounds(size: int, *, tables: int = 3, rounds: int = 3, seed: int | None = 4711) -> tuple[RoundRow, ...]:
    dice = random.Random(5)
    made = []
    for number in range(1, rounds + 1):
        order = dice.sample(range(1, size * tables + 1), size * tables)
        seats = [tuple(SeatRow(s, name_of(n), n) for s, n in enumerate(order[t::tables])) for t in range(tables)]
        made.append(RoundRow(number, tuple(TableRow(t, row) for t, row in enumerate(seats, start=1)), seed))
    return tuple(made)


def make_standings(players: int, *, rounds: int = 3) -> list[StandingSheetRow]:
    """Lines whose results are as wide as results get, one of them shared, one missing, one with a penalty."""
    widest = (112900, -92900, 12333, -333, 0)
    rows = []
    for rank in range(1, players + 1):
        results: list[int | None] = [widest[(rank + n) % len(widest)] for n in range(rounds)]
        if rank == 4:
            results[0] = None
        penalties = 8000 if rank == 5 else 0
        total = sum(points or 0 for points in results) - penalties
        shared = rank in (2, 3)
        rows.append(
            StandingSheetRow(2 if shared else rank, shared, name_of(rank), total, rounds, penalties, tuple(results))
        )
    return rows
