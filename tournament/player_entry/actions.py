"""Verbs of players who type their own results: the club's code, a phone for each player, a sheet, its question to all.

Who types is a `TableDevice` of one player, with an account of its own that has no role: nobody types as the desk. What
is typed counts once every player at the table has said yes (`tournament.phone_signing`).
"""

import datetime as dt
import secrets
from collections.abc import Sequence
from uuid import UUID

from scoring.paper_sheet import PaperSheet, totals_of
from scoring.problems import ProblemType
from tournament.accounts.actions import add_device_account
from tournament.accounts.models import Account, TableDevice
from tournament.core.acts import Act, Group, Seals, Shown
from tournament.core.errors import FORM_SENT_ALREADY, DomainError, StaleTableError
from tournament.core.limits import MAX_LEDGER_REASON
from tournament.core.rate_limits import Limiter, RateLimitedError, Source
from tournament.core.transaction import EventChange, check_length, event_transaction, table_details
from tournament.events.models import Event
from tournament.open_play.actions import OPEN_STRANGER, seat_table
from tournament.phone_signing.actions import CODE_NOT_NOW, LENGTH, SIGNS, store_seat_codes
from tournament.phone_signing.models import SeatCode
from tournament.phone_signing.queries import is_to_sign
from tournament.player_entry.queries import has_started, list_active_players, seat_of
from tournament.players.actions import note_presence
from tournament.players.models import Player
from tournament.sheets.actions import check_no_objection, check_presence, check_sheet_due, judge_sheet
from tournament.tables.actions import HandRequest, append_in_transaction
from tournament.tables.history import read_payload
from tournament.tables.models import LedgerEntry, Table
from tournament.tables.queries import LoadedTable, load_tables

CLUB_CODE_MADE = Act("club_code_made", "created a code by which players type their results", Seals.OWN, Shown.WALL)
CLUB_CODE_ENDED = Act("club_code_ended", "ended the code by which players type their results", Seals.OWN, Shown.WALL)
PHONE_LET_IN = Act("phone_let_in", "let the phone of player {player} in by the club’s code", Seals.OWN)
PLAYER_SHEET_TYPED = Act(
    "player_sheet_typed",
    "typed the final scores of round {round}, table {table} as player {player} (row {seq})",
    Seals.OWN,
    groups=Group.LEDGER,
)
PLAYERS_ASKED = Act(
    "players_asked", "asked the players of round {round}, table {table} for their yes, as player {player}", Seals.OWN
)
NAME_REFUSED = Act("phone_name_refused", "refused a second phone for player {player}", Seals.OWN)
OTHER_REFUSED = Act(
    "phone_other_refused", "refused the phone of player {player}, which chose player {other} as well", Seals.OWN
)
TABLE_REFUSED = Act(
    "phone_table_refused",
    "refused what the phone of player {player} sent for round {round}, table {table}, where they do not play",
    Seals.OWN,
)
CODE_REFUSED = Act("phone_code_refused", "refused a phone with the club’s code of another event", Seals.OWN)
FLOOD_REFUSED = Act("phone_flood_refused", "refused the phone of player {player}, which sent too often", Seals.OWN)
REFUSALS = [NAME_REFUSED, OTHER_REFUSED, TABLE_REFUSED, CODE_REFUSED, FLOOD_REFUSED]

PLAYER_ENTRY_NOT_ALLOWED = ProblemType("player_entry.not_allowed", "Players no longer type results here.")
PLAYER_ENTRY_NAME_TAKEN = ProblemType(
    "player_entry.name_taken",
    "Another phone is signed in for this name. If it is lost, the organiser lets yours in: ask at the desk.",
)
PLAYER_ENTRY_OTHER_NAME = ProblemType(
    "player_entry.other_name", "This phone is signed in for another player, and types for nobody else."
)
PLAYER_ENTRY_PLAYER_UNKNOWN = ProblemType("player_entry.player_unknown", "Choose your name from the list.")
PLAYER_ENTRY_NOT_YOUR_TABLE = ProblemType(
    "player_entry.not_your_table", "You do not play at table {table}: nothing was kept."
)
PLAYER_ENTRY_SEAT_MISSING = ProblemType(
    "player_entry.seat_missing", "You play at this table too: choose your own seat."
)
PLAYER_ENTRY_NOT_STARTED = ProblemType(
    "player_entry.not_started", "Round {round} has not started: type the scores after the last hand."
)
PLAYER_ENTRY_TOO_OFTEN = ProblemType(
    "player_entry.too_often", "This phone sent too often: try again in {wait}. What was kept stays."
)

