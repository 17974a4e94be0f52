"""What a laptop stores of tables to work offline (static/hands/table_facts.js), and a table's hands as a list."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.game import Hand
from scoring.shorthand import write
from tournament.events.models import Event
from tournament.tables.history import read_payload
from tournament.tables.messages import names_on, short_names_at
from tournament.tables.queries import HandRow, LoadedTable, list_hands
from tournament.tables.round_queries import Tile, make_tile
from tournament.text.hands import shown_wins
from tournament.text.numbers import points, seat_wind, wind_initial, wind_letter, wind_sign, wind_word
from tournament.text.readback import read_back


def facts_of(event: Event, round_: int, tiles: Iterable[Tile]) -> dict[str, Any]:
    """Return the tables of a round; each `seq` is the last ledger row counted in it."""
    return {
        "event": event.slug,
        "round": round_,
        "numbers": event.sheet_numbers,
        "tables": [_facts(tile, reverse("desk:table", args=[event.slug, round_, tile.number])) for tile in tiles],
    }


def facts_of_table(event: Event, table: LoadedTable, address: str) -> dict[str, Any]:
    """Return one table in the form of `facts_of`; `address` is that of its page."""
    return {**facts_of(event, table.round, ()), "tables": [_facts(make_tile(table), address)]}


def _facts(tile: Tile, address: str) -> dict[str, Any]:
    going = tile.stage in ("playing", "waiting")
    dealer = tile.kyoku - 1 if going else 0
    honba = ngettext("%(count)d honba", "%(count)d honba", tile.honba) % {"count": tile.honba}
    sticks = ngettext("%(count)d riichi stick", "%(count)d riichi sticks", tile.sticks) % {"count": tile.sticks}
    winds = [seat_wind(player.seat, dealer, len(tile.seats)) for player in tile.seats]
    return {
        "table": tile.number,
        "action": address,
        "seq": tile.last_seq,
        "stage": tile.stage,
        "hands": tile.hands,
        "hand": f"{wind_word(tile.round_wind)} {tile.kyoku}" if going else "",
        "honba_and_sticks": " · ".join([*([honba] if tile.honba else []), *([sticks] if tile.sticks else [])]),
        "seats": [
            {
                "name": name,
                "letter": wind_letter(wind),
                "initial": wind_initial(wind).replace(wind_sign(wind), ""),
                "wind": wind_word(wind),
                "score": points(tile.scores[player.seat]),
                "dealer": going and player.seat == dealer,
            }
            for player, name, wind in zip(tile.seats, names_on(tile), winds, strict=True)
        ],
    }


def hand_items(address: str, table: LoadedTable, rows: list[HandRow], new_seq: int) -> list[dict[str, Any]]:
    """Return the hands as ui/hand_row.html lists them, newest first; `new_seq` is the one just entered.

    `address` is that of the table's page.
    """
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
            what = read_back(row.hand, names, table.rules).say if row.hand else _("Made void")
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


def origin_text(row: HandRow) -> str:
    """Say whether a hand was corrected or inserted, "" for neither."""
    if row.rows > 1:
        return _("corrected")
    return _("inserted") if row.inserted else ""


def _played(table: LoadedTable, row: HandRow, hand: Hand) -> dict[str, Any]:
    names = short_names_at(table, row.seq)
    back = read_back(hand, names, table.rules)
    notes = [back.riichi, hand.entry.note, origin_text(row), row.reason]
    return {
        "number": row.number,
        "name": back.name,
        "honba_and_sticks": back.honba_and_sticks,
        "what": back.what,
        "value": back.value,
        "note": " · ".join(note for note in notes if note),
        "wins": shown_wins(hand.entry, names, table.rules),
        "seats": back.seats,
        "void": False,
    }
