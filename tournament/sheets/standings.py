"""The standings as a wall list: rank, name, total, penalties and each round's result.

Prints rows in the order given; never ranks, adds or rounds.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.sheets.columns import StandingRow
from tournament.sheets.figures import name_size, rank_text, signed_thousands
from tournament.sheets.render import Leaves, print_leaves
from tournament.sheets.rows import EventHead

# Up to so many rounds the list stands upright, then it lies on its side, then its results are set smaller.
ROUNDS_UPRIGHT = 6
ROUNDS_WIDE = 9
NO_RESULT = "\N{EN DASH}"


def standings_pdf(head: EventHead, rows: Sequence[StandingRow], as_of_round: int) -> bytes:
    """Make the standings after a round; 0 for `as_of_round` means before the first."""
    return print_leaves(standings_leaves(head, rows, as_of_round), head).pdf


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
