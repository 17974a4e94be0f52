"""The event log on paper: every hand of every table in words."""

from tournament.models.event import Event
from tournament.pages.tables_hand_rows import hand_items
from tournament.public.rows import closing_lines
from tournament.tables.queries_tables import HandRow, LoadedTable, list_hands, load_tables
from tournament.tables.rows import LogHand, LogRound, LogTable
from tournament.text.languages import stated


def log_rounds(event: Event) -> list[LogRound]:
    """List every hand of every table in words, with void and corrected ones."""
    tables = load_tables(event)
    numbers = sorted({table.round for table in tables})
    return [
        LogRound(number, tuple(_log_table(event, table) for table in tables if table.round == number))
        for number in numbers
    ]


def _log_table(event: Event, table: LoadedTable) -> LogTable:
    hands = list_hands(table)
    items = hand_items(event, table, hands, 0)
    return LogTable(
        table.number,
        tuple(player.name for player in table.seats),
        tuple(_log_hand(row, item) for row, item in zip(hands, reversed(items), strict=True)),
        tuple(closing_lines(table)) if table.signed else (),
    )


def _log_hand(row: HandRow, item: dict[str, object]) -> LogHand:
    hand = row.hand
    note, pays = str(item.get("note") or ""), item.get("pays", ())
    said = stated(str(each) for each in pays) if isinstance(pays, tuple) else ""
    honba_and_sticks = str(item.get("honba_and_sticks") or "")
    return LogHand(
        number=row.number,
        hand=str(item["name"]) + (f", {honba_and_sticks}" if honba_and_sticks else ""),
        what=str(item["what"]),
        value=str(item.get("value") or ""),
        by=row.by,
        at=row.at,
        changes=tuple(hand.deltas) if hand else (),
        scores=tuple(hand.after.scores) if hand else (),
        notes=tuple(each for each in (said, note) if each),
    )
