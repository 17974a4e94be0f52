"""EMA's files: an event's results as workbook and csv, their check before they are sent, and past results as read.

What a place is worth is in scoring.mers. Stores nothing.
"""

import datetime as dt
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Final

from rules.ema_events import BOOKS, MAX_SUBSTITUTES, MIN_PLAYERS, TABLE
from scoring.mers import MAX_BASE, PastResult, base_rank
from scoring.problems import InvalidInput, Problem, ProblemType
from tournament.imports.files import SheetRow, read_day, read_whole_number
from tournament.imports.listing import Header, ListKind, Vocabulary, list_in, too_wide
from tournament.imports.players import EMA_DIGITS
from tournament.pages.csv_files import csv_file
from tournament.text.names import is_family_first, printable, two_letters
from tournament.text.numbers import text_width

RULES: Final = "riichi"
DIGITS: Final = 8
EVENT_ROW: Final = 3  # where the layout wants what is known of the event, beside the second player
# K and O are not read; G is for the other rule set.
HEADINGS: Final = {
    "A": "Tournament", "B": "Players", "C": "Position", "D": "First name", "E": "Last name", "F": "EMA number",
    "G": "Table points", "H": "Score", "I": "EMA member", "J": "Country", "L": "Host country", "M": "Place",
    "N": "MERS weight", "P": "Rules", "Q": "Date", "R": "Days",
}  # fmt: skip
CSV_HEADINGS: Final = ("position", "ema_id", "last_name", "first_name", "nationality", "points", "mahjong")
_PARTICLES = frozenset(
    ("af", "av", "da", "das", "de", "degli", "del", "della", "der", "di", "dos", "du", "el", "la", "le", "op", "ten",
     "ter", "van", "vom", "von", "y", "zu")
)  # fmt: skip
_FRAMED = "CDEFGHIJ"  # the columns of the players
_NUMBERS = "BCGHINR"  # columns of numbers
_WIDEST = 40


@dataclass(frozen=True, slots=True)
class EmaEvent:
    """What the workbook says of the event; `halves` is the MERS weight in halves, `listed` counts substitutes, too.

    `country` is where it was played, by ISO code; `rounds` are those counted, of so many `planned`; `rules` is the key
    of the book, and so many play at a table.
    """

    name: str
    place: str
    country: str
    day: dt.date
    last: dt.date
    days: int
    halves: int
    listed: int
    rounds: int
    planned: int
    rules: str
    table_size: int = 4


@dataclass(frozen=True, slots=True)
class EmaPlayer:
    """One line: place, names, eight digits or "", total in points, ISO code of the country or "".

    `name` is what the desk calls the player; results, penalties and `cut`, whether a cut took something, explain the
    total.
    """

    position: int
    name: str
    first_name: str
    last_name: str
    ema_number: str
    country: str
    score: int
    results: tuple[int | None, ...] = ()
    penalties: int = 0
    cut: bool = False
    group: int = 0


def split_name(name: str) -> tuple[str, str]:
    """Part a name into first and last: words in capitals are the last name, else the last word with what belongs to it.

    A name of one word, or of signs without a gap, is a last name alone; where the script puts it first, the first is.

    >>> split_name("Ada MOSS"), split_name("MOSS FIR Ada"), split_name("Jo van der Elm"), split_name("東海林さくら")
    (('Ada', 'MOSS'), ('Ada', 'MOSS FIR'), ('Jo', 'van der Elm'), ('', '東海林さくら'))
    >>> split_name("佐藤 健太")
    ('健太', '佐藤')
    """
    words = name.split()
    if is_family_first(name):
        return " ".join(words[1:]), words[0]
    loud = [word for word in words if len(word) > 1 and word.isupper()]
    if loud and len(loud) < len(words):
        return " ".join(word for word in words if word not in loud), " ".join(loud)
    first = max(len(words) - 1, 0)
    while first > 1 and words[first - 1].casefold() in _PARTICLES:
        first -= 1
    return " ".join(words[:first]), " ".join(words[first:])


def date_words(first: dt.date, last: dt.date) -> str:
    """Write the days of an event as the federation's lists do.

    >>> day, last = dt.date(2026, 9, 29), dt.date(2026, 9, 30)
    >>> date_words(last, last), date_words(day, last), date_words(day, dt.date(2026, 10, 1))
    ('30 Sept. 2026', '29-30 Sept. 2026', '29 Sept. - 1 Oct. 2026')
    """
    end = f"{last.day} {_MONTHS[last.month - 1]} {last.year}"
    if last == first:
        return end
    if (last.year, last.month) == (first.year, first.month):
        return f"{first.day}-{end}"
    year = "" if last.year == first.year else f" {first.year}"
    return f"{first.day} {_MONTHS[first.month - 1]}{year} - {end}"


