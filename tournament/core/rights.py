"""Rights at an event: one table of verbs and the roles that have each. Pure data.

A view names the verb that it needs (tournament.pages.permissions), never a role. The words of verbs and roles are in
tournament.accounts.messages.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.entries import Chombo, Correction, Entry, Totals
from tournament.accounts.models import ANY_TABLE, Role


class Right(StrEnum):
    """What can be done at an event's desk, one line each."""

    SEE_TABLE = "see_table"  # the hand page of a table, with what a hand being typed would pay
    SEE_DESK = "see_desk"  # every table, call, penalty and standing, results that are held among them
    PRINT = "print"  # sheets and booklets, which hold what the desk shows
    ENTER_HANDS = "enter_hands"  # the next hand of a table
    CALL_REFEREE = "call_referee"  # to a table
    ENTER_SHEETS = "enter_sheets"  # totals of a sheet, signing with them, the second entry or look at a sheet
    CORRECT_HANDS = "correct_hands"  # replace, put in, make void; points moved by hand; players in the wrong seats
    REOPEN_TABLES = "reopen_tables"  # a signed table whose round is not released
    RULE = "rule"  # answer calls, write down the ruling, give penalties and cancel them, chombo among them
    RUN_CLOCK = "run_clock"  # start, pause and stop a round's clock, give a table minutes
    CHECK_IN = "check_in"  # tick who is here and which tables are ready
    SUBSTITUTE = "substitute"  # put somebody in a player's seat, and take them out
    ANNOUNCE = "announce"  # on the wall and on phones
    REOPEN_RELEASED = "reopen_released"  # a signed table whose results everybody has seen
    DECIDE_SHEETS = "decide_sheets"  # which of two readings of a sheet counts
    EXCHANGE_PLAYERS = "exchange_players"  # two people played under each other's name: give them their games
    MANAGE_DEVICES = "manage_devices"  # let table devices in and shut them out
    MANAGE_PLAYERS = "manage_players"  # the list of players, who leaves and who is back
    DRAW_SEATS = "draw_seats"  # draw, publish, swap and import seats
    RELEASE_ROUNDS = "release_rounds"  # make a round's results count for everybody
    PUBLISH = "publish"  # what the public sees and when, held results, the prize giving
    IMPORT = "import"  # results, penalties and games from files, and take an import back
    EXPORT = "export"  # the event and its results as files, with what they say of people
    CHANGE_RULES = "change_rules"  # and the amounts of fouls
    CHANGE_SETTINGS = "change_settings"  # languages, timetable, wall, second person, teams; the audit trail
    MANAGE_PRIVACY = "manage_privacy"  # who is shown by name, how long data is kept, exported and erased
    MANAGE_MEMBERS = "manage_members"  # invite, change and take away roles below one's own
    HAND_ON = "hand_on"  # make somebody else the owner
    DELETE_EVENT = "delete_event"  # with all that it has


ROLES_BY_RANK = (Role.VIEWER, Role.SCORER, Role.REFEREE, Role.HEAD_REFEREE, Role.ORGANISER, Role.OWNER)
"""Each role has all rights of the one before it. A table device is outside."""


def _from(lowest: Role) -> frozenset[Role]:
    return frozenset(ROLES_BY_RANK[ROLES_BY_RANK.index(lowest) :])


DEVICE = frozenset({Role.TABLE_DEVICE})

RIGHTS_BY_ROLE: Mapping[Right, frozenset[Role]] = {
    Right.SEE_TABLE: _from(Role.VIEWER) | DEVICE,
    Right.SEE_DESK: _from(Role.VIEWER),
    Right.PRINT: _from(Role.VIEWER),
    Right.ENTER_HANDS: _from(Role.SCORER) | DEVICE,
    Right.CALL_REFEREE: _from(Role.SCORER) | DEVICE,
    Right.ENTER_SHEETS: _from(Role.SCORER),
    Right.CORRECT_HANDS: _from(Role.REFEREE),
    Right.REOPEN_TABLES: _from(Role.REFEREE),
    Right.RULE: _from(Role.REFEREE),
    Right.RUN_CLOCK: _from(Role.REFEREE),
    Right.CHECK_IN: _from(Role.REFEREE),
    Right.SUBSTITUTE: _from(Role.REFEREE),
    Right.ANNOUNCE: _from(Role.REFEREE),
    Right.REOPEN_RELEASED: _from(Role.HEAD_REFEREE),
    Right.DECIDE_SHEETS: _from(Role.HEAD_REFEREE),
    Right.EXCHANGE_PLAYERS: _from(Role.HEAD_REFEREE),
    Right.MANAGE_DEVICES: _from(Role.HEAD_REFEREE),
    Right.MANAGE_PLAYERS: _from(Role.ORGANISER),
    Right.DRAW_SEATS: _from(Role.ORGANISER),
    Right.RELEASE_ROUNDS: _from(Role.ORGANISER),
    Right.PUBLISH: _from(Role.ORGANISER),
    Right.IMPORT: _from(Role.ORGANISER),
    Right.EXPORT: _from(Role.ORGANISER),
    Right.CHANGE_RULES: _from(Role.ORGANISER),
    Right.CHANGE_SETTINGS: _from(Role.ORGANISER),
    Right.MANAGE_PRIVACY: _from(Role.ORGANISER),
    Right.MANAGE_MEMBERS: _from(Role.ORGANISER),
    Right.HAND_ON: _from(Role.OWNER),
    Right.DELETE_EVENT: _from(Role.OWNER),
}


# what an entry takes by its kind, a line typed on a page as one sent by the API; any other is a hand
_TAKES: Mapping[str, Right] = {
    Correction.kind: Right.CORRECT_HANDS,
    Chombo.kind: Right.RULE,
    Totals.kind: Right.ENTER_SHEETS,
}


def right_for_entry(entry: Entry | None, *, corrects: bool) -> Right:
    """Return the verb that an entry needs; `corrects` where it replaces a hand, voids one or goes before one."""
    if corrects or entry is None:
        return Right.CORRECT_HANDS if corrects else Right.ENTER_HANDS
    return _TAKES.get(entry.kind, Right.ENTER_HANDS)


@dataclass(frozen=True, slots=True)
class Rights:
    """An account's role at an event, None for none, and the table of a table device.

    `round` is given for a player's phone, whose table is one of that round; a table device's is of the round played.
    """

    role: Role | None = None
    table: int | None = None
    round: int | None = None

    def may(self, verb: Right) -> bool:
        """Tell whether the role has a right; a table device's holds only at tables that it `reaches`."""
        return self.role in RIGHTS_BY_ROLE[verb]

    def reaches(self, table: int | None) -> bool:
        """Tell whether a table, None for a page of none, is open to the role: to a device only its own."""
        return self.role is not Role.TABLE_DEVICE or (table is not None and self.table in (ANY_TABLE, table))

    def verbs(self) -> frozenset[Right]:
        """Return all rights."""
        return frozenset(verb for verb in Right if self.may(verb))


def is_higher_role(giver: Rights, role: Role) -> bool:
    """Tell whether `giver` may give or remove a role: one below their own, and no device's."""
    return (
        giver.role in ROLES_BY_RANK
        and giver.may(Right.MANAGE_MEMBERS)
        and role in ROLES_BY_RANK
        and ROLES_BY_RANK.index(role) < ROLES_BY_RANK.index(giver.role)
    )
