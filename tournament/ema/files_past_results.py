"""Read a list of past EMA results: a row for each player and event, for the preview of MERS points. Stores nothing.

A row has an EMA number, the last day of the event and its weight, and either the base rank or place and players.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from scoring.mers import MOST_BASE, PastResult, base_rank
from scoring.problems import InvalidInput, Problem, ProblemType
from tournament.imports.files_cells import SheetRow, read_day, read_whole_number
from tournament.imports.listing import ListKind, list_in, too_wide
from tournament.imports.listing_columns import Header, Vocabulary
from tournament.imports.players_player_rows import EMA_DIGITS
from tournament.text.names_1 import printable

IMPORT_PAST_UNREADABLE = ProblemType("import.past_unreadable", "Row {row}: “{given}” is not {column}.")

MOST_HALVES: Final = 12
MOST_PLAYERS: Final = 1000
MOST_PROBLEMS: Final = 20
_WEIGHT = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,9})?")
_MEANINGS = {
    "ema_number": "EMA number|EMA|EMA no|EMA nr|EMA ID|player id|EMA Nummer|numéro EMA|EMA番号",
    "date": "date|last day|end|end date|Datum|letzter Tag|dernier jour|日付|最終日",
    "weight": "weight|MERS|MERS weight|coefficient|Gewicht|poids|coef|重み",
    "base": "base rank|base|ranking|points|EMA points|Basisrang|rang de base|ベースランク",
    "place": "place|position|rank|Platz|Rang|rang|classement|順位",
    "players": "players|participants|number of players|Spieler|Teilnehmer|joueurs|人数|参加者数",
}
_NOT_USED = {
    "other": "name|first name|last name|player|event|tournament|country|town|score|rules|days|Turnier|tournoi|大会",
}


def _is_complete(meanings: frozenset[str]) -> bool:
    return meanings >= {"ema_number", "date", "weight"} and ("base" in meanings or meanings >= {"place", "players"})


PAST_RESULTS = ListKind(
    Vocabulary(_MEANINGS, ignored=_NOT_USED), ("ema_number", "date", "weight", "base"), complete=_is_complete
)


@dataclass(frozen=True, slots=True)
class PastResults:
    """The results of a list by EMA number, of the players asked for; `rows` are all that were read."""

    by_number: Mapping[str, tuple[PastResult, ...]] = field(default_factory=dict)
    rows: int = 0
    problems: tuple[Problem, ...] = ()


def read_past_results(data: bytes, filename: str, numbers: Collection[str]) -> PastResults:
    """Read the past results of these EMA numbers. Raises nothing: what is wrong is in `problems`, with no results."""
    try:
        sheet = PAST_RESULTS.read(data, filename)
    except InvalidInput as refusal:
        return PastResults(problems=tuple(refusal.problems))
    listing = list_in(sheet, PAST_RESULTS)
    if listing.header is None:
        return PastResults(problems=tuple(listing.problems))
    found: defaultdict[str, list[PastResult]] = defaultdict(list)
    problems = [problem for problem in listing.problems if problem.severity == "error"]
    for row in listing.rows:
        wide = too_wide(row, listing.header, is_text=sheet.kind == "csv")
        problems += wide
        if not wide:
            number, result = _read_row(row, listing.header, problems)
            if result and number in numbers:
                found[number].append(result)
    if problems:
        return PastResults(problems=tuple(problems[:MOST_PROBLEMS]))
    return PastResults({number: tuple(results) for number, results in found.items()}, len(listing.rows))


def _read_row(row: SheetRow, header: Header, problems: list[Problem]) -> tuple[str, PastResult | None]:
    fields = header.fields(row)
    number = re.sub(r"[\s.]", "", fields["ema_number"]).zfill(EMA_DIGITS)  # spreadsheets eat a leading zero
    ended, halves, base = read_day(fields["date"]), _halves(fields["weight"]), _base(fields)
    for column, known in (("date", ended), ("weight", halves), ("base", base)):
        if known is None:
            given = printable(fields.get(column, ""))
            problems.append(IMPORT_PAST_UNREADABLE(row=row.number, column=column, given=given))
    if ended is None or halves is None or base is None:
        return number, None
    return number, PastResult(base, halves, ended)


def _halves(text: str) -> int | None:
    given = text.strip().replace(",", ".")
    halves = Decimal(given) * 2 if _WEIGHT.fullmatch(given) else Decimal(0)
    return int(halves) if 2 <= halves <= MOST_HALVES and halves == int(halves) else None


def _base(fields: Mapping[str, str]) -> int | None:
    base = read_whole_number(fields.get("base", ""))
    if base is not None:
        return base if 0 <= base <= MOST_BASE else None
    place, players = (read_whole_number(fields.get(column, "")) for column in ("place", "players"))
    if place is None or players is None or not 1 <= place <= players <= MOST_PLAYERS:
        return None
    return base_rank(place, players)
