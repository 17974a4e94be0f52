"""What the files of results say in words: hands as they are read back, line by line. It counts nothing."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from tournament.selectors.tables.tables import LoadedTable
from tournament.sheets.rows import HandSheetRow
from web.words.languages import side_by_side
from web.words.readback import read_back


def hand_sheet_rows(tables: Iterable[LoadedTable]) -> list[HandSheetRow]:
    """Return every hand that stands at these tables, in order; no query."""
    return [row for table in tables for row in _of_table(table)]


def _of_table(table: LoadedTable) -> Iterator[HandSheetRow]:
    names = [player.name for player in table.seats]
    standing = [item for item in table.items if item.entry is not None]
    for number, (item, hand) in enumerate(zip(standing, table.game.hands, strict=True), start=1):
        said = read_back(hand, names, table.rules)
        yield HandSheetRow(
            round=table.round,
            table=table.number,
            number=number,
            name=said.name,
            counters=hand.before.honba,
            deposits=hand.before.sticks,
            what=said.what,
            value=said.value,
            riichi=said.riichi,
            changes=hand.deltas,
            scores=hand.after.scores,
            remark=side_by_side((hand.entry.note, _("corrected") if item.rows > 1 else "")),
        )
