"""The hands of a table as its pages list them, and those entered while somebody was typing."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.game import Hand
from scoring.shorthand import write
from tournament.models.event import Event
from tournament.tables.history_1 import read_payload
from tournament.tables.messages import short_names_at
from tournament.tables.queries_tables import HandRow, LoadedTable, list_hands
from tournament.text.hands_hand import shown_wins
from tournament.text.readback import read_back


def hand_items(event: Event, table: LoadedTable, rows: list[HandRow], new_seq: int) -> list[dict[str, Any]]:
    """Return the hands as ui/hand_row.html lists them, newest first; `new_seq` is the one just entered."""
    address = reverse("desk:table", args=[event.slug, table.round, table.number])
    return [_item(address, table, row, new_seq) for row in reversed(rows)]


def last_line(table: LoadedTable, seq: int) -> str:
    """Return the line of a hand as it was last entered, void or not; empty for an unknown hand."""
    written = [line.payload for line in table.lines if seq in (line.seq, line.supersedes) and line.payload]
    entry = read_payload(written[-1]) if written else None
    return write(entry) if entry else ""


def entered_since(table: LoadedTable, since: int) -> list[str]:
    """Say which hands were entered or changed after the ledger row `since`."""
    newer = {line.supersedes or line.seq for line in table.lines if line.seq > since}
    words = []
    for row in list_hands(table):
        if row.seq in newer:
            names = short_names_at(table, row.seq)
            what = read_back(row.hand, names, table.rules).say if row.hand else _("made void")
            words.append(f"{row.number}. {what} ({row.by})")
    return words


def _item(address: str, table: LoadedTable, row: HandRow, new_seq: int) -> dict[str, Any]:
    item = _void(table, row) if row.hand is None else _played(table, row, row.hand)
    item |= {"new": row.seq == new_seq, "warned": row.seq in table.warned, "by": row.by, "at": row.at}
    if not table.signed:
        item["correct_url"] = f"{address}?correct={row.seq}"
        item |= {"void_url": f"{address}?void={row.seq}"} if row.hand else {}
    return item


def _void(table: LoadedTable, row: HandRow) -> dict[str, Any]:
    name = _("Hand %(number)d") % {"number": row.number}
    return {"name": name, "what": last_line(table, row.seq), "note": row.reason, "void": True, "seats": []}


def _played(table: LoadedTable, row: HandRow, hand: Hand) -> dict[str, Any]:
    names = short_names_at(table, row.seq)
    back = read_back(hand, names, table.rules)
    notes = [back.riichi, hand.entry.note, _("corrected") if row.rows > 1 else "", row.reason]
    return {
        "number": row.number,
        "name": back.name,
        "honba_and_sticks": back.honba_and_sticks,
        "what": back.what,
        "value": back.value,
        "note": " · ".join(note for note in notes if note),
        "pays": back.pays,
        "wins": shown_wins(hand.entry, names, table.rules),
        "seats": back.seats,
        "void": False,
    }