def ema_workbook(event: EmaEvent, players: Sequence[EmaPlayer], made_at: dt.datetime) -> bytes:
    """Make the workbook: a line a player from row 2 on, and the event in row 3 of the outer columns."""
    # loaded when one is made, not with the desk: a tenth of its start
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Border, Font, Side

    from tournament.pages.spreadsheets import FONT, save_book, set_up_print, write_text

    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Results"
    book.properties.title, book.properties.creator = event.name, "Hanchan Desk"
    columns = _columns(event, players)
    for letter, heading in HEADINGS.items():
        head = write_text(sheet[f"{letter}1"], heading)
        head.font, head.border = Font(name=FONT, bold=True), Border(bottom=Side(style="medium"))
        for row, value in columns[letter]:
            if isinstance(value, str):
                write_text(sheet[f"{letter}{row}"], value).alignment = Alignment(horizontal="left", indent=1)
            elif value is not None:
                sheet[f"{letter}{row}"].value = value
                sheet[f"{letter}{row}"].number_format = _FORMATS.get(letter, "General")
        shown = [heading, *(str(value) for _row, value in columns[letter])]
        sheet.column_dimensions[letter].width = min(max(map(text_width, shown)) + 4, _WIDEST)
        if letter not in _NUMBERS:
            head.alignment = Alignment(horizontal="left", indent=1)
    sheet.freeze_panes = "F2"
    sheet.auto_filter.ref = f"{_FRAMED[0]}1:{_FRAMED[-1]}{max(len(players), 1) + 1}"
    set_up_print(sheet, heading_row=1)
    return save_book(book, made_at)


def ranking_csv(players: Sequence[EmaPlayer]) -> bytes:
    """Make the newer ranking site's csv: countries by two letters, and the score in the column that it calls mahjong.

    What it calls points are table points, which this game has not.
    """
    return csv_file(
        CSV_HEADINGS,
        (
            (
                player.position,
                player.ema_number,
                player.last_name,
                player.first_name,
                two_letters(player.country) or player.country,
                0,
                player.score,
            )
            for player in players
        ),
    )


