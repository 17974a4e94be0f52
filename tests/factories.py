"""Accounts, events, players and played tables for tests: made by the same verbs as at a desk, never by rows.

Plain functions with plain defaults; a test states only what it is about.
"""

import contextlib
import dataclasses
import datetime as dt
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import UUID, uuid4

from rules.books import load_book
from scoring.entries import Entry
from scoring.game import fold
from scoring.shorthand import parse
from tournament.accounts.models import Account, Membership
from tournament.core.audit import append_audit
from tournament.core.errors import DomainError
from tournament.core.heads import add_head
from tournament.core.now import now
from tournament.core.prepared import Prepared
from tournament.core.transaction import RECORD_SEALED, event_transaction, head_state, seal_all_rows
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players, change_player, player_facts
from tournament.players.models import Player
from tournament.rounds.actions import publish_rounds, release_round
from tournament.rulesets.actions import changed_book, save_rule_set
from tournament.rulesets.models import RuleSet, RuleSetVersion
from tournament.seating.actions import SEATS_DRAWN, seat_rounds
from tournament.sheets.actions import sign_table
from tournament.tables.actions import EnteredHand, HandRequest, write_hand
from tournament.tables.history import standing_entries
from tournament.tables.models import LedgerEntry, Round, Table

DAY = dt.date(2026, 9, 12)
NAMES = (
    "Akelei", "Birk", "Cyan", "Distel", "Efeu", "Farn", "Ginster", "Hasel", "Iris", "Jasmin", "Kresse", "Lavendel",
    "Mohn", "Nelke", "Oleander", "Primel", "Quitte", "Rose", "Salbei", "Tulpe", "Ulme", "Veilchen", "Weide", "Zeder",
)  # fmt: skip

# eight hands for four players, none won by the dealer: the game is over
WHOLE_GAME = ("2r1 330", "3r2 330", "4r3 m", "1r4 240", "2r1 230", "3t 330", "2r3 340", "1r4 230")

_numbers = itertools.count(1)

# Every test asks these, most of them many times.
_EVENT = Prepared(lambda pk: Event.objects.filter(pk=pk))
_WRITER = Prepared(lambda event: Membership.objects.filter(event=event).select_related("account").order_by("pk")[:1])
_ROUND = Prepared(lambda event, number: Round.objects.filter(event=event, number=number).select_related("event"))
_TABLE = Prepared(
    lambda event, round_, number: Table.objects.select_related("round__event").filter(
        round__event=event, round__number=round_, number=number
    )
)
_LAST_SEQ = Prepared(lambda table: LedgerEntry.objects.filter(table=table).order_by("-seq").values_list("seq")[:1])


def make_account(name: str = "Referee", *, superuser: bool = False) -> Account:
    """Make an account of that name, with no way to sign in."""
    account = Account(username=f"account-{next(_numbers)}", display_name=name, is_superuser=superuser)
    account.set_unusable_password()
    account.save()
    return account


def make_event(
    rules_key: str | RuleSetVersion = "ema-2025",
    *,
    tables: int = 2,
    rounds: int = 2,
    slug: str = "",
    published: bool = True,
    time_zone: str = "",
    by: Account | None = None,
) -> Event:
    """Make an event with so many full tables and rounds, seats written and, unless told otherwise, published.

    A test that expects hours of the clock names the zone: without one the event has that of the machine.
    """
    writer = by or make_account("Organiser")
    slug = slug or f"event-{next(_numbers)}"
    event = create_event(
        name=slug.title(), date=DAY, rules_key=rules_key, rounds=rounds, slug=slug, time_zone=time_zone, by=writer
    )
    size = event.ruleset.players
    players = add_players(event=event, players=[NewPlayer(name_of(index)) for index in range(tables * size)], by=writer)
    _seat_in_turn(event, players, rounds=rounds, by=writer)
    if published:
        publish_rounds(event=event, numbers=range(1, rounds + 1), by=writer)
    return fresh(event)


def make_rule_set(
    title: str, rule_set: RuleSet | None = None, *, note: str = "", by: Account | None = None, **values: Any
) -> RuleSetVersion:
    """Save EMA 2025 with other values as a new rule set of the site, or as the next version of one."""
    book = changed_book(load_book("ema-2025"), title=title, values=values, why="as the club plays")
    seen = rule_set.versions.count() if rule_set else 0
    version = save_rule_set(
        rule_set=rule_set, book=book, note=note, seen=seen, client_id=uuid4(), by=by or make_account()
    )
    assert version is not None
    return version


def fresh(event: Event) -> Event:
    """Load an event again from the database: the same rows in a new object."""
    (found,) = _EVENT(event.pk)
    return found


def name_of(index: int) -> str:
    """Return the name of a player by position in the list, from 0."""
    return NAMES[index] if index < len(NAMES) else f"{NAMES[index % len(NAMES)]} {index // len(NAMES) + 1}"


def seat_in_turn(event: Event, players: Sequence[Player], *, rounds: int, by: Account) -> None:
    """Seat players table by table, each round one seat further on: quick, and the same every time."""
    _seat_in_turn(event, players, rounds=rounds, by=by)
    event.refresh_from_db()


