"""Verbs of a game signed by its players: codes are made for the seats of a finished game, each answers once.

A code is shown when it is made and can be made again only from the same request; stored is a keyed hash. All yes signs
the sheet, a no calls the referee and stops the others. Who says yes has said it to one set of hands: see `SeatCode`.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.calls.actions import MAX_COMPLAINT, MAX_QUESTION, call_referee
from tournament.core.acts import Act, Seals
from tournament.core.errors import DomainError
from tournament.core.transaction import (
    ENTRY_CLIENT_ID_USED,
    EventChange,
    check_length,
    event_transaction,
    require_text,
    table_details,
)
from tournament.events.models import Event
from tournament.phone_signing.models import SeatCode
from tournament.phone_signing.queries import SALT, code_state, hash_code, list_batch, may_sign_on_phones
from tournament.sheets.actions import check_no_objection, check_presence, is_signed, last_sheet, sign_table
from tournament.sheets.queries import call_id
from tournament.tables.models import Table
from tournament.tables.queries import LoadedTable, load_tables

PHONE_SIGNING_SET = Act("phone_signing_set", "set whether players may sign on their phones: {allowed}", Seals.OWN)
SEAT_CODES_MADE = Act("seat_codes_made", "created codes for the seats of round {round}, table {table}", Seals.OWN)
SEAT_YES_TYPED = Act(
    "seat_yes_typed", "typed the yes of player {player} to the scores of round {round}, table {table}", Seals.OWN
)
SEAT_SAID_YES = Act(
    "seat_said_yes", "player {player} said yes to the scores of round {round}, table {table}", Seals.OWN
)
SEAT_NO_TYPED = Act(
    "seat_no_typed", "typed for player {player} that something is wrong at round {round}, table {table}", Seals.OWN
)
SEAT_SAID_NO = Act(
    "seat_said_no", "player {player} said that something is wrong at round {round}, table {table}", Seals.OWN
)

CODE_NOT_NOW = ProblemType(
    "code.not_now", "Players of table {table} cannot sign on phones now: the game has to be over, and not signed."
)
CODE_SAID = ProblemType("code.said", "This seat has answered already.", ("table",))
CODE_SIGNED = ProblemType("code.signed", "The sheet of table {table} is signed.")
CODE_STOPPED = ProblemType(
    "code.stopped", "Somebody at table {table} says that something is wrong: a referee is called."
)
CODE_STALE = ProblemType(
    "code.stale", "A hand of table {table} was changed, or newer codes were made: this code no longer counts."
)
CODE_ENDED = ProblemType("code.ended", "This code is too old. Ask the referee for a new one.", ("table",))
CODE_WORDS_MISSING = ProblemType("code.words_missing", "Say what is wrong.")

SIGNS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 32 without those that look alike
LENGTH: Final = 10  # 50 bits
MAX_TYPED: Final = 4 * LENGTH  # with spaces and dashes
VALID: Final = dt.timedelta(hours=2)

Said = Literal["yes", "signed", "no"]
REFUSALS: Final = {
    "said": CODE_SAID, "signed": CODE_SIGNED, "stopped": CODE_STOPPED, "stale": CODE_STALE, "ended": CODE_ENDED,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NewSeatCode:
    """The code of a seat, which can be read only now."""

    seat: int
    code: str


def set_phone_signing(*, event: Event, allowed: bool, by: Account) -> bool:
    """Let players sign finished games on their phones, or not; return whether that is new."""
    with event_transaction(event, PHONE_SIGNING_SET, by=by) as change:
        change.details = {"allowed": "yes" if allowed else "no"}
        return change.set_event(phone_signing=allowed)


def make_seat_codes(*, table: Table, client_id: UUID, here: bool = False, by: Account) -> list[NewSeatCode]:
    """Make a code for each seat of a finished game; those made before count no more, with all that was said by them.

    A known `client_id` changes nothing and returns the same codes. Raises DomainError where players may not sign now,
    and without `here` for players who are not checked in: see `sign_table`.
    """
    with event_transaction(table.round.event, SEAT_CODES_MADE, by=by) as change:
        known = list(SeatCode.objects.filter(batch=client_id).order_by("seat"))
        if known:
            if any(row.table_id != table.pk for row in known):
                raise DomainError(ENTRY_CLIENT_ID_USED())
            change.mark_unchanged()
            return [NewSeatCode(row.seat, _code(client_id, table.pk, row.seat)) for row in known]
        check_no_objection(table)
        (loaded,) = load_tables(change.event, ids=[table.pk])
        if not may_sign_on_phones(change.event, loaded):
            raise DomainError(CODE_NOT_NOW(table=table.number))
        check_presence(change, table, here=here)
        made = store_seat_codes(table, loaded, client_id, change)
        change.details = table_details(table)
    return made


def store_seat_codes(
    table: Table, loaded: LoadedTable, batch: UUID, change: EventChange, *, yes: int | None = None
) -> list[NewSeatCode]:
    """Store a code for each seat within a change, and return them; the seat `yes` has said so already."""
    made = [NewSeatCode(player.seat, _code(batch, table.pk, player.seat)) for player in loaded.seats]
    sheet, players = last_sheet(table), dict(table.seats.values_list("seat", "player"))
    SeatCode.objects.bulk_create(
        SeatCode(
            table=table,
            batch=batch,
            seat=each.seat,
            player_id=players[each.seat],
            code_hash=hash_code(each.code),
            ledger_seq=loaded.last_seq,
            sheet=sheet.seq if sheet else 0,
            made_by=change.by,
            made_at=change.at,
            ends_at=change.at + VALID,
            **({"answer": SeatCode.Answer.YES, "answered_at": change.at} if each.seat == yes else {}),
        )
        for each in made
    )
    return made


def _code(batch: UUID, table: int, seat: int) -> str:
    """Return the code of a seat: from the request that made it and the desk's key, so that a repeat shows it again."""
    drawn = salted_hmac(f"{SALT}.code", f"{batch}/{table}/{seat}", algorithm="sha256").digest()
    return "".join(SIGNS[byte % len(SIGNS)] for byte in drawn[:LENGTH])


