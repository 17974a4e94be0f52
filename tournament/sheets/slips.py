"""Penalty slips, four to a page, and the list of fouls on one page for the referees' table.

Slips are blank: what was given stands in the register. Amounts and words of fouls come from outside.
"""

from collections.abc import Sequence
from typing import Any

from tournament.sheets.figures import kind_word
from tournament.sheets.render import Leaves, Printed, print_leaves
from tournament.sheets.rows import EventHead, FoulSection

SLIPS = 4
KINDS = ("warning", "points", "dead_hand", "chombo", "other")
# How small the list of fouls may get so that it is one page; the last is as small as can be read.
SIZES = ("large", "middle", "small", "smallest")


def penalty_slips_leaves() -> Leaves:
    """Give a page of four slips that a referee fills in by hand."""
    return Leaves("penalty_slips", ({"slots": range(1, SLIPS + 1), "kinds": [kind_word(kind) for kind in KINDS]},))


def fouls_print(head: EventHead, sections: Sequence[FoulSection]) -> Printed:
    """Print the list of fouls; raises PaperUnavailable if this machine cannot make PDF."""
    return print_leaves(fouls_leaves(sections), head)


def fouls_leaves(sections: Sequence[FoulSection]) -> Leaves:
    """Give the list of fouls in the largest letters in which it is one page; as small as can be if it never is."""
    return Leaves("fouls", tuple(fouls_values(sections, size) for size in SIZES), fit=True)


def fouls_values(sections: Sequence[FoulSection], size: str) -> dict[str, Any]:
    """Give the template of the list of fouls what it shows."""
    return {"sections": sections, "size": size}
