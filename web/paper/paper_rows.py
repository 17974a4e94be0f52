"""Rows for paper that need words: hands of the log, fouls; and the results by round that the public sees."""

from tournament.models import Event
from tournament.selectors.files.paper import list_round_results
from tournament.selectors.public.standings import get_standings
from tournament.selectors.tables.fouls import get_catalogue
from tournament.selectors.tables.tables import HandRow, LoadedTable, list_hands, load_tables
from tournament.sheets.rows import (
    FoulRow,
    FoulSection,
    LogHand,
    LogRound,
    LogTable,
    ResultRound,
)
from web.frame.hand_rows import hand_items
from web.public.public_rows import closing_lines
from web.words.foul import say_short
from web.words.languages import stated

NOBODY = "\N{EN DASH}"


def result_rounds(event: Event) -> list[ResultRound]:
    """List the finished tables of the rounds in the public standings."""
    return list_round_results(event, get_standings(event).rounds)


def foul_sections(event: Event) -> list[FoulSection]:
    """List the fouls of the event's catalogue with its own amounts, section by section."""
    fouls = get_catalogue(event)
    titles = {foul.section: foul.section_title for foul in fouls.fouls}
    return [
        FoulSection(
            number,
            title,
            tuple(
                FoulRow(foul.what, tuple(say_short(fouls.penalties[foul.key])), fouls.penalties[foul.key].clause)
                for foul in fouls.fouls
                if foul.section == number
            ),
        )
        for number, title in titles.items()
    ]


def log_rounds(event: Event) -> list[LogRound]:
    """List every hand of every table in words, as the desk shows them; void and corrected ones among them."""
    tables = load_tables(event)
    numbers = sorted({table.round for table in tables})
    return [
        LogRound(number, tuple(_log_table(event, table) for table in tables if table.round == number))
        for number in numbers
    ]


def _log_table(event: Event, table: LoadedTable) -> LogTable:
    hands = list_hands(table)
    items = hand_items(event, table, hands, 0)
    by_number = {row.number: item for row, item in zip(reversed(hands), items, strict=True)}  # newest first
    return LogTable(
        table.number,
        tuple(player.name for player in table.seats),
        tuple(_log_hand(row, by_number[row.number]) for row in hands),
        tuple(closing_lines(table)) if table.signed else (),
    )


def _log_hand(row: HandRow, item: dict[str, object]) -> LogHand:
    hand = row.hand
    note, pays = str(item.get("note") or ""), item.get("pays", ())
    said = stated(str(each) for each in pays) if isinstance(pays, tuple) else ""
    counters = str(item.get("counters") or "")
    return LogHand(
        number=row.number,
        hand=str(item["name"]) + (f", {counters}" if counters else ""),
        what=str(item["what"]),
        value=str(item.get("value") or ""),
        by=row.by,
        at=row.at,
        changes=tuple(hand.deltas) if hand else (),
        scores=tuple(hand.after.scores) if hand else (),
        notes=tuple(each for each in (said, note) if each),
    )
