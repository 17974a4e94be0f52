"""Verbs that import the results of a played event: seats, final scores, signatures, releases; all or nothing.

Every table goes through the same verbs as one that is played here: one ledger row of totals, one signed sheet.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import uuid4

from django.db import transaction

from rules.books import from_json as ruleset_from_json
from rules.ruleset import Ruleset, diff
from scoring.entries import Totals
from scoring.placement import settle
from scoring.problems import CommandProblemType, Problem, ProblemType, errors_of
from tournament.core.errors import Refused
from tournament.core.transaction import ROUND_NOT_PUBLISHED, writing
from tournament.events.actions_events import change_rules, create_event
from tournament.imports.actions_imports import RESULTS_TABLE_HAS_HANDS
from tournament.imports.listing import Source
from tournament.imports.queries import RESULTS_IMPORTED, RESULTS_TAKEN
from tournament.imports.results import ResultRound, ResultsPreview, ResultTable
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.people import Player
from tournament.models.rounds import Table
from tournament.models.rule_sets import RuleSetVersion
from tournament.players.actions import NewPlayer, add_players
from tournament.seating.actions_drafts import seat_rounds
from tournament.seating.actions_draw import publish_rounds, release_round
from tournament.sheets.actions import sign_table
from tournament.tables.actions_hands import TOTALS_TYPED_TWICE, enter_hand
from tournament.tables.queries_tables import LoadedTable, load_tables

RESULTS_TABLE_SIZE = ProblemType(
    "results.table_size", "The file has {given} players at a table; the rules {title} want {players}."
)
RESULTS_TABLE_NUMBERS = ProblemType(
    "results.table_numbers", "The tables of round {round} are not numbered from 1 on without a gap: {tables}."
)
RESULTS_TABLE_SUM = ProblemType(
    "results.table_sum",
    "Round {round}, table {table}: the points sum to {total} and must make {wanted}; what is missing can only be "
    "riichi sticks of {deposit} that nobody won.",
)
RESULTS_NO_SUCH_ROUND = ProblemType("results.no_such_round", "This event has no round {round}.")
RESULTS_NO_SUCH_TABLE = ProblemType("results.no_such_table", "Round {round} of this event has no table {table}.")
RESULTS_OTHER_SEATS = ProblemType(
    "results.other_seats", "Round {round}, table {table}: others sit there, in this order from East: {seated}."
)
RESULTS_SLUG = CommandProblemType(
    "results.slug", "'{slug}' cannot be an event's address: letters, digits, - and _, at most {most}."
)
RESULTS_RULES_MISSING = CommandProblemType(
    "results.rules_missing", "There is no event '{slug}' yet: say by which rules it was played."
)
RESULTS_OTHER_RULES = CommandProblemType(
    "results.other_rules",
    "The event is there already with other rules ({fields} differ); leave --rules, --start and --uma away, or "
    "choose another event.",
)
RESULTS_OTHER_PLAY = CommandProblemType(
    "results.other_play", "The event '{slug}' has been played already, and not with these results; nothing was changed."
)

MOST_SLUG = 60
_SLUG = re.compile(r"[-a-zA-Z0-9_]+")

Lines = list[tuple[int, int, tuple[str, ...], tuple[int, ...]]]  # round, table, names and points by seat


@dataclass(frozen=True, slots=True)
class ImportedResults:
    """The event, and whether anything was written; False where it had these results already."""

    event: Event
    changed: bool


def import_results(
    *,
    slug: str,
    preview: ResultsPreview,
    rules: Ruleset | None,
    version: RuleSetVersion | None = None,
    date: date,
    by: Account,
) -> ImportedResults:
    """Write a played event: players by name, seats, final scores, signed sheets, released rounds.

    Without an event at `slug` one is made with `rules`, from the book that their key names or from a `version` of a
    rule set of the site; for an existing one `rules` must be None or its own. Raises Refused for an unusable file, a
    table whose points do not add up, other rules, or an event with other rounds. The same file twice changes nothing.
    """
    refused = errors_of(preview.problems)
    if refused:
        raise Refused(*refused)
    with transaction.atomic():
        event = Event.objects.filter(slug=slug).first()
        if event is None:
            event = _make_event(slug, preview, rules, version, date, by)
        _refuse_other_rules(event, rules)
        if event.rounds.exists():
            if _played(event) not in (_lines(preview, event.ruleset), _lines(preview)):
                raise Refused(RESULTS_OTHER_PLAY(slug=slug))
            return ImportedResults(event, changed=False)
        take_results(event=event, preview=preview, source=Source(preview.filename), by=by)
    return ImportedResults(event, changed=True)


def check_results(event: Event, preview: ResultsPreview) -> list[Problem]:
    """List the problems of results for an event: with its rules, or with its seats and hands where it has seats."""
    if not event.rounds.exists():
        return list(_judge(preview, event.ruleset))
    return list(_judge_tables(preview, {(table.round, table.number): table for table in load_tables(event)}, event))


def take_results(*, event: Event, preview: ResultsPreview, source: Source, by: Account) -> int:
    """Write results into an event: each table as final scores with a signed sheet; return how many tables are new.

    An event without rounds is seated by the file, and its rounds are published and released; one with seats keeps them
    and releases nothing. Raises Refused for an unusable file.
    """
    refused = errors_of(preview.problems)
    if refused:
        raise Refused(*refused)
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=event.pk)
        problems = check_results(event, preview)
        if problems:
            raise Refused(*problems)
        if event.rounds.exists():
            return _write_tables(event, preview, source, by)
        _write(event, preview, source, by)
    return sum(len(round_.tables) for round_ in preview.rounds)


def _judge_tables(
    preview: ResultsPreview, tables: Mapping[tuple[int, int], LoadedTable], event: Event
) -> Iterator[Problem]:
    """List the problems of results for existing tables."""
    published = {round_.number: round_.published_at is not None for round_ in event.rounds.all()}
    for round_ in preview.rounds:
        if round_.number not in published:
            yield RESULTS_NO_SUCH_ROUND(round=round_.number)
        elif not published[round_.number]:
            yield ROUND_NOT_PUBLISHED(round=round_.number)
        else:
            for result in round_.tables:
                yield from _judge_table(round_.number, result, tables.get((round_.number, result.number)), event)


def _judge_table(number: int, result: ResultTable, table: LoadedTable | None, event: Event) -> Iterator[Problem]:
    if table is None:
        yield RESULTS_NO_SUCH_TABLE(round=number, table=result.number)
        return
    seated = tuple(player.name for player in table.seats)
    if [name.casefold() for name in seated] != [seat.player.casefold() for seat in result.seats]:
        yield RESULTS_OTHER_SEATS(round=number, table=result.number, seated=seated)
        return
    if table.is_empty:
        if event.types_twice:
            yield TOTALS_TYPED_TWICE(table=result.number)
        yield from _judge_sum(number, result, event.ruleset)
    elif not _is_same(table, result):
        yield RESULTS_TABLE_HAS_HANDS(round=number, table=result.number)


def _is_same(table: LoadedTable, result: ResultTable) -> bool:
    # an import from before the riichi sticks were given out has the file's own points
    return table.signed and table.final.scores in (_points(result), _entry(result, table.rules).scores)


def _write_tables(event: Event, preview: ResultsPreview, source: Source, by: Account) -> int:
    """Enter and sign the empty tables; the others have these results already."""
    loaded = {(table.round, table.number): table for table in load_tables(event)}
    new = [
        (round_.number, result)
        for round_ in preview.rounds
        for result in round_.tables
        if loaded[round_.number, result.number].is_empty
    ]
    if not new:
        return 0
    rows = [[number, result.number, loaded[number, result.number].last_seq + 1] for number, result in new]
    with writing(event, RESULTS_TAKEN, by=by) as change:
        change.details = {**source.details(), "tables": rows, "released": []}
    tables = _tables(event)
    for number, result in new:
        _enter(tables[number, result.number], result, event.ruleset, by, loaded[number, result.number].last_seq)
    event.refresh_from_db()
    return len(new)


def _make_event(
    slug: str, preview: ResultsPreview, rules: Ruleset | None, version: RuleSetVersion | None, day: date, by: Account
) -> Event:
    if not _SLUG.fullmatch(slug) or len(slug) > MOST_SLUG:
        raise Refused(RESULTS_SLUG(slug=slug, most=MOST_SLUG))
    if rules is None:
        raise Refused(RESULTS_RULES_MISSING(slug=slug))
    key = version or rules.key
    event = create_event(name=slug, date=day, rules_key=key, rounds=len(preview.rounds), slug=slug, by=by)
    own = {each.field: each.there for each in diff(event.ruleset, rules)}
    if own:
        change_rules(event=event, values=own, reason="", by=by)
        event.refresh_from_db()
    return event


def _refuse_other_rules(event: Event, rules: Ruleset | None) -> None:
    fields = tuple(each.field for each in diff(event.ruleset, rules)) if rules else ()
    if fields:
        raise Refused(RESULTS_OTHER_RULES(fields=fields))


def _judge(preview: ResultsPreview, rules: Ruleset) -> Iterator[Problem]:
    """List the problems of a file by these rules: table sizes and numbers, points that do not add up."""
    if preview.players_per_table != rules.players:
        yield RESULTS_TABLE_SIZE(given=preview.players_per_table, players=rules.players, title=rules.title)
        return
    for round_ in preview.rounds:
        numbers = tuple(table.number for table in round_.tables)
        if numbers != tuple(range(1, len(numbers) + 1)):
            yield RESULTS_TABLE_NUMBERS(round=round_.number, tables=numbers)
        for table in round_.tables:
            yield from _judge_sum(round_.number, table, rules)


def _judge_sum(number: int, table: ResultTable, rules: Ruleset) -> Iterator[Problem]:
    """Yield a problem where a table's points do not add up: only riichi sticks that nobody won may be missing."""
    entry = _entry(table, rules)
    if sum(entry.scores) + entry.leftover != rules.start_points * rules.players:
        yield RESULTS_TABLE_SUM(
            round=number,
            table=table.number,
            total=sum(_points(table)),
            wanted=rules.start_points * rules.players,
            deposit=rules.riichi_deposit,
        )


