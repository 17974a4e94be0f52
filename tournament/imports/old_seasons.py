"""Import an old season of a club from its spreadsheet: an event for each evening, people linked, totals compared.

An evening is a worksheet, or the rows of one day where a column has the day. A worksheet of players and totals is only
compared with what the games give. Nothing is written before the whole file is sound.
"""

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from rules.ruleset import Ruleset
from scoring.game import fold
from scoring.problems import InvalidInput, Problem, ProblemType, errors_of
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.audit import append_audit, lock_audit_trail
from tournament.core.errors import DomainError
from tournament.core.limits import BYTES_LIMIT, MAX_TITLE
from tournament.core.models import AuditRow
from tournament.core.now import now
from tournament.imports.actions import IMPORT_FILE_TAKEN_ALREADY, import_results, judge_by_rules, settled_entry
from tournament.imports.entrants import fold_cell
from tournament.imports.files import (
    IMPORT_FILE_TOO_BIG,
    Sheet,
    SheetRow,
    cell_at,
    is_in_thousands,
    read_day,
    read_points,
    read_worksheets,
)
from tournament.imports.listing import PLAYER, ListKind, Source, Vocabulary, list_in, make_source
from tournament.imports.results import (
    IMPORT_ROUNDS_MISSING,
    RESULTS,
    ResultsPreview,
    one_row_a_seat,
    understand_results,
)
from tournament.people.actions import link_people
from tournament.people.queries import Human, PlayedEvent
from tournament.rulesets.models import RuleSetVersion
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE
from tournament.tables.models import LedgerEntry
from tournament.text.names import clean_name

OLD_SEASON_IMPORTED = Act("old_season_imported", "imported the season {season} from {file}", Seals.OWN)

OLD_SEASON_SHEET_LEFT_OUT = ProblemType(
    "old_season.sheet_left_out", "The worksheet “{worksheet}” has neither results nor totals and is not read."
)
OLD_SEASON_NO_RESULTS = ProblemType("old_season.no_results", "No worksheet of this file has results of games.")
OLD_SEASON_TOTAL_DIFFERS = ProblemType(
    "old_season.total_differs", "{name}: the file’s total is {total}, the games give {points}."
)
OLD_SEASON_TOTAL_UNKNOWN = ProblemType("old_season.total_unknown", "{name} has a total in the file and no game.")
OLD_SEASON_WHILE_PLAYED = ProblemType(
    "old_season.while_played",
    "Hands are being entered at this desk, and {games} games at once would hold them up: import the file an hour after "
    "the last hand.",
)

AT_ONCE = 50  # games: they hold the database for a second, while hands of all events wait
PAUSE = dt.timedelta(hours=1)
MAX_BYTES = BYTES_LIMIT // 2  # of a file: the page of its preview carries it
DAY = frozenset({"date", "day", "datum", "tag", "jour", "日付", "日"})
TOTALS = ListKind(
    Vocabulary({"player": PLAYER, "total": "total|sum|points|Summe|Gesamt|Punkte|somme|合計|得点"}, ignored={}),
    ("player", "total"),
)


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening of the file."""

    name: str
    day: dt.date
    preview: ResultsPreview


@dataclass(frozen=True, slots=True)
class OldSeason:
    """A file as understood by some rules: its evenings, and each problem with the name of its evening or "".

    `differences` are totals of its own that its games do not give.
    """

    source: Source
    evenings: tuple[Evening, ...]
    problems: tuple[tuple[str, Problem], ...]
    differences: tuple[Problem, ...]

    @property
    def errors(self) -> list[Problem]:
        """What keeps it from being imported."""
        return errors_of(problem for _evening, problem in self.problems)

    @property
    def names(self) -> list[str]:
        """The names in the file, in order."""
        return list(dict.fromkeys(name for evening in self.evenings for name in evening.preview.players))

    def humans(self) -> list[Human]:
        """Return the people of the file as proposals take them: the row of name number N from 1 is −N."""
        played = {
            name: tuple(
                PlayedEvent(evening.day, evening.name, f"-{at}", 0, -number, name)
                for at, evening in enumerate(self.evenings)
                if name in evening.preview.players
            )
            for number, name in enumerate(self.names, start=1)
        }
        return [
            Human(-(10**9) - number, None, events, (name,), frozenset(), (), ())
            for number, (name, events) in enumerate(played.items(), start=1)
        ]


def read_old_season(data: bytes, filename: str, *, day: dt.date, rules: Ruleset) -> OldSeason:
    """Read a file; an evening without a day has this one. Raises InvalidInput for a file that is no table."""
    if len(data) > MAX_BYTES:
        raise InvalidInput([IMPORT_FILE_TOO_BIG(megabytes=MAX_BYTES // 1024**2)])
    evenings: list[Evening] = []
    totals: dict[str, str] = {}
    problems: list[tuple[str, Problem]] = []
    for sheet in read_worksheets(data, filename):
        for name, own_day, part in _by_day(sheet):
            games = part if RESULTS.suits(part.rows) else one_row_a_seat(part)
            if games:
                preview = _numbered(understand_results(games, filename))
                evenings.append(Evening(name or filename, own_day or day, preview))
            elif header := TOTALS.find(part.rows):
                rows = list_in(part, TOTALS).rows
                totals |= {clean_name(header.fields(row)["player"]): header.fields(row)["total"] for row in rows}
            else:
                problems.append(("", OLD_SEASON_SHEET_LEFT_OUT.warning(worksheet=part.worksheet)))
    evenings.sort(key=lambda evening: evening.day)
    for evening in evenings:
        found = evening.preview.problems
        judged = () if errors_of(found) else judge_by_rules(evening.preview, rules)
        problems += [(evening.name, each) for each in (*found, *judged)]
    problems += [] if evenings else [("", OLD_SEASON_NO_RESULTS())]
    wrong = errors_of(problem for _evening, problem in problems)
    differences = [] if wrong else _compare(evenings, totals, rules)
    return OldSeason(make_source(data, filename), tuple(evenings), tuple(problems), tuple(differences))


def _by_day(sheet: Sheet) -> Iterator[tuple[str, dt.date | None, Sheet]]:
    """Yield the parts of a sheet by the day that a column has, carried on over empty cells; else the sheet.

    Each with its name and its day.
    """
    heads = ((row.number, at) for row in sheet.rows[:20] for at, cell in enumerate(row.cells) if fold_cell(cell) in DAY)
    head = next(heads, None)
    if head is None:
        yield sheet.worksheet, read_day(sheet.worksheet), sheet
        return
    parts: dict[dt.date | None, list[SheetRow]] = defaultdict(list)
    last = None
    for row in sheet.rows:
        if row.number > head[0]:
            last = read_day(cell_at(row, head[1])) or last
            parts[last].append(row)
    top = tuple(row for row in sheet.rows if row.number <= head[0])
    for day, rows in parts.items():
        yield str(day or sheet.worksheet), day, replace(sheet, rows=(*top, *rows))


def _numbered(preview: ResultsPreview) -> ResultsPreview:
    """Return the evening with its rounds from 1 on: those of a season's list go on from evening to evening."""
    return replace(
        preview,
        rounds=tuple(replace(round_, number=number) for number, round_ in enumerate(preview.rounds, start=1)),
        problems=tuple(each for each in preview.problems if each.code != IMPORT_ROUNDS_MISSING.code),
    )


