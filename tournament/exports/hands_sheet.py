"""Two worksheets more for the results: every hand as it was read back, and what each person's hands come to.

Sentences about hands come in as text; counts are counts and points are points. It counts and words nothing itself.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from openpyxl import Workbook

from tournament.exports.cells import SheetColumn, Value, add_sheet
from tournament.exports.result_rows import HandSheetRow, StatisticSheetRow
from tournament.sheets.figures import WINDS


def add_hands(book: Workbook, lines: tuple[str, str], rows: Sequence[HandSheetRow], *, players: int) -> None:
    """Add the worksheet of hands: changes and scores of so many seats, from first East on."""
    winds = [wind.letter or wind.sign for wind in WINDS[:players]]
    columns = [
        SheetColumn(_("Round"), "count"),
        SheetColumn(_("Table"), "count"),
        SheetColumn(_("Number"), "count"),
        SheetColumn(_("Hand"), "text"),
        SheetColumn(_("Counters"), "count"),
        SheetColumn(_("Deposits"), "count"),
        SheetColumn(_("What happened"), "sentence"),
        SheetColumn(_("Value"), "text"),
        SheetColumn(_("Riichi"), "sentence"),
        *(SheetColumn(_("Change %(wind)s") % {"wind": wind}, "result") for wind in winds),
        *(SheetColumn(_("Points %(wind)s") % {"wind": wind}, "points") for wind in winds),
        SheetColumn(_("Remark"), "sentence"),
    ]
    written: list[Sequence[Value]] = [
        [
            row.round, row.table, row.number, row.name, row.counters, row.deposits, row.what, row.value or None,
            row.riichi or None, *row.changes, *row.scores, row.remark or None,
        ]
        for row in rows
    ]  # fmt: skip
    add_sheet(book, pgettext("worksheet", "Hands"), lines, columns, written, frozen_columns=4)


def add_statistics(book: Workbook, lines: tuple[str, str], rows: Sequence[StatisticSheetRow], *, players: int) -> None:
    """Add the worksheet of statistics, a row a person."""
    columns = [
        SheetColumn(_("Name"), "text"),
        SheetColumn(_("Games"), "count"),
        *(SheetColumn(_("Place %(number)d") % {"number": place}, "count") for place in range(1, players + 1)),
        SheetColumn(_("Hands"), "count"),
        SheetColumn(_("Wins by ron"), "count"),
        SheetColumn(_("Wins by tsumo"), "count"),
        SheetColumn(_("Points won"), "points"),
        SheetColumn(_("Deal-ins"), "count"),
        SheetColumn(_("Points dealt in"), "points"),
        SheetColumn(_("Riichi"), "count"),
        SheetColumn(_("Riichi won"), "count"),
        SheetColumn(_("Tenpai at a draw"), "count"),
        SheetColumn(_("Noten at a draw"), "count"),
        SheetColumn(_("Hands as dealer"), "count"),
        SheetColumn(_("Chombo"), "count"),
        SheetColumn(_("Best hand"), "result"),
    ]
    written: list[Sequence[Value]] = [
        [
            row.name, row.games, *row.places, row.hands, row.ron_wins, row.tsumo_wins, row.win_points, row.deal_ins,
            row.deal_in_points, row.riichi, row.riichi_won, row.tenpai, row.noten, row.dealer_hands, row.chombo,
            row.best,
        ]
        for row in rows
    ]  # fmt: skip
    add_sheet(book, _("Statistics"), lines, columns, written, frozen_columns=1)