_MONTHS = ("Jan.", "Feb.", "March", "April", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")
_YES_NO = '"TRUE";"TRUE";"FALSE"'  # or LibreOffice shows 1 and 0
_FORMATS = {"I": _YES_NO, "B": "0", "C": "0", "H": "#,##0;-#,##0", "N": "0.0", "R": "0"}  # fmt: skip

_Value = str | int | bool | Decimal | None


def _columns(event: EmaEvent, players: Sequence[EmaPlayer]) -> dict[str, list[tuple[int, _Value]]]:
    """Return the cells below each heading as (row, value)."""
    outer: dict[str, _Value] = {
        "A": event.name, "B": len(players), "L": event.country, "M": event.place, "N": Decimal(event.halves) / 2,
        "P": RULES, "Q": date_words(event.day, event.last), "R": event.days,
    }  # fmt: skip
    columns: dict[str, list[tuple[int, _Value]]] = {letter: [] for letter in HEADINGS}
    for letter, value in outer.items():
        columns[letter].append((EVENT_ROW, value))
    for row, player in enumerate(players, start=2):
        line: dict[str, _Value] = {
            "C": player.position, "D": player.first_name, "E": player.last_name, "F": player.ema_number or None,
            "H": player.score, "I": bool(player.ema_number), "J": player.country or None,
        }  # fmt: skip
        for letter, value in line.items():
            columns[letter].append((row, value))
    return columns


EMA_SANMA = ProblemType(
    "ema.sanma", "This is a game for {players}. EMA ranks riichi for four only: no list takes these results."
)
EMA_OTHER_RULES = ProblemType("ema.other_rules", "The event was played by the rules “{rules}”, not by EMA's own book.")
EMA_HOST_MISSING = ProblemType("ema.host_missing", "The country where it was played is missing.")
EMA_HOST_UNKNOWN = ProblemType(
    "ema.host_unknown", "“{given}” is not a country code: three letters, such as DEU or GBR."
)
EMA_PLACE_MISSING = ProblemType("ema.place_missing", "The town is missing.")
EMA_ROUNDS = ProblemType(
    "ema.rounds", "{rounds} of {planned} rounds are counted: what is held or not released is not in the file."
)
EMA_NUMBER_MISSING = ProblemType(
    "ema.number_missing", "No EMA number: {people}. They are listed, and the result counts for no ranking."
)
EMA_NUMBER_INVALID = ProblemType(
    "ema.number_invalid", "{who}: “{number}” is not an EMA number, which has {digits} digits."
)
EMA_NUMBER_FEDERATION = ProblemType(
    "ema.number_federation", "No federation that this desk knows gives EMA numbers that begin with {start}: {people}."
)
EMA_NUMBER_COUNTRY = ProblemType(
    "ema.number_country", "{who}: number {number} is from {home}, the country given is {country}."
)
EMA_NUMBER_TWICE = ProblemType("ema.number_twice", "EMA number {number} belongs to more than one player: {people}.")
EMA_COUNTRY_MISSING = ProblemType("ema.country_missing", "No country: {people}.")
EMA_COUNTRY_UNKNOWN = ProblemType(
    "ema.country_unknown", "{who}: “{given}” is not a country code: three letters, such as DEU or GBR."
)
EMA_NAME_HALF = ProblemType(
    "ema.name_half",
    "EMA wants a first and a last name: {people}. Enter the full name with the player; here it stays as it is.",
)
EMA_NAME_TWICE = ProblemType("ema.name_twice", "{times} players are called {who}.")
EMA_PLACE_GAP = ProblemType("ema.place_gap", "Place {place} follows where place {expected} should be.")
EMA_SHARED = ProblemType(
    "ema.shared",
    "Place {place} is shared: {people}. EMA prints running places, and all of them get the base rank of the "
    "better one.",
)
EMA_SHARED_UNLIKE = ProblemType("ema.shared_unlike", "Place {place} is shared with unlike totals: {people}.")
EMA_ORDER = ProblemType("ema.order", "{who} has more points than {ahead} and is ranked behind.")
EMA_CUT = ProblemType(
    "ema.cut", "A cut took points, so that the results of the rounds do not add up to the total: {people}."
)
EMA_TOTAL = ProblemType("ema.total", "{who}: the total is {total}; results less penalties are {wanted}.")
EMA_GAMES = ProblemType("ema.games", "Not all {rounds} rounds played: {people}.")
EMA_NOBODY = ProblemType("ema.nobody", "There are no results yet.")
EMA_FEW_PLAYERS = ProblemType(
    "ema.few_players", "{count} players only: ask your federation whether that is enough for the list."
)
EMA_FEW_COUNTRIES = ProblemType("ema.few_countries", "All players are from one country ({country}).")
EMA_LEFT_OUT = ProblemType(
    "ema.left_out",
    "Played and have no place: {people}. EMA counts up to {limit} substitutes among the players; they are not in "
    "the file.",
)
EMA_DISQUALIFIED = ProblemType("ema.disqualified", "Disqualified, and not in the file: {people}.")

# The first two digits of a number say who gave it. Others may have come since: they are asked about, not refused.
FEDERATIONS: Final = {
    "01": "AUT", "02": "BEL", "03": "DNK", "04": "FRA", "05": "DEU", "06": "HUN", "07": "ITA", "08": "NLD", "09": "SWE",
    "10": "ESP", "11": "GBR", "12": "PRT", "14": "FIN", "15": "RUS", "16": "CHE", "17": "SVK", "19": "POL",
}  # fmt: skip
FEW_COUNTRIES: Final = 2


def check_ema(
    event: EmaEvent, players: Sequence[EmaPlayer], *, left_out: Sequence[str] = (), disqualified: Sequence[str] = ()
) -> list[Problem]:
    """List what is wrong with these results for the federation, errors first; `left_out` are who played unranked."""
    found = [
        *_event(event),
        *_numbers(players),
        *_countries(players),
        *_names(players),
        *_places(players),
        *_totals(event, players),
        *_size(players),
        *([EMA_LEFT_OUT.warning(people=tuple(left_out), limit=MAX_SUBSTITUTES)] if left_out else ()),
        *([EMA_DISQUALIFIED.warning(people=tuple(disqualified))] if disqualified else ()),
    ]
    return sorted(found, key=lambda problem: problem.severity)


def _event(event: EmaEvent) -> Iterator[Problem]:
    if event.table_size != TABLE:
        yield EMA_SANMA(players=event.table_size)
    elif event.rules not in BOOKS:
        yield EMA_OTHER_RULES.warning(rules=event.rules)
    if not event.country:
        yield EMA_HOST_MISSING()
    elif not two_letters(event.country):
        yield EMA_HOST_UNKNOWN(given=event.country)
    if not event.place:
        yield EMA_PLACE_MISSING()
    if event.rounds < event.planned:
        yield EMA_ROUNDS.warning(rounds=event.rounds, planned=event.planned)


def _numbers(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    missing = tuple(player.name for player in players if not player.ema_number)
    if missing:
        yield EMA_NUMBER_MISSING.warning(people=missing)
    owners, strange = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for player in players:
        number = player.ema_number
        if not number:
            continue
        owners[number].append(player.name)
        if len(number) != DIGITS or not (number.isascii() and number.isdigit()):
            yield EMA_NUMBER_INVALID(who=player.name, number=number, digits=DIGITS)
            continue
        home = FEDERATIONS.get(number[:2])
        if home is None:
            strange[number[:2]].append(player.name)
        elif player.country and home != player.country:
            yield EMA_NUMBER_COUNTRY.warning(who=player.name, number=number, home=home, country=player.country)
    for start, people in strange.items():
        yield EMA_NUMBER_FEDERATION.warning(start=start, people=tuple(people))
    for number, people in owners.items():
        if len(people) > 1:
            yield EMA_NUMBER_TWICE(number=number, people=tuple(people))


def _countries(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    missing = tuple(player.name for player in players if not player.country)
    if missing:
        yield EMA_COUNTRY_MISSING(people=missing)
    for player in players:
        if player.country and not two_letters(player.country):
            yield EMA_COUNTRY_UNKNOWN(who=player.name, given=player.country)


def _names(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    half = tuple(player.name for player in players if not (player.first_name and player.last_name))
    if half:
        yield EMA_NAME_HALF(people=half)
    seen = Counter((player.first_name.casefold(), player.last_name.casefold()) for player in players)
    for (first, last), times in seen.items():
        if times > 1:
            yield EMA_NAME_TWICE.warning(who=f"{first} {last}".strip().title(), times=times)


def _places(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    """Judge the places: shared ones are said, and they must fall as the totals do within each group of a cut."""
    by_place = defaultdict[int, list[EmaPlayer]](list)
    for player in players:
        by_place[player.position].append(player)
    above = 0
    for place, people in sorted(by_place.items()):
        if place != above + 1:
            yield EMA_PLACE_GAP(place=place, expected=above + 1)
        above += len(people)
        if len(people) > 1:
            yield EMA_SHARED.warning(place=place, people=tuple(player.name for player in people))
            if len({player.score for player in people}) > 1:
                yield EMA_SHARED_UNLIKE(place=place, people=tuple(player.name for player in people))
    for one, other in pairwise(sorted(players, key=lambda player: player.position)):
        if one.group == other.group and one.score < other.score:
            yield EMA_ORDER(who=other.name, ahead=one.name)


def _totals(event: EmaEvent, players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    cut = tuple(player.name for player in players if player.cut)
    if cut:
        yield EMA_CUT.warning(people=cut)
    for player in players:
        explained = sum(result or 0 for result in player.results) - player.penalties
        if not player.cut and explained != player.score:
            yield EMA_TOTAL(who=player.name, total=player.score, wanted=explained)
    short = tuple(
        player.name for player in players if sum(result is not None for result in player.results) < event.rounds
    )
    if short:
        yield EMA_GAMES.warning(rounds=event.rounds, people=short)


def _size(players: Sequence[EmaPlayer]) -> Iterator[Problem]:
    if not players:
        yield EMA_NOBODY()
        return
    if len(players) < MIN_PLAYERS:
        yield EMA_FEW_PLAYERS.warning(count=len(players))
    countries = {player.country for player in players if player.country}
    if 0 < len(countries) < FEW_COUNTRIES:
        yield EMA_FEW_COUNTRIES.warning(country=next(iter(countries)))


IMPORT_PAST_UNREADABLE = ProblemType("import.past_unreadable", "Row {row}: “{given}” is not {column}.")

MAX_HALVES: Final = 12
MAX_PLAYERS: Final = 1000
MAX_PROBLEMS: Final = 20
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
        return PastResults(problems=tuple(problems[:MAX_PROBLEMS]))
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
    return int(halves) if 2 <= halves <= MAX_HALVES and halves == int(halves) else None


def _base(fields: Mapping[str, str]) -> int | None:
    base = read_whole_number(fields.get("base", ""))
    if base is not None:
        return base if 0 <= base <= MAX_BASE else None
    place, players = (read_whole_number(fields.get(column, "")) for column in ("place", "players"))
    if place is None or players is None or not 1 <= place <= players <= MAX_PLAYERS:
        return None
    return base_rank(place, players)