def confirm_result(*, code: SeatCode, by: Account | None = None) -> Said:
    """Say yes to the scores of a finished game, from a seat; the last yes signs its sheet. Once, and repeats are known.

    `by` is who typed it in a session of their own: the trail names them, not the player, and the sheet is theirs where
    any yes was typed. Raises DomainError for a code that does not count (any more), and where the seat has said no.
    """
    with transaction.atomic():
        with event_transaction(code.table.round.event, SEAT_YES_TYPED if by else SEAT_SAID_YES, by=by) as change:
            answered = _answer(code, SeatCode.Answer.YES, change)
            if answered is None:
                return "signed" if is_signed(code.table) else "yes"
            loaded, batch = answered
        if not all(row.answer == SeatCode.Answer.YES for row in batch):
            return "yes"
        sign_table(
            table=code.table,
            totals=loaded.final.scores,
            leftover=loaded.state.sticks * loaded.rules.riichi_deposit,
            expected_seq=loaded.last_seq,
            said=[_said_by(row) for row in batch],
            here=True,  # asked when the codes were made
            by=_typist(batch),
        )
    return "signed"


def dispute_result(*, code: SeatCode, words: str, by: Account | None = None) -> Said:
    """Say what is wrong with a finished game, from a seat: this calls the referee and stops the other seats.

    `by` as in `confirm_result`. Raises DomainError as `confirm_result`, and for no words or too many.
    """
    with transaction.atomic():
        with event_transaction(code.table.round.event, SEAT_NO_TYPED if by else SEAT_SAID_NO, by=by) as change:
            check_length("question", words, MAX_QUESTION)
            why = require_text(words, CODE_WORDS_MISSING, MAX_QUESTION)
            if _answer(code, SeatCode.Answer.NO, change) is None:
                return "no"
        call = call_referee(table=code.table, client_id=call_id(code), question=why, by=by)
        if why not in call.question:  # somebody had called before: the words join theirs
            call.question = "; ".join(filter(None, (call.question, why)))[:MAX_COMPLAINT]
            call.save(update_fields=["question"])
    return "no"


def _answer(code: SeatCode, answer: str, change: EventChange) -> tuple[LoadedTable, list[SeatCode]] | None:
    """Write an answer under the event's lock; return the table and its codes, None where it was given before."""
    (loaded,) = load_tables(change.event, ids=[code.table_id])
    batch = list_batch(code.table_id)
    row = next((each for each in batch if each.pk == code.pk), None)
    state = code_state(row or code, batch, loaded, change.at)
    if row and row.answer == answer and state != "stale":
        change.mark_unchanged()
        return None
    if row is None or state != "open":
        raise DomainError(REFUSALS[state](table=code.table.number))
    check_no_objection(code.table)
    row.answer, row.answered_at, row.typed_by = answer, change.at, change.by
    row.save(update_fields=["answer", "answered_at", "typed_by"])
    change.details = {**table_details(code.table), "seat": row.seat, "player": row.player.number}
    return loaded, batch


def _said_by(row: SeatCode) -> dict[str, Any]:
    at = row.answered_at.isoformat(timespec="seconds") if row.answered_at else ""
    typed = {"typed_by": row.typed_by} if row.typed_by else {}
    return {"seat": row.seat, "player": row.player.number, "at": at, **typed}


def _typist(batch: Sequence[SeatCode]) -> Account | None:
    """Return who typed the last of the answers that no phone gave, None where all came from phones."""
    typed = [row for row in sorted(batch, key=lambda row: row.answered_at or row.made_at) if row.typed_by]
    return Account.objects.get(uid=typed[-1].typed_by) if typed else None