def _compare(evenings: Sequence[Evening], totals: Mapping[str, str], rules: Ruleset) -> Iterator[Problem]:
    """Yield each total of the file that is not the sum of the results of its player's games."""
    sums: dict[str, int] = defaultdict(int)
    for evening in evenings:
        for round_ in evening.preview.rounds:
            for table in round_.tables:
                results = fold([settled_entry(table, rules)], rules).final(rules).results
                for seat, result in zip(table.seats, results, strict=True):
                    sums[seat.player.casefold()] += result
    thousands = is_in_thousands(totals.values())
    for name, text in ((name, text) for name, text in totals.items() if name):
        given, total = sums.get(name.casefold()), read_points(text, thousands=thousands)
        if given is None:
            yield OLD_SEASON_TOTAL_UNKNOWN.warning(name=name)
        elif total != given:
            yield OLD_SEASON_TOTAL_DIFFERS.warning(name=name, total=text[:20] if total is None else total, points=given)


def import_old_season(
    *,
    name: str,
    old: OldSeason,
    rules: Ruleset,
    version: RuleSetVersion | None = None,
    linked: Sequence[Sequence[int]] = (),
    by: Account,
) -> Season:
    """Write the evenings as events of a new season by sums, and link its people; all or nothing.

    One spelling is one person; `linked` are rows of people who are one, a name of the file as in `OldSeason.humans`.
    Raises DomainError for an unusable file, one that a season has come from already, two of a person at an event, and a
    large one while hands are entered.
    """
    if old.errors:
        raise DomainError(*old.errors)
    games = sum(len(round_.tables) for evening in old.evenings for round_ in evening.preview.rounds)
    new_hands = LedgerEntry.objects.filter(at__gt=now() - PAUSE, table__round__released_at=None)
    if games > AT_ONCE and new_hands.exists():
        raise DomainError(OLD_SEASON_WHILE_PLAYED(games=games))
    with transaction.atomic():
        lock_audit_trail(None)
        _refuse_known(old.source)
        season = create_season(facts=SeasonFacts(name, READY_MADE["sum"]), by=by)
        rows: dict[str, list[int]] = defaultdict(list)
        events = []
        for number, evening in enumerate(old.evenings, start=1):
            event = import_results(
                slug=f"{season.slug[:50]}-{number}", name=f"{season.name} · {evening.name}"[:MAX_TITLE],
                preview=evening.preview, rules=rules, version=version, date=evening.day, by=by,
            ).event  # fmt: skip
            events.append(CountedEvent(event.pk))
            for player in event.players.select_related("person"):
                rows[player.person.preferred_name.casefold()].append(player.person_id)
        set_season_events(season=season, events=events, by=by)
        names = old.names
        of_name = [rows[each.casefold()] for each in names]
        groups = [[pk for each in group for pk in (of_name[-each - 1] if each < 0 else [each])] for group in linked]
        for group in [*of_name, *groups]:
            if len(group) > 1:
                link_people(people=group, by=by)
        details = {"season": season.slug, **old.source.details()}
        append_audit(None, OLD_SEASON_IMPORTED, details, by=str(by.uid), at=now())
    return season


def _refuse_known(source: Source) -> None:
    """Raise DomainError for a file from which a season came that is still here."""
    for details in AuditRow.objects.filter(event=None, verb=OLD_SEASON_IMPORTED.name).values_list("details", flat=True):
        known = json.loads(details)
        if known["digest"] == source.digest and Season.objects.filter(slug=known["season"]).exists():
            raise DomainError(IMPORT_FILE_TAKEN_ALREADY(file=known["file"]))
