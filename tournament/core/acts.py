"""Acts: what the audit trail can hold, each declared once beside the function that does it."""

import inspect
import pkgutil
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from functools import cache
from importlib import import_module


class Seals(Enum):
    """How an act seals the rows that it leaves changed."""

    ALL = auto()  # compares all rows that move a standing before and after
    OWN = auto()  # changes no such row, or seals those that it writes: nothing is read
    WRITTEN = auto()  # as OWN; signs a head where there is one, as ALL does
    SHEET = auto()  # as OWN; signs a head where the round of its details is released
    RELEASE = auto()  # as OWN; signs the head of the round of its details


class Shown(Enum):
    """Where an act can be seen without signing in."""

    PUBLIC = auto()  # on public pages, which are kept until such an act
    WALL = auto()  # on the hall screen alone: 500 phones need not ask again for each place of the prize giving
    DESK = auto()  # nowhere, or only on pages that are made for each reader


class Group(Flag):
    """Acts that a query asks for together."""

    LEDGER = auto()  # they write a row of a ledger
    REGISTER = auto()  # they write one where their details have a `seq`: a chombo comes or goes
    RULES = auto()  # they change the rules of an event
    PLAYER_LIST = auto()  # they change the list of players
    RENUMBERING = auto()  # they free numbers of players


NO_GROUP = Group(0)


@dataclass(frozen=True, slots=True)
class Act:
    """One kind of row of the audit trail.

    `name` is stored, in the past tense: it never changes. `sentence` is the English text, without its subject, that the
    trail translates and fills with the row's details; "" for an act that no trail shows. `without_reason` replaces it
    where the details have no reason. Without `shown` an act that reads all rows is public and any other is not, but
    where the regular expression `shown_where` matches a part of its details, as they are stored.
    """

    name: str
    sentence: str
    seals: Seals = Seals.ALL
    shown: Shown | None = None
    shown_where: str = ""
    groups: Group = NO_GROUP
    without_reason: str = ""
    feature: str = field(init=False)  # the folder of the module that declares it

    def __post_init__(self) -> None:
        """Register the act; raises ValueError for a name that is declared already."""
        frame = inspect.currentframe()
        while frame and frame.f_globals["__name__"] == __name__:  # this function and the __init__ of the dataclass
            frame = frame.f_back
        module = frame.f_globals["__name__"] if frame else ""
        object.__setattr__(self, "feature", module.removeprefix("tournament.").partition(".")[0])
        if self.name in _ACTS:
            raise ValueError(f"The act {self.name} is declared twice.")
        _ACTS[self.name] = self

    @property
    def place(self) -> Shown:
        """Where it can be seen."""
        return self.shown or (Shown.PUBLIC if self.seals is Seals.ALL or self.shown_where else Shown.DESK)


_ACTS: dict[str, Act] = {}


@cache
def import_declarations() -> None:
    """Import every module of the program, which declare acts and problems; at the first question that needs them all.

    Most commands need few of them: this takes some three seconds.
    """
    for room in ("scoring", "tournament", "web"):
        for module in pkgutil.walk_packages(import_module(room).__path__, f"{room}."):
            if not module.name.endswith(("asgi", "wsgi")) and ".migrations" not in module.name:
                import_module(module.name)


def find_act(name: str) -> Act | None:
    """Return the act of this name, None for one that this program does not know."""
    import_declarations()
    return _ACTS.get(name)


def list_acts() -> list[Act]:
    """List all acts."""
    import_declarations()
    return list(_ACTS.values())


def list_act_names(groups: Group) -> list[str]:
    """Return the names of the acts of one of these groups."""
    return [act.name for act in list_acts() if act.groups & groups]


def list_acts_of(features: Collection[str]) -> list[str]:
    """Return the names of the acts that modules of these features declare."""
    return [act.name for act in list_acts() if act.feature in features]
