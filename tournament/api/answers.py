"""The answers of the API, built from what queries return. Commands print the standings by the same function."""

import datetime as dt
from typing import TYPE_CHECKING, cast

from scoring.entries import to_json
from scoring.shorthand import write
from tournament.core.hash_chain import moment
from tournament.events.models import Event
from tournament.publication.names import Said, list_names, say_entry, without_hidden_names
from tournament.publication.queries import PublicView, get_public_view
from tournament.record.queries import Head
from tournament.standings.columns import json_row
from tournament.standings.queries import Standings
from tournament.tables.queries import HandRow, LoadedTable, list_hands
from tournament.tables.round_queries import RoundRow, SeatResult, TableResult, list_rounds, planned_start
from tournament.tables.table_queries import Substitute

if TYPE_CHECKING:  # commands that print the standings need no types of the API
    from tournament.alllast.queries import AsItStands
    from tournament.api import shapes
    from tournament.api.shapes import Entry


def standings_json(event: Event, standings: Standings) -> "shapes.Standings":
    """Return the ranking in the form of the contract, best first, totals in points."""
    rows = [cast("shapes.StandingRow", json_row(row)) for row in standings.rows]
    answer: shapes.Standings = {"event": event.slug, "rows": rows}
    out = [row for row in standings.unranked if row.announced]
    if out:
        answer["disqualified"] = [{"player": row.name, "reason": row.public_reason or None} for row in out]
    return answer


def can_win_json(event: Event, stands: "AsItStands") -> "list[shapes.Contender]":
    """Return who can still win in the last hands of an event, by total as the tables are now."""
    names = dict(list_names(event))
    return [
        {
            "number": row.number,
            "player": names[row.number],
            "total": row.total,
            "table": row.table or None,
            "certain": row.certain,
        }
        for row in stands.rows
    ]


def head_json(head: Head) -> "shapes.Head":
    """Return a signed head of the record."""
    return {
        "size": head.size,
        "root": head.root,
        "words": head.words,
        "round": head.round or None,
        "at": moment(head.at),
        "public_key": head.public_key,
        "signature": head.signature,
    }


def rounds_json(event: Event) -> "list[shapes.Round]":
    """Return the rounds that are drawn, in order."""
    seen = get_public_view(event)
    return [_round(event, row, seen) for row in list_rounds(event)]


def round_table_json(table: TableResult) -> "shapes.RoundTable":
    """Return who sits at a table of a round, with results where they are public."""
    return {
        "table": table.number,
        "results": table.shown,
        "live": table.live,
        "seats": [_round_seat(table, seat) for seat in table.seats],
    }


def table_json(event: Event, table: LoadedTable) -> "shapes.Table":
    """Return a table: points throughout, seats from 0, `last_seq` what the next writer must have seen.

    `confirmed` is None where the event asks no second person. `final` is what the ranking counts: a replaced player
    has no place. Scores of a table that is signed, or counts while it is corrected, have the leftover riichi sticks in
    them, as those of `final`.
    """
    state, say = table.state, without_hidden_names(event)
    counts = table.signed or get_public_view(event).shows(table.round)
    scores = table.final.scores if counts else state.scores
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
                "score": scores[player.seat],
                "substitute": _substitute(table.replaced.get(player.seat)),
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
        "hands": [_hand(row, say) for row in list_hands(table)],
        "final": _final(table) if table.signed else None,
    }


def _round(event: Event, row: RoundRow, seen: PublicView) -> "shapes.Round":
    return {
        "round": row.number,
        "state": "held" if row.number in seen.held_rounds else row.state,
        "planned_start": _moment(planned_start(event, row.number)),
        "started_at": _moment(row.started_at),
        "results": seen.shows(row.number),
    }


def _round_seat(table: TableResult, seat: SeatResult) -> "shapes.RoundSeat":
    return {
        "seat": seat.player.seat,
        "number": seat.player.number,
        "name": seat.player.name,
        "substitute": _substitute(seat.substitute),
        "score": seat.score if table.shown else None,
        "place": seat.place if table.shown else None,
        "shared": table.shown and seat.shared,
        "uma": seat.uma if table.shown else None,
        "result": seat.result if table.shown else None,
    }


def _substitute(substitute: Substitute | None) -> "shapes.Substitute | None":
    return None if substitute is None else {"name": substitute.name, "when": substitute.when}


def _hand(row: HandRow, say: Said) -> "shapes.Hand":
    out: shapes.Hand = {"number": row.number, "seq": row.seq, "void": row.hand is None, "reason": say(row.reason)}
    if row.hand is None:
        return out
    before, entry = row.hand.before, say_entry(row.hand.entry, say)
    return {
        **out,
        "entry": cast("Entry", to_json(entry)),
        "line": write(entry),
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


def _final(table: LoadedTable) -> "shapes.Final":
    final, counted = table.final, table.counted
    out: shapes.Final = {
        "scores": list(final.scores),
        "leftover": final.leftover,
        "places": list(counted.places),
        "uma": list(counted.uma),
        "results": list(counted.results),
    }
    return {**out, "chips": list(final.chips)} if final.chips else out


def _moment(at: dt.datetime | None) -> str | None:
    """Write a moment in UTC, in ISO 8601 to the second."""
    return at.astimezone(dt.UTC).isoformat(timespec="seconds") if at else None
