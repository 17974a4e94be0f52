"""Import an old season of a club from its spreadsheet: an event for each evening, people linked, totals compared.

An evening is a worksheet, or the rows of one day where a column has the day. A worksheet of players and totals is only
compared with what the games give. Nothing is written before the whole file is sound.
"""

import datetime as dt
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from rules.ruleset import Ruleset
from scoring.game import fold
from scoring.placement import uma_of
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
    cell_name,
    is_in_thousands,
    read_day,
    read_days,
    read_points,
    read_worksheets,
)
from tournament.imports.listing import PLAYER, ListKind, Source, Vocabulary, list_in, make_source
from tournament.imports.results import (
    IMPORT_ROUNDS_MISSING,
    RESULTS,
    ResultsPreview,
    ResultTable,
    find_player_columns,
    one_row_a_seat,
    people_in_columns,
    understand_results,
)
from tournament.people.actions import link_people
from tournament.people.queries import Human, PlayedEvent
from tournament.rulesets.models import RuleSetVersion
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE
from tournament.tables.models import LedgerEntry
from tournament.text.names import clean_name, printable

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
OLD_SEASON_DAY_UNKNOWN = ProblemType(
    "old_season.day_unknown", "The day “{day}” in {cell} is not clear. Write the year with four digits: 2024-01-31."
)
OLD_SEASON_DAY_LEFT_OUT = ProblemType(
    "old_season.day_left_out", "The rows of “{day}” in “{worksheet}” cannot be read as games."
)
OLD_SEASON_AFTER_UMA = ProblemType(
    "old_season.after_uma", "Points add up to 0: they were read as results after uma by “{rules}”."
)
OLD_SEASON_WITHOUT_UMA = ProblemType(
    "old_season.without_uma", "Points add up to 0: they were read as results without uma; “{rules}” adds it."
)
OLD_SEASON_NOT_AFTER_UMA = ProblemType(
    "old_season.not_after_uma",
    "No scores give the results of {count} games after uma by this rule set (the first is game {round}). Is it another "
    "uma, or are they without uma?",
)

AT_ONCE = 50  # games: they hold the database for a second, while hands of all events wait
PAUSE = dt.timedelta(hours=1)
MAX_BYTES = BYTES_LIMIT // 2  # of a file: the page of its preview carries it
DAY = frozenset({"date", "day", "datum", "tag", "jour", "日付", "日"})
TOTALS = ListKind(
    Vocabulary({"player": PLAYER, "total": "total|sum|points|Summe|Gesamt|Punkte|somme|合計|得点"}, ignored={}),
    ("player", "total"),
)


_Totals = tuple[Sequence["Evening"] | None, Mapping[str, str]]  # of these evenings, or of all: name → as written


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


