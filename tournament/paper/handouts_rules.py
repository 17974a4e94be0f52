"""Sheets of rules for players: what is different here, house rules, how a table is set up; each on one page."""

from collections.abc import Sequence

from tournament.pdf.drawings import wall_svg
from tournament.pdf.render import Leaves
from tournament.tables.rows import DifferenceTable, SetupStep
from tournament.text.plain_text import Block

# How small a sheet may get so that it is one page; the last is as small as can be read.
SIZES = ("huge", "large", "middle", "small", "smallest")


def differences_leaves(tables: Sequence[DifferenceTable], same_as: Sequence[str]) -> Leaves:
    """Give what is different from each book; `same_as` are sentences on books from which nothing is."""
    return Leaves(
        "differences", tuple({"tables": tables, "same_as": same_as, "size": size} for size in SIZES), fit=True
    )


def house_rules_leaves(language: str, blocks: Sequence[Block]) -> Leaves:
    """Give the house rules, written in this language; without blocks the page says that there are none."""
    return Leaves(
        "house_rules", tuple({"language": language, "blocks": blocks, "size": size} for size in SIZES), fit=True
    )


def table_setup_leaves(steps: Sequence[SetupStep], stacks: int, indicator: int) -> Leaves:
    """Give how a table is set up, with the dead wall of so many stacks as a picture."""
    return Leaves("table_setup", ({"steps": steps, "wall": wall_svg(stacks, indicator)},))
