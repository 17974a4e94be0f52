"""Every kind of sheet with the longest and oddest of what it may have to say, ready to be printed."""

import datetime as dt
from collections.abc import Callable

from rules.books import load
from rules.ruleset import Ruleset
from scoring.sticks import stick_set
from tests.paper.samples import EVENT, JAPANESE, make_rounds, make_slips, make_standings, name_of
from tournament.alllast.messages import NeedOption, PlaceWays, SeatCard
from tournament.paper.all_last import FilledSheet, all_last_leaves, filled_all_last_leaves
from tournament.paper.call_slip import call_slip_leaves
from tournament.paper.event_log import event_log_leaves
from tournament.paper.handouts import (
    badges_leaves,
    differences_leaves,
    house_rules_leaves,
    markers_leaves,
    player_cards_leaves,
    pocket_cards_leaves,
    sticks_leaves,
    table_setup_leaves,
    table_tents_leaves,
    values_leaves,
    yaku_leaves,
)
from tournament.paper.sheets import (
    certificates_leaves,
    fouls_leaves,
    penalties_leaves,
    penalty_slips_leaves,
    poster_leaves,
    report_leaves,
    results_leaves,
    seating_leaves,
    standings_leaves,
    totals_leaves,
)
from tournament.pdf.render import Leaves
from tournament.tables.rows import (
    BadgeRow,
    DifferenceRow,
    DifferenceTable,
    EventHead,
    FoulRow,
    FoulSection,
    GameRow,
    LogHand,
    LogRound,
    LogTable,
    PenaltyRow,
    ResultRound,
    ResultTable,
    SetupStep,
    StatedLines,
)
from tournament.text.plain_text import blocks_of
from tournament.text.values import value_sheet, yaku_sheet

AT = dt.datetime(2031, 5, 9, 8, 15, tzinfo=dt.UTC)
ADDRESS = "http://192.168.178.20:8000/desk/rehearsal-of-the-desk/rounds/1/tables/%d/"
SCORES = (112900, -92900, 45200, 54800)


TIE = "tie; sanbaiman to win outright"
LINES = (
    (
        NeedOption("Tsumo", "haneman", "3,000/6,000", TIE),
        NeedOption("Draw", "tenpai, unless everybody is", note="at worst a tie"),
    ),
    (
        NeedOption("Any ron", "sanbaiman", "24,000", "tie; yakuman to win outright"),
        NeedOption("Direct hit from East and South", "5,200", "3 han 40 fu", TIE),
    ),
)


def filled_sheets(size: int) -> list[FilledSheet]:
    """A table whose players need as much as anybody does, one of them far below nought."""
    most = tuple(PlaceWays(str(place), LINES, "") for place in range(1, size))
    needs = (*most[:-1], PlaceWays(str(size - 1), (), "any"))
    out = (PlaceWays("1", (), "none"), PlaceWays("2", LINES[:1], ""))
    seats = tuple(
        SeatCard(
            n - 1, n, name_of(n), "ESWN"[(n + 1) % size], SCORES[n - 1], str(n), deals=n == 1, riichi=False, goals=asked
        )
        for n, asked in zip(range(1, size + 1), (needs, out, most, needs), strict=False)
    )
    return [FilledSheet(number, 104, "South 4", "12 honba, 3 riichi sticks", 3, seats) for number in (1, 2)]


def result_rounds(size: int) -> list[ResultRound]:
    """Two rounds with a shared place, a substitute and a score below nought."""
    return [
        ResultRound(played.number, tuple(
            ResultTable(table.number, tuple(
                GameRow(seat.seat, seat.name, SCORES[seat.seat], seat.seat + 1, seat.seat == 1, -15000, -137900,
                        name_of(seat.number % 5 + 1) if seat.seat == 2 else "")
                for seat in table.seats
            ))
            for table in played.tables
        ))
        for played in make_rounds(size, rounds=2)
    ]  # fmt: skip


def log_rounds(size: int) -> list[LogRound]:
    """One round whose tables have ten hands, the last of them void."""
    what = f"{name_of(1)} (1, East) ron from {name_of(5)} (2, South)"
    hands = tuple(
        LogHand(number, "South 4, 12 honba", what, "3 han 40 fu, 5,200", JAPANESE, AT,
                (8000, -12000, 5000, -1000)[:size], SCORES[:size], ("corrected", "misheard " * 12))
        for number in range(1, 10)
    )  # fmt: skip
    void = LogHand(10, "Hand 10", "2r3 340", "", "Referee", AT, notes=("entered twice",))
    return [
        LogRound(1, tuple(
            LogTable(table.number, tuple(seat.name for seat in table.seats), (*hands, void), ("2,000 stayed.",))
            for table in make_rounds(size, tables=2)[0].tables
        ))
    ]  # fmt: skip


def foul_sections() -> list[FoulSection]:
    """A catalogue as long as the books have."""
    return [
        FoulSection(number, f"Section of number {number}", tuple(
            FoulRow("Something that went wrong at the table and is told in a line",
                    ("warning; from the second time on: 5,000 points",), "E25 6.10.4", ("What counts then.",))
            for _ in range(8)
        ))
        for number in range(1, 7)
    ]  # fmt: skip


