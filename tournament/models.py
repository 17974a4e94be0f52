"""The tables of the database.

Models hold columns, constraints and properties of a single row; each feature has its own, and this module names
them for Django: nobody else imports it.
"""

from tournament.accounts.models import (
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
from tournament.calls.models import CallKind, RefereeCall
from tournament.core.models import AuditRow
from tournament.drill.models import CrewDrill, CrewResult
from tournament.events.models import (
    Event,
    Hold,
    LiveOthers,
    LiveTables,
    Logo,
    Photo,
    SecondPerson,
    SheetNumbers,
    Visibility,
)
from tournament.hall.models import DeskPresence
from tournament.incidents.models import Disqualification, SubstituteWhen, Substitution
from tournament.league.models import LineUp, SeasonTeam
from tournament.penalties.models import Penalty, PenaltyKind
from tournament.people.models import Alias, AliasKind, KnownPerson, Namesakes
from tournament.phone_signing.models import SeatCode
from tournament.players.models import UNGUARDED, Person, Player
from tournament.push.models import ToldPhone
from tournament.record.models import RecordHead
from tournament.relay.models import Relay, RelayCode, RelayedEvent
from tournament.rounds.models import ClockPause, TableTime
from tournament.rulesets.models import RuleSet, RuleSetVersion
from tournament.seasons.models import PostState, Season, SeasonEvent, SeasonPost
from tournament.seating.models import DraftState, DrawDraft
from tournament.sheets.models import SheetCheck, SheetRow, TypedSheet
from tournament.signup.models import (
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
from tournament.standings.models import Cut, CutCarry, CutOthers
from tournament.tables.models import LedgerEntry, Round, Seat, Table
from tournament.wall.models import Announcement, Wall, WallPage

__all__ = [
    "ACTIVE", "ANY_TABLE", "HOLDS_PLACE", "UNGUARDED", "Account", "Alias", "AliasKind", "Announcement", "AuditRow",
    "CallKind", "ClockPause", "CrewDrill", "CrewResult", "Cut", "CutCarry", "CutOthers", "DeskPresence",
    "DeskSession", "Disqualification", "DraftState", "DrawDraft", "EmaPlayer", "EntryLink", "Event", "FeePayment",
    "Hold", "KnownPerson", "LedgerEntry", "Letter", "LetterState", "LineUp", "LiveOthers", "LiveTables", "Logo",
    "Membership", "Namesakes", "Penalty", "PenaltyKind", "Person", "Photo", "Player", "PostState", "RecordHead",
    "RefereeCall", "Relay", "RelayCode", "RelayedEvent", "Role", "Round", "RuleSet", "RuleSetVersion", "Season",
    "SeasonEvent", "SeasonPost", "SeasonTeam", "Seat", "SeatCode", "SecondFactor", "SecondPerson", "SheetCheck",
    "SheetNumbers", "SheetRow", "SignUp", "SignUpPage", "SignUpState", "SubstituteWhen", "Substitution", "Table",
    "TableDevice", "TableTime", "ToldPhone", "Tries", "TypedSheet", "Visibility", "Wall", "WallPage",
]  # fmt: skip