def _entry(table: ResultTable, rules: Ruleset) -> Totals:
    """Return a table's final scores, what is missing from their sum given out or lost as the book says."""
    scores = _points(table)
    settled, left = settle(scores, rules.start_points * rules.players - sum(scores), rules)
    return Totals(scores=settled, leftover=left)


def _points(table: ResultTable) -> tuple[int, ...]:
    return tuple(seat.points for seat in table.seats)


def _write(event: Event, preview: ResultsPreview, source: Source, by: Account) -> None:
    players = _players(event, preview.players, by)
    with writing(event, RESULTS_IMPORTED, by=by) as change:
        seat_rounds(change.event, [_seated(round_, players) for round_ in preview.rounds])
        change.details = {
            **source.details(),
            "rounds": len(preview.rounds),
            "players": len(preview.players),
            "tables": [[round_.number, table.number, 1] for round_ in preview.rounds for table in round_.tables],
            "released": [round_.number for round_ in preview.rounds],
        }
    publish_rounds(event=event, numbers=[round_.number for round_ in preview.rounds], by=by)
    tables = _tables(event)
    for round_ in preview.rounds:
        for result in round_.tables:
            _enter(tables[round_.number, result.number], result, event.ruleset, by)
    for released in event.rounds.select_related("event"):
        release_round(round_=released, by=by)
    event.refresh_from_db()