def read_old_season(data: bytes, filename: str, *, day: dt.date, rules: Ruleset, before_uma: bool = False) -> OldSeason:
    """Read a file; an evening without a day has this one. Raises InvalidInput for a file that is no table.

    Points of games that add up to 0 are turned back into scores: results after uma, or without it if `before_uma`.
    """
    if len(data) > MAX_BYTES:
        raise InvalidInput([IMPORT_FILE_TOO_BIG(megabytes=MAX_BYTES // 1024**2)])
    evenings: list[Evening] = []
    totals: list[_Totals] = []
    problems: list[tuple[str, Problem]] = []
    for sheet in map(people_in_columns, read_worksheets(data, filename)):
        columns = None if RESULTS.suits(sheet.rows) else find_player_columns(sheet.rows)
        parts, wrong = _by_day(replace(sheet, rows=columns.with_head) if columns else sheet)
        own: list[Evening] = []
        left_out = []
        for name, own_day, part in parts:
            games = part if RESULTS.suits(part.rows) else one_row_a_seat(part)
            if games:
                preview = _numbered(turn_back(understand_results(games, filename), rules, before_uma=before_uma))
                own.append(Evening(name or filename, own_day or day, preview))
            elif header := TOTALS.find(part.rows):
                fields = [header.fields(row) for row in list_in(part, TOTALS).rows]
                totals.append((None, {clean_name(each["player"]): each["total"] for each in fields}))
            else:
                left_out.append(name)
        if own or read_day(sheet.worksheet):  # no evening is left out with a warning alone
            wrong += [OLD_SEASON_DAY_LEFT_OUT(day=name, worksheet=sheet.worksheet or filename) for name in left_out]
        elif left_out:
            wrong.append(OLD_SEASON_SHEET_LEFT_OUT.warning(worksheet=sheet.worksheet))
        problems += [("", each) for each in wrong]
        totals += [(own, columns.totals)] if columns and columns.totals else []
        evenings += own
    evenings.sort(key=lambda evening: evening.day)
    for evening in evenings:
        found = evening.preview.problems
        judged = () if errors_of(found) else judge_by_rules(evening.preview, rules)
        shared = [
            each
            for each in found
            if each.severity != "error" and len(evenings) > 1 and not {"row", "round"} & each.params.keys()
        ]
        problems += [(evening.name, each) for each in (*found, *judged) if each not in shared]
        problems += [("", each) for each in shared if ("", each) not in problems]  # the same of each evening, once
    problems += [] if evenings else [("", OLD_SEASON_NO_RESULTS())]
    wrong = errors_of(problem for _evening, problem in problems)
    differences = [] if wrong else [each for of, given in totals for each in _compare(of or evenings, given, rules)]
    return OldSeason(make_source(data, filename), tuple(evenings), tuple(problems), tuple(differences))


def _by_day(sheet: Sheet) -> tuple[list[tuple[str, dt.date | None, Sheet]], list[Problem]]:
    """Return the parts of a sheet by the day that a column has, carried on over empty cells; else the sheet.

    Each with its name and its day; then the days that cannot be read.
    """
    heads = ((row.number, at) for row in sheet.rows[:20] for at, cell in enumerate(row.cells) if fold_cell(cell) in DAY)
    head = next(heads, None)
    if head is None:
        return [(sheet.worksheet, read_day(sheet.worksheet), sheet)], []
    parts: dict[dt.date | None, list[SheetRow]] = defaultdict(list)
    problems: list[Problem] = []
    below = [row for row in sheet.rows if row.number > head[0]]
    days = read_days({cell_at(row, head[1]) for row in below} - {""})
    last = None
    for row in below:
        text = cell_at(row, head[1])
        if text and days[text] is None and fold_cell(text) not in DAY:
            problems.append(OLD_SEASON_DAY_UNKNOWN(day=printable(text)[:40], cell=cell_name(row, head[1])))
        last = days.get(text) or last
        parts[last].append(row)
    top = tuple(row for row in sheet.rows if row.number <= head[0])
    named = [(str(day or sheet.worksheet), day, replace(sheet, rows=(*top, *rows))) for day, rows in parts.items()]
    return named, problems


def turn_back(preview: ResultsPreview, rules: Ruleset, *, before_uma: bool) -> ResultsPreview:
    """Return games whose points add up to 0 or a little less with the scores that give these results by the rules."""
    tables = [table for round_ in preview.rounds for table in round_.tables]
    sums = Counter(abs(sum(seat.points for seat in table.seats)) for table in tables)
    if not sums or sums.most_common(1)[0][0] * 2 > rules.start_points * rules.players:
        return preview
    wrong: list[int] = []
    rounds = []
    for round_ in preview.rounds:
        found = [(table, _scores_of(table, rules, before_uma=before_uma)) for table in round_.tables]
        wrong += [round_.number for _table, scored in found if scored is None]
        rounds.append(replace(round_, tables=tuple(scored or table for table, scored in found)))
    told = OLD_SEASON_WITHOUT_UMA if before_uma else OLD_SEASON_AFTER_UMA
    problem = OLD_SEASON_NOT_AFTER_UMA(count=len(wrong), round=wrong[0]) if wrong else told.warning(rules=rules.title)
    return replace(preview, rounds=tuple(rounds), problems=(*preview.problems, problem))


def _scores_of(table: ResultTable, rules: Ruleset, *, before_uma: bool) -> ResultTable | None:
    """Return a table with scores for its results; None where none give them."""
    given = [seat.points for seat in table.seats]
    if len(given) != rules.players:
        return table  # which the size of tables refuses in words
    if before_uma:
        down = sum(given) == (rules.start_points - rules.return_points) * rules.players
        base = rules.return_points if down else rules.start_points
        if any(result % 100 for result in given):
            return None
        return replace(table, seats=tuple(replace(seat, points=seat.points + base) for seat in table.seats))
    order = sorted(range(len(given)), key=lambda at: -given[at])
    places = [
        order.index(at) + 1 if rules.ties == "seat_order" else 1 + sum(x > given[at] for x in given) for at in order
    ]
    for above in range(len(given) + 1 if rules.floating_uma else 1):
        uma = dict(zip(order, uma_of(places, rules, above), strict=True))
        scores = [result - uma[at] + rules.return_points for at, result in enumerate(given)]
        # in the order of places where that alone decides a tie
        for seats in (range(len(given)), order):
            turned = [replace(table.seats[at], points=scores[at], seat=seat) for seat, at in enumerate(seats)]
            scored = replace(table, seats=tuple(turned))
            if not any(score % 100 for score in scores) and _results(scored, rules) == tuple(given[at] for at in seats):
                return scored
    return None


def _results(table: ResultTable, rules: Ruleset) -> tuple[int, ...]:
    return fold([settled_entry(table, rules)], rules).final(rules).results


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
                for seat, result in zip(table.seats, _results(table, rules), strict=True):
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
