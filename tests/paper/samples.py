"""Events, draws and results made up for the tests of paper, with the longest and oddest names that may occur."""

import datetime as dt
import random
from dataclasses import replace

from tournament.paper.call_slip import empty_slip
from tournament.paper.rows import Faces, Slip, SlipCount, SlipItem, SlipSeat
from tournament.pdf.drawings import Face
from tournament.standings.columns import StandingRow
from tournament.tables.rows import EventHead, RoundRow, SeatedPlayer, TableRow

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
        deposit=1000,
        printed_at=dt.datetime(2031, 5, 9, 9, 41, tzinfo=zone),
    )


def make_rounds(size: int, *, tables: int = 3, rounds: int = 3) -> tuple[RoundRow, ...]:
    dice = random.Random(5)
    made = []
    for number in range(1, rounds + 1):
        order = dice.sample(range(1, size * tables + 1), size * tables)
        seats = [tuple(SeatedPlayer(s, n, name_of(n)) for s, n in enumerate(order[t::tables])) for t in range(tables)]
        made.append(RoundRow(number, tuple(TableRow(t, row) for t, row in enumerate(seats, start=1))))
    return tuple(made)


def make_standings(players: int, *, rounds: int = 3) -> list[StandingRow]:
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
            StandingRow(2 if shared else rank, shared, rank, name_of(rank), total, rounds, penalties, tuple(results))
        )
    return rows


def faces(text: str, word: str = "") -> Faces:
    """Tiles of one suit, "123m"."""
    return Faces(tuple(Face(rank + text[-1]) for rank in text[:-1]), word)


def quad(kind: str) -> Faces:
    """An added kan, whose fourth tile lies on the turned one."""
    return Faces((Face(kind, turned=True, added=kind), Face(kind), Face(kind)))


def make_count() -> SlipCount:
    """A hand with as much to say as a hand has: four kan, every kind of dora, readings set aside, somebody liable."""
    closed = Faces((Face("back"), Face("0p"), Face("5p"), Face("back")))
    return SlipCount(
        hand=(faces("9s"), faces("9s", "won with"), quad("1m"), quad("9m"), closed, quad("1z"), faces("1234z", "kita")),
        value="sanbaiman, 12 han \N{MIDDLE DOT} 6,000/12,000",
        how="tsumo",
        yaku=tuple(SlipItem(f"a yaku of number {number}", "2", "E25 4.2; S0: North Winds") for number in range(7)),
        fu=tuple(SlipItem("closed kan", "32", tiles=faces("1111m").tiles) for _ in range(6)),
        fu_note="do not matter from five han on",
        reading="99s 1111m 9999m 5055p 1111z, wait on the pair",
        aside=("Set aside: 3 han 40 fu, 5,200 (2,800 less), 123m 123m 123m 99p 456s, edge wait: without sanankou",) * 2,
        liable=("daisangen: the player on the left is liable and pays the whole hand alone.",),
        by="Counted by A Book of Rules.",
    )


def make_slips(size: int) -> tuple[Slip, ...]:
    """A slip with a hand for the longest names, one without, and one that is empty."""
    seats = tuple(
        SlipSeat(number, (number + 1) % size, name, "discards, riichi", "\N{MINUS SIGN}54,100")
        for number, name in enumerate((FORTY, UNBROKEN, JAPANESE, LONG_JAPANESE)[:size], start=1)
    )
    table = Slip(seats, round=12, table=104, hand="South 4", honba_and_sticks="12 honba \N{MIDDLE DOT} 3 riichi sticks")
    widest = (replace(seats[0], name=WIDEST), *seats[1:])
    paid = ("3 West \N{RIGHTWARDS ARROW} 2 South 12,000 (liability)",) * 4
    return (
        replace(table, what="sanbaiman", pays=paid, count=make_count()),
        replace(table, seats=widest, what="3 han 40 fu, 5,200", pays=paid[:1]),
        empty_slip(size),
    )