HOUSE = blocks_of(f"{'A rule of the house. ' * 9}\n\n- {JAPANESE}\n- <b>no</b> phones\n\n1. first\n2. {'W' * 60}")


def difference_tables() -> list[DifferenceTable]:
    """Two books with as many differences as two books have."""
    here = StatedLines(
        ("each winner gets their own back, the first after the discarder all others",), "E25 3.3.10, 4.1"
    )
    there = StatedLines(("mangan 5 han 2,000", "haneman 6 han 3,000", "baiman 8 han 4,000"), "ours: the book is silent")
    row = DifferenceRow("Who gets the riichi sticks of a multiple ron", here, there)
    none = DifferenceRow("Kita in riichi with a North that was not just drawn", here, StatedLines((), ""))
    sections = tuple((f"Section of number {number}", (row, none)) for number in range(1, 8))
    notes = ("10 fouls are not listed in the book.",)
    return [DifferenceTable(f"Different from {name}: 14 rules", "This event", name, sections, notes) for name in "AB"]


def penalty_rows() -> list[PenaltyRow]:
    """A row that stands and one that was cancelled."""
    row = ("a reason of many words " * 6, "E25 6.10", name_of(4))
    return [
        PenaltyRow(AT, 1, name_of(1), 20000, *row, table=104, kind="chombo", amount_reason="agreed"),
        PenaltyRow(AT, None, name_of(3), 8000, *row, cancelled=True, cancel_reason="it was not so"),
    ]


def book_of(size: int) -> Ruleset:
    """The book with most to say on hand-outs."""
    return load("sanma-rule-book" if size == 3 else "rakkii-nomi-2026")


def stick_sets(points: int) -> list[dict[int, int]]:
    """Both sets, with sticks of 500 and without."""
    sets = [stick_set(points, five_hundreds=there) for there in (True, False)]
    return [each for each in sets if each]


def leaves_of(kind: str, head: EventHead) -> Leaves:
    """Give one kind of sheet for an event; see KINDS."""
    return _MADE[kind](head, head.players_per_table)


_MADE: dict[str, Callable[[EventHead, int], Leaves]] = {
    "seating": lambda head, size: seating_leaves(head, make_rounds(size)),
    "poster": lambda head, size: poster_leaves(head, make_rounds(size)[0]),
    "report": lambda head, size: report_leaves(head, make_rounds(size)[0], {n: ADDRESS % n for n in (1, 2, 3)}),
    "totals": lambda head, size: totals_leaves(head, make_rounds(size)[0], {n: ADDRESS % n for n in (1, 2, 3)}),
    "all-last": lambda head, size: all_last_leaves(head, make_rounds(size)[0]),
    "filled": lambda head, size: filled_all_last_leaves(head, filled_sheets(size)),
    "cards": lambda head, size: player_cards_leaves(
        head, make_rounds(size, rounds=8), {n: AT + dt.timedelta(hours=n) for n in range(1, 9)}
    ),
    "badges": lambda _head, size: badges_leaves(
        [BadgeRow(name_of(n), n, "United Kingdom", f"Club of {EVENT}") for n in range(1, 3 * size + 1)]
    ),
    "tents": lambda _head, _size: table_tents_leaves(2),
    "penalty-slips": lambda _head, _size: penalty_slips_leaves(),
    "call-slip": lambda _head, size: call_slip_leaves(make_slips(size)),
    "fouls": lambda _head, _size: Leaves("fouls", fouls_leaves(foul_sections()).portions[-1:]),
    "differences": lambda _head, _size: Leaves(
        "differences", differences_leaves(difference_tables(), ["As in the book."]).portions[-1:]
    ),
    "house-rules": lambda _head, _size: Leaves("house_rules", house_rules_leaves("en", HOUSE).portions[:1]),
    "table-setup": lambda _head, _size: table_setup_leaves(
        [SetupStep("Breaking the wall", "A sentence of many words. " * 8, "S4 3.8: the fifth back")] * 9, 7, 5
    ),
    "penalties": lambda head, _size: penalties_leaves(head, penalty_rows()),
    "standings": lambda head, _size: standings_leaves(head, make_standings(50), 3),
    "results": lambda _head, size: results_leaves(result_rounds(size)),
    "certificates": lambda head, _size: certificates_leaves(head, make_standings(6), 3, 3),
    "values": lambda _head, size: Leaves("values", values_leaves(value_sheet(book_of(size))).portions[-1:]),
    "pocket": lambda _head, size: pocket_cards_leaves(value_sheet(book_of(size))),
    "yaku": lambda _head, size: Leaves("yaku", yaku_leaves(yaku_sheet(book_of(size))).portions[-1:]),
    "sticks": lambda head, _size: sticks_leaves(head, stick_sets(head.start_points), 104),
    "markers": markers_leaves,
    "log": lambda head, size: event_log_leaves(head, log_rounds(size)),
}
KINDS = tuple(_MADE)
FORMS = ("report", "totals", "all-last", "cards", "badges", "tents")