def _players(event: Event, names: Sequence[str], by: Account) -> dict[str, Player]:
    """Return the players by name; new ones are added in the order of the file."""
    known = {player.person.preferred_name.casefold() for player in event.players.select_related("person")}
    new = [NewPlayer(name) for name in names if name.casefold() not in known]
    add_players(event=event, players=new, by=by)
    all_players = event.players.select_related("person")
    return {player.person.preferred_name.casefold(): player for player in all_players}


def _seated(round_: ResultRound, players: Mapping[str, Player]) -> list[list[Player]]:
    return [[players[seat.player.casefold()] for seat in table.seats] for table in round_.tables]


def _tables(event: Event) -> dict[tuple[int, int], Table]:
    """Return the tables of an event by round and number."""
    found = Table.objects.filter(round__event=event).select_related("round__event")
    return {(table.round.number, table.number): table for table in found}


def _enter(table: Table, result: ResultTable, rules: Ruleset, by: Account, seen: int = 0) -> None:
    entry = _entry(result, rules)
    entered = enter_hand(table=table, entry=entry, client_id=uuid4(), expected_seq=seen, by=by)
    sign_table(table=table, totals=entry.scores, leftover=0, expected_seq=entered.row.seq, by=by)


def _lines(preview: ResultsPreview, rules: Ruleset | None = None) -> Lines:
    """Return a file's tables, with riichi sticks given out by these rules; as the file has them without rules."""
    return [
        (
            round_.number,
            table.number,
            tuple(seat.player.casefold() for seat in table.seats),
            _entry(table, rules).scores if rules else _points(table),
        )
        for round_ in preview.rounds
        for table in round_.tables
    ]


def _played(event: Event) -> Lines:
    """Return an event's tables in the form of a file's lines."""
    return [
        (table.round, table.number, tuple(player.name.casefold() for player in table.seats), table.final.scores)
        for table in load_tables(event)
    ]


def own_rules(book: Ruleset, changes: Mapping[str, Any], source: str) -> Ruleset:
    """Return a book with some fields replaced by plain JSON values; raises RulesetError for what cannot be played."""
    return ruleset_from_json({**book.as_json(), **changes}, source=source)
