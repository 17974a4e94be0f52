"""The tables of the database.

Models hold columns, constraints and properties of a single row; verbs are in `services`, queries in `selectors`.
"""

from tournament.models.access import (
    ANY_TABLE,
    Account,
    DeskSession,
    EntryLink,
    Membership,
    Role,
    SecondFactor,
    TableDevice,
    Tries,
)
from tournament.models.event import (
    Event,
    Hold,
    LiveOthers,
    LiveTables,
    Logo,
    SecondPerson,
    SheetNumbers,
    Visibility,
)
from tournament.models.ledger import AuditRow, LedgerEntry, RecordHead, SheetCheck, SheetRow, TypedSheet
from tournament.models.people import (
    UNGUARDED,
    DeskPresence,
    Disqualification,
    Person,
    Player,
    SubstituteWhen,
    Substitution,
)
from tournament.models.phones import ToldPhone
from tournament.models.referee import CallKind, CrewDrill, CrewResult, Penalty, PenaltyKind, RefereeCall
from tournament.models.relay import Relay, RelayCode, RelayedEvent
from tournament.models.rounds import (
    ClockPause,
    Cut,
    CutCarry,
    CutOthers,
    DraftState,
    DrawDraft,
    Round,
    Seat,
    SeatCode,
    Table,
    TableTime,
)
from tournament.models.rule_sets import RuleSet, RuleSetVersion
from tournament.models.sign_up import (
    ACTIVE,
    HOLDS_PLACE,
    EmaPlayer,
    FeePayment,
    Letter,
    LetterState,
    SignUp,
    SignUpPage,
    SignUpState,
)
from tournament.models.wall import Announcement, Wall, WallPage

__all__ = [
    "ACTIVE", "ANY_TABLE", "HOLDS_PLACE", "UNGUARDED", "Account", "Announcement", "AuditRow", "CallKind", "ClockPause",
    "CrewDrill", "CrewResult", "Cut", "CutCarry", "CutOthers", "DeskPresence", "DeskSession", "Disqualification",
    "DraftState", "DrawDraft", "EmaPlayer", "EntryLink", "Event", "FeePayment", "Hold", "LedgerEntry", "Letter",
    "LetterState", "LiveOthers", "LiveTables", "Logo", "Membership", "Penalty", "PenaltyKind", "Person", "Player",
    "RecordHead", "RefereeCall", "Relay", "RelayCode", "RelayedEvent", "Role", "Round", "RuleSet", "RuleSetVersion",
    "Seat", "SeatCode", "SecondFactor", "SecondPerson", "SheetCheck", "SheetNumbers", "SheetRow", "SignUp",
    "SignUpPage", "SignUpState", "SubstituteWhen", "Substitution", "Table", "TableDevice", "TableTime", "ToldPhone",
    "Tries", "TypedSheet", "Visibility", "Wall", "WallPage",
]  # fmt: skip
