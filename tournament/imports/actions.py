"""Import players, penalties, a game or a played event's results from a file, all or nothing, and undo an import.

Each import has an audit row that names the file. Undoing deletes nothing from ledger and register: hands become void
and penalties cancelled, each with the reason.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from uuid import uuid4

from django.db import transaction

from rules.books import from_json as ruleset_from_json
from rules.ruleset import Ruleset, diff
from scoring.entries import Entry, Totals
from scoring.placement import settle
from scoring.problems import CommandProblemType, Problem, ProblemType, errors_of
from tournament.accounts.models import Account
from tournament.core.errors import DomainError
from tournament.core.transaction import ROUND_NOT_PUBLISHED, EventChange, event_transaction, require_text, table_details
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.imports.listing import Source
from tournament.imports.penalties import PenaltyDraft
from tournament.imports.players import IMPORT_NAME_EXISTS, IMPORT_NAME_LIKE_EXISTING
from tournament.imports.queries import (
    GAME_IMPORTED,
    IMPORT_TAKEN_BACK,
    PENALTIES_IMPORTED,
    PLAYERS_IMPORTED,
    RESULTS_IMPORTED,
    RESULTS_TAKEN,
    ImportKind,
    ImportRow,
    get_import,
    list_imports,
)
from tournament.imports.results import IMPORT_ROUNDS_MISSING, ResultRound, ResultsPreview, ResultTable
from tournament.penalties.actions import cancel_penalty, give_penalty
from tournament.penalties.models import Penalty
from tournament.players.actions import (
    PLAYERS_NOT_THE_LAST,
    PLAYERS_SEATS_DRAWN,
    NewPlayer,
    add_players,
    remove_last_players,
)
from tournament.players.models import Person, Player
from tournament.publication.queries import ROUNDS_HIDDEN
from tournament.rounds.actions import publish_rounds, release_round
from tournament.rulesets.actions import change_rules
from tournament.rulesets.models import RuleSetVersion
from tournament.seating.actions import DRAW_ALREADY_PUBLISHED, discard_draw, seat_rounds
from tournament.seating.queries import SCHEDULE_TAKEN
from tournament.sheets.actions import is_signed, reopen_table, sign_table
from tournament.tables.actions import TOTALS_TYPED_TWICE, HandRequest, write_hand
from tournament.tables.history import resolve, standing_entries
from tournament.tables.models import Table
from tournament.tables.queries import LoadedTable, load_tables
from tournament.text.names import find_similar, first_index_by_key, same_name_keys

IMPORT_FILE_TAKEN_ALREADY = ProblemType(
    "import.file_taken_already", "This file was already imported ({file}). Take it back first to import it again."
)
IMPORT_EVENT_CHANGED = ProblemType(
    "import.event_changed", "The event changed since the preview: choose the file again."
)
IMPORT_NO_SUCH = ProblemType("import.no_such", "No such import is known.", ("seq",))
IMPORT_BACK_REASON = ProblemType(
    "import.back_reason", "To take an import back needs a reason, which stays in the trail."
)
IMPORT_SEATS_REPLACED = ProblemType(
    "import.seats_replaced", "These seats are no longer there: another draw took their place."
)
IMPORT_TOO_OLD = ProblemType(
    "import.too_old", "This was imported before imports could be taken back: reopen and correct its tables one by one."
)
IMPORT_TABLE_MOVED_ON = ProblemType(
    "import.table_moved_on", "Round {round}, table {table} was changed since: correct it there."
)
IMPORT_TABLE_SIGNED = ProblemType("import.table_signed", "Round {round}, table {table} is signed: reopen it first.")
IMPORT_ROUND_RELEASED = ProblemType(
    "import.round_released",
    "Round {round} was released since, and players saw it: correct its tables one by one.",
    ("table",),
)
RESULTS_TABLE_HAS_HANDS = ProblemType(
    "results.table_has_hands", "Round {round}, table {table}: something else is entered there already."
)


def take_players(*, event: Event, players: Sequence[NewPlayer], source: Source, by: Account) -> int:
    """Add the players of a file; return how many. Raises DomainError as `add_players`."""
    with transaction.atomic():
        added = add_players(event=event, players=players, by=by)
        with event_transaction(event, PLAYERS_IMPORTED, by=by) as change:
            change.details = {**source.details(), "numbers": [player.number for player in added]}
    return len(added)


def take_penalties(*, event: Event, drafts: Sequence[PenaltyDraft], source: Source, by: Account) -> int:
    """Give the penalties of a file; return how many.

    Raises DomainError for a file imported already, for players or rounds deleted since its preview, and as
    `give_penalty`.
    """
    with transaction.atomic():
        # the lock comes first: two requests with the same file must not both find it new
        with event_transaction(event, PENALTIES_IMPORTED, by=by) as change:
            check_new_file(change.event, "penalties", source)
            ids = [uuid4() for _ in drafts]
            change.details = {**source.details(), "penalties": [str(each) for each in ids]}
        players = {player.number: player for player in event.players.select_related("event")}
        rounds = {round_.number: round_ for round_ in event.rounds.all()}
        for draft, client_id in zip(drafts, ids, strict=True):
            if draft.player not in players or (draft.round is not None and draft.round not in rounds):
                raise DomainError(IMPORT_EVENT_CHANGED())
            give_penalty(
                player=players[draft.player],
                points=draft.points,
                reason=draft.reason,
                client_id=client_id,
                round_=rounds.get(draft.round or 0),
                clause=draft.clause,
                to_player=True,  # the file says who paid
                by=by,
            )
    event.refresh_from_db()
    return len(drafts)


def take_game(*, table: Table, entries: Sequence[Entry], source: Source, reason: str = "", by: Account) -> int:
    """Enter the hands of a log at a table without valid hands; return how many. The sheet is signed separately.

    Raises DomainError where the table has hands, for an invalid hand, and for warnings without a reason.
    """
    with transaction.atomic():
        with event_transaction(table.round.event, GAME_IMPORTED, by=by) as change:
            seen = begin_game(change, table, len(entries), source.details())
        for number, entry in enumerate(entries):
            write_hand(HandRequest(table, entry, uuid4(), seen + number, reason=reason), by=by)
    return len(entries)


def begin_game(change: EventChange, table: Table, hands: int, details: Mapping[str, Any]) -> int:
    """Say in the trail how many hands come to a table, and return the `seq` of its newest row.

    Raises DomainError where the table has a valid hand.
    """
    rows = list(table.ledger.order_by("seq"))
    if standing_entries(rows):
        raise DomainError(RESULTS_TABLE_HAS_HANDS(**table_details(table)))
    seen = rows[-1].seq if rows else 0
    tables = [[table.round.number, table.number, seen + hands]]
    change.details = {**details, **table_details(table), "hands": hands, "tables": tables}
    return seen


def check_new_file(event: Event, kind: ImportKind, source: Source) -> None:
    """Raise DomainError for a file whose import was not undone: it would count twice."""
    for row in list_imports(event):
        if source.digest and row.kind == kind and row.digest == source.digest and not row.taken_back:
            raise DomainError(IMPORT_FILE_TAKEN_ALREADY(file=row.filename))


# ---------------------------------------------------------------- undoing


def undo_import(*, event: Event, seq: int, reason: str, by: Account) -> ImportRow:
    """Undo the import of one file, named by the `seq` of its audit row; twice changes nothing.

    `reason` goes into every row of ledger and register that is written. Raises DomainError for an unknown import,
    without a reason, and where imported rows have been changed or built upon since.
    """
    with transaction.atomic():
        with event_transaction(event, IMPORT_TAKEN_BACK, by=by) as change:
            row = get_import(change.event, seq)
            if row is None:
                raise DomainError(IMPORT_NO_SUCH(seq=seq))
            if row.taken_back:
                change.mark_unchanged()
                return row
            reason = require_text(reason, IMPORT_BACK_REASON)
            problems = undo_problems(change.event, row)
            if problems:
                raise DomainError(*problems)
            change.details = {"import": seq, "kind": row.kind, "file": row.filename, "reason": reason}
        _UNDO[row.kind][1](event, row, reason, by)
    event.refresh_from_db()
    return row


def undo_problems(event: Event, row: ImportRow) -> list[Problem]:
    """List the problems of undoing an import."""
    return list(_UNDO[row.kind][0](event, row))


def imported_tables(event: Event, row: ImportRow) -> list[tuple[Table, int]]:
    """Return the tables that an import filled, each with the last row of the ledger that it wrote."""
    tables = _tables(event)
    return [(tables[number, table], seq) for number, table, seq in row.details.get("tables", [])]


def _check_players(event: Event, row: ImportRow) -> Iterator[Problem]:
    if event.rounds.exists():
        yield PLAYERS_SEATS_DRAWN()
        return
    numbers = sorted(row.details["numbers"])
    last = event.players.filter(number__gte=min(numbers, default=0)).order_by("number")
    if list(last.values_list("number", flat=True)) != numbers:
        yield PLAYERS_NOT_THE_LAST()


def _check_seats(event: Event, row: ImportRow) -> Iterator[Problem]:
    if event.rounds.filter(published_at__isnull=False).exists():
        yield DRAW_ALREADY_PUBLISHED()
    newest = event.audit.filter(verb=SCHEDULE_TAKEN.name).order_by("-seq").first()
    if not event.rounds.exists() or event.seed is not None or event.drawn or (newest and newest.seq != row.seq):
        yield IMPORT_SEATS_REPLACED()


def _check_tables(event: Event, row: ImportRow) -> Iterator[Problem]:
    if "tables" not in row.details:
        yield IMPORT_TOO_OLD()
    released = set(row.details.get("released", []))
    for table, seq in imported_tables(event, row):
        last = table.ledger.order_by("-seq").first()
        place = {"round": table.round.number, "table": table.number}
        if last is None or last.seq != seq:
            yield IMPORT_TABLE_MOVED_ON(**place)
        elif row.kind == "game" and is_signed(table) and not row.details.get("signed"):
            yield IMPORT_TABLE_SIGNED(**place)
        elif table.round.released_at and table.round.number not in released:
            yield IMPORT_ROUND_RELEASED(**place)


def _players_back(event: Event, row: ImportRow, _reason: str, by: Account) -> None:
    remove_last_players(event=event, numbers=row.details["numbers"], by=by)


def _seats_back(event: Event, _row: ImportRow, _reason: str, by: Account) -> None:
    discard_draw(event=event, by=by)


def _tables_back(event: Event, row: ImportRow, reason: str, by: Account) -> None:
    """Hide the rounds that the import released, then reopen its tables and void every hand, the last one first."""
    released = list(row.details.get("released", []))
    if released:
        with event_transaction(event, ROUNDS_HIDDEN, by=by) as change:
            change.event.rounds.filter(number__in=released).update(released_at=None)
            change.details = {"rounds": released}
    for table, last in imported_tables(event, row):
        reopen_table(table=table, reason=reason, by=by)
        items, seen = resolve(table.ledger.order_by("seq")), last
        for hand in [item.seq for item in reversed(items) if item.entry is not None]:
            write_hand(HandRequest(table, None, uuid4(), seen, hand=hand, reason=reason), by=by)
            seen += 1


def _penalties_back(event: Event, row: ImportRow, reason: str, by: Account) -> None:
    given = Penalty.objects.filter(event=event, client_id__in=row.details["penalties"], cancelled_at=None)
    for penalty in given.select_related("event", "player"):
        cancel_penalty(penalty=penalty, reason=reason, by=by)


# ---------------------------------------------------------------- results of a played event


Check = Callable[[Event, ImportRow], Iterator[Problem]]
Act = Callable[[Event, ImportRow, str, Account], None]
_UNDO: Mapping[ImportKind, tuple[Check, Act]] = {
    "players": (_check_players, _players_back),
    "seats": (_check_seats, _seats_back),
    "results": (_check_tables, _tables_back),
    "penalties": (lambda _event, _row: iter(()), _penalties_back),  # those cancelled meanwhile stay as they are
    "game": (_check_tables, _tables_back),
}

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
RESULTS_MANY_STICKS = ProblemType(
    "results.many_sticks",
    "Round {round}, table {table}: {missing} points are missing and count as riichi sticks that nobody won: is a score "
    "not filled in?",
)
RESULTS_TABLE_AFTER_UMA = ProblemType(
    "results.table_after_uma",
    "Round {round}, table {table}: the points sum to 0, as results after uma do. Give the scores at the end of the "
    "game; a file of results after uma can be imported as an old season.",
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

RESULTS_ROUND_DIFFERS = CommandProblemType(
    "results.round_differs",
    "Round {round}, table {table} of the file is not as the event has it. Correct it at the desk, or leave the rounds "
    "that the event has out of the file; nothing was changed.",
)
RESULTS_APPEND_GAP = CommandProblemType(
    "results.append_gap",
    "The event has {last} rounds, and the file goes on with round {first}: number the new rounds on from the last; "
    "nothing was changed.",
)

MAX_SLUG = 60
DRAWS_WITH_ALL_IN_RIICHI = 3  # in a row at the end of a game; more sticks are rather a score that is not filled in
_SLUG = re.compile(r"[-a-zA-Z0-9_]+")

Lines = list[tuple[int, int, tuple[str, ...], tuple[int, ...]]]  # round, table, names and points by seat


@dataclass(frozen=True, slots=True)
class ImportedResults:
    """The event, and whether anything was written; False where it had these results already."""

    event: Event
    changed: bool
    notes: tuple[Problem, ...] = ()  # what somebody should look at


def import_results(
    *,
    slug: str,
    preview: ResultsPreview,
    rules: Ruleset | None,
    version: RuleSetVersion | None = None,
    date: date,
    name: str = "",
    append: bool = False,
    by: Account,
) -> ImportedResults:
    """Write a played event: players by name, seats, final scores, signed sheets, released rounds.

    Without an event at `slug` one is made, called by its `name` or else the slug, with `rules`, from the book that
    their key names or from a `version` of a rule set of the site; for an existing one `rules` must be None or its own.
    With `append` rounds of the file behind those of the event are added; those that the event has may be missing in the
    file, and must else be the same. Raises DomainError for an unusable file, a table whose points do not add up, other
    rules, or an event with other rounds. The same file twice changes nothing.
    """
    missing = {IMPORT_ROUNDS_MISSING.code} if append else set()
    refused = [problem for problem in errors_of(preview.problems) if problem.code not in missing]
    if refused:
        raise DomainError(*refused)
    with transaction.atomic():
        event = Event.objects.filter(slug=slug).first()
        if event is None:
            event = _make_event(slug, name or slug, preview, rules, version, date, by)
        fields = tuple(each.field for each in diff(event.ruleset, rules)) if rules else ()
        if fields:
            raise DomainError(RESULTS_OTHER_RULES(fields=fields))
        notes = tuple(judge_newcomers(event, preview))
        if append:
            return ImportedResults(event, changed=_append(event, preview, by), notes=notes)
        if event.rounds.exists():
            if _played(event) not in (_lines(preview, event.ruleset), _lines(preview)):
                raise DomainError(RESULTS_OTHER_PLAY(slug=slug))
            return ImportedResults(event, changed=False)
        take_results(event=event, preview=preview, source=Source(preview.filename), by=by)
    return ImportedResults(event, changed=True, notes=notes)


def judge_newcomers(event: Event, preview: ResultsPreview) -> Iterator[Problem]:
    """Yield errors of names that the event has in another spelling, and warnings of those that are like one of its own.

    Anybody who is not known by name is added as a player: a slip would make two people of one.
    """
    known = [person.preferred_name for person in Person.objects.filter(players__event=event)]
    here, keys = {name.casefold() for name in known}, first_index_by_key(known)
    rows = {seat.player: seat.row for round_ in preview.rounds for table in round_.tables for seat in table.seats}
    new = [name for name in rows if name.casefold() not in here]
    for name in new:
        same = next((keys[key] for key in same_name_keys(name) if key in keys), None)
        if same is not None:
            yield IMPORT_NAME_EXISTS(row=rows[name], name=name, existing=known[same])
    for index, like in find_similar([*known, *new]):
        if index >= len(known) > like:
            name = new[index - len(known)]
            yield IMPORT_NAME_LIKE_EXISTING.warning(row=rows[name], name=name, existing=known[like])


def _append(event: Event, preview: ResultsPreview, by: Account) -> bool:
    """Add the rounds of a file behind those of an event; return whether there were any."""
    numbers = list(event.rounds.filter(published_at__isnull=False).order_by("number").values_list("number", flat=True))
    if len(numbers) < event.rounds.count():
        raise DomainError(ROUND_NOT_PUBLISHED(round=len(numbers) + 1))
    played = {(round_, table): (names, scores) for round_, table, names, scores in _played(event)}
    known = replace(preview, rounds=tuple(round_ for round_ in preview.rounds if round_.number in numbers))
    new = replace(preview, rounds=tuple(round_ for round_ in preview.rounds if round_.number not in numbers))
    for as_settled, as_written in zip(_lines(known, event.ruleset), _lines(known), strict=True):
        if played.get(as_settled[:2]) not in (as_settled[2:], as_written[2:]):
            raise DomainError(RESULTS_ROUND_DIFFERS(round=as_settled[0], table=as_settled[1]))
    following = [round_.number for round_ in new.rounds]
    if following and following != list(range(len(numbers) + 1, len(numbers) + 1 + len(following))):
        raise DomainError(RESULTS_APPEND_GAP(last=len(numbers), first=following[0]))
    judged = judge_by_rules(new, event.ruleset) if new.rounds else ()
    problems = errors_of([*judge_newcomers(event, new), *judged])
    if problems:
        raise DomainError(*problems)
    if new.rounds:
        _write(event, new, Source(preview.filename), by)
    return bool(new.rounds)


def check_results(event: Event, preview: ResultsPreview) -> list[Problem]:
    """List the problems of results for an event: with its rules, or with its seats and hands where it has seats."""
    if not event.rounds.exists():
        return [*judge_by_rules(preview, event.ruleset), *judge_newcomers(event, preview)]
    return list(_judge_tables(preview, {(table.round, table.number): table for table in load_tables(event)}, event))


def take_results(*, event: Event, preview: ResultsPreview, source: Source, by: Account) -> int:
    """Write results into an event: each table as final scores with a signed sheet; return how many tables are new.

    An event without rounds is seated by the file, and its rounds are published and released; one with seats keeps them
    and releases nothing. Raises DomainError for an unusable file.
    """
    refused = errors_of(preview.problems)
    if refused:
        raise DomainError(*refused)
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=event.pk)
        problems = errors_of(check_results(event, preview))
        if problems:
            raise DomainError(*problems)
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
    # an import from before the riichi sticks were given out has the file's own points
    elif not (table.signed and table.final.scores in (_points(result), settled_entry(result, table.rules).scores)):
        yield RESULTS_TABLE_HAS_HANDS(round=number, table=result.number)


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
    with event_transaction(event, RESULTS_TAKEN, by=by) as change:
        change.details = {**source.details(), "tables": rows, "released": []}
    tables = _tables(event)
    for number, result in new:
        _enter(tables[number, result.number], result, event.ruleset, by, loaded[number, result.number].last_seq)
    event.refresh_from_db()
    return len(new)


def _make_event(
    slug: str,
    name: str,
    preview: ResultsPreview,
    rules: Ruleset | None,
    version: RuleSetVersion | None,
    day: date,
    by: Account,
) -> Event:
    if not _SLUG.fullmatch(slug) or len(slug) > MAX_SLUG:
        raise DomainError(RESULTS_SLUG(slug=slug, most=MAX_SLUG))
    if rules is None:
        raise DomainError(RESULTS_RULES_MISSING(slug=slug))
    key = version or rules.key
    event = create_event(name=name, date=day, rules_key=key, rounds=len(preview.rounds), slug=slug, by=by)
    own = {each.field: each.there for each in diff(event.ruleset, rules)}
    if own:
        change_rules(event=event, values=own, reason="", by=by)
        event.refresh_from_db()
    return event


def judge_by_rules(preview: ResultsPreview, rules: Ruleset) -> Iterator[Problem]:
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
    """Yield a problem where a table's points do not add up: only riichi sticks that nobody won may be missing.

    More of them than a game leaves are a warning.
    """
    entry = settled_entry(table, rules)
    total, wanted = sum(_points(table)), rules.start_points * rules.players
    if not total and any(_points(table)):
        yield RESULTS_TABLE_AFTER_UMA(round=number, table=table.number)
    elif not total or sum(entry.scores) + entry.leftover != wanted:
        yield RESULTS_TABLE_SUM(
            round=number, table=table.number, total=total, wanted=wanted, deposit=rules.riichi_deposit
        )
    elif wanted - total > DRAWS_WITH_ALL_IN_RIICHI * rules.players * rules.riichi_deposit:
        yield RESULTS_MANY_STICKS.warning(round=number, table=table.number, missing=wanted - total)


def settled_entry(table: ResultTable, rules: Ruleset) -> Totals:
    """Return a table's final scores, what is missing from their sum given out or lost as the book says."""
    scores = _points(table)
    settled, left = settle(scores, rules.start_points * rules.players - sum(scores), rules)
    return Totals(scores=settled, leftover=left)


