"""Results by round, certificates and the full log of the event.

Prints what it is given, in the order given; adds, ranks and words nothing.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.sheets.columns import StandingRow
from tournament.sheets.figures import WINDS, count_text, moment_text, name_size, rank_text, signed_thousands
from tournament.sheets.render import Leaves
from tournament.sheets.rows import (
    EventHead,
    GameRow,
    LogHand,
    LogRound,
    LogTable,
    ResultRound,
)

# Up to so many rounds the list stands upright, then it lies on its side, then its results are set smaller.
ROUNDS_UPRIGHT = 6
ROUNDS_WIDE = 9
NO_RESULT = "\N{EN DASH}"


def standings_leaves(head: EventHead, rows: Sequence[StandingRow], as_of_round: int) -> Leaves:
    """Give the standings as standings_pdf prints them."""
    return Leaves("standings", (standings_values(head, rows, as_of_round),))


def standings_values(head: EventHead, rows: Sequence[StandingRow], as_of_round: int) -> dict[str, Any]:
    """Give the standings template what it shows."""
    played = max((len(row.results) for row in rows), default=0)
    return {
        "after": _after(head, as_of_round),
        "lines": [_line(row, played) for row in rows],
        "round_numbers": range(1, played + 1),
        "any_shared": any(row.shared for row in rows),
        "layout": _layout(played),
    }


def _after(head: EventHead, as_of_round: int) -> str:
    if not as_of_round:
        return _("Before round 1.")
    return _("After round %(round)d of %(rounds)d.") % {"round": as_of_round, "rounds": head.rounds}


def _layout(played: int) -> str:
    if played <= ROUNDS_UPRIGHT:
        return "upright"
    return "wide" if played <= ROUNDS_WIDE else "wide dense"


def _line(row: StandingRow, played: int) -> dict[str, Any]:
    results = [*row.results, *[None] * (played - len(row.results))]
    return {
        "rank": rank_text(row.rank, shared=row.shared),
        "name": row.name,
        "size": name_size(row.name),
        "total": signed_thousands(row.total),
        "penalties": signed_thousands(-row.penalties) if row.penalties else "",
        "carried": pgettext("between the parts of a line", "; ").join(
            _("carried %(points)s of %(of)s after round %(round)d")
            % {"points": signed_thousands(each.points), "of": signed_thousands(each.of), "round": each.after_round}
            for each in row.carried
        ),
        "results": [NO_RESULT if points is None else signed_thousands(points) for points in results],
    }


NOTHING = "\N{EN DASH}"
CERTIFICATES_AT_ONCE = 6
TABLES_AT_ONCE = 6


def results_leaves(rounds: Sequence[ResultRound]) -> Leaves:
    """Give the results of rounds, each from a page of its own on."""
    return Leaves("results", tuple(_round(each) for each in rounds) or ({"round": None, "tables": []},))


def _round(played: ResultRound) -> dict[str, Any]:
    tables = [{"number": table.number, "lines": [_game(game) for game in table.games]} for table in played.tables]
    return {"round": played.number, "tables": tables}


def _game(game: GameRow) -> dict[str, Any]:
    return {
        "wind": WINDS[game.seat],
        "name": game.name,
        "size": name_size(game.name),
        "substitute": game.substitute,
        "points": count_text(game.points),
        "place": rank_text(game.place, shared=game.shared) if game.place else NOTHING,
        "uma": signed_thousands(game.uma),
        "result": signed_thousands(game.result),
    }


def certificates_leaves(rows: Sequence[StandingRow], best: int) -> Leaves:
    """Give a certificate for each who has played and whose rank is `best` or better; 0 for all.

    Raises ValueError where there is none.
    """
    won = [row for row in rows if row.games and (not best or row.rank <= best)]
    if not won:
        raise ValueError("there is nobody to print a certificate for")
    certificates = [
        {
            "name": row.name,
            "size": name_size(row.name),
            "rank": row.rank,
            "shared": row.shared,
            "total": signed_thousands(row.total),
            "games": row.games,
            "page": page,
        }
        for page, row in enumerate(won, start=1)
    ]
    starts = range(0, len(certificates), CERTIFICATES_AT_ONCE)
    common = {"players": len(rows), "last_page": len(certificates)}
    return Leaves(
        "certificates",
        tuple({**common, "certificates": certificates[start : start + CERTIFICATES_AT_ONCE]} for start in starts),
    )


def event_log_leaves(head: EventHead, rounds: Sequence[LogRound]) -> Leaves:
    """Give every hand of every table, a few tables a portion; times in the zone of `head.printed_at`."""
    portions = [
        {"round": each.number, "part": f"{part}", "tables": [_log_table(head, table) for table in tables]}
        for each in rounds
        for part, tables in enumerate(_split(each.tables), start=1)
    ]
    return Leaves("event_log", tuple(portions) or ({"round": None, "tables": []},))


def _split(tables: Sequence[LogTable]) -> list[Sequence[LogTable]]:
    return [tables[start : start + TABLES_AT_ONCE] for start in range(0, len(tables), TABLES_AT_ONCE)]


def _log_table(head: EventHead, table: LogTable) -> dict[str, Any]:
    return {
        "number": table.number,
        "seats": [(seat + 1, WINDS[seat], name) for seat, name in enumerate(table.names)],
        "hands": [_log_hand(head, hand) for hand in table.hands],
        "closing": table.closing,
        "width": len(table.names) + 5,
    }


def _log_hand(head: EventHead, hand: LogHand) -> dict[str, Any]:
    return {
        "hand": hand,
        "at": moment_text(hand.at.astimezone(head.printed_at.tzinfo)),
        "seats": [
            (signed_points(change), count_text(score)) for change, score in zip(hand.changes, hand.scores, strict=True)
        ],
        "void": not hand.scores,
    }


def signed_points(points: int) -> str:
    """Write a change in points with its sign.

    >>> signed_points(8000), signed_points(-1000), signed_points(0)
    ('+8,000', '−1,000', '0')
    """
    return f"{'+' if points > 0 else ''}{count_text(points)}"