VALID = dt.timedelta(hours=18)  # a phone: an evening, or a day of a tournament
QUARTER = dt.timedelta(minutes=15)
# phones behind one router share an address: a whole hall comes in within minutes
CLAIMS = Limiter(scope="phone_claim", span=QUARTER, network=150, everybody=600)
PHONE_TRIES = Limiter(scope="phone_sent", span=QUARTER, proven=30)
TABLE_TRIES = Limiter(scope="phone_table", span=QUARTER, proven=90)
REFUSED_ROWS = Limiter(scope="phone_refused", span=QUARTER, network=10, everybody=40)  # a flood writes no more rows


def make_club_code(*, event: Event, seen: str, by: Account) -> bool:
    """Make the code by which players come in, in place of the one that was `seen`; return whether that is new."""
    with event_transaction(event, CLUB_CODE_MADE, by=by) as change:
        if change.event.club_code != seen:
            return change.mark_unchanged()
        made = change.set_event(club_code="".join(secrets.choice(SIGNS) for _ in range(LENGTH)))
        change.details = {}  # the trail does not tell it
        return made


def end_club_code(*, event: Event, by: Account) -> bool:
    """Let players type no more: the code and all their phones stop working; return whether that is new."""
    with event_transaction(event, CLUB_CODE_ENDED, by=by) as change:
        changed = change.set_event(club_code="")
        change.details = {}
        change.event.devices.filter(player__isnull=False, revoked_at=None).update(revoked_at=change.at)
        return changed


def let_phone_in(*, event: Event, number: int, name: str, client_id: UUID, network: str) -> TableDevice:
    """Let a phone in as that of a player, called `name`: one phone a player, until it has ended.

    At an open event the player is here then. A known `client_id` changes nothing and returns its phone, whose answer
    was lost.
    Raises DomainError where another one is in, and for an unknown player; RateLimitedError for too many from a network.
    """
    wait = CLAIMS.count(Source(network))
    if wait:
        raise RateLimitedError(PLAYER_ENTRY_TOO_OFTEN, wait=wait)
    with event_transaction(event, PHONE_LET_IN, by=None) as change:
        if not change.event.club_code:
            raise DomainError(PLAYER_ENTRY_NOT_ALLOWED())
        player = list_active_players(change.event).filter(number=number).first()
        if player is None:
            raise DomainError(PLAYER_ENTRY_PLAYER_UNKNOWN())
        live = change.event.devices.select_related("account").filter(player=player, revoked_at=None)
        if known := live.filter(expires_at__gt=change.at).first():
            if known.card != client_id.hex:
                raise DomainError(PLAYER_ENTRY_NAME_TAKEN())
            change.mark_unchanged()
            return known
        if change.event.is_open and not player.checked_in_at:  # who waits already keeps the place
            note_presence(change, player)
        change.details = {"player": number}
        return TableDevice.objects.create(
            event=change.event,
            account=add_device_account(name),
            player=player,
            card=client_id.hex,
            made_at=change.at,
            expires_at=change.at + VALID,
        )


def note_refused(*, event: Event, act: Act, network: str, by: Account | None = None, **details: int) -> None:
    """Write into the trail that a phone was refused; a flood of them writes no more than `REFUSED_ROWS`."""
    if not REFUSED_ROWS.count(Source(network)):
        with event_transaction(event, act, by=by) as change:
            change.details = details


def check_tries(phone: TableDevice, table: Table | None = None) -> None:
    """Count something that a phone sends, for a table; raises RateLimitedError where phone or table sent too much."""
    wait = PHONE_TRIES.count(Source(account=str(phone.pk), proven=True))
    if table and not wait:
        wait = TABLE_TRIES.count(Source(account=str(table.pk), proven=True))
    if wait:
        raise RateLimitedError(PLAYER_ENTRY_TOO_OFTEN, wait=wait)