def _points(table: ResultTable) -> tuple[int, ...]:
    return tuple(seat.points for seat in table.seats)


def _write(event: Event, preview: ResultsPreview, source: Source, by: Account) -> None:
    """Write rounds behind those of the event."""
    players = _players(event, preview.players, by)
    numbers = [round_.number for round_ in preview.rounds]
    with event_transaction(event, RESULTS_IMPORTED, by=by) as change:
        change.event.rounds_planned = max(change.event.rounds_planned, *numbers)
        change.event.save(update_fields=["rounds_planned"])
        seat_rounds(change.event, [_seated(round_, players) for round_ in preview.rounds])
        change.details = {
            **source.details(),
            "rounds": len(preview.rounds),
            "players": len(preview.players),
            "tables": [[round_.number, table.number, 1] for round_ in preview.rounds for table in round_.tables],
            "released": numbers,
        }
    publish_rounds(event=event, numbers=numbers, by=by)
    tables = _tables(event)
    for round_ in preview.rounds:
        for result in round_.tables:
            _enter(tables[round_.number, result.number], result, event.ruleset, by)
    loaded = load_tables(event)
    for released in event.rounds.filter(number__in=numbers).select_related("event"):
        release_round(round_=released, by=by, tables=loaded)
    event.refresh_from_db()


