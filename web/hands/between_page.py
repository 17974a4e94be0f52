"""What happened at a table since a page of it was made: a stamp that moves when it does, and the words for it.

It decides nothing and writes nothing; whether a hand may still be written is the verb's to say.
"""

import uuid
import zlib
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournament.models import LedgerEntry
from tournament.selectors.tables.tables import LoadedTable, names_of
from web.frame.hand_rows import between_words

PARTS = 5


def stamp_of(table: LoadedTable, bars: Mapping[str, Any]) -> str:
    """Return what a page of the table has seen of it, in five parts: ledger, sheet, second person, seats, bars.

    `bars` are the contexts of its call bar and time bar.
    """
    call = bars["open_call"]
    side = (call and (call.pk, call.answered_at), bars["time_extra"], bars["time_ends_at"], table.ready_at)
    parts = (
        table.last_seq,
        table.sheet.seq if table.sheet else 0,
        table.check.pk if table.check else 0,
        _sum((table.seats, table.substitutes)),
        _sum(side),
    )
    return ".".join(str(part) for part in parts)


def changed_words(table: LoadedTable, since: int, seen: str, now: str) -> list[str]:
    """Say what is other than on a page that had seen the row `since` and the stamp `seen`; hands, then the rest."""
    before, after = [*seen.split("."), *[""] * PARTS][:PARTS], now.split(".")
    _ledger, sheet, check, seats, bars = (old != new for old, new in zip(before, after, strict=True))
    words = between_words(table, since) if since < table.last_seq else []
    if sheet and table.sheet:
        words.append(_signer(table, _("%(name)s signed the table.") if table.signed else _("%(name)s reopened it.")))
    if check and table.check:
        words.append(_("The sheet is confirmed.") if table.check.confirmed else _("The sheet was sent back."))
    if seats:
        words.append(_("Who sits here has changed."))
    if bars:
        words.append(_("A call or the time of this table has changed."))
    return words


def is_written(table: LoadedTable, client_id: str) -> bool:
    """Tell whether a hand that a page has sent stands already: what that page shows next is its own answer."""
    try:
        found = uuid.UUID(client_id)
    except ValueError:
        return False
    return LedgerEntry.objects.filter(table=table.id, client_id=found).exists()


def _signer(table: LoadedTable, words: str) -> str:
    by = table.sheet.by if table.sheet else ""
    return words % {"name": names_of([by]).get(by) or _("Somebody")}


def _sum(value: object) -> int:
    return zlib.crc32(repr(value).encode())
