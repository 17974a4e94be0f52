"""Words for how a table is set up (see rules.procedure): seats, walls, dead wall, deal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.books import Citation
from rules.procedure import CitedProcedure, Procedure, procedure_of
from rules.ruleset import Ruleset
from tournament.text.languages import Words

NAMES: Words = {
    "seat_draw": "Seats",
    "first_dealer": "First East",
    "stacks": "Walls",
    "dice": "Breaking the wall",
    "deal": "Deal",
    "dead_wall": "Dead wall",
    "indicator": "Dora indicator",
    "replacements": "Replacement tiles",
    "refill": "During the hand",
}
_SAYS: Words = {
    "list": "The seating list says who sits where.",
    "wind_tiles": (
        "A tile of each seat's wind is shuffled face down, and each player draws one. East chooses a seat, the others "
        "sit to the right in the order of the winds. At an event the seating list takes the place of this draw."
    ),
    "first_seat": "The player named first on the seating list deals first.",
    "die_twice": (
        "The player in the East seat rolls a die and counts the players anticlockwise from themselves; who is found "
        "rolls and counts again. The player found then deals first. At an event it is the first on the seating list."
    ),
    "first_and_third": (
        "From the gap to the left, each player takes four tiles in turn, three times. Then East takes the upper tiles "
        "of the first and the third stack, and the others one tile each in turn."
    ),
    "two_on_top": (
        "From the gap to the left, each player takes four tiles in turn, three times. Then East takes two upper tiles "
        "side by side, and the others one tile each in turn."
    ),
    "one_by_one": "After each replacement the last tile of the wall joins the dead wall, which keeps %(tiles)d tiles.",
    "split_early": (
        "The dead wall may be split off early and moved during play; it is filled from the end of the wall and keeps "
        "%(tiles)d tiles."
    ),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do at a table, in a sentence or two, with its source."""

    name: str
    words: str
    citation: Citation


def say_procedure(rules: Ruleset) -> list[Step]:
    """Say how a table is set up under a rule set, in the order of doing it.

    >>> from rules.books import load
    >>> steps = {step.name: step.words for step in say_procedure(load('sanmatsuri-2026'))}
    >>> steps["Walls"], steps["Replacement tiles"]
    ('Each player builds a wall of 18 stacks, two tiles high: 108 tiles in total.', '8 tiles from the gap on, the \
upper one of a stack first, are drawn after a kan or a North.')
    """
    cited = procedure_of(rules)
    return [Step(_(NAMES[name]), _words(name, cited.procedure, rules), _citation(name, cited)) for name in NAMES]


def _citation(name: str, cited: CitedProcedure) -> Citation:
    return cited.citations["indicator" if name == "replacements" else name]


def _words(name: str, procedure: Procedure, rules: Ruleset) -> str:
    if name in _COUNTED:
        return _COUNTED[name](procedure, rules)
    return _(_SAYS[getattr(procedure, name)]) % {"tiles": procedure.dead_wall}


def _stacks(procedure: Procedure, rules: Ruleset) -> str:
    words = _("Each player builds a wall of %(stacks)d stacks, two tiles high: %(tiles)d tiles in total.")
    return words % {"stacks": procedure.stacks, "tiles": 2 * procedure.stacks * rules.players}


def _dice(procedure: Procedure, _rules: Ruleset) -> str:
    words = ngettext(
        "East rolls one die and counts the players anticlockwise from themselves: that player's wall is broken. As "
        "many stacks as the die shows stay at its right end; the gap is to their left.",
        "East rolls %(count)d dice and counts the players anticlockwise from themselves: that player's wall is broken. "
        "As many stacks as the dice show stay at its right end; the gap is to their left.",
        procedure.dice,
    )
    return words % {"count": procedure.dice}


def _dead_wall(procedure: Procedure, _rules: Ruleset) -> str:
    words = _("The %(tiles)d tiles to the right of the gap, %(stacks)d stacks, are set apart.")
    return words % {"tiles": procedure.dead_wall, "stacks": procedure.dead_wall // 2}


def _indicator(procedure: Procedure, _rules: Ruleset) -> str:
    words = _("The upper tile of stack %(stack)d from the gap is turned; later indicators follow to its right.")
    return words % {"stack": procedure.indicator}


def _replacements(procedure: Procedure, rules: Ruleset) -> str:
    if rules.kita:
        words = _("%(count)d tiles from the gap on, the upper one of a stack first, are drawn after a kan or a North.")
    else:
        words = _("%(count)d tiles from the gap on, the upper one of a stack first, are drawn after a kan.")
    return words % {"count": procedure.replacements}


_COUNTED: Mapping[str, Callable[[Procedure, Ruleset], str]] = {
    "stacks": _stacks,
    "dice": _dice,
    "dead_wall": _dead_wall,
    "indicator": _indicator,
    "replacements": _replacements,
}