def _players(event: Event, names: Sequence[str], by: Account) -> dict[str, Player]:
    """Return the players by name; new ones are added in the order of the file."""
    known = {player.person.preferred_name.casefold() for player in event.players.select_related("person")}
    new = [NewPlayer(name) for name in names if name.casefold() not in known]
    add_players(event=event, players=new, late=True, by=by)
    all_players = event.players.select_related("person")
    return {player.person.preferred_name.casefold(): player for player in all_players}


def _seated(round_: ResultRound, players: Mapping[str, Player]) -> list[list[Player]]:
    return [[players[seat.player.casefold()] for seat in table.seats] for table in round_.tables]


def _tables(event: Event) -> dict[tuple[int, int], Table]:
    """Return the tables of an event by round and number."""
    found = Table.objects.filter(round__event=event).select_related("round__event")
    return {(table.round.number, table.number): table for table in found}


def _enter(table: Table, result: ResultTable, rules: Ruleset, by: Account, seen: int = 0) -> None:
    entry = settled_entry(result, rules)
    entered = write_hand(HandRequest(table, entry, uuid4(), seen), by=by)
    sign_table(table=table, totals=entry.scores, leftover=0, expected_seq=entered.row.seq, here=True, by=by)


def _lines(preview: ResultsPreview, rules: Ruleset | None = None) -> Lines:
    """Return a file's tables, with riichi sticks given out by these rules; as the file has them without rules."""
    return [
        (
            round_.number,
            table.number,
            tuple(seat.player.casefold() for seat in table.seats),
            settled_entry(table, rules).scores if rules else _points(table),
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
