"""One table as JSON, the answer of the API: seats, state, and every hand with what it moved."""

from typing import Any

from scoring.entries import to_json
from scoring.shorthand import write
from tournament.models import Event
from tournament.selectors.tables.tables import HandRow, LoadedTable, list_hands


def table_json(event: Event, table: LoadedTable) -> dict[str, Any]:
    """Return a table: points throughout, seats from 0, `last_seq` what the next writer must have seen.

    `confirmed` says whether another person has confirmed its sheet, None where the event asks nobody.

    A seat says who plays it instead of its player, `final` what the ranking counts: no place for a replaced player.
    """
    state = table.state
    return {
        "event": event.slug,
        "round": table.round,
        "table": table.number,
        "stage": table.stage,
        "confirmed": table.confirmed if event.confirms else None,
        "sent_back": table.sent_back,
        "last_seq": table.last_seq,
        "seats": [
            {
                "seat": player.seat,
                "number": player.number,
                "name": player.name,
                "wind": state.wind_of(player.seat),
                "score": state.scores[player.seat],
                "substitute": _substitute_json(table, player.seat),
            }
            for player in table.seats
        ],
        "state": {
            "round_wind": state.round_wind,
            "kyoku": state.kyoku,
            "honba": state.honba,
            "sticks": state.sticks,
            "dealer": state.dealer,
            "ended": state.ended or table.signed,
        },
        "hands": [_hand_json(row) for row in list_hands(table)],
        "final": _final_json(table) if table.signed else None,
    }


def _substitute_json(table: LoadedTable, seat: int) -> dict[str, Any] | None:
    substitute = table.replaced.get(seat)
    return None if substitute is None else {"name": substitute.name, "when": substitute.when}


def _hand_json(row: HandRow) -> dict[str, Any]:
    out: dict[str, Any] = {"number": row.number, "seq": row.seq, "void": row.hand is None, "reason": row.reason}
    if row.hand is None:
        return out
    before = row.hand.before
    return {
        **out,
        "entry": to_json(row.hand.entry),
        "line": write(row.hand.entry),
        "round_wind": before.round_wind,
        "kyoku": before.kyoku,
        "honba": before.honba,
        "sticks": before.sticks,
        "dealer": before.dealer,
        "deltas": list(row.hand.deltas),
        "scores": list(row.hand.after.scores),
        "transfers": [
            {"from": transfer.payer, "to": transfer.receiver, "points": transfer.points, "why": transfer.why}
            for transfer in row.hand.transfers
        ],
    }


def _final_json(table: LoadedTable) -> dict[str, Any]:
    final, counted = table.final, table.counted
    return {
        "scores": list(final.scores),
        "leftover": final.leftover,
        "places": list(counted.places),
        "uma": list(counted.uma),
        "results": list(counted.results),
    }
