"""Codes by which players sign a finished game on their phones: which of them count now, and what was said by them."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.crypto import salted_hmac

from tournament.accounts.queries import account_names
from tournament.alllast.queries import is_over
from tournament.events.models import Event
from tournament.phone_signing.models import SeatCode
from tournament.sheets.queries import get_objection
from tournament.tables.queries import LoadedTable
from tournament.tables.round_queries import get_clock

# "open": waits for its answer · "said": has it · "signed": all said yes · "stopped": somebody said no · "ended": too
# late · "stale": the game is not the one that it was made for, or newer codes are there
CodeState = Literal["open", "said", "signed", "stopped", "stale", "ended"]
SALT = "hanchan.seat-code"


@dataclass(frozen=True, slots=True)
class SeatSaid:
    """One seat of the newest codes of a table."""

    seat: int
    state: CodeState
    answer: str
    at: dt.datetime | None
    typed_by: str  # the name of the account that gave it, "" for a phone


def hash_code(code: str) -> str:
    """Return what is stored of a code; letters and digits alone count, in any case."""
    plain = "".join(sign for sign in code.upper() if sign.isascii() and sign.isalnum())
    return salted_hmac(SALT, plain, algorithm="sha256").hexdigest()


def find_code(event: Event, code: str) -> SeatCode | None:
    """Return the seat that a code is for; one query."""
    found = SeatCode.objects.filter(code_hash=hash_code(code), table__round__event=event)
    return found.select_related("table__round__event", "player").first()


def list_batch(table: int) -> list[SeatCode]:
    """Return the newest codes of a table by seat; none where none were made. One query."""
    rows = list(SeatCode.objects.filter(table=table).order_by("pk"))
    return sorted((row for row in rows if row.batch == rows[-1].batch), key=lambda row: row.seat)


def code_state(code: SeatCode, batch: Sequence[SeatCode], table: LoadedTable, now: dt.datetime) -> CodeState:
    """Tell whether a code of a table may still answer; `batch` are the newest codes there."""
    if code not in batch or not _same_game(code, batch, table):
        return "stale"
    if table.signed:
        return "signed"
    if any(each.answer == SeatCode.Answer.NO for each in batch):
        return "stopped"
    if code.answer:
        return "said"
    return "ended" if code.ends_at <= now else "open"


def _same_game(code: SeatCode, batch: Sequence[SeatCode], table: LoadedTable) -> bool:
    """Tell whether a table has the hands and players that a code was made for, and no sheet but one that it led to."""
    seated = {player.seat: player.number for player in table.seats}
    sheet = table.sheet.seq if table.sheet else 0
    all_yes = all(each.answer == SeatCode.Answer.YES for each in batch)
    led_to = code.sheet + (1 if table.signed and all_yes else 0)
    return table.last_seq == code.ledger_seq and seated.get(code.seat) == code.player.number and sheet == led_to


def list_said(table: LoadedTable, now: dt.datetime) -> list[SeatSaid]:
    """Return what the players of a table have said by its newest codes, by seat; one query and one for their names."""
    batch = list_batch(table.id)
    names = account_names(each.typed_by for each in batch)
    return [
        SeatSaid(each.seat, code_state(each, batch, table, now), each.answer, each.answered_at, typist)
        for each in batch
        for typist in [names.get(each.typed_by, "")]
    ]


def may_sign_on_phones(event: Event, table: LoadedTable) -> bool:
    """Tell whether a table's players may sign now.

    The event lets them, the game is over and not signed, and no "no" waits for a ruling.
    """
    return event.phone_signing and not get_objection(table.id) and is_to_sign(event, table)


def is_to_sign(event: Event, table: LoadedTable) -> bool:
    """Tell whether the game of a table is over and not signed."""
    if table.signed or not table.played:
        return False
    return table.state.ended or is_over(table, get_clock(event.rounds.get(number=table.round)))