def seat_own_table(*, phone: TableDevice, numbers: Sequence[int], hall_table: int | None, client_id: UUID) -> Table:
    """Seat the phone's player and others, by number from the first East on, at a table of an open event.

    Raises DomainError where the player is not among them, and as `seat_table`.
    """
    if _player(phone).number not in numbers:
        raise DomainError(PLAYER_ENTRY_SEAT_MISSING())
    found = {player.number: player for player in phone.event.players.filter(number__in=numbers)}
    if len(found) != len(numbers):  # a seat without a player is no smaller table
        raise DomainError(OPEN_STRANGER())
    seats = [found[number] for number in numbers]
    # by the player, as all that a phone does
    return seat_table(event=phone.event, seats=seats, hall_table=hall_table, client_id=client_id, by=phone.account)


def type_sheet(
    *, phone: TableDevice, table: Table, sheet: PaperSheet, client_id: UUID, expected_seq: int, reason: str = ""
) -> None:
    """Type the final scores of the game in which the phone's player plays, and ask the others for their yes.

    A known `client_id` changes nothing. Raises DomainError for a table of others, one with hands and a round that has
    not started, with the sheet's errors, and with warnings where no reason is given; StaleTableError with the rows
    between.
    """
    with event_transaction(phone.event, PLAYER_SHEET_TYPED, by=phone.account) as change:
        known = change.find_by_client_id(LedgerEntry.objects, client_id, table_id=table.pk)
        if known:
            if read_payload(known.payload) != totals_of(sheet, table.rules_in(change.event)):
                raise StaleTableError(FORM_SENT_ALREADY(), [known])
            return
        loaded, seat = _load_own(change, phone, table)
        check_sheet_due(table, expected_seq)
        if not has_started(change.event, table.round.number):
            raise DomainError(PLAYER_ENTRY_NOT_STARTED(round=table.round.number))
        problems = judge_sheet(sheet, reason.strip(), loaded.rules)
        if problems:
            raise DomainError(*problems)
        check_length("reason", reason, MAX_LEDGER_REASON)
        check_presence(change, table, here=True)
        entry = totals_of(sheet, loaded.rules)
        request = HandRequest(table, entry, client_id, expected_seq, reason=reason, from_sheet=True)
        entered = append_in_transaction(change, request)
        (loaded,) = load_tables(change.event, ids=[table.pk])
        store_seat_codes(table, loaded, client_id, change, yes=seat)
        change.details = {**_details(phone, table), "seq": entered.row.seq}


def ask_players(*, phone: TableDevice, table: Table, client_id: UUID) -> None:
    """Ask the players of a finished game for their yes, again or for the first time; who asks has said it.

    A known `client_id` changes nothing. Raises DomainError for a table of others, while a "no" waits for a ruling, and
    for a game that is not over.
    """
    with event_transaction(phone.event, PLAYERS_ASKED, by=phone.account) as change:
        loaded, seat = _load_own(change, phone, table)
        if SeatCode.objects.filter(batch=client_id, table=table).exists():
            change.mark_unchanged()
            return
        check_no_objection(table)
        if not is_to_sign(change.event, loaded):
            raise DomainError(CODE_NOT_NOW(table=table.number))
        check_presence(change, table, here=True)
        store_seat_codes(table, loaded, client_id, change, yes=seat)
        change.details = _details(phone, table)


def _load_own(change: EventChange, phone: TableDevice, table: Table) -> tuple[LoadedTable, int]:
    """Return a table and the seat of the phone's player; raises DomainError where they do not play there."""
    if not change.event.club_code:
        raise DomainError(PLAYER_ENTRY_NOT_ALLOWED())
    (loaded,) = load_tables(change.event, ids=[table.pk])
    seat = seat_of(loaded, _player(phone))
    if seat is None:
        raise DomainError(PLAYER_ENTRY_NOT_YOUR_TABLE(table=table.number))
    return loaded, seat


def _player(phone: TableDevice) -> Player:
    if phone.player is None:
        raise ValueError("The device of a table is no player's.")
    return phone.player


def _details(phone: TableDevice, table: Table) -> dict[str, int]:
    return {**table_details(table), "player": _player(phone).number}