def _seat_in_turn(event: Event, players: Sequence[Player], *, rounds: int, by: Account) -> None:
    size = event.ruleset.players
    turned = ([*players[step:], *players[:step]] for step in range(rounds))
    drawn = [[order[first : first + size] for first in range(0, len(order), size)] for order in turned]
    with event_transaction(event, SEATS_DRAWN, by=by) as change:
        seat_rounds(change.event, drawn)


def writer_of(event: Event) -> Account:
    """Return the event's first organiser."""
    (first,) = _WRITER(event.pk)
    return first.account


def seal_by_hand(event: Event) -> None:
    """Seal what a test has written into the tables itself, as an act would."""
    event.refresh_from_db()
    signs, at = event.heads.exists(), now()
    state = {**seal_all_rows(event), **(head_state(event, 0) if signs else {})}
    append_audit(event, RECORD_SEALED, {}, by="", at=at, state=state)
    if signs:
        add_head(event, at)


def round_of(event: Event, number: int = 1) -> Round:
    """Return a round of an event."""
    (found,) = _ROUND(event.pk, number)
    return found


def table_of(event: Event, number: int = 1, *, round_: int = 1) -> Table:
    """Return a table of a round."""
    (found,) = _TABLE(event.pk, round_, number)
    return found


def rows_of(table: Table) -> list[LedgerEntry]:
    """Return the rows of a table's ledger in order."""
    return list(table.ledger.order_by("seq"))


def last_seq(table: Table) -> int:
    """Return the `seq` of a table's newest row, 0 for none."""
    return next((seq for (seq,) in _LAST_SEQ(table.pk)), 0)


def enter(table: Table, line: str | Entry, *, reason: str = "", client_id: UUID | None = None) -> EnteredHand:
    """Enter a hand, given as a line of shorthand or an entry, as somebody who has seen everything."""
    entry = parse(line) if isinstance(line, str) else line
    request = HandRequest(table, entry, client_id or uuid4(), last_seq(table), reason=reason)
    return write_hand(request, by=writer_of(table.round.event))


def enter_all(table: Table, *lines: str) -> None:
    """Enter hands one after the other."""
    by, seq = writer_of(table.round.event), last_seq(table)
    for line in lines:
        seq = write_hand(HandRequest(table, parse(line), uuid4(), seq), by=by).row.seq


def correct(table: Table, hand: int, line: str | Entry, *, reason: str = "misheard") -> EnteredHand:
    """Correct a hand, named by the `seq` of its first row."""
    entry = parse(line) if isinstance(line, str) else line
    request = HandRequest(table, entry, uuid4(), last_seq(table), hand=hand, reason=reason)
    return write_hand(request, by=writer_of(table.round.event))


def void(table: Table, hand: int, *, reason: str = "entered twice") -> EnteredHand:
    """Take a hand out, named by the `seq` of its first row."""
    request = HandRequest(table, None, uuid4(), last_seq(table), hand=hand, reason=reason)
    return write_hand(request, by=writer_of(table.round.event))


def sign(table: Table) -> None:
    """Sign a table with what its hands make."""
    rules = table.rules_in(table.round.event)
    game = fold(standing_entries(rows_of(table)), rules)
    sign_table(
        table=table,
        totals=game.final(rules).scores,
        leftover=game.state.sticks * rules.riichi_deposit,
        expected_seq=last_seq(table),
        by=writer_of(table.round.event),
    )


def play_round(event: Event, number: int, *lines: str) -> None:
    """Play the same hands at every table of a round, sign them and release the round."""
    for table in round_of(event, number).tables.select_related("round__event"):
        enter_all(table, *lines)
        sign(table)
    release_round(round_=round_of(event, number), by=writer_of(event))
    event.refresh_from_db()


def rename_player(*, player: Player, name: str, by: Account) -> None:
    """Change the name of a player and nothing else."""
    to = dataclasses.replace(player_facts(player), preferred_name=name)
    change_player(player=player, to=to, ranked=player.ranked, by=by)


def set_team(*, player: Player, team: str, by: Account) -> None:
    """Put a player into a team."""
    to = dataclasses.replace(player_facts(player), team=team)
    change_player(player=player, to=to, ranked=player.ranked, by=by)


def set_ranked(*, player: Player, ranked: bool, reason: str = "", by: Account) -> None:
    """Rank a player or not."""
    change_player(player=player, to=player_facts(player), ranked=ranked, reason=reason, by=by)


def codes_when(act: Callable[[], object]) -> list[str]:
    """Return the codes with which an act is refused, none where it is carried out."""
    try:
        act()
    except DomainError as refused:
        return [problem.code for problem in refused.problems]
    return []


def codes_of(refused: Any) -> list[str]:
    """Return the codes of what was refused inside `pytest.raises`."""
    return [problem.code for problem in refused.value.problems]


@contextlib.contextmanager
def refused(code: str, *more: str) -> Iterator[None]:
    """Assert that what is done inside is refused with these codes."""
    found = []
    try:
        yield
    except DomainError as refusal:
        found = [problem.code for problem in refusal.problems]
    assert found == [code, *more]
