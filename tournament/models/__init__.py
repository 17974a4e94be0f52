"""The tables of the database, one file for each thing that happens at an event.

Models hold columns, constraints and what follows from one row alone; verbs are in `services`, reading in `selectors`.
"""

from tournament.models.access import Account, EntryLink, Membership, Role
from tournament.models.audit import AuditRow
from tournament.models.calls import RefereeCall
from tournament.models.clock import ClockPause, TableTime
from tournament.models.cuts import Cut, CutCarry, CutOthers
from tournament.models.devices import ANY_TABLE, TableDevice
from tournament.models.drafts import DraftState, DrawDraft
from tournament.models.draw import Round, Seat, Table
from tournament.models.event import Event, Hold, Language, LiveOthers, LiveTables, SecondPerson, SheetNumbers
from tournament.models.ledger import LedgerEntry
from tournament.models.limits import Tries
from tournament.models.penalties import Penalty, PenaltyKind
from tournament.models.people import Person, Player
from tournament.models.presence import DeskPresence
from tournament.models.sessions import DeskSession
from tournament.models.sheets import SheetCheck, SheetRow, TypedSheet
from tournament.models.substitutions import SubstituteWhen, Substitution
from tournament.models.wall import Announcement, Wall, WallPage

__all__ = [
    "ANY_TABLE",
    "Account",
    "Announcement",
    "AuditRow",
    "ClockPause",
    "Cut",
    "CutCarry",
    "CutOthers",
    "DeskPresence",
    "DeskSession",
    "DraftState",
    "DrawDraft",
    "EntryLink",
    "Event",
    "Hold",
    "Language",
    "LedgerEntry",
    "LiveOthers",
    "LiveTables",
    "Membership",
    "Penalty",
    "PenaltyKind",
    "Person",
    "Player",
    "RefereeCall",
    "Role",
    "Round",
    "Seat",
    "SecondPerson",
    "SheetCheck",
    "SheetNumbers",
    "SheetRow",
    "SubstituteWhen",
    "Substitution",
    "Table",
    "TableDevice",
    "TableTime",
    "Tries",
    "TypedSheet",
    "Wall",
    "WallPage",
]
