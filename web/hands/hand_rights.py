"""What it takes to send a hand: to enter one, to rule a chombo, to move points by hand or change what stands."""

from scoring.entries import Chombo, Correction, Entry
from tournament.rights import Verb


def verb_for(entry: Entry | None, *, corrects: bool) -> Verb:
    """Return the verb that a hand needs; `corrects` where it replaces one, voids one or goes before one."""
    if corrects or isinstance(entry, Correction):
        return Verb.CORRECT_HANDS
    return Verb.RULE if isinstance(entry, Chombo) else Verb.ENTER_HANDS
