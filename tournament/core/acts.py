"""Acts: what the audit trail can hold, each declared once beside the function that does it."""

import pkgutil
from dataclasses import dataclass
from enum import Enum, Flag, auto
from functools import cache
from importlib import import_module


class Seals(Enum):
    """How an act seals the rows that it leaves changed."""

    ALL = auto()  # compares all rows that move a standing before and after
    OWN = auto()  # changes no such row, or seals those that it writes: nothing is read
    SHEET = auto()  # as OWN; signs a head where the round of its details is released
    RELEASE = auto()  # as ALL; signs the head of the round of its details

    @property
    def reads_all(self) -> bool:
        """Whether all rows are read, before and after."""
        return self in (Seals.ALL, Seals.RELEASE)


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

    def __post_init__(self) -> None:
        """Register the act; raises ValueError for a name that is declared already."""
        if self.name in _ACTS:
            raise ValueError(f"The act {self.name} is declared twice.")
        _ACTS[self.name] = self

    @property
    def place(self) -> Shown:
        """Where it can be seen."""
        return self.shown or (Shown.PUBLIC if self.seals.reads_all or self.shown_where else Shown.DESK)


_ACTS: dict[str, Act] = {}


@cache
def _import_features() -> None:
    """Import all features, which declare their acts; at the first question: most commands need few of them."""
    tournament = import_module("tournament")
    for module in pkgutil.walk_packages(tournament.__path__, "tournament."):
        if not module.name.startswith("tournament.migrations"):
            import_module(module.name)


def find_act(name: str) -> Act | None:
    """Return the act of this name, None for one that this program does not know."""
    _import_features()
    return _ACTS.get(name)


def list_acts() -> list[Act]:
    """List all acts."""
    _import_features()
    return list(_ACTS.values())


def list_act_names(groups: Group) -> list[str]:
    """Return the names of the acts of one of these groups."""
    return [act.name for act in list_acts() if act.groups & groups]


# Acts of older programs, which no code writes any more
Act("player_renamed", "changed the name of player {number}", groups=Group.PLAYER_LIST)
Act("player_ranked", "took player {number} into the ranking: {reason}")
Act("player_unranked", "took player {number} out of the ranking: {reason}")
Act("player_teamed", "put player {number} into the team {team}")
