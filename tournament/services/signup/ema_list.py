"""The verb that takes a list of EMA's players, so that a number finds its name, country and club."""

import csv
import io
from dataclasses import dataclass

from django.db import transaction

from scoring.problems import error
from tournament.imports.countries import find_country
from tournament.imports.encoding import decode_text
from tournament.imports.names import clean_name
from tournament.models import Account, EmaPlayer
from tournament.refusal import Refused
from tournament.services.core.clock import now
from tournament.services.core.writing import append_audit

MOST_ROWS = 100_000
HEADINGS = {
    "number": {"number", "ema number", "ema", "ema id", "id"},
    "name": {"name", "player", "full name"},
    "first": {"first name", "firstname", "given name"},
    "last": {"last name", "lastname", "surname", "family name"},
    "country": {"country", "nation", "federation"},
    "club": {"club", "association"},
}


@dataclass(frozen=True, slots=True)
class Taken:
    """How many lines were taken, and the rows of the file that have no number or no name."""

    players: int
    left_out: tuple[int, ...]


def take_ema_list(*, data: bytes, by: Account) -> Taken:
    """Replace the list by that of a csv file with the columns number, name (or first and last name), country, club.

    Raises Refused for a file without numbers and names.
    """
    found, left_out = _read(decode_text(data).text)
    if not found:
        raise Refused(error("ema_list.nothing"))
    with transaction.atomic():
        EmaPlayer.objects.all().delete()
        EmaPlayer.objects.bulk_create(found.values(), batch_size=1000)
        append_audit(None, "ema_list_taken", {"count": len(found)}, by=str(by.uid), at=now())
    return Taken(len(found), tuple(left_out))


def _read(text: str) -> tuple[dict[str, EmaPlayer], list[int]]:
    head = text.partition("\n")[0]
    sign = max(",;\t", key=head.count)
    rows = csv.reader(io.StringIO(text), delimiter=sign)
    columns = _columns(next(rows, []))
    found, left_out = dict[str, EmaPlayer](), list[int]()
    for number, row in enumerate(rows, start=2):
        if number > MOST_ROWS:
            raise Refused(error("ema_list.too_long", most=MOST_ROWS))
        cells = {key: row[at].strip() if at < len(row) else "" for key, at in columns.items()}
        name = clean_name(cells.get("name") or f"{cells.get('first', '')} {cells.get('last', '')}")
        ema = cells.get("number", "").zfill(8)
        if name and len(ema) == 8 and ema.isascii() and ema.isdigit() and int(ema):
            country = find_country(cells.get("country", "")) or ""
            found[ema] = EmaPlayer(number=ema, name=name[:60], country=country, club=cells.get("club", "")[:80])
        elif any(row):
            left_out.append(number)
    return found, left_out


def _columns(heads: list[str]) -> dict[str, int]:
    said = [head.strip().casefold().replace("_", " ").removeprefix("\ufeff") for head in heads]
    return {key: next(at for at, head in enumerate(said) if head in names) for key, names in HEADINGS.items()
            if any(head in names for head in said)}  # fmt: skip
